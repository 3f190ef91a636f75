"""Fake bold: text drawn again a hair's breadth away, which pdfium's text page keeps only once."""

from __future__ import annotations

import numpy as np

from docparse.pdf.graphics import Painted
from docparse.pdf.textlayer import RawText

NEAR = 0.12  # font sizes between a text object and its repetition


def bold_runs(raw: RawText, painted: Painted) -> np.ndarray:
    """bool [m]: text objects that a left-out object repeats at nearly the same place."""
    bold = np.zeros(len(raw.handle), bool)
    if not painted.extra_texts:
        return bold
    extra = np.array([matrix for _, matrix in painted.extra_texts], np.float64)
    order = np.argsort(raw.matrix[:, 5], kind="stable")
    heights = raw.matrix[order, 5]
    for matrix in extra:
        reach = NEAR * float(raw.size.max(initial=0))
        first, last = np.searchsorted(heights, (matrix[5] - reach, matrix[5] + reach))
        near = order[first:last]
        gap = np.abs(raw.matrix[near, 4:6] - matrix[4:6]).max(axis=1, initial=0)
        same = np.abs(raw.matrix[near, :4] - matrix[:4]).max(axis=1, initial=0) < 1e-3
        bold[near[same & (gap < NEAR * raw.size[near])]] = True
    return bold
