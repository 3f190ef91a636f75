"""Formulas of scans: those of a detector, and those read from the pixels, symbol by symbol."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typeset import inked, printed, word

from docparse.layout.engines import Engines
from docparse.layout.formula import scanned
from docparse.layout.formula.ink import InkShape
from docparse.layout.formula.pixels import _words
from docparse.layout.formula.placing import PageType, Symbol, placed
from docparse.layout.formula.scanned import detected_formulas, find_scanned_formulas, has_signs, running_text
from docparse.layout.formula.signs import settled
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.region import Region
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.stages import first_state, parts
from docparse.pdf import open_document
from docparse.pdf.content import PageImage, TextQuality
from docparse.settings import Settings
from docparse.types import Box, Category

BOX = Box(50, 90, 250, 130)
SCALE = 4.0  # pixels a point
FORMULAS = {  # as typst has them: as LaTeX
    "E = m c^2": "E = mc^{2}",
    "x = (-b plus.minus sqrt(b^2 - 4 a c)) / (2 a)": r"x = \frac{- b \pm \sqrt{b^{2} - 4ac}}{2a}",
    "sum_(k=1)^n k^2 < integral_0^1 f(x) dif x": r"\sum_{k = 1}^{n} k^{2} < \int_{0}^{1} f(x) \mathrm{d}x",
    "alpha + beta_i >= lambda": r"\alpha + \beta_{i} \geq \lambda",
    "x in RR, y in.not A union B": r"x \in \mathbb{R}, y \notin A \cup B",
    "A = mat(a, b; c, d)": r"A = \begin{pmatrix} a & b \\ c & d \end{pmatrix}",
    "hat(x) = macron(y) dot arrow(z)": r"\hat{x} = \bar{y} \cdot \vec{z}",
    "(partial V) / (partial x_i) = 0": r"\frac{\partial V}{\partial x_{i}} = 0",
    "f'(x) = (a') / 2": r"f'(x) = \frac{a'}{2}",
    "f = abs(g)^(p')": r"f = |g|^{p'}",
    "a * b = c^*": "a * b = c^{*}",
    "f compose g = h": r"f \circ g = h",
    "x_(A without B) = 1": r"x_{A \setminus B} = 1",
    "lim_(x -> 0) f(x) = 1": r"\lim_{x \to 0} f(x) = 1",
    "1 - sqrt(x / (1 + x)) = 0": r"1 - \sqrt{\frac{x}{1 + x}} = 0",
    "u = mat(1; 2; 3; 4; 5)": r"u = \begin{pmatrix} 1 \\ 2 \\ 3 \\ 4 \\ 5 \end{pmatrix}",
    "E_(x tilde.op P) f = 1": r"E_{x \sim P}f = 1",
    "s med|_W med in Gamma": r"s|_{W} \in \Gamma",
    "r'_0, r'_t in I": r"r'_{0}, r'_{t} \in I",
    "m_(i j) = m_(j i)^*": r"m_{ij} = m_{ji}^{*}",
    "theta = arg max_(theta in Theta) L": r"\theta = \arg \max_{\theta \in \Theta} L",
    "X^((d - 1) / 2) = 1": r"X^{\frac{d - 1}{2}} = 1",
    "F_(z, S' = 1)^(-1) = x": r"F_{z, S' = 1}^{- 1} = x",
    "A = mat(v_1 - c, 0, 0; 0, v_1, 0; 0, 0, v_1 + c)": (
        r"A = \begin{pmatrix} v_{1} - c & 0 & 0 \\ 0 & v_{1} & 0 \\ 0 & 0 & v_{1} + c \end{pmatrix}"
    ),
    r"x = \( 1 - v^2 / 2 \)": r"x = (1 - \frac{v^{2}}{2})",
    r"x = y #h(1em) .": "x = y.",
    "L^bullet = T_(A^bullet) f.": r"L^{\bullet} = T_{A^{\bullet}}f.",
    'upright(l)#h(-0.06em)upright("im")_(x -> 0) f = 1': r"\lim_{x \to 0} f = 1",
    "X_n limits(->)^(a.s.) X": r"X_{n} \overset{a. s.}{\to} X",
    "x = abs(mat(delim: #none, 1; 2; 3; 4; 5))": r"x = \begin{vmatrix} 1 \\ 2 \\ 3 \\ 4 \\ 5 \end{vmatrix}",
    'u = mat(delim: "[", 1; 2; 3; 4; 5; 6; 7)': (r"u = \begin{bmatrix} 1 \\ 2 \\ 3 \\ 4 \\ 5 \\ 6 \\ 7 \end{bmatrix}"),
    'u = mat(delim: "[", 1; 2; 3; 4; 5)': r"u = \begin{bmatrix} 1 \\ 2 \\ 3 \\ 4 \\ 5 \end{bmatrix}",
}


@pytest.fixture(scope="module")
def reader():
    return SymbolReader()


def scan_of(formula: str) -> PageImage:
    """A page with one formula, 11 points high, under a heading of nothing."""
    return printed(f"#set page(width: 300pt, height: 120pt)\n#set text(size: 11pt)\n$ {formula} $", SCALE)


def ink_of(image: PageImage) -> Box:
    places = np.argwhere(inked(image)) / SCALE
    (top, left), (bottom, right) = places.min(axis=0), places.max(axis=0)
    return Box(left, top, right, bottom)


def found_in(image: PageImage, ink: Box, reader: SymbolReader):
    """The one formula of a page where OCR read something in its place."""
    read = word("?", ink.x0, ink.center[1] + 3, 11.0, width=ink.width)
    (found,) = find_scanned_formulas([read], [], image, reader, [], 11.0)
    return found


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_printed_formula_is_read_from_its_pixels(formula, reader):
    image = scan_of(formula)
    ink = ink_of(image)
    found = found_in(image, ink, reader)
    assert found.latex == FORMULAS[formula]
    assert np.ptp(corners_of([found.box, ink]), axis=0).sum() < 4


@pytest.mark.parametrize("tint", [0.68, 0.8])
def test_a_formula_on_a_tint_is_read_like_one_on_paper(tint, reader):
    """In a band across the page."""
    image = scan_of("E = m c^2")
    ink = ink_of(image)
    band = slice(round((ink.y0 - 8) * SCALE), round((ink.y1 + 8) * SCALE))
    image.pixels[band] = (image.pixels[band] * tint).astype(np.uint8)
    assert found_in(image, ink, reader).latex == "E = mc^{2}"


@pytest.mark.parametrize("height, base", [(12.0, 100.0), (8.4, 106.0)], ids=["of the line", "of the script"])
def test_the_height_of_a_comma_tells_whether_it_is_part_of_a_script(height, base):
    def symbol(char, x, size, baseline, height):
        return Symbol(char, 1.0, Box(x, baseline - height, x + 0.6 * size, baseline), size, baseline, True)

    comma = replace(symbol(",", 48, 10, 0, height), box=Box(48, 102.2 - height / 2, 52, 102.2 + height / 2), firm=False)
    symbols, _ = settled([symbol("A", 0, 40.0, 100.0, 28), symbol("1", 26, 28.0, 106.0, 19), comma], PageType(40.0))
    assert [each.baseline for each in symbols if each.char == ","] == [base]


def test_a_dot_that_is_tall_is_a_comma():
    letters = [Symbol("d", 1.0, Box(x, 72, x + 24, 100), 40.0, 100.0, True) for x in (0, 40)]
    dots = [Symbol(".", 1.0, Box(30, 96, 34, 96 + height), 40.0, 0.0, False) for height in (4, 9)]
    signs = [settled([*letters, dot], PageType(40.0))[0] for dot in dots]
    assert [next(s.char for s in symbols if s.char != "d") for symbols in signs] == [".", ","]


def test_the_second_prime_of_a_letter_stands_as_high_as_the_first():
    letter = Symbol("d", 1.0, Box(0, 72, 24, 100), 40.0, 100.0, True)
    primes = [Symbol("′", 1.0, Box(x, 70, x + 6, 84), 40.0, 0.0, False) for x in (25, 32)]
    symbols, _ = settled([letter, *primes], PageType(40.0))
    assert [(each.size, each.baseline) for each in symbols if each.char == "′"] == [(28.0, 84.0)] * 2


def test_what_stands_between_tall_brackets_is_seen_where_ocr_read_nothing(reader):
    image = scan_of('A = mat(delim: "[", column-gap: #2.2em, 1, 0, 0, 2; 0, 3, 0, 0)')
    ink = ink_of(image)
    found = found_in(image, Box(ink.x0, ink.y0, ink.x0 + 20, ink.y1), reader)
    assert found.latex == r"A = \begin{bmatrix} 1 & 0 & 0 & 2 \\ 0 & 3 & 0 & 0 \end{bmatrix}"


def test_small_words_of_a_display_are_those_of_ocr(reader):
    image = scan_of('P(U <= t) = f(t) + 1 " mm mm " t in [0, 1]')
    columns = np.flatnonzero(inked(image).any(axis=0)) / SCALE
    (wide,) = np.flatnonzero(np.diff(columns) > 7)[:1]
    (end,) = np.flatnonzero(np.diff(columns) > 7)[1:]
    start, stop = columns[wide + 1], columns[end]
    middle = (start + stop) / 2
    places = (columns[0], columns[wide]), (start, middle - 2), (middle + 2, stop), (columns[end + 1], columns[-1])
    texts = ("P(U≤t)=f(t)+1", "for", "all", "t∈[0,1]")
    read = [word(t, x0, 22, 11.0, width=x1 - x0) for t, (x0, x1) in zip(texts, places, strict=True)]
    (found,) = find_scanned_formulas(read, [], image, reader, [], 11.0)
    assert found.latex == r"P(U \leq t) = f(t) + 1\text{ for all }t \in [0, 1]"


def shape_of(reader, char, x, size, *, baseline=100.0):
    form = reader.forms[char]
    box = Box(x, baseline - form.above * size, x + form.width * size, baseline + form.below * size)
    return InkShape((1,), box, ((char, 0.99),))


def test_commas_do_not_tell_the_size_of_the_type(reader):
    letters = [shape_of(reader, char, 40 * k, 40.0) for k, char in enumerate("𝑑𝑦𝑞2" * 3)]
    commas = [shape_of(reader, ",", 500 + 40 * k, 50.0) for k in range(12)]
    _, type_ = placed([*letters, *commas], 40.0, reader.forms)
    assert abs(type_.em - 40) < 1.5


def test_signs_of_a_page_tell_how_large_its_fonts_print_them(reader):
    letters = "𝑑𝑥+𝑦𝑏+𝑞𝑑+ℎ𝑘" + 3 * "𝑞𝑑𝑦𝑏ℎ𝑘"
    line = [shape_of(reader, char, 60 * k, 54.0 if char == "+" else 40.0) for k, char in enumerate(letters)]
    places = (60 * k + 24 for k, char in enumerate(letters) if char != "+")
    scripts = [shape_of(reader, "𝑖", x, 28.0, baseline=106.0) for x in places]
    fence = InkShape((1,), Box(1800, 60, 1812, 124), ((")", 0.99),))
    sign = shape_of(reader, "+", 1814, 0.7 * 54.0, baseline=114.0)
    symbols, type_ = placed([*line, *scripts, fence, sign], 40.0, reader.forms)
    assert [symbol.size for symbol in symbols if symbol.char == "+"] == [type_.em] * 3 + [type_.sizes[1]]


def test_ink_where_ocr_read_nothing_is_a_drawing(reader):
    image = scan_of("E = m c^2")
    for baseline, count in ((23, 1), (60, 0)):
        read = [word("E=mc2", 129, baseline, 11.0, width=41)]
        assert len(find_scanned_formulas(read, [], image, reader, [], 11.0)) == count


def test_what_is_taken_or_running_text_is_no_formula(reader):
    image = scan_of("a + b = c")
    assert find_scanned_formulas([], [], image, reader, [Box(0, 0, 300, 120)], 11.0) == []
    prose = [word(text, 100 + 30 * i, 22, 11, width=29) for i, text in enumerate(("this", "is", "prose"))]
    assert find_scanned_formulas(prose, running_text(prose), image, reader, [], 11.0) == []


@pytest.mark.parametrize(("ocr", "looks"), [("auto", True), ("off", False)])
def test_pixels_are_looked_at_only_where_they_may_be_read(one_page_pdf, monkeypatch, ocr, looks):
    """On a scan whose text layer is another program's OCR."""
    looked = []
    monkeypatch.setattr(parts, "find_formulas", None)
    monkeypatch.setattr(scanned, "find_scanned_formulas", lambda *_: looked.append(True) or [])
    with open_document(one_page_pdf, name="page") as document:
        content = replace(document.page(1), quality=TextQuality.OCR_LAYER)
        state = replace(first_state(content, Engines(Settings(ocr=ocr))), words=words("E", "=", "mc"))
        assert parts.formulas(state).formulas == ()
    assert bool(looked) == looks


