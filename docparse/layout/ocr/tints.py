"""Which lines of a page image are set in a colour of their own, or light on a dark bar among text that is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from docparse.layout.text.words import Word

HUE, SPREAD = 8, 5.0  # of 255, and of typical deviations on the page, by which a channel is off the usual hue at least
COLOURED = 50  # of 255 by which the channels of coloured ink differ; those of black ink do after JPEG, by less
DEEP = 25  # per cent of the ink that is farthest from the paper: the rest is a blend of both
SEEN = 40  # of 255 between ink and paper: the colours of fainter type are noise
FAINT = 1.5  # times as dark as it is, black would be: faint type that has little colour may as well be thin
GREY = 1.2  # times as dark as it is, black would be: less may be the blur of a scan
THICK = 0.45  # of the way from usual ink to wholly even ink: bold type is 0.75 on the way, regular grey type 0.3
BAR = 0.9  # of the lightness of the page's paper at most, under type on a bar: more are tints, and shades of a scan
SELDOM = 0.3  # of the page's characters at most: what is more common marks nothing


@dataclass(frozen=True, slots=True)
class Tint:
    """The hue of a line's ink, float [3], how far its channels are off their mean; whether it is lighter than paper;
    how far from paper it is where it is darkest, and how light the paper is, 1..255; and how much of that contrast the
    lightest of its `DEEP` pixels have: nearly all in thick strokes, less in thin ones, which blend into the paper."""

    hue: np.ndarray
    reversed: bool
    contrast: float
    paper: float
    even: float


def tint_of(line: np.ndarray, ink: np.ndarray) -> Tint | None:
    """Return the tint of a line image, uint8 RGB [48, width, 3], with its ink, bool [48, width]; None if too faint."""
    if not ink.any() or ink.all():
        return None
    paper = np.median(np.ascontiguousarray(line[::2, ::2][~ink[::2, ::2]].T), axis=1)
    inked = line[ink].T.astype(np.float32)
    far = np.abs(inked - paper[:, None].astype(np.float32)).max(axis=0)
    limit, contrast = np.percentile(far, (100 - DEEP, 98)).tolist()
    if limit < SEEN:
        return None
    colour = np.median(inked[:, far >= limit], axis=1)
    return Tint(
        colour - colour.mean(),
        bool(colour.mean() > paper.mean()),
        contrast,
        max(1.0, float(paper.max())),
        limit / contrast,
    )


def evened(words: Sequence[Word], weights: Sequence[float], tints: Sequence[Tint | None]) -> list[float]:
    """Return the weights of strokes as if all type were black on the paper of most words: coloured and grey type is
    never so far from its paper, nor is type on a grey bar. Grey are strokes whose ink is nearly even; thin ones blend.
    """
    usual = float(np.median([tint.paper for tint in tints if tint and not tint.reversed] or [255.0]))
    even = float(np.median([tint.even for tint in tints if tint] or [1.0]))
    thick = even + THICK * (1 - even)

    def gain(word: Word, tint: Tint | None) -> float:
        if tint is None:
            return 1.0
        full = 255 / tint.contrast
        grey = full > GREY and tint.even > thick
        if np.ptp(tint.hue) > COLOURED or grey or (word.tinted and full < FAINT):
            return full
        on_bar = not tint.reversed and tint.paper < BAR * usual
        return min(FAINT, usual / tint.paper) if on_bar else 1.0

    return [weight * gain(word, tint) for word, weight, tint in zip(words, weights, tints, strict=True)]


def tinted(words: Sequence[Word], tints: Sequence[Tint | None]) -> list[Word]:
    """Return the words with `tinted` set where the tint of their line is not that of most of the page."""
    known = [i for i, tint in enumerate(tints) if tint is not None]
    if not known:
        return list(words)
    hues = np.array([tint.hue for tint in tints if tint is not None])
    turned = np.array([tint.reversed for tint in tints if tint is not None])
    weights = np.array([len(words[i].text) for i in known])
    usual = np.median(np.repeat(hues, weights, axis=0), axis=0)
    off = np.abs(hues - usual).max(axis=1)
    limit = max(HUE, SPREAD * float(np.median(np.repeat(off, weights))))
    odd = (off > limit) | (turned != (np.average(turned, weights=weights) > 0.5))
    if np.average(odd, weights=weights) > SELDOM:
        return list(words)
    result = list(words)
    for i in np.array(known)[odd].tolist():
        result[i] = msgspec.structs.replace(words[i], tinted=True)
    return result
