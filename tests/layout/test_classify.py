"""Categories: what the type of a group of lines says it is."""

from dataclasses import replace

import pytest
from typeset import SHEET, line, lines, rules, word

from docparse.layout.kinds.classify import categorise, crowds, marker_of
from docparse.layout.kinds.style import page_style
from docparse.layout.text.groups import Group
from docparse.layout.text.items import Marker, found_markers, without_marker
from docparse.layout.text.lines import Line
from docparse.types import Box, Category, Span, plain

TEXT, HEADING, ITEM = Category.TEXT, Category.SECTION_HEADER, Category.LIST_ITEM
CAPTION, NOTE = Category.CAPTION, Category.FOOTNOTE
PROSE = ["a line of prose that is long enough to be taken", "for running text by the measure of the page"]


def group(*texts, x=60, top=300, **style):
    return Group(lines(texts, x, top, **style))


def named(item, *others, floats=(), rulings=rules()):  # noqa: B008
    heads = [some.lines[0] for some in (item, *others)]
    item = replace(item, marker=found_markers(heads, [None] * len(heads)).get(0))
    body = [group(*PROSE * 3, top=400), *others]
    return categorise(item, page_style([item, *body], SHEET), list(floats), rulings)


@pytest.mark.parametrize(
    "text, style, expected",
    [
        ("Large words", {"size": 14.0}, HEADING),
        ("Bold words", {"bold": True}, HEADING),
        ("2.1 Bold and numbered", {"bold": True}, HEADING),
        ("2.10 Garbage collection", {"bold": True}, HEADING),
        ("2.2 Small, bold and numbered", {"bold": True, "size": 9.0}, HEADING),
        ("IV. NEW BUSINESS", {}, HEADING),
        ("I. INTRODUCTION", {"size": 8.0}, HEADING),  # small capitals
        ("1. The averaged function", {"font": "CMCSC10"}, HEADING),
        ("MISCELLANEOUS PROVISIONS", {"bold": True, "size": 9.0}, HEADING),
        ("1. Set-up", {"italic": True}, HEADING),
        ("References", {}, HEADING),
        ("Material and Methods", {}, HEADING),
        ("2.1.0 (2024-03-01)", {"size": 14.0}, HEADING),
        ("Is this a question?", {"size": 14.0}, HEADING),
        ("서론 · 결론", {"size": 14.0}, HEADING),
        ("CO₂ tax", {"size": 14.0}, HEADING),
        ("“荣誉室”一墙之隔是“创新室”", {"size": 14.0}, HEADING),
        ("二、 Sensors", {"bold": True}, HEADING),
        ("Handwriting", {"size": 14.0, "confidence": 0.9}, TEXT),
        ("Large print", {"size": 14.0, "confidence": 0.98}, HEADING),
        ("农业市场信息", {"size": 14.0, "confidence": 0.9}, HEADING),
        ("end if", {"bold": True}, TEXT),
        ("Plain words", {}, TEXT),
        ("3. IR 与DB 之间的区别", {}, ITEM),  # Latin capitals in Chinese are no emphasis
        ("考试科目：____", {"size": 14.0}, TEXT),
        ("天气，", {"size": 14.0}, TEXT),
        ("This is a whole sentence in large type, and it ends.", {"size": 14.0}, TEXT),
        ("“A quotation that a magazine pulled out of the story”", {"size": 16.0}, TEXT),
        ("Total 82.11 EUR", {"bold": True}, TEXT),
        ("Bold words that go on,", {"bold": True}, TEXT),
        ("2.1 Set-up", {"size": 10.8}, HEADING),
        ("Set-up of it", {"size": 10.8}, TEXT),
        ("A calendar of the days that matter in 2017.", {"size": 24.0}, HEADING),
        ("A calendar of the days that matter in 2017.", {"size": 14.0}, TEXT),
        ("– Large words behind a dash", {"size": 14.0}, TEXT),
        ("Small bold words", {"bold": True, "size": 9.0}, TEXT),
        ("1984 2000 17", {"size": 14.0}, TEXT),
        ("14.6 min", {"size": 14.0}, TEXT),
        ("A", {"size": 14.0}, TEXT),
        ("lim", {"size": 14.0}, TEXT),
        ("ε 十 3 十 3", {"size": 14.0}, TEXT),
        ("O2j.", {"size": 14.0}, TEXT),
        ("目 录", {"size": 14.0}, HEADING),
        ("Q&A", {"size": 14.0}, HEADING),
        ("sensor --list", {"bold": True}, TEXT),
        ("https://sensors.example", {"size": 14.0}, TEXT),
        ("(2sin²x₁+ 2", {"size": 14.0}, TEXT),
        ("f(x) = ab", {"bold": True}, TEXT),
        *((f"{marker} some words", {}, ITEM) for marker in ("•", "◯", "1.", "(a)", "iv)", "12)", "-")),
        *((f"{initial} Author", {}, TEXT) for initial in ("A.", "J.", "—", "*", "–", "(202)")),
        ("Table 2: Counts", {"top": 700}, CAPTION),
    ],
)
def test_type_and_words_of_one_line_say_what_it_is(text, style, expected):
    assert named(group(text, **style)) is expected


