"""The outline of a document: titles, levels, running heads that repeat, paragraphs cut by columns and pages."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.document.levels import HeadingLevels, HeadingStyle, number_depth
from docparse.layout.document.outline import Outline, carries_on
from docparse.types import Block, Box, Category, Page, Span

PROSE = "a sentence that goes on for long enough to be the running text of a page and its size. " * 3


def block(category: Category, text: str, top: float, *, size: float = 10.0, x: float = 60, **fields) -> Block:
    box = Box(x, top, x + 200, top + size)
    return Block(category=category, box=box, spans=(Span(text),), font_size=size, **fields)


def heading(text: str, top: float = 300, size: float = 12.0, **fields) -> Block:
    return block(Category.SECTION_HEADER, text, top, size=size, **fields)


def text(words: str = PROSE, top: float = 320, **fields) -> Block:
    return block(Category.TEXT, words, top, **fields)


def refined(*pages: list[Block]) -> list[list[Block]]:
    outline = Outline()
    numbered = [Page(number=n, width=600, height=800, blocks=tuple(p)) for n, p in enumerate(pages, 1)]
    for page in numbered:
        outline.add(page)
    return [list(outline.refine(page).blocks) for page in numbered]


def levels(*pages: list[Block]) -> list[int]:
    kinds = (Category.TITLE, Category.SECTION_HEADER)
    return [b.level for page in refined(*pages) for b in page if b.category in kinds]


def test_the_one_largest_heading_of_the_first_page_is_the_title() -> None:
    [first], _ = refined([heading("On Things", 60, 20)], [heading("Results"), text()])
    assert (first.category, first.level) == (Category.TITLE, 1)


def test_a_title_that_a_model_wrote_is_the_only_one() -> None:
    title = block(Category.TITLE, "On Things", 60, size=14)
    [first, second, _] = refined([title, heading("Results", 90, 20), text()])[0]
    assert (first.category, second.category) == (Category.TITLE, Category.SECTION_HEADER)


def test_a_heading_of_which_only_the_level_is_known_keeps_it() -> None:
    assert levels([text(), heading("One", size=0.0, level=3), heading("Two", size=0.0, level=5)]) == [3, 5]


def test_items_of_which_only_the_level_is_known_keep_it() -> None:
    items = [block(Category.LIST_ITEM, "An item", 300, size=0.0, marker="•", level=level) for level in (0, 1, 2, 0)]
    assert [item.level for item in refined(items)[0]] == [0, 1, 2, 0]


def test_the_words_of_a_title_in_two_lines_keep_their_tokens() -> None:
    lines = [heading("On Things", 60, 20, tokens=4, draft_tokens=3), heading("and Others", 82, 20, tokens=5)]
    [title, *_], _ = refined([*lines, text()], [heading("Results"), text()])
    assert (title.text, title.tokens, title.draft_tokens) == ("On Things and Others", 9, 3)


def test_authors_under_the_title_are_no_sections_where_sections_have_numbers() -> None:
    front = [heading("Tides without tables", 85, 20, x=200), heading("Ruth Callaghan", 137, 14, x=187)]
    front += [heading("Pim de Boer", 137, 14, x=331), heading("June 2023", 165, 14, x=198)]
    [page] = refined([*front, text(top=211, x=57), heading("1 Introduction", 303, 14, x=57), text(top=330, x=57)])
    kinds = [b.category for b in page]
    assert kinds[:5] == [Category.TITLE, *[Category.TEXT] * 4] and kinds[5] is Category.SECTION_HEADER
    [page] = refined([*front, text(top=211, x=57), heading("Introduction", 303, 14, x=57), text(top=330, x=57)])
    assert [b.category for b in page][1:4] == [Category.SECTION_HEADER] * 3


def test_names_over_the_abstract_are_no_sections_and_what_stands_before_it_in_large_type_is_one() -> None:
    front = [heading("Tides without tables", 85, 20), heading("Ruth Callaghan", 137, 12), text(top=160)]
    front += [heading("Pim de Boer", 190, 12), text(top=210)]
    body = [heading("Abstract", 303, 12), text(top=330), heading("Tides", 400, 12), text(top=430)]
    [page] = refined([*front, *body])
    sections = [block.text for block in page if block.category is Category.SECTION_HEADER]
    assert sections == ["Abstract", "Tides"]
    [page] = refined([*front, heading("Part I", 260, 16), *body])
    assert "Part I" in [block.text for block in page if block.category is Category.SECTION_HEADER]


def test_headings_of_a_series_have_no_title_among_them() -> None:
    assert levels([heading("The Tyger", 60, 16), text(top=90), heading("A Poison Tree", 200, 16), text()]) == [2, 2]


def test_a_title_set_in_two_wide_lines_is_one_block() -> None:
    page, _ = refined(
        [heading("Chapter 4", 60, 24), heading("The Guild", 100, 24), text()], [heading("Prices"), text()]
    )
    assert [b.text for b in page if b.category is Category.TITLE] == ["Chapter 4 The Guild"]


def test_subtitles_are_no_sections() -> None:
    cover = [heading("Annual Report", 200, 28), heading("City of Riverton", 250, 18), text("2023", 300)]
    cover, _ = refined(cover, [heading("1 Summary"), text()])
    assert cover[1].category is Category.TEXT


def test_section_numbers_say_the_level() -> None:
    pages = [[heading("On Things", 60, 20), text(top=90)]]
    pages += [[heading(t), text()] for t in ("1 Introduction", "1.1 Why", "1.1.1 How", "2 Results", "2.1 Data")]
    assert levels(*pages) == [1, 2, 3, 4, 2, 3]


def test_an_unnumbered_heading_in_the_style_of_sections_is_a_section() -> None:
    pages = [[heading(t, size=s), text()] for t, s in (("1 Intro", 14), ("1.1 Why", 12), ("References", 14))]
    assert levels(*pages)[-1] == levels(*pages)[0]


def test_sizes_say_the_level_where_there_are_no_numbers() -> None:
    sizes = (16, 12, 11, 16, 12)
    assert levels(*[[heading(f"About {i}", size=s), text()] for i, s in enumerate(sizes)]) == [2, 3, 4, 2, 3]


@given(st.lists(st.tuples(st.sampled_from([9, 10.5, 12, 14, 18, 24]), st.booleans(), st.integers(0, 4)), min_size=1))
def test_a_style_has_one_level_and_no_level_is_left_out(raw: list[tuple[float, bool, int]]) -> None:
    styles = [HeadingStyle(*entry) for entry in raw]
    ranks = HeadingLevels(Counter(styles))
    found = {ranks.level(style) for style in styles}
    assert found == set(range(2, 2 + len(found)))
    assert len(found) <= 5


@pytest.mark.parametrize(
    ("words", "depth"),
    [("3 Results", 1), ("3.1. Data", 2), ("IV. Results", 1), ("B. Data", 2), ("Results", 0), ("2024 in figures", 0)],
)
def test_the_depth_of_a_number(words: str, depth: int) -> None:
    assert number_depth(words) == depth


def test_lines_that_repeat_at_the_same_height_are_running_heads() -> None:
    pages = refined(*[[text(f"The Guild Economy {n}", 40), text()] for n in range(6)])
    assert all(page[0].category is Category.PAGE_HEADER for page in pages)
    notes = refined(*[[text(), text("This note is given in good faith and without warranty", 780)] for _ in range(3)])
    assert all(page[1].category is Category.PAGE_FOOTER for page in notes)


def test_the_outermost_line_of_a_small_page_on_a_large_sheet_is_a_running_head_where_it_repeats() -> None:
    pages = refined(*[[text("The Guild Economy", 120), text()] for _ in range(6)])
    assert all(page[0].category is Category.PAGE_HEADER for page in pages)
    twice = refined(*[[text("May 5, 2023", 120), text()] for _ in range(2)])
    inside = refined(*[[text("Yes.", 60), text("The Guild Economy", 120), text()] for _ in range(6)])
    assert twice[0][0].category is inside[0][1].category is Category.TEXT


def test_alternating_heads_of_left_and_right_pages_are_found() -> None:
    heads = ["The Wanderer’s Return", "The Harbour at Night"]
    pages = refined(*[[text(heads[n % 2], 40), text()] for n in range(8)])
    assert all(page[0].category is Category.PAGE_HEADER for page in pages)


def test_text_that_repeats_inside_the_page_or_once_on_a_page_twice_stays() -> None:
    assert all(p[0].category is Category.TEXT for p in refined(*[[text("Yes.", 300), text()] for _ in range(6)]))
    [page] = refined([text("The same words.", 780), text("The same words.", 780, x=320), text()])
    assert [b.category for b in page[:2]] == [Category.TEXT, Category.TEXT]


def test_large_headings_that_come_back_on_some_slides_stay() -> None:
    slides = [[heading("Results" if n < 4 else f"Topic {'abcdefghij'[n]}", 40, 30), text()] for n in range(10)]
    assert all(page[0].category is not Category.PAGE_HEADER for page in refined(*slides))


def test_large_words_on_a_bare_page_are_a_heading_like_the_others() -> None:
    pages = refined(
        [heading("Agenda", 40, 30), text()], [heading("Costs", 40, 30), text()], [text("Thank you!", 40, size=30)]
    )
    assert pages[2][0].category is Category.SECTION_HEADER


def test_a_paragraph_cut_by_a_page_break_carries_on() -> None:
    _, page = refined([text("It was the best of", 700)], [text("times, it was the worst.", 60), text("New one.", 90)])
    assert [b.continues for b in page] == [True, False]


def test_figures_and_footnotes_between_the_halves_do_not_part_them_but_headings_do() -> None:
    note = block(Category.FOOTNOTE, "1 A note.", 750)
    rest = text("times, it was the worst.", 60)
    assert refined([text("It was the best of", 700), note], [rest])[1][0].continues
    assert not refined([text("It was the best of", 700), heading("New", 720)], [rest])[1][0].continues


def test_a_list_item_carries_on_only_in_another_column_or_page() -> None:
    item = block(Category.LIST_ITEM, "bring your passport and", 700, marker="•")
    assert refined([item], [text("two photographs.", 60)])[1][0].continues
    assert not refined([item, text("two photographs.", 720)])[0][1].continues


def test_another_size_does_not_carry_on() -> None:
    assert carries_on(text("It was the best of"), text("times"))
    assert not carries_on(text("It was the best of"), text("times", size=8.0))
    assert not carries_on(text("It was the best."), text("times"))


def test_pages_that_failed_are_no_trouble() -> None:
    assert refined([], [heading("Results"), text()], [])[0] == []


@pytest.mark.parametrize("between", ["failed page", "partial page", "page that was not asked for"])
def test_a_paragraph_does_not_carry_on_over_what_nobody_has_read(between: str) -> None:
    first, second = text("It was cut in", 700), text("two by a page break.", 60)
    pages = [Page(number=1, width=600, height=800, blocks=(first,))]
    if between != "page that was not asked for":
        status = "failed" if between == "failed page" else "partial"
        pages.append(Page(number=2, width=600, height=800, status=status))
    pages.append(Page(number=3, width=600, height=800, blocks=(second,)))
    outline = Outline()
    for page in pages:
        outline.add(page)
    assert not any(block.continues for page in pages for block in outline.refine(page).blocks)
