"""Blocks of the truth find the lines of the output that answer them."""

from hypothesis import given
from hypothesis import strategies as st

from docparse.bench.scoring.quick_match import Match, quick_match

ALPHA = "thequickbrownfoxjumpsoverthelazydog"
BETA = "sphinxofblackquartzjudgemyvowandgo"
GAMMA = "packmyboxwithfivedozenliquorjugs"


def matched(truth, output, ignored=()):
    return sorted((match.blocks, match.lines) for match in quick_match(truth, ignored, output))


def test_each_block_finds_its_line_whatever_the_order():
    assert matched([ALPHA, BETA, GAMMA], [GAMMA, ALPHA, BETA]) == [((0,), (1,)), ((1,), (2,)), ((2,), (0,))]


def test_a_paragraph_cut_in_two_is_joined():
    assert matched([ALPHA, BETA], [ALPHA[:18], ALPHA[18:], BETA]) == [((0,), (0, 1)), ((1,), (2,))]


def test_paragraphs_run_together_share_a_line():
    assert matched([ALPHA, BETA[:12]], [ALPHA + BETA[:12]]) == [((0, 1), (0,))]


def test_a_line_that_repeats_an_ignored_block_leaves_the_game():
    assert matched([ALPHA], [BETA, ALPHA], ignored=[BETA]) == [((0,), (1,))]


def test_a_block_nobody_answers_is_a_miss():
    assert matched([ALPHA, BETA], [ALPHA]) == [((0,), (0,)), ((1,), ())]
    assert matched([ALPHA], []) == [((0,), ())]


def test_left_overs_are_paired_and_pay_in_full():
    assert matched([ALPHA, "0123456789"], [ALPHA, "zzzzzzzzzz"]) == [((0,), (0,)), ((1,), (1,))]


line = st.text(alphabet="abcde", min_size=1, max_size=12)


@given(st.lists(line, max_size=6), st.lists(line, max_size=6))
def test_every_block_is_matched_exactly_once_and_lines_exist(truth, output):
    matches = quick_match(truth, [], output)
    assert sorted(block for match in matches for block in match.blocks) == list(range(len(truth)))
    assert all(isinstance(match, Match) and set(match.lines) <= set(range(len(output))) for match in matches)
