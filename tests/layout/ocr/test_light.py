"""The light on photos of pages, and what shines through from the back of a sheet."""

import cv2
import numpy as np
import pytest
from readings import read_line, reading

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.engine import _printed
from docparse.layout.ocr.light import contrast, evenly_lit
from docparse.layout.ocr.recogniser import HEIGHT
from docparse.pdf.content import PageImage

ROWS = range(60, 600, 40)
LINES = [LineBox(450, y, 800, 30, 0.0) for y in ROWS]


def page(light=1.0):
    pixels = np.full((640, 900, 3), 240, np.uint8)
    for y in ROWS:
        cv2.putText(pixels, "several words of common type", (60, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 1.3, (20, 20, 20), 2)
    return PageImage((pixels * light).astype(np.uint8), 2.0)


SHADOW = np.linspace(1.0, 0.5, 900)[None, :, None]


def test_a_shadow_over_a_page_is_taken_away_and_the_light_of_a_scanner_left_as_it_is():
    lit = evenly_lit(page(SHADOW), LINES).pixels
    paper = np.median(lit[10:30, 40:-40], axis=(0, 2))
    assert paper.min() > 0.9 * paper.max()
    scan = page(np.linspace(1.0, 0.9, 900)[None, :, None])
    assert evenly_lit(scan, LINES) is scan
    assert evenly_lit(scan, []) is scan
    slide = PageImage(255 - page().pixels, 2.0)
    assert evenly_lit(slide, LINES) is slide


def test_type_on_a_dark_panel_keeps_its_contrast():
    image = page(SHADOW)
    image.pixels[300:400] = 255 - image.pixels[300:400]
    lit = evenly_lit(image, LINES).pixels[300:400]
    assert np.percentile(lit, 99) - np.median(lit) > 60


@pytest.mark.parametrize("light, lit", [(1.0, False), (SHADOW, True)], ids=["scan", "photo"])
def test_light_type_on_a_grey_bar_is_in_no_shadow(light, lit):
    image = page()
    bar = image.pixels[:250]
    image.pixels[:250] = np.where(bar > 128, 140, 250)
    image = PageImage((image.pixels * light).astype(np.uint8), 2.0)
    found = evenly_lit(image, LINES)
    assert (found is not image) == lit
    for y in ROWS[:5]:
        line = (slice(y - 15, y + 15), slice(50, 400))
        assert np.ptp(found.pixels[line]) >= 0.9 * np.ptp(image.pixels[line])


def test_ink_is_as_far_from_its_paper_in_the_shadow_and_on_dark_paper():
    plain = contrast(page())
    for image in (page(SHADOW), PageImage(255 - page().pixels, 2.0)):
        assert np.percentile(contrast(image), 97) == pytest.approx(np.percentile(plain, 97), rel=0.15)


def line(text, ink, confidence, y):
    picture = np.full((HEIGHT, 40 * len(text), 3), 250, np.uint8)
    cv2.putText(picture, text, (4, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (ink,) * 3, 2)
    said = reading(text, confidence, np.linspace(10, 20 * len(text), len(text)))
    return read_line(said, picture, y, 40 * len(text))


@pytest.mark.parametrize(
    ("ink", "confidence", "kept"), [(220, 0.8, False), (220, 0.99, True), (20, 0.8, True)], ids=str
)
def test_what_shines_through_from_the_back_is_faint_and_hard_to_read(ink, confidence, kept):
    lines = [line("common", 20, 0.99, 100 + 60 * i) for i in range(3)] + [line("nommoc", ink, confidence, 400)]
    assert ("nommoc" in [word.text for word in _printed(lines)]) == kept
    assert len(_printed([line("nommoc", 220, 0.8, 100)])) == 1
