"""Tables as HTML, OTSL and pipes, whole and broken."""

import pytest

from docparse.models.dialects.tables import read_html, read_otsl, write_html, write_otsl
from docparse.render.tables import HtmlStyle
from docparse.types import Cell, Span, Table

DOLLARS = ("$", "$")


def cell(row, column, text="", rowspan=1, colspan=1, header=False):
    return Cell(row, column, (Span(text),) if text else (), rowspan, colspan, header)


HEAD = cell(0, 0, "Model", 2, header=True), cell(0, 1, "Score", 1, 2, True), cell(1, 1, "a < 1", header=True)
BODY = cell(2, 0, "ours"), cell(2, 1, "1"), cell(2, 2, "2")
SPANNING = Table(3, 3, (*HEAD, cell(1, 2, header=True), *BODY))


def words(table):
    return [(c.row, c.column, c.rowspan, c.colspan, "".join(s.text for s in c.spans)) for c in table.cells]


def test_html_as_models_write_it():
    assert write_html(SPANNING, DOLLARS, HtmlStyle()) == (
        '<table><tr><td rowspan="2">Model</td><td colspan="2">Score</td></tr><tr><td>a &lt; 1</td><td></td></tr>'
        "<tr><td>ours</td><td>1</td><td>2</td></tr></table>"
    )
    sections = HtmlStyle(header_cells=True, sections=True, row="\n", end="\n")
    assert write_html(SPANNING, DOLLARS, sections) == (
        '<table><thead>\n<tr><th rowspan="2">Model</th><th colspan="2">Score</th></tr>\n'
        "<tr><th>a &lt; 1</th><th></th></tr></thead>"
        "<tbody>\n<tr><td>ours</td><td>1</td><td>2</td></tr></tbody>\n</table>"
    )


def test_otsl_as_paddleocr_vl_writes_it():
    text = "<fcel>Model<fcel>Score<lcel><nl><ucel><fcel>a < 1<ecel><nl><fcel>ours<fcel>1<fcel>2<nl>"
    assert write_otsl(SPANNING, DOLLARS) == text
    assert words(read_otsl(text)) == words(SPANNING)
    assert words(read_otsl("<fcel>a<lcel><nl><ucel><xcel><nl>")) == [(0, 0, 2, 2, "a")]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        ("<tr><td>a<td>b<tr><td>c", [(0, 0, 1, 1, "a"), (0, 1, 1, 1, "b"), (1, 0, 1, 1, "c")]),
        ("<td>a</td><td>b</td></tr><td>c</td>", [(0, 0, 1, 1, "a"), (0, 1, 1, 1, "b"), (1, 0, 1, 1, "c")]),
        ("<tr><td>a</td></tr>loose", [(0, 0, 1, 1, "a loose")]),
        ("<tr><td>a<table><tr><td>in</td></tr></table>b</td></tr>", [(0, 0, 1, 1, "a in b")]),
        ("<tr><td rowspan='9'>a</td><td colspan=2>b</td></tr>", [(0, 0, 1, 1, "a"), (0, 1, 1, 2, "b")]),
        ("<tr><td rowspan=2>a<td>b<tr><td colspan=2>c", [(0, 0, 2, 1, "a"), (0, 1, 1, 1, "b"), (1, 1, 1, 2, "c")]),
        ("<tr><td>a<td rowspan=2>b<tr><td colspan=2>c", [(0, 0, 1, 1, "a"), (0, 1, 2, 1, "b"), (1, 0, 1, 1, "c")]),
        ("<TR><TD ALIGN=center><b>a</b> &amp; <span>b</span><br/>c</TD></TR>", [(0, 0, 1, 1, "a & b\nc")]),
        ("", []),
    ],
)
@pytest.mark.parametrize("closing", ["</table>", ""])
def test_broken_html_is_read_as_browsers_do(rows, closing, cells):
    table, _ = read_html(f"<table>{rows}{closing}")
    assert words(table) == cells
    assert (table.rows, table.columns) == (
        max((r + h for r, _, h, _, _ in cells), default=0),
        max((c + w for _, c, _, w, _ in cells), default=0),
    )


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("<fcel>a<fcel>b<nl><fcel>c", [(0, 0, 1, 1, "a"), (0, 1, 1, 1, "b"), (1, 0, 1, 1, "c")]),
        ("<lcel>a<nl><ucel>b<nl>", [(0, 0, 2, 1, "a b")]),
        ("<fcel>a<nl><xcel><nl>", [(0, 0, 1, 1, "a"), (1, 0, 1, 1, "")]),
        ("before<fcel>a<nl>", [(0, 0, 1, 1, "before"), (0, 1, 1, 1, "a")]),
        ("<ecel><ched>a<nl>", [(0, 0, 1, 1, ""), (0, 1, 1, 1, "a")]),
    ],
)
def test_broken_otsl_loses_no_words(text, cells):
    assert words(read_otsl(text)) == cells


def test_endless_spans_cost_nothing():
    table, _ = read_html("<table><tr>" + "<td colspan=9999 rowspan=9999>a" * 3)
    assert table.rows == 1
    assert table.columns <= 1000
