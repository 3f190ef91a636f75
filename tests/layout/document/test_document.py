"""The outline of a document: titles, levels, running heads that repeat, paragraphs cut by columns and pages."""

from collections import Counter

import blocks
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.document.levels import HeadingLevels, HeadingStyle, number_depth
from docparse.layout.document.outline import Outline
from docparse.types import Block, Box, Category, Page, Span

PROSE = "a sentence that goes on for long enough to be the running text of a page and its size. " * 3
TITLE, HEADING, TEXT, HEADER = Category.TITLE, Category.SECTION_HEADER, Category.TEXT, Category.PAGE_HEADER


def block(category, text, top, *, size=10.0, x=60, **fields):
    box = Box(x, top, x + 200, top + size)
    return Block(category=category, box=box, spans=(Span(text),), font_size=size, **fields)


def heading(words, top=300, size=12.0, **fields):
    return block(HEADING, words, top, size=size, **fields)


def text(words=PROSE, top=320, **fields):
    return block(TEXT, words, top, **fields)


def item(top=300, words="An item", **fields):
    return block(Category.LIST_ITEM, words, top, marker="•", **fields)


def sheet(number, blocks=(), **fields):
    return Page(number=number, width=600, height=800, blocks=tuple(blocks), **fields)


def refined(*pages):
    outline = Outline()
    numbered = [page if isinstance(page, Page) else sheet(n, page) for n, page in enumerate(pages, 1)]
    for page in numbered:
        outline.add(page)
    return [list(outline.refine(page).blocks) for page in numbered]


def texts(page, category=HEADING):
    return [block.text for block in page if block.category is category]


def levels(*pages):
    return [b.level for page in refined(*pages) for b in page if b.category in (TITLE, HEADING)]


def slides(*sizes, body=20.0, opening=None):
    """Slides with a title of each size, None for one that is no heading yet, or not at its place."""
    pages = [opening] if opening else []
    for size in sizes:
        title = text("A title", 50, size=24.0) if size is None else heading("A title", 50, size)
        pages.append([title, item(200, size=body), text("words", 300, size=body)])
    return [slide(n, *page) for n, page in enumerate(pages, 1)]


def slide(number, *blocks):
    return Page(number=number, width=800, height=600, blocks=blocks)


def opening(top, size):
    return [heading("The deck", top, size), text("by A. Bell", 300, size=20.0)]


DECKS = {  # slides, and the levels of their headings
    "titles of several sizes": (slides(44.0, 36.0, 28.0, 40.0), [2, 2, 2, 2]),
    "a title that is no heading yet": (slides(28.0, 44.0, None, 44.0), [2, 2, 2, 2]),
    "other headings below a title": (
        [*slides(44.0, 36.0, 28.0), slide(4, heading("Aims", 50, 30.0), heading("Means", 200, 30.0), text())],
        [2, 2, 2, 2, 3]),
    "the title of the deck is larger where the others stand": (
        slides(28.0, 28.0, 28.0, opening=opening(60, 34.0)), [1, 2, 2, 2]),
    "the title of the deck stands elsewhere": (slides(28.0, 28.0, 28.0, opening=opening(200, 28.0)), [1, 2, 2, 2]),
    "a deck's title that is no heading yet": (
        slides(28.0, 28.0, 28.0, opening=[text("The deck", 150, size=34.0), text("by A. Bell", 300, size=20.0)]),
        [1, 2, 2, 2]),
    "a slide that names those after it": (
        [*slides(28.0, 28.0, 28.0), slide(4, text("The second part", 280, size=34.0))], [2, 2, 2, 2]),
    "text alone on a slide": (
        [*slides(28.0, 28.0, 28.0), slide(4, text(PROSE, 280, size=34.0))], [2, 2, 2]),
    "a question over text as large": (
        [*slides(28.0, 28.0, 28.0), slide(4, text("What is it?", 50, size=28.0), text(PROSE, 200, size=28.0))],
        [2, 2, 2, 2]),
    "titles at two heights": (
        [*(slide(n, heading("A title", top, 28.0), text("words", 300)) for n, top in enumerate((6, 6, 198, 198), 1)),
         slide(5, text("The second part", 280, size=34.0))], [1, 2, 2, 2]),
    "nothing but an icon on a slide": ([*slides(28.0, 28.0, 28.0), slide(4, text("", 50, size=34.0))], [2, 2, 2]),
    "large type on few slides": ([*slides(None, opening=[text(), text()]), slide(3, text())], []),
}  # fmt: skip


@pytest.mark.parametrize("pages, expected", DECKS.values(), ids=DECKS)
def test_titles_of_slides_have_one_level_and_the_deck_the_first(pages, expected):
    assert levels(*pages) == expected