@pytest.mark.parametrize(
    "texts, size, expected",
    [
        (["Pino Bluebird", "Sesame Street 32", "1025 RX Amsterdam"], 12.0, TEXT),
        (["Pino Bluebird", "Sesame Street", "and Friends"], 24.0, HEADING),
        (["What the birds of", "the Street said"], 12.0, HEADING),
    ],
)
def test_the_short_lines_of_an_address_are_no_heading_and_those_of_a_title_are(texts, size, expected):
    assert named(group(*texts, size=size)) is expected


def test_a_number_in_the_middle_over_text_begins_a_heading_and_one_at_the_margin_an_item():
    below, style = group(*PROSE * 3, top=330), page_style([group(*PROSE * 3)], SHEET)
    width = group("1. Preliminaries").box.width
    for x, expected in (((below.box.x0 + below.box.x1 - width) / 2, HEADING), (60, ITEM)):
        item = group("1. Preliminaries", x=x)
        item = replace(item, marker=found_markers(item.lines, [None]).get(0))
        assert categorise(item, style, [], rules(), [below] if below else []) is expected


@pytest.mark.parametrize("inset, expected", [(0.5, HEADING), (0.0, TEXT)], ids=["in the middle", "at the margin"])
def test_a_small_line_in_bold_in_the_middle_over_text_is_a_heading(inset, expected):
    below, style = group(*PROSE * 3, top=330), page_style([group(*PROSE * 3)], SHEET)
    width = group("Mean field", size=9.0).box.width
    item = group("Mean field", x=60 + inset * (below.box.width - width), size=9.0, bold=True)
    assert categorise(item, style, [], rules(), [below]) is expected


def test_an_item_in_italics_is_none_of_a_theorem_nor_with_symbols_a_heading():
    item = group("1. Set-up", italic=True)
    item = replace(item, marker=found_markers(item.lines, [None]).get(0))
    plain_text, theorem = group(*PROSE * 3, top=400), group(*PROSE * 2, top=400, italic=True)
    assert categorise(item, page_style([plain_text], SHEET), [], rules()) is HEADING
    assert categorise(item, page_style([plain_text, theorem], SHEET), [], rules()) is ITEM
    symbols = Group([Line((*item.lines[0].words, word("x", 200, 300, math=True, italic=True)))], marker=item.marker)
    assert categorise(symbols, page_style([plain_text], SHEET), [], rules()) is ITEM


def test_a_number_in_the_middle_over_another_heading_begins_one_too():
    part = group("A. Counting", top=330, italic=True)
    item = group("II. Method", x=part.box.x0 + 80)
    item = replace(item, marker=found_markers(item.lines, [None]).get(0))
    below = [part, group(*PROSE * 3, top=342)]
    assert categorise(item, page_style(below, SHEET), [], rules(), below) is HEADING


def test_keywords_in_small_capitals_are_headings():
    keyword = Group([Line((word("A", 60, 300), word("CKNOWLEDGMENT", 65, 300, 8, glued=True)))])
    assert named(keyword) is HEADING


def test_the_letters_of_an_index_are_headings():
    first, second = group("A", size=14.0), group("B", top=350, size=14.0)
    assert named(first, second) is HEADING
    assert named(first, group("A", top=350, size=14.0)) is TEXT


@pytest.mark.parametrize("size, expected", [(11.0, HEADING), (10.0, TEXT)])
def test_a_bold_line_over_a_block_further_in_is_a_heading_if_it_is_larger(size, expected):
    below = group(*PROSE, x=96, top=312)
    heading = group("FILES", size=size, bold=True)
    assert categorise(heading, page_style([heading, below], SHEET), [], rules(), [below]) is expected


