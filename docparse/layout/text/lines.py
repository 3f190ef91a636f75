"""Lines: words that a reader takes in one sweep, never reaching across a column gutter."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

import msgspec
import numpy as np

from docparse.layout.text.markers import BULLETS, is_marker
from docparse.layout.text.wording import PART, is_rtl
from docparse.layout.text.words import Word
from docparse.types import Box, corners, union

MARKER_LINK = 4.0  # em: a list marker may stand this far before its item
NUMBER_LINK = 1.6  # em: so far before its text may stand a number
GUTTER = 0.5  # em: a gap at least this wide is split where the lines above and below leave it empty too
WIDER = 1.25  # times the usual space of a line that has so many: in typewriter type spaces are as wide as a gutter
SPACES = 5
CLEAR = 0.9  # em: a gap of this width is no word space
HEADLINE = 1.5  # times a line's size: what stands over columns in such type does not make them one
MONO_GUTTER = 1.1  # em: the same in monospaced type, whose spaces are as wide as its letters, 0.6 em
STRETCHED = 6.0  # em: so far apart may the words of a justified line stand that has few
EVEN = 0.05  # em by which the spaces of a justified line differ
BLANK = 30.0  # em between brackets that wait for an answer
LABEL = 4  # words of a label at most: "Section 4", or brackets and their number in two fonts
SCRIPT, TOUCH = 0.87, 0.3  # times a line's size: smaller words may be scripts; em from their letter
UNLIKE, UNLIKE_LINK = 1.3, 0.7  # times sizes may differ, and em of the larger that words so unlike may stand apart

NUMBER = re.compile(r"\d{1,3}|\d{1,2}(\.\d{1,2}){1,3}")
CLAUSE = re.compile(r"\d{1,2}(\.\d{1,2}){1,3}\.")
COLONS = (":", "：")  # of labels: what follows closely is their value
OPENED, CLOSES = re.compile(r"[(（]$"), re.compile(r"[)）]")
ORNAMENT = re.compile(r"\W?(?:([.·•*_=~…—–-])\s*){6,}\W?")  # a row of dots drawn as a rule


@dataclass(frozen=True)
class Spacing:
    """The widest space inside a line, in em: `link` between words stored one after the other, `join` between others."""

    link: float
    join: float


EXACT_SPACING = Spacing(link=1.6, join=1.2)  # justified text stretches its spaces
NOISY_SPACING = Spacing(link=1.8, join=1.8)  # OCR: spaces and sizes jitter


@dataclass(frozen=True)
class Line:
    """Words on one baseline, in logical (reading) order. `size` is the size of most of its characters."""

    words: tuple[Word, ...]

    @cached_property
    def box(self) -> Box:
        return union(word.box for word in self.words)

    @cached_property
    def main(self) -> Word:
        """Return the word whose style is the line's: of the size that most characters have."""
        words = self.words
        if len(words) == 1:
            return words[0]
        if len({word.size for word in words}) > 1:
            weight: dict[float, int] = {}
            for word in words:
                weight[word.size] = weight.get(word.size, 0) + len(word.text)
            size = max(weight, key=lambda s: (weight[s], s))
            words = tuple(word for word in words if word.size == size)
        return max(words, key=lambda word: len(word.text))

    @cached_property
    def size(self) -> float:
        return self.main.size

    @cached_property
    def baseline(self) -> float:
        return self.main.baseline

    @cached_property
    def text(self) -> str:
        return "".join(w.text if w.glued or i == 0 else " " + w.text for i, w in enumerate(self.words))

    @property
    def start(self) -> float:
        """Return where it begins, in points from the side that it is read from."""
        return -self.box.x1 if self.rtl else self.box.x0

    @cached_property
    def characters(self) -> int:
        return sum(len(word.text) for word in self.words)

    def share(self, style: str) -> float:
        """Share of characters, 0..1, whose word has the flag `style` ("bold", "italic", "math", "mono")."""
        if style not in self._shares:
            styled = sum(len(word.text) for word in self.words if getattr(word, style))
            self._shares[style] = styled / max(1, self.characters)
        return self._shares[style]

    @cached_property
    def _shares(self) -> dict[str, float]:
        return {}

    @cached_property
    def rtl(self) -> bool:
        return is_rtl(self.text)

    @cached_property
    def confidence(self) -> float:
        return sum(w.confidence * len(w.text) for w in self.words) / max(1, self.characters)


