"""Nothing that a model may write stops a reader or loses a word."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docparse.models.dialects.dots_json import DotsJson
from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Dialect, Frame, Reading
from docparse.types import Box

FRAME = Frame(Box(0, 0, 612, 792), 1224, 1584)
DIALECTS: list[Dialect] = [MarkdownDialect(), DotsJson(), Grounding(), FrontMatter()]

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
    *(f"\n<|ref|>text<|/ref|>{_BOX}\n", f"<|ref|>table<|/ref|>{_BOX}\n", f"<|ref|>table_caption<|/ref|>{_BOX}\n"),
    *(f"<|ref|>image<|/ref|>{_BOX}\n", "<|ref|>title<|/ref|>", "---\nis_table: False\n---\n"),
]
_LOOPS = ["<center>a\n", "*a ", "$a ", "$$a\n\n", "a*", "**a", "<b>a", "<table><tr><td>a", '{"text": "a', '{"a":']
outputs = st.lists(st.one_of(st.sampled_from(MARKUP), st.just("WORD")), max_size=20)


def words(reading: Reading) -> str:
    parts = []
    for block in reading.blocks:
        parts += [block.marker, block.text]
        parts += ["".join(span.text for span in cell.spans) for cell in (block.table.cells if block.table else ())]
    return " ".join(parts)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: type(dialect).__name__)
@given(pieces=outputs)
@settings(deadline=None, max_examples=150)
def test_every_word_of_broken_markup_is_read_once(dialect: Dialect, pieces: list[str]) -> None:
    text = "".join(f"Q{index}Z" if piece == "WORD" else piece for index, piece in enumerate(pieces))
    reading = dialect.read(text, FRAME)
    assert sorted(re.findall(r"Q\d+Z", words(reading))) == sorted(re.findall(r"Q\d+Z", text))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: type(dialect).__name__)
@given(text=st.one_of(st.text(), st.lists(st.sampled_from(MARKUP)).map("".join)))
@settings(deadline=None, max_examples=150)
def test_any_text_is_read(dialect: Dialect, text: str) -> None:
    reading = dialect.read(text, FRAME)
    assert len(reading.blocks) == len(reading.extents)
    assert all(0 <= start < end <= len(text) for start, end in reading.extents)
    assert all(end <= start for (_, end), (start, _) in pairwise(reading.extents))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: type(dialect).__name__)
def test_a_model_that_repeats_itself_is_read(dialect: Dialect) -> None:
    for piece in [*MARKUP, *_LOOPS]:
        dialect.read(piece * (6000 // len(piece)), FRAME)