@pytest.mark.parametrize("letters", ["UNNY", "unny"], ids=["as word processors say them", "as browsers do"])
def test_the_size_of_small_capitals_is_that_of_their_first_letter(letters):
    title = [word("S", 200, 300, 12.0), word(letters, 206, 300, 9.6, glued=True)]
    days = word("Days", 240, 300, 9.6)
    assert [named(Group([Line(tuple(each))])) for each in (title, [*title, days])] == [HEADING, TEXT]


def test_centred_capitals_over_a_paragraph_are_a_heading():
    below, width = group(*PROSE, top=320), group("RULES OF PLAY").box.width
    title = group("RULES OF PLAY", x=below.box.center[0] - width / 2)
    style = page_style([title, below], SHEET)
    assert categorise(title, style, (), rules(), [below]) is HEADING
    assert categorise(group("RULES OF PLAY"), style, (), rules(), [below]) is TEXT


@pytest.mark.parametrize("inset, expected", [(0, TEXT), (20, HEADING)], ids=["from one margin", "centred"])
def test_three_bold_lines_are_a_heading_where_they_are_centred(inset, expected):
    texts = ["United States and", "the seas around them", "in millions"]
    bold = [line(text, 200 + k * inset, 300 + 12 * i, right=400 - k * inset, bold=True)
            for i, (text, k) in enumerate(zip(texts, (1, 0, 2), strict=True))]  # fmt: skip
    assert named(Group(bold)) is expected


@pytest.mark.parametrize(
    "text, top, tinted, expected",
    [
        ("Coloured words", 380, True, HEADING),
        ("Plain words", 380, False, TEXT),
        ("Coloured words:", 380, True, TEXT),
        ("Coloured words", 200, True, TEXT),  # a label somewhere else
    ],
)
def test_words_in_a_colour_of_their_own_right_over_text_are_its_heading(text, top, tinted, expected):
    below, item = group(*PROSE * 3, top=400), group(text, top=top, tinted=tinted)
    assert categorise(item, page_style([item, below], SHEET, noisy=True), [], rules(), [below]) is expected


@pytest.mark.parametrize("size, expected", [(11.0, HEADING), (10.0, TEXT)], ids=["larger", "a link"])
def test_words_in_a_colour_of_their_own_that_are_a_little_larger_than_the_text_right_under_them_head_it(size, expected):
    below, item = group(*PROSE * 3, top=400), group("Coloured words", top=380, tinted=True, size=size)
    assert categorise(item, page_style([item, below], SHEET), [], rules(), [below]) is expected


@pytest.mark.parametrize("size, expected", [(12.5, HEADING), (10.5, TEXT)])
def test_words_in_a_colour_of_their_own_that_are_larger_than_prose_are_a_heading_over_anything(size, expected):
    item, body = group("Coloured words", tinted=True, size=size), group(*PROSE * 3, top=100)
    assert categorise(item, page_style([item, body], SHEET, noisy=True), [], rules()) is expected


def test_the_text_of_a_slide_is_measured_without_its_footer_and_sentences_on_a_panel_are_text():
    slide = Box(0, 0, 800, 450)
    words, footer = group("Two short lines", "of text", top=200, size=18), group("The name of the whole deck", top=430)
    assert page_style([words, footer], slide).body == 18
    light = group(*PROSE[:1], "for running text.", top=200, tinted=True)
    assert page_style([light, group("A subtitle that is long enough", top=100, size=18)], SHEET).body == 10


@pytest.mark.parametrize("size, expected", [(24, HEADING), (14, TEXT)])
def test_a_title_in_large_type_may_have_five_lines(size, expected):
    lines_ = lines([f"line {n} of the title" for n in "abcde"], top=100, size=size)
    assert named(Group(lines_), group(*PROSE * 6, top=400)) is expected


@pytest.mark.parametrize("size, expected", [(10, ITEM), (14, HEADING)])
def test_a_number_in_plain_type_before_bold_words_is_that_of_a_heading_only_where_these_are_large(size, expected):
    """Where the font of the words has no digits, a word processor takes them from another one."""
    number, words = line("1.", 60, 300, size), line("ความเป็นมา", 78, 300, size, bold=True)
    assert named(Group([Line((*number.words, *words.words))]), group("2. More", top=500)) is expected


def test_bold_is_no_distinction_on_a_bold_page():
    assert named(group("Bold words", bold=True), group(*PROSE * 6, top=500, bold=True)) is TEXT


@pytest.mark.parametrize("first, second", [("A.", "B."), ("I.", "II."), ("X.", "IX."), ("*", "*"), ("−", "−")])
def test_letters_and_dashes_in_company_are_markers(first, second):
    assert named(group(f"{first} apples"), group(f"{second} pears", top=350)) is ITEM


