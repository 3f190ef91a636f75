"""List items: which lines of a page begin one, what a marker counts, and the words without it."""

import sys

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


@pytest.mark.parametrize("second, found", [("\U000f8001", {0, 1}), ("\U000f8002", set())])
def test_an_icon_begins_items_where_more_lines_begin_with_it(second, found):
    assert set(found_markers([line("\U000f8001 apples"), line(f"{second} pears", baseline=124)], [None, None])) == found


@pytest.mark.parametrize(
    "first, second",
    [("1.", "2."), ("1)", "2)"), ("(1)", "(2)"), ("a.", "b."), ("(a)", "(b)"), ("i.", "ii."), ("ix)", "x)"),
     ("A.", "B."), ("aa)", "bb)"), ("①", "②"), ("１．", "２．"), ("·", "·"), ("–", "–"), ("☐", "☑"),
     ("⇒", "⇒"), ("⋆", "⋆")],
)  # fmt: skip
def test_markers_that_follow_each_other_begin_items(first, second):
    lines = line(f"{first} apples and"), line("no marker here", baseline=112), line(f"{second} pears", baseline=124)
    assert sure(*lines) == [True, False, True]


def test_a_star_that_is_smaller_than_its_line_is_the_mark_of_a_note():
    notes = [Line((word("⋆", 60, y - 4, 6), *row("Work that a grant supported", 67, y))) for y in (100, 112)]
    assert found_markers(notes, [None, 0]) == {}


def dashed(text, baseline):
    return Line(tuple(numbered([word("—", 60, baseline), *row(text, 71, baseline)])))


STARTS = {  # lines, and which of them begin items
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


def test_the_bullet_of_word_processors_is_an_o_in_a_typewriter_font():
    rest = row("second level", 80)
    assert list_marker(Line((*row("o", mono=True), *rest))) == "o"
    assert not list_marker(Line((*row("o"), *rest)))


@pytest.mark.parametrize("text", ["(ii)求坐标。", "(b)（4分）求逆", "(b)(3分) 求", "A）天地", "（a）天"])
def test_chinese_needs_no_space_behind_a_marker(text):
    assert text.startswith(list_marker(line(text)) or "none")


@pytest.mark.parametrize("other, found", [("(2) lim y", [0, 1]), ("(2)lim y", []), ("(4) lim y", [1])])
def test_a_marker_glued_to_a_small_letter_is_one_beside_others_with_a_space(other, found):
    assert sorted(found_markers([line("(1)lim x"), line(other, baseline=112)], [None, 0])) == found


def test_the_sign_of_copyright_is_no_marker_but_amid_a_list():
    text = lines(["Printed with permission.", "(c) by the owners of the press"])
    assert found_markers(text, [None, 0])[1].doubtful
    assert found_markers(lines(["(c) 1999 The owners"]), [None])[0].doubtful
    assert not found_markers(lines(["(c) apples at the head of a page"]), [None])[0].doubtful
    assert sure(*lines(["(b) apples", "(c) by the pound"])) == [True, True]


def test_a_number_of_two_digits_in_brackets_is_that_of_a_formula_unless_others_are_there():
    assert found_markers(lines(["(51) and (52) say so"]), [None])[0].doubtful
    assert not found_markers(lines(["(5) apples"]), [None])[0].doubtful
    assert sure(*lines(["(51) apples", "(52) pears"])) == [True, True]


@pytest.mark.parametrize("x, marker", [(84, "o"), (71, "")], ids=["far", "a space"])
def test_in_typewritten_text_an_o_is_a_bullet_where_more_than_a_space_is_behind_it(x, marker):
    [found] = lines_of(numbered([*row("o", 60, mono=True), *row("clock must not", x, mono=True)]))
    assert list_marker(found) == marker


def test_a_symbol_that_nothing_knows_is_the_bullet_of_its_line():
    marker = list_marker(line("\uf07d growth of the city"))
    assert sure(line("\uf07d growth of the city")) == [True]
    assert printed(marker) == "•"
    assert not list_marker(line("the \uf07d sign"))


@pytest.mark.parametrize(
    "marker, expected",
    [("3.", [("1.", 3)]), ("(b)", [("(a)", 2)]), ("i.", [("i.", 1), ("a.", 9)]), ("•", [("•", 0)]), ("③", [("①", 3)]),
     ("⑶", [("⑴", 3)]), ("二十三、", [("一、", 23)]), ("3、", [("1、", 3)]), ("（十）", [("（一）", 10)]),
     ("bb)", [("aa)", 2)]), ("ii.", [("i.", 2)]), ("ب.", [("أ.", 2)]), ("xvi.", [("i.", 16)]), ("(c)", [("(a)", 3)]),
     ("(XXVIII)", [("(I)", 28)])],
)  # fmt: skip
def test_what_a_marker_counts(marker, expected):
    assert list(readings(marker)) == expected


@pytest.mark.parametrize("text", ["iiv. words", "xxxxx) words", "(vvv) words", "ivi)Words"])
def test_letters_that_make_no_numeral_are_no_marker(text):
    assert not list_marker(line(text))


def test_every_sign_of_unicode_that_is_a_marker_counts_something():
    """Some signs are digits of which Python makes no number."""
    for sign in filter(is_marker, map(chr, range(sys.maxunicode + 1))):
        assert list(readings(sign))


HYPHEN = Line((word("-"), word("ly", 65, glued=True)))


@pytest.mark.parametrize(
    "item, marker, rest",
    [
        (line("• words"), "•", "words"),
        (line("(a) some words"), "(a)", "some words"),
        (line("一、会议"), "一、", "会议"),
        (line("3、alu 模块"), "3、", "alu 模块"),
        (line("3.(习题 2)"), "3.", "(习题 2)"),
        (line("A．两个"), "A．", "两个"),
        (line("- 3 -"), "", "- 3 -"),
        (line("1)Nested item"), "1)", "Nested item"),
        (line("* * *"), "", "* * *"),
        (line("[12] A. Author"), "", "[12] A. Author"),
        (HYPHEN, "", HYPHEN.text),
    ],
    ids=lambda value: value.text if isinstance(value, Line) else None,
)
def test_an_item_without_its_marker_has_its_words(item, marker, rest):
    assert list_marker(item) == marker
    assert without_item_marker(item, marker).text == rest


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
}  # fmt: skip


