"""Whatever a page looks like, every word printed on it is in its blocks, and none is there twice."""

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

UNTAGGED = tuple(stage for stage in STAGES if stage.name != "structure")
CARD = "box(stroke: 0.5pt, radius: 4pt, inset: 6pt)[*{}* \n\n {}. {}.]"
DRAWING = "#place(line(end: (90pt, 50pt)))#place(dx: 100pt, circle(radius: 25pt, inset: 2pt)"
KINDS = {  # Typst markup of a part of the page from `w`, which returns so many words, and a size of 1 to 4
    "prose": lambda w, n: f"{w(20 * n)}.",
    "heading": lambda w, n: f"= {w(n)}",
    "list": lambda w, n: "\n".join(f"- {w(4)}" for _ in range(n)),
    "columns": lambda w, n: f"#columns({1 + n % 3})[{w(40 * n)}.]",
    "cards": lambda w, n: f"#grid(columns: 3, gutter: 8pt, {cells(w, 3 * n, CARD)})",
    "panel": lambda w, n: f"#block(fill: luma(225), inset: 8pt, width: 60%)[{w(12 * n)}.]",
    "photo": lambda w, n: f"#block(width: 50%, height: 90pt, fill: gradient.linear(aqua, white))[{w(2 * n)}]",
    "labels": lambda w, n: f"#grid(columns: (1fr, 2fr, 1fr), row-gutter: 6pt, {cells(w, n, '[{}:], [{}], [{}]')})",
    "table": lambda w, n: f"#table(columns: 3, {cells(w, n, '[{}], [{}], [{}]')})",
    "drawing": lambda w, n: f"#block(width: 50%, height: 60pt)[{DRAWING}[#text(5pt)[{w(1)}]])]",
    "sidebar": lambda w, n: f"#grid(columns: (3fr, 1fr), gutter: 9pt, [{w(60)}.], block(fill: yellow)[{w(9)}])",
    "numbers": lambda w, n: f"+ {w(4)}\n  - {w(3)}\n\n    {w(12 * n)}.\n+ {w(2)}",
    "spans": lambda w, n: f"#table(columns: 2, [{w(2)}], [], table.cell(rowspan: 2)[{w(n)}], [{w(1)}], [{w(1)}])",
    "code": lambda w, n: f"```\n{w(2)} =   1\n\n  {w(n)}\n```",
    "name": lambda w, n: f"`{w(1)}`\n\n{w(3)} `{w(1)}` with $x_2^2$ and $ sum_(i=1)^n i $ {w(n)}.",
    "term": lambda w, n: f"/ {w(1)}: {w(6 * n)}.\n\n#quote(block: true)[{w(3)}]",
    "note": lambda w, n: f"{w(5)}#footnote[{w(6 * n)}.] {w(3)}.",
    "aside": lambda w, n: f"#place(right)[{w(n)}]\n\n#rotate(90deg, reflow: true)[{w(n)}]",
    "artifact": lambda w, n: f"#pdf.artifact[{w(n)}]\n\n#box(stroke: 1pt, inset: 4pt)[{w(n)}]",
}


def cells(words, number, pattern):
    return ", ".join(pattern.format(words(2), words(2), words(2)) for _ in range(number))


def numbered(words, of):
    """Words that occur nowhere else: "wabc wabd ..."."""
    digits = str.maketrans("0123456789", "abcdefghij")
    return " ".join("w" + f"{next(of):04d}".translate(digits) for _ in range(words))


def words_of(block):
    table = block.table.cells if block.table else ()
    text = " ".join([block.marker, block.text, *("".join(span.text for span in cell.spans) for cell in table)])
    return re.findall(r"(?<![a-z])w[a-j]{4}(?![a-z])", text.replace("\u00ad", ""))


@pytest.mark.parametrize("stages", [STAGES, UNTAGGED], ids=["tagged", "untagged"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(list(KINDS)), st.integers(1, 4)), min_size=1, max_size=6))
def test_every_word_of_a_page_is_in_its_blocks_exactly_once(stages, typst_pdf, parts):
    of = count()
    source = "#set page(height: auto)\n#set text(size: 9pt, hyphenate: false)\n"
    source += "\n\n".join(KINDS[kind](lambda number: numbered(number, of), size) for kind, size in parts)
    with open_document(typst_pdf(source), name="page") as document:
        page = PageReader(Settings(layout_engine="none")).read(document.page(1), stages=stages).page
    found = Counter(word for block in page.blocks for word in words_of(block))
    assert found == Counter(numbered(next(of), count()).split())
