"""A grid laid out on a page comes back as the same grid."""

import random
from dataclasses import dataclass

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, grids, in_columns, numbered, row, rules

from docparse.layout.tables import find_tables
from docparse.layout.text.words import Word
from docparse.types import Box, plain

PITCH = 16.0
LABELS = ["Alpha", "Beta gamma", "Delta", "Epsilon zeta", "Eta", "Theta of iota", "Kappa", "Lambda", "Mu", "Nu xi"]
HEADS = ["Method", "Recall", "Precision", "Score", "Cost", "Total share", "Weight", "Height"]


@dataclass
class Drawn:
    words: list
    rulings: list  # of strokes
    cells: dict  # (row, column) -> rowspan, colspan, text
    xs: list
    ys: list


def draw(cells, xs, ys, align):
    """Set every cell between its grid lines; the sides of all cells are the strokes."""
    words, rulings = [], []
    for (r, column), (tall, wide, text) in cells.items():
        x0, x1, y0, y1 = xs[column], xs[column + wide], ys[r], ys[r + tall]
        width = sum(5.0 * len(part) for part in text.split()) + 3.0 * text.count(" ")
        share = 0.5 if wide > 1 else {"left": 0.0, "right": 1.0, "centre": 0.5}[align if column else "left"]
        words += row(text, x0 + 4 + share * (x1 - x0 - 8 - width), (y0 + y1) / 2 + 3)
        rulings += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    return Drawn(numbered(words), rulings, cells, xs, ys)


def cells_of(table):
    return {(c.row, c.column): (c.rowspan, c.colspan, plain(c.spans)) for c in table.cells}


def tables_of(drawn):
    return find_tables(drawn.words, rules(*drawn.rulings), SHEET)


def body_text(rng, numeric):
    if numeric:
        return rng.choice(["{:.2f}", "{:,.0f}", "({:.1f})", "{:.1f}%"]).format(rng.uniform(1, 9999))
    return rng.choice(LABELS)


def lines_between(sizes, start):
    return [start, *np.cumsum(sizes) + start]


DICE = st.integers(0, 2**32).map(random.Random)


@st.composite
def lattices(draw_from):
    """Lattices with random rectangular spans, words or numbers, and some empty cells."""
    rows, columns, rng = draw_from(st.integers(3, 8)), draw_from(st.integers(2, 5)), draw_from(DICE)
    taken = np.zeros((rows, columns), bool)
    cells = {}
    for r in range(rows):
        for column in range(columns):
            if taken[r, column]:
                continue
            tall, wide = 1, 1
            if r and column and rng.random() < 0.15:  # the first row and column stay plain: the grid keeps its lines
                tall = rng.randint(1, min(2, rows - r))
                wide = rng.randint(1, min(2, columns - column))
                if taken[r : r + tall, column : column + wide].any():
                    tall = wide = 1
            taken[r : r + tall, column : column + wide] = True
            empty = r and column and rng.random() < 0.15
            cells[r, column] = (tall, wide, "" if empty else HEADS[column] if r == 0 else body_text(rng, column > 0))
    xs = lines_between([rng.uniform(75, 110) for _ in range(columns)], 50.0)
    ys = lines_between([rng.uniform(14, 30) for _ in range(rows)], 100.0)
    return draw(cells, xs, ys, rng.choice(["left", "right", "centre"]))


@st.composite
def aligned(draw_from, strokes):
    """Labels, headings and columns of numbers without vertical rules; `strokes` adds the three of a book table."""
    rows, columns, rng = draw_from(st.integers(4, 9)), draw_from(st.integers(3, 6)), draw_from(DICE)
    labels, heads = rng.sample(LABELS, rows), rng.sample(HEADS, columns)
    cells = {
        (r, column): (1, 1, heads[column] if r == 0 else labels[r] if column == 0 else body_text(rng, True))
        for r in range(rows)
        for column in range(columns)
    }
    xs = lines_between([rng.uniform(80, 95) for _ in range(columns)], 40.0)
    ys = lines_between([PITCH] * rows, 100.0)
    drawn = draw(cells, xs, ys, rng.choice(["left", "right", "centre"]))
    drawn.rulings = [(xs[0], y, xs[-1], y) for y in (ys[0], ys[1], ys[-1])] if strokes else []
    return drawn


