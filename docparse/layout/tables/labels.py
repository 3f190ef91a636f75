"""Labels of several rows: one label between two rules, beside rows of its own, reaches over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from docparse.layout.tables.build import Slot

Row = list[Slot]


def spread_labels(rows: Sequence[Row], bands: Sequence[int]) -> list[Row]:
    """Give the first cell of each band of ruled-off rows its rowspan, where the bands are built that way.

    `bands[i]` tells between which full-width rules `rows[i]` lies. A label set on the middle of its rows may stand on
    a line of its own; that line is then no row.
    """
    grouped = [[rows[i] for i in members] for _, members in groupby(range(len(rows)), key=lambda i: bands[i])]
    several = [group for group in grouped if len(group) > 1]
    labelled = [_one_label(group) for group in several]
    if len(grouped) < 2 or not several or sum(labelled) < 0.7 * len(several):
        return list(rows)
    result: list[Row] = []
    for group in grouped:
        result += _spread(group) if len(group) > 1 and _one_label(group) else group
    return result


def _one_label(group: Sequence[Row]) -> bool:
    """Exactly one row of the group has a first cell, and the others are well filled without it."""
    labels = [row for row in group if row and row[0].column == 0]
    others = [row for row in group if row and row[0].column > 0]
    return len(labels) == 1 and bool(others) and labels[0][0].colspan == 1 and min(map(len, others)) >= 2


def _spread(group: Sequence[Row]) -> list[Row]:
    label = next(row[0] for row in group if row and row[0].column == 0)
    kept = [[slot for slot in row if slot is not label] for row in group]
    kept = [row for row in kept if row]
    label.rowspan = len(kept)
    kept[0].insert(0, label)
    return kept


def stacked(rows: Sequence[Row], start: int) -> list[Slot]:
    """Number the rows from `start` downwards."""
    for number, row in enumerate(rows, start):
        for slot in row:
            slot.row = number
    return [slot for row in rows for slot in row]
