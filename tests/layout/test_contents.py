"""Tables of contents: one item per entry, dots shortened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.kinds.contents import entries_apart, has_leader, shortened
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
