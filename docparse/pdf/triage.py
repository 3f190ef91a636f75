"""Can the text layer be trusted: good, an OCR layer under a scan, broken fonts, or nothing to read."""

from __future__ import annotations

import functools
import unicodedata
from dataclasses import dataclass

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.content import PageImage, TextQuality
from docparse.pdf.graphics import Painted, visible
from docparse.pdf.space import PageSpace
from docparse.pdf.textlayer import INVISIBLE, RawText

GRID = 48  # cells per side of the grid on which covered area is counted
PAGE_SIZED = 0.6  # share of the page that images cover when the page is a scan
LITTLE_TEXT = 0.12  # share of the page under text; a page of running text has 0.2 and more
BROKEN_SHARE = 0.1  # of the marks; born-digital pages with stray symbols stay below 0.02
MOSTLY_UNTOLD = 0.85  # of the marks: little is gained by the others, and OCR reads the page as well
VOWELS = (0.15, 0.75)  # share of vowels among Latin letters in any language; 200 letters tell
ENOUGH_LETTERS = 200
FEW_LETTERS = 20  # tell whether the codes of a font are its letters, of which most are small ones then
SCAN_INK = 0.03  # share of the page that has ink away from the text layer when a scan holds the content
KEPT_CONTROLS = "\x02\t\n\r"  # pdfium's hyphen, tab and line ends


@dataclass(frozen=True, slots=True)
class Evidence:
    """The measures of a page that the triage goes by. Shares are of the marks (characters that leave ink), areas of the
    page."""

    marks: int = 0
    invisible: float = 0.0  # text render mode 3
    covered: float = 0.0  # painted before an opaque image that covers them
    untold: float = 0.0  # of fonts that do not say what their letters are, which can be seen all the same
    unreadable: float = 0.0  # unmapped, control, private use or replacement characters, math fonts left out
    odd: float = 0.0  # neither letters, digits nor common signs, math fonts left out
    vowels: float = -1.0  # among Latin letters, -1 where these are too few to tell
    image_area: float = 0.0  # under raster images
    text_area: float = 0.0  # under the characters' boxes
    scan_ink: float = 0.0  # ink of the scan away from the text; measured only where text is scarce on a scan

    @property
    def is_scan(self) -> bool:
        return self.image_area >= PAGE_SIZED

    @property
    def needs_pixels(self) -> bool:
        """Return whether a page-sized image has little visible text: a stamp on a scan or words on a picture."""
        return self.is_scan and self.marks > 0 and self.text_area < LITTLE_TEXT and self.invisible + self.covered < 0.5


def judge(evidence: Evidence) -> TextQuality:
    """Return the verdict over what was measured."""
    if evidence.marks == 0 or evidence.scan_ink >= SCAN_INK:
        return TextQuality.NONE
    if evidence.invisible + evidence.covered >= 0.5:
        return TextQuality.OCR_LAYER
    gibberish = evidence.vowels >= 0 and not VOWELS[0] <= evidence.vowels <= VOWELS[1]
    unreadable = evidence.unreadable >= BROKEN_SHARE or evidence.untold > MOSTLY_UNTOLD
    if unreadable or gibberish or (evidence.odd >= 0.5 and evidence.marks >= 50):
        return TextQuality.BROKEN
    return TextQuality.UNTOLD if evidence.untold >= BROKEN_SHARE else TextQuality.GOOD


def measure(raw: RawText | None, painted: Painted, space: PageSpace) -> Evidence:
    """Return everything `judge` looks at; cheap enough for every page."""
    images = visible(painted.images, space)
    under_images = _coverage(images, space)
    if raw is None:
        return Evidence(image_area=under_images)
    inked, (width, height) = np.flatnonzero(raw.inked), space.size
    boxes = space.boxes(raw.box[inked])
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    on_page = (x >= 0) & (x <= width) & (y >= 0) & (y <= height)
    if not on_page.any():
        return Evidence(image_area=under_images)
    boxes, x, y = boxes[on_page], x[on_page], y[on_page]
    index = inked[on_page]
    run, code = raw.run[index], raw.code[index]
    invisible = raw.mode[run] == INVISIBLE
    covered = _covered(raw, run, x, y, painted, images) & ~invisible
    return Evidence(
        marks=len(run),
        invisible=float(invisible.mean()),
        covered=float(covered.mean()),
        untold=float(raw.untold[index].mean()),
        unreadable=_unreadable(raw),
        odd=float((_odd(code) & ~(_in_math_fonts(raw) | raw.untold)[index]).mean()),
        vowels=_vowels(code[~raw.untold[index]]),
        image_area=under_images,
        text_area=_coverage(boxes, space),
    )


def image_area(painted: Painted, space: PageSpace) -> float:
    """Share of the page under raster images."""
    return _coverage(visible(painted.images, space), space)


def _coverage(boxes: np.ndarray, space: PageSpace) -> float:
    """Share of the page, in cells whose centre lies in a box."""
    width, height = space.size
    scaled = boxes / [width or 1, height or 1, width or 1, height or 1] * GRID
    starts = np.clip(np.ceil(scaled[:, :2] - 0.5), 0, GRID).astype(int)
    ends = np.clip(np.ceil(scaled[:, 2:] - 0.5), 0, GRID).astype(int)
    # corners of a summed-area table: +1 where a box begins, -1 where it ends
    corners = _counts(starts[:, 1], starts[:, 0]) + _counts(ends[:, 1], ends[:, 0])
    corners -= _counts(starts[:, 1], ends[:, 0]) + _counts(ends[:, 1], starts[:, 0])
    return float((corners.cumsum(0).cumsum(1)[:GRID, :GRID] > 0).mean())