def heads(*pages):
    """The headings of the first page: a title behind =, a section behind as many # as its level says."""
    marks = {TITLE: "=", HEADING: "#"}
    return [f"{marks[b.category] * b.level} {b.text}" for b in refined(*pages)[0] if b.category in marks]


LONG = "Prose that goes on for more than a line or two. " * 4
LATER = [heading("Results"), text()]
ABSTRACT = [heading("Abstract", 200, 14), text(top=220)]
TOP = heading("Tides without tables", 85, 20)
NAMED = [heading("Ruth Callaghan", 137, 12), text(top=160), heading("Pim de Boer", 190, 12), text(top=210)]
SEA = [heading("On the sea", 70, 20), heading("An author", 95)]
COVER = [text("University of Hull", 80), heading("Tides without tables", 200, 24), heading("R Callaghan", 300, 14)]
LEDGER = heading("The Accounts", 50, 24)
WIDE = msgspec.structs.replace(text(top=300), box=Box(60, 300, 560, 400))
BOLD = [heading("The Accounts", 50, 24, bold=True), text("Jo Day", 75, size=23.5, bold=True)]
FRONTS = {  # the first page, those after it, and the headings of the first
    "one largest heading": ([heading("On Things", 60, 20)], LATER, ["= On Things"]),
    "the first words over an abstract": (
        [heading("On Tides", 60, 14), heading("Ruth Callaghan", 90, 12), text("ruth@tides.org", 110), *ABSTRACT],
        [heading("1 Tables", size=14), text()], ["= On Tides", "## Abstract"]),
    "a section over an abstract": (
        [heading("3 Results", 60, 14), *ABSTRACT], ["## 3 Results", "## Abstract"]),
    "the name of a journal over a title like it": (
        [heading("Journal of Bulbs", 40, 14), heading("The trade in June", 120, 14), text()], ["= The trade in June"]),
    "the larger name of a journal over a title that is no heading yet": (
        [heading("Journal of Bulbs", 40, 28), text("The trade in June", 120, size=17), heading("1 Aims", 280), text()],
        ["= The trade in June", "## 1 Aims"]),
    "the name of a journal over a title of two lines in bold": (
        [heading("Journal of Bulbs", 40, 15), heading("The trade", 120, 15, bold=True),
         text("in June", 136, size=14.5, bold=True), text()], ["= The trade in June"]),
    "the name of a journal alone": ([heading("Journal of Bulbs", 40, 20), text()], ["= Journal of Bulbs"]),
    "a book that is called a journal": (
        [heading("A Journal of the Plague Year", 40, 30), text("Daniel Defoe", 120, size=16), text()], [text()],
        ["= A Journal of the Plague Year"]),
    "a title with a number, larger than all sections": (
        [heading("2 Tides in harbours", 60, 20), text()], LATER, ["= 2 Tides in harbours"]),
    "a section with a number, nearly as large as others": (
        [heading("2 Tides in harbours", 60, 14), text()], [heading("Results", size=13.9), text()],
        ["## 2 Tides in harbours"]),
    "a title that a model wrote": (
        [block(TITLE, "On Things", 60, size=14), heading("Results", 90, 20), text()], ["= On Things", "## Results"]),
    **{f"a line under a title: {words}, {top}": (
        [LEDGER, text(words, top, size=23.5, bold=bold), text(top=300)], LATER, [f"= {title}"])
       for words, top, bold, title in (
           ("of the Guild", 75, False, "The Accounts of the Guild"), ("and of it", 75, False, "The Accounts and of it"),
           ("in bold", 75, True, "The Accounts"), ("Jo Day", 100, False, "The Accounts"),
           *((names, 75, False, "The Accounts") for names in ("Jo Day, Al Fox", "Jo Day and Al Fox", "Jo Day*")))},
    "a full line under a title of its weight": ([*BOLD, text()], [text()], ["= The Accounts Jo Day"]),
    "a line that is not full under one": ([*BOLD, WIDE], [text()], ["= The Accounts"]),
    "a line farther under one": (
        [BOLD[0], text("Jo Day", 100, size=24, bold=True), text()], [text()], ["= The Accounts"]),
    "a section over its first numbered one": (
        [TOP, heading("Tides", 137, 14, x=57), heading("1 Moons", 165, 14, x=87), text(top=190, x=102)],
        ["= Tides without tables", "## Tides", "## 1 Moons"]),
    "three names over prose": (
        [TOP, heading("Ruth Callaghan, Pim de Boer, and T. Wu", 137, 14), text(LONG)], ["= Tides without tables"]),
    "two that may be things over prose": (
        [TOP, heading("Fruit Trees and Kitchen Herbs", 137, 14), text(LONG, 160)],
        ["= Tides without tables", "## Fruit Trees and Kitchen Herbs"]),
    "a country's initials over prose": (
        [TOP, heading("U.S. Economy", 137, 14), text(LONG, 160)], ["= Tides without tables", "## U.S. Economy"]),
    "a subtitle, nearer to the title than to prose": (
        [TOP, heading("Kept by hand", 112, 14), text(LONG, 160)], ["= Tides without tables"]),
    "names further down": (
        [TOP, text(LONG, 137), heading("R. J. CALLAGHAN", 200, 14), text("wrote this")],
        ["= Tides without tables", "## R. J. CALLAGHAN"]),
    "authors over the abstract": (
        [TOP, *NAMED, heading("Abstract", 303, 12), text(top=330), heading("Tides", 400, 12), text(top=430)],
        ["= Tides without tables", "## Abstract", "## Tides"]),
    "a name and a date in smaller type than sections": (
        [TOP, NAMED[0], heading("3 May 2021", 165, 12), heading("1 Moons", 210, 14), text()],
        ["= Tides without tables", "## 1 Moons"]),
    "an abstract in smaller type than sections": (
        [TOP, heading("Abstract", 137, 12), text(LONG, 160), heading("1 Moons", 260, 14), text()],
        ["= Tides without tables", "## Abstract", "## 1 Moons"]),
    "a section in the type of others over a larger one": (
        [TOP, heading("Tides", 137, 12), text(), heading("Moons", 210, 14), text(), heading("Stars", 310, 12)],
        ["= Tides without tables", "### Tides", "## Moons", "### Stars"]),
    "lines in the type of headings close under the title": (
        [*SEA, heading("Spring 2022", 113), text(top=160), *LATER], ["= On the sea", "## Results"]),
    "lines in the type of headings that are no stack": (
        [*SEA, heading("Spring 2022", 140), text(top=160), *LATER],
        ["= On the sea", "## An author", "## Spring 2022", "## Results"]),
    "a name and a date as close under the title as its type is large": (
        [SEA[0], heading("An author", 106, 14), heading("24 March 2023", 135, 14), text(top=180),
         heading("Tides", 300, 14, bold=True), text()], ["= On the sea", "## Tides"]),
    "a cover, whatever style the chapters have": (
        [*COVER, text("2024", 700)], [heading("Tides", 100, 24), text(), heading("Moons", 400, 24), text(LONG, 430)],
        ["= Tides without tables"]),
    "sections alone under a title": (
        [*COVER, heading("Also in this series", 400, 14)],
        ["= Tides without tables", "## R Callaghan", "## Also in this series"]),
    "a subtitle on a cover": (
        [heading("Annual Report", 200, 28), heading("City of Riverton", 250, 18), text("2023", 300)],
        [heading("1 Summary"), text()], ["= Annual Report"]),
}  # fmt: skip


