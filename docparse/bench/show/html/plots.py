"""The plots of a report, one function each; None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from docparse.bench.report import Measured
from docparse.bench.rows import AR, OVERALL, PageRow, Throughput
from docparse.bench.show.html.svg import INK, MUTED, Panel, Plot, Point, series
from docparse.bench.show.kinds import MANY_METHODS
from docparse.bench.summaries import Summary
from docparse.bench.traces import Trace

MAX_LOSS = 30.0  # points of accuracy below the best that are drawn
NAMED = 8  # methods in a caption
LONGEST_STEP = 64  # accepted tokens of a step that have a bar of their own
LONGEST_NAME = 40
SPREAD = 2  # times the density of the sparsest category, what the densest one has at least where density is drawn

Colours = Mapping[str, str]


def short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def pareto(measured: Measured, overall: Sequence[Summary], colours: Colours) -> Plot | None:
    """Both speedups over what a method costs in accuracy, with the front of what nothing else beats."""
    if measured.random_weights or len(overall) < 2:
        return None
    truth = all(each.cer is not None for each in overall)
    right = {each.method: 100 * (1 - (each.cer if truth else each.distance)) for each in overall}
    near = [each for each in overall if right[each.method] >= max(right.values()) - MAX_LOSS]
    far = [each.method for each in overall if each not in near]
    what = "1 − CER" if truth else "agreement with plain decoding's text, as there is no ground truth"
    caption = (
        f"Up and to the right is better. Accuracy is {what}. Whiskers are 95 % intervals over pages (across: of what "
        "is lost to plain decoding, page against page); the line joins the methods that no other one beats in both."
    )
    if len(overall) > MANY_METHODS:
        caption += " These are named, and they alone have whiskers."
    if far:
        others = f" and {len(far) - NAMED} others" if len(far) > NAMED else ""
        caption += f" Not drawn, for more than {MAX_LOSS:g} points below the best: {', '.join(far[:NAMED])}{others}."
    panels = [_pareto_panel(near, right, key, colours) for key in ("sr_decode", "sr_e2e")]
    return Plot("Speedup against accuracy", caption, panels, wide=True)


def _pareto_panel(near: Sequence[Summary], right: Mapping[str, float], key: str, colours: Colours) -> Panel:
    places = {each.method: (right[each.method], each[key]) for each in near}
    front: list[Point] = []
    for place in sorted(places.values(), reverse=True):
        if not front or place[1] > front[-1][1]:
            front.append(place)
    least, best = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    margin = max(1.0, 0.1 * (best - least))
    ends = {each.method: each[f"{key}_interval"] or (each[key],) for each in near}
    most = 1.08 * max(1.0, *(end for each in ends.values() for end in each), *(y for _, y in places.values()))
    title = key.replace("sr", "SR")
    panel = Panel((least - margin, best + margin), (0.0, most), "accuracy, %", "speedup, ×", title, right=210)
    panel.line([(panel.x[0], 1.0), (panel.x[1], 1.0)], MUTED, dashed=True)
    panel.line([corner for one, two in pairwise(front) for corner in (one, (one[0], two[1]), two)], INK, faint=True)
    few = len(near) <= MANY_METHODS
    named = [each for each in near if few or places[each.method] in front or each.method == AR]
    for each in near:
        (x, y), colour = places[each.method], colours[each.method]
        if each in named:
            panel.line([(x, end) for end in ends[each.method]], colour, faint=True)
            sides = [x - 100 * (end - each.lost) for end in each.lost_interval or ()]
            panel.line([(min(max(side, panel.x[0]), panel.x[1]), y) for side in sides], colour, faint=True)
        panel.dot((x, y), colour)
    panel.names({short(each.method): (places[each.method], colours[each.method]) for each in named})
    return panel


def over_density(mine: Sequence[Summary], colours: Colours) -> Plot | None:
    """Return what is lost over how much text a visual token stands for: a dot for each category, a line for each
    method."""
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
        panel.joined(points, colours[name])
    caption = "A dot is the mean of one category, a line joins those of a method."
    names = {short(name): colours[name] for name in found}
    return Plot("What is lost, by density of the text", caption, [panel], names=names)


def accepted(rows: Sequence[PageRow], colours: Colours) -> Plot | None:
    """Return how many tokens the steps of each speculative method accept; on a page without a draft every step accepts
    none, in the AAL as well."""
    lengths: dict[str, list[int]] = {row.method: [] for row in rows if any(row.proposed_by_source.values())}
    for row in rows:
        if row.method in lengths:
            lengths[row.method] += row.accepted_per_step or (0,) * row.steps
    most = min(LONGEST_STEP, max((max(each) for each in lengths.values()), default=0))
    panels = []
    for name, each in lengths.items():
        shares = 100 * np.bincount(np.minimum(each, most)) / len(each)
        mean, top = sum(each) / len(each), float(shares.max())
        across = "draft tokens accepted in a step"
        panel = Panel((0, most + 1), (0.0, top), across, "% of steps", short(name), height=190)
        for length in np.flatnonzero(shares).tolist():
            panel.bar((length, length + 1), (0, shares[length]), colours[name])
        place = min(mean, most) + 0.5
        panel.line([(place, 0), (place, top)], INK)
        panel.say(f"AAL {mean:.2f}", (panel.at(place, top)[0] + 6, 36), anchor="start")
        panels.append(panel)
    caption = (
        "The share of verification steps by how many draft tokens they accept, over all pages and runs; the line is "
        f"their mean, the AAL. More than {LONGEST_STEP} are counted as {LONGEST_STEP}."
    )
    return Plot("Accepted tokens per step", caption, panels) if panels else None


def along(trace: Trace) -> Plot | None:
    """Return where on the page drafts are accepted, and whose."""
    chosen = {each.method: each.acceptance for each in trace.methods if any(step.proposed for step in each.acceptance)}
    if not chosen:
        return None
    sources = dict.fromkeys(source for steps in chosen.values() for step in steps for source in step.accepted)
    names = {source: series(number) for number, source in enumerate(sources)}
    end = max(step.end for steps in chosen.values() for step in steps)
    panels = []
    for name, steps in chosen.items():
        most = max(1, *(sum(step.accepted.values()) for step in steps))
        panel = Panel((0, end), (0, most), "output position, tokens", "accepted", short(name), 1150, 170)
        for step in steps:
            low = 0
            for source, count in step.accepted.items():
                panel.bar((step.position, step.end), (low, low + count), names[source])
                low += count
        panels.append(panel)
    caption = (
        f"Page {trace.page}. A bar is a verification step: as wide as what it adds to the output, as high as what it "
        "accepts of its drafts, by their source. Where bars are narrow and low the model goes on alone."
    )
    return Plot("Acceptance along the page", caption, panels, wide=True, names=names)


def image_attention(trace: Trace) -> Plot | None:
    """Return how much of its attention each layer spends on the picture, and which layers are focal."""
    measured = {each.method: [100 * share for share in each.image_attention] for each in trace.methods}
    plain = AR if measured.get(AR) else next((name for name, shares in measured.items() if shares), "")
    if not plain:
        return None
    chooser, focal = next(((each.method, each.focal) for each in trace.methods if each.focal), ("", ()))
    caption = (
        f"Page {trace.page}, {short(plain)}: the share of a layer's attention that falls on visual tokens, mean over "
        "heads and over all steps of decoding."
    )
    if focal:
        caption += f" Marked are the focal layers of {short(chooser)}, chosen from its own first steps."
    shares = measured[plain]
    numbers = [(float(layer), str(layer)) for layer in range(0, len(shares), max(1, len(shares) // 12))]
    top = 1.15 * max(shares)
    panel = Panel((-0.5, len(shares) - 0.5), (0, top), "layer", "attention to the image, %", ticks=numbers)
    for layer, share in enumerate(shares):
        panel.bar((layer - 0.36, layer + 0.36), (0, share), series(int(layer in focal)))
        if layer in focal:
            x, y = panel.at(layer, share)
            panel.say("focal", (x, y - 5))
    return Plot("Attention to the image, layer by layer", caption, [panel])


def over_batches(load: Throughput) -> Plot | None:
    """Return pages a minute and seconds of a page over batch size, a line for each method."""
    ticks = [(float(size), str(size)) for size in sorted({each.batch for each in load.points})]
    if len(ticks) < 2:
        return None
    x = ticks[0][0], ticks[-1][0]
    fast, slow = (max(getattr(each, name) for each in load.points) for name in ("pages_per_minute", "latency_p90"))
    left, right = (
        Panel(x, (0, end), "batch size", up, right=30, ticks=ticks, logarithmic=True)
        for end, up in ((fast, "pages a minute"), (slow, "seconds of a page"))
    )
    others = dict.fromkeys(each.method for each in load.points if each.method != AR)
    names = {AR: MUTED} | {name: series(number) for number, name in enumerate(others)}
    for method, colour in names.items():
        points = sorted((each for each in load.points if each.method == method), key=lambda each: each.batch)
        left.joined([(each.batch, each.pages_per_minute) for each in points], colour)
        right.joined([(each.batch, each.latency) for each in points], colour)
        right.line([(each.batch, each.latency_p90) for each in points], colour, dashed=True)
    caption = (
        "Left is how many pages are read in a minute, right how long one of them takes from where it leaves the queue: "
        "the median, and dotted the 90th percentile."
    )
    return Plot(
        "Pages a minute, and seconds of a page, over batch size", caption, [left, right], wide=True, names=names
    )
