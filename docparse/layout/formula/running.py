"""What stands in lines of running text and is no part of a displayed formula: lines that go on with symbols, fractions
and what joins them to words, arrows over letters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from docparse.layout.chained import without
from docparse.layout.formula.chains import ChainedRow, ChainedRows
from docparse.layout.formula.symbols import BARS
from docparse.layout.formula.text_rows import is_arrow
from docparse.layout.text.markers import BULLETS
from docparse.layout.text.wording import names
from docparse.layout.text.words import Word

FRACTION, AXIS = 8.0, 0.5  # em: width of one in a line at most, and from its baseline up to the bar
GAP, SMALL, RAISED, LEANING = 0.9, 0.85, 0.7, 0.1  # em: room within a line, size of scripts, how far off; between bars
SPACED = 2.2  # em from a line to the next at most, in text with room between its lines
INDENTED = (0.7, 2.5)  # em that the first line of a paragraph stands farther in
NEAR, MARGIN, FLUSH = 20.0, 2, 0.5  # em from lines that begin at one margin, how many, and em between their ends
LEADING = names(
    "and or but so thus hence then since because for if when where which with let that und oder also mit wobei für ist "
    "et ou où donc avec pour si y o donde con para e dove con per"
)  # words that lead on to a formula in running text


def rows_in_text(
    prose: ChainedRows, rest: Sequence[ChainedRow], words: Sequence[Word], rulings: np.ndarray, em: float
) -> list[ChainedRow]:
    """Return those of `rest` that belong to lines of running text, which `prose` are."""
    led = [row for row in rest if not row.prosy and _is_led(row, prose, words, em)]
    prose = ChainedRows([*prose.rows, *led])
    rest = without(rest, led)
    found = led + _going_on(prose, rest, words, em) + _in_lines(prose, rest, rulings, em)
    return found + [row for row in rest if _hangs_on(row, prose, words, em)]


def _is_led(row: ChainedRow, prose: ChainedRows, words: Sequence[Word], em: float) -> bool:
    """Return whether a row begins with "and", "where" or the like at the margin of running text, which goes on so."""
    word = min((words[i] for i in row.words), key=lambda word: word.box.x0)
    return word.text.strip(",;:") in LEADING and _is_at_margin(row, prose, FLUSH * em, em)


def _is_at_margin(row: ChainedRow, prose: ChainedRows, off: float, em: float) -> bool:
    """Return whether lines of running text near a row begin where it does, at most so many points off."""
    near = prose.based(row.baseline - NEAR * em, row.baseline + NEAR * em)
    return sum(abs(text.box.x0 - row.box.x0) < off for text in near) >= MARGIN


def _going_on(prose: ChainedRows, rest: Sequence[ChainedRow], words: Sequence[Word], em: float) -> list[ChainedRow]:
    """Rows that are the next line of running text, and not set apart from it, with all that stands on that line."""
    found: list[ChainedRow] = []
    lines: list[ChainedRow] = []
    rows, step = ChainedRows(rest), _leading(prose.rows, em)
    for row in sorted((row for row in rest if not row.prosy and row.size > 0.85 * em), key=lambda row: row.baseline):
        if any(
            0 < row.baseline - text.baseline < step
            and (_is_flush(row, text, words, em) or _is_under_indented(row, text, prose, em))
            for text in [*prose.based(row.baseline - step, row.baseline), *lines]
        ):
            lines.append(row)
            end = row.box.x1
            for other in sorted(rows.based(row.baseline - em, row.baseline + em), key=lambda other: other.box.x0):
                if _on_line(other, row.baseline, em) and row.box.x0 <= other.box.x0 < end + 3 * em:
                    end = max(end, other.box.x1)
                    found += [] if other.prosy else [other]
    return found


def _leading(prose: Sequence[ChainedRow], em: float) -> float:
    """Return how far the next line of running text is at most: 1.5 em, or a little more than the lines of a page are
    apart."""
    steps = [
        under.baseline - row.baseline
        for row, under in pairwise(sorted(prose, key=lambda row: row.baseline))
        if row.box.overlap_x(under.box) > 0 and em < under.baseline - row.baseline < SPACED * em
    ]
    return max(1.5 * em, 1.1 * median(steps)) if steps else 1.5 * em


def _is_flush(row: ChainedRow, text: ChainedRow, words: Sequence[Word], em: float) -> bool:
    """Return whether a row begins where a line of running text does, or where its words do behind a bullet."""
    first, *others = sorted((words[i] for i in text.words), key=lambda word: word.box.x0)
    starts = [text.box.x0, *(word.box.x0 for word in others[:1] if first.text in BULLETS)]
    return any(abs(start - row.box.x0) < 0.2 * em for start in starts)


def _is_under_indented(row: ChainedRow, text: ChainedRow, prose: ChainedRows, em: float) -> bool:
    """Return whether a row stands at the margin under the first line of a paragraph, and that is full, or within a
    formula at its end, or the row has words and other lines begin there."""
    indented = INDENTED[0] * em < text.box.x0 - row.box.x0 < INDENTED[1] * em and text.listed >= 3
    if not indented or row.box.x1 < text.box.x0:  # else it is a number left of the next column
        return False
    if text.unfinished or (row.listed and _is_at_margin(row, prose, 0.2 * em, em)):
        return True
    near = [each for each in prose.based(row.baseline - 6 * em, row.baseline + 6 * em) if each is not text]
    ends = [each.box.x1 - text.box.x1 for each in (*near, row) if each.box.overlap_x(text.box) > 0]
    return max(ends, default=em) < 0.5 * em and max(ends, default=-em) > -0.5 * em


def _hangs_on(row: ChainedRow, prose: ChainedRows, words: Sequence[Word], em: float) -> bool:
    """Return whether a row is nothing but arrows over a line of running text, and pieces of tall bars in it."""
    near = prose.based(row.baseline - em, row.baseline + em)
    pieces = all(words[i].text in BARS or is_arrow(words[i]) for i in row.words)
    return pieces and any(line.box.x0 - em < row.box.x0 < line.box.x1 for line in near)


def _in_lines(prose: ChainedRows, rest: Sequence[ChainedRow], rulings: np.ndarray, em: float) -> list[ChainedRow]:
    """The halves of fractions whose bars stand in a line of running text, and what joins them to its words."""
    found: list[ChainedRow] = []
    others = ChainedRows([row for row in rest if not row.prosy])
    flat = [(x0, y, x1) for x0, y, x1, end in rulings.tolist() if abs(end - y) < 1 and x1 - x0 < FRACTION * em]
    for x0, y, x1 in flat if len(prose.rows) else ():
        lines = prose.based(y + 0.1 * em, y + AXIS * em)
        if not lines:
            continue
        halves = [row for row in others.based(y - 1.3 * em, y + 1.3 * em) if x0 - 1 <= row.box.center[0] <= x1 + 1]
        base = lines[0].baseline
        near = others.based(base - RAISED * em, base + RAISED * em)
        level = [*lines, *(row for row in near if _on_line(row, base, em))]
        bars = [(left, right) for left, at, right in flat if abs(at - y) < LEANING * em]
        inside = _joined_to((x0, x1), bars, level, em)
        least = 2 if max(row.size for row in halves or level) < SMALL * em else 3
        if sum(row.listed for row in inside) >= least or any(row.sure for row in inside):
            found += [*halves, *(row for row in inside if not row.prosy)]
    return found


def _joined_to(
    span: tuple[float, float], bars: Sequence[tuple[float, float]], rows: Sequence[ChainedRow], em: float
) -> list[ChainedRow]:
    """The rows that reach from one to the next, and over bars, up to a span on both sides."""
    left, right = span
    parts = [*((x0, x1, None) for x0, x1 in bars), *((row.box.x0, row.box.x1, row) for row in rows)]
    joined: list[ChainedRow] = []
    while near := [part for part in parts if part[0] < right + GAP * em and part[1] > left - GAP * em]:
        parts = without(parts, near)
        left, right = min(left, *(x0 for x0, _, _ in near)), max(right, *(x1 for _, x1, _ in near))
        joined += [row for _, _, row in near if row]
    return joined


def _on_line(row: ChainedRow, baseline: float, em: float) -> bool:
    """Return whether a row stands on a baseline, or is small and raised or lowered as scripts are."""
    rise = (baseline - row.baseline) / em
    return -0.3 < rise < 0.6 if row.size < SMALL * em else abs(rise) < 0.2