@pytest.mark.parametrize("case", FRONTS.values(), ids=FRONTS)
def test_the_first_page_has_one_title_and_names_under_it_are_no_sections(case):
    *pages, expected = case
    assert heads(*pages) == expected


def test_a_title_in_two_lines_is_one_block_with_the_tokens_of_both():
    title = [heading("Chapter 4", 60, 24, tokens=4, draft_tokens=3), heading("The Guild", 118, 24, tokens=5)]
    [first, *_], _ = refined([*title, text()], [heading("Prices"), text()])
    assert (first.category, first.text, first.tokens, first.draft_tokens) == (TITLE, "Chapter 4 The Guild", 9, 3)


def test_what_only_the_model_knows_the_level_of_keeps_it():
    assert levels([text(), heading("One", size=0.0, level=3), heading("Two", size=0.0, level=5)]) == [3, 5]
    assert [b.level for b in refined([item(size=0.0, level=level) for level in (0, 1, 2, 0)])[0]] == [0, 1, 2, 0]


def each(*heads):
    """A page for every heading, with text under it; a number is a size."""
    sizes = [head if isinstance(head, tuple) else (head, 12) for head in heads]
    return [[heading(words, size=size), text()] for words, size in sizes]


LEVELS = {
    "a heading without a number between sections and what they hold": (
        each(("1 Aims", 14), ("2 Data", 14), ("Index Terms", 12), ("2.1 Sizes", 10), ("2.1.1 Large", 10)),
        [2, 2, 3, 3, 4]),
    "a small abstract right under the title, and other words there": (
        [[heading("On Things", 60, 20), text(top=90), heading("Abstract", 200, 11), text(top=220),
          heading("Notes", 300, 11), text()], *each("Aims", ("Use", 11))], [1, 2, 3, 2, 3]),
    "a small heading right under the title": (
        [[heading("On Things", 60, 20), text(top=90), heading("Notes", 200, 11), text(top=220)],
         *each("Aims", ("Use", 11))], [1, 3, 2, 3]),
    "numbers of sections": (
        [[heading("On Things", 60, 20), text(top=90)],
         *each("1 Introduction", "1.1 Why", "1.1.1 How", "2 Results", "2.1 Data")], [1, 2, 3, 4, 2, 3],
    ),
    "chapters over sections whose numbers have two parts": (
        each(("Chapter 1", 20), ("On Reading", 24), ("1.1 Letters", 14), ("1.1.1 Capitals", 12)), [1, 2, 3, 4]),
    "parts over sections that are numbered through": (
        each(("Part I. Plots", 10), "1. Aims", "2. Use", ("Part II. Rules", 10), "3. Fees", ("Schedule 1. Sums", 10)),
        [2, 3, 3, 2, 3, 2]),
    "capitals over small letters in one type": (each("METHODS", "Coils", "Images", "RESULTS"), [2, 3, 3, 2]),
    "a part in small type under a larger heading": (
        each(("Annual Review", 20), ("Part I – Law", 12), "1 Aims", ("Notes", 20)), [2, 2, 3, 2]),
    "capitals, a year and Chinese": (each("METHODS", "Coils", "1984", "方法", "RESULTS"), [2, 3, 2, 2, 2]),
    "a title in capitals": (
        [[heading("ANNUAL REPORT", 60, 24), text(top=90)], *each("1.1 Aims", "1.2 Use")], [1, 2, 2]),
    "capitals that come first alone": (each("NAME", "SYNOPSIS", "Examples", "Notes"), [2, 2, 2, 2]),
    "a style that others with numbers have": (each(("1 Intro", 14), ("1.1 Why", 12), ("References", 14)), [2, 3, 2]),
    "sizes where there are no numbers": (
        each(*((f"About {i}", size) for i, size in enumerate((16, 12, 11, 16, 12)))), [2, 3, 4, 2, 3],
    ),
    "small headings that hold larger ones": (
        [[text()], *([heading(f"On {a}", 60, 9), heading(f"What is {a}?", 90, 12), text(top=120),
                      heading(f"Why {a}?", 300, 12), text()] for a in "mn"), *each(("On o", 9))],
        [2, 3, 3, 2, 3, 3, 2]),
    "one small heading over a larger one": (
        [[text()], [heading("On m", 60, 9), heading("What?", 90, 12), text()], *each(("Why?", 12), ("On n", 9))],
        [3, 2, 2, 3]),
    "what comes back under headings in its style": (
        each("Sheet 5", "Sums of roots", "Solution", "Sums of squares", "Solution"), [2, 2, 3, 2, 3]),
    "what comes back at the end of chapters": (
        [page for a in "mno" for page in each((f"Chapter of {a}", 20), f"One of {a}", f"Two of {a}", "Exercises")],
        [2, 3, 3, 3] * 3),
    "several that come back": (
        each("Aims of spring", "Results", "Costs", "Aims of summer", "Results", "Costs"), [2] * 6),
    "what comes back over headings in its style": (
        each("Application", "Your name", "Your town", "Application", "Your work"), [2] * 5),
    "a series has no title": (
        [[heading("The Tyger", 60, 16), text(top=90), heading("A Poison Tree", 200, 16), text()]], [2, 2],
    ),
}  # fmt: skip