@st.composite
def spanning_headers(draw_from):
    """Book tables with a first row of headings over groups of two or three columns, ruled off below each."""
    groups, rows = draw_from(st.lists(st.integers(2, 3), min_size=1, max_size=2)), draw_from(st.integers(5, 8))
    rng = draw_from(DICE)
    columns = 1 + sum(groups)
    xs = lines_between([85.0, *[70.0] * (columns - 1)], 30.0)
    ys = lines_between([PITCH] * rows, 100.0)
    cells = {(0, 0): (2, 1, "Model")}
    rulings = [(xs[0], y, xs[-1], y) for y in (ys[0], ys[2], ys[-1])]
    start = 1
    for number, size in enumerate(groups):
        cells[0, start] = (1, size, ["Group one", "Others"][number])
        rulings.append((xs[start] + 4, ys[1], xs[start + size] - 4, ys[1]))
        start += size
    labels = rng.sample(LABELS, rows)
    for r in range(1, rows):
        for column in range(columns):
            if (r, column) != (1, 0):
                text = HEADS[column] if r == 1 else labels[r] if column == 0 else body_text(rng, True)
                cells[r, column] = (1, 1, text)
    drawn = draw(cells, xs, ys, "centre")
    drawn.rulings = rulings
    return drawn


def boxed(drawn):
    """Vertical rules between all columns, horizontal ones only around the table and under its header."""
    drawn.rulings += [(x, drawn.ys[0], x, drawn.ys[-1]) for x in drawn.xs]
    return drawn


BOOK = aligned(strokes=True)
GRIDS = {
    "a lattice with spans and empty cells": lattices(),
    "a book table": BOOK,
    "columns of numbers without any rule": aligned(strokes=False),
    "columns that are ruled, and rows that are not": BOOK.map(boxed),
    "headings that span the columns over their rule": spanning_headers(),
}


@pytest.mark.parametrize("kind", GRIDS)
@given(data=st.data())
def test_a_grid_comes_back_whatever_the_order_of_words_and_rulings(kind, data):
    drawn = data.draw(GRIDS[kind])
    [found] = tables_of(drawn)
    assert cells_of(found.table) == drawn.cells
    assert found.words == tuple(range(len(drawn.words)))
    if "book" in kind:
        assert {cell.row for cell in found.table.cells if cell.header} == {0}
    order, rng = list(range(len(drawn.words))), data.draw(DICE)
    rng.shuffle(order)
    rng.shuffle(drawn.rulings)
    drawn.words = [drawn.words[i] for i in order]
    [mixed] = tables_of(drawn)
    assert (mixed.box, mixed.table, mixed.kind) == (found.box, found.table, found.kind)
    assert sorted(order[i] for i in mixed.words) == list(found.words)


@given(lattices() | BOOK, st.sampled_from([90, 270]))
def test_a_table_printed_sideways_reads_like_an_upright_one(drawn, angle):
    words = [sideways_word(word, angle) for word in drawn.words]
    strokes = [sideways_box(Box(*map(float, ruling)), angle) for ruling in drawn.rulings]
    words += row("A level page header 17", 200.0, 23.0)
    found = find_tables(numbered(words), rules(*((b.x0, b.y0, b.x1, b.y1) for b in strokes)), SHEET)
    if len(words) >= 25:  # fewer turned words are not searched for tables
        assert [cells_of(table.table) for table in found] == [drawn.cells]


def sideways_box(box, angle):
    """Turn a part of an upright landscape page clockwise by `angle` onto the portrait page."""
    if angle == 90:
        return Box(SHEET.x1 - box.y1, box.x0, SHEET.x1 - box.y0, box.x1)
    return Box(box.y0, SHEET.y1 - box.x1, box.y1, SHEET.y1 - box.x0)


def sideways_word(word, angle):
    baseline = SHEET.x1 - word.baseline if angle == 90 else word.baseline
    return msgspec.structs.replace(word, box=sideways_box(word.box, angle), baseline=baseline, angle=angle)


def test_a_matrix_between_tall_brackets_is_no_table():
    numbers = in_columns([[f"{i}.{j}" for j in range(4)] for i in range(4)], (110, 170, 230, 290), 100, PITCH)
    sides = ((100, "⎡⎢⎢⎣"), (310, "⎤⎥⎥⎦"))
    brackets = [part for x, pieces in sides for k, char in enumerate(pieces) for part in row(char, x, 100 + PITCH * k)]
    assert find_tables(numbered(numbers), rules(), SHEET)
    assert not find_tables(numbered([*numbers, *brackets]), rules(), SHEET)
    whole = [
        Word(text=text, box=Box(x, 92, x + 6, 102 + 3 * PITCH), baseline=100 + PITCH, size=10, math=True)
        for text, x in (("(", 100), (")", 310))
    ]
    assert not find_tables(numbered([*numbers, *whole]), rules(), SHEET)


