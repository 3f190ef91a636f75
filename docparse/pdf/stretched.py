"""Signs that KaTeX draws as long as what they stand by: radicals, tall brackets, wide hats, arrows and braces.

Each is a path that may reach far off the page and is cut to its place. How it begins says which it is (KaTeX 0.16,
svgGeometry.js, as Chromium prints it), in units of its font.
"""

from __future__ import annotations

from collections.abc import Sequence

from docparse.pdf.objects import Rect
from docparse.pdf.outlines import UNIT, DrawnLetter
from docparse.pdf.pathobjects import Path, spread_points

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
LARGEST = 0.05  # points to a unit: in other drawings a unit is a point or so
OVER = "ˆ˜\u20d7"  # stand over letters: their baseline is lower by so many em
RISE, AXIS, BAR = 0.5, 0.25, 0.04
FONT = "KaTeX_Size"


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
