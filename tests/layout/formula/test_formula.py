"""Displayed formulas: typeset, then read back."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import has_double_scripts, row, rules, word

from docparse.layout.formula import find_formulas, latex_of
from docparse.layout.formula.latex import is_balanced
from docparse.layout.text.word_finding import words_of
from docparse.layout.text.words import Word
from docparse.pdf import open_document
from docparse.types import Box

PAGE = """#set page(width: 420pt, height: 300pt, margin: 40pt)
#set text(size: 10pt)
#set math.equation(numbering: {numbering})
These words stand before the formula and say that it will be
$ {formula} $
and these words stand after the formula and say nothing new.
"""


def formulas(path):
    with open_document(path, name="page") as document:
        page = document.page(1)
    return [formula.latex for formula in find_formulas(words_of(page.characters), page.rulings, 10.0)]


def symbol(text, x, baseline=100.0, size=10.0, math=True, **more):
    return word(text, x, baseline, size, math=math, italic=math, **more)


def brackets(left, right, top, bottom):
    """Tall ones around rows on both sides of the baseline at 100."""
    return [
        Word(text=text, box=Box(x, top, x + 4, bottom), baseline=100, size=10, math=True)
        for text, x in (("(", left), (")", right))
    ]


@pytest.mark.parametrize(
    "typst, latex",
    [
        ("x^2 + y_1 = z", "x^{2} + y_{1} = z"),
        ("(a + b) / c = d", r"\frac{a + b}{c} = d"),
        ("ln(1 - x_0) / n = y", r"\frac{\ln (1 - x_{0})}{n} = y"),
        ("sum_(1 <= i <= n \\ i != j) x = y", r"\sum_{\substack{1 \leq i \leq n \\ i \neq j}} x = y"),
        ("underbrace(x_1 + x_n, n) = y", r"\underbrace{x_{1} + x_{n}}_{n} = y"),
        ("x = mat(1/2; k) y", r"x = \begin{pmatrix} \frac{1}{2} \\ k \end{pmatrix}y"),
        ("sum_(i in I) sum_(j=1)^n i = m", r"\sum_{i \in I} \sum_{j = 1}^{n} i = m"),
        ("lim_(n -> oo) lim_(k -> oo) max_i i = m", r"\lim_{n \to \infty} \lim_{k \to \infty} \max_{i} i = m"),
        ("m = sum_(i=1)^max(m, n) i", r"m = \sum_{i = 1}^{\max (m, n)} i"),
        ("integral_0^oo f = sqrt(pi) / 2", r"\int_{0}^{\infty} f = \frac{\sqrt{\pi}}{2}"),
        ("root(3, x + root(4, y)) = z", r"\sqrt[3]{x + \sqrt[4]{y}} = z"),
        ("arrow(F) = m arrow(a)", r"\vec{F} = m \vec{a}"),
        ('a &= b \\ "where" c &= d', r"\begin{aligned} a &= b \\ \text{where }c &= d \end{aligned}"),
        ("(1 + 1/n)^n = e", r"\left(1 + \frac{1}{n} \right)^{n} = e"),
        ("lambda_(g') in RR", r"\lambda_{g'} \in \mathbb{R}"),
        ("A = mat(a, b; c, d)", r"A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}"),
        ("d &= sum_(i=1)^n i \\ &= n/2", r"\begin{aligned} d &= \sum_{i = 1}^{n} i \\ &= \frac{n}{2} \end{aligned}"),
    ],
)
def test_typeset_formulas_are_read_back(typst_pdf, typst, latex):
    assert formulas(typst_pdf(PAGE.format(formula=typst, numbering="none"))) == [latex]


def big(text, x, top, bottom, baseline):
    """A glyph of TeX's font of large operators, with the box of its ink."""
    return msgspec.structs.replace(
        symbol(text, x, baseline, width=13.3), box=Box(x, top, x + 13.3, bottom), italic=False
    )


def sum_of(x, baseline, start):
    limit = [symbol("k", x - 0.6, baseline + 12, 7), word(f"={start}", x + 3.8, baseline + 12, 7)]
    return [
        big("∑", x, baseline - 9.5, baseline + 4.5, baseline),
        symbol("∞", x + 2.7, baseline - 12.4, 7, width=8),
        *limit,
    ]


def over_a_line(rise):
    """A formula over a line of text that ends with a letter and its exponent, which is the last word."""
    text = row("These words of a text end with a letter", 60, 113)
    text.append(symbol("z", text[-1].box.x1 + 3, 113))
    exponent = word("3", text[-1].box.x1 + 0.2, 113 - rise, 7)
    return [symbol("a", 200, 100), word("=", 208, 100), symbol("b", 216, 100, width=20), *text, exponent]


