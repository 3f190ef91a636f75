"""Symbols that fonts print in pieces, and lines of formulas among lines of text."""

from functools import partial

import pytest
from typeset import row, rules, word

from docparse.layout.formula import find_formulas, latex_of
from docparse.layout.formula.cluster import Unreadable, rows_of
from docparse.layout.formula.composites import dotted
from docparse.layout.formula.lines import aligned
from docparse.layout.formula.nodes import Node, nodes_of
from docparse.layout.formula.rows import rows_latex
from docparse.layout.formula.symbols import symbol
from docparse.layout.text.words import Word
from docparse.types import Box

sign = partial(word, math=True, italic=True)


def signs(*placed, **more):
    """Signs on one baseline, each a text and its x."""
    return [sign(text, x, **more) for text, x in placed]


def tall(text, x, top, bottom):
    """A symbol of an extension font, with the box of its ink."""
    return Word(text=text, box=Box(x, top, x + 4, bottom), baseline=(top + bottom) / 2 + 2.5, size=10, math=True)


A_AND_B = signs(("a", 0), ("b", 40))
RELATIONS = {  # what is printed between a and b
    r"\Longleftrightarrow": [sign("⇐", 12, width=10), sign("⇒", 20, width=10)],
    r"\longrightarrow": [sign("−", 12, width=8), sign("→", 18, width=10)],
    r"\mapsto": [sign("↦", 18, width=0.1), sign("→", 18, width=10)],
    r"\longmapsto": [sign("↦", 12, width=0.1), sign("−", 12, width=8), sign("→", 18, width=10)],
    r"\cong": [sign("∼", 20, 97), sign("=", 20)],
    r"\notin": [sign("∈", 20, width=7), sign("/", 22, width=3)],
    r"\not\equiv": [sign("̸≡", 20, width=8)],
    r"\overset{f}{\to}": [sign("→", 18, width=10), sign("f", 21.5, 93, 7, width=3)],
    r"\xrightarrow{f}": [sign("−", 12, width=8), sign("→", 18, width=10), sign("f", 19, 93, 7, width=3)],
    ":=": [sign(":", 16, width=3), sign("=", 19, width=8)],
    "= =": signs(("=", 14), ("=", 24)),
}


@pytest.mark.parametrize("latex", RELATIONS)
def test_a_relation_in_pieces_is_one(latex):
    assert latex_of([*A_AND_B, *RELATIONS[latex]]) == f"a {latex} b"


@pytest.mark.parametrize(
    "char, latex",
    [("ϵ", r"\epsilon"), ("ε", r"\varepsilon"), ("𝜖", r"\epsilon"), ("ϕ", r"\phi"), ("𝜙", r"\phi"), ("𝜑", r"\varphi")],
)
def test_variant_letters_are_told_apart(char, latex):
    assert latex_of(signs((char, 0), ("=", 12), ("1", 24))) == f"{latex} = 1"


def test_bold_letters_in_bold_type_are_bold_once():
    assert latex_of([sign("𝛂", 0, bold=True), sign("=", 12), sign("𝒙", 24, bold=True)]) == (
        r"\boldsymbol{\alpha} = \boldsymbol{x}"
    )


@pytest.mark.parametrize("char, latex", [("ϐ", r"\text{β}"), ("ϴ", r"\text{Θ}"), ("΄", "")])
def test_greek_signs_that_latex_has_no_commands_for_are_text(char, latex):
    assert symbol(char) == latex


