"""What a page draws besides text: rulings, filled boxes, raster images, and the order in which things are painted."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from docparse.pdf.marks import Mark, is_small
from docparse.pdf.native import each, fill, native
from docparse.pdf.objects import IDENTITY, Matrix, Rect, bounds, fill_alpha, multiply, object_matrix, within
from docparse.pdf.outlines import DrawnLetter, drawn_letters, stretched_signs
from docparse.pdf.pathobjects import CLEAR, Path, paths_of
from docparse.pdf.paths import DOT, Shapes, read_path
from docparse.pdf.space import PageSpace

if TYPE_CHECKING:
    import pypdfium2

TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5  # FPDF_PAGEOBJ_*
MAX_DEPTH = 8  # of forms within forms
MAX_OBJECTS = 60_000  # of any kind; a page with more is a drawing
HAIR = 2.0  # points: an image thinner than this is a ruling
NEAR = 6.0  # points between the parts of one drawing: less than a line of text
SHEET = 0.5  # share of the page that one path covers: a backdrop, part of no drawing
SLIGHT = 0.25  # share of a drawing that its curves span at least: a table with a tick in one cell is none
LONG = 0.4  # share of a drawing's width that one curve runs along: the flat line of a chart spans little of its area
MAX_RENDERED = 4  # see-through images of a page, the largest first
OPAQUE = 0.5  # share of opaque pixels from which an image hides what is under it
SHADOW, ALIKE = 3, 0.7  # objects after a shadow its shape is painted; share of both that lies in both
MAX_PATHS = 8_000  # a table has hundreds, a map a hundred thousand


class Raster(NamedTuple):
    """An image, its paint position, and whether it can be seen through."""

    box: Rect
    handle: int
    order: int
    clear: bool


@dataclass(slots=True)
class Painted:
    """Everything the walk over a page's objects found, in user space.

    `order` is the paint position of each text object by handle. `left_out` are text objects that pdfium's text page
    does not have: handle, the matrix of the forms around it, and how many text objects of the text page were painted
    before it. `paths` are path objects, `letters` those of them that are letters. `faint` are text objects within a
    form that is transparent, `outer` the matrices of the forms around text objects and `forms` the outermost of these
    around texts and paths, an object of the page itself, all by handle.
    """

    order: dict[int, int] = field(default_factory=dict)
    images: list[Raster] = field(default_factory=list)
    shapes: Shapes = field(default_factory=Shapes)
    left_out: list[tuple[int, Matrix, int]] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    letters: list[DrawnLetter] = field(default_factory=list)
    faint: set[int] = field(default_factory=set)
    outer: dict[int, Matrix] = field(default_factory=dict)
    forms: dict[int, int] = field(default_factory=dict)

    def orders(self, handles: np.ndarray) -> np.ndarray:
        """Return int64 [m]: when text objects are painted; last where that is not known."""
        return np.array([self.order.get(handle, 1 << 40) for handle in handles.tolist()], np.int64)


class _Walk:
    """One walk over the objects of a page, forms included, in paint order."""

    def __init__(self, known_texts: set[int]) -> None:
        self.painted = Painted()
        self.known = known_texts
        self.position = 0
        self.paths: list[tuple[int, Matrix, int]] = []  # handle, matrix of the forms around it, paint position
        self.faint = False  # within a transparent form
        self.outermost = 0  # the handle of the form of the page that is walked through
        # in paint order: the place of a path in `paths`, or the box of an image or a shade of colours, and
        # whether it can be seen through
        self.drawn: list[int | tuple[Rect, bool]] = []

    def objects(self, get: Callable[[int, int], int], parent: int, count: int, outer: Matrix, depth: int) -> None:
        known, order, type_of = self.known, self.painted.order, native().PageObj_GetType
        for handle in each(get, parent, range(count)):
            self.position += 1
            if self.position > MAX_OBJECTS:
                self.painted.shapes.truncated = True
                return
            if depth:
                self.painted.forms[handle] = self.outermost
            if handle in known:
                order[handle] = self.position
                if depth:
                    self.painted.outer[handle] = outer
                    if self.faint:
                        self.painted.faint.add(handle)
                continue
            kind = type_of(handle) if handle else 0
            if kind == FORM:
                if depth == 0:
                    self.outermost = handle
                if depth < MAX_DEPTH:
                    self.form(handle, outer, depth)
            else:
                self.one(kind, handle, outer)

    def form(self, handle: int, outer: Matrix, depth: int) -> None:
        faint, self.faint = self.faint, self.faint or fill_alpha(handle) < CLEAR
        inside = multiply(object_matrix(handle), outer)
        children = max(0, native().FormObj_CountObjects(handle))
        self.objects(native().FormObj_GetObject, handle, children, inside, depth + 1)
        self.faint = faint

    def one(self, kind: int, handle: int, outer: Matrix) -> None:
        painted = self.painted
        if kind == PATH:
            self.drawn.append(len(self.paths))
            self.paths.append((handle, outer, self.position))
        elif kind in (IMAGE, SHADING) and (box := bounds(handle, outer)) is not None:
            clear = kind == SHADING or native().PageObj_HasTransparency(handle) == 1
            self.drawn.append((box, clear))
            if kind == IMAGE:
                painted.images.append(Raster(box, handle, self.position, clear))
        elif kind == TEXT:
            painted.left_out.append((handle, outer, len(painted.order)))


def read_graphics(page: int, known_texts: set[int]) -> Painted:
    """Walk the objects of a pdfium page. `known_texts` are the handles of the text page's objects."""
    pdf = native()
    walk = _Walk(known_texts)
    walk.objects(pdf.Page_GetObject, page, pdf.Page_CountObjects(page), IDENTITY, 0)
    places = _looked_at(walk.paths)
    paths = paths_of([walk.paths[place] for place in places])
    at = {place: index for index, place in enumerate(places)}
    signs, bars = stretched_signs(paths)
    letters = drawn_letters(paths) | signs
    walk.painted.letters = [letters[place] for place in sorted(letters)]
    walk.painted.paths = [path for place, path in enumerate(paths) if place not in letters]
    shapes = walk.painted.shapes
    shapes.truncated |= len(places) < len(walk.paths)
    for thing in walk.drawn:
        if isinstance(thing, int):
            if thing in at and at[thing] not in letters:
                read_path(paths[at[thing]], shapes)
            continue
        box, clear = thing
        if is_small(box):
            shapes.marks.append(Mark(box, filled=True, square=False))  # a ball before an item
        if not clear:
            shapes.hide_under(box)
    images = walk.painted.images
    shapes.boxes.extend([*_bars([image.box for image in images]), *bars])
    over = {path.order: path.box for path in paths if path.filled and path.fill is not None and path.fill[3] == 255}
    walk.painted.images = [image for image in images if not _is_shadow(image, over)]
    return walk.painted


