"""The plots of a report, one function each; None where there is nothing to draw. They are inline SVG in the colours of
the style sheet of the page: one drawing is right on light and dark paper."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from docparse.bench.report import Measured
from docparse.bench.rows import AR, OVERALL, PageRow
from docparse.bench.summaries import Summary

MAX_LOSS = 30.0  # points of accuracy below the best that are drawn
LONGEST_STEP = 64  # accepted tokens of a step that are told apart
SPREAD = 2  # times the density of the sparsest category, what the densest one has at least where density is drawn

Colours = Mapping[str, str]
Point: TypeAlias = tuple[float, float]
COLOURS = 8  # of the style sheet, told apart by the colour-blind
MUTED, INK, LINE = "var(--muted)", "var(--ink)", "var(--line)"
WIDTH, HEIGHT = 560, 300  # pixels of a drawing
TOP, BOTTOM, LEFT, RIGHT = 22, 44, 56, 16  # pixels around what is drawn


def series(number: int) -> str:
    """Return the colour of the thing of this number, 0 for the first."""
    return f"var(--c{number % COLOURS + 1})"


class Plot(NamedTuple):
    """Panels side by side with what they show, and a legend: names with their colours."""

    title: str
    caption: str
    panels: Sequence[Panel]
    names: Mapping[str, str]


@dataclass
class Panel:
    """Axes over `x` and `y`, from least to most; marks are drawn as they are added, with a name as tooltip."""

    x: Point
    y: Point
    across: str
    up: str
    parts: list[str] = field(default_factory=list)

    def at(self, x: float, y: float) -> Point:
        (low, high), (floor, top) = self.x, self.y
        return (
            LEFT + (WIDTH - LEFT - RIGHT) * (x - low) / ((high - low) or 1),
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - floor) / ((top - floor) or 1),
        )

    def line(self, places: Sequence[Point], colour: str, style: str = "") -> None:
        path = "L".join("{:.1f} {:.1f}".format(*self.at(*place)) for place in places)
        self.parts.append(f'<path d="M{path}" class="{style}" stroke="{colour}"/>')

    def dots(self, places: Sequence[Point], colour: str, name: str) -> None:
        for place in places:
            x, y = self.at(*place)
            title = escape(f"{name}: {place[0]:.4g}, {place[1]:.4g}")
            self.parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"><title>{title}</title></circle>'
            )

    def svg(self, label: str) -> str:
        """Return the drawing, described by `label` to those who do not see it."""
        axes = Panel(self.x, self.y, "", "")
        for tick in ticks(*self.y):
            axes.line([(self.x[0], tick), (self.x[1], tick)], LINE)
            axes._say(f"{tick:g}", (LEFT - 8, self.at(0, tick)[1] + 4), "end")
        for tick in ticks(*self.x):
            axes._say(f"{tick:g}", (self.at(tick, 0)[0], HEIGHT - BOTTOM + 17))
        axes._say(self.across, ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8))
        axes._say(self.up, (4, 13), "start")
        drawn = "".join([*axes.parts, *self.parts])
        return f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawn}</svg>'

    def _say(self, text: str, place: Point, anchor: str = "middle") -> None:
        """Text at a place of the drawing, in pixels."""
        x, y = place
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>')


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers from `low` to `high`, about five."""
    rough = (high - low) / 5 or 1.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= rough)
    return [round(step * number, 10) for number in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def colours_of(methods: Sequence[str]) -> dict[str, str]:
    """Return the colour of every method, plain decoding's grey; of many the settings of one method share theirs."""
    kinds = {name: _named(name, methods) for name in methods if name != AR}
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds.values()))}
    return {name: series(numbers[kinds[name]]) if name in kinds else MUTED for name in methods}


def _legend(methods: Iterable[str], colours: Colours) -> dict[str, str]:
    return {_named(name, colours): colours[name] for name in methods}


def _named(name: str, methods: Collection[str]) -> str:
    """Return what a colour stands for: a method, or where there are more than colours all of its settings."""
    return name if len(methods) <= COLOURS + 1 else re.sub(r"\(.*?\)+(?=\+|$)", "", name)