def region(score=0.8, content=""):
    return Region(category=Category.FORMULA, box=BOX, score=score, content=content)


def words(*texts):
    return [word(text, 60.0 + 30 * i, 108.0, 10.0, width=25, confidence=0.9) for i, text in enumerate(texts)]


DETECTED = {  # words, regions, and of each formula the words that it takes and its LaTeX
    "garbled words under a region": (words("S(p,s)", "=", "(1-p)+%"), [region()], [((0, 1, 2), None)]),
    "LaTeX of the detector": (words("a=b"), [region(content="a = b")], [((0,), "a = b")]),
    "prose under a region": (words("which", "shows", "that", "speed", "matters"), [region()], []),
    "an unsure region": (words("x!1"), [region(score=0.3)], []),
    "two regions over one word": (words("x=1"), [region(), region(score=0.7)], [((0,), None), ((), None)]),
}


@pytest.mark.parametrize("page, regions, formulas", DETECTED.values(), ids=DETECTED)
def test_a_sure_region_is_a_formula(page, regions, formulas):
    found = detected_formulas(page, regions)
    assert [(each.words, each.latex) for each in found] == formulas
    assert all(each.box == BOX for each in found)


@pytest.mark.parametrize(
    "text, signs",
    [("V=IR", True), ("E = mc", True), ("∑", True), ("speed = length of way", False), ("12-03", False),
     ("XiaijXj = akjXj + xiaik,", True)],
)  # fmt: skip
def test_signs_outside_running_text_are_a_reason_to_look_at_the_pixels(text, signs):
    page = words(*text.split())
    assert has_signs(page, running_text(page)) is signs


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.tuples(st.text("ab1=+−²√{}$\\_^ sin", min_size=1, max_size=6), st.floats(0, 280), st.floats(10, 110)))
)
def test_no_word_is_in_two_formulas(parts):
    image = scan_of("a^2 + b^2 = c^2")
    page = [word(text, x, y, confidence=0.9) for text, x, y in parts]
    found = find_scanned_formulas(page, running_text(page), image, SymbolReader(), [], 11.0)
    taken = [i for formula in found for i in formula.words]
    assert len(taken) == len(set(taken)) and all(0 <= i < len(page) for i in taken)


