"""Symbols that fonts print in pieces, and lines of formulas among lines of text."""

from __future__ import annotations

import numpy as np
import pytest

from docparse.layout.formula import find_formulas, latex_of
from docparse.layout.text.words import Word
from docparse.types import Box

EM = 10.0


def word(text: str, x: float, y: float = 100.0, size: float = EM, width: float | None = None, **more: object) -> Word:
    """A word whose baseline is at `y`; mathematics in italics unless `more` says otherwise."""
    box = Box(x, y - 0.8 * size, x + (width or 0.5 * size * len(text)), y + 0.2 * size)
    return Word(text=text, box=box, baseline=y, size=size, **{"math": True, "italic": True, **more})


def tall(text: str, x: float, top: float, bottom: float) -> Word:
    """A symbol of an extension font, with the box of its ink."""
    return Word(text=text, box=Box(x, top, x + 4, bottom), baseline=(top + bottom) / 2 + 2.5, size=EM, math=True)


def bar(x0: float, x1: float, y: float) -> list[float]:
    return [x0, y, x1, y]


ROW = [word("a", 0), word("b", 40)]


@pytest.mark.parametrize(
    ("between", "latex"),
    [
        ([word("⇐", 12, width=10), word("⇒", 20, width=10)], r"a \Longleftrightarrow b"),
        ([word("−", 12, width=8), word("→", 18, width=10)], r"a \longrightarrow b"),
        ([word("↦", 18, width=0.1), word("→", 18, width=10)], r"a \mapsto b"),
        ([word("↦", 12, width=0.1), word("−", 12, width=8), word("→", 18, width=10)], r"a \longmapsto b"),
        ([word("∼", 20, 97), word("=", 20)], r"a \cong b"),
        ([word("∈", 20, width=7), word("/", 22, width=3)], r"a \notin b"),
        ([word("̸≡", 20, width=8)], r"a \not\equiv b"),
        ([word("→", 18, width=10), word("f", 21.5, 93, 7, width=3)], r"a \overset{f}{\to} b"),
        ([word("−", 12, width=8), word("→", 18, width=10), word("f", 19, 93, 7, width=3)], r"a \xrightarrow{f} b"),
        ([word("=", 14), word("=", 24)], r"a = = b"),
    ],
)
def test_a_relation_in_pieces_is_one(between: list[Word], latex: str) -> None:
    assert latex_of([*ROW, *between]) == latex


@pytest.mark.parametrize(
    ("char", "latex"),
    [("ϵ", r"\epsilon"), ("ε", r"\varepsilon"), ("𝜖", r"\epsilon"), ("ϕ", r"\phi"), ("𝜙", r"\phi"), ("𝜑", r"\varphi")],
)
def test_variant_letters_are_told_apart(char: str, latex: str) -> None:
    assert latex_of([word(char, 0), word("=", 12), word("1", 24)]) == f"{latex} = 1"


def test_brackets_and_bars_of_pieces_grow_with_what_they_hold() -> None:
    fraction = [word("a", 10, 93), word("b", 10, 108)]
    rulings = np.array([bar(9, 16, 97)], np.float32)
    pieces = [tall("⎛", 2, 80, 95), tall("⎝", 2, 95, 112), tall("⎞", 18, 80, 95), tall("⎠", 18, 95, 112)]
    bars = [tall("|", x, top, top + 8) for x in (2, 18) for top in (82, 90, 98)]
    assert latex_of([*fraction, *pieces, word("=", 28), word("c", 38)], rulings) == r"\left(\frac{a}{b} \right) = c"
    assert latex_of([*fraction, *bars, word("=", 28), word("c", 38)], rulings) == r"\left| \frac{a}{b} \right| = c"


def test_horizontal_braces_hold_what_they_span_and_carry_their_label() -> None:
    tips = [tall(char, x, 103, 106) for char, x in (("⏟", 0), ("⏞", 10), ("⏞", 14), ("⏟", 24))]
    words = [word("a", 2), word("+", 11), word("b", 22), word("c", 12, 113, 7), word("=", 36), word("d", 48)]
    assert latex_of([*words, *tips]) == r"\underbrace{a + b}_{c} = d"


def test_fractions_under_each_other_are_two_lines() -> None:
    words = [
        *(word("a", 20, 93), word("b", 20, 107), word("=", 6), word("x", 28)),
        *(word("c", 20, 121), word("d", 20, 135), word("=", 6, 128), word("y", 28, 128)),
    ]
    rulings = np.array([bar(19, 26, 97), bar(19, 26, 125)], np.float32)
    assert latex_of(words, rulings) == r"\begin{aligned} &= \frac{a}{b}x \\ &= \frac{c}{d}y \end{aligned}"