COLUMNS = [each for y in (60, 72, 140, 152) for x in (60, 208) for each in row("lines of the text in a column", x, y)]
GUTTER = max(each.box.x1 for each in COLUMNS if each.box.x0 < 200)
ROWS = [(x, y) for y in (89.1, 103.5) for x in (80, 104)]  # of fractions that stand close
HALF = r"\dfrac{1}{\sqrt{2}}"
HAVING = [word("即有", 60, width=20), symbol("a", 84, 93), symbol("b", 84, 107), symbol("=", 94),
          symbol("c", 105, 93), symbol("d", 105, 107), word("为曲率", 116, width=30)]  # fmt: skip
HAVING_BARS = [(82, 97, 91, 97), (103, 97, 112, 97)]
TEX = {  # words, bars, and what is read
    "the exponent of the line under it": (over_a_line(3.5), (0, 0, 0, 0), "a = b"),
    "a limit over the line under it": (over_a_line(12.0), (0, 0, 0, 0), "a = b_{3}"),
    "a bracket as tall as a fraction over the gutter, where its chain breaks": (
        [*COLUMNS, symbol("a", 120), symbol("=", 128), symbol("b", 140, 93, width=GUTTER - 145), symbol("c", 140, 108),
         symbol("+", GUTTER + 2), symbol("d", 208), word("=", 217), symbol("e", 226)],
        (140, 97.5, GUTTER, 97.5), r"a = \frac{b}{c} + \quad d = e"),
    "the number of a formula beside an indented line of the next column": (
        [*row("These words stand before the formula and then", 60, 60, right=260), symbol("a", 130), symbol("=", 140),
         symbol("b", 151), symbol("+", 161), symbol("c", 172), word("(3)", 247, 100, width=13),
         *(w for y in range(50, 122, 12) for w in row("Full lines of the next column of text", 270, y, right=470))],
        (0, 0, 0, 0), r"a = b + c \tag{3}"),
    "a word as a script": (
        [*row("The solution is approximated in this way", 60, 80, right=400), symbol("y", 150, width=5),
         word("sim", 155.3, 96, 7), symbol("j", 155, 102.5, 7, width=3), symbol("=", 169), symbol("g", 179),
         word("(", 184), symbol("τ", 190), word(")", 196)], (0, 0, 0, 0), r"y_{j}^{\text{sim}} = g(\tau)"),
    "a note in Chinese behind it": (
        [symbol("f", 100), word("=", 110), symbol("x", 120), word("（安全冗余，最低的）", 130, width=100),
         word("(8)", 280)], (0, 0, 0, 0), r"f = x \quad \text{（安全冗余，最低的）} \tag{8}"),
    "fractions of full size": (HAVING[1:-1], HAVING_BARS, r"\frac{a}{b} = \frac{c}{d}"),
    "sums under each other": (
        [symbol("d", 84, 164), word("=", 92, 164), *sum_of(103, 164, 0), symbol("k", 119, 164),
         word("=", 92, 197.5), *sum_of(103, 197.5, 1), symbol("k", 120, 190.8), word("2", 120, 204.5),
         word("=", 92, 222.9), symbol("d", 103, 222.9)],
        (120, 195, 125.6, 195),
        r"\begin{aligned} d &= \sum_{k = 0}^{\infty} k \\ &= \sum_{k = 1}^{\infty} \frac{k}{2} \\ &= d \end{aligned}"),
    "brackets of full size in an exponent": (
        [symbol("x", 81, 158.7), word("=", 90, 158.7), symbol("e", 100, 158.7), symbol("−", 105, 154.4, 7, width=6),
         word("(", 111.3, 155.1, width=3.9), symbol("n", 116.6, 151.7, 5, width=4.4),
         symbol("L", 116.4, 156.8, 5, width=4.8), word(")", 122.4, 155.1, width=3.8),
         symbol("t", 126.2, 154.4, 7, width=3)],
        (116.4, 152.6, 121.2, 152.6), r"x = e^{- \left(\frac{n}{L} \right)t}"),
    "a bar over what has a script": (
        [symbol("M", 84.8, 156.7, width=10.4), symbol("g,n", 95.5, 158.2, 7, width=11.5)],
        (84.8, 148.5, 95.5, 148.5), r"\overline{M}_{g, n}"),
    "a bar with room at its ends": (
        [symbol("a", 60, 100), word("=", 70, 100), symbol("b", 84, 93), symbol("c", 84, 108)],
        (80.5, 97.5, 92.5, 97.5), r"a = \frac{b}{c}"),
    "a bar that divides and bars that enclose": (
        [symbol("P", 60, 100), word("(", 66, 100), symbol("A", 72, 100), symbol("|", 80, 100, width=3),
         symbol("B", 87, 100), word(")", 93, 100), word("=", 101, 100), word("|", 110, 100, width=3),
         symbol("x", 114, 100), word("|", 123, 100, width=3), word("≤", 130, 100), symbol("y", 140, 100)],
        (0, 0, 0, 0), r"P(A \mid B) = |x| \leq y"),
    "a comma under the arm of a letter": (
        [symbol("f", 60, 100), word("=", 68, 100), word("(", 76, 100), symbol("V", 82, 100, width=9),
         word(",", 89, 100, width=3), symbol("W", 94, 100, width=10), word(")", 106, 100)],
        (0, 0, 0, 0), r"f = (V, W)"),
    "limits beside sums in lines that are close": (
        [symbol("d", 60, 100), word("=", 70, 100), symbol("∑", 80, 100, width=10), symbol("n", 90, 95, 7, width=4),
         symbol("k", 90, 105, 7, width=3), word("=0", 93.5, 105, 7), symbol("x", 106, 100),
         word("=", 75, 124), symbol("∑", 88, 124, width=10), symbol("n", 98, 119, 7, width=4),
         symbol("k", 98, 129, 7, width=3), word("=1", 101.5, 129, 7), symbol("y", 114, 124)],
        (0, 0, 0, 0), r"\begin{gathered} d = \sum_{k = 0}^{n} x \\ = \sum_{k = 1}^{n} y \end{gathered}"),
    "a fraction in very small figures": (
        [symbol("x", 60, 100), word("=", 70, 100), word("1", 80, 95.5, 6), word("2", 80, 103.5, 6),
         symbol("m", 87, 100)],
        (79.5, 97.5, 84, 97.5), r"x = \tfrac{1}{2}m"),
    "limits of operators side by side": (
        [word("sup", 260.8, 286.7, 10.9, width=16.4), symbol("x", 260.5, 296.1, 8, width=4.7),
         symbol("∈", 265.2, 296.1, 8, width=5.7), symbol("B", 270.9, 296.1, 8, width=6.3),
         word("inf", 284.1, 286.7, 10.9, width=13), symbol("x", 279.5, 294.1, 8, width=4.7),
         symbol("′", 284.2, 291.8, 6, width=2.2), symbol("∈", 286.9, 294.1, 8, width=5.7),
         symbol("B", 292.6, 294.1, 8, width=6.3), symbol("′", 299.3, 291.8, 6, width=2.2),
         symbol("d", 303.8, 286.7, 10.9), word("=", 312, 286.7, 10.9), symbol("y", 321, 286.7, 10.9)],
        (0, 0, 0, 0), r"\sup_{x \in B} \inf_{x' \in B'} d = y"),
    "the script of a script on the line of its limit": (
        [word("sup", 242.5, 335.6, 10.9, width=16.5), symbol("g", 237.2, 345, 8, width=4.1),
         symbol("∈", 241.6, 345, 8, width=5.6), symbol("B", 247.2, 345, 8, width=6.4),
         symbol("Y", 253.6, 346.8, 6, width=5.4), symbol("∗", 259.5, 345.1, 6, width=3.8),
         symbol("g", 266.1, 335.6, 10.9), word("=", 276, 335.6, 10.9), symbol("y", 286, 335.6, 10.9)],
        (0, 0, 0, 0), r"\sup_{g \in B_{Y^{*}}} g = y"),
    "a fraction as an exponent over an index": (
        [symbol("D", 203, 388, 10.9, width=9), word("1", 213.5, 377.9, 6, width=3.6),
         word("2", 213.5, 384.3, 6, width=3.6), symbol("h", 212, 391.5, 8, width=4.9), word("=", 224, 388, 10.9),
         symbol("y", 234, 388, 10.9)],
        (213, 379.5, 217.5, 379.5), r"D_{h}^{\frac{1}{2}} = y"),
    "an exponent behind an index": (
        [symbol("c", 60, 100), symbol("j", 65, 102, 7, width=3), word("2", 68.5, 96, 7), word("=", 78, 100),
         symbol("y", 88, 100)],
        (0, 0, 0, 0), r"{c_{j}}^{2} = y"),
    "short words of running text": (
        [symbol("x", 60, 100), word("=", 70, 100), symbol("y", 80, 100), word("for", 92, 100, italic=True),
         word("all", 110, 100, italic=True), symbol("y", 128, 100), word("a.e.", 140, 100)],
        (0, 0, 0, 0), r"x = y\text{ for all }y\text{ a.e.}"),
    "a hyphen between words and symbols": (
        [symbol("y", 60, 100), word("=", 70, 100), symbol("k", 80, 100),
         word("-", 85, 100, width=3, font="CMR10", glued=True), word("NN", 88, 100, font="CMR10", glued=True)],
        (0, 0, 0, 0), r"y = k\text{-NN}"),
    "a line without a relation": (
        [symbol("d", 60, 100), word("=", 70, 100), symbol("a", 84, 93), symbol("b", 84, 107.5),
         symbol("e", 60, 125), word("=", 70, 125), symbol("c", 82, 125), word("+", 78, 140), symbol("f", 88, 140)],
        (82, 97.5, 92, 97.5), r"\begin{aligned} d &= \frac{a}{b} \\ e &= c \\ &+ f \end{aligned}"),
    "limits nearer to the next line than to their sum": (
        [symbol("d", 84, 100), word("=", 92, 100), *sum_of(103, 100, 0), symbol("k", 119, 100),
         word("=", 92, 132.9), *sum_of(103, 132.9, 1), symbol("k", 119, 132.9)],
        (0, 0, 0, 0),
        r"\begin{aligned} d &= \sum_{k = 0}^{\infty} k \\ &= \sum_{k = 1}^{\infty} k \end{aligned}"),
    "an integral sign that is larger than all": (
        [msgspec.structs.replace(big("∫", 88.8, 281, 297, 293.8), size=18.0), symbol("x", 103, 289.5, 12),
         word("=", 112, 289.5, 12), symbol("y", 122, 289.5, 12)],
        (0, 0, 0, 0), r"\int x = y"),
    "the smallest scripts, as large as what they hang on": (
        [symbol("q", 60, 100), word("=", 70, 100), big("∫", 80, 87, 109, 100), symbol("R", 86, 109, 7, width=6.8),
         symbol("m", 92.8, 111.2, 5, width=6.1), symbol("K", 98.9, 113.9, 5, width=5.2), symbol("f", 106, 100)],
        (0, 0, 0, 0), r"q = \int_{R_{m_{K}}} f"),
    "scripts of scripts over and under an integral": (
        [big("∫", 409.7, 567, 582, 577.1), symbol("t", 415.8, 570, 7, width=5), symbol("σ", 421, 570, 7, width=9),
         symbol("m", 430.4, 572, 5, width=6.1), symbol("k", 436.5, 573.7, 5, width=5.2),
         symbol("t", 422.8, 580.5, 7, width=5), symbol("σ", 428.2, 580.5, 7, width=9),
         symbol("m", 437.2, 582.5, 5, width=6.1), symbol("k", 443.3, 584.2, 5, width=5.3),
         symbol("z", 450.1, 577.1), word("=", 460, 577.1), symbol("y", 470, 577.1)],
        (0, 0, 0, 0), r"\int_{t \sigma_{m_{k}}}^{t \sigma_{m_{k}}} z = y"),
    "an index in very small type under an exponent": (
        [symbol("A", 60, 100, width=7), symbol("i", 67.2, 96, 7, width=2.8), symbol("E", 67.2, 102.5, 5, width=4.4),
         word("=", 76, 100), symbol("y", 86, 100)],
        (0, 0, 0, 0), r"A_{E}^{i} = y"),
    "a tie between two baselines in an exponent": (
        [symbol("e", 60, 100), symbol("r", 65.2, 96, 7, width=3.37), symbol("2", 68.7, 94, 7, width=3.4),
         word("=", 76, 100), symbol("y", 86, 100)],
        (0, 0, 0, 0), r"e^{r^{2}} = y"),
    "words in the brackets of what equals something": (
        [symbol("P", 60, 100), *row("(all boys have different numbers)", 65.5, 100), word("=", 220, 100),
         symbol("b", 231, 93), symbol("c", 231, 108)],
        (230, 97.5, 238, 97.5), r"P(\text{all boys have different numbers}) = \frac{b}{c}"),
    "a case of several words": (
        [symbol("f", 60, 110.5), word("=", 68, 110.5),
         *(big(piece, 76, top, top + 10, top + 8) for piece, top in (("⎧", 93), ("⎨", 103), ("⎩", 113))),
         *(symbol(c, 92 + 8 * k, y) for k, c in enumerate("a+b+c+d+a+b+c+d") for y in (101, 120.5)),
         *row("in regime one", 220, 101), *row("in regime two", 220, 120.5)],
        (0, 0, 0, 0),
        r"f = \begin{cases} a + b + c + d + a + b + c + d & \text{in regime one} \\ "
        r"a + b + c + d + a + b + c + d & \text{in regime two} \end{cases}"),
    "words behind cases, on their line": (
        [symbol("f", 60, 110.5), word("=", 68, 110.5),
         *(big(piece, 76, top, top + 10, top + 8) for piece, top in (("⎧", 93), ("⎨", 103), ("⎩", 113))),
         symbol("a", 92, 101), symbol("b", 92, 120.5), word("and", 106, 110.5), symbol("g", 124, 110.5),
         word("=", 132, 110.5), symbol("c", 142, 110.5)],
        (0, 0, 0, 0), r"f = \begin{cases} a \\ b \end{cases}\text{ and }g = c"),
    "an arrow that is drawn": (
        [symbol("S", 60, 100), word("=", 70, 100), symbol("T", 80, 100), symbol("r", 106, 96, 7, width=4),
         symbol("X", 136, 100)],
        (87, 97.5, 133, 97.5), None),
    "a script of the line under an operator": (
        [symbol("d", 60, 100), word("=", 70, 100), word("min", 80, 100, width=15), symbol("y", 98, 100),
         symbol("f", 60, 115), word("=", 70, 115), symbol("e", 80, 115, width=5), symbol("x", 85.5, 111, 7, width=4)],
        (0, 0, 0, 0), r"\begin{aligned} d &= \min y \\ f &= e^{x} \end{aligned}"),
    "letters in bold beside a sign of equality": (
        [word("n", 60, bold=True), word("=", 70), word("−", 80, math=True), word("A", 90, bold=True),
         word("r.", 96, bold=True)],
        (0, 0, 0, 0), r"\mathbf{n} = - \mathbf{A} \mathbf{r}."),
    "rows of fractions that stand close": (
        [symbol("x", 60, width=5), word("=", 70, width=6), *brackets(76, 115, 80, 114),
         *(each for x, y in ROWS for each in (
             symbol("1", x + 3, y - 1.4, 7.3), symbol("√", x + 1, y + 6.7, 7.3), symbol("2", x + 5, y + 7.6, 7.3)))],
        [bar for x, y in ROWS for bar in ((x, y, x + 9, y), (x + 4.7, y + 1.4, x + 8.5, y + 1.4))],
        rf"x = \begin{{pmatrix}} {HALF} & {HALF} \\ {HALF} & {HALF} \end{{pmatrix}}"),
}  # fmt: skip


