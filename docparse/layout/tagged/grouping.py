"""Lines and groups of a tagged page: no line holds words of two units, and a group is what one unit holds together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from docparse.layout.groups import Group
from docparse.layout.lines import Line
from docparse.layout.tagged.plan import Plan
from docparse.layout.words import Word
from docparse.pdf.structure import NONE

GAP = 1.8  # times the usual distance between baselines: more is white space, or a displayed formula


def cut_at_units(lines: Sequence[Line], plan: Plan) -> list[Line]:
    """Return the lines, each cut where one unit ends and another begins, from top to bottom.

    Writers leave out what stands within the text of a unit, such as the exponent of a formula: it goes to that line.
    """
    cut = [Line(part) for line in lines for part in plan.parted(line.words)]
    hosts = [line for line in cut if plan.of_line(line.words) != NONE]
    guests: dict[int, list[Word]] = {}
    whole: list[Line] = []
    for line in cut:
        host = None
        if plan.of_line(line.words) == NONE:
            host = next((i for i, other in enumerate(hosts) if _is_within(line, other)), None)
        if host is None:
            whole.append(line)
        else:
            guests.setdefault(id(hosts[host]), []).extend(line.words)
    joined = [_with_guests(line, guests[id(line)]) if id(line) in guests else line for line in whole]
    return sorted(joined, key=lambda line: (line.box.y0, line.box.x0, line.words[0].index))


def _is_within(line: Line, host: Line) -> bool:
    """Type no larger than the host's, on its height, and between its words or right behind them."""
    level = line.box.overlap_y(host.box) > 0.5 * line.box.height
    between = host.box.x0 < line.box.x0 and line.box.x1 < host.box.x1 + host.size
    return level and between and line.size <= host.size


def _with_guests(line: Line, guests: Sequence[Word]) -> Line:
    """The line with words put between its own where they stand."""
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
