"""Spaces of a line that the recogniser missed.

Old books set full lines tight: the recogniser then is unsure of a space. What it nearly read counts where the white
between the letters tells so, too. In monospaced type the places of the letters tell all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import median

import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.ocr.recogniser import HEIGHT, Reading

# Of 38 spaces on 26 scanned pages that pass all three 35 are printed; the others stand in stamps that are misread.
LIKELY, EVIDENCE = 0.08, 0.042  # of a space; times the white, in line heights: wide white needs less of it
WIDE = 0.1  # of a line's height: white in which a space may stand
WIDER = 1.6  # times the white between the letters around it
STEP = 1.6  # widths of a character from one to the next, with a space between
AROUND = 4  # letters at either side that tell how far apart they are set
CLOSING = frozenset(".,;:!?)")


def respaced(reading: Reading, columns: np.ndarray, advance: float = 0.0) -> Reading:
    """Return the reading with the spaces that white tells of; `columns` are bool [width]: where the line has ink,
    `advance` is the width of every character in pixels where it is monospaced. Chinese and Japanese have no spaces."""
    text = reading.text
    if any(map(is_cjk, text)):
        return reading

    @cache
    def white(k: int) -> float:  # between the k-th character and the next: few are looked at
        start, end = white_between(columns, *reading.centers[k : k + 2])
        return end - start

    steps = np.diff(reading.centers, prepend=0.0) / advance if advance else np.zeros(0)
    pairs = [k for k in range(1, len(text)) if " " not in text[k - 1 : k + 1]]
    missed = [k for k in pairs if (steps[k] > STEP if advance else _is_missed(k, reading, white))]
    if not missed:
        return reading
    centers, confidences, spaces = reading.centers, reading.confidences, reading.spaces
    return Reading(
        text="".join(f" {char}" if k in missed else char for k, char in enumerate(text)),
        centers=np.insert(centers, missed, (centers[missed] + centers[np.array(missed) - 1]) / 2),
        confidences=np.insert(confidences, missed, confidences[missed]),
        spaces=np.insert(spaces, missed, spaces[missed]),
    )


def _is_missed(k: int, reading: Reading, white: Callable[[int], float]) -> bool:
    before, after = reading.text[k - 1], reading.text[k]
    parted = before.isalnum() or before in CLOSING
    letters = after.isalpha() or (after.isdecimal() and reading.text[max(0, k - 2) : k].isalpha() and k > 1)
    if not (parted and letters and reading.spaces[k] > LIKELY and reading.spaces[k] * white(k - 1) > EVIDENCE * HEIGHT):
        return False
    return white(k - 1) > max(WIDE * HEIGHT, WIDER * _usual(reading.text, white, k - 1))


def _usual(text: str, white: Callable[[int], float], k: int) -> float:
    """The usual white between letters near the k-th, pixels; that behind it aside."""
    near = [i for i in range(max(0, k - AROUND), min(len(text) - 1, k + AROUND + 1)) if i != k]
    return float(median([white(i) for i in near if text[i : i + 2].isalnum()] or [0.0]))


def white_between(columns: np.ndarray, after: float, before: float) -> tuple[float, float]:
    """Return the widest run of columns without ink between two character centres; their middle where there is none."""
    first, last = int(after), int(np.ceil(before))
    free = np.concatenate(([0], ~columns[first:last], [0])).astype(np.int8)
    edges = np.flatnonzero(np.diff(free))
    if not len(edges):
        return (after + before) / 2, (after + before) / 2
    starts, ends = edges[::2], edges[1::2]
    widest = int((ends - starts).argmax())
    return float(first + starts[widest]), float(first + ends[widest])
