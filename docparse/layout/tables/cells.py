"""Painted cells: rows of coloured boxes edge to edge, as browsers and word processors fill headers and stripes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.layout.chained import chained

TOUCH = 2.0  # points between edges that are one
SPACER = 4.0  # points between neighbouring cells: an empty column of a web page. Cards stand farther apart
FAR = 1.5  # heights of a painted row between two of a table: one or two plain ones
THIN = 6.0  # points: no row is so low, but what LaTeX leaves or paints between a rule and a row
STRIPE, STRIPED, PLAIN = 5.0, 3.0, 0.5  # heights a row is wide; points between ends of rows; heights of plain ones
HIGH = 2.0  # times the usual height: of a row of several lines
RULED = 3  # heights of rules between painted rows: of fewer follows no table
MOST_PANELS = 3000  # are compared each with each
FILLED = 0.98  # of the box around cells that fill it; so many are painted that leave nothing bare
SINGLE = 0.5  # of the places of a grid that a cell of its own takes: others are merged


@dataclass(frozen=True, slots=True)
class Strip:
    """A painted row: `edges` are the x of the sides of its cells, sorted."""

    y0: float
    y1: float
    edges: tuple[float, ...]

    def meets(self, x0: float, x1: float, ys: list[float]) -> bool:
        """Return whether it lies between the sides, in the rows or one row under them."""
        middle, reach = (self.y0 + self.y1) / 2, 2 * (self.y1 - self.y0)
        return ys[0] < middle < ys[-1] + reach and self.edges[0] < x1 - TOUCH and self.edges[-1] > x0 + TOUCH


def without_shading(panels: np.ndarray) -> np.ndarray:
    """Return the panels, float32 [n, 4], without those in a painted cell, which is larger: word processors shade its
    paragraphs, too."""
    cells = panels[are_cells(panels)]
    x0, y0, x1, y1 = panels.T[:, :, None]
    left, top, right, bottom = cells.T
    within = (x0 >= left - TOUCH) & (x1 <= right + TOUCH) & (y0 >= top - TOUCH) & (y1 <= bottom + TOUCH)
    smaller = x1 - x0 + y1 - y0 < right - left + bottom - top - 1
    return panels[~(within & smaller).any(axis=1)]


def are_cells(panels: np.ndarray) -> np.ndarray:
    """Return bool [n]: another panel that begins at its height stands right beside it."""
    if len(panels) > MOST_PANELS:
        return np.zeros(len(panels), bool)
    x0, y0, x1, _ = panels.T
    gap = x0 - x1[:, None]
    beside = (np.abs(y0[:, None] - y0) <= TOUCH) & (gap >= -TOUCH) & (gap <= SPACER)
    return beside.any(axis=0) | beside.any(axis=1)


def in_columns(panels: np.ndarray) -> np.ndarray:
    """Return bool [n]: another panel, higher or lower, begins and ends at the same x."""
    if len(panels) > MOST_PANELS:
        return np.zeros(len(panels), bool)
    x0, y0, x1, _ = panels.T
    same = (np.abs(x0[:, None] - x0) <= TOUCH) & (np.abs(x1[:, None] - x1) <= TOUCH)
    return (same & (np.abs(y0[:, None] - y0) > TOUCH)).any(axis=0)


def cell_edges(panels: np.ndarray, rulings: np.ndarray) -> np.ndarray:
    """Return float32 [n, 4]: the edges of painted rows of one width as strokes, down to the rules of that width.

    `panels` and `rulings` are float32 [m, 4] in points. Where strokes stand between the columns, or rules reach
    farther, they tell more, and the colours may be a heat map's: then there are none.
    """
    merged, panels = _grids(panels, rulings)
    found: list[tuple[float, float, float, float]] = []
    for x0, y0, x1, y1 in merged.tolist():
        found += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    rows = [row for row in _strips(panels) if row.y1 - row.y0 > THIN]
    strips = [strip for strip in rows if len(strip.edges) > 2]
    while strips:
        x0, x1 = strips[0].edges[0], strips[0].edges[-1]
        same = [s for s in strips if abs(s.edges[0] - x0) <= TOUCH and abs(s.edges[-1] - x1) <= SPACER]
        strips = [s for s in strips if s not in same]
        if _are_ruled(same, rulings):
            continue
        level = rulings[(np.abs(rulings[:, [0, 2]] - (x0, x1)) <= TOUCH).all(axis=1), 1].tolist()
        for part, ys in _runs(same, level):
            under = any(ys[0] - FAR * (ys[1] - ys[0]) < y < ys[0] - TOUCH for y in level)
            mixed = [s for s in rows if s not in part and s.meets(x0, x1, ys)]
            wider = any(s.edges[0] < x0 - TOUCH or s.edges[-1] > x1 + TOUCH for s in mixed)
            if len(part) == 1 and (under or wider):
                continue  # the last row of a table, or the second of a header
            if not _divided(rulings, x0, x1, ys, mixed=bool(mixed)):
                edges = [y for s in part for y in (s.y0, s.y1)]
                found += [(x0, y, x1, y) for k, y in enumerate(edges) if k == 0 or y - edges[k - 1] >= THIN]
                found += [(x, ys[0], x, ys[-1]) for x in {round(x) for s in part for x in s.edges}]
    return np.array(found, np.float32).reshape(-1, 4)


def stripe_edges(panels: np.ndarray) -> np.ndarray:
    """Return float32 [n, 4]: the upper and lower edges of painted rows, as wide as each other with plain ones between,
    and where a plain one under the last would end. `panels` are float32 [m, 4] in points."""
    wide = panels[(panels[:, 2] - panels[:, 0] > STRIPE * (panels[:, 3] - panels[:, 1])) & ~are_cells(panels)]
    found = []
    while len(wide):
        same = np.abs(wide[:, [0, 2]] - wide[0, [0, 2]]).max(axis=1) <= STRIPED
        rows, wide = wide[same], wide[~same]
        rows = rows[np.lexsort((-rows[:, 3], rows[:, 1]))]
        rows = rows[
            np.append(True, rows[1:, 1] > np.maximum.accumulate(rows[:, 3])[:-1] - STRIPED)
        ]  # painted twice, or with a border
        heights, gaps = rows[:, 3] - rows[:, 1], rows[1:, 1] - rows[:-1, 3]
        high = min(heights.max(), HIGH * float(np.median(heights)))  # plain rows may be as high as any, but for a frame
        near = (gaps > PLAIN * heights.min()) & (gaps < FAR * high)
        for k, (x0, y0, x1, y1) in enumerate(rows.tolist()):
            above, below = k > 0 and near[k - 1], k < len(near) and near[k]
            ends = [y0, y1] if above or below else []
            if above and not below:
                ends.append(y1 + float(np.median(gaps[near])))
            found += [(x0, y, x1, y) for y in ends]
    return np.array(found, np.float32).reshape(-1, 4)


def _are_ruled(strips: list[Strip], rulings: np.ndarray) -> bool:
    """Return whether rules at several heights stand in the white between painted rows, as over and under sums: these
    tell more than the colours."""
    x0, y0, x1, y1 = rulings.T
    level = (x0 > strips[0].edges[0] - SPACER) & (x1 < strips[0].edges[-1] + SPACER) & (x1 - x0 > y1 - y0)
    pairs = ((a.y1, b.y0) for a, b in pairwise(strips) if b.y0 - a.y1 < 2 * FAR * (a.y1 - a.y0))
    inside = [level & (y0 > top + TOUCH) & (y0 < bottom - TOUCH) for top, bottom in pairs]
    return sum(len(np.unique(y0[own].round())) for own in inside) >= RULED


def _grids(panels: np.ndarray, rulings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the panels that fill grids with merged cells and without strokes, and the others: all float32 [n, 4]."""
    if not 4 <= len(panels) <= MOST_PANELS:
        return panels[:0], panels
    low, high = panels[:, :2], panels[:, 2:]
    meet = np.all((low[:, None] <= high + TOUCH) & (high[:, None] >= low - TOUCH), axis=2)
    taken, rest = np.zeros(len(panels), bool), np.ones(len(panels), bool)
    while rest.any():
        part = np.asarray(meet[np.argmax(rest)])
        while (wider := np.asarray(meet[part].any(axis=0))).sum() > part.sum():
            part = wider
        rest &= ~part
        taken |= part & _is_merged_grid(np.unique(panels[part].round(), axis=0), rulings)
    return panels[taken], panels[~taken]


