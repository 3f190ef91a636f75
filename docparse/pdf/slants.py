"""Lines that do not run from left to right as pdfium takes them to: steep ones, those that stand on their heads, and
columns of Chinese and Japanese.

Lines that slant steeply, as labels under a chart do, are turned until they run up or down the page: only then their
letters stand on one line. Each line turns about its middle, so that labels side by side stay apart.
Letters of lines that slant less overlap in height, and are one line as they stand: the slanting heads of columns are in
their cells. But watermarks, in large type, are turned, too: their letters lie over the lines of the page.

Of lines that stand on their heads, as the answers of a quiz do, pdfium puts the letters in order from left to right,
and sees spaces where it then seems to go back.

Upright characters, one under the other, are text that lies on its side: the page is turned as one with sideways text
is, its columns become lines, and nobody else needs to know.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import numpy as np

from docparse.hyphenation import CJK_RANGES
from docparse.pdf.codes import within
from docparse.pdf.textlayer import RawText, quadrants, slanted

STEEP = np.sin(np.radians(47))  # of heads of columns, which slant by 45 degrees, a little more
ALIKE = np.radians(2)  # between the slants of letters of one line
LEVEL, FAR = 0.3, 3.0  # font sizes between the baselines of letters of one line, and along it
HUGE = 4.0  # times the size of most letters, at least: of watermarks
FEWEST = 3  # letters: fewer are those of a curve
HALF = 0.5  # font sizes from the middle of a letter to its end, at most
SAME = 0.1  # em between baselines of one line that stands on its head
DROP = 0.3  # font sizes from the middle of a line to its baseline
ASIDE, NEAREST, FARTHEST = 0.2, 0.7, 1.7  # em from a character to the one under it: across, and down
SHORTEST = 4  # characters of a column: labels of tables are stacked, too
MOST = 0.5  # of the page's Chinese characters stand in columns
DESCENT, MIDDLE = 0.12, 0.3  # em: what of a character is below its origin; from the baseline to the middle of a line
DOTS = {0xFE19: ord("…"), 0xFE30: ord("‥")}  # vertical forms that compatibility takes for full stops
FORMS = (0xFE10, 0xFE19), (0xFE30, 0xFE48)  # punctuation as it looks in columns


def turned_slants(raw: RawText) -> RawText:
    """Return the text with slanting lines turned; nothing of the rest changes."""
    steep = np.abs(raw.matrix[:, 1]) > STEEP * np.hypot(raw.matrix[:, 0], raw.matrix[:, 1])
    slants = slanted(raw)
    if not slants.any():
        return raw
    huge = raw.size > HUGE * np.median(raw.size[raw.run[raw.drawn]]) if raw.drawn.any() else steep
    at = np.flatnonzero((slants & (steep | huge))[raw.run] & raw.drawn)
    if len(at) < FEWEST:
        return raw
    run, middle = raw.run[at], (raw.box[at, :2] + raw.box[at, 2:]) / 2
    slope, size = np.arctan2(raw.matrix[run, 1], raw.matrix[run, 0]), raw.size[run]
    along = middle[:, 0] * np.cos(slope) + middle[:, 1] * np.sin(slope)
    across = middle[:, 1] * np.cos(slope) - middle[:, 0] * np.sin(slope)
    step = np.diff(along)
    goes_on = (np.abs(np.diff(slope)) < ALIKE) & (step > 0) & (step < FAR * size[1:])
    goes_on &= np.abs(np.diff(across)) < LEVEL * size[1:]
    box, matrix = raw.box.copy(), raw.matrix.copy()
    for line in np.split(np.arange(len(at)), np.flatnonzero(~goes_on) + 1):
        if len(line) < FEWEST:
            continue
        x, y = (middle[line[0]] + middle[line[-1]]) / 2
        up, half = (1.0 if np.sin(slope[line[0]]) > 0 else -1.0), HALF * size[line]
        place = up * (along[line] - (along[line[0]] + along[line[-1]]) / 2)
        gaps = np.abs(np.diff(place)) / 2
        before, behind = (np.minimum(half, gap) for gap in (np.append(np.inf, gaps), np.append(gaps, np.inf)))
        low, high = (before, behind) if up > 0 else (behind, before)
        box[at[line]] = np.stack([x - half, y + place - low, x + half, y + place + high], axis=1)
        scale = np.hypot(*raw.matrix[run[line], :2].T)
        zero = np.zeros(len(line))
        drop = up * DROP * size[line]
        matrix[run[line]] = np.stack([zero, up * scale, -up * scale, zero, x + drop, y + zero], axis=1)
    return replace(raw, box=box, matrix=matrix)


def in_own_direction(raw: RawText) -> RawText:
    """Return the text with lines that stand on their heads and are told from left to right turned around, less the
    spaces that are not the file's."""
    around = (quadrants(raw) == 2)[raw.run]
    if not around.any():
        return raw
    base, size = raw.matrix[raw.run, 5], raw.size[raw.run]
    breaks = np.diff(around.astype(np.int8)) != 0
    breaks |= raw.code[:-1] == ord("\n")
    breaks |= raw.drawn[1:] & raw.drawn[:-1] & (np.abs(np.diff(base)) > SAME * size[1:])
    order: list[np.ndarray] = []
    for line in np.split(np.arange(len(raw)), np.flatnonzero(breaks) + 1):
        shown = line[raw.drawn[line]]
        backwards = around[line[0]] and len(shown) > 1 and np.median(np.diff(raw.box[shown, 0])) > 0
        last = line[line > shown[-1]] if backwards else line[:0]  # the end of the line
        order += [shown[::-1], last] if backwards else [line]
    return raw.taken(np.concatenate(order))


