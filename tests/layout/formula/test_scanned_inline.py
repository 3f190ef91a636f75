"""Formulas in the running text of a scan: which words they are, and what stands where they stood."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import inked, markdown, printed, word

from docparse.layout.formula.scanned_inline import _confirmed, with_inline_formulas
from docparse.layout.formula.suspects import PLAIN, may_hold_formulas
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.stages.parts import _with_formulas
from docparse.layout.tables import find_tables
from docparse.layout.text.inline import spans_of
from docparse.pdf.content import PageImage
from docparse.settings import Settings
from docparse.types import Box, Span

SCALE, SIZE = 4.0, 11.0  # pixels a point, points
LINES = {  # as typst has them: what OCR makes of their words, and the line as Markdown has it
    "We know that $lambda_g = lambda_g'$ holds.": (
        "We know that λg = λg' holds.", r"We know that $\lambda_{g} = \lambda_{g'}$ holds."),
    "Here $psi_x$ is induced.": ("Here ψx is induced.", r"Here $\psi_{x}$ is induced."),
    "for some $u in R^times$. Then": ("for some u ∈ R×. Then", r"for some $u \in R^{\times}$. Then"),
    "where $0 < L < 1$, as usual": ("where 0 < L < 1, as usual", "where $0 < L < 1$, as usual"),
    "a map (with $f in C^2$) that": ("a map (with f ∈ C2) that", r"a map (with $f \in C^{2}$) that"),
    "a. $f(x) = x^3 ln x$": ("a. f(x) = x³ ln x", r"a. $f(x) = x^{3} \ln x$"),
    "Let $a_n = 1 + n$ be": ("Let an = 1 + n be", "Let $a_{n} = 1 + n$ be"),
    "if $a = 0$ then": ("if a = 0 then", "if $a = 0$ then"),
    "for $xi in [a, b]$ only": ("for ξ ∈ [a, b] only", r"for $\xi \in [a, b]$ only"),
    "takes $O(n)$ steps": ("takes O(n) steps", "takes $O(n)$ steps"),
    "about $n\\/4$ of them": ("about n/4 of them", "about $n/4$ of them"),
    "that $integral f(x) dif x = 2$ holds": ("that ∫ f(x) dx = 2 holds", r"that $\int f(x) \mathrm{d}x = 2$ holds"),
    "if $x < y$, then $x$ or [$x$, 2] and v, y": (
        "if x < y, then x or [x, 2] and v, y", "if $x < y$, then $x$ or [x, 2] and v, y"),
    "$x < y$ but _x_ one _x_ two _x_ three _x_ four _x_ five": (
        "x < y but x one x two x three x four x five", "$x < y$ but x one x two x three x four x five"),
    "up to $n - 1$ steps": ("up to n-1 steps", "up to $n - 1$ steps"),
    "see #super[5]_AnP_ of all": ("see ⁵AnP of all", "see ⁵AnP of all"),
    "The sum of 5 + 3 is 8": ("The sum of 5 + 3 is 8", "The sum of 5 + 3 is 8"),
    "Open File > Print and wait": ("Open File > Print and wait", "Open File > Print and wait"),
}  # fmt: skip


@pytest.fixture(scope="module")
def reader():
    return SymbolReader()


def scan_of(line, scale=SCALE):
    type_ = f'#set text(size: {SIZE}pt, font: "New Computer Modern")'
    return printed(f"#set page(width: 400pt, height: 40pt)\n{type_}\n{line}", scale)


def recognised(image, texts):
    """Words with boxes as OCR has them: the ink between the widest gaps."""
    ink = inked(image).any(axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], ink, [0])))) / SCALE
    starts, ends = edges[::2], edges[1::2]
    gaps = starts[1:] - ends[:-1]
    cuts = sorted(np.argsort(-gaps, kind="stable")[: len(texts) - 1].tolist())
    rows = np.flatnonzero(inked(image).any(axis=1)) / SCALE
    baseline = rows[0] + 0.68 * SIZE
    spans = zip([starts[0], *starts[[c + 1 for c in cuts]]], [*ends[cuts], ends[-1]], strict=True)
    return [
        word(text, x0, baseline, SIZE, width=x1 - x0, confidence=0.9)
        for text, (x0, x1) in zip(texts, spans, strict=True)
    ]


@pytest.mark.parametrize("line", LINES)
def test_a_formula_in_a_line_is_read_from_its_pixels(line, reader):
    texts, expected = LINES[line]
    image = scan_of(line)
    words = recognised(image, texts.split())
    read = with_inline_formulas(words, image, reader, SIZE)
    assert markdown(spans_of([read], scripts=False)) == expected


def test_dots_of_small_type_are_no_dirt(reader):
    image = scan_of("sums of $x_i + x_j$ over all", 150 / 72)
    words = recognised(scan_of("sums of $x_i + x_j$ over all"), ["sums", "of", "xi", "+", "xj", "over", "all"])
    read = with_inline_formulas(words, image, reader, SIZE)
    assert markdown(spans_of([read], scripts=False)) == "sums of $x_{i} + x_{j}$ over all"


def test_a_symbol_that_ocr_read_as_well_needs_no_trust():
    symbols = [word(text, x, 80, SIZE, width=4) for text, x in (("2", 50), ("(", 55), ("n", 60), ("−", 66), ("1", 73))]
    assert _confirmed(symbols, "2(n-1)") == [True] * 5
    assert _confirmed(symbols, "2(m-7)") == [True, True, False, True, False]


@given(st.lists(st.sampled_from(["λg", "=", "x2,", "(f", "so", "that", "R×."]), min_size=1, max_size=8), st.booleans())
def test_no_word_is_lost_whatever_is_read(reader, texts, dark):
    image = (
        scan_of("We know that $lambda_g = x^2$, so") if dark else PageImage(np.full((160, 1600, 3), 255, np.uint8), 4)
    )
    words = [word(text, 70 + 30 * i, 80, SIZE, width=28, confidence=0.9) for i, text in enumerate(texts)]
    read = with_inline_formulas(words, image, reader, SIZE)
    kept = [each.text for each in read if not each.latex]
    assert len(" ".join(each.text for each in read).split()) >= len(texts)
    assert all(text in texts or text in ".,;:()[]" for text in kept)


@pytest.mark.parametrize(
    "text", ["which", "Let's", "i.e.", "qu'on", "a-t-on", "5μm", "(μg/L)", "λόγος", "функция", "公式"]
)
def test_words_of_any_language_are_no_formulas(text):
    assert PLAIN.fullmatch(text)


def test_pixels_are_looked_at_only_where_ocr_met_a_sign():
    words = [word(text, 50, 50, SIZE, width=20) for text in ("plain", "text", "λ")]
    assert not may_hold_formulas(words[:2])
    assert may_hold_formulas(words)


def test_the_latex_of_a_word_stands_where_its_text_stood():
    row = [word("if", 50, 50, SIZE, width=10), word("λg", 64, 50, SIZE, width=10, latex=r"\lambda_{g}")]
    assert spans_of([row], scripts=False) == (Span("if "), Span(r"\lambda_{g}", math=True))


def test_an_equals_sign_that_ocr_read_has_to_be_among_the_symbols(reader):
    image = scan_of("for some $u in R^2$. Then")
    words = recognised(image, ["for", "some", "u", "=", "R2.", "Then"])
    assert with_inline_formulas(words, image, reader, SIZE) == words


CELLS = [  # of a table, as typst has them, as OCR reads them, and as they are written
    [("Graph", "Graph", "Graph"), ("Edges", "Edges", "Edges")],
    [("path", "path", "path"), ("$2(n - 1)$", "2(n−1)", "$2(n - 1)$")],
    [("wheel", "wheel", "wheel"), ("$n^2 + n$", "n2+n", "$n^{2} + n$")],
    [("cycle", "cycle", "cycle"), ("$n$", "n", "$n$")],
]


def test_formulas_in_the_cells_of_a_scanned_table_are_read_from_its_pixels(reader):
    places = [(k, j, 20 + 150 * j, 30 + 26 * k) for k, j in product(range(4), range(2))]  # with left ends and baselines
    lines = [f"#place(dx: {x - 8}pt, dy: {y - 8}pt, text(top-edge: 0pt)[{CELLS[k][j][0]}])" for k, j, x, y in places]
    image = scan_of("#set page(width: 400pt, height: 140pt, margin: 8pt)\n" + "\n".join(lines))
    dark = inked(image)

    def recognised_cell(k, j, x, y):
        ink = dark[int((y - 10) * SCALE) : int((y + 4) * SCALE), int(x * SCALE) : int((x + 140) * SCALE)].any(axis=0)
        left, right = x + np.flatnonzero(ink)[[0, -1]] / SCALE
        return word(CELLS[k][j][1], left, y, SIZE, width=right - left, confidence=0.9)

    words = [recognised_cell(*place) for place in places]
    strokes = np.array([(15, 16 + 26 * k, 320, 16 + 26 * k) for k in range(5)], np.float32)
    strokes = np.concatenate([strokes, [(x, 16, x, 120) for x in (15, 160, 320)]]).astype(np.float32)
    content = SimpleNamespace(box=Box(0, 0, 400, 140))
    told = SimpleNamespace(text="a < b")  # elsewhere on the page
    state = SimpleNamespace(
        noisy=True, settings=Settings(), upright=[*words, told], content=content, image=lambda dpi: image,
        engines=SimpleNamespace(symbols=reader),
    )  # fmt: skip
    (table,) = find_tables(words, strokes, content.box)
    [read] = _with_formulas(state, [table], words, strokes)
    said = [markdown(cell.spans) for cell in read.table.cells]
    assert said == [cell[2] for row in CELLS for cell in row]
