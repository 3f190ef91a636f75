"""Pictures: what is a figure, and which words belong to it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, line, lines, word

from docparse.layout.engines import Engines
from docparse.layout.ocr.region import Region
from docparse.layout.pictures.find import find_pictures, labels_apart
from docparse.layout.stages import first_state, parts
from docparse.layout.text.lines import Line
from docparse.pdf import open_document
from docparse.pdf.content import PageImage
from docparse.settings import Settings
from docparse.types import Box, Category

FIGURE = Box(100, 100, 400, 300)
WATERMARK = Box(0, 100, 600, 600)
PARAGRAPH = "several words that are a line of a paragraph"


def pictures(found=(), images=(), captioned=(), tables=(), lines=()):
    return find_pictures(found, images, (), captioned, tables, lambda: lines, SHEET)


def detected(box=FIGURE, score=0.9):
    return [Region(category=Category.PICTURE, box=box, score=score)]


PAGES = {
    "detected and placed": ({"found": detected(), "images": [FIGURE.padded(3)]}, [FIGURE.padded(3)]),
    "side by side with a gap": (
        {"images": [Box(100, 100, 250, 300), Box(262, 100, 400, 300)]},
        [Box(100, 100, 250, 300), Box(262, 100, 400, 300)]),
    "the page itself": ({"found": detected(SHEET), "images": [SHEET]}, []),
    "a bar": ({"images": [Box(10, 10, 20, 300)]}, []),
    "a table": ({"found": detected(), "tables": [FIGURE.padded(-5)]}, []),
    "an unsure detection": ({"found": detected(score=0.2)}, []),
    "a panel under prose": (
        {"images": [Box(100, 100, 360, 200)],
         "lines": lines(["ten words of prose over a tinted panel and more"] * 6, 110, 118)}, []),
    "detected around words: a card or a form": (
        {"found": detected(), "lines": [line("Total 12.50", 110, 118)]}, []),
    "detected beside words": ({"found": detected(), "lines": [line("Beside it", 420, 118)]}, [FIGURE]),
    "a watermark under paragraphs": ({"images": [WATERMARK], "lines": lines([PARAGRAPH] * 12, 150, 128)}, []),
    "a watermark under Chinese paragraphs": (
        {"images": [WATERMARK], "lines": [Line((word(30 * "字", 150, 128 + 12 * i, width=300),)) for i in range(12)]},
        []),
    "a chart with a long legend and a caption": (
        {"captioned": [FIGURE], "lines": lines([PARAGRAPH] * 12, 110, 118, 7)}, [FIGURE]),
    "a table with the caption of a figure": ({"captioned": [FIGURE], "tables": [FIGURE]}, []),
    "an image under a few lines": ({"images": [WATERMARK], "lines": lines([PARAGRAPH] * 5, 150, 128)}, [WATERMARK]),
}  # fmt: skip


@pytest.mark.parametrize("page, expected", PAGES.values(), ids=PAGES)
def test_what_is_placed_or_detected_is_a_figure_unless_text_says_otherwise(page, expected):
    assert pictures(**page) == expected


@given(
    st.permutations([Box(100 + 150 * i, 100 + 20 * j, 250 + 150 * i, 120 + 20 * j) for i in (0, 1) for j in range(4)])
)
def test_strips_and_tiles_of_one_image_are_one_figure(tiles):
    assert pictures(images=tiles) == [Box(100, 100, 400, 180)]


def test_short_words_over_a_figure_are_its_labels_and_prose_and_display_type_are_not():
    axis = line("Depth (m)", 150, 158)
    text = [line("Text beside it", 420, 158), *lines(["the words of the page " * 3] * 5, 60, 508),
            line("a caption printed over the picture in one long line", 105, 288),
            line("(a) Great depths", 150, 178), line("Great ProgressMessage", 110, 139, size=24)]  # fmt: skip
    running, [labels] = labels_apart([axis, *text], [FIGURE])
    assert labels == [axis] and sorted(map(id, running)) == sorted(map(id, text))


@pytest.mark.parametrize("x, size, text", [(110, 24, True), (180, 24, False), (110, 10, False)])
def test_a_heading_over_a_banner_and_the_names_under_it_are_text(x, size, text):
    heading, kind = line("Announcements", 110, 139, size=size), line("a short word", 110, 178, size=14)
    names = [line("Ada North", x, 250), line("Ben South", x + 100, 250)]
    running, [labels] = labels_apart([*lines([PARAGRAPH] * 5, 60, 508), heading, kind, *names], [FIGURE])
    assert (labels == []) is text and (len(running) == 9) is text


@pytest.mark.parametrize("bold, x, text", [(True, 60, True), (False, 60, False), (True, 90, False)])
def test_bold_words_on_the_edge_of_a_picture_right_over_prose_are_its_heading(bold, x, text):
    heading, prose = line("From the chair", x, 297, size=12, bold=bold), lines([PARAGRAPH] * 3, 60, 312)
    running, [labels] = labels_apart([heading, *prose], [Box(50, 100, 400, 302)])
    assert (heading in running) is text and labels == [heading] * (not text)


def test_items_of_a_list_over_a_photo_are_text_and_the_key_of_a_chart_is_not():
    items = lines(["• an item of a slide with a photo", "• an item of a slide that goes on", "in a line"], 110, 150)
    key = line("• Depth (m)", 300, 280)
    assert labels_apart([*items, key], [FIGURE]) == (items, [[key]])


def test_the_short_lines_of_a_paragraph_over_a_figure_are_text():
    first, last = line("a paragraph that begins beside the picture and", 20, 158), line("ends on it", 110, 170)
    label, note = line("Depth (m)", 150, 250), line("in small type", 110, 170, size=7)
    assert labels_apart([first, last, label], [FIGURE]) == ([first, last], [[label]])
    assert labels_apart([first, note], [FIGURE]) == ([first], [[note]])


@pytest.mark.parametrize("x, text", [(110, True), (160, False)])
def test_lines_of_a_column_at_the_foot_of_a_figure_that_go_on_under_it_are_text(x, text):
    photo = Box(100, 100, 600, 300)
    _, *rest = lines([PARAGRAPH] * 3, 110, 297)
    other = line(PARAGRAPH, x, 297)
    assert labels_apart([other, *rest], [photo]) == (([other, *rest], [[]]) if text else (rest, [[other]]))


LIST = [word(text, x, 120 + 10 * k) for k in range(8) for text, x in (("milk", 110), ("2.50", 250))]


@pytest.mark.parametrize(
    "words, source, printed, pictures",
    [
        (LIST, "ocr", True, 0),
        (LIST, "ocr", False, 1),
        ([*LIST, word("outside", 20, 60)], "ocr", True, 1),
        (LIST, "text-layer", True, 1),
        (LIST[:4], "ocr", True, 1),
        ([], "ocr", True, 1),
    ],
    ids=["a receipt", "a photo", "beside text", "under text", "few words", "none"],
)
def test_an_image_of_print_with_every_word_that_ocr_read_on_a_page_is_its_paper(
    one_page_pdf, words, source, printed, pictures
):
    def draw(dpi):
        pixels = np.full((round(260 * dpi / 72), round(300 * dpi / 72), 3), 250, np.uint8)
        for y in range(145, 350, 14) if printed else ():
            for x in range(145, 400, 9):
                pixels[y : y + 8, x : x + 6] = 20  # letters
        return PageImage(pixels, dpi / 72)

    with open_document(one_page_pdf, name="page") as document:
        content = replace(document.page(1), images=(Box(100, 100, 300, 260),), draw=draw)
        state = replace(first_state(content, Engines(Settings())), words=words, source=source)
        assert len(parts.pictures(state).pictures) == pictures


@given(
    st.lists(
        st.tuples(st.integers(0, 500), st.integers(0, 700), st.sampled_from(["a", "two words", "one two three four"]))
    )
)
def test_every_line_is_either_text_or_a_label(spots):
    found = [line(words, x, y) for x, y, words in spots]
    running, labels = labels_apart(found, [FIGURE, Box(300, 400, 500, 600)])
    assert sorted(id(item) for group in (running, *labels) for item in group) == sorted(map(id, found))
