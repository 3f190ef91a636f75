"""What the characters of a page say: text, boxes, fonts, and what is left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.pdf import open_document
from docparse.pdf.fonts import style_from
from docparse.pdf.glyphs import encoding_of


def characters_of(pdf):
    with open_document(pdf, name="page.pdf") as document:
        return document.page(1).characters


def tounicode(make_stream, mapping):
    """A ToUnicode CMap for one-byte codes."""
    rows = b"\n".join(
        b"<%02X> <%s>" % (code, text.encode("utf-16-be").hex().encode()) for code, text in mapping.items()
    )
    return make_stream(
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n%d beginbfchar\n%s\nendbfchar\n"
        b"endcmap CMapName currentdict /CMap defineresource pop end end" % (len(mapping), rows)
    )


def mapped_font(name=b"Helvetica"):
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /ToUnicode 100 0 R >>" % name


def test_box_is_advance_by_em_around_the_baseline(make_pdf):
    characters = characters_of(make_pdf(b"BT /F1 10 Tf 50 300 Td (Hx) Tj ET"))
    assert characters.text == "Hx"
    np.testing.assert_allclose(characters.box, [[50, 92, 57.22, 102], [57.22, 92, 62.22, 102]], atol=0.01)
    np.testing.assert_allclose(characters.baseline, 100, atol=0.01)


@pytest.mark.parametrize("matrix", [b"20 0 0 20 50 300 Tm", b"10 0 0 20 50 300 Tm", b"20 0 8 20 50 300 Tm"])
def test_size_counts_the_text_matrix_but_not_its_slant(make_pdf, matrix):
    characters = characters_of(make_pdf(b"BT /F1 1 Tf " + matrix + b" (word) Tj ET"))
    assert characters.fonts[0].size == 20


def test_size_counts_forms_and_the_page_matrix(make_pdf, make_stream):
    resources = b"/XObject << /X 100 0 R >>"
    form = make_stream(
        b"BT /F1 10 Tf 10 10 Td (Form) Tj ET",
        b"/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Matrix [2 0 0 2 0 0] /Resources << /Font <<"
        b" /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>",
    )
    characters = characters_of(make_pdf(b"q 0.5 0 0 0.5 40 50 cm /X Do Q", resources=resources, objects={100: form}))
    assert (characters.text, characters.fonts[0].size) == ("Form", 10)
    np.testing.assert_allclose([characters.box[0, 0], characters.baseline[0]], [50, 340], atol=0.01)


def test_a_slant_is_italic_and_upright(make_pdf):
    font = characters_of(make_pdf(b"BT /F1 1 Tf 20 0 5 20 50 300 Tm (word) Tj ET")).fonts[0]
    assert font.italic and font.angle == 0


def test_inserted_spaces_and_line_ends_are_marked(make_pdf):
    characters = characters_of(make_pdf(b"BT /F1 10 Tf 50 300 Td (one) Tj 40 0 Td (two) Tj -40 -20 Td (next) Tj ET"))
    assert characters.text == "one two\nnext"
    assert [characters.text[i] for i in np.flatnonzero(characters.generated)] == [" ", "\n"]
    height = characters.box[:, 3] - characters.box[:, 1]
    np.testing.assert_allclose(height, 10, atol=0.01)


def test_unicode_beyond_two_bytes_is_one_character(make_pdf, make_stream):
    mapping = {0x41: "𝑥", 0x42: "e\u0301", 0x43: "😀", 0x44: "z"}
    pdf = make_pdf(
        b"BT /F1 20 Tf 50 300 Td (ABCD) Tj ET",
        fonts={"F1": mapped_font()},
        objects={100: tounicode(make_stream, mapping)},
    )
    characters = characters_of(pdf)
    assert characters.text == "𝑥e\u0301😀z"
    assert len(characters.text) == len(characters.box) == len(characters.font)


def test_a_ligature_is_its_letters_side_by_side(make_pdf, make_stream):
    pdf = make_pdf(
        b"BT /F1 20 Tf 50 300 Td (WAB) Tj ET",
        fonts={"F1": mapped_font()},
        objects={100: tounicode(make_stream, {0x57: "ﬃ", 0x41: "ﬀ", 0x42: "n"})},
    )
    characters = characters_of(pdf)
    assert characters.text == "ffiffn"
    np.testing.assert_allclose(characters.box[1:, 0], characters.box[:-1, 2], atol=0.01)
    assert {font.weight for font in characters.fonts} == {400}


def test_a_hyphen_at_a_line_end_is_a_plain_hyphen(make_pdf):
    characters = characters_of(make_pdf(b"BT /F1 10 Tf 50 300 Td (hyphen-) Tj 0 -12 Td (ated words) Tj ET"))
    assert characters.text.replace("\n", "") == "hyphen-ated words"


def test_control_characters_are_dropped(make_pdf, make_stream):
    mapping = {0x41: "a", 0x42: "\x01", 0x43: "c", 0x44: "\x85"}
    pdf = make_pdf(
        b"BT /F1 20 Tf 50 300 Td (ABCDA) Tj ET",
        fonts={"F1": mapped_font()},
        objects={100: tounicode(make_stream, mapping)},
    )
    assert characters_of(pdf).text == "aca"


@pytest.mark.parametrize(
    "twice",
    [
        b"BT /F1 12 Tf 50 300 Td (Bold) Tj ET BT /F1 12 Tf 50.4 300 Td (Bold) Tj ET",
        b"BT /F1 12 Tf 50 300 Td (Bold) Tj ET BT /F1 12 Tf 50.4 300 Td (Bo) Tj (ld) Tj ET",
        b"BT 2 Tr /F1 12 Tf 50 300 Td (Bold) Tj ET",
    ],
    ids=["repeated", "repeated in pieces", "stroked too"],
)
def test_fake_bold_is_bold_and_read_once(make_pdf, twice):
    characters = characters_of(make_pdf(twice + b" BT 0 Tr /F1 12 Tf 50 250 Td (thin) Tj ET"))
    assert characters.text.split() == ["Bold", "thin"]
    weights = [characters.fonts[font].weight for font in characters.font]
    assert set(weights[:4]) == {700} and set(weights[-4:]) == {400}


def test_repeated_letters_of_a_word_stay(make_pdf):
    characters = characters_of(make_pdf(b"BT /F1 12 Tf 50 300 Td (llllll) Tj ET BT /F1 12 Tf 50 280 Td (llllll) Tj ET"))
    assert characters.text.split() == ["llllll", "llllll"]
    assert {font.weight for font in characters.fonts} == {400}


def test_text_off_the_page_is_dropped(make_pdf):
    characters = characters_of(make_pdf(b"BT /F1 12 Tf 50 300 Td (on) Tj 0 500 Td (above) Tj -900 0 Td (left) Tj ET"))
    assert characters.text.strip() == "on"


def test_filled_form_fields_are_text(make_pdf, make_stream):
    look = make_stream(
        b"BT /F1 12 Tf 2 4 Td (Ada) Tj ET",
        b"/Type /XObject /Subtype /Form /BBox [0 0 150 20] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1"
        b" /BaseFont /Helvetica >> >> >>",
    )
    field = (
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (n) /V (Ada) /Rect [90 296 240 316] /F 4 /AP << /N 101 0 R >> >>"
    )
    pdf = make_pdf(b"BT /F1 12 Tf 50 300 Td (Name:) Tj ET", page=b"/Annots [100 0 R]", objects={100: field, 101: look})
    assert characters_of(pdf).text.split() == ["Name:", "Ada"]


def test_text_layer_can_be_left_unread(make_pdf):
    with open_document(make_pdf(b"BT /F1 12 Tf 50 300 Td (text) Tj ET"), name="page.pdf") as document:
        page = document.page(1, text_layer=False)
        assert page.characters is None and page.quality == "none"
        assert page.render(72).pixels.min() < 128


@pytest.mark.parametrize(
    ("name", "code", "meant"),
    [
        ("CMEX10", 0x5A, "∫"),
        ("LMMathExtension10-Regular", 0x5A, "∫"),
        ("LMMathSymbols8-Regular", 0x31, "∞"),
        ("LMMathItalic10-Regular", 0x0B, "α"),
        ("LMRoman10-Regular", 0x5A, ""),
    ],
)
def test_codes_of_tex_fonts_mean_what_their_encoding_says(name, code, meant):
    assert encoding_of(name)[code : code + 1] == meant


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ABCDEF+CMMI10", "italic math"),
        ("CMEX10", "math extension"),
        ("CMBX12", "bold"),
        ("CMTT10", "mono"),
        ("MSBM7", "math"),
        ("DSSerif", "math"),
        ("EUFM10", "math"),
        ("SymbolMT", "math"),
        ("txsy", "math"),
        ("MTSY", "math"),
        ("CambriaMath", "math"),
        ("LMMathExtension10-Regular", "math extension"),
        ("TimesNewRomanPS-BoldItalicMT", "bold italic"),
        ("Arial-BlackItalic", "bold italic"),
        ("Helvetica-Oblique", "italic"),
        ("NimbusRomNo9L-Medi", "bold"),
        ("NimbusRomNo9L-ReguItal", "italic"),
        ("MyriadPro-It", "italic"),
        ("Consolas", "mono"),
        ("Courier New", "mono"),
        ("Digital", ""),
        ("Summit", ""),
        ("Mathilde", ""),
        ("Georgia", ""),
    ],
)
def test_font_names_tell_the_style(name, expected):
    style = style_from(name)
    found = {key for key in ("italic", "mono", "math", "extension") if getattr(style, key)}
    assert found | ({"bold"} if style.weight >= 700 else set()) == set(expected.split())


@given(st.lists(st.tuples(st.integers(20, 250), st.integers(20, 380), st.integers(4, 30)), min_size=1, max_size=12))
def test_arrays_agree_and_boxes_hold_the_baseline(make_pdf, pieces):
    content = b"".join(b"BT /F1 %d Tf %d %d Td (word) Tj ET " % (size, x, y) for x, y, size in pieces)
    characters = characters_of(make_pdf(content))
    n = len(characters)
    assert characters.box.shape == (n, 4) and characters.baseline.shape == characters.font.shape == (n,)
    assert (characters.box[:, 2:] >= characters.box[:, :2]).all()
    assert ((characters.baseline >= characters.box[:, 1]) & (characters.baseline <= characters.box[:, 3])).all()
    assert characters.font.max() < len(characters.fonts)


def test_type_3_fonts_are_as_large_as_their_glyphs(make_pdf, make_stream):
    """A bitmap font whose unit is the pixel: the font size says 0.1, the letters are 7 points high."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 60 70] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65"
        b" /Widths [60] /Encoding << /Differences [65 /A] >> /CharProcs << /A 100 0 R >> >>"
    )
    glyph = make_stream(b"60 0 0 0 60 70 d1 0 0 50 70 re f")
    pdf = make_pdf(b"BT /F1 0.1 Tf 50 300 Td (AAA) Tj ET", fonts={"F1": font}, objects={100: glyph})
    characters = characters_of(pdf)
    assert characters.text == "AAA"
    assert 8 <= characters.fonts[0].size <= 12
    np.testing.assert_allclose(characters.baseline, 100, atol=0.1)
    np.testing.assert_allclose(characters.box[:, 0], [50, 56, 62], atol=0.2)


def test_a_page_of_endless_text_is_cut_and_says_so(make_pdf, monkeypatch):
    from docparse.pdf import textlayer

    monkeypatch.setattr(textlayer, "MAX_CHARACTERS", 5)
    with open_document(make_pdf(b"BT /F1 20 Tf 100 200 Td (Hello world) Tj ET"), name="x.pdf") as document:
        page = document.page(1)
    assert page.characters.text == "Hello"
    assert page.warnings == ["only the first 5 of 11 characters were read"]


def test_a_page_of_endless_pieces_of_text_is_left_to_its_pixels(make_pdf, monkeypatch):
    from docparse.pdf import pdffile

    monkeypatch.setattr(pdffile, "MAX_CHARACTERS", 5)
    pieces = b"BT /F1 20 Tf 20 200 Td " + b"(a) Tj 20 0 Td " * 6 + b"ET"
    with open_document(make_pdf([pieces, b"0 0 m 9 9 l S " * 6]), name="x.pdf") as document:
        page, drawing = document.page(1), document.page(2)
    assert page.characters is None
    assert page.quality == "none"
    assert page.warnings == ["more than 5 pieces of text: the text layer was not read"]
    assert drawing.warnings == []
