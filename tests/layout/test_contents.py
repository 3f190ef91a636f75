"""Tables of contents: one item per entry, dots shortened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.kinds.contents import entries_apart, has_leader, numbered_rows, shortened
from docparse.layout.reader import PageReader
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Box, Category


def line(text: str, top: float = 0.0) -> Line:
    return Line(
        tuple(
            Word(text=part, box=Box(10.0 * i, top, 10.0 * i + 8, top + 10), baseline=top + 8, size=10)
            for i, part in enumerate(text.split())
        )
    )


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        ("2.1 Prices . . . . . . 12", "2.1 Prices … 12"),
        ("Prices ............ 12", "Prices … 12"),
        ("Prices............12", "Prices … 12"),
        ("Espresso ........ 2.20", "Espresso … 2.20"),
        ("Wait ... what", "Wait ... what"),
        ("No leader at all", "No leader at all"),
    ],
)
def test_a_run_of_dots_becomes_an_ellipsis(printed: str, kept: str) -> None:
    assert shortened(line(printed)).text == kept


def test_every_entry_is_a_group_of_its_own() -> None:
    texts = ["1 Prices . . . . . 3", "2 A heading too long for", "its line . . . . . 4"]
    entries = entries_apart([Group([line(t, 12.0 * i) for i, t in enumerate(texts)])])
    assert [entry.text for entry in entries] == ["1 Prices … 3", "2 A heading too long for its line … 4"]
    assert all(has_leader(entry) for entry in entries)


@given(st.lists(st.text("ab.…", min_size=1, max_size=5), min_size=1, max_size=8))
def test_only_dots_are_ever_dropped(parts: list[str]) -> None:
    before = line(" ".join(parts))
    after = entries_apart([Group([before])])
    letters = "".join(c for group in after for c in group.text if c in "ab")
    assert letters == "".join(c for c in before.text if c in "ab")


def rows(pages: list[str]) -> list[Line]:
    """Titles and, far to their right, numbers; every line a word."""
    found = []
    for i, page in enumerate(pages):
        for text, x in ((f"Title{i}", 50.0), (page, 500.0 - 6 * len(page))):
            box = Box(x, 16.0 * i, x + 6 * len(text), 16.0 * i + 10)
            found.append(Line((Word(text=text, box=box, baseline=16.0 * i + 8, size=10),)))
    return found


def test_titles_and_rising_page_numbers_without_leaders_are_entries() -> None:
    joined = numbered_rows(rows(["1", "7", "10", "10"]))
    assert [shortened(item).text for item in joined] == ["Title0 … 1", "Title1 … 7", "Title2 … 10", "Title3 … 10"]


def test_a_leader_and_the_number_stored_apart_are_one_entry() -> None:
    title, page = line("Goals ......", 0), moved(line("2", 0), 25)
    assert [shortened(item).text for item in numbered_rows([title, page])] == ["Goals … 2"]


def test_entries_of_two_columns_keep_apart_and_take_the_numbers_of_their_sections() -> None:
    left, right = rows(["1", "7", "10"]), [moved(item, 600) for item in rows(["12", "12", "15"])]
    sections = [moved(line("1.1", 16.0 * i), 20) for i in range(3)]
    joined = numbered_rows(sorted([*left, *right, *sections], key=lambda item: item.box.y0))
    found = sorted(shortened(item).text for item in joined)
    assert found[:3] == ["1.1 Title0 … 1", "1.1 Title1 … 7", "1.1 Title2 … 10"]
    assert found[3:] == ["Title0 … 12", "Title1 … 12", "Title2 … 15"]


def moved(item: Line, x: float) -> Line:
    boxes = [(word, word.box) for word in item.words]
    return Line(tuple(msgspec.structs.replace(w, box=Box(b.x0 + x, b.y0, b.x1 + x, b.y1)) for w, b in boxes))


@pytest.mark.parametrize("pages", [["1", "7"], ["30", "20", "10"], ["one", "two", "three"]])
def test_two_rows_or_falling_numbers_or_words_are_no_entries(pages: list[str]) -> None:
    assert numbered_rows(rows(pages)) == rows(pages)


def test_prose_is_left_alone() -> None:
    prose = Group([line("a paragraph without any leader")])
    assert entries_apart([prose]) == [prose]


def test_an_outline_is_read_as_items(typst_pdf: Callable[..., Path]) -> None:
    source = '#set page(width: 400pt, height: 400pt)\n#set heading(numbering: "1.1")\n#outline()\n#pagebreak()\n'
    path = typst_pdf(source + "= Prices\nText.\n== Of bread\nText.\n== Of wine\nText.", "contents")
    with open_document(path, name="contents") as document:
        page = PageReader(Settings(layout_engine="none")).read(document.page(1)).page
    items = [block.text for block in page.blocks if block.category is Category.LIST_ITEM]
    assert items == ["1 Prices … 2", "1.1 Of bread … 2", "1.2 Of wine … 2"]
