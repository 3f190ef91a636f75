"""Hyphens at line ends: what the rest of the document says of them."""

import pytest

from docparse.layout.document.hyphens import SOFT, Hyphens, divided
from docparse.types import Block, Box, Category, Span


def block(*texts):
    return Block(category=Category.TEXT, box=Box(0, 0, 100, 20), spans=tuple(map(Span, texts)))


MANY = " ".join(f"sepa{SOFT}ration" for _ in range(9))
CASES = {
    "a word that occurs joined": (f"an exam{SOFT}ple of it", ["Another example, by example."], "an example of it"),
    "one that occurs with its hyphen": (f"is self{SOFT}contained", ["Nothing self-contained."], "is self-contained"),
    "two words that occur": (
        f"the bounded{SOFT}error class", ["an error is bounded", MANY], "the bounded-error class"),
    "a letter alone": (f"the p{SOFT}value", [], "the p-value"),
    "lines hardly ever end so": (
        f"a near{SOFT}matching entry", ["plain words without any division " * 200], "a near-matching entry"),
    "lines often end so": (f"a near{SOFT}matching entry", [MANY], "a nearmatching entry"),
}  # fmt: skip


@pytest.mark.parametrize("text, others, settled", CASES.values(), ids=CASES)
def test_the_document_says_whether_a_hyphen_divides_or_joins(text, others, settled):
    hyphens = Hyphens()
    for each in (text, *others):
        hyphens.add(block(each))
    assert hyphens.settle(block(text)).text == settled


def test_without_a_document_every_mark_divides_and_none_is_left():
    assert divided(block(f"exam{SOFT}ple", f" broken{SOFT}")).text == "example broken"
