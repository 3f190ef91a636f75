"""Ruby: the small reading over (in columns, beside) Chinese characters, which goes behind them in brackets: 春（はる）.

Browsers that know no ruby write it so, and so do books without it. As lines of their own the readings would cut every
paragraph into pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from docparse.pdf.codes import within
from docparse.pdf.textlayer import RawText

READINGS = (0x3041, 0x30FE), (0x3105, 0x312F)  # kana, bopomofo
READ = (0x3005, 0x3007), (0x3400, 0x9FFF), (0xF900, 0xFAFF)  # what has readings
SMALL = 0.65  # times the size of the characters under it, at most: half of it, as a rule
OVER = 0.5, 1.6  # em of these between the baselines
LOOSE = 1.5  # em of its own between characters of one reading
TIGHT = 0.3  # em: closer ones are one reading
FEWEST = 3  # readings on a page that has any
OPENS, CLOSES = ord("（"), ord("）")


@dataclass(frozen=True, slots=True)
class _Cells:
    """The places of characters, float [n] each: from where to where along the line, how high the baseline is, the
    size."""

    start: np.ndarray
    end: np.ndarray
    height: np.ndarray
    size: np.ndarray


def with_readings(raw: RawText) -> RawText:
    """Return the text with each reading behind its characters, in their place and style."""
    small, read = within(raw.code, READINGS) & raw.inked, np.flatnonzero(within(raw.code, READ) & raw.inked)
    if not len(read):
        return raw
    cells = _cells(raw)
    small &= cells.size <= SMALL * float(np.median(cells.size[read]))
    if not small.any():
        return raw
    plain = np.flatnonzero(within(raw.code, READINGS) & raw.inked & ~small)
    found = [(group, base) for group in _groups(cells, small, plain) if (base := _base(cells, group, read)) is not None]
    if len(found) < FEWEST:
        return raw
    box, run = raw.box.copy(), raw.run.copy()
    behind: dict[int, np.ndarray] = {}
    for group, base in found:
        run[group], box[group] = run[base], box[base]  # they share its cell
        behind[base] = np.concatenate([behind[base], group]) if base in behind else group
    return _inserted(replace(raw, box=box, run=run), behind)


def _inserted(raw: RawText, behind: dict[int, np.ndarray]) -> RawText:
    """The text with the characters of each group, in brackets, behind the one that they belong to."""
    moved = np.zeros(len(raw), bool)
    order: list[int] = []
    brackets: list[tuple[int, int]] = []
    moved[np.concatenate(list(behind.values()))] = True
    for i in np.flatnonzero(~moved).tolist():
        order.append(i)
        if i in behind:
            group = behind[i].tolist()
            brackets += [(len(order), OPENS), (len(order) + len(group) + 1, CLOSES)]
            order += [group[0], *group, group[-1]]
    result = raw.taken(np.array(order))
    for at, code in brackets:
        result.code[at] = code
    return result


def _cells(raw: RawText) -> _Cells:
    turned = raw.matrix[raw.run, 1] != 0
    start = np.where(turned, -raw.box[:, 3], raw.box[:, 0])
    end = np.where(turned, -raw.box[:, 1], raw.box[:, 2])
    return _Cells(start, end, np.where(turned, *raw.matrix[raw.run, 4:6].T), raw.size[raw.run])


def _groups(cells: _Cells, small: np.ndarray, plain: np.ndarray) -> list[np.ndarray]:
    """The characters of each reading: side by side on one line, and not on both sides of `plain` kana under them."""
    index = np.flatnonzero(small)
    index = index[np.lexsort((cells.start[index], np.round(cells.height[index])))]
    middle = (cells.start[plain] + cells.end[plain]) / 2
    near = []
    for a, b in pairwise(index.tolist()):
        gap = cells.start[b] - cells.end[a]
        under = (middle > cells.end[a] - gap / 2) & (middle < cells.start[b] + gap / 2)
        under &= np.abs(cells.height[a] - cells.height[plain] - cells.size[plain]) < OVER[0] * cells.size[plain]
        level = abs(cells.height[a] - cells.height[b]) < 1 and gap > -cells.size[a]
        near.append(level and gap < LOOSE * cells.size[a] and not (gap > TIGHT * cells.size[a] and under.any()))
    return np.split(index, np.flatnonzero(~np.array(near, bool)) + 1)


def _base(cells: _Cells, group: np.ndarray, read: np.ndarray) -> int | None:
    """The last of the characters that a reading stands over; None where it stands over none."""
    size = cells.size[read]
    rise = (cells.height[group[0]] - cells.height[read]) / size
    middle = (cells.start[read] + cells.end[read]) / 2
    slack = cells.size[group[0]] / 2
    over = (middle > cells.start[group].min() - slack) & (middle < cells.end[group].max() + slack)
    over &= (rise > OVER[0]) & (rise < OVER[1]) & (cells.size[group[0]] <= SMALL * size)
    under = read[over]
    if not len(under):
        return None
    line = under[np.abs(cells.height[under] - cells.height[under].max()) < 1]
    return int(line[np.argmax(cells.end[line])])
