"""Clusters: several glyphs that a file says stand for a few characters together ("ActualText").

Browsers write a Thai, Devanagari or Arabic letter with its marks so, and a tall bracket that is put together of pieces.
pdfium gives every text object among these glyphs all the characters again, in boxes that divide the object's ink; here
the characters come once, in their own order, in one box around all the glyphs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from docparse.hyphenation import is_cjk
from docparse.pdf.graphics import Painted
from docparse.pdf.native import ask, native
from docparse.pdf.objects import IDENTITY, Matrix, Rect, bounds, multiply, object_matrix
from docparse.pdf.textlayer import RawText, grows

UTF16 = b"\xfe\xff"  # begins text that is not in Latin letters
DEEPEST = 16  # marks within each other
LONGEST = 12  # UTF-16 units of a cluster; longer text is a word or a line, of which each object may have its own part


@dataclass(slots=True)
class _Cluster:
    """The text of one mark, and the text objects under it, in paint order."""

    text: np.ndarray
    handles: list[int]

    @property
    def is_bracket(self) -> bool:
        return len(self.text) == 1 and len(self.handles) > 1 and bool(grows(self.text)[0])


def with_clusters(raw: RawText, painted: Painted) -> RawText:
    """Return the text with the characters of each cluster once, on the baseline of its first object. What pdfium left
    out of clusters goes from `painted.left_out`: these glyphs repeat nothing."""
    clusters = list(_clusters(painted))
    if not clusters:
        return raw
    own = {handle for cluster in clusters for handle in cluster.handles}
    outer = painted.outer | {handle: matrix for handle, matrix, _ in painted.left_out}
    painted.left_out = [entry for entry in painted.left_out if entry[0] not in own]
    at = {handle: k for k, handle in enumerate(raw.handle.tolist())}
    chars = np.argsort(raw.run, kind="stable")
    first = np.searchsorted(raw.run[chars], np.arange(len(raw.handle) + 1))
    code, box, ink, matrix = raw.code.copy(), raw.box.copy(), raw.ink.copy(), raw.matrix.copy()
    order, gone = np.arange(len(raw), dtype=np.float64), np.zeros(len(raw), bool)
    for cluster in clusters:
        parts = [chars[first[k] : first[k + 1]] for handle in cluster.handles if (k := at.get(handle)) is not None]
        parts = [part[raw.drawn[part]] for part in parts]
        kept = next((part[: len(cluster.text)] for part in parts if len(part) >= len(cluster.text)), None)
        around = _around(cluster, outer, raw.size[raw.run[kept[0]]] if kept is not None else 0.0)
        if kept is None or around is None:
            continue
        gone[np.concatenate(parts)] = True
        gone[kept] = False
        code[kept], box[kept] = cluster.text, around
        if cluster.is_bracket:
            ink[kept] = around
        order[kept] = kept[0] + np.arange(len(kept)) / len(kept)
        matrix[raw.run[kept[0]], 4:] = _origin(cluster, outer)
    settled = replace(raw, code=code, box=box, ink=ink, matrix=matrix)
    return settled.taken(np.argsort(np.where(gone, np.inf, order), kind="stable")[: int((~gone).sum())])


def _clusters(painted: Painted) -> Iterator[_Cluster]:
    """Yield what text objects, in paint order, have in common: the innermost mark around them that has a text."""
    painted_at = [(position, 0, handle) for position, handle in enumerate(painted.order)]
    painted_at += [(before - 1, 1, handle) for handle, _, before in painted.left_out]
    handles = [handle for _, _, handle in sorted(painted_at, key=lambda entry: entry[:2])]
    pdf = native()
    texts: dict[int, np.ndarray] = {}
    members: dict[int, list[int]] = {}
    for handle, count in zip(handles, ask(pdf.PageObj_CountMarks, np.int64, handles).tolist(), strict=True):
        for level in reversed(range(min(count, DEEPEST))):
            mark = pdf.PageObj_GetMark(handle, level)
            if mark not in texts:
                texts[mark] = _text(mark)
            if len(texts[mark]):
                members.setdefault(mark, []).append(handle)
                break
    for mark, own in members.items():
        cluster = _Cluster(texts[mark], own)
        alone = len(cluster.text) == 1 and not (is_cjk(chr(cluster.text[0])) or cluster.is_bracket)
        if 0 < len(cluster.text) <= LONGEST and not alone:
            yield cluster


def _text(mark: int) -> np.ndarray:
    """uint32 [n]: what a mark says its content stands for, in UTF-16 units; none where it is long or not said."""
    key, buffer = ctypes.create_string_buffer(b"ActualText"), ctypes.create_string_buffer(len(UTF16) + 2 * LONGEST)
    size = ctypes.c_ulong()
    places = ctypes.addressof(key), ctypes.addressof(buffer), len(buffer), ctypes.addressof(size)
    if not native().PageObjMark_GetParamBlobValue(mark, *places) or size.value > len(buffer):
        return np.zeros(0, np.uint32)
    said = buffer.raw[: size.value]
    if len(said) == 1:  # a bracket; longer text that is not in UTF-16 is Latin, whose letters are glyphs of their own
        return np.frombuffer(said, np.uint8).astype(np.uint32)
    return np.frombuffer(said[2 : size.value & ~1] if said.startswith(UTF16) else b"", ">u2").astype(np.uint32)


def _around(cluster: _Cluster, outer: dict[int, Matrix], size: float) -> Rect | None:
    """The box around the ink of all its glyphs and the first one's origin; the cell of a Chinese character."""
    boxes = [bounds(handle, outer.get(handle, IDENTITY)) for handle in cluster.handles]
    known = np.array([box for box in boxes if box is not None])
    if not len(known):
        return None
    (left, bottom), (right, top) = known[:, :2].min(axis=0), known[:, 2:].max(axis=0)
    origin = _origin(cluster, outer)[0]
    if len(cluster.text) == 1 and not cluster.is_bracket:
        return origin, bottom, origin + size, top
    return min(left, origin), bottom, right, top


def _origin(cluster: _Cluster, outer: dict[int, Matrix]) -> tuple[float, float]:
    """Return where the first of its glyphs begins, on the baseline."""
    first = cluster.handles[0]
    return multiply(object_matrix(first), outer.get(first, IDENTITY))[4:]
