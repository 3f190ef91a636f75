"""Categories: what the type of a group of lines says it is."""

from dataclasses import replace

import pytest
from typeset import SHEET, group, line, row, rules, word

from docparse.layout.kinds.classify import categorise, marker_of
from docparse.layout.kinds.legends import legends, titles_of_labels, words_of_drawings
from docparse.layout.kinds.measures import neighbours_of
from docparse.layout.kinds.notes import called_notes
from docparse.layout.kinds.style import page_style
from docparse.layout.text import wording
from docparse.layout.text.groups import Group
from docparse.layout.text.items import Marker, found_markers, without_marker
from docparse.layout.text.lines import Line
from docparse.types import Box, Category, Span, plain

TEXT, HEADING, ITEM = Category.TEXT, Category.SECTION_HEADER, Category.LIST_ITEM
CAPTION, NOTE = Category.CAPTION, Category.FOOTNOTE
PROSE = ["a line of prose that is long enough to be taken", "for running text by the measure of the page"]


def named(item, *others, floats=(), rulings=rules()):  # noqa: B008
    heads = [some.lines[0] for some in (item, *others)]
    item = replace(item, marker=found_markers(heads, [None] * len(heads)).get(0))
    body = [group(*PROSE * 3, top=400), *others]
    return categorise(item, page_style([item, *body], SHEET), list(floats), rulings, heads=False)


def raised(top):
    return Group([Line((word("3", 60, top - 4, 5, width=4), *line("See the second chapter.", 66, top, 8).words))])


NOTE_LINE, FLOAT = group("See chapter two.", top=740, size=8), {"floats": [Box(60, 100, 300, 280)]}
STROKE = {"rulings": rules((60, 720, 200, 720))}
FRAME = {"rulings": rules((60, 720, 200, 720), (60, 720, 60, 760), (200, 720, 200, 760), (60, 760, 200, 760))}
RULED = {"rulings": rules(*((60, y, 200, y) for y in (660, 690, 720)))}
GROUPS = {  # a group, others on the page, what else is on it, and what the group is
    **{f"{first} before {second}": (group(f"{first} apples"), [group(f"{second} pears", top=350)], {}, ITEM)
       for first, second in (("A.", "B."), ("I.", "II."), ("X.", "IX."), ("*", "*"), ("−", "−"))},
    "a caption beside its float": (group("Figure 3 Flow of things"), [], FLOAT, CAPTION),
    "a sentence beside a float": (group("Figure 3 shows nothing"), [], FLOAT, TEXT),
    "a sentence about a part of one": (group("Figure 3b shows nothing"), [], FLOAT, TEXT),
    "a caption far from any float": (group("Figure 3 Flow of things", top=700), [], FLOAT, TEXT),
    "small print with a raised mark low on the page": (raised(740), [], {}, NOTE),
    "the same higher up": (raised(200), [], {}, TEXT),
    "small print in a box": (NOTE_LINE, [], FRAME, TEXT),
    "small print under a short stroke": (NOTE_LINE, [], STROKE, NOTE),
    "small print under the last rule of a table": (NOTE_LINE, [], RULED, TEXT),
    "small print under nothing": (NOTE_LINE, [], {}, TEXT),
    "text under a short stroke": (group("See chapter two.", top=740), [], STROKE, TEXT),
}  # fmt: skip


@pytest.mark.parametrize("item, others, page, expected", GROUPS.values(), ids=GROUPS)
def test_lines_and_what_stands_around_them_say_what_they_are(item, others, page, expected):
    assert named(item, *others, **page) is expected


PHOTO = Box(60, 320, 320, 500)
LEGENDS = {  # what stands by a picture, what else is on the page, and whether the first is its caption
    "over it": (group("The harbour at noon", top=308, size=8), [], True),
    "under it": (group("The harbour at noon", top=520, size=8), [], True),
    "far from it": (group("The harbour at noon", top=250, size=8), [], False),
    "in the type of the text": (group("The harbour at noon", top=308), [], False),
    "the rest of a sentence": (group("of the harbour at noon", top=308, size=8), [], False),
    "wider than the picture": (group("The harbour at noon " * 5, top=308, size=8), [], False),
    "wider than the picture on both sides": (
        group("The harbour at noon " * 5, x=-10, top=308, size=8, right=390), [], True),
    "over other text": (group("The harbour", top=290, size=8), [group("A line", top=306)], False),
    "in a box of small type": (
        group("The harbour", top=308, size=8), [group("Another line", top=296, size=8)], False),
}  # fmt: skip


