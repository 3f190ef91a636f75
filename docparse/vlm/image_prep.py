"""Pictures for a model that was trained on small ones: a small page at its scale, a region with type of its size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median

import numpy as np
from PIL import Image

from docparse.models.family import Family, ImageLimits
from docparse.pdf.content import PageContent, PageImage
from docparse.types import Block, Box

FINER = 180  # dpi from which one pixel a point is reduced; pages rendered at 144 to 600 are read equally well
TYPE = 10.0  # points, where the pipeline knows of no type on a page
PAPER = 255


def page_image(content: PageContent, family: Family, dpi: Callable[[PageContent], int]) -> PageImage:
    """Return the page as fine as the family wants it: at `dpi`, unless it is shown whole to one with
    `image_limits`; then `dpi` is not asked, which may have to look at the page to tell."""
    return content.render(FINER if _reduced(family, content.box) else dpi(content))


def shown(image: PageImage, family: Family, page: Box) -> PageImage:
    """Return what `page_image` gave as the family is shown it whole, or as its regions are cut from."""
    if not _reduced(family, page):
        return image
    size = max(1, round(page.width)), max(1, round(page.height))
    return PageImage(_resized(image.pixels, size), 1.0)


def _reduced(family: Family, page: Box) -> bool:
    return family.image_limits is not None and family.reads_whole(page)


def region_pictures(
    image: PageImage, box: Box, scale: float, image_limits: ImageLimits
) -> list[tuple[np.ndarray, Box]]:
    """Return what `box` (points) shows, at `scale` pixels a point or as many as fit, on white pictures that the model
    can be shown; several, cut between lines, where it is longer than the largest. With each the box that it stands
    for."""
    pixels = image.crop(box)
    height, width = pixels.shape[:2]
    widest, longest = image_limits.largest
    factor = min(scale / image.scale, widest / width)
    scaled = _resized(pixels, (max(1, round(width * factor)), max(1, round(height * factor))))
    points = 1 / (factor * image.scale)
    pictures = []
    for top, bottom in _between_lines(scaled, longest):
        picture = _on_paper(scaled[top:bottom], image_limits)
        x0, y0 = box.x0, box.y0 + top * points
        pictures.append((picture, Box(x0, y0, x0 + picture.shape[1] * points, y0 + picture.shape[0] * points)))
    return pictures


def type_scale(region: Block, regions: Sequence[Block], image_limits: ImageLimits) -> float:
    """Return pixels a point that make a region's type, or else its page's, as large as the model knows it."""
    size = region.font_size or median([block.font_size for block in regions if block.font_size] or [TYPE])
    return image_limits.type_size / size


def _between_lines(pixels: np.ndarray, most: int) -> Iterator[tuple[int, int]]:
    """First row and the one past the last of pieces of at most `most` rows, which part where rows are emptiest."""
    ink = pixels.std(axis=(1, 2))
    top = 0
    while len(ink) - top > most:
        window = ink[top + most // 2 : top + most]
        bottom = top + most // 2 + int(np.flatnonzero(window == window.min())[-1])
        yield top, bottom
        top = bottom
    yield top, len(ink)


def _on_paper(pixels: np.ndarray, image_limits: ImageLimits) -> np.ndarray:
    """At the top left of the smallest white picture that holds them."""
    height, width = pixels.shape[:2]
    sides = zip((width, height), image_limits.smallest, strict=True)
    columns, rows = (max(least, -(-side // image_limits.cell) * image_limits.cell) for side, least in sides)
    picture = np.full((rows, columns, 3), PAPER, np.uint8)
    picture[:height, :width] = pixels
    return picture


def _resized(pixels: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC))
