"""A suffix belongs to one format."""

from io import StringIO

import pytest

from docparse.render import RenderOptions
from docparse.render.formats import FORMATS, Format, by_suffix
from docparse.types import Block, Box, Category, Cell, DocumentInfo, Page, Span, Table


@pytest.mark.parametrize(
    ("suffixes", "reason"),
    [
        ((".htm",), "^format mine: .htm is a suffix of html already$"),
        (("mine",), "^format mine: the suffix 'mine' has no dot"),
        (".mine", "^format mine: the suffix 'm' has no dot"),
    ],
)
def test_a_suffix_that_is_none_or_taken_is_refused(suffixes, reason):
    with pytest.raises(ValueError, match=reason):
        by_suffix({**FORMATS, "mine": Format(FORMATS["html"].write, suffixes)})


@pytest.mark.parametrize("name", FORMATS)
def test_the_words_of_a_paragraph_and_of_a_table_come_out(name):
    table = Table(1, 2, (Cell(0, 0, (Span("apples"),)), Cell(0, 1, (Span("seventeen"),))))
    blocks = (
        Block(category=Category.TEXT, box=Box(0, 0, 100, 10), spans=(Span("A paragraph."),)),
        Block(category=Category.TABLE, box=Box(0, 20, 100, 40), table=table),
    )
    page = Page(number=1, width=100, height=100, blocks=blocks)
    out = StringIO()
    FORMATS[name].write(DocumentInfo(name="a.pdf", sha256="", pages=1), [page], out, RenderOptions())
    assert all(words in out.getvalue() for words in ("A paragraph.", "apples", "seventeen"))
