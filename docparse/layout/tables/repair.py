"""Rows of a lattice without strokes between them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import Ink, Line, lines_of
from docparse.layout.tables.lattice import Lattice
from docparse.types import Box

LINE = 1.6  # em: words farther from the last stroke, or from the line before, are in no cell there


def split_rows(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Add the rows that have no strokes of their own: bands in which every column holds the same lines of text."""
    ys = lattice.ys.tolist()
    added: list[tuple[float, int]] = []
    for band in range(lattice.rows):
        if lattice.rows > 1 and (band > 0 and not lattice.below[band - 1].all()):
            continue
        inside = words[(ink.y[words] > ys[band]) & (ink.y[words] <= ys[band + 1])]
        added += [(y, band) for y in _line_cuts(ink, inside, lattice, band)]
    if not added:
        return lattice
    order = sorted([(y, -1) for y in ys] + added)
    band_of = np.searchsorted(lattice.ys, [(a[0] + b[0]) / 2 for a, b in pairwise(order)]) - 1
    below = np.array(
        [
            np.ones(lattice.columns, bool) if order[i + 1][1] >= 0 else lattice.below[band_of[i]]
            for i in range(len(order) - 2)
        ]
    ).reshape(-1, lattice.columns)
    return Lattice(lattice.xs, np.array([y for y, _ in order]), below, lattice.right[band_of])


def _line_cuts(ink: Ink, words: np.ndarray, lattice: Lattice, band: int) -> list[float]:
    lines = lines_of(ink, words)
    if len(lines) < 3 or lattice.columns < 2 or not lattice.right[band].all():
        return []
    filled = np.zeros((len(lines), lattice.columns), bool)
    values = 0
    for i, line in enumerate(lines):
        x = (ink.box[line.words, 0] + ink.box[line.words, 2]) / 2
        filled[i, np.clip(np.searchsorted(lattice.xs, x) - 1, 0, lattice.columns - 1)] = True
        values += int(ink.value[line.words].sum())
    used = filled.any(0)
    aligned = used.sum() >= 2 and (filled[:, used].mean(0) >= 0.75).all()
    short = len(words) <= 3.0 * filled.sum()
    if not (aligned and (short or values >= 0.5 * len(words))):
        return []
    return [(a.y1 + b.y0) / 2 for a, b in pairwise(lines)]


def grown(ink: Ink, free: np.ndarray, lattice: Lattice, em: float) -> Lattice:
    """One more row at the top and at the bottom, where words stand in the columns right beyond the last stroke.

    A painted header has plain rows under it, and of striped rows the first and the last may be plain.
    """
    for _ in range(2):  # the bottom is the top of the lattice upside down
        edge, sign = float(lattice.ys[0]), 1 if lattice.ys[-1] > lattice.ys[0] else -1
        lattice = _with_top(ink, free, lattice, edge, sign, em)
        lattice = Lattice(lattice.xs, lattice.ys[::-1], lattice.below[::-1], lattice.right[::-1])
    return lattice


def _with_top(ink: Ink, free: np.ndarray, lattice: Lattice, edge: float, sign: int, em: float) -> Lattice:
    reach = sorted((edge, edge - sign * 5 * em))
    words = ink.inside(Box(float(lattice.xs[0]), reach[0], float(lattice.xs[-1]), reach[1]))
    lines = lines_of(ink, words[free[words]])[::-sign]
    taken: list[Line] = []
    last = edge
    for line in lines:
        crossed = any(ink.box[i, 0] < x - 1 and ink.box[i, 2] > x + 1 for i in line.words for x in lattice.xs)
        if sign * (last - line.y) > LINE * em or crossed:
            break
        taken.append(line)
        last = line.y
    x = (ink.box[:, 0] + ink.box[:, 2]) / 2
    homes = {int(np.searchsorted(lattice.xs, x[i])) for line in taken for i in line.words}
    if len(homes) < max(2, 0.6 * lattice.columns):
        return lattice
    drawn = np.ones((1, lattice.columns), bool)
    end = taken[-1].y0 - 0.3 * em if sign > 0 else taken[-1].y1 + 0.3 * em
    ys = np.concatenate([[end], lattice.ys])
    return Lattice(lattice.xs, ys, np.vstack([drawn, lattice.below]), np.vstack([drawn[:, 1:], lattice.right]))