@pytest.mark.parametrize("pages, expected", LEVELS.values(), ids=LEVELS)
def test_numbers_and_else_sizes_say_the_level(pages, expected):
    assert levels(*pages) == expected


def test_measured_sizes_that_lie_close_together_are_one_level():
    """Of the sections of a scan, and its title."""
    sizes = [19.5, 14.3, 14.0, 13.5, 13.1, 11.5]
    ranks = HeadingLevels(Counter(HeadingStyle(size, True, 0) for size in sizes))
    assert [ranks.level(HeadingStyle(size, True, 0)) for size in sizes] == [2, 3, 3, 3, 3, 4]


@given(st.lists(st.tuples(st.sampled_from([9, 10.5, 12, 14, 18, 24]), st.booleans(), st.integers(0, 4)), min_size=1))
def test_a_style_has_one_level_and_no_level_is_left_out(raw):
    styles = [HeadingStyle(*entry) for entry in raw]
    ranks = HeadingLevels(Counter(styles))
    found = {ranks.level(style) for style in styles}
    assert found == set(range(2, 2 + len(found)))
    assert len(found) <= 5


DEPTHS = {
    -1: ["Part II. Data", "PART I — GENERAL", "Teil 2."],
    0: ["I broke it", "Part of the data", "Results", "2024 in figures", "24 March 2023", "3. März 2021",
        "2 de marzo de 2021", "1 maart 2020"],
    1: ["3 Results", "IV. Results", "IV Results", "3 Marches of 2021", "3. Outlook 2024", "2. Marketing 2020",
        "4 General 2023"],
    2: ["3.1. Data", "B. Data", "C.1 Data"],
    3: ["B.2.1. Data"],
}  # fmt: skip


