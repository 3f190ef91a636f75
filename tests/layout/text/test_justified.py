"""Justified lines: their words are one line however far apart they stand; cells are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from typeset import numbered, row, word

from docparse.layout.tables import find_tables
from docparse.layout.tables.ink import Ink
from docparse.layout.text.justified import with_stretched_spaces
from docparse.layout.text.line_finding import lines_of
from docparse.pdf.content import NO_STROKES
from docparse.types import Box

LEFT, RIGHT, SPACE = 50, 270, 3
TEXT = st.text("abcdefgh", min_size=4, max_size=20)


def typeset(words):
    """Words of 6 points a letter broken into lines and justified, as a browser does it: [(text of the line, words)]."""
    lines, room = [[]], 0
    for text in words:
        if 6 * len(text) > room:
            lines.append([])
            room = RIGHT - LEFT
        lines[-1].append(text)
        room -= 6 * len(text) + SPACE
    result = []
    for k, texts in enumerate(lines[1:]):
        free = RIGHT - LEFT - 6 * sum(map(len, texts))
        last = k == len(lines) - 2
        space, x = SPACE if last else free / max(1, len(texts) - 1), LEFT
        placed = []
        for text in texts:
            placed.append(word(text, x, 100 + 12 * k, 10, width=6 * len(text)))
            x += 6 * len(text) + space
        result.append((" ".join(texts), placed))
    return result


@given(st.lists(TEXT, min_size=8, max_size=25))
def test_a_line_filled_by_wide_spaces_is_one_line_if_it_has_three_words_or_lies_beside_such_a_line(words):
    lines = typeset(words)
    found = with_stretched_spaces(numbered(word for _, placed in lines for word in placed))
    at = {placed[0].baseline: (text, placed) for text, placed in lines}
    full = {y for y, (_, placed) in at.items() if len(placed) > 2 and y < lines[-1][1][0].baseline}
    margin = {
        y for y in full if any(z in at and len(at[z][1]) > 1 for z in (y - 12, y + 12) if z < lines[-1][1][0].baseline)
    }
    texts = [line.text for line in lines_of(found)]
    assert {at[y][0] for y in margin} <= set(texts)
    assert not find_tables(found, NO_STROKES, Box(0, 0, 400, 700))


def rows(*texts, below):
    """A full line and under it rows of words whose last one ends at the same margin."""
    placed = row("aaaaa bbbbb ccccc ddddd eeeee ffffff", LEFT, 88)
    right = placed[-1].box.x1
    for k, text in enumerate(texts):
        first, *rest = text.split()
        width, count = 6 * len(text.replace(" ", "")), len(rest)
        space, x = (right - LEFT - width) / count, LEFT
        for part in (first, *rest):
            placed.append(word(part, x, 100 + 12 * k, 10, width=6 * len(part)))
            x += 6 * len(part) + space
    return numbered([*placed, *row(below, LEFT, 100 + 12 * len(texts))])


def stretched(words):
    return [word.text for word in with_stretched_spaces(words) if word.stretched]


@pytest.mark.parametrize(
    "text, below, words",
    [
        ("aaaa bbbbb", "a" * 24, ["bbbbb"]),
        ("aaaa bbbbb", "name", []),  # a label and its value
        ("1 2 3 4 5", "a" * 24, []),
        ("landscapes 12 a 7", "a" * 24, []),  # a name and its figures
    ],
)
def test_a_word_that_would_not_have_had_room_proves_wide_spaces_where_no_figures_are(text, below, words):
    assert stretched(rows(text, below=below)) == words


@pytest.mark.parametrize("address, words", [("http://a.", ["http://a."]), ("http://a", [])])
def test_a_line_of_two_words_is_stretched_where_its_end_cuts_an_address(address, words):
    line = [word("Source", LEFT, 100, width=36), word(address, 150, 100, width=120, mono=True)]
    assert stretched(numbered([*line, word("sourcesoftides.net", LEFT, 112, width=108, mono=True)])) == words


def test_spaces_that_differ_part_cells():
    uneven = rows("aaaa bbbb cccc", below="a" * 24)
    moved = [w if w.text != "bbbb" else word(w.text, w.box.x0 + 8, w.baseline, 10, width=24) for w in uneven]
    assert stretched(uneven) == ["bbbb", "cccc"]
    assert stretched(numbered(moved)) == []


def reference(numbers, beside):
    """Two lines of an entry in a list, whose spaces are wide, over the next line and under one of `beside`."""
    named = row("Lowell U. and Callaghan R. Annals", LEFT, 112, right=RIGHT)
    figures, address = row(numbers, LEFT, 124, right=RIGHT), word("http://" + 30 * "a", LEFT, 136)
    return numbered([*row(beside, LEFT, 100, right=RIGHT), *named, *figures, address])


def test_a_line_of_figures_is_stretched_beside_a_stretched_line_that_fills_its_column():
    close = "Hale 19 2617-2632 (2002), [18] 547, 1-15 12 99"
    words = ["U.", "and", "Callaghan", "R.", "Annals", "469,", "437", "(1996)."]
    assert stretched(reference("J. 469, 437 (1996).", close)) == words
    assert stretched(reference("J. 469, 437 (1996).", "19 26")) == []


def broken_as_a_whole(spaces, size, hang=0.0):
    """Two lines, of which the first is stretched though the next word had room in it, and ends with code that hangs
    over the margin."""
    placed, x = [], LEFT
    for text, space in zip(("aaaa", "bbbb", "cc"), spaces, strict=True):
        placed.append(word(text, x, 100, 10, width=20))
        x += 20 + space
    code = word("d::d", x, 100, size, width=RIGHT + hang - x, mono=True)
    return numbered([*placed, code, *row("ee ffff gggg hhhh iiii", LEFT, 112, right=RIGHT)])


def test_spaces_that_are_the_same_to_a_hair_prove_a_paragraph_that_is_broken_as_a_whole():
    assert stretched(broken_as_a_whole((15, 15, 15), 10)) == ["bbbb", "cc", "d::d"]
    assert "bbbb" not in stretched(broken_as_a_whole((15, 15.4, 15), 10))


def test_code_is_part_of_a_stretched_line_though_its_type_is_smaller_and_points_hang_over_the_margin():
    assert "bbbb" in stretched(broken_as_a_whole((15, 15, 15), 8, hang=1.8))
    assert "bbbb" not in stretched(broken_as_a_whole((15, 15, 15), 8, hang=4))


def test_what_stands_within_reach_of_a_stretched_word_keeps_its_place():
    placed = numbered(rows("aaaa bbbb cccc", below="a" * 24))
    found = with_stretched_spaces(placed)
    first, second, third = found[-4:-1]
    near = replace(second, box=replace(second.box, x0=first.box.x1 + 4))
    assert Ink.of([first, near, third]).box[0, 2] == pytest.approx(first.box.x1)
