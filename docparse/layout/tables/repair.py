"""Rows of a lattice without strokes between them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import Ink, lines_of, segments
from docparse.layout.tables.lattice import Lattice
from docparse.types import Box

FIRST, NEXT = 1.8, 1.4  # em: from the last stroke to a line in a cell, and from there to the next line of the cell


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
    """The rows at the top and at the bottom that have no stroke beyond them, where words stand in the columns.

    A painted header has plain rows under it, and of striped rows the first and the last may be plain.
    """
    for _ in range(2):  # the bottom is the top of the lattice upside down
        while (taller := _with_top(ink, free, lattice, em)) is not None:
            lattice = taller
        lattice = Lattice(lattice.xs, lattice.ys[::-1], lattice.below[::-1], lattice.right[::-1])
    return lattice


def _with_top(ink: Ink, free: np.ndarray, lattice: Lattice, em: float) -> Lattice | None:
    edge, up = float(lattice.ys[0]), lattice.ys[0] < lattice.ys[-1]
    y0, y1 = (edge - 6 * em, edge) if up else (edge, edge + 6 * em)
    words = ink.inside(Box(float(lattice.xs[0]), y0, float(lattice.xs[-1]), y1))
    crossed = np.zeros(lattice.columns - 1, bool)
    homes: set[int] = set()
    last, limit = edge, FIRST * em
    for line in lines_of(ink, words[free[words]])[:: -1 if up else 1]:
        runs = [ink.bounds(run) for run in segments(ink, line.words)]
        over = np.array([any(b.x0 < x - 1 and b.x1 > x + 1 for b in runs) for x in lattice.xs[1:-1]], bool)
        if abs(line.y - last) > limit or over.sum() > 0.5 * len(over) or (homes and (over != crossed).any()):
            break
        crossed |= over
        homes |= {int(np.searchsorted(lattice.xs, b.center[0])) for b in runs}
        end = line.y0 - 0.3 * em if up else line.y1 + 0.3 * em
        last, limit = line.y, NEXT * em
    if len(homes) < max(2, 0.4 * lattice.columns):
        return None
    return Lattice(
        lattice.xs,
        np.concatenate([[end], lattice.ys]),
        np.vstack([np.ones((1, lattice.columns), bool), lattice.below]),
        np.vstack([~crossed, lattice.right]),
    )
