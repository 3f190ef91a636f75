"""Groups: which lines make one paragraph, heading or item."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line, lines, row, rules, word

from docparse.layout.text.groups import EXACT, NOISY, groups_of
from docparse.layout.text.lines import Line
from docparse.types import Box

FULL = ["the first line of a paragraph that", "goes on over a second line which is", "full and ends on the third line"]
NAMES = ["Ms Rosalind Amaro", "Mill Farm", "Lower Brook"]
BESIDE = ["Lines beside a picture", "Are all of them short", "And end at one place"]
RAGGED = ["the first line of a paragraph that is set so", "goes on over a second line of it"]
ARM = ["Exercise your arm", "(see pages 51 and 52)."]


def full(texts=FULL, top=100, x=50, right=300, **style):
    return lines(texts, x, top, right=right, **style)


def chinese(lengths, top):
    return [Line((word("天" * n, 50, top + 12 * i, width=10 * n),)) for i, n in enumerate(lengths)]


def grouped(found, **how):
    found = sorted(found, key=lambda item: (item.box.y0, item.box.x0))
    return [[item.text for item in group.lines] for group in groups_of(found, **how)]


def mirrored(found):
    """The page as in a mirror, in Hebrew letters."""
    return [
        Line(tuple(
            msgspec.structs.replace(each, text="ש" * len(each.text) + ("." if each.text.endswith(".") else ""),
                                    box=Box(400 - each.box.x1, each.box.y0, 400 - each.box.x0, each.box.y1))
            for each in item.words))
        for item in found
    ]  # fmt: skip


ENDED = [*full(), line("It ends here.", 50, 136)]
PAGES = {  # lines, and how many of them are in each group
    "lines at the usual distance": (full(), [3]),
    "a number that the line above refers to": (
        [line("II. A HEADING", 400, 60), *full(["of which the values are given in Table", "I. The error was small"])],
        [1, 2]),
    "a heading that is spaced as widely as the text under it": (
        [Line((word("D", 50, 100, 16, bold=True), *row("What the Birds of the Street and", 80, 100, 16, bold=True))),
         line("Say About It", 80, 128, 16, bold=True),
         *(line(text, 50, 170 + 18 * i, right=300) for i, text in enumerate(FULL * 2))], [2, 6]),
    "a formula parts two lines of one sentence": (
        [*full(), line("and lines that end in a comma do not end,", 50, 136, right=300),
         line("4 of them, say.", 50, 153)], [5]),
    "names in code that fill a line": ([*full(), line("type(self)", 50, 136, 8, mono=True)], [4]),
    "names in code that fill most of a line": (
        [*full(), Line((word("flask.url_for.", 50, 136, 8, mono=True), word("flask.context", 120, 136, 8, mono=True),
                        *row("tells us", 240, 136, right=300))), line("as it is.", 50, 148)], [5]),
    "answers under a question, the one long line": (
        [line("How much of it is of use to you now", 50, 100, right=300), line("Very much so", 50, 112),
         line("A little", 50, 124), line("Not at all so, I fear", 50, 136)], [2, 1, 1]),
    "code that is not broken at a line end": (
        [*full(), line("the whole of it, and then", 50, 136, right=240),
         Line((word("Error(2)", 50, 148, mono=True), word("[no", 95, 148, mono=True), word("98]", 110, 148, mono=True),
               *row("or nothing at all", 130, 148, right=290)))], [5]),
    "addresses in the middle under names": (
        [line("Ms Rosalind Amaro", 100, 100), line("amaro@mill.farm", 112.5, 112, 8, mono=True)], [1, 1]),
    "a letter of an index over its entries": (
        [line("B", 50, 100), line("balance spring, 71–83,", 50, 112), line("91", 74, 124)], [1, 2]),
    "small capitals behind an initial": (
        [Line((*row("DURING THE FIRST", 50, 88, 8), *row("winter", 136, 88, right=300))), *full()], [4]),
    **{f"an address that hangs, {name}": (
        [*full(), *full(top=148),
         Line((*row("see the page", 50, 196), word("http://a.", 200, 196, width=100, mono=mono))),
         line("org/files", 62, 208, mono=mono)], groups)
       for name, mono, groups in (("typed", True, [3, 3, 2]), ("in the type of the text", False, [3, 3, 1, 1]))},
    "small type": ([*full(), line("of a footnote", 50, 136, 8)], [3, 1]),
    "a wider gap": (full() + full(top=160), [3, 3]),
    "a line with something tall in it": ([*full(), *full(["goes on below a tall formula", *FULL[1:]], 142)], [6]),
    "an indented line": (
        [*full(), line("An indented first line comes next and", 62, 136, right=300), *full(FULL[1:], 148)], [3, 3]),
    "centred lines": (
        [line(text, 50 + inset, 100 + 12 * i, right=300 - inset)
         for i, (text, inset) in enumerate([(FULL[0], 10), (FULL[1], 0), ("and a short one", 40)])], [3]),
    "two centred lines far apart, the second further in": (
        [line(text, 50 + inset, 100 + 16 * i, right=300 - inset)
         for i, (text, inset) in enumerate([(FULL[0], 3), (FULL[1], 12), ("goes on in small letters", 0)])], [3]),
    "few lines far apart that are no sentence": (
        [line(text, 50, 100 + 16 * i) for i, text in enumerate(NAMES)], [1, 1, 1]),
    "a short last line": (
        [*full(FULL[:2]), line("and ends early.", 50, 124), *full(["Another one starts and", *FULL], 136)], [3, 4]),
    "room for the next word": (ENDED + lines(NAMES, 50, 148), [4, 1, 1, 1]),
    "web addresses": (lines(["www.one.example/a", "www.two.example/b"], 50), [1, 1]),
    "nothing that says how far lines reach": (lines(NAMES, 50), [3]),
    "a margin of their own": (ENDED + full(BESIDE, 148, right=200), [4, 3]),
    "short answers that end alike": (
        [*ENDED, line("Not so very", 50, 148, right=108), line("Not at all", 50, 160, right=112)], [4, 1, 1]),
    "lower case after room": (ENDED + lines(ARM, 50, 148), [4, 2]),
    "a line, and the next paragraph": (
        [*full(), line("A sentence with a line of its own.", 62, 136, right=295),
         line("The next paragraph begins under it", 62, 148, right=300), *full(FULL[1:], 160)], [3, 1, 3]),
    "entries that hang": (
        [each for i in range(5) for each in (
            line("Person, A. A book of things. Retrieved from:", 50, 100 + 24 * i, right=290 + 2 * i),
            line("http://things.org" if i else "Journal, 12: 3.", 80, 112 + 24 * i))], [2] * 5),
    "names of an item that go on": (
        [line("1. Person A, Other B, Third C,", 50, 100), line("Short K: The title of it is long", 62, 112, bold=True),
         *full(top=124, x=62, bold=True)], [5]),
    "text that stands under an item which left room": (
        [line("1. The first of the items fills its line and", 50, 100, right=300), line("ends.", 64, 112),
         line("This says more about the first of them", 64, 124, right=300), *full(top=136, x=64),
         *full(top=172, x=64)], [2, 7]),
    "references": (
        lines(["[2] A. Person, A book about", "things. Press, 2021.", "[3] B. Other, A paper, 2022.",
               "[7] is cited in the middle of this"], 50), [2, 2]),
    "references whose lines hang and end early": (
        [line("[2] A. Person and B. Other, A paper about many other things. Acta", 50),
         line("Q. R. Third, editor, 2021.", 68, 112, italic=True),
         line("[3] C. Fourth, Another paper about many of the things. Press.", 50, 124),
         line("2022.", 68, 136)], [2, 2]),
    "a quotation in the middle of its column": (
        [line("A hedge is the only fence that gets", 50, 100), line("better when you leave it", 74.5, 112),
         line("alone.", 115.5, 124)], [3]),
    "headings that reach out over the text between them": (
        [each for k in range(6) for each in (
            line("AUTHORS", 50, 100 + 26 * k, 11, bold=True), line("cron, grep", 79, 113 + 26 * k))], [1] * 12),
    "a letter over a short term": (
        [line("E", 50, 100, 20), line("Ebb", 50, 116, bold=True), *full(top=128)], [1, 1, 3]),
    "a title with its comma in a reference that hangs": (
        [each for i in range(3) for each in (
            line("[1] A. Person, “A paper of all the things,”", 50, 100 + 24 * i, right=290),
            line("Journal of Things, vol. 12, pp. 3 to 9, 2022.", 66, 112 + 24 * i, right=285))], [2] * 3),
    "items that end in a word which may refer to a number": (
        lines(["1. Do you smoke? Yes No", "2. Do you drink wine? Yes No", "3. Name the Act"], 50), [1, 1, 1]),
    "references with letters": (
        lines(["[Ab81] A. Person, A book about", "things. Press, 2021.", "[KnA84b] B. Other, A paper."], 50), [2, 1]),
    "a theorem behind a sentence": (
        [*full(), line("It ends here.", 50, 136, right=300),
         Line((*row("Theorem 1.", 50, 148, bold=True), *row("All of this is so", 105, 148, right=300))),
         *full(top=160)], [4, 4]),
    "a bold word behind a sentence": (
        [*full(), line("It ends here.", 50, 136, right=300),
         Line((*row("Nothing", 50, 148, bold=True), *row("of all this, which was shown, is so", 88, 148, right=300))),
         *full(top=160)], [8]),
    "a section over its first subsection": (
        lines(["2 RELATED WORK", "2.1 Lasers"], 50, bold=True), [1, 1]),
    "notes with raised marks": (
        [Line((word(mark, 50, 96 + 12 * i, 6), *row(text, 54, 100 + 12 * i)))
         for i, (mark, text) in enumerate([("∗", "Of a grant"), ("†", "At home."), ("2", "See there.")])], [1] * 3),
    "a note and its second line": (
        [Line((word("1", 50, 96, 6), *row("Of a grant that", 54, 100))), line("2 people have", 50, 112)], [2]),
    "a column under an abstract over two": (
        [*full(right=500), *[each for i in range(3) for each in full(
            ["the first line of the column that goes", "and a full sentence is all it has.", "Another one starts"],
            150 + 36 * i)]], [3, 9]),
    "capitals amid their column": (
        [*full(), line("It ends here.", 50, 136), line("THE WITNESS", 147, 148), *full(top=160)], [4, 1, 3]),
    "a heading in capitals of two lines, the second amid its column": (
        [line("AN ACT TO AMEND THE LAW OF THE CARE OF", 50, 60, right=300), line("WILD BIRDS IN SCOTLAND", 120, 72),
         *full()], [2, 3]),
    "capitals in line with the others": ([*full(), line("THE WITNESS", 50, 136), *full(top=148)], [7]),
    "clauses with their numbers": (
        lines(["2. The second chapter", "2.1 Of the chapter a part,", "2.2 and another one, as in",
               "2.3.1 and 7.5 of others", "3. Not counted on", "3.1. but from here"], 50), [1, 1, 2, 1, 1]),
    "most lines are paragraphs of their own, and one goes on": (
        [*(line(name, 50, 100 + 23 * i) for i, name in enumerate(NAMES * 2)),
         line("One of them is a sentence that", 50, 238), line("goes on close under it", 50, 250)], [1] * 6 + [2]),
    "small capitals": (
        [line("and ends here with a word", 50, 100), line("References", 50, 114, font="CMCSC10"),
         line("Another one starts and", 50, 128)], [1, 1, 1]),
    "a larger line": ([line("A larger heading", 50, 86, 14), *full()], [1, 3]),
    "a bold line": ([line("A bold heading", 50, 88, bold=True), *full()], [1, 3]),
    "bold lines in two colours": (
        [line("Ingredients", 50, 74, bold=True, tinted=True), line("For the stew", 50, 86, bold=True), *full()],
        [1, 1, 3]),
    "an item whose first line is indented": (
        [Line((word("•", 50, 100), word("on matters of style (whitespace, etc.)", 80, 100, width=220))),
         line("that is not in the guide.", 62, 112), line("A paragraph after the list.", 50, 124)], [2, 1]),
    "a numbered heading in the middle of its column": (
        [line("II. What a winter burned in the lamps", 89.5, 86), *full()], [1, 3]),
    "an item whose first line is indented and ends early in ragged text": (
        [line("II. What a winter burned in the lamps", 89.5, 86), *lines(RAGGED, 50, 98)], [3]),
    "items with a second line": (
        [line("• first item goes on and on and", 50, 100, right=300), line("over a second line.", 56, 112),
         line("• second item.", 50, 124)], [2, 1]),
    "text at the margin after a hanging item": (
        [line("• theitem goes on", 50, 100), line("over a second hanging line", 57, 112),
         line("The rest of the page goes on.", 50, 124, right=300)], [2, 1]),
    "an indented paragraph behind an item whose text stands nearly so": (
        [Line((word("•", 50, 100), *row("The first of the items fills the line and", 60, 100, right=300))),
         line("and at its end it ends here.", 60, 112, right=285),
         line("A choice that may surprise readers", 58, 125.5, right=300), *full(FULL[1:], 137.5)], [2, 3]),
    "the title of an item over its text": (
        [line("• Information", 50, 100), *full(["The members of the board receive all of", *FULL[1:]], 112, 57),
         line("• It hangs from a marker that stands", 50, 148, right=300), line("out and goes on.", 57, 160)],
        [1, 3, 2]),
    "a span of years that a line of an item had no room for": (
        [line("• Improvements", 50, 100), line("2018 – 2020.", 57, 112), *full(top=136, x=57)], [2, 3]),
    "text out at the margin under an item of one line": (
        [*full(), line("• an item", 80, 140), line("The text goes on out at the margin", 50, 153, right=300),
         *full(top=165)], [3, 1, 4]),
    "an item that hangs out and has no room for more": (
        [*full(), line("1. an item that fills the line it begins", 80, 140, right=300), line("and goes on.", 50, 152),
         *full(top=174)], [3, 2, 3]),
    "who speaks in a play": (
        [*full(), line("ELDER", 110, 160), line("We will prepare a feast for them.", 70, 172)], [3, 1, 1]),
    "a first line far in": (
        [*full(), line("the first line of a paragraph", 90, 160, right=300), *full(FULL[1:], 172)], [3, 3]),
    "Chinese items without a space": (lines(["（1）天气的含义和特点", "（2）天气的影响", "以及第二行"], 50), [1, 2]),
    "a full line that goes on with a colon and white": (
        [line("1. the first line of a note that", 58, 100, right=300),
         Line((*row("goes on in the report:", 50, 112), *row("of the last year", 200, 112, right=300))),
         *full(FULL[1:], 124)], [4]),
    "an item behind one that ends with a semicolon": (
        lines(["（2）天气的含义；", "（6）天气的影响"], 50), [1, 1]),
    "Chinese lines that end early": (
        [*chinese([20, 20, 12], 100), *chinese([20, 9], 136)], [3, 2]),
    "Chinese lines that end a character early": (chinese([20, 20, 19, 20], 100), [4]),
    "a full line in bold that goes on without it": (
        [line("a line that OCR takes for bold and", 50, 88, right=300, bold=True), *full()], [4]),
    "a dash within a sentence, and one before an item": (
        [*full([*FULL[:2], "and of the three that we have"]), line("– so to speak – it ends.", 50, 136),
         line("– but this is an item", 50, 160), line("– and this another", 50, 172)], [4, 1, 1]),
    "a line that ends in bold and one that begins so": (
        [line("sent to the person identified", 50, 88, right=300),
         Line((word("in", 50, 100), word("FURTHER", 65, 100, bold=True, width=235))),
         Line((word("CONTACT", 50, 112, bold=True), *row("section. Any of it that the", 90, 112, right=300)))], [3]),
    "a line that ends in smaller capitals and one that begins so": (
        [line("sent to the person identified", 50, 88, right=300),
         Line((word("in", 50, 100), word("FURTHER", 65, 100, 8, width=235))),
         Line((word("CONTACT", 50, 112, 8), *row("section. Any of it that the", 90, 112, right=300)))], [3]),
    "a line in italics that a full one goes on with": (
        [*full([*FULL[:2], "and so it could be called the"]), line("Abundance Problem:", 50, 136, italic=True)], [4]),
    "a line in italics behind a sentence": (
        [*full([*FULL[:2], "and so it could be called."]), line("Abundance Problem", 50, 136, italic=True)], [3, 1]),
    "a heading in bold behind its plain number": (
        [*full([*FULL[:2], "full and on its third line ends here."]),
         Line((word("2", 50, 136), *row("Installation of the server", 60, 136, bold=True))), *full(top=148)],
        [3, 1, 3]),
    "a heading in bold that fills its line but for a plain colon": (
        [Line((*row("Notes on the installation of a new serve", 50, 88, right=295, bold=True),
               word(":", 295, 88, glued=True))), *full(["The text that begins under it", *FULL[1:]])], [1, 3]),
    "a heading in bold under a full line without a stop": (
        [*full(["The first line of a paragraph that", *FULL[1:2], "full and ends in the third line now"]),
         line("Installation of the server", 50, 136, bold=True)], [3, 1]),
    "a heading in bold that fills its line": (
        [line("A heading that fills its whole line", 50, 88, right=300, bold=True),
         *full(["The text that begins under it", *FULL[1:]])], [1, 3]),
    "a sentence about a table": (
        [*full(), line("It goes on here and it ends here.", 50, 136, right=300),
         line("Table 2 shows how it goes on to", 50, 148, right=300)], [5]),
    "two columns under one line": (
        [line("a line over both columns that is as wide as they are together", 50, 100, right=520),
         *full(top=112), *full(top=112, x=310, right=520)], [1, 3, 3]),
}  # fmt: skip


@pytest.mark.parametrize("page, sizes", PAGES.values(), ids=PAGES)
def test_lines_of_one_paragraph_heading_or_item_are_a_group(page, sizes):
    assert [len(group) for group in grouped(page)] == sizes


@pytest.mark.parametrize(
    "stroke, sizes",
    [((40, 103.5, 310, 104), [1, 2]), ((50, 103.5, 300, 104), [3]), ((40, 108, 310, 108.5), [3]),
     ((45, 90, 45.5, 140), [3])],
    ids=["beyond both ends", "as long as the lines", "through the letters", "upright"],
)  # fmt: skip
def test_a_rule_between_two_lines_parts_them(stroke, sizes):
    assert [len(group) for group in grouped(full(), strokes=rules(stroke))] == sizes


def test_noise_in_measured_sizes_does_not_break_a_paragraph():
    page = [line(text, 50, 100 + 12 * i, (10, 10.9, 9.6)[i], right=300) for i, text in enumerate(FULL)]
    assert len(grouped(page, noise=NOISY)) == 1
    assert len(grouped(page, noise=EXACT)) > 1


@pytest.mark.parametrize(
    "end, size, count", [("", 8.7, 1), (".", 8.7, 2), ("", 7.0, 3)], ids=["goes on", "ended", "of much smaller type"]
)
def test_a_line_of_a_text_that_goes_on_is_measured_roughly(end, size, count):
    """Misread capitals and figures change the size of a whole line."""
    texts = [*FULL[:2], *FULL[1:2] * 2, *FULL[1:]]
    texts[2] += end
    page = [line(text, 50, 100 + 12 * i, size if i == 3 else 10, right=300) for i, text in enumerate(texts)]
    assert len(grouped(page, noise=NOISY)) == count


@pytest.mark.parametrize("title, leading, count", [("结论", 18, 2), ("结论", 13, 1), ("试验方法", 13, 2)])
def test_a_chinese_heading_of_a_few_characters_is_larger_and_set_apart(title, leading, count):
    text = [line("字" * 20, 50, 100 + 12 * k, right=250) for k in range(4)]
    heading = line(title, 50, text[-1].baseline + leading, 12, right=50 + 12 * len(title))
    assert len(grouped([*text, heading], noise=NOISY)) == count


def test_a_fifth_between_long_lines_is_no_noise():
    title, head = (
        line("Methods in brief here", 50, 80, 12, right=190),
        line("Generation of the cells", 50, 94, right=190),
    )
    assert len(grouped([title, head], noise=NOISY)) == 2
    assert len(grouped([line("Methods", 50, 80, 12), line("Cells", 50, 94)], noise=NOISY)) == 1
    mixed = [
        line("软件包 popularity-contest 的目的是计算", 50, 80, 12, right=230),
        line("popularity-contest 0123", 50, 94),
    ]
    assert len(grouped(mixed, noise=NOISY)) == 1


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_every_line_lands_in_exactly_one_group(lengths):
    page, top = [], 100.0
    for n in lengths:
        page += full([f"line {i} of a paragraph with words" for i in range(n)], top)
        top += 12 * n + 14
    assert [id(item) for group in groups_of(page) for item in group.lines] == [id(item) for item in page]


@pytest.mark.parametrize(
    "name", ["lines at the usual distance", "a wider gap", "an indented line", "a short last line"]
)
def test_right_to_left_paragraphs_are_told_by_the_margins_of_that_side(name):
    found, counts = PAGES[name]
    assert [len(group) for group in grouped(mirrored(found))] == counts


def test_the_last_line_of_a_ragged_right_to_left_paragraph_is_no_indented_one():
    found = [*full(), line("goes on and ends a little short", 50, 136)]
    assert [len(group) for group in grouped(mirrored([*found, *full(top=180)]))] == [4, 3]


def test_a_quotation_that_is_set_in_a_little_begins_after_the_sentence_over_it_and_ends_before_the_text():
    said = ["It says that lines which are set", "in go on so for a while, longer", "than the text that is over it."]
    over, quoted = full([*FULL[:2], "ends with what is said here."]), full(said * 3, 136, x=57)
    under = full(["Then the text goes on at its own", *FULL[1:]], 244)
    assert list(map(len, grouped([*over, *quoted, *under]))) == [3, 9, 3]
    begun = line(FULL[0], 65, 100, right=300)
    assert list(map(len, grouped([begun, *over[1:], *quoted, *under]))) == [3, 9, 3]


def test_an_indented_line_after_the_sentence_of_an_item_that_does_not_hang_begins_the_text_under_it():
    item = full(["3) an item that goes on over a", "line which does not hang at all", "and ends with a sentence here."])
    begun = line("Then there are lines that follow", 66, 136, right=300)
    assert list(map(len, grouped([*item, begun, *full(["from it, and which go on under the", "item"], 148)]))) == [3, 3]


@pytest.mark.parametrize("length, expected", [(6, 2), (11, 1), (20, 1)], ids=["much room", "some", "none"])
def test_a_line_of_chinese_with_much_room_behind_it_ends_its_item(length, expected):
    """Two lines alone: nothing but the second says how far a line may reach."""
    texts = ["1. " + "字" * length, "句" * 20]
    found = [line(text, 60, 100 + 14 * k, 10) for k, text in enumerate(texts)]
    assert len(groups_of(found)) == expected


def test_the_last_character_of_a_chinese_headline_goes_with_it_whatever_its_weight_seems_on_pixels():
    headline = [Line((word("天" * 20, 50, 112, 12, bold=True, width=240),)), Line((word("天", 50, 126, 12, width=12),))]
    assert len(grouped(headline, noise=NOISY)) == 1
    assert len(grouped(headline, noise=EXACT)) == 2


def formula(x, baseline):
    signs = [("𝐴", True), ("=", False), ("𝑏", True), ("+", False), ("𝑐", True)]
    return [word(text, x + 12 * k, baseline, 12, width=9, math=math) for k, (text, math) in enumerate(signs)]


@pytest.mark.parametrize("text", ["的解", ""], ids=["with some text", "alone"])
def test_a_line_of_formulas_in_larger_type_goes_on_with_its_text(text):
    first = Line(
        (word("天" * 18, 50, width=180), word("𝑎", 232, size=12, width=9, math=True), word("当且仅当", 242, width=40))
    )
    words = [word(text, 112, 115, width=20)] if text else []
    assert len(grouped([first, Line((*formula(50, 115), *words))])) == 1


def item_ending(length):
    """An item of three lines of Chinese, the last one shorter."""
    lengths = (25, 25, length)
    return [
        Line((word("1.", 40), word("天" * n, 50, 100 + 12 * i, width=10 * n))[i > 0 :]) for i, n in enumerate(lengths)
    ]


@pytest.mark.parametrize("latin, count", [("characteristic", 1), ("it", 2)])
def test_a_bracket_with_a_long_latin_word_had_no_room_on_the_line_above(latin, count):
    words = (
        word("（", 50, 136, width=10),
        word(latin, 60, 136, glued=True),
        word("）", 60 + 5 * len(latin), 136, width=10),
    )
    assert len(grouped([*item_ending(19), Line(words)])) == count


@pytest.mark.parametrize("signs, count", [(5, 1), (1, 2)], ids=["long", "short"])
def test_a_long_formula_had_no_room_on_the_line_above(signs, count):
    text = [Line((word("天" * n, 50, 100 + 12 * i, width=10 * n),)) for i, n in enumerate((25, 25, 17))]
    words = [*formula(50, 136)[:signs], word("天" * 5, 150, 136, width=50)]
    assert len(grouped([*text, Line(tuple(words))])) == count
