"""Frames: boxes that are drawn or tinted on a page, whose contents are read together: cards, sidebars, notes, forms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from docparse.layout.geometry import boxes_of, corners_of
from docparse.layout.tables.cells import strips_of
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage, no_boxes
from docparse.types import Box, union

SMALLEST = 12.0  # points: a line of text with a little air
SAME = 0.9  # of the larger box: the fill of a card and its outline, inner and outer edge
APART = 3.0  # points between two cards; the cells of a table touch, or nearly
FILLED = 0.5  # of the white between two cards: a frame there is the empty cell of a table
LOW = 30.0  # points: a frame for a line or two is the row of a table
SCAN_DPI = 100  # where a hairline is still seen and a page takes 20 ms
NEAR, DARKER = 15, 8  # pixels of the neighbourhood that an edge is darker than, and by how many of 255 grey levels
SEEN, PAGE, FULL = 24.0, 0.8, 0.9  # points of the smallest side; shares of the page, and of its box, that a panel fills
DARK = 110  # of 255: on a page that is darker type is light
TYPE, TINT = 9, 5  # pixels of the strokes of type at most; of 255 grey levels by which a tint differs from the paper
COLOUR = 16  # of 255 by which the channels of a coloured box are apart; those of paper around red type are by 8 to 14
NEXT = 4  # pixels from the side of a tinted box to where its colour, and that of the paper, is even
MIDDLE = 0.1  # of a shape by which words in its middle stand off it
BAR = 9.0  # points: a bar behind one line of small type
SIDEBAR, ALIGNED = 1.0, 0.6  # times its width that a sidebar is high; of its lines that others are level with at most
SPREAD, FOLD = 1.2, 0.04  # times its height that a spread is wide; share of its width that is white in the middle
TEXT, WORDS = 3, 8  # lines of running text on each of its pages, and words of one


def frames_of(panels: np.ndarray) -> list[Box]:
    """Return the frames of a page, in points, each once; `panels` is float32 [n, 4]."""
    large = [box for box in boxes_of(panels) if min(box.width, box.height) > SMALLEST]
    result: list[Box] = []
    for box in sorted(large, key=lambda box: (box.area, box.y0, box.x0)):
        if not any(box.intersection(other) > SAME * box.area for other in result[-8:]):
            result.append(box)
    return result


def panels_from_image(image: PageImage) -> np.ndarray:
    """Return float32 [n, 4], in points: outlines and tinted boxes seen in pixels, no side lower than a line."""
    import cv2

    scale = SCAN_DPI / 72 / image.scale
    gray = cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)
    gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ink = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, NEAR, DARKER)
    ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return _filled(ink, cv2.RETR_LIST, smallest=BAR)


def tinted_from_image(image: PageImage) -> np.ndarray:
    """Return float32 [n, 4], in points: boxes in a page image in another colour than its paper, a line high or more."""
    import cv2

    scale = SCAN_DPI / 72 / image.scale
    pixels = cv2.resize(image.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ground = cv2.medianBlur(cv2.morphologyEx(pixels, cv2.MORPH_CLOSE, np.ones((TYPE, TYPE), np.uint8)), 5)
    if np.median(ground[::8, ::8]) < DARK:
        ground = 255 - ground
    channels = cv2.split(ground)
    darker = np.maximum.reduce([_most_of(channel) - channel for channel in channels])
    colour = np.int16(np.maximum.reduce(channels)) - np.minimum.reduce(channels)
    line = int(BAR * SCAN_DPI / 72)
    boxes = no_boxes()
    for tinted in (darker >= TINT, np.abs(colour - _most_of(colour)) >= COLOUR):  # a shade has the colour of the paper
        mask = cv2.morphologyEx(tinted.astype(np.uint8), cv2.MORPH_OPEN, np.ones((line, line), np.uint8))
        found = _filled(mask, cv2.RETR_EXTERNAL, edge=1)
        seen = (np.abs(found[:, None] - boxes).max(axis=2, initial=0) < APART).any(axis=1)
        boxes = np.concatenate([boxes, found[~seen]])
    return boxes[[_has_edges(ground, box) for box in (boxes * SCAN_DPI / 72).round().astype(int).tolist()]]


def _most_of(channel: np.ndarray) -> np.int16:
    """Return the value, 0..255, that most pixels have."""
    return np.int16(np.bincount(channel.ravel()).argmax())


def _has_edges(ground: np.ndarray, box: Sequence[int]) -> bool:
    """Return whether the colour of a tinted box ends at more than half of its sides, those at the rim of the page not
    counted: that of a shade fades away. `ground` is uint8 [height, width, 3]."""
    steps = []
    for axis, (start, end), (low, high) in ((1, box[::2], box[1::2]), (0, box[1::2], box[::2])):
        strip = np.swapaxes(ground, 0, 1 - axis)[low:high]  # the axis across the side comes second
        for inside, outside in ((start + NEXT, start - NEXT), (end - NEXT, end + NEXT)):
            if 0 <= outside < strip.shape[1]:
                both = np.median(strip[:, [inside, outside]], axis=0)
                steps.append(bool(np.abs(both[0] - both[1]).max() > TINT / 2))
    return 2 * sum(steps) > len(steps)


def _filled(mask: np.ndarray, mode: int, *, smallest: float = 0.0, edge: int = 0) -> np.ndarray:
    """Return float32 [n, 4], in points: the boxes around contours of a mask that fill them, and not the page. No side
    is shorter than `smallest` points; a contour is shorter than its box by `edge` pixels each way."""
    import cv2

    found = []
    for contour in cv2.findContours(mask, mode, cv2.CHAIN_APPROX_SIMPLE)[0]:
        x, y, width, height = cv2.boundingRect(contour)
        fits = min(width, height) > smallest * SCAN_DPI / 72 and width * height < PAGE * mask.size
        if fits and cv2.contourArea(contour) > FULL * (width - edge) * (height - edge):
            found.append((x, y, x + width, y + height))
    return np.array(found, np.float32).reshape(-1, 4) * np.float32(72 / SCAN_DPI)


def bar_edges(panels: np.ndarray, rulings: np.ndarray) -> np.ndarray:
    """Return float32 [k, 4]: the upper and lower edges of the panels, and of rows of them edge to edge, that begin and
    end where two or more level strokes do: the header of a table whose rows are ruled, or the cells under it."""
    panels = np.concatenate([panels, strips_of(panels)])
    x0, y0, x1, y1 = rulings.T
    level = rulings[x1 - x0 > y1 - y0]
    ends = np.abs(level[:, None, [0, 2]] - panels[None, :, [0, 2]]).max(axis=2, initial=0) < APART
    bars = panels[ends.sum(axis=0) > 1]
    upper, lower = bars[:, [0, 1, 2, 1]], bars[:, [0, 3, 2, 3]]
    return np.concatenate([upper, lower]).astype(np.float32)


def cards_of(frames: Sequence[Box], words: Sequence[Word]) -> list[Box]:
    """Frames that stand side by side with nothing but white between them, where no line and no table reaches over two,
    and sidebars. Where such frames are as low as a line or two elsewhere on the page, these are the painted cells of
    rows."""
    x0, y0, x1, y1 = corners_of(word.box for word in words).T
    cards = [frame for frame in frames if _is_sidebar(frame, words)]
    for left, right in permutations((frame for frame in frames if not _is_cell(frame, frames)), 2):
        gap = Box(left.x1, max(left.y0, right.y0), right.x0, min(left.y1, right.y1))
        tall = 0.5 * max(left.height, right.height)
        if gap.width < APART or gap.height < tall or gap.width > min(left.width, right.width):
            continue
        printed = ((x0 < gap.x1) & (x1 > gap.x0) & (y0 < gap.y1) & (y1 > gap.y0)).any()
        if not printed and not any(gap.intersection(frame) > FILLED * gap.area for frame in frames):
            cards += [left, right]
    return list(dict.fromkeys(card for card in cards if card.height > LOW and not _is_row(card, frames)))


def _is_cell(frame: Box, frames: Sequence[Box]) -> bool:
    """Return whether others touch it beside it and over or under it: at most a bar touches a card."""
    beside = any(abs(frame.gap_x(other)) < APART and frame.is_level(other) for other in frames)
    return beside and any(abs(frame.gap_y(other)) < APART and frame.overlap_x(other) > LOW for other in frames)


def _is_row(card: Box, frames: Sequence[Box]) -> bool:
    """Return whether two frames or more between the same sides are low, and no bars on top of higher ones."""
    same = [frame for frame in frames if max(abs(frame.x0 - card.x0), abs(frame.x1 - card.x1)) < 1]
    low = [frame for frame in same if frame.height <= LOW]
    high = [frame for frame in same if frame.height > LOW]
    return sum(all(frame.gap_y(other) > APART for other in high) for frame in low) > 1


def _is_sidebar(frame: Box, words: Sequence[Word]) -> bool:
    """Return whether a frame is far higher than wide, and its lines are at other heights than those beside it, as the
    rows of a tinted column are not."""
    if frame.height < SIDEBAR * frame.width:
        return False
    level = [word for word in words if frame.y0 < word.box.center[1] < frame.y1]
    if any(word.box.x0 < x < word.box.x1 for word in level for x in (frame.x0, frame.x1)):
        return False
    inside, beside = (
        {round(word.baseline) for word in level if frame.holds(*word.box.center) == within} for within in (True, False)
    )
    shared = sum(bool(beside & {y - 1, y, y + 1}) for y in inside)
    return min(len(inside), len(beside)) > TEXT and shared < ALIGNED * len(inside)


def spread_of(page: Box, words: Sequence[Word], rulings: np.ndarray, frames: Sequence[Box] = ()) -> list[Box]:
    """Return the two pages of a spread, the left one first: running text, in none of the `frames` that are cards, on
    both sides of the middle of a wide page, and white between. Else none. `rulings` is float32 [n, 4]."""
    if page.width < SPREAD * page.height:
        return []
    cards = cards_of(frames, words)
    words = [word for word in words if not any(card.holds(*word.box.center) for card in cards)]
    if not words:
        return []
    middle = page.center[0]
    x0, _, x1, _ = corners_of(word.box for word in words).T
    on_left = (x0 + x1) / 2 < middle
    end, start = float(x1[on_left].max(initial=page.x0)), float(x0[~on_left].min(initial=page.x1))
    crossed = ((rulings[:, 0] < end) & (rulings[:, 2] > start)).any()
    if crossed or not end < middle < start or start - end < FOLD * page.width:
        return []
    level = np.array([round(word.baseline) for word in words])
    for side in (on_left, ~on_left):
        if (np.unique(level[side], return_counts=True)[1] >= WORDS).sum() < TEXT:
            return []
    return [Box(page.x0, page.y0, end, page.y1), Box(start, page.y0, page.x1, page.y1)]


def is_badge(box: Box, words: Sequence[Word]) -> bool:
    """Return whether the words in a shape are one line in its middle: the number of a step in a disc, a button."""
    inside = [word for word in words if box.holds(*word.box.center)]
    if not inside or any(abs(word.baseline - inside[0].baseline) > 1 for word in inside):
        return False
    off = [abs(a - b) for a, b in zip(union(word.box for word in inside).center, box.center, strict=True)]
    return off[0] < MIDDLE * box.width and off[1] < MIDDLE * box.height


def parted_by(cards: Sequence[Box], words: Sequence[Word]) -> list[list[Word]]:
    """Return the words of each card, the smallest first, and at last those in none; each in the order given."""
    if not cards:
        return [list(words)] if words else []
    parts: list[list[Word]] = [[] for _ in range(len(cards) + 1)]
    ordered = sorted(cards, key=lambda card: card.area)
    for word in words:
        parts[next((i for i, card in enumerate(ordered) if card.holds(*word.box.center)), -1)].append(word)
    return [part for part in parts if part]
