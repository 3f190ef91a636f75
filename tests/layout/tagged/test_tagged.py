"""Tagged PDFs: the tree is followed where the page bears it out, and no word is lost or doubled whatever it says."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import handmade
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import grid_of, line, written

from docparse.layout.document.outline import Outline
from docparse.layout.reader import PageReader
from docparse.layout.stages import STAGES
from docparse.layout.tagged.code import code_units
from docparse.layout.tagged.naming import without_tagged
from docparse.layout.tagged.outline import TaggedHeadings
from docparse.layout.tagged.plan import plan_of
from docparse.layout.tagged.trust import believed
from docparse.layout.text.groups import Group
from docparse.pdf import open_document
from docparse.pdf.content import Characters, Font
from docparse.pdf.structure import NONE, Element, Structure
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Page, Span, plain

WIDTH, HEIGHT = 400, 500
COURIER = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>"
BOLD = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>"
HEADING, TEXT, TABLE, ITEM = Category.SECTION_HEADER, Category.TEXT, Category.TABLE, Category.LIST_ITEM


@dataclass(frozen=True)
class Text:
    """A line of text, `y` points below the top; `mark` is its marked-content id, None for text outside the tree.
    `inset` text stands in a form of its own, as Word sets formulas of MathType."""

    text: str
    x: float
    y: float
    mark: int | None = None
    size: float = 10
    font: str = "Body"
    inset: bool = False

    @property
    def form(self) -> bytes:
        shown = self.text if self.text.startswith("BT") else f"BT /F1 {self.size} Tf ({self.text}) Tj ET"
        return handmade.form(shown.encode("latin-1"), b"0 -20 200 20")

    def drawn(self) -> bytes:
        shown = f"BT /{self.font} {self.size} Tf {self.x} {HEIGHT - self.y} Td ({self.text}) Tj ET"
        if self.inset:
            shown = f"q 1 0 0 1 {self.x} {HEIGHT - self.y} cm /Inset{self.mark} Do Q"
        marked = "/Artifact BMC" if self.mark is None else f"/P <</MCID {self.mark}>> BDC"
        return f"{marked} {shown} EMC".encode("latin-1")


@dataclass(frozen=True)
class Tag:
    """An element; its children are elements and marked-content ids."""

    kind: str
    children: Sequence = ()


def tagged_pdf(lines, tree, roles=""):
    """Return a PDF of one page; `roles` is the inside of the role map."""
    objects, parents = {}, {}  # by object number; the element that holds a mark

    def element(tag, parent):
        number = 101 + len(objects)
        objects[number] = b""
        kids = []
        for child in tag.children:
            if isinstance(child, int):
                kids.append(str(child))
                parents.setdefault(child, number)
            else:
                kids.append(f"{element(child, number)} 0 R")
        objects[number] = f"<</S/{tag.kind}/P {parent} 0 R/Pg 3 0 R/K[{' '.join(kids)}]>>".encode()
        return number

    kids = " ".join(f"{element(tag, 100)} 0 R" for tag in tree)
    marks = " ".join(f"{parents[i]} 0 R" if i in parents else "null" for i in range(max(parents, default=0) + 1))
    objects |= {300 + line.mark: line.form for line in lines if line.inset}
    insets = b"".join(b"/Inset%d %d 0 R " % (line.mark, 300 + line.mark) for line in lines if line.inset)
    root = f"<</Type/StructTreeRoot/K[{kids}]/ParentTree<</Nums[0[{marks}]]>>/RoleMap<<{roles}>>>>"
    return handmade.pdf(
        b"\n".join(line.drawn() for line in lines), media=(0, 0, WIDTH, HEIGHT), page=b"/StructParents 0",
        fonts={"Body": handmade.HELVETICA, "Mono": COURIER, "Bold": BOLD}, objects={100: root.encode()} | objects,
        resources=b"/XObject <<%s>>" % insets,
        catalog=b"/MarkInfo<</Marked true>>/StructTreeRoot 100 0 R",
    )  # fmt: skip


def read(source, *, follow=True, formulas=False):
    """The page as it is written; with `follow=False` without its tags."""
    stages = [stage for stage in STAGES if follow or stage.name != "structure"]
    with open_document(source, name="page") as document:
        reader = PageReader(Settings(layout_engine="none", formulas=formulas, images="none"))
        page = reader.read(document.page(1), stages=stages).page
    outline = Outline()
    outline.add(page)
    return outline.refine(page)


def letters(text):
    return Counter(char for char in text if char.isalnum())


def printed(source):
    with open_document(source, name="page") as document:
        layer = document.page(1).characters
    return letters(layer.text if layer else "")


def said(page):
    return [(block.category, block.level, block.text) for block in page.blocks if not block.category.is_furniture]


def only(page, category):
    return [block for block in page.blocks if block.category is category]


RICH = """#set page(width: 400pt, height: 560pt, margin: 40pt, header: [Annual survey], footer: [page one])
= Results of the survey
Prose that runs over more than one line of this page, as it should in a paragraph#footnote[A note below the text.] of
some length, and then a little more.
== Bold words
*Set in bold like a heading*

