"""Categories: what the type of a group of lines says it is."""

from dataclasses import replace

import numpy as np
import pytest
from typeset import SHEET, line, lines, row, rules, word

from docparse.layout.kinds.classify import categorise, followers, marker_of
from docparse.layout.kinds.legends import legends
from docparse.layout.kinds.style import page_style
from docparse.layout.kinds.votes import called_notes, counted, crowds, in_series, kickers, outvoted, pulled, underlined
from docparse.layout.text import wording
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


def test_the_title_of_a_cover_is_none_of_its_text():
    title, others = group("Annual", "Report", size=40), [group("Savings Bank", top=50), group("since 1874", top=80)]
    assert categorise(title, page_style([title, *others], SHEET), [], rules()) is HEADING


@pytest.mark.parametrize(
    "text, style, expected",
    [
        ("Large words", {"size": 14.0}, HEADING),
        ("Bold words", {"bold": True}, HEADING),
        ("Bold words. . .", {"bold": True}, HEADING),
        ("Bold words . . . . .", {"bold": True}, TEXT),
        ("2.1 Bold and numbered", {"bold": True}, HEADING),
        ("2.10 Garbage collection", {"bold": True}, HEADING),
        ("2.2 Small, bold and numbered", {"bold": True, "size": 9.0}, HEADING),
        ("IV. NEW BUSINESS", {}, HEADING),
        ("I. INTRODUCTION", {"size": 8.0}, HEADING),  # small capitals
        ("1. The averaged function", {"font": "CMCSC10"}, HEADING),
        ("MISCELLANEOUS PROVISIONS", {"bold": True, "size": 9.0}, HEADING),
        ("1. Set-up", {"italic": True}, HEADING),
        ("Set-up", {"italic": True, "size": 10.9}, HEADING),
        ("Set-up", {"italic": True}, TEXT),
        ("Set-up", {"size": 10.9}, TEXT),
        ("References", {}, HEADING),
        ("Material and Methods", {}, HEADING),
        ("2.1.0 (2024-03-01)", {"size": 14.0}, HEADING),
        ("Is this a question?", {"size": 14.0}, HEADING),
        ("서론 · 결론", {"size": 14.0}, HEADING),
        ("CO₂ tax", {"size": 14.0}, HEADING),
        ("“荣誉室”一墙之隔是“创新室”", {"size": 14.0}, HEADING),
        ("二、 Sensors", {"bold": True}, HEADING),
        ("（二）音程的级数", {"size": 12.0}, HEADING),
        ("（二）音程的级数", {}, ITEM),
        ("二、填空题", {}, ITEM),
        ("（二）音程的级数。", {"font": "FangSong"}, ITEM),
        ("ada.north@mill.farm", {"size": 14.0}, TEXT),
        ("+i, −−exact", {"bold": True}, TEXT),
        ("Handwriting", {"size": 14.0, "confidence": 0.9}, TEXT),
        ("By Ann Lee and Jo Day", {"bold": True}, TEXT),
        ("By and large", {"bold": True}, HEADING),
        ("Y. Tanabe, K.-L. Oduya, and R. T. Sand", {"bold": True}, TEXT),
        ("Y. Tanabe and the foam", {"bold": True}, HEADING),
        ("Von Neumann Architecture", {"bold": True}, HEADING),
        ("文献综述", {"bold": True}, HEADING),
        ("本报记者 张伟", {"bold": True}, TEXT),
        ("记者的故事很多很长", {"bold": True}, HEADING),
        ("Large print", {"size": 14.0, "confidence": 0.98}, HEADING),
        ("农业市场信息", {"size": 14.0, "confidence": 0.9}, HEADING),
        ("end if", {"bold": True}, TEXT),
        ("Example 5.1. The file of a host", {"bold": True}, TEXT),
        ("2.10.4.3. Box", {"size": 14.0}, HEADING),
        ("Plain words", {}, TEXT),
        ("7. 在 △ABC 中, AB = 2, BC = 1.5, 求 AC", {}, ITEM),
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
        ("//already in its place", {"size": 14.0}, TEXT),
        ("(2sin²x₁+ 2", {"size": 14.0}, TEXT),
        ("f(x) = ab", {"bold": True}, TEXT),
        *((f"{marker} some words", {}, ITEM) for marker in ("•", "◯", "1.", "(a)", "iv)", "12)", "-")),
        *((f"{initial} Author", {}, TEXT) for initial in ("A.", "J.", "—", "*", "–", "(202)")),
        ("Table 2: Counts", {"top": 700}, CAPTION),
    ],
)
def test_type_and_words_of_one_line_say_what_it_is(text, style, expected):
    assert named(group(text, **style)) is expected


