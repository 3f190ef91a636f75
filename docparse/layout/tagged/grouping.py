"""Lines and groups of a tagged page: a group is what one unit holds together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from docparse.layout.chained import chained
from docparse.layout.tagged.plan import Plan
from docparse.layout.text.groups import Group
from docparse.layout.text.items import found_markers
from docparse.layout.text.lines import Line
from docparse.layout.text.words import LEVEL
from docparse.pdf.structure import NONE
from docparse.types import Box

GAP = 1.8  # times the usual distance between baselines: more is white space, or a displayed formula


def lines_by_unit(lines: Sequence[Line], plan: Plan) -> tuple[dict[int, list[Line]], list[Line]]:
    """Return the lines of every unit that is grouped as the tree says, and all others."""
    held: dict[int, list[Line]] = {}
    free: list[Line] = []
    for line in lines:
        unit = plan.of_line(line.words)
        (free if unit == NONE or plan.kinds[unit] == "free" else held.setdefault(unit, [])).append(line)
    return held, free


def units_in(pictures: Sequence[Box], held: Mapping[int, Sequence[Line]], plan: Plan) -> list[int]:
    """Return the units that are printed in a picture as a whole and that the tree calls paragraphs: chart labels."""
    paragraphs = ((unit, lines) for unit, lines in held.items() if plan.kinds[unit] == "text")
    return [u for u, lines in paragraphs if any(all(p.holds(*line.box.center) for line in lines) for p in pictures)]


def unit_groups(held: dict[int, list[Line]], plan: Plan) -> list[Group]:
    """Return one group for every unit; several where it goes on in another column or across white space.

    Paragraphs may begin with a typed marker.
    """
    groups: list[Group] = []
    for unit, lines in sorted(held.items()):
        lines.sort(key=lambda line: plan.start([line]))
        code = plan.kinds[unit] == "code"
        columns = [lines] if code else _without_asides(lines)
        groups += [Group(part) for column in columns for part in _stretches(column, spaced=code)]
    typed = [i for i, group in enumerate(groups) if plan.kinds[plan.of_group(group)] == "text" and plan.leads(group)]
    markers = found_markers([groups[i].lines[0] for i in typed], [None] * len(typed))
    for k, marker in markers.items():
        groups[typed[k]] = replace(groups[typed[k]], marker=marker)
    return groups


def _without_asides(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines in the order of the tree, those first that stand under each other, then each aside: a note in the margin,
    which the tree has where it is called.

    A unit that goes on in the next column begins at its top; a piece at the end of a line is of that line.
    """
    column: list[Line] = [lines[0]]
    asides: list[list[Line]] = []
    last, within = lines[0], False  # of the column, but for such pieces; whether the line before is one of an aside
    for line in lines[1:]:
        if line.box.overlap_x(last.box) > 0 or line.box.y1 < last.box.y0:
            column.append(line)
            last, within = line, False
        elif within:
            asides[-1].append(line)
        elif line.size == last.size and abs(line.baseline - last.baseline) < LEVEL * last.size:
            column.append(line)
        else:
            asides.append([line])
            within = True
    return [column, *asides]


def _stretches(lines: Sequence[Line], *, spaced: bool) -> list[tuple[Line, ...]]:
    """Lines in the order of the tree, cut where they step back up the page or, if they are not `spaced`, far down."""
    steps = [lower.baseline - upper.baseline for upper, lower in pairwise(lines)]
    usual = median([step for step, line in zip(steps, lines, strict=False) if step > 0.5 * line.size] or [0.0])

    def goes_on(part: list[Line], lower: Line) -> bool:
        upper = part[-1]
        far = lower.baseline - upper.baseline > max(GAP * usual, 2 * GAP * max(upper.size, lower.size))
        return lower.box.y1 >= upper.box.y0 and (spaced or not far)

    return list(map(tuple, chained(lines, goes_on)))
