"""The plots over all pages: one function for each, a `Plot` with its drawing or with the reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docparse.bench.rows import AR, STAGES, Interval, Summary
from docparse.bench.show.kinds import grouped
from docparse.bench.show.report_html.chapter import Chapter, short
from docparse.bench.show.report_html.ink import (
    INK,
    MUTED,
    PAPER,
    SMALL,
    as_svg,
    beside,
    drawing,
    marker,
    series,
    spread,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

WIDE, HALF = 12.6, 6.2  # inches
WORST = 30.0  # points of accuracy below the best that are drawn
NAMED = 8  # methods in a caption
LONGEST_STEP = 64  # accepted tokens of a step that have a bar of their own


@dataclass(frozen=True)
class Plot:
    """`svg` is empty where there is nothing to draw, and `absent` says why."""

    title: str
    caption: str
    svg: str = ""
    absent: str = ""
    wide: bool = False


def pareto(chapter: Chapter) -> Plot:
    """Both speedups over what a method costs in accuracy, with the front of what nothing else beats."""
    title = f"Speedup against accuracy, {chapter.drafts} drafts"
    if chapter.measured.random_weights:
        return Plot(title, "", absent="The weights are random: there is no accuracy to set speed against.")
    if len(chapter.overall) < 2:
        return Plot(title, "", absent="There are not two methods to compare.")
    with drawing(WIDE, 5.4 if chapter.many else 4.2) as figure:
        for axes, field in zip(figure.subplots(1, 2), ("sr_decode", "sr_e2e"), strict=True):
            _pareto_panel(axes, chapter, field)
            axes.set_title(field.replace("sr", "SR"))
            axes.set_xlabel("accuracy, %")
            axes.set_ylabel("speedup, ×")
        if chapter.many:
            handles = [_mark(number, name) for number, name in enumerate(chapter.families)]
            figure.legend(loc="outside lower center", ncols=8, fontsize=SMALL, handles=handles)
        return Plot(title, _pareto_caption(chapter), as_svg(figure, f"pareto {chapter.model}", title), wide=True)


def _pareto_caption(chapter: Chapter) -> str:
    what = "1 − CER" if chapter.truth else "agreement with the baseline's text, as there is no ground truth"
    caption = (
        f"Up and to the right is better. Accuracy is {what}. Whiskers are 95 % bootstrap intervals over pages, where "
        "there are several (across: of what is lost to plain decoding, page against page); the line joins the methods "
        "that no other one beats in both."
    )
    if chapter.many:
        caption += " These and the baseline are named, and they alone have whiskers."
    if far := [each.method for each in chapter.overall if each not in _near(chapter)]:
        others = f" and {len(far) - NAMED} others" if len(far) > NAMED else ""
        caption += f" Not drawn, for more than {WORST:g} points below the best: {', '.join(far[:NAMED])}{others}."
    return caption


def _mark(number: int, name: str) -> Line2D:
    """Of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=series(number), marker=marker(number), linestyle="", label=short(name))


def _pareto_panel(axes: Axes, chapter: Chapter, field: str) -> None:
    near = _near(chapter)
    points = {each.method: (_accuracy(chapter, each), getattr(each, field)) for each in near}
    front = _front(list(points.values()))
    named = [name for name in points if not chapter.many or points[name] in front or name == chapter.baseline]
    for each in near:
        x, y = points[each.method]
        colour, shape = chapter.colours[each.method], marker(chapter.numbers.get(each.method, -1))
        axes.scatter([x], [y], s=46, color=colour, marker=shape, edgecolors=PAPER, zorder=3)
        if each.method in named:
            _whiskers(axes, chapter, each, (x, y), field)
    axes.step(*zip(*front, strict=True), where="pre", color=INK, linewidth=1, alpha=0.5, zorder=1)
    axes.axhline(1, color=MUTED, linewidth=0.8, linestyle=(0, (2, 3)))
    axes.margins(0.08)
    _names_beside(axes, [(*points[name], name) for name in named], chapter.colours)


def _whiskers(axes: Axes, chapter: Chapter, each: Summary, point: tuple[float, float], field: str) -> None:
    """Across they are of what is lost: how well pages can be read at all is the same for all methods."""
    x, y = point
    lost = None if each.method == AR else chapter.lost(each)
    across = None
    if lost is not None and lost.interval is not None:
        high, low = (x - 100 * (end - lost.value) for end in lost.interval)
        across = (low, high)
    up, colour = _arms(y, getattr(each, f"{field}_interval")), chapter.colours[each.method]
    axes.errorbar([x], [y], up, _arms(x, across), fmt="none", ecolor=colour, elinewidth=1, alpha=0.45)


def _near(chapter: Chapter) -> list[Summary]:
    """What is drawn: beside what lost nearly all the others could not be told apart."""
    best = max(_accuracy(chapter, each) for each in chapter.overall)
    return [each for each in chapter.overall if _accuracy(chapter, each) >= best - WORST]


def _accuracy(chapter: Chapter, each: Summary) -> float:
    return 100 * (1 - (each.cer if chapter.truth and each.cer is not None else each.distance))