@pytest.mark.parametrize("depth", DEPTHS)
def test_the_depth_of_a_number(depth):
    assert {words: number_depth(words) for words in DEPTHS[depth]} == dict.fromkeys(DEPTHS[depth], depth)


HEADS = ["The Wanderer’s Return", "The Harbour at Night"]
GOOD_FAITH = "This note is given in good faith and without warranty"
REPEATED = {  # the block, how often its page comes, what it is
    "a line with the page's number": (lambda n: [text(f"The Guild Economy {n}", 40), text()], 6, HEADER),
    "a line that is seen to be a head on one page alone": (
        lambda n: [block(HEADER if n == 1 else TEXT, "The Guild Economy of the North", 40), text()], 3, HEADER),
    "a note at the foot": (lambda n: [text(GOOD_FAITH, 780), text()], 3, Category.PAGE_FOOTER),
    "the outermost line of a small page on a large sheet": (
        lambda n: [text("The Guild Economy", 120), text()], 6, HEADER),
    "two heads in turn": (lambda n: [text(HEADS[n % 2], 40), text()], 8, HEADER),
    "an outermost line that comes twice": (lambda n: [text("May 5, 2023", 120), text()], 2, TEXT),
    "a line under another one": (lambda n: [text("The Guild Economy", 120), text("Yes.", 60), text()], 6, TEXT),
    "the years of exams": (lambda n: [text(f"{2012 + n} 年", 75), text()], 4, TEXT),
    "page numbers like years": (lambda n: [text(f"– {1998 + n} –", 780), text()], 4, Category.PAGE_FOOTER),
    "a line inside the page": (lambda n: [text("Yes.", 300), text()], 6, TEXT),
    "a line that is there twice on one page": (
        lambda n: [text("The same words.", 780), text("The same words.", 780, x=320), text()], 1, TEXT),
    "a line that is there twice on one page, at heights that differ a little": (
        lambda n: [text("The same words.", 776), text("The same words.", 784, x=320), text()], 1, TEXT),
    "a line along a side": (lambda n: [block(TEXT, "The Guild", 300, x=-140), text()], 6, HEADER),
    "a line along a side of some pages": (
        lambda n: [block(TEXT, "The Guild" if n < 4 else "A note", 300, x=-140), text()], 7, TEXT),
    "large headings that come back on some slides": (
        lambda n: [heading("Results" if n < 4 else f"Topic {'abcdefghij'[n]}", 40, 30), text()], 10, HEADING),
}  # fmt: skip


@pytest.mark.parametrize("page, times, category", REPEATED.values(), ids=REPEATED)
def test_small_lines_that_repeat_at_the_edge_are_running_heads(page, times, category):
    assert {page[0].category for page in refined(*(page(n) for n in range(times)))} == {category}


def test_the_title_in_small_type_over_later_pages_and_what_stands_there_in_turn_are_running_heads():
    title, more = "Summaries of logs", [text("The first line of a page.", 114), text()]
    heads = [text(title, 114), text("J. Bell et al.", 114, x=420), text("This line", 130)]
    pages = refined([heading(title, 180, 14), text()], *([head, text()] for head in heads), more)
    assert [page[0].category for page in pages[1:]] == [HEADER, HEADER, TEXT, HEADER]
    others = refined([heading("Another", 180, 14), text()], *([head, text()] for head in heads))
    assert [page[0].category for page in others[1:]] == [TEXT] * 3


TWO = [heading("Results", 180, 20), heading("Outlook", 240, 20), text()]
ONE = [heading("Results", 180, 20), text()]
STARTS = {  # the first page, first lines of others, and where the text of another begins
    "one of two large headings": (TWO, [text("Results", 72), text("Discussion", 72)], 320),
    "headings": (ONE, [text("Results", 72), heading("Discussion", 72, 14)], 320),
    "the end of a paragraph": (ONE, [text("Results", 72), text("end of what was said before.", 72)], 320),
    "where the text of others begins": (ONE, [text("Results", 72), text("Discussion", 72)], 72),
}


@pytest.mark.parametrize("first, lines, top", STARTS.values(), ids=STARTS)
def test_other_first_lines_of_pages_are_no_running_heads(first, lines, top):
    pages = refined(first, *([line, text()] for line in lines), [text(top=top)])
    assert pages[2][0].category is lines[1].category


def test_a_stamp_that_is_all_there_is_on_a_page_is_one():
    stamp = block(HEADER, "archive-05, version 1", 300, x=-140)
    alone = heading("archive-05, version 1", 300)
    pages = refined([stamp, text()], [stamp, text()], [alone], [alone, text()])
    assert [page[0].category for page in pages[2:]] == [HEADER, HEADING]