def _looked_at(paths: Sequence[tuple[int, Matrix, int]]) -> Sequence[int]:
    """Return the places of the paths that are looked at: the first ones; where there are more, the first of those that
    are no dots, of which the shades of colour in plots are made."""
    if len(paths) <= MAX_PATHS:
        return range(len(paths))
    boxes = np.zeros((len(paths), 4), np.float32)
    fill(native().PageObj_GetBounds, boxes, [handle for handle, _, _ in paths])
    seen = np.array([within(box, outer) for box, (_, outer, _) in zip(boxes.tolist(), paths, strict=True)])
    return np.flatnonzero((seen[:, 2:] - seen[:, :2]).max(axis=1) >= DOT)[:MAX_PATHS].tolist()


def _is_shadow(image: Raster, over: Mapping[int, Rect | None]) -> bool:
    """Return whether an opaque shape of its size is painted right over an image, as LibreOffice draws shadows."""
    shape = next((box for step in range(1, SHADOW + 1) if (box := over.get(image.order + step))), None)
    return shape is not None and _share(image.box, shape) > ALIKE


def _share(a: Rect, b: Rect) -> float:
    """Return how much of the box around two boxes is in both."""
    inner = (min(a[2], b[2]) - max(a[0], b[0])) * (min(a[3], b[3]) - max(a[1], b[1]))
    return inner / max(1.0, (max(a[2], b[2]) - min(a[0], b[0])) * (max(a[3], b[3]) - min(a[1], b[1])))


