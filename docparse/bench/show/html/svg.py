"""Plots as inline SVG in the colours of the page's style sheet: one drawing is right on light and dark paper."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
COLOURS = 8  # of the style sheet, told apart by the colour-blind
MUTED, INK, LINE = "var(--muted)", "var(--ink)", "var(--line)"
TOP, BOTTOM, LEFT = 22, 44, 56  # pixels around what is drawn


class Plot(NamedTuple):
    """A drawing of one or more panels, with what it shows; `wide` across the page."""

    title: str
    caption: str
    panels: Sequence[Panel]
    wide: bool = False
    names: dict[str, str] = {}  # noqa: RUF012  # of a legend, with their colours; nobody writes to it


def series(number: int) -> str:
    """Return the colour of the thing of this number, 0 for the first."""
    return f"var(--c{number % COLOURS + 1})"


@dataclass
class Panel:
    """Axes over `x` and `y`, from least to most, in a drawing of `width` by `height` pixels; `right` is left free for
    names. Marks are drawn in the order in which they are added."""

    x: Point
    y: Point
    across: str
    up: str
    title: str = ""
    width: int = 560
    height: int = 300
    right: int = 12
    ticks: Sequence[tuple[float, str]] | None = None
    logarithmic: bool = False
    parts: list[str] = field(default_factory=list)

    def at(self, x: float, y: float) -> Point:
        """Return where in the drawing a place of the plot is."""
        (low, high), wide = map(self._scale, self.x), self.width - LEFT - self.right
        (floor, most), tall = self.y, self.height - TOP - BOTTOM
        return (
            LEFT + wide * (self._scale(x) - low) / ((high - low) or 1),
            TOP + tall * (1 - (y - floor) / ((most - floor) or 1)),
        )

    def _scale(self, x: float) -> float:
        return math.log2(x) if self.logarithmic else x

    def line(self, places: Sequence[Point], colour: str, *, dashed: bool = False, faint: bool = False) -> None:
        """A line through two places or more."""
        if len(places) < 2:
            return
        path = "M" + "L".join("{:.1f} {:.1f}".format(*self.at(*place)) for place in places)
        style = ' stroke-dasharray="3 4"' * dashed + ' opacity=".45"' * faint
        self.parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"{style}/>')

    def joined(self, places: Sequence[Point], colour: str) -> None:
        """A line, and a dot at each of its places."""
        self.line(places, colour)
        for place in places:
            self.dot(place, colour)

    def names(self, marks: Mapping[str, tuple[Point, str]]) -> None:
        """Names in the room at the right, each joined to its place by a line of its colour."""
        spots = [self.at(*place) for place, _ in marks.values()]
        beside = self.width - self.right + 10.0
        heights = spread([y for _, y in spots], 17, 20, 256)
        for (name, (_, colour)), (x, y), at in zip(marks.items(), spots, heights, strict=True):
            path = f"M{x + 6:.1f} {y:.1f}L{beside - 3:.1f} {at - 4:.1f}"
            self.parts.append(f'<path d="{path}" fill="none" stroke="{colour}" opacity=".35"/>')
            self.say(name, (beside, at), anchor="start")

    def dot(self, place: Point, colour: str) -> None:
        x, y = self.at(*place)
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="var(--card)"/>')

    def bar(self, x: Point, y: Point, colour: str) -> None:
        """A rectangle from corner to corner, a little apart from the next."""
        (left, low), (right, high) = self.at(x[0], y[0]), self.at(x[1], y[1])
        wide = max(0.5, right - left - (1 if right - left > 3 else 0))
        size = f'x="{left:.1f}" y="{high:.1f}" width="{wide:.1f}" height="{max(0.0, low - high):.1f}"'
        self.parts.append(f'<rect {size} fill="{colour}"/>')

    def say(self, text: str, place: Point, colour: str = INK, anchor: str = "middle") -> None:
        """Text at a place of the drawing, in pixels."""
        x, y = place
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>')

    def svg(self, label: str) -> str:
        """Return the drawing, described by `label` to those who do not see it."""
        marks, self.parts = self.parts, []
        (left, floor), (right, _) = self.at(self.x[0], self.y[0]), self.at(self.x[1], self.y[0])
        for tick in ticks(*self.y):
            self.line([(self.x[0], tick), (self.x[1], tick)], LINE)
            self.say(f"{tick:g}", (LEFT - 8, self.at(self.x[0], tick)[1] + 4), MUTED, "end")
        for tick, name in self.ticks or [(tick, f"{tick:g}") for tick in ticks(*self.x)]:
            self.say(name, (self.at(tick, self.y[0])[0], floor + 17), MUTED)
        self.say(self.across, ((left + right) / 2, self.height - 8), MUTED)
        self.say(self.up, (4, 13), MUTED, "start")
        if self.title:
            self.say(self.title, ((left + right) / 2, 13))
        text, self.parts = "".join([*self.parts, *marks]), marks
        room = f"flex-basis: {0.8 * self.width:.0f}px; min-width: {0.48 * self.width:.0f}px"
        size = f'viewBox="0 0 {self.width} {self.height}" style="{room}"'
        return f'<svg role="img" aria-label="{escape(label)}" {size}>{text}</svg>'


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers from `low` to `high`, about five."""
    rough = (high - low) / 5 or 1.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= rough)
    return [round(step * number, 10) for number in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def spread(places: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Return where labels go that want to stand at `places` and need `gap` between them: moved as little as a sweep up
    and one down find, within `least` and `most` as far as they fit."""
    order = sorted(range(len(places)), key=lambda each: places[each])
    found = list(places)
    floor = least
    for each in order:
        found[each] = max(found[each], floor)
        floor = found[each] + gap
    ceiling = most
    for each in reversed(order):
        found[each] = min(found[each], ceiling)
        ceiling = found[each] - gap
    return found
