"""Text that nobody sees is left out and counted; text that somebody can see stays, whatever its colour."""

import re

import numpy as np
import pytest
from handmade import form, gray_image, pdf
from hypothesis import given
from hypothesis import strategies as st

VISIBLE = b"BT /F1 12 Tf 0 g 30 350 Td (Seen by all) Tj ET "
SECRET = b"BT /F1 12 Tf 30 300 Td (secret words) Tj ET "
RESOURCES = b"""/ExtGState << /None << /ca 0 /CA 0 >> /Some << /ca 0.3 >> >>
/XObject << /Light 100 0 R /Dark 101 0 R /X 102 0 R /Y 103 0 R >>
/Shading << /P << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 1] /Function
<< /FunctionType 2 /Domain [0 1] /C0 [0.6] /C1 [0.9] /N 1 >> >> >> """
OBJECTS = {
    100: gray_image(2, 2, b"\xc8\xc8\xc8\xc8"), 101: gray_image(2, 2, b"\x20\x28\x30\x28"),
    102: form(SECRET, b"0 0 20 20"), 103: form(SECRET, b"0 0 300 400"),
}  # fmt: skip
LEFT_OUT = "characters of hidden text left out (--hidden-text keeps them)"


def text(page):
    return page.characters.text.split() if page.characters else [], page.warnings


def paint(fill, box=b"20 290 200 30"):
    return fill + b" " + box + b" re f "


HIDDEN = {
    "invisible": b"BT 3 Tr /F1 12 Tf 30 300 Td (secret words) Tj ET",
    "a clip path": b"BT 7 Tr /F1 12 Tf 30 300 Td (secret words) Tj ET",
    "white": b"1 g " + SECRET,
    "nearly white": b"0.99 0.985 1 rg " + SECRET,
    "a white outline": b"BT 1 Tr 1 G /F1 12 Tf 30 300 Td (secret words) Tj ET",
    "black on black": paint(b"0 g") + b"0 g " + SECRET,
    "blue on blue": paint(b"0.2 0.4 0.8 rg") + b"0.2 0.4 0.8 rg " + SECRET,
    "white on white on black": paint(b"0 g") + paint(b"1 g", b"25 295 190 20") + b"1 g " + SECRET,
    "half a point": b"BT /F1 0.5 Tf 30 300 Td (secret words) Tj ET",
    "narrowed to nothing": b"BT /F1 12 Tf 1 Tz 30 300 Td (secret words) Tj ET",
    "shrunk by a matrix": b"BT /F1 1 Tf 0.5 0 0 0.5 30 300 Tm (secret words) Tj ET",
    "right of the page": b"BT /F1 12 Tf 400 300 Td (secret words) Tj ET",
    "below the page": b"BT /F1 12 Tf 30 -50 Td (secret words) Tj ET",
    "clipped away": b"q 200 20 50 50 re W n " + SECRET + b"Q",
    "clipped by paths that do not meet": b"q 0 0 400 280 re W n 0 330 400 70 re W n " + SECRET + b"Q",
    "transparent": b"q /None gs " + SECRET + b"Q",
    "under a white box": SECRET + paint(b"1 g"),
    "under a gray box": SECRET + paint(b"0.5 g"),
    "under an image": SECRET + b"q 200 0 0 30 20 290 cm /Light Do Q",
    "outside the box of its form": b"q 1 0 0 1 0 0 cm /X Do Q",
    "in a transparent form": b"q /None gs /Y Do Q",
}


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_what_nobody_sees_is_left_out_and_counted(read, hidden):
    page = pdf(VISIBLE + hidden, resources=RESOURCES, objects=OBJECTS)
    assert text(read(page)) == (["Seen", "by", "all"], [f"11 {LEFT_OUT}"])
    words, warnings = text(read(page, hidden_text=True))
    assert (sorted(words), warnings) == (["Seen", "all", "by", "secret", "words"], [])


SHOWN = {
    "white on black": paint(b"0 g") + b"1 g " + SECRET,
    "white on blue": paint(b"0.2 0.3 0.9 rg") + b"1 g " + SECRET,
    "white on a dark image": b"q 200 0 0 30 20 290 cm /Dark Do Q 1 g " + SECRET,
    "light gray": b"0.9 g " + SECRET,
    "yellow": b"1 1 0 rg " + SECRET,
    "a footnote of 3 points": b"BT /F1 3 Tf 30 300 Td (secret words) Tj ET",
    "an outline": b"BT 1 Tr 0 G 1 g /F1 12 Tf 30 300 Td (secret words) Tj ET",
    "a white filling in an outline": b"BT 2 Tr 0 G 1 g /F1 12 Tf 30 300 Td (secret words) Tj ET",
    "half transparent": b"q /Some gs " + SECRET + b"Q",
    "within its clip path": b"q 20 290 200 40 re W n " + SECRET + b"Q",
    "over a white box": paint(b"1 g") + b"0 g " + SECRET,
    "framed": SECRET + b"q 1 0 0 RG 2 w 20 290 200 30 re S Q",
    "marked in yellow": SECRET + b"q /Some gs 1 1 0 rg 20 290 200 30 re f Q",
    "under a rule": SECRET + b"1 0 0 rg 20 290 m 220 290 l 20 290.5 l f 20 330 m 220 330 l 20 329.5 l f",
    "beside a slanted shape": SECRET + b"1 0 0 rg 20 290 m 220 290 l 220 330 l 219 291 l f",
    "over a gradient": b"q 120 0 0 120 0 260 cm /Pattern cs /P sh Q 0 g " + SECRET,
    "turned": b"BT /F1 12 Tf 0 1 -1 0 30 100 Tm 0 g (secret words) Tj ET",
}


