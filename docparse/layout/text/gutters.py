"""Gutters: white between columns, which lines must not reach across, and what is read across white all the same."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from docparse.layout.text.lines import Line
from docparse.layout.text.margins import CLEAR, HEADLINE, gap_at, inner_margins, is_headline
from docparse.layout.text.markers import BULLETS, BULLETS_ALONE, is_marker
from docparse.layout.text.wording import COLONS, PART
from docparse.layout.text.words import BLANK, Word, is_ring
from docparse.types import Box

GUTTER = 0.5  # em: a gap at least this wide is split where the lines above and below leave it empty too
NEARER = 1.5  # times: so much nearer to its item than to what stands before it is a bullet, and more than 1 em
MONO_GUTTER = 1.1  # em: the same in monospaced type, whose spaces are as wide as its letters, 0.6 em
WIDER = 1.25  # times the usual space of a line that has so many: in typewriter type spaces are as wide as a gutter
SPACES = 5
EDGES, MOST = 4, 0.75  # lines in which OCR found a column to begin, and share of those around
INDENT = 1.2  # em: of the first line of a paragraph, and some that OCR is off
TOUCH = 0.5  # em by which a word of a scan may reach over a stroke
WINDOW = 4.0  # em over and under a gap, in which lines tell of it
NUMBER_LINK = 1.6  # em: so far before its text may stand a number
THROUGH = 0.1  # words for each em of its length at most: OCR reads a line of two columns as one now and then
AROUND = 2.0  # em over and under such a word
TALL = 4.0  # em: a stroke down so many lines parts columns; bars around formulas are shorter
LABEL = 4  # words of a label at most: "Section 4", or brackets and their number in two fonts

NUMBER = re.compile(r"\d{1,3}|\d{1,2}(\.\d{1,2}){1,3}")
CLAUSE = re.compile(r"\d{1,2}(\.\d{1,2}){1,3}\.")
OPENED, CLOSES, BRACKETS = re.compile(r"[(（]$"), re.compile(r"[)）]"), re.compile(r"[(（]\s*[)）]")


def cut_at_gutters(lines: Sequence[Line], strokes: np.ndarray, answers: Container[int] = ()) -> list[Line]:
    """Return the lines, cut at gaps that the neighbouring lines above and below leave empty as well, at the margins of
    columns, and where one of the `strokes`, float [n, 4] in points, runs down between columns. Lines that begin with
    one of the `answers`, ids of words, are columns of their own, as are brackets for the letter of one: they tell of no
    gutters and have none.
    """
    result: list[Line] = []
    telling = [_without_brackets(line) for line in lines if id(line.words[0]) not in answers]
    neighbours, margins, down = _Neighbours(telling), inner_margins(telling), separators(strokes, lines)

    def is_gutter(line: Line, left: Word, right: Word, space: float) -> bool:
        em, gap = max(left.size, right.size), right.box.x0 - left.box.x1
        if neighbours.begin_at(right, em, wide=gap > CLEAR * em):
            return True
        if right.stretched or id(line.words[0]) in answers:
            return False
        least = max((MONO_GUTTER if left.mono and right.mono else GUTTER) * em, WIDER * space)
        wide = gap > least and neighbours.leave((left.box.x1, right.box.x0), right.box, em, line.box)
        return wide or any(margin.is_between(left, right, em) for margin in margins)

    for line in lines:
        words, start = line.words, 0
        spaces = [right.box.x0 - left.box.x1 for left, right in pairwise(words) if not right.glued]
        space = _usual_space(spaces, words[0].size)
        for i, (left, right) in enumerate(pairwise(words), 1):
            drawn = len(down) > 0 and is_drawn(down, left.box, right.box, max(left.size, right.size))
            if (
                drawn
                or _is_before_item(words[i - 1 : i + 2])
                or (is_gutter(line, left, right, space) and not _belong(words[start : i + 2], i - start))
            ):
                result.append(Line(words[start:i]))
                start = i
        result.append(Line(words[start:]) if start else line)
    return result


def _is_before_item(words: Sequence[Word]) -> bool:
    """Return whether the second of three words is the bullet of an item in the next column: nearer to the third than to
    the first. One between two names of a row stands in their middle."""
    if len(words) < 3 or words[1].text not in BULLETS_ALONE:
        return False
    before, after = (right.box.x0 - left.box.x1 for left, right in pairwise(words))
    return before > max(words[1].size, NEARER * after)


def _belong(words: Sequence[Word], i: int) -> bool:
    """Return whether the word at `i` belongs to those before it, whatever white is between: to a label, a colon, a
    blank."""
    left, right = words[i - 1], words[i]
    near = right.box.x0 - left.box.x1 < CLEAR * max(left.size, right.size)
    if near and BLANK in (left.text, right.text):
        return True
    labelled = (i <= LABEL and _leads(words[:i], right)) or (left.text.endswith(COLONS) and near)
    return labelled or is_blank(left.text, Line(tuple(words[i:])).text)


def _without_brackets(line: Line) -> Line:
    """The line without the brackets at its end that wait for an answer."""
    for end in (-1, -2):
        if line.words[:end] and BRACKETS.fullmatch(Line(line.words[end:]).text):
            return Line(line.words[:end])
    return line


def separators(strokes: np.ndarray, lines: Sequence[Line]) -> np.ndarray:
    """Return the strokes that run down past several lines and hardly through a word, float [n, 4], without what is near
    such a word: one that shines through the paper runs through some lines and between the words of others."""
    x0, y0, x1, y1 = strokes.T
    strokes = strokes[y1 - y0 > x1 - x0]
    if not len(strokes):
        return strokes
    edges = [(word.box.x0, word.box.x1, word.box.center[1], word.size) for line in lines for word in line.words]
    left, right, y, size = np.array(edges).reshape(-1, 4).T
    em = float(np.median(size)) if len(size) else 0.0

    def parts(stroke: np.ndarray) -> list[tuple[float, ...]]:
        x, height = (stroke[0] + stroke[2]) / 2, stroke[3] - stroke[1]
        through = (y > stroke[1]) & (y < stroke[3]) & (left < x - TOUCH * size) & (right > x + TOUCH * size)
        if through.sum() * em > THROUGH * height:
            return []
        off = AROUND * em
        ends = [stroke[1] - off, *np.sort(y[through]), stroke[3] + off]
        return [(stroke[0], top + off, stroke[2], bottom - off) for top, bottom in pairwise(ends)]

    found = np.array([part for stroke in strokes for part in parts(stroke)]).reshape(-1, 4)
    return found[found[:, 3] - found[:, 1] > TALL * em]


def is_drawn(strokes: np.ndarray, left: Box, right: Box, em: float) -> bool:
    """Return whether one of the strokes runs down between two boxes on one line, and past other lines of its type."""
    x0, y0, x1, y1 = strokes.T
    middle, slack = right.center[1], TOUCH * em
    level = (y0 < middle) & (y1 > middle) & (y1 - y0 > TALL * em)
    return bool((level & (x1 > left.x1 - slack) & (x0 < right.x0 + slack)).any())


def _usual_space(spaces: Sequence[float], em: float) -> float:
    """The median of the spaces between the words of a line, points; 0 where there are few, or cells stand apart."""
    space = median(spaces) if len(spaces) >= SPACES else 0.0
    return space if space < CLEAR * em else 0.0


class _Neighbours:
    """The lines of a page, asked whether they leave a gap empty."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = sorted(lines, key=lambda line: line.box.y0)
        self._tops = [line.box.y0 for line in self._lines]
        self._tallest = max((line.box.height for line in lines), default=0.0)

    def leave(self, gap: tuple[float, float], right: Box, em: float, line: Box) -> bool:
        """Return whether lines stand on both sides of the gap before the word `right`, near it, under or over what is
        on that side of it in its `line`, and none but headlines across it; a wide gap may have one such line in five,
        which is a small heading or what OCR took for one line.

        Where the line on the left ends early, the gutter is a strip at the right end of the gap. Headings side by side
        are told by the columns under them; over them another article may end.
        """
        near = right.padded(WINDOW * em)
        near = Box(line.x0 - em, near.y0, line.x1 + em, near.y1)
        under = Box(near.x0, right.y0, near.x1, near.y1)
        return self._leave(gap, near, em) or (gap[1] - gap[0] > CLEAR * em and self._leave(gap, under, em))

    def _leave(self, gap: tuple[float, float], window: Box, em: float) -> bool:
        wider, strip = gap[1] - gap[0] > 2 * CLEAR * em, (gap[1] - CLEAR * em, gap[1])
        return self._part(gap, window, em) or (wider and self._part(strip, window, em))

    def _part(self, gap: tuple[float, float], window: Box, em: float) -> bool:
        """Return whether the lines within the window's height leave the gap empty in its middle."""
        width, middle = gap[1] - gap[0], (gap[0] + gap[1]) / 2
        left = right = across = 0
        for line in self._within(window):
            box = line.box
            number = line.text.isdecimal() and gap[0] < box.x0 and box.x1 < gap[1]  # of the page, under the gutter
            if number or all(word.size > HEADLINE * em for word in line.words):
                continue
            if box.x1 <= middle:
                left += box.x1 > window.x0
            elif box.x0 >= middle:
                right += box.x0 < window.x1
            elif gap_at(line.words, middle, HEADLINE * em) < min(0.8 * width, CLEAR * line.size):
                across += 1
            else:
                left, right = left + 1, right + 1
        allowed = min(left, right) // 4 if width > CLEAR * em else 0
        return min(left, right) >= 3 and across <= allowed

    def begin_at(self, word: Word, em: float, *, wide: bool) -> bool:
        """Return whether OCR found a line that begins with this word, and nearly all lines around here that reach over
        its left edge have one that begins there: it is the edge of a column, however wide the spaces are. Behind `wide`
        white the lines of that column alone say so too. Behind the markers of items begins no column. The ends of the
        words that OCR reads are too rough to tell the gutters of newspapers by. Text tells of none in a headline.
        """
        if not word.begins:
            return False
        x, near = word.box.x0, INDENT * em
        around = (line for line in self._within(word.box.padded(4 * em)) if not is_headline(word, line.size))
        first = x + near if wide else x - near
        over = [line for line in around if line.box.x0 < first and line.box.x1 > x]
        begun = sum(_begins_beside_text(line, x, near) for line in over)
        return begun >= EDGES and begun >= MOST * len(over)

    def _within(self, window: Box) -> list[Line]:
        """The lines within the window's height."""
        first = bisect_left(self._tops, window.y0 - self._tallest)
        near = self._lines[first : bisect_right(self._tops, window.y1)]
        return [line for line in near if line.box.y1 >= window.y0]


