"""Bullets on a page image: small shapes that OCR leaves out, or takes for a letter, before two or more lines; and boxes
to tick."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.light import contrast, ink_in
from docparse.layout.ocr.ticks import boxes_to_tick
from docparse.layout.text.marks import TICKS, with_marks
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import BULLETS, Box

SMALLEST, LARGEST = 1.5, 12.0  # points
PIXELS = 3  # across at least: fewer have no shape
MOST = 3_000  # of a page: one with more is a halftone
SQUARE = 0.8  # width over height: figures and most letters are narrower
ARROW, DISC = 0.5, 0.4  # height of a filled shape over its width, and share of its box that it covers: arrows are flat
LONG, STROKE = 3.0, 0.8  # the same of a dash
ALIGNED, ALIKE = 1.5, 1.25  # points between left edges, and ratio of sizes, of bullets of one level
SIZE = 0.55  # em: what OCR took for a letter is no bullet where it is larger
TALL = 0.8  # em: what stands closer before a word of its line than a bullet does, and is as high as this, is a letter
FAINT = 0.4  # of the ink that is farthest from its paper: columns of pixels that differ by less hold none
LOW = 0.15  # em above the baseline: the middle of a bullet is higher, that of the full stop before a name in code not
GAP, INSIDE = 0.4, 0.25  # em from a bullet to its text: words stand closer; letters of ours closer than INSIDE
REST = 0.6  # em from a bullet to the end of the word whose box it is in, at least: a gap and a figure
RIM = 0.2  # of a box to tick
DOTS = frozenset("·•●:")  # no line begins with one of them as a letter of its own
MISREAD = DOTS | frozenset("0oO°º.。◦○■□▪-–*>»→➢➤")
DECIMAL = re.compile(r"\d[.,]\d")
BOXES = frozenset("□口☐☑")  # as which boxes to tick are read
# Of a bullet that has no other one like it, em: its height, from there to the middle of small letters, to its words,
# from their margin to that of the lines under them, and to these.
LONE_HEIGHT, LONE_LEVEL, LONE_GAP, LONE_FLUSH, LONE_LEADING = (0.25, 0.6), 0.12, (0.4, 4.0), 0.25, (0.9, 2.0)
MIDDLE = 0.25  # em from the baseline to the middle of small letters
GLUED = MISREAD | {"—"}  # alone before a word it is read rightly


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape that may be a bullet, the index of the word that lies over it, and that word without it: None where it is
    all of the word. `is_told`: OCR saw a dot there."""

    box: Box
    text: str
    word: int | None = None
    rest: Word | None = None
    is_told: bool = False


def with_bullets(words: Sequence[Word], image: PageImage) -> list[Word]:
    """Return the words, with one more for every small shape that stands where a bullet does, before the first word of a
    line, and without those that OCR made of such shapes."""
    marks = _small_shapes(image)
    if not marks or not words:
        return list(words)
    found = list(_shapes_at(words, marks, image))
    company = _has_company([(shape.box, shape.text) for shape in found])
    alone = [shape for shape, is_alone in zip(found, _are_alone_over_text(found, words), strict=True) if is_alone]
    bullets = [
        shape
        for shape, has_company in zip(found, company, strict=True)
        if has_company or shape.is_told or shape in alone
    ]
    over = {shape.word: shape for shape in sorted(bullets, key=lambda shape: shape.box.x1) if shape.word is not None}
    bullets = [shape for shape in bullets if shape.word is None or over[shape.word] is shape]
    rest = [over[i].rest if i in over else word for i, word in enumerate(words)]
    marks = [(shape.box, shape.text) for shape in bullets]
    begin = [at for at, shape in enumerate(bullets) if shape in alone]
    marked = with_marks([word for word in rest if word is not None], marks, begin)
    kept = {word.box for word in marked}
    misread = (words[i] for i, shape in over.items() if shape.rest is None and shape.box not in kept)
    return [*marked, *misread]


def _shapes_at(words: Sequence[Word], marks: Sequence[tuple[Box, str]], image: PageImage) -> Iterator[_Shape]:
    """Yield the shapes that stand beside a word of their line, are one or lie at the head of one."""
    boxes = corners_of(word.box for word in words)
    for box, text in marks:
        x, y = box.center
        level = (boxes[:, 1] <= y) & (y <= boxes[:, 3])
        rim = RIM * box.width if text in TICKS else 0.0  # words beside boxes that they do not show begin at these
        over = level & (boxes[:, 0] < box.x1 - rim) & (box.x0 + rim < boxes[:, 2])
        at = np.flatnonzero(over).tolist()
        after = level & ~over & (boxes[:, 0] > x)
        apart = np.maximum(boxes[:, 0] - box.x1, box.x0 - boxes[:, 2])
        apart = np.where(after if after.any() else level & ~over, apart, np.inf)
        nearest = int(apart.argmin())
        gap, size = apart[nearest], words[nearest].size
        beside = words[at[0] if at else nearest]
        is_told = len(at) == 1 and beside.text[0] in DOTS
        if not level.any() or len(at) > 1 or beside.baseline - y < LOW * beside.size:
            continue
        if not at:
            if text in TICKS or (gap > INSIDE * size and box.height < TALL * size):
                yield _Shape(box, text)
        elif _is_misread(beside, box, text, gap, size):
            yield _Shape(box, text, at[0], None, is_told)
        elif text not in TICKS and (rest := _behind(box, beside, image)) is not None:
            yield _Shape(box, text, at[0], rest, is_told)