def capitals(first, rest, *more, x=200, size=12.0, small=9.6):
    """A capital, and small capitals behind it."""
    return Group([Line((word(first, x, 300, size), word(rest, x + 0.5 * size, 300, small, glued=True), *more))])


def staggered(inset):
    """Three bold lines, each `inset` or twice that farther in than the longest."""
    texts = ["United States and", "the seas around them", "in millions"]
    return Group([line(text, 200 + k * inset, 300 + 12 * i, right=400 - k * inset, bold=True)
                  for i, (text, k) in enumerate(zip(texts, (1, 0, 2), strict=True))])  # fmt: skip


def numbered(size):
    """As word processors write it where the font of the words has no digits: the number is from another font."""
    number, words = line("1.", 60, 300, size), line("ความเป็นมา", 78, 300, size, bold=True)
    return Group([Line((*number.words, *words.words))])


def raised(top):
    return Group([Line((word("3", 60, top - 4, 5, width=4), *line("See the second chapter.", 66, top, 8).words))])


FIVE = [f"line {n} of the title" for n in "abcde"]
NOTE_LINE, FLOAT = group("See chapter two.", top=740, size=8), {"floats": [Box(60, 100, 300, 280)]}
STROKE = {"rulings": rules((60, 720, 200, 720))}
FRAME = {"rulings": rules((60, 720, 200, 720), (60, 720, 60, 760), (200, 720, 200, 760), (60, 760, 200, 760))}
RULED = {"rulings": rules(*((60, y, 200, y) for y in (660, 690, 720)))}
GROUPS = {  # a group, others on the page, what else is on it, and what the group is
    "the short lines of an address": (
        group("Pino Bluebird", "Sesame Street 32", "1025 RX Amsterdam", size=12), [], {}, TEXT),
    "the same in very large type": (group("Pino Bluebird", "Sesame Street", "and Friends", size=24), [], {}, HEADING),
    "a title in two lines": (group("What the birds of", "the Street said", size=12), [], {}, HEADING),
    "a title in five lines of large type": (group(*FIVE, top=100, size=24), [group(*PROSE * 6, top=400)], {}, HEADING),
    "five lines of larger type": (group(*FIVE, top=100, size=14), [group(*PROSE * 6, top=400)], {}, TEXT),
    "a keyword in small capitals": (capitals("A", "CKNOWLEDGMENT", x=60, size=10, small=8), [], {}, HEADING),
    "small capitals as word processors say them": (capitals("S", "UNNY"), [], {}, HEADING),
    "small capitals as browsers say them": (capitals("S", "unny"), [], {}, HEADING),
    "small capitals before a word in their size": (capitals("S", "UNNY", word("Days", 240, 300, 9.6)), [], {}, TEXT),
    "a first letter before a word in its small size": (
        capitals("S", "unny", word("Days", 240, 300, 9.6)), [], {}, TEXT),
    "capitals of two sizes": (capitals("E", "DUCATION", x=60), [], {}, HEADING),
    "the small ones alone": (Group([Line((word("DUCATION", 66, 300, 9.6, glued=True),))]), [], {}, TEXT),
    "a letter of an index": (group("A", size=14), [group("B", top=350, size=14)], {}, HEADING),
    "the same letter twice": (group("A", size=14), [group("A", top=350, size=14)], {}, TEXT),
    "three bold lines from one margin": (staggered(0), [], {}, TEXT),
    "three bold lines that are centred": (staggered(20), [], {}, HEADING),
    "a number before bold words": (numbered(10), [group("2. More", top=500)], {}, ITEM),
    "a number before large bold words": (numbered(14), [group("2. More", top=500)], {}, HEADING),
    "bold words on a bold page": (
        group("Bold words", bold=True), [group(*PROSE * 6, top=500, bold=True)], {}, TEXT),
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
    **{f"words in italics with {name}": (
        group("Ninety minutes to the", "junction, and not fifty", size=14, italic=True), [], {"rulings": strokes}, kind)
       for name, strokes, kind in (
           ("rules over and under them", rules((55, 285, 250, 285), (55, 325, 250, 325)), TEXT),
           ("a rule under them", rules((55, 325, 250, 325)), HEADING))},
    "text under a short stroke": (group("See chapter two.", top=740), [], STROKE, TEXT),
}  # fmt: skip


