"""Fully ruled tables: cells are the rectangles between strokes, a missing stroke joins two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from docparse.layout.tables.build import Slot
from docparse.layout.tables.ink import BEFORE_CJK, CURRENCY, DOTS, Ink, InkLine, is_figure, lines_of, room_for, segments
from docparse.layout.tables.rules import TOUCH, Rule, positions
from docparse.layout.text.wording import CAPTION
from docparse.types import Box

THINNEST = 4.0  # points: between nearer strokes stands nothing
ALIKE = 0.1  # share of the lines of a column that begin in small letters, or of those that do not, in a list at most
BOLD = 0.7  # of the words of a header that is set so: signs in it may be plain
NEARER = 0.7  # times as far from a line of figures as from the next one is a line that is part of it, at most
RUNS = 3  # of words in one line between two strokes: justified text and items have fewer
LEVEL = 0.5  # of the lines between two strokes have words in several columns, where they are rows
FIGURES = 0.7  # of the lines of a column hold nothing but a figure, where these are rows
WORD_SPACE = 0.36  # em: more is no word space, in tight columns
FIRST, NEXT = 1.8, 1.4  # em: from the last stroke to a line in a cell, and from there to the next line of the cell
STEP, FARTHEST = 1.25, 2.5  # heights of a row, and em: at most so far stands the line of the next one
SHADED = 3  # columns: a row without strokes that has words in so many of them, each in one, is merged by its ground
LABELS = 4  # rows: a cell of fewer may have as many lines by chance

Band = tuple[list[InkLine], list[list[list[list[int]]]]]
"""Lines of words between two strokes, and for each column the runs of every line."""


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


def has_unruled_cells(ink: Ink, words: np.ndarray, lattice: Lattice) -> bool:
    """Return whether rows or columns have no strokes between them. Columns: most lines of one, two at least, are three
    runs or more; or a third of them, three at least, end in figures. Rows: of three or more lines between two strokes
    all have words in the first column, half of them in others too, and none of these columns is wrapped text."""
    sides = list(pairwise(lattice.xs))
    for column in ([_cells(ink, line, *each) for line in lines_of(ink, words)] for each in sides):
        several = sum(len(runs) >= RUNS for runs in column)
        valued = sum(len(runs) > 1 and bool(ink.value[runs[-1]].all()) for runs in column)  # labels with their figures
        count = sum(map(bool, column))
        if (several > 1 and 2 * several > count) or (valued >= RUNS and 3 * valued > count):
            return True
    for lines, cells in _between(ink, words, lattice)[lattice.rows > 1 :]:  # the lines of a header need no room
        bold = [ink.words[i].bold for line in lines for i in line.words]
        if len(lines) < 3 or sum(bold) > BOLD * len(bold):
            continue
        used = [column for column in cells if any(column)]
        several = sum(sum(map(len, row)) > 1 for row in zip(*used, strict=True))
        led = several >= LEVEL * len(lines) and all(used[0])
        if led and not any(map(partial(_is_wrapped, ink), cells, sides)):
            return True
    return False


def _between(ink: Ink, words: np.ndarray, lattice: Lattice) -> list[Band]:
    """The words of each row of strokes."""
    found: list[Band] = []
    for lo, hi in pairwise(lattice.ys):
        lines = lines_of(ink, words[(ink.y[words] > lo) & (ink.y[words] <= hi)])
        found.append((lines, [[_cells(ink, line, *each) for line in lines] for each in pairwise(lattice.xs)]))
    return found


def _cells(ink: Ink, line: InkLine, left: float, right: float) -> list[list[int]]:
    """The runs of words of a line between two strokes."""
    return segments(ink, [i for i in line.words if left < (ink.rows[i][0] + ink.rows[i][2]) / 2 <= right])


def with_rows(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Return the grid with a row for each line between two strokes where these are rows of figures; what has one line
    there reaches over all of them."""
    sides, ys = list(pairwise(lattice.xs)), [lattice.ys[0]]
    below, right = list[np.ndarray](), list[np.ndarray]()
    for row, (lines, cells) in enumerate(_levelled(ink, band) for band in _between(ink, words, lattice)):
        if _are_rows(ink, cells) and not any(map(partial(_is_wrapped, ink), cells, sides)):
            ys += [(upper.y + lower.y) / 2 for upper, lower in pairwise(lines)]
            below += [np.array([sum(map(bool, column)) > 1 for column in cells])] * (len(lines) - 1)
            right += [lattice.right[row]] * (len(lines) - 1)
        ys.append(lattice.ys[row + 1])
        right.append(lattice.right[row])
        below += list(lattice.below[row : row + 1])
    return Lattice(lattice.xs, np.array(ys), np.array(below).reshape(-1, lattice.columns), np.array(right))


