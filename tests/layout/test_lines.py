"""Lines: words on one baseline, never across a gutter, whatever order the words come in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.lines import Line, is_rtl, lines_of, snapped, steadied
from docparse.layout.text.markers import is_marker
from docparse.layout.text.words import Word
from docparse.types import Box


def word(text: str, x: float, baseline: float, size: float = 10.0, **kwargs) -> Word:
    width = kwargs.pop("width", 0.5 * size * len(text))
    box = Box(x, baseline - 0.8 * size, x + width, baseline + 0.2 * size)
    return Word(text=text, box=box, baseline=baseline, size=size, **kwargs)


def typeset(rows: list[str], x: float = 50, top: float = 100, space: float = 3.0, size: float = 10.0) -> list[Word]:
    """Rows of words, numbered in the order they are set."""
    words: list[Word] = []
    for r, row in enumerate(rows):
        left = x
        for text in row.split():
            words.append(word(text, left, top + 1.2 * size * r, size))
            left = words[-1].box.x1 + space
    return words


def numbered(words: list[Word]) -> list[Word]:
    fields = Word.__struct_fields__
    return [Word(**({f: getattr(w, f) for f in fields} | {"index": i})) for i, w in enumerate(words)]


def texts(words: list[Word]) -> list[str]:
    return [line.text for line in lines_of(words)]


rows = st.lists(
    st.lists(st.text("abcdefgh", min_size=1, max_size=7), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6
)


@given(rows, st.randoms(use_true_random=False))
def test_rows_come_back_as_lines_in_any_input_order(page: list[str], random) -> None:
    words = numbered(typeset(page))
    random.shuffle(words)
    assert texts(words) == page


@given(rows, rows)
def test_two_columns_never_share_a_line(left: list[str], right: list[str]) -> None:
    words = numbered(typeset(left) + typeset(right, x=350))
    assert sorted(texts(words)) == sorted(left + right)


@given(rows)
def test_no_word_is_lost_and_none_appears_twice(page: list[str]) -> None:
    words = numbered(typeset(page))
    assert sorted(w.index for line in lines_of(words) for w in line.words) == [w.index for w in words]


def test_columns_stored_row_by_row_are_cut_at_their_narrow_gutter() -> None:
    left = ["aaaa bbbb cccc dddd", "eeee ffff gggg hhhh", "iiii jjjj kkkk llll", "mmmm nnnn oooo pppp"]
    right = [row.upper() for row in left]
    words = []
    for r, (a, b) in enumerate(zip(left, right, strict=True)):
        row = typeset([a], top=100 + 12 * r)
        words += row + typeset([b], x=row[-1].box.x1 + 8, top=100 + 12 * r)
    assert sorted(texts(numbered(words))) == sorted(left + right)


def test_a_justified_line_with_wide_spaces_stays_whole() -> None:
    words = typeset(["narrow spaces in every line but one", "wide", "narrow spaces in every line but one"])
    wide = typeset(["wide gaps here"], top=112, space=14)
    words = [w for w in words if w.text != "wide"] + wide
    assert "wide gaps here" in texts(numbered(words))


@given(st.floats(20, 50))
def test_the_few_words_of_a_justified_heading_stand_evenly_far_apart_and_are_a_line(space: float) -> None:
    heading = typeset(["Mouse genes target"], space=space)
    assert texts(numbered(heading)) == ["Mouse genes target"]
    row = [word("Mouse", 50, 100), word("genes", 110, 100), word("target", 210, 100)]  # cells
    assert len(texts(numbered(row))) == 3


LEFT_AND_RIGHT = ["aaaaaa bbbbbb cccccc", "dddddd eeeeee ffffff"]


def columns_by_row(right: float = 158) -> list[Word]:
    """Two columns of seven lines with a gutter of an em between them, stored row by row."""
    left, other = (typeset([row] * 7, x=x) for row, x in zip(LEFT_AND_RIGHT, (50, right), strict=True))
    return [word for row in range(7) for column in (left, other) for word in column[3 * row : 3 * row + 3]]


def test_a_headline_over_columns_does_not_join_them() -> None:
    headline = word("Headline", 50, 85, 30, width=200)
    assert (
        texts(numbered([headline, *columns_by_row()]))
        == ["Headline"] + ["aaaaaa bbbbbb cccccc", "dddddd eeeeee ffffff"] * 7
    )


@pytest.mark.parametrize(("gap", "joined"), [(4.0, True), (14.0, False)])
def test_large_words_and_small_print_on_their_right_are_one_line_only_close_together(gap: float, joined: bool) -> None:
    large = word("Instructions", 50, 100, 18, width=80)
    small = word("deduction", large.box.x1 + gap, 100, 9.5)
    assert len(texts(numbered([large, small]))) == (1 if joined else 2)


def test_one_line_that_ocr_took_across_the_gutter_does_not_join_the_others() -> None:
    columns = columns_by_row()
    across = word("merged", 116, columns[2].baseline, width=72)
    found = texts(numbered([*columns[:2], across, *columns[4:]]))
    assert found[1:] == LEFT_AND_RIGHT * 6


def test_a_gutter_of_an_em_is_one_beside_an_indent_that_makes_it_wider() -> None:
    columns = columns_by_row(right=155.5)
    indented = [*columns[:21], word("indent", 160, 136), *columns[24:]]
    assert "indent" in texts(numbered(indented))


@pytest.mark.parametrize("number", ["1", "12", "7.4.2"])
def test_numbers_hanging_before_clauses_are_in_their_lines(number: str) -> None:
    numbers = [word(number, 50, 100 + 12 * row, width=20) for row in range(7)]
    clauses = typeset(["aaaaaa bbbbbb cccccc"] * 7, x=82)
    rows = [word for row in range(7) for word in (numbers[row], *clauses[3 * row : 3 * row + 3])]
    assert texts(numbered(rows)) == [f"{number} aaaaaa bbbbbb cccccc"] * 7


def test_the_spaces_of_typewriter_type_one_over_the_other_are_no_gutter() -> None:
    rows = [word(text, 50 + 6 * x, 100 + 12 * r, width=6 * len(text), mono=True)
            for r in range(5) for text, x in (("Term", 0), (f"{r}:", 5), ("means", 8), (f"{r}", 14))]  # fmt: skip
    assert texts(numbered(rows)) == [f"Term {r}: means {r}" for r in range(5)]


def test_superscripts_belong_to_their_line() -> None:
    base = word("x", 50, 100)
    words = [base, word("2", base.box.x1, 96.5, 6.5, glued=True), word("end", base.box.x1 + 8, 100)]
    assert texts(numbered(words)) == ["x2 end"]


def test_a_list_marker_far_from_its_item_joins_it() -> None:
    words = [word("•", 50, 100), word("item", 78, 100), word("•", 50, 112), word("other", 78, 112)]
    assert texts(numbered(words)) == ["• item", "• other"]


def test_an_equation_number_at_the_end_of_a_column_does_not_join_the_next_column() -> None:
    left = typeset(["some text of the left column", "and more text of this column", "the end of this left column"])
    right = typeset(["words on the right", "words on the right", "words on the right"], x=225)
    number = word("(1)", 165, 136)
    following = typeset(["words on the right"], x=200, top=136)
    assert "(1)" in texts(numbered([*left, number, *following, *right]))


def test_a_drop_cap_is_the_first_letter_of_its_first_line() -> None:
    cap = word("O", 50, 124, 34, width=24)
    words = [cap, *typeset(["nce upon a time there", "was a line of text and", "then there was another"], x=76)]
    assert texts(numbered(words))[0] == "Once upon a time there"


def test_right_to_left_lines_keep_the_order_in_which_they_were_stored() -> None:
    words = [word("שלום", 120, 100), word("עולם", 90, 100)]
    line = lines_of(numbered(words))[0]
    assert line.text == "שלום עולם"
    assert line.rtl and is_rtl(line.text)


def test_rows_of_dots_drawn_as_a_rule_are_dropped() -> None:
    assert texts(numbered(typeset([". . . . . . . . .", "text stays"]))) == ["text stays"]


@pytest.mark.parametrize("text", ["•", "–", "3.", "12)", "(a)", "iv.", "[7]", "B."])
def test_markers(text: str) -> None:
    assert is_marker(text)


@pytest.mark.parametrize("text", ["a", "12", "word", "3.1", "(see", "1234.", "."])
def test_no_markers(text: str) -> None:
    assert not is_marker(text)


def test_a_steadied_line_has_one_size_and_one_baseline() -> None:
    line = Line((word("noisy", 50, 100, 10.4), word("words", 90, 101, 9.1), word("measured", 130, 99.4, 10.4)))
    assert {(w.size, w.baseline) for w in steadied(line).words} == {(10.4, 99.4)}


def test_sizes_near_the_usual_one_are_snapped_to_it_and_headings_are_not() -> None:
    lines = [Line((word("a" * 30, 50, 100, size),)) for size in (10.0, 10.0, 11.0, 9.2)]
    heading = Line((word("Heading", 50, 60, 16.0),))
    assert [line.size for line in snapped([heading, *lines], 0.2)] == [16.0, 10.0, 10.0, 10.0, 10.0]


@pytest.mark.parametrize("label", ["Section 8.12", "1.1.", "Exhibit F-1", "Anlage 3", "Article IV."])
def test_the_name_of_a_part_far_from_its_title_joins_it(label: str) -> None:
    words = [w for i in range(4) for w in typeset([label], top=100 + 14 * i)]
    x = words[-1].box.x1 + 22
    titles = [w for i in range(4) for w in typeset(["Existing indebtedness"], x=x, top=100 + 14 * i)]
    assert texts(numbered([*words, *titles])) == [f"{label} Existing indebtedness"] * 4
