"""What stands across the rows and columns of a table that has only level rules: labels of groups of rows, titles over
all columns, and heads as near to each other as words."""

import pytest
from typeset import SHEET, numbered, row, rules

from docparse.layout.tables import find_tables
from docparse.types import plain

MIDDLES = (180.0, 240.0, 300.0)
EVEN = [("7B", "61.1", "46.9"), ("13B", "61.6", "47.2"), ("33B", "64.1", "48.3"), ("65B", "67.9", "51.6")]
NAMES = [("small", "round", "blue"), ("flat", "broad", "green"), ("tall", "thin", "red")]


def centred(text, middle, y, size=10):
    width = 0.5 * size * len(text) - 2 * text.count(" ")
    return row(text, middle - width / 2, y, size)


def rows_at(top, texts):
    return [w for k, cells in enumerate(texts) for text, x in zip(cells, MIDDLES, strict=True)
            for w in centred(text, x, top + 12 * k)]  # fmt: skip


def table_of(words, *heights):
    (table,) = find_tables(numbered(words), rules(*((60, y, 330, y) for y in heights)), SHEET)
    return {(c.row, c.column): (c.rowspan, c.colspan, plain(c.spans)) for c in table.table.cells}


HEAD = [*row("Model", 60, 100), *rows_at(100, [("Size", "Middle", "High")])]
OTHERS = [*row("Plain", 60, 118), *rows_at(118, [("9B", "58.4", "45.5")])]


def grouped(texts, *labels):
    """A row and a group of rows with labels at heights below the baseline of its first one."""
    group = [*rows_at(136, texts), *(w for text, off in labels for w in row(text, 60, 136 + off))]
    return table_of([*HEAD, *OTHERS, *group], 88, 106, 124, 142 + 12 * (len(texts) - 1))


@pytest.mark.parametrize("texts, off", [(EVEN, 18), (EVEN[:3], 12), (EVEN[:2], 6)], ids=["of four", "three", "two"])
def test_a_label_beside_the_middle_of_rows_between_rules_is_that_of_all(texts, off):
    cells = grouped(texts, ("Open", off))
    assert cells[2, 0] == (len(texts), 1, "Open")
    assert [cells[2 + k, 1][2] for k in range(len(texts))] == [size for size, *_ in texts]


def test_a_label_in_two_lines_is_that_of_all_rows_too():
    assert grouped(EVEN, ("Open", 12), ("weights", 24))[2, 0] == (4, 1, "Open weights")


@pytest.mark.parametrize(
    "texts, labels",
    [(EVEN, [("Open", 0)]), (EVEN[:2], [("Open", 0), ("Shut", 12)]), (NAMES, [("Open", 12)])],
    ids=["on the first row", "a label a row", "rows of words"],
)
def test_a_label_elsewhere_is_that_of_one_row(texts, labels):
    assert all(rowspan == 1 for rowspan, *_ in grouped(texts, *labels).values())


def test_words_in_the_middle_between_rules_are_a_title_over_all_columns():
    title = centred("Hard ones", 195, 136)
    cells = table_of([*HEAD, *OTHERS, *title, *row("Open", 60, 154), *rows_at(154, EVEN[:1])], 88, 106, 124, 142, 160)
    assert cells[2, 0] == (1, 4, "Hard ones")
    beside = centred("Hard ones", 180, 136)
    cells = table_of([*HEAD, *OTHERS, *beside, *row("Open", 60, 154), *rows_at(154, EVEN[:1])], 88, 106, 124, 142, 160)
    assert cells[2, 0][1] < 4


@pytest.mark.parametrize("heads, parted", [((240, 300), True), ((244, 296), False)], ids=["over each", "over both"])
def test_heads_as_near_as_words_are_parted_where_they_stand_over_columns(heads, parted):
    names = [
        w
        for text, x in zip(("Lower-forms", "Upper-forms"), heads, strict=True)
        for w in centred(text, x, 100, size=10.4)
    ]
    body = [
        w for k, cells in enumerate(EVEN) for w in (*row("Kind", 60, 118 + 12 * k), *rows_at(118 + 12 * k, [cells]))
    ]
    cells = table_of([*row("Model", 60, 100), *centred("Size", 180, 100), *names, *body], 88, 106, 160)
    assert cells[0, 2][1:] == ((1, "Lower-forms") if parted else (2, "Lower-forms Upper-forms"))


RANGES = [("3.4", "10.8"), ("11.1", "15.9"), ("79", "97"), ("150", "379")]


def ranged(space):
    """Rows whose last cell is two numbers with a dash between, the dashes under each other."""
    body = [*(w for k, (low, high) in enumerate(RANGES) for w in (
        *row(f"Value-{k}", 60, 118 + 14 * k), *centred(f"{k}.5", 180, 118 + 14 * k),
        *row(low, 280 - 5 * len(low), 118 + 14 * k), *row("–", 280 + space, 118 + 14 * k),
        *row(high, 285 + 2 * space, 118 + 14 * k)))]  # fmt: skip
    return table_of(
        [*row("Test", 60, 100), *centred("Result", 180, 100), *centred("Usual", 283, 100), *body], 88, 106, 170
    )


def test_a_range_of_numbers_is_one_cell_and_a_dash_far_from_it_is_none_of_a_number():
    assert [ranged(8)[1 + k, 2][2] for k in range(4)] == [f"{low} – {high}" for low, high in RANGES]
    assert [ranged(18)[1 + k, 2][2] for k in range(4)] == [low for low, _ in RANGES]


def test_a_line_of_a_header_in_one_piece_is_not_parted():
    body = [w for k, cells in enumerate(EVEN) for w in rows_at(118 + 12 * k, [cells])]
    title = [*centred("Lower-forms", 240, 94, 10.4), *centred("Upper-forms", 300, 94, 10.4)]
    cells = table_of(
        [*title, *centred("Size", 180, 106), *rows_at(106, [("Size", "Low", "High")]), *body], 84, 110, 160
    )
    assert cells[0, 1][2] == "Lower-forms Upper-forms"
