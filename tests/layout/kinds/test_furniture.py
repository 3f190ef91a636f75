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


SOUTH = "Soils of the south"
UPPER, *SIDES = (60, 112, 540, 112), (60, 112, 60, 230), (540, 112, 540, 230)
LEMMA = [group("So it is one of them.", 100), Group(lines(["a lemma in its frame"] * 3, top=180)), group("17", 760)]
SECTION, SIDE = group("2", 40, size=13, bold=True), turned("Map 25b", Box(560, 100, 582, 380))
STAMPED = turned("arXiv:2401.01234v2", Box(560, 100, 582, 380))
FEW, MAP = [group("The town", 300), group("Source: a survey", 700)], Box(40, 60, 540, 680)
DRAFT = Group([Line((Word(text="DRAFT", box=Box(240, 200, 320, 600), baseline=300, size=80, angle=270),))])


def contents(bold):
    return [group("2", 40, x=535), group("CONTENTS", 55, x=280, size=9, bold=bold), *paragraphs(90)]


def ended(number, bold=False):
    text = Group(lines(["a few lines that end a section"] * 3, top=180))
    return [group(SOUTH, 100, italic=True, bold=bold), text, group(number, 760)]


def headed(*heads):
    text = Group(lines(["a few lines that go on with a section"] * 30, top=180))
    return [*(group(head, 100, x=x) for head, x in zip(heads, (60, 500), strict=False)), text]


KNOWN = {  # groups, boxes, strokes, and the places of those that are dropped
    **{text: ([*BODY, group(text, 760)], [], [], {len(BODY)}) for text in (
        "iv", "Page 3 of 7", "Seite 3 von 7", "3 sur 7", "стр. 3", "第 2 页 共 6 页", "第2頁", "B-12")},
    **{f"{text} {top}": ([*BODY, group(text, top, x=300)], [], [], found) for text, top, found in (
        ("(continues on next page)", 690, {len(BODY)}), ("He (continues on next page)", 690, set()),
        ("(continued from previous page)", 60, {len(BODY)}), ("He (continued from previous page)", 60, set()))},
    "a heading over its stroke on a later page": (
        [group(SOUTH, 74, size=14), *BODY, group("17", 760)], [], [(60, 92, 540, 92)], {len(BODY) + 1}),
    "a title over a paragraph and a stroke": (
        [group(SOUTH, 40, size=14),
         Group(lines(["a paragraph that says what the", "list under the stroke is"], top=70)), *BODY, group("17", 760)],
        [], [(60, 92, 540, 92)], {len(BODY) + 2}),
    "a line in the type of the text over its stroke on a later page": (ended("17"), [], [UPPER], {0, 2}),
    "a bold one": (ended("17", bold=True), [], [UPPER], {2}),
    "one on a first page": (ended("1"), [], [UPPER], {2}),
    "a running head with a bullet": (headed("• 172 · Growing wheat"), [], [UPPER], {0}),
    "a running head with the number of its chapter": (headed("1. Soils of the south", "159"), [], [UPPER], {0, 1}),
    "a line over a stroke": (LEMMA, [], [UPPER], {0, 2}),
    "a line over the upper side of a frame": (LEMMA, [], [UPPER, *SIDES], {2}),
    "the number of a section over that of a page": ([SECTION, *BODY, group("17", 760)], [], [], {len(BODY) + 1}),
    "a number at the head of a page without another": ([SECTION, *BODY], [], [], {0}),
    "a title in bold under the number of the page": (contents(True), [], [], {0}),
    "a line under the number of the page": (contents(False), [], [], {0, 1}),
    "a running head that reaches both margins over a table": (
        [group("Forecasts of prices", 40, size=7), group("Conference of July 2017", 40, x=460, size=7),
         *paragraphs(320)], [Box(60, 60, 280, 300)], [], {0, 1}),
    "letters under pictures": (
        [group("Z", 130, x=73), group("C", 130, x=246)], [Box(68, 70, 117, 117), Box(241, 70, 290, 117)], [], set()),
    "a letter under one of two pictures": (
        [group("C", 130, x=246)], [Box(68, 70, 117, 117), Box(241, 70, 290, 117)], [], set()),
    "the title at the side of a drawing": ([SIDE, *FEW], [MAP], [], set()),
    "a stamp at the side of a drawing": ([STAMPED, *FEW], [MAP], [], {0}),
    "a title at the side of nothing": ([SIDE, *FEW], [], [], {0}),
    "the last entry of contents": ([*BODY, Group([line("5 Licence 13", 60, 768)], is_entry=True)], [], [], set()),
    "a watermark over the text, and turned text in it": (
        [DRAFT, turned("Depth", Box(300, 300, 310, 340)), *BODY], [], [], {0}),
    "the title over a table": (
        [group("Net income by quarter", 66), *paragraphs(320)], [Box(60, 82, 540, 300)], [(60, 82, 540, 82)], set()),
}  # fmt: skip