@pytest.mark.parametrize("item, others, found", LEGENDS.values(), ids=LEGENDS)
def test_a_few_small_words_by_a_picture_are_its_caption(item, others, found):
    page = [item, *others, group(*PROSE * 3, top=600)]
    assert legends(page, [TEXT] * len(page), [PHOTO], page_style(page, SHEET)) == ({0} if found else set())


def test_the_mark_of_a_note_is_found_and_taken_off():
    assert marker_of(raised(740), NOTE) == "3"
    assert marker_of(group("1A note of its own", top=740, size=8), NOTE) == "1"
    assert plain(without_marker((Span("1A note"),), "1")) == "A note"
    assert plain(without_marker((Span("^{1}", math=True), Span(" A note")), "1")) == "A note"
    assert plain(without_marker((Span(r"^{\mathbf{1}}", math=True), Span(" A note")), "1")) == "A note"
    assert plain(without_marker((Span(r"^{\dagger}", math=True), Span(" A note")), "†")) == "A note"
    assert plain(without_marker((Span("x^{2}", math=True), Span(" is no mark")), "†")) == "x^{2} is no mark"


def marked(item):
    return replace(item, marker=found_markers(item.lines, [None]).get(0))


def test_what_looks_like_a_heading_is_one_but_no_caption_or_note():
    style = page_style([group(*PROSE * 3, top=400)], SHEET)
    for item, rulings, expected in (
        (group("Large words"), rules(), HEADING),
        (marked(group("1. Large words")), rules(), HEADING),
        (group("Table 2: Counts", top=700), rules(), CAPTION),
        (replace(group("Large words 12"), is_entry=True), rules(), ITEM),
        (NOTE_LINE, STROKE["rulings"], NOTE),
    ):
        assert categorise(item, style, [], rulings, heads=True) is expected


def test_an_item_in_small_print_low_on_a_page_is_no_footnote():
    body, item = group(*PROSE * 3, top=100), marked(group("• an item of a list", top=600, size=8))
    style, stroke = page_style([body], SHEET), rules((50, 590, 120, 590))
    assert categorise(group("a note", top=600, size=8), style, [], stroke, heads=False) is Category.FOOTNOTE
    assert categorise(item, style, [], stroke, heads=False) is ITEM


def test_the_short_lines_of_narrow_columns_are_prose():
    caption = group("a caption that is longer than any line", "of a narrow column would be here", top=100, size=8)
    column = group(*["lines in a newspaper"] * 4, top=300)
    assert page_style([caption, column], SHEET).body == 10
    assert page_style([caption, group(*["lines of a sign"] * 2, top=300)], SHEET).body == 8


def test_the_text_of_a_slide_is_measured_without_its_footer_and_sentences_on_a_panel_are_text():
    slide = Box(0, 0, 800, 450)
    words, footer = group("Two short lines", "of text", top=200, size=18), group("The name of the whole deck", top=430)
    assert page_style([words, footer], slide).body == 18
    light = group(*PROSE[:1], "for running text.", top=200, tinted=True)
    assert page_style([light, group("A subtitle that is long enough", top=100, size=18)], SHEET).body == 10


def test_the_sizes_of_a_page_are_those_of_most_lines_and_of_its_prose():
    headings = page_style([group("One", size=20.0), group("Two", size=20.0)], SHEET)
    assert headings.body == headings.prose == 20.0
    both = page_style([group(*PROSE * 4, top=100, size=8.0), group(*PROSE * 2, top=500, size=10.0)], SHEET)
    assert (both.body, both.prose) == (8.0, 10.0)
    assert page_style([], SHEET).body > 0


def test_the_items_of_a_slide_are_its_prose_and_not_the_note_under_them():
    item = group("1. Frames of one size", size=11.0)
    items = [replace(item, marker=Marker("1.", 60, 72)) for _ in range(3)]
    style = page_style([*items, group("Both of them fit on a flat roof of brick", size=9.0)], SHEET)
    assert style.prose == 11.0


