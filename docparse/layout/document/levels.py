"""Heading levels: from section numbers where headings have them, else from what stands right over what and from sizes;
one style has one level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from docparse.layout.chained import chained
from docparse.types import Block, Category

SIZED = 0.08  # share by which sizes differ that are measured of one type
ALIKE = 0.07  # sizes within this share of the next larger one are of its level
DEEPEST = 6
STACKED = 2  # headings of one style, at least, right over larger ones, and none the other way round: they hold these
FIRST = 2  # level of the outermost headings; 1 is kept for the title
DECIMAL = re.compile(r"((?:\d+|[A-Z](?=\.\d))(?:\.\d+)*)\.?\s+\S")
ROMAN = re.compile(r"[IVX]+(?:\.\s+\S|\s+[^\sa-z])")  # and no "I broke it"
# In English, German, French, Spanish, Portuguese, Italian and Dutch; no stems of them: "3. Outlook 2024" is a section.
MONTH = (
    r"jan(?:uary?|vier|uari|eiro)?|jänner|ene(?:ro)?|gen(?:naio)?|feb(?:ruary?|ruari|rero|braio)?|f[eé]v(?:rier|ereiro)?|"
    r"m[aä]r(?:ch|z|s|zo|ço)?|maart|apr(?:ile?)?|avr(?:il)?|abr(?:il)?|ma[iy]o?|mei|mag(?:gio)?|june?|juni[oh]?|junho|juin|"
    r"giu(?:gno)?|jul(?:[yi]|io|ho)?|juil(?:let)?|lug(?:lio)?|aug(?:ust(?:us)?)?|ago(?:sto)?|ao[uû]t|"
    r"sep(?:t(?:ember|embre|iembre)?)?|set(?:embro|tembre)?|o[ck]t(?:ober|obre|ubre)?|out(?:ubro)?|ott(?:obre)?|"
    r"nov(?:emb(?:er|re|ro)|iembre)?|de[czs](?:ember|embre|embro)?|d[eé]c(?:embre)?|dic(?:iembre|embre)?"
)
DATE = re.compile(
    rf"\d{{1,2}}(?:\.|st|nd|rd|th|er)?\s+(?:de\s+)?(?:{MONTH})\.?,?\s+(?:de\s+)?(?:19|20)\d\d", re.IGNORECASE
)
LETTER = re.compile(r"[A-Z]\.\s+(?![A-Z]\.)\S")  # and no initials
PART = re.compile(
    r"(?:part|teil|partie|parte|book|buch|livre|libro)\s+(?:[IVX]+|\d{1,2})\b(?:\s?[.:–—]\s|\.?$)", re.IGNORECASE
)
UNDER = 0.25  # of a rank: headings under those in capitals
OF_PART = -1  # the depth of what holds numbered sections


class HeadingStyle(NamedTuple):
    """The style that ranks a heading: its size in points, its weight, and the depth its number says (0: no number;
    less: a part that holds sections)."""

    size: float
    bold: bool
    depth: int


Head = tuple[str, HeadingStyle]
Stack = tuple[HeadingStyle, HeadingStyle]
Rank = tuple[int, float]


def heading_style(block: Block) -> HeadingStyle:
    return HeadingStyle(rounded(block.font_size), block.bold, number_depth(block.text))


def rounded(size: float) -> float:
    """Return a size to half a point."""
    return round(2 * size) / 2


def number_depth(text: str) -> int:
    """1 for "3 Results" and "IV. Results", 2 for "3.1 Data", "B.1 Data" and "A. Data", 0 without a number; the day
    of a date is none. -1 for "Part I. Results"."""
    if PART.match(text):
        return OF_PART
    decimal = DECIMAL.match(text)
    if decimal and not DATE.fullmatch(text):
        parts = decimal.group(1).split(".")
        return 0 if parts[0].isdecimal() and int(parts[0]) > 99 else len(parts)  # years are no section numbers
    if ROMAN.match(text):
        return 1
    return 2 if LETTER.match(text) else 0


def stacks_in(blocks: Sequence[Block]) -> Iterator[Stack]:
    """Yield the styles of every heading and the one right under it, where they differ."""
    for upper, lower in pairwise(blocks):
        styles = heading_style(upper), heading_style(lower)
        headings = upper.category is lower.category is Category.SECTION_HEADER
        if headings and upper.box.y1 <= lower.box.y0 and styles[0] != styles[1]:
            yield styles


def recurring(heads: Sequence[Head]) -> set[str]:
    """Return the headings, of all in their order, that come back under others in their style which come once: each
    problem has its "Solution"."""
    times = Counter(words for words, _ in heads)
    once = Counter(style for words, style in heads if times[words] == 1)
    found = {words for words, count in times.items() if count > 1}
    found -= {words for words, _ in heads[:1]}
    for (over, style), (words, own) in pairwise(heads):
        if style != own or 2 * times[words] <= once[own]:
            found.discard(words)
        if times[words] > 1 and times[over] > 1:  # siblings that all come back
            found -= {words, over}
    return found


class HeadingLevels:
    """Ranks the heading styles of a document against each other: one style has one level everywhere. `stacks` counts
    the pairs of styles of which the first stands right over the second, with no text between; `heads` are all
    headings in their order."""

    def __init__(
        self, styles: Counter[HeadingStyle], stacks: Counter[Stack] | None = None, heads: Sequence[Head] = ()
    ) -> None:
        self._anchors = _anchors(styles)
        self._smallest = _smallest(style.size for style in styles if style.depth == 0)
        self._led = _led_by_capitals(heads) & styles.keys()
        self._raised: dict[Rank, Rank] = {}
        self._raised = self._holders(styles, stacks or Counter())
        self._ranks = {self._rank(style) for style in styles}
        self._ranks |= {self._rank(style, words) for words, style in heads if style in self._led}

    def level(self, style: HeadingStyle, words: str = "") -> int:
        """Return the level, 2 to 6, of a heading that says `words`; 1 is the title's."""
        return min(DEEPEST, self._outer(self._rank(style, words)))

    def _outer(self, own: Rank) -> int:
        """The level of a rank: 3.1 is one deeper than 3, whatever has no number and stands between."""
        depth, _ = own
        start = max((other for other, _ in self._ranks if other < depth), default=None)
        beside = sum(rank < own for rank in self._ranks if rank[0] == depth)
        return beside + (FIRST if start is None else self._outer((start, 0)) + 1)

    def _holders(self, styles: Counter[HeadingStyle], stacks: Counter[Stack]) -> dict[Rank, Rank]:
        """The ranks of small headings that hold larger ones, as bands across the page do, and those to have instead."""
        pairs: Counter[tuple[Rank, Rank]] = Counter()
        for stack, times in stacks.items():
            if all(style in styles and not style.depth for style in stack):
                pairs[self._rank(stack[0]), self._rank(stack[1])] += times
        found = ((upper, lower) for (upper, lower), times in pairs.items() if times >= STACKED and upper > lower)
        return {upper: (lower[0], lower[1] - 0.5) for upper, lower in found if not pairs[lower, upper]}

    def _rank(self, style: HeadingStyle, words: str = "") -> Rank:
        rank = self._measured(style)
        depth, place = self._raised.get(rank, rank)
        return (depth, place + UNDER * (style in self._led and _has_small(words)))

    def _measured(self, style: HeadingStyle) -> Rank:
        """Outer headings have the smaller rank: by number where there are numbers, then by size."""
        if style.depth:
            return (style.depth, 0)
        for depth, (size, bold) in sorted(self._anchors.items()):
            if bold == style.bold and abs(size - style.size) <= ALIKE * size:
                return (depth, 0)  # "References" among numbered sections
        over = (depth for depth, (size, _) in self._anchors.items() if depth > 0 and size > style.size)
        inside = max(over, default=0)
        if self._anchors and not inside:
            outermost = min(self._anchors)  # the chapters over 1.1; else a display line, a formula that OCR misread
            return (min(outermost, max(1, outermost - 1)), 0)
        return (inside, 1 + sum(size > style.size for size in self._smallest))


def _anchors(styles: Counter[HeadingStyle]) -> dict[int, tuple[float, bool]]:
    """For each depth of numbers the size and weight that most headings of that depth have."""
    ordered = sorted(styles, key=lambda style: (styles[style], style))
    return {style.depth: (style.size, style.bold) for style in ordered if style.depth}


def _led_by_capitals(heads: Iterable[Head]) -> set[HeadingStyle]:
    """Return the styles of headings without a number of which those in capitals hold the others: the first and the last
    are such."""
    found: dict[HeadingStyle, list[bool]] = {}
    for words, style in heads:
        if not style.depth:
            found.setdefault(style, []).append(_has_small(words))
    return {style for style, small in found.items() if any(small) and not (small[0] or small[-1])}


def _has_small(words: str) -> bool:
    """Return whether it has small letters: a year, and Chinese, have no case."""
    return any(map(str.islower, words))


def _smallest(sizes: Iterable[float]) -> list[float]:
    """The smallest size of each cluster of sizes that lie close together, as measured ones do; largest first."""
    clusters = chained(sorted(set(sizes), reverse=True), lambda cluster, size: size >= (1 - ALIKE) * cluster[-1])
    return [cluster[-1] for cluster in clusters]
