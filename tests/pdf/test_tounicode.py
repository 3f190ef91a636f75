"""Letters that only the file's own ToUnicode maps know."""

import pypdf
import pytest
from handmade import HELVETICA, pdf, tounicode
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NullObject

from docparse.layout.text.word_finding import words_of
from docparse.pdf import open_document
from docparse.pdf.tounicode import parsed


def block(kind, *entries):
    return f"{len(entries)} beginbf{kind}\n" + "\n".join(entries) + f"\nendbf{kind}\n"


def test_codes_and_ranges_of_a_map():
    cmap = block("char", "<0041> <0042>", "<0043><00660069>")
    cmap += block("range", "<19ff><1a00><63cf>", "<01><03>[<41> <42>]")
    assert list(parsed(cmap)) == [(0x41, 0x42), (0x19FF, 0x63CF), (0x1A00, 0x63D0), (1, 0x41), (2, 0x42)]


def text_of(path):
    return open_document(path, name=path.name).page(1).characters.text


LETTERS = map(chr, [*range(0x2500, 0x25F8), *range(0x410, 0x450)])  # none of which has the code of another
PAGE = '#set text(font: "DejaVu Sans Mono")\n' + "".join(LETTERS) + "\n\nsphinx of black"


def stream_of(writer, data):
    stream = DecodedStreamObject()
    stream.set_data(data)
    return writer._add_object(stream)


@pytest.mark.parametrize(
    "cut, secret",
    [(False, False), (True, False), (False, True)],
    ids=["whole fonts", "another font that is cut off", "an encrypted file that asks for no password"],
)
def test_a_range_over_two_code_pages_costs_no_letter(typst_pdf, tmp_path, cut, secret):
    """As macOS writes them; pdfium gives up the block that has one."""
    writer = pypdf.PdfWriter(clone_from=typst_pdf(PAGE))
    fonts = writer.pages[0]["/Resources"]["/Font"]
    (font,) = (reference.get_object() for reference in fonts.values())
    known = sorted(parsed(font["/ToUnicode"].get_data().decode("latin-1")))
    entries = [f"<{code:04x}><{code:04x}><{letter:04x}>" for code, letter in known]
    low, high = entries[:255], ["<00ff><0100><e000>", *entries[255:]]
    assert len(high) > 20
    blocks = block("range", *low) + block("range", *high)
    cmap = f"begincmap 1 begincodespacerange <0000><ffff> endcodespacerange {blocks} endcmap"
    font[NameObject("/ToUnicode")] = stream_of(writer, cmap.encode())
    if cut:
        part = DictionaryObject(font | {NameObject("/DescendantFonts"): ArrayObject([NullObject()])})
        fonts[NameObject("/Cut")], fonts[NameObject("/None")] = writer._add_object(part), NullObject()
    if secret:
        writer.encrypt("", "owner", algorithm="AES-128")
    path = tmp_path / "ranges.pdf"
    writer.write(path)
    assert "".join(text_of(path).split()) == "".join(text_of(typst_pdf(PAGE)).split())


def test_a_ligature_is_known_by_the_name_of_its_glyph():
    """As TeX and InDesign write OpenType fonts, without a map."""
    encoding = b"<< /Type /Encoding /Differences [28 /f_i /f_f_l.alt] >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own /Encoding %s >>" % encoding
    drawn = b"BT /F1 12 Tf 20 300 Td (Paci\\034c wa\\035es) Tj ET"
    characters = open_document(pdf(drawn, fonts={"F1": font}), name="own.pdf").page(1).characters
    assert "".join(characters.text.split()) == "Paciﬁcwaﬄes"


@pytest.mark.parametrize(
    "font, first, names, drawn, signs",
    [
        ("MathematicalPi-One", 33, b"/H11349 /H9252", b"!\\042", "≤β"),
        ("CMSY10", 2, b"/greatermuch /angbracketleft /angbracketright", b"\\002\\003A\\004", "≫⟨A⟩"),
        ("CMEX10", 4, b"/integraltext /summationdisplay", b"\\004\\005", "∫∑"),
        ("Own", 33, b"/epsilon1 /lscript", b"!\\042", "ϵℓ"),
    ],
    ids=["of Linotype", "of TeX at codes of its own", "operators", "in a font that is cut to its glyphs"],
)
def test_a_sign_is_known_by_the_name_of_its_glyph(font, first, names, drawn, signs):
    encoding = b"<< /Type /Encoding /Differences [%d %s] >>" % (first, names)
    other = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+%s /Encoding %s >>" % (font.encode(), encoding)
    page = pdf(
        b"BT /F1 12 Tf 20 300 Td (a) Tj /F2 12 Tf (%s) Tj /F1 12 Tf (b) Tj ET" % drawn,
        fonts={"F1": HELVETICA, "F2": other},
    )
    text = open_document(page, name="own.pdf").page(1).characters.text
    assert "".join(text.split()) == f"a{signs}b"


