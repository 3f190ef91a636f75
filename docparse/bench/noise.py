"""Drafts made worse on purpose: how much speed hangs on their quality."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec

from docparse.accel.drafts import DraftTokens
from docparse.types import Block, Spans, Table

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

    def spans(old: Spans) -> Spans:
        return tuple(msgspec.structs.replace(span, text="".join(map(character, span.text))) for span in old)

    def character(old: str) -> str:
        return "".join(_edited(old, share, chance, lambda: chance.choice(string.ascii_lowercase)))

    def table(old: Table) -> Table:
        cells = (msgspec.structs.replace(cell, spans=spans(cell.spans)) for cell in old.cells)
        return msgspec.structs.replace(old, cells=tuple(cells))

    return tuple(
        msgspec.structs.replace(block, spans=spans(block.spans), table=block.table and table(block.table))
        for block in blocks
    )


def _edited(item: Item, share: float, chance: random.Random, other: Callable[[], Item]) -> list[Item]:
    if chance.random() >= share:
        return [item]
    return chance.choice([[other()], [item, other()], []])
