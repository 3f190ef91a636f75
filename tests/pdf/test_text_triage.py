"""The verdict on a text layer: good, an OCR layer under or over a scan, broken fonts, nothing."""

import zlib

import numpy as np
import pytest

from docparse.pdf import open_document

PROSE = [
    b"The morning train was late again and nobody on the platform",
    b"seemed to mind, because the sun had come out after a week of",
    b"rain and the river below the station was full of small boats.",
    b"A clerk sold tea from a window and wrote every cup in a book.",
    b"Children counted the wagons of a freight train going north.",
]


def lines(texts, *, x=30, y=370, size=8, mode=0):
    body = b" ".join(b"(%s) Tj 0 -12 Td" % text for text in texts)
    return b"BT %d Tr /F1 %d Tf %d %d Td %s ET " % (mode, size, x, y, body)


def scan(width=300, height=400, seed=1):
    """Gray pixels of a light page with dark rows of letter-like marks."""
    random = np.random.default_rng(seed)
    pixels = np.full((height, width), 240, np.uint8)
    for top in range(60, height - 40, 12):
        marks = random.random((7, width - 60)) < 0.4
        pixels[top : top + 7, 30 : width - 30][marks] = 20
    return pixels.tobytes()


def read(pdf):
    with open_document(pdf, name="page.pdf") as document:
        return document.page(1)


@pytest.fixture
def with_scan(make_pdf, make_image):
    def build(content, pixels=None, entries=b"", more=None):
        image = make_image(300, 400, scan() if pixels is None else pixels, entries)
        return make_pdf(content, resources=b"/XObject << /I 100 0 R >>", objects={100: image} | (more or {}))

    return build


PAINT = b"q 300 0 0 400 0 0 cm /I Do Q "


def test_printed_text_is_good(make_pdf):
    assert read(make_pdf(lines(PROSE))).quality == "good"


def test_nothing_is_none(make_pdf):
    page = read(make_pdf(b""))
    assert page.quality == "none" and page.characters is None


def test_a_bare_scan_is_none(with_scan):
    page = read(with_scan(PAINT))
    assert page.quality == "none" and page.evidence.is_scan


def test_invisible_text_is_an_ocr_layer(with_scan):
    page = read(with_scan(PAINT + lines(PROSE * 5, mode=3)))
    assert page.quality == "ocr-layer"
    assert all(font.invisible for font in page.characters.fonts)


def test_text_under_an_image_is_an_ocr_layer(with_scan):
    page = read(with_scan(lines(PROSE * 5) + PAINT))
    assert page.quality == "ocr-layer" and page.evidence.covered == 1


def test_text_over_a_background_is_good(with_scan):
    blank = np.full((400, 300), 235, np.uint8).tobytes()
    assert read(with_scan(PAINT + lines(PROSE * 5), blank)).quality == "good"


def test_text_under_a_see_through_image_is_good(with_scan, make_image):
    mask = make_image(300, 400, bytes(300 * 400))
    page = read(with_scan(lines(PROSE * 5) + PAINT, entries=b"/SMask 101 0 R", more={101: mask}))
    assert page.quality == "good"


def test_a_stamp_on_a_scan_leaves_the_scan_to_ocr(with_scan):
    page = read(with_scan(PAINT + lines([b"Downloaded from a library on 3 May 2020"], y=12, size=6)))
    assert page.quality == "none" and page.evidence.scan_ink > 0.1
    assert page.characters is not None  # what there is can still be used


def test_a_title_on_a_plain_background_is_good(with_scan):
    blank = np.full((400, 300), 235, np.uint8).tobytes()
    assert read(with_scan(PAINT + lines([b"Annual Report"], y=200, size=24), blank)).quality == "good"


def test_a_title_on_a_photograph_is_good(with_scan):
    dark = np.random.default_rng(3).integers(0, 120, (400, 300), dtype=np.uint8).tobytes()
    assert read(with_scan(PAINT + lines([b"Annual Report"], y=200, size=24), dark)).quality == "good"


def to_unicode(shown):
    rows = "\n".join(f"<{code:02X}> <{text.encode('utf-16-be').hex()}>" for code, text in shown.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{len(shown)} beginbfchar\n{rows}\nendbfchar\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    data = zlib.compress(cmap.encode())
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(data), data)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda code: chr(0xE000 + code),
        lambda code: "\ufffd",
        lambda code: chr(1 + code % 8),
        lambda code: "bcdfg"[code % 5],
    ],
    ids=["private use", "replacement characters", "control characters", "letters without vowels"],
)
def test_a_font_without_meaning_is_broken(make_pdf, wrong):
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 100 0 R >>"
    shown = {code: wrong(code) for code in range(0x41, 0x7B)}
    page = read(make_pdf(lines(PROSE), fonts={"F1": font}, objects={100: to_unicode(shown)}))
    assert page.quality == "broken"


@pytest.mark.parametrize(("name", "quality"), [(b"NewCMMath-Book", "good"), (b"Garbled", "broken")])
def test_a_page_of_signs_is_good_only_in_a_math_font(make_pdf, name, quality):
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % name
    assert read(make_pdf(lines([b"a = {b + c} / [d - e] < f * |g|"] * 5), fonts={"F1": font})).quality == quality


def test_bullets_in_private_use_do_not_break_a_page(make_pdf):
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 100 0 R >>"
    texts = [b"^ " + text for text in PROSE]
    page = read(make_pdf(lines(texts), fonts={"F1": font}, objects={100: to_unicode({0x5E: "\uf0b7"})}))
    assert page.quality == "good" and page.characters.text.startswith("• ")


@pytest.mark.parametrize(
    ("name", "letter", "meant"),
    [(b"ABCDEF+Wingdings-Regular", b"l", "●"), (b"WPTypographicSymbols", b"!", "•"), (b"Wingdings2", b"l", "l")],
)
def test_symbols_that_a_file_calls_letters_are_what_their_font_shows(make_pdf, name, letter, meant):
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>" % name
    with open_document(
        make_pdf(b"BT /F1 10 Tf 50 300 Td (%s) Tj ET" % letter, fonts={"F1": font}), name="x"
    ) as document:
        assert document.page(1).characters.text == meant
