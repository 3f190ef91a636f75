"""The verdict on a text layer: good, an OCR layer under or over a scan, broken fonts, nothing."""

import numpy as np
import pytest
from handmade import gray_image, pdf, stream, tounicode

from docparse.pdf import open_document

PROSE = [
    b"The morning train was late again and nobody on the platform",
    b"seemed to mind, because the sun had come out after a week of",
    b"rain and the river below the station was full of small boats.",
    b"A clerk sold tea from a window and wrote every cup in a book.",
    b"Children counted the wagons of a freight train going north.",
]
PAINT = b"q 300 0 0 400 0 0 cm /I Do Q "


def lines(texts, *, y=370, size=8, mode=0):
    body = b" ".join(b"(%s) Tj 0 -12 Td" % text for text in texts)
    return b"BT %d Tr /F1 %d Tf 30 %d Td %s ET " % (mode, size, y, body)


def scan():
    """Gray pixels of a light page with dark rows of letter-like marks."""
    random = np.random.default_rng(1)
    pixels = np.full((400, 300), 240, np.uint8)
    for top in range(60, 360, 12):
        pixels[top : top + 7, 30:270][random.random((7, 240)) < 0.4] = 20
    return pixels.tobytes()


SCAN, BLANK = scan(), np.full((400, 300), 235, np.uint8).tobytes()
DARK = np.random.default_rng(3).integers(0, 120, (400, 300), dtype=np.uint8).tobytes()
STAMP = lines([b"Downloaded from a library on 3 May 2020"], y=12, size=6)
TITLE = lines([b"Annual Report"], y=200, size=24)
PAGES = {  # what is drawn, the pixels of the image, and the verdict
    "print": (lines(PROSE), SCAN, "good"),
    "nothing": (b"", SCAN, "none"),
    "a bare scan": (PAINT, SCAN, "none"),
    "invisible text on a scan": (PAINT + lines(PROSE * 5, mode=3), SCAN, "ocr-layer"),
    "text under a scan": (lines(PROSE * 5) + PAINT, SCAN, "ocr-layer"),
    "text over a background": (PAINT + lines(PROSE * 5), BLANK, "good"),
    "text under a see-through image": (lines(PROSE * 5) + PAINT.replace(b"/I", b"/See"), SCAN, "good"),
    "a stamp on a scan": (PAINT + STAMP, SCAN, "none"),
    "a title on a plain background": (PAINT + TITLE, BLANK, "good"),
    "a title on a photograph": (PAINT + TITLE, DARK, "good"),
}


@pytest.mark.parametrize("content, pixels, quality", PAGES.values(), ids=PAGES)
def test_the_verdict_on_a_text_layer(read, content, pixels, quality):
    objects = {
        100: gray_image(300, 400, pixels), 101: gray_image(300, 400, bytes(300 * 400)),
        102: gray_image(300, 400, pixels, b"/SMask 101 0 R"),
    }  # fmt: skip
    page = read(pdf(content, resources=b"/XObject << /I 100 0 R /See 102 0 R >>", objects=objects))
    assert page.quality == quality
    assert (page.characters is None) == (b"Tj" not in content)  # what there is can still be used


def font(name=b"Helvetica", entries=b"/ToUnicode 100 0 R"):
    return {"F1": b"<< /Type /Font /Subtype /Type1 /BaseFont /%s %s >>" % (name, entries)}


