"""Drafts made worse on purpose keep their shape."""

import random

from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.drafts import DraftTokens
from docparse.bench.noise import jittered_blocks, noisy_blocks, noisy_tokens
from docparse.types import Block, Box, Category, Cell, Span, Table

TOKENS = tuple(range(400))


@given(st.floats(0.0, 1.0), st.integers(0, 99))
def test_starts_stay_ascending_offsets_of_the_draft_and_no_noise_changes_nothing(share, seed):
    draft = DraftTokens(TOKENS, "oracle", (0, 7, 250))
    noisy = noisy_tokens(draft, share, random.Random(seed))
    assert noisy_tokens(draft, 0.0, random.Random(seed)) == draft
    assert list(noisy.starts) == sorted(set(noisy.starts))
    assert all(0 <= start < len(noisy.tokens) for start in noisy.starts)


def test_about_the_share_that_was_asked_for_is_edited():
    from rapidfuzz.distance import Levenshtein

    noisy = noisy_tokens(DraftTokens(TOKENS, "oracle"), 0.1, random.Random(3))
    assert 0.05 < Levenshtein.distance(TOKENS, noisy.tokens) / len(TOKENS) < 0.15


def test_words_of_blocks_and_cells_change_and_nothing_else_does():
    box = Box(0, 0, 10, 10)
    table = Table(1, 1, (Cell(0, 0, (Span("cell " * 20),)),))
    blocks = (Block(category=Category.TEXT, box=box, spans=(Span("word " * 20, bold=True),)),)
    blocks += (Block(category=Category.TABLE, box=box, table=table),)
    text, grid = noisy_blocks(blocks, 0.2, random.Random(5))
    assert text.text != blocks[0].text
    assert text.spans[0].bold
    assert text.box == box
    assert grid.table is not None
    assert grid.table.cells[0].spans != table.cells[0].spans


PAGE = Box(0, 0, 600, 800)


def at(x, y, width, height):
    box = Box(x, y, min(x + width, PAGE.x1), min(y + height, PAGE.y1))
    return Block(category=Category.TEXT, box=box, spans=(Span("word"),))


BLOCKS = st.lists(
    st.builds(at, st.floats(0, 590), st.floats(0, 790), st.floats(1, 600), st.floats(1, 800)), min_size=1, max_size=8
)


@given(BLOCKS, st.floats(0.0, 1.0), st.integers(0, 99))
def test_jittered_boxes_have_an_area_inside_the_page_and_no_side_moves_farther_than_its_share(blocks, share, seed):
    for old, new in zip(blocks, jittered_blocks(blocks, share, PAGE, random.Random(seed)), strict=True):
        assert new.box.area > 0 and new.box & PAGE == new.box
        reach = 1.5 * share  # of the side: all of it by moving, half of it by growing
        assert abs(new.box.x0 - old.box.x0) <= reach * old.box.width + 1e-6
        assert abs(new.box.y1 - old.box.y1) <= reach * old.box.height + 1e-6


def test_jitter_is_the_same_for_the_same_seed():
    blocks = [at(100, 100, 200, 50), at(100, 300, 200, 50)]
    moved, again, other = (jittered_blocks(blocks, 0.1, PAGE, random.Random(seed)) for seed in (7, 7, 8))
    assert moved == again != other
