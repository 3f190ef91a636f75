"""Nothing that a model may write stops a reader or loses a word."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.dialects.doctags import DocTags
from docparse.models.dialects.dots_json import DotsJson
from docparse.models.dialects.elements import read_element
from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.layout_tokens import LayoutTokens
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.types import Box, Category

FRAME = Frame(Box(0, 0, 612, 792), 1224, 1584)
BOX = Box(10, 20, 30, 40)
DIALECTS = [MarkdownDialect(), MarkdownDialect(points=True), DotsJson(), Grounding(), FrontMatter(), BoxedHtml()]
DIALECTS += [DocTags(), LayoutTokens()]
every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: type(dialect).__name__)

_BOX = "<|det|>[[1, 2, 3, 4]]<|/det|>"
MARKUP = [
    *(" ", "\n", "\n\n", "\t", "*", "**", "_", "`", "$", "$$", "\n$$\n", r"\(", r"\)", r"\[", r"\]", "\\", "|", ":"),
    *("\n# ", "\n- ", "\n  - ", "\n1. ", "\n---\n", "\n```\n", "\n|", "\n|---|---|\n", "(", ")", "{", "}", "[", "]"),
    *("<table>", "\n<table>", "</table>", "<thead>", "<tr>", "</tr>", "<td>", "</td>", '<td colspan="3">'),
    *("<td rowspan=99>", "<caption>", "</caption>", "\n<fcel>", "<fcel>", "<ecel>", "<lcel>", "<ucel>", "<xcel>"),
    *("<nl>", "\n<center>", "</center>", "<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<sup>", "</sup>", ", "),
    *(
        '{"bbox": [1, 2, 3, 4], ',
        '"category": "Text", ',
        '"category": "Table", ',
        '"text": "',
        '"}',
        "}]",
        r"\u00",
        '"',
    ),
    *("\n<table> ", "<table></table>", "\n``` ", "\n```python\n", "\n``` fence"),
    *("(147,90),(925,415)", "\n(1,2),(3,4)\n", "， (1,2),(3,4)"),
    *('<div data-bbox="1 2 3 4" data-label="Text">', '<div data-label="List-Group">'),
    *("<ul>", "<li>", "</li>", "</ul>", "<ol>"),
    *("<math>", "</math>", '<math display="block">', "<h2>", "</h2>", "<pre>", "</pre>", '<img alt="', '"/>', "<sup>"),
    *("<doctag>", "<text><loc_1><loc_2><loc_3><loc_4>", "</text>", "<otsl>", "</otsl>", "<picture>", "<caption>"),
    *("<unordered_list>", "<list_item>", "</list_item>", "<code><_Python_>", "<|box_start|>001 002 003 004<|box_end|>"),
    *("<|ref_start|>text<|ref_end|>", "<|ref_start|>image<|ref_end|><|rotate_up|>"),
    *("$$ $$", " $$ and $$ ", r"\[ \]", "<p></p>"),
    *(f"\n<|ref|>text<|/ref|>{_BOX}\n", f"<|ref|>table<|/ref|>{_BOX}\n", f"<|ref|>table_caption<|/ref|>{_BOX}\n"),
    *(f"<|ref|>image<|/ref|>{_BOX}\n", "<|ref|>title<|/ref|>", "---\nis_table: False\n---\n"),
]
_LOOPS = ["<center>a\n", "*a ", "$a ", "$$a\n\n", "a*", "**a", "<b>a", "<table><tr><td>a", '{"text": "a', '{"a":']
outputs = st.lists(st.one_of(st.sampled_from(MARKUP), st.just("WORD")), max_size=20)
in_a_box = st.lists(st.sampled_from([piece for piece in MARKUP if "<|" not in piece]), min_size=1).map("".join)


def words(reading):
    parts = []
    for block in reading.blocks:
        parts += [block.marker, block.text]
        parts += ["".join(span.text for span in cell.spans) for cell in (block.table.cells if block.table else ())]
    return " ".join(parts)


@every_dialect
@given(pieces=outputs)
def test_every_word_of_broken_markup_is_read_once(dialect, pieces):
    text = "".join(f"Q{index}Z" if piece == "WORD" else piece for index, piece in enumerate(pieces))
    reading = dialect.read(text, FRAME)
    assert sorted(re.findall(r"Q\d+Z", words(reading))) == sorted(re.findall(r"Q\d+Z", text))


@every_dialect
@given(text=st.one_of(st.text(), st.lists(st.sampled_from(MARKUP)).map("".join)))
def test_any_text_is_read(dialect, text):
    reading = dialect.read(text, FRAME)
    assert len(reading.blocks) == len(reading.extents)
    assert all(0 <= start < end <= len(text) for start, end in reading.extents)
    assert all(end <= start for (_, end), (start, _) in pairwise(reading.extents))


@pytest.mark.parametrize("category", Category)
@given(text=in_a_box.filter(str.strip), items=st.booleans())
def test_whatever_stands_in_an_element_the_box_is_kept(category, text, items):
    reading = read_element(text, category, BOX, items_in_text=items)
    assert {block.box for block in reading.blocks} == {BOX}


@pytest.mark.parametrize("text", ["<table>", "<table> Q1Z", "<table></table>", "$$", "$$ $$", "``` q1z", "<p></p>"])
@pytest.mark.parametrize("category", [Category.TEXT, Category.TABLE, Category.LIST_ITEM])
def test_an_element_that_cannot_be_read_is_a_text_in_its_box(category, text):
    for dialect, output in (
        (DotsJson(), json.dumps([{"bbox": [2, 4, 6, 8], "category": category, "text": text}])),
        (Grounding(), f"<|ref|>{category.value.lower()}<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\n{text}"),
    ):
        reading = dialect.read(output, FRAME)
        assert [block.text for block in reading.blocks] == [text]
        assert reading.blocks[0].box != FRAME.box
        assert reading.blocks[0].table is None
        assert reading.problems


@every_dialect
def test_a_model_that_repeats_itself_is_read(dialect):
    for piece in [*MARKUP, *_LOOPS]:
        dialect.read(piece * (6000 // len(piece)), FRAME)
