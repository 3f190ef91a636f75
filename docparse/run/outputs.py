"""Where results go: `-o` is a folder, a file or standard output, and each document has its files there."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from docparse.errors import UsageError
from docparse.render.formats import FILE_SUFFIXES, FORMATS
from docparse.run.inputs import IMAGES_SUFFIX, OWN_LAYOUT, SUFFIXES, Input, display_name
from docparse.run.inputs.search import Places
from docparse.settings import nearest
from docparse.storage import is_url, local_path

IMAGE_START = re.compile(rb"\x89PNG\r\n|\xff\xd8\xff|II\*\0|MM\0\*|RIFF....WEBP|BM....\0\0\0\0", re.DOTALL)
LAYOUT_PDF = "layout-pdf"  # what `--layout-pdf` draws
STDOUT_NAME = "output"  # in the temporary folder, before it is copied to standard output
JOURNAL_NAME = "docparse-journal.jsonl"
WORK_FOLDER = ".docparse"  # finished pages of unfinished documents


@dataclass(frozen=True)
class Files:
    """The output files of one document. `main` maps a format to its path."""

    main: dict[str, Path]
    images: Path
    layout: Path | None

    def by_name(self, but: Collection[str] = ()) -> dict[str, Path]:
        """Return the output files by format (`layout-pdf` for the picture of the layout), without those in `but`."""
        everything = self.main | ({LAYOUT_PDF: self.layout} if self.layout else {})
        return {name: path for name, path in everything.items() if name not in but}

    def all(self) -> list[Path]:
        return [*self.by_name().values()]


@dataclass(frozen=True)
class Destination:
    """A resolved `-o`. `file` is set for a single file; `stdout` means that `folder` is temporary. With `url` it is
    too: that is where the files go in the end, and `there` is what earlier runs have put there."""

    folder: Path
    formats: tuple[str, ...]
    layout_pdf: bool = False
    file: Path | None = None
    stdout: bool = False
    url: str = ""
    there: frozenset[str] = frozenset()

    @property
    def work(self) -> Path:
        return self.folder / WORK_FOLDER

    @property
    def journal(self) -> Path | None:
        """Return the journal's path: in the folder, or hidden beside a single file while that is being made."""
        if self.stdout:
            return None
        return self.folder / JOURNAL_NAME if self.file is None else self.work / f"{self.file.name}.jsonl"

    def has(self, path: Path) -> bool:
        return path.relative_to(self.folder).as_posix() in self.there if self.url else path.is_file()

    def shown(self, path: Path) -> str:
        """Return where the output file `path` is to be found, in words."""
        return display_name(f"{self.url}/{path.relative_to(self.folder).as_posix()}" if self.url else path)

    def files(self, output: Path) -> Files:
        """Return the files of the document whose `Input.output` is `output`, which stays below the folder."""
        if not output.name or output.is_absolute() or ".." in output.parts:
            raise ValueError(f"not a place in the output folder: {output}")
        base = self.folder / (output if not self.stdout else STDOUT_NAME)
        main = {name: base.with_name(base.name + FORMATS[name].suffixes[0]) for name in self.formats}
        if self.file is not None:
            base, main = self.file.with_suffix(""), {self.formats[0]: self.file}
        layout = base.with_name(base.name + OWN_LAYOUT) if self.layout_pdf else None
        return Files(main, base.with_name(base.name + IMAGES_SUFFIX), layout)


def parse_formats(text: str) -> tuple[str, ...]:
    """`md,json` as a tuple without repetitions. Raises `UsageError`."""
    names = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in FORMATS:
            raise UsageError(f"--format {name!r} is not one of {', '.join(FORMATS)}{nearest(name, FORMATS)}")
    if not names:
        raise UsageError(f"--format is empty: name some of {', '.join(FORMATS)}")
    return names


