"""Rulings, filled boxes and images of a page, and how large its pixels may grow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.pdf import open_document


def read(pdf):
    with open_document(pdf, name="page.pdf") as document:
        return document.page(1)


def sorted_rows(array):
    return sorted(map(tuple, np.round(np.asarray(array, float), 1).tolist()))


@pytest.mark.parametrize(
    "drawing",
    [
        b"1 w 50 300 m 250 300 l S",
        b"0 0 0 rg 50 299.5 200 1 re f",
        b"0.5 w 50 300 m 150 300 l S 150 300 m 250 300 l S",
        b"0.5 w "
        + b" ".join(b"%d 300 m %d 300 l S" % (x, x + 5) for x in range(50, 250, 8))
        + b" 246 300 m 250 300 l S",
        b"q 2 0 0 2 0 100 cm 25 100 m 125 100 l S Q",
    ],
    ids=["stroke", "thin box", "two pieces", "dashes", "scaled"],
)
def test_one_horizontal_ruling(make_pdf, drawing):
    (ruling,) = read(make_pdf(drawing)).rulings
    np.testing.assert_allclose(ruling, [50, 100, 250, 100], atol=0.01)
    assert ruling[1] == ruling[3]


@pytest.mark.parametrize("limit", ["graphics.MAX_PATHS", "graphics.MAX_OBJECTS", "paths.MAX_ALL_SEGMENTS"])
def test_a_page_that_draws_too_much_says_so_once(make_pdf, monkeypatch, limit):
    drawing = b" ".join(b"1 w 50 %d m 250 %d l S" % (y, y) for y in range(100, 300, 10))
    assert read(make_pdf(drawing)).warnings == []
    monkeypatch.setattr(f"docparse.pdf.{limit}", 10)
    page = read(make_pdf(drawing))
    assert 1 <= len(page.rulings) < 20
    (warning,) = page.warnings
    assert "too much is drawn" in warning


def test_a_stroked_box_has_four_edges(make_pdf):
    page = read(make_pdf(b"0.5 w 50 100 200 250 re S"))
    assert sorted_rows(page.rulings) == [(50, 50, 50, 300), (50, 50, 250, 50), (50, 300, 250, 300), (250, 50, 250, 300)]


def test_lines_in_forms_use_the_forms_matrices(make_pdf, make_stream):
    inner = make_stream(b"0 0 0 rg 0 -0.5 10 1 re f", b"/Type /XObject /Subtype /Form /BBox [0 -5 50 5]")
    outer = make_stream(
        b"q 10 0 0 1 5 0 cm /Y Do Q",
        b"/Type /XObject /Subtype /Form /BBox [0 -50 500 50] /Matrix [1 0 0 1 0 20]"
        b" /Resources << /XObject << /Y 101 0 R >> >>",
    )
    pdf = make_pdf(
        b"q 1 0 0 1 30 200 cm /X Do Q", resources=b"/XObject << /X 100 0 R >>", objects={100: outer, 101: inner}
    )
    (ruling,) = read(pdf).rulings
    np.testing.assert_allclose(ruling, [35, 180, 135, 180], atol=0.01)


@pytest.mark.parametrize(
    "drawing",
    [
        b"1 1 1 RG 50 300 m 250 300 l S",
        b"50 300 m 250 300 l n",
        b"1 1 1 rg 50 300 100 50 re f",
        b"50 300 m 250 380 l S",
    ],
    ids=["white stroke", "no paint", "white fill", "diagonal"],
)
def test_what_is_no_ruling(make_pdf, drawing):
    page = read(make_pdf(drawing))
    assert len(page.rulings) == len(page.panels) == 0


def test_a_curve_of_a_plot_is_no_ruling(make_pdf):
    steps = b" ".join(b"%d %d l" % (50 + 10 * i, 300 + (0, 30, 30, 5)[i % 4]) for i in range(1, 20))
    assert len(read(make_pdf(b"50 300 m " + steps + b" S")).rulings) == 0


def test_separate_rulings_stay_separate(make_pdf):
    page = read(make_pdf(b"1 w 50 300 m 140 300 l S 143 300 m 250 300 l S"))
    assert sorted_rows(page.rulings) == [(50, 100, 140, 100), (143, 100, 250, 100)]


def test_coloured_boxes_are_panels(make_pdf):
    page = read(make_pdf(b"0.9 0.9 0.5 rg 50 300 200 20 re f"))
    assert sorted_rows(page.panels) == [(50, 80, 250, 100)] and len(page.rulings) == 0


def test_images_are_boxes_and_hide_what_lies_under_them(make_pdf, make_image):
    content = b"60 250 m 140 250 l S q 100 0 0 80 50 200 cm /I Do Q 0 0 200 1 re f"
    pdf = make_pdf(content, resources=b"/XObject << /I 100 0 R >>", objects={100: make_image(2, 2, bytes(4))})
    page = read(pdf)
    (box,) = page.images
    np.testing.assert_allclose((box.x0, box.y0, box.x1, box.y1), (50, 120, 150, 200), atol=0.01)
    assert len(page.rulings) == 1 and page.rulings[0][1] > 390


@given(
    columns=st.lists(st.integers(12, 60), min_size=1, max_size=4),
    rows=st.lists(st.integers(8, 60), min_size=1, max_size=5),
)
def test_a_grid_of_cell_boxes_is_its_lines(make_pdf, columns, rows):
    """Every cell stroked by itself: shared edges are one ruling, as long as the grid."""
    x, y = np.cumsum([30, *columns]), np.cumsum([50, *rows])
    cells = b" ".join(
        b"%d %d %d %d re" % (x[i], y[j], columns[i], rows[j]) for i in range(len(columns)) for j in range(len(rows))
    )
    page = read(make_pdf(b"0.5 w " + cells + b" S"))
    expected = [(x[0], 400 - v, x[-1], 400 - v) for v in y] + [(v, 400 - y[-1], v, 400 - y[0]) for v in x]
    assert sorted_rows(page.rulings) == sorted_rows(expected)


def test_huge_pages_are_capped_and_say_so(make_pdf):
    page_box = (0, 0, 14_400, 14_400)
    with open_document(make_pdf(b"0 0 7200 14400 re f", media=page_box), name="huge.pdf") as document:
        page = document.page(1)
        assert not page.warnings
        image = page.render(144)
        height, width = image.pixels.shape[:2]
        assert max(height, width) <= 10_000 and height * width <= 40_100_000
        assert abs(image.scale * 14_400 - width) <= 1
        assert image.pixels[height // 2, width // 4].max() == 0 and image.pixels[height // 2, -width // 4].min() == 255
        assert len(page.warnings) == 1 and "dpi" in page.warnings[0]


def test_a_normal_page_is_rendered_as_asked_once(make_pdf):
    with open_document(make_pdf(b"1 0 0 rg 0 0 150 400 re f"), name="page.pdf") as document:
        page = document.page(1)
        image = page.render(144)
        assert image.pixels.shape == (800, 600, 3) and image.scale == 2
        assert image.pixels[400, 10].tolist() == [255, 0, 0]
        assert page.render(144) is image and not page.warnings


def test_a_box_with_round_corners_is_a_panel_whether_filled_or_outlined(make_pdf):
    corner = b"60 300 m 240 300 l 246 300 250 304 250 310 c 250 370 l 250 376 246 380 240 380 c 60 380 l "
    box = corner + b"54 380 50 376 50 370 c 50 310 l 50 304 54 300 60 300 c "
    for paint in (b"0.9 0.9 0.5 rg " + box + b"f", box + b"S"):
        (panel,) = sorted_rows(read(make_pdf(paint)).panels)
        assert panel == (50, 20, 250, 100)


def test_a_disc_is_no_panel(make_pdf):
    disc = (
        b"50 300 m 50 327 72 350 100 350 c 127 350 150 327 150 300 c 150 272 127 250 100 250 c 72 250 50 272 50 300 c f"
    )
    assert len(read(make_pdf(disc)).panels) == 0
