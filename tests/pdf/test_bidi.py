"""Marks on letters, words from right to left, and text in columns: what pdfium says, and what a reader reads."""

from dataclasses import fields

import numpy as np
import pytest

from docparse.pdf.bidi import in_logical_order
from docparse.pdf.fonts import Style
from docparse.pdf.graphics import Painted
from docparse.pdf.ruby import with_readings
from docparse.pdf.slants import laid_level
from docparse.pdf.textlayer import RawText, dominant_quadrant

STYLE = Style(**{f: None for f in Style._fields})._replace(name="Body")


def raw_text(glyphs):
    """Text in 10 points; glyphs are (characters, x, width) on one baseline, or with a fourth, the baseline. One of
    width 0 is what pdfium saw though nothing is printed."""
    code, box, base = [], [], []
    for text, x, width, *rest in glyphs:
        for char in text:
            code.append(ord(char))
            box.append((x, 98, x + width, 108) if width else (x, 100, x, 100))
            base.append(rest[0] if rest else 100)
    count = len(code)
    matrix = np.array([(1, 0, 0, 1, b[0], y) for b, y in zip(box, base, strict=True)], np.float64)
    drawn = np.array([b[0] != b[2] for b in box])
    glyph = np.repeat(np.arange(len(glyphs)), [len(g[0]) for g in glyphs])
    values = {
        "code": np.array(code, np.uint32), "box": np.array(box, np.float64), "run": glyph, "drawn": drawn,
        "generated": ~drawn, "unmapped": np.zeros(count, bool), "matrix": matrix[np.unique(glyph, True)[1]],
        "handle": np.arange(len(glyphs), dtype=np.uint64), "objects": [], "size": np.full(len(glyphs), 10.0),
        "mode": np.zeros(len(glyphs), np.int32), "style": np.zeros(len(glyphs), np.int64), "styles": (STYLE,),
        "ink": np.full((count, 4), np.nan), "color": np.zeros((len(glyphs), 4), np.int32),
    }  # fmt: skip
    return RawText(**{field.name: values[field.name] for field in fields(RawText) if field.name in values})


def leftward(text, x=100.0, width=5.0):
    """Letters from right to left, each a glyph of its own."""
    return [(char, x - (i + 1) * width, width) for i, char in enumerate(text)]


def rightward(text, x=0.0, width=5.0):
    return [(char, x + i * width, width) for i, char in enumerate(text)]


def seen(text):
    """A line as it is seen, from left to right, with room for spaces that pdfium saw."""
    return [(char, 5 * i, 0 if char == " " else 5) for i, char in enumerate(text)]


def seen_at(text, x):
    return [(char, x + left, width) for char, left, width in seen(text)]


