"""Rulings: found on scans as long thin strokes, made tidy (collinear strokes joined, horizontals and verticals apart),
and the lattices they form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box, union

TOUCH = 2.5  # points; strokes nearer than this meet
COVERED = 0.5  # of a stroke in an image that those of the file lie on, where it is that one
TAB = 2.5  # em between words that one stroke underlines: the cells of a row are farther apart
THICKEST, COMMON_LENGTH = 2.5, 842.0  # points: of strokes, on a page as long as A4
SHORTEST, LEAST = 24.0, 6.0  # points: of strokes seen in pixels, and of those of a file
DARK = 110  # of 255: a page that is darker has light strokes
DARKER = 12  # of 255: by so much a stroke is darker than what is on both sides of it
SIDE, PALER = 2, 8  # pixels beside a stroke from which on the page is paler than it, and by how many of 255 at least
TINT = 14  # of 255: by so much the cells of a table are darker than the light strokes between them
TINTED_STEP, TINTED = 4, 0.02  # pixels from one that is looked at to the next, and share of these on a tint, at least
MOSTLY_TINTED = 0.8  # of the pixels beside a light stroke
DROP = 0.25  # em from a baseline down to the stroke that underlines its words

Stroke = tuple[float, float, float, float]
"""Its ends in pixels of an image: x0, y0, x1, y1."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A stroke: `at` is its y (x for a vertical one), `lo` and `hi` its ends in the other direction."""

    at: float
    lo: float
    hi: float

    @property
    def length(self) -> float:
        return self.hi - self.lo


def rulings_from_image(image: PageImage) -> np.ndarray:
    """Horizontal and vertical strokes of an image, float32 [n, 4] (x0, y0, x1, y1) in points: dark ones, and light ones
    between tinted cells.

    A slant of up to about one degree is tolerated: strokes are opened in stretches and stretches of one stroke joined
    again. On a page larger than usual strokes are thicker.
    """
    import cv2

    gray = cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)
    if np.median(gray[::8, ::8]) < DARK:
        gray = 255 - gray
    ground = cv2.dilate(gray[::TINTED_STEP, ::TINTED_STEP], np.ones((5, 5), np.uint8))
    tinted = (ground < int(np.median(ground)) - TINT).mean() > TINTED
    light = _strokes_in(cv2, 255 - gray, image, among_cells=True) if tinted else []
    strokes = [*_strokes_in(cv2, gray, image), *_of_rows(light)]
    return np.array(strokes, np.float32).reshape(-1, 4) / image.scale


def _of_rows(strokes: Sequence[Stroke]) -> Sequence[Stroke]:
    """Return the strokes between rows and columns; none where some run down, but none past two rows, alone or with
    others in its line: the parts of bars, and tiles, end at other places in the next row."""
    level = sorted(y0 for x0, y0, x1, y1 in strokes if x1 - x0 > y1 - y0)
    steps = [b - a for a, b in pairwise(level) if b - a > TOUCH]
    down = [(x0, y1 - y0) for x0, y0, x1, y1 in strokes if x1 - x0 <= y1 - y0]
    longest = max((sum(high for other, high in down if abs(other - x) < TOUCH) for x, _ in down), default=0.0)
    return strokes if not down or (steps and longest > 2 * median(steps)) else ()


def _strokes_in(cv2, gray: np.ndarray, image: PageImage, *, among_cells: bool = False) -> list[Stroke]:
    """The dark strokes of a grey image, all or those `among_cells` that are paler."""
    enlarged = max(1.0, max(gray.shape) / image.scale / COMMON_LENGTH)
    ink = cv2.adaptiveThreshold(gray, 1, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, DARKER)
    found: list[Stroke] = []
    for horizontal in (True, False):
        mask, shade = (ink, gray) if horizontal else (np.ascontiguousarray(ink.T), np.ascontiguousarray(gray.T))
        across = int(THICKEST * enlarged * image.scale)
        strokes = _strokes(cv2, mask, image.scale, THICKEST * enlarged)
        rims = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((across + 1, int(SHORTEST * image.scale)), np.uint8))
        if not strokes and not rims.any():
            continue
        depth = cv2.morphologyEx(shade, cv2.MORPH_BLACKHAT, np.ones((2 * across + 1, 1), np.uint8))
        drawn = cv2.morphologyEx((depth > DARKER).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((1, across), np.uint8))
        if rims.any():  # of bars, which count as ink beside paler cells; strokes along them are darker than both
            on_rims = ((depth > DARKER) & (rims > 0)).astype(np.uint8)
            strokes += _strokes(cv2, on_rims, image.scale, THICKEST * enlarged)
        for x, y, width, height in strokes:
            parts = not among_cells or _parts_cells(shade, x, y, width, height, across)
            if not parts or _is_on_bar(shade, x, y, width, height):
                continue
            start, end = _extended(drawn[y : y + height], x, x + width)
            line = (start, y + height / 2, end, y + height / 2)
            found.append(line if horizontal else (line[1], line[0], line[3], line[2]))
    return found


