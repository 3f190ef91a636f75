"""Inline formulas put together again: parts above, below and beside a line of prose that were lines of their own.

Formula editors store scripts, brackets and letters in an order of their own, and limits or halves of a fraction overlap
their line too little to be chained to it. Only for words with exact boxes and sizes (a text layer).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.chained import without
from docparse.layout.formula.evidence import is_prose
from docparse.layout.formula.text_rows import LEVEL, NEAR, TOUCH, TextRow, is_operator_word, is_under, left_edge
from docparse.layout.geometry import boxes_of, level_strokes
from docparse.layout.text.lines import SCRIPT, Line
from docparse.layout.text.markers import CHOICE
from docparse.layout.text.wording import is_rtl
from docparse.layout.text.words import Word
from docparse.types import Box

JOIN = 1.2  # em between a formula and what goes on behind it in the same line, at most
GLUED = 0.12  # em: a narrower gap is no space
AXIS, HIGH = 0.5, 0.9  # em from a line's baseline up to the bar of a fraction, and of one in an exponent, at most
OVER, UNDER = 0.2, 0.6  # em from a bar to the baselines of what stands over and under it
LOW = 0.1  # em that a denominator stands under the line, at least
ITEM = re.compile(r"\((?:[ivx]{1,4}|[a-z]|\d)\)\s")
REACH = 4.4  # font sizes between a line and what hangs on it, at most


def gathered(lines: Sequence[Line], rulings: np.ndarray) -> Sequence[Line]:
    """Return the lines (sorted from the top) with loose symbols put into the line of prose, the item, or the choice,
    that they belong to; no word is lost.

    `rulings` (float32 [n, 4]) are the page's strokes; the bars of inline fractions are among them.
    """
    hosts = [line for line in lines if not line.rtl and (any(map(is_prose, line.words)) or CHOICE.match(line.text))]
    hosts += _counted(without(lines, hosts))
    others = without(lines, hosts)
    loose = [word for line in others for word in line.words if _is_symbol(word)]
    rows = sorted((TextRow(line) for line in hosts), key=lambda row: row.baseline)
    taken = _attach(rows, loose, rulings)
    whole = _bridged(rows)
    if not taken and len(whole) == len(rows):
        return lines  # as on most pages
    rest = (tuple(w for w in line.words if id(w) not in taken) for line in others)
    result = [*(Line(words) for words in rest if words), *map(_ordered, whole)]
    return sorted(result, key=lambda line: (line.box.y0, line.box.x0, line.words[0].index))


def _counted(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that are formulas but for the letter or number in brackets that they begin with as items do: not
    the number of an equation alone."""
    marked = ((line, ITEM.match(line.text)) for line in lines if not line.rtl and len(line.words) > 2)
    return [line for line, marker in marked if marker]


def _is_symbol(word: Word) -> bool:
    return not is_prose(word) and not is_rtl(word.text)


def _attach(rows: list[TextRow], loose: list[Word], rulings: np.ndarray) -> set[int]:
    """Give loose words to rows as long as any fits; returns the ids of those given away."""
    taken: set[int] = set()
    levels = [row.baseline for row in rows]
    tallest = max((row.size for row in rows), default=0.0)
    roots = [word.box for word in loose if word.text.endswith("√")]
    flat = boxes_of(level_strokes(rulings))
    flat = [bar for bar in flat if not any(carries(root, bar) for root in roots)]
    owned = _by_bar(loose, flat, tallest)
    before = -1
    while loose and len(taken) > before:
        before = len(taken)
        for bar, halves in owned.items():
            first, end = (bisect_left(levels, flat[bar].y0 + below) for below in (0.0, HIGH * tallest))
            for row in rows[first:end]:
                for word in _fraction(row, [w for w in halves if id(w) not in taken], flat[bar]):
                    row.add(word)
                    taken.add(id(word))
        for word in sorted(loose, key=lambda word: -word.size):
            if id(word) not in taken:
                top, end = (bisect_left(levels, word.baseline + side * REACH * word.size) for side in (-1, 1))
                found = [(d, k) for k in range(top, end) if (d := rows[k].distance(word)) is not None]
                if found:
                    rows[min(found)[1]].add(word)
                    taken.add(id(word))
    return taken


def carries(root: Box, bar: Box) -> bool:
    """Return whether a bar goes on from the hook of a root."""
    return abs(root.x1 - bar.x0) < 0.2 * root.height and root.y0 - 0.3 * root.height < bar.y0 < root.center[1]


