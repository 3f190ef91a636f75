"""Answers to choose from: which letters begin one, and which are read in one go."""

import pytest
from typeset import row, word

from docparse.layout.text.answers import answers_in, answers_together
from docparse.layout.text.line_finding import lines_of
from docparse.types import Block, Box, Category, Span


def answers(letters, gap=60, **more):
    """A word behind each letter; `gap` points from one letter to the next."""
    return [w for k, letter in enumerate(letters) for w in row(f"{letter} word", 60 + gap * k, **more)]


def pointed(text, x):
    """A letter, and a point of another font that is as wide as it."""
    return [word(text, x, width=6), word("．", x + 6, width=10, glued=True), word("word", x + 18, width=20)]


LETTERS = {  # words, and how many of them begin answers
    "in brackets": (answers(["(A)", "(B)", "(C)"]), 3),
    "in brackets, with narrow white": (answers(["(A)", "(B)"], gap=43), 2),
    "with points": (answers(["A.", "B.", "C."]), 3),
    "with points of another font": ([*pointed("A", 60), *pointed("B", 104)], 2),
    "under each other": ([*answers(["A."]), *answers(["B."], baseline=114)], 2),
    "one alone": (answers(["(B)"]), 0),
    "others": (answers(["(A)", "(C)"]), 0),
    "numbers of formulas under each other": ([word("(A)", 400), word("(B)", 400, 114)], 0),
    "initials": (row("and by A. Person, B. Other", 60), 0),
    "points of a drawing in a sentence": ([*row("from", 60), *row("A、 to B、 and", 90)], 0),
}


@pytest.mark.parametrize("words, count", LETTERS.values(), ids=LETTERS)
def test_letters_begin_answers_with_white_before_and_the_next_letter_near(words, count):
    assert len(answers_in(words)) == count


def test_answers_are_lines_of_their_own_however_near_they_stand():
    found = lines_of(answers(["(A)", "(B)", "(C)"], gap=43))
    assert [line.text for line in found] == ["(A) word", "(B) word", "(C) word"]


def block(marker, x, y):
    return Block(category=Category.LIST_ITEM, box=Box(x, y, x + 40, y + 20), marker=marker, spans=(Span("word"),))


def test_answers_in_a_row_are_read_together_unless_something_stands_among_them():
    blocks = [block("(B)", 160, 103), block("(A)", 60, 100), block("(C)", 60, 130), block("1.", 60, 80)]
    assert sorted(answers_together(blocks)) == [[1, 0], [2], [3]]
    figure = Block(category=Category.PICTURE, box=Box(105, 90, 150, 130))
    assert sorted(answers_together([*blocks, figure])) == [[0], [1], [2], [3], [4]]