def _leads(words: Sequence[Word], second: Word) -> bool:
    """A list marker, "Section 4", or a number ("12" before a reference, "7.4.2" before a clause), of the text behind
    it."""
    if _is_label(Line(tuple(words)).text):
        return True
    words = words[len(words) > 1 and words[0].text in BULLETS :]
    near = second.box.x0 - words[-1].box.x1 < NUMBER_LINK * second.size
    named = any(char.isalpha() for char in second.text)
    return near and named and len(words) == 1 and NUMBER.fullmatch(words[0].text) is not None


def _is_label(text: str) -> bool:
    """What stands before its text with some white between: a list marker, the name of a part."""
    return is_marker(text) or CLAUSE.fullmatch(text) is not None or PART.fullmatch(text) is not None


def lines_of(words: Sequence[Word], spacing: Spacing = EXACT_SPACING) -> list[Line]:
    """Upright words to lines, top to bottom; the result does not depend on the order of `words`.

    Words are chained in the PDF's own order first (which keeps superscripts and right-to-left text right), then
    chains on one baseline are joined; last, lines are cut where they jump a gutter.
    """
    ordered = sorted(words, key=lambda w: (w.index, w.box.x0, w.box.y0))
    caps = _drop_caps(ordered)
    initials = {id(cap) for cap in caps}
    chains = _chain([word for word in ordered if id(word) not in initials], spacing.link)
    lines = _split_at_gutters(_join([Line(tuple(chain)) for chain in chains], spacing.join))
    for cap in caps:
        lines = _with_drop_cap(lines, cap)
    lines = [line for line in lines if not ORNAMENT.fullmatch(line.text)]
    return sorted(lines, key=lambda line: (line.box.y0, line.box.x0, line.words[0].index))


def _chain(words: Sequence[Word], link: float) -> list[list[Word]]:
    chains: list[list[Word]] = [[word] for word in words[:1]]
    for word, follows in zip(words[1:], _follows(words, link), strict=True):
        if follows or _is_second_script(chains[-1], word):
            chains[-1].append(word)
        else:
            chains.append([word])
    return chains


def _follows(words: Sequence[Word], link: float) -> list[bool]:
    """For every word but the first: does it continue the line of the one before it?"""
    boxes = [word.box for word in words]
    x0, y0, x1, y1 = np.array(list(map(corners, boxes)), float).reshape(-1, 4).T
    size = np.array([word.size for word in words], float)
    baseline = np.array([word.baseline for word in words], float)
    rtl = np.array([is_rtl(word.text) for word in words], bool)
    em, small = np.maximum(size[1:], size[:-1]), np.minimum(size[1:], size[:-1])
    # beside a headline's last word, the small print of the next column is far
    reach = np.where(em > UNLIKE * small, np.minimum(link * small, UNLIKE_LINK * em), link * small)
    height = y1 - y0
    shared = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    level = shared >= 0.5 * np.minimum(height[1:], height[:-1])
    level &= np.abs(np.diff(baseline)) <= 0.6 * em
    rightward, leftward = x0[1:] - x1[:-1], x0[:-1] - x1[1:]
    to_right = (-0.5 * em <= rightward) & (rightward <= reach)
    to_left = (-0.5 * em <= leftward) & (leftward <= reach)
    near = np.maximum(rightward, leftward) <= reach
    both, one = rtl[1:] & rtl[:-1], rtl[1:] ^ rtl[:-1]
    return (level & np.where(both, to_left, to_right | (one & near))).tolist()


def _is_second_script(chain: Sequence[Word], word: Word) -> bool:
    """A subscript stored after the superscript of the same symbol, or the other way round."""
    base = next((w for w in reversed(chain[-8:]) if w.size > 1.15 * word.size), None)
    return (
        base is not None
        and chain[-1].size < 0.87 * base.size
        and -0.4 * base.size <= word.box.x0 - base.box.x1 <= 0.4 * base.size
        and 0.08 * base.size < abs(word.baseline - base.baseline) < 0.8 * base.size
    )