@pytest.mark.parametrize("groups, boxes, strokes, expected", KNOWN.values(), ids=KNOWN)
def test_numbers_strokes_pictures_and_tables_tell_what_the_edges_of_a_page_are(groups, boxes, strokes, expected):
    found = find_furniture(groups, boxes, SHEET, 10.0, rules(*strokes))
    halves = {place: HEADER if groups[place].box.center[1] < 500 else FOOTER for place in expected}
    assert found == halves


def test_the_title_of_a_slide_is_no_running_head():
    slide = Box(0, 0, 600, 400)
    groups = [group("Rendering of text", 20, size=11), *paragraphs(60, 300), group("17", 380)]
    assert set(find_furniture(groups, [], slide, 10.0)) == {len(groups) - 1}
    alone = [group("Rendering of text", 20, size=10), group("4 / 53", 380, size=7)]
    assert 0 not in find_furniture(alone, [Box(60, 60, 540, 360)], slide, 10.0)


@pytest.mark.parametrize("head, foot, page, later", [
    ("modèle 160", "", 1, {0}), ("modèle 160", "", 0, {1}), ("modèle 160", "", 2, {1}), ("", "2010", 1, {0}),
    ("modèle 160", "1", 1, {-1}), ("modèle 160", "17", 1, {1}),
])  # fmt: skip
def test_a_number_alone_is_that_of_the_page_and_one_in_words_or_a_year_not_on_the_first_of_a_file(
    head, foot, page, later
):
    groups = [*([group(head, 40)] if head else []), *BODY, *([group(foot, 760)] if foot else [])]
    assert {edge.later for edge in page_edges(groups, [], SHEET, 10.0, rules(), page)} == later


@given(st.permutations(range(6)))
def test_the_order_of_the_groups_does_not_matter(order):
    edges = [group("The Guild Economy", 40), group("17", 40, x=500), group("© A. B.", 760, size=8)]
    groups = [*edges, *paragraphs(100, 300)]
    shuffled = [groups[i] for i in order if i < len(groups)]
    found = find_furniture(shuffled, [], SHEET, 10.0)
    assert sorted(shuffled[i].text for i in found) == ["17", "The Guild Economy", "© A. B."]


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


def test_only_characters_at_the_margin_are_held_against_all_groups(monkeypatch):
    compared = []
    monkeypatch.setattr("docparse.layout.kinds.furniture._is_bound", lambda group, *_: bool(compared.append(group)))
    bound = Group([line(char, 20, 260 + 20 * i, 15) for i, char in enumerate("装订线内")])
    find_furniture([bound, *BODY], [], SHEET, 10.0)
    assert compared == [bound]


def test_a_year_between_dots_is_no_number_of_a_page():
    said = [[number for edge in page_edges([group(f"· {n} · Hale", 40), *BODY], [], SHEET, 10.0, rules())
             for number in edge.rows[0].page_numbers(alone=False)] for n in (172, 2020)]  # fmt: skip
    assert said == [[172], []]


def test_a_stamp_in_large_type_may_run_up_the_page_a_little_further_in():
    stamp, label = (turned("Annals 10(2008)003", Box(532, 270, x1, 500)) for x1 in (560, 542))
    assert find_furniture([stamp, *BODY], [], SHEET, 10.0) == {0: HEADER}
    assert find_furniture([label, *BODY], [], SHEET, 10.0) == {}
