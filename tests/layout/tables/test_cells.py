"""Painted cells: a table whose cells are coloured boxes edge to edge, and boxes that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import rules

from docparse.layout.tables.cells import cell_edges, stripe_edges, without_shading


def boxes(rows, columns, gap=0.0, step=1):
    """Boxes of 60 by 20 points, in every `step`-th row."""
    places = [(60 * column, 20 * row) for row in range(0, rows, step) for column in range(columns)]
    return [(x, y, x + 60 - gap, y + 20 - gap) for x, y in places]


@given(st.integers(2, 6), st.integers(2, 6))
def test_boxes_edge_to_edge_have_the_edges_of_their_cells(rows, columns):
    found = cell_edges(rules(*boxes(rows, columns)), rules())
    level = found[found[:, 1] == found[:, 3]]
    assert set(level[:, 1].tolist()) == {20.0 * row for row in range(rows + 1)}
    assert set(found[found[:, 0] == found[:, 2]][:, 0].tolist()) == {60.0 * column for column in range(columns + 1)}


@given(st.integers(2, 5), st.integers(2, 6))
def test_every_second_row_painted_tells_the_columns_of_all(rows, columns):
    found = cell_edges(rules(*boxes(2 * rows - 1, columns, step=2)), rules())
    down = found[found[:, 0] == found[:, 2]]
    assert set(down[:, 0].tolist()) == {60.0 * column for column in range(columns + 1)}
    assert set(down[:, 3].tolist()) == {20.0 * (2 * rows - 1)}


def test_what_is_painted_between_a_rule_and_a_row_is_no_row():
    table = [*boxes(1, 3), *((x0, y0 + 25, x1, y1 + 25) for x0, y0, x1, y1 in boxes(3, 3, step=2))]
    lines = rules((0, -3, 180, -3), (0, 21, 180, 21), (0, 86, 180, 86))
    found = cell_edges(rules((0, -3, 180, 0), *table, (0, 22, 180, 25)), lines)
    assert set(found[found[:, 1] == found[:, 3]][:, 1].tolist()) == {0, 20, 45, 65, 85}
    assert set(found[found[:, 0] == found[:, 2]][:, 0].tolist()) == {0, 60, 120, 180}


@given(st.integers(2, 5), st.integers(2, 6), st.floats(0, 3.5))
def test_empty_columns_of_a_web_page_part_no_cells(rows, columns, white):
    spaced = [(x0, y0, x1 - white * (x1 < 60 * columns), y1) for x0, y0, x1, y1 in boxes(2 * rows - 1, columns, step=2)]
    found = cell_edges(rules(*spaced), rules())
    down = found[found[:, 0] == found[:, 2]]
    assert len(down) == columns + 1
    assert set(down[:, 3].tolist()) == {20.0 * (2 * rows - 1)}


def stripes(rows, height=20, step=40, x0=0):
    return [(x0, step * k, x0 + 200, step * k + height) for k in range(rows)]


@given(st.integers(2, 8), st.integers(12, 30))
def test_stripes_tell_where_rows_begin_and_end_and_so_does_a_plain_row_under_the_last(rows, height):
    found = stripe_edges(rules(*stripes(rows, height, 2 * height)))
    assert sorted(found[:, 1].tolist()) == [float(height * k) for k in range(2 * rows + 1)]
    assert found[:, [0, 2]].tolist() == [[0, 200]] * len(found)


NO_STRIPES = {
    "one bar": stripes(1),
    "bars with paragraphs between them": stripes(4, step=80),
    "bars as wide as each has words": [(0, 40 * k, 120 + 30 * k, 40 * k + 20) for k in range(4)],
    "bars that touch": stripes(4, step=20),
    "squares": [(0, 40 * k, 40, 40 * k + 20) for k in range(4)],
}


def test_bars_under_a_frame_of_their_width_are_no_stripes():
    found = stripe_edges(rules((0, 0, 500, 90), (0, 105, 500, 129), (0, 390, 500, 414), (0, 496, 500, 520)))
    assert max(found[:, 1]) < 390


def test_a_plain_row_between_stripes_may_be_as_high_as_any():
    painted = [(0, 0, 400, 10), (0, 28, 400, 38), (0, 48, 400, 68), (0, 78, 400, 88)]
    assert stripe_edges(rules(*painted, *painted)).tolist() == stripe_edges(rules(*painted)).tolist()
    assert {y for _, y, _, _ in stripe_edges(rules(*painted)).tolist()} >= {0, 10, 28, 38, 48, 68, 78, 88}


def test_a_bar_that_is_painted_with_and_without_its_border_is_one():
    bar, table = [(0, 0, 400, 19), (0, 0, 400, 21)], [(0, -36, 400, -18), (0, 40, 400, 58)]
    assert stripe_edges(rules(*bar, *table)).tolist() == stripe_edges(rules(bar[1], *table)).tolist()


@pytest.mark.parametrize("painted", NO_STRIPES.values(), ids=NO_STRIPES)
def test_other_bars_are_no_stripes(painted):
    assert len(stripe_edges(rules(*painted))) == 0


NO_CELLS = {
    "cards": (boxes(3, 3, gap=6), []),
    "boxes of the whole width": (boxes(6, 1), []),
    "colours within a wider table": (boxes(3, 3), [(-40, -8, 220, -8)]),
    "colours within a divided table": (boxes(3, 3), [(60, 0, 60, 60)]),
}


@pytest.mark.parametrize("painted, strokes", NO_CELLS.values(), ids=NO_CELLS)
def test_other_painted_boxes_are_no_cells(painted, strokes):
    assert len(cell_edges(rules(*painted), rules(*strokes))) == 0


@given(st.integers(1, 5), st.integers(2, 5))
def test_shaded_paragraphs_are_no_cells(rows, columns):
    cells = boxes(rows, columns)
    shaded = [(x0 + 5, y0, x1 - 5, y0 + 10) for x0, y0, x1, _ in cells]
    assert without_shading(rules(*cells, *shaded)).tolist() == rules(*cells).tolist()


def test_rules_between_painted_rows_off_their_edges_tell_more_than_the_colours():
    painted = [box for k in range(4) for box in ((0, 60 * k, 60, 60 * k + 20), (60, 60 * k, 120, 60 * k + 20))]
    sums = [(x, 60 * k + 40, x + 50, 60 * k + 40) for k in range(3) for x in (5, 65)]
    assert len(cell_edges(rules(*painted), rules(*sums[:4])))
    assert not len(cell_edges(rules(*painted), rules(*sums)))
