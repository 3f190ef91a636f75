"""A table in one column of the page takes nothing from the column beside it."""

from __future__ import annotations

import numpy as np

from docparse.layout.tables import find_tables
from docparse.layout.words import Word
from docparse.types import Box, plain

PAGE = Box(0, 0, 600, 800)


def word(text: str, x: float, baseline: float, size: float = 9.0) -> Word:
    box = Box(x, baseline - 0.8 * size, x + 0.5 * size * len(text), baseline + 0.2 * size)
    return Word(text=text, box=box, baseline=baseline, size=size)


def test_a_ruled_table_with_labels_of_its_own_takes_no_labels_from_the_left() -> None:
    rows = [
        ("Revenue", "7,655", "8,809"),
        ("Growth", "16.3", "15.1"),
        ("Profit", "2,188", "2,744"),
        ("Margin", "21.4", "25.4"),
    ]
    words = [word("2021A", 380, 100), word("2022A", 450, 100)]
    for r, cells in enumerate(rows):
        y = 113 + 13 * r
        words += [word(text, x, y) for text, x in zip(cells, (252, 380, 450), strict=True)]
        words += [word(text, x, y) for text, x in (("Analyst", 60), ("S1060520", 120))]
    rules = np.array([[250, y, 490, y] for y in (90, 104, 117, 130, 143, 156)], np.float32)
    table = next(table for table in find_tables(words, rules, PAGE) if table.kind == "booktabs")
    texts = {plain(cell.spans) for cell in table.table.cells}
    assert "Revenue" in texts and "8,809" in texts
    assert not any("Analyst" in text or "S1060520" in text for text in texts)
    assert table.table.columns == 3
