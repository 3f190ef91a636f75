"""List items: which lines of a page begin one, what a marker counts, and the words without it."""

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line, lines, numbered, row, rules, word

from docparse.layout.formula import latex_of
from docparse.layout.kinds.classify import inside_items
from docparse.layout.text.groups import Group
from docparse.layout.text.items import (
    found_markers,
    joined_bullets,
    list_marker,
    marker_alone,
    points_behind_numbers,
    printed,
    without_item_marker,
    without_marker,
)
from docparse.layout.text.line_finding import lines_of
from docparse.layout.text.lines import Line
from docparse.layout.text.markers import is_marker, readings
from docparse.layout.text.marks import with_marks, with_roots, with_typed_hyphens, with_underscores
from docparse.layout.text.symbol_bullets import with_symbol_bullets
from docparse.types import Box, Category, Span, plain


def sure(*lines):
    found = found_markers(lines, [None, *range(len(lines) - 1)])
    return [i in found and found[i].sure for i in range(len(lines))]


def from_the_right(text, x, baseline):
    words = []
    for part in text.split():
        words.append(word(part, x - 5 * len(part), baseline))
        x = words[-1].box.x0 - 3
    return Line(tuple(numbered(words)))


def dashed(text, baseline):
    return Line(tuple(numbered([word("—", 60, baseline), *row(text, 71, baseline)])))


FOLLOWING = ("1. 2.", "1) 2)", "(1) (2)", "a. b.", "(a) (b)", "i. ii.", "ix) x)", "A. B.", "aa) bb)", "① ②",
             "１． ２．", "· ·", "– –", "☐ ☑", "⇒ ⇒", "⋆ ⋆")  # fmt: skip
STARTS = {  # lines, and which of them begin items
    **{f"{first} before {second}": (
        lines([f"{first} apples and", "no marker here", f"{second} pears"]), [True, False, True])
       for first, second in map(str.split, FOLLOWING)},
    "the letter of copyright amid a list": (lines(["(b) apples", "(c) by the pound"]), [True, True]),
    "numbers of two digits in brackets": (lines(["(51) apples", "(52) pears"]), [True, True]),
    "questions that say first what they are worth": (
        [line("11.（4分）如图，若数a使"), line("12．（ 4 分）若数a使", baseline=124)], [True, True]),
    "long dashes before semicolons": (lines(["— the rent;", "— the heating;", "— the rest."]), [True] * 3),
    "an item that is alone over a hanging line": (
        [line("4. The last of a list that began"), line("on another page", 73, 112)], [True, False]),
    "an initial over a line that hangs": ([line("P. M. Stead"), line("Clerks", 73, 112)], [True, False]),
    "a name over what its bearer is": ([line("P. M. Stead"), line("Clerk", 73, 112)], [False, False]),
    "a number at the start of a line": (
        lines(["He was born in May of the year", "12. He died", "at home"]), [False] * 3),
    "a line that begins with a nought": (
        lines(["The ship stands at ( x = 1, y =", "0) and stays there"]), [False, False]),
    "numbers that stand elsewhere": (
        [line("1. apples and many other words"), line("2. pears", 150, 112)], [False, False]),
    "long dashes where one line hangs under an item": (
        [line("— the rent of the house and all of"), line("its heating", 68, 112), line("— the rest", 60, 124)],
        [True, False, True]),
    "long dashes with more than a space behind them": (
        [dashed("the rent", 100), dashed("The rest of it.", 112)], [True, True]),
    "the same where what is said goes on at the margin": (
        [dashed("Yes, and I have", 100), line("said it before", 40, 112), dashed("No.", 124)], [False] * 3),
    "the dashes of a dialogue": (lines(["— Yes.", "— No."]), [False, False]),
    "one arrow": (lines(["⇒ so all of it is true", "which was to be shown"]), [False, False]),
}  # fmt: skip


@pytest.mark.parametrize("page, begin", STARTS.values(), ids=STARTS)
def test_markers_begin_items_where_others_or_the_lines_around_say_so(page, begin):
    assert sure(*page) == begin


