"""Blocks of the truth find the lines of the output that answer them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.bench.scoring.quick_match import Match, quick_match

ALPHA = "thequickbrownfoxjumpsoverthelazydog"
BETA = "sphinxofblackquartzjudgemyvowandgo"
GAMMA = "packmyboxwithfivedozenliquorjugs"


MATCHES = {  # blocks of the truth, lines of the output, and which blocks which lines answer
    "in another order": (
        [ALPHA, BETA, GAMMA], [GAMMA, ALPHA, BETA], [((0,), (1,)), ((1,), (2,)), ((2,), (0,))]),
    "a paragraph cut in two": ([ALPHA, BETA], [ALPHA[:18], ALPHA[18:], BETA], [((0,), (0, 1)), ((1,), (2,))]),
    "paragraphs run together": ([ALPHA, BETA[:12]], [ALPHA + BETA[:12]], [((0, 1), (0,))]),
    "a line that repeats an ignored block": ([ALPHA], [GAMMA, ALPHA], [((0,), (1,))]),
    "a block nobody answers": ([ALPHA, BETA], [ALPHA], [((0,), (0,)), ((1,), ())]),
    "no output": ([ALPHA], [], [((0,), ())]),
    "what is left over": ([ALPHA, "0123456789"], [ALPHA, "zzzzzzzzzz"], [((0,), (0,)), ((1,), (1,))]),
}  # fmt: skip


@pytest.mark.parametrize("truth, output, matches", MATCHES.values(), ids=MATCHES)
def test_blocks_find_their_lines(truth, output, matches):
    ignored = [] if GAMMA in truth else [GAMMA]
    assert sorted((match.blocks, match.lines) for match in quick_match(truth, ignored, output)) == matches


line = st.text(alphabet="abcde", min_size=1, max_size=12)


@given(st.lists(line, max_size=6), st.lists(line, max_size=6))
def test_every_block_is_matched_exactly_once_and_lines_exist(truth, output):
    matches = quick_match(truth, [], output)
    assert sorted(block for match in matches for block in match.blocks) == list(range(len(truth)))
    assert all(isinstance(match, Match) and set(match.lines) <= set(range(len(output))) for match in matches)