NAMED = {  # a font, the names of its glyphs from 33 on, what its map tells of them, a drawn string, what is read
    "a ligature that a map calls an arrow": ("CMR9", "/ff", "↵", b"e!ort", "eﬀort"),
    "quotation marks and a dash that a map calls Polish": (
        "Own", "/quotedblleft /quotedblright /emdash", "łžÐ", b"!so\"#if", "“so”—if"),
    "Polish letters": ("Own", "/lslash /zcaron", "łž", b"!a\"a", "łaža"),
    "Polish letters beside others": ("Own", "/quotedblleft /quotedblright /x", "łžę", b"!a\"a#", "łažaę"),
    "a symbol that has a code of its own": ("MSAM10", "/greaterorequalslant", "", b"t!T", "t⩾T"),
}  # fmt: skip


@pytest.mark.parametrize("name, glyphs, told, drawn, text", NAMED.values(), ids=NAMED)
def test_what_a_glyph_is_called_is_told_before_what_its_map_says(name, glyphs, told, drawn, text):
    """Where it is a ligature, a quotation mark or a dash."""
    own = b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [33 %s] >>" % glyphs.encode()
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+%s /Encoding %s" % (name.encode(), own)
    letters = {ord(char): char for char in "abefinorstuTx"}
    cmap = tounicode(letters | dict(enumerate(told, 33))) if told else tounicode(letters)
    page = pdf(b"BT /F1 12 Tf 20 300 Td (%s) Tj ET" % drawn, fonts={"F1": font + b" /ToUnicode 100 0 R >>"},
               objects={100: cmap})  # fmt: skip
    assert open_document(page, name="own.pdf").page(1).characters.text == text


@pytest.mark.parametrize(
    "wide, said", [(520, "fi"), (260, "i"), (1300, "i")], ids=["ligature", "letter", "far too wide"]
)
def test_a_ligature_that_is_told_by_its_last_letter_is_known_by_its_width(wide, said):
    """As Ghostscript writes its maps."""
    widths = {"f": 400, "h": 510, "i": 260, "l": 250, "T": 660, "\034": wide, "\035": 800, "\036": 710, "\037": 1060}
    letters = " ".join(str(widths.get(chr(code), 500)) for code in range(28, 123))
    plain = {ord(char): char for char in "Tadfhilorstu "}
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own /FirstChar 28 /LastChar 122 /Widths [%s] " % (
        letters.encode()
    )
    mapped = {"F1": font + b"/ToUnicode 100 0 R >>"}
    cmap = tounicode(plain | {28: "i", 29: "i", 30: "f", 31: "h"})
    drawn = b"BT /F1 12 Tf 20 300 Td (\\037is is Tilt \\034rst di\\035dult o\\036 half) Tj ET"
    characters = open_document(pdf(drawn, fonts=mapped, objects={100: cmap}), name="own.pdf").page(1).characters
    text = "".join(word.text + " " for word in words_of(characters))
    assert text == f"This is Tilt {said}rst diffidult off half "


def test_capitals_that_are_called_small_letters_are_no_ligatures():
    """As Chromium prints small capitals of fonts that have none: the capitals of the font, smaller."""
    widths = {letter: 500 for letter in "adetor"} | {"f": 320, "h": 560, "i": 260, "l": 260}
    widths |= {letter: 700 for letter in "ADETOR"} | {"F": 560, "H": 740, "I": 330, "L": 540}
    letters = " ".join(str(widths.get(chr(code), 500)) for code in range(65, 123)).encode()
    head = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own /FirstChar 65 /LastChar 122 /Widths [%s] " % letters
    cmap = tounicode({ord(char): char.lower() for char in "ADETORFHIL"} | {ord(char): char for char in "adetorfhil"})
    drawn = b"BT /F1 12 Tf 20 300 Td (the tale of the old hill of a field) Tj /F1 9 Tf 0 -20 Td (FIELD OF A HALL) Tj ET"
    page = open_document(pdf(drawn, fonts={"F1": head + b"/ToUnicode 100 0 R >>"}, objects={100: cmap}), name="a.pdf")
    text = " ".join(word.text for word in words_of(page.page(1).characters))
    assert text == "the tale of the old hill of a field field of a hall"
