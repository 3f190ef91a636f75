"""Drafts made worse on purpose: how much speed hangs on their quality."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import TypeVar

import msgspec

from docparse.accel.drafts import DraftTokens
from docparse.types import Block, Box, Spans, Table

Item = TypeVar("Item")


def noisy_tokens(draft: DraftTokens, share: float, chance: random.Random) -> DraftTokens:
    """Return the tokens, each with this probability replaced by another of the draft, followed by one, or left out."""
    pieces = [_edited(token, share, chance, lambda: chance.choice(draft.tokens)) for token in draft.tokens]
    places = list(accumulate(map(len, pieces), initial=0))
    starts = sorted({places[start] for start in draft.starts if places[start] < places[-1]})
    return replace(draft, tokens=tuple(chain.from_iterable(pieces)), starts=tuple(starts))


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


def jittered_blocks(blocks: Sequence[Block], share: float, page: Box, chance: random.Random) -> tuple[Block, ...]:
    """Return every block's box moved by up to `share` of its sides, and each side stretched or shrunk by as much, cut
    at the page. What is written in it stays: a layout model that finds regions badly, beside words read well."""

    def moved(box: Box) -> Box:
        dx, dy, dw, dh = (chance.uniform(-share, share) for _ in range(4))
        x, y = box.center[0] + dx * box.width, box.center[1] + dy * box.height
        width, height = (1 + dw) * box.width / 2, (1 + dh) * box.height / 2
        new = Box(x - width, y - height, x + width, y + height) & page
        return new if new.area else box & page  # what would leave the page altogether stays where it is

    return tuple(msgspec.structs.replace(block, box=moved(block.box)) for block in blocks)


def _edited(item: Item, share: float, chance: random.Random, other: Callable[[], Item]) -> list[Item]:
    if chance.random() >= share:
        return [item]
    return chance.choice([[other()], [item, other()], []])
