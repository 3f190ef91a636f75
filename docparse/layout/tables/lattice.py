"""Fully ruled tables: cells are the rectangles between strokes, a missing stroke joins two of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from docparse.layout.tables.build import Slot
from docparse.layout.tables.ink import Ink
from docparse.layout.tables.rules import TOUCH, Rule, positions
from docparse.types import Box


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
    xs, ys = positions(vertical), positions(horizontal)
    xs = _closed(xs, box.x0, box.x1)
    ys = _closed(ys, box.y0, box.y1)
    below = _drawn(horizontal, ys[1:-1], xs)
    right = _drawn(vertical, xs[1:-1], ys).T
    return Lattice(np.array(xs), np.array(ys), below, right)


def _closed(at: list[float], lo: float, hi: float) -> list[float]:
    if not at or at[0] - lo > 2 * TOUCH:
        at = [lo, *at]
    if hi - at[-1] > 2 * TOUCH:
        at = [*at, hi]
    return at


def _drawn(rules: list[Rule], at: list[float], ends: list[float]) -> np.ndarray:
    """bool [len(at), len(ends)-1]: does a stroke at `at[i]` cover most of the stretch `ends[j]..ends[j+1]`?"""
    covered = np.zeros((len(at), len(ends) - 1))
    lo, hi = np.array(ends[:-1]), np.array(ends[1:])
    for rule in rules:
        near = [i for i, place in enumerate(at) if abs(place - rule.at) <= TOUCH]
        common = np.minimum(hi, rule.hi) - np.maximum(lo, rule.lo)
        for i in near:
            covered[i] += np.maximum(common, 0)
    return covered >= 0.6 * (hi - lo)


def trimmed(ink: Ink, words: np.ndarray, lattice: Lattice) -> Lattice:
    """Without the rows and columns at the sides that hold no words: frames drawn twice, ruled paper."""
    x = (ink.box[words, 0] + ink.box[words, 2]) / 2
    column = np.clip(np.searchsorted(lattice.xs, x) - 1, 0, lattice.columns - 1)
    row = np.clip(np.searchsorted(lattice.ys, ink.y[words]) - 1, 0, lattice.rows - 1)
    left, right, top, bottom = column.min(), column.max() + 1, row.min(), row.max() + 1
    return Lattice(
        lattice.xs[left : right + 1],
        lattice.ys[top : bottom + 1],
        lattice.below[top : bottom - 1, left:right],
        lattice.right[top:bottom, left : right - 1],
    )


def regions(lattice: Lattice) -> list[tuple[int, int, int, int]]:
    """Cells as (row, column, rowspan, colspan): connected elementary cells, cut into rectangles where they are not."""
    label = -np.ones((lattice.rows, lattice.columns), int)
    found: list[tuple[int, int, int, int]] = []
    for row in range(lattice.rows):
        for column in range(lattice.columns):
            if label[row, column] >= 0:
                continue
            wide = 1
            while (
                column + wide < lattice.columns
                and label[row, column + wide] < 0
                and not lattice.right[row, column + wide - 1]
            ):
                wide += 1
            tall = 1
            while row + tall < lattice.rows and _extends(lattice, label, row + tall, column, wide):
                tall += 1
            label[row : row + tall, column : column + wide] = len(found)
            found.append((row, column, tall, wide))
    return found


def _extends(lattice: Lattice, label: np.ndarray, row: int, column: int, wide: int) -> bool:
    stretch = slice(column, column + wide)
    inner = slice(column, column + wide - 1)
    return (
        not lattice.below[row - 1, stretch].any()
        and bool((label[row, stretch] < 0).all())
        and not lattice.right[row, inner].any()
    )


def place(ink: Ink, words: np.ndarray, lattice: Lattice) -> list[Slot]:
    """Put every word in the ruled cell under its centre."""
    slots = [Slot(*region) for region in regions(lattice)]
    owner = np.zeros((lattice.rows, lattice.columns), int)
    for i, s in enumerate(slots):
        owner[s.row : s.row + s.rowspan, s.column : s.column + s.colspan] = i
    x = (ink.box[words, 0] + ink.box[words, 2]) / 2
    row = np.clip(np.searchsorted(lattice.ys, ink.y[words]) - 1, 0, lattice.rows - 1)
    column = np.clip(np.searchsorted(lattice.xs, x) - 1, 0, lattice.columns - 1)
    for i, r, c in zip(words.tolist(), row.tolist(), column.tolist(), strict=True):
        slots[owner[r, c]].words.append(i)
    return slots
