"""Chinese and Japanese in columns: upright characters, one under the other, are text that lies on its side.

So the page is turned as one with sideways text is, its columns become lines, and nobody else needs to know.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import numpy as np

from docparse.hyphenation import CJK_RANGES
from docparse.pdf.codes import within
from docparse.pdf.textlayer import RawText

ASIDE, NEAREST, FARTHEST = 0.2, 0.7, 1.7  # em from a character to the one under it: across, and down
SHORTEST = 4  # characters of a column: labels of tables are stacked, too
MOST = 0.5  # of the page's Chinese characters stand in columns
DESCENT, MIDDLE = 0.12, 0.3  # em: what of a character is below its origin; from the baseline to the middle of a line
DOTS = {0xFE19: ord("…"), 0xFE30: ord("‥")}  # vertical forms that compatibility takes for full stops
FORMS = (0xFE10, 0xFE19), (0xFE30, 0xFE48)  # punctuation as it looks in columns


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
    """int64 [k]: Chinese and Japanese characters that stand upright."""
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
