"""Visual tokens drawn on the page: what a method keeps of them, and where FastOCR looks while it writes.

The page is embedded once and used by every drawing; veils over its tokens are SVG paths in its pixels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from docparse.bench.rows import AR
from docparse.bench.traces import Fixation, MethodTrace, Trace

LEVELS = 5  # of a veil, or of attention
WORDS = re.compile(r"\s+|\w+|[^\w\s]")


class Veil(NamedTuple):
    """Tokens drawn alike: an SVG path, the class that colours it, and its opacity."""

    path: str
    kind: str
    opacity: float


class PictureFrame(NamedTuple):
    """One drawing of the page. `note` is what it shows, in numbers; `text` what had been written by then."""

    name: str
    note: str
    veils: list[Veil]
    text: str = ""


def kept(trace: Trace, each: MethodTrace) -> PictureFrame:
    """Draw what a method removed of the visual tokens, or of their rows of the cache, as veiled."""
    left = np.asarray(each.kept)
    veiled = np.round((1 - left) * LEVELS) / LEVELS
    levels = [level for level in np.unique(veiled) if level]
    veils = [Veil(_path(trace, np.flatnonzero(veiled == level)), "veil", 0.86 * level) for level in levels]
    whole = bool(np.isin(left, (0.0, 1.0)).all())
    note = f"{int(left.sum())} of {len(left)} tokens" if whole else f"{left.mean():.0%} of {len(left)} tokens × layers"
    return PictureFrame(each.method, note, veils)


def fixation(trace: Trace, each: Fixation) -> PictureFrame:
    """Draw what is not read as veiled; what is, is tinted by its share of the attention that the most looked at
    gets."""
    read, attention = np.asarray(each.read, dtype=int), np.asarray(each.attention)
    share = np.sqrt(attention / max(attention.max(initial=0.0), 1e-12))  # of a few high peaks the rest would vanish
    level = np.ceil(share * LEVELS).clip(1, LEVELS)
    veils = [Veil(_path(trace, np.setdiff1d(np.arange(len(trace.boxes)), read)), "veil", 0.72)]
    veils += [Veil(_path(trace, read[level == each]), "look", 0.7 * each / LEVELS) for each in np.unique(level)]
    note = f"{each.tokens} tokens written, {len(read)} of {len(trace.boxes)} visual tokens read"
    text = "".join(one if one.isprintable() or one == "\n" else "\ufffd" for one in each.text.strip())
    return PictureFrame(f"step {each.step}", note, veils, text)


def _path(trace: Trace, tokens: Iterable[int]) -> str:
    """The boxes of these tokens."""
    size = (trace.width, trace.height) * 2
    boxes = ([round(side * whole, 1) for side, whole in zip(trace.boxes[token], size, strict=True)] for token in tokens)
    return "".join(f"M{x0:g} {y0:g}H{x1:g}V{y1:g}H{x0:g}Z" for x0, y0, x1, y1 in boxes)


def texts(trace: Trace) -> dict[str, list[tuple[str, str]]]:
    """Return what each method wrote, plain decoding first, as pieces: `same` in both, `del` only plain decoding's,
    `ins` only the method's. Empty for a report that does not have the texts."""
    found = {each.method: each.text for each in trace.methods}
    plain = found.get(AR, "")
    return {name: list(_pieces(plain, text)) for name, text in found.items()} if plain else {}


def _pieces(plain: str, text: str) -> Iterator[tuple[str, str]]:
    """The shortest edit from one to the other, in words, blanks and signs."""
    from rapidfuzz.distance import Levenshtein

    before, after = WORDS.findall(plain), WORDS.findall(text)
    for each in Levenshtein.opcodes(before, after):
        old, new = "".join(before[each.src_start : each.src_end]), "".join(after[each.dest_start : each.dest_end])
        pieces = [("same", old)] if each.tag == "equal" else [("del", old), ("ins", new)]
        yield from (piece for piece in pieces if piece[1])
