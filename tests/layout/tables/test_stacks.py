"""Tables between horizontal rules, as invoices have them: letterheads, titles of groups, sums and notes around."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.tables import find_tables
from docparse.layout.tables.rules import without_underlines
from docparse.layout.text.words import Word
from docparse.types import Box, plain

PAGE = Box(0.0, 0.0, 612.0, 792.0)
XS = (60.0, 240.0, 330.0, 430.0)
HEAD = ["Description", "Quantity", "Price", "Amount"]
ITEMS = [["Beeswax", "1.00", "42.00", "42.00"], ["Office chair", "2.00", "70.00", "140.00"]]


def line(text: str, x: float, y: float, size: float = 10.0) -> list[Word]:
    found = []
    for part in text.split():
        box = Box(x, y - size / 2, x + 0.5 * size * len(part), y + size / 2)
        found.append(Word(text=part, box=box, baseline=y + 0.3 * size, size=size))
        x = box.x1 + 0.28 * size
    return found


def row(cells: Sequence[str], y: float) -> list[Word]:
    return [word for text, x in zip(cells, XS, strict=False) for word in line(text, x + 4, y)]


def found(words: Sequence[Word], *heights: float) -> list[list[list[str]]]:
    """The cells of the tables between rules at these heights."""
    rules = np.array([(XS[0], y, 500.0, y) for y in heights], np.float32)
    tables = sorted(find_tables(words, rules, PAGE), key=lambda table: table.box.y0)
    grids = []
    for table in tables:
        height, width = (1 + max(getattr(cell, axis) for cell in table.table.cells) for axis in ("row", "column"))
        grid = [[""] * width for _ in range(height)]
        for cell in table.table.cells:
            grid[cell.row][cell.column] = plain(cell.spans)
        grids.append(grid)
    return grids


def test_a_letterhead_over_a_rule_of_the_same_width_is_no_part_of_the_table() -> None:
    address = [*line("Azure Interior", 60, 70), *line("Fremont, United States", 330, 84)]
    title = line("Invoice 2023 0008", 60, 200, size=20)
    table = [*row(HEAD, 250), *row(ITEMS[0], 270), *row(ITEMS[1], 290)]
    assert found([*address, *title, *table], 50, 240, 260, 280, 300) == [[HEAD, *ITEMS]]


def test_the_title_of_a_group_is_a_row_between_rules() -> None:
    words = [*row(HEAD, 110), *row(ITEMS[0], 130), *row(["Food products"], 150), *row(ITEMS[1], 170)]
    assert found(words, 100, 120, 140, 160, 180) == [[HEAD, ITEMS[0], ["Food products", "", "", ""], ITEMS[1]]]


def test_a_sum_under_the_last_rule_is_a_row_and_a_note_under_it_is_none() -> None:
    rows = [*row(HEAD, 110), *row(ITEMS[0], 130), *row(ITEMS[1], 150)]
    sums = ["Total", "3.00", "112.00", "182.00"]
    note = line("All prices are in euros and include the tax of the country.", 64, 190)
    assert found([*rows, *row(sums, 170), *note], 100, 120, 160) == [[HEAD, *ITEMS, sums]]
    assert found([*rows, *line("Prices without tax", 64, 170)], 100, 120, 160) == [[HEAD, *ITEMS]]


def test_text_far_below_the_rows_is_no_row_though_a_rule_of_their_width_ends_the_page() -> None:
    rows = [*row(HEAD, 110), *row(ITEMS[0], 130), *row(ITEMS[1], 150)]
    terms = [*line("Payment terms 15 days", 64, 230), *line("Bank account", 64, 250), *line("1234567890", 330, 250)]
    assert found([*rows, *terms], 100, 120, 160, 320) == [[HEAD, *ITEMS]]


def test_a_cell_may_end_a_little_beyond_the_rules() -> None:
    wide = [*HEAD[:3], "Amount each month"]
    assert found([*row(wide, 110), *row(ITEMS[0], 130), *row(ITEMS[1], 150)], 100, 120, 160) == [[wide, *ITEMS]]


def test_the_stroke_under_a_link_is_no_rule_and_the_one_under_a_row_is() -> None:
    words = [*line("Second amended certificate", 60, 100), *row(HEAD, 150)]
    ends = words[2].box.x1, words[-1].box.x1
    strokes = np.array([(60, 104, ends[0], 104), (64, 154, ends[1], 154), (60, 104, 500, 104)], np.float32)
    assert without_underlines(strokes, words).tolist() == strokes[1:].tolist()


def test_rules_as_close_as_the_lines_of_a_staff_have_no_rows() -> None:
    assert found(row(HEAD, 90) + row(ITEMS[0], 140), *(100 + 3 * k for k in range(8))) == []
