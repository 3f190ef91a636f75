"""`write_view`: the HTML file, written page by page from the template beside this file.

Pages are drawn by worker processes, which may crash: one that cannot be drawn has no picture.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from docparse.render import RenderOptions
from docparse.render.html import block_html, inline_html
from docparse.render.markdown import list_marker
from docparse.render.options import data_uri
from docparse.render.overlay import COLOURS, page_pixels
from docparse.run.files import whole_file
from docparse.run.result import Observer
from docparse.run.tasks import SourceFile, WorkerState
from docparse.run.workers import planned_pool
from docparse.settings import Settings
from docparse.types import Block, Category, Decoding, Page
from docparse.view.found import Found

DPI = 84  # an A4 page is 694 pixels wide, about as wide as it is shown
WEBP_QUALITY = 30  # of WebP: 57 KB for a page full of small type (96 dpi at 45: 81 KB), which can still be read
DRAW_SECONDS = 60.0


@dataclass(frozen=True)
class PageRegion:
    """A block of a page: where it stands, in per cent of the page, its HTML, and which share of its tokens drafts had
    right, where a model wrote it."""

    id: str
    order: int
    block: Block
    style: str
    html: str
    share: float | None


@dataclass(frozen=True)
class ViewedPage:
    """A page with its regions; `picture` is a data URI or "", `decoding` a line."""

    id: str
    page: Page
    picture: str
    regions: list[PageRegion]
    decoding: str


@dataclass(frozen=True)
class Chapter:
    """A document with the pages that are shown; `left_out` are not."""

    id: str
    found: Found
    pages: list[Page]
    left_out: int
    folder: Path  # of the pages' pictures

    def picture(self, page: Page) -> Path:
        return self.folder / f"{self.id}p{page.number}.webp"

    def to_draw(self) -> Iterator[DrawPage]:
        if self.found.source is not None:
            source = SourceFile(self.found.source.absolute(), self.found.name)
            for page in self.pages:
                yield DrawPage(source, msgspec.structs.replace(page, blocks=()), self.picture(page))

    def sheets(self) -> Iterator[ViewedPage]:
        """Yield the pages, one in memory at a time."""
        options = RenderOptions(images="embed", load_asset=self._crop)
        for page in self.pages:
            path, name = self.picture(page), f"{self.id}p{page.number}"
            picture = data_uri(path.read_bytes(), "image/webp") if path.is_file() else ""
            regions = [_region(f"{name}b{order}", order, page, options) for order in range(1, len(page.blocks) + 1)]
            yield ViewedPage(name, page, picture, regions, decoded(page.decoding))

    def _crop(self, name: str) -> bytes:
        path = self.found.images / name
        return path.read_bytes() if path.is_file() else b""


def write_view(found: list[Found], out: Path, *, max_pages: int = 0, password: str = "") -> list[Chapter]:
    """Write `found` to the file `out`, `max_pages` pages at most (0: all). Return what was written.

    Raises `OutputError` where it cannot be.
    """
    with tempfile.TemporaryDirectory(prefix="docparse-view-") as folder:
        chapters: list[Chapter] = []
        for number, document in enumerate(found, 1):
            pages = document.pages()
            room = max_pages - sum(len(chapter.pages) for chapter in chapters) if max_pages else len(pages)
            chapters.append(Chapter(f"d{number}", document, pages[:room], len(pages[room:]), Path(folder)))
        draw([task for chapter in chapters for task in chapter.to_draw()], password)
        with whole_file(out) as file:
            file.writelines(template().generate(chapters=chapters, colours=colours(), drafts=drafts(chapters)))
    return chapters


def template() -> Any:
    """Return the template; everything that comes from data is escaped by it, but the HTML of blocks, which is."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(files("docparse.view").joinpath("view.html").read_text(encoding="utf-8"))


def colours() -> dict[str, str]:
    """Return the colour of each category, as the layout picture has them."""
    return {category: "#{:02x}{:02x}{:02x}".format(*colour) for category, colour in COLOURS.items()}


def drafts(chapters: list[Chapter]) -> str:
    """Return what there is to see of accepted draft tokens, in one line."""
    pages = [page for chapter in chapters for page in chapter.pages]
    if not any(page.decoding for page in pages):
        return "No model wrote these pages, so there are no draft tokens to colour."
    if not any(block.draft_tokens for page in pages for block in page.blocks):
        return "A model wrote these pages, and the record has no draft tokens that it accepted: none to colour."
    return (
        "The greener a block, the more of its tokens were drafts that the model accepted. "
        "The record has their number for each block, not which they were."
    )


def decoded(decoding: Decoding | None) -> str:
    """Return how a model wrote the page."""
    if decoding is None:
        return ""
    line = f"{decoding.tokens:,} tokens in {decoding.steps:,} steps, --accel {decoding.accel}"
    if decoding.accepted:
        sources = ", ".join(f"{name} {count:,}" for name, count in decoding.accepted_by_source.items())
        line += f"; {decoding.accepted:,} were accepted drafts ({sources}), {decoding.aal:.2f} per step"
    return line if decoding.ending == "stop" else f"{line}; ended by {decoding.ending}"


def _region(name: str, order: int, page: Page, options: RenderOptions) -> PageRegion:
    block = page.blocks[order - 1]
    width, height = page.width or 1.0, page.height or 1.0
    box = block.box
    sides = {"left": box.x0 / width, "top": box.y0 / height, "width": box.width / width, "height": box.height / height}
    style = ";".join(f"{side}:{100 * share:.2f}%" for side, share in sides.items())
    share = block.draft_tokens / block.tokens if block.tokens else None
    return PageRegion(name, order, block, style, _html(block, options), share)


def _html(block: Block, options: RenderOptions) -> str:
    if block.category is not Category.LIST_ITEM:
        return block_html(block, options).replace('<img src="data:image/png;base64,"', "<img hidden")
    marker, spans = list_marker(block)
    tag, value = ("ul", "") if marker == "-" else ("ol", f' value="{int(marker[:-1])}"')
    return f'<{tag} style="margin-left:{1.4 * block.level:g}em"><li{value} dir="auto">{inline_html(spans)}</li></{tag}>'


@dataclass(frozen=True)
class DrawPage:
    """Writes the picture of a page, upright, as WebP."""

    source: SourceFile
    page: Page
    out: Path

    def run(self, state: WorkerState) -> None:
        from PIL import Image

        image = page_pixels(state.document(self.source), self.page, DPI)
        Image.fromarray(image.pixels).save(self.out, "WEBP", quality=WEBP_QUALITY)


def draw(tasks: Sequence[DrawPage], password: str) -> None:
    """Do the tasks; where one fails there is no picture."""
    waiting = deque(tasks)
    settings = Settings(model="pipeline", password=password)
    with planned_pool(settings, Observer()) as (_, pool), pool:
        while waiting or pool.busy:
            for worker in pool.idle():
                if not waiting:
                    break
                worker.give(waiting.popleft(), DRAW_SECONDS)
            pool.outcomes()
