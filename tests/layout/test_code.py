"""Code: which words are a listing, and its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.code import find_code
from docparse.layout.text.inline import spans_of
from docparse.layout.text.words import Word
from docparse.types import Box, Span

ADVANCE = 6.0  # of a monospaced font of 10 points


def words(text: str, x: float = 60, baseline: float = 100, index: int = 0, mono: bool = True) -> list[Word]:
    found, at = [], 0
    for part in text.split(" "):
        if part:
            left = x + ADVANCE * at
            box = Box(left, baseline - 8, left + ADVANCE * len(part), baseline + 2)
            found.append(Word(text=part, box=box, baseline=baseline, size=10, mono=mono, index=index + at))
        at += len(part) + 1
    return found


def page(*lines: str, x: float = 60, top: float = 100, mono: bool = True) -> list[Word]:
    rows = (words(line, x, top + 12 * i, int(1000 * top) + 100 * i, mono) for i, line in enumerate(lines))
    return [word for row in rows for word in row]


PROSE = page(*["a line of prose that is set in another font"] * 8, top=400, mono=False)


def texts(*parts: list[Word]) -> list[str]:
    return [block.text for block in find_code([*PROSE, *(word for part in parts for word in part)])]


LINE = st.tuples(st.integers(0, 3), st.sampled_from(["if x == 1:", "return y", "a  = b", "{};"]))
LINES = st.lists(LINE, min_size=2, max_size=24)  # so many fit above the prose


@given(LINES)
def test_lines_and_indentation_are_kept(lines: list[tuple[int, str]]) -> None:
    listing = [" " * 4 * (depth - min(d for d, _ in lines)) + line for depth, line in lines]
    assert texts(page(*listing)) == ["\n".join(listing)]


def test_blank_lines_are_kept() -> None:
    assert texts(page("import sys", "", "def main():", "    pass")) == ["import sys\n\ndef main():\n    pass"]


def test_a_command_by_itself_is_code_and_a_name_in_a_sentence_is_none() -> None:
    sentence = [*words("Type", mono=False), *words("make", 90, index=10), *words("now.", 120, index=20, mono=False)]
    assert texts(page("make install", top=200), sentence) == ["make install"]


def test_the_end_of_a_paragraph_that_happens_to_be_a_name_is_none() -> None:
    text = page("It is required to be a symbolic link to the folder", top=200, mono=False)
    assert texts(text, page("/run/lock.", top=212)) == []


@pytest.mark.parametrize("numbers", [["1", "2", "3"], ["10", "11", "12"]])
def test_the_numbers_of_lines_are_left_out(numbers: list[str]) -> None:
    code = ["def f():", "", "    return 1"]
    inner = page(*(f"{number:>2}  {line}" for number, line in zip(numbers, code, strict=True)))
    assert texts(inner) == ["def f():\n\n    return 1"]
    outer = [*page(*numbers, x=30, mono=False), *page(*code)]
    assert texts(outer) == ["def f():\n\n    return 1"]


def test_cells_beside_text_are_no_code() -> None:
    row = [*words("getent", index=0), *words("browse the account of a user", 250, index=50, mono=False)]
    assert texts(row) == []


def test_a_letter_in_typewriter_type_is_no_code() -> None:
    lines = page(*["This memo is set in a typewriter face throughout", "and it has nothing else in it at all, yes"] * 9)
    assert find_code(lines) == []
    assert texts(page("This memo is set in a typewriter face.")) == []


def test_chinese_type_is_all_of_one_width_and_no_code() -> None:
    assert texts(page("会议 纪要")) == []


def test_names_are_code_within_text_in_another_font() -> None:
    row = [*words("Type", mono=False), *words("make", 90), *words("now.", 120, mono=False)]
    assert spans_of([row]) == (Span("Type "), Span("make ", code=True), Span("now."))
    assert spans_of([words("all of it")]) == (Span("all of it"),)
