"""Excerpts: tables and text that a page shows as pictures are read; charts and photographs stay pictures."""

import io

import msgspec
import numpy as np
import pytest
from PIL import Image
from typeset import grid_of

from docparse.layout.pictures.excerpts import DPI, may_be_print, shown_text
from docparse.layout.reader import PageReader
from docparse.pdf import open_document
from docparse.pdf.content import PageImage
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Cell, Span, Table

ROWS = [["Town", "Height", "Rain"], ["Aberdeen", "20", "790"], ["Bergen", "12", "2250"], ["Madrid", "657", "436"],
        ["Valletta", "56", "553"], ["Ljubljana", "295", "1362"], ["Reykjavik", "15", "798"]]  # fmt: skip
TABLE = "#table(columns: (140pt, 90pt, 90pt), " + ", ".join(f"[{cell}]" for row in ROWS for cell in row) + ")"
PROSE = "The rain in Bergen falls on most days of the year, and nobody is surprised by it any more. " * 6
BARS = "#place(dx: 25pt * k, dy: 8pt * k, rect(width: 12pt, height: 100pt - 8pt * k, fill: blue))"
CHART = f"#box(width: 300pt, height: 130pt)[#for k in range(12) [{BARS} #place(dx: 25pt * k, dy: 110pt)[#k]]]"
BOX = Box(0, 0, 300, 200)


def drawn(typst_pdf, shown):
    """The pixels of what a Typst source shows."""
    pdf = typst_pdf("#set page(width: 340pt, height: auto, margin: 6pt)\n" + shown, "shown")
    with open_document(pdf, name="shown") as document:
        return document.page(1).render(200).pixels


def blocks_of(typst_pdf, shown, **settings):
    """The blocks of a page with a picture between two paragraphs."""
    buffer = io.BytesIO()
    Image.fromarray(drawn(typst_pdf, shown)).save(buffer, "PNG")
    data = ", ".join(map(str, buffer.getvalue()))
    source = f"#set page(width: 420pt, height: 560pt)\nBefore it.\n\n#image(bytes(({data})), width: 300pt)\n\nAfter it."
    with open_document(typst_pdf(source, "page"), name="page") as document:
        return PageReader(Settings(**settings)).read(document.page(1)).page.blocks


def test_a_table_that_is_a_picture_is_a_table(typst_pdf):
    first, table, last = blocks_of(typst_pdf, TABLE)
    assert (first.text, grid_of(table.table), last.text) == ("Before it.", ROWS, "After it.")
    assert table.source == "ocr" and first.box.y1 < table.box.y0 and table.box.y1 < last.box.y0


def test_text_that_is_a_picture_stands_behind_it(typst_pdf):
    first, picture, heading, text, last = blocks_of(typst_pdf, f"= Rain\n{PROSE}")
    assert [first.text, heading.text, text.text, last.text] == ["Before it.", "Rain", PROSE.strip(), "After it."]
    assert picture.category is Category.PICTURE
    assert heading.category is text.category is Category.TEXT  # no heading of the page


@pytest.mark.parametrize("shown, settings", [(CHART, {}), (TABLE, {"ocr": "off"}), (TABLE, {"text_layer": "only"})],
                         ids=["a chart", "without OCR", "of the text layer alone"])  # fmt: skip
def test_other_pictures_stay_pictures(typst_pdf, shown, settings):
    assert [block.category for block in blocks_of(typst_pdf, shown, **settings)] == ["Text", "Picture", "Text"]


def test_a_quick_look_tells_print_from_photographs_and_charts(typst_pdf):
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)
    seen = [noise, drawn(typst_pdf, CHART), drawn(typst_pdf, TABLE), drawn(typst_pdf, PROSE)]
    boxes = [Box(0, 0, image.shape[1] * 72 / 200, image.shape[0] * 72 / 200) for image in seen]
    half = [np.asarray(Image.fromarray(image).resize((image.shape[1] // 2, image.shape[0] // 2))) for image in seen]
    assert DPI == 100
    found = [may_be_print(PageImage(image, DPI / 72), box) for image, box in zip(half, boxes, strict=True)]
    assert found == [False, False, True, True]


def table(filled):
    cells = tuple(Cell(row=k // 4, column=k % 4, spans=(Span("1"),) if k < filled else ()) for k in range(16))
    return Block(category=Category.TABLE, box=BOX, table=Table(4, 4, cells))


def test_the_grid_of_a_chart_and_labels_are_no_text():
    picture = Block(category=Category.PICTURE, box=Box(100, 50, 400, 250))
    labels = [Block(category=Category.TEXT, box=Box(0, 20 * k, 300, 20 * k + 9), spans=(Span("cost in EUR"),))
              for k in range(10)]  # fmt: skip
    puzzle = [msgspec.structs.replace(label, spans=(Span("U F E L O D R N E"),)) for label in labels]
    text = [msgspec.structs.replace(label, spans=(Span("Cost in EUR of it"),)) for label in labels]
    figures = [msgspec.structs.replace(label, spans=(Span("0 10 20 30 40 50"),)) for label in labels]
    axes = [msgspec.structs.replace(label, spans=(Span("20 40 60 80 steps of it"),)) for label in labels]
    assert shown_text(figures, picture) == shown_text(axes, picture) == [picture]
    assert shown_text([table(5)], picture) == shown_text(labels, picture) == shown_text(puzzle, picture) == [picture]
    assert len(shown_text(text, picture)) == 1 + len(text)
    blurred = [msgspec.structs.replace(label, confidence=0.9) for label in text]
    assert shown_text(blurred, picture) == [picture]
    scribbled = [*text[:-2], msgspec.structs.replace(text[-1], confidence=0.3)]
    assert len(shown_text(scribbled, picture)) == 1 + len(scribbled)
    chinese = [msgspec.structs.replace(label, spans=(Span("静态链表，是链接、存储的结构。"),)) for label in labels]
    assert len(shown_text(chinese, picture)) == 1 + len(chinese)
    [found] = shown_text([table(12)], picture)
    assert found.box == picture.box


def test_a_title_that_is_a_picture_of_one_line_is_a_heading(typst_pdf):
    first, title, last = blocks_of(typst_pdf, "#text(24pt)[Executive Summary]")
    assert [first.text, title.text, last.text] == ["Before it.", "Executive Summary", "After it."]
    assert title.category.is_heading and not first.category.is_heading
    assert msgspec.json.encode(title)  # it is written to the journal


@pytest.mark.parametrize(
    "shown, settings",
    [("#text(24pt)[Executive Summary]", {"ocr": "off"}), ("#text(24pt)[DOCKET]", {}),
     ("#text(18pt)[$a^2 + b^2 = c^2$]", {}),
     ("#rect(width: 300pt, height: 20pt, fill: gradient.linear(..color.map.rainbow))", {})],
    ids=["without OCR", "a wordmark", "a formula", "a bar of many colours"],
)  # fmt: skip
def test_other_pictures_as_low_as_a_line_say_nothing(typst_pdf, shown, settings):
    blocks = blocks_of(typst_pdf, shown, **settings)
    assert [block.text for block in blocks if block.category is not Category.PICTURE] == ["Before it.", "After it."]
