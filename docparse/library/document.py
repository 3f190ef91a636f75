"""A converted document: pages, tables and figures, and its text in three formats, made from them when asked for.

On disk, in a temporary folder that goes with the `Document`: one JSON file and the pictures. In memory: nothing before
it is asked for; then the pages stay, and every text is printed anew.
"""

from __future__ import annotations

import atexit
import os
import tempfile
import weakref
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from docparse.errors import EnvironmentProblem, UsageError
from docparse.library.chunks import Chunk, chunks_of
from docparse.library.keywords import in_python
from docparse.render import FILE_SUFFIXES, FORMATS, RenderOptions, read_json
from docparse.render.tables import header_rows, place, to_html, to_pipe
from docparse.render.text import squeeze
from docparse.run.files import whole_file
from docparse.run.inputs import IMAGES_SUFFIX
from docparse.run.leftovers import remove_ours, temporary_folder
from docparse.run.output_writer import render_options
from docparse.run.outputs import Files, written_suffixes
from docparse.run.result import DocumentResult
from docparse.settings import Settings
from docparse.sizes import counted
from docparse.types import Block, Box, Category, DocumentInfo, Page, Table, plain

if TYPE_CHECKING:
    import pandas


@cache
def _folders(process: int) -> Path:
    """The folder for all documents of this process. If it is killed, the next one that uses docparse removes it."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(temporary_folder())


class Folder:
    """A temporary folder that goes with this object, or with the process."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(dir=_folders(os.getpid())))
        weakref.finalize(self, remove_ours, self.path, os.getpid()).atexit = False


