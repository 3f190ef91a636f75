"""TeX's fonts as bitmaps: told by the ink of their glyphs, whatever their size and resolution."""

import numpy as np
import pytest
from handmade import pdf, stream, tounicode
from hypothesis import given
from hypothesis import strategies as st

from docparse.pdf import open_document
from docparse.pdf.bitmaps import _fonts
from docparse.pdf.glyphs import encoding_of

PIXELS = 300 / 72  # of a point, where printers were coarse


def ink_of(name, codes):
    ink = next(font.ink for font in _fonts() if font.style.name == name)
    return {code: ink[code] for code in codes}


def type3(ink, points):
    """A font whose glyphs are boxes of `ink` (in ems, by code) at `points`, in whole pixels; its unit is the pixel."""
    codes = list(ink)
    boxes = {code: np.round(ink[code] * points * PIXELS).astype(int).tolist() for code in codes}
    glyphs = {
        b"a%d" % code: stream(b"%d 0 0 %d %d %d d1 0 %d %d %d re f" % (w + 9, low, w, top, low, w, top - low))
        for code, (w, low, top) in boxes.items()
    }
    objects = {100 + k: body for k, body in enumerate(glyphs.values())}
    procedures = b" ".join(b"/%s %d 0 R" % (glyph, 100 + k) for k, glyph in enumerate(glyphs))
    differences = b" ".join(b"%d /a%d" % (code, code) for code in codes)
    widths = b" ".join(b"%d" % (boxes[code][0] + 9 if code in boxes else 0) for code in range(128))
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [1 0 0 1 0 0] /FirstChar 0 /LastChar 127"
        b" /Widths [%s] /CharProcs << %s >> /Encoding << /Type /Encoding /Differences [%s] >> >>"
    )
    return font % (widths, procedures, differences), objects


def characters_in(ink, points, meant=None):
    """The characters of a line with every glyph of a bitmap font; `meant` is what the file says that some are."""
    font, objects = type3(ink, points)
    if meant:
        font, objects[99] = font[:-2] + b"/ToUnicode 99 0 R >>", tounicode(meant)
    codes = list(ink)
    text = b"BT /F1 1 Tf %g 0 0 %g 30 200 Tm <%s> Tj ET" % (1 / PIXELS, 1 / PIXELS, bytes(codes).hex().encode())
    return open_document(pdf(text, fonts={"F1": font}, objects=objects), name="a.pdf").page(1).characters


def read(ink, points):
    """The characters, without spaces, and the fonts' names."""
    characters = characters_in(ink, points)
    return "".join(characters.text.split()), {font.name for font in characters.fonts}


@pytest.mark.parametrize("name", ["cmmi10", "cmsy10", "cmmi7", "cmsy7"])
@given(data=st.data())
def test_glyphs_of_math_fonts_mean_what_they_mean_in_tex(name, data):
    """Any dozen of them, of fonts that are not those of text, at any size that books are printed in."""
    meant = encoding_of(name)
    known = [code for code in range(1, 127) if meant[code].isprintable() and code not in range(0x30, 0x3A)]
    letters = [code for code in known if chr(code) == meant[code]]
    codes = data.draw(st.lists(st.sampled_from(letters), min_size=2, max_size=4, unique=True))
    codes += data.draw(st.lists(st.sampled_from(sorted({*known} - {*letters})), min_size=8, max_size=12, unique=True))
    points = data.draw(st.floats(5.5, 8.5) if name.endswith("7") else st.floats(9, 14))
    text, fonts = read(ink_of(name, codes), points)
    assert fonts <= {"cmmi5", "cmmi7", "cmmi10", "cmsy5", "cmsy7", "cmsy10"}
    assert text == "".join(meant[code] for code in codes)


@given(data=st.data())
def test_letters_of_text_stay_letters(data):
    """Text fonts keep no name of their own; what OT1 has in the places of control characters is read."""
    name = data.draw(st.sampled_from(["cmr10", "cmbx10", "cmti10", "cmss10"]))
    codes = data.draw(st.lists(st.integers(0x61, 0x7A), min_size=12, max_size=20, unique=True))
    text, fonts = read(ink_of(name, [*codes, 0x0C, 0x19]), data.draw(st.floats(9, 14)))
    assert fonts == {""}
    assert text == "".join(map(chr, codes)) + "ﬁß"


@given(st.lists(st.integers(0x21, 0x7E), min_size=1, max_size=12, unique=True), st.integers(0, 2**32 - 1))
def test_other_fonts_are_left_alone(codes, seed):
    """Glyphs of no font that TeX has: all of them are as high as they are deep."""
    width = np.random.default_rng(seed).uniform(0.2, 0.6, len(codes))
    shown = {code: np.array([wide, -wide, wide]) for code, wide in zip(codes, width, strict=True)}
    assert read(shown, 10)[1] == {""}


def test_a_ligature_is_no_letter_of_a_typewriter():
    """What browsers make of a web font may hold nothing else: fi is as high as both letters, and half as wide."""
    [font] = characters_in({1: np.array([0.515, 0.0, 0.706])}, 10, {1: "fi"}).fonts
    assert not font.mono
