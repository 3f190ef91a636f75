"""Rulings, filled boxes and images of a page, and how large its pixels may grow."""

import numpy as np
import pytest
from handmade import gray_image, pdf, stream
from hypothesis import given
from hypothesis import strategies as st

from docparse.pdf import open_document

DASHES = b" ".join(b"%d 300 m %d 300 l S" % (x, x + 5) for x in range(50, 250, 8))
CURVE = b" ".join(b"%d %d l" % (50 + 10 * i, 300 + (0, 30, 30, 5)[i % 4]) for i in range(1, 20))
ROUND = b"60 300 m 240 300 l 246 300 250 304 250 310 c 250 370 l 250 376 246 380 240 380 c 60 380 l "
ROUND += b"54 380 50 376 50 370 c 50 310 l 50 304 54 300 60 300 c "
DISC = b"50 300 m 50 327 72 350 100 350 c 127 350 150 327 150 300 c 150 272 127 250 100 250 c 72 250 50 272 50 300 c f"
FORM = b"/Type /XObject /Subtype /Form "
OBJECTS = {
    100: stream(b"q 10 0 0 1 5 0 cm /Y Do Q",
                FORM + b"/BBox [0 -50 500 50] /Matrix [1 0 0 1 0 20] /Resources << /XObject << /Y 101 0 R >> >>"),
    101: stream(b"0 0 0 rg 0 -0.5 10 1 re f", FORM + b"/BBox [0 -5 50 5]"),
    102: gray_image(2, 2, bytes(4)),
}  # fmt: skip
LEVEL = [(50, 100, 250, 100)]
DRAWN = {  # what is drawn, and the rulings, panels and images that it is
    "a stroke": (b"1 w 50 300 m 250 300 l S", LEVEL, [], []),
    "a thin box": (b"0 0 0 rg 50 299.5 200 1 re f", LEVEL, [], []),
    "a stroke that is cut, and one that is cut away": (
        b"q 50 250 200 100 re W n 1 w -900 300 m 900 300 l 0 900 m 900 900 l S Q", LEVEL, [], []),
    "two pieces": (b"0.5 w 50 300 m 150 300 l S 150 300 m 250 300 l S", LEVEL, [], []),
    "the bar of a small fraction": (b"0.3 w 50 300 m 52.5 300 l S", [(50, 100, 52.5, 100)], [], []),
    "dashes": (b"0.5 w " + DASHES + b" 246 300 m 250 300 l S", LEVEL, [], []),
    "the bars of two fractions": (
        b"0.5 w 50 300 m 61 300 l S 63 300 m 74 300 l S", [(50, 100, 61, 100), (63, 100, 74, 100)], [], []),
    "a scaled stroke": (b"q 2 0 0 2 0 100 cm 25 100 m 125 100 l S Q", LEVEL, [], []),
    "a stroke of a form in a form": (b"q 1 0 0 1 30 200 cm /X Do Q", [(35, 180, 135, 180)], [], []),
    "two strokes": (
        b"1 w 50 300 m 140 300 l S 143 300 m 250 300 l S", [(50, 100, 140, 100), (143, 100, 250, 100)], [], []),
    "a stroked box": (
        b"0.5 w 50 100 200 250 re S",
        [(50, 50, 50, 300), (50, 50, 250, 50), (50, 300, 250, 300), (250, 50, 250, 300)],
        [(50, 50, 250, 300)], []),
    "a white stroke": (b"1 1 1 RG 50 300 m 250 300 l S", [], [], []),
    "no paint": (b"50 300 m 250 300 l n", [], [], []),
    "a white box": (b"1 1 1 rg 50 300 100 50 re f", [], [], []),
    "a diagonal": (b"50 300 m 250 380 l S", [], [], []),
    "the curve of a plot": (b"50 300 m " + CURVE + b" S", [], [], []),
    "a coloured box": (b"0.9 0.9 0.5 rg 50 300 200 20 re f", [], [(50, 80, 250, 100)], []),
    "a coloured box that is cut, and one of its path that is cut away": (
        b"q 50 250 200 100 re W n 0.9 0.9 0.5 rg -900 300 2000 20 re 0 900 90 90 re f Q", [], [(50, 80, 250, 100)], []),
    "a coloured box drawn from the middle of a side": (
        b"0.9 0.9 0.5 rg 150 300 m 50 300 l 50 320 l 250 320 l 250 300 l 150 300 l h f", [], [(50, 80, 250, 100)], []),
    "an image under an opaque box of its size: its shadow": (
        b"q 204 0 0 44 48 288 cm /I Do Q 0.9 0.9 0.5 rg 50 290 200 40 re f", [], [(50, 70, 250, 110)], []),
    "an image under a box that is smaller": (
        b"q 204 0 0 44 48 288 cm /I Do Q 0.9 0.9 0.5 rg 50 290 100 40 re f", [], [(50, 70, 150, 110)],
        [(48, 68, 252, 112)]),
    "a filled box with round corners": (b"0.9 0.9 0.5 rg " + ROUND + b"f", [], [(50, 20, 250, 100)], []),
    "an outlined box with round corners": (ROUND + b"S", None, [(50, 20, 250, 100)], []),
    "a disc": (DISC, None, [], []),
    "an image over a stroke, and a rule": (
        b"60 250 m 140 250 l S q 100 0 0 80 50 200 cm /I Do Q 0 0 200 1 re f", [(0, 399.5, 200, 399.5)], [],
        [(50, 120, 150, 200)]),
}  # fmt: skip


