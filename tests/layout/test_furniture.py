"""Furniture: what is dropped at the edges of a page, and what never is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.kinds.furniture import find_furniture
from docparse.layout.text.groups import Group
from docparse.layout.text.items import marker_alone
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box, Category

PAGE = Box(0, 0, 600, 800)
HEADER, FOOTER = Category.PAGE_HEADER, Category.PAGE_FOOTER


def line(text: str, x: float, top: float, size: float = 10.0, **style) -> Line:
    words, left = [], x
    for part in text.split():
        box = Box(left, top, left + 0.5 * size * len(part), top + size)
        words.append(Word(text=part, box=box, baseline=top + 0.8 * size, size=size, **style))
        left = box.x1 + 0.3 * size
    return Line(tuple(words))


def group(text: str, top: float, x: float = 60, size: float = 10.0, **style) -> Group:
    only = line(text, x, top, size, **style)
    return Group([only], marker_alone(only))


def paragraphs(first: float = 100, last: float = 700) -> list[Group]:
    """Paragraphs of four lines, 12 points apart."""
    texts = ["a line of a paragraph that goes on and on"] * 4
    tops = np.arange(first, last - 40, 60)
    return [Group([line(text, 60, top + 12 * i) for i, text in enumerate(texts)]) for top in tops]


def dropped(*edges: Group, body: list[Group] | None = None, others: list[Box] | None = None) -> dict[str, Category]:
    groups = [*edges, *(paragraphs() if body is None else body)]
    found = find_furniture(groups, others or [], PAGE, 10.0)
    return {groups[i].text: category for i, category in found.items()}


@pytest.mark.parametrize("text", ["17", "- 17 -", "Page 3 of 12", "xiv", "A-3", "3 / 12"])
def test_page_numbers_are_furniture_at_either_edge(text: str) -> None:
    assert dropped(group(text, 760)) == {text: FOOTER}
    assert dropped(group(text, 40)) == {text: HEADER}


def test_a_running_head_beside_its_page_number_goes_with_it() -> None:
    assert dropped(group("The Guild Economy", 40), group("17", 40, x=500)) == {
        "The Guild Economy": HEADER,
        "17": HEADER,
    }


@pytest.mark.parametrize(
    "text", ["Downloaded from a library", "© 2024 A. Publisher", "Journal of Things, vol. 3, no. 2"]
)
def test_the_words_of_publishers_are_furniture(text: str) -> None:
    assert dropped(group(text, 760, size=8)) == {text: FOOTER}


def test_a_stamp_right_over_a_running_head_goes_with_it() -> None:
    stamp, head, number = group("Downloaded from a library", 30), group("Soils", 42), group("17", 42, x=500)
    assert set(dropped(stamp, head, number)) == {stamp.text, "Soils", "17"}


@pytest.mark.parametrize(
    "title",
    [
        group("Maria Gonzalez", 40, size=24),
        group("MASTER SERVICES AGREEMENT", 60, x=240, bold=True),
        group("1. First item of a list", 40),
        group("Table 2 Continued", 60),
    ],
    ids=["large", "centred capitals", "item", "caption"],
)
def test_titles_items_and_captions_stay(title: Group) -> None:
    assert not dropped(title)


def test_a_date_at_the_top_of_a_letter_and_a_name_at_its_end_stay() -> None:
    body = paragraphs(100, 400)
    assert not dropped(group("March 14, 2024", 60), group("Arthur Harcourt", 440), body=body)


def test_a_large_name_stays_beside_a_stamp_that_goes() -> None:
    name, issue = group("The Village Voice", 40, size=28), group("vol. 42, no. 5", 50, x=450)
    assert dropped(name, issue) == {"vol. 42, no. 5": HEADER}


def test_numbers_along_a_scale_are_no_page_numbers() -> None:
    scale = [group(str(n), 760 - 30 * i, x=x) for i, n in enumerate((950, 940)) for x in (60, 500)]
    assert not dropped(*scale, body=paragraphs(100, 600))


def test_text_along_the_margin_is_a_stamp() -> None:
    word = Word(text="arXiv:2401.01234v2", box=Box(20, 300, 34, 500), baseline=32, size=14, angle=270)
    inner = Word(text="Depth", box=Box(300, 300, 310, 340), baseline=308, size=10, angle=270)
    assert dropped(Group([Line((word,))]), Group([Line((inner,))])) == {word.text: HEADER}


def test_a_page_is_never_emptied() -> None:
    assert not dropped(group("Hello", 60), body=[])
    assert dropped(group("Hello", 60), group("17", 760), body=[]) == {"17": FOOTER}


@given(st.permutations(range(6)))
def test_the_order_of_the_groups_does_not_matter(order: list[int]) -> None:
    groups = [
        group("The Guild Economy", 40),
        group("17", 40, x=500),
        *paragraphs(100, 300),
        group("© A. B.", 760, size=8),
    ]
    shuffled = [groups[i] for i in order if i < len(groups)]
    shuffled += [g for g in groups if not any(g is s for s in shuffled)]
    found = find_furniture(shuffled, [], PAGE, 10.0)
    assert sorted(shuffled[i].text for i in found) == ["17", "The Guild Economy", "© A. B."]


@pytest.mark.parametrize("text", ["416 Chapter 9 Use Factors and Multiples", "The Guild Economy 17"])
def test_a_title_with_the_page_number_on_one_line_is_furniture(text: str) -> None:
    assert dropped(group(text, 760)) == {text: FOOTER}


@pytest.mark.parametrize(
    "text", ["It began in 1917.", "17 people came, and this is what they said and did there, all of them"]
)
def test_a_last_line_of_text_with_a_number_is_not(text: str) -> None:
    assert dropped(group(text, 706)) == {}


def test_letters_in_a_row_of_answers_are_no_page_numbers() -> None:
    answers = [group(text, 690, x=60 + 90 * i) for i, text in enumerate(["A one", "B two", "C", "D", "E five"])]
    assert dropped(*answers, group("17", 760), body=paragraphs(last=650)) == {"17": FOOTER}


def test_a_paragraph_that_names_an_address_or_a_number_stays() -> None:
    lines = [
        line("supported by the Grant No. 0757627 of a", 60, 40),
        line("foundation, see https://example.org", 60, 52),
    ]
    assert dropped(Group(lines)) == {}
