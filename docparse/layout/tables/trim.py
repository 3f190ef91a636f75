"""What stands at the edges of a detected box and is no part of the table: captions, notes, running text."""

from __future__ import annotations

import re

import numpy as np

from docparse.layout.tables.ink import Ink, Line, lines_of, segments
from docparse.types import Box

CAPTION = re.compile(
    r"^(table|tab\.|figure|fig\.|exhibit|tabla|tableau|tabelle|tabella|表|图|圖)\s*[\dIVXA-Z]{0,4}", re.IGNORECASE
)
NOTE = re.compile(
    r"^(notes?|sources?|注|注：|资料来源|数据来源|来源|出处)\s*[:.：]|^[*†‡§①②]|^\(?[a-z1-9]\)\s", re.IGNORECASE
)


def trimmed(ink: Ink, indices: np.ndarray) -> np.ndarray:
    """Without the caption above or below and the notes under a table whose ends no rule marks."""
    lines = lines_of(ink, indices)
    if len(lines) < 3:
        return indices
    em, whole = float(np.median(ink.size[indices])), ink.bounds(indices)
    dropped: list[Line] = []
    while len(lines) > 2 and (_is_caption(ink, lines[0]) or _is_apart(ink, lines[0], lines[1], whole, em)):
        dropped.append(lines.pop(0))
    while len(lines) > 2 and (
        _is_caption(ink, lines[-1]) or _is_note(ink, lines[-1]) or _is_apart(ink, lines[-1], lines[-2], whole, em)
    ):
        dropped.append(lines.pop())
    gone = {i for line in dropped for i in line.words}
    return np.array([i for i in indices.tolist() if i not in gone], int)


def _is_apart(ink: Ink, line: Line, inner: Line, whole: Box, em: float) -> bool:
    """A line at the edge of a detected box that is running text: one long run of words, or one far off."""
    if len(segments(ink, line.words)) > 1:
        return False
    prose = len(line.words) > 6 and line.x0 <= whole.x0 + em and line.x1 - line.x0 > 0.6 * whole.width
    return prose or abs(line.y - inner.y) > 3 * em


def _is_caption(ink: Ink, line: Line) -> bool:
    parts = segments(ink, line.words)
    return (
        len(parts) <= 2
        and bool(CAPTION.match(ink.text(line.words)))
        and any(c.isdigit() for c in ink.text(line.words)[:12])
    )


def _is_note(ink: Ink, line: Line) -> bool:
    return len(segments(ink, line.words)) == 1 and bool(NOTE.match(ink.text(line.words)))
