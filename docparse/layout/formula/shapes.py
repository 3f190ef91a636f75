"""The ink of a page image as shapes, one for each printed symbol, with what each may be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from docparse.layout.formula.ink import InkShape, PageInk, without_dirt
from docparse.layout.ocr.symbols import Chances, SymbolReader
from docparse.types import Box, union

NEAR = 0.55  # em: pieces of one symbol are at most this far over each other,
BESIDE, ASIDE = 0.12, 0.05  # and this far beside each other; the middle of a dot beside its slanted stem
TALLEST, WIDEST = 1.2, 1.6  # em, of a symbol in pieces
EVEN = 0.8  # of the longer stroke of a sign at least is the shorter one
SURE, LESS = 0.5, 0.75  # probability from which pieces are one symbol, and its share of that of sure pieces
DOUBTFUL, LETTER = 0.5, 0.75  # probability under which a wide sign, or a wide letter, may be two letters that touch
TOUCHING, THIN, CUTS = 0.5, 0.25, 5  # em: how wide it is, how little ink there is where they touch; places tried
FEET = frozenset("()[]|⌊⌋⌈⌉")
TALL = 2  # em: brackets that the network sees too squeezed
FOOT, STEM = 0.8, 0.6  # of their width: a level end is longer, and so is a stem that has no ends
SIGN = 0.12  # em: as thick as a stroke at most is
NOTHING: Chances = ((".", 0.0),)
PARTS = ".,·−′∼lI𝜄"  # what parts of torn letters look like
TORN, MENDED = 4, 0.7  # pieces at most, and probability from which they are one symbol


def shapes_of(ink: PageInk, reader: SymbolReader, em: float) -> tuple[list[InkShape], list[Box]]:
    """Return the symbols of a page and the bars of its radicals, in pixels; `em` is the size of running text there."""
    bars: list[Box] = []
    shapes: list[InkShape] = []
    for shape in without_dirt(ink.shapes, em):
        sign, bar = _radical(ink, shape, em)
        shapes.append(sign)
        bars += [bar] if bar else []
    shapes = _read(ink, shapes, reader)
    whole = _joined(ink, shapes, set(shapes), reader, em)
    shapes = _parted(ink, whole, reader, em, worth=_peeled)  # two cuts part three letters
    shapes = _parted(ink, shapes, reader, em, worth=_surest)
    shapes = _joined(ink, shapes, set(shapes) - set(whole), reader, em)  # an i that touched its neighbour
    return [_tall(ink, shape, em) for shape in shapes], bars


def _read(ink: PageInk, shapes: Sequence[InkShape], reader: SymbolReader) -> list[InkShape]:
    read = reader.read([ink.picture(shape) for shape in shapes])
    return [replace(shape, chances=chances) for shape, chances in zip(shapes, read, strict=True)]


def _radical(ink: PageInk, shape: InkShape, em: float) -> tuple[InkShape, Box | None]:
    """A radical's sign and the bar that goes out from its top; any other shape as it is."""
    box = shape.box
    if box.width < 0.8 * em or box.height < 0.7 * em:
        return shape, None
    own: np.ndarray = ink.own(shape)
    head = max(2, round(SIGN * em) + 1)
    bare = np.logical_and(own[:head].any(axis=0), ~own[head:].any(axis=0))  # columns with ink at the top alone
    start = int(np.flatnonzero(~bare).max(initial=-1)) + 1
    if start == 0 or len(bare) - start < 0.3 * em:
        return shape, None
    y = box.y0 + float(np.flatnonzero(own[:head, start:].any(axis=1)).mean())
    sign = replace(shape, box=Box(box.x0, box.y0, box.x0 + start, box.y1))
    return sign, Box(box.x0 + start - 1, y, box.x1, y)


