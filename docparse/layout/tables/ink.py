"""Words as arrays, visual lines, and what counts as a number: the ground the table code stands on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

import numpy as np

from docparse.layout.geometry import corners_of
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES
from docparse.types import Box

# A number as printed in tables: currency, sign or parenthesis before, percent, unit letter or note mark after.
NUMBER = re.compile(
    r"^[\(\[<>≤≥~≈±∼*]*[-+−–—]?\s*[$€£¥₹]?\s*[\(]?[-+−–]?\s*(\d[\d,.\s'’/:×±()–−~-]*|\.\d+)"
    r"(e[-+−]?\d+|[a-zA-Zµ°]{1,2})?\s*[%‰)\]*†‡§¶]*[a-z]?$"
)
PLACEHOLDER = re.compile(r"^([-−–—―.…*]{1,3}|n/?a|n\.a\.|nil|none|[xX✓✗✔✘×√●○•■□☐☑])$", re.IGNORECASE)
CURRENCY = frozenset({"$", "€", "£", "¥", "₹", "US$", "C$", "A$", "RMB", "($", "$("})
BEFORE_CJK = "\u2e7f"  # the last character that is none of Chinese, Japanese or Korean
DOTS, HANG = frozenset("•◦▪‣⁃"), 2.5  # bullets that are no marks in cells, and em from one to its text
CLOSERS = frozenset({"%", ")", ")%", "%)", "*", "**", "***", "†", "‡", "‰", "]"})
LONGEST_SIGN = 4  # letters of a placeholder: longer words of letters are none
SPACE = 0.45  # em; a smaller gap between words is an ordinary word space
JUSTIFIED = 1.7  # times the least gap of a line of many words: the spaces of justified text are all about as wide
SENTENCE = 3.0  # times that gap, where all wide ones are behind full stops: there TeX stretches three times as much
TYPED = 1.0  # em; the same in typewriter type, whose spaces are 0.6 em wide, and the letters beside them narrow
DASHES = frozenset("-–−")
SEVERAL = 3  # ranges of numbers in a table that has some
WIDE = 0.75  # em; a wider gap does not occur inside running text


def _is_value(text: str) -> bool:
    """Return whether it is a number, or what stands in a table where a number is missing."""
    if len(text) > LONGEST_SIGN and text.isalpha():
        return False
    return text in CURRENCY or text in CLOSERS or bool(NUMBER.match(text) or PLACEHOLDER.match(text))


def _reaching(words: Sequence[Word], rulings: np.ndarray) -> np.ndarray:
    """The boxes of words, float64 [n, 4]; those of bullets, of words in stretched lines, of ranges of numbers and of
    typewriter type, whose spaces are as wide as its letters, reach up to the next word, unless a stroke parts them:
    they are in one cell."""
    box = corners_of(word.box for word in words)
    middle = (box[:, 1] + box[:, 3]) / 2
    for i in [i for i, word in enumerate(words) if word.text in DOTS]:
        gap = box[:, 0] - box[i, 2]
        near = (gap > 0) & (gap < HANG * words[i].size) & (np.abs(middle - middle[i]) < 0.5 * words[i].size)
        if near.any():
            box[i, 2] += gap[near].min() - 1.0
    ordered = sorted(range(len(words)), key=lambda i: words[i].index)
    ranges = _ranges(words, ordered, box)
    x0, y0, x1, y1 = rulings.reshape(-1, 4).T
    for before, i in pairwise(ordered):
        gap, size = box[i, 0] - box[before, 2], words[i].size
        typed = before in ranges or (words[before].mono and words[i].mono)
        typed &= abs(middle[i] - middle[before]) < 0.5 * size
        if (words[i].stretched and gap > WIDE * size) or (typed and 0 < gap < TYPED * size):
            strokes = (x0 > box[before, 2]) & (x1 < box[i, 0]) & (y0 < middle[i]) & (y1 > middle[i])
            box[before, 2] = box[before, 2] if strokes.any() else box[i, 0] - 1.0
    return box


def _ranges(words: Sequence[Word], ordered: Sequence[int], box: np.ndarray) -> set[int]:
    """Return the first number and the dash of each range, as in "3.4 – 10.8", where there are several: one may be a
    cell that is empty between two others."""
    found = set()
    for a, dash, b in zip(ordered, ordered[1:], ordered[2:], strict=False):
        gaps = box[dash, 0] - box[a, 2], box[b, 0] - box[dash, 2]
        numbers = words[dash].text in DASHES and all(NUMBER.match(words[i].text) for i in (a, b))
        if numbers and min(gaps) > 0 and max(gaps) < TYPED * words[dash].size:
            found |= {a, dash}
    return found if len(found) >= 2 * SEVERAL else set()


@dataclass(frozen=True, slots=True)
class Ink:
    """The words of a page as arrays: `box` float64 [n, 4], `y` vertical centres [n], `size` in points [n].

    `level` is bool [n]: the word is set upright (angle 0), so that it takes part in lines. `rows`, `sizes` and
    `weights` (size times twice the centre) are lists, as most lines are too short for numpy to pay; `rank` is the place
    of each word from left to right. `cjk` says whether there are CJK characters. `rulings` are the strokes of the page,
    float32 [m, 4]: those of tables, of fractions and of roots.
    """

    words: Sequence[Word]
    box: np.ndarray
    y: np.ndarray
    size: np.ndarray
    value: np.ndarray
    level: np.ndarray
    rows: list[list[float]]
    sizes: list[float]
    weights: list[float]
    rank: list[int]
    cjk: bool
    rulings: np.ndarray

    @classmethod
    def of(cls, words: Sequence[Word], rulings: np.ndarray = NO_STROKES) -> Ink:
        box = _reaching(words, rulings)
        size = np.array([w.size for w in words], float)
        height = box[:, 3] - box[:, 1]
        size = np.where(size > 0, size, np.maximum(height, 1.0))
        return cls(
            words=words,
            box=box,
            y=(box[:, 1] + box[:, 3]) / 2,
            size=size,
            value=np.array([_is_value(w.text) for w in words], bool),
            level=np.array([w.angle == 0 for w in words], bool),
            rows=box.tolist(),
            sizes=size.tolist(),
            weights=(size * (box[:, 1] + box[:, 3])).tolist(),
            rank=np.argsort(np.lexsort((box[:, 1], box[:, 0]))).tolist(),
            cjk=any(max(w.text) > BEFORE_CJK for w in words if not w.text.isascii()),
            rulings=rulings,
        )

    def inside(self, box: Box, margin: float = 0.0) -> np.ndarray:
        """Return the indices of the words whose centre lies in `box`, int [k]."""
        x = (self.box[:, 0] + self.box[:, 2]) / 2
        return np.flatnonzero(
            (x >= box.x0 - margin) & (x <= box.x1 + margin) & (self.y >= box.y0 - margin) & (self.y <= box.y1 + margin)
        )

    def share(self, box: Box) -> float:
        """Return the share of `box` that level words fill, 0..1; those of charts stand on end, too."""
        inside = self.inside(box)
        part = self.box[inside[self.level[inside]]]
        return float(((part[:, 2] - part[:, 0]) * (part[:, 3] - part[:, 1])).sum()) / max(box.area, 1.0)

    def bounds(self, indices: Iterable[int]) -> Box:
        x0, y0, x1, y1 = zip(*map(self.rows.__getitem__, indices), strict=True)
        return Box(min(x0), min(y0), max(x1), max(y1))

    def text(self, indices: Iterable[int]) -> str:
        return " ".join(self.words[i].text for i in indices)


@dataclass(slots=True)
class InkLine:
    """Words on one baseline, left to right; `y0`, `y1` enclose them, `y` is their mean centre."""

    words: list[int]
    y: float
    y0: float
    y1: float
    x0: float
    x1: float


def line_of(ink: Ink, words: Sequence[int]) -> InkLine:
    """Return the line of these words."""
    x0, y0, x1, y1 = zip(*map(ink.rows.__getitem__, words), strict=True)
    y = sum(map(ink.weights.__getitem__, words)) / (2 * sum(map(ink.sizes.__getitem__, words)))
    return InkLine(sorted(words, key=ink.rank.__getitem__), y, min(y0), max(y1), min(x0), max(x1))


def lines_of(ink: Ink, indices: np.ndarray) -> list[InkLine]:
    """Group upright words into visual lines, top to bottom; sub- and superscripts stay with their line."""
    indices = indices[ink.level[indices]]
    order = indices[np.lexsort((ink.box[indices, 0], ink.y[indices]))]
    if not len(order):
        return []
    ys, sizes = ink.y[order].tolist(), ink.size[order].tolist()
    # OCR guesses sizes: one that is too large must not join two lines
    usual = median(sizes) if len(sizes) > 5 else max(sizes)
    groups: list[list[int]] = []
    centre = reach = weight = 0.0
    for i, y, own in zip(order.tolist(), ys, sizes, strict=True):
        size = own if own < usual else usual
        if groups and (y - centre <= 0.5 * reach or y - centre <= 0.5 * (0.8 * size)):
            groups[-1].append(i)
            weight += size
            centre += (y - centre) * size / weight
            reach = size if size > reach else reach
        else:
            groups.append([i])
            centre, weight, reach = y, size, size
    return [line_of(ink, group) for group in groups]


def segments(ink: Ink, words: Sequence[int], gap: float = WIDE) -> list[list[int]]:
    """Split the words of one line (left to right) where the space is wider than `gap` em."""
    result: list[list[int]] = []
    right, last, sign = -inf, 0.0, False
    for i in words:
        row, size = ink.rows[i], ink.sizes[i]
        if row[0] - right > gap * (size if size > last else last) and not (sign and ink.value[i]):
            result.append([i])
            right = row[2]
        else:
            result[-1].append(i)
            right = row[2] if row[2] > right else right
        behind = len(result[-1]) > 1 and ink.value[result[-1][-2]]  # its number, as in "840,00 €"
        sign = ink.words[i].text in CURRENCY and not behind  # else it may stand at the other edge of its column
        last = size
    return result


def is_figure(ink: Ink, run: Sequence[int]) -> bool:
    """Return whether all words of a run are numbers, or they are one with spaces in it, as around its error."""
    return bool(ink.value[run].all()) or NUMBER.match("".join(ink.words[i].text for i in run)) is not None


def room_for(ink: Ink, first: int) -> float:
    """Return the room in points that a word needs at the end of a line; CJK text breaks after any character."""
    width, text = ink.rows[first][2] - ink.rows[first][0], ink.words[first].text
    return (2 * width / len(text) if text[0] > BEFORE_CJK else width) + 0.3 * ink.sizes[first]


def units(ink: Ink, words: Sequence[int]) -> int:
    """Return the number of words; four CJK characters count as one."""
    if not ink.cjk:
        return len(words)
    text = "".join(ink.words[i].text for i in words)
    wide = sum(c > BEFORE_CJK for c in text)
    return len(words) if wide < 0.5 * len(text) else max(1, wide // 4)


def cells_of(ink: Ink, line: InkLine) -> list[list[int]]:
    """Runs of words with white around them that is wider than in justified text; before a number less will do."""
    gaps = [ink.rows[b][0] - ink.rows[a][2] for a, b in pairwise(line.words)]
    least = min(gaps) if len(gaps) >= 4 else 0.0
    wide = [a for a, gap in zip(line.words, gaps, strict=False) if gap > max(WIDE * ink.sizes[a], JUSTIFIED * least)]
    times = SENTENCE if all(ink.words[a].text[-1] in ".?!" for a in wide) else JUSTIFIED
    result = [[line.words[0]]]
    for (a, b), gap in zip(pairwise(line.words), gaps, strict=True):
        size = ink.sizes[b]
        apart = gap > max(WIDE * size, times * least if least < size else 0.0)
        close = SPACE if ink.value[a] else 0.6
        if apart or (ink.value[b] and gap > close * size):
            result.append([b])
        else:
            result[-1].append(b)
    return result
