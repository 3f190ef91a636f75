"""Print that the detector did not find: marks beside lines, initials, and dashes in the cells of tables."""

import cv2
import numpy as np
import pytest
from readings import reading

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.overlooked import dashes, find_initials, is_flat, is_initial, overlooked
from docparse.pdf.content import PageImage


def line(x, y):
    return LineBox(x, y, 100, 20, 0.0)


def page(*marks):
    """White, 400 x 200 pixels, with marks of ink 8 x 12 pixels around these points."""
    pixels = np.full((200, 400, 3), 255, np.uint8)
    for x, y in marks:
        pixels[y - 6 : y + 6, x - 4 : x + 4] = 0
    return pixels


def marks_on(pixels, lines):
    return overlooked(PageImage(pixels, 144 / 72), lines)


def test_a_mark_belongs_to_the_nearest_line_on_its_row():
    far, near, below = line(340, 50), line(200, 50), line(200, 120)
    (mark,) = found = marks_on(page((100, 50)), [far, near, below])
    assert found[mark] == near
    assert abs(mark.x - 100) < 10 and mark.y == near.y and mark.height == near.height


def test_print_off_the_rows_or_under_a_line_that_was_found_is_no_mark():
    assert marks_on(page((100, 85)), [line(200, 50), line(200, 120)]) == {}
    assert marks_on(page((210, 50)), [line(200, 50)]) == {}


def test_a_mark_that_a_leaning_line_reaches_over_is_that_lines():
    leaning = LineBox(100, 60, 100, 12, 3.0)
    assert marks_on(page((100, 48)), [line(200, 50), leaning]) == {}
    assert len(marks_on(page((100, 48)), [line(200, 50)])) == 1


def leader(pixels, start, end, y):
    """Dots of ink, 2 x 2 pixels, from one x to another."""
    for x in range(start, end, 6):
        pixels[y : y + 2, x : x + 2] = 0
    return pixels


def test_a_mark_behind_a_leader_belongs_to_the_line_before_it_however_far():
    pixels = leader(np.hstack([page()] * 3), 152, 1100, 55)
    pixels[44:56, 1104:1112] = 0
    (mark,) = found = marks_on(pixels, [line(100, 50)])
    assert found[mark] == line(100, 50)
    assert 1100 < mark.x < 1116 and mark.width < 30


def test_grain_of_the_paper_hides_no_mark():
    pixels, lines = np.hstack([page((100, 50)), *[page()] * 3]), [line(300, y) for y in range(20, 200, 30)]
    for row in lines:
        pixels[row.y - 6 : row.y + 6, 260:340:2] = 0
        for x in range(380, 1500, 50):
            pixels[row.y - 3 : row.y + 4, x : x + 3] = 215
    assert [round(mark.x) for mark in marks_on(pixels, lines)] == [100]


BESIDE, UNDER = [(120, 100), (120, 130)], [(60, 160), (60, 190)]


def row(left, middle, width=400):
    return LineBox(left + width / 2, middle, width, 20, 0.0)


def page_with_initial(rows):
    pixels = np.full((400, 700, 3), 255, np.uint8)
    for left, middle in rows:
        cv2.putText(pixels, "some words of a line", (left, middle + 6), 0, 0.7, (0, 0, 0), 2)
    cv2.putText(pixels, "L", (64, 140), 0, 2.2, (224, 160, 0), 6)
    return PageImage(pixels, 2.0)


@pytest.mark.parametrize("rows", [[*BESIDE, *UNDER], [*BESIDE[:1], *UNDER], BESIDE], ids=["both", "one beside", "none"])
def test_a_mark_beside_lines_of_a_paragraph_that_runs_on_under_it_may_be_its_initial(rows):
    found = find_initials(page_with_initial(rows), [row(*each) for each in rows])
    assert len(found) == (rows[2:] == UNDER)
    assert all(60 < each.x < 110 and 95 < each.y < 140 and each.height > 40 for each in found)


def test_what_was_read_is_no_initial_that_was_left_out():
    rows = [row(*each) for each in (*BESIDE, *UNDER)]
    assert find_initials(page_with_initial([*BESIDE, *UNDER]), [*rows, LineBox(80, 117, 50, 60, 0.0)]) == []


