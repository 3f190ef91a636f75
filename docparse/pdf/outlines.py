"""Letters that are drawn: MathJax prints formulas as outlines, every letter a path of its own and none of them text.

So do Typora and other editors that export Markdown. The outlines are always the same, in the units of their font: a
path is known by the number of its segments and some of their points (`data/outlines.npz`, from `training/outlines.py`).

KaTeX draws signs as long as what they stand by: radicals, tall brackets, wide hats, arrows and braces. Each is a path
that may reach far off the page and is cut to its place. How it begins says which it is (KaTeX 0.16, svgGeometry.js, as
Chromium prints it).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

import numpy as np

from docparse.pdf.fonts import style_from
from docparse.pdf.native import Handles
from docparse.pdf.objects import Matrix, Rect, within
from docparse.pdf.pathobjects import Path, spread_points
from docparse.pdf.textlayer import CHARACTERS, OBJECTS, RawText

UNIT = 0.001  # em: what the coordinates of an outline count
POINTS = 6  # of an outline tell it from all others, with the number of its segments
DESCENT, ASCENT = -0.2, 0.8  # em around the baseline
BLACK = 0, 0, 0, 255
SIGNS = {  # segments and first point
    (66, 863, 9): "(", (72, 76, 0): ")", (22, 403, 1759): "[", (20, 403, 1759): "[", (20, 347, 1759): "]",
    (18, 347, 1759): "]", (18, 403, 1759): "⌈", (26, 145, 15): "|", (52, 145, 15): "‖", (25, 529, 0): "ˆ",
    (22, 1181, 0): "ˆ", (42, 200, 56): "˜", (41, 344, 55): "˜", (36, 786, 58): "˜", (61, 377, 20): "\u20d7",
    (69, 0, 241): "⟶", (74, 400000, 241): "⟵", (85, 399738, 392): "⟹", (85, 262, 157): "⟸", (26, 6, 548): "⏞",
    (44, 200428, 334): "⏞", (33, 400000, 542): "⏞", (33, 0, 6): "⏟", (44, 199572, 214): "⏟", (26, 399994, 0): "⏟",
}  # fmt: skip
RADICALS = {  # their bars begin so many em from their left
    (64, 95, 702): 0.833, (63, 263, 681): 1.0, (60, 983, 90): 1.0, (63, 424, 2478): 1.0, (57, 473, 2793): 1.0,
    (38, 702, 80): 1.056,
}  # fmt: skip
COUNTS = frozenset(count for count, _, _ in (*SIGNS, *RADICALS))
AS_SIGNS = {ord("·"): ord("⋅")}  # one outline has both codes, and formulas have no points of text
STRETCHED = 1.5  # times as high as wide
LARGEST = 0.05  # points to a unit: in other drawings a unit is a point or so
OVER = "ˆ˜\u20d7"  # stand over letters: their baseline is lower by so many em
RISE, AXIS, BAR = 0.5, 0.25, 0.04
FONT = "KaTeX_Size"


@dataclass(frozen=True, slots=True)
class Glyph:
    code: int
    font: str
    advance: float  # em


@dataclass(frozen=True, slots=True)
class DrawnLetter:
    """A path that is a letter. `matrix` leads from the units of its font, 1,000 to an em, to user space; `box` is that
    of its advance and `ink` what is seen of it, both in user space."""

    code: int
    font: str
    path: Path
    matrix: Matrix
    box: Rect
    ink: Rect


def drawn_letters(paths: Sequence[Path]) -> dict[int, DrawnLetter]:
    """Return the letters among the path objects of a page, by their place in `paths`."""
    known, counts = _known()
    places = [place for place, path in enumerate(paths) if path.is_seen and path.count in counts]
    points = spread_points([paths[place] for place in places], POINTS).round().reshape(-1, 2 * POINTS)
    found = {}
    for place, key in zip(places, points.tolist(), strict=True):  # numbers that are equal are one key, whole or not
        path = paths[place]
        if (glyph := known.get((path.count, *key))) is not None and path.box is not None and any(path.matrix[:2]):
            box = path.box if _is_stretched(path.matrix) else _advance_box(path.matrix, glyph.advance)
            found[place] = DrawnLetter(glyph.code, glyph.font, path, path.matrix, box, path.box)
    return found


def _is_stretched(matrix: Matrix) -> bool:
    """Return whether a letter is stretched, as the pieces between the ends of tall brackets are."""
    a, b, c, d, *_ = matrix
    along, across = math.hypot(a, b), math.hypot(c, d)
    return not along / STRETCHED < across < STRETCHED * along


@functools.cache
def _known() -> tuple[dict[tuple[int, ...], Glyph], frozenset[int]]:
    """The glyphs by their number of segments and points, and all numbers of segments there are."""
    with (files("docparse") / "data" / "outlines.npz").open("rb") as file, np.load(file) as data:
        keys, codes, fonts, names = (data[name].tolist() for name in ("keys", "codes", "fonts", "names"))
        advances = (data["advances"] * UNIT).tolist()
    glyphs = [
        Glyph(AS_SIGNS.get(code, code), names[font], advance)
        for code, font, advance in zip(codes, fonts, advances, strict=True)
    ]
    return dict(zip(map(tuple, keys), glyphs, strict=True)), frozenset(key[0] for key in keys)


def with_drawn_letters(raw: RawText | None, letters: Sequence[DrawnLetter], order: dict[int, int]) -> RawText | None:
    """Return the text with the letters that are drawn, each where it was painted, as a text object of its own. `order`
    is the paint position of the text objects by handle, and gets that of the letters."""
    once = {(letter.code, letter.matrix): letter for letter in reversed(letters)}  # not filled, then stroked
    letters = list(reversed(once.values()))
    if not letters:
        return raw
    raw = raw or _as_text((), styles=0, runs=0)
    painted = np.array([order.get(handle, 0) for handle in raw.handle.tolist()], np.int64)[raw.run]
    at = np.searchsorted(np.maximum.accumulate(painted), [letter.path.order for letter in letters])
    own = _as_text(letters, styles=len(raw.styles), runs=len(raw.handle))
    both: dict[str, Any] = {name: np.insert(getattr(raw, name), at, getattr(own, name), axis=0) for name in CHARACTERS}
    by_handle = np.argsort([*raw.handle.tolist(), *own.handle.tolist()])
    both |= {name: np.concatenate([getattr(raw, name), getattr(own, name)])[by_handle] for name in OBJECTS}
    both["run"] = np.argsort(by_handle)[both["run"]]
    order.update((letter.path.handle, letter.path.order) for letter in letters)
    return replace(raw, **both, objects=Handles(both["handle"].tolist()), styles=(*raw.styles, *own.styles))


def _as_text(letters: Sequence[DrawnLetter], *, styles: int, runs: int) -> RawText:
    """The letters as text objects that come after `runs` others, in fonts that come after `styles` others."""
    count, handles = len(letters), [letter.path.handle for letter in letters]
    fonts = {letter.font: None for letter in letters}
    numbers = {font: styles + number for number, font in enumerate(fonts)}
    matrices = np.array([letter.matrix for letter in letters], np.float64).reshape(-1, 6)
    matrices[:, :4] /= UNIT
    size = np.hypot(matrices[:, 0], matrices[:, 1])  # what grows with a formula is stretched across
    matrices[:, :4] /= size[:, None]
    return RawText(
        code=np.array([letter.code for letter in letters], np.uint32),
        box=np.array([letter.box for letter in letters], np.float64).reshape(-1, 4),
        run=runs + np.arange(count),
        drawn=np.ones(count, bool),
        generated=np.zeros(count, bool),
        unmapped=np.zeros(count, bool),
        handle=np.array(handles, np.uint64),
        objects=Handles(handles),
        matrix=matrices,
        size=size,
        mode=np.zeros(count, np.int32),
        style=np.array([numbers[letter.font] for letter in letters], np.int64),
        styles=tuple(style_from(font) for font in fonts),
        ink=np.array([letter.ink for letter in letters], np.float64).reshape(-1, 4),
        color=np.array([letter.path.fill or BLACK for letter in letters], np.int32).reshape(-1, 4),
    )


def _advance_box(matrix: Matrix, advance: float) -> Rect:
    a, b, c, d, *_ = (value / UNIT for value in matrix)
    return within((0.0, DESCENT, advance, ASCENT), (a, b, c, d, *matrix[4:]))


def stretched_signs(paths: Sequence[Path]) -> tuple[dict[int, DrawnLetter], list[Rect]]:
    """Return the signs among the path objects of a page, by their place in `paths`, and the bars of the radicals."""
    places = [
        place for place, path in enumerate(paths)
        if path.is_seen and path.count in COUNTS and 0 < abs(path.matrix[3]) < LARGEST
    ]  # fmt: skip
    points = spread_points([paths[place] for place in places], 2).round().reshape(-1, 4)
    found: dict[int, DrawnLetter] = {}
    bars: list[Rect] = []
    for place, (x, y, *middle) in zip(places, points.tolist(), strict=True):
        path, key = paths[place], (paths[place].count, x, y)
        seen = path.box if key in SIGNS or key in RADICALS else None
        if seen is None:
            continue
        left, bottom, right, top = seen
        em = abs(path.matrix[3]) / UNIT
        if key in RADICALS:
            end = left + RADICALS[key] * em
            bars.append((end, top - BAR * em, right, top))
            right = end
        char = SIGNS.get(key, "√")
        if char == "]" and middle == [x, y]:  # the way back begins in the middle: it has no foot
            char = "⌉"
        found[place] = _letter(char, path, (left, bottom, right, top), em)
    return found, bars


def _letter(char: str, path: Path, seen: Rect, em: float) -> DrawnLetter:
    left, bottom, _, top = seen
    base = bottom - RISE * em if char in OVER else (bottom + top) / 2 - AXIS * em
    unit = em * UNIT
    return DrawnLetter(ord(char), FONT, path, (unit, 0.0, 0.0, unit, left, base), seen, seen)