def sorted_rows(array):
    return sorted(map(tuple, np.round(np.asarray(array, float), 1).tolist()))


@pytest.mark.parametrize("drawing, rulings, panels, images", DRAWN.values(), ids=DRAWN)
def test_what_is_drawn_is_rulings_panels_and_images(read, drawing, rulings, panels, images):
    page = read(pdf(drawing, resources=b"/XObject << /X 100 0 R /I 102 0 R >>", objects=OBJECTS))
    assert rulings in (None, sorted_rows(page.rulings))
    assert sorted_rows(page.panels) == panels
    assert sorted_rows([(box.x0, box.y0, box.x1, box.y1) for box in page.images]) == images
    level = (page.rulings[:, 1] == page.rulings[:, 3]) | (page.rulings[:, 0] == page.rulings[:, 2])
    assert level.all()


@pytest.mark.parametrize("limit", ["graphics.MAX_PATHS", "graphics.MAX_OBJECTS", "paths.MAX_ALL_SEGMENTS"])
def test_a_page_that_draws_too_much_says_so_once(read, monkeypatch, limit):
    page = pdf(b" ".join(b"1 w 50 %d m 250 %d l S" % (y, y) for y in range(100, 300, 10)))
    assert read(page).warnings == []
    monkeypatch.setattr(f"docparse.pdf.{limit}", 10)
    cut = read(page)
    assert 1 <= len(cut.rulings) < 20
    (warning,) = cut.warnings
    assert "too many drawings" in warning


@pytest.mark.parametrize("limit, warnings", [(20, 1), (60, 1), (61, 0)])
def test_of_a_page_that_draws_very_much_dots_are_left_out_first(read, monkeypatch, limit, warnings):
    dots = b" ".join(b"%d %d 0.5 0.5 re f" % (50 + x, 50 + x) for x in range(60))
    monkeypatch.setattr("docparse.pdf.graphics.MAX_PATHS", limit)
    page = read(pdf(dots + b" 1 w 50 300 m 250 300 l S"))
    assert len(page.warnings) == warnings and sorted_rows(page.rulings) == LEVEL


def test_of_the_curve_of_a_plot_that_is_cut_what_is_seen_counts(read):
    curve = b"-900 300 m -800 -700 300 900 900 310 c S"
    (drawn,) = read(pdf(b"q 50 250 200 100 re W n " + curve + b" Q")).drawings
    assert drawn.tolist() == pytest.approx([50, 50, 250, 150], abs=2)
    assert not len(read(pdf(b"q 50 250 200 100 re W n 50 20 m 60 90 90 10 140 30 c S Q")).drawings)