WRONG = {
    "private use": lambda code: chr(0xE000 + code),
    "replacement characters": lambda code: "\ufffd",
    "control characters": lambda code: chr(1 + code % 8),
    "letters without vowels": lambda code: "bcdfg"[code % 5],
    "halves of codes": lambda code: bytes([0x60 + code]).decode("latin-1") if code % 4 else chr(code),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_font_without_meaning_is_broken(read, wrong):
    shown = {code: wrong(code) for code in range(0x41, 0x7B)}
    assert read(pdf(lines(PROSE), fonts=font(), objects={100: tounicode(shown)})).quality == "broken"


SQUARE = b"/FirstChar 0 /LastChar 255 /Widths [%b]" % (b"1000 " * 256)  # Chinese letters are all as wide
HALF = bytes(range(0xA0, 0xC0)) * 3


PARTS = {
    "halves of codes": (HALF, b"SimSun", SQUARE + b" /Encoding /WinAnsiEncoding", {}, "untold"),
    "an unknown letter": (b"\x20" * 60, b"FZBlack-53", SQUARE + b" /ToUnicode 100 0 R", {0x20: "\ue020"}, "broken"),
    "two scripts": (b"AB" * 40, b"SimHei", b"/ToUnicode 100 0 R", {0x41: "ဉ", 0x42: "ਭ"}, "good"),
    "many scripts": (b"ABC" * 20, b"SimHei", b"/ToUnicode 100 0 R", {0x41: "ဉ", 0x42: "ਭ", 0x43: "ꄴ"}, "untold"),
    "languages": (b"A B C " * 20, b"ArialUnicode", b"/ToUnicode 100 0 R", {0x41: "ไท", 0x42: "हि", 0x43: "த"}, "good"),
    "signs": (b"ABC" * 20, b"TimesNewRoman", b"/ToUnicode 100 0 R", {0x41: "Ω", 0x42: "Å", 0x43: "ℓ"}, "good"),
    "abbreviations": ("1.º 2.ª 5 µg".encode("latin-1") * 8, b"Times-Roman", b"/Encoding /WinAnsiEncoding", {}, "good"),
    "wide type": (b"THE QUICK BROWN FOX" * 3, b"PressStart", SQUARE + b" /Encoding /WinAnsiEncoding", {}, "good"),
    "accents": ("äöüßéèáñç".encode("latin-1") * 8, b"Times-Roman", b"/Encoding /WinAnsiEncoding", {}, "good"),
}  # fmt: skip


@pytest.mark.parametrize("shown, name, entries, map_, quality", PARTS.values(), ids=PARTS)
def test_a_part_of_the_letters_may_be_unknown(read, shown, name, entries, map_, quality):
    fonts = font(entries=b"") | {"F2": font(name, entries)["F1"]}
    drawn = b"BT /F2 2 Tf 30 20 Td <%b> Tj ET " % shown.hex().encode()
    page = read(pdf(lines(PROSE) + drawn, fonts=fonts, objects={100: tounicode(map_)}))
    assert page.quality == quality
    glyph = page.characters.glyph
    if quality == "untold":
        assert glyph.max() + 1 == len(set(shown))
        assert (glyph >= 0).sum() == len(shown)
        assert len(set(zip(glyph[glyph >= 0].tolist(), shown, strict=True))) == len(set(shown))
    else:
        assert glyph is None


@pytest.mark.parametrize("shift, quality", [(0, "good"), (-29, "broken")], ids=["letters", "numbers of glyphs"])
def test_codes_of_a_font_without_unicode_may_be_its_letters(read, shift, quality):
    """As those of the labels of plots, which Matplotlib sets in Type 3 fonts."""
    codes = range(32, 127)
    glyphs = b" ".join(b"/g%d 100 0 R" % code for code in codes)
    names = b" ".join(b"/g%d" % code for code in codes)
    plot = (
        b"<< /Type /Font /Subtype /Type3 /Name /ABCDEF+DejaVuSans /BaseFont /ABCDEF+DejaVuSans /FontBBox [0 0 600 800]"
        b" /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 32 /LastChar 126 /Widths [%b]"
        b" /Encoding << /Differences [32 %b] >> /CharProcs << %b >> >>"
    ) % (b"600 " * len(codes), names, glyphs)
    labels = [bytes(code + shift if code > 64 else 33 for code in text).hex().encode() for text in PROSE[:2]]
    drawn = b"BT /F2 5 Tf 30 100 Td " + b" ".join(b"<%b> Tj 0 -12 Td" % label for label in labels) + b" ET "
    fonts = font(entries=b"") | {"F2": plot}
    objects = {100: stream(b"600 0 0 0 600 800 d1 0 0 500 700 re f")}
    assert read(pdf(lines(PROSE) + drawn, fonts=fonts, objects=objects)).quality == quality


@pytest.mark.parametrize("name, quality", [(b"NewCMMath-Book", "good"), (b"Garbled", "broken")])
def test_a_page_of_signs_is_good_only_in_a_math_font(read, name, quality):
    content = lines([b"a = {b + c} / [d - e] < f * |g|"] * 5)
    assert read(pdf(content, fonts=font(name, b""))).quality == quality


def test_bullets_in_private_use_do_not_break_a_page(read):
    page = read(pdf(lines([b"^ " + text for text in PROSE]), fonts=font(), objects={100: tounicode({0x5E: "\uf0b7"})}))
    assert page.quality == "good" and page.characters.text.startswith("• ")


@pytest.mark.parametrize(
    "name, letter, meant",
    [(b"ABCDEF+Wingdings-Regular", b"l", "●"), (b"WPTypographicSymbols", b"!", "•"), (b"Wingdings2", b"l", "l")],
)
def test_symbols_that_a_file_calls_letters_are_what_their_font_shows(read, name, letter, meant):
    page = read(pdf(lines([letter]), fonts=font(name, b"/Encoding /WinAnsiEncoding")))
    assert page.characters.text == meant


@pytest.mark.parametrize(
    "path, quality",
    [
        ("gnarly/ambiguous.pdf", "good"),
        ("gnarly/edgar-rotated90.pdf", "good"),
        ("gnarly/edgar_image.pdf", "none"),
        ("gnarly/horribleocr.pdf", "ocr-layer"),
        ("gnarly/lots_of_sci_tables.pdf", "good"),
        ("gnarly/newspaper.pdf", "ocr-layer"),
        ("gnarly/not_parsing.pdf", "good"),
        ("gnarly/some_ocr1.pdf", "ocr-layer"),
        ("olmocr-bench-sample/pdfs/blank_book_pg1.pdf", "none"),
        ("olmocr-bench-sample/pdfs/lincoln_letter.pdf", "none"),
        ("olmocr-bench-sample/pdfs/small_page_size.pdf", "ocr-layer"),
        ("olmocr-bench-sample/pdfs/math_2503_04086.pdf", "good"),
    ],
)
def test_verdicts_on_difficult_real_pages(data_dir, path, quality):
    file = data_dir / path
    if not file.is_file():
        pytest.skip(f"{path} is not in DOCPARSE_DATA_DIR")
    with open_document(file, name=file.name) as document:
        page = document.page(1)
    assert (page.quality, page.rotation) == (quality, 0)
    if "rotated" in path:  # sideways text under /Rotate
        assert page.height > page.width and "Edgar, King of England" in page.characters.text
