"""A grid laid out on a page comes back as the same grid."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.tables import find_tables
from docparse.layout.text.words import Word
from docparse.types import Box, Table, plain

PAGE = Box(0.0, 0.0, 612.0, 792.0)
SIZE = 10.0
PITCH = 16.0
CHARACTER = 5.0  # width of a character; a space is 2.8
LABELS = ["Alpha", "Beta gamma", "Delta", "Epsilon zeta", "Eta", "Theta of iota", "Kappa", "Lambda", "Mu", "Nu xi"]
HEADS = ["Method", "Recall", "Precision", "Score", "Cost", "Total share", "Weight", "Height"]

Cells = dict[tuple[int, int], tuple[int, int, str]]  # (row, column) -> rowspan, colspan, text


@dataclass
class Drawn:
    words: list[Word]
    rulings: list[tuple[float, float, float, float]]
    cells: Cells
    xs: list[float]
    ys: list[float]


def text_at(text: str, x: float, y: float, index: int) -> list[Word]:
    """Words of one line of text that starts at `x` and is centred on `y`."""
    words = []
    for part in text.split():
        width = CHARACTER * len(part)
        box = Box(x, y - SIZE / 2, x + width, y + SIZE / 2)
        words.append(Word(text=part, box=box, baseline=y + 0.3 * SIZE, size=SIZE, index=index + len(words)))
        x += width + 2.8
    return words


def width_of(text: str) -> float:
    return sum(CHARACTER * len(part) for part in text.split()) + 2.8 * text.count(" ")


def draw(cells: Cells, xs: list[float], ys: list[float], align: str, ruled: bool) -> Drawn:
    """Set every cell between its grid lines; `ruled` draws the four sides of each."""
    words: list[Word] = []
    rulings = []
    for (row, column), (tall, wide, text) in cells.items():
        x0, x1, y0, y1 = xs[column], xs[column + wide], ys[row], ys[row + tall]
        room = x1 - x0 - 8 - width_of(text)
        share = {"left": 0.0, "right": 1.0, "centre": 0.5}[align if column else "left"]
        if wide > 1:
            share = 0.5
        words += text_at(text, x0 + 4 + share * room, (y0 + y1) / 2, len(words))
        if ruled:
            rulings += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    return Drawn(words, rulings, cells, xs, ys)


def cells_of(table: Table) -> Cells:
    return {(c.row, c.column): (c.rowspan, c.colspan, plain(c.spans)) for c in table.cells}


def as_array(drawn: Drawn) -> np.ndarray:
    return np.array(drawn.rulings, np.float32).reshape(-1, 4)


def body_text(rng: random.Random, numeric: bool) -> str:
    if numeric:
        return rng.choice(["{:.2f}", "{:,.0f}", "({:.1f})", "{:.1f}%"]).format(rng.uniform(1, 9999))
    return rng.choice(LABELS)


def lines_between(sizes: list[float], start: float) -> list[float]:
    return [start, *np.cumsum(sizes) + start]


@st.composite
def ruled_grids(draw_from: st.DrawFn) -> Drawn:
    """Lattices with random rectangular spans, words or numbers, and some empty cells."""
    rows, columns = draw_from(st.integers(3, 8)), draw_from(st.integers(2, 5))
    rng = random.Random(draw_from(st.integers(0, 2**32)))
    taken = np.zeros((rows, columns), bool)
    cells: Cells = {}
    for row in range(rows):
        for column in range(columns):
            if taken[row, column]:
                continue
            tall, wide = 1, 1
            if row and column and rng.random() < 0.15:  # the first row and column stay plain: the grid keeps its lines
                tall = rng.randint(1, min(2, rows - row))
                wide = rng.randint(1, min(2, columns - column))
                if taken[row : row + tall, column : column + wide].any():
                    tall = wide = 1
            taken[row : row + tall, column : column + wide] = True
            empty = row and column and rng.random() < 0.15
            text = "" if empty else HEADS[column] if row == 0 else body_text(rng, column > 0)
            cells[row, column] = (tall, wide, text)
    xs = lines_between([rng.uniform(75, 110) for _ in range(columns)], 50.0)
    ys = lines_between([rng.uniform(14, 30) for _ in range(rows)], 100.0)
    return draw(cells, xs, ys, rng.choice(["left", "right", "centre"]), ruled=True)


@st.composite
def aligned_grids(draw_from: st.DrawFn, rules: bool) -> Drawn:
    """Labels, headings and columns of numbers without vertical rules; `rules` adds the three of a book table."""
    rows, columns = draw_from(st.integers(4, 9)), draw_from(st.integers(3, 6))
    rng = random.Random(draw_from(st.integers(0, 2**32)))
    labels = rng.sample(LABELS, rows)
    heads = rng.sample(HEADS, columns)
    cells: Cells = {}
    for row in range(rows):
        for column in range(columns):
            text = heads[column] if row == 0 else labels[row] if column == 0 else body_text(rng, True)
            cells[row, column] = (1, 1, text)
    xs = lines_between([rng.uniform(80, 95) for _ in range(columns)], 40.0)
    ys = lines_between([PITCH] * rows, 100.0)
    drawn = draw(cells, xs, ys, rng.choice(["left", "right", "centre"]), ruled=False)
    if rules:
        drawn.rulings = [(xs[0], y, xs[-1], y) for y in (ys[0], ys[1], ys[-1])]
    return drawn


@st.composite
def spanning_headers(draw_from: st.DrawFn) -> Drawn:
    """Book tables with a first row of headings over groups of two or three columns, ruled off below each."""
    groups = draw_from(st.lists(st.integers(2, 3), min_size=1, max_size=2))
    rows = draw_from(st.integers(5, 8))
    rng = random.Random(draw_from(st.integers(0, 2**32)))
    columns = 1 + sum(groups)
    xs = lines_between([85.0, *[70.0] * (columns - 1)], 30.0)
    ys = lines_between([PITCH] * rows, 100.0)
    cells: Cells = {(0, 0): (2, 1, "Model")}
    rulings = [(xs[0], y, xs[-1], y) for y in (ys[0], ys[2], ys[-1])]
    start = 1
    for number, size in enumerate(groups):
        cells[0, start] = (1, size, ["Group one", "Others"][number])
        rulings.append((xs[start] + 4, ys[1], xs[start + size] - 4, ys[1]))
        start += size
    labels = rng.sample(LABELS, rows)
    for row in range(1, rows):
        for column in range(columns):
            if (row, column) != (1, 0):
                text = HEADS[column] if row == 1 else labels[row] if column == 0 else body_text(rng, True)
                cells[row, column] = (1, 1, text)
    drawn = draw(cells, xs, ys, "centre", ruled=False)
    drawn.rulings = rulings
    return drawn


@st.composite
def boxes_with_a_header_rule(draw_from: st.DrawFn) -> Drawn:
    """Vertical rules between all columns, horizontal ones only around the table and under its header."""
    drawn = draw_from(aligned_grids(rules=True))
    drawn.rulings += [(x, drawn.ys[0], x, drawn.ys[-1]) for x in drawn.xs]
    return drawn


def assert_comes_back(drawn: Drawn) -> None:
    found = find_tables(drawn.words, as_array(drawn), PAGE)
    assert len(found) == 1
    assert cells_of(found[0].table) == drawn.cells
    assert found[0].words == tuple(range(len(drawn.words)))


@given(ruled_grids())
def test_a_lattice_comes_back_with_its_spans_and_empty_cells(drawn: Drawn) -> None:
    assert_comes_back(drawn)


@given(aligned_grids(rules=True))
def test_a_book_table_comes_back(drawn: Drawn) -> None:
    assert_comes_back(drawn)


@given(aligned_grids(rules=False))
def test_columns_of_numbers_come_back_without_any_rule(drawn: Drawn) -> None:
    assert_comes_back(drawn)


@given(boxes_with_a_header_rule())
def test_rows_without_rules_between_them_are_told_apart_by_their_lines(drawn: Drawn) -> None:
    assert_comes_back(drawn)


@given(spanning_headers())
def test_spanning_headings_cover_the_columns_over_their_rule(drawn: Drawn) -> None:
    assert_comes_back(drawn)


@given(st.one_of(ruled_grids(), aligned_grids(rules=True), aligned_grids(rules=False)), st.randoms())
def test_the_order_of_words_and_rulings_does_not_matter(drawn: Drawn, rng: random.Random) -> None:
    order = list(range(len(drawn.words)))
    rng.shuffle(order)
    words, rulings = [drawn.words[i] for i in order], rng.sample(drawn.rulings, len(drawn.rulings))
    shuffled = Drawn(words, rulings, drawn.cells, drawn.xs, drawn.ys)
    straight = find_tables(drawn.words, as_array(drawn), PAGE)
    mixed = find_tables(shuffled.words, as_array(shuffled), PAGE)
    assert [(t.box, t.table, t.kind) for t in straight] == [(t.box, t.table, t.kind) for t in mixed]
    assert [sorted(order[i] for i in t.words) for t in mixed] == [list(t.words) for t in straight]


@given(st.one_of(ruled_grids(), aligned_grids(rules=True), spanning_headers()))
def test_every_word_of_a_table_is_in_exactly_one_cell(drawn: Drawn) -> None:
    for table in find_tables(drawn.words, as_array(drawn), PAGE):
        inside = sorted(drawn.words[i].text for i in table.words)
        assert sorted(word for cell in table.table.cells for word in plain(cell.spans).split()) == inside


@given(aligned_grids(rules=True))
def test_the_row_above_the_inner_rule_is_the_header(drawn: Drawn) -> None:
    table = find_tables(drawn.words, as_array(drawn), PAGE)[0].table
    assert {cell.row for cell in table.cells if cell.header} == {0}


@given(st.one_of(ruled_grids(), aligned_grids(rules=True)), st.sampled_from([90, 270]))
def test_a_table_printed_sideways_reads_like_an_upright_one(drawn: Drawn, angle: int) -> None:
    words = [sideways_word(word, angle) for word in drawn.words]
    rulings = [sideways_box(Box(*map(float, ruling)), angle) for ruling in drawn.rulings]
    words += text_at("A level page header 17", 200.0, 20.0, len(words))
    found = find_tables(words, np.array([(b.x0, b.y0, b.x1, b.y1) for b in rulings]), PAGE)
    if len(words) >= 25:  # fewer turned words are not searched for tables
        assert [cells_of(table.table) for table in found] == [drawn.cells]


def sideways_box(box: Box, angle: int) -> Box:
    """Turn a part of an upright landscape page clockwise by `angle` onto the portrait page."""
    if angle == 90:
        return Box(PAGE.x1 - box.y1, box.x0, PAGE.x1 - box.y0, box.x1)
    return Box(box.y0, PAGE.y1 - box.x1, box.y1, PAGE.y1 - box.x0)


def sideways_word(word: Word, angle: int) -> Word:
    baseline = PAGE.x1 - word.baseline if angle == 90 else word.baseline
    box = sideways_box(word.box, angle)
    return Word(text=word.text, box=box, baseline=baseline, size=word.size, angle=angle, index=word.index)
