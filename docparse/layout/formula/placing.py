"""Which symbol each shape is, how large it is set and on which baseline: from its form, its size and its neighbours.

An `x` and an `X` of the index below have one form: they differ in height against the type around them. So every shape
has candidates, each with what speaks against it, and neighbours agree on one baseline, as scripts or as equals.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import log
from statistics import median

import numpy as np

from docparse.layout.chained import grouped
from docparse.layout.formula.ink import InkShape
from docparse.layout.formula.nodes import AXIS
from docparse.layout.formula.symbols import RELATIONS
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.symbols import Form
from docparse.layout.text.words import WORD_GAP
from docparse.types import Box

ODDITY = 0.0, 0.3, 0.8  # how odd text, scripts and their scripts are
SCRIPTS = np.arange(0.66, 0.83, 0.02)  # size of scripts over the type's: 7 of 10 points, 9 of 12
USUAL = 0.7  # of the type's size: that of scripts in TeX
OWN, VARIED = 0.15, 0.1  # spread of the logarithm of the type's size over what OCR measured, and of that of scripts
RANGE = np.arange(0.8, 1.26, 0.02)  # times the size that OCR measured: where the type's true size is looked for
HEIGHT, WIDTH = 0.1, 0.2  # spread of the logarithm of a symbol's extent: pixels, and fonts that differ little
FLAT, NARROW = 0.3, 0.3  # em: extents so small are measured badly
SEVERAL = 3  # symbols of a kind tell how the page's fonts print it
PLAIN = 0.6  # probability from which a letter tells the size of the type
MOST = 4.0  # more than this nothing speaks against a size: outliers count no more
AGREE = 1.6  # how much a neighbour that does not agree speaks against a candidate
BOTH = 0.4, 1.0  # em between the baselines of a superscript and a subscript of one letter
TINY = 0.6  # of the size of its base: too small for a script right behind it
REACH = 1.5  # em: how far away a neighbour may be
BAR, DOT = "−", "."
FENCES = frozenset("()[]{}|⌊⌋⌈⌉⟨⟩/\\∖")  # as tall as needed, at least as tall as the type
AXIAL = frozenset("→←↔⇒⇐⇔↦*∘∞")  # about the axis of their line, in its size; fonts differ
CENTRED = frozenset(RELATIONS) - AXIAL | frozenset("+±∓×")  # about the axis as well
GROWING = FENCES | AXIAL | frozenset("√∫∮∑Σ∏Π∪⋃∩⋂∧∨⊕⊗⊔⊎⊙⟶⟵⟹⟺⏞⏟∼˘′" + BAR + DOT)
MARKS = ".,;:′"  # too small to tell where a line is
# What speaks against an upright letter with no other beside it: a variable is italic, and 1 is no l.
LONELY, NO_WORD = 1.0, 3.0
ODD = {  # how rare a kind is: half the logarithm of its share of lecture notes over that of letters it looks like
    "LATIN SMALL LETTER L": 1.5, "LATIN": 0.5, "BOLD SMALL L": 3.0, "BOLD SMALL O": 1.5, "BOLD CAPITAL O": 2.0,
    "BOLD": 0.3, "FRAKTUR": 1.0, "BLACK-LETTER": 1.0, "THETA SYMBOL": 2.0, "CHI": 1.5, "IOTA": 1.5, "UPSILON": 2.5,
}  # fmt: skip


@dataclass(frozen=True)
class Symbol:
    """A symbol in its place: `box`, `size` and `baseline` are in pixels, `sure` is a probability.

    `firm` tells those whose height follows from their size, so that size and baseline are known.
    """

    char: str
    sure: float
    box: Box
    size: float
    baseline: float
    firm: bool
    against: float = 0.0


@dataclass(frozen=True)
class PageType:
    """The type of a page: its size in pixels, and that of scripts as a share of it."""

    em: float
    script: float = 0.7

    @property
    def sizes(self) -> tuple[float, float, float]:
        """Sizes in pixels of text, scripts and their scripts."""
        return self.em, self.script * self.em, 0.72 * self.script * self.em

    def nominal(self, size: float) -> float:
        """Return what TeX would set for one of the `sizes`: text, or 0.7 or 0.5 of it."""
        return self.em * (1.0, 0.7, 0.5)[self.sizes.index(size)]


def placed(shapes: Sequence[InkShape], em: float, forms: Mapping[str, Form]) -> tuple[list[Symbol], PageType]:
    """Return the symbols of a page and its type, whose size in pixels `em` is close to."""
    type_ = _type(shapes, em, forms)
    em = type_.em
    near = _neighbours(shapes, em)
    chosen = _agreed([_candidates(shape, type_, forms) for shape in shapes], near, em)
    own = _own_forms(chosen, forms)
    options = [_candidates(shape, type_, own) for shape in shapes]
    chosen = _agreed(options, near, em)
    for k, found in enumerate(options):
        beside = [chosen[i] for i in near[k] if i is not None]
        chosen[k] = min(found, key=lambda c, beside=beside: c.against + AGREE * disagreement(c, beside, em))  # type: ignore[misc]
    return chosen, type_


def _type(shapes: Sequence[InkShape], em: float, forms: Mapping[str, Form]) -> PageType:
    """The sizes in which letters are as high as they are in their fonts."""
    letters = [s for s in shapes if s.char.isalnum() and s.sure > PLAIN]
    if not letters:
        return PageType(em)
    tall = np.log([s.box.height / (forms[s.char].height * em) for s in letters])[:, None, None]
    doubts = []
    for script in SCRIPTS.tolist():
        styles = np.array(PageType(1.0, script).sizes)[:, None] * RANGE
        against = ((tall - np.log(styles)) / HEIGHT) ** 2 / 2 + np.array(ODDITY)[:, None]
        rare = (np.log(RANGE) / OWN) ** 2 / 20 + (log(script / USUAL) / VARIED) ** 2 / (2 * len(letters))
        doubts.append(np.minimum(against.min(axis=1), MOST).mean(axis=0) + rare)
    script, factor = np.unravel_index(np.argmin(doubts), np.shape(doubts))
    return PageType(em * float(RANGE[factor]), float(SCRIPTS[script]))


def _own_forms(chosen: Sequence[Symbol], forms: Mapping[str, Form]) -> dict[str, Form]:
    """The forms as the fonts of this page have them, where symbols that are known there are several."""
    known = (symbol for symbol in chosen if symbol.firm and symbol.char not in GROWING)
    result = dict(forms)
    for char, symbols in grouped((symbol.char, symbol) for symbol in known).items():
        form = forms[char]
        if len(symbols) >= SEVERAL:
            tall = median(s.box.height / (form.height * s.size) for s in symbols)
            wide = median(s.box.width / (form.width * s.size) for s in symbols)
            result[char] = Form(form.above * tall, form.below * tall, form.width * wide, 0.0, 0.0)
    return result


def _candidates(shape: InkShape, type_: PageType, forms: Mapping[str, Form]) -> list[Symbol]:
    """Return what the shape may be, in every size; what least speaks against first."""
    found: list[Symbol] = []
    for char, chance in shape.chances:
        if chance < 0.004 and found:
            break
        doubt = -np.log(chance) + _oddity(char)
        form = forms[char]
        grown = char not in FENCES or shape.box.height > 1.1 * type_.em
        if char in GROWING - AXIAL and grown:
            found.append(_centred(char, chance, shape.box, type_.em, doubt + 0.5))
            continue
        for size, odd in zip(type_.sizes, ODDITY, strict=True):
            against = doubt + odd + _misfit(shape.box, form, size, loose=char in AXIAL)
            if char in FENCES | AXIAL | CENTRED:
                found.append(replace(_centred(char, chance, shape.box, size, against), firm=True))
            else:
                found.append(Symbol(char, chance, shape.box, size, shape.box.y1 - form.below * size, True, against))
    return sorted(found, key=lambda symbol: symbol.against)


def _centred(char: str, chance: float, box: Box, size: float, against: float) -> Symbol:
    return Symbol(char, chance, box, size, box.center[1] + AXIS * size, False, against)


@cache
def _oddity(char: str) -> float:
    """Return how much speaks against a kind of letter before its form is looked at."""
    name = unicodedata.name(char, "")
    return next((odd for kind, odd in ODD.items() if kind in name), 0.0)


def _misfit(box: Box, form: Form, size: float, *, loose: bool) -> float:
    """Return how much the extent of ink speaks against a form in a size: what a normal distribution of its logarithm
    says."""
    vague, narrow = loose or form.height < FLAT, form.width < NARROW
    tall = max(HEIGHT, form.height_spread) if not vague else 3 * HEIGHT
    wide = max(WIDTH, form.width_spread) if not narrow else 3 * WIDTH
    doubt = (log(box.height / (form.height * size)) / tall) ** 2 + (log(box.width / (form.width * size)) / wide) ** 2
    return doubt / 2 + (0.0 if vague else log(tall / HEIGHT)) + (0.0 if narrow else log(wide / WIDTH))


def _agreed(
    options: Sequence[Sequence[Symbol]], near: Sequence[tuple[int | None, int | None]], em: float
) -> list[Symbol]:
    """Return the candidates that least speaks against, together with their neighbours: by dynamic programming along
    chains of shapes of which each is the next of the other."""
    likely = [[c for c in found if c.against < found[0].against + MOST] for found in options]
    chosen = [found[0] for found in likely]
    follows = {i: right for i, (_, right) in enumerate(near) if right is not None and near[right][0] == i}
    for start in set(range(len(likely))) - set(follows.values()):
        chain = [start]
        while chain[-1] in follows:
            chain.append(follows[chain[-1]])
        costs, back = np.array([c.against for c in likely[start]]), []
        for left, right in pairwise(chain):
            wrong = [[_conflict(one, other, em) for one in likely[left]] for other in likely[right]]
            steps = AGREE * np.array(wrong) + costs
            back.append(steps.argmin(axis=1))
            costs = steps.min(axis=1) + [c.against for c in likely[right]]
        best = int(costs.argmin())
        for k, ways in zip(reversed(chain), [*reversed(back), None], strict=True):
            chosen[k] = likely[k][best]
            best = int(ways[best]) if ways is not None else 0
    return chosen


def _neighbours(shapes: Sequence[InkShape], em: float) -> list[tuple[int | None, int | None]]:
    """The nearest shape on the left and on the right on about the same height that is no punctuation, by index."""
    x0, y0, x1, y1 = corners_of(shape.box for shape in shapes).T
    told = np.array([shape.char not in MARKS for shape in shapes])
    result = []
    for b in (shape.box for shape in shapes):
        common = np.minimum(y1, b.y1) - np.maximum(y0, b.y0)
        level, off = told & (common > -0.3 * em), em * (common < -0.12 * em)  # limits stand as near as scripts
        sides: list[int | None] = []
        for gap in (b.x0 - x1, x0 - b.x1):
            apart = np.where(level & (gap > -0.25 * em) & (gap < REACH * em), gap + off, np.inf)
            apart[(x0 == b.x0) & (y0 == b.y0)] = np.inf
            nearest = int(apart.argmin())
            sides.append(nearest if np.isfinite(apart[nearest]) else None)
        result.append((sides[0], sides[1]))
    return result


def disagreement(symbol: Symbol, neighbours: Sequence[Symbol], em: float) -> float:
    """Share of firm neighbours that the symbol can stand beside neither as an equal nor as script or base."""
    firm = [other for other in neighbours if other.firm] if symbol.firm else []
    if not firm:
        return 0.0
    alone = not any(_is_one_word(symbol, other, em) for other in firm)
    lonely = NO_WORD if symbol.char in "l𝐥" else LONELY if symbol.char.isascii() and symbol.char.isalpha() else 0.0
    against = sum(_conflict(symbol, other, em) for other in firm)
    return against + alone * lonely


def _conflict(one: Symbol, other: Symbol, em: float) -> int:
    """Return how many things are wrong with two symbols side by side, if both are firm: where they stand, and whether
    symbols of one word differ in weight, or a letter and a digit do not stand apart."""
    if not (one.firm and other.firm):
        return 0
    unlike = one.char.isascii() != other.char.isascii() or one.char.isdigit() != other.char.isdigit()
    return (not _agree(one, other, em)) + (unlike and _is_one_word(one, other, em))


def _is_one_word(one: Symbol, other: Symbol, em: float) -> bool:
    """Return whether upright letters or digits of one size stand as close as in a word."""
    near = one.size == other.size and one.box.gap_x(other.box) < WORD_GAP * em
    return near and _is_upright(one.char) and _is_upright(other.char)


@cache
def _is_upright(char: str) -> bool:
    bold = "MATHEMATICAL BOLD SMALL", "MATHEMATICAL BOLD CAPITAL"
    return (char.isascii() and char.isalnum()) or unicodedata.name(char, "").startswith(bold)


def _agree(one: Symbol, other: Symbol, em: float) -> bool:
    if one.size == other.size:
        apart = abs(one.baseline - other.baseline) / em
        return apart < 0.08 or (one.size < em and BOTH[0] < apart < BOTH[1])
    script, base = sorted((one, other), key=lambda symbol: symbol.size)
    if script.size < TINY * base.size and base.box.x0 < script.box.x0:
        return False
    rise = (base.baseline - script.baseline) / em
    return 0.2 < rise < 0.75 or -0.5 < rise < -0.08
