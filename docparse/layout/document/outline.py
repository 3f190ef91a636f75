"""The whole document: heading levels, running headers that repeat, nested lists, paragraphs cut by page breaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from docparse.layout.document import levels
from docparse.layout.document.asides import (
    asides_last,
    begins_anew,
    carries_on,
    is_back_at_margin,
    is_more_code,
    is_small_print,
)
from docparse.layout.document.hyphens import Hyphens
from docparse.layout.document.levels import ALIKE, HeadingStyle, heading_style, rounded
from docparse.layout.document.nesting import Nesting, between_items
from docparse.layout.document.slides import Slides
from docparse.layout.document.titles import with_title
from docparse.layout.tagged.outline import TaggedHeadings
from docparse.layout.text.wording import CUT, HEADING_WORDS, YEAR, count_words, ends_sentence, has_words, page_of
from docparse.types import Block, Category, Page

EDGE = 0.12  # share of the page height, and of its width, in which repeated lines count as furniture
SHEET = 0.25  # the same for the outermost line of a page that is printed on a larger sheet
MOST = 0.6  # of the pages of a document have what is set large, or at a side, and is a running line even so
PLACE = 8.0  # points: a running head stands at the same height on every page
RUNNING, WORDS = 3, 4  # pages, and words of a line, from which its standing alone tells
LONGEST, KEY = 600, 120  # characters: of a running note, and of what is kept of it to compare
FOOT = 0.55  # share of the page's height under which notes are set
WHITE = 1.5  # em between text and what carries it on right under it, at most
SIDE = 0.12  # of its width by which a table may be wider or narrower where it goes on: without rules words tell
TALL, LARGER = 1.5, 1.2  # em of a single line at most; times its size in a running head is a title
SAID = 60  # characters of a sentence that a page repeats: shorter ones are names of the document
COUNTED = re.compile(rf"(?<!\d)(?!{YEAR.pattern}(?!\d))\d+")  # numbers that change along the pages: no years
DIGITS = re.compile(r"\d+")
HEADED = 4  # headings of one style for each bold line of text in it, at least, where that is one too
LARGE = 1.25  # times the body size: a heading so large that repeats is a running line on most pages alone


class Outline:
    """Two passes over a document's pages: `add` each page in order, then `refine` each page in order.

    Memory is a few numbers per page and the words of the document: styles are counted, edge lines kept as short keys.
    """

    def __init__(self) -> None:
        self._pages = 0
        self._sizes: Counter[float] = Counter()
        self._headings: Counter[HeadingStyle] = Counter()
        self._heads: list[levels.Head] = []
        self._bold: Counter[HeadingStyle] = Counter()  # of lines that are text, though bold as headings are
        self._stacks: Counter[levels.Stack] = Counter()
        self._edges: Counter[tuple[str, int]] = Counter()
        self._running: Counter[int] = Counter()
        self._stamped: Counter[str] = Counter()  # what is furniture, and on how many pages
        self._named: tuple[str, float] = ("", 0.0)  # the largest heading of the first page, and its size
        self._tops: set[int] = set()  # where pages say it again in small type, points
        self._highest = float("inf")  # where the text of pages begins at the highest, points
        self._first_page = self._last_page = 0
        self._levels: levels.HeadingLevels | None = None
        self._nesting = Nesting()
        self._titled = False  # the last heading is the title
        self._tagged = TaggedHeadings()
        self._slides = Slides()
        self._open: Block | None = None
        self._cut: Block | None = None  # the table that the page before ends with
        self._hyphens = Hyphens()

    def add(self, page: Page) -> None:
        """First pass: learn from one page."""
        self._pages += 1
        self._first_page = self._first_page or page.number
        for block in page.blocks:
            self._hyphens.add(block)
            if block.category in (Category.TEXT, Category.LIST_ITEM):
                self._sizes[rounded(block.font_size)] += len(block.text)
        self._headings += _heading_styles(page.blocks)
        self._bold.update(heading_style(block) for block in page.blocks if _is_bold_line(block))
        heads = [(b.text.strip(), heading_style(b)) for b in page.blocks if b.category is Category.SECTION_HEADER]
        self._heads += heads
        self._stacks.update(levels.stacks_in(page.blocks))
        self._tagged.add(page)
        self._slides.add(page)
        printed = _printed(page)
        keys = {key for block in page.blocks if (key := _edge_key(block, page, printed))}
        self._edges.update(key for key in keys if (key[0], key[1] - 1) not in keys)  # once for two lines of one page
        furniture = [block for block in page.blocks if block.category.is_furniture]
        self._running.update({_place(block) for block in furniture})
        self._stamped.update({_said(block) for block in furniture})
        if page.number == self._first_page:
            self._named = _largest(page)
        texts = (b.box.y0 for b in page.blocks if b.category is Category.TEXT and len(b.text) > KEY)
        self._highest = min(self._highest, *texts, float("inf"))
        top, (title, size) = _top(page), self._named
        if top is not None and _said(top) == title and top.font_size * LARGER < size:
            self._tops.add(round(top.box.y0))

    def refine(self, page: Page) -> Page:
        """Second pass: the page with levels, document-wide furniture and continuations filled in."""
        printed = _printed(page)
        blocks = [self._recast(self._hyphens.settle(block), page, printed) for block in self._tagged.refine(page)]
        first = page.number == self._first_page
        at = None if self._tagged.known else self._slides.title_of(page, first=first)
        opens = first and at is not None and self._slides.opens(page, at)
        if at is not None:
            blocks[at] = msgspec.structs.replace(blocks[at], category=Category.SECTION_HEADER)
        if first:
            self._headings = self._slides.ranked(self._headings)
        if first and not self._tagged.known and (at is None or opens):
            named = with_title(blocks, page.height, self._body, self._headings, alone=self._pages == 1)
            self._headings -= _heading_styles(blocks) - _heading_styles(named)  # the title's style is no level
            blocks = named
        if page.status != "ok" or page.number != self._last_page + 1:
            self._open = self._cut = None  # what stood between is not known: no paragraph reaches across
        self._last_page = page.number if page.status == "ok" else -1
        blocks = asides_last(blocks, self._open)
        self._nesting.new_page()
        placed = [self._placed(block, of_slide=i == at and not opens) for i, block in enumerate(blocks)]
        return msgspec.structs.replace(page, blocks=tuple(self._continued(between_items(placed), FOOT * page.height)))

    @cached_property
    def _recurring(self) -> set[str]:
        return levels.recurring(self._heads)

    @property
    def _body(self) -> float:
        """The size of most text in the document, points."""
        return self._sizes.most_common(1)[0][0] if self._sizes else 10.0

    def _recast(self, block: Block, page: Page, printed: tuple[float, float]) -> Block:
        """The category that only the whole document shows: a running head that repeats, a heading among text."""
        key = _edge_key(block, page, printed)
        repeats = key is not None and self._repeats(key, block, page)
        if repeats and page.number == self._first_page and self._is_said(block):
            note = block.category is Category.TEXT and block.box.y0 > page.height / 2  # no text goes on from it
            return msgspec.structs.replace(block, category=Category.FOOTNOTE) if note else block
        if repeats and not block.category.is_furniture:
            top = block.box.y0 < page.height / 2
            return msgspec.structs.replace(block, category=Category.PAGE_HEADER if top else Category.PAGE_FOOTER)
        if repeats or self._tagged.known or page.number == self._first_page:
            return block
        category = block.category
        if self._is_left(block, page):
            category = Category.PAGE_HEADER
        elif category.is_furniture and self._is_alone(block, page):
            category = Category.TEXT
        elif _is_bold_line(block) and self._is_of_headings(block):
            category = Category.SECTION_HEADER
        return block if category is block.category else msgspec.structs.replace(block, category=category)

    def _is_left(self, block: Block, page: Page) -> bool:
        """Return whether a line is furniture though it does not repeat: it stands first where other pages have the
        title of the document in small type, over the text of all, or is all that is on a page and stamped on others."""
        if round(block.box.y0) in self._tops and block.box.height < TALL * block.font_size:
            top, over = _top(page), block.box.y1 <= self._highest
            spared = block.category.is_heading or block.text[:1].islower()  # which goes on from the page before
            return top is not None and top.box == block.box and over and not spared and len(block.text) <= KEY
        shown = sum(not other.category.is_furniture for other in page.blocks)
        return shown == 1 and self._stamped[_said(block)] >= 2

    def _is_of_headings(self, block: Block) -> bool:
        """Return whether nearly all bold lines of its size, and with numbers as deep, are headings in the document; a
        sentence in bold is none even so."""
        if ends_sentence(block.text.strip()):
            return False
        style = heading_style(block)
        return self._headings[style] >= HEADED * self._bold[style] and has_words(block.text)

    def _is_alone(self, block: Block, page: Page) -> bool:
        """A line of several words that was taken for a running one, in a document that has none at its height; one
        beside the number of its page is running even so, as in the first chapter of a book that is printed on both
        sides."""
        here = sum(self._running[_place(block) + step] for step in (-1, 0, 1))
        row = (b for b in page.blocks if b.category is block.category and b.box.overlap_y(block.box) > 0)
        numbered = any(b.text.strip().isalnum() and page_of(b.text.strip()) for b in row)
        if numbered or CUT.fullmatch(block.text):
            return False
        return self._pages >= RUNNING and here == 1 and count_words(block.text) >= WORDS

    def _is_said(self, block: Block) -> bool:
        """Return whether what all pages repeat is worth saying once: large type, a note, or a sentence."""
        sentence = len(block.text) > SAID and ends_sentence(block.text.strip())
        return block.font_size > LARGE * self._body or block.category is Category.FOOTNOTE or sentence

    def _repeats(self, key: tuple[str, int], block: Block, page: Page) -> bool:
        words, place = key
        beyond = _in_margin(block, page)
        fewest = 2 if beyond else RUNNING
        seen = sum(self._edges[words, place + step] for step in (-1, 0, 1))
        large = block.category.is_heading and block.font_size > LARGE * self._body
        most = large or (_in_side(block, page) and not beyond)
        return seen >= max(fewest, min(4, self._pages // 2), MOST * self._pages if most else 0)

    def _placed(self, block: Block, *, of_slide: bool) -> Block:
        """The block with its level in the outline or in its list. `of_slide` says that it is the title of a slide."""
        if self._levels is None:
            styles = self._headings + self._slides.styles
            self._levels = levels.HeadingLevels(styles, self._stacks, self._heads)
        if block.level_known or (block.level and not block.font_size):
            return block  # as the file tells, or a model wrote
        if block.category is Category.LIST_ITEM:
            return msgspec.structs.replace(block, level=self._nesting.level(block))
        inside = self._nesting.within(block)
        if block.category in (Category.TEXT, Category.CODE):
            return msgspec.structs.replace(block, level=inside) if block.level != inside else block
        if block.category is Category.TITLE:
            self._titled = True
            return msgspec.structs.replace(block, level=1)
        if block.category is Category.SECTION_HEADER:
            style = next(iter(self._slides.styles)) if of_slide else heading_style(block)
            words = block.text.strip()
            inner = not of_slide and words in self._recurring
            named = self._titled and HEADING_WORDS.fullmatch(words)  # a small "Abstract" under the title is outermost
            self._titled = False
            own = min(levels.DEEPEST, self._levels.level(style, words) + inner)
            return msgspec.structs.replace(block, level=levels.FIRST if named else own)
        return block

    def _continued(self, blocks: Sequence[Block], foot: float) -> list[Block]:
        """Mark the text that carries on a paragraph, or, in the next column or page, a list item. Small print below
        `foot`, points, that a column ends with is no part of the paragraph over it."""
        result = []
        before: Block | None = None  # on this page
        cut, self._cut = self._cut, _table_at(reversed(blocks))
        top = _table_at(blocks)
        for i, block in enumerate(blocks):
            in_text = self._open is not None and abs(self._open.font_size - self._body) < ALIKE * self._body
            running = self._open if in_text else None
            if running and block.box.y0 > foot and is_small_print(blocks[i:], running):
                result.append(msgspec.structs.replace(block, category=Category.FOOTNOTE))
                continue
            goes_on = block.category in (Category.TEXT, Category.CODE) and self._carries_on(block, before)
            goes_on &= not (i and blocks[i - 1] is before and block.box.y0 - before.box.y1 > WHITE * block.font_size)
            goes_on |= block is top and cut is not None and _is_more_table(cut, block)
            result.append(msgspec.structs.replace(block, continues=True) if goes_on else block)
            if block.category in (Category.TEXT, Category.LIST_ITEM, Category.CODE):
                before = self._open = block
            elif block.category.is_heading or block.category is Category.FORMULA:
                self._open = None
        return result

    def _carries_on(self, block: Block, before: Block | None) -> bool:
        """Does the text carry on the last paragraph? `before` is the last one on this page, if any."""
        if self._open is None or Category.CODE in (block.category, self._open.category):
            return self._open is not None and before is None and is_more_code(self._open, block)
        if not carries_on(self._open, block):
            return False
        jumped = before is None or block.box.y0 < before.box.y0
        first = block.spans[0]
        begun = begins_anew(block.text) and not is_back_at_margin(self._open, block)
        begun |= first.math and not first.text[:1].islower()
        anew = begun or first.bold > self._open.spans[-1].bold
        below = self._open.category is Category.TEXT and not anew  # "Dear Ms Fox," ends, and so does an entry
        return below or jumped


def _table_at(blocks: Iterable[Block]) -> Block | None:
    """Return the first of the blocks, running headers and footnotes aside, if it is a table."""
    aside = (Category.FOOTNOTE, Category.PAGE_HEADER, Category.PAGE_FOOTER)
    first = next((block for block in blocks if block.category not in aside), None)
    return first if first is not None and first.table is not None else None


def _is_more_table(before: Block, after: Block) -> bool:
    """A table that a page break cuts: as many columns between the same sides, and a header that is repeated or none."""
    upper, lower, wide = before.table, after.table, SIDE * before.box.width
    if upper is None or lower is None or upper.columns != lower.columns:
        return False
    if abs(before.box.x0 - after.box.x0) > wide or abs(before.box.x1 - after.box.x1) > wide:
        return False
    again = lower.repeats(upper)
    return lower.cells[again:] != upper.cells[again:] and all(cell.row < again for cell in lower.cells if cell.header)


def _said(block: Block) -> str:
    return " ".join(block.text.casefold().split())


def _largest(page: Page) -> tuple[str, float]:
    """Return what the one heading says that is larger than all others of a page, and its size, points."""
    heads = sorted((b.font_size, _said(b)) for b in page.blocks if b.category.is_heading)
    one = heads and (len(heads) == 1 or heads[-1][0] > heads[-2][0])
    return (heads[-1][1], heads[-1][0]) if one else ("", 0.0)


def _top(page: Page) -> Block | None:
    """The first line of text on a page that is not known to be furniture."""
    texts = (block for block in page.blocks if block.font_size and not block.category.is_furniture)
    return min(texts, key=lambda block: block.box.y0, default=None)


def _place(block: Block) -> int:
    return round(block.box.y0 / PLACE)


def _heading_styles(blocks: Iterable[Block]) -> Counter[HeadingStyle]:
    return Counter(heading_style(block) for block in blocks if block.category is Category.SECTION_HEADER)


def _is_bold_line(block: Block) -> bool:
    one = 0 < block.box.height < TALL * block.font_size
    return block.category is Category.TEXT and block.bold and one and not block.level


def _printed(page: Page) -> tuple[float, float]:
    """Return where the print of a page begins and ends, in points from its top."""
    boxes = [block.box for block in page.blocks]
    return min((box.y0 for box in boxes), default=0.0), max((box.y1 for box in boxes), default=page.height)


def _edge_key(block: Block, page: Page, printed: tuple[float, float]) -> tuple[str, int] | None:
    """The words of a running line, numbers aside, and its height on the page; None away from the edges and sides.

    Small pages are printed on larger sheets: there the outermost line, too, stands at the edge.
    """
    top, bottom = block.box.y0, block.box.y1
    first, last = printed
    outermost = bottom < SHEET * page.height if top <= first else bottom >= last and top > (1 - SHEET) * page.height
    near = _in_margin(block, page)
    text, unfit = block.text, block.category in (Category.TABLE, Category.PICTURE)
    if unfit or not text or len(text) > (LONGEST if near else KEY) or not (near or outermost or _in_side(block, page)):
        return None
    said = _said(block)
    counted = COUNTED if any(map(str.isalpha, said)) else DIGITS  # a number alone counts pages, a year or not
    return counted.sub("#", said)[:KEY], _place(block)


def _in_margin(block: Block, page: Page) -> bool:
    return block.box.y1 < EDGE * page.height or block.box.y0 > (1 - EDGE) * page.height


def _in_side(block: Block, page: Page) -> bool:
    """Return whether it stands in a strip along the left or right edge, as what names a talk on all its slides."""
    return block.box.x1 < EDGE * page.width or block.box.x0 > (1 - EDGE) * page.width