@pytest.mark.parametrize(
    "number, over, size, strokes, expected",
    [
        ("3.", TEXT, 8.0, [], {1}),
        ("2.", TEXT, 8.0, [], set()),
        ("3.", HEADING, 8.0, [], set()),
        ("3.", TEXT, 10.0, [], set()),
        ("3.", TEXT, 10.0, [(60, 715, 160, 715)], {1}),
    ],
    ids=["called", "not called", "a reference", "in the size of text", "in that size, under a stroke"],
)
def test_small_print_at_the_foot_with_a_number_that_the_text_calls_is_a_note(number, over, size, strokes, expected):
    text = Group((line(PROSE[0], 60, 500), Line((*row(PROSE[1], 60, 512), word("3", 280, 508, 6, glued=True)))))
    note = replace(group(f"{number} See the minutes", top=740, size=size), marker=Marker(number, 60, 70, sure=True))
    page = [text, note, group("References", top=720, size=12.0), group(*PROSE * 3, top=100)]
    page = page if over is HEADING else [page[0], page[1], page[3]]
    found = called_notes(page, [TEXT, ITEM, over, TEXT][: len(page)], page_style(page, SHEET), rules(*strokes))
    assert found == expected
    assert all(marker_of(page[i], NOTE) == "3" for i in found)


def test_words_that_begin_like_a_caption_are_none():
    captions = ("Figure 3. A", "Fig. S1: A", "TABLE IV. A", "Tabla 2. A", "Tableau A. A", "Таблица 2. A", "FIGS2. A",
                "Figure 2b: A", "Figure 2b A")  # fmt: skip
    assert all(map(wording.CAPTION.match, captions))
    assert not any(map(wording.CAPTION.match, ("figure tries to", "tabs are", "Figs are", "tabular a", "Tables of")))


@pytest.mark.parametrize("words, expected", [
    ("Table I lists the errors", TEXT), ("Table 1 lists the errors", TEXT), ("Table I Errors by surface", CAPTION),
])  # fmt: skip
def test_a_sentence_about_a_table_is_no_caption_of_it(words, expected):
    assert named(group(words), floats=[Box(60, 320, 320, 500)]) is expected


@pytest.mark.parametrize(
    "label, x, top, found",
    [
        ("Table 1.", 60, 314, {1}), ("TABLE IV", 60, 314, {1}), ("Table 1. Rents", 60, 314, set()),
        ("Table 1.", 90, 314, set()), ("Table 1.", 60, 335, set()),
    ],
    ids=["under a label", "under a Roman one", "under a caption", "at another margin", "farther down"],
)  # fmt: skip
def test_the_title_under_the_label_of_a_table_is_of_its_caption(label, x, top, found):
    page = [group(label), group("Prevalence of rents", x=x, top=top, bold=True), group(*PROSE * 2, top=400)]
    assert titles_of_labels(page, neighbours_of(page), [CAPTION, HEADING, TEXT]) == found


@pytest.mark.parametrize(
    "words, drawing, top, found",
    [
        (["Specification", "Protocol"], Box(60, 290, 200, 330), 340, {0, 1}),
        (["3 Specification", "3.1 Protocol"], Box(60, 290, 200, 330), 340, set()),
        (["Specification", "Protocol"], Box(60, 600, 200, 630), 340, set()),
        (["Specification", "Protocol"], Box(60, 290, 200, 330), 370, set()),
    ],
    ids=["in a drawing", "numbered", "no strokes", "far over the caption"],
)
def test_headings_close_over_the_caption_of_a_figure_are_words_of_it_where_something_is_drawn(
    words, drawing, top, found
):
    page = [*(group(text, top=300 + 20 * k) for k, text in enumerate(words)), group("Figure 3. The layers", top=top)]
    assert words_of_drawings(page, neighbours_of(page), [HEADING, HEADING, CAPTION], [drawing]) == found
    assert words_of_drawings(page, neighbours_of(page), [HEADING, HEADING, TEXT], [drawing]) == set()
