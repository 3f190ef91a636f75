"""Tagged PDFs: the tree is followed where the page bears it out, and no word is lost or doubled whatever it says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docparse.layout.document.outline import Outline
from docparse.layout.reader import PageReader
from docparse.layout.stages import STAGES
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Block, Category, Page, plain

WIDTH, HEIGHT = 400, 500


@dataclass(frozen=True)
class Text:
    """A line of text; `mark` is its marked-content id, None for text outside the tree."""

    text: str
    x: float
    y: float
    mark: int | None = None
    size: float = 10
    font: str = "Body"


@dataclass(frozen=True)
class Tag:
    """An element; its children are elements and marked-content ids."""

    kind: str
    children: Sequence[Tag | int] = ()
    attributes: str = ""


def tagged_pdf(lines: Sequence[Text], tree: Sequence[Tag], roles: str = "") -> bytes:
    """Return a PDF of one page. `y` grows downwards; `roles` is the inside of the role map."""
    return _Writer(lines, tree, roles).whole()


class _Writer:
    def __init__(self, lines: Sequence[Text], tree: Sequence[Tag], roles: str) -> None:
        self.objects: dict[int, bytes] = {}
        self.last = 7  # catalog, pages, page, content, two fonts, tree root
        self.parents: dict[int, int] = {}
        stream = b"\n".join(map(_drawn, lines))
        kids = " ".join(f"{self.element(tag, 7)} 0 R" for tag in tree)
        marks = " ".join(f"{self.parents[i]} 0 R" if i in self.parents else "null" for i in range(self.most + 1))
        self.objects |= {
            1: b"<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 7 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: (
                f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {WIDTH} {HEIGHT}]/Contents 4 0 R/StructParents 0"
                "/Resources<</Font<</Body 5 0 R/Mono 6 0 R>>>>>>"
            ).encode(),
            4: b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
            5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            6: b"<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
            7: f"<</Type/StructTreeRoot/K[{kids}]/ParentTree<</Nums[0[{marks}]]>>/RoleMap<<{roles}>>>>".encode(),
        }

    @property
    def most(self) -> int:
        return max(self.parents, default=0)

    def element(self, tag: Tag, parent: int) -> int:
        self.last += 1
        number = self.last
        kids = []
        for child in tag.children:
            if isinstance(child, int):
                kids.append(str(child))
                self.parents.setdefault(child, number)
            else:
                kids.append(f"{self.element(child, number)} 0 R")
        self.objects[number] = (
            f"<</Type/StructElem/S/{tag.kind}/P {parent} 0 R/Pg 3 0 R/K[{' '.join(kids)}]{tag.attributes}>>".encode()
        )
        return number

    def whole(self) -> bytes:
        out, places = bytearray(b"%PDF-1.7\n"), []
        for number in sorted(self.objects):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, self.objects[number])
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        out += b"".join(b"%010d 00000 n \n" % place for place in places)
        return bytes(out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, start))


def _drawn(line: Text) -> bytes:
    text = line.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    shown = f"BT /{line.font} {line.size} Tf {line.x} {HEIGHT - line.y} Td ({text}) Tj ET"
    if line.mark is None:
        return f"/Artifact BMC {shown} EMC".encode("latin-1")
    return f"/P <</MCID {line.mark}>> BDC {shown} EMC".encode("latin-1")


def read(source: Path | bytes, number: int = 1, *, follow: bool = True) -> Page:
    """The page as it is written; with `follow=False` without its tags."""
    stages = [stage for stage in STAGES if follow or stage.name != "structure"]
    with open_document(source, name="page") as document:
        reader = PageReader(Settings(layout_engine="none", formulas=False, images="none"))
        page = reader.read(document.page(number), stages=stages).page
    outline = Outline()
    outline.add(page)
    return outline.refine(page)


def printed(source: Path | bytes) -> Counter[str]:
    """The letters and digits that the text layer has."""
    with open_document(source, name="page") as document:
        layer = document.page(1).characters
    return Counter(char for char in (layer.text if layer else "") if char.isalnum())


def written(page: Page) -> Counter[str]:
    """The letters and digits of all blocks."""
    texts = [block.marker + block.text for block in page.blocks]
    texts += [plain(cell.spans) for block in page.blocks if block.table for cell in block.table.cells]
    return Counter(char for text in texts for char in text if char.isalnum())


def said(page: Page) -> list[tuple[Category, int, str]]:
    return [(block.category, block.level, block.text) for block in page.blocks if not block.category.is_furniture]


def only(page: Page, category: Category) -> list[Block]:
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


@pytest.fixture(scope="module")
def rich(typst_pdf: Callable[..., Path]) -> Page:
    return read(typst_pdf(RICH, "tagged"))


def test_the_page_says_that_its_tags_were_followed(rich: Page, typst_pdf: Callable[..., Path]) -> None:
    assert rich.structure == "tagged"
    assert read(typst_pdf(RICH, "tagged"), follow=False).structure == "untagged"


def test_headings_have_the_levels_of_the_tree(rich: Page) -> None:
    heads = [(block.category, block.level, block.text) for block in rich.blocks if block.level_known and block.level]
    assert (Category.TITLE, 1, "Results of the survey") in heads
    assert (Category.SECTION_HEADER, 2, "Bold words") in heads


def test_bold_text_is_no_heading_where_the_tree_has_headings(rich: Page) -> None:
    assert (Category.TEXT, 0, "Set in bold like a heading") in said(rich)


def test_items_have_their_depth_and_their_label_apart(rich: Page) -> None:
    items = [(block.level, block.marker, block.text[:12]) for block in only(rich, Category.LIST_ITEM)]
    assert items == [(0, "•", "first item"), (1, "1.", "inner one"), (1, "2.", "inner two"), (0, "•", "second item,")]


def test_cells_reach_over_rows_and_columns(rich: Page) -> None:
    (block,) = only(rich, Category.TABLE)
    assert block.table is not None
    cells = {plain(cell.spans): cell for cell in block.table.cells}
    assert (block.table.rows, block.table.columns) == (4, 3)
    assert cells["Measures"].colspan == 2 and cells["Measures"].header
    assert cells["Bergen"].rowspan == 2 and cells["2251"].row == 3 and cells["2251"].column == 2


def test_cells_without_words_keep_their_place(typst_pdf: Callable[..., Path]) -> None:
    source = "#set page(width: 300pt, height: 200pt)\n#table(columns: 3, [a], [], [c], [], [e], [], [g], [h], [i])"
    (block,) = only(read(typst_pdf(source, "gaps")), Category.TABLE)
    assert block.table is not None and block.table.columns == 3
    assert {plain(cell.spans): (cell.row, cell.column) for cell in block.table.cells if cell.spans} == {
        "a": (0, 0), "c": (0, 2), "e": (1, 1), "g": (2, 0), "h": (2, 1), "i": (2, 2),
    }  # fmt: skip


def test_a_tree_without_header_cells_leaves_the_header_to_the_look_of_the_table(typst_pdf: Callable[..., Path]) -> None:
    rows = "[*Town*], [*Rain*], [Aberdeen], [790], [Bergen], [2250], [Cork], [1200]"
    (block,) = only(read(typst_pdf(f"#table(columns: 2, {rows})", "no-header")), Category.TABLE)
    assert block.table is not None
    assert {plain(cell.spans) for cell in block.table.cells if cell.header} == {"Town", "Rain"}


def test_notes_captions_and_code_are_named(rich: Page) -> None:
    assert [block.text for block in only(rich, Category.FOOTNOTE)] == ["A note below the text."]
    assert "Heights of towns" in only(rich, Category.CAPTION)[0].text
    assert [block.text for block in only(rich, Category.CODE)] == ["for word in words:\n    count(word)\n\ndone()"]


def test_artifacts_are_running_headers_and_footers(rich: Page) -> None:
    assert [block.text for block in rich.blocks if block.category.is_furniture] == ["Annual survey", "page one"]


PARTS = st.sampled_from(
    [
        "= Heading {n}",
        "=== Deep heading {n}",
        "Prose number {n} that says a thing or two, and goes on for as long as it takes to fill more than one line.",
        "- item {n}\n- another\n  - deeper {n}\n\n    with more text",
        "+ one {n}\n+ two",
        "#table(columns: 2, [a{n}], [b], [c], table.cell(rowspan: 2)[d], [e])",
        "#table(columns: 2, [], [b{n}], [c], [])",
        "```\nlet x{n} =   1\n\n  x\n```",
        "`name{n}` in text with $x_{n}^2$ and $ sum_(i=1)^{n} i $",
        "#quote(block: true)[Quoted {n}]",
        "/ Term {n}: what it means",
        "#place(right)[aside {n}]",
        "#columns(2)[Left {n} #lorem(20) #colbreak() Right #lorem(15)]",
        "Text#footnote[Note {n}] with a note.",
        "#rotate(90deg, reflow: true)[turned {n}]",
        "#box(stroke: 1pt, inset: 4pt)[boxed {n}]",
        "#pdf.artifact[drawn {n}]",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS, min_size=1, max_size=7))
def test_no_word_is_lost_or_doubled(typst_pdf: Callable[..., Path], parts: list[str]) -> None:
    source = "#set page(width: 400pt, height: auto, margin: 40pt)\n\n"
    pdf = typst_pdf(source + "\n\n".join(part.replace("{n}", str(n)) for n, part in enumerate(parts)))
    assert written(read(pdf)) == printed(pdf)


LINES = [
    f"Sentence number {word} of the page is here."
    for word in ("one", "two", "three", "four", "five", "six", "seven", "eight")
]


def down(marks: Sequence[int | None], texts: Sequence[str] = LINES) -> list[Text]:
    """Texts down the page as paragraphs, with their marks."""
    return [Text(text, 40, 60 + 30 * i, mark) for i, (text, mark) in enumerate(zip(texts, marks, strict=False))]


def paragraphs(marks: Sequence[int]) -> list[Tag]:
    return [Tag("Document", [Tag("P", [mark]) for mark in marks])]


def check(pdf: bytes) -> Page:
    """The page, on which every word is there once."""
    page = read(pdf)
    assert written(page) == printed(pdf)
    return page


def test_the_tree_gives_the_order_of_columns_that_geometry_would_read_across() -> None:
    cards = [Text(f"{name} text {i}", 40 + 170 * (i % 2), 60 + 16 * (i // 2), i) for i, name in enumerate("abababab")]
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    page = check(tagged_pdf(cards, paragraphs(order)))
    assert [text for _, _, text in said(page)] == [cards[i].text for i in order]


def test_a_tree_in_the_wrong_order_is_ignored() -> None:
    page = check(tagged_pdf(down(range(8)), paragraphs([7, 6, 5, 4, 3, 2, 1, 0])))
    assert page.structure == "ignored: its order contradicts the page"
    assert " ".join(text for _, _, text in said(page)) == " ".join(LINES)


def test_a_tree_that_covers_little_is_ignored() -> None:
    page = check(tagged_pdf(down([0, 1, None, None, None, None, None, None]), paragraphs([0, 1])))
    assert page.structure.startswith("ignored: it covers 2")


def test_one_paragraph_around_everything_is_ignored() -> None:
    lines = [Text(f"line {i} of some text", 40, 60 + 12 * i + 24 * (i // 2), i) for i in range(8)]
    page = check(tagged_pdf(lines, [Tag("P", list(range(8)))]))
    assert page.structure == "ignored: one element holds most of the text"


def test_a_box_around_paragraphs_leaves_their_lines_to_geometry() -> None:
    lines = [Text(f"line {i} of some text", 40, 100 + 12 * i + 24 * (i // 2), i + 1) for i in range(8)]
    head = Text("A heading", 40, 60, 0)
    page = check(tagged_pdf([head, *lines], [Tag("Div", [Tag("H2", [0]), *range(1, 9)])]))
    assert page.structure == "tagged"
    assert [category for category, _, _ in said(page)] == [Category.SECTION_HEADER, *[Category.TEXT] * 4]


def test_headings_on_every_line_are_text() -> None:
    page = check(tagged_pdf(down(range(8)), [Tag("H1", [mark]) for mark in range(8)]))
    assert {category for category, _, _ in said(page)} == {Category.TEXT}


def test_a_table_that_lays_out_the_page_is_none() -> None:
    rows = [Tag("TR", [Tag("TD", [Tag("H2", [0]), Tag("P", [1])]), Tag("TD", [2])]), Tag("TR", [Tag("TD", [3])])]
    page = check(tagged_pdf(down(range(4)), [Tag("Table", rows)]))
    assert not only(page, Category.TABLE) and len(only(page, Category.SECTION_HEADER)) == 1


def test_cells_that_do_not_stand_side_by_side_are_no_table() -> None:
    page = check(tagged_pdf(down(range(4)), [Tag("Table", [Tag("TR", [Tag("TD", [mark]) for mark in range(4)])])]))
    assert not only(page, Category.TABLE)


def test_text_outside_the_tree_stands_where_geometry_puts_it() -> None:
    page = check(tagged_pdf(down([0, 1, None, 2, 3]), paragraphs([0, 1, 2, 3])))
    assert page.structure == "tagged" and [text for _, _, text in said(page)] == LINES[:5]


def test_roles_are_followed() -> None:
    tree = [Tag("Kopf", [0]), *(Tag("Absatz", [mark]) for mark in range(1, 5))]
    page = check(tagged_pdf(down(range(5)), tree, "/Kopf/H2/Absatz/P"))
    assert said(page)[0][:2] == (Category.SECTION_HEADER, 2)


def test_a_tree_in_circles_or_too_deep_ends() -> None:
    circle = [Tag("P", [0, 1]), Tag("P", [1, 0, 2, 99]), *(Tag("P", [mark]) for mark in range(3, 8))]
    check(tagged_pdf(down(range(8)), circle))
    deep = Tag("P", [0])
    for _ in range(300):
        deep = Tag("Sect", [deep])
    check(tagged_pdf(down(range(8)), [deep, *(Tag("P", [mark]) for mark in range(1, 8))]))


@given(st.integers(0, 10**6))
def test_no_word_is_lost_or_doubled_where_the_tree_lies(seed: int) -> None:
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

    def grown(depth: int) -> Tag:
        children: list[Tag | int] = []
        for _ in range(dice.randint(0, 4)):
            if marks and (depth > 3 or dice.random() < 0.6):
                children.append(marks.pop(0))
            elif depth <= 3:
                children.append(grown(depth + 1))
        return Tag(dice.choice(kinds), children)

    pdf = tagged_pdf(lines, [grown(0) for _ in range(dice.randint(1, 8))])
    assert written(read(pdf)) == written(read(pdf, follow=False))
