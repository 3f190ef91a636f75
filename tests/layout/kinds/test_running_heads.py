"""Running heads that stand close over a text, which goes on under them in the middle of a sentence."""

import pytest
from typeset import SHEET, line, lines

from docparse.layout.kinds.furniture import find_furniture
from docparse.layout.kinds.running_heads import foot_apart, head_apart
from docparse.layout.text.groups import Group
from docparse.types import Category

SENTENCE = [
    "man; it is always an evil, and a false light that",
    *["shines to lead us astray from what we ought to do"] * 5,
]


def page(head, text, x=150):
    """A page whose first line is `head`, 12 points over the text, in one group with it as OCR has it."""
    return [Group((line(head, x, 60), *lines(text, top=72)))]


@pytest.mark.parametrize("head, x", [("PREFACE.", 150), ("xxij PREFACE.", 60), ("THE HISTORY OF 14", 130), ("14", 160)])
def test_it_is_no_part_of_the_text(head, x):
    groups = head_apart(page(head, SENTENCE, x))
    assert [group.text for group in groups] == [head, " ".join(SENTENCE)]
    assert find_furniture(groups, [], SHEET, 10.0) == {0: Category.PAGE_HEADER}


@pytest.mark.parametrize(
    "head, text, x",
    [
        ("PREFACE.", ["Man is born free, and everywhere he is in chains,", *SENTENCE[1:]], 150),  # a heading
        ("It was the best of", SENTENCE, 60),  # ragged text
        ("THE NAME OF THE FIRM AND", SENTENCE, 60),  # no page number, and not centred
        ("I know not", SENTENCE, 60),  # "I" is no number
        ("PREFACE,", SENTENCE, 150),
        ("PREFACE.", ["of it"] * 5 + SENTENCE[:1], 150),  # short lines are a list or a poem
    ],
)
def test_other_first_lines_stay_with_it(head, text, x):
    assert head_apart(page(head, text, x))[0].text.startswith(f"{head} {text[0]}")


def test_only_the_first_row_of_the_page_is_looked_at():
    above = Group(tuple(lines(["A paragraph above"], top=20)))
    assert head_apart([above, *page("PREFACE.", SENTENCE)])[1].text.startswith("PREFACE. man")


@pytest.mark.parametrize(
    "number, x, apart", [("1 / 4", 290, True), ("1 / 4", 60, False), ("of 1984", 290, False), ("1999", 290, False)]
)
def test_the_number_of_the_page_in_the_middle_is_no_line_of_the_text_over_it(number, x, apart):
    groups = [Group((*lines(SENTENCE, top=60), line(number, x, 150, 9)))]
    said = " ".join(SENTENCE)
    assert [group.text for group in foot_apart(groups)] == ([said, number] if apart else [f"{said} {number}"])
