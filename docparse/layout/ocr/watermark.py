"""Watermarks: pale lines that run askew over a page, taken off its picture before anything is read.

They are known by lines of their own, not by a shade: pale type that runs level is text.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from docparse.layout.ocr.detector import LineBox, LineFinder
from docparse.pdf.content import PageContent, PageImage

SEEN, PALE = 8, 110  # of 255: how much darker than the paper watermarks are, their blur and their strokes
ASKEW = 10.0  # degrees that a watermark leans at least
WORD = 1.5  # times as long as high: single characters have no direction
LARGER = 1.2  # times as high as text it is: labels of charts that stand at an angle are smaller
LEAST = 2  # lines of a watermark on a page
DARKER = 1.4  # times as dark as a watermark is what else is printed
RIM = 1.0  # points around type where its blur is as pale


@dataclass(frozen=True)
class Watermark:
    """A pale print behind the text: how much darker than the paper it is at most, 0..255; how broad its strokes are at
    most, in points; and the lines of pale text, in points, which do not belong to it."""

    contrast: float
    broad: float
    kept: tuple[LineBox, ...]


def find_watermark(image: PageImage, finder: LineFinder) -> Watermark | None:
    """Return the watermark of a page, None where it has none."""
    lines = [(line, _contrast_of(line, image.pixels)) for line in finder.find(image.pixels)]
    level = [(line, own) for line, own in lines if abs(line.tilt) <= ASKEW]
    type_height = float(np.median([_height(line) for line, _ in level] or [0.0]))
    askew = [(line, own) for line, own in lines if abs(line.tilt) > ASKEW and own < PALE]
    marks = [(line, own) for line, own in askew if _height(line) > LARGER * type_height]
    if len(marks) < LEAST or not level:
        return None
    limit = DARKER * float(np.median([own for _, own in marks]))
    if np.median([own for _, own in level]) < limit:  # a page that is written in pencil
        return None
    words = (line for line, own in level if own < limit and line.width > WORD * line.height)
    text = [line.scaled(1 / image.scale) for line in words]
    broad = max(_height(line) for line, _ in marks) / 2 / image.scale
    return Watermark(limit, broad, tuple(text))


def _height(line: LineBox) -> float:
    return min(line.width, line.height)


def _contrast_of(line: LineBox, pixels: np.ndarray) -> float:
    """Return how much darker than its paper the ink of a line is, in the colour that shows it best."""
    size = (max(1, round(line.width)), max(1, round(line.height)))
    inside = cv2.warpAffine(pixels, line.to_page(), size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    ink, paper = np.percentile(inside, (2, 60), axis=(0, 1))
    return float((paper - ink).max())


def without_watermark(content: PageContent, mark: Watermark | None) -> PageContent:
    """Return the page drawn without it, which a warning says."""
    if mark is None:
        return content
    warnings = [*content.warnings, "a watermark is left out (pale slanting lines)"]
    return replace(content, draw=lambda dpi: _cleaned(content.render(dpi), mark), rendered={}, warnings=warnings)


def _cleaned(image: PageImage, mark: Watermark) -> PageImage:
    """Paper in the place of all pale strokes but those near type and in pale lines of text. Tints are broader."""
    paper = cv2.morphologyEx(image.pixels, cv2.MORPH_CLOSE, _around(mark.broad * image.scale))
    dark = cv2.subtract(paper, image.pixels).max(axis=2)
    type_ = cv2.dilate((dark > mark.contrast).astype(np.uint8), _around(RIM * image.scale))
    stroke = (dark > SEEN) & (type_ == 0)
    for line in mark.kept:
        stroke[line.scaled(image.scale).within(stroke.shape)] = False
    return PageImage(np.where(stroke[..., None], paper, image.pixels), image.scale)


def _around(reach: float) -> np.ndarray:
    """The pixels that are as near as that."""
    return np.ones((2 * max(1, round(reach)) + 1,) * 2, np.uint8)
