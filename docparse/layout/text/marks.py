"""Bullets, boxes and numbers in discs that are drawn before a line become words of it, as if they had been typed; so do
underscores, which TeX draws, and the hyphens that troff prints as minus signs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import msgspec
import numpy as np

from docparse.layout.chained import without
from docparse.layout.geometry import boxes_of
from docparse.layout.text.lines import SCRIPT
from docparse.layout.text.wording import STOPS, is_rtl
from docparse.layout.text.words import Word
from docparse.pdf.marks import ROOT
from docparse.types import Box

HEIGHT, TICK_HEIGHT = 1.1, 1.6  # em: a larger shape is no bullet of the line; no box to tick
EMPTY, TICKED = "☐", "☑"
TICKS = frozenset({EMPTY, TICKED})
CROSSES = frozenset("xX")
REACH = 2.2  # em from the shape to the first word
ALONE = 1.5  # em on its other side without a word of the line
FAR = 5.0  # em from a shape that begins its line to the first word, where others under each other do so
LINED, COMPANY = 1.5, 3  # points between the left edges of these, and how many there are at least
WITHIN = 0.9  # of a number's box that lies in the shape it is printed on
NUMBER = re.compile(r"\d{1,2}|[a-zA-Z]")
ALIKE = 0.1  # of the sides of a box to tick by which another one differs at most
CLEAR = 0.3  # em around it without another shape: points of a plot and pieces of a drawing stand closer
LINE, DROP, TOUCH = 0.42, 0.2, 0.12  # em: the longest underscore (TeX's is 0.3 em), below the baseline, to its letters
SAME = 0.6  # points
UNDER_ROOT = 0.4  # em between the hook of a root and what stands under its bar
TALL_ROOT, HIGHEST_ROOT, AXIS = 1.6, 5.0, 0.25  # em: of one that is centred on its line; of any; from a line to there
OPTION = re.compile(r"[^\w\s]?−−[^\W\d_]")  # --all
MINUS = re.compile(r"(?<![\d)])−(?=[−A-Za-z])")  # that is typed as a hyphen
PILL, RIM, UNEVEN = 2.2, 1.0, 0.1  # em: lower, with less on each side of its word, and hardly more on one of them
TICK_CLEAR = 0.02  # em around a box to tick: those of two lines may nearly touch


def with_marks(words: Sequence[Word], marks: Sequence[tuple[Box, str]], alone: Collection[int] = ()) -> list[Word]:
    """Return the words, with one more for every shape that stands where a bullet does: alone before the first word of a
    line, at the height of its small letters; boxes to tick, two or more alike, stand before any word, or behind all. A
    number printed in the shape is that of the item, and a sign in a box ticks it; letters and figures that are
    written in boxes, as those of dates are, stay. Those `alone`, by index, are known to begin their line, as several
    under each other are."""
    upright = [word for word in words if word.angle == 0]
    if not marks or not upright:
        return list(words)
    numbers = [word for word in upright if NUMBER.fullmatch(word.text)]
    signs = [word for word in upright if len(word.text) == 1]
    ends = np.array([(w.box.x0, w.box.x1) for w in upright]).T
    baseline, em = np.array([(w.baseline, w.size) for w in upright]).T
    shapes = np.array([(b.x0, b.y0, b.x1, b.y1) for b, _ in marks])
    ticks, lined = _to_tick(marks), _under_each_other(marks) | set(alone)
    before: dict[int, Word] = {}  # by the word that each stands before, or behind, the nearest one
    printed: dict[int, Word | None] = {}  # in these
    for at, (shape, text) in enumerate(marks):
        highest, clear = (TICK_HEIGHT, TICK_CLEAR) if at in ticks else (HEIGHT, CLEAR)
        level = (np.abs(baseline - 0.32 * em - shape.center[1]) < 0.35 * em) & (shape.height < highest * em)
        near = np.flatnonzero(level & (ends[1] > shape.x0 - ALONE * em) & (ends[0] < shape.x1 + REACH * em))
        if not len(near) and at in lined and _begins_line(shapes, at, ends[:, level]):
            near = np.flatnonzero(level & (ends[0] < shape.x1 + FAR * em))
        tick = next((word for word in signs if at in ticks and shape.holds(*word.box.center)), None)
        if at in ticks and any(_is_filled_in(word) and shape.holds(*word.box.center) for word in upright):
            continue
        number = tick or next((word for word in numbers if word.box.inside(shape) > WITHIN), None)
        around = [upright[k] for k in near.tolist() if upright[k] is not number]
        if at in ticks:
            around = [word for word in around if word.box.x1 > shape.x0 + 0.1 * word.size] or around
        first = _first(shape, around, may_end=at in ticks)
        if first is None or not _is_clear(shapes, at, clear * first.size):
            continue
        other = before.get(id(first))
        if other is None or first.box.gap_x(shape) < first.box.gap_x(other.box):
            said = TICKED if tick else f"{number.text}." if number is not None else text
            before[id(first)], printed[id(first)] = _before(first, shape, said), number
    marked = (each for word in words for each in (before.get(id(word)), word) if each is not None)
    return without(marked, printed.values())


def _is_filled_in(word: Word) -> bool:
    """Return whether it is a letter or figures, written in a box, and no cross that ticks it."""
    return word.text.isascii() and word.text.isalnum() and word.text not in CROSSES


def _before(word: Word, shape: Box, text: str) -> Word:
    """A word before another one; in the order of the file, and in the tree, they are one."""
    return Word(text=text, box=shape, baseline=word.baseline, size=word.size, index=word.index, font=word.font)


def _to_tick(marks: Sequence[tuple[Box, str]]) -> set[int]:
    """The marks, by index, that are boxes to tick and have another one of their size on the page."""
    boxes = {at: box for at, (box, text) in enumerate(marks) if text in TICKS}
    sizes = np.array([(box.width, box.height) for box in boxes.values()]).reshape(-1, 2)
    pairs = zip(boxes, sizes, strict=True)
    return {at for at, size in pairs if (abs(sizes - size) < ALIKE * size).all(axis=1).sum() > 1}


def _under_each_other(marks: Sequence[tuple[Box, str]]) -> set[int]:
    """The marks, by index, that are bullets and begin at one place with others like them."""
    kinds = np.array([text for _, text in marks])
    x0 = np.array([box.x0 for box, _ in marks])
    bullets = [at for at, (_, text) in enumerate(marks) if text not in TICKS]
    return {at for at in bullets if ((np.abs(x0 - x0[at]) < LINED) & (kinds == kinds[at])).sum() >= COMPANY}


def _begins_line(shapes: np.ndarray, at: int, ends: np.ndarray) -> bool:
    """Return whether a shape stands left of all words of its line, whose `ends` are float [2, n], and no other shape is
    level with it: no mark in a table, and no point of a plot."""
    x0, y0, _, y1 = shapes[at]
    beside = (shapes[:, 1] < y1) & (shapes[:, 3] > y0)
    return bool(beside.sum() == 1 and (ends[0] > x0).all())


def _first(shape: Box, around: Sequence[Word], *, may_end: bool) -> Word | None:
    """The word that the shape stands before, or behind if it `may_end` a line: all others near it are on the same side
    of the shape, further away."""
    right = [word for word in around if word.box.x0 >= shape.x1 - 0.1 * word.size]
    left = [word for word in around if word.box.x1 <= shape.x0 + 0.1 * word.size]
    if len(right) == len(around) > 0:
        word = min(right, key=lambda word: word.box.x0)
        return None if is_rtl(word.text) else word
    if len(left) == len(around) > 0:
        word = max(left, key=lambda word: word.box.x1)
        ends = may_end and not word.text.endswith(STOPS)  # a box behind a sentence ends a proof
        return word if (ends or is_rtl(word.text)) and shape.x0 - word.box.x1 < REACH * word.size else None
    return None


def _is_clear(shapes: np.ndarray, at: int, margin: float) -> bool:
    """No other shape touches it; one right on it (a ring filled, a stroke about a fill) is part of it."""
    low, high = shapes[at, :2] - margin, shapes[at, 2:] + margin
    near = (shapes[:, :2] < high).all(axis=1) & (shapes[:, 2:] > low).all(axis=1)
    same = np.abs(shapes - shapes[at]).max(axis=1) < margin
    earlier = same & (np.arange(len(shapes)) < at)
    return not (near & ~same).any() and not earlier.any()


def in_pills(words: Sequence[Word], panels: np.ndarray) -> list[Word]:
    """Return the words, each that stands alone in the middle of a small coloured box as wide as that, and in the order
    of the file where it is read: browsers draw the number of a citation in a pill behind all text, and the white around
    it parts no line. `panels` is float32 [n, 4] in points."""
    em = np.array([word.size for word in words])
    middle = np.array([word.box.center for word in words]).reshape(-1, 2)
    pills: dict[int, Box] = {}
    order = np.argsort(middle[:, 1])
    x, y = middle[order].T
    low = panels[panels[:, 3] - panels[:, 1] < PILL * em.max(initial=0)]
    firsts, lasts = np.searchsorted(y, low[:, 1], "right"), np.searchsorted(y, low[:, 3])
    over = lasts > firsts  # a word
    for panel, first, last in zip(boxes_of(low[over]), firsts[over].tolist(), lasts[over].tolist(), strict=True):
        level = x[first:last]
        held = order[first:last][(level > panel.x0) & (level < panel.x1)]
        if len(held) == 1 and _is_pill(panel, words[held[0]]):
            pills[int(held[0])] = Box(panel.x0, words[held[0]].box.y0, panel.x1, words[held[0]].box.y1)
    text = [word for i, word in enumerate(words) if i not in pills]
    return [_in_pill(word, pills[i], text) if i in pills else word for i, word in enumerate(words)]


def _is_pill(panel: Box, word: Word) -> bool:
    """Return whether a box is little higher than a word, and as little and evenly wider."""
    em, before, behind = word.size, word.box.x0 - panel.x0, panel.x1 - word.box.x1
    return panel.height < PILL * em and 0 < before < RIM * em and abs(before - behind) < UNEVEN * em


def _in_pill(word: Word, pill: Box, text: Sequence[Word]) -> Word:
    """The word as wide as its pill, if it is smaller than the text of its line, as no cell of a table is; in the order
    of the file it stands behind the word of the text before it, or else before the one behind it."""
    level = [other for other in text if other.angle == 0 and other.box.y0 < pill.center[1] < other.box.y1]
    before = max((other for other in level if other.box.x1 <= pill.x0), key=lambda other: other.box.x1, default=None)
    behind = min((other for other in level if other.box.x0 >= pill.x1), key=lambda other: other.box.x0, default=None)
    beside = before or behind
    small = beside is not None and word.size <= SCRIPT * beside.size
    return msgspec.structs.replace(word, box=pill, index=beside.index) if beside and small else word


def with_roots(words: Sequence[Word], hooks: Sequence[Box]) -> list[Word]:
    """Return the words, and before the first one under the bar of each root its sign; `hooks` are drawn before it."""
    found = list(words)
    for hook in hooks:
        under = [word for word in found if _is_under_root(word, hook)]
        first = min(under, key=lambda word: word.box.x0, default=None)
        if first is not None:
            tall = hook.height > TALL_ROOT * first.size
            baseline = hook.center[1] + AXIS * first.size if tall else first.baseline
            at = next(i for i, word in enumerate(found) if word is first)
            found[at : at + 1] = [
                msgspec.structs.replace(first, text=ROOT, box=hook, baseline=baseline, math=True, italic=False),
                msgspec.structs.replace(first, glued=True),
            ]
    return found


def _is_under_root(word: Word, hook: Box) -> bool:
    em = word.size
    behind = word.angle == 0 and -UNDER_ROOT * em < word.box.x0 - hook.x1 < UNDER_ROOT * em
    return behind and hook.y0 < word.box.center[1] < hook.y1 and hook.height < HIGHEST_ROOT * em


def with_underscores(words: Sequence[Word], rulings: np.ndarray) -> list[Word]:
    """Return the words, two between which a short stroke on their baseline fills the gap as one with an underscore."""
    level = rulings[(np.abs(rulings[:, 3] - rulings[:, 1]) < SAME) & (rulings[:, 2] - rulings[:, 0] > SAME)]
    em = max((word.size for word in words), default=0.0)
    short = level[level[:, 2] - level[:, 0] < LINE * em]
    if not len(short) or not words:
        return list(words)
    found = list(words)
    ends = np.array([(word.box.x0, word.box.x1, word.baseline, word.size, word.angle) for word in words])
    gone: set[int] = set()
    for x0, y, x1, _ in short[np.argsort(short[:, 0])].tolist():
        left, right, baseline, size, angle = ends.T
        fits = (angle == 0) & (x1 - x0 < LINE * size) & (y > baseline - SAME) & (y < baseline + DROP * size)
        before = np.flatnonzero(fits & (np.abs(x0 - right) < TOUCH * size))
        after = np.flatnonzero(fits & (np.abs(left - x1) < TOUCH * size))
        if len(before) != 1 or len(after) > 1:
            continue
        a = int(before[0])
        found[a] = _extended(found[a], "_", x1)
        if len(after):
            b = int(after[0])
            found[a] = _extended(found[a], found[b].text, found[b].box.x1)
            ends[b, 4], gone = -1, gone | {b}
        ends[a, 1] = found[a].box.x1
    return [word for i, word in enumerate(found) if i not in gone]


def _extended(word: Word, text: str, x1: float) -> Word:
    return msgspec.structs.replace(word, text=word.text + text, box=Box(word.box.x0, word.box.y0, x1, word.box.y1))


def with_typed_hyphens(words: Sequence[Word]) -> list[Word]:
    """Return the words, on a page with long options, −−all, with hyphens in place of minus signs before letters: a
    manual page is to be typed."""
    if not any(OPTION.match(word.text) for word in words):
        return list(words)
    typed = ((word, MINUS.sub("-", word.text)) for word in words)
    return [msgspec.structs.replace(word, text=text) if text != word.text else word for word, text in typed]
