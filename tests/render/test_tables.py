"""Any cells give a well-formed table with every word in it once."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from blocks import math
from hypothesis import given
from hypothesis import strategies as st

from docparse.render.tables import to_html, to_pipe
from docparse.types import Cell, Span, Table

PLACES = st.integers(-1, 5), st.integers(-1, 5), st.integers(0, 4), st.integers(0, 9), st.booleans()
TABLES = st.builds(
    lambda rows, columns, cells: Table(
        rows, columns, tuple(Cell(r, c, (Span(f"w{n}"),), *spans) for n, (r, c, *spans) in enumerate(cells))
    ),
    st.integers(0, 5),
    st.integers(0, 5),
    st.lists(st.tuples(*PLACES), max_size=12),
)


class Grid(HTMLParser):
    """Lays the cells of an HTML table out as a browser does, and counts how often a position is taken."""

    def __init__(self, html):
        super().__init__()
        self.taken, self.row = Counter(), -1
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.row += 1
        if tag in ("td", "th"):
            spans = dict(attrs)
            column = next(c for c in range(1000) if (self.row, c) not in self.taken)
            for r in range(self.row, self.row + int(spans.get("rowspan", 1))):
                for c in range(column, column + int(spans.get("colspan", 1))):
                    self.taken[r, c] += 1


def words(table):
    return sorted(span.text for cell in table.cells for span in cell.spans)


@given(TABLES)
def test_html_is_rectangular_and_keeps_every_word(table):
    html = to_html(table)
    grid = Grid(html).taken
    rows, columns = 1 + max((r for r, _ in grid), default=-1), 1 + max((c for _, c in grid), default=-1)
    assert grid == Counter((r, c) for r in range(rows) for c in range(columns))
    assert sorted(re.findall(r"w\d+", html)) == words(table)
    assert "\n" not in html


@given(TABLES)
def test_pipes_parse_as_one_rectangular_table_with_every_word(parsed, table):
    text = to_pipe(table)
    assert sorted(re.findall(r"w\d+", text)) == words(table)
    if text and table.cells:
        kinds = parsed.types(text)
        assert kinds.count("table_open") == 1
        assert kinds.count("tr_open") == text.count("\n")
        assert "paragraph_open" not in kinds


HEAD = Cell(0, 0, (Span("h"),), header=True)


@pytest.mark.parametrize(
    "table, html",
    [
        (Table(2, 1, (HEAD, Cell(1, 0, (Span("b"),)))),
         "<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>"),
        (Table(1, 2, (HEAD, Cell(0, 1, (Span("b"),)))), "<table><tr><th>h</th><td>b</td></tr></table>"),
    ],
    ids=["a row of headers is a head", "a column of headers is none"],
)  # fmt: skip
def test_header_cells_become_a_head(table, html):
    assert to_html(table) == html


def test_cells_escape_break_lines_and_keep_mathematics():
    table = Table(1, 1, (Cell(0, 0, (Span("a<2 & c\nnext "), math("x<|y|"))),))
    assert to_html(table) == "<table><tr><td>a&lt;2 &amp; c<br>next $x&lt;|y|$</td></tr></table>"
    assert to_pipe(table).splitlines()[0] == r"| a<2 & c<br>next $x<\vert y\vert$ |"
