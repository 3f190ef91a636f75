"""Asides: a box or a pull quote that stands between the two halves of a paragraph, at the top of a column, say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice, takewhile

import msgspec

from docparse.hyphenation import is_cjk
from docparse.layout.document.levels import SIZED, number_depth
from docparse.layout.text.wording import SENTENCE, SENTENCE_END, are_sites, count_words
from docparse.types import Block, Category

LABELS = 60  # of one drawing at most
MEASURE = 0.9  # of the width of the second half: as wide is the first one at least
INDENT = 1.2  # em at least that the first line of a Chinese paragraph is set in: mostly two
SMALL = 0.95  # times the size of text: notes
TEXT = (Category.TEXT, Category.LIST_ITEM)
FLOATING = (Category.CAPTION, Category.PICTURE, Category.TABLE, Category.FOOTNOTE)
DIVIDED = re.compile(r"[a-z][-\u00ad\u2010]$")
COUNTED = re.compile(r"\d[\d,.]*(?:-[a-z]| [a-z])")  # a number of something, and none of a heading or an item
GOES_ON = re.compile(r"^\((?![a-z]{1,4}\))(?=[^\W\d_])")  # a bracket, and not that of an item, (a)


def carries_on(before: Block, after: Block) -> bool:
    """Return whether there is an unfinished sentence, then a block that begins in lower case or, where the last line of
    the first is full, in any, in the same size and, if either is all bold or the first all in italics, type. One web
    address does not carry on another."""
    ending, start = before.text.rstrip(), GOES_ON.sub("", after.text.lstrip(), count=1)
    if not ending or not start or not _alike(before, after) or before.bold != after.bold:
        return False
    if all(span.italic for span in before.spans) and not after.spans[0].italic:
        return False
    if ending.endswith(SENTENCE_END) or are_sites(ending, start):
        return False
    if start[0].islower() or (ending[-1] in "-\u00ad\u2010,，、" and (start[0].isalnum() or after.spans[0].math)):
        return True
    told = count_words(start) >= SENTENCE or "，" in start  # no name and no heading
    return before.full and _is_broken(before, ending, start) and told


def _is_broken(block: Block, ending: str, start: str) -> bool:
    """Return whether a text of whole lines breaks off behind a word, of Chinese or before some: no address, whose lines
    the writer ended."""
    east = is_cjk(start[0]) and (is_cjk(ending[-1]) or block.spans[-1].math)
    begun = start[0].isalpha() or COUNTED.match(start) is not None
    parted = begun and (ending[-1].islower() or east)
    return block.category in TEXT and parted and "\n" not in ending and count_words(ending) >= SENTENCE


def begins_anew(text: str) -> bool:
    """Return whether a text begins as a sentence does, in no small letter: Chinese has none."""
    first = GOES_ON.sub("", text.lstrip(), count=1)[:1]
    return first.isalpha() and not first.islower()


def is_back_at_margin(before: Block, after: Block) -> bool:
    """Return whether Chinese begins left of a full line over it, which is the first one of a paragraph, then."""
    return before.full and is_cjk(after.text.lstrip()[:1]) and before.box.x0 - after.box.x0 > INDENT * after.font_size


def is_more_code(before: Block, after: Block) -> bool:
    """Return whether a listing goes on that a page break cuts: the same type at the top of the next page."""
    same = before.category is after.category is Category.CODE
    return same and abs(before.font_size - after.font_size) < 0.02 * before.font_size


def is_small_print(blocks: Sequence[Block], before: Block) -> bool:
    """Return whether text in smaller type, and no other, ends a column under an unfinished sentence, as a notice of
    copyright does."""
    first = blocks[0]
    column = list(takewhile(lambda block: block.box.y0 >= first.box.y0, blocks))
    texts = [block for block in column if not block.category.is_furniture and block.category is not Category.FOOTNOTE]
    small = all(b.category is Category.TEXT and 0 < b.font_size < SMALL * before.font_size for b in texts)
    unfinished = before.category is Category.TEXT and not before.text.rstrip().endswith(SENTENCE_END)
    return first.category is Category.TEXT and small and unfinished


def asides_last(blocks: Sequence[Block], cut: Block | None) -> list[Block]:
    """Return the blocks of a page, each text behind the one that it carries on, where nothing stands between but
    pictures, tables, text in another type, and what a drawing says. `cut` is the text that the page before ends with.
    """
    result: list[Block] = []
    for block in blocks:
        if block.category is not Category.TEXT:
            result.append(block)
            continue
        aside = list(takewhile(partial(_is_aside, block), reversed(result)))
        parted = any(other.category in TEXT for other in aside)
        drawn = [] if parted else _drawn_over(block, result)
        at = len(result) - max(len(aside), len(drawn))
        half = result[at - 1] if at else cut
        if len(drawn) > len(aside):
            parted = half is not None and _goes_round(half, drawn, block)
        if parted and half is not None and _is_half(half, block):
            result[at:] = [block, *map(_as_label, result[at:])]
        else:
            result.append(block)
    return result


def _alike(one: Block, other: Block) -> bool:
    return abs(one.font_size - other.font_size) <= SIZED * one.font_size


def _is_aside(block: Block, other: Block) -> bool:
    """Return whether the other may part the halves of a text, of which `block` is the second. Over what begins as a
    sentence, bold words head it."""
    heads = other.bold and begins_anew(block.text)
    text = other.category in TEXT and not _alike(block, other) and not heads
    return text or other.category in FLOATING or other.category.is_furniture


def _drawn_over(block: Block, before: Sequence[Block]) -> list[Block]:
    """Return what may be a drawing over a text that goes on in small letters, the nearest first; none where it is too
    much."""
    if not block.text[:1].islower():
        return []
    found = list(takewhile(partial(_is_drawn, block), islice(reversed(before), LABELS + 1)))
    return found if len(found) <= LABELS else []


def _is_drawn(block: Block, other: Block) -> bool:
    """Return whether the other may be part of a drawing over `block`: it is as short as the words of one."""
    if other.category in FLOATING or other.category.is_furniture:
        return True
    narrow = other.box.width < MEASURE * block.box.width and "\n" not in other.text
    short = (narrow or count_words(other.text) < SENTENCE) and not number_depth(other.text)
    above = other.box.y1 <= block.box.y0
    return above and (other.category is Category.CODE or (short and other.category is not Category.TITLE))


def _goes_round(half: Block, drawn: Sequence[Block], block: Block) -> bool:
    """Return whether a sentence goes on from `half` to `block` around what is drawn, the nearest first: a divided word
    leaves no doubt. Else the half is no item, and what parts the two is several headings alone that do not name what
    the text begins with, or stands over a picture or caption, and is no formula, at the head of a column."""
    if DIVIDED.search(half.text.rstrip()):
        return True
    jumped = half.box.y1 > block.box.y0 or half.box.x1 < block.box.x0
    body = [other for other in drawn if not other.category.is_furniture and other.category is not Category.FOOTNOTE]
    first = block.text.casefold().split()[0].rstrip(",;:")
    headings = len(body) > 1 and all(other.category is Category.SECTION_HEADER for other in body)
    headings &= all(first not in other.text.casefold().split() for other in body)
    told = body[0].category in FLOATING and all(other.category is not Category.FORMULA for other in body)
    return half.category is Category.TEXT and jumped and (headings or told)


def _as_label(block: Block) -> Block:
    """The block, what looked like a heading as the words of a drawing."""
    heads = block.category is Category.SECTION_HEADER
    return msgspec.structs.replace(block, category=Category.CAPTION) if heads else block


def _is_half(first: Block, second: Block) -> bool:
    """Return whether a sentence goes on from one text to the other, in one measure."""
    wide = first.box.width > MEASURE * second.box.width
    if DIVIDED.search(first.text.rstrip()) and begins_anew(second.text):
        return False
    return first.category in TEXT and wide and count_words(first.text) >= SENTENCE and carries_on(first, second)
