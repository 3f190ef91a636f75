"""Chunks of made-up documents: no word is lost, nothing is longer than it must be, headings and pages are theirs."""

import re

from blocks import block, page
from hypothesis import given
from hypothesis import strategies as st

from docparse.library.chunks import chunks_of
from docparse.render import RenderOptions
from docparse.types import Box, Category, Cell, Span, Table, plain

WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäé0123456789", min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=60).map(" ".join)
STYLES = st.sampled_from([{}, {"bold": True}, {"italic": True}, {"code": True}])
PIECES = st.tuples(TEXTS, st.sampled_from(["", " ", ". ", ", "]), STYLES)
SPANS = st.lists(PIECES.map(lambda piece: Span(piece[0] + piece[1], **piece[2])), min_size=1, max_size=4).map(tuple)
LINES = st.lists(st.lists(WORDS, max_size=3).map(" ".join), min_size=1, max_size=20)
WORD = re.compile(r"[^\W_]+")


@st.composite
def tables(draw):
    rows, columns, header = draw(st.integers(1, 12)), draw(st.integers(1, 4)), draw(st.integers(0, 2))
    tall = draw(st.integers(0, rows - 1))
    cells = [
        Cell(r, c, (Span(draw(WORDS)),), rowspan=2 if (r, c) == (tall, 0) and tall + 1 < rows else 1, header=r < header)
        for r in range(rows)
        for c in range(columns)
        if (r, c) != (tall + 1, 0)
    ]
    return Table(rows, columns, tuple(cells))


BLOCKS = st.one_of(
    tables().map(lambda table: block("Table", table=table)),
    LINES.map(lambda lines: block("Code", "\n".join(["x", *lines, "y"]))),
    st.builds(block, st.just("Section-header"), SPANS, level=st.integers(1, 3), continues=st.booleans()),
    st.builds(block, st.just("List-item"), SPANS, marker=st.just("•"), continues=st.booleans()),
    st.builds(block, st.sampled_from(["Text", "Footnote", "Caption", "Title"]), SPANS, continues=st.booleans()),
)


def chunked(most, *pages, **options):
    made = [page(number, *blocks) for number, blocks in enumerate(pages, 1)]
    return chunks_of(made, most, RenderOptions(**options))


@given(st.lists(st.lists(BLOCKS, max_size=6), min_size=1, max_size=3), st.integers(300, 1200))
def test_no_word_is_lost_and_no_chunk_is_too_long(pages, most):
    chunks = chunked(most, *pages)
    found = " ".join(part for chunk in chunks for part in (chunk.text, *chunk.headings))
    joined = "".join(WORD.findall(re.sub(r"</?[a-z]+[^>]*>|[*_`\\]", "", found)))
    for each in (each for blocks in pages for each in blocks):
        texts = [each.text, *(plain(cell.spans) for cell in (each.table.cells if each.table else ()))]
        assert all(word in joined for text in texts for word in WORD.findall(text))
    cut = [chunk.text for chunk in chunks if "```" not in chunk.text]  # what continues code is one long line of it
    assert max(map(len, cut), default=0) <= most
    assert all(chunk.text.strip() for chunk in chunks)
    assert {number for chunk in chunks for number in chunk.pages} <= set(range(1, len(pages) + 1))


@given(tables(), st.integers(1, 80))
def test_a_row_is_never_cut(table, most):
    chunks = chunked(most, [block("Table", table=table)], tables="gfm")
    rows = [line for chunk in chunks for line in chunk.text.splitlines() if not set(line) <= set("|- ")]
    for r in range(table.rows):
        texts = [plain(cell.spans) for cell in table.cells if cell.row == r]
        assert any(all(text in line for text in texts) for line in rows)


@given(st.lists(st.text(alphabet="abc (){}=.", min_size=1, max_size=40), min_size=1, max_size=30), st.integers(1, 120))
def test_a_line_of_code_is_never_cut(lines, most):
    lines = ["first", *(f"x{line}x" for line in lines)]
    chunks = chunked(most, [block("Code", "\n".join(lines))])
    assert [line for chunk in chunks for line in chunk.text.splitlines() if line.strip("`")] == lines
    assert all(chunk.text.startswith("```\n") and chunk.text.endswith("\n```") for chunk in chunks)


def test_chunks_stand_under_their_headings():
    levels = {"A": 1, "B": 2, "C": 2, "D": 1}
    a, b, c, d = (block(Category.SECTION_HEADER, name, level=level) for name, level in levels.items())
    blocks = [block("Text", "before"), a, b, block("Text", "in B"), c, d, block("Text", "in D")]
    found = [(chunk.headings, chunk.text) for chunk in chunked(100, blocks)]
    assert found == [((), "before"), (("A", "B"), "in B"), (("A",), "C"), (("D",), "in D")]


def test_a_paragraph_over_a_page_break_is_one_with_two_boxes():
    second = block("Text", "ple", box=Box(1.0, 1.0, 2.0, 2.0), continues=True)
    (found,) = chunked(100, [block("Text", "An exam-")], [second])
    assert (found.text, found.pages, found.boxes[2]) == ("An example", (1, 2), second.box)


def test_long_text_is_cut_behind_a_sentence_and_without_spaces_between_characters():
    sentence = "Twelve words of a sentence that says nothing at all to you."
    found = [chunk.text for chunk in chunked(150, [block("Text", f"{sentence} {sentence} {sentence}")])]
    assert found == [f"{sentence} {sentence}", sentence]
    words = "日本語の文章には空白がない。" * 20
    found = [chunk.text for chunk in chunked(100, [block("Text", words)])]
    assert "".join(found) == words and max(map(len, found)) <= 100