@pytest.mark.parametrize("item, others, page, expected", GROUPS.values(), ids=GROUPS)
def test_lines_and_what_stands_around_them_say_what_they_are(item, others, page, expected):
    assert named(item, *others, **page) is expected


@pytest.mark.parametrize("entry, expected", [("alarms, 14, 88", HEADING), ("bells, 12–22", TEXT), ("A", TEXT)])
def test_a_letter_of_an_index_stands_over_an_entry_that_begins_with_it(entry, expected):
    letter, below = group("A", size=12), [group(entry, top=320)]
    style = page_style([letter, *below, group(*PROSE * 3, top=400)], SHEET, noisy=True)
    assert categorise(letter, style, [], rules(), below) is expected


@pytest.mark.parametrize("number, words, bold, expected", [
    ("3.1.", "Remarks.", True, HEADING), ("3.1.", "Remarks.", False, TEXT), ("", "Remarks.", True, TEXT),
    ("17.00", "Walk to the light", True, TEXT),
])  # fmt: skip
def test_bold_words_behind_the_number_of_a_section_are_a_heading_though_a_full_stop_ends_them(
    number, words, bold, expected
):
    title = Group([Line((*line(number, 60, 300).words, *line(words, 90, 300, bold=bold).words))])
    assert named(title) is expected


def test_words_in_large_type_that_the_text_says_too_are_a_pull_quote():
    text = group(
        "as all of them say, the tide that came in that win-", "ter was the lowest of all. The moon was new then."
    )
    said = ("The tide that came in that", "winter was the lowest of all")
    quotes = [group(*said, size=14, top=400), group("The moon", size=14)]
    other = group("The tide that came in that summer was higher", size=14)
    assert pulled([*quotes, other, text], [HEADING, HEADING, HEADING, TEXT]) == {0}
    same = group(*said, bold=True, top=400)
    assert pulled([same, text], [HEADING, TEXT]) == set()
    for title in (said, [f"“{said[0]}", f"{said[1]}”"]):
        assert pulled([group(*title, size=14, top=100), text], [HEADING, TEXT]) == set()  # over all text


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
    assert plain(without_marker((Span(r"^{\dagger}", math=True), Span(" A note")), "†")) == "A note"
    assert plain(without_marker((Span("x^{2}", math=True), Span(" is no mark")), "†")) == "x^{2} is no mark"


def marked(item):
    return replace(item, marker=found_markers(item.lines, [None]).get(0))


def in_the_middle(text, below, **style):
    return group(text, x=below.box.center[0] - group(text, **style).box.width / 2, **style)


