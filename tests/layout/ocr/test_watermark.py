"""Watermarks: pale lines askew over a page."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.detector import LineBox, LineFinder
from docparse.layout.ocr.watermark import find_watermark, without_watermark
from docparse.pdf.content import PageContent, PageImage, TextQuality, no_boxes

SCALE = 2.0
ROWS = range(100, 500, 60)
TEXT = [LineBox(340, y, 620, 30, 0.0) for y in ROWS]
PALE_TEXT = LineBox(340, 560, 620, 30, 0.0)
MARKS = [LineBox(600, 650, 260, 40, -30.0), LineBox(300, 750, 260, 40, -30.0)]


def printed(pixels, text, line, ink):
    picture = np.zeros((round(line.height), round(line.width)), np.uint8)
    cv2.putText(picture, text, (6, round(0.75 * line.height)), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 255, 3, cv2.LINE_AA)
    height, width = pixels.shape[:2]
    mask = cv2.warpAffine(picture, line.to_page(), (width, height))[..., None] / 255
    return (pixels * (1 - mask) + np.array(ink) * mask).astype(np.uint8)


def page(text=20, marks=MARKS, paper=250):
    """Lines of text, the last of them pale, a tinted box and a watermark, as an image and where its lines are."""
    pixels = np.full((1000, 800, 3), paper, np.uint8)
    pixels[820:960, 100:700] = 225
    for line in TEXT:
        pixels = printed(pixels, "several words of common type", line, (text,) * 3)
    pixels = printed(pixels, "a note in pale type", PALE_TEXT, (190, 190, 190))
    for line in marks:
        pixels = printed(pixels, "watermark", line, (205, 205, 205))
    return PageImage(pixels, SCALE), [*TEXT, PALE_TEXT, *marks]


def finder(lines):
    return SimpleNamespace(find=lambda pixels: lines)


def content(image):
    size = (image.pixels.shape[1] / SCALE, image.pixels.shape[0] / SCALE)
    return PageContent(1, *size, 0, None, TextQuality.NONE, no_boxes(), (), lambda dpi: image)


def test_pale_lines_that_run_askew_are_taken_off_and_nothing_else_is():
    image, lines = page()
    mark = find_watermark(image, finder(lines))
    after = without_watermark(content(image), mark)
    assert [warning.split(" (")[0] for warning in after.warnings] == ["a watermark is left out"]
    cleaned = after.render(144).pixels.astype(int)
    expected = page(marks=[])[0].pixels.astype(int)
    assert np.abs(cleaned - expected).mean() < 0.1 * np.abs(image.pixels - expected).mean()
    assert np.abs(cleaned - expected)[:600].max() < 8  # the text, pale or not
    assert np.abs(cleaned - expected)[820:960, 100:700].max() < 8  # and the tint


@pytest.mark.parametrize(
    "image, lines",
    [page(marks=[]), page(marks=MARKS[:1]), page(text=205), page(marks=[LineBox(600, 650, 260, 40, 0.0)] * 2)],
    ids=["no marks", "one line", "a page in pencil", "level lines"],
)
def test_a_page_without_one_stays_as_it_is(image, lines):
    before = content(image)
    assert without_watermark(before, find_watermark(image, finder(lines))) is before


def test_a_picture_that_was_just_looked_at_is_not_looked_at_again(monkeypatch):
    seen = []
    monkeypatch.setattr("docparse.layout.ocr.detector.open_session", lambda *_: None)
    monkeypatch.setattr(LineFinder, "_look", lambda self, pixels: seen.append(pixels) or SimpleNamespace(boxes=TEXT))
    eyes, (first, _), (second, _) = LineFinder(), page(), page()
    eyes.find(first.pixels).clear()
    assert eyes.find(first.pixels) == TEXT and len(seen) == 1
    assert eyes.find(second.pixels) == TEXT and len(seen) == 2
