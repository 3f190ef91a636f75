"""Painted cells: a table whose cells are coloured boxes edge to edge, and boxes that are none."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.tables.cells import cell_edges

NOTHING = np.zeros((0, 4), np.float32)


def boxes(rows: int, columns: int, gap: float = 0.0) -> np.ndarray:
    """Boxes of 60 by 20 points."""
    places = [(60 * column, 20 * row) for row in range(rows) for column in range(columns)]
    return np.array([(x, y, x + 60 - gap, y + 20 - gap) for x, y in places], np.float32)


@given(st.integers(2, 6), st.integers(2, 6))
def test_boxes_edge_to_edge_have_the_edges_of_their_cells(rows: int, columns: int) -> None:
    found = cell_edges(boxes(rows, columns), NOTHING)
    level = found[found[:, 1] == found[:, 3]]
    assert set(level[:, 1].tolist()) == {20.0 * row for row in range(rows + 1)}
    assert set(found[found[:, 0] == found[:, 2]][:, 0].tolist()) == {60.0 * column for column in range(columns + 1)}


def test_cards_and_shaded_rows_are_no_cells() -> None:
    assert len(cell_edges(boxes(3, 3, gap=6), NOTHING)) == 0
    assert len(cell_edges(boxes(6, 1), NOTHING)) == 0


def test_colours_within_a_table_with_rules_or_with_holes_are_no_cells() -> None:
    stroke = np.array([[0, -8, 200, -8]], np.float32)
    assert len(cell_edges(boxes(3, 3), stroke)) == 0
    assert len(cell_edges(np.delete(boxes(3, 3), 4, axis=0), NOTHING)) == 0