@pytest.mark.parametrize(
    "said, angle, expected",
    [(reading("L"), 0, True), (reading("要"), 0, True), (reading("L"), 90, False), (reading("l"), 0, False),
     (reading("La"), 0, False), (reading("L", 0.8), 0, False)],
)  # fmt: skip
def test_an_initial_is_one_capital_or_chinese_character_that_is_read_with_certainty(said, angle, expected):
    assert is_initial(said, angle) is expected


def cell(text, y, width=60, x=300):
    return LineBox(x, y, width, 20, 0.0), text


@pytest.mark.parametrize(
    "lines, said",
    [
        ([cell("1,234", 100), cell("一", 130, 20)], {1: "–"}),
        ([cell("1,234", 100), cell("一", 130, 30)], {1: "—"}),
        ([cell("-", 100, 20), cell("12.5", 130)], {0: "–"}),
        ([cell("yes", 100), cell("—", 130, 30), cell("no", 160)], {1: "—"}),
        ([cell("yes", 100), cell("—", 130, 30)], {}),
        ([cell("—", 100, 30), cell("—", 130, 30), cell("—", 160, 30)], {}),
        ([cell("a line of running text over it", 100, 400), cell("—", 130, 30), cell("no", 160)], {}),
        ([cell("1,234", 100), cell("—", 400, 30)], {}),
        ([cell("1,234", 100, x=100), cell("—", 130, 30)], {}),
        ([cell("1,234", 100), cell("I", 130, 10)], {}),
        ([cell("5", 100), cell("—", 115, 30), cell("8", 130)], {}),
    ],
    ids=["under a number", "a long one", "over a number", "between short cells", "at the end of words", "of a list",
         "under running text", "far from the number", "in another column", "a letter", "the bar of a fraction"],
)  # fmt: skip
def test_a_stroke_in_a_column_of_cells_is_a_dash(lines, said):
    assert dashes(lines) == said


def test_marks_of_rows_set_solid_are_found_though_the_boxes_of_lines_reach_into_each_other():
    tight = [line(200, 50), line(200, 63), line(100, 63)]
    found = marks_on(page((100, 46)), tight)
    assert list(found.values()) == tight[:1]


@pytest.mark.parametrize(
    "high, rows, found", [(3, 150, 75), (12, 150, 0), (3, 75, 0)], ids=["dashes", "figures", "a dash a line"]
)
def test_more_than_a_few_dozen_marks_are_a_drawing_but_for_dashes_of_a_table(high, rows, found):
    lines = [line(200, 50 + 25 * k) for k in range(rows)]
    pixels = np.full((25 * rows + 100, 400, 3), 255, np.uint8)
    for row in lines[:: rows // 75]:
        pixels[round(row.y) - high // 2 : round(row.y) - high // 2 + high, 96:104] = 0
    assert len(marks_on(pixels, lines)) == found


@pytest.mark.parametrize(
    "lines, told",
    [
        ([cell("85.2", 100), *(cell("-", 100 + 30 * k, 20) for k in (1, 2, 3)), cell("77.8", 220)], {1, 2, 3}),
        ([cell("Tasks", 100), *(cell("-", 100 + 30 * k, 20) for k in (1, 2, 3))], set()),
        ([cell("70.0", 100, x=200), cell("-", 100, 20), cell("-", 100, 20, x=360), cell("76.6", 100, x=450)], {1, 2}),
        ([cell("Sum", 100, x=200), cell("-", 100, 20), cell("76.6", 100, x=400)], set()),
        ([cell("日", 100, 20, 200), cell("一", 100, 20), cell("二", 100, 20, 400), cell("4", 130, 20)], set()),
    ],
    ids=["after each other", "alone", "between numbers of the row", "behind a word", "a day of the week"],
)
def test_dashes_in_cells_may_follow_each_other(lines, told):
    assert set(dashes(lines)) == told


@pytest.mark.parametrize(
    "x, y, width, high, flat",
    [
        (10, 22, 14, 4, True),
        (10, 22, 4, 4, False),
        (10, 10, 6, 28, False),
        (10, 22, 14, 12, False),
        (5, 35, 40, 3, False),
    ],
    ids=["a dash", "a dot", "a figure 1", "a block", "a blank to fill in"],
)
def test_a_dash_is_told_by_its_shape(x, y, width, high, flat):
    ink = np.zeros((48, 50), bool)
    ink[y : y + high, x : x + width] = True
    assert is_flat(ink) is flat
    assert not is_flat(np.zeros((48, 50), bool))
