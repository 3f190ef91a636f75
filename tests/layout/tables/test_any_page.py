"""Whatever stands on a page: no crash, whole grids, no word in two cells."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, rules

from docparse.layout.tables import find_tables
from docparse.layout.text.words import Word
from docparse.types import Box, plain

TEXTS = ["12", "3.5", "$", "%", "(7)", "word", "longer-word", "-", "表格", "x", "Table", "1.", ".....", "Total", "2021"]


def random_word(rng, index, grid):
    text = rng.choice(TEXTS)
    x, y = rng.uniform(0, 380), rng.uniform(0, 390)
    if grid:
        x, y = 20 + 60 * rng.randrange(6) + rng.uniform(-4, 4), 20 + 14 * rng.randrange(25) + rng.uniform(-3, 3)
    size = rng.choice([6.0, 9.0, 9.0, 9.0, 14.0])
    box = Box(x, y, x + rng.choice([0.0, 5.0 * len(text)]), y + max(size, 1.0))
    angle = rng.choices([0, 90, 180, 270], [20, 1, 1, 1])[0]
    confidence = rng.choice([1.0, 1.0, 0.8])
    return Word(text=text, box=box, baseline=y + size, size=size, angle=angle, index=index, confidence=confidence,
                glued=rng.random() < 0.1, bold=rng.random() < 0.2)  # fmt: skip


def random_ruling(rng):
    x, y, length = 20 * rng.randrange(20), 20 * rng.randrange(20), 20 * rng.randrange(1, 20)
    return (x, y, x + length, y) if rng.random() < 0.6 else (x, y, x, y + length)


@given(st.integers(0, 2**32), st.integers(0, 150), st.integers(0, 40), st.booleans())
def test_tables_are_whole_grids_that_share_no_word(seed, count, strokes, grid):
    rng = random.Random(seed)
    words = [random_word(rng, i, grid) for i in range(count)]
    found = find_tables(words, rules(*(random_ruling(rng) for _ in range(strokes))), SHEET)
    taken = [i for table in found for i in table.words]
    assert len(taken) == len(set(taken))
    for each in found:
        table = each.table
        covered = Counter(
            (cell.row + i, cell.column + j)
            for cell in table.cells
            for i in range(cell.rowspan)
            for j in range(cell.colspan)
        )
        assert covered == Counter((i, j) for i in range(table.rows) for j in range(table.columns))
        assert [(c.row, c.column) for c in table.cells] == sorted((c.row, c.column) for c in table.cells)
        letters = sum(len(plain(cell.spans).replace(" ", "")) for cell in table.cells)
        assert letters >= sum(len(words[i].text) for i in each.words) - 2 * len(each.words)
