"""What a page keeps of the pipeline, and what of the model."""

import numpy as np
import pytest

from docparse.models.family import ParsedOutput
from docparse.pdf.content import PageImage
from docparse.types import Block, Box, Category, Cell, Span, Table
from docparse.vlm.placing import Known, placed

PAGE = Box(0, 0, 200, 300)
PROSE = "A paragraph that is long enough to be found again."
OTHER = "Something else that is told on the same page."


def block(text, box=PAGE, category=Category.TEXT, **more):
    return Block(category=category, box=box, spans=(Span(text),) if text else (), **more)


def known(*blocks, pictures=True):
    image = PageImage(np.full((600, 400, 3), 200, np.uint8), 2.0)
    assets = {block.image: b"png" for block in blocks if block.image}
    return Known(number=3, box=PAGE, blocks=blocks, assets=assets, draw=lambda: image, pictures=pictures)


def place(written, there, *, boxed=False):
    return placed(written, there, ParsedOutput((), (), boxed))


SECTION, ITEM = Category.SECTION_HEADER, Category.LIST_ITEM
BESIDE = Box(0, 20, 90, 60)
NOTE = block("The source of it all.", Box(10, 280, 90, 290), Category.FOOTNOTE, marker="1")
AXIS = block("axis", Box(0, 70, 90, 120), Category.PICTURE, image="page-0003-figure-1.png")
COMPLETED = {  # what the model wrote, what the pipeline knows, and what is then known of each block
    "place, size and weight of its double": (
        [block(PROSE)], [block(PROSE, BESIDE, font_size=9.0, bold=True)],
        [{"box": BESIDE, "font_size": 9.0, "bold": True, "category": Category.TEXT}]),
    "no place that the pipeline did not see": ([block(PROSE)], [block(OTHER, BESIDE)], [{"box": PAGE}]),
    "a footnote": (
        [block("1 The source of it all.")], [NOTE],
        [{"category": Category.FOOTNOTE, "marker": "1", "text": "The source of it all."}]),
    "a heading that says the same": (
        [block("The source of it all.", category=SECTION)], [NOTE], [{"category": SECTION}]),
    "a picture that the model names takes the crop of the one in its place": (
        [block(PROSE), block("", category=Category.PICTURE, tokens=5)], [block(PROSE, BESIDE), AXIS],
        [{"text": PROSE}, {"image": AXIS.image, "text": "axis", "box": AXIS.box, "tokens": 5}]),
}  # fmt: skip


@pytest.mark.parametrize("written, there, found", COMPLETED.values(), ids=COMPLETED)
def test_what_a_block_lacks_comes_from_its_double(written, there, found):
    blocks = place(written, known(*there)).blocks
    assert [{name: getattr(each, name) for name in own} for each, own in zip(blocks, found, strict=True)] == found


def test_pictures_and_running_headers_nobody_wrote_are_put_where_they_stand():
    there = known(
        block("Running head", Box(0, 0, 50, 9), Category.PAGE_HEADER),
        block(PROSE, Box(0, 20, 90, 60)),
        block("", Box(0, 70, 90, 120), Category.PICTURE, image="page-0003-figure-1.png"),
        block(OTHER, Box(0, 130, 90, 160)),
        block("7", Box(0, 290, 50, 299), Category.PAGE_FOOTER),
    )
    page = place([block(PROSE), block(OTHER), block("More that only the model saw.")], there)
    kinds = [found.category.value for found in page.blocks]
    assert kinds == ["Page-header", "Text", "Picture", "Text", "Text", "Page-footer"]
    assert page.assets == {"page-0003-figure-1.png": b"png"}


def test_a_picture_with_a_box_of_its_own_is_cropped_under_a_new_name():
    there = known(block("", Box(0, 0, 50, 50), Category.PICTURE, image="page-0003-figure-1.png"))
    same = block("", Box(0, 0, 52, 50), Category.PICTURE)
    new = block("", Box(100, 100, 150, 150), Category.PICTURE)
    page = place([same, new], there, boxed=True)
    assert [found.image for found in page.blocks] == ["page-0003-figure-1.png", "page-0003-figure-2.png"]
    assert page.blocks[0].box == Box(0, 0, 50, 50)
    assert page.assets["page-0003-figure-1.png"] == b"png"
    assert page.assets["page-0003-figure-2.png"].startswith(b"\x89PNG")


def test_a_picture_without_a_place_outside_the_page_or_that_nobody_wants_has_no_crop():
    outside = [(box, True) for box in (PAGE, Box(300, 300, 400, 400), Box(10, 10, 10, 50))]
    for box, wanted in (*outside, (Box(1, 1, 90, 90), False)):
        page = place([block("", box, Category.PICTURE)], known(pictures=wanted), boxed=True)
        assert (page.blocks[0].image, page.assets) == ("", {})


