"""Tables that no stroke marks: words in columns, cells on the middle of their row, painted headers and stripes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.tables import find_tables
from docparse.layout.tables.cells import cell_edges
from docparse.layout.text.words import Word
from docparse.types import Box, plain

PAGE = Box(0.0, 0.0, 612.0, 792.0)
SIZE = 10.0
NOTHING = np.zeros((0, 4), np.float32)
HEAD = ["Name", "Colour", "Where found", "Use"]
ROWS = [
    ["Alder", "red", "river banks", "piles"],
    ["Birch", "white", "poor soil", "plywood"],
    ["Cedar", "brown", "high slopes", "chests"],
    ["Elm", "pale brown", "hedges", "barrows"],
]
EDGES = [60.0, 170.0, 260.0, 370.0, 450.0]


def words_at(text: str, x: float, y: float, *, bold: bool = False) -> list[Word]:
    """Words of one line, centred on `y`."""
    found = []
    for part in text.split():
        box = Box(x, y - SIZE / 2, x + 5.0 * len(part), y + SIZE / 2)
        found.append(Word(text=part, box=box, baseline=y + 3, size=SIZE, bold=bold))
        x = box.x1 + 2.8
    return found


def laid_out(rows: list[list[str]], top: float, pitch: float, *, bold: bool = False) -> list[Word]:
    """Every row in one line; the first may be bold."""
    return [
        word
        for number, row in enumerate(rows)
        for text, x in zip(row, EDGES, strict=False)
        for word in words_at(text, x + 3, top + number * pitch, bold=bold and number == 0)
    ]


def texts(words: list[Word], panels: np.ndarray = NOTHING) -> list[list[list[str]]]:
    result = []
    for found in find_tables(words, cell_edges(panels, NOTHING), PAGE):
        grid = [["" for _ in range(found.table.columns)] for _ in range(found.table.rows)]
        for cell in found.table.cells:
            grid[cell.row][cell.column] = plain(cell.spans)
        result.append(grid)
    return result


@given(st.integers(2, 4), st.integers(3, 4), st.floats(13.0, 30.0), st.booleans())
def test_words_in_columns_are_a_table_where_a_header_or_many_cells_say_so(
    rows: int, columns: int, pitch: float, bold: bool
) -> None:
    table = [row[:columns] for row in [HEAD, *ROWS[:rows]]]
    expected = [table] if bold or rows > 2 else None
    found = texts(laid_out(table, 100, pitch, bold=bold))
    assert found == expected or expected is None


def test_cells_on_the_middle_of_their_row_stand_in_it() -> None:
    words = laid_out([HEAD[:3]], 100, 0, bold=True)
    for number, (name, colour, _, _) in enumerate(ROWS):
        middle = 130 + 40 * number
        words += words_at(name, EDGES[0] + 3, middle) + words_at(colour, EDGES[1] + 3, middle)
        words += words_at("found in the", EDGES[2] + 3, middle - 6) + words_at("north", EDGES[2] + 3, middle + 6)
    assert texts(words) == [[HEAD[:3], *([name, colour, "found in the north"] for name, colour, _, _ in ROWS)]]


def painted(rows: range, top: float, pitch: float) -> np.ndarray:
    """Cells of `rows`, edge to edge."""
    boxes = [(x0, top + pitch * (k - 0.5), x1, top + pitch * (k + 0.5)) for k in rows for x0, x1 in pairwise(EDGES)]
    return np.array(boxes, np.float32)


@pytest.mark.parametrize("rows", [range(1), range(1, 5, 2), range(0, 5, 2), range(5)], ids=str)
def test_a_painted_header_or_painted_stripes_tell_the_cells_of_all_rows(rows: range) -> None:
    words = laid_out([HEAD, *ROWS], 100, 20)
    assert texts(words, painted(rows, 100, 20)) == [[HEAD, *ROWS]]


def test_answers_with_letters_and_items_with_bullets_are_no_tables() -> None:
    answers = [["A two", "B three", "C four"], ["D five", "E six", "F seven"], ["G eight", "H nine", "J ten"]]
    assert texts(laid_out(answers, 100, 14, bold=True)) == []
    items = [["•", "first item"], ["•", "second item"], ["•", "third item"], ["•", "fourth item"]]
    assert texts(laid_out(items, 100, 14)) == []


def test_a_header_and_one_row_of_four_columns_are_a_table() -> None:
    strip = [["Start", "End", "Shows", "Amount"], ["12/20/24", "12/31/24", "48", "$12,500"]]
    assert texts(laid_out(strip, 100, 14)) == [strip]
    assert texts(laid_out([row[:3] for row in strip], 100, 14)) == []
    assert texts(laid_out([strip[0], ["Alder", "Birch", "Cedar", "Elm"]], 100, 14)) == []  # names side by side
