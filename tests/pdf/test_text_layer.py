"""What the characters of a page say: text, boxes, fonts, and what is left out."""

import numpy as np
import pytest
from handmade import HELVETICA, form, pdf, stream, tounicode
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.text.word_finding import words_of
from docparse.pdf.fonts import style_from
from docparse.pdf.measured import monospaced
from docparse.pdf.textlayer import numbered
from docparse.synthetic.fonts import FOLDER

MAPPED = {"F1": b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 100 0 R >>"}


@pytest.fixture
def characters_of(read):
    return lambda content, **more: read(pdf(content, **more)).characters


def test_fonts_are_numbered_as_the_page_uses_them_wherever_they_lie_in_memory():
    fonts, style = numbered(np.array([70, 20, 70, 90, 20], np.uint64))
    assert (fonts, style.tolist()) == ([70, 20, 90], [0, 1, 0, 2, 1])


def test_box_is_advance_by_em_around_the_baseline(characters_of):
    characters = characters_of(b"BT /F1 10 Tf 50 300 Td (Hx) Tj ET")
    assert characters.text == "Hx"
    np.testing.assert_allclose(characters.box, [[50, 92, 57.22, 102], [57.22, 92, 62.22, 102]], atol=0.01)
    np.testing.assert_allclose(characters.baseline, 100, atol=0.01)


@pytest.mark.parametrize(
    "matrix, italic", [(b"20 0 0 20", False), (b"10 0 0 20", False), (b"20 0 8 20", True), (b"20 0 5 20", True)]
)
def test_size_counts_the_text_matrix_but_not_its_slant_which_is_italic(characters_of, matrix, italic):
    [font] = characters_of(b"BT /F1 1 Tf " + matrix + b" 50 300 Tm (word) Tj ET").fonts
    assert (font.size, font.italic, font.angle) == (20, italic, 0)


@pytest.mark.parametrize("slant", [b"0 8", b"0 -8", b"0.00002 8"], ids=["forwards", "back", "and a hair's turn"])
def test_a_slant_makes_no_box_wider(characters_of, slant):
    upright, slanted = (
        characters_of(b"BT /F1 1 Tf 20 " + matrix + b" 20 50 300 Tm (word) Tj ET") for matrix in (b"0 0", slant)
    )
    np.testing.assert_allclose(slanted.box, upright.box, atol=0.01)


PROSE = b"Students blend clarity with creativity when they express ideas about their favourite subjects"


@pytest.mark.parametrize(
    "words, math",
    [(PROSE, False), (b"sin x + cos y < max f, lim g = z and a = b", True), (b"dist", True)],
    ids=["running text", "formulas", "a name in a formula"],
)
def test_a_math_font_that_sets_running_text_is_a_text_font(characters_of, words, math):
    font = {"F1": b"<< /Type /Font /Subtype /Type1 /BaseFont /CambriaMath /Encoding /WinAnsiEncoding >>"}
    [found] = characters_of(b"BT /F1 5 Tf 10 300 Td (" + words + b") Tj ET", fonts=font).fonts
    assert found.math is math


def test_lines_that_stand_on_their_heads_are_read_one_after_the_other(characters_of):
    letters = [
        b"-1 0 0 -1 %d %d Tm (%c) Tj" % (150 - 6 * k, 200 + 14 * n, letter)
        for n, text in enumerate((b"No: abode", b"one house"))
        for k, letter in enumerate(text)
    ]
    prose = b" ".join(b"BT /F1 10 Tf 20 %d Td (Which town is it?) Tj ET" % (300 + 20 * k) for k in range(3))
    words = words_of(characters_of(prose + b" BT /F1 10 Tf " + b" ".join(letters) + b" ET"))
    assert [word.text for word in words if word.angle == 180] == ["No:", "abode", "one", "house"]


def test_a_negative_size_turns_the_text_half_around(characters_of):
    upright, turned = (
        characters_of(b"BT /F1 " + size + b" 50 300 Tm (word) Tj ET")
        for size in (b"10 Tf 1 0 0 1", b"-10 Tf -1 0 0 -1")
    )
    assert turned.fonts == upright.fonts
    np.testing.assert_allclose(turned.box, upright.box, atol=0.01)
    np.testing.assert_allclose(turned.baseline, upright.baseline, atol=0.01)


def test_size_counts_forms_and_the_page_matrix(characters_of):
    scaled = form(b"BT /F1 10 Tf 10 10 Td (Form) Tj ET", b"0 0 99 99", b"/Matrix [2 0 0 2 0 0]")
    resources = b"/XObject << /X 100 0 R >>"
    characters = characters_of(b"q 0.5 0 0 0.5 40 50 cm /X Do Q", resources=resources, objects={100: scaled})
    assert (characters.text, characters.fonts[0].size) == ("Form", 10)
    np.testing.assert_allclose([characters.box[0, 0], characters.baseline[0]], [50, 340], atol=0.01)


def test_inserted_spaces_and_line_ends_are_marked(characters_of):
    characters = characters_of(b"BT /F1 10 Tf 50 300 Td (one) Tj 40 0 Td (two) Tj -40 -20 Td (next) Tj ET")
    assert characters.text == "one two\nnext"
    assert [characters.text[i] for i in np.flatnonzero(characters.generated)] == [" ", "\n"]
    np.testing.assert_allclose(characters.box[:, 3] - characters.box[:, 1], 10, atol=0.01)


CODES = {
    "beyond two bytes": (b"ABCD", {0x41: "𝑥", 0x42: "e\u0301", 0x43: "😀", 0x44: "z"}, "𝑥e\u0301😀z"),
    "ligatures": (b"WAB", {0x57: "ﬃ", 0x41: "ﬀ", 0x42: "n"}, "ffiffn"),
    "control characters": (b"ABCDA", {0x41: "a", 0x42: "\x01", 0x43: "c", 0x44: "\x85"}, "aca"),
    "a hyphen under the name of the soft one": (b"ABC", {0x41: "a", 0x42: "\u00ad", 0x43: "c"}, "a-c"),
    "ideographs called radicals": (b"ABCC", {0x41: "\u2f08", 0x42: "\u2f9e車\uf902", 0x43: "工"}, "人車工工"),
}  # fmt: skip


@pytest.mark.parametrize("codes, mapping, text", CODES.values(), ids=CODES)
def test_what_codes_stand_for_is_spelled_out_side_by_side(characters_of, codes, mapping, text):
    content = b"BT /F1 20 Tf 50 300 Td (" + codes + b") Tj ET"
    characters = characters_of(content, fonts=MAPPED, objects={100: tounicode(mapping)})
    assert characters.text == text
    assert len(text) == len(characters.box) == len(characters.font)
    assert (np.diff(characters.box[:, 0]) >= -0.01).all()
    assert {font.weight for font in characters.fonts} == {400}


def test_a_phi_of_formulas_is_the_one_that_is_printed(characters_of):
    """TeX's fonts call the straight one phi and Unicode the other; files that tell no Unicode show only the name."""
    fonts = {"F1": MAPPED["F1"].replace(b"Helvetica", b"CMMI10")}
    content = b"BT /F1 10 Tf 50 300 Td (dodo) Tj ET"  # d is as high as a straight phi, o as the other one
    for names in ({0x64: "φ", 0x6F: "ϕ"}, {0x64: "ϕ", 0x6F: "φ"}):
        assert characters_of(content, fonts=fonts, objects={100: tounicode(names)}).text == "ϕφϕφ"
    assert characters_of(content, fonts=MAPPED, objects={100: tounicode({0x64: "φ", 0x6F: "o"})}).text == "φoφo"


@pytest.mark.parametrize("font, text", [(b"CMMI10", "ϵ"), (b"Own", "ǫ")])
def test_an_epsilon_of_formulas_is_one_though_a_program_calls_it_another_letter(characters_of, font, text):
    fonts = {"F1": MAPPED["F1"].replace(b"Helvetica", font)}
    content = b"BT /F1 10 Tf 50 300 Td (e) Tj ET"
    assert characters_of(content, fonts=fonts, objects={100: tounicode({0x65: "ǫ"})}).text == text


def test_pieces_of_lines_are_no_text_but_an_arrow_between_formulas(characters_of):
    """LaTeX makes its drawings of them: here the heads of two arrows beside each other, and a diagonal."""
    fonts = {"F1": MAPPED["F1"], "F2": MAPPED["F1"].replace(b"Helvetica", b"LINE10")}
    content = b"BT /F1 10 Tf 50 300 Td (A) Tj /F2 10 Tf 20 3 Td (B) Tj /F1 10 Tf 20 -3 Td (A) Tj "
    content += b"/F2 10 Tf 0 -100 Td (B) Tj 0 -5 Td (B) Tj 0 -40 Td (C) Tj ET"
    mapping = {0x41: "A", 0x42: "✲", 0x43: "❍"}
    characters = characters_of(content, fonts=fonts, objects={100: tounicode(mapping)})
    assert "".join(characters.text.split()) == "A→A"
    assert np.ptp(characters.baseline[[characters.text.index(sign) for sign in "A→"]]) < 1


def test_the_stroke_through_a_relation_takes_no_room(characters_of):
    """TeX prints `\\neq` as a stroke and an equals sign over it: what follows the stroke begins where it does."""
    content = b"BT /F1 10 Tf 50 300 Td (x) Tj 10 0 Td (B) Tj 0 0 Td (C) Tj 10 0 Td (x) Tj ET"
    mapping = tounicode({0x78: "x", 0x42: "\u0338", 0x43: "="})
    characters = characters_of(content, fonts=MAPPED, objects={100: mapping})
    assert characters.text.replace(" ", "") == "x\u0338=x"
    stroke, equals = (characters.box[characters.text.index(sign)] for sign in "\u0338=")
    assert stroke[0] == stroke[2] == equals[0] < equals[2]


@pytest.mark.parametrize(("order", "text"), [("BC", "x∉x"), ("CB", "x∉x"), ("Bx", "x/xx")])
def test_a_slash_over_a_relation_negates_it(characters_of, order, text):
    """TeX prints `\\notin` as a slash (278 wide here) over the middle of the relation (278 wide at twice its size)."""
    sizes = {"B": b"/F1 10 Tf 1.4 0 Td (B) Tj -1.4 0 Td", "C": b"/F1 20 Tf (C) Tj", "x": b"/F1 10 Tf 15 0 Td (x) Tj"}
    content = b"BT /F1 10 Tf 50 300 Td (x) Tj 10 0 Td " + b" ".join(sizes[each] for each in order)
    content += b" /F1 10 Tf 20 0 Td (x) Tj ET"
    mapping = tounicode({0x78: "x", 0x42: "/", 0x43: "∈"})
    fonts = {"F1": MAPPED["F1"]}
    assert "".join(characters_of(content, fonts=fonts, objects={100: mapping}).text.split()) == text


@pytest.mark.parametrize(("font", "glyph", "text"), [
    (b"CMSY10", 0xB1, "a−b"), (b"CMSY10", 0x30, "a×b"), (b"CMEX10", 0x5B, "a[b"),
    (b"Helvetica", 0xB1, "a-b"),
])  # fmt: skip
def test_an_empty_map_hides_no_minus_of_tex(characters_of, font, glyph, text):
    """pdfium has its marker for a hyphen there, whose code is that of a times sign or of a bracket: a dash of Helvetica
    is none."""
    fonts = {"F1": MAPPED["F1"].replace(b"Helvetica", font), "F2": MAPPED["F1"].replace(b"100 0 R", b"101 0 R")}
    content = b"BT /F2 10 Tf 50 300 Td (a) Tj 8 0 Td /F1 10 Tf <%02X> Tj /F2 10 Tf 9 0 Td (b) Tj ET" % glyph
    objects = {100: tounicode({glyph: "\0"}), 101: tounicode({0x61: "a", 0x62: "b"})}
    assert "".join(characters_of(content, fonts=fonts, objects=objects).text.split()) == text


def test_an_accent_over_a_letter_of_its_width_is_no_ligature(characters_of):
    """TeX prints `\\"o` as a diaeresis, and the letter over it."""
    content = b"BT /F1 10 Tf 50 300 Td [(CA) 667 (B)] TJ ET"  # A and B are 667 wide
    characters = characters_of(content, fonts=MAPPED, objects={100: tounicode({0x43: "f", 0x41: "¨", 0x42: "o"})})
    assert characters.text == "f¨o"
    _, accent, letter = characters.box
    np.testing.assert_allclose(accent, letter, atol=0.01)
    np.testing.assert_allclose(letter[2] - letter[0], 6.67, atol=0.01)


BOLD = b"BT /F1 12 Tf 50 300 Td (Bold) Tj ET "


TWICE = {
    "repeated": BOLD + b"BT /F1 12 Tf 50.4 300 Td (Bold) Tj ET",
    "repeated in pieces": BOLD + b"BT /F1 12 Tf 50.4 300 Td (Bo) Tj (ld) Tj ET",
    "stroked too": b"BT 2 Tr /F1 12 Tf 50 300 Td (Bold) Tj ET",
}  # fmt: skip


@pytest.mark.parametrize("twice", TWICE.values(), ids=TWICE)
def test_fake_bold_is_bold_and_read_once(characters_of, twice):
    characters = characters_of(twice + b" BT 0 Tr /F1 12 Tf 50 250 Td (thin) Tj ET")
    assert characters.text.split() == ["Bold", "thin"]
    weights = [characters.fonts[font].weight for font in characters.font]
    assert set(weights[:4]) == {700} and set(weights[-4:]) == {400}


TEXTS = {
    "letters that repeat": (b"(llllll) Tj 0 -20 Td (llllll) Tj", "llllll llllll"),
    "text off the page": (b"(on) Tj 0 500 Td (above) Tj -900 0 Td (left) Tj", "on"),
    "a hyphen at a line end": (b"(hyphen-) Tj 0 -12 Td (ated words) Tj", "hyphen-ated words"),
}


@pytest.mark.parametrize("content, text", TEXTS.values(), ids=TEXTS)
def test_every_character_on_the_page_is_read_once(characters_of, content, text):
    characters = characters_of(b"BT /F1 12 Tf 50 300 Td " + content + b" ET")
    assert characters.text.split() == text.split()
    assert {font.weight for font in characters.fonts} == {400}


@pytest.mark.parametrize("name, mono", [("Courier-Oblique", True), ("Slanted", False)])
def test_slanted_letters_of_a_typewriter_font_reach_beyond_their_advance(name, mono):
    code = np.array([ord(char) for char in "therateofflowAdvancebydt"])
    advance = np.array([{"f": 6.5, "w": 5.9, "v": 5.8, "y": 5.8, "d": 5.6}.get(chr(each), 5.2) for each in code])
    run, style, size = np.zeros(len(code), int), np.zeros(1, int), np.array([10.0])
    assert monospaced(code, advance, run, style, size, [style_from(name)]) == {0: mono}


@pytest.mark.parametrize("name, mono", [("BCDGEE+SimSun", False), ("Consolas", True)])
def test_latin_letters_of_a_chinese_font_are_no_code_though_they_are_a_font_of_their_own(name, mono):
    styles = [style_from("BCDEEE+SimSun"), style_from(name)]
    code = np.array([ord(char) for char in "设备名称LAPTOPlim"])
    advance, run = np.where(code > 0x2E7F, 10.0, 5.0), np.where(code > 0x2E7F, 0, 1)
    assert monospaced(code, advance, run, np.array([0, 1]), np.full(2, 10.0), styles) == {0: False, 1: mono}


@pytest.mark.parametrize("letters, mono", [("fi", False), ("i", True)])
def test_a_font_of_ligatures_is_not_monospaced_whatever_it_says(characters_of, letters, mono):
    """A journal's subset of two ligatures has the flag of fixed pitch."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /AdvOT+fb /FontDescriptor 101 0 R /ToUnicode 100 0 R >>"
    objects = {100: tounicode({0x41: letters}), 101: b"<< /Type /FontDescriptor /FontName /AdvOT+fb /Flags 5 >>"}
    characters = characters_of(b"BT /F1 12 Tf 50 300 Td (A) Tj ET", fonts={"F1": font}, objects=objects)
    assert characters.text == letters
    assert [found.mono for found in characters.fonts] == [mono]


def test_a_typewriter_font_with_a_ligature_as_wide_as_its_letters_is_monospaced(characters_of):
    """Nimbus Mono has one, which WeasyPrint uses."""
    letters = {0x40 + k: letter for k, letter in enumerate(["fi", *"iltwmMWxae"])}
    widths = b"/FirstChar 64 /LastChar 74 /Widths [" + b"600 " * 11 + b"]"
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FontDescriptor 101 0 R /ToUnicode 100 0 R "
        + widths
        + b" >>"
    )
    objects = {100: tounicode(letters), 101: b"<< /Type /FontDescriptor /FontName /Courier /Flags 5 >>"}
    characters = characters_of(b"BT /F1 12 Tf 50 300 Td (@ABCDEFGHIJ) Tj ET", fonts={"F1": font}, objects=objects)
    assert characters.text == "fiiltwmMWxae"
    assert [found.mono for found in characters.fonts] == [True]


@pytest.mark.parametrize(
    "name, expected",
    [
        ("ABCDEF+CMMI10", "italic math"), ("CMEX10", "math extension"), ("CMBX12", "bold"), ("CMTT10", "mono"),
        ("MSBM7", "math"), ("DSSerif", "math"), ("EUFM10", "math"), ("SymbolMT", "math"), ("txsy", "math"),
        ("MTSY", "math"), ("CambriaMath", "math"), ("LMMathExtension10-Regular", "math extension"),
        ("ABCDEF+txexs", "math extension"), ("Pxex", "math extension"), ("Kp--M-Ex-Regular", "math extension"),
        ("CMSSBX10", "bold"), ("CMBXTI10", "bold italic"), ("SFSX1095", "bold"), ("SFRM1000", ""),
        ("SFIT0900", "italic mono"), ("CMSS10", ""), ("CMSSI10", "italic"), ("Lexicon", ""),
        ("TimesNewRomanPS-BoldItalicMT", "bold italic"), ("Arial-BlackItalic", "bold italic"),
        ("Helvetica-Oblique", "italic"), ("NimbusRomNo9L-Medi", "bold"), ("NimbusRomNo9L-ReguItal", "italic"),
        ("MyriadPro-It", "italic"), ("Consolas", "mono"), ("Courier New", "mono"), ("Digital", ""), ("Summit", ""),
        ("Mathilde", ""), ("Georgia", ""), ("Kp--M-MediumItalic", "bold italic math"), ("HFBRBS10", "bold math"),
        ("NimbusMonL-Bold", "bold mono"), ("NimbusMonL-ReguObli", "italic mono"), ("t1xtt-Slant_167", "italic mono"),
        ("t1xbtt", "bold mono"), ("SourceCodePro-It", "italic mono"), ("txtextregular", ""),
        ("LinLibertineTZ", "bold"), ("LinLibertineT", ""), ("LinLibertineOB", "bold"),
        ("LinLibertineO", ""), ("MathDesign-CH-Regular-Extension-10", "math extension"),
    ],
)  # fmt: skip
def test_font_names_tell_the_style(name, expected):
    style = style_from(name)
    found = {key for key in ("italic", "mono", "math", "extension") if getattr(style, key)}
    assert found | ({"bold"} if style.weight >= 700 else set()) == set(expected.split())


@pytest.mark.parametrize(
    "name, face, bold",
    [(b"CIDFont+F1", "humanist-bold", True), (b"CIDFont+F1", "humanist", False), (b"F3", "humanist-bold", True),
     (b"Georgia", "humanist-bold", False)],
)  # fmt: skip
def test_the_file_of_a_font_without_a_name_tells_its_weight(characters_of, name, face, bold):
    font = b"<< /Type /Font /Subtype /TrueType /BaseFont /%b /FontDescriptor 100 0 R >>" % name
    descriptor = b"<< /Type /FontDescriptor /FontName /%b /Flags 32 /FontFile2 101 0 R >>" % name
    objects = {100: descriptor, 101: stream((FOLDER / f"{face}.ttf").read_bytes())}
    [found] = characters_of(b"BT /F1 10 Tf 50 300 Td (word) Tj ET", fonts={"F1": font}, objects=objects).fonts
    assert (found.weight >= 700) is bold


@given(st.lists(st.tuples(st.integers(4, 30), st.integers(20, 250), st.integers(20, 380)), min_size=1, max_size=12))
def test_arrays_agree_and_boxes_hold_the_baseline(read, pieces):
    content = b"".join(b"BT /F1 %d Tf %d %d Td (word) Tj ET " % piece for piece in pieces)
    characters = read(pdf(content)).characters
    n = len(characters)
    assert characters.box.shape == (n, 4) and characters.baseline.shape == characters.font.shape == (n,)
    assert (characters.box[:, 2:] >= characters.box[:, :2]).all()
    assert ((characters.baseline >= characters.box[:, 1]) & (characters.baseline <= characters.box[:, 3])).all()
    assert characters.font.max() < len(characters.fonts)


def bitmap_font(box=b"0 0 60 70", matrix=b"1 0 0 1 0 0", glyph=b"60 0 0 0 60 70 d1 0 0 50 70 re f"):
    """A Type 3 font whose one letter is an A, 60 wide and 70 high."""
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [%b] /FontMatrix [%b] /FirstChar 65 /LastChar 65"
        b" /Widths [60] /Encoding << /Differences [65 /A] >> /CharProcs << /A 100 0 R >> >>"
    )
    return {"fonts": {"F1": font % (box, matrix)}, "objects": {100: stream(glyph)}}


def test_type_3_fonts_are_as_large_as_their_glyphs(characters_of):
    """A bitmap font whose unit is the pixel: the font size says 0.1, the letters are 7 points high."""
    font = bitmap_font()
    characters = characters_of(b"BT /F1 0.1 Tf 50 300 Td (AAA) Tj ET", **font)
    assert characters.text == "AAA"
    assert 8 <= characters.fonts[0].size <= 12
    np.testing.assert_allclose(characters.baseline, 100, atol=0.1)
    np.testing.assert_allclose(characters.box[:, 0], [50, 56, 62], atol=0.2)


@pytest.mark.parametrize("letters, math", [((b"A", b"A", b"A"), True), ((b"AAA", b"A"), False), ((b"A", b"A"), False)])
def test_letters_alone_of_a_font_without_a_name_are_variables(characters_of, letters, math):
    """Browsers embed most fonts of formulas so."""
    font = bitmap_font()
    font["fonts"]["Body"] = HELVETICA
    words = b"".join(b"/Body 10 Tf (and ) Tj /F1 0.1 Tf (%b) Tj /Body 10 Tf ( or ) Tj " % part for part in letters)
    characters = characters_of(b"BT 20 300 Td " + words + b"ET", **font)
    drawn = characters.fonts[characters.font[characters.text.index("A")]]
    assert (drawn.math, drawn.italic) == (math, math)


@pytest.mark.parametrize("meant, body, word", [("03B8", b"/alpha /beta", "αβθβα"), ("0066", b"/s /u", "sufus")])
def test_a_letter_within_words_is_no_variable(characters_of, meant, body, word):
    """A browser takes the letters that a font lacks from another, as a font without a name."""
    font = bitmap_font()
    font["fonts"]["F1"] = font["fonts"]["F1"].replace(b"/Type3", b"/Type3 /ToUnicode 101 0 R")
    font["objects"][101] = stream(b"begincmap 1 beginbfchar <41> <%b> endbfchar endcmap" % meant.encode())
    font["fonts"]["Body"] = HELVETICA.replace(b"/WinAnsiEncoding", b"<< /Differences [65 %b] >>" % body)
    drawn = b"/Body 10 Tf (AB) Tj /F1 0.1 Tf (A) Tj /Body 10 Tf (BA ) Tj "
    characters = characters_of(b"BT 20 300 Td " + drawn * 3 + b"ET", **font)
    assert characters.text.split() == [word] * 3
    assert not any(drawn.math for drawn in characters.fonts)


def test_a_sign_of_a_bitmap_font_at_the_code_that_marks_hyphens_is_none(characters_of):
    font = bitmap_font()
    font["fonts"]["F1"] = font["fonts"]["F1"].replace(b"65", b"2")
    font["fonts"]["Body"] = HELVETICA
    words = b"BT /Body 10 Tf 50 300 Td (node) Tj /F1 0.1 Tf 30 0 Td (\\002) Tj /Body 10 Tf 12 0 Td (in a tree) Tj ET"
    assert "-" not in characters_of(words, **font).text


@pytest.mark.parametrize("box", [b"0 0 60 70", b"0 -700 60 4000"], ids=["a true box", "a box that means nothing"])
@pytest.mark.parametrize("angle, turn", {0: b"0.1 0 0 -0.1", 90: b"0 -0.1 -0.1 0", 270: b"0 0.1 0.1 0"}.items())
def test_text_that_a_font_mirrors_and_its_matrix_mirrors_back_runs_along_its_baseline(characters_of, box, angle, turn):
    """As dvips and PostScript make it: the rows of a bitmap count down."""
    font = bitmap_font(box, b"1 0 0 -1 0 0", b"60 0 0 -70 60 0 d1 0 -70 50 70 re f")
    upright = b"BT /Body 10 Tf 20 20 Td (words that stand upright) Tj ET BT /F1 1 Tf "
    font["fonts"]["Body"] = HELVETICA
    characters = characters_of(upright + turn + b" 150 200 Tm (AAA) Tj ET", **font)
    letters = slice(characters.text.index("AAA"), None)
    font = characters.fonts[characters.font[-1]]
    assert (characters.text[letters], font.angle) == ("AAA", angle) and 8 <= font.size <= 12
    low, high = (1, 3) if angle == 0 else (0, 2)  # across the line
    np.testing.assert_allclose((characters.box[:, high] - characters.box[:, low])[letters], font.size, atol=0.1)
    np.testing.assert_allclose(characters.baseline[letters], 200 if angle == 0 else 150, atol=0.1)


def test_a_page_of_endless_text_is_cut_and_one_of_endless_pieces_left_to_its_pixels(read, monkeypatch):
    monkeypatch.setattr("docparse.pdf.textlayer.MAX_CHARACTERS", 5)
    page = read(pdf(b"BT /F1 20 Tf 100 200 Td (Hello world) Tj ET"))
    assert page.characters.text == "Hello"
    assert page.warnings == ["only the first 5 of 11 characters were read"]
    monkeypatch.setattr("docparse.pdf.pdffile.MAX_CHARACTERS", 5)
    page = read(pdf(b"BT /F1 20 Tf 20 200 Td " + b"(a) Tj 20 0 Td " * 6 + b"ET"))
    assert (page.characters, page.quality) == (None, "none")
    assert page.warnings == ["more than 5 pieces of text: the text layer was not read"]
    assert read(pdf(b"0 0 m 9 9 l S " * 6)).warnings == []


@pytest.mark.parametrize("slope, angle", [(60, 270), (75, 270), (-50, 90)])
def test_a_line_that_slants_steeply_runs_up_or_down_the_page_about_its_middle(characters_of, slope, angle):
    cos, sin = np.cos(np.radians(slope)), np.sin(np.radians(slope))
    matrix = f"{cos:.4f} {sin:.4f} {-sin:.4f} {cos:.4f} 50 200 Tm".encode()
    level = characters_of(b"BT /F1 10 Tf 50 200 Td (DRAFT of May) Tj ET")
    page = b"BT /F1 10 Tf 20 380 Td (Words of the page that are level) Tj ET BT /F1 10 Tf "
    found = characters_of(page + matrix + b" (DRAFT of May) Tj ET")
    words = words_of(found)[7:]
    assert [word.text for word in words] == ["DRAFT", "of", "May"]
    assert {word.angle for word in words} == {angle} and len({word.baseline for word in words}) == 1
    length = float(level.box[-1, 2] - level.box[0, 0])
    middle = (50 + length / 2 * cos - 3 * sin, 200 - length / 2 * sin - 3 * cos)
    corners = np.array([(w.box.x0, w.box.y0, w.box.x1, w.box.y1) for w in words])
    box = np.concatenate([corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)])
    np.testing.assert_allclose((box[:2] + box[2:]) / 2, middle, atol=2.5)
    np.testing.assert_allclose(box[2:] - box[:2], [10, length], atol=5)


def test_a_watermark_runs_up_the_page_however_little_it_slants(characters_of):
    page = b"BT /F1 10 Tf 20 380 Td (Words of the page that are level) Tj ET "
    mark = b"BT /F1 %d Tf .8 .6 -.6 .8 50 100 Tm (DRAFT) Tj ET"
    marks = [words_of(characters_of(page + mark % size))[7:] for size in (60, 20)]
    assert [word.text for word in marks[0]] == ["DRAFT"] and marks[0][0].angle == 270
    assert {word.angle for word in marks[1]} == {0}


@pytest.mark.parametrize("bend, apart", [(12, True), (0, False)], ids=["curve", "line"])
def test_letters_along_a_curve_are_left_where_they_stand(characters_of, bend, apart):
    places = [(50 + bend * k, 60 + 9 * k, 200 + 15 * k) for k in range(3)]
    letters = (
        f"{np.cos(t):.4f} {np.sin(t):.4f} {-np.sin(t):.4f} {np.cos(t):.4f} {x} {y} Tm (o) Tj"
        for t, x, y in ((np.radians(degrees), x, y) for degrees, x, y in places)
    )
    page = b"BT /F1 10 Tf 20 380 Td (Words of the page that are level) Tj ET BT /F1 10 Tf "
    found = characters_of(page + " ".join(letters).encode() + b" ET")
    drawn = np.flatnonzero(~found.generated)[-3:]
    assert bool(np.ptp(found.box[drawn, 0]) > 10) is apart


def test_small_capitals_and_old_style_digits_are_letters_and_digits(characters_of):
    """As expert fonts name them; pdfium gives Adobe's private codes."""
    names = b"/Asmall /Rsmall /Eacutesmall /zerooldstyle /nineoldstyle /ampersandsmall"
    encoding = b"<< /Type /Encoding /Differences [65 %s] >>" % names
    font = HELVETICA.replace(b"/Encoding /WinAnsiEncoding", b"/Encoding " + encoding)
    assert characters_of(b"BT /F1 12 Tf 30 200 Td (ABCDEF) Tj ET", fonts={"F1": font}).text.strip() == "ARÉ09&"


@pytest.mark.parametrize("command, small", [("smallcaps", True), ("upper", False), ("emph", False)])
def test_small_letters_that_are_printed_as_capitals_are_small_capitals_whatever_their_font_is_called(
    typst_pdf, read, command, small
):
    source = (
        f"#set page(width: 300pt, height: 200pt)\n#{command}[The bargain of the sea]\n\nIn the village they tell of it."
    )
    words = words_of(read(typst_pdf(source, command)).characters)
    assert {word.small_caps for word in words if word.box.y0 < words[0].box.y1} == {small}
    assert not words[-1].small_caps
