"""The search: candidates are gathered, built, judged, and the best ones that do not overlap are kept."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.tables import lattice
from docparse.layout.tables.aligned import build_grid
from docparse.layout.tables.build import Slot, as_read, table_of, without_spacers, without_title
from docparse.layout.tables.candidates import CROSSED, Candidate, lattices, with_headings, with_labels
from docparse.layout.tables.growth import grown
from docparse.layout.tables.header import mark_header
from docparse.layout.tables.ink import Ink, lines_of, segments
from docparse.layout.tables.judge import FORM, across, is_lattice_table, is_table
from docparse.layout.tables.level import rejoin, turned_angles, upright_rulings, upright_words
from docparse.layout.tables.rules import TOUCH, Rule, positions, split_rules, without_border
from docparse.layout.tables.runs import runs
from docparse.layout.tables.stacks import stacks
from docparse.layout.tables.windows import windows
from docparse.layout.text.words import Word
from docparse.types import Box, Table

PRINTED = 0.18  # share of a plot that words fill at most: of a table with a drawing in it they fill more
LEVEL, NEAR = 0.2, 0.4  # em from a row to its label: where rules are no wider than the rows, text may stand beside them
PLOTTED = 0.25  # share of a candidate that a plot covers: the rest are its labels


class FoundTable(msgspec.Struct, frozen=True):
    """A table of a page. `words` are the indices of the words it took; each of them is in exactly one cell.

    `kind` says what gave it away: "ruled" (a lattice), "booktabs" (horizontal rules) or "aligned" (cells in columns).
    """

    box: Box
    table: Table
    words: tuple[int, ...]
    confidence: float
    kind: str


def find_tables(words: Sequence[Word], rulings: np.ndarray, page: Box, plots: Sequence[Box] = ()) -> list[FoundTable]:
    """Return the tables of a page, top to bottom. `rulings` is float [n, 4] in points; the labels of `plots` are none.

    Prefers to miss a table over making one of something else.
    """
    found = _find_level(words, rulings, page, plots)
    for angle in turned_angles(words):
        chosen = [i for i, word in enumerate(words) if word.angle == angle]
        part = upright_words([words[i] for i in chosen], angle, page)
        level = page.turned(360 - angle, page)
        drawn = [plot.turned(360 - angle, page) for plot in plots]
        for t in _find_level(part, upright_rulings(rulings, angle, page), level, drawn):
            taken = tuple(sorted(chosen[i] for i in t.words))
            found.append(FoundTable(t.box.turned(angle, level), t.table, taken, t.confidence, t.kind))
    return sorted(found, key=lambda t: (t.box.y0, t.box.x0))


def _find_level(words: Sequence[Word], rulings: np.ndarray, page: Box, plots: Sequence[Box] = ()) -> list[FoundTable]:
    """The tables set in level text."""
    if sum(word.angle == 0 for word in words) < 4:
        return []
    joined, sources = rejoin(words)
    ink = Ink.of(joined)
    horizontal, vertical = without_border(*split_rules(rulings), page)
    em = float(np.median(ink.size))
    bare = [plot for plot in plots if ink.share(plot) < PRINTED]
    found: list[FoundTable] = []
    free = np.ones(len(joined), bool)

    def take(candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            if any(candidate.box.intersection(t.box) > 0.2 * min(candidate.box.area, t.box.area) for t in found):
                continue
            if any(plot.intersection(candidate.box) > PLOTTED * candidate.box.area for plot in bare):
                continue
            beside = free.copy()
            for other in candidates:
                if other.framed:
                    beside[ink.inside(other.box)] = False
            beside &= _is_level_with(ink, candidate.box, horizontal)
            built = _build(ink, candidate, horizontal, free, beside, page, em)
            if built:
                found.append(built)
                free[ink.inside(built.box)] = False

    ruled = lattices(horizontal, vertical)
    sure = [c.box for c in ruled if c.score > CROSSED]
    loose = [r for r in horizontal if not any(box.holds((r.lo + r.hi) / 2, r.at) for box in sure)]
    take(sorted([*ruled, *stacks(ink, loose, em)], key=lambda c: (-c.score, c.box.y0, c.box.x0)))
    # Cells in columns are looked for in what is left, so that those above a found table do not run on into it.
    lines = lines_of(ink, np.flatnonzero(free))
    for part in windows(ink, lines, vertical, em) if lines else []:
        take(sorted(runs(ink, part, horizontal, vertical, em), key=lambda c: -c.box.area))
    return [msgspec.structs.replace(t, words=tuple(sorted(i for k in t.words for i in sources[k]))) for t in found]


def _is_level_with(ink: Ink, box: Box, horizontal: Sequence[Rule]) -> np.ndarray:
    """bool [words]: no rule that is longer than the box on both sides parts them from it."""
    wider = [rule.at for rule in horizontal if rule.lo < box.x0 - TOUCH and rule.hi > box.x1 + TOUCH]
    top = max((at for at in wider if at < box.y0), default=-np.inf)
    bottom = min((at for at in wider if at > box.y1), default=np.inf)
    return (ink.y > top) & (ink.y < bottom)


def _build(
    ink: Ink,
    candidate: Candidate,
    horizontal: Sequence[Rule],
    free: np.ndarray,
    beside: np.ndarray,
    page: Box,
    em: float,
) -> FoundTable | None:
    """Return the table of the `free` words in a candidate; it may grow by words `beside` it and by `horizontal` rules
    over it. None if it is none."""
    if candidate.framed:
        indices = ink.inside(candidate.box, 1.0)
        indices = indices[free[indices]]
        if len(indices) < FORM or ink.level[indices].mean() < 0.5:
            return None
        grid = lattice.lattice_of(candidate.horizontal, candidate.vertical, candidate.box)
        grid = lattice.with_signs(ink, indices, lattice.trimmed(ink, indices, grid))
        ruled = grid.rows > 1 or lattice.is_row_of_figures(ink, indices, grid)
        grid = grown(ink, beside, grid, float(np.median(ink.size[indices])), horizontal)
        box = Box(candidate.box.x0, float(grid.ys[0]), candidate.box.x1, float(grid.ys[-1]))
        indices = ink.inside(box, 1.0)
        indices = indices[free[indices]]
        grid = lattice.with_rows(ink, indices, grid)
        if not lattice.has_unruled_cells(ink, indices, grid):
            slots = lattice.place(ink, indices, grid)
            if not (ruled and is_lattice_table(slots, grid)) or lattice.parts_frames(ink, indices, grid):
                return None
            slots = without_spacers(slots, grid.xs)
            kept = without_title(ink, slots)
            mark_header(ink, kept)
            inside = box if len(kept) == len(slots) else ink.bounds([i for s in kept for i in s.words])
            return _found(ink, kept, candidate, inside)
    box, rules = candidate.box, candidate.horizontal
    if not _is_closed(ink, candidate):
        box = _with_margins(ink, candidate, horizontal, candidate.limit or page, em)
        over = Box(box.x0 - TOUCH, box.y0, box.x1 + TOUCH, candidate.box.y0)
        rules = rules + [r for r in horizontal if r not in rules and over.holds(r.lo, r.at) and over.holds(r.hi, r.at)]
    indices = ink.inside(box, 0.5)
    indices = indices[free[indices]]
    if len(indices) < 4 or ink.level[indices].mean() < 0.5:
        return None
    laid = build_grid(ink, indices, box, rules, candidate.vertical)
    if laid is None or not is_table(ink, laid, candidate):
        return None
    return _found(ink, laid.slots, candidate, ink.bounds(indices))


def _with_margins(ink: Ink, candidate: Candidate, horizontal: Sequence[Rule], limit: Box, em: float) -> Box:
    """The box of a candidate with the labels of its rows and the headings over it."""
    box = with_labels(ink, candidate.box, limit, em, (LEVEL if candidate.kind == "booktabs" else NEAR) * em)
    first = min(candidate.horizontal, key=lambda rule: rule.at, default=None)
    labelled = first is not None and first.lo <= box.x0 + 2 * em  # the rule reaches over the labels, too
    return with_headings(ink, box, limit, em, 2 if labelled else 1, horizontal)


def _is_closed(ink: Ink, candidate: Candidate) -> bool:
    """Whether three rules of one length stand over a head without numbers, under it and under the last line, and what
    is over them is not set in cells: nothing beside them or over them is of the table."""
    box, heights = candidate.box, positions(across(candidate)) if candidate.kind == "booktabs" else []
    if len(heights) != 3 or box.y1 > heights[-1] + TOUCH:
        return False
    head = ink.inside(Box(box.x0, heights[0], box.x1, heights[1]))
    over = lines_of(ink, ink.inside(Box(box.x0, 2 * heights[0] - heights[1], box.x1, heights[0])))
    celled = any(len(segments(ink, line.words)) > 1 for line in over)
    return len(head) > 1 and not ink.value[head].any() and not celled


def _found(ink: Ink, slots: Sequence[Slot], candidate: Candidate, box: Box) -> FoundTable:
    taken = tuple(sorted(i for s in slots for i in s.words))
    slots = as_read(ink, slots)
    return FoundTable(box, table_of(ink, slots), taken, min(0.99, candidate.score), candidate.kind)
