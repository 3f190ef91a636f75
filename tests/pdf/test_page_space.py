"""A page is upright whatever /Rotate, the text matrix or the crop box say, and the pixels agree with the boxes."""

import numpy as np
import pytest
from handmade import gray_image, pdf
from hypothesis import given
from hypothesis import strategies as st

from docparse.pdf import open_document
from docparse.pdf.space import PageSpace

# text matrices that turn text clockwise in user space by so many degrees
TURNED = {0: b"1 0 0 1", 90: b"0 -1 1 0", 180: b"-1 0 0 -1", 270: b"0 1 -1 0"}


def ink_box(page, dpi=144):
    """The box of everything dark on the rendered page, in points."""
    image = page.render(dpi)
    rows, columns = np.nonzero(image.pixels.min(axis=2) < 128)
    return np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]) / image.scale


def angles(page):
    return {font.angle for font in page.characters.fonts}


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_dominant_text_ends_upright(rotate, turn):
    content = b"BT /F1 20 Tf " + TURNED[turn] + b" 100 200 Tm (HHHH) Tj ET"
    with open_document(pdf(content, page=b"/Rotate %d" % rotate), name="turned.pdf") as document:
        page = document.page(1)
        assert page.characters.text == "HHHH" and angles(page) == {0}
        assert page.rotation == -turn % 360
        assert (page.width, page.height) == ((300, 400) if turn in (0, 180) else (400, 300))
        boxes = page.characters.box[~page.characters.generated]
        assert (np.diff(boxes[:, 0]) > 0).all()
        ink = ink_box(page)
        assert boxes[:, 0].min() - 1 <= ink[0] and ink[2] <= boxes[:, 2].max() + 1
        assert boxes[:, 1].min() - 1 <= ink[1] and abs(ink[3] - page.characters.baseline[0]) < 1


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_a_page_without_text_follows_rotate(rotate):
    with open_document(pdf(b"0 0 0 rg 0 0 30 20 re f", page=b"/Rotate %d" % rotate), name="bar.pdf") as document:
        page = document.page(1)
        assert page.rotation == rotate
        np.testing.assert_allclose(page.panels[0], ink_box(page), atol=0.6)


def test_minority_text_keeps_its_angle(read):
    page = read(pdf(b"BT /F1 12 Tf 1 0 0 1 50 300 Tm (most of the text) Tj 0 1 -1 0 30 100 Tm (side) Tj ET"))
    characters = page.characters
    assert {characters.fonts[font].angle for font in characters.font[-4:]} == {270}
    side = characters.box[-4:]
    assert (np.diff(side[:, 1]) < 0).all()  # runs upwards
    np.testing.assert_allclose(characters.baseline[-4:], 30, atol=0.01)
    np.testing.assert_allclose(side[:, 2] - side[:, 0], 12, atol=0.01)


def test_a_note_up_the_side_of_a_scan_does_not_turn_it_and_lines_of_a_table_beside_a_number_do(read):
    content = b"q 300 0 0 400 0 0 cm /I Do Q BT /F1 8 Tf 0 1 -1 0 12 100 Tm (Downloaded from a library) Tj ET"
    image = gray_image(2, 2, b"\xf0" * 4)
    scan = read(pdf(content, resources=b"/XObject << /I 100 0 R >>", objects={100: image}))
    assert scan.rotation == 0 and angles(scan) == {270}
    lines = b" ".join(b"0 1 -1 0 %d 100 Tm (a line of a sideways table) Tj" % x for x in (50, 70, 90))
    table = read(pdf(b"BT /F1 9 Tf 1 0 0 1 150 10 Tm (17) Tj " + lines + b" ET"))
    assert table.rotation == 90 and table.width == 400


def test_crop_box_is_the_visible_page(read):
    content = b"BT /F1 10 Tf 60 110 Td (inside) Tj ET BT /F1 10 Tf 10 10 Td (outside) Tj ET 60 100 100 0.5 re f"
    page = read(pdf(content, media=(-20, -30, 300, 400), page=b"/CropBox [50 100 250 300]"))
    assert (page.width, page.height) == (200, 200)
    assert page.characters.text.strip() == "inside"
    np.testing.assert_allclose([page.characters.baseline[0], page.characters.box[0, 0]], [190, 10], atol=0.01)
    np.testing.assert_allclose(page.rulings, [[10, 199.75, 110, 199.75]], atol=0.01)


@pytest.mark.parametrize(
    "entry",
    [b"/CropBox [900 900 950 950]", b"/CropBox [300 0 310 400]", b"/UserUnit 2"],
    ids=["a crop box outside the page", "one beside it", "a unit, of which pdfium knows nothing"],
)
def test_what_cannot_be_followed_changes_neither_boxes_nor_pixels(entry):
    with open_document(pdf(b"BT /F1 20 Tf 50 300 Td (HHHH) Tj ET", page=entry), name="x.pdf") as document:
        page = document.page(1)
        assert (page.width, page.height, page.characters.fonts[0].size) == (300, 400, 20)
        assert abs(ink_box(page)[3] - page.characters.baseline[0]) < 1


@given(
    st.tuples(st.floats(-500, 500), st.floats(-500, 500), st.floats(10, 900), st.floats(10, 900)),
    st.sampled_from([0, 90, 180, 270]),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_the_visible_box_maps_onto_the_page(corner_and_size, rotation, u, v):
    left, bottom, width, height = corner_and_size
    space = PageSpace(left, bottom, left + width, bottom + height, rotation)
    x, y = space.points(np.array([left + u * width, bottom + v * height]))
    assert -1e-6 <= x <= space.size[0] + 1e-6
    assert -1e-6 <= y <= space.size[1] + 1e-6
    # the corner that is at the top left after a clockwise turn
    corner = {0: (0, 1), 90: (0, 0), 180: (1, 0), 270: (1, 1)}[rotation]
    top_left = np.array([left + corner[0] * width, bottom + corner[1] * height])
    np.testing.assert_allclose(space.points(top_left), 0, atol=1e-6)
