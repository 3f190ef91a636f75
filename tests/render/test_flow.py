"""Paragraphs cut by a page are one again, wherever their halves are."""

import pytest
from blocks import block, page, table
from hypothesis import given
from hypothesis import strategies as st
from typeset import grid_of

from docparse.render.flow import flow
from docparse.types import Page

CUT, REST = block("Text", "cut in"), block("Text", "two", continues=True)
PAGES = {
    "across pages, figures and footnotes": (
        [page(1, block("Text", "first"), CUT, block("Footnote", "note")), page(2, block("Table")),
         page(3, block("Picture", image="p.png"), block("Caption", "figure"), REST),
         page(4, block("Text", "and three", continues=True), block("Text", "next"))],
        ["page 1", "first", "cut in two and three", "note", "page 2", "", "page 3", "", "figure", "page 4", "next"]),
    "not across a failed page": (
        [page(1, CUT), page(2, failed="crash"), page(3, REST)], ["page 1", "cut in", "page 2", "page 3", "two"]),
    **{f"not across a {kind}": (
        [page(1, CUT, block(kind, "h")), page(2, REST)], ["page 1", "cut in", "h", "page 2", "two"])
       for kind in ("Section-header", "Title", "Formula")},
    "an item": ([page(1, block("List-item", "an item", marker="2.")), page(2, REST)],
                ["page 1", "2. an item two", "page 2"]),
    "of nothing": ([page(1, REST)], ["page 1", "two"]),
}  # fmt: skip


@pytest.mark.parametrize("pages, shown", PAGES.values(), ids=PAGES)
def test_a_paragraph_goes_on(pages, shown):
    assert [f"page {item.number}" if isinstance(item, Page) else f"{item.block.marker} {item.block.text}".strip()
            for item in flow(pages)] == shown  # fmt: skip


def test_a_table_goes_on_without_its_header_printed_again():
    def rows(*texts):
        return [[cell for cell in text.split()] for text in texts]

    upper, lower = (table(*rows("No Name", *more)) for more in (("1 Ash",), ("2 Birch", "3 Cedar")))
    pages = [page(1, block("Text", "open,"), block("Table", table=upper)),
             page(2, block("Table", table=lower, continues=True), block("Text", "words", continues=True))]  # fmt: skip
    parts = [item.block for item in flow(pages) if not isinstance(item, Page)]
    assert [part.text for part in parts] == ["open, words", ""]
    assert grid_of(parts[1].table) == rows("No Name", "1 Ash", "2 Birch", "3 Cedar")


def test_a_paragraph_does_not_wait_forever():
    """A thousand pictures after an open paragraph are not kept in memory."""

    def pages():
        yield page(1, block("Text", "open"))
        for number in range(2, 1000):
            alive.append(number)
            yield page(number, block("Picture", image="p.png"))

    alive, waiting = [], 0
    for item in flow(pages()):
        if isinstance(item, Page) and alive:
            waiting = max(waiting, alive[-1] - item.number)
    assert waiting < 20


@given(st.lists(st.lists(st.tuples(st.sampled_from(["Text", "Picture", "Formula", "Footnote"]), st.booleans()))))
def test_no_word_and_no_page_is_lost_or_doubled(plan):
    number = iter(range(10_000))
    pages = [
        page(n, *(block(category, f"w{next(number)}", continues=goes_on) for category, goes_on in blocks))
        for n, blocks in enumerate(plan, start=1)
    ]
    items = list(flow(pages))
    words = [word for item in items if not isinstance(item, Page) for word in item.block.text.split()]
    assert sorted(words) == sorted(b.text for p in pages for b in p.blocks)
    assert [item.number for item in items if isinstance(item, Page)] == [p.number for p in pages]
