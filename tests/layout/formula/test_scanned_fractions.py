"""Fractions in the lines of a scan: their words become one in its line, and nothing else is a fraction."""

import numpy as np
import pytest
from typeset import inked, markdown, printed, word

from docparse.layout.formula.scanned_fractions import SLASH, lowered, with_fractions
from docparse.layout.formula.scanned_inline import with_inline_formulas
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.text.inline import spans_of
from docparse.pdf.content import PageImage

SCALE, SIZE = 4.0, 11.0  # pixels a point, points
FRACTIONS = {  # what is printed behind "so x =": what OCR makes of the numbers, and the word that they become
    "$display(1/3)$": (["1", "3"], f"1{SLASH}3"),
    "$display((2n + 1)/5)$": (["2n+1", "5"], f"2n+1{SLASH}5"),
    "$display(sqrt(3)/2)$": (["√3", "2"], f"√3{SLASH}2"),
    "$display(x^2/a^2)$": (["x2", "a2"], f"x2{SLASH}a2"),
}
PLAIN = {  # strokes with ink over and under them
    "underlined words": "so #underline[many] #underline[in] all \\ so many more in all",
    "a rule of a table": "so #box(baseline: 60%, stack(spacing: 3pt, [1], line(length: 60pt), [23])) so",
    "signs": "$a = b plus.minus 3 div 4 equiv c$",
    "Chinese": '#text(font: "Noto Serif CJK SC")[三音言旦豆吾]',
}


@pytest.fixture(scope="module")
def reader():
    return SymbolReader()


def scan_of(text):
    type_ = f'#set text(size: {SIZE}pt, font: "New Computer Modern")'
    return printed(f"#set page(width: 300pt, height: 80pt, margin: 20pt)\n{type_}\n{text}", SCALE)


def line_with(fraction):
    return scan_of(f"so $x =$ {fraction}")


def recognised(image, over, under):
    """The words before the ink behind the equals sign, and what OCR reads in its upper and its lower half."""
    columns = np.flatnonzero(inked(image).any(axis=0)) / SCALE
    starts = [columns[0], *columns[1:][np.diff(columns) > 2]]
    width = columns[-1] - starts[3]
    base = np.flatnonzero(inked(image)[:, : int(starts[1] * SCALE)].any(axis=1))[-1] / SCALE
    before = [word(text, x, base, SIZE) for text, x in zip(("so", "x"), starts, strict=False)]
    numbers = [word(over, starts[3], base - 6, 8, width=width), word(under, starts[3], base + 9, 8, width=width)]
    return [*before, word("=", starts[2], base, SIZE, width=8), *numbers]


def test_fractions_that_ocr_left_out_are_read_from_the_pixels(reader):
    image = line_with("$1/3$ holds")
    columns = np.flatnonzero(inked(image).any(axis=0)) / SCALE
    starts = np.array([columns[0], *columns[1:][np.diff(columns) > 1.5]])
    base = np.flatnonzero(inked(image)[:, : int(starts[1] * SCALE)].any(axis=1))[-1] / SCALE
    end = starts[-1]
    places = zip(["so", "x", "=", "holds"], [*starts[:3], end], [9, 6, 8, 25], strict=True)
    words = [word(text, x, base, SIZE, width=width) for text, x, width in places]
    read = with_inline_formulas(with_fractions(words, image, SIZE), image, reader, SIZE)
    read.sort(key=lambda each: each.box.x0)
    assert markdown(spans_of([read], scripts=False)) == r"so $x = \frac{1}{3}$ holds"


@pytest.mark.parametrize("line", FRACTIONS)
def test_the_words_of_a_fraction_become_one_in_its_line(line):
    (over, under), expected = FRACTIONS[line]
    image = line_with(line)
    *before, fraction = with_fractions(recognised(image, over, under), image, SIZE)
    assert [each.text for each in before] == ["so", "x", "="]
    assert (fraction.text, fraction.baseline, fraction.size) == (expected, before[0].baseline, SIZE)
    rows = np.flatnonzero(inked(image).any(axis=1)) / SCALE
    assert (fraction.box.y0, fraction.box.y1) == pytest.approx((rows[0], rows[-1]), abs=0.5)
    assert lowered(fraction).box.height == SIZE


@pytest.mark.parametrize("lines", PLAIN.values(), ids=PLAIN)
def test_strokes_that_are_no_bars_make_no_fractions(lines):
    image = scan_of(f"#set par(leading: 0.35em)\n{lines}")
    columns, rows = (np.flatnonzero(inked(image).any(axis=axis)) / SCALE for axis in (0, 1))
    below = [word("1", x, y, SIZE, width=1) for x in columns[::4] for y in rows[::4]]  # wherever a fraction may be
    assert with_fractions(below, image, SIZE) == below


def test_a_fraction_by_itself_is_left_to_what_reads_displays():
    image = line_with("$display(1/3)$")
    words = recognised(image, "1", "3")[3:]
    assert with_fractions(words, image, SIZE) == words


def test_a_comma_beside_a_fraction_is_no_part_of_another_line():
    image = line_with("$display(1/3),$")
    assert any(SLASH in each.text for each in with_fractions(recognised(image, "1", "3"), image, SIZE))


def test_a_fraction_is_read_from_its_pixels_with_its_line(reader):
    image = line_with("$display((2n + 1)/5)$")
    words = with_fractions(recognised(image, "2n+1", "s"), image, SIZE)
    read = with_inline_formulas(words, image, reader, SIZE)
    [plain, formula] = spans_of([read], scripts=False)
    assert (plain.text, formula.text) == ("so ", r"x = \frac{2n + 1}{5}")
    assert read[-1].box.height == SIZE


def test_what_cannot_be_read_keeps_the_words_of_ocr(reader):
    image = line_with("$display(1/3)$")
    words = with_fractions(recognised(image, "1", "3"), image, SIZE)
    blank = PageImage(np.full_like(image.pixels, 255), SCALE)
    read = with_inline_formulas(words, blank, reader, SIZE)
    assert [each.text for each in read] == ["so", "x", "=", f"1{SLASH}3"]
    assert read[-1].box.height == SIZE
