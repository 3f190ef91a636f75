"""Interviews: what is asked in bold is text, though a question of one line looks like a heading."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from docparse.layout.document.levels import HeadingStyle, heading_style
from docparse.types import Block, Category

SPEAKER = re.compile(r"[A-Z]{2,3}: ")  # the initials of who asks
FEWEST, SHARE = 2, 0.25  # questions of several lines, at least, and of all that is set like them
Style = tuple[float, bool]


class Interviews:
    """Two passes over a document's blocks: `add` each, then ask of each whether it is a question."""

    def __init__(self) -> None:
        self._speakers: Counter[str] = Counter()
        self._questions: Counter[str] = Counter()
        self._bold: Counter[Style] = Counter()
        self._asked: Counter[Style] = Counter()
        self._long: Counter[Style] = Counter()
        self._headings: list[tuple[HeadingStyle, str]] = []

    def add(self, block: Block) -> None:
        """First pass: learn from one block."""
        if not block.bold or block.category not in (Category.SECTION_HEADER, Category.TEXT):
            return
        style, speaker = _style(block), _speaker(block)
        self._bold[style] += 1
        asks = block.text.rstrip().endswith(("?", "？"))
        self._questions[speaker] += asks
        self._asked[style] += bool(speaker) or asks
        self._long[style] += block.category is Category.TEXT
        self._speakers.update([speaker])
        if block.category is Category.SECTION_HEADER:
            self._headings.append((heading_style(block), speaker))

    def asks(self, block: Block) -> bool:
        """Return whether a heading is a question: by the initials of who asks more than one, or because it is set like
        paragraphs in bold that mostly ask."""
        return block.category is Category.SECTION_HEADER and self._is_asked(heading_style(block), _speaker(block))

    def ranked(self, headings: Counter[HeadingStyle]) -> Counter[HeadingStyle]:
        """Return the styles of all headings, `headings`, without those of questions."""
        return headings - Counter(style for style, speaker in self._headings if self._is_asked(style, speaker))

    def _is_asked(self, style: HeadingStyle, speaker: str) -> bool:
        often = speaker != "" and self._speakers[speaker] >= FEWEST
        return style[:2] in self._styles or (often and 2 * self._questions[speaker] >= self._speakers[speaker])

    @cached_property
    def _styles(self) -> set[Style]:
        """The styles, in bold, of paragraphs most of which are questions."""
        return {
            style
            for style, count in self._bold.items()
            if 2 * self._asked[style] >= count and self._long[style] >= max(FEWEST, SHARE * count)
        }


def _style(block: Block) -> Style:
    return heading_style(block)[:2]


def _speaker(block: Block) -> str:
    found = SPEAKER.match(block.text)
    return found[0] if found else ""
