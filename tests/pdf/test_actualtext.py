"""Glyphs that a file says stand for some characters together."""

import pytest
from handmade import HELVETICA, pdf, tounicode

SPAN = "/Span <</ActualText <FEFF{}>>> BDC {} EMC "
WORD = SPAN.format("0E170E48", "(a) Tj 6 4 Td (b) Tj") + "8 -4 Td (c) Tj"


def page(read, body):
    return read(pdf(f"BT /F1 10 Tf 50 300 Td {body} ET".encode())).characters


def text_of(read, body):
    characters = page(read, body)
    return "".join(char for char, seen in zip(characters.text, characters.generated, strict=True) if not seen)


@pytest.mark.parametrize("body", [WORD, f"/P <</MCID 0>> BDC {WORD} EMC", WORD.replace("(a) Tj", "/X BMC (a) Tj EMC")])
def test_characters_of_several_glyphs_come_once(read, body):
    assert text_of(read, body) == "ท่c"


def test_a_mark_on_its_letter_is_no_bold_type(read):
    characters = page(read, WORD)
    assert all(font.weight < 600 for font in characters.fonts)


def test_a_cluster_stands_around_all_its_glyphs_on_the_baseline_of_the_first(read):
    characters = page(read, WORD)
    boxes, lines = characters.box[:2], characters.baseline
    assert boxes[:, 0].min() == pytest.approx(50, abs=1) and boxes[:, 2].max() > 58
    assert len(set(lines[:3].tolist())) == 1


def test_a_thin_chinese_character_stands_in_its_cell(read):
    characters = page(read, SPAN.format("4E00", "(i) Tj"))
    x0, _, x1, _ = characters.box[0]
    assert x1 - x0 == pytest.approx(10)


def test_a_bracket_in_pieces_is_one_that_is_as_tall_as_they_are(read):
    fonts = {"F1": HELVETICA, "F2": HELVETICA.replace(b">>", b"/ToUnicode 100 0 R >>")}
    pieces = "/Span <</ActualText ({)>> BDC (i) Tj 0 8 Td (i) Tj 0 8 Td (i) Tj EMC"
    body = f"BT /F1 10 Tf 50 300 Td {pieces} ET BT /F2 10 Tf 70 308 Td (a) Tj ET"
    characters = read(pdf(body.encode(), fonts=fonts, objects={100: tounicode({97: "\U0001d44e"})})).characters
    assert characters.text.split() == ["{", "\U0001d44e"]
    assert characters.box[0, 3] - characters.box[0, 1] > 20
    assert characters.baseline[0] == pytest.approx(400 - 308, abs=2)  # centred on the line