@pytest.mark.parametrize(
    "text, top, expected",
    [
        ("Figure 3 Flow of things", 300, CAPTION),
        ("Figure 3 shows nothing", 300, TEXT),
        ("Figure 3 Flow of things", 700, TEXT),
    ],
)
def test_a_caption_begins_like_one_beside_its_float(text, top, expected):
    assert named(group(text, top=top), floats=[Box(60, 100, 300, 280)]) is expected


def test_small_print_low_on_the_page_with_a_raised_mark_is_a_footnote():
    def raised(top):
        mark = word("3", 60, top - 4, 5, width=4)
        return Group([Line((mark, *line("See the second chapter.", 66, top, 8).words))])

    assert named(raised(740)) is NOTE and marker_of(raised(740), NOTE) == "3"
    assert named(raised(200)) is not NOTE


def test_small_print_in_a_box_is_no_footnote():
    box = rules((60, 720, 200, 720), (60, 720, 60, 760), (200, 720, 200, 760), (60, 760, 200, 760))
    assert named(group("See chapter two.", top=740, size=8), rulings=box) is TEXT


@pytest.mark.parametrize("size, stroke, expected", [(8, True, NOTE), (8, False, TEXT), (10, True, TEXT)])
def test_small_print_under_a_short_stroke_is_a_footnote(size, stroke, expected):
    strokes = rules((60, 720, 200, 720)) if stroke else rules()
    assert named(group("See chapter two.", top=740, size=size), rulings=strokes) is expected


def test_a_mark_glued_to_the_note_is_found():
    assert marker_of(group("1A note of its own", top=740, size=8), NOTE) == "1"
    assert plain(without_marker((Span("1A note"),), "1")) == "A note"
    assert plain(without_marker((Span("^{1}", math=True), Span(" A note")), "1")) == "A note"
    assert plain(without_marker((Span(r"^{\dagger}", math=True), Span(" A note")), "†")) == "A note"
    assert plain(without_marker((Span("x^{2}", math=True), Span(" is no mark")), "†")) == "x^{2} is no mark"


def test_the_sizes_of_a_page_are_those_of_most_lines_and_of_its_prose():
    headings = page_style([group("One", size=20.0), group("Two", size=20.0)], SHEET)
    assert headings.body == headings.prose == 20.0
    both = page_style([group(*PROSE * 4, top=100, size=8.0), group(*PROSE * 2, top=500, size=10.0)], SHEET)
    assert (both.body, both.prose) == (8.0, 10.0)
    assert page_style([], SHEET).body > 0


def test_capitals_of_two_sizes_are_as_large_as_their_first_letters():
    letters = (word("E", 60, 300, 12.0), word("DUCATION", 66, 300, 9.6, glued=True))
    assert named(Group([Line(letters)])) is HEADING
    assert named(Group([Line((letters[1],))])) is TEXT


def test_the_items_of_a_slide_are_its_prose_and_not_the_note_under_them():
    item = group("1. Frames of one size", size=11.0)
    items = [replace(item, marker=Marker("1.", 60, 72)) for _ in range(3)]
    style = page_style([*items, group("Both of them fit on a flat roof of brick", size=9.0)], SHEET)
    assert style.prose == 11.0


@pytest.mark.parametrize("top, expected", [(312, ITEM), (340, HEADING)])
def test_a_name_in_capitals_right_over_the_next_number_is_an_item(top, expected):
    items = [group("1. JSON"), group("2. Markdown", top=top)]
    markers = found_markers([item.lines[0] for item in items], [None, None])
    first, second = (replace(item, marker=markers.get(i)) for i, item in enumerate(items))
    style = page_style([first, second, group(*PROSE * 3, top=400)], SHEET)
    assert categorise(first, style, [], rules(), [second]) is expected


@pytest.mark.parametrize("pitch, left", [(16, {3}), (40, {0, 1, 2, 3})], ids=["close", "apart"])
def test_headings_that_stand_close_under_each_other_are_the_lines_of_a_form(pitch, left):
    heads = [
        group(text, top=300 + pitch * k, size=12.0) for k, text in enumerate(["Order 12", "Paid in May", "Bergen"])
    ]
    page = [*heads, group("Terms of sale", top=460, size=12.0), group(*PROSE * 3, top=480)]
    categories = [HEADING] * 4 + [TEXT]
    assert {*range(4)} - crowds(page, categories) == left
