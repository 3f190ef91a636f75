"""Categories: what the type of a group of lines says it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.kinds.classify import categorise, marker_of, page_style
from docparse.layout.text.groups import Group
from docparse.layout.text.items import found_markers, list_marker, without_item_marker, without_marker
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box, Category, Span, plain

PAGE = Box(0, 0, 600, 800)
PROSE = ["a line of prose that is long enough to be taken", "for running text by the measure of the page"]


def line(text: str, x: float, baseline: float, size: float = 10.0, **style) -> Line:
    words, left = [], x
    for part in text.split():
        box = Box(left, baseline - 0.8 * size, left + 0.5 * size * len(part), baseline + 0.2 * size)
        words.append(Word(text=part, box=box, baseline=baseline, size=size, **style))
        left = box.x1 + 0.3 * size
    return Line(tuple(words))


def group(*texts: str, x: float = 60, top: float = 300, **style) -> Group:
    size = style.get("size", 10.0)
    return Group([line(text, x, top + 1.2 * size * i, **style) for i, text in enumerate(texts)])


NOTHING = np.zeros((0, 4), np.float32)


def named(
    item: Group, *others: Group, floats: list[Box] | None = None, rulings: np.ndarray = NOTHING, noisy: bool = False
) -> Category:
    heads = [some.lines[0] for some in (item, *others)]
    item = replace(item, marker=found_markers(heads, [None] * len(heads)).get(0))
    body = [group(*PROSE * 3, top=400), *others]
    return categorise(item, page_style([item, *body], PAGE, noisy=noisy), floats or [], rulings)


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("Large words", {"size": 14.0}),
        ("Bold words", {"bold": True}),
        ("2.1 Bold and numbered", {"bold": True}),
        ("IV. NEW BUSINESS", {}),
        ("I. INTRODUCTION", {"size": 8.0}),  # small capitals
        ("MISCELLANEOUS PROVISIONS", {"bold": True, "size": 9.0}),
        ("1. Set-up", {"italic": True}),
        ("References", {}),
        ("Is this a question?", {"size": 14.0}),
        ("서론 · 결론", {"size": 14.0}),
        ("CO₂ tax", {"size": 14.0}),
    ],
)
def test_type_that_stands_out_is_a_heading(text: str, style: dict) -> None:
    assert named(group(text, **style)) is Category.SECTION_HEADER


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("Plain words", {}),
        ("This is a whole sentence in large type, and it ends.", {"size": 14.0}),
        ("“A quotation that a magazine pulled out of the story”", {"size": 16.0}),
        ("Total 82.11 EUR", {"bold": True}),
        ("Bold words that go on,", {"bold": True}),
        ("Small bold words", {"bold": True, "size": 9.0}),
        ("1984 2000 17", {"size": 14.0}),
        ("(2sin²x₁+ 2", {"size": 14.0}),
        ("f(x) = ab", {"bold": True}),
    ],
)
def test_sentences_sums_and_numbers_are_no_headings(text: str, style: dict) -> None:
    assert named(group(text, **style)) is Category.TEXT


def test_a_number_in_the_middle_over_text_begins_a_heading_and_one_at_the_margin_an_item() -> None:
    below, style = group(*PROSE * 3, top=330), page_style([group(*PROSE * 3)], PAGE)
    width = group("1. Preliminaries").box.width
    for x, expected in (((below.box.x0 + below.box.x1 - width) / 2, Category.SECTION_HEADER), (60, Category.LIST_ITEM)):
        item = group("1. Preliminaries", x=x)
        item = replace(item, marker=found_markers(item.lines, [None]).get(0))
        assert categorise(item, style, [], NOTHING, below) is expected


def test_bold_is_no_distinction_on_a_bold_page() -> None:
    bold = [group(*PROSE * 6, top=500, bold=True)]
    assert named(group("Bold words", bold=True), *bold) is Category.TEXT


@pytest.mark.parametrize("marker", ["•", "1.", "(a)", "iv)", "12)", "-"])
def test_a_marker_begins_a_list_item(marker: str) -> None:
    item = group(f"{marker} some words")
    assert named(item) is Category.LIST_ITEM
    assert list_marker(item.lines[0]) == marker
    assert without_item_marker(item.lines[0], marker).text == "some words"


@pytest.mark.parametrize("marker", ["A.", "J.", "—", "*", "–"])
def test_an_initial_or_a_lone_dash_is_no_marker(marker: str) -> None:
    assert named(group(f"{marker} Author")) is Category.TEXT


@pytest.mark.parametrize(("first", "second"), [("A.", "B."), ("I.", "II."), ("X.", "IX."), ("*", "*"), ("−", "−")])
def test_letters_and_dashes_in_company_are_markers(first: str, second: str) -> None:
    assert named(group(f"{first} apples"), group(f"{second} pears", top=350)) is Category.LIST_ITEM


def test_ornaments_references_and_hyphens_are_no_markers() -> None:
    assert not list_marker(group("* * *").lines[0])
    assert not list_marker(group("[12] A. Author").lines[0])
    glued = Line(
        (line("-", 60, 300).words[0], Word(text="ly", box=Box(65, 292, 75, 302), baseline=300, size=10, glued=True))
    )
    assert not list_marker(glued)


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=("Cs",)), min_size=1))
def test_taking_the_marker_off_loses_nothing_else(text: str) -> None:
    item = line(f"{text} and words", 60, 300)
    marker = list_marker(item)
    assert item.text.startswith(marker)
    rest = item.text.removeprefix(marker).strip()
    assert plain(without_marker((Span(item.text),), marker)).strip() == rest
    assert without_item_marker(item, marker).text.strip() == rest


def test_a_caption_begins_like_one_beside_its_float() -> None:
    figure = Box(60, 100, 300, 280)
    assert named(group("Figure 3 Flow of things", top=300), floats=[figure]) is Category.CAPTION
    assert named(group("Figure 3 shows nothing", top=300), floats=[figure]) is Category.TEXT
    assert named(group("Figure 3 Flow of things", top=700), floats=[figure]) is Category.TEXT
    assert named(group("Table 2: Counts", top=700)) is Category.CAPTION


def raised(mark: str, text: str, top: float = 740) -> Group:
    words = line(text, 66, top, 8.0).words
    first = Word(text=mark, box=Box(60, top - 8, 64, top - 3), baseline=top - 3, size=5.0)
    return Group([Line((first, *words))])


def test_small_print_low_on_the_page_with_a_raised_mark_is_a_footnote() -> None:
    note = raised("3", "See the second chapter.")
    assert named(note) is Category.FOOTNOTE
    assert marker_of(note, Category.FOOTNOTE) == "3"
    assert named(raised("3", "See the second chapter.", top=200)) is not Category.FOOTNOTE


def test_small_print_under_a_short_stroke_is_a_footnote() -> None:
    stroke = np.array([[60, 720, 200, 720]], np.float32)
    assert named(group("See chapter two.", top=740, size=8.0), rulings=stroke) is Category.FOOTNOTE
    assert named(group("See chapter two.", top=740, size=8.0)) is Category.TEXT
    assert named(group("See chapter two.", top=740, size=10.0), rulings=stroke) is Category.TEXT


def test_a_mark_glued_to_the_note_is_found() -> None:
    note = group("1A note of its own", top=740, size=8.0)
    assert marker_of(note, Category.FOOTNOTE) == "1"
    assert plain(without_marker((Span("1A note"),), "1")) == "A note"
    assert plain(without_marker((Span("^{1}", math=True), Span(" A note")), "1")) == "A note"


def test_a_page_of_headings_only_has_a_style() -> None:
    style = page_style([group("One", size=20.0), group("Two", size=20.0)], PAGE)
    assert style.body == style.prose == 20.0
    assert page_style([], PAGE).body > 0


def test_two_text_sizes_are_both_prose() -> None:
    small = [group(*PROSE * 4, top=100, size=8.0)]
    style = page_style([*small, group(*PROSE * 2, top=500, size=10.0)], PAGE)
    assert style.body == 8.0
    assert style.prose == 10.0


def test_the_short_lines_of_an_address_are_no_heading_and_those_of_a_title_are() -> None:
    assert named(group("Pino Bluebird", "Sesame Street 32", "1025 RX Amsterdam", size=12.0)) is Category.TEXT
    assert named(group("Pino Bluebird", "Sesame Street", "and Friends", size=24.0)) is Category.SECTION_HEADER
    assert named(group("What the birds of", "the Street said", size=12.0)) is Category.SECTION_HEADER
