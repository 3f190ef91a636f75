"""What a page draws besides text: rulings, filled boxes, raster images, and the order in which things are painted."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from docparse.pdf.matrices import IDENTITY, Matrix, multiply, object_matrix
from docparse.pdf.native import native
from docparse.pdf.paths import Shapes, read_path
from docparse.pdf.space import PageSpace

TEXT, PATH, IMAGE, FORM = 1, 2, 3, 5  # FPDF_PAGEOBJ_*
MAX_DEPTH = 8  # of forms within forms
MAX_OBJECTS = 60_000  # of any kind; a page with more is a drawing
MAX_PATHS = 8_000  # a table has hundreds, a map a hundred thousand


@dataclass(slots=True)
class Painted:
    """Everything the walk over a page's objects found, in user space.

    `order` is the paint position of each text object by handle. `images` are boxes with their paint position and
    whether they can be seen through. `extra_texts` are text objects that pdfium's text page left out.
    """

    order: dict[int, int] = field(default_factory=dict)
    images: list[tuple[float, float, float, float]] = field(default_factory=list)
    image_order: list[int] = field(default_factory=list)
    image_clear: list[bool] = field(default_factory=list)
    shapes: Shapes = field(default_factory=Shapes)
    extra_texts: list[tuple[int, Matrix]] = field(default_factory=list)
    truncated: bool = False


def read_graphics(page: int, known_texts: set[int]) -> Painted:
    """Walk the objects of a pdfium page, forms included. `known_texts` are handles of the text page's objects."""
    pdf = native()
    painted = Painted()
    paths = 0
    for position, (handle, matrix) in enumerate(_objects(page)):
        if position >= MAX_OBJECTS:
            painted.truncated = True
            break
        if handle in known_texts:
            painted.order[handle] = position
            continue
        kind = pdf.PageObj_GetType(handle)
        if kind == PATH:
            paths += 1
            if paths <= MAX_PATHS:
                read_path(handle, matrix, painted.shapes)
            else:
                painted.truncated = True
        elif kind == IMAGE:
            box = _bounds(handle, matrix)
            if box is not None:
                painted.images.append(box)
                painted.image_order.append(position)
                painted.image_clear.append(pdf.PageObj_HasTransparency(handle) == 1)
        elif kind == TEXT:
            painted.extra_texts.append((handle, multiply(object_matrix(handle), matrix)))
    return painted


def _objects(page: int) -> Iterator[tuple[int, Matrix]]:
    """All objects that are not forms, in paint order, each with the matrix of the forms around it."""
    pdf = native()
    get = pdf.Page_GetObject
    for index in range(pdf.Page_CountObjects(page)):
        handle = get(page, index)
        if handle:
            yield from _within(handle, IDENTITY, 0)


def _within(handle: int, matrix: Matrix, depth: int) -> Iterator[tuple[int, Matrix]]:
    pdf = native()
    if pdf.PageObj_GetType(handle) != FORM:
        yield handle, matrix
    elif depth < MAX_DEPTH:
        inner = multiply(object_matrix(handle), matrix)
        for index in range(max(0, pdf.FormObj_CountObjects(handle))):
            child = pdf.FormObj_GetObject(handle, index)
            if child:
                yield from _within(child, inner, depth + 1)


def _bounds(handle: int, matrix: Matrix) -> tuple[float, float, float, float] | None:
    values = (ctypes.c_float * 4)()
    start = ctypes.addressof(values)
    if not native().PageObj_GetBounds(handle, start, start + 4, start + 8, start + 12):
        return None
    left, bottom, right, top = values
    if matrix == IDENTITY:
        return left, bottom, right, top
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)


def visible(boxes: list[tuple[float, float, float, float]], space: PageSpace) -> np.ndarray:
    """float64 [n, 4]: boxes in page space, clipped to the page; what lies outside has no area."""
    if not boxes:
        return np.zeros((0, 4))
    width, height = space.size
    placed = space.boxes(np.array(boxes, np.float64))
    return np.clip(np.nan_to_num(placed), 0, [width, height, width, height])