def test_items_that_are_read_from_the_right_have_their_markers_there():
    lines = from_the_right("1. كلمات أخرى هنا", 300, 100), from_the_right("2. كلمات", 300, 112)
    assert sure(*lines) == [True, True]
    marker = marker_alone(lines[0])
    assert (marker.start, marker.words) == (-300, -287)


FOUND = {  # lines, the places of those that may begin items, and of those of them that are doubtful
    "an icon twice": (lines(["\U000f8001 apples", "\U000f8001 pears"]), [0, 1], []),
    "two icons": (lines(["\U000f8001 apples", "\U000f8002 pears"]), [], []),
    "a star that is smaller than its line, the mark of a note": (
        [Line((word("⋆", 60, y - 4, 6), *row("Work that a grant supported", 67, y))) for y in (100, 112)], [], []),
    "a marker glued to a small letter, before one with a space": (lines(["(1)lim x", "(2) lim y"]), [0, 1], []),
    "a marker glued to a small letter, before one that is too": (lines(["(1)lim x", "(2)lim y"]), [], []),
    "a marker glued to a small letter, before one that does not follow": (lines(["(1)lim x", "(4) lim y"]), [1], []),
    "the sign of copyright": (lines(["Printed with permission.", "(c) by the owners of the press"]), [1], [1]),
    "the sign of copyright before a year": (lines(["(c) 1999 The owners"]), [0], [0]),
    "a letter like that of copyright": (lines(["(c) apples at the head of a page"]), [0], []),
    "a number of two digits in brackets": (lines(["(51) and (52) say so"]), [0], [0]),
    "a number of one digit in brackets": (lines(["(5) apples"]), [0], []),
}  # fmt: skip


@pytest.mark.parametrize("page, places, doubtful", FOUND.values(), ids=FOUND)
def test_what_may_be_a_marker_is_doubtful_where_it_may_be_something_else(page, places, doubtful):
    found = found_markers(page, [None, *range(len(page) - 1)])
    assert (sorted(found), [place for place in found if found[place].doubtful]) == (places, doubtful)


COUNTED = {
    "(a)": {"(b)": 2, "(c)": 3}, "i.": {"i.": 1, "ii.": 2, "xvi.": 16}, "1.": {"3.": 3}, "•": {"•": 0}, "①": {"③": 3},
    "⑴": {"⑶": 3}, "一、": {"二十三、": 23}, "1、": {"3、": 3}, "（一）": {"（十）": 10}, "aa)": {"bb)": 2},
    "أ.": {"ب.": 2}, "(I)": {"(XXVIII)": 28},
}  # fmt: skip


@pytest.mark.parametrize("first", COUNTED)
def test_what_a_marker_counts(first):
    for marker, count in COUNTED[first].items():
        assert list(readings(marker)) == [(first, count), *([("a.", 9)] if marker == "i." else [])]


RING, CLOCK = row("o", mono=True), row("clock must not", 84, mono=True)
TYPED = numbered([*row("o", 60, mono=True), *row("clock must not", 71, mono=True)])
MARKED = {  # a line, its marker and the words behind it
    **{f"{marker}{rest}": (line(f"{marker}{rest}"), marker, rest.strip()) for marker, rest in (
        ("•", " words"), ("(a)", " some words"), ("一、", "会议"), ("3、", "alu 模块"), ("3.", "(习题 2)"),
        ("A．", "两个"), ("1)", "Nested item"), ("(ii)", "求坐标。"), ("(b)", "（4分）求逆"),
        ("(b)", "(3分) 求"), ("A）", "天地"), ("（a）", "天"))},
    **{text: (line(text), "", text) for text in (
        "- 3 -", "* * *", "[12] A. Author", "iiv. words", "xxxxx) words", "(vvv) words", "ivi)Words")},
    "a hyphen on its word": (Line((word("-"), word("ly", 65, glued=True))), "", "-ly"),
    "the o of word processors, in a typewriter font": (
        Line((*row("o", mono=True), *row("second level", 80))), "o", "second level"),
    "an o in the type of the text": (Line((*row("o"), *row("second level", 80))), "", "o second level"),
    "an o in typewritten text with more than a space behind it": (
        lines_of(numbered([*RING, *CLOCK]))[0], "o", "clock must not"),
    "an o in typewritten text with a space behind it": (lines_of(TYPED)[0], "", "o clock must not"),
}  # fmt: skip


