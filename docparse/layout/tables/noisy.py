"""Rows of words whose heights OCR has guessed: words that jumped a line are put back, split lines joined."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from docparse.layout.tables.ink import Ink, Line, line_of, lines_of

NEAR = 0.6  # of the pitch; lines nearer than this are one, if their words do not stand over each other


def rows_of(ink: Ink, indices: np.ndarray) -> list[Line]:
    """The visual lines of a table; a text layer's are exact, those of OCR are mended."""
    lines = lines_of(ink, indices)
    if len(lines) < 3 or all(ink.words[i].confidence >= 1.0 for i in indices.tolist()):
        return lines
    pitch = _pitch(lines)
    return _joined(ink, _separated(ink, lines, pitch), pitch)


def _pitch(lines: list[Line]) -> float:
    """The usual distance of the well-filled lines."""
    most = max(len(line.words) for line in lines)
    full = [line.y for line in lines if 2 * len(line.words) >= most]
    steps = [b - a for a, b in pairwise(full if len(full) > 2 else [line.y for line in lines])]
    return float(np.median(steps))


def _separated(ink: Ink, lines: list[Line], pitch: float) -> list[Line]:
    """Of two words of one line that stand over each other, the stray one goes to the line it is nearer to."""
    members = [list(line.words) for line in lines]
    extra: list[list[int]] = []
    for k, line in enumerate(lines):
        for a, b in pairwise(line.words):
            if a not in members[k] or b not in members[k] or not _over(ink, a, b, 0.5):
                continue
            if abs(ink.y[a] - ink.y[b]) < 0.25 * pitch:
                continue
            stray = max((a, b), key=lambda i: abs(ink.y[i] - line.y))
            members[k].remove(stray)
            neighbour = k - 1 if ink.y[stray] < line.y else k + 1
            if 0 <= neighbour < len(lines) and not any(_over(ink, stray, i, 0.2) for i in members[neighbour]):
                members[neighbour].append(stray)
            else:
                extra.append([stray])
    found = [line_of(ink, words) for words in [*members, *extra] if words]
    return sorted(found, key=lambda line: (line.y, line.x0))


def _joined(ink: Ink, lines: list[Line], pitch: float) -> list[Line]:
    """Neighbouring lines closer than rows are, side by side in x, are one row; near and well-filled ones first."""
    most = max(len(line.words) for line in lines)
    while len(lines) > 2:
        gaps = [
            ((b.y - a.y) / pitch - 0.3 * max(len(a.words), len(b.words)) / most, k)
            for k, (a, b) in enumerate(pairwise(lines))
            if b.y - a.y < NEAR * pitch and not any(_over(ink, i, j, 0.2) for i in a.words for j in b.words)
        ]
        if not gaps:
            break
        _, k = min(gaps)
        lines = [*lines[:k], line_of(ink, [*lines[k].words, *lines[k + 1].words]), *lines[k + 2 :]]
    return lines


def _over(ink: Ink, a: int, b: int, share: float) -> bool:
    """The words overlap in x by more than `share` of the narrower one."""
    x, y = ink.box[a], ink.box[b]
    return min(x[2], y[2]) - max(x[0], y[0]) > share * min(x[2] - x[0], y[2] - y[0])
