"""The colours that objects of a page are painted with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from docparse.pdf.native import fill, native

UNKNOWN = -1  # in place of red, green and blue: a pattern, which paints something


def colors_of(get: Callable[..., Any], handles: Sequence[int]) -> np.ndarray:
    """Return int32 [n, 4]: red, green, blue, alpha (0..255) of objects; `get` is a pdfium function that tells them."""
    values = np.zeros((len(handles), 4), np.uint32)
    known = fill(get, values, handles)
    colors = values.astype(np.int32)
    colors[~known] = (UNKNOWN, UNKNOWN, UNKNOWN, 255)
    return colors


def fill_alpha(handle: int) -> int:
    """Return the alpha (0..255) with which one object is filled; that of a form counts for all in it."""
    return int(colors_of(native().PageObj_GetFillColor, [handle])[0, 3])
