"""Fully ruled tables: cells are the rectangles between strokes, a missing stroke joins two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.tables.build import Slot
from docparse.layout.tables.ink import CURRENCY, Ink, lines_of, segments
from docparse.layout.tables.rules import TOUCH, Rule, positions
from docparse.layout.text.wording import CAPTION
from docparse.types import Box

THINNEST = 4.0  # points: between nearer strokes stands nothing
WORD_SPACE = 0.36  # em: more is no word space, in tight columns
FIRST, NEXT = 1.8, 1.4  # em: from the last stroke to a line in a cell, and from there to the next line of the cell
STEP, FARTHEST = 1.25, 2.5  # heights of a row, and em: at most so far stands the line of the next one
SHADED = 3  # columns: a row without strokes that has words in so many of them, each in one, is merged by its ground
LABELS = 4  # rows: a cell of fewer may have as many lines by chance


@dataclass(slots=True)
class Lattice:
    """Grid lines of a ruled table and, for every elementary edge, whether a stroke is drawn there.

    `xs` [c+1] and `ys` [r+1] are sorted; `below` is bool [r-1, c] (edge under a cell), `right` is bool [r, c-1].
    """

    xs: np.ndarray
    ys: np.ndarray
    below: np.ndarray
    right: np.ndarray

    @property
    def rows(self) -> int:
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        return len(self.xs) - 1


def lattice_of(horizontal: list[Rule], vertical: list[Rule], box: Box) -> Lattice:
    """Lay the grid through all strokes; sides of `box` that have no stroke are closed by it."""
    xs = _closed(positions(vertical, THINNEST), box.x0, box.x1)
    ys = _closed(positions(horizontal, THINNEST), box.y0, box.y1)
    below, right = _drawn(horizontal, ys[1:-1], xs), _drawn(vertical, xs[1:-1], ys).T
    return Lattice(np.array(xs), np.array(ys), below, right)


def _closed(at: list[float], lo: float, hi: float) -> list[float]:
    at = [lo, *at] if not at or at[0] - lo > 2 * TOUCH else at
    return [*at, hi] if hi - at[-1] > 2 * TOUCH else at


def _drawn(rules: list[Rule], at: list[float], ends: list[float]) -> np.ndarray:
    """bool [len(at), len(ends)-1]: does a stroke at `at[i]` cover most of the stretch `ends[j]..ends[j+1]`?"""
    places, lo, hi = np.array(at), np.array(ends[:-1]), np.array(ends[1:])
    covered = np.zeros((len(at), len(lo)))
    for rule in rules:
        common = np.minimum(hi, rule.hi) - np.maximum(lo, rule.lo)
        covered[np.abs(places - rule.at) <= TOUCH] += np.maximum(common, 0)
    return covered >= 0.6 * (hi - lo)


def trimmed(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Return the grid without the rows and columns at the sides that hold no words, such as frames drawn twice and the
    margins of ruled paper, but with the cells behind or under all words that wait for some; and without white between
    columns."""
    row, column = _homes(ink, words, lattice)
    em = float(np.median(ink.size[words]))
    left, right = _kept(lattice.xs, column, em)
    top, bottom = _kept(lattice.ys, row, em)
    xs, ys = lattice.xs[left : right + 1], lattice.ys[top : bottom + 1]
    below, beside = lattice.below[top : bottom - 1, left:right], lattice.right[top:bottom, left : right - 1]
    grid = _without_white(Lattice(xs, ys, below, beside), np.isin(np.arange(left, right), column, invert=True))
    return _without_signs(ink, words, grid)


def shut(ink: Ink, words: np.ndarray, lattice: Lattice, horizontal: Sequence[Rule]) -> Lattice:
    """Return the grid without a last row that no stroke ends and whose words stand across its upright strokes, which
    reach a little into the text under the table."""
    if lattice.rows < 2 or any(abs(rule.at - lattice.ys[-1]) <= TOUCH for rule in horizontal):
        return lattice
    inner = lattice.xs[1:-1][lattice.right[-1]]
    x0, _, x1, _ = ink.box[words[ink.y[words] > lattice.ys[-2]]].T
    if not ((inner[:, None] > x0 + TOUCH) & (inner[:, None] < x1 - TOUCH)).any():
        return lattice
    return Lattice(lattice.xs, lattice.ys[:-1], lattice.below[:-1], lattice.right[:-1])


def _without_white(lattice: Lattice, bare: np.ndarray) -> Lattice:
    """The grid, where no cells are merged across columns, with each narrow `bare` one, bool [c], as part of that before
    it: it is white between the cells of a web page."""
    if not lattice.right.all():
        return lattice
    narrow = np.diff(lattice.xs) <= float(np.median(np.diff(lattice.ys)))
    return _joined(lattice, bare & narrow)