def _is_merged_grid(panels: np.ndarray, rulings: np.ndarray) -> bool:
    x0, y0, x1, y1 = panels.T
    box = (x0.min(), y0.min(), x1.max(), y1.max())
    columns, rows = (len(np.unique(ends)) - 1 for ends in (panels[:, ::2], panels[:, 1::2]))
    filled = ((x1 - x0) * (y1 - y0)).sum() / ((box[2] - box[0]) * (box[3] - box[1]))
    inside = (rulings[:, :2] > (box[0] + TOUCH, box[1] + TOUCH)) & (rulings[:, 2:] < (box[2] - TOUCH, box[3] - TOUCH))
    grid = min(columns, rows) > 1 and SINGLE * columns * rows <= len(panels) < columns * rows
    return bool(grid and FILLED < filled < 2 - FILLED and not inside.all(axis=1).any())


def _runs(strips: list[Strip], level: list[float]) -> list[tuple[list[Strip], list[float]]]:
    """Painted rows of one width with what lies near: (rows, the y of all edges and rules), one for each table."""
    reach = FAR * max(s.y1 - s.y0 for s in strips)
    found: list[tuple[list[Strip], list[float]]] = []
    for part in chained(strips, lambda part, strip: strip.y0 - part[-1].y1 <= reach):
        own = FAR * float(np.median([s.y1 - s.y0 for s in part]))
        ys = [y for s in part for y in (s.y0, s.y1)]
        for y in sorted(level):
            if ys[-1] + TOUCH < y <= ys[-1] + own:
                ys.append(y)
        found.append((part, ys))
    return found


