"""The search: candidates are gathered, built, judged, and the best ones that do not overlap are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import msgspec
import numpy as np

from docparse.layout.tables import lattice, unruled
from docparse.layout.tables.aligned import build_grid
from docparse.layout.tables.build import Slot, as_read, table_of, without_title
from docparse.layout.tables.candidates import Candidate, lattices, with_headings, with_labels
from docparse.layout.tables.header import mark_header
from docparse.layout.tables.ink import Ink, lines_of
from docparse.layout.tables.judge import FORM, is_lattice_table, is_table
from docparse.layout.tables.level import rejoin, turned_angles, upright_rulings, upright_words
from docparse.layout.tables.rules import TOUCH, Rule, split_rules
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
            box = t.box.turned(angle, level)
            if any(box.intersection(other.box) > 0 for other in found):
                continue  # the headings of a level table, which stand on end
            taken = tuple(sorted(chosen[i] for i in t.words))
            found.append(FoundTable(box, t.table, taken, t.confidence, t.kind))
    return sorted(found, key=lambda t: (t.box.y0, t.box.x0))


def _find_level(words: Sequence[Word], rulings: np.ndarray, page: Box, plots: Sequence[Box]) -> list[FoundTable]:
    """The tables set in level text."""
    if sum(word.angle == 0 for word in words) < 4:
        return []
    joined, sources = rejoin(words)
    ink = Ink.of(joined, rulings)
    horizontal, vertical = split_rules(rulings)
    em = float(np.median(ink.size))
    bare = [plot for plot in plots if ink.share(plot) < PRINTED]
    search = _Search(ink, horizontal, page, em, bare, [], np.ones(len(joined), bool))
    ruled = lattices(horizontal, vertical, em)
    loose = [r for r in horizontal if not any(c.box.holds((r.lo + r.hi) / 2, r.at) for c in ruled)]
    search.take(sorted([*ruled, *stacks(ink, loose, em)], key=lambda c: (-c.score, c.box.y0, c.box.x0)))
    # Cells in columns are looked for in what is left, so that those above a found table do not run on into it.
    lines = lines_of(ink, np.flatnonzero(search.free))
    for part in windows(ink, lines, vertical, em) if lines else []:
        search.take(sorted(runs(ink, part, horizontal, vertical, em), key=lambda c: -c.box.area))
    places = [tuple(sorted(i for k in t.words for i in sources[k])) for t in search.found]
    return [msgspec.structs.replace(t, words=own) for t, own in zip(search.found, places, strict=True)]


@dataclass(slots=True)
class _Search:
    """The search among the level words of a page: the plots without text, the tables `found` so far, and which words
    are still `free`, bool [words]."""

    ink: Ink
    horizontal: list[Rule]
    page: Box
    em: float
    plots: list[Box]
    found: list[FoundTable]
    free: np.ndarray

    def take(self, candidates: Sequence[Candidate]) -> None:
        """Keep those that are tables and overlap none; no word in the frame of one is taken by another beside it."""
        framed = [self.ink.inside(other.box) for other in candidates if other.framed]
        for candidate in candidates:
            box = candidate.box
            if any(box.intersection(t.box) > 0.2 * min(box.area, t.box.area) for t in self.found):
                continue
            if any(plot.intersection(box) > PLOTTED * box.area for plot in self.plots):
                continue
            beside = self.free.copy()
            beside[[i for inside in framed for i in inside]] = False
            if built := self._build(candidate, beside):
                self.found.append(built)
                self.free[self.ink.inside(built.box)] = False
                self.free[list(built.words)] = False  # some reach over the frame

    def _inside(self, box: Box, margin: float) -> np.ndarray:
        """The free words in a box, int [k]; none where most are not level."""
        indices = self.ink.inside(box, margin)
        indices = indices[self.free[indices]]
        return indices if len(indices) and self.ink.level[indices].mean() >= 0.5 else indices[:0]

    def _build(self, candidate: Candidate, beside: np.ndarray) -> FoundTable | None:
        """Return the table in a candidate, if there is one; it may grow by words `beside` it."""
        ink, indices = self.ink, self._inside(candidate.box, 1.0)
        if candidate.framed:
            if len(indices) < FORM:
                return None
            grid = lattice.lattice_of(candidate.horizontal, candidate.vertical, candidate.box)
            grid = lattice.shut(ink, indices, grid, candidate.horizontal)
            grid = lattice.trimmed(ink, indices, grid)
            several = min(grid.rows, grid.columns) > 1
            grid = lattice.grown(ink, beside, grid, float(np.median(ink.size[indices])), self.horizontal)
            box = Box(candidate.box.x0, float(grid.ys[0]), candidate.box.x1, float(grid.ys[-1]))
            indices = self._inside(box, 1.0)
            grid = unruled.with_rows(ink, indices, lattice.without_strips(ink, indices, grid))
            if candidate.crossed and grid.rows <= len(candidate.horizontal):
                return None  # no rows of figures are in it: its words may tell more
            if not unruled.has_unruled_cells(ink, indices, grid):
                slots = lattice.place(ink, indices, grid)
                if not (several and is_lattice_table(slots, grid)) or lattice.parts_frames(ink, indices, grid):
                    return None
                kept = without_title(ink, slots)
                mark_header(ink, kept)
                inside = box if len(kept) == len(slots) else ink.bounds([i for s in kept for i in s.words])
                return _found(ink, kept, candidate, inside)
        box, rules = self._with_margins(candidate), candidate.horizontal
        over = Box(box.x0 - TOUCH, box.y0, box.x1 + TOUCH, candidate.box.y0)
        near = (r for r in self.horizontal if r not in rules)
        rules = rules + [r for r in near if over.holds(r.lo, r.at) and over.holds(r.hi, r.at)]
        indices = self._inside(box, 0.5)
        laid = build_grid(ink, indices, rules, candidate.vertical) if len(indices) >= 4 else None
        if laid is None or not is_table(ink, laid, candidate):
            return None
        return _found(ink, laid.slots, candidate, ink.bounds(indices))

    def _with_margins(self, candidate: Candidate) -> Box:
        """The box of a candidate with the labels of its rows and the headings over it."""
        ink, em, limit = self.ink, self.em, candidate.limit or self.page
        box = with_labels(ink, candidate.box, limit, (LEVEL if candidate.kind == "booktabs" else NEAR) * em)
        first = min(candidate.horizontal, key=lambda rule: rule.at, default=None)
        labelled = first is not None and first.lo <= box.x0 + 2 * em  # the rule reaches over the labels, too
        start = -inf if first is None or labelled else first.lo
        return with_headings(ink, box, limit, em, 2 if labelled else 1, self.horizontal, start)


def _found(ink: Ink, slots: Sequence[Slot], candidate: Candidate, box: Box) -> FoundTable:
    taken = tuple(sorted(i for s in slots for i in s.words))
    slots = as_read(ink, slots)
    return FoundTable(box, table_of(ink, slots), taken, min(0.99, candidate.score), candidate.kind)