@given(
    columns=st.lists(st.integers(12, 60), min_size=1, max_size=4),
    rows=st.lists(st.integers(8, 60), min_size=1, max_size=5),
)
def test_a_grid_of_cell_boxes_is_its_lines(read, columns, rows):
    """Every cell stroked by itself: shared edges are one ruling, as long as the grid."""
    x, y = np.cumsum([30, *columns]), np.cumsum([50, *rows])
    cells = b" ".join(
        b"%d %d %d %d re" % (x[i], y[j], columns[i], rows[j]) for i in range(len(columns)) for j in range(len(rows))
    )
    expected = [(x[0], 400 - v, x[-1], 400 - v) for v in y] + [(v, 400 - y[-1], v, 400 - y[0]) for v in x]
    assert sorted_rows(read(pdf(b"0.5 w " + cells + b" S")).rulings) == sorted_rows(expected)


def test_huge_pages_are_capped_and_say_so():
    page_box = (0, 0, 14_400, 14_400)
    with open_document(pdf(b"0 0 7200 14400 re f", media=page_box), name="huge.pdf") as document:
        page = document.page(1)
        assert not page.warnings
        image = page.render(144)
        height, width = image.pixels.shape[:2]
        assert max(height, width) <= 10_000 and height * width <= 40_100_000
        assert abs(image.scale * 14_400 - width) <= 1
        assert image.pixels[height // 2, width // 4].max() == 0 and image.pixels[height // 2, -width // 4].min() == 255
        assert len(page.warnings) == 1 and "dpi" in page.warnings[0]


def test_a_normal_page_is_rendered_as_asked_once():
    with open_document(pdf(b"1 0 0 rg 0 0 150 400 re f"), name="page.pdf") as document:
        page = document.page(1)
        image = page.render(144)
        assert image.pixels.shape == (800, 600, 3) and image.scale == 2
        assert image.pixels[400, 10].tolist() == [255, 0, 0]
        assert page.render(144) is image and not page.warnings


HOOK = b"48 305 m 50 300 l S "


SHAPES = {
    "a box to tick": (b"50 300 10 10 re S", ["☐"]),
    "a bullet": (b"0 0 1 rg 50 300 10 10 re f", ["▪"]),
    "a white tick in a square": (b"0.5 g 50 300 10 10 re f 1 G 2 w 52 305 m 54 303 l 58 308 l S", ["☑"]),
    "a white frame in a square": (b"0 0 1 rg 50 300 10 10 re f 1 G 51 301 8 8 re S", ["▪"]),
    "a white tick beside it": (b"0.5 g 50 300 10 10 re f 1 G 2 w 72 305 m 74 303 l 78 308 l S", ["▪"]),
    "the head of an arrow": (b"50 300 m 60 303.5 l 50 307 l 50 300 l S", []),
    "an arrow as a bullet": (b"0 0 1 rg 50 300 m 60 303.5 l 50 307 l 50 300 l f", ["▪"]),
    "the sign of a root": (HOOK + b"50 300 m 53 312 l S 53 312 m 60 312 l S", ["√"]),
    "the sign of a root that is drawn from its end": (HOOK + b"60 312 m 53 312 l S 53 312 m 50 300 l S", ["√"]),
    "a stroke that slants too much for a root": (b"48 305 m 50 300 l 58 312 l S 58 312 m 70 312 l S", []),
    "a stroke that falls": (HOOK + b"50 312 m 53 300 l S 53 300 m 60 300 l S", []),
    "a box that leans": (b"50 300 m 53 312 l 90 312 l 87 300 l s", []),
}  # fmt: skip


@pytest.mark.parametrize("drawn, expected", SHAPES.values(), ids=SHAPES)
def test_small_shapes_are_marks_but_for_outlines_that_are_longer_than_wide(read, drawn, expected):
    assert [text for _, text in read(pdf(drawn)).marks] == expected
