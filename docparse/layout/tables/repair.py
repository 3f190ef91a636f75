"""What strokes leave open in a lattice: rows without rules between them, headings above it, strokes lost in a scan."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import Ink, segments
from docparse.layout.tables.lattice import Lattice
from docparse.layout.tables.noisy import rows_of
from docparse.types import Box


def with_heading(ink: Ink, lattice: Lattice, em: float) -> Lattice:
    """One more row on top where headings stand over all columns just above the frame (its header is a dark fill)."""
    x0, x1, top = float(lattice.xs[0]), float(lattice.xs[-1]), float(lattice.ys[0])
    lines = rows_of(ink, ink.inside(Box(x0, top - 2.6 * em, x1, top)))
    while len(lines) > 1 and lines[1].y - lines[0].y > 1.4 * em:
        lines.pop(0)
    if not lines or top - lines[-1].y1 > 0.8 * em:
        return lattice
    boxes = [(len(run), ink.bounds(run)) for line in lines for run in segments(ink, line.words)]
    homes = [int(np.searchsorted(lattice.xs, box.center[0])) for _, box in boxes]
    inside = all(
        (home <= 1 or box.x0 > lattice.xs[home - 1] - 2) and (home >= lattice.columns or box.x1 < lattice.xs[home] + 2)
        for (_, box), home in zip(boxes, homes, strict=True)
    )
    short = max(count for count, _ in boxes) <= (6 if lattice.columns > 2 else 4)
    if not (inside and short and set(homes) == set(range(1, lattice.columns + 1))):
        return lattice
    drawn = np.ones((1, lattice.columns), bool)
    ys = np.concatenate([[lines[0].y0 - 0.3 * em], lattice.ys])
    return Lattice(lattice.xs, ys, np.vstack([drawn, lattice.below]), np.vstack([drawn[:, 1:], lattice.right]))


def mended(ink: Ink, words: np.ndarray, lattice: Lattice) -> tuple[Lattice, set[int]]:
    """Draw vertical strokes a scan has lost, and tell the rows that had some.

    Lost is a stroke where two or more lines of a row have words on both sides of its place and none across it.
    """
    right = lattice.right.copy()
    rows: set[int] = set()
    if all(ink.words[i].confidence >= 1.0 for i in words.tolist()):
        return lattice, rows
    for row in range(lattice.rows):
        lines = rows_of(ink, words[(ink.y[words] > lattice.ys[row]) & (ink.y[words] <= lattice.ys[row + 1])])
        for edge in np.flatnonzero(~right[row]).tolist():
            x = lattice.xs[edge + 1]
            boxes = [ink.box[line.words] for line in lines]
            crossed = any(((b[:, 0] < x - 1) & (b[:, 2] > x + 1)).any() for b in boxes)
            gaps = [b[b[:, 0] >= x - 1, 0].min() - b[b[:, 2] <= x + 1, 2].max() for b in boxes
                    if (b[:, 0] >= x - 1).any() and (b[:, 2] <= x + 1).any()]  # fmt: skip
            if not crossed and len(gaps) >= 2 and min(gaps) > float(np.median(ink.size[words])):
                right[row, edge] = True
                rows.add(row)
    return Lattice(lattice.xs, lattice.ys, lattice.below, right), rows


def split_rows(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Add the rows that have no strokes of their own: bands in which every column holds the same lines of text."""
    lattice, lossy = mended(ink, words, lattice)
    ys = lattice.ys.tolist()
    added: list[tuple[float, int]] = []
    for band in range(lattice.rows):
        if lattice.rows > 1 and (band > 0 and not lattice.below[band - 1].all()):
            continue
        inside = words[(ink.y[words] > ys[band]) & (ink.y[words] <= ys[band + 1])]
        added += [(y, band) for y in _line_cuts(ink, inside, lattice, band, 2 if band in lossy else 3)]
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


def _line_cuts(ink: Ink, words: np.ndarray, lattice: Lattice, band: int, least: int) -> list[float]:
    lines = rows_of(ink, words)
    if len(lines) < least or lattice.columns < 2 or not lattice.right[band].all():
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
