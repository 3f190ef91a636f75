"""Dashes in the cells of tables, which stand for a number that is missing: mere strokes, that the detector leaves out
and the recogniser takes for any other stroke."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.layout.ocr.detector import LineBox

STROKES = frozenset("-–—一_")
# Line heights:
NEAR = 3.0  # from a dash to the cell over or under it, at most
SHORT = 8.0  # the width of a cell in a column of short ones
LONG = 1.05  # the box of a dash as wide as the type is high; those of shorter ones are no wider than high


def dashes(lines: Sequence[tuple[LineBox, str]]) -> dict[int, str]:
    """Return what the lines that are a dash in a column of cells say, by index; `lines` are level boxes on one image
    and readings. There is a number over it or under it, or a short cell on both sides."""
    found: dict[int, str] = {}
    for i, (box, text) in enumerate(lines):
        if text not in STROKES:
            continue
        column = [(line.y - box.y, said, line.width) for line, said in lines if abs(line.x - box.x) < line.width / 2]
        over = max((each for each in column if -NEAR * box.height < each[0] < -0.5 * box.height), default=None)
        under = min((each for each in column if 0.5 * box.height < each[0] < NEAR * box.height), default=None)
        beside = [each for each in (over, under) if each is not None]
        short = [each for each in beside if each[2] < SHORT * box.height]
        cells = len(short) == 2 and any(said not in STROKES for _, said, _ in short)  # dashes alone are of a list
        if cells or any(_is_number(said) for _, said, _ in short):
            found[i] = "—" if box.width > LONG * box.height else "–"
    return found


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))