def _arms(middle: float, ends: Interval | None) -> list[list[float]] | None:
    return None if ends is None else [[max(0.0, middle - ends[0])], [max(0.0, ends[1] - middle)]]


def _front(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points that no other one beats in both, from the least accurate to the most."""
    found: list[tuple[float, float]] = []
    for x, y in sorted(points, reverse=True):
        if not found or y > found[-1][1]:
            found.append((x, y))
    return found[::-1]


def _names_beside(axes: Axes, points: Sequence[tuple[float, float, str]], colours: Mapping[str, str]) -> None:
    """Names in a column beside the plot, joined to their points: they cannot cover each other or a point."""
    low, high = axes.get_ylim()
    heights = [(y - low) / (high - low) for _, y, _ in points]
    for (x, y, name), at in zip(points, spread(heights, 0.062, 0.0, 1.0), strict=True):
        line = {"arrowstyle": "-", "color": colours[name], "alpha": 0.35, "linewidth": 0.8, "shrinkB": 4, "shrinkA": 1}
        beside(axes, short(name), (x, y), xytext=(1.05, at), textcoords="axes fraction", arrowprops=line)


def acceptance_lengths(chapter: Chapter) -> Plot:
    """How many tokens the steps of each speculative method accept."""
    title = f"Accepted tokens per step, {chapter.drafts} drafts"
    caption = (
        "The share of verification steps by how many draft tokens they accept, over all pages and runs; the line is "
        f"their mean, the AAL. More than {LONGEST_STEP} are counted as {LONGEST_STEP}."
    )
    proposing = {row.method for row in chapter.rows if any(row.proposed_by_source.values())}
    lengths: dict[str, Counter[int]] = {}
    for row in chapter.rows:
        if row.method in proposing:  # on a page without a draft every step accepts none, in the AAL as well
            lengths.setdefault(row.method, Counter()).update(row.accepted_per_step or (0,) * row.steps)
    if not lengths:
        return Plot(title, caption, absent="No method here proposes drafts.")
    most = min(LONGEST_STEP, max(max(count) for count in lengths.values()))
    with drawing(HALF, 0.6 + 1.2 * len(lengths)) as figure:
        panels = figure.subplots(len(lengths), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (name, count) in zip(panels, lengths.items(), strict=True):
            _distribution(axes, count, most, chapter.colours[name])
            axes.set_title(short(name), fontsize=SMALL)
        panels[-1].set_xlabel("draft tokens accepted in a step")
        return Plot(title, caption, as_svg(figure, f"lengths {chapter.model}", title))


def _distribution(axes: Axes, count: Counter[int], most: int, colour: str) -> None:
    steps = count.total()
    shown: Counter[int] = Counter()
    for length, times in count.items():
        shown[min(length, most)] += times
    axes.bar(range(most + 1), [100 * shown[length] / steps for length in range(most + 1)], width=0.85, color=colour)
    mean = sum(length * times for length, times in count.items()) / steps
    axes.axvline(min(mean, most), color=INK, linewidth=1)
    beside(axes, f"AAL {mean:.2f}", (min(mean, most), 1.0), va="top", xycoords=axes.get_xaxis_transform())
    axes.set_ylabel("% of steps", fontsize=SMALL)


def stages(chapter: Chapter) -> Plot:
    """Mean seconds of a page by stage, one bar for each method."""
    title = f"Where the time goes, {chapter.drafts} drafts"
    caption = (
        "Mean seconds of a page by stage (tables have medians). What makes drafts is part of speculation's time: "
        "SR_decode compares drafts, regions and decode, SR_e2e everything."
    )
    read = dict.fromkeys(row.method for row in chapter.rows)
    methods = [name for names in grouped(read, chapter.methods).values() for name in names]
    if not methods:
        return Plot(title, caption, absent="No page was read.")
    means = {name: _mean_seconds(chapter, name) for name in methods}
    drawn = [stage for stage in STAGES if any(mean[stage] > 0 for mean in means.values())]
    places = range(len(methods))
    with drawing(WIDE, 1.1 + (0.24 if chapter.many else 0.36) * len(methods)) as figure:
        axes = figure.subplots()
        left = [0.0] * len(methods)
        for stage in drawn:
            widths = [means[name][stage] for name in methods]
            axes.barh(places, widths, left=left, height=0.66, color=series(STAGES.index(stage)), label=stage)
            left = [start + width for start, width in zip(left, widths, strict=True)]
        for place, total in zip(places, left, strict=True):
            beside(axes, f"{total:.3g} s", (total, place), MUTED)
        axes.set_yticks(places, [short(name) for name in methods], color=INK)
        axes.grid(axis="x")
        axes.grid(axis="y", visible=False)
        axes.margins(x=0.08)
        axes.set_ylim(len(methods) - 0.4, -0.6)
        axes.set_xlabel("mean seconds a page")
        figure.legend(loc="outside upper right", ncols=len(drawn), fontsize=SMALL)
        return Plot(title, caption, as_svg(figure, f"stages {chapter.model}", title), wide=True)


def _mean_seconds(chapter: Chapter, method: str) -> dict[str, float]:
    rows = [row for row in chapter.rows if row.method == method]
    return {stage: sum(row.seconds.get(stage, 0.0) for row in rows) / len(rows) for stage in STAGES}