@dataclass(frozen=True)
class DocumentTable:
    """A table. `rows` are words by row and column; a cell that spans several has its words in each of them, and the
    first `header_rows` are the header."""

    page: int
    box: Box
    caption: str
    table: Table = field(repr=False)

    @cached_property
    def rows(self) -> list[list[str]]:
        grid, _ = place(self.table)
        rows = [[""] * len(row) for row in grid]
        for cell in (cell for row in grid for cell in row if cell):
            for r in range(cell.row, cell.row + cell.rowspan):
                for c in range(cell.column, cell.column + cell.colspan):
                    rows[r][c] = squeeze(plain(cell.spans))
        return rows

    @property
    def header_rows(self) -> int:
        return header_rows(place(self.table)[0])

    @property
    def markdown(self) -> str:
        """Return a pipe table, which knows no spans; `html` has them."""
        return to_pipe(self.table)

    @property
    def html(self) -> str:
        return to_html(self.table)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a `pandas.DataFrame` of strings, with a `MultiIndex` of headers. Raises `EnvironmentProblem`."""
        try:
            import pandas
        except ImportError:
            raise EnvironmentProblem("to_pandas needs pandas: run `pip install pandas`, or use .rows") from None
        head, rows = self.rows[: self.header_rows], self.rows[self.header_rows :]
        columns = pandas.MultiIndex.from_arrays(head) if len(head) > 1 else head[0] if head else None
        return pandas.DataFrame(rows, columns=columns)


@dataclass(frozen=True)
class Figure:
    """A picture of the document. `name` is what the Markdown calls it; `image` is a PNG, None with `images="none"`."""

    page: int
    box: Box
    caption: str
    name: str
    document: Document

    @property
    def image(self) -> bytes | None:
        return self.document.image(self.name) if self.name else None


class Document:
    """A converted document. `status` is `ok`, `partial` (`error` says in one line what may be missing) or `failed`."""

    def __init__(
        self, folder: Folder, files: Files | None, name: str, result: DocumentResult, settings: Settings
    ) -> None:
        self.name = name
        self.status: Literal["ok", "partial", "failed"] = "failed" if result.status == "unfinished" else result.status
        self.error = in_python(result.error)
        self.error_category = result.error_category
        self.seconds = result.seconds
        self._folder = folder
        self._files = files if result.outputs else None
        self._warnings = result.warnings
        self._settings = settings

    def __repr__(self) -> str:
        return f"<Document {self.name!r}: {self.status}, {counted(len(self.pages), 'page')}>"

    @cached_property
    def _read(self) -> tuple[DocumentInfo, list[Page]]:
        if self._files is None:
            return DocumentInfo(name=self.name, sha256="", pages=0), []
        return read_json(self._files.main["json"].read_bytes())

    @property
    def pages(self) -> list[Page]:
        """Return the pages that were asked for, failed ones too, running headers among their blocks."""
        return self._read[1]

    @property
    def warnings(self) -> list[str]:
        told = [*self._warnings, *(f"{page.label}: {line}" for page in self.pages for line in page.warnings)]
        return [in_python(line) for line in told]

    @property
    def markdown(self) -> str:
        return self._printed("md", self._options)

    @property
    def html(self) -> str:
        """Return a whole file, with formulas as MathML."""
        return self._printed("html", self._options)

    @property
    def json(self) -> str:
        """Return the document model, as `docparse convert --format json` writes it."""
        return self._printed("json", self._options)

    @cached_property
    def tables(self) -> list[DocumentTable]:
        return [
            DocumentTable(page.number, block.box, _caption(page.blocks, at), block.table)
            for page in self.pages
            for at, block in enumerate(page.blocks)
            if block.table is not None
        ]

    @property
    def figures(self) -> list[Figure]:
        return [
            Figure(page.number, block.box, _caption(page.blocks, at), block.image, self)
            for page in self.pages
            for at, block in enumerate(page.blocks)
            if block.category is Category.PICTURE
        ]

    def chunks(self, max_chars: int = 2000) -> list[Chunk]:
        """Return the text in pieces for retrieval, of `max_chars` characters at most: what stands under one heading
        together as far as it fits. Only a word, a line of code or a row of a table may be longer, and is whole."""
        if not isinstance(max_chars, int) or max_chars < 1:
            raise UsageError(f"max_chars {max_chars!r}: use a whole number of characters, at least 1")
        return chunks_of(self.pages, max_chars, self._options)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the Markdown, HTML or JSON, by the suffix of `path`, with its pictures beside; return the path. Raises
        `UsageError` for another suffix, `OutputError` where it cannot be written."""
        path = Path(path)
        kind = FILE_SUFFIXES.get(path.suffix.lower())
        if kind is None:
            raise UsageError(f"{path}: the suffix says what is written: use {written_suffixes()}")
        images = path.with_name(path.stem + IMAGES_SUFFIX)
        text = self._printed(kind, replace(self._options, image_dir=images.name))
        if self._options.images == "ref":
            for name in sorted({block.image for page in self.pages for block in page.blocks if block.image}):
                with whole_file(images / name, mode="wb") as file:
                    file.write(self.image(name))
        with whole_file(path) as file:
            file.write(text)
        return path

    def image(self, name: str) -> bytes:
        return self._options.load_asset(name)

    @cached_property
    def _options(self) -> RenderOptions:
        images = self._files.images if self._files else Path()
        return render_options(self._settings, images, lambda name: (images / name).read_bytes())  # not this Document

    def _printed(self, kind: str, options: RenderOptions) -> str:
        if kind == "json":
            return self._files.main["json"].read_text(encoding="utf-8") if self._files else ""
        out = StringIO()
        info, pages = self._read
        FORMATS[kind].write(info, pages, out, options)
        return out.getvalue()


def _caption(blocks: tuple[Block, ...], at: int) -> str:
    """Return the caption beside a block, that before or behind it: the nearer one where there are two."""
    box = blocks[at].box
    near = [block for block in blocks[max(0, at - 1) : at + 2] if block.category is Category.CAPTION]
    near.sort(key=lambda block: max(box.y0 - block.box.y1, block.box.y0 - box.y1))
    return squeeze(near[0].text) if near else ""
