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
