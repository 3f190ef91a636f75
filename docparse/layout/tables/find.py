"""The search: candidates are gathered, built, judged, and the best ones that do not overlap are kept."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.ocr.region import Region
from docparse.layout.tables import lattice
from docparse.layout.tables.aligned import build_grid
from docparse.layout.tables.build import Slot, table_of, without_empty_lines
from docparse.layout.tables.candidates import Candidate, lattices, numeric_runs, stacks, with_headings, with_labels
from docparse.layout.tables.header import mark_header
from docparse.layout.tables.ink import Ink, boxes_of, lines_of
from docparse.layout.tables.judge import is_lattice_table, is_table
from docparse.layout.tables.repair import split_rows, with_heading
from docparse.layout.tables.rules import Rule, positions, split_rules
from docparse.layout.tables.sideways import sideways, turned_angles, upright, upright_rulings, upright_words
from docparse.layout.tables.slanted import rejoin
from docparse.layout.tables.trim import trimmed
from docparse.layout.text.words import Word
from docparse.types import Box, Category, Table


class FoundTable(msgspec.Struct, frozen=True):
    """A table of a page. `words` are the indices of the words it took; each of them is in exactly one cell.

    `kind` says what gave it away: "ruled" (a lattice), "booktabs" (horizontal rules), "aligned" (numbers in columns)
    or "hinted" (the layout model).
    """

    box: Box
    table: Table
    words: tuple[int, ...]
    confidence: float
    kind: str


def find_tables(words: Sequence[Word], rulings: np.ndarray, hints: Sequence[Region], page: Box) -> list[FoundTable]:
    """The tables of a page, top to bottom.

    `rulings` is float [n, 4] in points. `hints` are the layout model's regions of all categories; none are needed.
    Prefers to miss a table over making one of something else.
    """
    found = _find_level(words, rulings, hints, page)
    for angle in turned_angles(words):
        chosen = [i for i, word in enumerate(words) if word.angle == angle]
        part = upright_words([words[i] for i in chosen], angle, page)
        turned = [Region(category=h.category, box=upright(h.box, angle, page), score=h.score) for h in hints]
        for t in _find_level(part, upright_rulings(rulings, angle, page), turned, upright(page, angle, page)):
            box = sideways(t.box, angle, page)
            if not any(box.intersection(other.box) > 0 for other in found):
                taken = tuple(sorted(chosen[i] for i in t.words))
                found.append(FoundTable(box, t.table, taken, t.confidence, t.kind))
    return sorted(found, key=lambda t: (t.box.y0, t.box.x0))


def _find_level(words: Sequence[Word], rulings: np.ndarray, hints: Sequence[Region], page: Box) -> list[FoundTable]:
    """The tables set in level text."""
    if sum(word.angle == 0 for word in words) < 4:
        return []
    joined, sources = rejoin(words, boxes_of(words))
    ink = Ink.of(joined)
    horizontal, vertical = split_rules(rulings)
    em = float(np.median(ink.size))
    found: list[FoundTable] = []
    free = np.ones(len(joined), bool)

    def take(candidates: Sequence[Candidate]) -> None:
        for candidate in candidates:
            if any(candidate.box.intersection(t.box) > 0.2 * min(candidate.box.area, t.box.area) for t in found):
                continue
            built = _build(ink, candidate, free, hints, page, em)
            if built:
                found.append(built)
                free[ink.inside(built.box)] = False

    take(_candidates(ink, horizontal, vertical, hints, em))
    # Rows of numbers are looked for in what is left, so that those above a found table do not run on into it.
    runs = numeric_runs(ink, lines_of(ink, np.flatnonzero(free)), em)
    take(sorted(runs, key=lambda c: -c.box.area))
    return [
        FoundTable(t.box, t.table, tuple(sorted(i for k in t.words for i in sources[k])), t.confidence, t.kind)
        for t in found
    ]


def _candidates(
    ink: Ink, horizontal: list[Rule], vertical: list[Rule], hints: Sequence[Region], em: float
) -> list[Candidate]:
    """The candidates that rules or the layout model mark, surest first."""
    result = lattices(horizontal, vertical)
    closed = [c.box for c in result]
    loose = [r for r in horizontal if not any(b.holds((r.lo + r.hi) / 2, r.at) for b in closed)]
    result += stacks(ink, loose, em)
    for hint in hints:
        if hint.category is Category.TABLE and hint.score >= 0.4:
            result.append(_hinted(hint, result, horizontal, vertical))
    return sorted(result, key=lambda c: (-c.score, c.box.y0, c.box.x0))


def _hinted(hint: Region, others: Sequence[Candidate], horizontal: list[Rule], vertical: list[Rule]) -> Candidate:
    """A candidate from a detected box; it outranks ruled ones that it holds and that are much smaller."""
    box = hint.box.padded(2.0)
    inside_h = [r for r in horizontal if box.y0 <= r.at <= box.y1 and r.hi > box.x0 and r.lo < box.x1]
    inside_v = [r for r in vertical if box.x0 <= r.at <= box.x1 and r.hi > box.y0 and r.lo < box.y1]
    parts = [c for c in others if c.box.inside(box) > 0.8]
    larger = (
        bool(parts)
        and hint.score > 0.6
        and all(c.box.area < 0.6 * box.area and c.box.height < 0.8 * box.height for c in parts)
        and not (len(parts) > 1 and sum(c.box.area for c in parts) > 0.7 * hint.box.area)  # two tables seen as one
    )
    score = 0.95 if larger else 0.5 + 0.1 * hint.score
    return Candidate(box, "hinted", inside_h, inside_v, score=score)


def _build(
    ink: Ink, candidate: Candidate, free: np.ndarray, hints: Sequence[Region], page: Box, em: float
) -> FoundTable | None:
    if _is_closed(candidate):
        found = _ruled(ink, candidate, free, hints, em)
        if found or candidate.kind == "ruled":
            return found
    box = candidate.box
    if candidate.kind != "hinted":
        box = with_labels(ink, box, page, em)
    if not candidate.closed and candidate.kind != "hinted":
        box = with_headings(ink, box, page, em)
    elif candidate.kind == "booktabs":
        box = _headings_over(ink, box, candidate, page, em)
    indices = ink.inside(box, 0.5)
    indices = indices[free[indices]]
    if candidate.kind == "hinted":
        indices = trimmed(ink, indices)
    if len(indices) < 4 or ink.level[indices].mean() < 0.5:
        return None
    grid = build_grid(ink, indices, box, candidate.horizontal, candidate.vertical)
    if grid is None or not is_table(ink, grid, candidate, hints):
        return None
    return _found(ink, without_empty_lines(grid.slots), candidate, ink.bounds(indices))


def _is_closed(candidate: Candidate) -> bool:
    """Vertical rules stand between all columns: there are several, or at least the two sides."""
    places = positions([r for r in candidate.vertical if r.length > 0.3 * candidate.box.height])
    return len(places) >= 3 and len(candidate.horizontal) >= 2


def _headings_over(ink: Ink, box: Box, candidate: Candidate, page: Box, em: float) -> Box:
    """Spanning headings stand above the first rule where that one does not reach over the labels."""
    first = min(candidate.horizontal, key=lambda r: r.at)
    if first.lo > box.x0 + 2 * em:
        return with_headings(ink, box, page, em)
    return with_headings(ink, box, page, em, cells=3)


def _ruled(ink: Ink, candidate: Candidate, free: np.ndarray, hints: Sequence[Region], em: float) -> FoundTable | None:
    indices = ink.inside(candidate.box, 1.0)
    indices = indices[free[indices]]
    if len(indices) < 4 or ink.level[indices].mean() < 0.5:
        return None
    grid = lattice.lattice_of(candidate.horizontal, candidate.vertical, candidate.box)
    if grid.columns < 2 or grid.rows * grid.columns < 4:
        return None
    grid = lattice.trimmed(ink, indices, lattice.without_slits(grid, em))
    if grid.columns < 2 or grid.rows < 2:
        return None
    grid = with_heading(ink, split_rows(ink, indices, grid), em)
    box = Box(candidate.box.x0, min(candidate.box.y0, float(grid.ys[0])), candidate.box.x1, candidate.box.y1)
    indices = ink.inside(box, 1.0)
    indices = indices[free[indices]]
    slots = lattice.place(ink, indices, grid)
    if not is_lattice_table(ink, slots, grid, candidate, hints):
        return None
    mark_header(ink, slots)
    return _found(ink, slots, candidate, box)


def _found(ink: Ink, slots: Sequence[Slot], candidate: Candidate, box: Box) -> FoundTable:
    taken = tuple(sorted(i for s in slots for i in s.words))
    table = table_of(ink, slots)
    confidence = min(0.99, candidate.score)
    return FoundTable(box, table, taken, confidence, candidate.kind)