GLYPHS = {  # what pdfium lists, and how it reads
    "Latin as it is": (rightward("a word"), "a word"),
    "Hebrew from the right": (leftward("שלום"), "שלום"),
    "Hebrew from the left": (rightward("םולש"), "שלום"),
    "letters set into each other as listed": ([*leftward("ال", 100), ("م", 84, 6), ("ح", 83.6, 7), *leftward("ا", 83)],
                                              "المحا"),
    "lam and alef in one glyph, turned": ([("س", 40, 6), ("ال", 34, 6), ("م", 29, 5)], "سلام"),
    "lam and alef in one glyph, in order": ([("س", 40, 6), ("لا", 34, 6), ("م", 29, 5)], "سلام"),
    "another ligature, turned": ([("ا", 40, 4), ("حم", 32, 8)], "امح"),
    "a number after a word": ([*leftward("سنة", 100), (" ", 85, 0), *rightward("2023", 60)], "سنة 2023"),
    "a comma behind a number": ([*leftward("سنة", 100), (" ", 85, 0), ("،", 57, 3), *rightward("2023", 60)],
                                "سنة 2023،"),
    "Persian digits, each by itself": ([*leftward("سال", 100), (" ", 85, 0), *rightward("۱۴۰۲", 60)], "سال ۱۴۰۲"),
    "per cent to the left of its number": ([*leftward("سنة", 100), (" ", 85, 0), *rightward("%35", 60)], "سنة 35%"),
    "per cent to the right of its number": ([*leftward("של", 100), (" ", 90, 0), *rightward("35%", 60)], "של 35%"),
    "thousands with a space": ([*leftward("של", 100), (" ", 90, 0), *seen_at("3 001", 60)], "של 3 001"),
    "the number of an item": ([("1", 105, 5), ("-", 101, 3), (" ", 100, 0), *leftward("של", 98)], "1- של"),
    "a telephone number in Arabic": ([*leftward("رقم", 100), (" ", 85, 0), *rightward("678-02", 50)], "رقم 02-678"),
    "a telephone number in Hebrew": ([*leftward("של", 100), (" ", 90, 0), *rightward("02-678", 50)], "של 02-678"),
    "a hyphen between two scripts": ([*leftward("שלנו", 120), (" ", 100, 0), ("ל", 90, 5), ("-", 87, 3),
                                      *rightward("Li", 77)], "שלנו ל-Li"),
    "a hyphen at the end of a line": ([*leftward("שלנו", 120), (" ", 100, 0), *rightward("Li-", 77)], "שלנו Li-"),
    "a glyph that the file does not name": ([*leftward("של", 100), ("\0", 85, 5), (" ", 85, 0), *leftward("גם", 82)],
                                           "של\0 גם"),
    "gaps in which pdfium saw no space": ([*leftward("של", 100), *leftward("גם", 87)], "של גם"),
    "brackets as they are drawn": ([(")", 95, 3), *leftward("نحو", 95), ("(", 77, 3)], "(نحو)"),
    "brackets within a word": ([*leftward("של", 120), (" ", 110, 0), *rightward("15", 90), (")", 87, 3), ("ב", 82, 5),
                                ("(", 79, 3), (")", 76, 3), ("4", 71, 5), ("(", 68, 3)], "של 15(ב)(4)"),
    "brackets turned by pdfium": ([("(", 95, 3), *leftward("نحو", 95), (")", 77, 3)], "(نحو)"),
    "Latin words that pdfium turned": ([*leftward("שלנו", 110), (" ", 90, 0), *rightward("Fi", 74), (" ", 71, 0),
                                        *rightward("Li", 60), (" ", 60, 0), *leftward("גם", 55)], "שלנו Li Fi גם"),
    "a Latin name and its number": (seen("םלועהלכלםולש Python 3.11 תא"), "את Python 3.11 שלוםלכלהעולם"),
    "a number and its unit": (seen("םלועהלכלםולש GB 10 תא"), "את 10 GB שלוםלכלהעולם"),
    "a number with a point before a Latin word": (seen("םלועהלכלםולש Python .1"), "1. Python שלוםלכלהעולם"),
    "Latin words in brackets": (seen("םלועהלכלםולש (element wise) תא"), "את (element wise) שלוםלכלהעולם"),
    "a call": (seen("def I_R(V2, R1) :םלועהלכלםולש"), "שלוםלכלהעולם: def I_R(V2, R1)"),
    "numbers in a formula": (seen("םולש (1, 0) תא"), "את (1, 0) שלום"),
    "numbers in a sentence": (seen("םולש (0 ,1) תא"), "את (1, 0) שלום"),
    "an equation": (seen("םלועהלכלםולש f(x) = x + 1 תא"), "את f(x) = x + 1 שלוםלכלהעולם"),
    "a comma behind Latin words": (seen("םלועהלכלםולש ,Best Unit - BMU תא"), "את Best Unit - BMU, שלוםלכלהעולם"),
    "brackets in a line of two": (seen("(8.0 תסרג) םלועהלכלםולש"), "שלוםלכלהעולם (גרסת 8.0)"),
    "Hebrew words in a Latin line": (seen("Resource table: תא םולש in it"), "Resource table: שלום את in it"),
    "a line that pdfium ends within": ([*leftward("גם", 100), ("\n", 50, 0), *leftward("של", 70), (" ", 60, 0),
                                        *leftward("לא", 88)], "גם לא של"),
    "a word in brackets without spaces": ([*leftward("של", 100), ("(", 84, 3), *rightward("FAO", 68), (" ", 68, 0),
                                           ("(", 65, 3), *leftward("של", 62)], "של (FAO) של"),
    "a space that is none": ([*leftward("سا", 100), (" ", 90, 0), *leftward("لم", 90)], "سالم"),
    "a mark listed before its letter": ([("ّ", 93, 1), *leftward("مر", 100)], "مرّ"),
    "a mark behind a point": ([*leftward("ا", 100), (".", 92, 3), ("ً", 96, 2)], "اً."),
    "a letter and its mark in two glyphs that both say so": (
        [*leftward("سن", 100), ("ٔه", 82, 8), ("ٔه", 85, 2, 100.2)], "سنهٔ"),
    "Thai marks apart from their letters": ([("ที", 0, 5), (" ", 5, 0), ("่", 3, 2, 102)], "ที่ "),
    "a Thai space that is none": ([*rightward("จา"), (" ", 10, 0), *rightward("ปา", 10.5)], "จาปา"),
    "a Thai space": ([*rightward("จา"), (" ", 10, 0), *rightward("ปา", 13)], "จา ปา"),
    "a Devanagari sign before its letter": ([("व", 0, 5), ("ि", 4.5, 5), ("त", 6, 5), ("व", 11, 5)], "वतिव"),
    "a Devanagari sign behind its letter": ([("त", 6, 5), ("ि", 4.5, 5), ("व", 11, 5)], "तिव"),
    "a Devanagari sign before two letters": ([("ि", 0, 5), ("त्", 2, 4), ("व", 6, 5)], "त्वि"),
    "two Devanagari signs in one glyph": ([("त", 0, 6), ("व", 6, 5), ("ें", 2, 3, 102)], "तेंव"),
    "an r over its syllable": ([("व", 0, 5), ("ष", 5, 6), ("र्", 9, 1)], "वर्ष"),
}  # fmt: skip