- first item
  + inner one
  + inner two
- second item, which is long enough to run over the end of the line, and so it does, word after word

#figure(caption: [Heights of towns])[#table(columns: 3,
  table.header([Town], table.cell(colspan: 2)[Measures]),
  [Aberdeen], [20], [790], table.cell(rowspan: 2)[Bergen], [12], [2250], [13], [2251])]

```
for word in words:
    count(word)

done()
```
"""


def test_the_parts_of_a_page_are_what_the_tree_calls_them(typst_pdf):
    page = read(typst_pdf(RICH, "tagged"))
    assert page.structure == "tagged"
    heads = [(block.category, block.level, block.text) for block in page.blocks if block.level_known and block.level]
    assert {(Category.TITLE, 1, "Results of the survey"), (HEADING, 2, "Bold words")} <= set(heads)
    assert (TEXT, 0, "Set in bold like a heading") in said(page)
    items = [(block.level, block.marker, block.text[:12]) for block in only(page, Category.LIST_ITEM)]
    assert items == [(0, "•", "first item"), (1, "1.", "inner one"), (1, "2.", "inner two"), (0, "•", "second item,")]
    assert [block.text for block in only(page, Category.FOOTNOTE)] == ["A note below the text."]
    assert "Heights of towns" in only(page, Category.CAPTION)[0].text
    assert [block.text for block in only(page, Category.CODE)] == ["for word in words:\n    count(word)\n\ndone()"]
    assert [block.text for block in page.blocks if block.category.is_furniture] == ["Annual survey", "page one"]
    (table,) = (block.table for block in only(page, TABLE))
    cells = {plain(cell.spans): cell for cell in table.cells}
    assert (table.rows, table.columns) == (4, 3)
    assert cells["Measures"].colspan == 2 and cells["Measures"].header
    assert cells["Bergen"].rowspan == 2 and cells["2251"].row == 3 and cells["2251"].column == 2
    assert read(typst_pdf(RICH, "tagged"), follow=False).structure == "untagged"


def test_titles_and_page_numbers_that_are_elements_of_their_own_are_entries(typst_pdf):
    rows = "[Summary], [1], [Method and data], [4], [Results by region], [11], [Options], [23]"
    source = f"#set page(width: 300pt, height: 200pt)\n#grid(columns: (1fr, auto), align: (left, right), {rows})"
    page = read(typst_pdf(source, "contents"))
    assert [block.text for block in page.blocks] == [
        "Summary … 1", "Method and data … 4", "Results by region … 11", "Options … 23",
    ]  # fmt: skip


def test_cells_without_words_keep_their_place(typst_pdf):
    source = "#set page(width: 300pt, height: 200pt)\n#table(columns: 3, [a], [], [c], [], [e], [], [g], [h], [i])"
    (block,) = only(read(typst_pdf(source, "gaps")), TABLE)
    assert grid_of(block.table) == [["a", "", "c"], ["", "e", ""], ["g", "h", "i"]]


def test_columns_without_words_at_the_sides_are_left_out(typst_pdf):
    source = "#set page(width: 300pt, height: 200pt)\n#table(columns: 4, [], [a], [], [], [], [b], [c], [])"
    (block,) = only(read(typst_pdf(source, "bare")), TABLE)
    assert grid_of(block.table) == [["a", ""], ["b", "c"]]


def test_a_tree_without_header_cells_leaves_the_header_to_the_look_of_the_table(typst_pdf):
    rows = "[*Town*], [*Rain*], [Aberdeen], [790], [Bergen], [2250], [Cork], [1200]"
    (block,) = only(read(typst_pdf(f"#table(columns: 2, {rows})", "no-header")), TABLE)
    assert {plain(cell.spans) for cell in block.table.cells if cell.header} == {"Town", "Rain"}


NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
LINES = [f"Sentence number {word} of the page is here." for word in NUMBERS]


def down(marks):
    """Sentences down the page as paragraphs, with their marks."""
    return [Text(text, 40, 60 + 30 * i, mark) for i, (text, mark) in enumerate(zip(LINES, marks, strict=False))]


def pairs(first_mark, top=60):
    """Eight lines that stand two by two."""
    return [Text(f"line {i} of some text", 40, top + 12 * i + 24 * (i // 2), i + first_mark) for i in range(8)]


def paragraphs(marks):
    return [Tag("P", [mark]) for mark in marks]


def table(*rows):
    return [Tag("Table", [Tag("TR", [Tag("TD", cell) for cell in row]) for row in rows])]


LEFT_OUT = {
    "of a programme": [["Date", "Time", "Title", "Lead"], ["Monday", "9.30", "Models", "Ann"], ["", "11.00", "", "Bob"],
                       ["Tuesday", "", "BREAK", ""], ["", "", "Chains", "Eve"]],
    "of a puzzle, whose first row has all": [["1", "", "", "4"], ["", "4", "1", ""], ["4", "", "", "1"]],
}  # fmt: skip


@pytest.mark.parametrize("shown", LEFT_OUT.values(), ids=LEFT_OUT)
def test_cells_that_the_tree_leaves_out_are_empty_and_the_others_stand_under_their_names(shown):
    at = [(x, y) for y, row in enumerate(shown) for x, text in enumerate(row) if text]
    lines = [Text(shown[y][x], 40 + 90 * x, 60 + 16 * y, mark) for mark, (x, y) in enumerate(at)]
    marks = {place: [mark] for mark, place in enumerate(at)}
    rows = [[marks.get((x, y), []) for x in range(4) if y == 0 or (x, y) in marks] for y in range(len(shown))]
    (block,) = only(read(tagged_pdf(lines, table(*rows))), TABLE)
    assert grid_of(block.table) == shown


@pytest.mark.parametrize("y", [300, 60], ids=["higher up", "as high"])
def test_a_table_that_goes_on_in_the_next_column_under_its_head_again_is_one(y):
    shown = [["Date", "Place"], ["8 Jan", "Hall"], ["15 Jan", "Vestry"], ["22 Jan", "Church"], ["29 Jan", "Choir"]]
    places = [[(40 + 70 * x, y + 16 * k) for x in (0, 1)] for k in range(3)]
    places += [[(220 + 70 * x, 60 + 16 * k) for x in (0, 1)] for k in (1, 2)]
    cells = [(text, *at) for row, own in zip(shown, places, strict=True) for text, at in zip(row, own, strict=True)]
    lines = [Text(text, *at, mark) for mark, (text, *at) in enumerate(cells)]
    lines += [Text(text, 220 + 70 * x, 60, 10 + x) for x, text in enumerate(shown[0])]
    rows = [[[0, 10], [1, 11]], *([[2 * k], [2 * k + 1]] for k in range(1, 5))]
    page = read(tagged_pdf(lines, table(*rows)))
    assert [grid_of(block.table) for block in only(page, TABLE)] == [shown] and len(page.blocks) == 1


def test_where_the_cells_of_a_row_are_out_of_order_the_page_says_where_they_stand():
    shown = [["Date", "Kind", "Town", "Staff"], *([f"{k} May", "Closure", "San Jose", f"15{k}"] for k in range(1, 6))]
    lines = [
        Text(text, 40 + 80 * x, 60 + 16 * y, 4 * y + x) for y, row in enumerate(shown) for x, text in enumerate(row)
    ]
    rows = [[[4 * y + x] for x in ((0, 3, 1, 2) if y % 2 else range(4))] for y in range(len(shown))]
    (block,) = only(read(tagged_pdf(lines, table(*rows))), TABLE)
    assert grid_of(block.table) == shown


def test_what_an_inserted_object_shows_stands_in_the_cell_and_in_the_line_that_it_is_inserted_in():
    cells = [Text(f"{sign}: value", 160, 60 + 16 * y, 2 * y + 1) for y, sign in enumerate("PQ")]
    cells += [Text(sign, 40, 60 + 16 * y, 2 * y, inset=True) for y, sign in enumerate("PQ")]
    told = [("where", 40, 140), ("P", 72, 140), ("is known, and", 82, 140), ("Q", 40, 152), ("is not.", 52, 152)]
    lines = [Text(text, x, y, 4 + k, inset=len(text) == 1) for k, (text, x, y) in enumerate(told)]
    sets = [Tag("Span", [Tag("Sect", [mark])]) for mark in (5, 7)]
    tree = [*table([[Tag("Sect", [0])], [1]], [[Tag("Sect", [2])], [3]]), Tag("P", [4, sets[0], 6, sets[1], 8])]
    page = read(tagged_pdf([*cells, *lines], tree))
    assert [grid_of(block.table) for block in only(page, TABLE)] == [[["P", "P: value"], ["Q", "Q: value"]]]
    assert said(page)[1:] == [(TEXT, 0, "where P is known, and Q is not.")]


HALF = "BT /F1 10 Tf 24 7 Td (1) Tj -24 -7 Td (5 =) Tj 24 -6 Td (2) Tj ET 22 3.5 10 0.5 re f"  # stored bit by bit


@pytest.mark.parametrize(
    ("behind", "stop", "latex"), [(".", None, "."), ("mm", None, r"\text{ mm}"), ("", "(3)", r" \tag{3}")]
)  # fmt: skip
def test_an_object_that_shows_a_formula_is_one_in_cells_in_lines_and_on_lines_of_its_own(behind, stop, latex):
    lines = [Text(HALF, 40, 60, 0, inset=True), Text("A half", 160, 60, 1), Text("Two", 40, 90, 2)]
    lines += [Text("Two halves", 160, 90, 3), Text("The tall formula that stands in the line", 40, 140, 4)]
    lines += [Text(HALF, 232, 140, 5, inset=True), Text("and goes on, or", 268, 140, 6)]
    lines += [Text("stands by itself:", 40, 160, 7), Text(HALF, 180, 176, 8, inset=True)]
    lines += [Text(behind, 214, 176, 9)] if behind else []
    lines += [Text(stop, 340, 176, 9)] if stop else []
    tree = [
        *table([[Tag("P", [Tag("Sect", [0])])], [1]], [[2], [3]]),
        Tag("P", [4, Tag("Sect", [5]), 6, 7, Tag("Sect", [8]), 9]),
    ]
    page = read(tagged_pdf(lines, tree), formulas=True)
    (cells,) = only(page, TABLE)
    assert plain(cells.table.cells[0].spans) == r"5 = \frac{1}{2}" and cells.table.cells[0].spans[0].math
    told = "The tall formula that stands in the line", r"5 = \frac{1}{2}", "and goes on, or stands by itself:"
    shown = [(block.category, block.text) for block in page.blocks[1:]]
    assert shown == [(TEXT, " ".join(told)), (Category.FORMULA, rf"5 = \frac{{1}}{{2}}{latex}")]


def test_lines_of_code_in_a_cell_stay_lines():
    code = ["int two = 2;", "void f() {", "two++;", "}"]
    lines = [Text(line, 40, 60 + 14 * k, k) for k, line in enumerate(code)]
    lines += [
        Text(text, x, y, k) for text, x, y, k in (("one", 160, 60, 4), ("two", 40, 130, 5), ("three", 160, 130, 6))
    ]
    (block,) = only(read(tagged_pdf(lines, table([[0, 1, 2, 3], [4]], [[5], [6]]))), TABLE)
    assert grid_of(block.table) == [["\n".join(code), "one"], ["two", "three"]]


def test_words_that_all_cells_of_a_row_say_twice_stay_there():
    shown = [["Song", "Words"], ["la la", "na na"], ["Ho", "hey"]]
    at = [(text, 40 + 90 * x, 60 + 16 * y) for y, row in enumerate(shown) for x, text in enumerate(row)]
    rows = [[[2 * y], [2 * y + 1]] for y in range(3)]
    (block,) = only(read(tagged_pdf([Text(*each, mark) for mark, each in enumerate(at)], table(*rows))), TABLE)
    assert grid_of(block.table) == shown


@pytest.mark.parametrize("note", ["A. Smith, On the rivers of the north", "1. See the first chapter"])
def test_a_note_without_a_label_has_no_marker_whatever_it_begins_with(note):
    lines = [Text(LINES[0], 40, 60, 0), Text(note, 40, 100, 1)]
    (block,) = only(read(tagged_pdf(lines, [Tag("P", [0]), Tag("Note", [1])])), Category.FOOTNOTE)
    assert (block.marker, block.text) == ("", note)


def typed(said, x, pitch, mono):
    """A plan with a paragraph for each line and its page; `x` and `mono` are those of all characters."""
    piece = np.repeat(range(len(said)), list(map(len, said))).astype(np.int32)
    y = 60.0 + pitch * piece
    layer = Characters(
        text="".join(said), box=np.stack([x, y - 8, x + 6, y + 2], 1).astype(np.float32), baseline=y.astype(np.float32),
        font=np.array(mono, np.int32), generated=np.zeros(len(x), bool), piece=piece,
        fonts=tuple(Font("", 10.0, 400, False, mono, False, False, 0) for mono in (False, True)),
    )  # fmt: skip
    tree = Structure((Element("Document", NONE), *(Element("P", 0) for _ in said)), tuple(range(1, len(said) + 1)))
    return plan_of(tree, layer), layer


@pytest.mark.parametrize("last, kind", [
    ("这段文字在它的下面", "text"), ("#这是一个注释", "code"), ("A. 0, 1B. 1, 0", "text"), ("A．假设它是空的", "text"),
    ("B.next()", "code"),
])  # fmt: skip
def test_under_code_is_code_what_begins_as_code_does_and_no_answer_to_choose(last, kind):
    said = ["A line of text", "for x in rivers:", last]
    mono = [k == 1 or (k == 2 and char.isascii()) for k, text in enumerate(said) for char in text]
    kinds, _ = code_units(*typed(said, 6.0 * np.concatenate([range(len(text)) for text in said]), 20, mono))
    assert kinds == ("text", "code", kind)


def test_a_table_that_the_tree_does_not_name_stands_where_it_has_its_words():
    cells = [["Number", "2023-1147"], ["Customer", "10482"], ["Date", "06.11.2023"], ["Due", "09.11.2023"]]
    lines = [
        Text("Pottery of the yard", 200, 40, 0, 16),
        *(Text(f"Line {k} of them", 40, 80 + 14 * k, 1 + k) for k in range(4)),
    ]
    at = [(text, 180 + 70 * x, 76 + 17 * y) for y, row in enumerate(cells) for x, text in enumerate(row)]
    lines += [Text(*place, 5 + k) for k, place in enumerate(at)]
    tree = [Tag("H2", [0]), Tag("P", [1, 2, 3, 4]), *paragraphs(range(5, 13))]
    page = read(tagged_pdf(lines, tree))
    assert [block.category for block in page.blocks] == [HEADING, TEXT, TABLE]
    assert grid_of(page.blocks[2].table) == cells


CARDS = [Text(f"{name} text {i}", 40 + 170 * (i % 2), 60 + 16 * (i // 2), i) for i, name in enumerate("abababab")]
BY_CARD = [0, 2, 4, 6, 1, 3, 5, 7]
DEEP = Tag("P", [0])
for _ in range(300):
    DEEP = Tag("Sect", [DEEP])
CIRCLE = [Tag("P", [0, 1]), Tag("P", [1, 0, 2, 99]), *paragraphs(range(3, 8))]
BOXED = [
    "The words of a box that its writer set above",
    "the text, and that the tree of the file does not",
    "have, say more than any running head.",
]
FOLLOWED, REORDERED = "tagged", "ignored: its order contradicts the page"
LOPSIDED = "ignored: one element holds most of the text"
TREES = {  # lines, tree, what the page says of it, and the categories or the texts of its blocks
    "columns that geometry would read across": (
        CARDS, paragraphs(BY_CARD), FOLLOWED, [CARDS[i].text for i in BY_CARD]),
    "the wrong order": (down(range(8)), paragraphs(range(7, -1, -1)), REORDERED, None),
    "hardly any text": (down([0, 1, *[None] * 6]), paragraphs([0, 1]), "ignored: it covers 2", None),
    "one paragraph around everything": (pairs(0), [Tag("P", list(range(8)))], LOPSIDED, None),
    "a figure around everything": (
        [*pairs(0), *pairs(8, 160)], [Tag("Figure", list(range(16)))], LOPSIDED, None),
    "a box around paragraphs leaves their lines to geometry": (
        [Text("A heading", 40, 60, 0), *pairs(1, 100)], [Tag("Div", [Tag("H2", [0]), *range(1, 9)])], FOLLOWED,
        [HEADING, *[TEXT] * 4]),
    "headings on every line": (down(range(8)), [Tag("H1", [mark]) for mark in range(8)], FOLLOWED, [TEXT] * 8),
    "a table that lays out the page": (
        down(range(4)), table([[Tag("H2", [0]), Tag("P", [1])], [2]], [[3]]), FOLLOWED, [HEADING, *[TEXT] * 3]),
    "cells that do not stand side by side": (down(range(4)), table([[0], [1], [2], [3]]), FOLLOWED, [TEXT] * 4),
    "paragraphs with typed markers": (
        [Text(text, 40, 60 + 30 * i, i) for i, text in enumerate(("A text of words", "1. first", "2. second", "Then"))],
        paragraphs(range(4)), FOLLOWED, [TEXT, ITEM, ITEM, TEXT]),
    "two columns with a narrow gutter": (
        [Text(f"{name} text {i}", 40 + 80 * (i % 2), 60 + 12 * (i // 2), i, 14) for i, name in enumerate("abababab")],
        [Tag("P", [0, 2, 4, 6]), Tag("P", [1, 3, 5, 7])], FOLLOWED,
        ["a text 0 a text 2 a text 4 a text 6", "b text 1 b text 3 b text 5 b text 7"]),
    "a note in the margin": (
        [Text("first words of a text", 40, 60, 0), Text("a note", 280, 64, 1, 7), Text("in the margin", 280, 72, 2, 7),
         Text("and the second line", 40, 74, 3), Text("and its third one", 40, 88, 4)],
        [Tag("P", [0, Tag("Span", [1, 2]), 3, 4])], FOLLOWED,
        ["first words of a text and the second line and its third one", "a note in the margin"]),
    "a title in larger type that the tree leaves out stays": (
        [Text("The title of a slide", 40, 40, None, 16), *down([0, 1, 2, 3])], paragraphs(range(4)), FOLLOWED,
        ["The title of a slide", *LINES[:4]]),
    "a paragraph over the others that the tree leaves out stays": (
        [*(Text(text, 40, 40 + 12 * i) for i, text in enumerate(BOXED)),
         *(Text(text, 40, 120 + 12 * i, i) for i, text in enumerate(LINES[:8]))],
        [Tag("P", [0, 1, 2, 3]), Tag("P", [4, 5, 6, 7])], FOLLOWED,
        [" ".join(each) for each in (BOXED, LINES[:4], LINES[4:8])]),
    "a paragraph that begins with a line in larger type": (
        [Text("A title of words", 40, 60, 0, 16), Text("and what is set under it, in the size of text", 40, 80, 1),
         *down([None] * 3 + [2, 3, 4])[3:]], [Tag("P", [0, 1]), *paragraphs([2, 3, 4])], FOLLOWED,
        ["A title of words", "and what is set under it, in the size of text", *LINES[3:6]]),
    "text outside the tree": (down([0, 1, None, 2, 3]), paragraphs(range(4)), FOLLOWED, LINES[:5]),
    "roles": (down(range(5)), [Tag("Kopf", [0]), *(Tag("Absatz", [mark]) for mark in range(1, 5))], FOLLOWED,
              [HEADING, *[TEXT] * 4]),
    "a tree in circles": (down(range(8)), CIRCLE, "", None),
    "a tree too deep": (down(range(8)), [DEEP, *paragraphs(range(1, 8))], "", None),
}  # fmt: skip


@pytest.mark.parametrize("lines, tree, structure, blocks", TREES.values(), ids=TREES)
def test_a_tree_is_followed_where_the_page_bears_it_out_and_every_word_is_there_once(lines, tree, structure, blocks):
    source = tagged_pdf(lines, tree, "/Kopf/H2/Absatz/P")
    page = read(source)
    assert letters(written(page)) == printed(source)
    assert page.structure.startswith(structure)
    kinds, texts = [kind for kind, _, _ in said(page)], [text for _, _, text in said(page)]
    assert blocks in (None, kinds, texts)
    if structure == REORDERED:
        assert " ".join(texts) == " ".join(LINES)


@pytest.mark.parametrize("step, expected", [(14, 2), (30, 8)], ids=["under each other", "apart"])
def test_a_tree_with_a_paragraph_for_each_line_says_nothing_of_text(step, expected):
    said_so = ["Words that reach to where all other lines of text end, and", "are cut there"]
    rows = [*(said_so[0] for _ in range(3)), said_so[1] + "."] * 2
    lines = [Text(text, 40, 60 + step * i + 40 * (i // 4), i) for i, text in enumerate(rows)]
    assert len(only(read(tagged_pdf(lines, paragraphs(range(8)))), TEXT)) == expected


def hebrew(ends, last=""):
    """A plan and its page: paragraphs of one line each, from the right margin to where they end, at `ends`."""
    said = ["א" * int((360 - end) / 6 - len(last)) + last for end in ends]
    x = 354 - 6.0 * np.concatenate([range(len(text)) for text in said])
    return typed(said, x, 14, np.zeros(len(x)))


@pytest.mark.parametrize(
    "ends, last, kind",
    [([150, 114, 96, 90, 36], "", "text"), ([36] * 5, "", "free"), ([36] * 5, "؟", "text"), ([36] * 5, "۔", "text")],
)
def test_lines_from_right_to_left_are_cut_where_they_reach_the_left_margin(ends, last, kind):
    assert set(believed(*hebrew(ends, last)).kinds) == {kind}


@pytest.mark.parametrize("kind, coded", [("NonStruct", True), ("P", False)])
@pytest.mark.parametrize("around", ["P", "NonStruct"])
def test_a_line_of_code_among_paragraphs_is_a_listing_and_a_term_is_none(kind, coded, around):
    lines = [Text("make install", 40, 60 + 30 * mark, mark, font="Mono") if mark == 1 else each
             for mark, each in enumerate(down(range(4)))]  # fmt: skip
    others = [Tag(around, [mark]) for mark in (0, 2, 3)]
    page = read(tagged_pdf(lines, [Tag("NonStruct", [others[0], Tag(kind, [Tag("Code", [1])]), *others[1:]])]))
    assert [block.text for block in only(page, Category.CODE)] == ["make install"] * (coded and around == "P")


@pytest.mark.parametrize("apart", [True, False])
def test_paragraphs_that_read_as_code_are_one_listing_whatever_they_are_set_in(apart):
    code = ["static int sum = 0;", "while (sum < 9) {", "sum += next[0];", "print(sum);", "}", "sum = 0;"]
    lines = [Text(text, 60 if 2 <= i <= 3 else 40, 90 + 14 * i, i + 1 if apart else 1) for i, text in enumerate(code)]
    lines = [Text("It adds up what there is:", 40, 60, 0), *lines, Text("That is all of it.", 40, 200, 9)]
    marks = sorted({line.mark for line in lines})
    page = read(tagged_pdf(lines, [Tag("P", [mark]) for mark in marks]))
    assert [(block.category, block.text) for block in page.blocks] == [
        (TEXT, "It adds up what there is:"),
        (Category.CODE, "\n".join("    " * (2 <= i <= 3) + text for i, text in enumerate(code))),
        (TEXT, "That is all of it."),
    ]


def numbered_item(first):
    """An item whose label and words have two marks."""
    return Tag("L", [Tag("LI", [Tag("Lbl", [first]), Tag("LBody", [first + 1])])])


@pytest.mark.parametrize("size", [14, 10])
def test_numbered_headings_that_are_tagged_as_lists_are_headings_like_the_one_that_is_tagged(size):
    """Word processors number headings as lists. Items in the type of the text stay items."""
    names = [("Summary",), ("1.", "Aims"), ("1.1", "Scope"), ("1.", "an item of a list")]
    lines, tree = [], []
    for part, words in enumerate(names):
        mark, y = 10 * part, 60 + 100 * part
        type_ = (size, "Bold") if part < 3 else ()
        lines += [Text(word, 40 + 30 * i, y, mark + i, *type_) for i, word in enumerate(words)]
        lines += [Text(text, 40, y + 20 + 14 * i, mark + 2) for i, text in enumerate(LINES[part : part + 3])]
        tree += [Tag("H1", [mark]) if len(words) == 1 else numbered_item(mark), Tag("P", [mark + 2])]
    page = read(tagged_pdf(lines, tree))
    assert page.structure == FOLLOWED
    headings = [(block.level, block.text) for block in page.blocks if block.category in (Category.TITLE, HEADING)]
    assert headings == [(1, "Summary"), (1, "1. Aims"), (2, "1.1 Scope")]
    assert [(block.marker, block.text) for block in only(page, Category.LIST_ITEM)] == [("1.", "an item of a list")]


def test_the_ring_of_word_processors_is_a_bullet():
    lines = [*down(range(4)), Text("o", 40, 200, 10), Text("an item of a list", 70, 200, 11)]
    page = read(tagged_pdf(lines, [*paragraphs(range(4)), numbered_item(10)]))
    assert [(block.marker, block.text) for block in only(page, Category.LIST_ITEM)] == [("◦", "an item of a list")]


@given(st.integers(0, 10**6))
def test_no_word_is_lost_or_doubled_where_the_tree_lies(seed):
    """Text anywhere on the page under any tree."""
    dice = random.Random(seed)
    kinds = ["P", "H1", "H3", "L", "LI", "Lbl", "LBody", "Table", "TR", "TD", "TH", "Code", "Note", "Figure", "Span"]
    kinds += ["NonStruct", "Caption", "Formula", "Link", "TOCI", "Nothing"]
    count = dice.randint(1, 14)
    lines = [
        Text(
            dice.choice(["word", "two words", "1.", "several words in one line of text", "x"]) + f" {i}",
            dice.choice([40, 60, 200, dice.randint(10, 300)]),
            dice.choice([60 + 14 * i, dice.randint(20, 480)]),
            dice.choice([i, i, i, None, 0]),
            dice.choice([10, 10, 7, 16]),
            dice.choice(["Body", "Body", "Mono"]),
        )
        for i in range(count)
    ]
    marks = list(range(count))
    if dice.random() < 0.5:
        dice.shuffle(marks)

    def grown(depth):
        children = []
        for _ in range(dice.randint(0, 4)):
            if marks and (depth > 3 or dice.random() < 0.6):
                children.append(marks.pop(0))
            elif depth <= 3:
                children.append(grown(depth + 1))
        return Tag(dice.choice(kinds), children)

    source = tagged_pdf(lines, [grown(0) for _ in range(dice.randint(1, 8))])
    assert letters(written(read(source))) == letters(written(read(source, follow=False)))


@pytest.mark.parametrize("words, left", [("装订线内", True), ("春夏秋冬", False), ("Bind", False)])
def test_characters_where_papers_are_bound_are_furniture_though_the_tree_names_them(words, left):
    bound = Group([line(char, 20, 260 + 20 * i, 15) for i, char in enumerate(words)])
    plan = SimpleNamespace(units=[SimpleNamespace(named=True)], kinds=[], of_group=lambda group: 0)
    assert bool(without_tagged({0: Category.PAGE_HEADER}, [bound], [], 10.0, plan)) is left


LED, HEADED, PLAIN = (Category.TITLE, 1), (Category.SECTION_HEADER, 1), (Category.TEXT, 0)
NAMED = ["1 Problem", "2 Method"]


@pytest.mark.parametrize(
    "said, named, settled",
    [
        (["The design of a pump", "Abstract", *NAMED, "In large type"], NAMED, [LED, *[HEADED] * 3, PLAIN]),
        (["Contents", *NAMED], NAMED, [HEADED] * 3),
        (["Acme Ltd.", "User manual"], ["User manual"], [PLAIN, LED]),
    ],
)
def test_the_first_line_in_the_type_of_several_headings_is_a_title_that_the_tree_calls_text(said, named, settled):
    blocks = [
        Block(category=Category.SECTION_HEADER, box=Box(60, 80 * k, 300, 80 * k + 16), spans=(Span(text),),
              font_size=16.0, level=int(text in named), level_known=text in named)
        for k, text in enumerate(said, 1)
    ]  # fmt: skip
    page = Page(number=1, width=600, height=800, blocks=tuple(blocks), structure="tagged")
    headings = TaggedHeadings()
    headings.add(page)
    assert [(block.category, block.level) for block in headings.refine(page)] == settled