def _by_bar(words: Sequence[Word], bars: Sequence[Box], em: float) -> dict[int, list[Word]]:
    """Words over and under bars, by the index of the bar that they are nearest to, seen from where halves stand."""
    found: dict[int, list[Word]] = {}
    for word in words:
        center = word.box.center[0]
        near = [
            (min(abs(bar.y0 - word.baseline - OVER * em), abs(word.baseline - bar.y0 - UNDER * em)), k)
            for k, bar in enumerate(bars)
            if bar.x0 - 1 <= center <= bar.x1 + 1 and abs(bar.y0 - word.baseline) < 1.6 * em
        ]
        if near:
            found.setdefault(min(near)[1], []).append(word)
    return found


def _fraction(row: TextRow, free: Sequence[Word], bar: Box) -> list[Word]:
    """The free words above and below a short stroke on the axis of a row, if there are both."""
    em, y = row.size, bar.center[1]
    held = [w for w in row.near(bar, 0) if bar.x0 - 1 <= w.box.center[0] <= bar.x1 + 1]
    raised = bool(held) and all(w.size <= SCRIPT * em and w.baseline < row.baseline for w in held)
    on_axis = 0.1 * em < row.baseline - y < (HIGH if raised else AXIS) * em and bar.width < 12 * em
    if not on_axis or not row.near(bar, NEAR * em):
        return []
    within = [*free, *held]
    over = [w for w in within if 0 < y - w.baseline < (1.3 if w.size < SCRIPT * em else 0.9) * em]
    under = [w for w in within if 0.3 * em < w.baseline - y < 1.6 * em]
    if not (over and under):
        return []
    halves = sorted((over, under), key=lambda words: min(map(left_edge, words)))
    row.halves |= {id(w): (bar.x0, half) for half, words in enumerate(halves, 1) for w in words}
    return [w for w in [*over, *under] if w in free]


def _bridged(rows: list[TextRow]) -> list[TextRow]:
    """Rows joined where a formula was put between two pieces of one line."""
    result: list[TextRow] = []
    for row in sorted(rows, key=lambda row: row.words[0].box.x0):
        left = next((other for other in result if _goes_on(other, row)), None)
        if left is None:
            result.append(row)
        else:
            left.words = sorted(left.words + row.words, key=left_edge)
            left.added |= row.added | {id(left.words[0])}
            left.halves |= row.halves
    return result


def _goes_on(left: TextRow, right: TextRow) -> bool:
    em, first = left.size, right.words[0]
    if abs(left.baseline - right.baseline) > LEVEL * em or CHOICE.fullmatch(first.text):
        return False
    last = max(left.words, key=lambda word: word.box.x1)
    gap = first.box.x0 - last.box.x1
    if gap > -TOUCH * em:
        added = id(last) in left.added or id(first) in right.added
        low = first.size <= SCRIPT * right.size and first.baseline > right.baseline + LOW * right.size
        return (added and gap < JOIN * em) or (low and gap < NEAR * em)  # no line begins with a denominator
    woven = [word for word in right.words if word.box.x0 < last.box.x1]
    return any(_is_symbol(word) for word in woven) and all(left.is_free(word.box) for word in woven)


def _ordered(row: TextRow) -> Line:
    """The row's words from left to right, limits behind their operator, one half of a fraction behind the other;
    untouched lines as they were."""
    if not row.added:
        return row.line
    operators = [word for word in row.words if is_operator_word(word) and word.size > SCRIPT * row.size]

    def place(word: Word) -> tuple[float, int, float]:
        x = word.box.x0
        if word.size <= SCRIPT * row.size:
            x = max([x, *(op.box.x0 + 0.01 for op in operators if is_under(word.box, op, row.size))])
        start, half = row.halves.get(id(word), (x, 0))
        return start, half, x

    words = sorted(row.words, key=place)
    before = {id(b): id(a) for a, b in zip(row.line.words, row.line.words[1:], strict=False)}
    result: list[Word] = []
    end = words[0].box.x0
    for k, word in enumerate(words):
        kept = k > 0 and before.get(id(word)) == id(words[k - 1]) and id(word) not in row.halves
        gap = word.box.x0 - end
        glued = word.glued and gap < TOUCH * row.size if kept else k > 0 and gap < GLUED * row.size
        result.append(word if glued == word.glued else msgspec.structs.replace(word, glued=glued))
        end = max(end, word.box.x1)
    return Line(tuple(result))