def _bars(images: list[Rect]) -> list[Rect]:
    """Images that are rulings, as dvips draws them, and no strips of a picture that is cut into many, which touch."""
    sides = np.array(images).reshape(-1, 4)

    def is_alone(box: Rect) -> bool:
        level = 0 if box[2] - box[0] > box[3] - box[1] else 1  # the axis along which it runs
        same = (np.abs(sides[:, [level, level + 2]] - [box[level], box[level + 2]]) < HAIR).all(axis=1)
        apart = np.maximum(sides[:, 1 - level] - box[3 - level], box[1 - level] - sides[:, 3 - level])
        return (same & (apart < box[3 - level] - box[1 - level])).sum() == 1  # itself: double rules have white between

    return [box for box in images if min(box[2] - box[0], box[3] - box[1]) <= HAIR and is_alone(box)]


def visible(images: Sequence[Raster], space: PageSpace) -> np.ndarray:
    """float64 [n, 4]: the boxes of images in page space, clipped to the page; what lies outside has no area."""
    return space.on_page([image.box for image in images])


def see_through(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, images: Sequence[Raster]) -> list[Raster]:
    """Return the images, those that are mostly transparent as such. Only the largest are looked at: masks are applied
    when pdfium renders an image, so it is rendered."""
    areas = [(right - left) * (top - bottom) for (left, bottom, right, top), *_ in images]
    result = list(images)
    for index in sorted(range(len(areas)), key=lambda i: -areas[i])[:MAX_RENDERED]:
        clear = images[index].clear or _mostly_clear(document, page, images[index].handle)
        result[index] = images[index]._replace(clear=clear)
    return result


def _mostly_clear(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, handle: int) -> bool:
    import pypdfium2
    from pypdfium2 import raw

    image = ctypes.cast(handle, raw.FPDF_PAGEOBJECT)
    bitmap = raw.FPDFImageObj_GetRenderedBitmap(document.raw, page.raw, image)
    if not bitmap:
        return False
    wrapped = pypdfium2.PdfBitmap.from_raw(bitmap)
    wrapped.warn_on_close = False  # nothing outlives it: only a mean leaves this function
    try:
        pixels = wrapped.to_numpy()
        return pixels.ndim == 3 and pixels.shape[2] == 4 and float(np.mean(pixels[:, :, 3] > 127)) < OPAQUE
    finally:
        wrapped.close()


def drawings(shapes: Shapes, space: PageSpace) -> np.ndarray:
    """Return float32 [n, 4] on the page: where paths with curves and slants lie close together, as in plots."""
    if not any(shapes.curves):
        return np.zeros((0, 4), np.float32)
    import cv2

    width, height = space.size
    boxes, curves = space.on_page(shapes.parts), np.array(shapes.curves)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept = areas < SHEET * width * height
    boxes, curves = boxes[kept], curves[kept]
    scale = 2 / NEAR  # cells: parts that are apart by less touch once each has grown by half of it
    cells = np.zeros((int(height * scale) + 2, int(width * scale) + 2), np.uint8)
    for x0, y0, x1, y1 in np.floor(boxes * scale).astype(int):
        cells[y0 : y1 + 2, x0 : x1 + 2] = 1
    _, labels = cv2.connectedComponents(cells, connectivity=8)
    corners = np.floor(boxes[:, :2] * scale).astype(int)
    of = labels[corners[:, 1], corners[:, 0]]
    found = [_extent(boxes[of == label], boxes[(of == label) & curves]) for label in np.unique(of[curves])]
    return np.array([box for box in found if box is not None], np.float32).reshape(-1, 4)


def _extent(parts: np.ndarray, curves: np.ndarray) -> np.ndarray | None:
    whole, drawn = _union(parts), _union(curves)
    area, core = ((box[2] - box[0]) * (box[3] - box[1]) for box in (whole, drawn))
    longest = (curves[:, 2] - curves[:, 0]).max()
    spans = core >= SLIGHT * area or longest >= LONG * (whole[2] - whole[0])
    return whole if spans and area > 0 else None


def _union(boxes: np.ndarray) -> np.ndarray:
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
