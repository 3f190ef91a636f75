"""Visual tokens drawn on the page: what a method keeps of them, and where FastOCR looks while it writes.

The page is embedded once and used by every drawing; veils over its tokens are SVG paths in its pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from docparse.bench.show.report_html.chapter import short
from docparse.bench.traces import Fixation, MethodTrace, Trace

LEVELS = 5  # of a veil, or of attention


@dataclass(frozen=True)
class Veil:
    """Tokens drawn alike: an SVG path, the class that colours it, and its opacity."""

    path: str
    kind: str
    opacity: float


@dataclass(frozen=True)
class Frame:
    """One drawing of the page. `note` is what it shows, in numbers; `text` what had been written by then."""

    name: str
    note: str
    veils: tuple[Veil, ...]
    text: str = ""


def kept_tokens(trace: Trace) -> list[Frame]:
    """A drawing for each method that removes visual tokens, or rows of them from the cache: what is gone is veiled."""
    return [_kept(trace, each) for each in trace.methods if each.kept and trace.boxes]


def _kept(trace: Trace, each: MethodTrace) -> Frame:
    kept = np.asarray(each.kept)
    veiled = np.round((1 - kept) * LEVELS) / LEVELS
    veils = [
        Veil(_path(trace, np.flatnonzero(veiled == level)), "veil", 0.86 * level)
        for level in np.unique(veiled)
        if level
    ]
    whole = bool(np.isin(kept, (0.0, 1.0)).all())
    note = f"{int(kept.sum())} of {len(kept)} tokens" if whole else f"{kept.mean():.0%} of {len(kept)} tokens × layers"
    return Frame(short(each.method), note, tuple(veils))


def filmstrip(trace: Trace) -> tuple[str, list[Frame]]:
    """The name of the first method that chooses what its layers read, and a drawing for each step of it."""
    chosen = next((each for each in trace.methods if each.fixations and trace.boxes), None)
    if chosen is None:
        return "", []
    return short(chosen.method), [_fixation(trace, each) for each in chosen.fixations]


def _fixation(trace: Trace, each: Fixation) -> Frame:
    """What is not read is veiled; what is, is tinted by its share of the attention that the most looked at gets."""
    read = np.asarray(each.read, dtype=int)
    attention = np.asarray(each.attention)
    share = np.sqrt(attention / max(attention.max(initial=0.0), 1e-12))  # of a few high peaks the rest would vanish
    level = np.ceil(share * LEVELS).clip(1, LEVELS)
    unread = np.setdiff1d(np.arange(len(trace.boxes)), read)
    veils = [Veil(_path(trace, unread), "veil", 0.72)]
    veils += [Veil(_path(trace, read[level == each]), "look", 0.7 * each / LEVELS) for each in np.unique(level)]
    note = f"{each.tokens} tokens written, {len(read)} of {len(trace.boxes)} visual tokens read"
    text = "".join(one if one.isprintable() or one == "\n" else "\ufffd" for one in each.text.strip())
    return Frame(f"step {each.step}", note, tuple(veils), text)


def _path(trace: Trace, tokens: Iterable[int]) -> str:
    """The boxes of these tokens."""
    return "".join(_rectangle(trace, trace.boxes[token]) for token in tokens)


def _rectangle(trace: Trace, box: Sequence[float]) -> str:
    x0, y0, x1, y1 = (round(side * size, 1) for side, size in zip(box, (trace.width, trace.height) * 2, strict=True))
    return f"M{x0:g} {y0:g}H{x1:g}V{y1:g}H{x0:g}Z"
