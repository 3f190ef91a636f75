"""dots.ocr's JSON, whole and broken."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.models.dialects.dots_json import DotsJson, read_elements
from docparse.models.family import Frame
from docparse.types import Block, Box, Category, Cell, Span, Table

FRAME = Frame(Box(0, 0, 100, 200), 200, 400)
DOTS = DotsJson()
BOX = Box(1, 2, 30, 40)
PAGE = [
    Block(category=Category.SECTION_HEADER, box=BOX, spans=(Span('1 "Quoted"'),), level=2),
    Block(category=Category.PICTURE, box=BOX),
    Block(category=Category.LIST_ITEM, box=BOX, spans=(Span("één"),), marker="•"),
    Block(category=Category.LIST_ITEM, box=Box(1, 40, 30, 50), spans=(Span("two"),), marker="•"),
    Block(category=Category.FORMULA, box=BOX, spans=(Span(r"\frac{a}{b}", math=True),)),
    Block(category=Category.TABLE, box=BOX, table=Table(1, 1, (Cell(0, 0, (Span("a"),)),))),
]
TEXT = (
    r'[{"bbox": [2, 4, 60, 80], "category": "Section-header", "text": "## 1 \"Quoted\""}, '
    r'{"bbox": [2, 4, 60, 80], "category": "Picture"}, '
    r'{"bbox": [2, 4, 60, 100], "category": "List-item", "text": "* één\n* two"}, '
    r'{"bbox": [2, 4, 60, 80], "category": "Formula", "text": "\\frac{a}{b}"}, '
    r'{"bbox": [2, 4, 60, 80], "category": "Table", "text": "<table><tr><td>a</td></tr></table>"}]'
)


def test_a_page_as_the_model_writes_it():
    draft = DOTS.write(PAGE, FRAME)
    assert draft.text == TEXT
    assert [draft.text[start:][:6] for start in draft.starts] == ['{"bbox'] * 3 + ['* two"'] + ['{"bbox'] * 2
    assert [element["category"] for element in json.loads(draft.text)][:3] == ["Section-header", "Picture", "List-item"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('```json\n[{"bbox": [1,2,3,4],"category": "Text","text": "a"}]\n```', [("Text", "a")]),
        ('{"elements": [{"category": "Title", "text": "# a", "bbox": [1, 2, 3, 4]}]}', [("Title", "a")]),
        ('[{"category": "Text", "text": "He said "yes", and left."}]', [("Text", 'He said "yes", and left.')]),
        (r'[{"category": "Formula", "text": "\theta \in \frac{a}{b}"}]', [("Formula", r"\theta \in \frac{a}{b}")]),
        (r'[{"category": "Formula", "text": "$$\n\\nu\n$$"}]', [("Formula", r"\nu")]),
        (r'[{"category": "Text", "text": "\ud835\udcb3 \u00e9"}]', [("Text", "𝒳 é")]),
        (r'[{"category": "Text", "text": "one\n\ntwo"}]', [("Text", "one"), ("Text", "two")]),
        (
            r'[{"category": "Text", "text": "Le dix mai\nest né Jean  \nici."}]',
            [("Text", "Le dix mai est né Jean ici.")],
        ),
        (r'[{"category": "Text", "text": "一行\n二行"}]', [("Text", "一行二行")]),
        (r'[{"category": "Caption", "text": "Table 1:\nAll of it"}]', [("Caption", "Table 1: All of it")]),
        ('[{"category": "Text", "text": "* a dagger"}]', [("Text", "* a dagger")]),
        ('[{"category": "Page-footer", "text": "- 3 -"}]', [("Page-footer", "- 3 -")]),
        ('[{"category": "Unheard-of", "text": "a"}]', [("Text", "a")]),
        ("[]", []),
    ],
)
def test_habits_that_are_no_json(text, expected):
    assert [(block.category.value, block.text) for block in DOTS.read(text, FRAME).blocks] == expected


def test_words_outside_of_the_list_are_text():
    reading = DOTS.read('Sure: [{"category": "Text", "text": "a"}] done', FRAME)
    assert [block.text for block in reading.blocks] == ["Sure: [", "a", "done"]
    assert [block.box for block in reading.blocks] == [FRAME.box] * 3
    assert len(reading.problems) == 3


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\b\f"), min_size=1))
def test_every_character_knows_where_it_came_from(text):
    raw = f'[{{"category": "Text", "text": {json.dumps(text, ensure_ascii=False)}}}]'
    (element,), problems = read_elements(raw)
    assert element.text == text
    assert problems == []
    assert all(raw[at] in (char, "\\") for char, at in zip(text, element.offsets, strict=False))
    assert element.offsets[-1] == len(raw) - 3
