"""Monospaced lines of page images, by the places of their characters."""

from dataclasses import replace

import numpy as np
import pytest
from typeset import word

from docparse.layout.ocr.pitch import TypedLine, advances, typed_alike

WIDTHS = {"i": 0.4, "l": 0.4, "f": 0.5, "m": 1.5, "w": 1.4, " ": 0.45}


def typed(text, y=100.0, advance=6.0, even=True, noise=0.0, columns=None):
    """A line with characters `advance` points wide, or as wide as those of a book face are in proportion."""
    steps = np.array([1.0 if even else WIDTHS.get(character, 0.9) for character in text]) * advance
    centers = np.cumsum(steps) - steps / 2
    if columns is not None:
        centers = (np.array(columns) + 0.5) * advance
    jitter = np.random.default_rng(0).normal(0, noise * advance, len(text))
    return TypedLine(text, centers + jitter, y, 2.3 * advance)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_a_line_of_equal_steps_is_monospaced_and_a_line_of_a_book_is_not(noise):
    text = "for item in the list of all the files"
    code, book = typed(text, noise=noise), typed(text, even=False, noise=noise)
    assert advances([code]) == pytest.approx([6.0], rel=0.02)
    assert advances([book]) == [0.0]


NONE = {
    "narrow letters that happen to stand at equal distances": replace(
        typed("for item in the list of all"), height=20.0
    ),
    "figures, which are equally wide in every face": typed("1,024 2,048 4,096 8,192 16,384"),
    "one word of even letters": typed("Asynchronous"),
}


@pytest.mark.parametrize("line", NONE.values(), ids=NONE)
def test_what_may_be_chance_is_not_monospaced(line):
    assert advances([line]) == [0.0]


def test_two_lines_of_even_letters_are_no_chance():
    assert min(advances([typed("Asynchronous", 100), typed("synchronised", 200)])) > 0


def test_a_short_line_has_the_advance_of_a_long_one_whatever_the_gaps_in_it():
    long = typed("return the value of the sum", 100)
    short = typed("x = 1 # one", 112, columns=[0, 1, 2, 3, 4, 5, 14, 15, 16, 17, 18])
    wider = typed("x = 1; y = 2", 124, advance=7.5)
    assert [round(advance, 2) for advance in advances([long, short, wider])] == [6.0, 6.0, 0.0]
    assert advances([short]) == [0.0]


def test_chinese_that_stands_in_the_columns_of_code_is_no_code():
    code = typed("return the value of the sum", 100)
    prose = typed("每个元素都移动三次", 112, columns=range(0, 18, 2))
    assert [round(advance, 2) for advance in advances([code, prose])] == [6.0, 0.0]


def test_a_bracket_is_like_the_line_next_to_it():
    code, bracket, text = (
        typed("if something: return {", 100),
        typed("}", 112),
        typed("words of a book", 140, even=False),
    )
    assert advances([code, bracket, text])[1] == advances([code])[0]
    assert advances([text, bracket])[1] == 0.0


def test_a_heading_over_code_is_higher_than_code_and_has_no_columns():
    heading = replace(typed("Path", 80), height=20.0)
    option = replace(typed("--handler", 160), height=16.0)
    far = typed("2 / 12", 400, columns=[0, 1, 2, 3, 4, 5])
    code = [typed("def textdomain(domain=None):", 100), typed("return current_domain", 112)]
    assert advances([heading, *code, option, replace(far, text="2/12", centers=far.centers[:4])])[::3] == [0.0, 0.0]
    assert advances([*code, replace(far, text="2/12", centers=far.centers[:4])])[2] == 0.0


def test_monospaced_words_have_the_size_that_their_advance_tells():
    wide = [word("return", 50, 100, 10), word("value", 92, 100, 10), word("}", 50, 112, 13)]
    even = [
        word(each.text, each.box.x0, each.baseline, each.size, width=6 * len(each.text), mono=True) for each in wide
    ]
    assert [each.size for each in typed_alike(even)] == pytest.approx([10, 10, 10])
    assert typed_alike(wide) == wide


def test_on_a_typewritten_page_all_words_are_of_one_size_and_none_is_bold():
    typed_line = [
        word(text, 50 + 60 * k, 100, 10, width=6 * len(text), mono=True) for k, text in enumerate(["to", "go"])
    ]
    heavy = word("on", 170, 100, 12, bold=True)
    letterhead = word("BANK", 50, 40, 30, bold=True)
    found = typed_alike([*typed_line * 3, heavy, letterhead])
    assert (found[-2].size, found[-2].bold) == (10, False)
    assert found[-1] == letterhead
    assert typed_alike([typed_line[0], heavy, letterhead])[1] == heavy


def test_a_long_line_in_columns_is_typed_however_high_its_box_is():
    code = [typed("def textdomain(domain=None):", 100), replace(typed("s#/img#/a/#g 2019_*.py", 112), height=16.0)]
    assert min(advances(code)) > 0