@pytest.mark.parametrize("glyphs, text", GLYPHS.values(), ids=GLYPHS)
def test_characters_are_in_the_order_in_which_they_are_read(glyphs, text):
    read = in_logical_order(raw_text(glyphs), Painted())
    assert "".join(map(chr, read.code.tolist())) == text


def test_lam_and_alef_of_one_glyph_may_have_two_boxes():
    raw = raw_text([("س", 40, 6), ("ال", 34, 6), ("م", 29, 5)])
    raw.box[2, 2] -= 0.5
    assert text_of(in_logical_order(raw, Painted())) == "سلام"


def columns(*texts):
    return [(char, 100 - 15 * k, 10, 300 - 10 * i) for k, text in enumerate(texts) for i, char in enumerate(text)]


def turned(raw):
    return dominant_quadrant(laid_level(raw))[0]


def test_upright_characters_in_columns_are_text_on_its_side():
    raw = laid_level(raw_text(columns("吾輩は猫である。", "名前はまだ", "無い")))
    assert dominant_quadrant(raw)[0] == 1
    assert (raw.matrix[:, 1] == -10).all()  # the short column, too


@pytest.mark.parametrize("labels", ["", "備考説明"], ids=["lines", "and labels in stacks"])
def test_lines_are_no_columns(labels):
    lines = [(char, 10 * i, 10) for i, char in enumerate("吾輩は猫である。名前はまだ無い")]
    assert turned(raw_text([*lines, *columns(labels)])) == 0


def test_punctuation_of_columns_is_that_of_lines():
    raw = laid_level(raw_text(columns("「吾輩︒")))
    assert "".join(map(chr, raw.code.tolist())) == "「吾輩。"


def text_of(raw):
    return "".join(map(chr, raw.code.tolist()))


def with_ruby(*places):
    """Two words in every line, and over them readings of half their size, `places` of them."""
    words = [glyph for k in range(3) for glyph in ((c, 10 * i, 10, 300 - 20 * k) for i, c in enumerate("山川の水"))]
    small = [("か", 10, 5, 310 - 20 * k) for k in places] + [("わ", 15, 5, 310 - 20 * k) for k in places]
    raw = raw_text([*words, *sorted(small, key=lambda glyph: (-glyph[3], glyph[1]))])
    raw.size[len(words) :] = 5.0
    return text_of(with_readings(raw))


@pytest.mark.parametrize(
    "places, text",
    [((0, 1, 2), 3 * "山川（かわ）の水"), ((0,), 3 * "山川の水" + "かわ"), ((), 3 * "山川の水")],
    ids=["over every line", "now and then", "none"],
)
def test_ruby_goes_behind_the_characters_that_it_stands_over_where_it_is_ruby(places, text):
    assert with_ruby(*places) == text
