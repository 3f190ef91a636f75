"""Loose parts of inline formulas: limits, fractions and scripts find their line, and no word is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import markdown, numbered, row, rules, word

from docparse.layout.formula.gathered import gathered
from docparse.layout.reader import PageReader
from docparse.layout.text.inline import spans_of
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.lines import Line
from docparse.pdf import open_document
from docparse.settings import Settings


def text(words, rulings):
    lines = gathered(lines_of(numbered(words)), rulings)
    return [markdown(spans_of([line], rulings=rulings)) for line in lines]


def sentence(first, formula, last, x):
    """Prose before and behind a formula at 60; the second part is at `x`."""
    return [word(first, 57 - 5 * len(first)), *formula, word(last, x)]


def letter(text, x, baseline=100.0, size=10.0, **more):
    return word(text, x, baseline, size, italic=True, **more)


BAR = rules((60.5, 97.5, 66.5, 97.5))
FORMULAS = {
    "a limit under an operator": (
        [word("∑", 60, math=True), letter("i", 60.7, 108.5, 7, math=True), letter("T", 67, math=True),
         letter("(i)", 72.2, 94.6, 7, math=True), word("0", 71.5, 102.7, 7, math=True)],
        87, rules(), r"$\sum_{i} T_{0}^{(i)}$"),
    "all brackets before all letters before all scripts, as formula editors store them": (
        [word("(", 65.5), word(",", 78), word(")", 88), letter("H", 75, 102.6, 5.8), letter("H", 85.2, 102.6, 5.8),
         letter("r", 60), letter("x", 70), letter("y", 81)],
        97, rules(), "$r(x_{H}, y_{H})$"),
    "a small fraction": ([word("1", 61, 95.5, 7), letter("N", 61, 104.1, 7)], 69, BAR, r"$\frac{1}{N}$"),
    "a large fraction": ([word("1", 61, 95.5), letter("N", 61, 106.5)], 69, BAR, r"$\frac{1}{N}$"),
    "a large fraction whose denominator is wider": (
        [word("2", 66, 95.5), word("1", 61, 106.5), word("+", 67, 106.5, width=6), letter("i", 74, 106.5, math=True)],
        80, rules((60.5, 97.5, 78, 97.5)), r"$\frac{2}{1 + i}$"),
    "a fraction in an exponent": (
        [letter("e", 60, math=True), word("1", 68, 91, 5), letter("x", 66, 98.5, 5, math=True),
         word("+", 68.5, 98.5, 5), word("2", 71, 98.5, 5)],
        80, rules((65.5, 92.5, 74, 92.5)), r"$e^{\frac{1}{x + 2}}$"),
    "an arrow over a letter": (
        [letter("F", 60, math=True), letter("−→", 59, 94, width=8, math=True)], 68, rules(), r"$\overrightarrow{F}$"),
    "a subscript before its letter": ([word("2", 65.2, 102.6, 5.8), letter("p", 60)], 72, rules(), "$p_{2}$"),
}  # fmt: skip


@pytest.mark.parametrize("formula, x, rulings, latex", FORMULAS.values(), ids=FORMULAS)
def test_loose_parts_of_a_formula_find_their_line(formula, x, rulings, latex):
    assert text(sentence("average", formula, "values", x), rulings) == [f"average {latex} values"]


def test_the_halves_of_a_fraction_may_be_in_two_pieces_of_a_line():
    """The numerator ends what is before the fraction, the denominator begins what is behind it."""
    lines = [Line((word("if", 47), letter("h", 61, 95.5, 7))), Line((letter("x", 61, 104.1, 7), word("exists", 70)))]
    (line,) = gathered(lines, BAR)
    assert [span.text for span in spans_of([line], rulings=BAR) if span.math] == [r"\frac{h}{x}"]


def test_a_fraction_joins_the_pieces_of_a_stretched_line():
    """White of nearly an em before it is no gutter."""
    words = [*row("if it is", 10), word("1", 56, 93), letter("x", 56, 107), *row("then", 65)]
    assert text(words, rules((55.5, 97.5, 61.5, 97.5))) == [r"if it is $\frac{1}{x}$ then"]


def test_a_piece_of_a_line_that_begins_with_a_denominator_goes_on_the_piece_before_it():
    first = [*row("where", 10), letter("f", 42, math=True), word("=", 50, math=True)]
    second = [word("x", 60, 103.5, 7, italic=True), *row("is what we call", 75)]
    lines = [Line(tuple(first)), Line((word("1", 60, 96, 7),)), Line(tuple(second))]
    (line,) = gathered(lines, rules((59, 97.5, 65, 97.5)))
    assert [span.text for span in spans_of([line], rulings=rules((59, 97.5, 65, 97.5))) if span.math] == [
        r"f = \frac{1}{x}"
    ]


def test_a_point_closes_up_to_a_fraction_whose_denominator_is_narrow():
    words = [*row("this is", 10), *row("x + y", 50, 93, italic=True), letter("z", 57, 107), word(".", 71)]
    assert text(words, rules((49, 97.5, 70, 97.5))) == [r"this is $\frac{x + y}{z}$."]


def test_a_fraction_finds_its_answer():
    answers = [word(f"{text}.", 60 + 90 * k) for k, text in enumerate("ABCD")]
    halves = [word(text, 74 + 90 * k, y, 7) for k in range(4) for text, y in (("1", 95.5), (str(k + 2), 104.1))]
    bars = rules(*((73.5 + 90 * k, 97.5, 79.5 + 90 * k, 97.5) for k in range(4)))
    assert text([*answers, *halves], bars) == [rf"{text}. $\frac{{1}}{{{k + 2}}}$" for k, text in enumerate("ABCD")]


def test_a_letter_behind_a_word_is_part_of_its_line():
    """Two baselines of one line that differ by a hair, as in headings."""
    lines = [Line((word("APPENDIX", 10),)), Line((word("A", 55, 100.6),))]
    assert [line.text for line in gathered(lines, rules())] == ["APPENDIX A"]


def test_an_item_that_is_a_formula_is_a_line_of_its_own():
    first = [word("(i)", 60), word("3", 75), word("|", 83.4, math=True, width=3), letter("mn;", 90)]
    second = [word("(ii)", 57, 111.8, width=13), word("if", 75, 111.8, width=7.5), letter("m", 83.7, 111.8)]
    words = [*first, *second, *row("= 3, then it is even", 92, 111.8)]
    assert [line.split()[0] for line in text(words, rules())] == ["(i)", "(ii)"]


def test_columns_stay_apart():
    words = [word("left", 10), word("𝑥", 32, math=True), word("right", 46, 100.5)]
    columns = [word("words", x, y + 12 * k) for x, y in ((10, 100), (46, 100.5)) for k in range(1, 5)]
    assert not any("left" in line and "right" in line for line in text([*words, *columns], rules()))


SYMBOLS = st.sampled_from(["x", "∑", "(", ")", "1", "=", "prose", "words", "i", "√", "max"])
PLACES = st.tuples(SYMBOLS, st.floats(0, 200), st.floats(80, 130), st.sampled_from([5.0, 7.0, 10.0, 14.0]))


@given(st.lists(PLACES.map(lambda place: word(*place)), max_size=25))
def test_no_word_is_lost(words):
    lines = lines_of(numbered(words))
    before = sorted(w.index for line in lines for w in line.words)
    assert sorted(w.index for line in gathered(lines, rules((20, 95, 60, 95))) for w in line.words) == before


PAPER = """#set page(width: 300pt, height: 220pt, margin: 20pt)
#set text(size: 10pt)
#set par(leading: 4pt)
"""
TALL = {
    "sum_(j=1)^n a_j^2/sqrt(b_j+1)": r"\sum_{j = 1}^{n} \frac{a_{j}^{2}}{\sqrt{b_{j} + 1}}",
    "(-b plus.minus sqrt(b^2 - 4a c))/(2a)": r"\frac{- b \pm \sqrt{b^{2} - 4ac}}{2a}",
    "(dif^2 y)/(dif x^2) + y = 0": r"\frac{\mathrm{d}^{2}y}{\mathrm{d}x^{2}} + y = 0",
    "abs((x-y)/(x+y)) < z": r"\left| \frac{x - y}{x + y} \right| < z",
    "abs(x)/abs(y) < z": r"\frac{|x|}{|y|} < z",
    "[x/y]_0^1 < z": r"\left[\frac{x}{y} \right]_{0}^{1} < z",
    "(a/b)^2 < n!/(k!)": r"\left(\frac{a}{b} \right)^{2} < \frac{n!}{k!}",
}


@pytest.mark.parametrize("typst, latex", TALL.items(), ids=TALL)
@pytest.mark.parametrize("before", range(2, 12, 3))
def test_a_paragraph_with_tall_formulas_is_whole(typst_pdf, typst, latex, before):
    """Wherever its lines break, though tall lines stand farther apart and fractions reach into the lines around."""
    prose = "this value is more than others can hope for in each set we know"
    words = prose.split()
    parts = [words[:before], words[before : before + 4], words[: 14 - before]]
    cut = list(map(" ".join, parts))
    source = f" ${typst}$ ".join(cut)
    with open_document(typst_pdf(PAPER + source), name="page") as document:
        page = PageReader(Settings()).read(document.page(1)).page
    (block,) = page.blocks
    said = markdown(block.spans)
    assert said.replace("$ $", " ") == f" ${latex}$ ".join(cut)
