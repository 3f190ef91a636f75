"""Running text: hyphens, and mathematics inside a line as LaTeX."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, has_double_scripts, markdown, row, rules, word

from docparse.layout.document.hyphens import SOFT
from docparse.layout.reader import PageReader
from docparse.layout.tables import find_tables
from docparse.layout.text.inline import spans_of
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.word_finding import words_of
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import plain

PAGE = "#set page(width: 420pt, height: 120pt, margin: 40pt)\n#set text(size: 10pt)\n"
LONG = "This line of words is as long as the page is wide, so that here"


@pytest.mark.parametrize(
    "typst, expected",
    [
        ("for all $x in RR$ we have", r"for all $x \in \mathbb{R}$ we have"),
        ("where $lambda_g = lambda_(g')$ holds", r"where $\lambda_{g} = \lambda_{g'}$ holds"),
        ('the set ${x : op("Im") x > 0}$ is open', r"the set $\{x: \operatorname{Im} x > 0 \}$ is open"),
        ("the loss $f(x; y)$ is low; so is $g$", "the loss $f(x; y)$ is low; so is $g$"),
        ("costs $O(n log n)$ steps", r"costs $O(n \log n)$ steps"),
        ("the vector $x$, and the rest", "the vector $x$, and the rest"),
        ("the weight $W_(i j)^((l))$ of a layer", "the weight $W_{ij}^{(l)}$ of a layer"),
        ("while $B$’s name and $N$'s hold", "while $B$’s name and $N$’s hold"),
        ("a note#super(typographic: false)[1] in the text", "a note$^{1}$ in the text"),
        ("water is H#sub(typographic: false)[2]O here", "water is H$_{2}$O here"),
        ("as CaCO#sub(typographic: false)[3] + 2 HCl $->$ CaCl#sub(typographic: false)[2] shows",
         r"as $\mathrm{CaCO}_{3} + 2 \mathrm{HCl} \to \mathrm{CaCl}_{2}$ shows"),
        ("In Fig. 2 NO $->$ HF, as I saw", "In Fig. 2 NO → HF, as I saw"),
        ("about 3 + 4 apples", "about 3 + 4 apples"),
        ("an _italic_ word", "an italic word"),
        ('the class $upright("EQ")(f, g) = 1$ of all', r"the class $\operatorname{EQ}(f, g) = 1$ of all"),
        ("on the 2#super(typographic: false)[nd] of March", "on the 2nd of March"),
        ("in 2011#super(typographic: false)[[1]] or 2019#super(typographic: false)[1)]",
         "in 2011$^{[1]}$ or 2019$^{1)}$"),
        ("with 10#super(typographic: false)[3] words", "with $10^{3}$ words"),
        ("of 2019 #super(typographic: false)[3] and on", "of 2019 $^{3}$ and on"),
        ("A. Gal#super(typographic: false)[\\*]#h(0.1em), B. Eich", "A. Gal$^{*}$, B. Eich"),
        ("set in L#super(typographic: false)[A]TEX here", "set in LATEX here"),
        ("set in _L#h(-0.3em)#super(typographic: false)[A]#h(-0.1em)T#h(-0.1em)#sub(typographic: false)[E]X_ here",
         "set in LATEX here"),
        ("the G#sub(typographic: false)[U]IT group (L#super(typographic: false)[A])TEX", "the GUIT group (LA)TEX"),
        ("the C#super(typographic: false)[++] library", "the C++ library"),
        ("the tag $<$p$>$ and one in C:$\\\\$Temp and File$->$Open", "the tag <p> and one in C:\\Temp and File→Open"),
        ("the part with $a < 2$ of it", "the part with $a < 2$ of it"),
        ("an arrow#super(typographic: false)[⇤] has no LaTeX", "an arrow⇤ has no LaTeX"),
        ("see [12, 14] and File → Save on 3/4/2020", "see [12, 14] and File → Save on 3/4/2020"),
        ("#text(20pt)[1040] #box(move(dy: -8pt, text(7pt)[Department of the Treasury, Internal Revenue])) Return",
         "1040 Department of the Treasury, Internal Revenue Return"),
        (f"{LONG} (as $f(x =$ #linebreak() $y^2)$) apples", f"{LONG} (as $f(x = y^{{2}})$) apples"),
        (f"{LONG} $n = (a +$ #linebreak() $b) c$ holds", f"{LONG} $n = (a + b)c$ holds"),
        (f"{LONG} (with $n =$ #linebreak() $6$) it holds", f"{LONG} (with $n = 6$) it holds"),
        ("#set text(spacing: 200%)\nof all a map $f$#h(5pt)$: X -> Y$ of sets", r"of all a map $f: X \to Y$ of sets"),
        ("as $p tilde$#h(2.8pt)Unif([0, 1]) is", r"as $p \sim \operatorname{Unif}([0, 1])$ is"),
        ("so that for $alpha$#h(1.9pt)$beta_1$ and all $alpha$ $beta_1$",
         r"so that for $\alpha \beta_{1}$ and all $\alpha$ $\beta_{1}$"),
    ],
)  # fmt: skip
def test_a_formula_in_a_line_is_one_span(typst_pdf, typst, expected):
    with open_document(typst_pdf(PAGE + typst), name="page") as document:
        page = document.page(1)
    spans = spans_of(lines_of(words_of(page.characters)), rulings=page.rulings)
    assert markdown(spans) == expected


GIT = word("git", 10, mono=True)
EURO = [word("costs", 40), word("€", 80, mono=True), word("5", 86, glued=True), word("a", 100), word("month", 110)]
COMMA = [word("6", 40), word(",", 46, mono=True, glued=True), word("J", 60)]


@pytest.mark.parametrize("words, text", [(EURO, "costs €5 a month"), (COMMA, "6, J")], ids=["a sign", "a comma"])
def test_a_sign_from_a_typewriter_font_is_no_code(words, text):
    assert [(span.text, span.code) for span in spans_of([[GIT, *words]])] == [("git ", True), (text, False)]


@pytest.mark.parametrize("mono, between", [(True, ""), (False, " ")])
def test_an_address_in_typewriter_type_goes_on_over_lines_whatever_follows(mono, between):
    name, last = word("b.org/files.", 10, 112, mono=True), word("html", 10, 124, mono=mono)
    rows = [[word("see", 10), word("http://a-", 40, mono=True)], [name], [last, word("now", 50, 124)]]
    assert "".join(span.text for span in spans_of(rows)) == f"see http://a-b.org/files.{between}html now"


def test_the_hyphen_behind_a_formula_stays_at_the_end_of_its_line():
    row = [word("each", 10), word("d", 40, italic=True, math=True), word("-", 46, glued=True)]
    spans = spans_of([row, [word("dimensional", 10, 112)]], divided=SOFT)
    assert markdown(spans) == "each $d$-dimensional"


UNSURE = {"confidence": 0.9}  # as OCR is
LINES = {
    "sizes that are noisy": ([[word("goes", 10), word("to", 40, 103, 7), word("market")]], False, "goes to market"),
    "words of OCR": ([[word("goes", 10, **UNSURE), word("to", 40, 103, 7, **UNSURE)]], True, "goes to"),
    "a hyphen before lower case": ([[word("hyphen-", 10)], [word("ation", 10, 112)]], True, "hyphenation"),
    "a hyphen before a number": ([[word("COVID-", 10)], [word("19", 10, 112)]], True, "COVID-19"),
    "a hyphen that is a word of its own": (
        [[word("al", 50), word("-", 60, glued=True)], [word("lows", 50, 112)]], True, "allows"),
}  # fmt: skip


@pytest.mark.parametrize("lines, scripts, expected", LINES.values(), ids=LINES)
def test_lines_without_formulas_are_one_plain_span(lines, scripts, expected):
    [span] = spans_of(lines, scripts=scripts)
    assert (span.text, span.math) == (expected, False)


def test_a_comma_within_code_is_code():
    spans = spans_of([[word("a", 60, 100, italic=True), word("and", 70, 100), word("a[:,0]", 90, 100, mono=True)]])
    assert [span.text for span in spans if span.code] == ["a[:,0]"]


def test_private_codes_of_other_fonts_stay():
    assert "".join(span.text for span in spans_of([[word("\ue023", 60, 100), word("sea", 75, 100)]])) == "\ue023 sea"


def test_icons_are_no_text():
    first = [word("\U000f8023", 60, 100), word("GitHub", 75, 100, glued=True)]
    words = [*first, word("|", 110, 100), word("\U000f8045", 118, 100), word("Mail", 130, 100, glued=True)]
    assert plain(spans_of([words])) == "GitHub | Mail"


def test_the_mark_of_a_footnote_is_no_power():
    words = [*row("n = 270.", italic=True), word("29", 102.5, 96, 7, glued=True)]
    assert [span.text for span in spans_of([words]) if span.math][-1] == "^{29}"


def letter(text, x, **more):
    return word(text, x, math=True, italic=True, **more)


ITALICS = [letter("X", 60), word("a", 68, italic=True), word("set", 76, italic=True)]
SEVERAL = {  # words of a line, and it as Markdown
    "words in italics beside letters of a font of formulas": (ITALICS, "$X$ a set"),
    "letters in the italics of the text": (
        [word("f", 60, italic=True), word("=", 68, math=True), word("ab", 78, italic=True)], "$f = ab$"),
    "and where only letters of a script are in a font of formulas": (
        [word("s", 60, italic=True), word("∈", 68, math=True), word("R", 78, italic=True), word("=", 88, math=True),
         letter("I", 98, font="CMSY10")], r"$s \in R = \mathcal{I}$"),
    "a stroke before what it strikes": (
        [letter("m", 60), word("\u0338", 69, math=True, width=0), word("=", 69, math=True, glued=True),
         letter("n", 78)], "$m \\neq n$"),
    "a sign raised behind a unit": (
        [word("dm", 60), word("−", 70, 96, 7, math=True, glued=True), word("3", 74, 96, 7, glued=True)], "dm$^{- 3}$"),
    "a quotation behind a formula": (
        [word("∈", 60, math=True), letter("x", 78), word("'small'", 85), word("be", 125)], "$\\in x$ 'small' be"),
    "a unit of the name of a function": (
        [word("0–450", 60), word("min", 90), word("−1", 105, 96, 7, glued=True)], "0–450 min$^{- 1}$"),
    "intervals without their ends": (
        [word("sur", 60), word("]", 80), word("−", 84, math=True), word("1", 92), word(",", 97, math=True),
         word("1[", 103), word("et", 118), letter("x", 132), word("∈", 140, math=True), word("[0", 150),
         word(",", 160, math=True), letter("b", 166), word("[,", 171, glued=True)],
        "sur $] - 1, 1[$ et $x \\in [0, b[$,"),
    "intervals with their ends": (
        [letter("x", 60), word("∈", 68, math=True), word("[", 78), letter("f", 82), word("[", 87, glued=True),
         word("0", 91, glued=True), word("]", 96, glued=True), word(",", 100, math=True), letter("b", 106),
         word("]", 111, glued=True)], r"$x \in [f[0], b]$"),
    "a function of a letter and, behind a semicolon, of another, whose script leaves room": (
        [letter("A", 60), letter("j", 65, baseline=101.5, size=7), word("(1;", 69.2), letter("a", 86),
         word(")", 91, glued=True)], "$A_{j}(1; a)$"),
    "a unit of resistance": ([word("≤", 60, math=True), word("4", 70), word("Ω", 77, width=7)], r"$\leq 4 \Omega$"),
    "a name divided by a number": (
        [letter("f", 60), word("=", 70, math=True), word("(", 80), word("DoD", 84, glued=True),
         word("/2)", 99, glued=True)], r"$f = (\text{DoD}/2)$"),
    "a word of one letter with an accent": (
        [word("égal", 60), word("à", 84), word("∫", 92, math=True), letter("f", 98)], r"égal à $\int f$"),
}  # fmt: skip


@pytest.mark.parametrize("words, expected", SEVERAL.values(), ids=SEVERAL)
def test_what_stands_in_a_line_is_text_or_formula(words, expected):
    assert markdown(spans_of([words])) == expected


def test_a_letter_behind_a_small_fraction_may_be_as_far_off_as_a_word():
    fraction = [word("1", 80, 96, 7), word("4", 80, 104, 7)]
    words = [letter("A", 60), word("=", 70), *fraction, letter("g", 86.4), letter("i", 91.5, baseline=101.5, size=7)]
    spans = spans_of([[*words, *row("and so on", 99)]], rulings=rules((79.5, 97.5, 84, 97.5)))
    assert [span.text for span in spans if span.math] == [r"A = \frac{1}{4}g_{i}"]


LETTERED = {  # words of a line, and it as Markdown on a page with formulas
    "a letter alone": ([word("where", 60), word("x", 90, italic=True), word("is", 100)], "where $x$ is"),
    "a letter among words in italics": (row("Let x be", italic=True), "Let x be"),
    "a letter of a call in code": (
        [word("f(", 60, mono=True), word("x", 71, italic=True, glued=True), word(")", 76, mono=True, glued=True)],
        "f(x)"),
    "what a function is applied to": ([word("Find", 60), word("f", 84, italic=True), word("(2)", 89, glued=True)],
                                      "Find $f(2)$"),
    "an interval": ([word("on", 60), word("[", 74), word("a", 78, italic=True, glued=True), word(",", 83, glued=True),
                     word("b", 90, italic=True), word("]", 95, glued=True)], "on $[a, b]$"),
    "a factorial before a relation": (
        [word("as", 60), letter("n", 74), word("!", 79, glued=True), word("=", 86, math=True), word("6", 96)],
        "as $n! = 6$"),
    "a factorial before Chinese": (
        [word("有", 60), letter("n", 74), word("!", 79, glued=True), word("阶", 90)], "有 $n!$ 阶"),
    "a letter before an exclamation": ([word("as", 60), letter("n", 74), word("!", 79, glued=True)], "as $n$!"),
}  # fmt: skip


@pytest.mark.parametrize("words, expected", LETTERED.values(), ids=LETTERED)
def test_on_a_page_with_formulas_letters_in_italics_are_variables(words, expected):
    assert markdown(spans_of([words], lettered=True)) == expected


@pytest.mark.parametrize(
    "source, math",
    [("Let _x_ be one.\n$ x^2 <= 2 $", True), ("Let _x_ be one.", False),
     ("`center` of _x_.\n$ x^2 <= 2 $", False)],
    ids=["formulas", "none", "names in typewriter type"],
)  # fmt: skip
def test_letters_alone_are_variables_where_a_page_has_formulas_and_no_names(typst_pdf, source, math):
    with open_document(typst_pdf(PAGE + source), name="page") as document:
        blocks = PageReader(Settings()).read(document.page(1)).page.blocks
    assert any(span.math for span in blocks[0].spans) is math


@pytest.mark.parametrize("sign, expected", [("≤", "$x$"), ("to", "x")])
def test_a_letter_in_a_cell_is_a_variable_where_the_table_has_signs_of_mathematics(sign, expected):
    words = [w for k, text in enumerate(["bound", "size", "number"]) for w in (
        *row(text, 60, 100 + 14 * k), word("x", 200, 100 + 14 * k, italic=True),
        word(sign, 300, 100 + 14 * k, math=sign == "≤"), word("12", 310, 100 + 14 * k))]  # fmt: skip
    [table] = find_tables(words, rules((55, 88, 330, 88), (55, 104, 330, 104), (55, 132, 330, 132)), SHEET)
    assert expected in {markdown(cell.spans) for cell in table.table.cells}


GLYPHS = st.builds(
    word,
    st.text(st.sampled_from("abxyz01+−=<>∈(){}[]|∑√,.:!/-'°²prose𝑥ℎ"), min_size=1, max_size=5),
    st.floats(0, 300),
    st.sampled_from([96.0, 100.0, 102.0]),
    st.sampled_from([0.01, 5.0, 7.0, 10.0]),
    math=st.booleans(),
    italic=st.booleans(),
    glued=st.booleans(),
)


@given(st.lists(GLYPHS, min_size=1, max_size=12), st.lists(GLYPHS, max_size=5))
def test_any_line_has_its_text(first, second):
    """Whatever the letters and their places: no exception, prose is not lost, and mathematics can be read."""
    spans = spans_of([line for line in (first, second) if line])
    assert not any(span.math and has_double_scripts(span.text) for span in spans)
    assert "".join(span.text for span in spans).strip()
