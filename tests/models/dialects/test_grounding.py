"""DeepSeek-OCR's grounded Markdown."""

import pytest

from docparse.models.dialects.elements import category_of
from docparse.models.dialects.grounding import Grounding
from docparse.models.family import Frame
from docparse.types import Block, Box, Category, Cell, Span, Table

FRAME = Frame(Box(0, 0, 999, 999), 640, 640)
DEEPSEEK = Grounding()


def at(number: int) -> Box:
    return Box(number, number, number + 10, number + 10)


def block(category: Category, number: int, text: str = "", **more: object) -> Block:
    spans = (Span(text, math=category is Category.FORMULA),) if text else ()
    return Block(category=category, box=at(number), spans=spans, **more)  # type: ignore[arg-type]


PAGE = [
    block(Category.SECTION_HEADER, 10, "1 Introduction", level=2),
    block(Category.PICTURE, 20),
    block(Category.CAPTION, 30, "Figure 1 | A figure"),
    block(Category.TEXT, 40, "Words & more."),
    block(Category.CAPTION, 50, "Table 1 | A table"),
    block(Category.TABLE, 60, table=Table(1, 1, (Cell(0, 0, (Span("a < b"),)),))),
    block(Category.FORMULA, 70, "x = y"),
    block(Category.PICTURE, 80),
]
TEXT = (
    "<|ref|>sub_title<|/ref|><|det|>[[10, 10, 20, 20]]<|/det|>\n## 1 Introduction  \n\n"
    "<|ref|>image<|/ref|><|det|>[[20, 20, 30, 30]]<|/det|>\n"
    "<|ref|>image_caption<|/ref|><|det|>[[30, 30, 40, 40]]<|/det|>\n<center>Figure 1 | A figure </center>  \n\n"
    "<|ref|>text<|/ref|><|det|>[[40, 40, 50, 50]]<|/det|>\nWords & more.  \n\n"
    "<|ref|>table<|/ref|><|det|>[[60, 60, 70, 70]]<|/det|>\n"
    "<|ref|>table_caption<|/ref|><|det|>[[50, 50, 60, 60]]<|/det|>\nTable 1 | A table   \n\n"
    "<table><tr><td>a &lt; b</td></tr></table>  \n\n"
    "<|ref|>equation<|/ref|><|det|>[[70, 70, 80, 80]]<|/det|>\n\\[x = y\\]  \n\n"
    "<|ref|>image<|/ref|><|det|>[[80, 80, 90, 90]]<|/det|>"
)


def test_a_star_is_escaped():
    draft = DEEPSEEK.write([block(Category.TEXT, 10, "Sang- Hun Lee1*")], FRAME)
    assert draft.text.endswith("Lee1\\*")
    assert DEEPSEEK.read(draft.text, FRAME).blocks[0].text == "Sang- Hun Lee1*"


def test_a_page_as_the_model_writes_it():
    draft = DEEPSEEK.write(PAGE, FRAME)
    assert draft.text == TEXT
    assert [TEXT[start:][:14] for start in draft.starts][3:6] == ["<|ref|>text<|/", "<|ref|>table<|", "<table><tr><td"]


def test_a_page_is_read_with_its_boxes():
    reading = DEEPSEEK.read(TEXT, FRAME)
    assert reading.boxed
    assert reading.problems == ()
    assert [(block.category, block.text, block.box) for block in reading.blocks] == [
        (block.category, block.text, block.box) for block in PAGE
    ]
    assert reading.blocks[5].table == PAGE[5].table
    assert [end for _, end in reading.extents[:-1]] == [start for start, _ in reading.extents[1:]]


def test_a_line_of_code_is_no_heading_but_lists_are_lists():
    text = "<|ref|>text<|/ref|><|det|>[[1, 1, 2, 2]]<|/det|>\n{}"
    assert DEEPSEEK.read(text.format("# Parameter:"), FRAME).blocks[0].category is Category.TEXT
    items = DEEPSEEK.read(text.format("1. one.  \n2. two."), FRAME)
    assert [(block.marker, block.text) for block in items.blocks] == [("1.", "one."), ("2.", "two.")]
    assert items.extents[0][1] == items.extents[1][0]


def test_tags_with_holes():
    reading = DEEPSEEK.read("before <|ref|>text<|/ref|>no box <|det|>title [1, 2, 3, 4]<|/det|>Bare", FRAME)
    assert [(block.category.value, block.text) for block in reading.blocks] == [
        ("Text", "before"),
        ("Text", "no box"),
        ("Title", "Bare"),
    ]
    assert [block.box for block in reading.blocks] == [FRAME.box, FRAME.box, Box(1, 2, 3, 4)]
    assert len(reading.problems) == 2


def test_found_words_are_text_in_the_box_about_all_their_boxes():
    text = "<|ref|>the title<|/ref|><|det|>[[10, 20, 30, 40], [5, 50, 20, 60]]<|/det|>"
    (found,) = DEEPSEEK.read(text, FRAME).blocks
    assert (found.text, found.box) == ("the title", Box(5, 20, 30, 60))


def test_a_tag_cut_off_is_no_text():
    for cut in (
        "<|ref|>tex",
        "<|ref|>text<|/re",
        "<|ref|>text<|/ref|><|det|>[[1, 2",
        "<|",
        "<|ref|>table<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>",
    ):
        reading = DEEPSEEK.read("<|ref|>text<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\nWords.  \n\n" + cut, FRAME)
        assert [block.text for block in reading.blocks if block.text] == ["Words."], cut
        assert reading.problems, cut


@pytest.mark.parametrize(
    ("label", "category"),
    [
        ("figure_title", Category.CAPTION),
        ("table_title", Category.CAPTION),
        ("table_footnote", Category.FOOTNOTE),
        ("doc_title", Category.TITLE),
        ("List-item", Category.LIST_ITEM),
        ("decode", None),
        ("listing", None),
    ],
)
def test_labels_are_read_by_whole_words(label, category):
    assert category_of(label) is category
