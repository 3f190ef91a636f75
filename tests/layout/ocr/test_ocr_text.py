"""Between the recogniser and the words: punctuation, cutting, and type measured from ink."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readings import read_line, reading
from typeset import word

from docparse.layout.ocr.engine import _without_rims, _without_specks, _without_strays
from docparse.layout.ocr.line_ink import ink_of
from docparse.layout.ocr.recogniser import HEIGHT, Reading, half_width
from docparse.layout.ocr.tokens import Token, cut, measure


@pytest.mark.parametrize(
    "read, meant",
    [("Yes，see（3）：ｏｋ。", "Yes,see(3):ok."), ("你好，世界。", "你好，世界。"), ("plain, text.", "plain, text.")],
)
def test_full_width_forms_stay_only_in_east_asian_lines(read, meant):
    assert half_width(read) == meant


COLUMNS = ((40, 50), (52, 62), (80, 90), (92, 102))


@pytest.mark.parametrize("others", [(), ((0, 6), (190, 200))], ids=["alone", "between other columns"])
def test_words_are_cut_in_the_widest_gap_of_their_own_ink(others):
    ink = np.zeros((HEIGHT, 200), bool)
    for left, right in (*COLUMNS, *others):
        ink[10:40, left:right] = True
    said = Reading("ab cd", np.array([45.0, 57, 71, 85, 97]), np.array([1, 1, 0.5, 0.9, 0.7]), np.zeros(5))
    first, second = cut(said, ink)
    assert (first.text, first.left, first.right) == ("ab", 40, 62)
    assert (second.text, second.left, second.right) == ("cd", 80, 102)
    assert second.confidence == pytest.approx(0.8)


@given(
    st.sampled_from(["1", "4.1", "12.", "(3)", "[7]"]),
    st.sampled_from(["History", "G. M.", "(习题"]),
    st.integers(1, 30),
)
def test_a_number_before_a_line_is_a_word_where_white_parts_them(number, rest, gap):
    """The recogniser leaves spaces behind numbers out."""
    ink, centers, x = np.zeros((HEIGHT, 400), bool), [], 20
    for k, char in enumerate(number + rest):
        x += gap if k == len(number) else 3
        ink[10:40, x : x + 8] = char != " "
        centers.append(x + 4.0)
        x += 8
    words = [token.text for token in cut(reading(number + rest, centers=centers), ink)]
    assert words == (f"{number} {rest}" if gap >= 8 else number + rest).split()


@pytest.mark.parametrize(
    "line, words",
    [
        ("设f(x)=1时，", ["设", "f(x)=1", "时，"]),
        ("设n∈N的前n项", ["设", "n∈N", "的前n项"]),
        ("共3页，见第4章", ["共3页，见第4章"]),
        ("你好，世界。", ["你好，世界。"]),
    ],
)
def test_formulas_in_chinese_text_are_words_of_their_own(line, words):
    ink = np.zeros((HEIGHT, 20 + 12 * len(line)), bool)
    centers = np.array([20.0 + 12 * k for k in range(len(line))])
    for center in centers.astype(int):
        ink[10:40, center - 4 : center + 4] = True
    tokens = cut(reading(line, centers=centers), ink)
    assert [token.text for token in tokens] == words
    assert [token.glued for token in tokens] == [False] + [True] * (len(words) - 1)


@pytest.mark.parametrize("stroke", [0, 3])
def test_a_stroke_under_a_line_is_none_of_its_ink(stroke):
    line = np.full((HEIGHT, 200, 3), 255, np.uint8)
    for x in range(20, 180, 20):
        line[8:32, x : x + 12] = 0
    plain = ink_of(line)
    line[38 : 38 + stroke, 18:184] = 0
    np.testing.assert_array_equal(ink_of(line), plain)


@given(st.floats(20, 40), st.floats(30, 36), st.floats(-0.01, 0.01))
def test_size_baseline_and_slope_are_recovered_from_the_ink(size, baseline, slope):
    """Words that rise, hang, both or neither."""
    ink, tokens = np.zeros((HEIGHT * 2, 900), bool), []
    for i, text in enumerate(["some", "Tall", "gap", "deep", "Type", "soon"]):
        left, right = 20 + i * 140, 120 + i * 140
        rise = 0.69 if set(text) & set("Tldt") else 0.47
        hang = 0.21 if set(text) & set("gpy") else 0.0
        line = baseline + slope * (left + right) / 2
        ink[max(0, round(line - rise * size)) : round(line + hang * size), left:right] = True
        tokens.append(Token(text, 1.0, left, right))
    kind = measure(tokens, ink)
    assert kind.size == pytest.approx(size, rel=0.08)
    assert kind.baseline + kind.slope * 450 == pytest.approx(baseline + slope * 450, abs=1.2)


@pytest.mark.parametrize(
    "text, rise", [("Étienne", 0.86), ("Étude", 0.86), ("étude", 0.69), ("ЙОД", 0.86), ("Çevre", 0.69)]
)
def test_what_stands_over_a_capital_makes_no_type_larger(text, rise):
    ink = np.zeros((HEIGHT, 160), bool)
    ink[round(36 - rise * 30) : 36, 40:120] = True
    assert measure([Token(text, 1.0, 40, 120)], ink).size == pytest.approx(30, rel=0.05)


def test_a_word_with_feet_rises_as_small_letters_do():
    """The д of Cyrillic is as high as х; its feet hang less than р does."""
    ink = np.zeros((HEIGHT, 160), bool)
    ink[round(34 - 0.47 * 30) : round(34 + 0.16 * 30), 40:120] = True
    assert measure([Token("еда", 1.0, 40, 120)], ink).size == pytest.approx(30, rel=0.05)


def test_the_tail_of_a_letter_in_the_line_above_makes_no_type_larger():
    ink = np.zeros((HEIGHT, 160), bool)
    ink[11:38, 10:16] = ink[11:38, 40:80] = True
    tokens = [Token("I", 1.0, 10, 16), Token("felt.", 1.0, 40, 80)]
    plain = measure(tokens, ink)
    ink[:11, 44:50] = True
    assert measure(tokens, ink).size == pytest.approx(plain.size, rel=0.03)


def test_the_next_best_reading_replaces_strays_and_nothing_is_left_of_a_blank():
    instead = {1: ("±", 0.8), 5: ("", 0.9)}
    plain = Reading("4士2 x之", np.arange(6.0), np.array([1, 0.4, 1, 1, 1, 0.6]), np.zeros(6), instead).without_cjk()
    assert (plain.text, plain.centers.tolist()) == ("4±2 x", [0, 1, 2, 3, 4])
    assert plain.confidences.tolist() == [1, 0.8, 1, 1, 1]


def test_a_doubtful_accent_is_a_speck_where_certain_accents_are_few():
    doubtful = read_line(reading("Płaintiff", bare={1: "l"}))
    english, polish = "A café. " + "The attorneys of both sides. " * 9, "Żółw płynął powoli, łódź też"
    for beside, meant in ((english, "Plaintiff"), (polish, "Płaintiff")):
        assert _without_specks([doubtful, read_line(reading(beside))])[0].reading.text == meant


LATIN, CHINESE = "A line of plain words, and so on and on", "这是一行中文"


@pytest.mark.parametrize("texts, last", [([LATIN, "4士2"], "4±2"), ([LATIN, CHINESE, "4士2"], "4士2")])
def test_a_lone_chinese_character_is_a_misreading_only_on_a_page_without_chinese(texts, last):
    lines = [read_line(reading(text, instead={text.find("士"): ("±", 0.9)} if "士" in text else {})) for text in texts]
    assert [line.reading.text for line in _without_strays(lines)] == [*texts[:-1], last]


def test_the_rim_of_the_next_line_is_no_letter_at_the_end_of_a_line():
    row = [
        ("125", 50, 15, True),
        ("ml", 67, 9, False),
        ("E", 84, 2, False),
        ("Bottle", 84, 22, True),
        ("A", 120, 8, True),
    ]
    words = [word(text, x, width=width, begins=begins) for text, x, width, begins in row]
    assert [each.text for each in _without_rims(words)] == ["125", "ml", "Bottle", "A"]