def _join(fragments: list[Line], link: float) -> list[Line]:
    """Join pieces that continue each other on one baseline although the PDF stores them apart."""
    fragments = sorted(fragments, key=lambda f: (f.baseline, f.box.x0))
    rows: list[list[Line]] = []
    for fragment in fragments:
        for row in reversed(rows[-6:]):
            if _same_row(row[-1], fragment):
                row.append(fragment)
                break
        else:
            rows.append([fragment])
    joined: list[Line] = []
    for row in rows:
        row.sort(key=lambda f: f.box.x0)
        for i, fragment in enumerate(row):
            end = _end(row[i - 1], fragment) if i else fragment.box.x0
            gap = fragment.box.x0 - end
            reach = _reach(row, i, link) if i else link
            if i and -0.5 * fragment.size <= gap <= reach * min(fragment.size, row[i - 1].size):
                whole = _in_order(joined[-1], fragment)
                among = end < row[i - 1].box.x1  # a script goes behind the letter that it belongs to
                joined[-1] = Line(tuple(sorted(whole.words, key=lambda word: word.box.x0))) if among else whole
            else:
                joined.append(fragment)
    return joined


def _reach(row: Sequence[Line], i: int, link: float) -> float:
    """How far, in em, a piece may stand from the one before it on its row."""
    before, piece = row[i - 1], row[i]
    if _is_blank(before.text, piece.text):
        return BLANK
    if _is_justified(row, i):
        return STRETCHED
    return MARKER_LINK if _is_label(before.text) else link


def _is_blank(before: str, after: str) -> bool:
    """Brackets to write an answer into: one opens and the next thing closes it."""
    return OPENED.search(before) is not None and CLOSES.match(after) is not None


def _end(line: Line, following: Line) -> float:
    """Where a line ends, but for the scripts of the first letter of the next piece: formula editors store them
    before it."""
    letter, em = following.words[0].box, following.size
    own = (
        word
        for word in line.words
        if word.size > SCRIPT * em
        or abs(word.baseline - following.baseline) < 0.05 * em
        or abs(word.box.x0 - letter.x1) > TOUCH * em
    )
    return max((word.box.x1 for word in own), default=line.box.x1)


def _is_justified(row: Sequence[Line], i: int) -> bool:
    """Stands the piece as far from the one before it as one of them from the next, all single words in one style?"""
    for three in (row[max(0, i - 2) : i + 1], row[max(0, i - 1) : i + 2]):
        if len(three) == 3 and all(_is_alike(three[0], piece) for piece in three):
            first, second = (right.box.x0 - left.box.x1 for left, right in pairwise(three))
            if abs(first - second) < EVEN * three[0].size:
                return True
    return False


def _is_alike(first: Line, piece: Line) -> bool:
    """A word of letters, in the type of the first piece."""
    style, other = first.main, piece.main
    word = all(word.glued for word in piece.words[1:]) and any(char.isalpha() for char in piece.text)
    return word and (other.size, other.bold, other.font) == (style.size, style.bold, style.font)


def _same_row(a: Line, b: Line) -> bool:
    if abs(a.baseline - b.baseline) > 0.35 * max(a.size, b.size):
        return False
    return a.box.overlap_y(b.box) >= 0.6 * min(a.box.height, b.box.height)


def _in_order(left: Line, right: Line) -> Line:
    if is_rtl(left.text + right.text):
        return Line(right.words + left.words)
    return Line(left.words + right.words)


def _split_at_gutters(lines: list[Line]) -> list[Line]:
    """Cut lines at gaps that the neighbouring lines above and below leave empty as well."""
    result: list[Line] = []
    neighbours = _Neighbours(lines)
    for line in lines:
        words, start = line.words, 0
        space = _usual_space(words)
        for i in range(1, len(words)):
            left, right = words[i - 1], words[i]
            em = max(left.size, right.size)
            least = max((MONO_GUTTER if left.mono and right.mono else GUTTER) * em, WIDER * space)
            if (
                right.box.x0 - left.box.x1 > least
                and not (i - start <= LABEL and _leads(words[start:i], right))
                and not _is_blank(left.text, right.text)
                and not (left.text.endswith(COLONS) and right.box.x0 - left.box.x1 < CLEAR * em)
                and neighbours.leave((left.box.x1, right.box.x0), right.box.padded(4 * em), em)
            ):
                result.append(Line(words[start:i]))
                start = i
        result.append(Line(words[start:]) if start else line)
    return result


def _usual_space(words: Sequence[Word]) -> float:
    """The median of the spaces between the words of a line, points; 0 where there are few, or cells stand apart."""
    spaces = [right.box.x0 - left.box.x1 for left, right in pairwise(words) if not right.glued]
    space = median(spaces) if len(spaces) >= SPACES else 0.0
    return space if space < CLEAR * words[0].size else 0.0