@pytest.mark.parametrize(
    ("formula", "latex"),
    [("x + y = n_0 - a", "x + y = n_{0} - a"), ("f(x) = 0", "f(x) = 0"), ("u_n = x + 0", "u_{n} = x + 0")],
)
def test_letters_whose_hairlines_were_lost_in_print_are_mended(formula, latex, reader):
    image = scan_of(formula)
    bilevel = np.where(cv2.GaussianBlur(image.pixels, (0, 0), 1.0) < 150, 0, 255).astype(np.uint8)
    assert found_in(PageImage(bilevel, SCALE), ink_of(image), reader).latex == latex


def test_a_speck_beside_a_formula_is_no_point(reader):
    image = scan_of("a + b = c")
    ink = ink_of(image)
    columns = np.flatnonzero(inked(image).any(axis=0))
    y, x = round(ink.y0 * SCALE) - 32, columns[len(columns) // 2]
    image.pixels[y : y + 4, x : x + 4] = 0
    assert found_in(image, ink, reader).latex == "a + b = c"


@pytest.mark.parametrize(("likelier", "char"), [("𝐥", "1"), ("l", "1"), ("𝜒", "𝑥"), ("𝜐", "𝑣")])
def test_a_rare_letter_that_looks_like_a_frequent_one_is_that_one(likelier, char, reader):
    form = reader.forms[char]
    box = Box(0, 40 - form.above * 40, form.width * 40, 40 + form.below * 40)
    (symbol,), _ = placed([InkShape((1,), box, ((likelier, 0.5), (char, 0.36)))], 40.0, reader.forms)
    assert symbol.char == char


def test_the_last_letter_of_a_word_leans_over_the_space_behind_it():
    def symbol(char, x0, x1):
        return Symbol(char, 1.0, Box(x0, 90, x1, 100), 40.0, 100.0, False)

    x = symbol("\U0001d465", 21.6, 40)  # 0.14 em behind the word, and 0.05 em behind a letter in italics
    assert [each.glued for each, _ in _words([symbol("i", 0, 6), symbol("f", 8, 16), x], 1.0)] == [False, False]
    assert [each.glued for each, _ in _words([symbol("\U0001d453", 0, 19.6), x], 1.0)] == [False, True]
