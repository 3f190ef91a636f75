"""What is ink in the image of a line, and what is its paper, a bar that it stands on, or a picture behind it."""

from __future__ import annotations

import cv2
import numpy as np

from docparse.layout.ocr.light import is_light
from docparse.layout.ocr.recogniser import HEIGHT

OVER, UNDER, WHOLE = 0.2, 0.7, 0.6  # of a line's height and length: where strokes over and under it are, and how long
LONG = 2.0  # line heights: a stroke over a shorter line may be the bar of a fraction
THIN = 0.15  # of a line's height: how wide strokes from rim to rim are
HOLLOW = 0.25  # of their box: how full frames are
SPECK = 4  # pixels
UNEVEN = 0.25  # of a line's contrast, by which its paper varies where a pattern or a picture lies behind it
BROADEST = HEIGHT // 3 + 1  # pixels of a stroke, odd: filters have a middle
BLOTS = 0.05  # of the line image that broader ink covers where it is no bullet
COLOURED = 50  # of 255 by which the channels of coloured paper differ


def ink_of(line: np.ndarray) -> np.ndarray:
    """bool [48, width]: the pixels that are ink, whichever of paper and ink is darker, without strays at the rims,
    strokes over and under the line, and the frame or the bar that it stands in."""
    gray = _telling(line)
    ink = _parted_from_paper(gray)
    if _is_patterned(gray, ink):
        ink = _parted_from_paper(_without_pattern(gray))
    found = _without_strays(ink)
    if found.any():
        return found
    across, down = np.asarray(ink.all(axis=1)), np.asarray(ink.all(axis=0))  # strokes of its cell, which it touches
    across[round(OVER * HEIGHT) : round(UNDER * HEIGHT)] = False
    return _without_strays(ink * ~(across[:, None] | down & (down.sum() < THIN * HEIGHT)))


def _without_strays(ink: np.ndarray) -> np.ndarray:
    """bool [48, width]: ink, uint8, that may be type."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    _, top, width, height, area = stats.T
    # tails and heads of the lines above and below, strokes over and under the line, and specks
    along = (top > UNDER * HEIGHT) | ((top + height < OVER * HEIGHT) & (ink.shape[1] > LONG * HEIGHT))
    low = (top == 0) | (top + height == HEIGHT) | along & (width > WHOLE * ink.shape[1])
    frame = (height > 0.9 * HEIGHT) & ((width < THIN * HEIGHT) | (area < HOLLOW * width * height))
    edge = low & (width > max(WHOLE * ink.shape[1], 1.5 * HEIGHT))  # of the bar that the line stands on
    stray = edge | low & (height < HEIGHT // 5) | (area < SPECK) | frame
    stray[0] = True
    return ~stray[labels] if count > 1 else np.zeros(ink.shape, bool)


def _telling(line: np.ndarray) -> np.ndarray:
    """uint8 [48, width]: how light a line is; on coloured paper, in the colour that tells most: red type on green may
    be as light as its paper."""
    seen = line[::4, ::4].reshape(-1, 3)
    if np.ptp(np.median(seen, axis=0)) < COLOURED:
        return cv2.cvtColor(line, cv2.COLOR_RGB2GRAY)
    spread = np.ptp(np.percentile(seen, (2, 98), axis=0), axis=0)
    return np.ascontiguousarray(line[:, :, int(spread.argmax())])


def _parted_from_paper(gray: np.ndarray) -> np.ndarray:
    """uint8 [48, width]: 1 for ink, which is less than paper."""
    _, dark = cv2.threshold(gray, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    return dark if dark.mean() <= 0.5 else 1 - dark


def _is_patterned(gray: np.ndarray, ink: np.ndarray) -> bool:
    """Return whether a pattern or a picture lies behind the line: its paper is uneven, or its ink broader than
    strokes."""
    around = gray[::2, ::2][ink[::2, ::2] == 0]
    paper = np.percentile(around, (10, 90)) if around.size else np.zeros(2)
    broad = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((BROADEST, BROADEST), np.uint8))
    return bool(np.ptp(paper) > UNEVEN * np.ptp(gray) or broad.mean() > BLOTS)


def _without_pattern(gray: np.ndarray) -> np.ndarray:
    """uint8 [48, width]: the strokes of a line, dark on even paper: what is broader is of the picture behind it."""
    hat = cv2.MORPH_TOPHAT if is_light(gray) else cv2.MORPH_BLACKHAT
    return cv2.bitwise_not(cv2.morphologyEx(gray, hat, np.ones((BROADEST, BROADEST), np.uint8)))
