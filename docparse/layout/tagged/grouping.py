"""Lines and groups of a tagged page: no line holds words of two units, and a group is what one unit holds together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse.layout.tagged.plan import Plan
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf.structure import NONE

GAP = 1.8  # times the usual distance between baselines: more is white space, or a displayed formula


def cut_at_units(lines: Sequence[Line], plan: Plan) -> list[Line]:
    """Return the lines, each cut where one unit ends and another begins.

    What stands within a line of a unit goes to it where the tree says nothing, or names the same unit: an exponent that
    the writer left out, a full stop in a font whose boxes lie.
    """
    if not plan.units:
        return list(lines)
    cut = [Line(part) for line in lines for part in plan.parted(line.words)]
    units = [plan.of_line(line.words) for line in cut]
    hosts = [i for i, unit in enumerate(units) if unit != NONE]
    home = list(range(len(cut)))
    for i, (line, unit) in enumerate(zip(cut, units, strict=True)):
        able = (k for k in hosts if k != i and home[k] == k and unit in (NONE, units[k]))
        home[i] = next((k for k in able if _is_within(line, cut[k])), i)
    joined = [
        _with_guests(cut[k], [word for i, at in enumerate(home) if at == k != i for word in cut[i].words])
        for k in sorted(set(home))
    ]
    return joined


def _is_within(line: Line, host: Line) -> bool:
    """Is the line, in type no larger than the host's, on its height and between its words or right behind them?"""
    level = line.box.overlap_y(host.box) > 0.5 * line.box.height
    between = host.box.x0 < line.box.x0 and line.box.x1 < host.box.x1 + host.size
    return level and between and line.size <= host.size and line.characters < host.characters


def _with_guests(line: Line, guests: Sequence[Word]) -> Line:
    """The line with words put between its own where they stand."""
    if not guests:
        return line
    words = list(line.words)
    for guest in sorted(guests, key=lambda word: word.box.x0):
        at = next((i for i, word in enumerate(words) if word.box.x0 > guest.box.x0), len(words))
        words.insert(at, guest)
    return Line(tuple(words))


def lines_by_unit(lines: Sequence[Line], plan: Plan) -> tuple[dict[int, list[Line]], list[Line]]:
    """Return the lines of every unit that is grouped as the tree says, and all others."""
    held: dict[int, list[Line]] = {}
    free: list[Line] = []
    for line in lines:
        unit = plan.of_line(line.words)
        if unit == NONE or plan.kinds[unit] == "free":
            free.append(line)
        else:
            held.setdefault(unit, []).append(line)
    return held, free


def unit_groups(held: dict[int, list[Line]], plan: Plan) -> list[Group]:
    """Return one group for every unit; several where it goes on in another column or across white space."""
    groups: list[Group] = []
    for unit, lines in sorted(held.items()):
        lines.sort(key=lambda line: plan.start([line]))
        groups += [Group(part) for part in _stretches(lines, spaced=plan.kinds[unit] == "code")]
    return groups


def _stretches(lines: Sequence[Line], *, spaced: bool) -> list[tuple[Line, ...]]:
    """Lines in the order of the tree, cut where they step back up the page or, if they are not `spaced`, far down."""
    steps = [lower.baseline - upper.baseline for upper, lower in pairwise(lines)]
    usual = median([step for step, line in zip(steps, lines, strict=False) if step > 0.5 * line.size] or [0.0])
    parts: list[list[Line]] = [[lines[0]]]
    for step, upper, lower in zip(steps, lines, lines[1:], strict=False):
        back = lower.box.y1 < upper.box.y0
        far = step > max(GAP * usual, 2 * GAP * max(upper.size, lower.size))
        if back or (far and not spaced):
            parts.append([])
        parts[-1].append(lower)
    return [tuple(part) for part in parts]
