"""Colours by name, and a matplotlib figure as inline SVG that takes them from the page's style sheet.

Matplotlib is given a stand-in for every colour; in the SVG each becomes the CSS variable of that name, so that one
drawing is right on light and on dark paper.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SERIES = tuple(f"#0a00{number:02x}" for number in range(1, 9))  # --c1 ... --c8, told apart by the colour-blind
INK, MUTED, LINE, PAPER, BAD = (f"#0b00{number:02x}" for number in range(1, 6))
VARIABLES = {
    **{colour: f"--c{number}" for number, colour in enumerate(SERIES, 1)},
    **dict(zip((INK, MUTED, LINE, PAPER, BAD), ("--ink", "--muted", "--line", "--paper", "--bad"), strict=True)),
}
MARKERS = "osD^vPX*"
SMALL = 8.5  # points
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: selectable, in the reader's own font
    "text.parse_math": False,  # a dollar in a name is a dollar
    "font.size": 10,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


def series(number: int) -> str:
    """The colour of the thing of this number, 0 for the first."""
    return SERIES[number % len(SERIES)]


def marker(number: int) -> str:
    """Its mark in a plot of points; another one where colours repeat."""
    return MARKERS[(number + number // len(SERIES)) % len(MARKERS)]


@contextmanager
def drawing(width: float, height: float) -> Iterator[Figure]:
    """A figure of this size in inches, in the report's style. Matplotlib's own state is left as it was."""
    import warnings

    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # the browser has the glyph, or a font that does
        yield Figure(figsize=(width, height), layout="constrained")


def as_svg(figure: Figure, name: str, label: str) -> str:
    """Inline SVG, described to those who do not see it by `label`; `name` keeps its ids apart from other figures'.

    To be called inside `drawing`.
    """
    import matplotlib

    file = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(file, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = file.getvalue()
    text = re.sub(r'<g id="[^"]*"', "<g", text[text.index("<svg") :])
    text = re.sub(r"#0[ab]00[0-9a-f]{2}", lambda match: f"var({VARIABLES[match[0]]})", text)
    width, height = (float(each) for each in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0])
    opening = f'<svg role="img" aria-label="{_attribute(label)}" viewBox="0 0 {width:g} {height:g}"'
    return re.sub(r"<svg[^>]*>", f'{opening} style="max-width: {width * 1.25:.0f}px">', text, count=1)


def _attribute(text: str) -> str:
    from html import escape

    return escape(text).replace("\\", "\\\\")  # it is the replacement of a regular expression


def beside(axes: Axes, text: str, place: tuple[float, float], colour: str = INK, **options: Any) -> None:
    """A small text right of a place; one that begins with a blank would lose it in a browser."""
    defaults: dict[str, Any] = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": SMALL}
    axes.annotate(text, place, color=colour, **(defaults | options))


def spread(places: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Where labels go that want to stand at `places` and need `gap` between them: moved as little as a sweep up and one
    down find, within `least` and `most` as far as they fit."""
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
