"""Affine matrices of page objects, as PDF writes them: six numbers, row vectors."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from docparse.pdf.native import native

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


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


def bounds(handle: int, outer: Matrix) -> tuple[float, float, float, float] | None:
    """Return a page object's box (left, bottom, right, top), strokes included, under the forms' matrix `outer`."""
    values = (ctypes.c_float * 4)()
    start = ctypes.addressof(values)
    if not native().PageObj_GetBounds(handle, start, start + 4, start + 8, start + 12):
        return None
    return within(list(values), outer)


def within(box: Sequence[float], outer: Matrix) -> tuple[float, float, float, float]:
    """Return the box around a box (left, bottom, right, top) under the forms' matrix `outer`."""
    left, bottom, right, top = box
    if outer == IDENTITY:
        return left, bottom, right, top
    a, b, c, d, e, f = outer
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)
