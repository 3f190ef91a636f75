"""Asides: a box or a pull quote that stands between the two halves of a paragraph, at the top of a column, say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from docparse.layout.text.wording import SENTENCE, SENTENCE_END, count_words
from docparse.types import Block, Category

SIZED = 0.08  # share by which sizes differ within one type
MEASURE = 0.9  # of the width of the second half: as wide is the first one at least
TEXT = (Category.TEXT, Category.LIST_ITEM)
FLOATING = (Category.CAPTION, Category.PICTURE, Category.TABLE, Category.FOOTNOTE)
GOES_ON = re.compile(r"^\((?![a-z]{1,4}\))(?=[^\W\d_])")  # a bracket, and not that of an item, (a)


def carries_on(before: Block, after: Block) -> bool:
    """Return whether there is an unfinished sentence, then a block that begins in lower case, in the same size and, if
    either is all bold, weight."""
    if not before.text or not after.text or not _alike(before, after) or before.bold != after.bold:
        return False
    ending, start = before.text.rstrip(), GOES_ON.sub("", after.text.lstrip(), count=1)
    if ending.endswith(SENTENCE_END) or not start:
        return False
    return start[0].islower() or (ending[-1] in "-\u00ad\u2010," and start[0].isalnum())


def asides_last(blocks: Sequence[Block], cut: Block | None) -> list[Block]:
    """Return the blocks of a page, each text behind the one that it carries on, where nothing stands between but
    pictures, tables, and text in another type. `cut` is the text that the page before ends with."""
    result: list[Block] = []
    for block in blocks:
        aside = list(takewhile(partial(_is_aside, block), reversed(result)))
        at = len(result) - len(aside)
        half = result[at - 1] if at else cut
        parted = any(other.category in TEXT for other in aside)
        if parted and half is not None and block.category is Category.TEXT and _is_half(half, block):
            result.insert(at, block)
        else:
            result.append(block)
    return result


def _alike(one: Block, other: Block) -> bool:
    return abs(one.font_size - other.font_size) <= SIZED * one.font_size


def _is_aside(block: Block, other: Block) -> bool:
    """Whether the other may part the halves of a text, of which `block` is the second."""
    return (
        other.category in FLOATING
        or other.category.is_furniture
        or (other.category in TEXT and not _alike(block, other))
    )


def _is_half(first: Block, second: Block) -> bool:
    """Whether a sentence goes on from one text to the other, in one measure."""
    wide = first.box.width > MEASURE * second.box.width
    return first.category in TEXT and wide and count_words(first.text) >= SENTENCE and carries_on(first, second)
