"""Tables without rules: lines near each other whose short cells stand under each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docparse.layout.tables.candidates import Candidate, is_title
from docparse.layout.tables.ink import Ink, InkLine, cells_of, segments, units
from docparse.layout.tables.rules import TOUCH, Rule
from docparse.layout.text.wording import CAPTION
from docparse.types import Box

SHORT = 6  # words; cells of running text are longer
NEAR = 4.5  # em between two lines with cells: others of wrapped text may stand between
WRAPS = 1.6  # em between the lines of a cell
HEADED = 3  # columns: so many make a table of a header and one row, with a rule between
LONG = 0.5  # of the height of a table: shorter strokes at one place, such as arrows, are no edges of columns
SLACK = 0.4  # em between edges that agree


@dataclass(frozen=True, slots=True)
class _Cell:
    """A few words with white around them."""

    x0: float
    x1: float
    value: bool

    def is_under(self, column: Sequence[_Cell], slack: float) -> bool:
        """Return whether it stands under a column: a number under numbers that it overlaps, words where an edge or the
        middle agrees with most."""
        last = column[-3:]
        if self.value and any(c.value and self.x0 < c.x1 and c.x0 < self.x1 for c in last):
            return True
        shifts = [(self.x0 - c.x0, self.x1 - c.x1, (self.x0 + self.x1 - c.x0 - c.x1) / 2) for c in last]
        return any(2 * sum(abs(shift) <= slack for shift in edge) >= len(last) for edge in zip(*shifts, strict=True))


@dataclass(slots=True)
class _Run:
    """Consecutive lines whose short cells stand under each other; `columns` are the cells of each column so far."""

    lines: list[int]
    columns: list[list[_Cell]]
    last: float  # where the last line stands that goes on a row
    y1: float  # its lower edge

    @property
    def label(self) -> float:
        """Return where the first cell ends that stands in the leftmost column."""
        return min((column[0].x0, column[0].x1) for column in self.columns)[1]


def runs(
    ink: Ink, lines: Sequence[InkLine], horizontal: Sequence[Rule], vertical: Sequence[Rule], em: float
) -> list[Candidate]:
    """Three or more near lines with short cells aligned in columns, or two with a rule between them."""
    found: list[_Run] = []
    closed = 0  # runs that a caption ends, or a heading, such as a line over the head of the table once more
    heads: set[str] = set()  # the first lines of the others
    for k, line in enumerate(lines):
        parts = cells_of(ink, line)
        if len(parts) == 1:
            again = k + 1 < len(lines) and _names(ink, lines[k + 1], line) in heads
            if again or CAPTION.match(ink.text(line.words[:3])) or is_title(ink, line, em):
                closed, heads = len(found), set()
                continue
        if min(units(ink, part) for part in parts) > SHORT:
            continue
        ends = ((part, ink.rows[part[0]][0], max(ink.rows[i][2] for i in part)) for part in parts)
        cells = [_Cell(x0, x1, all(ink.value[i] for i in part)) for part, x0, x1 in ends]
        for run in reversed(found[closed:][-4:]):
            away = line.y - run.last
            if (away <= NEAR * em and _joins(run, cells, SLACK * em)) or (away <= WRAPS * em and _is_in(run, cells)):
                run.lines += [k] if len(cells) > 1 else []
                goes_on = len(cells) > 1 or (line.y - run.last <= WRAPS * em and cells[0].x0 > run.label)
                run.last, run.y1 = (line.y, line.y1) if goes_on else (run.last, run.y1)
                break
        else:
            if len(cells) > 1:
                found.append(_Run([k], [[cell] for cell in cells], line.y, line.y1))
                heads.add(ink.text(line.words))
    result = []
    limit = ink.bounds([i for line in lines for i in line.words]).padded(1.0)
    for run in found:
        if (whole := _box_of(run, lines, horizontal, em)) is not None:
            box = _uncut(ink, lines, whole)
            near = [r for r in horizontal if box.y0 - 2 * em < r.at < box.y1 and r.lo < box.x1 and r.hi > box.x0]
            down = [r for r in vertical if box.x0 < r.at < box.x1 and r.lo < box.y1 and r.hi > box.y0 - 2 * em]
            down = [r for r in down if sum(o.length for o in down if abs(o.at - r.at) < TOUCH) > LONG * box.height]
            result.append(Candidate(box, "aligned", near, down, score=0.4, limit=limit))
    return result


def _names(ink: Ink, line: InkLine, over: InkLine) -> str:
    """Return what a line says that may name columns; empty where the line over it is the rest of a cell of a row."""
    cells = cells_of(ink, line)
    named = len(cells) >= HEADED and over.x0 < ink.rows[cells[1][0]][0] and not any(ink.value[i] for i in line.words)
    return ink.text(line.words) if named else ""


def _box_of(run: _Run, lines: Sequence[InkLine], horizontal: Sequence[Rule], em: float) -> Box | None:
    """The box around a run that may be a table: two lines have a rule between them."""
    columns = [column for column in run.columns if len(column) >= 2]
    if len(run.lines) < 2 or len(columns) < 2:
        return None
    x0, x1 = min(c.x0 for column in columns for c in column), max(c.x1 for column in columns for c in column)
    if len(run.lines) == 2:
        upper, lower = (lines[k].y for k in run.lines)
        between = [r for r in horizontal if upper < r.at < lower and r.lo < x0 + em and r.hi > x1 - em]
        if not between or len(columns) < max(HEADED, len(run.columns)):
            return None
    return Box(x0, lines[run.lines[0]].y0, x1, run.y1)


def _uncut(ink: Ink, lines: Sequence[InkLine], box: Box) -> Box:
    """The box as wide as the words that begin in it and run on: lines of cells may stand over their row's first one."""
    rows = [line for line in lines if box.y0 < line.y < box.y1]
    parts = [ink.bounds(part) for line in rows for part in segments(ink, line.words)]
    return Box(box.x0, box.y0, max([box.x1, *(part.x1 for part in parts if box.x0 <= part.x0 < box.x1)]), box.y1)


def _is_in(run: _Run, cells: Sequence[_Cell]) -> bool:
    """Return whether a cell alone stands in a column, however deep, but the first one: there titles and text stand
    too."""
    starts = sorted(min(c.x0 for c in column) for column in run.columns)
    ends = [*starts[1:], max(c.x1 for column in run.columns for c in column)]
    inside = any(x0 <= cells[0].x0 and cells[0].x1 <= x1 for x0, x1 in zip(starts, ends, strict=True))
    return len(cells) == 1 and inside and cells[0].x0 > run.label


def _joins(run: _Run, cells: Sequence[_Cell], slack: float) -> bool:
    """Add the cells to the run where at least two of them, and half of all, stand under its columns.

    One cell alone, the rest of wrapped text, shows how far its column reaches.
    """
    homes = [next((c for c in run.columns if cell.is_under(c, slack)), None) for cell in cells]
    hits = sum(home is not None for home in homes)
    if hits < min(2, len(cells)) or hits < 0.5 * len(cells):
        return False
    for cell, home in zip(cells, homes, strict=True):
        if home is None:
            run.columns.append([cell])
        else:
            home.append(cell)
    return True
