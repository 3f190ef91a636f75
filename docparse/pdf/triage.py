"""Can the text layer be trusted: good, an OCR layer under a scan, broken fonts, or nothing to read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from docparse.pdf.content import TextQuality
from docparse.pdf.graphics import Painted, visible
from docparse.pdf.space import PageSpace
from docparse.pdf.textlayer import INVISIBLE, RawText

GRID = 48  # cells per side of the grid on which covered area is counted
PAGE_SIZED = 0.6  # share of the page that images cover when the page is a scan
FEW = 0.12  # share of the page under text below which a scan may hold more than its text layer
BROKEN_SHARE = 0.15  # of the marks; born-digital pages with stray symbols stay below 0.05


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the triage measured on a page. Shares are of the marks (characters that leave ink), areas of the page."""

    marks: int = 0
    invisible: float = 0.0  # text render mode 3
    covered: float = 0.0  # painted before an opaque image that covers them
    unreadable: float = 0.0  # unmapped, control, private use or replacement characters
    odd: float = 0.0  # characters that are neither letters, digits, spaces nor common signs
    image_area: float = 0.0  # under raster images
    text_area: float = 0.0  # under the characters' boxes
    on_scan: float = 0.0  # visible marks that lie on a page-sized image

    @property
    def is_scan(self) -> bool:
        return self.image_area >= PAGE_SIZED


def judge(evidence: Evidence) -> TextQuality:
    """The verdict over what was measured."""
    if evidence.marks == 0:
        return TextQuality.NONE
    if evidence.invisible + evidence.covered >= 0.5:
        return TextQuality.OCR_LAYER
    if evidence.unreadable >= BROKEN_SHARE or evidence.odd >= 0.5:
        return TextQuality.BROKEN
    return TextQuality.GOOD


def measure(raw: RawText | None, painted: Painted, space: PageSpace) -> Evidence:
    """Everything `judge` looks at; cheap enough for every page."""
    images = visible(painted.images, space)
    image_area = float(_coverage(images, space).mean())
    if raw is None or not raw.inked.any():
        return Evidence(image_area=image_area)
    inked = np.flatnonzero(raw.inked)
    run, code = raw.run[inked], raw.code[inked]
    boxes = space.boxes(raw.box[inked])
    width, height = space.size
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    on_page = (x >= 0) & (x <= width) & (y >= 0) & (y <= height)
    if not on_page.any():
        return Evidence(image_area=image_area)
    run, code, boxes, x, y = run[on_page], code[on_page], boxes[on_page], x[on_page], y[on_page]
    invisible = raw.mode[run] == INVISIBLE
    covered = _covered(raw, run, x, y, painted, images) & ~invisible
    return Evidence(
        marks=len(run),
        invisible=float(invisible.mean()),
        covered=float(covered.mean()),
        unreadable=float((raw.unmapped[inked][on_page] | _unreadable(code)).mean()),
        odd=float(_odd(code).mean()),
        image_area=image_area,
        text_area=float(_coverage(boxes, space).mean()),
        on_scan=float((~invisible & ~covered).mean()) if image_area >= PAGE_SIZED else 0.0,
    )


def _coverage(boxes: np.ndarray, space: PageSpace) -> np.ndarray:
    """bool [GRID, GRID]: cells whose centre lies in a box."""
    cells = np.zeros((GRID, GRID), bool)
    if not len(boxes):
        return cells
    width, height = space.size
    scaled = boxes / [width or 1, height or 1, width or 1, height or 1] * GRID
    starts = np.clip(np.ceil(scaled[:, :2] - 0.5), 0, GRID).astype(int)
    ends = np.clip(np.ceil(scaled[:, 2:] - 0.5), 0, GRID).astype(int)
    # corners of a summed-area table: +1 where a box begins, -1 where it ends
    corners = np.zeros((GRID + 1, GRID + 1), np.int64)
    np.add.at(corners, (starts[:, 1], starts[:, 0]), 1)
    np.add.at(corners, (ends[:, 1], ends[:, 0]), 1)
    np.add.at(corners, (starts[:, 1], ends[:, 0]), -1)
    np.add.at(corners, (ends[:, 1], starts[:, 0]), -1)
    return corners.cumsum(0).cumsum(1)[:GRID, :GRID] > 0


def _covered(
    raw: RawText, run: np.ndarray, x: np.ndarray, y: np.ndarray, painted: Painted, images: np.ndarray
) -> np.ndarray:
    """bool [k]: marks painted before an opaque image of some size that covers them."""
    order = np.array([painted.order.get(handle, 1 << 40) for handle in raw.handle.tolist()])[run]
    result = np.zeros(len(run), bool)
    for box, position, clear in zip(images, painted.image_order, painted.image_clear, strict=True):
        if not clear:
            inside = (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])
            result |= inside & (order < position)
    return result


def _unreadable(code: np.ndarray) -> np.ndarray:
    private = (code >= 0xE000) & (code < 0xF900) | (code >= 0xF0000)
    control = (code >= 0x7F) & (code < 0xA0)
    return private | control | (code == 0xFFFD)


def _odd(code: np.ndarray) -> np.ndarray:
    """Codes that running text seldom has: signs beyond common punctuation, letters of no script."""
    letters_and_digits = np.zeros(len(code), bool)
    values, inverse = np.unique(code, return_inverse=True)
    letters_and_digits = np.array([value < 0x110000 and chr(value).isalnum() for value in values.tolist()])[inverse]
    common = np.isin(code, np.frombuffer(".,;:!?'\"()-–—‘’“”…/%&$€£".encode("utf-32-le"), np.uint32))
    return ~(letters_and_digits | common)
