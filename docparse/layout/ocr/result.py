"""What OCR gives: the words, and how sure it was of the lines they come from."""

from __future__ import annotations

from dataclasses import dataclass

from docparse.layout.text.words import Word


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line that was found: what was read there, how sure that is (0..1), and the line's length over its height.

    Lines that were too doubtful to give words are there too.
    """

    text: str
    confidence: float
    length: float
    has_own_alphabet: bool = False  # its letters are none of the recogniser's


@dataclass(frozen=True, slots=True)
class OcrResult:
    """The words of a page, and the lines they were read from; for `unread` further lines there was no time."""

    words: list[Word]
    lines: tuple[OcrLine, ...] = ()
    unread: int = 0