class _Neighbours:
    """The lines of a page, asked whether they leave a gap empty."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = sorted(lines, key=lambda line: line.box.y0)
        self._tops = [line.box.y0 for line in self._lines]
        self._tallest = max((line.box.height for line in lines), default=0.0)

    def leave(self, gap: tuple[float, float], window: Box, em: float) -> bool:
        """Return whether lines stand on both sides of the gap within the window's height, and none but headlines
        across it; a wide gap may have one such line in five, which is a small heading or what OCR took for one line.
        """
        middle, width = (gap[0] + gap[1]) / 2, gap[1] - gap[0]
        left = right = across = 0
        for line in self._within(window):
            box = line.box
            if all(word.size > HEADLINE * em for word in line.words):
                continue
            if box.x1 <= middle:
                left += box.x1 > window.x0 - 40 * width
            elif box.x0 >= middle:
                right += box.x0 < window.x1 + 40 * width
            elif _gap_at(line.words, middle, HEADLINE * em) < min(0.8 * width, CLEAR * line.size):
                across += 1
            else:
                left, right = left + 1, right + 1
        allowed = min(left, right) // 4 if width > CLEAR * em else 0
        return min(left, right) >= 3 and across <= allowed

    def _within(self, window: Box) -> list[Line]:
        """The lines within the window's height."""
        first = bisect_left(self._tops, window.y0 - self._tallest)
        near = self._lines[first : bisect_right(self._tops, window.y1)]
        return [line for line in near if line.box.y1 >= window.y0]


def _gap_at(words: Sequence[Word], x: float, size: float) -> float:
    """Width of the space at `x` between words in type up to `size`; 0 where one is printed over it."""
    left = max((w.box.x1 for w in words if w.box.x0 < x and w.size <= size), default=-math.inf)
    right = min((w.box.x0 for w in words if w.box.x1 > x and w.size <= size), default=math.inf)
    return max(0.0, right - left) if left <= x <= right else 0.0


def _drop_caps(words: Sequence[Word]) -> list[Word]:
    """Large initials: a letter at least 1.7 times as large as the words before and behind it, but for those on other
    lines. Some writers draw it after its paragraph."""
    return [
        word
        for i, word in enumerate(words)
        if len(word.text) <= 2
        and word.text[:1].isupper()
        and word.angle == 0
        and all(
            word.size > 1.7 * other.size or abs(word.baseline - other.baseline) > word.size
            for other in (*words[max(i - 1, 0) : i], *words[i + 1 : i + 2])
        )
    ]


def _with_drop_cap(lines: list[Line], cap: Word) -> list[Line]:
    """Put a large initial that reaches down over several lines before the first of them."""
    beside = [
        line
        for line in lines
        if line.size < 0.6 * cap.size
        and -0.3 * line.size < line.box.x0 - cap.box.x1 < 1.5 * line.size
        and cap.box.y0 - 0.5 * line.size < line.box.center[1] < cap.baseline + 0.3 * line.size
    ]
    if len(beside) < 2:
        return [*lines, Line((cap,))]
    first = min(beside, key=lambda line: line.baseline)
    box = Box(cap.box.x0, first.box.y0, cap.box.x1, first.box.y1)
    initial = msgspec.structs.replace(cap, box=box, baseline=first.baseline, size=first.size, glued=False)
    rest = msgspec.structs.replace(first.words[0], glued=True)
    joined = Line((initial, rest, *first.words[1:]))
    return [joined if line is first else line for line in lines]


def downward(lines: Iterable[Line]) -> list[Line]:
    """Return the lines from top to bottom, those at one height from left to right."""
    return sorted(lines, key=lambda line: (line.box.y0, line.box.x0))


def steadied(line: Line) -> Line:
    """Return the line with one size and one baseline for all its words: for OCR, whose measures jitter."""
    main = line.main
    return Line(tuple(msgspec.structs.replace(w, size=main.size, baseline=main.baseline) for w in line.words))


def snapped(lines: list[Line], tolerance: float) -> list[Line]:
    """Return the lines; sizes close to the usual one (by a share) become exactly that size: noise is no heading.

    Downwards only half of that is noise: notes and captions are set in eight or nine tenths of the text's size.
    """
    sizes = sorted(size for line in lines for size in [line.size] * line.characters)
    if not sizes:
        return lines
    usual = sizes[len(sizes) // 2]
    low, high = (1 - tolerance / 2) * usual, (1 + tolerance) * usual
    return [_resized(line, usual) if low < line.size < high else line for line in lines]


def _resized(line: Line, size: float) -> Line:
    return Line(tuple(msgspec.structs.replace(word, size=size) for word in line.words))
