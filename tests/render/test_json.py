"""The JSON document model is what its published schema says, and reads back."""

import io
import json
import math
from pathlib import Path

import msgspec
import pytest
from blocks import block, page
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import docparse
from docparse.errors import InputError
from docparse.render import jsonform, read_json, write_json
from docparse.types import Block, Box, Category, Cell, Decoding, DocumentInfo, Page, Span, Table

INFO = DocumentInfo(name="a.pdf", sha256="0" * 64, pages=2)
SCHEMA = Path(jsonform.__file__).with_name("schema.json").read_text(encoding="utf-8")

NUMBERS = st.floats(-1e4, 1e4).map(lambda value: round(value, 2) + 0.0)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cn")), max_size=12)
SPANS = st.lists(st.builds(Span, TEXT, math=st.booleans(), bold=st.booleans()), max_size=3).map(tuple)
CELLS = st.lists(st.builds(Cell, st.integers(0, 3), st.integers(0, 3), SPANS, header=st.booleans()), max_size=3)
BLOCKS = st.builds(
    Block,
    category=st.sampled_from(Category),
    box=st.builds(Box, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    spans=SPANS,
    table=st.none() | st.builds(Table, st.just(4), st.just(4), CELLS.map(tuple)),
    level=st.integers(0, 6),
    marker=TEXT,
    continues=st.booleans(),
    confidence=st.integers(0, 1000).map(lambda value: value / 1000),
    source=st.sampled_from(["text-layer", "ocr", "layout", "vlm"]),
    tokens=st.integers(0, 99),
    draft_tokens=st.integers(0, 9),
)
DECODING = st.builds(
    Decoding,
    accel=TEXT,
    tokens=st.integers(0, 99),
    accepted_by_source=st.dictionaries(TEXT, st.integers(1, 9), max_size=2),
    ending=st.sampled_from(["stop", "length", "loop", "interrupted", "memory"]),
)
PAGES = st.lists(
    st.builds(
        Page,
        number=st.integers(1, 9999),
        width=NUMBERS.map(abs),
        height=NUMBERS.map(abs),
        blocks=st.lists(BLOCKS, max_size=3).map(tuple),
        status=st.sampled_from(["ok", "partial", "failed"]),
        decoding=st.none() | DECODING,
        warnings=st.lists(TEXT, max_size=2).map(tuple),
        error=TEXT,
        rotation=st.sampled_from([0, 90, 180, 270]),
        skew=NUMBERS,
    ),
    max_size=3,
)


def written(*pages):
    out = io.StringIO()
    write_json(INFO, iter(pages), out)
    return out.getvalue()


def assert_valid(text):
    Draft202012Validator.check_schema(json.loads(SCHEMA))
    assert not list(Draft202012Validator(json.loads(SCHEMA)).iter_errors(json.loads(text)))


def test_the_published_schema_is_the_one_of_the_types(tmp_path):
    assert jsonform.publish(tmp_path).read_text(encoding="utf-8") == SCHEMA


@given(PAGES)
def test_any_document_is_valid_a_page_a_line_and_reads_back(pages):
    text = written(*pages)
    assert_valid(text)
    assert read_json(text) == (INFO, pages)
    lines = text.splitlines()[1:-1]
    assert [json.loads(line.rstrip(","))["number"] for line in lines] == [page.number for page in pages]


def test_a_block_says_what_it_is_where_and_how_sure():
    sure = block("Text", box=Box(1 / 3, 0, 2, 3), confidence=2 / 3, source="ocr")
    data = json.loads(written(page(3, block("Title", "T"), sure)))
    assert (data["schema"], data["docparse"]) == ("docparse-document-1", docparse.__version__)
    [only] = data["pages"]
    assert (only["number"], only["width"], only["height"], only["status"]) == (3, 612, 792, "ok")
    title, text = only["blocks"]
    assert (title["order"], title["confidence"], title["source"]) == (0, 1, "text-layer")
    assert text == {
        "order": 1, "category": "Text", "box": [0.33, 0, 2, 3], "confidence": 0.667, "source": "ocr", "text": ""
    }  # fmt: skip
    timed = msgspec.structs.replace(page(1), seconds={"render": 0.5})
    assert written(timed) == written(page(1))  # so that runs compare equal


def test_numbers_and_characters_json_cannot_hold_do_no_harm():
    odd = block("Text", "a\ud800b\x00c", box=Box(math.nan, 0, math.inf, 1), confidence=1.5)
    text = written(page(1, odd, width=math.inf))
    assert_valid(text)
    (read,) = read_json(text.encode())[1]
    assert read.blocks[0].text == "abc"


@pytest.mark.parametrize("data", ["", "{}", "[1]", b"\xff", '{"schema":"other"}'])
def test_something_else_is_refused_in_one_line(data):
    with pytest.raises(InputError, match="docparse-document-1"):
        read_json(data)
