"""Chunks of made-up documents: no word is lost, nothing is longer than it must be, headings and pages are theirs."""

import re

from hypothesis import given
from hypothesis import strategies as st

from docparse.library.chunks import Chunk, chunks_of
from docparse.render import RenderOptions
from docparse.types import Block, Box, Category, Cell, Page, Span, Table, plain

WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäé0123456789", min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)
WORD = re.compile(r"[^\W_]+")
BOX = Box(0.0, 0.0, 10.0, 10.0)


@st.composite
def spans(draw: st.DrawFn) -> tuple[Span, ...]:
    pieces = draw(st.lists(TEXTS, min_size=1, max_size=4))
    styles = st.sampled_from([{}, {"bold": True}, {"italic": True}, {"code": True}])
    glue = st.sampled_from(["", " ", ". ", ", "])
    return tuple(Span(text + draw(glue), **draw(styles)) for text in pieces)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    header = draw(st.integers(0, 2))
    tall = draw(st.integers(0, rows - 1))
    cells = [
        Cell(r, c, (Span(draw(WORDS)),), rowspan=2 if (r, c) == (tall, 0) and tall + 1 < rows else 1, header=r < header)
        for r in range(rows)
        for c in range(columns)
        if (r, c) != (tall + 1, 0)
    ]
    return Table(rows, columns, tuple(cells))


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    kinds = [Category.TEXT, Category.SECTION_HEADER, Category.LIST_ITEM, Category.TABLE, Category.CODE]
    kind = draw(st.sampled_from([*kinds, Category.FOOTNOTE, Category.CAPTION, Category.TITLE]))
    if kind is Category.TABLE:
        return Block(category=kind, box=BOX, table=draw(tables()))
    if kind is Category.CODE:
        lines = draw(st.lists(st.lists(WORDS, max_size=3).map(" ".join), min_size=1, max_size=20))
        return Block(category=kind, box=BOX, spans=(Span("\n".join(["x", *lines, "y"])),))
    level = draw(st.integers(1, 3)) if kind is Category.SECTION_HEADER else 0
    marker = "•" if kind is Category.LIST_ITEM else ""
    return Block(category=kind, box=BOX, spans=draw(spans()), level=level, marker=marker, continues=draw(st.booleans()))


DOCUMENTS = st.lists(st.lists(blocks(), max_size=6), min_size=1, max_size=3).map(
    lambda pages: [
        Page(number=number, width=100.0, height=100.0, blocks=tuple(page)) for number, page in enumerate(pages, 1)
    ]
)


def words_of(pages: list[Page]) -> list[str]:
    texts = []
    for block in (block for page in pages for block in page.blocks):
        texts += (
            [block.text, *(plain(cell.spans) for cell in block.table.cells if block.table)]
            if block.table
            else [block.text]
        )
    return [word for text in texts for word in WORD.findall(text)]


@given(DOCUMENTS, st.integers(300, 1200))
def test_no_word_is_lost_and_no_chunk_is_too_long(pages, most):
    chunks = chunks_of(pages, most, RenderOptions())
    found = " ".join(part for chunk in chunks for part in (chunk.text, *chunk.headings))
    joined = "".join(WORD.findall(re.sub(r"</?[a-z]+[^>]*>|[*_`\\]", "", found)))
    for word in words_of(pages):
        assert word in joined
    cut = [chunk.text for chunk in chunks if "```" not in chunk.text]  # what continues code is one long line of it
    assert max(map(len, cut), default=0) <= most
    for chunk in chunks:
        assert chunk.text.strip()
        assert set(chunk.pages) <= {page.number for page in pages}


@given(tables(), st.integers(1, 80))
def test_a_row_is_never_cut(table, most):
    page = Page(number=1, width=1.0, height=1.0, blocks=(Block(category=Category.TABLE, box=BOX, table=table),))
    chunks = chunks_of([page], most, RenderOptions(tables="gfm"))
    rows = [line for chunk in chunks for line in chunk.text.splitlines() if not set(line) <= set("|- ")]
    for r in range(table.rows):
        texts = [plain(cell.spans) for cell in table.cells if cell.row == r]
        assert any(all(text in line for text in texts) for line in rows)


@given(st.lists(st.text(alphabet="abc (){}=.", min_size=1, max_size=40), min_size=1, max_size=30), st.integers(1, 120))
def test_a_line_of_code_is_never_cut(lines, most):
    lines = ["first", *(f"x{line}x" for line in lines)]
    block = Block(category=Category.CODE, box=BOX, spans=(Span("\n".join(lines)),))
    chunks = chunks_of([Page(number=1, width=1.0, height=1.0, blocks=(block,))], most, RenderOptions())
    assert [line for chunk in chunks for line in chunk.text.splitlines() if line.strip("`")] == lines
    assert all(chunk.text.startswith("```\n") and chunk.text.endswith("\n```") for chunk in chunks)


def text(words: str, **more: object) -> Block:
    return Block(category=Category.TEXT, box=BOX, spans=(Span(words),), **more)  # type: ignore[arg-type]


def heading(words: str, level: int) -> Block:
    return Block(category=Category.SECTION_HEADER, box=BOX, spans=(Span(words),), level=level)


def chunk(most: int, *pages: list[Block]) -> list[Chunk]:
    made = [Page(number=number, width=1.0, height=1.0, blocks=tuple(page)) for number, page in enumerate(pages, 1)]
    return chunks_of(made, most, RenderOptions())


def test_chunks_stand_under_their_headings():
    page = [
        text("before"),
        heading("A", 1),
        heading("B", 2),
        text("in B"),
        heading("C", 2),
        heading("D", 1),
        text("in D"),
    ]
    found = [(chunk.headings, chunk.text) for chunk in chunk(100, page)]
    assert found == [((), "before"), (("A", "B"), "in B"), (("A",), "C"), (("D",), "in D")]


def test_a_paragraph_over_a_page_break_is_one_with_two_boxes():
    second = Block(category=Category.TEXT, box=Box(1.0, 1.0, 2.0, 2.0), spans=(Span("ple"),), continues=True)
    (found,) = chunk(100, [text("An exam-")], [second])
    assert (found.text, found.pages, found.boxes[2]) == ("An example", (1, 2), second.box)


def test_long_text_is_cut_behind_a_sentence():
    sentence = "Twelve words of a sentence that says nothing at all to you."
    assert [chunk.text for chunk in chunk(150, [text(f"{sentence} {sentence} {sentence}")])] == [
        f"{sentence} {sentence}",
        sentence,
    ]


def test_text_without_spaces_is_cut_between_characters():
    words = "日本語の文章には空白がない。" * 20
    found = [chunk.text for chunk in chunk(100, [text(words)])]
    assert "".join(found) == words
    assert max(map(len, found)) <= 100
