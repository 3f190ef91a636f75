"""Tables of contents: one item per entry, dots shortened."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line, lines, word

from docparse.layout.kinds.contents import entries_apart, numbered_rows, shortened
from docparse.layout.reader import PageReader
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import page_of
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Box, Category


@pytest.mark.parametrize(
    "printed, kept",
    [
        ("2.1 Prices . . . . . . 12", "2.1 Prices … 12"),
        ("Prices ............ 12", "Prices … 12"),
        ("Prices............12", "Prices … 12"),
        ("Prices ...........12", "Prices … 12"),
        ("Espresso ........ 2.20", "Espresso … 2.20"),
        ("Wait ... what", "Wait ... what"),
        ("No leader at all", "No leader at all"),
        ("2.1 Principles of encryption. . . . . . .14", "2.1 Principles of encryption … 14"),
        ("I. . . . . . 4", "I. … 4"),
        ("更多的人前冲......激烈、怵目", "更多的人前冲......激烈、怵目"),
        ("清蒸鱼......28元", "清蒸鱼 … 28元"),
        ("by formulas ... . If this can be done it is easy", "by formulas ... . If this can be done it is easy"),
    ],
)
def test_a_run_of_dots_becomes_an_ellipsis(printed, kept):
    assert shortened(line(printed)).text == kept


def test_every_entry_is_a_group_of_its_own_and_prose_is_left_alone():
    entries = entries_apart(
        [Group(lines(["1 Prices . . . . . 3", "2 A heading too long for", "its line . . . . . 4"]))]
    )
    assert [entry.text for entry in entries] == ["1 Prices … 3", "2 A heading too long for its line … 4"]
    assert all(entry.is_entry for entry in entries)
    prose = [Group([line("a paragraph without any leader")]), Group([line("a quotation … cut short")])]
    assert entries_apart(prose) == prose
    assert not any(group.is_entry for group in prose)


INDEXED = ["Abbott, Francis, 211–13,", "212", "alarms, 14, 88", "of monks, 9–11", "anchor", "escapement, 57–64n"]


@pytest.mark.parametrize(("others", "apart"), [(7, True), (2, False)])
def test_an_entry_of_an_index_ends_with_its_pages(others, apart):
    more = [Group([line(f"word, {k}", 50, 16 * k)]) for k in range(others)]
    entries = entries_apart([Group(lines(INDEXED)), *more])[:-others]
    kept = ["Abbott, Francis, 211–13, 212", "alarms, 14, 88", "of monks, 9–11", "anchor escapement, 57–64n"]
    assert [entry.text for entry in entries] == (kept if apart else [" ".join(INDEXED)])


LONG_TITLES = ["Tides . . . . . . . 3", "Moons . . . . . . . 9", "Rivers . . . . . . 12", "Of the estuaries. . . 40"]


@pytest.mark.parametrize(("printed", "entries"), [(LONG_TITLES, 4), (LONG_TITLES[2:], 1)])
def test_a_few_dots_are_a_leader_where_others_end_in_a_number_at_the_same_place(printed, entries):
    found = entries_apart([Group([line(text, 50, 16 * i, right=300) for i, text in enumerate(printed)])])
    assert sum(group.is_entry for group in found) == entries


@given(st.lists(st.text("ab.…", min_size=1, max_size=5), min_size=1, max_size=8))
def test_only_dots_are_ever_dropped(parts):
    before = line(" ".join(parts))
    after = entries_apart([Group([before])])
    letters = "".join(c for group in after for c in group.text if c in "ab")
    assert letters == "".join(c for c in before.text if c in "ab")


def rows(pages):
    """Titles and, far to their right, numbers that end flush; every line a word."""
    return [
        Line((word(text, x, 16 * i + 8, width=6 * len(text)),))
        for i, page in enumerate(pages)
        for text, x in ((f"Title{i}", 50.0), (page, 500.0 - 6 * len(page)))
    ]


def moved(item, x, y=0):
    boxes = [(word, Box(b.x0 + x, b.y0 + y, b.x1 + x, b.y1 + y)) for word in item.words for b in [word.box]]
    return Line(tuple(msgspec.structs.replace(w, box=box, baseline=w.baseline + y) for w, box in boxes))


SECTIONS = [line("1.1", 30, 16 * i + 8) for i in range(3)]
ENTRIES = {
    "titles and rising numbers without leaders": (
        rows(["1", "7", "10", "10"]), ["Title0 … 1", "Title1 … 7", "Title2 … 10", "Title3 … 10"],
    ),
    "a leader and its number stored apart": ([line("Goals ......", 10, 8), line("2", 85, 8)], ["Goals … 2"]),
    "a long title between leaders and numbers stored apart": (
        [*(line(text, 10, 16 * i + 8) for i, text in enumerate(["Title0 ......", "Title1 ......", "Title2 ......"])),
         line("Chapter", 50, 56), *(line(str(i + 1), 88, 16 * i + 8) for i in range(4))],
        ["Chapter … 4", "Title0 … 1", "Title1 … 2", "Title2 … 3"],
    ),
    "two titles of a second list under the first": (
        rows(["1", "7", "10", "2", "9"]),
        ["Title0 … 1", "Title1 … 7", "Title2 … 10", "Title3 … 2", "Title4 … 9"],
    ),
    "titles with the first dots of leaders": (
        [*rows(["1", "7"]), line("Goals..", 50, 40), line("12", 488, 40)], ["Goals … 12", "Title0 … 1", "Title1 … 7"],
    ),
    "numbers of sections at a tab stop": (
        [*(line(f"Title{i} ......... {i}", 50, 16 * i + 8) for i in range(3)), *SECTIONS],
        ["1.1 Title0 … 0", "1.1 Title1 … 1", "1.1 Title2 … 2"],
    ),
    "chapters in Japanese": (
        [*(moved(item, 60) for item in rows(["3", "6", "15"])),
         *(line(f"第 {k} 章", 60, 16 * k - 8) for k in (1, 2, 3))],
        ["第 1 章 Title0 … 3", "第 2 章 Title1 … 6", "第 3 章 Title2 … 15"],
    ),
    "two columns with numbers of sections": (
        [*rows(["1", "7", "10"]), *(moved(item, 600) for item in rows(["12", "12", "15"])), *SECTIONS],
        ["1.1 Title0 … 1", "1.1 Title1 … 7", "1.1 Title2 … 10", "Title0 … 12", "Title1 … 12", "Title2 … 15"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("stored, entries", ENTRIES.values(), ids=ENTRIES)
def test_parts_of_one_entry_are_joined(stored, entries):
    joined = numbered_rows(sorted(stored, key=lambda item: item.box.y0))
    assert sorted(shortened(item).text for item in joined) == entries


def test_front_matter_comes_before_the_first_page():
    found = numbered_rows(rows(["iii", "ix", "1", "7"]))
    assert [shortened(line).text[-3:] for line in found] == ["iii", " ix", "… 1", "… 7"]
    assert numbered_rows(rows(["1", "7", "iii", "ix"])) == rows(["1", "7", "iii", "ix"])


def test_the_running_head_over_the_list_is_no_entry_of_it():
    under = [moved(item, 0, 120) for item in rows(["1", "7", "10"])]
    page = [line("Guide", 50, 8), line("1", 494, 8), *(line(text, 50, y) for text, y in (("A", 40), ("B", 60))), *under]
    assert [shortened(item).text for item in numbered_rows(page)] == [
        "Guide", "1", "A", "B", "Title0 … 1", "Title1 … 7", "Title2 … 10",
    ]  # fmt: skip


@pytest.mark.parametrize("pages", [["1", "7"], ["30", "20", "10"], ["one", "two", "three"]])
def test_two_rows_or_falling_numbers_or_words_are_no_entries(pages):
    assert numbered_rows(rows(pages)) == rows(pages)


def test_an_outline_is_read_as_items(typst_pdf):
    source = '#set page(width: 400pt, height: 400pt)\n#set heading(numbering: "1.1")\n#outline()\n#pagebreak()\n'
    path = typst_pdf(source + "= Prices\nText.\n== Of bread\nText.\n== Of wine\nText.", "contents")
    with open_document(path, name="contents") as document:
        page = PageReader(Settings(layout_engine="none")).read(document.page(1)).page
    items = [block.text for block in page.blocks if block.category is Category.LIST_ITEM]
    assert items == ["1 Prices … 2", "1.1 Of bread … 2", "1.2 Of wine … 2"]


@pytest.mark.parametrize("sign", "²⑶①")
def test_a_sign_that_is_a_digit_and_no_number_is_no_page(sign):
    found = [line(text, x, 100 + 14 * k) for k in range(4) for text, x in (("A title", 60), (sign, 400))]
    assert numbered_rows(found) == found


@pytest.mark.parametrize(
    ("text", "page"), [("1", 1001), ("0", 0), ("xiv", 14), ("mix", 0), ("civil", 0), ("ill", 0), ("X", 0), ("", 0)]
)
def test_pages_are_figures_or_roman_numerals_in_small_letters(text, page):
    assert page_of(text) == page