RAGGED = [PROSE[0], PROSE[1][:-9], *PROSE]
BODY, FULL = group(*PROSE * 3, top=330), group(*PROSE * 3, top=330, right=310)
PART, INSET = group("A. Counting", top=330, italic=True), group(*PROSE, x=96, top=312)
OVER = {  # a line, what stands under it, and what the line is
    "a number in the middle": (in_the_middle("1. Preliminaries", BODY), [BODY], HEADING),
    "a number at the margin": (group("1. Preliminaries"), [BODY], ITEM),
    "a bold number in brackets over text": (group("(b) Leases", bold=True), [BODY], HEADING),
    "a bold number in brackets over text that is further in": (group("(b) Leases", bold=True), [INSET], HEADING),
    "a plain number in brackets over text": (group("(b) Leases"), [BODY], ITEM),
    "a bold number in brackets over another": (
        group("(b) Leases", bold=True), [marked(group("(c) Taxes", top=330, bold=True)), BODY], ITEM),
    "a number in the middle over another heading": (
        group("II. Method", x=PART.box.x0 + 80), [PART, group(*PROSE * 3, top=342)], HEADING),
    "a small line in bold in the middle": (in_the_middle("Mean field", BODY, size=9.0, bold=True), [BODY], HEADING),
    "a small line in bold at the margin": (group("Mean field", size=9.0, bold=True), [BODY], TEXT),
    "a larger line in bold over a block further in": (group("FILES", size=11.0, bold=True), [INSET], HEADING),
    "a line in bold over a block further in": (group("FILES", size=10.0, bold=True), [INSET], TEXT),
    "an article in the middle": (in_the_middle("Article 2. Term and rent", BODY), [BODY], HEADING),
    "an article in the middle of single lines": (
        in_the_middle("Article 2. Term and rent", BODY),
        [*(group(f"2.{k} The lease.", top=310 + 20 * k) for k in (1, 2)), group(PROSE[0], top=370)], HEADING),
    "an article at the margin": (group("Article 2. Term and rent"), [BODY], TEXT),
    "capitals in the middle": (in_the_middle("RULES OF PLAY", BODY), [BODY], HEADING),
    "capitals at the margin": (group("RULES OF PLAY"), [BODY], TEXT),
    **{f"small capitals over {name}": (group("The game and its end", font="CMCSC10"), text, kind)
       for name, text, kind in (
           ("text", [BODY], HEADING), ("text behind that of another column", [group(*PROSE, x=10), BODY], HEADING),
           ("a line", [group("as a rule")], TEXT), ("more of them", [group(*PROSE, font="CMCSC10")], TEXT))},
    **{f"capitals a little off the middle of {name}": (group("RULES OF PLAY", x=BODY.box.center[0] - 24), [text], kind)
       for name, text, kind in (("ragged text", group(*RAGGED, top=330), HEADING), ("justified text", FULL, TEXT))},
    "capitals in the middle of text under a heading": (
        in_the_middle("RULES OF PLAY", BODY), [group("The game", top=310, bold=True), BODY], TEXT),
    "capitals in the middle of text under shorter lines": (
        in_the_middle("RULES OF PLAY", BODY), [group("By the court:", "it says", x=120, top=306), BODY], HEADING),
}  # fmt: skip


@pytest.mark.parametrize("item, below, expected", OVER.values(), ids=OVER)
def test_a_line_is_a_heading_by_its_place_over_what_is_under_it(item, below, expected):
    assert categorise(marked(item), page_style([item, *below], SHEET), [], rules(), below) is expected


@pytest.mark.parametrize("text, size, expected", [
    ("（二）音程的级数", 10.0, HEADING), ("二、填空题", 10.0, HEADING), ("二、填空题", 9.0, ITEM),
    ("2. 音程的级数", 10.0, ITEM),
])  # fmt: skip
def test_a_chinese_numeral_in_a_font_of_its_own_numbers_a_heading(text, size, expected):
    item = marked(group(text, size=size, font="FangSong"))
    style = page_style([item, group(*PROSE * 3, top=400, font="SongTi")], SHEET)
    assert categorise(item, style, [], rules()) is expected


def test_an_item_in_italics_is_none_of_a_theorem_nor_with_symbols_a_heading():
    item = marked(group("1. Set-up", italic=True))
    plain_text, theorem = group(*PROSE * 3, top=400), group(*PROSE * 2, top=400, italic=True)
    assert categorise(item, page_style([plain_text], SHEET), [], rules()) is HEADING
    assert categorise(item, page_style([plain_text, theorem], SHEET), [], rules()) is ITEM
    symbols = Group([Line((*item.lines[0].words, word("x", 200, 300, math=True, italic=True)))], marker=item.marker)
    assert categorise(symbols, page_style([plain_text], SHEET), [], rules()) is ITEM


