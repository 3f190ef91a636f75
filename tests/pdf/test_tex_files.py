"""What TeX's programs leave in a file: codes without Unicode, and rulings that are images."""

from __future__ import annotations

import numpy as np
import pytest

from docparse.pdf.glyphs import mapped, symbols
from docparse.pdf.graphics import _bars


@pytest.mark.parametrize(("font", "codes", "text"), [
    ("CMEX10", [88, 12, 13], "∑|∥"), ("LMMathExtension10-Regular", [0x5A], "∫"),
    ("LMMathItalic10-Regular", [0x0B], "α"), ("LMMathSymbols8-Regular", [0x31], "∞"), ("txexs", [89, 91, 0], "∏⋃("),
    ("EUEX10", [88, 89], "∑∏"), ("MLMMathSymbols10-Regular", [33], "→"), ("TXEXA", [34], "∬"),
    ("txsyc", [0x1B, 0x2C, 0x3C], "≅≠∉"), ("Kp--M-Syc-Regular", [0x2C, 0x42], "≠≔"),
    ("pxsys", [0xA4, 0xA5, 0xAE, 0x21], "˙¨\u20d7→"), ("Kp--M-Italic", [0x25], "ϱ"),
    ("Fourier-Math-Letters-Italic", [0x24], "ϖ"), ("HFBRSY10", [0x21], "→"),
    ("MathDesign-CH-Regular-Extension-10", [0x58], "∑"), ("MTEX", [0x58, 0x5A], "∑∫"),
    ("MSAM10", [0x49, 0x58, 0x7F], "▶✓⊝"), ("Times-Roman", [88, 12], "X\x0c"),
])  # fmt: skip
def test_codes_of_tex_fonts_are_their_symbols(font: str, codes: list[int], text: str) -> None:
    code = np.array(codes, np.uint32)
    result = mapped(code, np.ones(len(code), bool), np.zeros(len(code), np.int64), (font,))
    assert "".join(map(chr, result.tolist())) == text


@pytest.mark.parametrize(
    ("font", "said", "text"),
    [("CMSY10", "2)⇤\uf8ff\\", "∈⇒∗≤∩"), ("CMSY10", "→\\", "→\\"), ("CMEX10", "X\\", "∑⋂"), ("CMMI12", "↵a<", "αa<"),
     ("Times-Roman", "2)", "2)"), ("txsys", "()", "()")],
)  # fmt: skip
def test_a_map_that_takes_the_codes_of_a_tex_font_for_unicode_tells_these_codes(font: str, said: str, text: str):
    code = np.array(list(map(ord, said)), np.uint32)
    result = mapped(code, np.zeros(len(code), bool), np.zeros(len(code), np.int64), (font,))
    assert "".join(map(chr, result.tolist())) == text


OLD = "\\more running text{"  # TeX's oldest text encoding has quotes and dashes where others have these signs
WORDS = "running text has more letters"


@pytest.mark.parametrize(
    ("letters", "code", "unmapped", "text"),
    [(WORDS, 0x1C, "", f"{WORDS}ﬁ"), (WORDS, 0x0C, "", f"{WORDS}ﬁ"), (WORDS, 0x15, "", f"{WORDS}–"),
     ("f x", 0x0C, "", "f x\x0c"), (OLD, 0x0C, "\\{", "“more running text–ﬁ"),
     (OLD, 0x1C, "\\{", "\\more running text{ﬁ")],
)  # fmt: skip
def test_control_codes_are_ligatures_and_dashes_among_letters_and_tell_what_other_codes_mean(
    letters, code, unmapped, text
):
    codes = np.array([*map(ord, letters), code], np.uint32)
    wanted = np.isin(codes, [code, *map(ord, unmapped)]) if unmapped else np.ones(len(codes), bool)
    result = mapped(codes, wanted, np.zeros(len(codes), np.int64), ("",))
    assert "".join(map(chr, result.tolist())) == text


@pytest.mark.parametrize(
    ("font", "codes", "text"),
    [
        ("SymbolMT", [0xF0C7, 0xF061, 0xF0B7], "∩α•"),
        ("Symbol", [ord("b"), ord("("), ord("×")], "β(×"),
        ("OpenSymbol", [0xF0A7], "▪"),
        ("Wingdings-Regular", [0xF0A7, ord("l")], "▪●"),
        ("WP-GreekCourier", list(map(ord, '"$(:FP')), "αβγμσχ"),
        ("Universal-NewswithCommPi", [ord("©")], "▶"),
        ("Universal-GreekwithMathPi", list(map(ord, "$%")), "{}"),
        ("LINE10", [ord("-"), ord("✛")], "→←"),
        ("MarVoSym", [ord("{"), ord("B")], "◦✉"),
        ("MT-Extra", [ord("v"), 0xF04C], "\u20d7⋯"),
        ("Calibri", [0xF0B7, 0xF0FC, 0xF061], "•✓\uf061"),
        ("TeX-feymr10", [ord("e")], "€"),
        ("TeX-vect10", list(map(ord, "# »")), "⎯⎯→"),
        ("TeX-matha10", list(map(ord, "pxq“tz|´8u")), "(⟨)={∖|−∞}"),
        ("TeX-mathb7", list(map(ord, "tu")), "⌊⌋"),
        (
            "ABCDEF+FontAwesome5Free-Solid",
            [ord("#"), ord(" "), 0xF0DA, 0xF00C, 0xF00D, 0xF19D],
            "\U000f8023 •✓✗\U000f809d",
        ),
        ("FontAwesome7Free-Solid", list(map(ord, "tel:")), "tel:"),  # said in place of an icon
        ("TeX-mathx10", list(map(ord, "ÿ`˘ż$’&%")), "∑()∫⎧⎪⎨⎩"),
    ],
)
def test_codes_of_symbol_fonts_are_their_symbols(font: str, codes: list[int], text: str) -> None:
    result = symbols(np.array(codes, np.uint32), np.zeros(len(codes), np.int64), (font,))
    assert "".join(map(chr, result.tolist())) == text


def test_a_thin_image_is_a_ruling_and_a_strip_of_a_picture_is_none() -> None:
    rule, rule_below = (100.0, 300.0, 160.0, 300.5), (100.0, 280.0, 160.0, 280.5)
    strips = [(10.0, 500.0 + k, 90.0, 501.0 + k) for k in range(8)]
    picture = (200.0, 100.0, 300.0, 200.0)
    assert _bars([rule, *strips, picture, rule_below]) == [rule, rule_below]


def test_two_thin_images_with_white_between_are_a_double_ruling() -> None:
    double = [(10.0, 500.0, 90.0, 500.5), (10.0, 501.8, 90.0, 502.3)]
    assert _bars(double) == double