def choose_destination(
    out: str | None, formats: tuple[str, ...] | None, *, layout_pdf: bool, temporary: Path
) -> Destination:
    """Return what `-o` means. No `-o` is standard output, like `-`; `temporary` then holds the pages.

    An existing folder, a name that ends with a slash and a new name without a suffix are folders. A file has one of
    the suffixes of `FILE_SUFFIXES`, which decides the format. A URL is a folder. Raises `UsageError`.
    """
    out = local_path(out) if out else out
    if out and is_url(out):
        if PurePosixPath(out).suffix.lower() in FILE_SUFFIXES:
            raise UsageError(f"{out} is a file, but only a folder can be written to a URL: give its folder")
        return Destination(temporary / "outputs", formats or ("md",), layout_pdf=layout_pdf, url=out.rstrip("/"))
    if out is None or out == "-":
        if formats and len(formats) > 1:
            raise UsageError("standard output takes one --format: use -o FOLDER for several")
        if layout_pdf:
            raise UsageError("--layout-pdf needs a place for the picture: use -o FOLDER")
        return Destination(temporary, formats or ("md",), stdout=True)
    if not out:
        raise UsageError("-o has an empty name: name a folder or a file, or - for standard output")
    path = Path(out)
    if os.path.isdir(path) or out.endswith("/") or (not _suffix(path) and not os.path.exists(path)):
        return Destination(path, formats or ("md",), layout_pdf=layout_pdf)
    return Destination(path.parent, (_format_of(path, formats),), layout_pdf=layout_pdf, file=path)


def has_format(out: str) -> bool:
    """Return whether `-o` names one file, by its suffix, which decides the format."""
    path = Path(local_path(out))
    return _suffix(path) in FILE_SUFFIXES and not (out.endswith("/") or os.path.isdir(path))


def _suffix(path: Path) -> str:
    """Return the suffix in lower case; what has no letter, as in `v1.2`, is part of the name."""
    return path.suffix.lower() if re.search("[a-zA-Z]", path.suffix) else ""


def _format_of(path: Path, formats: tuple[str, ...] | None) -> str:
    """The format of the single file `path`. Raises `UsageError` where it cannot be one."""
    name, suffix = display_name(path), _suffix(path)
    if suffix in SUFFIXES or _holds_document(path):
        raise UsageError(f"{name} looks like an input, not an output: name a file that ends with {written_suffixes()}")
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError(f"{name} is a pipe or a device, which a file would replace: use -o - > {name}")
    if suffix and suffix not in FILE_SUFFIXES:
        raise UsageError(
            f"{name}: docparse cannot write {suffix}, only {written_suffixes()}; for a folder, write {name}/"
        )
    if not suffix:
        raise UsageError(f"{name} is an existing file without a suffix: use a name that ends with {written_suffixes()}")
    if formats and len(formats) > 1:
        raise UsageError(f"{name} is one file and takes one --format: use -o FOLDER for several")
    meant = FILE_SUFFIXES[suffix]
    if formats and formats[0] != meant:
        raise UsageError(f"{name} is {meant} by its suffix, but --format is {formats[0]}: change one of them")
    return meant


def written_suffixes() -> str:
    """Return the suffixes of files that are written, in words."""
    *most, last = FILE_SUFFIXES
    return f"{', '.join(most)} or {last}"


def _holds_document(path: Path) -> bool:
    """A file that is there and begins like a PDF or an image, whatever its name."""
    if not os.path.isfile(path):  # not Path.is_file: a name may be longer than a name can be
        return False
    try:
        with open(path, "rb") as file:
            start = file.read(1024)
    except OSError:
        return False
    return b"%PDF-" in start or IMAGE_START.match(start) is not None


def check(destination: Destination, documents: Sequence[Input]) -> None:
    """Raises `UsageError` where the documents do not fit the destination or would be overwritten by an output."""
    if (destination.stdout or destination.file) and len(documents) > 1:
        where = "standard output" if destination.stdout else display_name(destination.file or "")
        raise UsageError(f"{where} takes one document, not {len(documents)}: use -o FOLDER")
    endings = tuple(path.name.removeprefix("x") for path in destination.files(Path("x")).all())
    sources = {item.real or os.path.abspath(item.path): item for item in documents if item.path is not None}
    sources = {real: item for real, item in sources.items() if real.endswith(endings)}
    if not sources:  # as usual: of a hundred thousand documents none is called like an output
        return
    places = Places()
    for document in documents:
        for path in destination.files(document.output).all() if not document.problem else []:
            source = sources.get(places.real(str(path)))
            if source is not None:
                raise UsageError(f"{source.name} would be overwritten by the output of {document.name}: change -o")
