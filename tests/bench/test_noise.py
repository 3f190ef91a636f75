"""Drafts made worse on purpose keep their shape."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.drafts import DraftTokens
from docparse.bench.noise import noisy_blocks, noisy_tokens
from docparse.types import Block, Box, Category, Cell, Span, Table

TOKENS = tuple(range(400))


def test_no_noise_changes_nothing() -> None:
    draft = DraftTokens(TOKENS, "oracle", (0, 100))
    assert noisy_tokens(draft, 0.0, random.Random(1)) == draft


@given(st.floats(0.0, 1.0), st.integers(0, 99))
def test_starts_stay_ascending_offsets_of_the_draft(share: float, seed: int) -> None:
    noisy = noisy_tokens(DraftTokens(TOKENS, "oracle", (0, 7, 250)), share, random.Random(seed))
    assert list(noisy.starts) == sorted(set(noisy.starts))
    assert all(0 <= start < len(noisy.tokens) for start in noisy.starts)


def test_about_the_share_that_was_asked_for_is_edited() -> None:
    from rapidfuzz.distance import Levenshtein

    noisy = noisy_tokens(DraftTokens(TOKENS, "oracle"), 0.1, random.Random(3))
    assert 0.05 < Levenshtein.distance(TOKENS, noisy.tokens) / len(TOKENS) < 0.15


def test_words_of_blocks_and_cells_change_and_nothing_else_does() -> None:
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