@pytest.mark.parametrize("item, marker, rest", MARKED.values(), ids=MARKED)
def test_an_item_without_its_marker_has_its_words(item, marker, rest):
    assert list_marker(item) == marker
    assert without_item_marker(item, marker).text == rest


def test_a_symbol_that_nothing_knows_is_the_bullet_of_its_line():
    marker = list_marker(line("\uf07d growth of the city"))
    assert sure(line("\uf07d growth of the city")) == [True]
    assert printed(marker) == "•"
    assert not list_marker(line("the \uf07d sign"))


def test_every_sign_of_unicode_that_is_a_marker_counts_something():
    """Some signs are digits of which Python makes no number."""
    for sign in filter(is_marker, map(chr, range(sys.maxunicode + 1))):
        assert list(readings(sign))


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=("Cs",)), min_size=1))
def test_taking_the_marker_off_loses_nothing_else(text):
    item = line(f"{text} and words")
    marker = list_marker(item)
    assert item.text.startswith(marker)
    rest = item.text.removeprefix(marker).strip()
    assert plain(without_marker((Span(item.text),), marker)).strip() == rest
    assert without_item_marker(item, marker).text.strip() == rest


def test_the_mark_of_a_note_that_begins_with_a_formula_is_parted_from_it():
    spans = Span("{}^{11}m_{2}", math=True), Span(" is one")
    assert without_marker(spans, "11") == (Span("m_{2}", math=True), Span(" is one"))


@pytest.mark.parametrize(
    "bullet, x, below, joined", [("◦", 60, 14, True), ("◦", 90, 14, False), ("◦", 60, 40, False), ("–", 60, 14, False)]
)
def test_a_bullet_alone_over_the_words_at_its_margin_begins_them(bullet, x, below, joined):
    page = [line(bullet, x, 100), line("words of an item", 60, 100 + below), line("and more of them", 60, 112 + below)]
    texts = [each.text for each in joined_bullets(page)]
    assert texts == ([f"{bullet} words of an item", "and more of them"] if joined else [each.text for each in page])


WORTHS = {  # lines, and what becomes of them
    "in the margin": ([line("(4 points)", 20), line("(a) Why is it so?", 80)], ["(a) (4 points) Why is it so?"]),
    "a space away": ([line("[10 marks] 2. Why is it so?", 20)], ["2. [10 marks] Why is it so?"]),
    "before a name": ([line("(3 marks) A. Smith won it", 20)], ["(3 marks) A. Smith won it"]),
    "beside no question": ([line("(4 points)", 20), line("Why is it so?", 80)], ["(4 points)", "Why is it so?"]),
    "at another height": ([line("(4 points)", 20), line("(a) Why?", 80, 130)], ["(4 points)", "(a) Why?"]),
    "in two lines": (
        [line("(4 points)", 20, 97), line("(2 points)", 90, 103), line("(a) Why is it so?", 160)],
        ["(a) (4 points) Why is it so?", "(2 points)"]),
}  # fmt: skip


@pytest.mark.parametrize("page, expected", WORTHS.values(), ids=WORTHS)
def test_what_a_question_is_worth_stands_behind_its_number(page, expected):
    assert [each.text for each in points_behind_numbers(page)] == expected


def test_words_of_a_question_begin_where_they_did_whatever_it_is_worth():
    [question] = points_behind_numbers([line("(4 points)", 20), line("(a) Why is it so?", 80)])
    assert marker_alone(question) == marker_alone(line("(a) Why is it so?", 80))