def _tall(ink: PageInk, shape: InkShape, em: float) -> InkShape:
    """A very tall bracket is a straight stem but for its ends: level feet, or ends of a bow that begin far from it."""
    if shape.char not in FEET or shape.box.height < TALL * em:
        return shape
    own = ink.own(shape)
    height, width = own.shape
    end = max(2, height // 40)
    stem = _extent(own[height // 2 - 1 : height // 2 + 2])
    feet = [np.ptp(_extent(rows)) > FOOT * width for rows in (own[:end], own[-end:])]
    straight = np.ptp(stem) > STEM * width
    side = int(sum(stem) > width)
    char = "|" if straight else ("()", "⌊⌋", "⌈⌉", "[]")[2 * feet[0] + feet[1]][side]
    return replace(shape, chances=((char, sum(chance for like, chance in shape.chances if like in FEET)),))


def _extent(own: np.ndarray) -> tuple[int, int]:
    """Return the first column with ink, and the one behind the last."""
    columns = np.flatnonzero(own.any(axis=0))
    return (int(columns[0]), int(columns[-1]) + 1) if len(columns) else (0, 0)


def _joined(
    ink: PageInk, shapes: list[InkShape], new: set[InkShape], reader: SymbolReader, em: float
) -> list[InkShape]:
    """Symbols in two or three pieces (i, =, ≡), some of them `new`, put together where the network knows them as
    one; and letters whose hairlines were lost in print, where it is sure of them."""
    partners: dict[InkShape, set[InkShape]] = defaultdict(set)
    for one, other in _pairs(sorted(shapes, key=lambda s: s.box.x0), em):
        partners[one].add(other)
        partners[other].add(one)
    pairs = {frozenset((one, other)) for one, others in partners.items() for other in others}
    triples = {pair | {third} for pair in pairs for one in pair for third in partners[one] - pair}
    torn = _torn(ink, shapes, em)
    groups = [group for group in pairs | triples | torn if group & new and _fits(group, em)]
    wholes = [InkShape(tuple(i for s in group for i in s.labels), union(s.box for s in group)) for group in groups]
    read = zip(groups, _read(ink, wholes, reader), strict=True)
    known = [(group, _known(whole, group, group in torn, reader)) for group, whole in read]
    known.sort(key=lambda pair: (pair[0] in torn - pairs - triples, -len(pair[0]), -pair[1].sure))
    joined: list[InkShape] = []
    gone: set[InkShape] = set()
    for group, whole in known:
        if whole.sure > max(SURE, _least(group)) and not group & gone:
            gone |= group
            joined.append(whole)
    return [shape for shape in shapes if shape not in gone] + joined


def _torn(ink: PageInk, shapes: Sequence[InkShape], em: float) -> set[frozenset[InkShape]]:
    """Neighbouring pieces with hardly any white between them, one of which is no letter, or two halves of a ring."""
    clusters = ink.clusters(shapes, em)
    groups = [c[i : i + n] for c in clusters for n in range(2, TORN + 1) for i in range(len(c) - n + 1)]
    return {
        frozenset(group)
        for group in groups
        if any(p.known < DOUBTFUL or p.char in PARTS for p in group) or _is_ring(group)
    }


def _is_ring(parts: Sequence[InkShape]) -> bool:
    return [part.char for part in parts] == ["(", ")"]


def _parted(
    ink: PageInk, shapes: list[InkShape], reader: SymbolReader, em: float, worth: Callable[[list[InkShape]], float]
) -> list[InkShape]:
    """Letters that touch cut apart, where the halves are worth more than their whole."""
    whole, dots = [s for s in shapes if len(s.labels) == 1], [s.box for s in shapes if s.char == "."]
    dotted = {shape for shape in whole if any(_is_inside(dot, shape.box) for dot in dots)}
    wide = [shape for shape in whole if shape.box.width > TOUCHING * em]
    unsure = {shape for shape in wide if shape.known < (LETTER if shape.char.isalpha() else DOUBTFUL)}
    doubtful = [shape for shape in whole if shape in dotted | unsure]
    cuts = [(shape, ink.cut(shape, x)) for shape in doubtful for x in _thin_columns(ink.own(shape), em)]
    halves = iter(_read(ink, [half for _, parts in cuts for half in parts], reader))
    best = {shape: [shape] for shape in unsure - dotted}
    for shape, _ in cuts:
        parts = [next(halves), next(halves)]
        if shape.known < DOUBTFUL or all(part.char.isalnum() for part in parts):
            best[shape] = max(best.get(shape, parts), parts, key=worth)
    return [part for shape in shapes for part in best.get(shape, [shape])]


def _is_inside(dot: Box, box: Box) -> bool:
    """Return whether a dot stands in the white of a letter that reads as h: it is that of an i behind an l."""
    return box.x0 < dot.x0 and dot.x1 < box.x1 and box.y0 < dot.y1 < box.center[1]


def _surest(parts: list[InkShape]) -> float:
    """As sure as the least sure part; the halves of a ring are none."""
    return 0.0 if _is_ring(parts) else min(part.sure for part in parts)


def _peeled(parts: list[InkShape]) -> float:
    """The same; of a cut after which the rest has to be cut again, half as sure as the letter that it frees."""
    least = _surest(parts)
    return least if least > DOUBTFUL or len(parts) == 1 or _is_ring(parts) else max(part.sure for part in parts) / 2


def _thin_columns(own: np.ndarray, em: float) -> list[int]:
    """Columns in which ink is thinner than beside them: where a shape may be cut."""
    depth = own.sum(axis=0)
    margin = max(2, round(0.15 * em))
    inner = np.arange(margin, len(depth) - margin)
    around = np.array([depth[max(0, x - 2) : x + 3].min() for x in inner.tolist()], int)
    thin = inner[(depth[inner] == around) & (depth[inner] < THIN * em)]
    return thin[np.argsort(depth[thin], kind="stable")][:CUTS].tolist()


def _least(pieces: frozenset[InkShape]) -> float:
    """Return how sure their whole has to be of pieces that are known as symbols themselves; strokes and dots are
    always."""
    return LESS * min((piece.sure for piece in pieces if piece.char not in "−."), default=0.0)


def _known(whole: InkShape, pieces: frozenset[InkShape], torn: bool, reader: SymbolReader) -> InkShape:
    """The whole as what may be in so many pieces; one torn in print as any letter that is likelier than a piece of
    it, and that no piece is by itself."""
    least = max(MENDED, min(piece.sure for piece in pieces), *(p.sure for p in pieces if p.char == whole.char))
    if torn and whole.char.isalnum() and whole.sure > least:
        return whole
    return replace(whole, chances=tuple((c, p) for c, p in whole.chances if len(pieces) in reader.pieces[c]) or NOTHING)


def _fits(group: frozenset[InkShape], em: float) -> bool:
    box = union(shape.box for shape in group)
    return box.height < TALLEST * em and box.width < WIDEST * em


def _pairs(shapes: Sequence[InkShape], em: float) -> list[tuple[InkShape, InkShape]]:
    """Pieces that stand over each other, or two angles side by side; `shapes` from left to right."""
    pairs = []
    for i, one in enumerate(shapes):
        for other in shapes[i + 1 :]:
            a, b = one.box, other.box
            if b.x0 > a.x1 + BESIDE * em:
                break
            over = _is_within(a, b, ASIDE * em) and a.gap_y(b) < NEAR * em and not _is_bar_of(one, other)
            level = abs(a.center[1] - b.center[1]) < 0.1 * em and one.char == other.char and one.char in "<>"
            if over or level:
                pairs.append((one, other))
    return pairs


def _is_bar_of(one: InkShape, other: InkShape) -> bool:
    """Return whether one of two strokes is the longer one: a fraction bar and a minus over it are no sign of
    equality."""
    short, long = sorted((one.box.width, other.box.width))
    return one.char == other.char == "−" and short < EVEN * long


def _is_within(one: Box, other: Box, margin: float) -> bool:
    """Return whether the middle of the narrower box is over or under the other, or `margin` beside it."""
    narrow, wide = sorted((one, other), key=lambda box: box.width)
    return wide.x0 - margin < narrow.center[0] < wide.x1 + margin
