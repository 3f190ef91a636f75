"""Drawings and photos in the pixels of a page."""

import cv2
import numpy as np
import pytest
from typeset import row, rules, word

from docparse.layout.pictures.drawn import drawn_from_image
from docparse.pdf.content import PageImage
from docparse.types import Box

SCALE = 2.0  # pixels a point


def paper():
    return np.full((1200, 900, 3), 255, np.uint8)


def curve(pixels, x0=200, x1=500, y=500, ink=(30, 60, 200)):
    xs = np.arange(x0, x1)
    points = np.stack([xs, y + 40 * np.sin((xs - x0) / 15)], axis=1).astype(np.int32)
    cv2.polylines(pixels, [points], False, ink, 3)
    return pixels


def found(pixels, words=(), strokes=()):
    return drawn_from_image(PageImage(pixels, SCALE), words, rules(*strokes))


def near(box, expected):
    np.testing.assert_allclose((box.x0, box.y0, box.x1, box.y1), expected, atol=6)


def test_a_curve_is_a_drawing_with_the_lines_of_its_grid_and_its_axes():
    (alone,) = found(curve(paper()))
    near(alone, (100, 230, 250, 270))
    grid, axis, column = (80, 240, 260, 240), (80, 200, 80, 295), (40, 100, 40, 560)
    (chart,) = found(curve(paper()), strokes=[grid, axis, column])
    near(chart, (80, 200, 260, 295))
    (beside,) = found(curve(paper()), strokes=[grid, axis, (262, 230, 400, 230)])  # the rule of a table
    near(beside, (80, 200, 260, 295))


def test_what_is_pale_all_over_is_a_watermark_and_no_drawing():
    assert found(curve(paper(), ink=(210, 210, 210))) == []
    assert len(found(curve(curve(paper(), ink=(210, 210, 210)), x0=320, x1=380))) == 1


def test_the_grain_of_old_paper_is_no_drawing_and_what_is_drawn_on_it_is():
    random = np.random.default_rng(0)
    grain = np.clip(random.normal(225, 11, (1200, 900, 1)) + random.normal(0, 3, (1200, 900, 3)), 0, 255)
    assert found(grain.astype(np.uint8)) == []
    near(found(curve(grain.astype(np.uint8), ink=(20, 20, 20)))[0], (100, 230, 250, 270))


def test_a_photo_is_a_picture():
    pixels = paper()
    pixels[300:600, 200:600] = np.random.default_rng(0).integers(0, 256, (300, 400, 3))
    (photo,) = found(pixels)
    near(photo, (100, 150, 300, 300))


@pytest.mark.parametrize(
    "top, left, height, width, kept",
    [(500, 0, 300, 100, False), (0, 100, 150, 300, False), (0, 0, 150, 900, True), (500, 300, 300, 100, True)],
    ids=["beside the text", "over it", "as wide as the page", "between the lines"],
)
def test_the_table_under_a_photographed_page_is_no_picture(top, left, height, width, kept):
    """The page has 450 by 600 points."""
    words = [
        each for y in (150, 550) for each in row("words of a text in lines that fill the whole of its width", 60, y)
    ]
    pixels = paper()
    pixels[top : top + height, left : left + width] = np.random.default_rng(0).integers(0, 256, (height, width, 3))
    assert bool(found(pixels, words)) is kept


def test_a_photo_beside_a_column_may_bleed_off_the_page():
    words = [each for y in (150, 550) for each in row("a narrow column", 60, y)]
    pixels = paper()
    pixels[500:950, 560:900] = np.random.default_rng(0).integers(0, 256, (450, 340, 3))
    near(found(pixels, words)[0], (280, 250, 450, 475))


def test_type_strokes_frames_and_even_paint_are_none():
    words = [each for k in range(8) for each in row("words of a text in lines", 60, 100 + 12 * k)]
    pixels = paper()
    for each in words:
        x0, y0, x1, y1 = (round(SCALE * edge) for edge in (each.box.x0, each.box.y0, each.box.x1, each.box.y1))
        pixels[y0:y1, x0:x1] = np.random.default_rng(1).integers(0, 256, (y1 - y0, x1 - x0, 3))
    cv2.rectangle(pixels, (100, 500), (700, 900), (0, 0, 0), 2)
    for x in range(200, 700, 100):
        cv2.line(pixels, (x, 500), (x, 900), (0, 0, 0), 2)
    pixels[950:1050, 100:700] = (40, 90, 150)
    assert found(pixels, words) == []


@pytest.mark.parametrize("lines, drawings", [(1, 1), (6, 0)], ids=["a few labels", "text all over"])
def test_a_drawing_full_of_words_is_text(lines, drawings):
    words = [word("Label", 105, 215 + 12 * k, width=140) for k in range(lines)]
    pixels = paper()
    cv2.line(pixels, (200, 410), (500, 590), (0, 0, 0), 3)
    cv2.line(pixels, (200, 590), (500, 410), (0, 0, 0), 3)
    assert len(found(pixels, words)) == drawings


def test_two_drawings_apart_are_two():
    boxes = found(curve(curve(paper(), y=200), y=800))
    assert len(boxes) == 2 and not boxes[0].meets(boxes[1]) and all(isinstance(box, Box) for box in boxes)


def test_what_is_drawn_small_belongs_to_the_drawing_that_it_touches_and_is_none_alone():
    pixels = curve(paper())
    for x in (524, 760):  # the circle at the end of an arc, and one far from it
        cv2.circle(pixels, (x, 500), 20, (0, 0, 0), 2)
    (drawing,) = found(pixels)
    near(drawing, (100, 230, 272, 270))


def test_curves_on_either_side_of_an_axis_are_one_drawing():
    pixels = curve(curve(paper(), x1=339), x0=361)
    cv2.line(pixels, (350, 400), (350, 600), (0, 0, 0), 2)
    (chart,) = found(pixels, strokes=[(175, 200, 175, 300)])
    near(chart, (100, 200, 250, 300))


def test_the_table_that_bends_around_a_photographed_sheet_is_no_drawing_and_a_photo_in_its_corner_is():
    grain = np.random.default_rng(0).integers(0, 256, (1200, 900, 3)).astype(np.uint8)
    printed = [word("printed", 60, 300), word("there", 350, 120)]
    bent, corner, edge = paper(), paper(), paper()
    bent[:110], bent[:, 800:] = grain[:110], grain[:, 800:]
    corner[:400, 500:] = grain[:400, 500:]
    edge[400:900, :126] = grain[400:900, :126]
    assert found(bent, printed) == []
    assert len(found(corner, printed)) == 1
    assert len(found(edge, printed)) == 1, "cut with the paper, and a little farther in than the type"