def _parts_cells(shade: np.ndarray, x: int, y: int, width: int, height: int, off: int) -> bool:
    """Return whether nearly all pixels so far `off` both sides of a stroke are paler than it: beside a light stroke on
    tinted cells, here seen dark on pale ones; beside the white between two lines of text stands more paper."""
    near = shade[:, x : x + width].astype(np.int16)
    along, columns = y + near[y : y + height].argmin(axis=0), np.arange(near.shape[1])
    limit = near[along, columns] + TINT
    beside = (np.clip(along + step, 0, len(shade) - 1) for step in (-off, off))
    return all((near[rows, columns] > limit).mean() > MOSTLY_TINTED for rows in beside)


def with_those_drawn(rulings: np.ndarray, image: PageImage) -> np.ndarray:
    """Return the strokes of a file and, behind them, those in its image that are none of them, float32 [n, 4]: a scan
    may have a stamp with a stroke of its own."""
    seen = rulings_from_image(image)
    if not len(rulings) or not len(seen):
        return seen if len(seen) else rulings
    kept = [stroke for stroke in seen if not _is_covered(stroke, rulings)]
    return np.concatenate([rulings, kept]) if kept else rulings


def _is_covered(stroke: np.ndarray, rulings: np.ndarray) -> bool:
    """Return whether strokes along the same line cover most of one, float32 [4] and [n, 4]."""
    across = int(stroke[2] - stroke[0] > stroke[3] - stroke[1])  # the axis across the stroke
    flat = rulings[:, 2 + across] - rulings[:, across] < rulings[:, 3 - across] - rulings[:, 1 - across]
    near = rulings[flat & (np.abs(rulings[:, across] - stroke[across]) < TOUCH)]
    start, end = stroke[1 - across], stroke[3 - across]
    covered, reached = 0.0, start
    for low, high in sorted(near[:, [1 - across, 3 - across]].tolist()):
        covered += max(0.0, min(high, end) - max(low, reached))
        reached = max(reached, high)
    return bool(covered > COVERED * (end - start))


def _extended(drawn: np.ndarray, start: int, end: int) -> tuple[int, int]:
    """Return where a stroke begins and ends that is `drawn`, uint8, in its rows farther than from `start` to `end`:
    type near it makes the mean of the place as dark as a pale one."""
    bare = np.flatnonzero(~drawn.any(axis=0))
    before, behind = np.searchsorted(bare, (start, end)).tolist()
    first = int(bare[before - 1]) + 1 if before else 0
    last = int(bare[behind]) if behind < len(bare) else drawn.shape[1]
    return min(start, first), max(end, last)