def _is_misread(word: Word, shape: Box, text: str, gap: float, size: float) -> bool:
    """A bullet read as a letter: smaller than those of the next word, of `size`, and farther from it than one word is
    from another. Boxes to tick are as large as letters."""
    if text in TICKS:
        return word.text in BOXES and (word.text != "口" or gap > GAP * size)  # else it is a mouth
    return word.text in MISREAD and shape.height < SIZE * size and gap > GAP * size


def _behind(shape: Box, word: Word, image: PageImage) -> Word | None:
    """Return the word without the shape that its box begins with; None where it begins with a letter, or with the
    figure, or a part of it, before a decimal point."""
    if DECIMAL.match(word.text):
        return None
    begins = shape.height <= TALL * word.size and shape.x0 <= word.box.x0 + 0.5 * word.size
    if not begins or word.box.x1 < shape.x1 + REST * word.size:
        return None
    beyond = image.crop(Box(shape.x1 + 1, word.box.y0, word.box.x1, word.box.y1))
    spread = np.ptp(beyond.min(axis=2), axis=0) if beyond.size else np.zeros(0)
    ink = np.flatnonzero(spread > FAINT * spread.max(initial=1))
    start = shape.x1 + 1 + (float(ink[0]) / image.scale if len(ink) else 0.0)
    if start - shape.x1 < (GAP if is_cjk(word.text[0]) else INSIDE) * word.size:
        return None
    text = (word.text[1:] if word.text[0] in GLUED else word.text).lstrip(BULLETS) or word.text
    return msgspec.structs.replace(word, text=text, box=Box(start, word.box.y0, word.box.x1, word.box.y1))


def _small_shapes(image: PageImage) -> list[tuple[Box, str]]:
    """Connected ink that is as small as a bullet and shaped like one, and boxes to tick, in points."""
    far = contrast(image)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink_in(far), connectivity=8)
    _, _, wide, high, area = stats.T
    shorter, longer, full = np.minimum(wide, high), np.maximum(wide, high), area / (wide * high)
    middle = labels[stats[:, 1] + high // 2, stats[:, 0] + wide // 2]
    small = (longer >= SMALLEST * image.scale) & (longer <= LARGEST * image.scale)
    stout = (wide >= SQUARE * high) & (shorter >= max(SMALLEST * image.scale, PIXELS))
    ring = stout & (high >= SQUARE * wide) & (middle != np.arange(len(stats)))
    disc, dash = stout & (high >= ARROW * wide) & (full >= DISC), (wide >= LONG * high) & (full >= STROKE)
    kind = np.select([small & fits for fits in (ring, disc, dash)], ["◦", "•", "–"], "")
    found = np.flatnonzero(kind[1:]) + 1
    if len(found) > MOST:
        return []
    boxes = boxes_to_tick(far, image.scale)
    edges = np.concatenate([stats[:, :2], stats[:, :2] + stats[:, 2:4]], axis=1) / image.scale
    others = ((Box(*edges[i].tolist()), str(kind[i])) for i in found.tolist())
    return [*boxes, *(each for each in others if not any(each[0].inside(box) > 0.5 for box, _ in boxes))]


def _are_alone_over_text(shapes: Sequence[_Shape], words: Sequence[Word]) -> Iterator[bool]:
    """Yield whether each shape is the bullet of a list's only item: a disc before the first line of a paragraph, over
    others that begin where its words do."""
    firsts = [word for word in words if word.begins and not word.angle]
    x0, baseline, size = np.array([(word.box.x0, word.baseline, word.size) for word in firsts]).reshape(-1, 3).T
    for shape in shapes:
        box, y = shape.box, shape.box.center[1]
        margin = np.where(np.abs(baseline - MIDDLE * size - y) < LONE_LEVEL * size, x0 - box.x1, np.inf)
        if shape.text != "•" or shape.word is not None or not np.isfinite(margin.min(initial=np.inf)):
            yield False
            continue
        own = int(np.where(margin > 0, margin, np.inf).argmin())
        em, down = size[own], baseline - baseline[own]
        flush = np.abs(x0 - x0[own]) < LONE_FLUSH * em
        under, over = (flush & _within(way * down / em, LONE_LEADING) for way in (1, -1))
        fits = _within(box.height / em, LONE_HEIGHT) and _within(margin[own] / em, LONE_GAP)
        yield bool(fits and under.any() and not over.any())


def _within(values: np.ndarray, ends: tuple[float, float]) -> np.ndarray:
    return (values > ends[0]) & (values < ends[1])


def _has_company(marks: Sequence[tuple[Box, str]]) -> list[bool]:
    """Return whether another shape like it stands under or over each, beside a box to tick too: a speck of dirt is
    alone, but for the dots of letters and stops."""
    x0 = np.array([box.x0 for box, _ in marks])
    size = np.array([max(box.width, box.height) for box, _ in marks])
    kinds = np.array([text for _, text in marks])

    def has_company(i: int) -> bool:
        ratio = np.maximum(size / size[i], size[i] / size)
        under = (np.abs(x0 - x0[i]) < ALIGNED) & (kinds == kinds[i])
        like = np.isin(kinds, list(TICKS)) if kinds[i] in TICKS else under
        return int((like & (ratio < ALIKE)).sum()) > 1

    return [has_company(i) for i in range(len(marks))]
