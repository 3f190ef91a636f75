"""Drafts made worse on purpose: how much speed hangs on their quality."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec

from docparse.accel.drafts import DraftTokens
from docparse.types import Block, Box, Span, Spans, Table

Item = TypeVar("Item")


def noisy_tokens(draft: DraftTokens, share: float, chance: random.Random) -> DraftTokens:
    """Return the tokens, each with this probability replaced by another of the draft, followed by one, or left out."""
    if not share:
        return draft
    tokens: list[int] = []
    starts = []
    for i, token in enumerate(draft.tokens):
        if i in draft.starts:
            starts.append(len(tokens))
        tokens += _edited(token, share, chance, lambda: chance.choice(draft.tokens))
    starts = sorted({start for start in starts if start < len(tokens)})
    return replace(draft, tokens=tuple(tokens), starts=tuple(starts))


def noisy_blocks(blocks: Sequence[Block], share: float, chance: random.Random) -> tuple[Block, ...]:
    """Return the same for the characters of every block and table cell."""
    return tuple(
        msgspec.structs.replace(
            block,
            spans=_noisy_spans(block.spans, share, chance),
            table=block.table and _noisy_table(block.table, share, chance),
        )
        for block in blocks
    )


def _noisy_table(table: Table, share: float, chance: random.Random) -> Table:
    cells = (msgspec.structs.replace(cell, spans=_noisy_spans(cell.spans, share, chance)) for cell in table.cells)
    return msgspec.structs.replace(table, cells=tuple(cells))


def _noisy_spans(spans: Spans, share: float, chance: random.Random) -> Spans:
    return tuple(msgspec.structs.replace(span, text=_noisy_text(span, share, chance)) for span in spans)


def _noisy_text(span: Span, share: float, chance: random.Random) -> str:
    letters = string.ascii_lowercase
    return "".join(new for old in span.text for new in _edited(old, share, chance, lambda: chance.choice(letters)))


def _edited(item: Item, share: float, chance: random.Random, other: Callable[[], Item]) -> list[Item]:
    if chance.random() >= share:
        return [item]
    return chance.choice([[other()], [item, other()], []])


def jittered_blocks(blocks: Sequence[Block], share: float, page: Box, chance: random.Random) -> tuple[Block, ...]:
    """Return every block's box moved by up to `share` of its sides and each side stretched or shrunk by as much, cut at
    the page. What is written in it stays: a layout model that finds regions badly, beside words that are read well."""
    if not share:
        return tuple(blocks)
    return tuple(msgspec.structs.replace(block, box=_jittered(block.box, share, page, chance)) for block in blocks)


def _jittered(box: Box, share: float, page: Box, chance: random.Random) -> Box:
    """A box that would leave the page altogether stays where it is."""
    dx, dy, dw, dh = (chance.uniform(-share, share) for _ in range(4))
    (x, y), width, height = box.center, box.width * (1 + dw) / 2, box.height * (1 + dh) / 2
    x, y = x + dx * box.width, y + dy * box.height
    moved = Box(x - width, y - height, x + width, y + height) & page
    return moved if moved.area else box & page
