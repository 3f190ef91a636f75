"""Tables that stand close: each is found by itself, and typed pages have tables too."""

from __future__ import annotations

import numpy as np

from docparse.layout.tables import FoundTable, find_tables
from docparse.layout.words import Word
from docparse.types import Box, plain

PAGE = Box(0.0, 0.0, 256.0, 256.0)
SIZE = 10.0
EDGES = (10.0, 90.0, 170.0, 250.0)
HEAD = ["Merge", "From", "Move"]
NUMBERS = [["75,597", "564,803", "21"], ["81", "80.34", "33"], ["28%", "65.04", "232999"], ["49", "70", "94"]]
Strokes = list[tuple[float, float, float, float]]


def rows_at(rows: list[list[str]], top: float, *, mono: bool = False) -> list[Word]:
    """Right-aligned cells, a row every 16 points."""
    words = []
    for number, row in enumerate(rows):
        for text, right in zip(row, EDGES[1:], strict=True):
            x, y = right - 4 - 5 * len(text), top + 16 * number
            box = Box(x, y + 3, right - 4, y + 3 + SIZE)
            words.append(Word(text=text, box=box, baseline=y + 11, size=SIZE, index=len(words), mono=mono))
    return words


def across(*heights: float) -> Strokes:
    return [(EDGES[0], y, EDGES[-1], y) for y in heights]


def texts(table: FoundTable) -> list[list[str]]:
    rows = [["" for _ in range(table.table.columns)] for _ in range(table.table.rows)]
    for cell in table.table.cells:
        rows[cell.row][cell.column] = plain(cell.spans)
    return rows


def found(words: list[Word], strokes: Strokes) -> list[list[list[str]]]:
    return [texts(table) for table in find_tables(words, np.array(strokes, float).reshape(-1, 4), PAGE)]


def test_numbers_below_a_grid_are_a_table_of_their_own() -> None:
    grid = across(*(10 + 16 * k for k in range(5))) + [(x, 10, x, 74) for x in EDGES]
    words = rows_at([HEAD, *NUMBERS[:3]], 10) + rows_at(NUMBERS, 90)
    assert found(words, grid) == [[HEAD, *NUMBERS[:3]], NUMBERS]


def test_a_typed_page_has_tables_and_a_listing_in_prose_has_none() -> None:
    table, strokes = rows_at([HEAD, *NUMBERS], 10, mono=True), across(10, 26, 90)
    assert found(table, strokes) == [[HEAD, *NUMBERS]]
    prose = rows_at([["Prose", "around", "it"]], 200)
    assert found(table + prose, strokes) == []


def test_a_head_and_one_row_between_three_rules_are_a_table() -> None:
    words = rows_at([HEAD, ["one", "two", "three"]], 10)
    assert found(words, across(10, 26, 42)) == [[HEAD, ["one", "two", "three"]]]
    assert found(words, across(10, 42)) == []


def test_two_ruled_tables_right_under_each_other_are_two() -> None:
    words = rows_at([HEAD, *NUMBERS], 10) + rows_at([HEAD, *NUMBERS], 100)
    assert found(words, across(10, 26, 90, 100, 116, 180)) == [[HEAD, *NUMBERS]] * 2