def _levelled(ink: Ink, band: Band) -> Band:
    """Return the lines with those between figures that stand on the same lines in two columns or more as parts of the
    nearest of these: a label of two lines stands beside the middle of its figures."""
    lines, cells = band
    figures = [column for column in cells if any(column) and _are_figures(ink, list(filter(None, column)))]
    levels = [k for k in range(len(lines)) if figures and figures[0][k]]
    alike = all(list(map(bool, column)) == list(map(bool, figures[0])) for column in figures)
    if len(figures) < 2 or not alike or not 1 < len(levels) < len(lines):
        return band
    away = np.array([[abs(line.y - lines[k].y) for k in levels] for line in lines])
    first, second = np.sort(away)[:, :2].T
    if (first > NEARER * second).any():
        return band
    homes = [np.flatnonzero(away.argmin(axis=1) == k).tolist() for k in range(len(levels))]
    merged = [[[run for k in home for run in column[k]] for home in homes] for column in cells]
    return [lines[k] for k in levels], merged


def _are_rows(ink: Ink, cells: Sequence[Sequence[list[list[int]]]]) -> bool:
    """Return whether the lines of some cells, one for each column, are rows: two columns are figures, and another one
    has words in every line, as the deviations under their means have no label. Two lines need all cells, and figures of
    one form: a day and its time are one cell."""
    lines = max(map(len, cells))
    figures = [column for column in cells if _are_figures(ink, column)]
    labelled = any(all(column) and not _are_figures(ink, column) for column in cells)
    if lines < 2 or len(figures) < 2 or not labelled:
        return False
    whole = all(all(column) for column in cells if any(column))
    alike = all(len({_form(ink, runs) for runs in column}) == 1 for column in figures)
    return lines > 2 or (whole and alike)


def _form(ink: Ink, runs: Sequence[Sequence[int]]) -> str:
    """The signs of a figure that say what it is: a share, a time, a day, what stands in brackets."""
    return "".join(char for run in runs for i in run for char in ink.words[i].text if char in "()[]%:/")


def _are_figures(ink: Ink, column: Sequence[list[list[int]]]) -> bool:
    """Return whether most lines of a column are a figure each."""
    return sum(len(runs) == 1 and is_figure(ink, runs[0]) for runs in column) > FIGURES * len(column)


def _is_wrapped(ink: Ink, column: Sequence[list[list[int]]], sides: tuple[float, float]) -> bool:
    """Return whether most lines of a column end where the first word of the next one would not have fitted between the
    strokes, as far from them as words begin, and some begin in small letters, some not; or some are items of a list."""
    cells = [runs for runs in column if runs]
    boxes = [ink.bounds(i for run in runs for i in run) for runs in cells]
    room = sides[1] - sides[0] - 2 * max(0.0, min((box.x0 - sides[0] for box in boxes), default=0.0))
    full = [
        len(upper) == len(lower) == 1 and box.width + room_for(ink, lower[0][0]) > room
        for upper, lower, box in zip(cells, cells[1:], boxes, strict=False)
    ]
    if any(len(runs[0]) > 1 and ink.words[runs[0][0]].text in DOTS for runs in cells):
        return True
    first = [ink.words[runs[0][0]].text[0] for runs in cells]
    small = sum(map(str.islower, first))
    alike = min(small, len(first) - small) <= ALIKE * len(first) and max(first, default="") <= BEFORE_CJK
    return 2 * sum(full) > len(full) and not alike


def _homes(ink: Ink, words: np.ndarray, lattice: Lattice) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column under the centre of each word, int [k]."""
    x = (ink.box[words, 0] + ink.box[words, 2]) / 2
    row = np.clip(np.searchsorted(lattice.ys, ink.y[words]) - 1, 0, lattice.rows - 1)
    return row, np.clip(np.searchsorted(lattice.xs, x) - 1, 0, lattice.columns - 1)
