"""Cases in a line of running text: a tall brace and its rows are one word, and nothing else is."""

import msgspec
import pytest
from typeset import row, rules, word

from docparse.layout.formula.cases import with_cases
from docparse.layout.text.inline import spans_of
from docparse.layout.text.line_finding import lines_of
from docparse.types import Box

BRACE = msgspec.structs.replace(word("{", 100, width=8, math=True), box=Box(100, 84, 108, 112))
PIECES = [
    msgspec.structs.replace(word(char, 100, math=True), box=Box(100, top, 104, bottom), baseline=bottom)
    for char, top, bottom in (("⎧", 79, 88), ("⎨", 88, 107), ("⎩", 107, 116))
]


def symbol(text, x, baseline=100):
    return word(text, x, baseline, math=True, italic=True)


def cells(*baselines):
    return [w for k, y in enumerate(baselines) for w in (
        symbol("xyz"[k], 110, y), word("=", 118, y, math=True), word(str(k), 126, y))]  # fmt: skip


BEFORE, AFTER = row("if only", 62), [word("=>", 146), *row("then", 160)]
ROWS = r"\begin{cases} x = 0 \\ y = 1 \end{cases}"
PAGES = {  # words, and the LaTeX of the cases
    "two rows": ([*BEFORE, BRACE, *cells(92, 107), *AFTER], [ROWS]),
    "three rows, the second on the line, and a brace in pieces": (
        [*BEFORE, *PIECES, *cells(86, 100, 114), *row("then", 150)], [ROWS.replace(r" \end", r" \\ z = 2 \end")]),
    "before text": ([word("y", 85, math=True), word("=", 92), BRACE, *cells(92, 107), *row("there", 140)], [ROWS]),
    "behind a word as a script, the second row a little under the line": (
        [symbol("m", 62), word("phase", 70, 101.5, 7), word("=", 92, math=True), *PIECES, *cells(88, 101.6, 115),
         *row("there", 150, 101.6)], []),
    "set apart": ([word("y", 85, math=True), word("=", 92), BRACE, *cells(92, 107)], []),
    "one row": ([*BEFORE, BRACE, *cells(100), *AFTER], []),
    "a small brace": ([*BEFORE, word("{", 100, math=True), *cells(96, 105)], []),
}  # fmt: skip


@pytest.mark.parametrize("words, found", PAGES.values(), ids=PAGES)
def test_a_tall_brace_and_its_rows_are_one_word_of_their_line(words, found):
    said = with_cases(words, rules())
    assert [each.latex for each in said if each.latex] == found
    assert found or said == words


def test_cases_are_a_formula_of_their_line():
    words = [*row("so", 60), symbol("y", 84), word("=", 92, math=True), BRACE, *cells(92, 107)]
    (line,) = lines_of(with_cases([*words, *row("there", 140)], rules()))
    assert [span.text for span in spans_of([line])] == ["so ", f"y ={ROWS}", " there"]
