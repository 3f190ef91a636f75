"""Rulings read from the pixels of a page."""

import math

import cv2
import numpy as np
import pytest

from docparse.layout.tables import rulings_from_image, with_those_drawn
from docparse.pdf.content import PageImage

SCALE = 2.0


def page_with(strokes, skew=0.0):
    pixels = np.full((800, 800, 3), 250, np.uint8)
    c, s = math.cos(math.radians(skew)), math.sin(math.radians(skew))
    for stroke in strokes:
        x0, y0, x1, y1 = (v * SCALE for v in stroke)
        ends = [(round(x * c - y * s), round(x * s + y * c)) for x, y in ((x0, y0), (x1, y1))]
        cv2.line(pixels, *ends, (30, 30, 30), 2)
    noise = np.random.default_rng(0).integers(-12, 13, pixels.shape)
    return PageImage(np.clip(pixels + noise, 0, 255).astype(np.uint8), SCALE)


@pytest.mark.parametrize("skew", [0.0, 0.4, -0.8])
def test_long_strokes_are_found_where_they_are(skew):
    found = rulings_from_image(page_with([(60, 100, 340, 100), (60, 160, 340, 160), (200, 100, 200, 300)], skew))
    wide = found[(found[:, 2] - found[:, 0]) > (found[:, 3] - found[:, 1])]
    assert (len(found), len(wide)) == (3, 2)
    assert np.allclose(sorted(wide[:, 2] - wide[:, 0]), 280, atol=6)
    assert np.allclose(found[:, 3] - found[:, 1], np.where(found[:, 2] == found[:, 0], 200, 0), atol=6)


@pytest.mark.parametrize(
    "file, both", [([], 3), ([(10, 390, 60, 390)], 4), ([(60, 100, 200, 101), (200, 99, 340, 99)], 4)]
)
def test_the_strokes_of_a_file_and_those_of_its_image_are_told_once(file, both):
    image = page_with([(60, 100, 340, 100), (60, 160, 340, 160), (200, 100, 200, 300)])
    assert len(with_those_drawn(np.array(file, np.float32).reshape(-1, 4), image)) == both


def test_letters_and_blots_are_no_rulings():
    image = page_with([])
    for k in range(12):
        place = (60, 80 + 50 * k)
        cv2.putText(image.pixels, "The quick brown fox HELLO", place, cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 0), 2)
    cv2.rectangle(image.pixels, (100, 680), (600, 780), (40, 40, 40), -1)
    assert len(rulings_from_image(image)) == 0


def test_a_page_larger_than_usual_has_thicker_strokes():
    pixels = np.full((1700, 1200, 3), 250, np.uint8)
    cv2.line(pixels, (100, 300), (1000, 300), (30, 30, 30), 4)
    assert len(rulings_from_image(PageImage(pixels, 1.0))) == 1
    assert len(rulings_from_image(PageImage(pixels[:800], 1.0))) == 0


def test_the_strokes_of_a_dark_page_are_light():
    image = page_with([(60, 100, 340, 100), (200, 100, 200, 300)])
    assert len(rulings_from_image(PageImage(255 - image.pixels, SCALE))) == 2


def test_the_dark_between_the_words_of_a_bar_is_no_ruling():
    image = page_with([])
    cv2.rectangle(image.pixels, (60, 200), (740, 255), (20, 20, 60), -1)
    cv2.putText(image.pixels, "Item   Price", (80, 240), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 255, 255), 3)
    assert len(rulings_from_image(image)) == 0


def test_a_stroke_along_the_rim_of_a_bar_is_one_and_the_rim_alone_is_none():
    image = page_with([])
    cv2.rectangle(image.pixels, (60, 200), (740, 255), (110, 180, 100), -1)
    cv2.rectangle(image.pixels, (60, 256), (740, 400), (230, 245, 230), -1)
    assert len(rulings_from_image(image)) == 0
    cv2.line(image.pixels, (60, 256), (740, 256), (40, 60, 40), 2)
    [stroke] = rulings_from_image(image)
    assert np.allclose(stroke, (30, 128, 370, 128), atol=2)


def test_a_pale_stroke_goes_on_between_letters_and_over_strokes_that_cross_it():
    image = page_with([])
    for x in range(200, 600, 20):
        cv2.putText(image.pixels, "H", (x, 396), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 0), 3)
        cv2.putText(image.pixels, "H", (x, 426), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (0, 0, 0), 3)
    image.pixels[400:402, 100:700] = np.minimum(image.pixels[400:402, 100:700], 190)
    image.pixels[380:420, 610:612] = 190
    wide = [stroke for stroke in rulings_from_image(image).tolist() if stroke[2] - stroke[0] > 250]
    assert len(wide) > 0 and all(abs(stroke[0] - 50) < 2 and abs(stroke[2] - 350) < 2 for stroke in wide)


def test_light_strokes_between_tinted_cells_are_rulings_and_the_white_between_shaded_lines_of_text_is_none():
    image = page_with([])
    cv2.rectangle(image.pixels, (100, 100), (700, 300), (70, 120, 190), -1)
    for ends in (((100, 160), (700, 160)), ((100, 220), (700, 220)), ((400, 100), (400, 300))):
        cv2.line(image.pixels, *ends, (250, 250, 250), 3)
    cv2.rectangle(image.pixels, (100, 400), (700, 700), (215, 215, 215), -1)  # a shadow on the paper
    for y in range(420, 700, 14):
        cv2.putText(
            image.pixels, "words of a paragraph that go on and on", (110, y), cv2.FONT_HERSHEY_PLAIN, 1.0, (40, 40, 40)
        )
    found = rulings_from_image(image)
    inside = found[found[:, 3] < 160]
    assert len(found) == len(inside)
    assert sorted((np.ptp(inside[:, [1, 3]], axis=1) > 20).tolist()) == [False, False, True]
