"""Pages of the two public benchmarks, with their own categories and what they hold to be true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

from docparse.bench.data.pages import BenchPage, in_turn
from docparse.bench.scoring import olmocr_bench
from docparse.bench.scoring.omnidocbench import read_blocks
from docparse.errors import InputError, one_line
from docparse.models.dialects.inline import read_spans
from docparse.models.dialects.tables import read_html
from docparse.pdf import open_document
from docparse.render import RenderOptions, write_markdown
from docparse.types import Block, Box, Category, Page, Span

ANNOTATIONS = "OmniDocBench.json"
CATEGORIES = {
    "title": Category.SECTION_HEADER,
    "table": Category.TABLE,
    "equation_isolated": Category.FORMULA,
    "figure": Category.PICTURE,
    "figure_caption": Category.CAPTION,
    "table_caption": Category.CAPTION,
    "figure_footnote": Category.FOOTNOTE,
    "table_footnote": Category.FOOTNOTE,
    "page_footnote": Category.FOOTNOTE,
    "header": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
    "page_number": Category.PAGE_FOOTER,
}
UNSEEN = ("abandon", "mask", "need_mask", "text_mask", "table_mask", "list_group")  # not text, or said again in parts


def olmocr_bench_pages(folder: Path, max_pages: int = 0, seed: int = 0) -> list[BenchPage]:
    """Return the pages that olmOCR-bench has tests for, from its `*.jsonl` and `pdfs/` in `folder` or its `bench_data`.

    The category is the file of the page's first test; a document that no file names has the baseline test alone, and
    that category. Raises `InputError` for data that cannot be read.
    """
    data = folder / "bench_data" if (folder / "bench_data" / "pdfs").exists() else folder
    tests: dict[tuple[str, int], list[dict[str, Any]]] = {}
    category: dict[tuple[str, int], str] = {}
    with _reading(f"{data}: not data of olmOCR-bench"):
        for file, row in olmocr_bench.read_tests(data):
            key = (row["pdf"], int(row["page"]))
            tests.setdefault(key, []).append(row | {olmocr_bench.FILE: file})
            category.setdefault(key, file)
    named = {pdf for pdf, _ in tests}
    for path in sorted((data / "pdfs").rglob("*.pdf")):
        pdf = path.relative_to(data / "pdfs").as_posix()
        if pdf not in named:
            tests[pdf, 1], category[pdf, 1] = [], "baseline"
    pages = []
    for key in in_turn(tests, category.__getitem__, max_pages, seed):
        pdf, number = key
        path = data / "pdfs" / pdf
        if not path.is_file():
            raise InputError(f"{path}: this tested document is missing: download the data again")
        rows = tests[key]
        if number == 1 and not any(row["type"] == "baseline" for row in rows):
            rows = [*rows, olmocr_bench.baseline(pdf)]
        pages.append(BenchPage(path, number, category[key], pdf, tests=tuple(rows)))
    return pages


def omnidocbench_pages(folder: Path, max_pages: int = 0, seed: int = 0) -> list[BenchPage]:
    """Return the pages of OmniDocBench, from its `OmniDocBench.json` and `images/` in `folder`. The category is the
    source of the page (book, newspaper, ...). Raises `InputError` for data that cannot be read."""
    file = folder / ANNOTATIONS
    if not file.is_file():
        raise InputError(f"{folder}: there is no {ANNOTATIONS} here: name the folder that holds it and images/")
    with _reading(f"{file}: not an annotation file of OmniDocBench"):
        entries = json.loads(file.read_text(encoding="utf-8"))
        chosen = in_turn(entries, lambda entry: entry["page_info"]["page_attribute"]["data_source"], max_pages, seed)
        return [_annotated(entry, folder) for entry in chosen]


def _annotated(entry: dict[str, Any], folder: Path) -> BenchPage:
    info = entry["page_info"]
    name = Path(info["image_path"]).name
    path = folder / "images" / name
    if not path.is_file():
        raise InputError(f"{path}: this annotated image is missing: download the data again")
    with open_document(path, name=name) as document:
        size = document.page(1)
    blocks = tuple(_blocks(entry, size.width / info["width"]))
    text = StringIO()
    write_markdown([Page(number=1, width=size.width, height=size.height, blocks=blocks)], text, RenderOptions())
    return BenchPage(
        path=path,
        number=1,
        category=info["page_attribute"]["data_source"],
        document=name,
        truth=text.getvalue(),
        blocks=blocks,
        annotation=tuple(read_blocks(entry)),
    )


def _blocks(entry: dict[str, Any], scale: float) -> Iterator[Block]:
    """The annotation as blocks in reading order, headers first and footers last; `scale` is points per pixel."""
    items = [item for item in entry["layout_dets"] if not item.get("ignore") and item["category_type"] not in UNSEEN]
    for item in sorted(items, key=_place):
        xs, ys = item["poly"][0::2], item["poly"][1::2]
        box = Box(min(xs) * scale, min(ys) * scale, max(xs) * scale, max(ys) * scale)
        yield _block(item, CATEGORIES.get(item["category_type"], Category.TEXT), box)


def _place(item: dict[str, Any]) -> tuple[int, float]:
    """Return a key of the reading order: what has no place in it stands at the page's edges, footnotes below everything
    but the footer."""
    category = CATEGORIES.get(item["category_type"])
    if item.get("order") is None:
        edges = {Category.PAGE_HEADER: 0, Category.PAGE_FOOTER: 3}
        return edges.get(category, 2) if category else 2, item["poly"][1]
    return 1, item["order"]


def _block(item: dict[str, Any], category: Category, box: Box) -> Block:
    if category is Category.TABLE:
        return Block(category=category, box=box, table=read_html(item.get("html") or "")[0])
    if category is Category.FORMULA:
        latex = (item.get("latex") or "").strip().strip("$").strip()
        return Block(category=category, box=box, spans=(Span(latex, math=True),))
    return Block(category=category, box=box, spans=read_spans(item.get("text") or ""))


@contextmanager
def _reading(said: str) -> Iterator[None]:
    """Raises `InputError` for data that is not what it is called."""
    try:
        yield
    except KeyError as error:
        raise InputError(f"{said}: an entry has no {error}") from None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        reason = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else one_line(error)
        raise InputError(f"{said}: {reason}") from None
