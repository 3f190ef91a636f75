"""The plots of the one page that was read with a recorder: acceptance along it, attention to it by layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docparse.bench.show.report_html.chapter import Chapter, short
from docparse.bench.show.report_html.ink import INK, PAPER, SMALL, as_svg, drawing, series
from docparse.bench.show.report_html.plots import HALF, WIDE, Plot
from docparse.bench.traces import MethodTrace, Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TICKS = 12  # layers that are numbered


def acceptance_along(chapter: Chapter, trace: Trace) -> Plot:
    """Where on the page drafts are accepted, and whose."""
    title = f"Acceptance along the page, {chapter.drafts} drafts"
    caption = (
        f"Page {trace.page}. A bar is a verification step: as wide as what it adds to the output, as high as what it "
        "accepts of its drafts, by their source. Where bars are narrow and low the model goes on alone."
    )
    chosen = [each for each in trace.methods if any(step.proposed for step in each.acceptance)]
    if not chosen:
        return Plot(title, caption, absent="No method here proposes drafts.")
    sources = list(dict.fromkeys(name for each in chosen for step in each.acceptance for name in step.accepted))
    with drawing(WIDE, 0.7 + 1.3 * len(chosen)) as figure:
        panels = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
        for axes, each in zip(panels, chosen, strict=True):
            _along(axes, each, sources)
            axes.set_title(short(each.method), fontsize=SMALL)
            axes.set_ylabel("accepted", fontsize=SMALL)
        panels[-1].set_xlabel("output position, tokens")
        if sources:
            figure.legend(loc="outside upper right", ncols=len(sources), fontsize=SMALL, handles=_swatches(sources))
        return Plot(title, caption, as_svg(figure, f"along {trace.page}", title), wide=True)


def _along(axes: Axes, each: MethodTrace, sources: Sequence[str]) -> None:
    lefts = [step.position for step in each.acceptance]
    widths = [sum(step.accepted.values()) + 1 for step in each.acceptance]
    below = [0] * len(lefts)
    style: dict[str, Any] = {"align": "edge", "edgecolor": PAPER, "linewidth": 0.3}
    for number, source in enumerate(sources):
        heights = [step.accepted.get(source, 0) for step in each.acceptance]
        axes.bar(lefts, heights, width=widths, bottom=below, color=series(number), **style)
        below = [low + height for low, height in zip(below, heights, strict=True)]
    axes.margins(x=0.005)


def _swatches(names: Sequence[str]) -> list[Any]:
    from matplotlib.patches import Patch

    return [Patch(color=series(number), label=name) for number, name in enumerate(names)]


def image_attention(chapter: Chapter, trace: Trace) -> Plot:
    """How much of its attention each layer spends on the picture, and which layers are focal."""
    title = "Attention to the image, layer by layer"
    measured = [each for each in trace.methods if each.image_attention]
    plain = next((each for each in measured if each.method == chapter.baseline), measured[0] if measured else None)
    if plain is None:
        return Plot(title, "", absent="No method here lets its attention be watched.")
    focal = next((each for each in trace.methods if each.focal), None)
    caption = (
        f"Page {trace.page}, {short(plain.method)}: the share of a layer's attention that falls on visual tokens, mean "
        "over heads and over all steps of decoding."
    )
    if focal is None:
        caption += " No method here chooses focal layers."
    else:
        caption += f" Marked are the focal layers of {short(focal.method)}, chosen from its own first steps."
    marked = focal.focal if focal is not None else ()
    with drawing(HALF, 3.2) as figure:
        _layers(figure.subplots(), plain.image_attention, marked)
        return Plot(title, caption, as_svg(figure, f"attention {trace.page}", title))


def _layers(axes: Axes, shares: Sequence[float], marked: Sequence[int]) -> None:
    for layer, share in enumerate(shares):
        colour = series(1 if layer in marked else 0)
        axes.bar(layer, 100 * share, width=0.72, color=colour)
        if layer in marked:
            axes.text(layer, 100 * share, "focal", ha="center", va="bottom", fontsize=SMALL, color=INK)
    axes.set_xticks(range(0, len(shares), max(1, len(shares) // TICKS)))
    axes.margins(y=0.12)
    axes.set_xlabel("layer")
    axes.set_ylabel("attention to the image, %")
