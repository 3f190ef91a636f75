"""Choices: a line that holds several answers begins with one."""

from typeset import line, word

from docparse.layout.text.items import is_choices
from docparse.layout.text.lines import Line


def test_the_first_of_several_answers_is_a_marker():
    assert is_choices(line("A. one B. two C. three"))
    parts = [word("A", 60), word(".", 65, glued=True), word("one", 75), word("B", 120), word(".", 125, glued=True)]
    assert is_choices(Line(tuple(parts)))  # letters in a font of their own
    assert not any(is_choices(line(text)) for text in ("A. one two", "one A. two B. three", "B. one A. two"))
