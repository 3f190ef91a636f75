"""HunyuanOCR's layout coordinates, which are no words of the page."""

import pytest

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.models.hunyuan_ocr import HunyuanOcr
from docparse.types import Box, Category

FRAME = Frame(Box(0, 0, 500, 1000), 1000, 2000)
HUNYUAN = MarkdownDialect(points=True)


def test_a_caption_is_where_its_coordinates_say():
    text = "Before.\n\nFigure 1: A plane.(147,90),(925,415)\n\nAfter."
    reading = HUNYUAN.read(text, FRAME)
    assert [block.text for block in reading.blocks] == ["Before.", "Figure 1: A plane.", "After."]
    assert [block.box for block in reading.blocks] == [FRAME.box, Box(73.5, 90, 462.5, 415), FRAME.box]
    assert text[slice(*reading.extents[1])] == "Figure 1: A plane."


def test_coordinates_alone_on_their_line_are_a_picture():
    reading = HUNYUAN.read("Before\n(147,90),(925,415)\nafter (10,10),(50,60) , (30,40),(90,80)  \n", FRAME)
    assert [(block.category.value, block.text) for block in reading.blocks] == [
        ("Text", "Before"),
        ("Picture", ""),
        ("Text", "after"),
    ]
    assert reading.blocks[1].box == Box(73.5, 90, 462.5, 415)
    assert reading.blocks[2].box == Box(5, 10, 45, 80)


@pytest.mark.parametrize(
    "text",
    [
        "from (1,2),(3,4) to there",
        "the points (1,2), (3,4)",
        "Its end points are (1,2),(3,4)",
        "Which line?\n\nA. (1,2),(3,4)",
        "(0,0),(10,10)",
        "(900,900),(100,100)",
        "(0,0),(1200,1400)",
        "$(2,4),(3,3)$",
        "$$\n\\{(2,4),(3,3)\n$$",
        "<table>\n<tr>\n<td>\n(2,4),(3,3)\n</td>\n</tr>\n</table>",
        "```\n(2,4),(3,3)\n```",
    ],
)
def test_coordinates_that_the_page_prints_are_kept(text):
    assert HUNYUAN.read(text, FRAME) == MarkdownDialect().read(text, FRAME)


def test_the_crop_of_a_region_has_no_coordinates():
    (block,) = HunyuanOcr().region_dialect(Category.FORMULA).read("P = (100,200),(300,400)", FRAME).blocks
    assert block.text == "P = (100,200),(300,400)"