COLOURED = {  # a line, whether prose stands under it or over it, whether sizes are measured, and what the line is
    "right over text": (group("Coloured words", top=380, tinted=True), True, True, HEADING),
    "in the colour of the page": (group("Plain words", top=380), True, True, TEXT),
    "before a colon": (group("Coloured words:", top=380, tinted=True), True, True, TEXT),
    "a label somewhere else": (group("Coloured words", top=200, tinted=True), True, True, TEXT),
    "a little larger than text right under it": (
        group("Coloured words", top=380, tinted=True, size=11), True, False, HEADING),
    "in another face over text": (
        group("Coloured words", top=380, tinted=True, size=10, font="Sans-Bold"), True, False, HEADING),
    "a link": (group("Coloured words", top=380, tinted=True, size=10), True, False, TEXT),
    "a bold link": (
        group("Coloured words", top=380, tinted=True, size=10, font="Serif-BoldMT"), True, False, TEXT),
    "an address": (
        group("www.mill.farm", top=380, tinted=True, size=10, font="Typewriter", mono=True), True, False, TEXT),
    "larger than prose, over anything": (group("Coloured words", tinted=True, size=12.5), False, True, HEADING),
    "hardly larger": (group("Coloured words", tinted=True, size=10.5), False, True, TEXT),
}  # fmt: skip


@pytest.mark.parametrize("item, over, noisy, expected", COLOURED.values(), ids=COLOURED)
def test_words_in_a_colour_of_their_own_are_a_heading_over_text_or_where_they_are_larger(item, over, noisy, expected):
    body = group(*PROSE * 3, top=400 if over else 100, font="SerifMT")
    style = page_style([item, body], SHEET, noisy=noisy)
    assert categorise(item, style, [], rules(), [body] * over) is expected


@pytest.mark.parametrize(
    "x, top, expected", [(60, 165, HEADING), (350, 165, HEADING), (200, 165, TEXT), (60, 130, TEXT)]
)
def test_the_coloured_title_of_a_slide_stands_over_its_text_or_in_the_middle(x, top, expected):
    slide, body = Box(0, 0, 800, 450), group(*PROSE * 3, top=200, size=10)
    title = group("Coloured words of it", x=x, top=top, tinted=True)
    assert categorise(title, page_style([title, body], slide, noisy=True), [], rules(), [body]) is expected


@pytest.mark.parametrize("top, expected", [(100, HEADING), (180, TEXT)])
def test_the_bold_title_of_a_slide_stands_far_over_text_that_is_further_in(top, expected):
    slide, body = Box(0, 0, 800, 450), group(*PROSE * 3, x=100, top=200)
    title = group("Bold words", x=60, top=top, bold=True)
    assert categorise(title, page_style([title, body], slide), [], rules(), [body]) is expected


def test_an_item_in_small_print_low_on_a_page_is_no_footnote():
    body, item = group(*PROSE * 3, top=100), marked(group("• an item of a list", top=600, size=8))
    style, stroke = page_style([body], SHEET), rules((50, 590, 120, 590))
    assert categorise(group("a note", top=600, size=8), style, [], stroke) is Category.FOOTNOTE
    assert categorise(item, style, [], stroke) is ITEM


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


@pytest.mark.parametrize("top, expected", [(312, ITEM), (340, HEADING)])
def test_a_name_in_capitals_right_over_the_next_number_is_an_item(top, expected):
    items = [group("1. JSON"), group("2. Markdown", top=top)]
    markers = found_markers([item.lines[0] for item in items], [None, None])
    first, second = (replace(item, marker=markers.get(i)) for i, item in enumerate(items))
    style = page_style([first, second, group(*PROSE * 3, top=400)], SHEET)
    assert categorise(first, style, [], rules(), [second]) is expected
    assert counted([first, second], [expected, HEADING], [[second], []]) == ({1} if expected is ITEM else set())