def pareto(measured: Measured, overall: Sequence[Summary], colours: Colours) -> Plot | None:
    """Both speedups over what a method costs in accuracy, with the front of what nothing else beats."""
    if measured.random_weights or len(overall) < 2:
        return None
    truth = all(each.cer is not None for each in overall)
    right = {each.method: 100 * (1 - (each.cer if truth else each.distance)) for each in overall}
    near = [each for each in overall if right[each.method] >= max(right.values()) - MAX_LOSS]
    what = "1 − CER" if truth else "agreement with plain decoding's text, as there is no ground truth"
    caption = (
        f"Up and to the right is better. Accuracy is {what}. Whiskers are 95 % intervals over pages (across: of what "
        "is lost to plain decoding, page against page); the line joins the methods that no other one beats in both."
    )
    if far := len(overall) - len(near):
        caption += f" Not drawn, for more than {MAX_LOSS:g} points below the best: {far}."
    panels = [_pareto_panel(near, right, key, colours) for key in ("sr_decode", "sr_e2e")]
    return Plot("Speedup against accuracy", caption, panels, _legend([each.method for each in near], colours))


def _pareto_panel(near: Sequence[Summary], right: Mapping[str, float], key: str, colours: Colours) -> Panel:
    places = {each.method: (right[each.method], each[key]) for each in near}
    front: list[Point] = []
    for place in sorted(places.values(), reverse=True):
        if not front or place[1] > front[-1][1]:
            front.append(place)
    xs = [x for x, _ in places.values()]
    margin = max(1.0, 0.1 * (max(xs) - min(xs)))
    ends = {each.method: each[f"{key}_interval"] or (each[key],) for each in near}
    most = 1.08 * max(1.0, *(end for each in ends.values() for end in each), *(y for _, y in places.values()))
    panel = Panel((min(xs) - margin, max(xs) + margin), (0.0, most), "accuracy, %", f"{key.replace('sr', 'SR')}, ×")
    panel.line([(panel.x[0], 1.0), (panel.x[1], 1.0)], MUTED, "dashed")
    panel.line(
        [corner for one, two in pairwise(front) for corner in (one, (one[0], two[1]), two)] or front, INK, "faint"
    )
    for each in near:
        (x, y), colour = places[each.method], colours[each.method]
        panel.line([(x, end) for end in ends[each.method]], colour, "faint")
        sides = [x - 100 * (end - each.lost) for end in each.lost_interval or ()]
        panel.line([(min(max(side, panel.x[0]), panel.x[1]), y) for side in sides] or [(x, y)], colour, "faint")
        panel.dots([(x, y)], colour, each.method)
    return panel


def over_density(mine: Sequence[Summary], colours: Colours) -> Plot | None:
    """Return the loss over text per visual token: a dot for each category, a line for each method."""
    found: dict[str, list[Point]] = {}
    for each in mine:
        if each.category != OVERALL and each.lost is not None and each.density:
            found.setdefault(each.method, []).append((each.density, 100 * each.lost))
    found = {name: sorted(points) for name, points in found.items() if any(lost for _, lost in points)}
    xs, ys = zip(*(point for points in found.values() for point in points), strict=True) if found else ((1.0,), ())
    if max(xs) < SPREAD * min(xs):
        return None
    across, least = "characters for each visual token", min(0.0, *ys)
    panel = Panel((0, 1.05 * max(xs)), (least, max(1.0, *ys)), across, "points of CER lost")
    for name, points in found.items():
        panel.line(points, colours[name])
        panel.dots(points, colours[name], name)
    caption = "A dot is the mean of one category, a line joins those of a method."
    return Plot("What is lost, by density of the text", caption, [panel], _legend(found, colours))


def accepted(rows: Sequence[PageRow], colours: Colours) -> Plot | None:
    """Return how many tokens the steps of each speculative method accept; without a draft none, as in the AAL."""
    lengths: dict[str, list[int]] = {row.method: [] for row in rows if any(row.proposed_by_source.values())}
    for row in rows:
        if row.method in lengths:
            lengths[row.method] += row.accepted_per_step or (0,) * row.steps
    if not lengths:
        return None
    most = min(LONGEST_STEP, max(max(each) for each in lengths.values()))
    shares = {
        name: 100 * np.cumsum(np.bincount(np.minimum(each, most), minlength=most + 1)[::-1])[::-1] / len(each)
        for name, each in lengths.items()
    }
    panel = Panel((0, max(1, most)), (0.0, 100.0), "draft tokens accepted in a step, at least", "% of steps")
    for name, share in shares.items():
        panel.line(list(enumerate(share.tolist())), colours[name])
    names = {f"{name}: AAL {sum(each) / len(each):.2f}": colours[name] for name, each in lengths.items()}
    caption = f"Over all pages and runs; the mean is the AAL. Beyond {LONGEST_STEP} nothing is drawn."
    return Plot("Accepted tokens per step", caption, [panel], names)