@pytest.mark.parametrize("page, expected", WORTHS.values(), ids=WORTHS)
def test_what_a_question_is_worth_stands_behind_its_number(page, expected):
    assert [each.text for each in points_behind_numbers(page)] == expected


def test_words_of_a_question_begin_where_they_did_whatever_it_is_worth():
    [question] = points_behind_numbers([line("(4 points)", 20), line("(a) Why is it so?", 80)])
    assert marker_alone(question) == marker_alone(line("(a) Why is it so?", 80))


def test_a_question_that_two_lines_say_the_worth_of_is_printed_once():
    page = [line("(4 points)", 20, 97), line("(2 points)", 90, 103), line("(a) Why is it so?", 160)]
    assert [each.text for each in points_behind_numbers(page)] == ["(a) (4 points) Why is it so?", "(2 points)"]


def test_a_shape_before_a_line_is_its_bullet():
    words = numbered([*row("first item", 80), *row("second item", 80, 114)])
    marks = [(Box(68, 95, 71, 98), "•"), (Box(68, 109, 71, 112), "•")]
    found = with_marks(words, marks)
    assert [word.text for word in found] == ["•", "first", "item", "•", "second", "item"]
    assert [(word.baseline, word.size) for word in found if word.text == "•"] == [(100, 10), (114, 10)]


def test_a_shape_right_of_a_line_from_right_to_left_is_its_bullet():
    words = with_marks(numbered([word("שלום", 120), word("עולם", 90)]), [(Box(146, 95, 149, 98), "•")])
    [line] = lines_of(words)
    assert line.text == "• שלום עולם"


