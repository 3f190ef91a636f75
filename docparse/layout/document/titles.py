"""The title of a document: the one largest heading near the top of its first page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import takewhile

import msgspec

from docparse.layout.document.levels import ALIKE, HeadingStyle, heading_style
from docparse.layout.text.wording import count_words, ends_sentence
from docparse.types import Block, Category, Span

UPPER = 0.6  # share of the first page's height in which a title begins
LEADS = 1.15  # times the body size, unless the title is the first block of all
LARGER = 1.05  # times the size of one heading, of another that ranks higher
BY_FAR = 1.4  # times the body size: what is so large over all text is its title, headings or not
WIDE = 1.5  # em of white at most between the lines of one title
LEADING = 0.5  # em between two lines set solid, or by which their boxes overlap in scans
STACKED = 1.2  # em of white at most between the title, authors and the date: LaTeX sets one, and what leading adds
COVER = 12  # blocks: a page with fewer lines, and nothing else, is a cover
ABSTRACT = re.compile(
    r"abstract\b|(?:summary|zusammenfassung|résumé|resumen|resumo|摘\s*要|要\s*旨)\W*$", re.IGNORECASE
)
MASTHEAD = re.compile(r"(?:\w+\s){0,4}(?:journal|transactions|proceedings|annals)\s(?:of|on|for)\s", re.IGNORECASE)
NAMES = re.compile(r"[,\d*†‡§¶]|\w (?:and|&) ")  # what lines of authors have
FULL = 0.6  # times the width of the text, of a line of a title that goes on: centred lines are balanced
PROSE = 100  # characters: a heading over so much text heads it


def with_title(
    blocks: Sequence[Block], height: float, body: float, styles: Counter[HeadingStyle], *, alone: bool
) -> list[Block]:
    """Return the blocks of the first page with the title named, where one heading leads all others and none is a title
    yet.

    `height` is the page's and `body` the text size, points; `styles` counts the headings of the document, which may
    have this page `alone`.
    """
    blocks = list(blocks)
    if any(block.category is Category.TITLE for block in blocks):
        return blocks
    blocks, styles = _without_masthead(blocks, height, body, styles)
    blocks, styles = _with_largest(blocks, height, body, styles)
    headings = [i for i, b in enumerate(blocks) if b.category is Category.SECTION_HEADER and b.box.y0 < UPPER * height]
    if not headings:
        return blocks
    at = max(headings, key=lambda i: (blocks[i].font_size, -i))
    cover = not alone and _is_cover(blocks)
    if not (cover or _leads(blocks, at, body, styles)):
        return blocks
    blocks = _joined(blocks, at, body)
    blocks[at] = msgspec.structs.replace(blocks[at], category=Category.TITLE, level=1)
    if cover:
        return _as_text(blocks, [i for i, b in enumerate(blocks) if b.category is Category.SECTION_HEADER])
    blocks = _without_authors(_without_subtitle(blocks, at, styles), at)
    return _as_text(blocks, _outranked(blocks, at, styles))


def _as_text(blocks: Sequence[Block], places: Collection[int]) -> list[Block]:
    """The blocks, those at some places as text."""
    return [msgspec.structs.replace(b, category=Category.TEXT) if i in places else b for i, b in enumerate(blocks)]


def _is_cover(blocks: Sequence[Block]) -> bool:
    """Are a few short lines all that is on the page, furniture and pictures aside? Nothing in it heads a section."""
    shown = [b for b in blocks if not b.category.is_furniture and b.category is not Category.PICTURE]
    lines = all(b.category in (Category.TEXT, Category.SECTION_HEADER) and len(b.text) <= PROSE for b in shown)
    return lines and len(shown) < COVER


def _leads(blocks: Sequence[Block], at: int, body: float, styles: Counter[HeadingStyle]) -> bool:
    """Larger than the text or the first words of all, and no heading of a series."""
    title = blocks[at]
    first = at == next((i for i, b in enumerate(blocks) if not b.category.is_furniture), 0)
    if title.font_size < LEADS * body and not first:
        return False
    style = heading_style(title)
    if first and not style.depth and any(ABSTRACT.match(block.text) for block in blocks[at + 1 :]):
        return True  # a paper, whatever its sections are set in
    run = sum(1 for i in range(at, len(blocks)) if _one_title(blocks, at, i, body))
    return styles[style] <= run and (style.depth == 0 or all(s.size <= 0.97 * style.size for s in styles if s != style))


def _without_masthead(
    blocks: list[Block], height: float, body: float, styles: Counter[HeadingStyle]
) -> tuple[list[Block], Counter[HeadingStyle]]:
    """Return the blocks, the name of a journal at their head as text, and the styles of all other headings. The largest
    type under it is that of the title, whatever it looks like otherwise."""
    upper = [i for i, b in enumerate(blocks) if b.font_size and b.box.y0 < UPPER * height and len(b.text) <= PROSE]
    names = [i for i in upper if blocks[i].category is Category.SECTION_HEADER and MASTHEAD.match(blocks[i].text)]
    below = [i for i in upper if names and i > names[0] and i not in names and not blocks[i].category.is_furniture]
    largest = max(below, key=lambda i: (blocks[i].font_size, -i), default=None)
    if largest is None or blocks[largest].font_size < LEADS * body:
        return blocks, styles
    if blocks[largest].font_size < blocks[names[0]].font_size and not _is_paper(blocks):
        return blocks, styles
    styles = styles - Counter(heading_style(blocks[i]) for i in names)
    blocks = _as_text(blocks, names)
    if blocks[largest].category is Category.TEXT:
        blocks[largest] = msgspec.structs.replace(blocks[largest], category=Category.SECTION_HEADER)
        styles[heading_style(blocks[largest])] += 1
    return blocks, styles


def _with_largest(
    blocks: list[Block], height: float, body: float, styles: Counter[HeadingStyle]
) -> tuple[list[Block], Counter[HeadingStyle]]:
    """Return the blocks, and the styles of all headings: a line over all text that alone is set in by far the largest
    type is one, whatever it looks like otherwise."""
    over = list(takewhile(lambda block: block.category is not Category.TEXT or len(block.text) <= PROSE, blocks))
    top = max(over, key=lambda block: block.font_size, default=None)
    if top is None or top.category is not Category.TEXT or top.box.y0 > UPPER * height:
        return blocks, styles
    others = max((block.font_size for block in blocks if block is not top and block.text), default=0.0)
    said, alone = top.text.strip(), top.font_size > max(LARGER * others, BY_FAR * body)
    if not alone or count_words(said) < 2 or ends_sentence(said) or MASTHEAD.match(said):
        return blocks, styles
    title = msgspec.structs.replace(top, category=Category.SECTION_HEADER)
    return [title if block is top else block for block in blocks], styles + Counter([heading_style(title)])


def _is_paper(blocks: Sequence[Block]) -> bool:
    """Return whether a page has an abstract, or a section with a number: no "Journal of the Plague Year" over its
    author."""
    heads = (heading_style(b) for b in blocks if b.category is Category.SECTION_HEADER)
    return any(style.depth for style in heads) or any(ABSTRACT.match(b.text) for b in blocks)


def _one_title(blocks: Sequence[Block], at: int, i: int, body: float) -> bool:
    """Is block `i` a line of the title that begins at block `at`: same style, or almost as large, directly below?"""
    if i == at:
        return True
    upper, lower = blocks[i - 1], blocks[i]
    alike = lower.category is Category.SECTION_HEADER and heading_style(lower) == heading_style(blocks[at])
    near = abs(lower.font_size - blocks[at].font_size) < ALIKE * blocks[at].font_size and lower.font_size > LEADS * body
    white = (lower.box.y0 - upper.box.y1) / max(lower.font_size, 1.0)
    style = lower.bold == blocks[at].bold or (lower.text + blocks[at].text).isupper()
    goes_on = near and style and white < LEADING and _is_full(upper, blocks)  # while authors stand apart
    alike |= lower.category is Category.TEXT and goes_on and not NAMES.search(lower.text) and len(lower.text) <= PROSE
    return alike and -LEADING <= white < WIDE and _one_title(blocks, at, i - 1, body)


def _is_full(line: Block, blocks: Sequence[Block]) -> bool:
    """Return whether a line is about as wide as the text: one that ends before goes on in no other."""
    return line.box.width > FULL * max(b.box.width for b in blocks if not b.category.is_furniture)


def _joined(blocks: list[Block], at: int, body: float) -> list[Block]:
    """The lines of a title set wide apart as one block."""
    while at + 1 < len(blocks) and _one_title(blocks, at, at + 1, body):
        first, second = blocks[at : at + 2]
        whole = msgspec.structs.replace(
            second,
            box=first.box | second.box,
            font_size=max(first.font_size, second.font_size),
            spans=(*first.spans, Span(" "), *second.spans),
            tokens=first.tokens + second.tokens,
            draft_tokens=first.draft_tokens + second.draft_tokens,
        )
        blocks = [*blocks[:at], whole, *blocks[at + 2 :]]
    return blocks


def _is_stacked(blocks: Sequence[Block], at: int, i: int) -> bool:
    """Is block `i` a heading without a number close under the one before it, in the style of the one under `at`?"""
    upper, lower = blocks[i - 1], blocks[i]
    style = heading_style(lower)
    alike = lower.category is Category.SECTION_HEADER and style == heading_style(blocks[at + 1]) and not style.depth
    return alike and 0 <= lower.box.y0 - upper.box.y1 < STACKED * max(upper.font_size, lower.font_size)


def _without_subtitle(blocks: list[Block], at: int, styles: Counter[HeadingStyle]) -> list[Block]:
    """A line in a style of its own, nearer to the title than to text below, or over none, is a subtitle, no section."""
    if at + 1 >= len(blocks) or blocks[at + 1].category is not Category.SECTION_HEADER:
        return blocks
    subtitle, style = blocks[at + 1], heading_style(blocks[at + 1])
    below = blocks[at + 2] if at + 2 < len(blocks) else None
    nearer = below is not None and subtitle.box.y0 - blocks[at].box.y1 < below.box.y0 - subtitle.box.y1
    heads = below is not None and not nearer and (below.category is not Category.TEXT or len(below.text) > PROSE)
    if styles[style] > 1 or style.depth or heads:
        return blocks
    return _as_text(blocks, [at + 1])


def _without_authors(blocks: list[Block], at: int) -> list[Block]:
    """Headings between the title and the abstract are authors, not sections, and so are two and more in one style that
    stand right under the title and under each other."""
    lines = list(takewhile(lambda i: _is_stacked(blocks, at, i), range(at + 1, len(blocks))))
    if len(lines) > 1:
        blocks = _as_text(blocks, lines)
    abstract = next((i for i in range(at + 1, len(blocks)) if ABSTRACT.match(blocks[i].text)), at)
    headings = (i for i in range(at + 1, abstract) if blocks[i].category is Category.SECTION_HEADER)
    return _as_text(blocks, {i for i in headings if not heading_style(blocks[i]).depth})


def _outranked(blocks: Sequence[Block], at: int, styles: Counter[HeadingStyle]) -> list[int]:
    """The headings right under the title, where the next one is in larger type and no other is set like them: LaTeX
    sets authors and the date so. What heads a section is as large as the next one, but for the abstract."""
    after = range(at + 1, len(blocks))
    lines = list(takewhile(lambda i: blocks[i].category is Category.SECTION_HEADER, after))
    smaller = list(takewhile(lambda i: blocks[i].font_size < LARGER * blocks[at + 1].font_size, lines))
    heads = (blocks[i] for i in after if blocks[i].category is Category.SECTION_HEADER and i not in smaller)
    following = next(heads, None)
    if not smaller or following is None or following.font_size < LARGER * blocks[at + 1].font_size:
        return []
    smaller = [i for i in smaller if not ABSTRACT.match(blocks[i].text)]
    own = Counter(heading_style(blocks[i]) for i in smaller)
    return smaller if all(styles[style] == own[style] for style in own) else []