def laid_level(raw: RawText) -> RawText:
    """Return the text of a page in columns with its upright characters turned clockwise, and any other as it is."""
    code = raw.code.copy()
    for i in np.flatnonzero(within(code, FORMS)).tolist():
        code[i] = DOTS.get(code[i]) or ord(unicodedata.normalize("NFKC", chr(code[i]))[0])
    raw = replace(raw, code=code)
    index = _upright(raw)
    under, beside = _neighbours(raw, index)
    columns = np.split(index, np.flatnonzero(~under) + 1)
    set_so = sum(len(part) for part in columns if len(part) >= SHORTEST)
    if set_so <= MOST * (within(code, CJK_RANGES) & raw.inked).sum():
        return raw
    level = np.concatenate([[False], beside]) | np.concatenate([beside, [False]])
    column = np.zeros(len(raw), bool)
    column[index[~level]] = True
    run, box, matrix = raw.run[column], raw.box.copy(), raw.matrix.copy()
    size, alone = raw.size[run], np.bincount(raw.run[raw.drawn], minlength=len(raw.size))[run] == 1
    middle = np.where(alone, matrix[run, 4] + size / 2, box[column][:, [0, 2]].mean(axis=1))
    low = np.where(alone, matrix[run, 5] - DESCENT * size, box[column, 1])
    top = np.where(alone, low + size, box[column, 3])
    box[column] = np.column_stack([middle - size / 2, low, middle + size / 2, top])
    matrix[run, :4] = np.column_stack([0 * size, -size, size, 0 * size])
    matrix[run, 4] = middle - MIDDLE * size
    return replace(raw, box=box, matrix=matrix)


def _upright(raw: RawText) -> np.ndarray:
    upright = (raw.matrix[:, 0] > 0) & (raw.matrix[:, 1] == 0)
    return np.flatnonzero(within(raw.code, CJK_RANGES) & raw.inked & upright[raw.run])


def _neighbours(raw: RawText, index: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """bool [k - 1] each: which of the characters but the first stand under the one before, and which beside it."""
    size = raw.size[raw.run[index]]
    middle = raw.box[index].reshape(-1, 2, 2).mean(axis=1)
    one_run = np.diff(raw.run[index]) == 0
    step = np.where(one_run[:, None], np.diff(middle, axis=0), np.diff(raw.matrix[raw.run[index], 4:6], axis=0))
    right, down = (step * [1, -1]).T / np.maximum(size[1:], 0.1)
    alike = np.abs(np.diff(size)) < 0.1
    under = alike & (np.abs(right) < ASIDE) & (down > NEAREST) & (down < FARTHEST)
    return under, alike & (np.abs(down) < ASIDE) & (right > NEAREST) & (right < FARTHEST)
