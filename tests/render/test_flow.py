"""Paragraphs cut by a page are one again, wherever their halves are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.render.flow import flow
from docparse.types import Page


def shown(items) -> list[str]:
    return [f"page {item.number}" if isinstance(item, Page) else item.text for item in items]


def test_a_paragraph_goes_on_across_pages_figures_and_footnotes(block, page):
    pages = [
        page(1, block("Text", "first"), block("Text", "cut in"), block("Footnote", "note")),
        page(2, block("Table")),
        page(3, block("Picture", image="p.png"), block("Caption", "figure"), block("Text", "two", continues=True)),
        page(4, block("Text", "and three", continues=True), block("Text", "next")),
    ]
    expected = [
        "page 1",
        "first",
        "cut in two and three",
        "note",
        "page 2",
        "",
        "page 3",
        "",
        "figure",
        "page 4",
        "next",
    ]
    assert shown(flow(pages)) == expected


def test_a_paragraph_does_not_reach_across_a_failed_page(block, page):
    pages = [page(1, block("Text", "cut in")), page(2, failed="crash"), page(3, block("Text", "two", continues=True))]
    assert shown(flow(pages)) == ["page 1", "cut in", "page 2", "page 3", "two"]


def test_a_list_item_goes_on_too(block, page):
    pages = [page(1, block("List-item", "an item", marker="2.")), page(2, block("Text", "goes on", continues=True))]
    item = list(flow(pages))[1]
    assert (item.text, item.marker, item.category) == ("an item goes on", "2.", "List-item")


@pytest.mark.parametrize("category", ["Section-header", "Title", "Formula"])
def test_words_never_move_across_a_heading_or_formula(block, page, category):
    pages = [page(1, block("Text", "a"), block(category, "h")), page(2, block("Text", "b", continues=True))]
    assert shown(flow(pages)) == ["page 1", "a", "h", "page 2", "b"]


def test_a_continuation_of_nothing_is_a_paragraph(block, page):
    assert shown(flow([page(1, block("Text", "b", continues=True))])) == ["page 1", "b"]


def test_a_paragraph_does_not_wait_forever(block, page):
    """A thousand pictures after an open paragraph are not kept in memory."""

    def pages():
        yield page(1, block("Text", "open"))
        for number in range(2, 1000):
            alive.append(number)
            yield page(number, block("Picture", image="p.png"))

    alive: list[int] = []
    waiting = 0
    for item in flow(pages()):
        if isinstance(item, Page) and alive:
            waiting = max(waiting, alive[-1] - item.number)
    assert waiting < 20


@given(st.lists(st.lists(st.tuples(st.sampled_from(["Text", "Picture", "Formula", "Footnote"]), st.booleans()))))
def test_no_word_and_no_page_is_lost_or_doubled(block, page, plan):
    number = iter(range(10_000))
    pages = [
        page(n, *(block(category, f"w{next(number)}", continues=goes_on) for category, goes_on in blocks))
        for n, blocks in enumerate(plan, start=1)
    ]
    items = list(flow(pages))
    words = [word for item in items if not isinstance(item, Page) for word in item.text.split()]
    assert sorted(words) == sorted(b.text for p in pages for b in p.blocks)
    assert [item.number for item in items if isinstance(item, Page)] == [p.number for p in pages]
