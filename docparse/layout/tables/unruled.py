"""Rows and columns of ruled tables that have no strokes between them: the words of a cell tell them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import BEFORE_CJK, DOTS, Ink, InkLine, is_figure, lines_of, room_for, segments
from docparse.layout.tables.lattice import Lattice

ALIKE = 0.1  # share of the lines of a column that begin in small letters, or of those that do not, in a list at most
BOLD = 0.7  # of the words of a header that is set so: signs in it may be plain
NEARER = 0.7  # times as far from a line of figures as from the next one is a line that is part of it, at most
RUNS = 3  # of words in one line between two strokes: justified text and items have fewer
LEVEL = 0.5  # of the lines between two strokes have words in several columns, where they are rows
FIGURES = 0.7  # of the lines of a column hold nothing but a figure, where these are rows

Band = tuple[list[InkLine], list[list[list[list[int]]]]]
"""Lines of words between two strokes, and for each column the runs of every line."""


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


def with_rows(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Return the grid with a row for each line between two strokes where these are rows of figures; what has one line
    there reaches over all of them."""
    sides, ys = list(pairwise(lattice.xs)), [lattice.ys[0]]
    below, right = list[np.ndarray](), list[np.ndarray]()
    bands = (_levelled(ink, _without_group_labels(band)) for band in _between(ink, words, lattice))
    for row, (lines, cells) in enumerate(bands):
        if _are_rows(ink, cells) and not any(map(partial(_is_wrapped, ink), cells, sides)):
            ys += [(upper.y + lower.y) / 2 for upper, lower in pairwise(lines)]
            below += [np.array([sum(map(bool, column)) > 1 for column in cells])] * (len(lines) - 1)
            right += [lattice.right[row]] * (len(lines) - 1)
        ys.append(lattice.ys[row + 1])
        right.append(lattice.right[row])
        below += list(lattice.below[row : row + 1])
    return Lattice(lattice.xs, np.array(ys), np.array(below).reshape(-1, lattice.columns), np.array(right))


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


def _without_group_labels(band: Band) -> Band:
    """Return the lines but for those that are all that their column has there and stand alone: the label of several
    rows, on the middle between two of them."""
    lines, cells = band
    said = np.array([list(map(bool, column)) for column in cells]).reshape(len(cells), len(lines))
    labels = (said.sum(axis=0) == 1) & said[said.sum(axis=1) == 1].any(axis=0)
    kept = np.flatnonzero(~labels).tolist()
    return [lines[k] for k in kept], [[column[k] for k in kept] for column in cells]


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
    has words in every line, as the deviations under their means have no label, or three lines and more have all cells.
    Two lines need all cells, and figures of one form: a day and its time are one cell."""
    lines = max(map(len, cells))
    figures = [column for column in cells if _are_figures(ink, column)]
    labelled = any(all(column) and not _are_figures(ink, column) for column in cells)
    whole = all(all(column) for column in cells if any(column))
    if lines < 2 or len(figures) < 2 or not (labelled or (whole and lines > 2)):
        return False
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
