"""Cases within lines of running text: a tall brace and the rows behind it are one word of their line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from docparse.layout.chained import chained, without
from docparse.layout.formula.evidence import is_prose
from docparse.layout.formula.latex import latex_of
from docparse.layout.formula.nodes import AXIS
from docparse.layout.formula.symbols import PIECES_OF
from docparse.layout.text.lines import SCRIPT
from docparse.layout.text.words import Word
from docparse.types import Box, union

TALL = 1.8  # em: a brace so high has rows behind it
OFF, SAME = 0.2, 0.1  # em from a line to where its brace stands, and between baselines of one line, at most
NEAR, WIDE = 1.6, 4.0  # em at most between words of the line, and between the columns of the rows
RISE = 0.5  # em from the baseline of a row to those of its scripts, at most
GLUED = 0.5  # em from a sign of equality to a brace
APART = 0.8  # em between the baselines of two rows, at least


def with_cases(words: Sequence[Word], rulings: np.ndarray) -> list[Word]:
    """Return the words, each tall brace with its rows as one word with their LaTeX, if it stands in a line with running
    text. `rulings` is float32 [n, 4]."""
    found = list(words)
    for pieces in _braces(words):
        on_line = _line(pieces, found)
        rows = _rows(pieces, found, on_line)
        box = union(word.box for word in (*pieces, *rows))
        line = [word for word in without(found, [*pieces, *rows]) if on_line(word)]
        host = _host(box, line, pieces[0].size)
        latex = latex_of([*pieces, *rows], rulings) if rows and host else None
        if host and latex:
            whole = msgspec.structs.replace(
                pieces[0], text="{" + "".join(word.text for word in rows), box=box, baseline=host.baseline,
                size=host.size, latex=latex, math=False, glued=_is_glued(pieces[0], line)
            )  # fmt: skip
            rest = without(found, [*pieces[1:], *rows])
            found = [whole if word is pieces[0] else word for word in rest]
    return found


def _braces(words: Sequence[Word]) -> list[list[Word]]:
    """The tall braces that open, each as its pieces from the top."""
    parts = [
        word for word in words if word.angle == 0 and word.math and {PIECES_OF.get(c, c) for c in word.text} == {"{"}
    ]
    stacks = chained(sorted(parts, key=lambda word: (word.box.y0, word.box.x0)), _touches, back=8)
    return [stack for stack in stacks if union(word.box for word in stack).height > TALL * stack[0].size]


def _touches(stack: Sequence[Word], piece: Word) -> bool:
    last, em = stack[-1].box, piece.size
    return abs(last.center[0] - piece.box.center[0]) < 0.4 * em and piece.box.y0 - last.y1 < 0.1 * em


def _line(pieces: Sequence[Word], words: Sequence[Word]) -> Callable[[Word], bool]:
    """Say of words whether they stand on the line of a brace: that of the word before it, else about its middle."""
    box, em = union(piece.box for piece in pieces), pieces[0].size
    baseline, reach = box.center[1] + AXIS * em, OFF * em
    near = [w for w in words if w.size > SCRIPT * em and abs(w.baseline - baseline) < reach and w.box.x1 < box.x0 + 1]
    last = max(near, key=lambda word: word.box.x1, default=None)
    if last and box.x0 - last.box.x1 < NEAR * em:
        baseline, reach = last.baseline, SAME * em
    return lambda word: abs(word.baseline - baseline) < reach


def _rows(pieces: Sequence[Word], words: Sequence[Word], on_line: Callable[[Word], bool]) -> list[Word]:
    """The words behind a brace that are its rows, two or more, up to where its line goes on; else empty."""
    box, em = union(word.box for word in pieces), pieces[0].size
    behind = [word for word in words if word.box.x0 > box.x1 - 0.1 * em and box.y0 < word.box.center[1] < box.y1]
    first = [word.baseline for word in behind if word.box.x0 - box.x1 < em and word.size > 0.8 * em]
    starts = [rows[0] for rows in chained(sorted(first), lambda rows, y: y - rows[0] < APART * em)]
    if len(starts) < 2:
        return []

    def goes_on(word: Word) -> bool:
        return on_line(word) and (is_prose(word) or all(abs(word.baseline - y) > RISE * em for y in starts))

    end = min((word.box.x0 for word in behind if goes_on(word)), default=np.inf)
    found, reach = [], box.x1
    for word in sorted(behind, key=lambda word: word.box.x0):
        if word.box.x0 >= end or word.box.x0 - reach > WIDE * em:
            break
        found.append(word)
        reach = max(reach, word.box.x1)
    return found


def _is_glued(brace: Word, line: Sequence[Word]) -> bool:
    """Return whether the brace goes on a formula."""
    before = max((word for word in line if word.box.x0 < brace.box.x0), key=lambda word: word.box.x1, default=None)
    return before is not None and brace.box.x0 - before.box.x1 < GLUED * brace.size and not is_prose(before)


def _host(box: Box, line: Sequence[Word], em: float) -> Word | None:
    """The running text of size `em` that a box stands beside in its line, a few symbols between."""
    for side in (-1, 1):
        reach = box
        for word in sorted((w for w in line if (w.box.x0 - box.x0) * side > 0), key=lambda w: w.box.x0 * side):
            if word.box.gap_x(reach) > NEAR * word.size:
                break
            if is_prose(word) and word.size > SCRIPT * em:
                return word
            reach |= word.box
    return None