def test_with_boxes_the_model_is_believed_about_what_is_there():
    there = known(
        block("Running head", Box(0, 0, 50, 9), Category.PAGE_HEADER),
        block("", Box(0, 70, 90, 120), Category.PICTURE, image="page-0003-figure-1.png"),
    )
    page = place([block(PROSE, Box(0, 20, 90, 60))], there, boxed=True)
    assert [found.text for found in page.blocks] == [PROSE]
    assert page.assets == {}


def test_a_heading_without_a_level_has_that_of_the_pipeline():
    there = block("2 Methods", Box(0, 20, 90, 30), Category.SECTION_HEADER, level=2)
    (found,) = place([block("2 Methods", there.box, Category.TITLE)], known(there), boxed=True).blocks
    assert (found.category, found.level) == (Category.SECTION_HEADER, 2)
    (found,) = place([block("2 Methods", there.box, Category.TITLE, level=1)], known(there), boxed=True).blocks
    assert (found.category, found.level) == (Category.TITLE, 1)


def test_header_cells_come_from_the_same_grid_of_the_pipeline():
    def table(header, words=("Name of it", "Its value")):
        cells = tuple(Cell(0, i, (Span(word),), header=header) for i, word in enumerate(words))
        return Block(category=Category.TABLE, box=Box(0, 0, 90, 90), table=Table(1, len(words), cells))

    def headers(*written_and_known):
        written, there = written_and_known
        found = place([written], known(there)).blocks[0].table
        return {cell.header for cell in found.cells}

    assert headers(table(False), table(True)) == {True}
    assert headers(table(False, ("Name of it", "Its value", "More")), table(True)) == {False}


def test_lines_that_the_pipeline_has_as_one_paragraph_are_one():
    there = known(block(f"{PROSE} {OTHER} And more.", Box(0, 20, 90, 60)), block("Another paragraph follows here."))
    written = [
        block(PROSE, tokens=7),
        block(OTHER, tokens=5),
        block("And more."),
        block("Another paragraph follows here."),
    ]
    page = placed(written, there, ParsedOutput((), (), False, below=frozenset({1, 2, 3})))
    assert [found.text for found in page.blocks] == [f"{PROSE} {OTHER} And more.", "Another paragraph follows here."]
    assert page.blocks[0].tokens == 12
    apart = placed(written, there, ParsedOutput((), (), False))
    assert [found.text for found in apart.blocks] == [found.text for found in written]


def test_headings_come_from_the_pipeline_where_the_model_marks_none():
    heading = block("The results of it all", Box(0, 20, 90, 30), Category.SECTION_HEADER, level=3, level_known=True)
    there = known(heading, block(PROSE, Box(0, 40, 90, 60)))
    written = [block("The results of it all"), block(PROSE)]
    page = placed(written, there, ParsedOutput((), (), False, headings=False))
    assert [(found.category, found.level, found.level_known) for found in page.blocks] == [
        (Category.SECTION_HEADER, 3, True),
        (Category.TEXT, 0, False),
    ]
    assert placed(written, there, ParsedOutput((), (), False)).blocks[0].category is Category.TEXT


INTRODUCTION = block("Introduction", category=ITEM, marker="1.")
TITLE = "A long title that goes on over two lines"
CODE = ("def area(width):", "total = width * width", "return total")
PARTNER = "The partner of the contention was there."
PROFIT = "The profit rose by 12 percent - a record - in the year 12. That was much."
LINES = {  # what the model wrote line by line, which lines may go on, what the pipeline knows, and what comes of it
    "a heading with a number is no item": (
        [INTRODUCTION], {}, [block("1. Introduction", category=SECTION, level=2)],
        [("Section-header", "", "1. Introduction")]),
    "an item is one": ([INTRODUCTION], {}, [INTRODUCTION], [("List-item", "1.", "Introduction")]),
    "a heading in two lines, beside one with marks": (
        [block(TITLE[:25]), block(TITLE[26:]), block("Marked", category=SECTION)], {},
        [block(TITLE, category=Category.TITLE), block("Marked", category=SECTION)],
        [("Title", "", TITLE), ("Section-header", "", "Marked")]),
    "lines of code stay lines": (
        [block(line) for line in CODE], {1, 2}, [block("\n    ".join(CODE), category=Category.CODE)],
        [("Code", "", "\n    ".join(CODE))]),
    "a short line whose words do not come next": (
        [block(PARTNER), block("Art")], {1}, [block(PARTNER)], [("Text", "", PARTNER), ("Text", "", "Art")]),
    "what begins like an item in the middle of a sentence": (
        [block("The profit rose by 12 percent"), block("a record - in the year", category=ITEM, marker="•"),
         block("That was much.", category=ITEM, marker="12.")], {1, 2}, [block(PROFIT)], [("Text", "", PROFIT)]),
}  # fmt: skip


@pytest.mark.parametrize("written, below, there, said", LINES.values(), ids=LINES)
def test_lines_without_marks_are_what_the_pipeline_knows_them_to_be(written, below, there, said):
    page = placed(written, known(*there), ParsedOutput((), (), False, below=frozenset(below), headings=False))
    assert [(found.category.value, found.marker, found.text) for found in page.blocks] == said
