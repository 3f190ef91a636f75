"""The search: candidates are gathered, built, judged, and the best ones that do not overlap are kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import numpy as np

from docparse.layout.region import Region
from docparse.layout.tables import gates, lattice
from docparse.layout.tables.aligned import Grid, build_grid
from docparse.layout.tables.build import Slot, table_of, without_empty_lines
from docparse.layout.tables.candidates import Candidate, lattices, numeric_runs, stacks, with_headings, with_labels
from docparse.layout.tables.ink import Ink, Line, boxes_of, lines_of, segments
from docparse.layout.tables.rules import Rule, positions, split_rules
from docparse.layout.tables.slanted import rejoin
from docparse.layout.words import Word
from docparse.types import Box, Category, Table, plain

CAPTION = re.compile(
    r"^(table|tab\.|figure|fig\.|exhibit|tabla|tableau|tabelle|tabella|表|图|圖)\s*[\dIVXA-Z]{0,4}", re.IGNORECASE
)
NOTE = re.compile(
    r"^(notes?|sources?|注|注：|资料来源|数据来源|来源|出处)\s*[:.：]|^[*†‡§①②]|^\(?[a-z1-9]\)\s", re.IGNORECASE
)


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
    if len(words) < 4:
        return []
    joined, sources = rejoin(words, boxes_of(words))
    ink = Ink.of(joined)
    horizontal, vertical = split_rules(rulings)
    em = float(np.median(ink.size))
    found: list[FoundTable] = []
    for candidate in _candidates(ink, horizontal, vertical, hints, page, em):
        if any(candidate.box.intersection(t.box) > 0.2 * min(candidate.box.area, t.box.area) for t in found):
            continue
        free = np.ones(len(joined), bool)
        for table in found:
            free[ink.inside(table.box)] = False
        built = _build(ink, candidate, free, hints, page, em)
        if built:
            found.append(built)
    found = [
        FoundTable(t.box, t.table, tuple(sorted(i for k in t.words for i in sources[k])), t.confidence, t.kind)
        for t in found
    ]
    return sorted(found, key=lambda t: (t.box.y0, t.box.x0))


def _candidates(
    ink: Ink, horizontal: list[Rule], vertical: list[Rule], hints: Sequence[Region], page: Box, em: float
) -> list[Candidate]:
    """All candidates, surest first."""
    result = lattices(horizontal, vertical)
    closed = [c.box for c in result]
    loose = [r for r in horizontal if not any(b.holds((r.lo + r.hi) / 2, r.at) for b in closed)]
    result += stacks(ink, loose, em)
    for hint in hints:
        if hint.category is Category.TABLE and hint.score >= 0.4:
            result.append(_hinted(hint, result, horizontal, vertical))
    order = sorted(result, key=lambda c: (-c.score, c.box.y0, c.box.x0))
    runs = numeric_runs(ink, lines_of(ink, np.arange(len(ink.words))), em)
    return order + sorted(runs, key=lambda c: -c.box.area)


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
        indices = _trimmed(ink, indices, candidate)
    if len(indices) < 4:
        return None
    grid = build_grid(ink, indices, box, candidate.horizontal, candidate.vertical)
    if grid is None or not _is_table(ink, grid, candidate, hints):
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
    if len(indices) < 4:
        return None
    grid = lattice.lattice_of(candidate.horizontal, candidate.vertical, candidate.box)
    if grid.columns < 2 or grid.rows * grid.columns < 4:
        return None
    grid = lattice.trimmed(ink, indices, lattice.without_slits(grid, em))
    if grid.columns < 2 or grid.rows < 2:
        return None
    grid = lattice.split_rows(ink, indices, grid)
    slots = lattice.place(ink, indices, grid)
    if not _is_lattice_table(ink, slots, grid, candidate, hints):
        return None
    _mark_header(ink, slots)
    return _found(ink, slots, candidate, candidate.box)


def _is_lattice_table(
    ink: Ink, slots: Sequence[Slot], grid: lattice.Lattice, candidate: Candidate, hints: Sequence[Region]
) -> bool:
    filled = [s for s in slots if s.words]
    if len({s.row for s in filled}) < 2 or len({s.column for s in filled}) < 2:
        return False
    share = gates.fill(slots, grid.rows, grid.columns)
    first_column = np.mean([bool(s.words) for s in slots if s.column == 0])
    first_row = np.mean([bool(s.words) for s in slots if s.row == 0])
    inked = float(((ink.box[:, 2] - ink.box[:, 0]) * ink.size)[[i for s in filled for i in s.words]].sum())
    if inked < 0.02 * candidate.box.area:
        return False
    longest = np.mean(sorted(len(s.words) for s in filled)[len(filled) // 2 :])
    if longest > 60 or (len(filled) <= 4 and longest > 25):
        return False
    figure = any(h.category is Category.PICTURE and candidate.box.inside(h.box) > 0.8 for h in hints)
    if share >= (0.6 if figure else 0.3):
        return True
    form = grid.rows >= 4 and grid.columns >= 3 and grid.below.mean() > 0.9 and grid.right.mean() > 0.9
    return first_column >= 0.7 and (form or (not figure and first_row >= 0.5))


def _mark_header(ink: Ink, slots: Sequence[Slot]) -> None:
    """The first row of a lattice is its header when it is set apart by style, or holds no numbers over numbers."""
    top = [s for s in slots if s.row == 0 and s.words]
    tall = max((s.rowspan for s in top), default=1)
    wide = any(s.colspan > 1 for s in top)
    body = [s for s in slots if s.row >= tall and s.words]
    values = [i for s in top for i in s.words if ink.value[i]]
    words = [i for s in top for i in s.words]
    if not words or not body or len(values) > 0.5 * len(words):
        return
    second = [i for s in slots if s.row == 1 for i in s.words]
    later = [i for s in slots if s.row > 1 for i in s.words]
    heads = bool(second) and (
        all(ink.words[i].bold for i in second) or (not ink.value[second].any() and bool(ink.value[later].any()))
    )
    depth = max(tall, 2 if wide and len(top) > 1 and heads else 1)
    for s in slots:
        if s.row < depth:
            s.header = True


def _is_table(ink: Ink, grid: Grid, candidate: Candidate, hints: Sequence[Region]) -> bool:
    rows = {s.row for s in grid.slots}
    if len(rows) < 2 or grid.columns.count < 2 or gates.regular_rows(grid) < (0.2 if candidate.closed else 0.35):
        return False
    if gates.is_prose(ink, grid) or gates.is_contents(ink, grid) or gates.is_code_or_formula(ink, grid):
        return False
    values = gates.value_share(ink, grid)
    if gates.is_list(ink, grid) and values < 0.5:
        return False
    if candidate.kind == "aligned":
        regular = gates.regular_rows(grid)
        clear = values >= 0.85 and regular >= 0.75 and grid.columns.count >= 3
        others = (
            (Category.PICTURE,) if clear else (Category.PICTURE, Category.TEXT, Category.FORMULA, Category.LIST_ITEM)
        )
        denied = any(h.category in others and h.score > 0.6 and candidate.box.inside(h.box) > 0.7 for h in hints)
        return not denied and values >= 0.6 and regular >= 0.6 and len(rows) >= 3
    if candidate.kind == "booktabs":
        return values >= 0.4 or (len(positions(candidate.horizontal)) >= 3 and len(rows) >= 3)
    return True


def _trimmed(ink: Ink, indices: np.ndarray, candidate: Candidate) -> np.ndarray:
    """Without the caption above or below and the notes under a table whose ends no rule marks."""
    lines = lines_of(ink, indices)
    if len(lines) < 3:
        return indices
    em, whole = float(np.median(ink.size[indices])), ink.bounds(indices)
    dropped: list[Line] = []
    while len(lines) > 2 and (_is_caption(ink, lines[0]) or _is_apart(ink, lines[0], lines[1], whole, em)):
        dropped.append(lines.pop(0))
    while len(lines) > 2 and (
        _is_caption(ink, lines[-1]) or _is_note(ink, lines[-1]) or _is_apart(ink, lines[-1], lines[-2], whole, em)
    ):
        dropped.append(lines.pop())
    gone = {i for line in dropped for i in line.words}
    return np.array([i for i in indices.tolist() if i not in gone], int)


def _is_apart(ink: Ink, line: Line, inner: Line, whole: Box, em: float) -> bool:
    """A line at the edge of a detected box that is running text: one long run of words, or one far off."""
    if len(segments(ink, line.words)) > 1:
        return False
    prose = len(line.words) > 6 and line.x0 <= whole.x0 + em and line.x1 - line.x0 > 0.6 * whole.width
    return prose or abs(line.y - inner.y) > 3 * em


def _is_caption(ink: Ink, line: Line) -> bool:
    parts = segments(ink, line.words)
    return (
        len(parts) <= 2
        and bool(CAPTION.match(ink.text(line.words)))
        and any(c.isdigit() for c in ink.text(line.words)[:12])
    )


def _is_note(ink: Ink, line: Line) -> bool:
    return len(segments(ink, line.words)) == 1 and bool(NOTE.match(ink.text(line.words)))


def _found(ink: Ink, slots: Sequence[Slot], candidate: Candidate, box: Box) -> FoundTable:
    taken = tuple(sorted(i for s in slots for i in s.words))
    table = table_of(ink, slots)
    confidence = min(0.99, candidate.score)
    return FoundTable(box, table, taken, confidence, candidate.kind)


def text_grid(table: Table) -> list[list[str]]:
    """The plain text of a table as rows of strings; positions covered by a span are empty."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = plain(cell.spans)
    return rows
