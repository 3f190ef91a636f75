"""Letters that only the file's own ToUnicode maps know, and the fonts that these maps are of."""

import io

import pypdf
import pytest
from handmade import pdf, tounicode
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NullObject

from docparse.layout.text.word_finding import words_of
from docparse.pdf.page_fonts import PageFonts
from docparse.pdf.tounicode import parsed


def block(kind, *entries):
    return f"{len(entries)} beginbf{kind}\n" + "\n".join(entries) + f"\nendbf{kind}\n"


def test_codes_and_ranges_of_a_map():
    cmap = block("char", "<0041> <0042>", "<0043><00660069>")
    cmap += block("range", "<19ff><1a00><63cf>", "<01><03>[<41> <42>]")
    assert list(parsed(cmap)) == [(0x41, 0x42), (0x19FF, 0x63CF), (0x1A00, 0x63D0), (1, 0x41), (2, 0x42)]


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
def test_a_range_over_two_code_pages_costs_no_letter(typst_pdf, read, tmp_path, cut, secret):
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
    texts = [read(source).characters.text.split() for source in (path, typst_pdf(PAGE))]
    assert texts[0] == texts[1]


# a font, names of its glyphs from 33 on, what its map tells of them (None without one), a drawn string, what is read
NAMED = {
    "ligatures in OpenType fonts of TeX and InDesign": ("Own", "/f_i /f_f_l.alt", None, b"Paci!cwa\"es", "Paciﬁcwaﬄes"),
    "signs whose names are numbers": ("MathematicalPi-One", "/H11349 /H9252", None, b"!\"", "≤β"),
    "signs of TeX": ("CMSY10", "/greatermuch /angbracketleft /angbracketright", None, b"!\"A#", "≫⟨A⟩"),
    "operators of TeX": ("CMEX10", "/integraltext /summationdisplay", None, b"!\"", "∫∑"),
    "letters of TeX in a font that is cut to its glyphs": ("Own", "/epsilon1 /lscript", None, b"!\"", "ϵℓ"),
    "a ligature that a map calls an arrow": ("CMR9", "/ff", "↵", b"e!ort", "eﬀort"),
    "quotation marks and a dash that a map calls Polish": (
        "Own", "/quotedblleft /quotedblright /emdash", "łžÐ", b"!so\"#if", "“so”—if"),
    "Polish letters": ("Own", "/lslash /zcaron", "łž", b"!a\"a", "łaža"),
    "Polish letters beside others": ("Own", "/quotedblleft /quotedblright /x", "łžę", b"!a\"a#", "łažaę"),
    "a symbol that has a code of its own": ("MSAM10", "/greaterorequalslant", "", b"t!T", "t⩾T"),
}  # fmt: skip


@pytest.mark.parametrize("name, glyphs, told, drawn, text", NAMED.values(), ids=NAMED)
def test_what_a_glyph_is_called_is_told_before_what_its_map_says(read, name, glyphs, told, drawn, text):
    """Where it is a ligature, a quotation mark or a dash."""
    own = b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [33 %s] >>" % glyphs.encode()
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+%s /Encoding %s" % (name.encode(), own)
    letters = {ord(char): char for char in "abefinorstuTx"}
    cmap = tounicode(letters | dict(enumerate(told or "", 33)))
    font += b" >>" if told is None else b" /ToUnicode 100 0 R >>"
    page = pdf(b"BT /F1 12 Tf 20 300 Td (%s) Tj ET" % drawn, fonts={"F1": font}, objects={100: cmap})
    assert read(page).characters.text == text


@pytest.mark.parametrize(
    "wide, said", [(520, "fi"), (260, "i"), (1300, "i")], ids=["ligature", "letter", "far too wide"]
)
def test_a_ligature_that_is_told_by_its_last_letter_is_known_by_its_width(read, wide, said):
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
    characters = read(pdf(drawn, fonts=mapped, objects={100: cmap})).characters
    text = "".join(word.text + " " for word in words_of(characters))
    assert text == f"This is Tilt {said}rst diffidult off half "


def test_capitals_that_are_called_small_letters_are_no_ligatures(read):
    """As Chromium prints small capitals of fonts that have none: the capitals of the font, smaller."""
    widths = {letter: 500 for letter in "adetor"} | {"f": 320, "h": 560, "i": 260, "l": 260}
    widths |= {letter: 700 for letter in "ADETOR"} | {"F": 560, "H": 740, "I": 330, "L": 540}
    letters = " ".join(str(widths.get(chr(code), 500)) for code in range(65, 123)).encode()
    head = b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Own /FirstChar 65 /LastChar 122 /Widths [%s] " % letters
    cmap = tounicode({ord(char): char.lower() for char in "ADETORFHIL"} | {ord(char): char for char in "adetorfhil"})
    drawn = b"BT /F1 12 Tf 20 300 Td (the tale of the old hill of a field) Tj /F1 9 Tf 0 -20 Td (FIELD OF A HALL) Tj ET"
    page = read(pdf(drawn, fonts={"F1": head + b"/ToUnicode 100 0 R >>"}, objects={100: cmap}))
    text = " ".join(word.text for word in words_of(page.characters))
    assert text == "the tale of the old hill of a field field of a hall"


@pytest.fixture
def opened(monkeypatch):
    """How often pypdf opens a file."""
    times = []
    own = pypdf.PdfReader.__init__

    def counted(self, *given, **named):
        times.append(1)
        own(self, *given, **named)

    monkeypatch.setattr(pypdf.PdfReader, "__init__", counted)
    return times


def test_a_file_is_opened_once_for_all_of_its_pages_and_only_if_one_is_asked_for(opened):
    writer, target = pypdf.PdfWriter(), io.BytesIO()
    for _ in range(4):
        writer.add_blank_page(100, 100)
    writer.write(target)
    fonts = PageFonts(target.getvalue(), "")
    pages = [fonts.of(number) for number in (1, 2, 3, 4)]
    assert opened == []
    assert [list(page) for page in pages] == [[], [], [], []]
    assert len(opened) == 1
    fonts.close()
    assert list(fonts.of(2)) == []
    assert len(opened) == 2
