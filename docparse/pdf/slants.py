"""Lines that do not run from left to right as pdfium takes them to: steep ones, and those that stand on their heads.

Lines that slant steeply, as labels under a chart do, are turned until they run up or down the page: only then their
letters stand on one line. Each line turns about its middle, so that labels side by side stay apart.
Letters of lines that slant less overlap in height, and are one line as they stand: the slanting heads of columns are in
their cells. But watermarks, in large type, are turned, too: their letters lie over the lines of the page.

Of lines that stand on their heads, as the answers of a quiz do, pdfium puts the letters in order from left to right,
and sees spaces where it then seems to go back.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from docparse.pdf.textlayer import RawText, quadrants, slanted

STEEP = np.sin(np.radians(47))  # of heads of columns, which slant by 45 degrees, a little more
ALIKE = np.radians(2)  # between the slants of letters of one line
LEVEL, FAR = 0.3, 3.0  # font sizes between the baselines of letters of one line, and along it
HUGE = 4.0  # times the size of most letters, at least: of watermarks
FEWEST = 3  # letters: fewer are those of a curve
HALF = 0.5  # font sizes from the middle of a letter to its end, at most
SAME = 0.1  # em between baselines of one line that stands on its head
DROP = 0.3  # font sizes from the middle of a line to its baseline


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
