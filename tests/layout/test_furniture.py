"""Furniture: what is dropped at the edges of a page, and what never is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, line, lines, rules

from docparse.layout.kinds.furniture import find_furniture, page_edges
from docparse.layout.text.groups import Group
from docparse.layout.text.items import marker_alone
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box, Category

HEADER, FOOTER = Category.PAGE_HEADER, Category.PAGE_FOOTER


def group(text, top, x=60, size=10.0, **style):
    only = line(text, x, top + 0.8 * size, size, **style)
    return Group([only], marker_alone(only))


def paragraphs(first=100, last=700):
    """Paragraphs of four lines, 12 points apart."""
    tops = np.arange(first, last - 40, 60)
    return [Group(lines(["a line of a paragraph that goes on and on"] * 4, top=top + 8)) for top in tops]


def turned(text, box):
    return Group([Line((Word(text=text, box=box, baseline=box.y0 + 8, size=box.width, angle=270),))])


BODY = paragraphs()
STAMP = turned("arXiv:2401.01234v2", Box(20, 300, 34, 500))
PROSE = ["supported by the Grant No. 0757627 of a", "foundation, see https://example.org"]
ANSWERS = [group(text, 690, x=60 + 90 * i) for i, text in enumerate(["A one", "B two", "C", "D", "E five"])]
ADDRESS = ["Bell Foundry", "Ruth Callaghan", "12 Mill Lane", "Lower Brook IL 61704"]
NUMBERS = (
    "17",
    "- 17 -",
    "Page 3 of 12",
    "xiv",
    "A-3",
    "ES-3",
    "5-15",
    "3 / 12",
    "416 Chapter 9 Use Factors and Multiples",
)
IMPRINTS = ("Downloaded from a library", "© 2024 A. Publisher", "Journal of Things, vol. 3, no. 2")
PAGES = {  # what stands at the edges, between which paragraphs, and what is dropped
    **{text: ([group(text, 760)], BODY, {text: FOOTER}) for text in (*NUMBERS, "The Guild Economy 17")},
    **{f"{text}, at the top": ([group(text, 40)], BODY, {text: HEADER}) for text in NUMBERS},
    **{text: ([group(text, 760, size=8)], BODY, {text: FOOTER}) for text in IMPRINTS},
    "the number of a page in other languages, close under the text": (
        [group("Seite 3", 676)], paragraphs(106, 640), {"Seite 3": FOOTER}),
    "a running head with a sign before its number": (
        [group("Virus Notes July 1996 •5", 40, x=400)], BODY, {"Virus Notes July 1996 •5": HEADER}),
    "a running head beside its number": (
        [group("Soils", 40), group("17", 40, x=500)], BODY, {"Soils": HEADER, "17": HEADER}),
    "a running head in type of paragraphs that are larger than most text": (
        [group("Soils", 40, size=13), group("17", 40, x=500, size=13),
         Group(lines(["a theorem over the references"] * 3, top=72, size=12))], BODY,
        {"Soils": HEADER, "17": HEADER}),
    "a running head in three parts": (
        [group("SENSOR(1)", 40), group("Manual", 40, x=250), group("SENSOR(1)", 40, x=500)], BODY,
        {"SENSOR(1)": HEADER, "Manual": HEADER}),
    "a running head at the right of a later page": (
        [group("Pt C, Sec 2", 40, x=490, bold=True), group("17", 760)], BODY, {"Pt C, Sec 2": HEADER, "17": FOOTER}),
    "a running head at the left of a later page": (
        [group("Classes", 40), group("31", 760)], BODY, {"Classes": HEADER, "31": FOOTER}),
    "the first line of a later page that goes on": (
        [group("of the classes", 40), group("31", 760)], BODY, {"31": FOOTER}),
    "a line at the left of a first page": ([group("Classes", 40), group("1", 760)], BODY, {"1": FOOTER}),
    "the date at the right of a letter's first page": (
        [group("March 14, 2024", 60, x=470), group("1", 760)], BODY, {"1": FOOTER}),
    "the title and section of a code of laws, on a sheet larger than its pages": (
        [group("§ 1308.44", 148, bold=True), group("21 CFR Ch. II", 148, x=480, bold=True), group("94", 760)],
        paragraphs(170), {"§ 1308.44": HEADER, "21 CFR Ch. II": HEADER, "94": FOOTER}),
    "a stamp right over a running head": (
        [group("Downloaded from a library", 30), group("Soils", 42), group("17", 42, x=500)], BODY,
        {"Downloaded from a library": HEADER, "Soils": HEADER, "17": HEADER}),
    "text along the margin": (
        [STAMP, turned("Depth", Box(300, 300, 310, 340))], BODY, {"arXiv:2401.01234v2": HEADER}),
    "a large number at the foot": (
        [group("www.example.org", 760, size=8), group("17", 758, x=500, size=20)], BODY,
        {"www.example.org": FOOTER, "17": FOOTER}),
    "notes with addresses at the foot": (
        [group("2. https://example.org", 742, size=8),
         Group([Line((Word(text="3", box=Box(60, 756, 63, 761), baseline=760, size=5), *line("See www.example.org", 66,
                                                                                           762, 8).words))])],
        BODY, {}),
    "notes of a table in a row at the foot": (
        [group("* Not known", 760, size=8), group("1", 760, x=500, size=8)], BODY, {}),
    "an address at the end of the text": (
        [group("Write to us or see www.example.org for more.", 620)], paragraphs(last=600), {}),
    "the last line of an address that ends the text": (
        [group(text, 714 + 13 * i, x=40) for i, text in enumerate(ADDRESS)], paragraphs(last=690), {}),
    "a large title": ([group("Maria Gonzalez", 40, size=24)], BODY, {}),
    "centred capitals": ([group("MASTER SERVICES AGREEMENT", 60, x=240, bold=True)], BODY, {}),
    "an item": ([group("1. First item of a list", 40)], BODY, {}),
    "a paragraph about rights": (
        [Group(lines(["Copyright and related rights in the work remain", "with those who wrote it."],
                     top=715, size=8))], BODY, {}),
    "a caption": ([group("Table 2 Continued", 60)], BODY, {}),
    "the date of a letter and the name at its end": (
        [group("March 14, 2024", 60), group("Arthur Harcourt", 440)], paragraphs(100, 400), {}),
    "numbers along a scale": (
        [group(str(n), 760 - 30 * i, x=x) for i, n in enumerate((950, 940)) for x in (60, 500)],
        paragraphs(100, 600), {}),
    "a row of a table at the end of the page": (
        [group("E1", 710), group("Battery low", 710, x=200),
         Group(lines(["Charge the battery for", "six hours with the cable,", "and wait until the"], top=718, x=340))],
        BODY, {}),
    "the last line of a page that is white below": (
        [group("Paid to the Harbour Bank", 440, size=8)], paragraphs(100, 400), {}),
    "the first line of a cover": (
        [group("Ministry of Bridges", 40)],
        [group("The state of bridges", 300, size=24), group("Final report", 360), group("Version two of it", 420)], {}),
    "small print at the foot of a cover": (
        [group("Printed for the ministry", 760, size=6)],
        [group("The state of bridges", 300, size=24), group("Final report", 360), group("Version two of it", 420)], {}),
    "the year at the foot of a cover": (
        [group("2024", 760)], [group("Bridges of the south", 300, size=24), group("Final report", 360)], {}),
    "who publishes it, high over the title of a cover with a long text": (
        [group("Ministry of Bridges", 80, size=8)], [group("The bridges", 200, size=24), *paragraphs(300)], {}),
    "the date beside the name of a newspaper": (
        [group("The Village Voice", 40, size=28), group("Issue of July 2025", 52, x=450, size=8)], BODY, {}),
    "the number of the page that a large title stands beside": (
        [group("NOTES TO THE ACCOUNTS", 40, size=16, bold=True), group("25", 40, x=525)], BODY, {"25": HEADER}),
    "a number in the type of the title before it": (
        [group("Route", 40, size=16, bold=True), group("25", 40, x=525, size=16, bold=True)], BODY, {}),
    "the number of a chapter": ([group("VII", 40, size=30)], BODY, {}),
    "pieces of a formula that ends the text": (
        [group("PG", 742, x=300), group("PA＝ AG＋ PG＝ 2", 746), group("2", 744, x=200, size=6),
         group("＝60°", 748, x=440)], paragraphs(last=720), {}),
    "the titles of two columns that begin a page": (
        [group("2", 30, x=530), group("V. CONCLUSION", 60, x=136.7, size=9, bold=True),
         group("ACKNOWLEDGMENTS", 60, x=381.3, size=9, bold=True),
         *(Group(lines(["a line of a narrow column that goes on"] * 4, x=x, top=88)) for x in (78, 328))],
        [], {"2": HEADER}),
    "the title of a part of a form under its running head": (
        [group("Form 12 (2007)", 37, size=7), group("Page 3", 37, x=536, size=7),
         group("Schedule A - Itemised Deductions", 50, size=12), group("07", 50, x=540, size=9)], BODY,
        {"Form 12 (2007)": HEADER, "Page 3": HEADER}),
    "what a browser prints over a page": (
        [group("Optical characters - Encyclopaedia", 8, size=11, x=20),
         Group([line("https://example.org/w/index.php?title=Optical_c", 320, 17, 11)], is_entry=True)], BODY,
        {"Optical characters - Encyclopaedia": HEADER, "https://example.org/w/index.php?title=Optical_c": HEADER}),
    "an address beside paragraphs at the edge of a picture of a page": (
        [group("https://example.org/", 770, size=8, x=320),
         Group(lines(["a line of a paragraph that goes on and on"] * 3, top=752))], BODY, {}),
    "references in two columns": (
        [group("[1] A. Bell, Nonlinear 10, 133 (1997).", 720, size=8),
         group("[2] B. Carr and C. Dunn, Acta 128, 137 (1998).", 720, size=8, x=320)], BODY, {}),
    "the number of the page in the foot of a later page, a little apart": (
        [group("i", 698, x=300)], paragraphs(last=690), {"i": FOOTER}),
    "what is set upright where papers are bound": (
        [Group([line(char, 20, 260 + 20 * i, 15) for i, char in enumerate("装订线内")])], BODY,
        {"装 订 线 内": HEADER}),
    "characters far apart where papers are bound": (
        [Group([line(char, 20, 260 + 40 * i, 15)]) for i, char in enumerate("装订")], BODY,
        {"装": HEADER, "订": HEADER}),
    "numbers of items at the margin": (
        [Group([line(char, 20, 260 + 40 * i, 15)]) for i, char in enumerate("一二")], BODY, {}),
    "numbers of items at the margin, in one group": (
        [Group([line(char, 20, 260 + 40 * i, 15) for i, char in enumerate("一二三")])], BODY, {}),
    "other characters at the margin": (
        [Group([line(char, 20, 260 + 40 * i, 15)]) for i, char in enumerate("春夏秋冬山水")], BODY, {}),
    "characters at the margin close to the text": (
        [Group([line(char, 38, 260 + 40 * i, 15)]) for i, char in enumerate("装订")], BODY, {}),
    "a column of characters over a line at the margin": (
        [Group([line(char, 20, 260 + 20 * i, 15) for i, char in enumerate("装订线内")])],
        [*BODY, group("a line that begins further out", 690, x=10)], {}),
    "the only words of a page": ([group("Hello", 60)], [], {}),
    "the only words beside a number": ([group("Hello", 60), group("17", 760)], [], {"17": FOOTER}),
    "a last line that ends with a year": ([group("It began in 1917.", 706)], BODY, {}),
    "a last line that begins with a number": (
        [group("17 people came, and this is what they said and did there, all of them", 706)], BODY, {}),
    "letters in a row of answers": ([*ANSWERS, group("17", 760)], paragraphs(last=650), {"17": FOOTER}),
    "a paragraph that names an address and a number": ([Group(lines(PROSE, top=48))], BODY, {}),
}  # fmt: skip


@pytest.mark.parametrize("edges, body, expected", PAGES.values(), ids=PAGES)
def test_numbers_heads_and_stamps_are_dropped_at_the_edges_and_nothing_else(edges, body, expected):
    groups = [*edges, *body]
    found = find_furniture(groups, [], SHEET, 10.0)
    assert {groups[i].text: category for i, category in found.items()} == expected


@given(st.permutations(range(6)))
def test_the_order_of_the_groups_does_not_matter(order):
    edges = [group("The Guild Economy", 40), group("17", 40, x=500), group("© A. B.", 760, size=8)]
    groups = [*edges, *paragraphs(100, 300)]
    shuffled = [groups[i] for i in order if i < len(groups)]
    found = find_furniture(shuffled, [], SHEET, 10.0)
    assert sorted(shuffled[i].text for i in found) == ["17", "The Guild Economy", "© A. B."]


@pytest.mark.parametrize(
    "text, top, category", [("(continues on next page)", 690, FOOTER), ("(continued from previous page)", 60, HEADER)]
)
def test_a_note_that_a_listing_goes_on_is_furniture(text, top, category):
    note = group(text, top, x=300)
    assert find_furniture([*BODY, note], [], SHEET, 10.0) == {len(BODY): category}
    assert not find_furniture([*BODY, group(f"He {text}", top, x=300)], [], SHEET, 10.0)


def test_a_heading_over_its_stroke_on_a_later_page_stays():
    groups = [group("Soils of the south", 74, size=14), *BODY, group("17", 760)]
    assert 0 not in find_furniture(groups, [], SHEET, 10.0, rules((60, 92, 540, 92)))


def test_a_line_in_the_type_of_the_text_over_its_stroke_on_a_later_page_is_a_running_head():
    text, strokes = Group(lines(["a few lines that end a section"] * 3, top=180)), rules((60, 112, 540, 112))
    for number, bold, expected in (("17", False, {0, 2}), ("17", True, {2}), ("1", False, {2})):
        groups = [group("Soils of the south", 100, italic=True, bold=bold), text, group(number, 760)]
        assert set(find_furniture(groups, [], SHEET, 10.0, strokes)) == expected


@pytest.mark.parametrize("heads", [["• 172 · Growing wheat"], ["1. Soils of the south", "159"]])
def test_the_bullet_or_number_of_a_running_head_makes_it_no_item(heads):
    text, strokes = Group(lines(["a few lines that go on with a section"] * 30, top=180)), rules((60, 112, 540, 112))
    groups = [*(group(head, 100, x=x) for head, x in zip(heads, (60, 500), strict=False)), text]
    assert set(find_furniture(groups, [], SHEET, 10.0, strokes)) == set(range(len(heads)))


def test_a_year_between_dots_is_no_number_of_a_page():
    said = [[number for edge in page_edges([group(f"· {n} · Hale", 40), *BODY], [], SHEET, 10.0, rules())
             for number in edge.rows[0].page_numbers(alone=False)] for n in (172, 2020)]  # fmt: skip
    assert said == [[172], []]


def test_a_stamp_in_large_type_may_run_up_the_page_a_little_further_in():
    stamp, label = (turned("Annals 10(2008)003", Box(532, 270, x1, 500)) for x1 in (560, 542))
    assert find_furniture([stamp, *BODY], [], SHEET, 10.0) == {0: HEADER}
    assert find_furniture([label, *BODY], [], SHEET, 10.0) == {}


def test_the_upper_side_of_a_frame_sets_no_running_head_off():
    groups = [
        group("So it is one of them.", 100),
        Group(lines(["a lemma in its frame"] * 3, top=180)),
        group("17", 760),
    ]
    upper, *sides = (60, 112, 540, 112), (60, 112, 60, 230), (540, 112, 540, 230)
    assert set(find_furniture(groups, [], SHEET, 10.0, rules(upper))) == {0, 2}
    assert set(find_furniture(groups, [], SHEET, 10.0, rules(upper, *sides))) == {2}


def test_the_number_of_a_section_is_none_of_a_page_where_that_stands_at_the_foot():
    section, page = group("2", 40, size=13, bold=True), group("17", 760)
    assert set(find_furniture([section, *BODY, page], [], SHEET, 10.0)) == {len(BODY) + 1}
    assert set(find_furniture([section, *BODY], [], SHEET, 10.0)) == {0}


def test_a_title_in_bold_under_the_number_of_the_page_stays():
    for bold, expected in ((True, {0}), (False, {0, 1})):
        groups = [group("2", 40, x=535), group("CONTENTS", 55, x=280, size=9, bold=bold), *paragraphs(90)]
        assert set(find_furniture(groups, [], SHEET, 10.0)) == expected


def test_a_running_head_reaches_both_margins_over_a_table_too():
    head = [group("Forecasts of prices", 40, size=7), group("Conference of July 2017", 40, x=460, size=7)]
    table = Box(60, 60, 280, 300)
    assert set(find_furniture([*head, *paragraphs(320)], [table], SHEET, 10.0)) == {0, 1}


@pytest.mark.parametrize("page, later", [(1, 0), (0, 1), (2, 1)], ids=["the first", "not known", "the second"])
def test_a_number_in_a_line_of_words_is_that_of_the_page_unless_it_is_the_first_of_its_file(page, later):
    groups = [group("modèle 160", 40), *BODY]
    assert {edge.later for edge in page_edges(groups, [], SHEET, 10.0, rules(), page)} == {later}


def test_a_year_on_the_first_page_of_a_file_is_no_number_of_a_page():
    groups = [*BODY, group("2010", 760)]
    assert {edge.later for edge in page_edges(groups, [], SHEET, 10.0, rules(), 1)} == {0}


def test_letters_under_pictures_are_no_numbers_of_pages():
    pictures = [Box(68, 70, 117, 117), Box(241, 70, 290, 117)]
    assert find_furniture([group("Z", 130, x=73), group("C", 130, x=246)], pictures, SHEET, 10.0) == {}
    assert find_furniture([group("C", 130, x=246)], pictures, SHEET, 10.0) == {}


def test_the_title_at_the_side_of_a_drawing_is_no_stamp():
    title, stamp = (turned(words, Box(560, 100, 582, 380)) for words in ("Map 25b", "arXiv:2401.01234v2"))
    few, drawing = [group("The town", 300), group("Source: a survey", 700)], Box(40, 60, 540, 680)
    assert [find_furniture([each, *few], [drawing], SHEET, 10.0) for each in (title, stamp)] == [{}, {0: HEADER}]
    assert find_furniture([title, *few], [], SHEET, 10.0) == {0: HEADER}


@pytest.mark.parametrize("number, later", [("1", -1), ("17", 1)])
def test_a_number_alone_is_that_of_the_page_in_any_file(number, later):
    groups = [group("modèle 160", 40), *BODY, group(number, 760)]
    assert {edge.later for edge in page_edges(groups, [], SHEET, 10.0, rules(), 1)} == {later}


def test_very_many_strokes_are_looked_at_once():
    """A map, whose wide strokes all begin frames, so that none sets the row off."""
    wide = [(50, 120 + k / 4, 550, 120 + k / 4) for k in range(2000)]
    sides = [(x, y0, x, y0 + 9) for _, y0, _, _ in wide for x in (50, 550)]
    places = np.random.default_rng(0).uniform(50, 550, (100_000, 2))
    strokes = np.concatenate([wide, sides, np.concatenate([places, np.add(places, (0, 6))], axis=1)]).astype(np.float32)
    groups = [group("a row at the top of the map", 60), group("a row at the foot of it", 700)]
    [top, _] = page_edges(groups, [Box(50, 60, 550, 720)], SHEET, 10.0, strokes)
    measures = top.measures(0, 0)
    assert measures["stroke"] == 20.0


def test_a_title_over_a_paragraph_and_a_stroke_stays():
    text = Group(lines(["a paragraph that says what the", "list under the stroke is"], top=70))
    groups = [group("Soils of the south", 40, size=14), text, *BODY, group("17", 760)]
    assert 0 not in find_furniture(groups, [], SHEET, 10.0, rules((60, 92, 540, 92)))


def test_the_last_entry_of_contents_is_no_foot():
    entry = Group([line("5 Licence 13", 60, 768)], is_entry=True)
    assert find_furniture([*BODY, entry], [], SHEET, 10.0) == {}


def test_the_title_of_a_slide_is_no_running_head():
    slide = Box(0, 0, 600, 400)
    groups = [group("Rendering of text", 20, size=11), *paragraphs(60, 300), group("17", 380)]
    assert set(find_furniture(groups, [], slide, 10.0)) == {len(groups) - 1}
    alone = [group("Rendering of text", 20, size=10), group("4 / 53", 380, size=7)]
    assert 0 not in find_furniture(alone, [Box(60, 60, 540, 360)], slide, 10.0)


def test_a_watermark_over_the_text_is_a_stamp_and_other_turned_text_is_none():
    mark = Group([Line((Word(text="DRAFT", box=Box(240, 200, 320, 600), baseline=300, size=80, angle=270),))])
    found = find_furniture([mark, turned("Depth", Box(300, 300, 310, 340)), *BODY], [], SHEET, 10.0)
    assert found == {0: HEADER}


def test_the_title_over_a_table_is_no_running_head():
    title, table = group("Net income by quarter", 66), Box(60, 82, 540, 300)
    assert find_furniture([title, *paragraphs(320)], [table], SHEET, 10.0, rules((60, 82, 540, 82))) == {}


@pytest.mark.parametrize(
    "text",
    ["17", "- 17 -", "iv", "Page 3 of 7", "Seite 3 von 7", "3 sur 7", "стр. 3", "第 2 页 共 6 页", "第2頁", "B-12"],
)
def test_numbers_of_pages_as_people_print_them(text):
    assert find_furniture([*BODY, group(text, 760)], [], SHEET, 10.0) == {len(BODY): FOOTER}


def test_only_characters_at_the_margin_are_held_against_all_groups(monkeypatch):
    compared = []
    monkeypatch.setattr("docparse.layout.kinds.furniture._is_bound", lambda group, *_: bool(compared.append(group)))
    bound = Group([line(char, 20, 260 + 20 * i, 15) for i, char in enumerate("装订线内")])
    find_furniture([bound, *BODY], [], SHEET, 10.0)
    assert compared == [bound]