SAID_ONCE = {  # what all pages have is text on the first one
    "large type": (lambda: block(TEXT, "Festival Timetable", 40, size=20), TITLE),
    "a note": (lambda: block(Category.FOOTNOTE, "† No longer sold", 780), Category.FOOTNOTE),
    "a sentence": (lambda: text(f"{GOOD_FAITH} of any kind to those who read it.", 780), Category.FOOTNOTE),
    "the name of a document": (lambda: text("The Guild Economy", 40), HEADER),
}  # fmt: skip


@pytest.mark.parametrize("line, first", SAID_ONCE.values(), ids=SAID_ONCE)
def test_what_all_pages_repeat_is_said_once_if_it_is_worth_it(line, first):
    pages = refined(*([line(), text()] for _ in range(4)))
    assert [page[0].category.is_furniture for page in pages] == [first.is_furniture, True, True, True]
    assert pages[0][0].category is first


@pytest.mark.parametrize("number, category", [("4", HEADER), ("", TEXT)])
def test_a_running_head_that_comes_once_stands_beside_the_number_of_its_page(number, category):
    head = block(HEADER, "Chapter 1. On Reading", 40)
    beside = [block(HEADER, number, 40, x=500)] if number else []
    assert refined([text()], [text()], [head, *beside, text()], [text()])[2][0].category is category


NOTE = block(Category.FOOTNOTE, "1 A note.", 750)
CUT, REST = text("It was the best of", 700), text("times, it was the worst.", 60)
UPPER, BELOW = text("It was the best of", 300), text("times, it was.", 320)
BROKEN = text("It sets a new state of the art on multiple open", 700, full=True)
DATASETS = "QA datasets it suffers from two weaknesses."
NOTICE = [text("Permission to make copies is granted", 730, size=8.0), text("Copyright 2008", 750, size=8.0)]
CHINESE, SOCIETY = "前些年我国台湾女歌星唱红了一首名为给", "社会其他成员带来的影响是很大的。"
COMMA = text("It was spring,", 700)


def spans(block, *parts):
    return msgspec.structs.replace(block, spans=parts)


ITALIC = spans(CUT, Span("Ada North, 2011", italic=True))
BEGUN = spans(REST, Span("\\mu", math=True), Span(" is the mean."))
CARRIED = {
    "over a page break": ([CUT], [REST], True),
    "a new paragraph": ([CUT, text("times, it was.", 710)], [text("New one.", 60)], False),
    "a greeting over its letter": ([text("Dear Ms Fox,", 300), text("The winter was long.", 320)], False),
    "a comma over a page break": ([COMMA], [text("Ms Fox said.", 60)], True),
    "a line under its sentence": ([UPPER, BELOW], True),
    "a line far under its sentence": ([UPPER, text("times, it was.", 330)], False),
    "a line under its sentence and a table": (
        [UPPER, block(Category.TABLE, "", 312), text("times, it was.", 330)], True),
    "the next entry of a dictionary": (
        [UPPER, spans(BELOW, Span("times", bold=True), Span(" of which there are good ones."))], False),
    "under a line in bold": ([text("For the years 2021 and 2022", 300, bold=True), BELOW], False),
    "a full line before a capital": ([BROKEN], [text(DATASETS, 60)], True),
    "a line before a capital that is not full": (
        [msgspec.structs.replace(BROKEN, full=False)], [text(DATASETS, 60)], False),
    "a full line before a number of something": ([BROKEN], [text("30-second clips of the song we know.", 60)], True),
    "a full line before the number of a heading": ([BROKEN], [text("3 Methods that we have used here.", 60)], False),
    "a full line before a short one": ([BROKEN], [text("Ada North", 60)], False),
    "a full line before a capital in its column": ([BROKEN, text("QA datasets it suffers from two of.", 720)], False),
    "an address of full lines": (
        [text("Ms Ada North and all of the others\nat the Old Mill House", 700, full=True)], [text(DATASETS, 60)],
        False),
    "a full line of Chinese": ([text(CHINESE, 700, full=True)], [text(SOCIETY, 60)], True),
    "a line of Chinese that is not full": ([text(CHINESE, 700)], [text(SOCIETY, 60)], False),
    "a short end of Chinese": ([text(CHINESE, 700, full=True)], [text("社会，等等。", 60)], True),
    "a short line of Chinese": ([text(CHINESE, 700, full=True)], [text("社会成员", 60)], False),
    "a comma of Chinese": ([text("前些年，", 700)], [text("社会成员。", 60)], True),
    "a comma before a formula": ([COMMA], [BEGUN], True),
    "a comma over a formula": (
        [text("It was spring,", 300), msgspec.structs.replace(BEGUN, box=BELOW.box)], False),
    "Chinese at the margin under a first line": ([text(CHINESE, 300, x=80, full=True), text(SOCIETY, 320)], True),
    "Chinese right under a line": ([text(CHINESE, 300, full=True), text(SOCIETY, 320)], False),
    "over a footnote": ([CUT, NOTE], [REST], True),
    "over a notice of copyright": ([text(), CUT, *NOTICE, text("times, it was the worst.", 60, x=320)], True),
    "over small print that text follows": ([text(), CUT, *NOTICE, text("It was spring.", 770)], [REST], False),
    "over small print at the head of the page": (
        [text("It was the best of", 40), text("A remark", 60, size=8.0)], [REST], False),
    "over a heading": ([CUT, heading("New", 720)], [REST], False),
    "over a failed page": ([CUT], sheet(2, status="failed"), [REST], False),
    "over a partial page": ([CUT], sheet(2, status="partial"), [REST], False),
    "over a page that was not asked for": ([CUT], sheet(3, [REST]), False),
    "an item on the next page": ([item(700, "bring your passport and")], [text("two photographs.", 60)], True),
    "an item in its column": ([item(700, "bring your passport and"), text("two photographs.", 720)], False),
    "under a line in italics": ([ITALIC], [REST], False),
    "in italics": ([ITALIC], [spans(REST, Span("times.", italic=True))], True),
    "in another size": ([CUT], [text("times", 60, size=8.0)], False),
    "after a space": ([text(" ", 700)], [text("Times, it was.", 60)], False),
    "after a full stop": ([text("It was the best.", 700)], [REST], False),
    "with a bracket": ([CUT], [text("(see page two) it was.", 60)], True),
    "a web address under another": ([text("www.one.example", 700)], [text("www.two.example", 60)], False),
    "the letter of an item": ([CUT], [text("(a) it was.", 60)], False),
}  # fmt: skip