@pytest.mark.parametrize("words, bars, latex", TEX.values(), ids=TEX)
def test_what_tex_prints_is_read_back(words, bars, latex):
    assert [formula.latex for formula in find_formulas(words, rules(*np.atleast_2d(bars)), 10.0)] == [latex]


def test_a_page_without_symbols_and_a_line_of_text_with_a_long_exponent_have_no_formulas(typst_pdf, one_page_pdf):
    line = "The probability of it is at most $e^(-delta^2 mu + delta mu - mu)$ for $0 < delta <= 1$."
    page = f"#set page(width: 420pt, height: 300pt, margin: 40pt)\n#set text(size: 10pt)\n{line}"
    assert formulas(one_page_pdf) == formulas(typst_pdf(page)) == []


def test_a_number_at_the_margin_becomes_a_tag(typst_pdf):
    assert formulas(typst_pdf(PAGE.format(formula="a = b", numbering='"(1)"'))) == [r"a = b \tag{1}"]


def test_small_fractions_are_told_from_large_ones_in_displays_only():
    words = [symbol("x", 60), word("=", 70), word("1", 80, 96, 7), word("2", 80, 105.5, 7), symbol("y", 86)]
    bar = rules((79.5, 97.5, 84, 97.5))
    assert latex_of(words, bar) == r"x = \frac{1}{2}y"
    assert latex_of(words, bar, displayed=True) == r"x = \tfrac{1}{2}y"


