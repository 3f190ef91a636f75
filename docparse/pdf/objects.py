"""What pdfium tells of any object of a page: its matrix (six numbers, as PDF writes them), its box and its colours."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from docparse.pdf.native import fill, native

Matrix = tuple[float, float, float, float, float, float]  # affine, for row vectors
Rect = tuple[float, float, float, float]  # left, bottom, right, top
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
UNKNOWN = -1  # in place of red, green and blue: a pattern, which paints something


def multiply(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first, then `outer`."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def object_matrix(handle: int) -> Matrix:
    """Return a page object's own matrix, without the forms around it."""
    values = (ctypes.c_float * 6)()
    if not native().PageObj_GetMatrix(handle, ctypes.addressof(values)):
        return IDENTITY
    return tuple(values)  # type: ignore[return-value]


def bounds(handle: int, outer: Matrix) -> Rect | None:
    """Return a page object's box (left, bottom, right, top), strokes included, under the forms' matrix `outer`."""
    values = (ctypes.c_float * 4)()
    start = ctypes.addressof(values)
    if not native().PageObj_GetBounds(handle, start, start + 4, start + 8, start + 12):
        return None
    return within(list(values), outer)


def within(box: Sequence[float], outer: Matrix) -> Rect:
    """Return the box around a box (left, bottom, right, top) under the forms' matrix `outer`."""
    left, bottom, right, top = box
    if outer == IDENTITY:
        return left, bottom, right, top
    a, b, c, d, e, f = outer
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)


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
