"""The JSON document model is what its published schema says, and reads back."""

import io
import json
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import docparse
from docparse.errors import InputError
from docparse.render import read_json, write_json
from docparse.render.jsonform import publish
from docparse.types import Block, Box, Category, Cell, Decoding, DocumentInfo, Page, Span, Table

INFO = DocumentInfo(name="a.pdf", sha256="0" * 64, pages=2)
SCHEMA_FILE = docparse.render.jsonform.__file__.replace("jsonform.py", "schema.json")

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
    ),
    max_size=3,
)


def written(*pages: Page, info: DocumentInfo = INFO) -> str:
    out = io.StringIO()
    write_json(info, iter(pages), out)
    return out.getvalue()


def validator() -> Draft202012Validator:
    with open(SCHEMA_FILE, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_published_schema_is_the_one_of_the_types(tmp_path):
    with open(SCHEMA_FILE, encoding="utf-8") as file:
        assert publish(tmp_path).read_text(encoding="utf-8") == file.read()


@given(PAGES)
def test_any_document_is_valid_and_reads_back(pages):
    text = written(*pages)
    assert not list(validator().iter_errors(json.loads(text)))
    assert read_json(text) == (INFO, pages)


def test_a_block_says_what_it_is_where_and_how_sure(block):
    blocks = (
        block("Title", "T"),
        Block(category=Category.TEXT, box=Box(1 / 3, 0, 2, 3), confidence=2 / 3, source="ocr"),
    )
    data = json.loads(written(Page(number=3, width=612, height=792, blocks=blocks)))
    assert data["schema"] == "docparse-document-1"
    assert data["docparse"] == docparse.__version__
    page = data["pages"][0]
    assert (page["number"], page["width"], page["height"], page["status"]) == (3, 612, 792, "ok")
    assert [b["order"] for b in page["blocks"]] == [0, 1]
    assert page["blocks"][0]["confidence"] == 1
    assert page["blocks"][0]["source"] == "text-layer"
    assert page["blocks"][1] == {
        "order": 1, "category": "Text", "box": [0.33, 0, 2, 3], "confidence": 0.667, "source": "ocr", "text": ""
    }  # fmt: skip


def test_seconds_are_left_out_so_that_runs_compare_equal():
    page = Page(number=1, width=1, height=1)
    assert written(page) == written(msgspec.structs.replace(page, seconds={"render": 0.5}))


def test_numbers_and_characters_json_cannot_hold_do_no_harm():
    odd = Block(
        category=Category.TEXT, box=Box(math.nan, 0, math.inf, 1), spans=(Span("a\ud800b\x00c"),), confidence=1.5
    )
    text = written(Page(number=1, width=math.inf, height=1, blocks=(odd,)))
    assert not list(validator().iter_errors(json.loads(text)))
    (page,) = read_json(text.encode())[1]
    assert page.blocks[0].text == "abc"


@pytest.mark.parametrize("data", ["", "{}", "[1]", b"\xff", '{"schema":"other"}'])
def test_something_else_is_refused_in_one_line(data):
    with pytest.raises(InputError, match="docparse-document-1") as error:
        read_json(data)
    assert "\n" not in str(error.value)


def test_a_page_is_a_line_of_its_own():
    lines = written(*(Page(number=n, width=1, height=1) for n in (1, 2))).splitlines()
    assert [json.loads(line.rstrip(","))["number"] for line in lines[1:-1]] == [1, 2]
