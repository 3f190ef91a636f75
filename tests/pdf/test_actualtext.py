"""Glyphs that a file says stand for some characters together."""

import pytest
from handmade import pdf

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