def strips_of(panels: np.ndarray) -> np.ndarray:
    """Return float32 [k, 4]: the boxes around rows of two or more panels edge to edge. `panels` is float32 [n, 4]."""
    found = [(s.edges[0], s.y0, s.edges[-1], s.y1) for s in _strips(panels) if len(s.edges) > 2]
    return np.array(found, np.float32).reshape(-1, 4)


def _strips(panels: np.ndarray) -> list[Strip]:
    """Boxes of one height side by side, as one; top to bottom."""

    def goes_on(row: list[list[float]], panel: list[float]) -> bool:
        level = max(abs(row[0][1] - panel[1]), abs(row[0][3] - panel[3])) <= TOUCH
        return level and -TOUCH <= panel[0] - row[-1][2] <= SPACER

    ordered = sorted(panels.tolist(), key=lambda panel: (round(panel[1]), round(panel[3]), panel[0]))
    rows = sorted(chained(ordered, goes_on), key=lambda row: row[0][1])
    return [Strip(row[0][1], row[0][3], (row[0][0], *(panel[2] for panel in row))) for row in rows]


def _divided(rulings: np.ndarray, x0: float, x1: float, ys: list[float], *, mixed: bool) -> bool:
    """Return whether strokes run down between the sides, or rules run beyond them right above, between or below the
    rows.

    Among `mixed` colours any rule there says that they are not the table's cells.
    """
    left, top, right, bottom = rulings.T
    down = (left > x0 + TOUCH) & (left < x1 - TOUCH) & (top < ys[-1]) & (bottom > ys[0]) & (right - left < bottom - top)
    reach = FAR * (ys[1] - ys[0])
    near = (top > ys[0] - reach) & (bottom < ys[-1] + reach)
    beyond = near & (left < x1) & (right > x0) & (mixed | (left < x0 - TOUCH) | (right > x1 + TOUCH))
    return bool(np.any(down | beyond))
