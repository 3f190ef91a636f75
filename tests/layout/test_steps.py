"""Steps: large numbers without a point before the texts that they count."""

import pytest
from typeset import line, lines, word

from docparse.layout.text.lines import Line, downward
from docparse.layout.text.steps import joined_steps

STEPS = ["Rinse the barley until the water is clear", "Cut the leeks", "Melt the butter"]


def steps(numbers, size, *, lower=0, bold=False, x=60):
    found = []
    for k, number in enumerate(numbers):
        found.append(Line((word(number, x, 112 + 40 * k + lower, size, bold=bold),)))
        found += lines([STEPS[k], "and wait."], 90, 104 + 40 * k)
    return downward(found)


@pytest.mark.parametrize("size, bold", [(20, False), (10, True), (9, True)])
def test_set_off_numbers_are_the_markers_of_the_texts_beside_them(size, bold):
    found = joined_steps(steps("123", size, lower=0 if size == 20 else -8, bold=bold))
    assert [each.text for each in found][::2] == [f"{k}. {text}" for k, text in enumerate(STEPS, 1)]
    assert len(found) == 6


def test_a_number_on_the_second_line_of_its_text_stands_before_the_first():
    found = []
    for k in range(3):
        found.append(line(STEPS[k], 90, 100 + 40 * k))
        found.append(Line((word(str(k + 1), 60, 113 + 40 * k, 20), *line("and wait.", 90, 112 + 40 * k).words)))
    assert [each.text for each in joined_steps(found)][:2] == [f"1. {STEPS[0]}", "and wait."]


@pytest.mark.parametrize("page", [steps("12", 20), steps("135", 20), steps("321", 20), steps("123", 10)], ids=range(4))
def test_other_numbers_beside_text_stay(page):
    assert joined_steps(page) == page
