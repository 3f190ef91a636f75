"""Labels of groups of rows: between two rules, each stands beside the middle of its rows, as multirow sets it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.tables.columns import Columns, Piece, Pieces
from docparse.layout.tables.ink import Ink, InkLine
from docparse.layout.tables.rows import WHOLE, bands_of
from docparse.layout.tables.rules import Rule

MIDDLE = 0.3  # em from the middle of a label to that of its rows at most: beside one of two rows it stands 0.6 off


def without_labels(
    ink: Ink, lines: Sequence[InkLine], pieces: Sequence[list[Piece]], columns: Columns, rules: Sequence[Rule]
) -> tuple[list[InkLine], list[list[Piece]], list[tuple[int, int, list[int]]]]:
    """Return the lines and their pieces without labels of several rows, and these labels: the numbers of the first and
    the last of its lines, and its words. `rules` are the full-width ones between lines."""
    bands = bands_of(lines, rules)
    kept: list[tuple[InkLine, list[Piece]]] = []
    labels = []
    for band in bands:
        label = _label(ink, pieces, band, columns) if len(bands) > 1 else []
        rows = [(lines[k], [p for p in pieces[k] if p.first > 0] if label else pieces[k]) for k in band]
        first = len(kept)
        kept += [(line, row) for line, row in rows if row]
        if label:
            labels.append((first, len(kept) - 1, label))
    return [line for line, _ in kept], [row for _, row in kept], labels


def _label(ink: Ink, pieces: Pieces, band: Sequence[int], columns: Columns) -> list[int]:
    """The words of the first column between two rules, where they are one label in the middle of rows of numbers."""
    label = [i for k in band for p in pieces[k] if p.last == 0 for i in p.words]
    rows = [row for k in band if (row := [p for p in pieces[k] if p.first > 0])]
    if columns.value[0] or not label or len(rows) < 2:
        return []
    numbers = all(any(columns.value[p.last] and ink.value[p.words].any() for p in row) for row in rows)
    if not numbers or any(len(row) < WHOLE * (columns.count - 1) for row in rows):
        return []
    first, last = (float(np.mean([ink.y[i] for p in row for i in p.words])) for row in (rows[0], rows[-1]))
    top, foot = float(ink.y[label].min()), float(ink.y[label].max())
    reach = MIDDLE * float(np.median(ink.size[label]))
    inside = first + reach < top and foot < last - reach
    return label if inside and abs(top + foot - first - last) < 2 * reach else []
