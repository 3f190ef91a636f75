"""Paper that did not lie flat under the camera or in the scanner: how its lines climb and fall, and the page drawn
with level ones.

As in page dewarping by text lines (Ulges, Lampert and Breuel, 2005): along a printed line the height of the paper's
picture changes smoothly, and the same way as along the lines over and under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from docparse.layout.ocr.detector import LineFinder
from docparse.layout.ocr.upright import redrawn
from docparse.pdf.content import PageContent, PageImage

ALONG, DOWN = (1, 2, 3, 4, 5), (0, 1, 2)  # powers: a page that falls into its fold at one side, each line on its own
POINTS = 12  # of a line
LEAST = 6  # lines: fewer do not tell how the paper lies
# Heights of a line by which one point in twenty is farther than that from the middle of its own: 45 scans of books were
# below 0.1, photos of pages that curl, lean or are folded from 0.2 to 1.
BENT = 0.2
LEVEL = 0.15  # of them that are left at most: lines on a poster or a crumpled sheet follow nothing smooth
ROUNDS = 4  # of least squares, after which a line that was seen as two tells little
RIDGE = 1e-3  # keeps high powers small where few lines tell of them
GRID = 64  # meshes of the page along each side, between which the bend is straight
STEPS = 8  # from a height on the flat page to that on the bent one


@dataclass(frozen=True)
class Bend:
    """The rise or fall of lines, in page heights, at places in page widths and heights from the middle; the text that
    tells so lies within `low` and `high`."""

    weights: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def fall(self, places: np.ndarray) -> np.ndarray:
        """Return float [n]: how much lower the paper is at `places`, float [n, 2], than where its line is in the
        middle; beyond the text as much as at its edge."""
        return _powers(np.clip(places, self.low, self.high)) @ self.weights

    def flattened(self, image: PageImage) -> PageImage:
        """Return the picture of the page with level lines, as large as it was."""
        height, width = image.pixels.shape[:2]
        ticks = (np.arange(GRID) + 0.5) / GRID - 0.5
        x, level = (axis.ravel() for axis in np.meshgrid(ticks, ticks))
        y = level
        for _ in range(STEPS):
            y = level + self.fall(np.stack([x, y], axis=1))
        moved = cv2.resize(((y - level) * height).reshape(GRID, GRID).astype(np.float32), (width, height))
        columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        pixels = cv2.remap(image.pixels, columns, rows + moved, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return PageImage(pixels, image.scale)


def bend_on(image: PageImage, finder: LineFinder) -> Bend | None:
    """Return how the paper on a picture is bent; None where it is flat."""
    heights = [min(line.width, line.height) for line in finder.find(image.pixels)]
    spines = finder.spines(image.pixels, POINTS)
    return find_bend(spines, image.pixels.shape, float(np.median(heights))) if heights else None


def find_bend(spines: Sequence[np.ndarray], shape: tuple[int, ...], line_height: float) -> Bend | None:
    """Return how the lines of a page bend; None where they are level, or follow nothing smooth.

    `spines` are points in the middle of the type along each line, float [n, 2] in pixels of an image of that `shape`,
    `line_height` is the usual one, in the same.
    """
    if len(spines) < LEAST:
        return None
    height, width = shape[:2]
    places = np.concatenate(spines) / (width, height) - 0.5
    line = np.repeat(np.arange(len(spines)), [len(spine) for spine in spines])
    powers, climb = _powers(places), places[:, 1]
    powers, climb = powers - _means(powers, line), climb - _means(climb, line)
    if _usual(climb) * height < BENT * line_height:
        return None
    weights, trust = np.zeros(powers.shape[1]), np.ones(len(climb))
    for _ in range(ROUNDS):
        weighed = powers * trust[:, None]
        matrix = weighed.T @ powers + RIDGE * np.diag((powers**2).sum(axis=0))
        weights = np.linalg.solve(matrix, weighed.T @ climb)
        trust = 1 / (1 + ((climb - powers @ weights) * height / (BENT * line_height)) ** 2)
    if _usual(climb - powers @ weights) * height > LEVEL * line_height:
        return None
    return Bend(weights, places.min(axis=0), places.max(axis=0))


def unbent(content: PageContent, bend: Bend | None) -> PageContent:
    """Return the page drawn with level lines; its strokes are to be found anew."""
    return content if bend is None else redrawn(content, bend.flattened)


def _powers(places: np.ndarray) -> np.ndarray:
    """float [n, terms]: the products of powers of which a bend is made. None is of the height alone: how far lines lie
    from one another is nothing that they tell."""
    x, y = places.T
    return np.stack([x**p * y**q for p, q in product(ALONG, DOWN)], axis=1)


def _means(values: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Like `values`, each replaced by the mean along its line."""
    sums = np.zeros((line.max() + 1, *values.shape[1:]))
    np.add.at(sums, line, values)
    count = np.bincount(line).reshape(-1, *[1] * (values.ndim - 1))
    return (sums / count)[line]


def _usual(climb: np.ndarray) -> float:
    """Return how far all but one point in twenty are from the middle of their line."""
    return float(np.percentile(np.abs(climb), 95))
