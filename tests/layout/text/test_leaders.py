"""Leaders of scans, of which OCR has read some dots, each as a word."""

import msgspec
import pytest
from typeset import numbered, row, word

from docparse.layout.kinds.contents import shortened
from docparse.layout.text.leaders import with_leaders
from docparse.layout.text.line_finding import NOISY_SPACING, lines_of

TITLES = ["Class of ideals", "Field of a circle", "Norm of a number", "Units of a field"]


def index(dots=(180, 230, 285), numbers=("12",), count=4, step=0):
    """Rows of an index at 10 points, with dots at some places and numbers behind them, each further by a step."""
    words = []
    for k, title in enumerate(TITLES[:count]):
        y = 100 + 14 * k
        words += row(title, 60, y)
        words += [word(".", x, y, width=2) for x in dots]
        words += [word(number, 330 + 40 * i + step * k, y) for i, number in enumerate(numbers)]
    return numbered(words)


def lines(words):
    return [shortened(line).text for line in lines_of(with_leaders(words), NOISY_SPACING)]


def test_a_title_and_its_number_are_one_line_however_few_dots_were_read():
    assert lines(index()) == [f"{title} … 12" for title in TITLES]


@pytest.mark.parametrize("dots", [(125,), (322,)], ids=["the first", "the last"])
def test_one_dot_is_a_leader_where_the_numbers_behind_end_at_one_edge(dots):
    assert lines(index(dots)) == [f"{title} … 12" for title in TITLES]


def test_a_dot_that_was_read_as_text_that_runs_down_and_dots_read_with_the_number_are_of_the_leader():
    words = [msgspec.structs.replace(each, angle=90) if each.box.x0 == 230 else each for each in index(numbers=[".12"])]
    assert lines(words) == [f"{title} … 12" for title in TITLES]


@pytest.mark.parametrize(
    "words",
    [index(numbers=("12", "34")), index(dots=()), index(count=2), index(dots=(180,), step=40)],
    ids=["rows of a table", "no dots", "few rows", "dots far from numbers that end at no edge"],
)
def test_other_rows_stay_as_they_are(words):
    assert with_leaders(words) == words
