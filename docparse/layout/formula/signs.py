"""What only its surroundings tell: a stroke is a minus, a fraction bar or an accent, a dot a full stop or a product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.formula.nodes import AXIS
from docparse.layout.formula.placing import AGREE, AXIAL, BAR, DOT, ODDITY, WIDTH, PageType, Symbol, disagreement
from docparse.layout.formula.symbols import RELATIONS
from docparse.layout.geometry import corners_of
from docparse.types import Box

STACKED = 0.55  # em: over and under a fraction bar something stands this close
LETTER, OPERATOR = 0.68, 0.6  # em: height of a capital, and of ∪ or ⊕ (0.76 in some fonts)
TALL = 0.82  # em: height of sums and of operators of many at least, which are 1.0 em high in a line
LOW = 0.35  # em: an accent is no higher
CLOSE = 0.3  # em between an accent and its letter
FLAT, UPRIGHT = 2.2, 1.5  # times its height a stroke is wide; times its width a dot is no higher, and a pixel
MINUS = 0.68  # em: width of a minus or a tilde
LONGEST = 2.2  # em: a longer stroke is no sign
BULLET, ROUND, FAT = "∙", 0.39, 0.19  # em: its width, and that of the smallest, which no dot has
LARGE = {"∑": ("Σ", "∑"), "Σ": ("Σ", "∑"), "∏": ("Π", "∏"), "Π": ("Π", "∏"),
         "∪": ("∪", "⋃"), "∩": ("∩", "⋂"), "∧": ("∧", "⋀"), "∨": ("∨", "⋁"),
         "⊕": ("⊕", "⨁"), "⊗": ("⊗", "⨂"), "⊔": ("⊔", "⨆"), "⊎": ("⊎", "⨄"), "⊙": ("⊙", "⨀")}  # fmt: skip
ACCENTS = {"∧": "ˆ", "∨": "ˇ", "∼": "˜", "→": "\u20d7", "˘": "˘", BAR: "¯", DOT: "˙"}
TICKS = frozenset(",′")
COMMA = 0.3  # font sizes: height of a comma
PRIME, RAISED = 0.35, 0.4  # font sizes over its letter's baseline: middle of a prime at least, and its own baseline
TOUCH, EVEN = 0.15, 0.08  # em between a letter and its prime, and between the tops of two primes
NEARLY, ON = -0.12, 0.02  # font sizes from a baseline down to the middle of a comma, at least
SIDE = 8.0  # em: on either side of a dot symbols tell where the line is


def settled(symbols: Sequence[Symbol], type_: PageType) -> tuple[list[Symbol], list[Box]]:
    """Return the symbols with every sign decided, on common baselines, and the strokes that are no symbols."""
    result: list[Symbol] = []
    strokes: list[Box] = []
    em = type_.em
    symbols = [_shaped(symbol, em) for symbol in symbols]
    crowd = _Crowd(symbols, type_)
    for symbol in symbols:
        if symbol.char == BAR and crowd.is_stroke(symbol):
            strokes.append(symbol.box)
        else:
            result.append(_decided(symbol, crowd, em))
    level = _levelled(result, em)
    return [replace(symbol, size=type_.nominal(symbol.size)) for symbol in level], strokes


def _shaped(symbol: Symbol, em: float) -> Symbol:
    """A stroke that is not long is a dot; a dot that is tall is a comma or a prime, and a large one a bullet."""
    width, height = symbol.box.width, symbol.box.height
    if symbol.char == BAR and width < FLAT * height:
        return replace(symbol, char=DOT)
    if symbol.char != DOT:
        return symbol
    if height > UPRIGHT * width + 1:
        return replace(symbol, char=",")
    return replace(symbol, char=BULLET) if height > FAT * em else symbol


def _decided(symbol: Symbol, crowd: _Crowd, em: float) -> Symbol:
    char, box = symbol.char, symbol.box
    letter = crowd.under(symbol, CLOSE) if char in ACCENTS and box.height < LOW * em else None
    if letter and letter.char not in RELATIONS and box.width < 1.5 * letter.box.width + 0.1 * em:
        return replace(symbol, char=ACCENTS[char], size=letter.size, baseline=letter.baseline)
    if char in (BAR, "∼", BULLET):
        return crowd.sized(symbol, box.width / (ROUND if char == BULLET else MINUS))
    if char == DOT:
        return crowd.dotted(symbol)
    if char in TICKS:
        return crowd.ticked(symbol)
    return crowd.large_or_small(symbol) if char in LARGE else symbol


class _Crowd:
    """All symbols of a page, to look around in."""

    def __init__(self, symbols: Sequence[Symbol], type_: PageType) -> None:
        self.symbols, self.em, self.sizes = symbols, type_.em, type_.sizes
        self.boxes = corners_of(symbol.box for symbol in symbols)
        self.strokes = [s for s in symbols if s.char == BAR]
        self.ticks = np.array([s.char in TICKS for s in symbols], bool)
        self.plain = np.array([s.char not in (BAR, DOT) for s in symbols], bool) & ~self.ticks
        self.firm = np.array([s.firm and s.char not in AXIAL for s in symbols], bool) & self.plain

    def _stacked(self, box: Box, gaps: np.ndarray, reach: float) -> list[Symbol]:
        """Symbols mostly within a box's width and at most `reach` em away, the nearest first; none behind a longer
        stroke, such as the bar under a minus."""
        x0, _, x1, _ = self.boxes.T
        common = np.minimum(x1, box.x1) - np.maximum(x0, box.x0)
        near = self.plain & (common > 0.5 * np.minimum(x1 - x0, box.width))
        near &= (gaps > -0.1 * self.em) & (gaps < reach * self.em)
        found = [self.symbols[i] for i in np.flatnonzero(near)[np.argsort(gaps[near])].tolist()]
        bars = [b.box for b in self.strokes if b.box.width > box.width and b.box.overlap_x(box) > 0.5 * box.width]
        y = box.center[1]
        return [o for o in found if not any((y < b.center[1]) == (b.center[1] < o.box.center[1]) for b in bars)]

    def below(self, box: Box, reach: float) -> list[Symbol]:
        return self._stacked(box, self.boxes[:, 1] - box.y1, reach)

    def above(self, box: Box, reach: float) -> list[Symbol]:
        return self._stacked(box, box.y0 - self.boxes[:, 3], reach)

    def under(self, symbol: Symbol, reach: float) -> Symbol | None:
        """The letter under an accent: the only thing there."""
        found = [other for other in self.below(symbol.box, reach) if other is not symbol]
        return found[0] if len(found) == 1 else None

    def is_stroke(self, symbol: Symbol) -> bool:
        """Return whether a level stroke is a fraction bar, or a line over or under symbols."""
        box, em = symbol.box, self.em
        over, under = self.above(box, STACKED), self.below(box, STACKED)
        if (over and under) or box.width > LONGEST * em:
            return True
        return len(self.below(box, CLOSE)) > 1 or (box.width > CLOSE * em and len(self.above(box, 0.2)) > 0)

    def large_or_small(self, symbol: Symbol) -> Symbol:
        """A sum or a sigma, a union of many or of two: told by their height."""
        small, large = LARGE[symbol.char]
        if symbol.box.height > TALL * self.em:
            return replace(symbol, char=large)
        height = LETTER if small in "ΣΠ" else OPERATOR
        return self.sized(replace(symbol, char=small), symbol.box.height / height)

    def sized(self, symbol: Symbol, size: float) -> Symbol:
        """The symbol in the style that its size and its neighbours speak for, its middle on the axis of its line."""
        x, y = symbol.box.center
        lines, near = self._lines(x, y), 0.3 * self.em
        beside = [line for line in lines if line.box.y0 < y < line.box.y1][:2]
        beside = beside or [line for line in lines if line.box.y0 - near < y < line.box.y1 + near][:2]
        ways = [
            (odd + (log(size / own) / WIDTH) ** 2 / 2, replace(symbol, size=own, baseline=y + AXIS * own, firm=True))
            for own, odd in zip(self.sizes, ODDITY, strict=True)
        ]
        return min(ways, key=lambda way: way[0] + AGREE * disagreement(way[1], beside, self.em))[1]

    def _lines(self, x: float, y: float) -> list[Symbol]:
        """Symbols that tell where a line is, the nearest first."""
        level = (self.boxes[:, 1] - self.em < y) & (y < self.boxes[:, 3] + self.em)
        away = np.where(self.firm & level, np.abs((self.boxes[:, 0] + self.boxes[:, 2]) / 2 - x), np.inf)
        return [self.symbols[i] for i in np.argsort(away)[:12].tolist() if away[i] < SIDE * self.em]

    def dotted(self, symbol: Symbol) -> Symbol:
        """A dot on the line of a symbol near it, or in the middle of that line's height."""
        x, y = symbol.box.center
        lines = self._lines(x, y)
        for char, low, high in ((".", -0.08, 0.14), ("·", 0.14, 0.4)):
            for line in lines:
                if low < (line.baseline - y) / line.size < high:
                    return replace(symbol, char=char, size=line.size, baseline=line.baseline, firm=True)
        return replace(symbol, baseline=symbol.box.y1)

    def ticked(self, symbol: Symbol) -> Symbol:
        """A prime right behind a letter and over its line; or a comma on the line of a symbol near it, of the size that
        fits its height."""
        x, y = symbol.box.center
        base = self._before(symbol.box)
        if base and base.baseline - y > PRIME * base.size and not self._is_under(symbol, base):
            size = self.sizes[min(self.sizes.index(base.size) + 1, 2)]
            return replace(symbol, char="′", size=size, baseline=base.baseline - RAISED * base.size)
        lines = [line for line in self._lines(x, y) if abs(line.baseline - y) < 0.15 * line.size]
        if not lines:
            return replace(symbol, char="′")
        line = min(lines, key=lambda line: abs(log(symbol.box.height / (COMMA * line.size))))
        return replace(symbol, char=",", size=line.size, baseline=line.baseline, firm=True)

    def _is_under(self, tick: Symbol, base: Symbol) -> bool:
        """Return whether a tick behind a script stands on the line that the script belongs to, as its comma."""
        x, y = tick.box.center
        lowest = NEARLY if tick.char == "," else ON  # the script's prime may stand as low
        lines = (line for line in self._lines(x, y) if line.size > base.size)
        return any(lowest < (y - line.baseline) / line.size < 0.15 for line in lines)

    def _before(self, box: Box) -> Symbol | None:
        """The symbol that the left edge of a box touches, or the first of the primes between them."""
        x0, y0, x1, y1 = self.boxes.T
        touched = self.firm & (y0 < box.y1 + 0.15 * self.em) & (y1 > box.y0)
        touched |= self.ticks & (np.abs(y0 - box.y0) < EVEN * self.em)
        apart = np.where(touched & (x0 < box.x0), np.abs(box.x0 - x1), np.inf)
        nearest = int(apart.argmin())  # a symbol is looked at: there is one
        if apart[nearest] > TOUCH * self.em:
            return None
        return self._before(self.symbols[nearest].box) if self.ticks[nearest] else self.symbols[nearest]


def _levelled(symbols: list[Symbol], em: float) -> list[Symbol]:
    """Symbols of one size whose baselines differ by less than pixels can tell stand on the same one."""
    result = [symbol for symbol in symbols if not symbol.firm]
    firm = sorted((s for s in symbols if s.firm), key=lambda s: (s.size, s.baseline))

    def goes_on(line: list[Symbol], symbol: Symbol) -> bool:
        return symbol.size == line[-1].size and symbol.baseline - line[-1].baseline < 0.045 * em

    for members in chained(firm, goes_on):
        level = float(np.median([symbol.baseline for symbol in members]))
        result += [replace(s, baseline=level) if abs(s.baseline - level) < 0.1 * em else s for s in members]
    return result