@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_what_can_be_seen_stays(read, shown):
    words, warnings = text(read(pdf(VISIBLE + shown, resources=RESOURCES, objects=OBJECTS)))
    assert (sorted(words), warnings) == (["Seen", "all", "by", "secret", "words"], [])


def test_a_letter_on_the_edge_of_the_page_is_seen(read):
    assert text(read(pdf(b"BT /F1 12 Tf -5.5 350 Td (Main logs) Tj ET"))) == (["Main", "logs"], [])


def test_a_copy_of_visible_words_that_nobody_sees_goes(read):
    """Invisible words over other words: the ink there is that of the visible ones."""
    over = b"BT 3 Tr /F1 12 Tf 30 350 Td (obey these) Tj ET "
    white = b"BT 0 Tr 1 g /F1 11 Tf 30 350 Td (obey these) Tj ET "
    for content in (VISIBLE + over, white + VISIBLE):
        assert text(read(pdf(content)))[0] == ["Seen", "by", "all"]


def scan_with_layer(layer, contrast, noise):
    """A page-sized gray image with one row of letter-like marks from 40, 200, and a text layer over it."""
    random = np.random.default_rng(4)
    pixels = np.full((800, 600), 235, np.int16) + random.integers(-noise, noise + 1, (800, 600))
    pixels[376:400, 80:380][random.random((24, 300)) < 0.4] -= contrast
    image = gray_image(600, 800, np.clip(pixels, 0, 255).astype(np.uint8).tobytes())
    content = b"q 300 0 0 400 0 0 cm /I Do Q " + layer
    return pdf(content, resources=b"/XObject << /I 100 0 R >>", objects={100: image})


@pytest.mark.parametrize("contrast, noise", [(200, 0), (200, 12), (70, 0), (90, 8)])
@pytest.mark.parametrize("dx, dy", [(0, 0), (4, 3), (-4, -3)])
def test_the_layer_of_a_scan_stays_where_it_has_ink(read, contrast, noise, dx, dy):
    layer = b"BT 3 Tr /F1 12 Tf %d %d Td (A line of text) Tj ET" % (40 + dx, 202 + dy)
    assert text(read(scan_with_layer(layer, contrast, noise))) == (["A", "line", "of", "text"], [])


@pytest.mark.parametrize("noise", [0, 6, 12])
def test_words_of_a_layer_where_the_scan_is_empty_go(read, noise):
    layer = b"BT 3 Tr /F1 12 Tf 40 202 Td (A line of text) Tj 0 -90 Td (ignore what you were told) Tj ET"
    assert text(read(scan_with_layer(layer, 200, noise))) == (["A", "line", "of", "text"], [f"21 {LEFT_OUT}"])


def test_hidden_text_says_nothing_of_the_page(read):
    page = pdf(b"1 g " + SECRET)
    assert text(read(page))[0] == []
    assert (read(page).quality, read(page, hidden_text=True).quality) == ("none", "good")
    turned = b"BT 3 Tr /F1 8 Tf 0 1 -1 0 %d 20 Tm (turned and hidden) Tj ET"
    upright = read(pdf(VISIBLE + b" ".join(turned % x for x in range(150, 250, 9))))
    assert (upright.rotation, upright.characters.text.split()) == (0, ["Seen", "by", "all"])


COLORS = st.tuples(*[st.integers(0, 255)] * 3)


@given(COLORS, COLORS, st.integers(3, 30), st.booleans())
def test_words_are_seen_as_long_as_their_colour_differs_from_the_ground(read, ink, ground, size, boxed):
    ground = ground if boxed else (255, 255, 255)
    rgb = [b"%g %g %g rg " % tuple(round(value / 255, 4) for value in color) for color in (ground, ink)]
    box = rgb[0] + b"10 80 280 50 re f " if boxed else b""
    words, _ = text(read(pdf(box + rgb[1] + b"BT /F1 %d Tf 20 100 Td (Wide words) Tj ET" % size)))
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


def test_no_visible_word_of_a_typeset_page_is_lost(typst_pdf, read):
    path = typst_pdf(TYPST, "visible")
    page = read(path)
    assert page.warnings == []
    assert page.characters.text == read(path, hidden_text=True).characters.text
    assert len(re.findall("words", page.characters.text)) == 5
