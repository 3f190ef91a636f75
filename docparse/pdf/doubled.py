"""Fake bold: text drawn again a hair's breadth away, which pdfium's text page keeps only once."""

from __future__ import annotations

import numpy as np

from docparse.pdf.graphics import Painted
from docparse.pdf.matrices import IDENTITY, multiply
from docparse.pdf.native import fill, native
from docparse.pdf.textlayer import RawText

NEAR = 0.12  # font sizes between a text object and its repetition
LOOK_BACK = 5  # text objects; pdfium looks as far back for repetitions


def bold_runs(raw: RawText, painted: Painted) -> np.ndarray:
    """bool [m]: text objects that a left-out object, painted soon after, repeats at nearly the same place."""
    bold = np.zeros(len(raw.handle), bool)
    if not painted.left_out or not painted.order:
        return bold
    handles, outers, before = zip(*painted.left_out, strict=True)
    matrices = np.zeros((len(handles), 6), np.float32)
    fill(native().PageObj_GetMatrix, matrices, handles)
    matrix = matrices.astype(np.float64)
    for index, outer in enumerate(outers):
        if outer != IDENTITY:
            matrix[index] = multiply(tuple(matrix[index]), outer)
    painted_runs = np.searchsorted(raw.handle, np.array(list(painted.order), np.uint64))
    for step in range(1, LOOK_BACK + 1):
        place = np.array(before) - step
        original = painted_runs[np.maximum(place, 0)]
        gap = np.abs(raw.matrix[original, 4:6] - matrix[:, 4:6]).max(axis=1)
        same = np.abs(raw.matrix[original, :4] - matrix[:, :4]).max(axis=1) < 1e-3
        bold[original[same & (place >= 0) & (gap < NEAR * raw.size[original])]] = True
    return bold
