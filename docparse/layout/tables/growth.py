"""Rows of ruled tables that stand beyond their strokes: plain first and last ones of striped tables, and headings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.tables.ink import Ink, lines_of, segments
from docparse.layout.tables.lattice import Lattice
from docparse.layout.tables.rules import Rule
from docparse.types import Box

WORD = 0.36  # em: more is no word space, in tight columns
FIRST, NEXT = 1.8, 1.4  # em: from the last stroke to a line in a cell, and from there to the next line of the cell
STEP, FARTHEST = 1.25, 2.5  # heights of a row, and em: at most so far stands the line of the next one


def grown(ink: Ink, free: np.ndarray, lattice: Lattice, em: float, horizontal: Sequence[Rule]) -> Lattice:
    """Return the grid with the rows at the top and at the bottom that have no stroke beyond them, where words stand in
    its columns: of striped rows the first and the last may be plain. Over them a line may stand on a rule of its own,
    one of the `horizontal` ones, that heads several columns."""
    for _ in range(2):  # the bottom is the top of the lattice upside down
        while (taller := _with_top(ink, free, lattice, em, horizontal)) is not None:
            lattice = taller
        lattice = Lattice(lattice.xs, lattice.ys[::-1], lattice.below[::-1], lattice.right[::-1])
    return lattice


def _with_top(ink: Ink, free: np.ndarray, lattice: Lattice, em: float, horizontal: Sequence[Rule]) -> Lattice | None:
    """Return the lattice with one more row, of lines that follow its edge, or the rules right over it, and cross no
    stroke; None without one."""
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
    for line in lines:
        runs = [ink.bounds(run) for run in segments(ink, line.words, WORD)]
        over = np.any([(inner > box.x0 + 1) & (inner < box.x1 - 1) for box in runs], axis=0)
        alone = len(segments(ink, line.words)) == 1
        reach = NEXT * em if homes - title else FIRST * em if alone else first
        outside = line.x0 < x0 - em or line.x1 > x1 + em
        if outside or (alone and over.any()) or abs(line.y - last) > reach:
            break
        homes |= {int(np.searchsorted(inner, box.center[0])) for box in runs}
        crossed |= over
        last, edge = line.y, line.y + up * 0.8 * em
    if len(homes) < max(2, 0.4 * lattice.columns) or crossed.mean() > 0.5:
        return None
    row = np.ones((1, lattice.columns), bool)
    ys = np.concatenate([[edge], lattice.ys])
    return Lattice(lattice.xs, ys, np.vstack([row, lattice.below]), np.vstack([~crossed, lattice.right]))