@pytest.mark.parametrize(
    "table",
    [
        [["Ice", "rarely", "stay away"], ["Fog", "often", "use horn"], ["Snow", "rarely", "shovels"]],
        [["load(name, mode, *, raw)", "read all of a file at once"], ["save(name, data, mode, size)", "write it again"],
         ["list(name, depth, hidden)", "what is in a folder"]],
    ],
    ids=["words", "calls and what they do"],
)  # fmt: skip
def test_three_rows_without_a_head_are_a_table_between_two_rules(table):
    words = in_columns(table, [64, 240, 360], 98, PITCH)
    assert grids(words, rules((60, 90, 500, 90), (60, 140, 500, 140))) == [table]
    assert grids(words, rules()) == []


def test_a_caption_parts_tables_with_the_same_columns():
    facts = [["Length", "551"], ["Founded", "1299"], ["Area", "859"]]
    upper, lower = (in_columns(facts, [60, 160], top, 14) for top in (100, 160))
    assert grids([*upper, *row("Tabela 2.1. As cidades", 75, 144), *lower], rules()) == [facts, facts]
    [joined] = grids([*upper, *row("Capitais e cidades", 75, 144), *lower], rules())
    assert [cells for cells in joined if cells[1]] == [*facts, *facts]


@pytest.mark.parametrize("x, found", [(300, True), (302, False)], ids=["at the column", "beside it"])
def test_a_long_cell_that_ends_a_space_before_the_next_column_is_no_sentence(x, found):
    long = "All that the keeper of the gate has seen of the herd and said"
    table = [["What", "Command"], ["Time of each step", "time all"], ["Load of the unit", "load unit"], [long, "show"],
             ["Groups in a tree", "tree"]]  # fmt: skip
    words = [*in_columns(table[:3], [60, 300], 98, PITCH), *row(long, 60, 149, right=x - 3), *row("show", x, 149)]
    words += in_columns(table[4:], [60, 300], 162, 0)
    assert (grids(words, rules(*((60, y, 400, y) for y in (90, 106, 170)))) == [table]) == found


@pytest.mark.parametrize("capital", [True, False])
def test_labels_begin_rows_of_running_text_whether_or_not_they_begin_in_small_letters(capital):
    texts = [("ping host", ["asks the other end", "for an answer"]), ("trace host", ["asks each one on", "the way"]),
             ("whois", ["says whose it is"]), ("[names]", ["of hosts that are", "not to be asked"])]  # fmt: skip
    lines = [("Call", "What it does with it")]
    for label, parts in texts:
        lines += zip([label.capitalize() if capital else label, ""], parts, strict=False)
    words = in_columns(lines[:1], [60, 160], 100, 0, bold=True) + in_columns(lines[1:], [60, 160], 112, 12)
    [grid] = grids(words, rules((60, 106, 260, 106)))
    assert grid[1:] == [[label.capitalize() if capital else label, " ".join(parts)] for label, parts in texts]


def test_a_word_that_a_line_breaks_is_in_one_row():
    lines = [("Call", "What it does"), ("tools.ap-", "Adds what is new to an ar-"), ("pend(x, y)", "ray of numbers"),
             ("tools.cut", "Cuts an array"), ("tools.clean-", "Takes all columns out that"), ("all(x)", "hold nothing"),
             ("tools.sum", "Adds it all up")]  # fmt: skip
    words = in_columns(lines[:1], [60, 160], 100, 0, bold=True) + in_columns(lines[1:], [60, 160], 114, 12)
    [grid] = grids(words, rules((60, 106, 290, 106)))
    calls = [cells[0].replace("\u00ad", "") for cells in grid]
    assert calls == ["Call", "tools.append(x, y)", "tools.cut", "tools.cleanall(x)", "tools.sum"]


def test_lines_of_code_in_a_cell_stay_lines_and_wrapped_words_do_not():
    cells = [["int two = 2;", "void f() {", "two++;", "}"], ["a line that", "goes on here;", "and", "ends"]]
    words = [
        w
        for x, lines in zip((64, 164), cells, strict=True)
        for w in in_columns([[line] for line in lines], [x], 112, 12)
    ]
    words += in_columns([["first", "second"]], [64, 164], 172, 0)
    strokes = [(60, y, 260, y) for y in (100, 164, 180)] + [(x, 100, x, 180) for x in (60, 160, 260)]
    assert grids(words, rules(*strokes)) == [[["\n".join(cells[0]), " ".join(cells[1])], ["first", "second"]]]