ANSWERS = [*row("Gender", 60), *row("female", 120), *row("male", 180), *row("Yes", 60, 112)]
BOXES = [(104, 90, 116, 102, "☐"), (166, 90, 178, 102, "☑"), (46, 103, 58, 115, "☐")]
SHAPES = {  # words, shapes, and the words as they are read
    "before two lines": (
        [*row("first item", 80), *row("second item", 80, 114)], [(68, 95, 71, 98, "•"), (68, 109, 71, 112, "•")],
        "• first item • second item"),
    **{f"far before {len(tops)} lines": (
        [each for y in tops for each in row("item", 80, y)], [(46, y - 5, 49, y - 2, "•") for y in tops],
        " ".join([item] * len(tops))) for tops, item in (((100, 114), "item"), ((100, 114, 128), "• item"))},
    "far before three lines, behind others": (
        [each for y in (100, 114, 128) for x in (20, 80) for each in row("one", x, y)],
        [(46, y - 5, 49, y - 2, "•") for y in (100, 114, 128)], " ".join(["one"] * 6)),
    "under numbers before two lines": (
        [word("1", 69, 98.5, 6), *row("first item", 80), word("2", 69, 112.5, 6), *row("second", 80, 114)],
        [(66, 91.5, 75, 100.5, "•"), (66, 105.5, 75, 114.5, "•")], "1. first item 2. second"),
    **{f"under two numbers before one line, the one at {xs[0]} first": (
        [word("1", 69, 98.5, 6), word("2", 82, 98.5, 6), *row("first item", 92)],
        [(x, 91.5, x + 9, 100.5, "•") for x in xs], "1 2. first item") for xs in ((66, 79), (79, 66))},
    "under two numbers close before one line": (
        [word("1", 102, 99.5, 8.5), word("2", 124.5, 99.5, 8.5), word("Begin", 136)],
        [(x, 92, x + 9, 101, "•") for x in (100, 122.5)], "1. 2. Begin"),
    "boxes to tick": (ANSWERS, BOXES, "Gender ☐ female ☑ male ☐ Yes"),
    "one box": (ANSWERS, BOXES[:1], "Gender female male Yes"),
    "a box with a cross on it": ([*ANSWERS, word("✕", 107)], BOXES, "Gender ☑ female ☑ male ☐ Yes"),
    "a date in boxes": (
        [*row("Born", 60), *(word(each, 107 + 62 * k) for k, each in enumerate("1A")), *row("there", 190)],
        [(*box, "☑") for *box, _ in BOXES[:2]], "Born 1 A there"),
    "a box with a letter that crosses it": ([*ANSWERS, word("x", 107)], BOXES, "Gender ☑ female ☑ male ☐ Yes"),
    **{name: (row("one two", 80), [(*box, "•")], "one two") for name, box in {
        "between words": (95, 95, 98, 98), "far away": (20, 95, 23, 98), "on no line": (68, 60, 71, 63),
        "large": (60, 85, 76, 101)}.items()},
}  # fmt: skip


@pytest.mark.parametrize("words, shapes, expected", SHAPES.values(), ids=SHAPES)
def test_shapes_before_lines_are_bullets_and_boxes_to_tick_stand_before_any_word(words, shapes, expected):
    found = with_marks(numbered(words), [(Box(*box), text) for *box, text in shapes])
    assert " ".join(each.text for each in found) == expected
    bullets = [(mark, after) for mark, after in pairwise(found) if mark.text == "•"]
    assert all((mark.baseline, mark.size) == (after.baseline, after.size) for mark, after in bullets)
    assert {each.size for each in found if each.text in ("1.", "2.")} <= {8.5, 10}  # as large as their lines


def test_a_shape_right_of_a_line_from_right_to_left_is_its_bullet():
    words = with_marks(numbered([word("שלום", 120), word("עולם", 90)]), [(Box(146, 95, 149, 98), "•")])
    assert [line.text for line in lines_of(words)] == ["• שלום עולם"]


@given(st.lists(st.tuples(st.floats(0, 600), st.floats(0, 800)), max_size=6))
def test_shapes_add_bullets_and_change_no_word(places):
    words = numbered([*row("one two", 80), *row("three", 80, 114)])
    found = with_marks(words, [(Box(x, y, x + 3, y + 3), "•") for x, y in places])
    assert [word for word in found if word.text != "•"] == words


def test_a_paragraph_flush_with_the_words_of_an_item_belongs_to_it():
    item = line("1. An item that goes on")
    others = [line("A second paragraph", 73, 118), line("The end.", 60, 136), line("far away", 73, 300)]
    groups = [Group([item], marker=marker_alone(item)), *(Group([other]) for other in others)]
    assert inside_items(groups, [Category.LIST_ITEM, *[Category.TEXT] * 3]) == {1}