@pytest.mark.parametrize("pitch, left", [(16, {3}), (40, {0, 1, 2, 3})], ids=["close", "apart"])
def test_headings_that_stand_close_under_each_other_are_the_lines_of_a_form(pitch, left):
    heads = [
        group(text, top=300 + pitch * k, size=12.0) for k, text in enumerate(["Order 12", "Paid in May", "Bergen"])
    ]
    page = [*heads, group("Terms of sale", top=460, size=12.0), group(*PROSE * 3, top=480)]
    categories = [HEADING] * 4 + [TEXT]
    assert {*range(4)} - crowds(page, categories, followers(page)) == left


@pytest.mark.parametrize("step, left", [(150, set()), (0, {0, 1, 2})])
def test_lines_in_the_largest_type_at_the_top_in_the_middle_are_a_title(step, left):
    texts = ["ARTICLES OF ASSOCIATION", "OF", "THE NORTH MILL"]
    wide = [group(text, size=16.0).box.width for text in texts]
    heads = [group(text, x=300 - wide[k] / 2, top=60 + step + 20 * k, size=16.0) for k, text in enumerate(texts)]
    page = [*heads, group(*PROSE * 3, top=180)]
    assert {*range(3)} - crowds(page, [HEADING] * 3 + [TEXT], followers(page)) == left


@pytest.mark.parametrize("white, left", [(8, {3}), (2, set())])
def test_a_line_close_under_such_lines_that_more_white_parts_from_them_heads_its_text(white, left):
    texts = ["Northern Lights", "Report of the board", "30 June 2022", "Insurance of the board"]
    heads = [group(text, top=100 + 12 * k + white * (k == 3), bold=True) for k, text in enumerate(texts)]
    page = [*heads, group(*PROSE * 3, top=160)]
    assert {*range(4)} - crowds(page, [HEADING] * 4 + [TEXT], followers(page)) == left


@pytest.mark.parametrize(
    "numbers, last, expected",
    [("3. 4. 5.", HEADING, {1}), ("3. 4. 5.", ITEM, set()), ("3. 5. 6.", HEADING, {1}), ("3. 5. 7.", HEADING, set()),
     ("I. II. III.", HEADING, {1})],
)  # fmt: skip
@pytest.mark.parametrize("size, in_one_type", [(12.0, True), (10.0, False)])
def test_a_line_with_the_number_between_those_of_headings_in_its_type_is_one(
    numbers, last, expected, size, in_one_type
):
    sizes = [12.0, size, 12.0]
    heads = [
        group(f"{n} Use", top=100 + 60 * k, size=s) for k, (n, s) in enumerate(zip(numbers.split(), sizes, strict=True))
    ]
    heads = [replace(head, marker=Marker(n, 60, 72, sure=True)) for head, n in zip(heads, numbers.split(), strict=True)]
    page = [*heads, group(*PROSE * 3, top=400)]
    found = in_series(page, [HEADING, ITEM, last, TEXT], page_style(page, SHEET))
    assert found == (expected if in_one_type else set())


@pytest.mark.parametrize("inset, white, lost", [(0, 0, {0}), (16, 0, set()), (0, 20, set())])
def test_a_bold_line_of_which_most_like_it_are_terms_is_no_heading(inset, white, lost):
    """Not one over text that is flush, nor one with more white over it."""
    heads = [group(text, top=100 + 60 * k, bold=True) for k, text in enumerate(["Options of it", "depth", "width"])]
    texts = [group(*PROSE, x=76 if k else 76 - inset, top=114 + 60 * k) for k in range(3)]
    page = [*heads, *texts, group("Words before", top=76 - white)]
    assert outvoted(page, [HEADING, *[TEXT] * 6], followers(page)) == lost
    assert outvoted(page, [HEADING, HEADING, *[TEXT] * 5], followers(page)) == set()


