"""Text that nobody sees: invisible, transparent, of the colour behind it, covered, clipped, too small, off the page.

What is said of a text object (render mode, colours, paint order, clip path) makes it suspect, and costs next to nothing
to ask. Only the pixels decide, and they are drawn only for a page with suspects: a word under which they show something
is kept, unless visible words account for it. So the text layer of a scan stays, and what somebody hid goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from docparse.pdf.content import PageImage
from docparse.pdf.covers import SAME, Pixels, clip_boxes, read_ground
from docparse.pdf.graphics import Painted, visible
from docparse.pdf.native import native
from docparse.pdf.objects import UNKNOWN, colors_of
from docparse.pdf.pathobjects import CLEAR
from docparse.pdf.space import PageSpace
from docparse.pdf.textlayer import INVISIBLE, RawText, slanted
from docparse.pdf.triage import PAGE_SIZED, image_area

ILLEGIBLE = 1.0  # points of type on a page of common size; footnotes of maps have 3
COMMON_LENGTH = 792.0  # points: the long side of a US letter page, on which smaller pages are read
CUT = 1 / 6  # how far beyond the edge of the page the middle of a character may be, in its extents
MAX_IMAGES = 200  # of a page that are asked whether text lies on them
STROKING, FILLING = (1, 2, 5, 6), (2, 6)  # text render modes
CLIP_ONLY = 7  # text render mode: adds to the clip path and paints nothing
ALIKE = 2.5  # ratio of sizes of type within which visible words can account for the ink at others
# Heights that a word's ink may stand off its box: layers of scans do, those of other pictures hardly, others do not.
ON_SCAN, ON_IMAGE, WITHIN = 0.5, 0.0, -0.2
EXPLAINED = 0.5  # share of a word's box under visible words that do
LONGEST = 40  # characters looked at together
ALL = 0.95  # share of the pixels at a character that have its own colour, where it is not seen
EXPLAINED_SHARE = 0.25  # the same where visible words stand in its place


@dataclass(frozen=True, slots=True)
class _Marks:
    """The k characters that should leave a mark: `at` is their index among all, `run` that of the text object, `x` and
    `y` the middle of their box in page space, `order` the paint position, `color` int32 [k, 4] of the glyphs (red,
    green, blue, alpha), `size` of the type in points."""

    at: np.ndarray
    run: np.ndarray
    x: np.ndarray
    y: np.ndarray
    order: np.ndarray
    color: np.ndarray
    size: np.ndarray


@dataclass(frozen=True, slots=True)
class _Words:
    """Suspects: `mark` int64 [s] are indices of marks, `word` int64 [s] their words, `box` float64 [w, 4] theirs."""

    mark: np.ndarray
    word: np.ndarray
    box: np.ndarray

    def of_marks(self, told: np.ndarray, count: int) -> np.ndarray:
        """Return bool [count]: what is `told` of the suspects, bool [s], and False for other marks."""
        result = np.zeros(count, bool)
        result[self.mark] = told
        return result


def find_hidden(raw: RawText, painted: Painted, space: PageSpace, draw: Callable[[], PageImage] | None) -> np.ndarray:
    """Return bool [n]: the characters of `raw` that nobody sees, and the spaces between them.

    `draw` renders the page in `space` at some 60 dpi; it is called only if there is something to look at. Without it
    (None) text that is not painted goes unless it is most of the page, as in a scan, and the colours decide nothing.
    """
    marks = _marks(raw, painted, space)
    gone = _off_page(raw, marks, space) | _too_small(raw, space)[marks.run]
    color, order = read_ground(painted, space).at(marks.x, marks.y)
    unpainted = _unpainted(raw, painted, marks, space) | (marks.order < order)
    suspects = (unpainted | _like(marks, color)) & ~gone
    if draw is None:
        gone |= unpainted & (unpainted.mean() < 0.5 if len(unpainted) else False)
    elif suspects.any():
        pixels, box = Pixels(draw()), space.boxes(raw.box[marks.at])
        seen = ~(suspects | gone | slanted(raw)[marks.run])
        seen &= marks.size < ALIKE * float(np.median(marks.size[suspects]))
        bare, alike = suspects & unpainted, suspects & ~unpainted
        if bare.any():
            gone |= _without_ink(_words(marks, box, bare), box[seen], _margins(marks, painted, space), pixels)
        if alike.any():
            gone |= _ground_shows(marks, _words(marks, box, alike), box, box[seen], pixels)
    return _with_spaces(len(raw), marks.at, gone)


def _marks(raw: RawText, painted: Painted, space: PageSpace) -> _Marks:
    at = np.flatnonzero(raw.inked)
    run, box = raw.run[at], raw.box[at]
    x, y = space.points((box[:, :2] + box[:, 2:]) / 2).T
    return _Marks(at, run, x, y, painted.orders(raw.handle)[run], _colors(raw)[run], raw.size[run])


def _colors(raw: RawText) -> np.ndarray:
    """int32 [m, 4]: what the glyphs of each text object are painted with."""
    colors = raw.color.copy()
    stroked = np.flatnonzero(np.isin(raw.mode, STROKING))
    if len(stroked):
        lines = colors_of(native().PageObj_GetStrokeColor, raw.handle[stroked].tolist())
        filled = np.isin(raw.mode[stroked], FILLING)
        outlined = filled & (np.abs(lines - colors[stroked]).max(axis=1) > SAME)
        lines[outlined, :3] = UNKNOWN  # two colours: one of them is seen
        colors[stroked] = lines
    return colors


def _off_page(raw: RawText, marks: _Marks, space: PageSpace) -> np.ndarray:
    """bool [k]: marks outside the visible page; of one on its edge a third must be seen."""
    left, bottom, right, top = raw.box[marks.at].T
    x, y = (left + right) / 2, (bottom + top) / 2
    wide, high = CUT * (right - left), CUT * (top - bottom)
    across = (x < space.left - wide) | (x > space.right + wide)
    return across | (y < space.bottom - high) | (y > space.top + high)


def _too_small(raw: RawText, space: PageSpace) -> np.ndarray:
    """bool [m]: type that is too low or too narrow to read; on a page smaller than usual the limit is lower too."""
    limit = ILLEGIBLE * min(1.0, max(space.size) / COMMON_LENGTH)
    named = raw.of_objects(lambda style: bool(style.name))  # Type 3 fonts have units of their own
    return named & (raw.size > 0) & (np.minimum(raw.size, raw.size_along()) < limit)


def _unpainted(raw: RawText, painted: Painted, marks: _Marks, space: PageSpace) -> np.ndarray:
    """bool [k]: marks that are not painted, or wholly clipped away."""
    unseen = (raw.mode == INVISIBLE) | (raw.mode == CLIP_ONLY)
    if painted.faint:
        unseen |= np.isin(raw.handle, np.fromiter(painted.faint, np.uint64))
    unseen = unseen[marks.run] | (marks.color[:, 3] < CLEAR)
    left, top, right, bottom = clip_boxes(raw, painted, space)[marks.run].T
    return unseen | (marks.x < left) | (marks.x > right) | (marks.y < top) | (marks.y > bottom)


def _like(marks: _Marks, ground: np.ndarray) -> np.ndarray:
    """bool [k]: marks of the colour of what lies behind them, which is white where it is an image."""
    ground = np.where(ground == UNKNOWN, 255, ground)
    return np.abs(marks.color[:, :3] - ground).max(axis=1) <= SAME


def _margins(marks: _Marks, painted: Painted, space: PageSpace) -> np.ndarray:
    """float64 [k]: how far from a mark its ink may be, in heights."""
    on_image = np.zeros(len(marks.at), bool)
    images = visible(painted.images[:MAX_IMAGES], space)
    for x0, y0, x1, y1 in images.tolist():
        on_image |= (marks.x >= x0) & (marks.x <= x1) & (marks.y >= y0) & (marks.y <= y1)
    scan = len(images) > 0 and image_area(painted, space) >= PAGE_SIZED
    return np.where(on_image, ON_SCAN if scan else ON_IMAGE, WITHIN)


def _words(marks: _Marks, boxes: np.ndarray, suspected: np.ndarray) -> _Words:
    """Suspects that follow each other without a space."""
    suspects = np.flatnonzero(suspected)
    after = np.diff(marks.at[suspects], prepend=-2) != 1
    starts = np.flatnonzero(after)
    place = np.arange(len(suspects)) - np.repeat(starts, np.diff(np.append(starts, len(suspects))))
    starts = np.flatnonzero(after | (place % LONGEST == 0))
    box = boxes[suspects]
    low = np.minimum.reduceat(box[:, :2], starts, axis=0)
    high = np.maximum.reduceat(box[:, 2:], starts, axis=0)
    lengths = np.diff(np.append(starts, len(suspects)))
    return _Words(suspects, np.repeat(np.arange(len(starts)), lengths), np.hstack([low, high]))


def _without_ink(words: _Words, seen: np.ndarray, margins: np.ndarray, pixels: Pixels) -> np.ndarray:
    """bool [k]: suspects in words where the page shows nothing, or nothing but other words (boxes `seen`)."""
    side = (words.box[:, 2:] - words.box[:, :2]).min(axis=1)
    first = words.mark[np.unique(words.word, return_index=True)[1]]
    ink = pixels.has_ink(words.box + (margins[first] * side)[:, None] * [-1, -1, 1, 1])
    gone = ~ink | (pixels.share_under(seen, words.box) >= EXPLAINED)
    return words.of_marks(gone[words.word], len(margins))


def _ground_shows(marks: _Marks, words: _Words, boxes: np.ndarray, seen: np.ndarray, pixels: Pixels) -> np.ndarray:
    """bool [k]: suspects whose box has hardly any other colour than their own."""
    least = np.where(pixels.share_under(seen, words.box) >= EXPLAINED, EXPLAINED_SHARE, ALL)[words.word]
    own = np.zeros(len(words.mark))
    colors, which = np.unique(marks.color[words.mark, :3], axis=0, return_inverse=True)
    for index, color in enumerate(colors):
        of_color = which.ravel() == index
        own[of_color] = pixels.share_of(color, boxes[words.mark[of_color]])
    return words.of_marks(own >= least, len(marks.at))


def _with_spaces(count: int, at: np.ndarray, gone: np.ndarray) -> np.ndarray:
    """bool [count]: the marks that are gone, and whatever stands between two of them or at their end."""
    hidden = np.zeros(count, bool)
    if not gone.any():
        return hidden
    state = np.concatenate([[gone[0]], gone, [gone[-1]]])
    before = np.searchsorted(at, np.arange(count), side="right")  # 0: none
    after = np.searchsorted(at, np.arange(count), side="left") + 1
    return state[before] & state[after]
