"""The light on a page: photos of pages lie in it unevenly, under lamps and shadows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from docparse.layout.ocr.detector import LineBox
from docparse.pdf.content import PageImage

REACH = 40.0  # points: of the pixels as near as that most are paper
STROKE = 4.0  # points: letters have no wider ones
SHADE = 0.8  # of the light on the best lit lines, on the worst lit ones: scanners light a page more evenly
DARK = 0.4  # of that light: darker paper lies in no shadow, but is a bar, a panel or a dark slide


def _paper_of(gray: np.ndarray, scale: float) -> np.ndarray:
    """The paper behind the ink, uint8 like `gray`, of a page image of `scale` pixels a point."""
    step = max(1, round(REACH * scale / 10))
    size = [max(1, round(side / step)) for side in gray.shape[::-1]]
    small = cv2.resize(gray, size, interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.medianBlur(small, 21), gray.shape[::-1], interpolation=cv2.INTER_LINEAR)


@lru_cache(maxsize=1)  # boxes to tick, initials and bullets are looked for on one page, one after the other
def contrast(image: PageImage) -> np.ndarray:
    """Return uint8 [height, width]: how far pixels are from their paper in the colour in which they are farthest, 255
    where they cannot be further. Orange on white, or red on dark green, differs little in how bright it is."""
    return np.maximum.reduce([_contrast(colour, image.scale) for colour in cv2.split(image.pixels)])


def ink_in(far: np.ndarray) -> np.ndarray:
    """Return uint8 [height, width]: 255 for what is nearer to the ink that is farthest from its paper than to paper;
    `far` is the `contrast` of a page."""
    return cv2.threshold(far, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]


def _contrast(colour: np.ndarray, scale: float) -> np.ndarray:
    paper = _paper_of(colour, scale)
    return cv2.divide(cv2.absdiff(colour, paper), cv2.max(paper, cv2.bitwise_not(paper)), scale=255)


def evenly_lit(image: PageImage, lines: Sequence[LineBox]) -> PageImage:
    """Return a photo with the same light on all of its `lines`; a scan as it is. Type that is lighter than its paper
    stands on a bar and in no shadow: more light would drown it."""
    stroke = np.ones((round(STROKE * image.scale),) * 2, np.uint8)
    gray = cv2.cvtColor(image.pixels, cv2.COLOR_RGB2GRAY)
    places = [line.within(gray.shape) for line in lines]
    bright = [is_light(gray[place]) for place in places]
    dark = [line for line, is_bright in zip(lines, bright, strict=True) if not is_bright]
    if not dark:
        return image
    paper = _paper_of(cv2.dilate(gray, stroke), image.scale)
    ends = np.array([(line.x + at * line.width, line.y) for line in dark for at in (-0.45, 0.0, 0.45)]).astype(int)
    x, y = np.clip(ends, 0, np.array(paper.shape[::-1]) - 1).T
    best = float(np.percentile(paper[y, x], 90))
    if not DARK * best < np.percentile(paper[y, x], 5) < SHADE * best:
        return image
    gain = best / np.clip(paper, DARK * best, best)
    for place, is_bright in zip(places, bright, strict=True):
        if is_bright:
            gain[place] = 1
    return PageImage(np.minimum(image.pixels * gain[..., None], 255).astype(np.uint8), image.scale)


def is_light(gray: np.ndarray) -> bool:
    """Return whether the type of a line, uint8 [height, width], is lighter than its paper, which most pixels are."""
    darkest, paper, lightest = np.percentile(gray, (2, 50, 98)).tolist()
    return bool(lightest - paper > paper - darkest)