@pytest.mark.parametrize(
    "number, over, size, expected",
    [("3.", TEXT, 8.0, {1}), ("2.", TEXT, 8.0, set()), ("3.", HEADING, 8.0, set()), ("3.", TEXT, 10.0, set())],
    ids=["called", "not called", "a reference", "in the size of text"],
)
def test_small_print_at_the_foot_with_a_number_that_the_text_calls_is_a_note(number, over, size, expected):
    text = Group((line(PROSE[0], 60, 500), Line((*row(PROSE[1], 60, 512), word("3", 280, 508, 6, glued=True)))))
    note = replace(group(f"{number} See the minutes", top=740, size=size), marker=Marker(number, 60, 70, sure=True))
    page = [text, note, group("References", top=720, size=12.0), group(*PROSE * 3, top=100)]
    page = page if over is HEADING else [page[0], page[1], page[3]]
    found = called_notes(page, [TEXT, ITEM, over, TEXT][: len(page)], page_style(page, SHEET))
    assert found == expected
    assert all(marker_of(page[i], NOTE) == "3" for i in found)


def test_words_that_begin_like_a_caption_are_none():
    captions = ("Figure 3. A", "Fig. S1: A", "TABLE IV. A", "Tabla 2. A", "Tableau A. A", "Таблица 2. A", "FIGS2. A",
                "Figure 2b: A", "Figure 2b A")  # fmt: skip
    assert all(map(wording.CAPTION.match, captions))
    assert not any(map(wording.CAPTION.match, ("figure tries to", "tabs are", "Figs are", "tabular a", "Tables of")))


@pytest.mark.parametrize("x, expected", [(220, HEADING), (60, TEXT)])
@pytest.mark.parametrize("words, named", [("Part II. Use of plots", True), ("Plots in use", False)])
def test_the_name_of_a_part_in_the_middle_heads_the_headings_under_it(x, expected, words, named):
    part = group(words, x=x, top=300)
    right = 60 + 2 * (part.box.center[0] - 60)  # in the middle of what begins at the margin, if `x` is
    under = [group("3. Cultivation", top=320, bold=True), Group([line("Tenants may", 60, 340, right=max(right, 400))])]
    style = page_style([part, *under, group(*PROSE * 3, top=400)], SHEET)
    assert categorise(part, style, [], rules(), under) is (expected if named else TEXT)


@pytest.mark.parametrize("text, stroke, expected", [
    ("Mechanical work", (0, 0, 0), {0}), ("Mechanical work", (0, 40, 0), set()), ("Mechanical work", (0, 0, 9), set()),
    ("The horn is held by bolts.", (0, 0, 0), set()), ("Name of applicant:", (0, 0, 0), set()),
])  # fmt: skip
def test_a_line_that_is_underlined_from_end_to_end_heads_the_text_under_it(text, stroke, expected):
    head, below = group(text), group(*PROSE, top=330)
    more_left, more_right, lower = stroke
    y = head.lines[0].baseline + 2 + lower
    found = np.array([[head.box.x0 - more_left, y, head.box.x1 + more_right, y]])
    assert underlined([head, below], [TEXT, TEXT], followers([head, below]), found) == expected
    assert underlined([head, below], [TEXT, TEXT], followers([head, below]), rules()) == set()


@pytest.mark.parametrize("words, size, expected", [
    ("INTERVIEW", 30, {0}), ("INTERVIEW", 14, set()), ("Chapter 2", 30, set()), ("Spring 2029", 30, set()),
])  # fmt: skip
def test_a_word_right_over_a_headline_is_no_heading(words, size, expected):
    page = [group(words, top=60, bold=True), group("The man who winds", top=80, size=size), group(*PROSE, top=140)]
    assert kickers(page, [HEADING, HEADING, TEXT], followers(page)) == expected


@pytest.mark.parametrize("words, expected", [
    ("Table I lists the errors", TEXT), ("Table 1 lists the errors", TEXT), ("Table I Errors by surface", CAPTION),
])  # fmt: skip
def test_a_sentence_about_a_table_is_no_caption_of_it(words, expected):
    assert named(group(words), floats=[Box(60, 320, 320, 500)]) is expected
