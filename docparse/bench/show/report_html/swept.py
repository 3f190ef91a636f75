"""The plot of an ablation: speed and accuracy over the values of one parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docparse.bench.ablate import Ablation, Point
from docparse.bench.show.report_html.chapter import short
from docparse.bench.show.report_html.ink import MUTED, SMALL, as_svg, drawing, series
from docparse.bench.show.report_html.plots import WIDE, Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def sweep(ablation: Ablation) -> Plot:
    """Speedups beside accuracy, over numbers as they are, over anything else one after the other."""
    title = f"{ablation.parameter} in {short(ablation.stack)}"
    points = ablation.points
    truth = all(point.cer is not None for point in points)
    accuracy = "1 − CER" if truth else "agreement with the baseline's text"
    caption = (
        f"Every value is a method of its own in the same race. Accuracy is {accuracy}; the band is a 95 % interval."
    )
    if len(points) < 2:
        return Plot(title, caption, absent="Fewer than two of its values were measured.")
    with drawing(WIDE, 3.4) as figure:
        left, right = figure.subplots(1, 2)
        places = _places(left, right, points)
        _speedups(left, places, points)
        shares = [100 * (1 - (each.cer if truth and each.cer is not None else each.distance)) for each in points]
        right.plot(places, shares, marker="o", markersize=4, color=series(2))
        right.set_ylabel("accuracy, %")
        for axes in (left, right):
            axes.set_xlabel(ablation.parameter)
        return Plot(title, caption, as_svg(figure, f"sweep {ablation.model} {title}", title), wide=True)


def _places(left: Axes, right: Axes, points: Sequence[Point]) -> list[float]:
    """Where the values stand on the axis; those that are no numbers are its labels."""
    numbers = [
        each.value for each in points if isinstance(each.value, int | float) and not isinstance(each.value, bool)
    ]
    if len(numbers) == len(points):
        return [float(each) for each in numbers]
    for axes in (left, right):
        axes.set_xticks(range(len(points)), [str(each.value) for each in points])
    return [float(place) for place in range(len(points))]


def _speedups(axes: Axes, places: Sequence[float], points: Sequence[Point]) -> None:
    ends = [each.sr_decode_interval or (each.sr_decode, each.sr_decode) for each in points]
    lows, highs = zip(*ends, strict=True)
    axes.fill_between(places, lows, highs, color=series(0), alpha=0.15, linewidth=0)
    axes.plot(places, [each.sr_decode for each in points], marker="o", markersize=4, color=series(0), label="SR_decode")
    axes.plot(places, [each.sr_e2e for each in points], marker="s", markersize=4, color=series(1), label="SR_e2e")
    axes.axhline(1, color=MUTED, linewidth=0.8, linestyle=(0, (2, 3)))
    axes.set_ylabel("speedup, ×")
    axes.legend(fontsize=SMALL)
