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


def test_cards_and_boxes_of_the_whole_width_are_no_cells() -> None:
    assert len(cell_edges(boxes(3, 3, gap=6), NOTHING)) == 0
    assert len(cell_edges(boxes(6, 1), NOTHING)) == 0


@given(st.integers(2, 5), st.integers(2, 6))
def test_every_second_row_painted_tells_the_columns_of_all(rows: int, columns: int) -> None:
    striped = boxes(2 * rows - 1, columns).reshape(-1, columns, 4)[::2].reshape(-1, 4)
    found = cell_edges(striped, NOTHING)
    down = found[found[:, 0] == found[:, 2]]
    assert set(down[:, 0].tolist()) == {60.0 * column for column in range(columns + 1)}
    assert set(down[:, 3].tolist()) == {20.0 * (2 * rows - 1)}


def test_colours_within_a_wider_or_a_divided_table_are_no_cells() -> None:
    wider, divided = np.array([[-40, -8, 220, -8]], np.float32), np.array([[60, 0, 60, 60]], np.float32)
    assert len(cell_edges(boxes(3, 3), wider)) == 0
    assert len(cell_edges(boxes(3, 3), divided)) == 0