def numbered_items(*numbers):
    """Items that hold nothing but mathematics."""
    signs = (("x", 80), ("≤", 88), ("y", 96))
    return [w for k, number in enumerate(numbers) for y in (100 + 12 * k,)
            for w in (word(number, 60, y), *(symbol(text, x, y) for text, x in signs))]  # fmt: skip


def behind(first, x):
    signs = (("P", 0, True), ("∈", 8, False), ("Ω", 20, False))
    return [*first, *(word(text, x + dx, math=True, italic=italic) for text, dx, italic in signs)]


def under_an_indented_line(start, below):
    words = row("Where the projections that we learn are these", 75, 100, right=300)
    for k, sign in enumerate("RWXYZ"):
        words += [
            word(sign, start + 30 * k, 112, italic=True, math=True),
            word("∈", start + 10 + 30 * k, 112, math=True),
        ]
    words += row("and in what follows we write of all of them", 60, below, right=300)
    return words + row("as if each of them had a letter of its own", 60, below + 12, right=300)


def under_an_item(first):
    words = [word(first, 60, width=6), *row("the number is small enough it follows that", 72)]
    return [*words, symbol("x", 72, 112), symbol("≤", 80, 112), symbol("y", 90, 112)]


def answers(letters):
    return [w for k, letter in enumerate(letters) for y in (100 + 14 * k,)
            for w in (*row(f"{letter}.", 60, y), *row("x = y + z", 74, y, math=True, italic=True))]  # fmt: skip