@pytest.mark.parametrize("case", CARRIED.values(), ids=CARRIED)
def test_a_paragraph_that_was_cut_carries_on(case):
    *pages, carries_on = case
    assert refined(*pages)[-1][-1].continues is carries_on


def test_a_bold_line_is_a_heading_where_nearly_all_of_its_style_are():
    def theorem(number, category=HEADING, **style):
        return block(category, f"Theorem {number}", 300, **({"size": 10.0, "bold": True} | style))

    heads = [[theorem(number), text()] for number in range(1, 6)]
    lost = [[theorem(9, TEXT), text()], [theorem(9, TEXT, bold=False), text()], [theorem(9, TEXT, size=8.0), text()]]
    assert [texts(page) for page in refined(*heads, *lost)[5:]] == [["Theorem 9"], [], []]
    assert [texts(page) for page in refined(*heads, lost[0], lost[0])[5:]] == [[], []]  # some others are none
    said = block(TEXT, "All participants gave their informed consent in writing.", 300, size=10.0, bold=True)
    assert texts(refined(*heads, [said, text()])[5]) == []


HALF = text("The tide that came in that winter was the best of")
OTHER = text("times, and it was the worst.", 200, x=320)
BOXED = [text("Tides", 60, x=320, size=8.0), text("A box about tides.", 80, x=320, size=8.0)]
PARTED = {  # what stands between two halves of a sentence, and whether they are put together
    "a box in smaller type": (BOXED, True),
    "a pull quote and a picture": ([text("So low!", 60, size=14.0), block(Category.PICTURE, "", 80)], True),
    "text in the same type": ([*BOXED, text("Another text.", 100, x=320)], False),
    "a section": ([heading("Tides"), *BOXED], False),
    "words of a drawing over its caption": (
        [heading("Low", 60, x=320), text("High", 60, x=360), block(Category.CAPTION, "Figure 1: Tides", 100, x=320)],
        True),
    "short lines that no caption ends": ([text("Low", 60, x=320), text("High", 80, x=320)], False),
    "a formula and a picture": ([block(Category.FORMULA, "x", 60, x=320), block(Category.PICTURE, "", 80)], False),
    "labels like headings": ([heading("Low", 60, x=320), heading("High", 80, x=320)], True),
    "headings that say what the text begins with": ([heading("Low", 60, x=320), heading("Times", 80, x=320)], False),
    "more labels than a drawing has": ([heading("Low", 60, x=320) for _ in range(99)], False),
    "a section with a number": ([heading("2 Low", 60, x=320), heading("High", 80, x=320)], False),
}  # fmt: skip


@pytest.mark.parametrize("between, joined", PARTED.values(), ids=PARTED)
@pytest.mark.parametrize("over_a_page", [False, True])
def test_a_box_between_two_halves_of_a_sentence_follows_them(between, joined, over_a_page):
    pages = [[HALF], [*between, OTHER]] if over_a_page else [[HALF, *between, OTHER]]
    found = [block for page in refined([text()], *pages)[1:] for block in page]
    assert found[1].continues is joined and (found[1].text == OTHER.text) is joined


