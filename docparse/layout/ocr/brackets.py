"""Brackets around nothing, as exam papers have them for an answer: alone, "(" looks like a C."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.layout.ocr.detector import LineBox

OPENING, CLOSING = frozenset("(（C"), frozenset(")）")
# Line heights:
LEVEL = 0.4  # between the middles of two brackets
WIDEST = 8.0  # from one to the other


def empty_brackets(lines: Sequence[tuple[LineBox, str]]) -> dict[int, str]:
    """Return what the lines that are one bracket of an empty pair say, by index; `lines` are boxes on one
    image and readings."""
    result: dict[int, str] = {}
    for i, (first, text) in enumerate(lines):
        if text not in OPENING or not (right := _next(lines, i)):
            continue
        j, gap = right
        if lines[j][1] in CLOSING and 0 < gap < WIDEST * first.height:
            result |= {i: "(", j: ")"}
    return result


def _next(lines: Sequence[tuple[LineBox, str]], i: int) -> tuple[int, float] | None:
    """The next line to the right on the row, and how far it is, pixels."""
    first = lines[i][0]
    beside = [
        (line.x - first.x - (line.width + first.width) / 2, j)
        for j, (line, _) in enumerate(lines)
        if line.x > first.x and abs(line.y - first.y) < LEVEL * first.height
    ]
    return min(beside)[::-1] if beside else None
