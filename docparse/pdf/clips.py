"""What clip paths leave of the objects of a page: the boxes around them, which is all of a rectangle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.pdf.native import Handles, ask, fill, native
from docparse.pdf.objects import Matrix, Rect, within

EVERYWHERE = (-np.inf, -np.inf, np.inf, np.inf)
SEGMENTS = 64  # of a clip path that are looked at
CLIPS = 4  # clip paths around one object that are looked at


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