def test_limits_of_two_sums_are_centred_on_their_own() -> None:
    sums = [tall("∑", 10, 92, 106), tall("∑", 24, 92, 106)]
    limits = [word("i", 11, 114, 7, width=2), word("j", 17.5, 114, 7, width=3), word(">", 21, 114, 7, width=6),
              word("i", 28, 114, 7, width=6.5)]  # fmt: skip
    assert latex_of([*sums, *limits, word("x", 34), word("=", 44), word("y", 54)]) == r"\sum_{i} \sum_{j > i} x = y"


def test_a_line_under_a_symbol_and_a_prime_before_a_power() -> None:
    rulings = np.array([bar(0, 5, 102.5)], np.float32)
    assert latex_of([word("x", 0), word("=", 12), word("y", 24)], rulings) == r"\underline{x} = y"
    words = [word("f", 0), word("′", 5.5, 96, 7), word("2", 8.5, 96, 7), word("=", 20), word("y", 32)]
    assert latex_of(words) == "f'^{2} = y"


@pytest.mark.parametrize("x", [-80.0, 160.0])
def test_a_number_on_either_side_is_a_tag(x: float) -> None:
    number = word("(3)", x, math=False, italic=False)
    assert latex_of([*ROW, word("=", 20), number]) == r"a = b \tag{3}"


def test_of_two_numbers_at_the_margins_one_is_the_tag() -> None:
    left, right = (word(f"({k})", x, y, math=False, italic=False) for k, x, y in ((1, -80, 100), (2, 160, 120)))
    below = [word("c", 0, 120), word("=", 20, 120), word("d", 40, 120)]
    latex = latex_of([*ROW, word("=", 20), *below, left, right])
    assert latex is not None and latex.count(r"\tag") == 1 and "1" in latex and "2" in latex


@pytest.mark.parametrize(
    ("words", "latex"),
    [
        ([word("λmax", 0, italic=False, math=False)], r"\lambda \max"),
        ([word("10²", 0)], "10^{2}"),
        ([word("10²³", 0)], "10^{2}{}^{3}"),
        ([word("90°", 0), word("2", 16, 96, 7)], r"90^{\circ}{}^{2}"),
        ([word("x", 0), word("1", 5.5, 102, 7), word("′", 10), word("2", 15.5, 102, 7)], "x_{1}{}'_{2}"),
    ],
)
def test_a_symbol_has_one_script_of_a_kind(words: list[Word], latex: str) -> None:
    assert latex_of(words) == latex


def prose(text: str, x: float, y: float) -> list[Word]:
    words = []
    for part in text.split():
        words.append(word(part, x, y, math=False, italic=False))
        x = words[-1].box.x1 + 2.5
    return words


def found(words: list[Word]) -> list[str | None]:
    return [formula.latex for formula in find_formulas(words, np.zeros((0, 4), np.float32), EM)]


LINE = "these plain words are the running text of a page"


def test_the_last_line_of_a_paragraph_is_no_displayed_formula() -> None:
    last = [word("x", 0, 112), word("=", 8, 112), word("y", 16, 112)]
    apart = [word("x", 60, 140), word("=", 68, 140), word("y", 76, 140)]
    assert found([*prose(LINE, 0, 100), *last, *prose(LINE, 0, 170)]) == []
    assert found([*prose(LINE, 0, 100), *apart, *prose(LINE, 0, 170)]) == ["x = y"]


def test_formulas_side_by_side_in_two_columns_are_two() -> None:
    right = 260.0
    text = [part for y in (100, 112, 124, 190, 202, 214) for x in (0.0, right) for part in prose(LINE, x, y)]
    left = [word("x", 200, 150), word("=", 210, 150), word("y", 220, 150)]
    other = [word("u", right + 4, 152), word("=", right + 14, 152), word("v", right + 24, 152)]
    assert sorted(filter(None, found([*text, *left, *other]))) == ["u = v", "x = y"]


def test_a_condition_behind_a_formula_belongs_to_it() -> None:
    formula = [word("x", 60, 140), word("=", 68, 140), word("y", 76, 140)]
    condition = prose("holds for all", 100, 140)
    assert found([*prose(LINE, 0, 100), *formula, *condition, *prose(LINE, 0, 170)]) == [
        r"x = y \quad \text{holds for all}"
    ]


def test_a_power_over_its_base_is_in_the_row_of_the_base() -> None:
    under = [word("T", 20, 110), word("i", 26, 104, 7)]
    words = [word("S", 0, 102), word("=", 8, 102), word("T", 20, 93), *under]
    assert latex_of(words, np.array([bar(19, 32, 97)], np.float32)) == r"S = \frac{T}{T^{i}}"