def _strokes(cv2, mask: np.ndarray, scale: float, thickest: float) -> list[tuple[int, int, int, int]]:
    """Boxes (x, y, width, height) in pixels of the horizontal strokes of a binary image."""
    piece = max(9, int(0.5 * SHORTEST * scale))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, (piece, 1)))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, (piece // 2, 3)))
    count, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    boxes = []
    for x, y, width, height, area in stats[1:count].tolist():
        thickness = area / max(width, 1)
        slack = 3.0 * scale + 0.02 * width
        if width >= SHORTEST * scale and thickness <= thickest * scale and height <= slack:
            boxes.append((x, y, width, height))
    return boxes


def _is_on_bar(gray: np.ndarray, x: int, y: int, width: int, height: int) -> bool:
    """Return whether it is as dark on one side of a stroke as on it: the rim of a bar, or the dark between words on
    one."""
    across = gray[:, x : x + width]
    stroke = float(np.median(across[y : y + height].min(axis=0)))
    beside = (across[max(0, y - height - SIDE) : max(0, y - SIDE)], across[y + height + SIDE : y + 2 * height + SIDE])
    return any(side.size > 0 and float(np.median(side)) < stroke + PALER for side in beside)


def split_rules(rulings: np.ndarray) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical rules, collinear pieces joined, double rules made one; both sorted by position."""
    rulings = np.asarray(rulings, float).reshape(-1, 4)
    x0, x1 = np.minimum(rulings[:, 0], rulings[:, 2]), np.maximum(rulings[:, 0], rulings[:, 2])
    y0, y1 = np.minimum(rulings[:, 1], rulings[:, 3]), np.maximum(rulings[:, 1], rulings[:, 3])
    wide, tall = x1 - x0, y1 - y0
    flat = (wide >= tall) & (tall <= 3.5)
    steep = (tall > wide) & (wide <= 3.5)
    horizontal = _join(np.stack([(y0 + y1) / 2, x0, x1], 1)[flat])
    vertical = _join(np.stack([(x0 + x1) / 2, y0, y1], 1)[steep])
    return [r for r in horizontal if r.length >= LEAST], [r for r in vertical if r.length >= LEAST]


def _join(strokes: np.ndarray) -> list[Rule]:
    """Join strokes (at, lo, hi) that lie on one line and touch; a double rule is one between the two, so that what
    touches either of them touches it."""
    strokes = strokes[np.lexsort((strokes[:, 1], strokes[:, 0]))]
    rules: list[list[float]] = []  # first and last at, lo, hi
    passed = 0  # by the sweep
    for at, lo, hi in strokes.tolist():
        while passed < len(rules) and at - rules[passed][0] > TOUCH:
            passed += 1
        for rule in rules[passed:]:
            if lo <= rule[3] + TOUCH and hi >= rule[2] - TOUCH:
                rule[1:] = at, min(lo, rule[2]), max(hi, rule[3])
                break
        else:
            rules.append([at, at, lo, hi])
    found = [Rule((first + last) / 2, lo, hi) for first, last, lo, hi in rules]
    return sorted(found, key=lambda r: (r.at, r.lo))


def components(horizontal: list[Rule], vertical: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Groups of rules that cross or touch each other, as (horizontals, verticals) pairs."""
    if not horizontal or not vertical:
        return []
    h = np.array([(r.at, r.lo, r.hi) for r in horizontal])
    x, top, bottom = np.array([(r.at, r.lo, r.hi) for r in vertical]).T
    y, left, right = h.T[:, :, None]
    meet = (x >= left - TOUCH) & (x <= right + TOUCH) & (y >= top - TOUCH) & (y <= bottom + TOUCH)
    group = np.where(meet.any(axis=1), np.arange(len(h)), len(h))
    while True:  # every rule takes the least number among those it meets, until none changes
        across = np.where(meet, group[:, None], len(h)).min(axis=0)
        least = np.minimum(group, np.where(meet, across, len(h)).min(axis=1))
        if (least == group).all():
            break
        group = least
    return [
        ([horizontal[i] for i in np.flatnonzero(group == g)], [vertical[i] for i in np.flatnonzero(across == g)])
        for g in np.unique(group[group < len(h)]).tolist()
    ]


def extent(horizontal: list[Rule], vertical: list[Rule]) -> Box:
    """Return the box that a set of rules encloses."""
    boxes = [Box(r.lo, r.at, r.hi, r.at) for r in horizontal] + [Box(r.at, r.lo, r.at, r.hi) for r in vertical]
    return union(boxes)


def positions(rules: list[Rule], tolerance: float = TOUCH) -> list[float]:
    """Return the distinct places of rules, nearby ones averaged, sorted."""
    groups = chained(sorted(r.at for r in rules), lambda group, at: at - group[-1] <= tolerance)
    return [sum(group) / len(group) for group in groups]


def without_underlines(rulings: np.ndarray, words: Sequence[Word]) -> np.ndarray:
    """Return the strokes (float [n, 4]) but for those right under the baseline of words, from the first to the last."""
    edges = np.array([(word.box.x0, word.box.x1, word.baseline, word.size) for word in words]).reshape(-1, 4)
    edges = edges[np.argsort(edges[:, 0])]
    return rulings[[not _underlines(stroke, *edges.T) for stroke in rulings.tolist()]]


def _underlines(stroke: list[float], x0: np.ndarray, x1: np.ndarray, baseline: np.ndarray, size: np.ndarray) -> bool:
    """Return whether it ends where words end that stand on it; the words are sorted by their left edges."""
    left, top, right, bottom = stroke
    drop = (top + bottom) / 2 - baseline
    over = (drop > -0.05 * size) & (drop < DROP * size) & (x1 > left) & (x0 < right)
    if not over.any() or abs(x0[over].min() - left) > TOUCH or abs(x1[over].max() - right) > TOUCH:
        return False
    gaps = x0[over][1:] - np.maximum.accumulate(x1[over])[:-1]
    return bool((gaps < TAB * size[over].max()).all())
