"""List items: which lines of a page begin one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.kinds.inside import inside_items
from docparse.layout.text.groups import Group
from docparse.layout.text.items import found_markers, list_marker, marker_alone, without_item_marker
from docparse.layout.text.lines import Line
from docparse.layout.text.markers import readings
from docparse.layout.text.marks import with_marks
from docparse.layout.text.words import Word
from docparse.types import Box, Category


def line(text: str, x: float = 60, baseline: float = 100, rtl: bool = False, **style) -> Line:
    """Words of 10 points, from `x` to the right, or to the left from there."""
    words, at = [], x
    for index, part in enumerate(text.split()):
        width = 5.0 * len(part)
        box = (
            Box(at - width, baseline - 8, at, baseline + 2) if rtl else Box(at, baseline - 8, at + width, baseline + 2)
        )
        words.append(Word(text=part, box=box, baseline=baseline, size=10, index=10 * index, **style))
        at += -(width + 3) if rtl else width + 3
    return Line(tuple(words))


def sure(*lines: Line) -> list[bool]:
    above = [None, *range(len(lines) - 1)]
    found = found_markers(lines, above)
    return [i in found and found[i].sure for i in range(len(lines))]


@pytest.mark.parametrize(
    ("first", "second"),
    [("1.", "2."), ("1)", "2)"), ("(1)", "(2)"), ("a.", "b."), ("(a)", "(b)"), ("i.", "ii."), ("ix)", "x)"),
     ("A.", "B."), ("①", "②"), ("１．", "２．"), ("·", "·"), ("–", "–"), ("☐", "☑")],
)  # fmt: skip
def test_markers_that_follow_each_other_begin_items(first: str, second: str) -> None:
    lines = line(f"{first} apples and"), line("no marker here", baseline=112), line(f"{second} pears", baseline=124)
    assert sure(*lines) == [True, False, True]


def test_a_number_at_the_start_of_a_line_is_no_item_by_itself() -> None:
    assert (
        sure(line("He was born in May of the year"), line("12. He died", baseline=112), line("at home", baseline=124))
        == [False] * 3
    )


def test_numbers_that_stand_elsewhere_are_no_company() -> None:
    assert sure(line("1. apples and many other words"), line("2. pears", x=150, baseline=112)) == [False, False]


def test_a_hanging_line_tells_an_item_that_is_alone() -> None:
    assert sure(line("4. The last of a list that began"), line("on another page", x=73, baseline=112)) == [True, False]


def test_the_dash_of_a_dialogue_is_no_marker_of_a_list() -> None:
    assert sure(line("— Yes."), line("— No.", baseline=112)) == [False, False]


def test_items_that_are_read_from_the_right_have_their_markers_there() -> None:
    lines = line("1. كلمات أخرى هنا", x=300, rtl=True), line("2. كلمات", x=300, baseline=112, rtl=True)
    assert sure(*lines) == [True, True]
    marker = marker_alone(lines[0])
    assert marker is not None
    assert (marker.start, marker.words) == (-300, -287)


def test_the_bullet_of_word_processors_is_an_o_in_a_typewriter_font() -> None:
    bullet, words = line("o", mono=True).words, line("second level", x=80).words
    assert list_marker(Line((*bullet, *words))) == "o"
    assert not list_marker(Line((*line("o").words, *words)))


@pytest.mark.parametrize(
    ("marker", "expected"),
    [("3.", [("1.", 3)]), ("(b)", [("(a)", 2)]), ("i.", [("i.", 1), ("a.", 9)]), ("•", [("•", 0)]), ("③", [("①", 3)]),
     ("二十三、", [("一、", 23)]), ("（十）", [("（一）", 10)]), ("ب.", [("أ.", 2)])],
)  # fmt: skip
def test_what_a_marker_counts(marker: str, expected: list[tuple[str, int]]) -> None:
    assert list(readings(marker)) == expected


@pytest.mark.parametrize(
    ("text", "rest"), [("• words", "words"), ("一、会议", "会议"), ("1)Nested item", "Nested item")]
)
def test_an_item_without_its_marker_has_its_words(text: str, rest: str) -> None:
    item = line(text)
    assert without_item_marker(item, list_marker(item)).text == rest


def test_a_shape_before_a_line_is_its_bullet() -> None:
    words = [*line("first item", x=80, baseline=100).words, *line("second item", x=80, baseline=114).words]
    marks = [(Box(68, 95, 71, 98), "•"), (Box(68, 109, 71, 112), "•")]
    added = with_marks(words, marks)[len(words) :]
    assert [(word.text, word.baseline, word.size) for word in added] == [("•", 100, 10), ("•", 114, 10)]


@pytest.mark.parametrize(
    "mark", [Box(95, 95, 98, 98), Box(20, 95, 23, 98), Box(68, 60, 71, 63), Box(60, 85, 76, 101)],
    ids=["between words", "far away", "on no line", "large"],
)  # fmt: skip
def test_other_shapes_are_no_bullets(mark: Box) -> None:
    words = line("one two", x=80).words
    assert with_marks(words, [(mark, "•")]) == list(words)


@given(st.lists(st.tuples(st.floats(0, 600), st.floats(0, 800)), max_size=6))
def test_shapes_add_bullets_and_change_no_word(places: list[tuple[float, float]]) -> None:
    words = [*line("one two", x=80, baseline=100).words, *line("three", x=80, baseline=114).words]
    found = with_marks(words, [(Box(x, y, x + 3, y + 3), "•") for x, y in places])
    assert found[: len(words)] == words
    assert {word.text for word in found[len(words) :]} <= {"•"}


def test_a_paragraph_flush_with_the_words_of_an_item_belongs_to_it() -> None:
    item = line("1. An item that goes on")
    groups = [
        Group([item], marker=marker_alone(item)),
        Group([line("A second paragraph", x=73, baseline=118)]),
        Group([line("The end.", x=60, baseline=136)]),
        Group([line("far away", x=73, baseline=300)]),
    ]
    assert inside_items(groups, [Category.LIST_ITEM, *[Category.TEXT] * 3]) == {1}