def _counts(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """int64 [GRID + 1, GRID + 1]: how many points are at each place."""
    side = GRID + 1
    return np.bincount(rows * side + columns, minlength=side * side).reshape(side, side)


def _covered(
    raw: RawText, run: np.ndarray, x: np.ndarray, y: np.ndarray, painted: Painted, images: np.ndarray
) -> np.ndarray:
    """bool [k]: marks painted before an opaque image of some size that covers them."""
    result = np.zeros(len(run), bool)
    if all(image.clear for image in painted.images):
        return result
    order = painted.orders(raw.handle)[run]
    for (x0, y0, x1, y1), image in zip(images.tolist(), painted.images, strict=True):
        if not image.clear:
            result |= (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1) & (order < image.order)
    return result


def _in_math_fonts(raw: RawText) -> np.ndarray:
    """bool [n]: characters whose signs are those of formulas."""
    return raw.of_style(lambda style: style.math or style.extension)


def _unreadable(raw: RawText) -> float:
    plain = ~_in_math_fonts(raw)
    code = raw.code
    control = (code < 0x20) & ~among(code, KEPT_CONTROLS) | (code >= 0x7F) & (code < 0xA0)
    private = (code >= 0xE000) & (code < 0xF900) | (code >= 0xF0000)
    unmapped = raw.unmapped & ~_reads_as_text(raw)
    bad = raw.drawn & plain & ~raw.untold & (unmapped | control | private | (code == 0xFFFD))
    marks = int((plain & (raw.inked | bad)).sum())
    return float(bad.sum()) / marks if marks else 0.0


def _reads_as_text(raw: RawText) -> np.ndarray:
    """bool [n]: characters without Unicode of fonts whose codes are letters and digits all the same, as those of the
    plots that Matplotlib draws."""
    style = raw.style[raw.run]
    readable = np.zeros(len(raw.styles), bool)
    for k in np.unique(style[raw.unmapped]).tolist():
        text = "".join(map(chr, raw.code[raw.unmapped & (style == k)].tolist()))
        letters = [char for char in text if char.isalpha()]
        small = sum(char.islower() for char in letters)
        vowels = sum(char in "aeiou" for char in letters)
        printed = np.array([ord(char) for char in text if char > " "], np.uint32)
        plain = text.isascii() and len(printed) >= FEW_LETTERS and _odd(printed).mean() < BROKEN_SHARE
        worded = small > len(letters) / 2 and VOWELS[0] < vowels / small < VOWELS[1]
        readable[k] = plain and (worded or len(letters) < FEW_LETTERS)
    return readable[style]


@functools.cache
def _letter_kinds() -> np.ndarray:
    """uint8 [0x250]: 0 no letter, 1 consonant, 2 vowel, by the base letter."""
    kinds = np.zeros(0x250, np.uint8)
    for code in range(0x250):
        letter = chr(code)
        if letter.isalpha():
            base = unicodedata.normalize("NFD", letter)[0].lower()
            kinds[code] = 2 if base in "aeiouyæøœıə" else 1
    return kinds


def _vowels(code: np.ndarray) -> float:
    kinds = _letter_kinds()[code[code < 0x250]]
    letters = int((kinds > 0).sum())
    if letters < ENOUGH_LETTERS or letters < 0.5 * len(code):
        return -1.0
    return float((kinds == 2).sum()) / letters


def scan_ink(image: PageImage, boxes: np.ndarray) -> float:
    """Share of the page's cells that have ink on light ground away from the text `boxes` ([n, 4], points).

    0 where the page is not mostly light (a photograph, a dark slide) or where the text has most of the ink.
    """
    cell = 6
    height, width = (side // cell * cell for side in image.pixels.shape[:2])
    if not height or not width:
        return 0.0
    gray = image.pixels[:height, :width].mean(axis=2)
    if np.median(gray) < 150:
        return 0.0
    cells = gray.reshape(height // cell, cell, width // cell, cell)
    lightest, darkest = cells.max(axis=(1, 3)), cells.min(axis=(1, 3))
    ink = (lightest > 140) & (lightest - darkest > 60)
    under_text = np.zeros_like(ink)
    for x0, y0, x1, y1 in boxes * (image.scale / cell):
        under_text[max(0, int(y0 - 0.5)) : int(y1 + 1.5), max(0, int(x0 - 0.5)) : int(x1 + 1.5)] = True
    outside, inside = float((ink & ~under_text).mean()), float((ink & under_text).mean())
    return outside if outside >= 1.5 * inside else 0.0


def _odd(code: np.ndarray) -> np.ndarray:
    """Codes that running text seldom has: signs beyond common punctuation, letters of no script."""
    values, inverse = np.unique(code, return_inverse=True)
    common = ".,;:!?'\"()-–—‘’“”…/%&$€£"
    odd = [value >= 0x110000 or not (chr(value).isalnum() or chr(value) in common) for value in values.tolist()]
    return np.array(odd, bool)[inverse]
