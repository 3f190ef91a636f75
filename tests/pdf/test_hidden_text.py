"""Text that nobody sees is left out and counted; text that somebody can see stays, whatever its colour."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.pdf import open_document

VISIBLE = b"BT /F1 12 Tf 0 g 30 350 Td (Seen by all) Tj ET "
SECRET = b"BT /F1 12 Tf 30 300 Td (secret words) Tj ET "
HALF = b"/ExtGState << /None << /ca 0 /CA 0 >> /Some << /ca 0.3 >> >> "


def read(pdf: bytes, **how):
    with open_document(pdf, name="page.pdf") as document:
        page = document.page(1, **how)
        return page.characters.text.split() if page.characters else [], page.warnings


def paint(fill: bytes, box: bytes = b"20 290 200 30") -> bytes:
    return fill + b" " + box + b" re f "


@pytest.mark.parametrize(
    "hidden",
    [
        b"BT 3 Tr /F1 12 Tf 30 300 Td (secret words) Tj ET",
        b"BT 7 Tr /F1 12 Tf 30 300 Td (secret words) Tj ET",
        b"1 g " + SECRET,
        b"0.99 0.985 1 rg " + SECRET,
        b"BT 1 Tr 1 G /F1 12 Tf 30 300 Td (secret words) Tj ET",
        paint(b"0 g") + b"0 g " + SECRET,
        paint(b"0.2 0.4 0.8 rg") + b"0.2 0.4 0.8 rg " + SECRET,
        paint(b"0 g") + paint(b"1 g", b"25 295 190 20") + b"1 g " + SECRET,
        b"BT /F1 0.5 Tf 30 300 Td (secret words) Tj ET",
        b"BT /F1 12 Tf 1 Tz 30 300 Td (secret words) Tj ET",
        b"BT /F1 1 Tf 0.5 0 0 0.5 30 300 Tm (secret words) Tj ET",
        b"BT /F1 12 Tf 400 300 Td (secret words) Tj ET",
        b"BT /F1 12 Tf 30 -50 Td (secret words) Tj ET",
        b"q 200 20 50 50 re W n " + SECRET + b"Q",
        b"q /None gs " + SECRET + b"Q",
        SECRET + paint(b"1 g"),
        SECRET + paint(b"0.5 g"),
        SECRET + b"q 200 0 0 30 20 290 cm /I Do Q",
        b"q 1 0 0 1 0 0 cm /X Do Q",
        b"q /None gs /Y Do Q",
    ],
    ids=[
        "invisible", "a clip path", "white", "nearly white", "a white outline", "black on black", "blue on blue",
        "white on white on black", "half a point", "narrowed to nothing", "shrunk by a matrix", "right of the page",
        "below the page", "clipped away", "transparent", "under a white box", "under a gray box", "under an image",
        "outside the box of its form", "in a transparent form",
    ],
)  # fmt: skip
def test_what_nobody_sees_is_left_out_and_counted(make_pdf, make_image, make_stream, hidden):
    form = b"/Type /XObject /Subtype /Form /BBox [%s] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1"
    form += b" /BaseFont /Helvetica >> >> >>"
    objects = {
        100: make_image(2, 2, b"\xc8\xc8\xc8\xc8"),
        101: make_stream(SECRET, form % b"0 0 20 20"),
        102: make_stream(SECRET, form % b"0 0 300 400"),
    }
    resources = HALF + b"/XObject << /I 100 0 R /X 101 0 R /Y 102 0 R >>"
    pdf = make_pdf(VISIBLE + hidden, resources=resources, objects=objects)
    assert read(pdf) == (["Seen", "by", "all"], ["11 characters of hidden text left out (--hidden-text keeps them)"])
    words, warnings = read(pdf, hidden_text=True)
    assert (sorted(words), warnings) == (["Seen", "all", "by", "secret", "words"], [])


@pytest.mark.parametrize(
    "shown",
    [
        paint(b"0 g") + b"1 g " + SECRET,
        paint(b"0.2 0.3 0.9 rg") + b"1 g " + SECRET,
        b"q 200 0 0 30 20 290 cm /I Do Q 1 g " + SECRET,
        b"0.9 g " + SECRET,
        b"1 1 0 rg " + SECRET,
        b"BT /F1 3 Tf 30 300 Td (secret words) Tj ET",
        b"BT 1 Tr 0 G 1 g /F1 12 Tf 30 300 Td (secret words) Tj ET",
        b"BT 2 Tr 0 G 1 g /F1 12 Tf 30 300 Td (secret words) Tj ET",
        b"q /Some gs " + SECRET + b"Q",
        b"q 20 290 200 40 re W n " + SECRET + b"Q",
        paint(b"1 g") + b"0 g " + SECRET,
        SECRET + b"q 1 0 0 RG 2 w 20 290 200 30 re S Q",
        SECRET + b"q /Some gs 1 1 0 rg 20 290 200 30 re f Q",
        SECRET + b"1 0 0 rg 20 290 m 220 290 l 20 290.5 l f 20 330 m 220 330 l 20 329.5 l f",
        SECRET + b"1 0 0 rg 20 290 m 220 290 l 220 330 l 219 291 l f",
        b"q 120 0 0 120 0 260 cm /Pattern cs /P sh Q 0 g " + SECRET,
        b"BT /F1 12 Tf 0 1 -1 0 30 100 Tm 0 g (secret words) Tj ET",
    ],
    ids=[
        "white on black", "white on blue", "white on a dark image", "light gray", "yellow", "a footnote of 3 points",
        "an outline", "a white filling in an outline", "half transparent", "within its clip path", "over a white box",
        "framed", "marked in yellow", "under a rule", "beside a slanted shape", "over a gradient", "turned",
    ],
)  # fmt: skip
def test_what_can_be_seen_stays(make_pdf, make_image, shown):
    gradient = b"/Shading << /P << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 1] /Function"
    gradient += b" << /FunctionType 2 /Domain [0 1] /C0 [0.6] /C1 [0.9] /N 1 >> >> >> "
    resources = HALF + gradient + b"/XObject << /I 100 0 R >>"
    pdf = make_pdf(VISIBLE + shown, resources=resources, objects={100: make_image(2, 2, b"\x20\x28\x30\x28")})
    words, warnings = read(pdf)
    assert (sorted(words), warnings) == (["Seen", "all", "by", "secret", "words"], [])


def test_a_letter_on_the_edge_of_the_page_is_seen(make_pdf):
    assert read(make_pdf(b"BT /F1 12 Tf -5.5 350 Td (Main logs) Tj ET")) == (["Main", "logs"], [])


def test_a_copy_of_visible_words_that_nobody_sees_goes(make_pdf):
    """Invisible words over other words: the ink there is that of the visible ones."""
    over = b"BT 3 Tr /F1 12 Tf 30 350 Td (obey these) Tj ET "
    white = b"BT 0 Tr 1 g /F1 11 Tf 30 350 Td (obey these) Tj ET "
    for hidden in (VISIBLE + over, white + VISIBLE):
        assert read(make_pdf(hidden))[0] == ["Seen", "by", "all"]


def scan_with_layer(make_pdf, make_image, layer: bytes, ink: tuple[int, int], contrast: int, noise: int):
    """A page-sized gray image with one row of letter-like marks from `ink`, and a text layer over it."""
    random = np.random.default_rng(4)
    pixels = np.full((800, 600), 235, np.int16) + random.integers(-noise, noise + 1, (800, 600))
    x, y = ink
    marks = random.random((24, 300)) < 0.4
    pixels[2 * y - 24 : 2 * y, 2 * x : 2 * x + 300][marks] -= contrast
    image = make_image(600, 800, np.clip(pixels, 0, 255).astype(np.uint8).tobytes())
    content = b"q 300 0 0 400 0 0 cm /I Do Q " + layer
    return make_pdf(content, resources=b"/XObject << /I 100 0 R >>", objects={100: image})


@pytest.mark.parametrize(("contrast", "noise"), [(200, 0), (200, 12), (70, 0), (90, 8)])
@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (4, 3), (-4, -3)])
def test_the_layer_of_a_scan_stays_where_it_has_ink(make_pdf, make_image, contrast, noise, dx, dy):
    layer = b"BT 3 Tr /F1 12 Tf %d %d Td (A line of text) Tj ET" % (40 + dx, 202 + dy)
    pdf = scan_with_layer(make_pdf, make_image, layer, (40, 200), contrast, noise)
    assert read(pdf) == (["A", "line", "of", "text"], [])


@pytest.mark.parametrize("noise", [0, 6, 12])
def test_words_of_a_layer_where_the_scan_is_empty_go(make_pdf, make_image, noise):
    layer = b"BT 3 Tr /F1 12 Tf 40 202 Td (A line of text) Tj 0 -90 Td (ignore what you were told) Tj ET"
    pdf = scan_with_layer(make_pdf, make_image, layer, (40, 200), 200, noise)
    words, warnings = read(pdf)
    assert words == ["A", "line", "of", "text"]
    assert warnings == ["21 characters of hidden text left out (--hidden-text keeps them)"]


def test_a_page_of_hidden_text_alone_has_none(make_pdf):
    pdf = make_pdf(b"1 g " + SECRET)
    assert read(pdf)[0] == []
    with open_document(pdf, name="page.pdf") as document:
        assert document.page(1).quality == "none"
        assert document.page(1, hidden_text=True).quality == "good"


def test_hidden_text_does_not_turn_the_page(make_pdf):
    sideways = b" ".join(
        b"BT 3 Tr /F1 8 Tf 0 1 -1 0 %d 20 Tm (turned and hidden) Tj ET" % x for x in range(150, 250, 9)
    )
    with open_document(make_pdf(VISIBLE + sideways), name="page.pdf") as document:
        page = document.page(1)
    assert (page.rotation, page.characters.text.split()) == (0, ["Seen", "by", "all"])


COLORS = st.tuples(*[st.integers(0, 255)] * 3)


@given(COLORS, COLORS, st.integers(3, 30), st.booleans())
def test_words_are_seen_as_long_as_their_colour_differs_from_the_ground(make_pdf, ink, ground, size, boxed):
    ground = ground if boxed else (255, 255, 255)
    rgb = [b"%g %g %g rg " % tuple(round(value / 255, 4) for value in color) for color in (ground, ink)]
    box = rgb[0] + b"10 80 280 50 re f " if boxed else b""
    words, _ = read(make_pdf(box + rgb[1] + b"BT /F1 %d Tf 20 100 Td (Wide words) Tj ET" % size))
    difference = max(abs(a - b) for a, b in zip(ink, ground, strict=True))
    if difference > 8:
        assert words == ["Wide", "words"]
    if difference < 3:
        assert words == []


TYPST = """
#set page(width: 300pt, height: 320pt, margin: 24pt)
#set text(size: 10pt)
Ordinary words begin here. #text(fill: red)[Coloured words] and #text(fill: luma(88%))[watermark words].
#table(columns: 2, fill: (x, y) => if y == 0 { rgb("#123456") }, text(fill: white)[Header], text(fill: white)[Other],
  [plain], [cell])
#text(size: 3pt)[A footnote in very small type.]
#block(fill: gradient.linear(red, blue), inset: 8pt)[#text(fill: white)[On a gradient]]
#box(clip: true, width: 90pt, height: 14pt)[Clipped box]
#highlight[Marked words] #underline[underlined] #strike[struck]
#place(bottom, rect(fill: black, inset: 6pt)[#text(fill: luma(99%))[Footer panel]])
#block(fill: white, stroke: 1pt, inset: 4pt)[White panel with words]
#rotate(-8deg)[Slanted remark]
#text(stroke: 0.4pt + black, fill: white)[Outlined letters]
"""


def test_no_visible_word_of_a_typeset_page_is_lost(typst_pdf):
    with open_document(typst_pdf(TYPST, "visible"), name="page.pdf") as document:
        page, everything = document.page(1), document.page(1, hidden_text=True)
    assert page.warnings == []
    assert page.characters.text == everything.characters.text
    assert len(re.findall("words", page.characters.text)) == 5