def test_a_number_printed_on_a_shape_is_that_of_the_item():
    words = numbered([word("1", 69, 98.5, 6), *row("first item", 80), word("2", 69, 112.5, 6), *row("second", 80, 114)])
    marks = [(Box(66, 91.5, 75, 100.5), "•"), (Box(66, 105.5, 75, 114.5), "•")]
    found = with_marks(words, marks)
    assert [word.text for word in found] == ["1.", "first", "item", "2.", "second"]
    assert [word.size for word in found if word.text in ("1.", "2.")] == [10, 10]


def test_of_two_numbers_on_shapes_before_one_line_the_nearer_is_that_of_the_item_and_the_other_stays():
    words = numbered([word("1", 69, 98.5, 6), word("2", 82, 98.5, 6), *row("first item", 92)])
    marks = [(Box(x, 91.5, x + 9, 100.5), "•") for x in (66, 79)]
    for shapes in (marks, marks[::-1]):
        assert [word.text for word in with_marks(words, shapes)] == ["1", "2.", "first", "item"]


def test_a_number_on_a_shape_before_another_one_is_printed_before_it():
    words = numbered([word("1", 102, 99.5, 8.5), word("2", 124.5, 99.5, 8.5), word("Begin", 136)])
    marks = [(Box(x, 92, x + 9, 101), "•") for x in (100, 122.5)]
    assert [word.text for word in with_marks(words, marks)] == ["1.", "2.", "Begin"]


def test_boxes_to_tick_stand_before_any_word():
    words = numbered([*row("Gender", 60), *row("female", 120), *row("male", 180), *row("Yes", 60, 112)])
    marks = [(Box(104, 90, 116, 102), "☐"), (Box(166, 90, 178, 102), "☑"), (Box(46, 103, 58, 115), "☐")]
    assert [word.text for word in with_marks(words, marks)] == ["Gender", "☐", "female", "☑", "male", "☐", "Yes"]
    assert with_marks(words, marks[:1]) == words
    crossed = numbered([*words, word("✕", 107, 100)])
    assert [word.text for word in with_marks(crossed, marks)][:3] == ["Gender", "☑", "female"]


def test_boxes_to_tick_stand_behind_the_last_word_of_a_line():
    words = numbered([*row("Yes", 60), *row("No", 60, 112), *row("never", 60, 124)])
    marks = [(Box(82, 90, 94, 102), "☐"), (Box(82, 103, 94, 115), "☑")]
    assert [word.text for word in with_marks(words, marks)] == ["☐", "Yes", "☑", "No", "never"]
    assert with_marks(words, [(box, "•") for box, _ in marks]) == words


@pytest.mark.parametrize(
    "mark", [Box(95, 95, 98, 98), Box(20, 95, 23, 98), Box(68, 60, 71, 63), Box(60, 85, 76, 101)],
    ids=["between words", "far away", "on no line", "large"],
)  # fmt: skip
def test_other_shapes_are_no_bullets(mark):
    words = numbered(row("one two", 80))
    assert with_marks(words, [(mark, "•")]) == words


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


@pytest.mark.parametrize(
    "strokes, said",
    [
        ([(80.6, 100.5, 83.6, 100.5)], ["file_name", "="]),  # as TeX draws an underscore
        ([(80.6, 96.0, 83.6, 96.0)], ["file", "name", "="]),  # a bar at half the height
        ([(60.0, 101.0, 80.0, 101.0)], ["file", "name", "="]),  # a word underlined
        ([], ["file", "name", "="]),
    ],
)
def test_a_stroke_that_fills_the_gap_between_two_words_is_an_underscore(strokes, said):
    words = [word("file", 60), word("name", 84.2), word("=", 110)]
    found = with_underscores(words, rules(*strokes))
    assert [each.text for each in found] == said


def test_underscores_follow_each_other_and_end_a_word():
    strokes = rules((80.6, 100.5, 83.6, 100.5), (84.2, 100.5, 87.2, 100.5), (108.4, 100.5, 111.4, 100.5))
    [found] = with_underscores([word("file", 60), word("name", 87.8)], strokes)
    assert found.text == "file__name_"


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
