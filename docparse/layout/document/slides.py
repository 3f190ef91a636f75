"""The titles of slides: what stands at one height at the top of most slides heads them all, however large it is set."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from statistics import median

from docparse.layout.document.levels import HeadingStyle, heading_style
from docparse.layout.text.wording import ends_sentence
from docparse.types import Block, Category, Page

FEWEST, SHARE = 3, 0.6  # slides of a deck, and of them those with a title
UPPER = 0.35  # share of the height in which a title begins
NEAR, SAME = 0.1, 0.01  # share of the height by which titles of one or more lines begin apart, and those of one line
LARGER = 1.02  # times all other text of the slide: a title that looks like no heading otherwise
LONGEST = 120  # characters
OPENS = 1.1  # times the usual size of the titles of slides: the title of them all, where the first slide has it


class Slides:
    """Two passes over a document's pages: `add` each, then ask for the titles of each."""

    def __init__(self) -> None:
        self._pages = 0
        self._found: list[tuple[float, HeadingStyle, bool]] = []  # of each slide: place, style, a heading already

    def add(self, page: Page) -> None:
        """First pass: learn from one page."""
        self._pages += any(not block.category.is_furniture for block in page.blocks)
        at = _title(page)
        if at is not None:
            block = page.blocks[at]
            self._found.append((block.box.y0 / page.height, heading_style(block), block.category.is_heading))

    def title_of(self, page: Page, *, first: bool) -> int | None:
        """Return which block is the title of a slide, None without one; on the `first` page it may be the deck's."""
        if self._place is None:
            return None
        at = _title(page)
        if at is not None and (
            self._stands_there(page.blocks[at].box.y0 / page.height) or (first and self.opens(page, at))
        ):
            return at
        return None if first else self._like_others(page, self._place)

    def opens(self, page: Page, at: int) -> bool:
        """Return whether block `at` is the title of the whole deck: larger than most, over lines of text alone."""
        others = [b for i, b in enumerate(page.blocks) if i != at and not b.category.is_furniture]
        plain = all((b.category.is_heading or b.category is Category.TEXT) and len(b.text) <= LONGEST for b in others)
        return plain and page.blocks[at].font_size > OPENS * self._size

    def _like_others(self, page: Page, place: float) -> int | None:
        """Return what stands right at the `place` of titles, in their type, though there is larger text; or the one
        line of a slide in such type, which names those that follow."""
        texts = _texts(page)
        if page.width <= page.height or not texts:
            return None
        at, top = min(texts, key=lambda pair: pair[1].box.y0)
        shown = [b for b in page.blocks if not b.category.is_furniture and b.category is not Category.PICTURE]
        there = abs(top.box.y0 / page.height - place) < SAME and 1 / LARGER < top.font_size / self._size < LARGER
        alone = len(shown) == 1 and top.font_size * LARGER > self._size and not ends_sentence(top.text.strip())
        plain = top.category is Category.TEXT and _is_name(top.text.strip())
        return at if plain and (there or alone) else None

    @cached_property
    def _size(self) -> float:
        """The usual size of the titles, points."""
        return median(style.size for _, style, _ in self._found)

    @cached_property
    def styles(self) -> Counter[HeadingStyle]:
        """The one style that ranks the titles of all slides, in the largest of their sizes; empty without slides."""
        styles = self._titles()
        if not styles:
            return Counter()
        bold = 2 * sum(style.bold for style in styles) > len(styles)
        return Counter({HeadingStyle(max(style.size for style in styles), bold, 0): len(styles)})

    def ranked(self, headings: Counter[HeadingStyle]) -> Counter[HeadingStyle]:
        """Return the styles of all headings, `headings`, without those of the titles."""
        return headings - Counter(self._titles(known=True))

    def _titles(self, *, known: bool = False) -> list[HeadingStyle]:
        """The styles of the titles, or of those that are headings already."""
        return [style for place, style, is_heading in self._found if self._stands_there(place) and known <= is_heading]

    def _stands_there(self, place: float) -> bool:
        return self._place is not None and abs(place - self._place) < NEAR

    @cached_property
    def _place(self) -> float | None:
        """Return where most titles begin; None where too few slides have one, or half of them begin here and half
        there."""
        if self._pages < FEWEST or len(self._found) < SHARE * self._pages:
            return None
        place = median(place for place, *_ in self._found)
        return place if any(abs(other - place) < NEAR for other, *_ in self._found) else None


def _texts(page: Page) -> list[tuple[int, Block]]:
    """The blocks with text but for furniture, and where they are among the page's."""
    return [(i, block) for i, block in enumerate(page.blocks) if block.font_size and not block.category.is_furniture]


def _title(page: Page) -> int | None:
    """The topmost text of a page that is wider than high, if it is a heading or in the largest type."""
    texts = _texts(page)
    if page.width <= page.height or not texts:
        return None
    at, top = min(texts, key=lambda pair: pair[1].box.y0)
    others = max((block.font_size for i, block in texts if i != at), default=0.0)
    heads = top.category.is_heading or (top.category is Category.TEXT and top.font_size > LARGER * others)
    text = top.text.strip()
    named = _is_name(text) and not ends_sentence(text)
    return at if heads and named and top.box.y0 < UPPER * page.height else None


def _is_name(text: str) -> bool:
    return 2 <= len(text) <= LONGEST and any(map(str.isalpha, text))