def _begins_beside_text(line: Line, x: float, near: float) -> bool:
    """Return whether OCR found a line to begin within `near` of `x` in this one, not behind a mere list marker."""
    begun = [i for i, word in enumerate(line.words) if word.begins and abs(word.box.x0 - x) < near]
    return any(i == 0 or not is_label(Line(line.words[:i]).text) for i in begun)


def _leads(words: Sequence[Word], second: Word) -> bool:
    """A list marker, "Section 4", or a number of the text behind it ("12" before a reference, "7.4.2" a clause)."""
    if is_label(Line(tuple(words)).text) or (len(words) == 1 and is_ring(words[0], second)):
        return True
    words = words[len(words) > 1 and words[0].text in BULLETS :]
    near = second.box.x0 - words[-1].box.x1 < NUMBER_LINK * second.size
    named = any(char.isalpha() for char in second.text)
    return near and named and len(words) == 1 and NUMBER.fullmatch(words[0].text) is not None


def is_label(text: str) -> bool:
    """Return whether this stands before its text with some white between: a list marker, the name of a part."""
    return is_marker(text) or CLAUSE.fullmatch(text) is not None or PART.fullmatch(text) is not None


def is_blank(before: str, after: str) -> bool:
    """Return whether these are brackets to write into: the next thing closes what opens, or both end the row."""
    closed = OPENED.search(before) is not None and CLOSES.match(after) is not None
    return closed or BRACKETS.fullmatch(after) is not None
