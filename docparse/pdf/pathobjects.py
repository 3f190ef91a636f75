"""Path objects as pdfium tells them: how they are painted, their segments, and what clip paths leave of any object.

It is asked one thing of all paths at once: each question by itself costs more than its answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from docparse.pdf.native import Handles, ask, fill, native
from docparse.pdf.objects import IDENTITY, Matrix, Rect, colors_of, multiply, within

WHITE = 250  # each channel of a colour nobody sees on paper
CLEAR = 16  # alpha below which nothing is seen
THIN = 3.0  # points: a filled box thinner than this is a ruling
SHORT = 16  # segments: a longer path is read only where it is no drawing
LINE, BEZIER, MOVE = 0, 1, 2  # FPDF_SEGMENT_*
EVERYWHERE = (-np.inf, -np.inf, np.inf, np.inf)
SEGMENTS = 64  # of a clip path that are looked at
CLIPS = 4  # clip paths around one object that are looked at


@dataclass(frozen=True, slots=True)
class Path:
    """A path object: `count` segments, `filled` or `stroked` with something that is seen; `fill` is the colour (red,
    green, blue, alpha) of one that is filled at all, `order` the paint position. `box` (None: unknown) and `matrix` are
    in user space. `segments` are those of a short one, None else."""

    handle: int
    order: int
    count: int
    fill: tuple[int, int, int, int] | None
    filled: bool
    stroked: bool
    box: Rect | None
    matrix: Matrix
    segments: Segments | None

    @property
    def is_seen(self) -> bool:
        return self.filled or self.stroked

    @property
    def first_kinds(self) -> list[int]:
        """Return the kinds of segments 1 to 4; segment 0 moves to the start."""
        pdf = native()
        return [pdf.PathSegment_GetType(pdf.Path_GetPathSegment(self.handle, index)) for index in range(1, 5)]

    def read(self) -> Segments:
        if self.segments is not None:
            return self.segments
        return _segments(Handles([self.handle]), [self.count], [self.matrix])[0]


@dataclass(frozen=True, slots=True)
class Segments:
    """The kind of each segment, the point where it ends, and whether it closes its subpath."""

    kinds: list[int]
    points: list[tuple[float, float]]
    closes: list[bool]


def paths_of(objects: Sequence[tuple[int, Matrix, int]]) -> list[Path]:
    """Return the path objects, each given by its handle, the matrix of the forms around it, and its paint position."""
    pdf = native()
    handles = Handles(handle for handle, _, _ in objects)
    counts = ask(pdf.Path_CountSegments, np.int64, handles)
    mode = np.zeros((len(handles), 2), np.int32)
    counts[~fill(pdf.Path_GetDrawMode, mode, handles)] = 0
    fills = colors_of(pdf.PageObj_GetFillColor, handles)
    filled = (mode[:, 0] != 0) & _seen(fills)
    stroked = (mode[:, 1] != 0) & _seen(colors_of(pdf.PageObj_GetStrokeColor, handles))
    values = np.zeros((len(handles), 4), np.float32)
    known = fill(pdf.PageObj_GetBounds, values, handles)
    own = np.tile(np.array(IDENTITY, np.float32), (len(handles), 1))
    fill(pdf.PageObj_GetMatrix, own, handles)
    outers = [outer for _, outer, _ in objects]
    boxes = _seen_of(map(within, values.tolist(), outers), left_by_clips(handles, outers))
    matrices = [multiply(tuple(matrix), outer) for matrix, outer in zip(own.tolist(), outers, strict=True)]
    thick = (values[:, 2:] - values[:, :2]).min(axis=1, initial=np.inf) > THIN
    short = np.flatnonzero((counts > 1) & (counts <= SHORT) & (stroked | (filled & thick))).tolist()
    chosen = Handles([])
    chosen.extend(handles[k] for k in short)
    segments = dict(zip(short, _segments(chosen, counts[short].tolist(), [matrices[k] for k in short]), strict=True))
    colors = [tuple(color) if how else None for color, how in zip(fills.tolist(), mode[:, 0].tolist(), strict=True)]
    columns = zip(counts.tolist(), filled.tolist(), stroked.tolist(), known.tolist(), strict=True)
    return [
        Path(handle, order, count, colors[k], fill, stroke, boxes[k] if sure else None, matrices[k], segments.get(k))
        for k, ((handle, _, order), (count, fill, stroke, sure)) in enumerate(zip(objects, columns, strict=True))
    ]


def _seen_of(boxes: Iterable[Rect], clips: np.ndarray) -> list[Rect | None]:
    """Return what clip boxes leave of boxes, None where that is nothing: plots are drawn on beyond their axes, and
    cut."""
    whole = np.array(list(boxes), np.float64).reshape(-1, 4)
    seen = np.hstack([np.maximum(whole[:, :2], clips[:, :2]), np.minimum(whole[:, 2:], clips[:, 2:])])
    return [tuple(box) if box[0] <= box[2] and box[1] <= box[3] else None for box in seen.tolist()]


def spread_points(paths: Sequence[Path], count: int) -> np.ndarray:
    """Return float32 [n, count, 2]: of each path, points of segments (those that curves bend to among them) spread
    evenly over all it has, the first among them, as the path object has them."""
    pdf = native()
    handles, numbers = Handles([]), []
    for path in paths:
        handles.extend(Handles([path.handle]) * count)
        numbers += [path.count * part // count for part in range(count)]
    points = np.zeros((len(numbers), 2), np.float32)
    fill(pdf.PathSegment_GetPoint, points, ask(pdf.Path_GetPathSegment, np.uint64, handles, numbers).tolist())
    return points.reshape(-1, count, 2)


def _segments(handles: Handles, counts: Sequence[int], matrices: Sequence[Matrix]) -> list[Segments]:
    pdf = native()
    of_each = Handles([])
    of_each.extend(handle for handle, count in zip(handles, counts, strict=True) for _ in range(count))
    numbers = [index for count in counts for index in range(count)]
    found = Handles(ask(pdf.Path_GetPathSegment, np.uint64, of_each, numbers).tolist())
    kinds = ask(pdf.PathSegment_GetType, np.int64, found).tolist()
    closes = ask(pdf.PathSegment_GetClose, bool, found).tolist()
    points = np.zeros((len(found), 2), np.float32)
    fill(pdf.PathSegment_GetPoint, points, found)
    x, y = points.astype(np.float64).T
    a, b, c, d, e, f = np.repeat(np.array(matrices).reshape(-1, 6), np.array(counts, np.int64), axis=0).T
    placed = list(zip((a * x + c * y + e).tolist(), (b * x + d * y + f).tolist(), strict=True))
    ends = list(accumulate(counts, initial=0))
    return [Segments(kinds[i:k], placed[i:k], closes[i:k]) for i, k in pairwise(ends)]


def _seen(colors: np.ndarray) -> np.ndarray:
    """Return bool [n]: colours, int32 [n, 4], that are seen on paper; a pattern is."""
    return (colors[:, 3] >= CLEAR) & (colors[:, :3].min(axis=1, initial=WHITE) < WHITE)


def left_by_clips(objects: Handles, outers: Sequence[Matrix]) -> np.ndarray:
    """Return float64 [n, 4] in user space: left, bottom, right and top of what clip paths leave of each object at most;
    infinite without any. `outers` are the matrices of the forms around the objects."""
    pdf = native()
    left = np.tile(np.array(EVERYWHERE), (len(objects), 1))
    clips = ask(pdf.PageObj_GetClipPath, np.uint64, objects)
    counts = ask(pdf.ClipPath_CountPaths, np.int64, clips.tolist())
    numbers: dict[Matrix, int] = {}
    outer = np.array([numbers.setdefault(matrix, len(numbers)) for matrix in outers], np.int64)
    for index in range(min(CLIPS, int(counts.max(initial=0)))):
        chosen = np.flatnonzero(counts > index)
        firsts = ask(pdf.ClipPath_GetPathSegment, np.uint64, clips[chosen].tolist(), index, 0)
        keys = np.stack([firsts.astype(np.int64), outer[chosen]], axis=1)
        _, speaker, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)  # many share a clip path
        box = np.array([_clip_box(int(clips[k]), index, outers[k]) for k in chosen[speaker].tolist()])[which.ravel()]
        left[chosen, :2] = np.maximum(left[chosen, :2], box[:, :2])
        left[chosen, 2:] = np.minimum(left[chosen, 2:], box[:, 2:])
    return left


def _clip_box(clip: int, index: int, outer: Matrix) -> Rect:
    """Return the box around one of the paths of a clip path under the forms' matrix `outer`, infinite for a drawing."""
    pdf = native()
    count = pdf.ClipPath_CountPathSegments(clip, index)
    if not 0 < count <= SEGMENTS:
        return EVERYWHERE
    points = np.zeros((count, 2), np.float32)
    segments = [pdf.ClipPath_GetPathSegment(clip, index, segment) for segment in range(count)]
    fill(pdf.PathSegment_GetPoint, points, segments)
    return within([*points.min(axis=0).tolist(), *points.max(axis=0).tolist()], outer)