STROKES = {  # words and what is drawn between them
    "as TeX draws an underscore": ([("file", 60), ("name", 84.2), ("=", 110)], [(80.6, 100.5, 83.6)], "file_name ="),
    "a bar at half the height": ([("file", 60), ("name", 84.2), ("=", 110)], [(80.6, 96.0, 83.6)], "file name ="),
    "a word underlined": ([("file", 60), ("name", 84.2), ("=", 110)], [(60.0, 101.0, 80.0)], "file name ="),
    "nothing": ([("file", 60), ("name", 84.2), ("=", 110)], [], "file name ="),
    "underscores that follow each other and end a word": (
        [("file", 60), ("name", 87.8)], [(80.6, 100.5, 83.6), (84.2, 100.5, 87.2), (108.4, 100.5, 111.4)],
        "file__name_"),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, said", STROKES.values(), ids=STROKES)
def test_a_stroke_that_fills_the_gap_between_two_words_is_an_underscore(words, strokes, said):
    found = with_underscores([word(*each) for each in words], rules(*((x0, y, x1, y) for x0, y, x1 in strokes)))
    assert " ".join(each.text for each in found) == said


@pytest.mark.parametrize(
    "hook, said",
    [(Box(70, 89, 76, 101), "2√3a"), (Box(70, 69, 76, 81), "23a"), (Box(88, 89, 94, 101), "23a")],
    ids=["under its bar", "over the line", "with nothing behind it"],
)
def test_the_sign_of_a_root_that_is_drawn_stands_before_what_is_under_its_bar(hook, said):
    words = [word("2", 62), word("3", 76.5), word("a", 84)]
    found = with_roots(words, [hook])
    assert "".join(each.text for each in found) == said
    assert (r"\sqrt{3}" in latex_of(found, rules((76, 90, 82, 90)))) == ("√" in said)


@pytest.mark.parametrize("first, said", [("−−no−sort", ["--no-sort", "-n,", "x−1"]), ("a−b", ["a−b", "−n,", "x−1"])])
def test_the_minus_signs_of_a_manual_page_are_hyphens(first, said):
    assert [w.text for w in with_typed_hyphens([word(text, 60, 100) for text in (first, "−n,", "x−1")])] == said


@pytest.mark.parametrize(
    "sign, font, lines_, bullets",
    [
        ("¢", "Body", 3, 3), ("ｴ", "Body", 4, 4), ("h", "Signs", 3, 3), ("h", "Body", 3, 0), ("¢", "Body", 2, 0),
        ("È", "Body", 3, 0), ("§", "Body", 3, 0), ("3", "Signs", 3, 0),
    ],
)  # fmt: skip
def test_a_sign_that_begins_lines_and_is_no_word_is_their_bullet(sign, font, lines_, bullets):
    words = [
        each
        for k in range(lines_)
        for each in (
            word(sign, 60, 100 + 14 * k, font=font),
            *row("scholarships of towns", 80, 100 + 14 * k, font="Body"),
        )
    ]
    assert [each.text for each in with_symbol_bullets(words)].count("•") == bullets


def test_a_sign_that_stands_within_lines_too_is_no_bullet():
    words = [each for k in range(4) for each in row("¢ scholarships cost 5 ¢ each", 60, 100 + 14 * k)]
    assert with_symbol_bullets(words) == words


def test_boxes_to_tick_stand_behind_the_last_word_of_a_line():
    words = numbered([*row("Yes", 60), *row("No", 60, 112), *row("never", 60, 124)])
    marks = [(Box(82, 90, 94, 102), "☐"), (Box(82, 103, 94, 115), "☑")]
    assert [word.text for word in with_marks(words, marks)] == ["☐", "Yes", "☑", "No", "never"]
    assert with_marks(words, [(box, "•") for box, _ in marks]) == words
    proof = numbered(row("Yes.", 60))
    assert with_marks(proof, [(Box(86, 90, 98, 102), "☐")]) == proof
