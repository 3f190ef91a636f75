"""Whatever a page looks like, every word printed on it is in its blocks, and none is there twice."""

from __future__ import annotations

import re
from collections import Counter
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docparse.layout.reader import PageReader
from docparse.layout.stages import STAGES
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Block

KINDS = ("prose", "heading", "list", "columns", "cards", "panel", "photo", "labels", "table", "drawing", "sidebar")


def numbered(words: int, of: count) -> str:
    """Words that occur nowhere else: "wabc wabd ..."."""
    digits = str.maketrans("0123456789", "abcdefghij")
    return " ".join("w" + f"{next(of):04d}".translate(digits) for _ in range(words))


def part(kind: str, size: int, of: count) -> str:
    """Typst markup of a part of the page."""

    def words(number: int) -> str:
        return numbered(number, of)

    def cells(number: int, pattern: str) -> str:
        return ", ".join(pattern.format(*(words(2) for _ in range(3))) for _ in range(number))

    card = "box(stroke: 0.5pt, radius: 4pt, inset: 6pt)[*{}* \n\n {}. {}.]"
    drawing = "#place(line(end: (90pt, 50pt)))#place(dx: 100pt, circle(radius: 25pt, inset: 2pt)"
    markup = {
        "prose": lambda: f"{words(20 * size)}.",
        "heading": lambda: f"= {words(size)}",
        "list": lambda: "\n".join(f"- {words(4)}" for _ in range(size)),
        "columns": lambda: f"#columns({1 + size % 3})[{words(40 * size)}.]",
        "cards": lambda: f"#grid(columns: 3, gutter: 8pt, {cells(3 * size, card)})",
        "panel": lambda: f"#block(fill: luma(225), inset: 8pt, width: 60%)[{words(12 * size)}.]",
        "photo": lambda: f"#block(width: 50%, height: 90pt, fill: gradient.linear(aqua, white))[{words(2 * size)}]",
        "labels": lambda: f"#grid(columns: (1fr, 2fr, 1fr), row-gutter: 6pt, {cells(size, '[{}:], [{}], [{}]')})",
        "table": lambda: f"#table(columns: 3, {cells(size, '[{}], [{}], [{}]')})",
        "drawing": lambda: f"#block(width: 50%, height: 60pt)[{drawing}[#text(5pt)[{words(1)}]])]",
        "sidebar": lambda: f"#grid(columns: (3fr, 1fr), gutter: 9pt, [{words(60)}.], block(fill: yellow)[{words(9)}])",
    }
    return markup[kind]()


def words_of(block: Block) -> list[str]:
    cells = block.table.cells if block.table else ()
    text = " ".join([block.marker, block.text, *("".join(span.text for span in cell.spans) for cell in cells)])
    return re.findall(r"\bw[a-j]{4}\b", text.replace("\u00ad", ""))


UNTAGGED = tuple(stage for stage in STAGES if stage.name != "structure")


@pytest.mark.parametrize("stages", [STAGES, UNTAGGED], ids=["tagged", "untagged"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 4)), min_size=1, max_size=6))
def test_every_word_of_a_page_is_in_its_blocks_exactly_once(stages, typst_pdf, parts: list[tuple[str, int]]) -> None:
    of = count()
    source = "#set page(height: auto)\n#set text(size: 9pt, hyphenate: false)\n"
    source += "\n\n".join(part(kind, size, of) for kind, size in parts)
    with open_document(typst_pdf(source), name="page") as document:
        page = PageReader(Settings(layout_engine="none")).read(document.page(1), stages=stages).page
    found = Counter(word for block in page.blocks for word in words_of(block))
    assert found == Counter(numbered(next(of), count()).split())