A_OVER_B = [sign("a", 10, 93), sign("b", 10, 108), *signs(("=", 28), ("c", 38))]
BRACKETS = [
    tall(char, x, top, top + 16)
    for x, pair in ((2, "⎛⎝"), (18, "⎞⎠"))
    for char, top in zip(pair, (80, 95), strict=True)
]
BARS = [tall("|", x, top, top + 8) for x in (2, 18) for top in (82, 90, 98)]
BRACES = [tall(char, x, 103, 106) for char, x in (("⏟", 0), ("⏞", 10), ("⏞", 14), ("⏟", 24))]
SUMS = [tall("∑", 10, 92, 106), tall("∑", 24, 92, 106), *signs(("x", 34), ("=", 44), ("y", 54))]
LIMITS = [
    sign(text, x, 114, 7, width=width)
    for text, x, width in (("i", 11, 2), ("j", 17.5, 3), (">", 21, 6), ("i", 28, 6.5))
]
LEFT = tall("{", 0, 85, 117)
ROWS = [*signs(("x", 8), ("=", 16), ("y", 24), ("z", 40), baseline=94), *signs(("x", 8), ("=", 16), baseline=112)]
PIECES = [sign("√", 0, 113, width=9), *(sign("√", 8, top + 5, width=0.8) for top in (83, 90, 97, 104))]
ROOT = tall("√", 0, 74, 110)
NESTED = [sign(text, 12, y, 8, width=4) for text, y in (("a", 80), ("b", 88), ("c", 96), ("d", 104))]
FORMULAS = {  # words, strokes, and what they say
    "brackets of pieces grow with what they hold": (
        [*A_OVER_B, *BRACKETS], [(9, 97, 16, 97)], r"\left(\frac{a}{b} \right) = c"),
    "and so do bars": ([*A_OVER_B, *BARS], [(9, 97, 16, 97)], r"\left| \frac{a}{b} \right| = c"),
    "a horizontal brace holds what it spans and carries its label": (
        [*signs(("a", 2), ("+", 11), ("b", 22), ("=", 36), ("d", 48)), sign("c", 12, 113, 7), *BRACES], [],
        r"\underbrace{a + b}_{c} = d"),
    "the tips of a brace may be three, and its label wide": (
        [*signs(("a", 2), ("=", 30), ("d", 42)), *(sign("⏟", x, 108, width=8) for x in (0, 8, 16)),
         sign("n", -2, 118, 7), word("times", 4.5, 118, 7)], [], r"\underbrace{a}_{n\text{ times}} = d"),
    "a brace whose label is a vector": (
        [*signs(("a", 2), ("+", 11), ("b", 22), ("=", 36), ("d", 48)), sign("v", 12, 115, 7),
         sign("→", 10.5, 111.5, 7, width=7), *BRACES], [], r"\underbrace{a + b}_{\overrightarrow{v}} = d"),
    "an arrow over letters": (
        [*signs(("A", 0), ("B", 6), ("=", 20), ("c", 32)), sign("−−→", -1, 93, width=13)], [],
        r"\overrightarrow{AB} = c"),
    "an arrow in a fraction": (
        [*signs(("d", 0), ("p", 6), ("+", 20), ("q", 34), baseline=93), sign("→", 4, 89, width=10),
         sign("→", 32, 89, width=10), *signs(("d", 0), ("t", 5), baseline=108), *signs(("=", 44), ("c", 56))],
        [(-1, 97, 40, 97)], r"\frac{d \overrightarrow{p} + \overrightarrow{q}}{dt} = c"),
    "lines whose limits nearly touch": (
        [each for y in (100, 122) for each in (
            *signs(("a", 0), ("=", 10), ("x", 38), baseline=y), tall("∫", 22, y - 12, y + 8), sign("n", 28, y - 8, 7),
            sign("1", 26, y + 6.9, 7), sign("b", 46, y - 7), sign("c", 46, y + 6))],
        [(45, 97, 52, 97), (45, 119, 52, 119)],
        r"\begin{aligned} a &= \int_{1}^{n} x \frac{b}{c} \\ a &= \int_{1}^{n} x \frac{b}{c} \end{aligned}"),
    "a word behind a comma": (
        [*signs(("f", 0), (",", 5), width=5), word("for", 11.7), *signs(("x", 30), ("=", 40), ("y", 50))], [],
        r"f,\text{for }x = y"),
    "a hyphen between words and signs": (
        [sign("x", 0), word("-", 5.5, width=3, font="CMR10"), *row("min max", 12), *signs(("=", 50), ("y", 62))], [],
        r"x\text{-} \min \max = y"),
    "bold letters under accents": (
        signs(("w\u0304", 0), ("=", 12), ("α\u0302", 24), bold=True), [],
        r"\bar{\boldsymbol{w}} = \hat{\boldsymbol{\alpha}}"),
    "bold letters that are in the accent's name": (
        signs(("a\u0304", 0), ("=", 12), ("t\u0303", 24), bold=True), [],
        r"\bar{\boldsymbol{a}} = \tilde{\boldsymbol{t}}"),
    "lines that begin at one place": (
        [*signs(("a", 0), ("+", 9), ("b", 18)), *signs(("c", 0), ("d", 5), baseline=115)], [],
        r"\begin{aligned} &a + b \\ &cd \end{aligned}"),
    "a line of dots alone": (
        [*signs(("a", 0), ("=", 9), ("b", 18)), sign("...", 14, 115, width=8),
         *signs(("c", 0), ("=", 9), ("d", 18), baseline=130)], [],
        r"\begin{aligned} a &= b \\ &\ldots \\ c &= d \end{aligned}"),
    "the numbers of two lines": (
        [*signs(("a", 0), ("=", 9), ("b", 18)), *signs(("=", 9), ("d", 18), baseline=115), word("(1)", 90),
         word("(2)", 90, 115)], [],
        r"\begin{aligned} a &= b && \quad \text{(1)} \\ &= d && \quad \text{(2)} \end{aligned}"),
    "a wide hat": (
        [*signs(("a", 0), ("b", 5), ("c", 10), ("=", 22), ("d", 34)), sign("ˆ", 2, 92, width=11, font="CMEX10")], [],
        r"\widehat{abc} = d"),
    "fractions of a fraction under a root": (
        [ROOT, *NESTED], [(4, 74, 18, 74), (12, 82, 16, 82), (11, 90, 17, 90), (12, 98, 16, 98)],
        r"\sqrt{\frac{\frac{a}{b}}{\frac{c}{d}}}"),
    "a root of pieces that are called roots": (
        [*PIECES, sign("a", 12, 93), sign("b", 12, 108)], [(8.8, 80, 19, 80), (11, 97, 18, 97)],
        r"\sqrt{\frac{a}{b}}"),
    "bars at which values are taken are no pair": (
        [sign("a", 0), tall("|", 8, 85, 110), sign("0", 12, 109, 7), *signs(("=", 24), ("b", 36)),
         tall("|", 44, 85, 110), sign("1", 48, 109, 7)], [], r"a \bigg|_{0} = b \bigg|_{1}"),
    "a full stop between two lines": (
        [*signs(("x", 0), ("=", 10), ("y", 20)), *signs(("x", 0), ("=", 10), baseline=122), sign("a", 20, 115),
         sign("b", 20, 130), sign(".", 30, 111.5)],
        [(19, 119, 26, 119)], r"\begin{aligned} x &= y \\ x &= \frac{a}{b}. \end{aligned}"),
    "cases with a full stop behind them all": (
        [LEFT, *ROWS, sign("y", 24, 112), sign("z", 30, 112), sign(".", 52, 103.5)], [],
        r"\begin{cases} x = y & z \\ x = yz & \end{cases}."),
    "fractions of full size in cases": (
        [LEFT, *ROWS[:3], *ROWS[4:], sign("a", 26, 107), sign("b", 26, 117)], [(25, 109.5, 33, 109.5)],
        r"\begin{cases} x = y \\ x = \dfrac{a}{b} \end{cases}"),
    "a number on a line of its own": (
        [*A_AND_B, sign("=", 20), word("(3)", 60, 114)], [], r"a = b \tag{3}"),
    "a number under a low limit": (
        [*signs(("a", 0), ("=", 10), ("x", 38)), tall("∫", 22, 88, 108), sign("1", 26, 109, 7),
         word("(3)", 36, 116)], [], r"a = \int_{1} x \tag{3}"),
    "lines are aligned where relations are": (
        [*signs(("f", 0), ("∶", 8), ("a", 14), ("→", 24), ("b", 36)),
         *signs(("x", 14), ("→", 24), ("y", 36), baseline=115)], [],
        r"\begin{aligned} f : a &\to b \\ x &\to y \end{aligned}"),
    "an upright letter of a font with italics": (
        [*(word(text, x, math=True, font="STIXTwoMath") for text, x in (("𝑥", 0), ("=", 12), ("d", 24), ("𝑦", 30)))],
        [], r"x = \mathrm{d}y"),
    "fractions under each other are two lines": (
        [sign("a", 20, 93), sign("b", 20, 107), *signs(("=", 6), ("x", 28)),
         sign("c", 20, 121), sign("d", 20, 135), *signs(("=", 6), ("y", 28), baseline=128)],
        [(19, 97, 26, 97), (19, 125, 26, 125)],
        r"\begin{aligned} &= \frac{a}{b}x \\ &= \frac{c}{d}y \end{aligned}"),
    "limits of two sums are centred on their own": ([*SUMS, *LIMITS], [], r"\sum_{i} \sum_{j > i} x = y"),
    "an underscore, which TeX draws": (
        [sign("cell_", 60, width=28), sign("i", 88)], [(83, 101, 88, 101)], r"cell \_i"),
    "the shaft of an arrow is no line under its head": (
        [*A_AND_B, sign("→", 18, width=10)], [(6, 97.5, 28, 97.5)], r"a \to b"),
    "a stroke through a quantifier": (
        [sign("\u0338", 0, width=0), sign("∃", 2.8, width=6), sign("x", 9)], [], r"\nexists x"),
    "a line under a symbol": (signs(("x", 0), ("=", 12), ("y", 24)), [(0, 102.5, 5, 102.5)], r"\underline{x} = y"),
    "a prime before a power": (
        [*signs(("f", 0), ("=", 20), ("y", 32)), sign("′", 5.5, 96, 7), sign("2", 8.5, 96, 7)], [], "f'^{2} = y"),
    "a line over a symbol": (signs(("x", 0), ("=", 12), ("y", 24)), [(0, 92.5, 5, 92.5)], r"\overline{x} = y"),
    "a norm of a set is followed by no divisor": (
        signs(("|", 0), ("{", 3), ("x", 8), ("}", 13), ("|", 19.8), ("=", 24.8), ("y", 36)), [], r"| \{x \}| = y"),
    "a number at the left is a tag": ([*A_AND_B, sign("=", 20), word("(3)", -80)], [], r"a = b \tag{3}"),
    "a number at the right is a tag": ([*A_AND_B, sign("=", 20), word("(3)", 160)], [], r"a = b \tag{3}"),
    "a name without a space": ([word("λmax", 0)], [], r"\lambda \max"),
    "one power": (signs(("10²", 0)), [], "10^{2}"),
    "two powers": (signs(("10²³", 0)), [], "10^{2}{}^{3}"),
    "a power of a degree": ([sign("90°", 0), sign("2", 16, 96, 7)], [], r"90^{\circ}{}^{2}"),
    "scripts before and behind a prime": (
        [*signs(("x", 0), ("′", 10)), sign("1", 5.5, 102, 7), sign("2", 15.5, 102, 7)], [], "x_{1}{}'_{2}"),
    "a power over its base is in the row of the base": (
        [*signs(("S", 0), ("=", 8), baseline=102), sign("T", 20, 93), sign("T", 20, 110), sign("i", 26, 104, 7)],
        [(19, 97, 32, 97)], r"S = \frac{T}{T^{i}}"),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, latex", FORMULAS.values(), ids=FORMULAS)
def test_signs_that_belong_together_find_each_other(words, strokes, latex):
    assert latex_of(words, rules(*strokes), displayed=True) == latex


def test_of_two_numbers_at_the_margins_one_is_the_tag():
    below = signs(("c", 0), ("=", 20), ("d", 40), baseline=120)
    words = [*A_AND_B, sign("=", 20), *below, word("(1)", -80), word("(2)", 160, 120)]
    latex = latex_of(words, displayed=True)
    assert latex.count(r"\tag") == 1 and "1" in latex and "2" in latex


def prose(*places):
    return [
        each for x, y in places for each in row("these plain words are the running text of a page", x, y, space=2.5)
    ]


def equation(left, right, x, y):
    return signs((left, x), ("=", x + 8), (right, x + 16), baseline=y)


def costs(*names):
    """C with each name under it."""
    return [
        each for k, name in enumerate(names)
        for each in (sign("C", 20 + 36 * k, 135), word(name, 25 + 36 * k, 136.5, 7, glued=True))
    ]  # fmt: skip


AROUND = prose((0, 100), (0, 170))
COLUMNS = prose(*((x, y) for y in (100, 112, 124, 190, 202, 214) for x in (0, 260)))
PAGES = {
    "the last line of a paragraph": ([*AROUND, *equation("x", "y", 0, 112)], []),
    "a line apart": ([*AROUND, *equation("x", "y", 60, 140)], ["x = y"]),
    "formulas side by side in two columns": (
        [*COLUMNS, *equation("x", "y", 200, 150), *equation("u", "v", 264, 152)], ["u = v", "x = y"]),
    "a wide formula beside a column of text": (
        [*COLUMNS, *prose((28, 158)), *equation("x", "y", 268, 158)], ["x = y"]),
    "words that hang on letters": (
        [*AROUND, *costs("all", "work", "rent"), *signs(("=", 44), ("+", 80), baseline=135)],
        [r"C_{\text{all}} = C_{\text{work}} + C_{\text{rent}}"]),
    "a word and a letter under a sum's line": (
        [*AROUND, *equation("x", "y", 20, 140), *signs(("=", 50), ("C", 60), baseline=140), word("spent", 65, 143, 7),
         sign("k", 82.5, 143, 7, glued=True)], [r"x = y = C_{\text{spent}k}"]),
    "words under a horizontal brace": (
        [*AROUND, *signs(("x", 0), ("=", 10), ("y", 39), baseline=130),
         *signs(("⏟", 34), ("⏟", 39), ("⏟", 44), baseline=138),
         *row("by the lemma", 20, 148, 7, space=2)], [r"x = \underbrace{y}_{\text{by the lemma}}"]),
    "a condition behind a formula": (
        [*AROUND, *equation("x", "y", 60, 140), *row("holds for all", 100, 140, space=2.5)],
        [r"x = y \quad \text{holds for all}"]),
}  # fmt: skip


@pytest.mark.parametrize("words, formulas", PAGES.values(), ids=PAGES)
def test_formulas_stand_apart_from_text_and_from_each_other(words, formulas):
    assert sorted(formula.latex for formula in find_formulas(words, rules(), 10.0)) == formulas


def test_two_lines_of_a_limit_that_hold_nothing_are_nothing():
    blank = [Node("letter", "", 60, 64, at - 5, at, at, 7.0) for at in (100, 115)]
    assert rows_latex(blank) == ""


def test_a_full_stop_a_little_nearer_to_three_dots_than_they_are_to_each_other_is_none_of_them():
    dots = [Node("punct", ".", x, x + 1, 99, 100, 100, 10.0, text=".") for x in (50, 54.5, 59, 62.9)]
    assert [node.text for node in dotted(dots)] == [".", "…"] and dotted(dots)[-1].x0 == 50


def test_a_formula_within_a_line_has_no_number():
    words = [*A_AND_B, sign("=", 20), word("(3)", 160)]
    assert latex_of(words, displayed=True) == r"a = b \tag{3}"
    assert latex_of(words) is None


ITALIC = partial(word, font="CMTI10", italic=True)


@pytest.mark.parametrize(
    "words, latex",
    [
        ([sign("y", 0), ITALIC("si", 8), sign("t", 21), sign("<", 30)], r"y\text{ si }t <"),
        ([sign("y", 0), ITALIC("deps", 5, glued=True), sign("(", 25)], r"y \mathit{deps}("),
        ([sign("R", 0), word("I–II", 6, 103, 7, font="CMR7", glued=True)], r"R_{\text{I–II}}"),
        ([sign("R", 0), word("I–II", 6, 103, 7, glued=True)], r"R_{\mathrm{I}-\text{II}}"),
    ],
    ids=["a word of a theorem in italics", "a name in italics", "a dash in the type of words", "a dash in other type"],
)
def test_what_text_type_prints_in_a_formula_is_text(words, latex):
    assert rows_latex(nodes_of(words)[0]) == latex


def letter(x, baseline=100.0, size=10.0, kind="letter", text="a"):
    return Node(kind, text, x, x + 0.5 * size, baseline - 0.7 * size, baseline, baseline, size, text=text)


def test_only_few_symbols_are_scripts_right_behind_symbols_of_their_size():
    base = [letter(5 * k) for k in range(20)]
    assert len(rows_of([*base, *(letter(100 + 5 * k, 106) for k in range(3))])) == 1
    with pytest.raises(Unreadable):
        rows_of([*base, *(letter(100 + 5 * k, 106) for k in range(20))])


def test_signs_of_equality_may_stand_at_the_left_edge_of_a_page():
    places = [(0, 50), (0, 50), (50,)]
    rows = [[letter(x, 100 + 20 * k, kind="rel", text="=") for x in at] for k, at in enumerate(places)]
    assert aligned(rows, "", None).startswith(r"\begin{aligned} &= \qquad =")
