"""What there is to look at: the documents of an output folder by its journal, or one JSON output."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docparse.errors import InputError, UsageError
from docparse.render import read_json
from docparse.run.inputs import IMAGES_SUFFIX, display_name
from docparse.run.journal import Journal, JournalEntry
from docparse.run.outputs import JOURNAL_NAME
from docparse.types import DocumentInfo, Page

WORST_FIRST = ("failed", "partial", "ok")


@dataclass(frozen=True)
class Found:
    """A document: how it ended, its JSON output (None where it has none), and where its pages may be drawn from.

    `source` is None where the document was not found or has changed; `note` says so in one line, or that it is not
    where it was said to be."""

    name: str
    status: str
    error: str
    json: Path | None
    source: Path | None
    note: str

    @property
    def images(self) -> Path:
        """Return the folder of its pictures."""
        assert self.json is not None  # it has pages
        return self.json.with_name(self.json.stem + IMAGES_SUFFIX)

    def pages(self) -> list[Page]:
        """Return its pages, those that failed or are partial first."""
        pages = _read(self.json)[1] if self.json else []
        return sorted(pages, key=lambda page: (WORST_FIRST.index(page.status), page.number))


def find(out: Path, source: Path | None) -> list[Found]:
    """Return the documents of `out`, those that failed or are partial first. `source` is a document, or the folder that
    they are in now. Raises `UsageError` where there is nothing to look at, `InputError` for a JSON file that is none of
    ours."""
    if not out.exists():
        raise UsageError(f"{display_name(out)}: no such file or folder: name the output of a docparse convert")
    if source is not None and not source.exists():
        raise UsageError(f"--source {display_name(source)}: no such file or folder")
    if out.is_file() and out.suffix.lower() != ".json":
        raise UsageError(f"{display_name(out)}: name one of the .json files of docparse convert, or its output folder")
    if out.is_file():
        if entry := _entry_of(out):
            return [_found(entry.input, entry.status, entry.error, out, source)]
        info, pages = _read(out)
        worst = min((page.status for page in pages), key=WORST_FIRST.index, default="ok")
        return [_found(info.name, worst, "", out, source)]
    journal = Journal(out / JOURNAL_NAME)
    if not (out / JOURNAL_NAME).is_file():
        raise UsageError(
            f"{display_name(out)}: no {JOURNAL_NAME} is there: name the output folder of a docparse convert, or one "
            "of its .json files"
        )
    ended = {entry.input: entry for entry in journal.entries() if entry.page is None}
    if not ended:
        raise UsageError(
            f"{display_name(out)}: no document of this run is finished: run docparse convert with --resume"
        )
    found = []
    for entry in ended.values():
        paths = (out / name for name in entry.files if name.endswith(".json"))
        json = next((path for path in paths if path.is_file()), None)
        found.append(_found(entry.input, entry.status, entry.error, json, source))
    if not any(document.json for document in found) and any(document.status != "failed" for document in found):
        raise UsageError(f"{display_name(out)}: it has no JSON: run docparse convert again with --format md,json")
    return sorted(found, key=lambda document: WORST_FIRST.index(document.status))


def _entry_of(file: Path) -> JournalEntry | None:
    """Return what the run that wrote `file` says of its document, where the journal is still beside or above it."""
    path = file.absolute()
    folder = next((each for each in path.parents if (each / JOURNAL_NAME).is_file()), None)
    if folder is None:
        return None
    name = display_name(path.relative_to(folder))
    return next((entry for entry in reversed([*Journal(folder / JOURNAL_NAME).entries()]) if name in entry.files), None)


def _read(path: Path) -> tuple[DocumentInfo, list[Page]]:
    try:
        return read_json(path.read_bytes())
    except (InputError, OSError) as error:
        raise InputError(f"{display_name(path)}: {getattr(error, 'strerror', None) or error}") from None


def _found(name: str, status: str, error: str, json: Path | None, source: Path | None) -> Found:
    if json is None:
        note = "" if status == "failed" else f"{name}: it has no JSON: run docparse convert again with --format md,json"
        return Found(name, status, error, None, None, note)
    info = _read(json)[0]
    said = [*_places_in(source, name, info)] if source is not None else []
    there = [path for path in dict.fromkeys([*said, *_places(name, info, json)]) if path.is_file()]
    same = next((path for path in there if _sha256(path) == info.sha256), None)
    if same is None:
        found = "has changed" if there else "was not found"
        note = f"{name}: {found}, so its pages have no pictures: name the file or its folder with --source"
    elif source is not None and same not in said:
        note = f"{name}: it is not in --source {display_name(source)}: its pages are drawn from {display_name(same)}"
    else:
        note = ""
    return Found(name, status, error, json, same, note)


def _places_in(source: Path, name: str, info: DocumentInfo) -> Iterator[Path]:
    """Yield where the document may be in `source`: a tree that has moved is there from some folder of `name` on."""
    parts = Path(name).parts
    yield from [source, *(source.joinpath(*parts[i:]) for i in range(len(parts))), source / info.name]


def _places(name: str, info: DocumentInfo, json: Path) -> Iterator[Path]:
    """Yield where the document may be, the likeliest place first; a relative `name` began where the run did, often in a
    folder above its output."""
    yield from [Path(name), *(folder / name for folder in json.absolute().parents)]
    yield from [json.parent / info.name, json.parent.parent / info.name]


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
