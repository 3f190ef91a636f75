"""Hyphens at line ends: what the rest of the document says of them."""

from __future__ import annotations

from docparse.layout.document.hyphens import SOFT, Hyphens, divided
from docparse.types import Block, Box, Category, Span

BOX = Box(0, 0, 100, 20)


def block(*texts: str) -> Block:
    return Block(category=Category.TEXT, box=BOX, spans=tuple(Span(text) for text in texts))


def settled(text: str, *others: str) -> str:
    hyphens = Hyphens()
    for each in (text, *others):
        hyphens.add(block(each))
    return hyphens.settle(block(text)).text


def test_a_word_that_occurs_joined_was_divided_and_one_with_a_hyphen_keeps_it() -> None:
    assert settled(f"an exam{SOFT}ple of it", "Another example, by example.") == "an example of it"
    assert settled(f"is self{SOFT}contained", "Nothing self-contained is ever.") == "is self-contained"


def test_two_words_of_the_document_are_a_compound() -> None:
    many = " ".join(f"exam{SOFT}ple" for _ in range(9))
    assert settled(f"the bounded{SOFT}error class", "an error is bounded", many) == "the bounded-error class"


def test_a_single_letter_is_never_left_on_a_line_by_division() -> None:
    assert settled(f"the p{SOFT}value") == "the p-value"


def test_who_hardly_ever_ends_a_line_with_a_hyphen_divides_no_words() -> None:
    prose = "plain words without any division " * 200
    assert settled(f"a near{SOFT}matching entry", prose) == "a near-matching entry"
    assert (
        settled(f"a near{SOFT}matching entry", " ".join(f"sepa{SOFT}ration" for _ in range(9)))
        == "a nearmatching entry"
    )


def test_without_a_document_every_mark_divides_and_none_is_left() -> None:
    assert divided(block(f"exam{SOFT}ple", f" broken{SOFT}")).text == "example broken"