def _without_signs(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """The grid with each column of nothing but signs of currencies as part of the next one: sheets give them a cell of
    their own."""
    _, column = _homes(ink, words, lattice)
    signs = [{ink.words[i].text for i in words[column == k]} for k in range(lattice.columns)]
    return _joined(lattice, np.array([False, *(bool(own) and own <= CURRENCY for own in signs[:-1])]))


def without_strips(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Return the grid without the strokes in a single column, of three and more, that part one cell with words from
    bare ones between two strokes of other columns: a merged cell is shaded line by line. What no stroke ends any more
    is no row."""
    if lattice.columns <= 2:
        return lattice
    row, column = _homes(ink, words, lattice)
    said = np.zeros((lattice.rows, lattice.columns), bool)
    said[row, column] = True
    below, alone = lattice.below.copy(), lattice.below.sum(axis=1) == 1
    for rows in np.split(np.arange(lattice.rows), np.flatnonzero(~alone) + 1):
        inner = rows[:-1]
        columns = np.unique(np.nonzero(below[inner])[1])
        if len(columns) == 1 and said[rows, columns[0]].sum() == 1:
            below[inner, columns[0]] = False
    ends = below.any(axis=1) | ~lattice.below.any(axis=1)
    starts = np.flatnonzero(np.concatenate([[True], ends]))
    right = np.logical_or.reduceat(lattice.right, starts, axis=0)
    return Lattice(lattice.xs, lattice.ys[[*starts, -1]], below[ends], right)


def _joined(lattice: Lattice, before: np.ndarray) -> Lattice:
    """The grid with some columns, bool [c], as parts of those before them; the first is none of these."""
    starts = np.flatnonzero(~before | (np.arange(len(before)) == 0))
    below = np.logical_or.reduceat(lattice.below, starts, axis=1)
    return Lattice(lattice.xs[[*starts, -1]], lattice.ys, below, lattice.right[:, starts[1:] - 1])


def _kept(at: np.ndarray, homes: np.ndarray, em: float) -> tuple[int, int]:
    """The first and the last of the strokes to keep; `homes` are the places, between two of them, of the words."""
    first, last = int(homes.min()), int(homes.max()) + 1
    while first == 0 and last + 1 < len(at) and at[last + 1] - at[last] > em:
        last += 1
    return first, last


def grown(ink: Ink, free: np.ndarray, lattice: Lattice, em: float, horizontal: Sequence[Rule]) -> Lattice:
    """Return the grid with the rows at the top and at the bottom that have no stroke beyond them, where words stand in
    its columns: of striped rows the first and the last may be plain."""
    for _ in range(2):  # the bottom is the top of the lattice upside down
        while (taller := _with_top(ink, free, lattice, em, horizontal)) is not None:
            lattice = taller
        lattice = Lattice(lattice.xs, lattice.ys[::-1], lattice.below[::-1], lattice.right[::-1])
    return lattice


def _with_top(ink: Ink, free: np.ndarray, lattice: Lattice, em: float, horizontal: Sequence[Rule]) -> Lattice | None:
    """Return the lattice with one more row, of lines that follow its edge, or the rules right over it, and cross no
    stroke; None without one. A caption is none."""
    last, up = float(lattice.ys[0]), -1 if lattice.ys[0] < lattice.ys[-1] else 1
    step = STEP * float(np.median(np.abs(np.diff(lattice.ys)))) if up < 0 else 0.0
    first = max(FIRST * em, min(step, FARTHEST * em))  # to the names of the columns,
    title = {0} if up < 0 else set()  # between which and the rows a title may stand
    x0, x1 = float(lattice.xs[0]), float(lattice.xs[-1])
    words = ink.inside(Box(x0 - 2 * em, min(last, last + up * 6 * em), x1 + 2 * em, max(last, last + up * 6 * em)))
    crossed = np.zeros(lattice.columns - 1, bool)
    homes: set[int] = set()
    edge, inner = last, lattice.xs[1:-1]
    lines = lines_of(ink, words[free[words]])[::up]
    if up < 0 and lines:
        near = (r for r in horizontal if max(lines[0].y, last - FARTHEST * em) < r.at < last)
        last = min([last, *(r.at for r in near if x0 < r.lo < r.hi < x1 + em)])
    across = [r for r in horizontal if r.lo < x0 + em and r.hi > x1 - em]
    for line in lines:
        runs = [ink.bounds(run) for run in segments(ink, line.words, WORD_SPACE)]
        over = np.any([(inner > box.x0 + 1) & (inner < box.x1 - 1) for box in runs], axis=0)
        alone = len(segments(ink, line.words)) == 1
        reach = NEXT * em if homes - title else FIRST * em if alone else first
        outside = line.x0 < x0 - em or line.x1 > x1 + em
        ruled = [r.at for r in across if min(line.y, last) < r.at < max(line.y, last)]
        if ruled and up < 0 and homes == title and not ink.value[line.words].any():
            last = min(ruled)  # under the names stands a title
        captioned = CAPTION.match(ink.text(line.words[:3])) is not None
        if captioned or outside or (alone and over.any()) or abs(line.y - last) > reach or (homes - title and ruled):
            break
        homes |= {int(np.searchsorted(inner, box.center[0])) for box in runs}
        crossed |= over
        last, edge = line.y, line.y + up * 0.8 * em
    if len(homes) < max(2, 0.4 * lattice.columns) or crossed.mean() > 0.5:
        return None
    row = np.ones((1, lattice.columns), bool)
    ys = np.concatenate([[edge], lattice.ys])
    return Lattice(lattice.xs, ys, np.vstack([row, lattice.below]), np.vstack([~crossed, lattice.right]))


def parts_frames(ink: Ink, words: np.ndarray, lattice: Lattice) -> bool:
    """Return whether the strokes are those of frames beside and above each other, with white between: a column without
    words that no stroke crosses, though some do on either side, or a row without words and strokes between others whose
    strokes stand in different places."""
    row, column = _homes(ink, words, lattice)
    bare = np.setdiff1d(np.arange(column.min() + 1, column.max()), column)
    crossed = np.asarray(lattice.below.any(axis=0))
    if (~crossed[bare] & crossed[bare - 1] & crossed[bare + 1]).any():
        return True
    bare = np.setdiff1d(np.arange(row.min() + 1, row.max()), row)
    bare = bare[~lattice.right[bare].any(axis=1)]
    return bool((lattice.right[bare - 1] != lattice.right[bare + 1]).any())


def regions(lattice: Lattice) -> list[tuple[int, int, int, int]]:
    """Cells as (row, column, rowspan, colspan): connected elementary cells, cut into rectangles where they are not."""
    taken = np.zeros((lattice.rows, lattice.columns), bool)
    found: list[tuple[int, int, int, int]] = []
    for row, column in np.ndindex(lattice.rows, lattice.columns):
        if taken[row, column]:
            continue
        wide = tall = 1
        shut = np.append(lattice.right[row], True) | np.append(taken[row, 1:], True)  # on the right of each column
        while not shut[column + wide - 1]:
            wide += 1
        part, inner = slice(column, column + wide), slice(column, column + wide - 1)
        shut = np.append(lattice.below[:, part].any(1) | taken[1:, part].any(1) | lattice.right[1:, inner].any(1), True)
        while not shut[row + tall - 1]:
            tall += 1
        taken[row : row + tall, part] = True
        found.append((row, column, tall, wide))
    return found


def place(ink: Ink, words: np.ndarray, lattice: Lattice) -> list[Slot]:
    """Put every word in the ruled cell under its centre."""
    slots = [Slot(*region) for region in regions(lattice)]
    owner = np.zeros((lattice.rows, lattice.columns), int)
    for i, s in enumerate(slots):
        owner[s.row : s.row + s.rowspan, s.column : s.column + s.colspan] = i
    row, column = _homes(ink, words, lattice)
    for i, r, c in zip(words.tolist(), row.tolist(), column.tolist(), strict=True):
        slots[owner[r, c]].words.append(i)
    return [part for slot in slots for part in _parted(ink, slot, lattice)]


def _parted(ink: Ink, slot: Slot, lattice: Lattice) -> list[Slot]:
    """Return a wide cell as one for each column, or a tall one as one for each row, where its words stand in all of
    them and none on a stroke beside them: a header painted as one box, or labels without strokes between."""
    row, column, tall, wide = slot.row, slot.column, slot.rowspan, slot.colspan
    lines = lines_of(ink, np.array(slot.words, int))
    if tall >= LABELS and len(lines) == tall:
        places, inner = [Slot(row + k, column, 1, wide) for k in range(tall)], lattice.ys[row + 1 : row + tall]
        pieces = [(line.y, line.y, line.words) for line in lines]
    elif wide > 1 and tall == 1:
        places, inner = [Slot(row, column + k) for k in range(wide)], lattice.xs[column + 1 : column + wide]
        runs = [run for line in lines for run in segments(ink, line.words, WORD_SPACE)]
        pieces = [(ink.bounds(run).x0, ink.bounds(run).x1, run) for run in runs]
    else:
        return [slot]
    for lo, hi, words in pieces:
        if ((inner > lo) & (inner < hi)).any():
            return [slot]
        places[int(np.searchsorted(inner, (lo + hi) / 2))].words += words
    filled = sum(bool(place.words) for place in places)
    return places if filled == len(places) or (tall == 1 and filled >= SHADED) else [slot]


def _homes(ink: Ink, words: np.ndarray, lattice: Lattice) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column under the centre of each word, int [k]."""
    x = (ink.box[words, 0] + ink.box[words, 2]) / 2
    row = np.clip(np.searchsorted(lattice.ys, ink.y[words]) - 1, 0, lattice.rows - 1)
    return row, np.clip(np.searchsorted(lattice.xs, x) - 1, 0, lattice.columns - 1)