def after_text(first, x):
    """Two lines of text, and further down a relation behind a word."""
    text = [*row("Let all of this be a sentence of words that", 60, 100), *row("goes on over another line", 60, 112)]
    signs = ["x", "≤", "y", "≤", "z", "≤", "w"]
    return [*text, word(first, x, 150), *(symbol(sign, x + 18 + 8 * k, 150) for k, sign in enumerate(signs))]


def at_the_margin(x):
    """A line of signs and a word that begins at `x`, under an indented one."""
    text = [*row("Some words of another paragraph", 60, 50), *row("and of the next one", 60, 68)]
    text += row("If it is so then let", 80, 84)
    return [*text, *(symbol(sign, x + 11 * k) for k, sign in enumerate("n=m+r−s+a=b+c−d")), word("so", x + 167)]


SET_APART = {  # words, strokes, and how many formulas are set apart
    "a line of Chinese at the margin with fractions of full size in it": (
        [*(word("根据上式我们可得", 60, y, width=80) for y in (80, 124, 140)), *HAVING], HAVING_BARS, 0),
    "a line with words at the margin under an indented one": (at_the_margin(60), [], 0),
    "a line with words within the margin under an indented one": (at_the_margin(75), [], 1),
    "items with the rings that browsers draw": (
        [w for k in (1, 2) for w in row(f"◦ 1.{k}. Wnioski", 60, 90 + 10 * k)], [], 0),
    "options of a command, whose dashes are minus signs": (
        [*row("[−−verbose[=module[:level]]]", 60, 100), *row("[−−log−file[=file]]", 60, 112)], [], 0),
    "a line of Chinese": (
        [word("设", 60, width=10), symbol("x", 72), symbol("=", 82), symbol("y", 92)], [], 0),
    "before text that is smaller": (
        [symbol("x", 60, size=12), symbol("=", 72, size=12), symbol("y", 84, size=12),
         word("是没有逆元的运算", 90.5, width=80)], [], 0),
    "items": (numbered_items("1.", "2."), [], 0),
    "items with roman numbers": (numbered_items("(i)", "(ii)"), [], 0),
    "the same without numbers": ([each for each in numbered_items("1.", "2.") if each.math], [], 1),
    "the numbers of items and short answers beside them": (
        [word("3.", 79, 300), word("165", 100, 300), word("4.", 79, 316), word("n+1", 100, 316), word("5.", 79, 332),
         symbol("(", 101, 332), symbol("i", 106, 332), symbol("−", 113, 332), symbol(")", 121, 332),
         symbol("≤", 130, 332), symbol("2", 140, 332)], [], 0),
    "answers with letters": (answers("ABCD"), [], 0),
    "answers in brackets beside each other, with fractions": (
        [w for k, letter in enumerate("ABCD") for w in (
            word(f"({letter})", 60 + 80 * k), symbol("−", 80 + 80 * k), symbol("x", 90 + 80 * k, 93),
            symbol("y", 90 + 80 * k, 107))], [(89 + 80 * k, 97.5, 96 + 80 * k, 97.5) for k in range(4)], 0),
    "an item at the margin of Chinese with fractions of full size in it": (
        [*(w for k in range(3) for y in (160 + 16 * k,)
           for w in (word(f"{k + 1}.", 46, y), word("设有", 60, y, width=20))),
         word("4.", 46), word("若", 60, width=10), symbol("a", 74, 93), symbol("b", 74, 107), word("=", 84),
         symbol("c", 95, 93), symbol("d", 95, 107)], [(72, 97, 81, 97), (93, 97, 102, 97)], 0),
    "pieces of a tall bar that stands in a line": (
        [*row("This is what acts", 60), *(symbol("|", x, y, width=1) for x in (145, 160) for y in (94, 100, 106)),
         symbol("F", 149), symbol("−→", 148, 93, width=8), *row("there", 166)], [], 0),
    "rows that are no answers": (answers("AAAA"), [], 1),
    "behind a bullet": (behind([word("•", 60)], 66), [], 0),
    "behind a bullet of a math font": (behind([word("∙", 60, math=True)], 66), [], 0),
    "behind bold words": (behind(row("Theorem 2.", 60, bold=True), 115), [], 0),
    "behind nothing": (behind([], 115), [], 1),
    "at the margin under a full indented line": (under_an_indented_line(60, 124), [], 0),
    "farther in under a full indented line": (under_an_indented_line(110, 140), [], 1),
    "the second line of a paragraph whose lines are set apart": (
        [*row("One more line", 80, 83, right=300),
         *row("Let all of this be a sentence of words that", 80, 100, right=300),
         symbol("x", 60, 117), word("=", 70, 117), symbol("y", 80, 117), *row("and so", 100, 117),
         *row("on", 285, 117)], [], 0),
    "Chinese between symbols: a third of the line's room, a fifth of its letters, no name applied in brackets": (
        [symbol("micro-", 60, glued=True), symbol("R", 90, glued=True), word("代入式", 95, glued=True),
         word("(2.10)", 110, glued=True), word("所得", 140, glued=True), symbol("micro-", 150, glued=True),
         symbol("F", 180, glued=True), word("和", 185, glued=True)], [], 0),
    "after a relation at the end of a line": (
        [*row("Let there be some number such that y", 75, 100), symbol("≤", 247, 100), symbol("x", 60, 112),
         symbol("∈", 68, 112), symbol("R", 78, 112), symbol("y", 86, 112)], [], 0),
    "before the link to a name": (
        [symbol("z", 60), word("=", 70), symbol("f", 80), word("(x)", 86), word("¶", 110)], [], 0),
    "behind a star": ([word("⋆", 60), symbol("x", 72), symbol("∈", 80), symbol("R", 90)], [], 0),
    "behind a short word of French": (
        [word("et", 60), word("soit", 73), symbol("x", 96), symbol("∈", 104), symbol("R", 114)], [], 0),
    "behind a word that leads on at the margin": (after_text("and", 60), [], 0),
    "behind a word that leads on, set in the middle": (after_text("and", 120), [], 1),
    "behind a name at the margin": (after_text("SNR", 60), [], 1),
    "under the words of an item": (under_an_item("•"), [], 0),
    "under another word of a line": (under_an_item("If"), [], 1),
    "a fraction in a line": (
        [*row("We write for short what follows as c", 60), symbol("=", 231), symbol("1", 247, 95.5, 8),
         symbol("∫", 244, 106, 9), symbol("g", 251, 106, 8)], [(242, 97.3, 257, 97.3)], 0),
    "arrows over vectors in a line": (
        [*row("This is the force that acts", 60), symbol("F", 190), word("and", 198), symbol("a", 216),
         symbol("−→", 189, 94, width=8), symbol("−→", 214, 94, width=8)], [], 0),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, count", SET_APART.values(), ids=SET_APART)
def test_symbols_are_a_formula_where_they_are_set_apart_from_lines_of_text_and_items(words, strokes, count):
    assert len(find_formulas(words, rules(*strokes), 10.0)) == count


def pair(size, apart):
    """Two lines in brackets, so far apart."""
    first = 97.5 + 0.25 * size - apart / 2
    return [*brackets(70, 78, 83, 112), symbol("n", 74, first, size, width=4),
            symbol("i", 74, first + apart, size, width=4)]  # fmt: skip


BRACE = msgspec.structs.replace(symbol("{", 84), box=Box(84, 82, 90, 112))
READ = {  # words, and what is read of them; None: a picture is better than a guess
    "a binomial": (pair(10, 13.62), r"\binom{n}{i}"),
    **{f"a matrix of {name}": (pair(size, apart), r"\begin{pmatrix} n \\ i \end{pmatrix}") for name, size, apart in (
        ("lines in 11 pt, 1.05", 10, 13.04), ("lines in 12 pt, 1.1", 10, 13.29), ("lines in 11 pt, 1.1", 10, 13.66),
        ("small lines", 7, 6.1))},
    "a binomial behind an exponent, which TeX prints in its type": (
        [symbol("a", 60), symbol("k", 65.5, 96, 7, width=4), *brackets(70, 78, 89, 105), symbol("n", 74, 95, 7),
         symbol("i", 74, 103, 7), symbol("b", 84)], r"a^{k} \binom{n}{i}b"),
    "the full stop of Chinese": ([symbol("f", 100), word("=", 110), symbol("x", 120), word("。", 130)], "f = x."),
    "bold digits, and words": (
        [symbol("A", 60), symbol("=", 70), symbol("𝟏", 80), symbol(",", 90), *row("其 中", 100), symbol("x", 124)],
        r"A = \mathbf{1},\text{ 其中 } \quad x"),
    "the fonts of KaTeX, whose strokes stand lower": (
        [symbol("R", 60, font="KaTeX_AMS-Regular", width=7), word("=", 72, font="KaTeX_Main-Regular", width=8),
         word("\u0338", 72, 102, width=0), symbol("L", 85, font="KaTeX_Script-Regular")],
        r"\mathbb{R} \neq \mathscr{L}"),
    "a hat that grows": (
        [symbol("ˆ", 100, font="MSBM10", width=18), symbol("f", 101), symbol("∗", 107), symbol("g", 113),
         symbol("=", 122), symbol("h", 132)], r"\widehat{f*g} = h"),
    "an accent over a letter of another alphabet": (
        [symbol("E\u0302", 60, font="MSBM10"), word("=", 70), symbol("x", 80)], r"\hat{\mathbb{E}} = x"),
    "brackets as wide as Chinese ones, and no Chinese": (
        [symbol("P（A）", 60), word("=", 95), word("1", 105)], "P(A) = 1"),
    "a number between two rows": (
        [symbol("f", 60), symbol("=", 70), BRACE, symbol("x", 92, 93), symbol("x", 104, 93), symbol("y", 92, 103),
         symbol("x", 104, 103), word("(1)", 300)], r"f = \begin{cases} x & x \\ y & x \end{cases} \tag{1}"),
    "the lower limit of two words": (
        [word("lim", 60, width=14), word("inf", 76, width=12), symbol("→", 72, 108, 7), symbol("n", 66, 108, 7),
         word("0", 80, 108, 7), symbol("a", 92), symbol("=", 102), word("1", 112)], r"\liminf_{n \to 0} a = 1"),
    "a word with an accent": ([symbol("x", 0), word("algébrique", 10)], r"x\text{ algébrique}"),
    "words of OCR": ([symbol("x", 10), symbol("=", 20), symbol("y", 30, confidence=0.8)], None),
    "nothing": ([], None),
    "characters without a meaning": ([symbol("\ue000", 10), symbol("\ue001", 20)], None),
    "rows that overlap": ([symbol("x", 10), symbol("=", 20), symbol("y", 12, 105.5), symbol("z", 26, 105.5)], None),
}  # fmt: skip


@pytest.mark.parametrize("words, latex", READ.values(), ids=READ)
def test_one_formula_is_read_or_left_to_a_picture(words, latex):
    assert latex_of(words, displayed=True) == latex


GLYPHS = st.builds(
    symbol,
    st.text(st.sampled_from("abxyzRαλΣ012+−=<>∈(){}[]|∑∫√,.%#&$_\\^~'′”°²ˆ\u0331"), min_size=1, max_size=3),
    st.floats(0, 200),
    st.sampled_from([93.0, 96.0, 100.0, 101.5, 112.0, 130.0]),
    st.sampled_from([5.0, 7.0, 10.0]),
    st.booleans(),
)


@given(st.lists(GLYPHS, min_size=1, max_size=14), st.lists(st.tuples(st.floats(0, 150), st.floats(5, 80)), max_size=3))
def test_latex_can_be_read(words, bars):
    """Braces are balanced, no base has two scripts of a kind, and nothing is a comment or a parameter."""
    found = latex_of(words, rules(*((x, 104.0 + i, x + w, 104.0 + i) for i, (x, w) in enumerate(bars))))
    if found:
        assert is_balanced(found) and not has_double_scripts(found)
        bare = found.replace(r"\\", "").replace(r"\%", "").replace(r"\#", "").replace(r"\$", "")
        assert not set(bare) & set("%#$~")
