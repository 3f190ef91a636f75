"""Quotation marks that OCR reads as straight ones among curly ones: mostly those that close, which lie lower in the
picture of a line and look like two ticks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.layout.text.words import Word

OPENING, CLOSING = re.compile(r'^([(\[]*)"(?=\w)'), re.compile(r'(?<=[^\W\d]|[.,;:!?)\]])"(?=[\W\d]*$)')
MARKS = 3  # in one word: code
LOW = re.compile(r"^([(\[»]*),,(?=\w)")
CURLY = re.compile(r"^[(\[]*“")


def with_curly_quotes(words: Sequence[Word]) -> list[Word]:
    """Return the words of a page with straight quotation marks at their ends as curly ones, where most that open are,
    as in English: a mark opens a word, and closes one where one is open. Marks within code and behind figures stay.
    Two commas that open a word are a low mark, as in German."""
    words = [msgspec.structs.replace(word, text=LOW.sub(r"\1„", word.text)) for word in words]
    curly = sum(CURLY.search(word.text) is not None for word in words)
    if curly <= sum(OPENING.search(word.text) is not None for word in words) or any("„" in word.text for word in words):
        return words
    result, is_open = [], False
    for word in words:
        text = OPENING.sub(r"\1“", word.text) if word.text.count('"') < MARKS else word.text
        is_open |= "“" in text
        if is_open and text.count('"') == 1:
            text = CLOSING.sub("”", text)
        is_open &= "”" not in text
        result.append(word if text == word.text else msgspec.structs.replace(word, text=text))
    return result