def test_an_item_does_not_go_on_behind_headings():
    between = [heading("Low", 60, x=320), heading("High", 80, x=320)]
    first = msgspec.structs.replace(HALF, category=Category.LIST_ITEM, marker="•")
    assert refined([text()], [first, *between, OTHER])[1][1:] != refined([text()], [HALF, *between, OTHER])[1][1:]
    assert [b.category for b in refined([text()], [first, *between, OTHER])[1][1:]] == [HEADING, HEADING, TEXT]


def test_a_divided_word_goes_on_in_small_letters_around_what_looks_like_text():
    half, rest = text("The tide came in and the waves broke with every mo"), text("ment of it.", 200, x=320)
    half = msgspec.structs.replace(half, spans=(Span(half.text + "-"),))
    [_, found] = refined([text()], [half, heading("Low", 60, x=320), text("Get the next wave", 80, x=320), rest])
    assert [block.text for block in found] == [half.text, rest.text, "Low", "Get the next wave"]
    assert [block.category for block in found] == [TEXT, TEXT, Category.CAPTION, TEXT]
    [_, found] = refined([text()], [half, text("More", 60, x=320, size=8.0), text("New waves came.", 80, x=320)])
    assert found[1].text == "More"


def test_a_few_words_in_one_type_and_others_in_another_are_no_sentence():
    form = [text("Name of town", 60), text("of birth", 80, size=8.0), text("none", 100)]
    assert [block.text for block in refined(form)[0]] == [block.text for block in form]


def grid(*rows, top=300, width=200, header=True):
    made = blocks.table(*rows)
    cells = tuple(msgspec.structs.replace(cell, header=header and cell.row == 0) for cell in made.cells)
    box = Box(60, top, 60 + width, top + 100)
    return Block(category=Category.TABLE, box=box, table=msgspec.structs.replace(made, cells=cells))


ROWS = [("No.", "Name"), ("1", "Ash"), ("2", "Birch")]
MORE = [("3", "Cedar"), ("4", "Elm")]
CUT_TABLES = {
    "with its header": ([text(), grid(*ROWS, top=600)], [grid(ROWS[0], *MORE), text()], True),
    "without a header": ([grid(*ROWS, top=600), NOTE], [grid(*MORE, header=False)], True),
    "under another header": ([grid(*ROWS, top=600)], [grid(("Day", "Name"), *MORE)], False),
    "that is narrower": ([grid(*ROWS, top=600)], [grid(ROWS[0], *MORE, width=100)], False),
    "the same once more": ([grid(*ROWS, top=600)], [grid(*ROWS)], False),
    "under a line of text": ([grid(*ROWS, top=600)], [text(top=60), grid(ROWS[0], *MORE)], False),
    "over a failed page": ([grid(*ROWS)], sheet(2, status="failed"), [grid(ROWS[0], *MORE)], False),
}


@pytest.mark.parametrize("case", CUT_TABLES.values(), ids=CUT_TABLES)
def test_a_table_that_a_page_cuts_carries_on(case):
    *pages, carries_on = case
    assert [b.continues for b in refined(*pages)[-1] if b.table is not None] == [carries_on]


def test_pages_that_failed_are_no_trouble():
    assert refined([], [heading("Results"), text()], [])[0] == []


def test_small_print_under_a_paragraph_that_goes_on_in_the_next_column_is_a_footnote():
    rest = text("times, it was the worst.", 60, x=320)
    [[*_, notice, year, _]] = refined([text(), CUT, *NOTICE, rest])
    assert (notice.category, year.category) == (Category.FOOTNOTE, Category.FOOTNOTE)
    [[*_, below, _, _]] = refined([text(), text("It was the best.", 700), *NOTICE, rest])
    assert below.category is TEXT
    address = text("A street in Lisbon", 700, size=14.0)
    [[_, below, _], _] = refined([address, *NOTICE], [text()])
    assert below.category is TEXT


def test_what_is_alone_in_by_far_the_largest_type_over_all_text_is_the_title_though_it_looks_like_none():
    said, rest = text("The trade in June", 60, size=16), [heading("1 Aims", 280, 12), text()]
    assert texts(refined([said, *rest])[0], TITLE) == ["The trade in June"]
    assert texts(refined([text("1 January", 30), said, *rest])[0], TITLE) == ["The trade in June"]
    others = [
        [text("The trade in June", 60, size=13)],
        [text("June", 60, size=16)],
        [text("The trade in June,", 60, size=16)],
        [text("Journal of Bulbs", 60, size=16)],
        [said, text("and in July", 120, size=16)],
        [text(top=30), said],
        [text("The trade in June", 600, size=16)],
    ]
    assert not any("The" in title for page in others for title in texts(refined([*page, *rest])[0], TITLE))
