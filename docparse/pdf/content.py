"""What a page of a PDF (or an image) holds before anybody interprets it: characters, rulings, images, pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from docparse.types import Box

if TYPE_CHECKING:
    from docparse.pdf.structure import Structure

MAX_SIDE = 10_000  # pixels of a page, whatever its size in points
MAX_PIXELS = 40_000_000  # 120 MB of RGB


class TextQuality(StrEnum):
    """The verdict of the triage on a page's text layer."""

    GOOD = "good"  # born digital: the characters are what the page shows
    OCR_LAYER = "ocr-layer"  # invisible text, or text under a page-sized image: of unknown quality
    UNTOLD = "untold"  # a part of the fonts do not say what their letters are
    BROKEN = "broken"  # fonts without a usable Unicode mapping
    NONE = "none"  # nothing to read


@dataclass(frozen=True, slots=True)
class Font:
    """The style shared by a run of characters. `size` is the size on the page in points, text matrix included."""

    name: str
    size: float
    weight: int  # 100..900
    italic: bool
    mono: bool
    math: bool  # a font of mathematical symbols or math italics, judged by its name
    invisible: bool  # text render mode 3
    angle: int  # clockwise rotation of the text on the upright page: 0, 90, 180 or 270


@dataclass(frozen=True, slots=True)
class Characters:
    """A page's text layer, one entry per character in the order the PDF stores them, spaces included.

    `text` has length n. `box` is float32 [n, 4] in page space: horizontally the advance box, vertically the em box
    around the baseline (for text turned by `angle` likewise, in its own direction). `baseline` is float32 [n]:
    the y (x for text turned by 90 or 270) of the baseline. `font` is int32 [n], an index into `fonts`.
    `generated` is bool [n]: inserted by the PDF library (spaces, line ends), without ink. `piece` is int32 [n], the
    piece of the structure tree that each belongs to, -1 for none; None where the page is in no tree. `tinted` is bool
    [n]: in another colour than most of the page; None where colours are not known. `glyph` is int32 [n]: the number of
    a glyph whose font does not say what letter it is, -1 for the others; None where all fonts do.
    """

    text: str
    box: np.ndarray
    baseline: np.ndarray
    font: np.ndarray
    generated: np.ndarray
    fonts: tuple[Font, ...]
    piece: np.ndarray | None = None
    tinted: np.ndarray | None = None
    glyph: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.text)

    @property
    def size(self) -> np.ndarray:
        """float64 [n]: the size of the type of each character, points."""
        return np.array([font.size for font in self.fonts])[self.font]


@dataclass(frozen=True, slots=True, eq=False)
class PageImage:
    """Pixels of a page: uint8 RGB [height, width, 3]; `scale` is pixels per point."""

    pixels: np.ndarray
    scale: float

    def crop(self, box: Box) -> np.ndarray:
        """Return the pixels under `box` (points), clipped to the page; may be empty."""
        height, width = self.pixels.shape[:2]
        x0, y0 = max(0, int(box.x0 * self.scale)), max(0, int(box.y0 * self.scale))
        x1, y1 = min(width, round(box.x1 * self.scale)), min(height, round(box.y1 * self.scale))
        return self.pixels[y0 : max(y0, y1), x0 : max(x0, x1)]

    def turned(self, angle: int) -> PageImage:
        """Turned clockwise by a multiple of 90 degrees."""
        return PageImage(np.ascontiguousarray(np.rot90(self.pixels, -(angle // 90))), self.scale)

    def straightened(self, degrees: float) -> PageImage:
        """Rotated counter-clockwise about the middle; corners are filled with the colour of the paper."""
        import cv2

        height, width = self.pixels.shape[:2]
        sample = self.pixels[:: max(1, height // 50), :: max(1, width // 50)]
        paper = [float(v) for v in np.median(sample, axis=(0, 1))]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
        pixels = cv2.warpAffine(self.pixels, matrix, (width, height), flags=cv2.INTER_CUBIC, borderValue=paper)
        return PageImage(pixels, self.scale)


def capped_scale(width: float, height: float, dpi: float) -> tuple[float, str]:
    """Return pixels per point for a page of so many points at `dpi`, and a warning where the cap lowered it."""
    scale = dpi / 72
    width, height = max(width, 1e-3), max(height, 1e-3)
    limit = min(MAX_SIDE / max(width, height), (MAX_PIXELS / (width * height)) ** 0.5)
    if scale <= limit:
        return scale, ""
    return limit, (
        f"page of {width:.0f} x {height:.0f} points rendered at {limit * 72:.3g} dpi instead of {dpi:.0f}: "
        f"at most {MAX_SIDE:,} pixels a side and {MAX_PIXELS // 1_000_000} megapixels"
    )


NO_STROKES = np.zeros((0, 4), np.float32)  # for those who only read it


def no_boxes() -> np.ndarray:
    """Return float32 [0, 4], the caller's own."""
    return NO_STROKES.copy()


@dataclass(slots=True)
class PageContent:
    """One page before interpretation, in page space (upright, origin top left, points).

    `rulings` is float32 [n, 4]: thin horizontal or vertical strokes as x0, y0, x1, y1 (edges of stroked or thin filled
    rectangles included). `panels` is float32 [n, 4]: coloured or outlined boxes that are not rulings (cards, sidebars,
    shaded rows), `drawings` those of plots and diagrams. `images` are the boxes of raster images. `draw(dpi)` renders
    the page and is cached by `render`; on a page without a PDF behind it the pixels are resampled. `rotation` is the
    total clockwise turn from the stored page to the upright one, /Rotate included. `skew` is the lean in degrees that
    was taken out of a scan. `structure` is what a tagged PDF says the text is, None where nothing is said. `marks` are
    small shapes that look like a character, each with it: bullets and boxes to tick.
    """

    number: int
    width: float
    height: float
    rotation: int
    characters: Characters | None
    quality: TextQuality
    rulings: np.ndarray
    images: tuple[Box, ...]
    draw: Callable[[int], PageImage]
    warnings: list[str] = field(default_factory=list)
    rendered: dict[int, PageImage] = field(default_factory=dict)
    panels: np.ndarray = field(default_factory=no_boxes)
    drawings: np.ndarray = field(default_factory=no_boxes)
    skew: float = 0.0
    structure: Structure | None = None
    marks: tuple[tuple[Box, str], ...] = ()

    @property
    def box(self) -> Box:
        return Box(0.0, 0.0, self.width, self.height)

    def render(self, dpi: int) -> PageImage:
        """Return the page at `dpi` (capped so that no side exceeds the pixel limit), rendered once."""
        if dpi not in self.rendered:
            self.rendered[dpi] = self.draw(dpi)
        return self.rendered[dpi]
