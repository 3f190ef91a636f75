"""Quotation marks that OCR reads as straight ones among curly ones: mostly those that close, which lie lower in the
picture of a line and look like two ticks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.layout.text.words import Word

OPENING, CLOSING = re.compile(r'^([(\[]*)"(?=\w)'), re.compile(r'(?<=[^\W\d]|[.,;:!?)\]])"(?=[\W\d]*$)')


def with_curly_quotes(words: Sequence[Word]) -> list[Word]:
    """Return the words of a page with straight quotation marks at their ends as curly ones, where most that open are;
    marks behind figures mean inches."""
    curly = sum("“" in word.text for word in words)
    if curly <= sum(OPENING.search(word.text) is not None for word in words):
        return list(words)
    return [_curled(word) if '"' in word.text else word for word in words]


def _curled(word: Word) -> Word:
    return msgspec.structs.replace(word, text=CLOSING.sub("”", OPENING.sub(r"\1“", word.text)))
