"""Habits of the models beyond what a dialect writes: what is read of them, and what is told of broken markup."""

import pytest

from docparse.errors import UsageError
from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.dialects.dots_json import DotsJson
from docparse.models.dialects.elements import RegionDialect
from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.models.hunyuan_ocr import HunyuanOcr
from docparse.types import Block, Box, Category, Cell, Span, Table

FRAME = Frame(Box(0, 0, 500, 1000), 1000, 2000)
HUNYUAN = MarkdownDialect(points=True)
TABLE = Table(1, 1, (Cell(0, 0, (Span("a"),)),))
# A dialect, what stands around each text, and rows of a text, its blocks as category, marker and words, and what is
# told: one problem by its beginning, more by their number.
HABITS = {
    "markdown": (MarkdownDialect(), "{}", [
        ("a line\nand another", ["Text a line and another"]),
        ("汉字\n汉字", ["Text 汉字汉字"]),
        ("one\n\n\n\ntwo", ["Text one", "Text two"]),
        ("# T\ntext", ["Title T", "Text text"]),
        ("#hashtag", ["Text #hashtag"]),
        ("**Bold heading**", ["Text Bold heading"]),
        ("$$x=1$$ (3)", ["Formula x=1 \\tag{3}"]),
        ("\\[\nx \\quad (3)\n\\]", ["Formula x \\tag{3}"]),
        ("$$\nx\n$$\n\n$$y$$", ["Formula x", "Formula y"]),
        ("$$x$$ where x is", ["Text x where x is"]),
        ("\\[1\\] A. Author, title", ["Text [1] A. Author, title"]),
        ("\\[1] A. Author\n\nb", ["Text [1] A. Author", "Text b"]),
        ("![A chart](page_1.png)", ["Picture A chart"]),
        ('<img src="a.png" alt="A chart"/>', ["Picture A chart"]),
        ("<center>Figure 1: a </center>", ["Caption Figure 1: a"]),
        ("<figcaption>a</figcaption>\nb", ["Caption a", "Text b"]),
        ("<header>a</header>\n\nb", ["Page-header a", "Text b"]),
        ("<footer>a</footer><page_number>14</page_number>", ["Page-footer a", "Page-footer 14"]),
        ("<img>A chart</img>", ["Picture A chart"]),
        ("<watermark>COPY</watermark>\n\nb", ["Page-header COPY", "Text b"]),
        ('<div style="text-align: center;">a</div>', ["Text a"]),
        ("a\n\n---\n\nb", ["Text a", "Text b"]),
        ("```python\nx = 1\n\ny = 2\n```\nafter", ["Code x = 1\n\ny = 2", "Text after"]),
        ("``` Table1\nx = 1\n```", ["Code Table1\nx = 1"]),
        ("```markdown\n# T\n\ntext\n```", ["Title T", "Text text"]),
        ("1. one\n2) two", ["List-item 1. one", "List-item 2) two"]),
        ("(a) one\nb) two\n(iv) three", ["List-item (a) one", "List-item b) two", "List-item (iv) three"]),
        ("in the year\n1984. It was", ["Text in the year 1984. It was"]),
        ("·OH radicals\n\n·CH3 reacts", ["Text ·OH radicals", "Text ·CH3 reacts"]),
        ("F\n· s where s", ["Text F · s where s"]),
        ("· one\n· two", ["List-item • one", "List-item • two"]),
        ("A. Author wrote this", ["Text A. Author wrote this"]),
        ("- one\n  going on\n- two", ["List-item • one going on", "List-item • two"]),
        ("- one\n\ntext", ["List-item • one", "Text text"]),
        ("words | with a pipe", ["Text words | with a pipe"]),
        ("<table><caption>Table 1</caption><tr><td>a</td></tr></table>", ["Caption Table 1", "Table"]),
        ("<table><tr><td>a</td></tr></table>after", ["Table", "Text after"]),
        ("| a | b |\n|---|:-:|\n| c | d |\ntext", ["Table", "Text text"]),
        ("", []),
        (" \n\n ", []),
        ("a\n\n\\[x = 1", ["Text a", "Formula x = 1"], "a formula is not closed"),
        ("a\n\n$$\nx = 1", ["Text a", "Formula x = 1"], "a formula is not closed"),
        ("$$x = 1\n\nb", ["Formula x = 1", "Text b"], "a formula is not closed"),
        ("<table><tr><td>a</td><td>b", ["Table"], "a table is not closed"),
        ("<table><tr><td>a</td></tr>\n\nafter", ["Table", "Text after"], "a table is not closed"),
        ("```\nx = 1", ["Code x = 1"], "a code fence is not closed"),
        ("<center>Figure 1: a", ["Caption Figure 1: a"], "<center> is not closed"),
    ]),
    "nothing in it": (MarkdownDialect(), "before\n\n{}", [
        ("$$", ["Text before", "Text $$"], 2),
        ("$$ $$", ["Text before", "Text $$ $$"], "markup without content"),
        ("``` fence", ["Text before", "Text ``` fence"], 2),
        ("```", ["Text before", "Text ```"], 2),
        ("<table>", ["Text before", "Text <table>"], 2),
        ("<table></table>", ["Text before", "Text <table></table>"], "markup without content"),
        ("<table> words inside", ["Text before", "Text <table> words inside"], 2),
        ("<table><tr>", ["Text before", "Text <table><tr>"], 2),
    ]),
    "dots": (DotsJson(), "{}", [
        ('```json\n[{"bbox": [1,2,3,4],"category": "Text","text": "a"}]\n```', ["Text a"]),
        (
            '{"elements": [{"category": "Title", "text": "# a", "bbox": [1, 2, 3, 4]}]}',
            ["Title a"],
            "the list is cut off",
        ),
        ('[{"category": "Text", "text": "He said "yes", and left."}]', ['Text He said "yes", and left.']),
        ('[{"category": "Formula", "text": "\\theta \\in \\frac{a}{b}"}]', ["Formula \\theta \\in \\frac{a}{b}"]),
        ('[{"category": "Formula", "text": "$$\\n\\\\nu\\n$$"}]', ["Formula \\nu"]),
        ('[{"category": "Text", "text": "\\ud835\\udcb3 \\u00e9"}]', ["Text 𝒳 é"]),
        ('[{"category": "Text", "text": "one\\n\\ntwo"}]', ["Text one", "Text two"]),
        ('[{"category": "Text", "text": "Le dix mai\\nest né Jean  \\nici."}]', ["Text Le dix mai est né Jean ici."]),
        ('[{"category": "Text", "text": "一行\\n二行"}]', ["Text 一行二行"]),
        ('[{"category": "Caption", "text": "Table 1:\\nAll of it"}]', ["Caption Table 1: All of it"]),
        ('[{"category": "Text", "text": "* a dagger"}]', ["Text * a dagger"]),
        ('[{"category": "Page-footer", "text": "- 3 -"}]', ["Page-footer - 3 -"]),
        ('[{"category": "Unheard-of", "text": "a"}]', ["Text a"]),
        ("[]", []),
        ('Sure: [{"category": "Text", "text": "a"}] done', ["Text Sure: [", "Text a", "Text done"], 3),
    ]),
    "olmocr": (FrontMatter(), "{}", [
        ("Words", ["Text Words"], "no front matter"),
        ("---\nprimary_language: en\nis_rot", [], "the front matter is not closed"),
        ("---\nprimary_language: en\n\nWords", ["Text Words"], "the front matter is not closed"),
        ("", [], "no front matter"),
        ("```markdown\n---\nis_table: True\n---\nWords\n```", ["Text Words"]),
        ("---\nis_table: False\n---\n# T\n\nLet \\( x \\) be.", ["Title T", "Text Let x be."]),
    ]),
    "deepseek text": (
        Grounding(),
        "<|ref|>text<|/ref|><|det|>[[1, 1, 2, 2]]<|/det|>\n{}",
        [("# Parameter:", ["Text # Parameter:"]), ("1. one.  \n2. two.", ["List-item 1. one.", "List-item 2. two."])],
    ),
    "deepseek": (Grounding(), "{}", [
        (
            "before <|ref|>text<|/ref|>no box <|det|>title [1, 2, 3, 4]<|/det|>Bare",
            ["Text before", "Text no box", "Title Bare"],
            2,
        )
    ]),
    "deepseek cut": (Grounding(), "<|ref|>text<|/ref|><|det|>[[1, 1, 2, 2]]<|/det|>\nWords.  \n\n{}", [
        ("<|ref|>tex", ["Text Words."], "the output ends in a tag"),
        ("<|ref|>text<|/re", ["Text Words."], "the output ends in a tag"),
        ("<|ref|>text<|/ref|><|det|>[[1, 2", ["Text Words."], 2),
        ("<|", ["Text Words."], "the output ends in a tag"),
        ("<|ref|>table<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>", ["Text Words."], "the output ends in a tag"),
    ]),
    "deepseek label": (Grounding(), "<|ref|>{}<|/ref|><|det|>[[1, 1, 2, 2]]<|/det|>\nw", [
        ("figure_title", ["Caption w"]),
        ("table_title", ["Caption w"]),
        ("table_footnote", ["Footnote w"]),
        ("doc_title", ["Title w"]),
        ("List-item", ["List-item w"]),
        ("decode", ["Text w"]),
        ("listing", ["Text w"]),
    ]),
    "chandra picture": (BoxedHtml(), '<div data-bbox="1 2 30 40" data-label="Image">{}', [
        ('<img alt="it\'s big"/></div>', ["Picture it's big"]),
        ("<img alt='so \"big\" > it is'/> more</div>", ['Picture so "big" > it is more']),
        ("<img alt=bare /></div>", ["Picture bare"]),
        ('<img alt="cut', ["Picture cut"]),
        ('<img alt="a"/></div><div d', ["Picture a"], "the output ends in a tag"),
    ]),
    "chandra": (BoxedHtml(), "{}", [
        (
            '<div data-bbox="1 2 30 40" data-label="List-Group"><ol start="5"><li>five</li>'
            "<li>six</li></ol><ul><li>- a</li></ul></div>",
            ["List-item 5. five", "List-item 6. six", "List-item • a"],
        )
    ]),
}  # fmt: skip
CROPS = {
    Category.FORMULA: [
        ("\\frac{a}{b}", ["Formula \\frac{a}{b}"]),
        ("$$\nx = y\n$$", ["Formula x = y"]),
        ("\\[ x = y \\]", ["Formula x = y"]),
        ("$x$", ["Formula x"]),
        ("\\( x = y \\)", ["Formula x = y"]),
        ("\\( x = y", ["Formula x = y"]),
        ("\\( x = 1 \\),", ["Formula x = 1,"]),
        ("\\( x \\) (1)", ["Formula x \\tag{1}"]),
        ("\\( x \\). \\tag{1}", ["Formula x. \\tag{1}"]),
        ("$x$ (1)", ["Formula x \\tag{1}"]),
        ("\\(x = 1\\)\n\\(y = 2\\)", ["Formula x = 1 \\\\ y = 2"]),
        ("$$x = 1$$\n$$y = 2$$", ["Formula x = 1 \\\\ y = 2"]),
        ("$a$, $b$", ["Formula a, b"]),
        ("\\(x\\) and \\(y\\)", ["Formula \\(x\\) and \\(y\\)"]),
    ],
    Category.TITLE: [("A title", ["Title A title"])],
    Category.SECTION_HEADER: [("## 1 Introduction", ["Section-header 1 Introduction"])],
    Category.CAPTION: [("Figure 1:\nA figure", ["Caption Figure 1: A figure"])],
    Category.PAGE_HEADER: [("# 1", ["Page-header # 1"])],
    Category.TEXT: [
        ("# Parameter:", ["Text # Parameter:"]),
        (
            "Reading:\n· one\n·two\n• three\nAfter it.",
            ["Text Reading:", "List-item • one", "List-item • two", "List-item • three", "Text After it."],
        ),
        ("·OH is a radical", ["Text ·OH is a radical"]),
    ],
    Category.TABLE: [("<fcel>a<nl>", ["Table"])],
}
HABITS |= {f"the crop of a {kind.value}": (RegionDialect(kind), "{}", rows) for kind, rows in CROPS.items()}
CASES = [
    pytest.param(dialect, around.replace("{}", row[0]), *row[1:3], *([0] * (2 - len(row[1:]))), id=f"{name}: {row[0]}")
    for name, (dialect, around, rows) in HABITS.items()
    for row in rows
]


def said(block):
    return " ".join(filter(None, (block.category.value, block.marker, block.text)))


def block(category, text="", math=False, **more):
    spans = (Span(text, math=math),) if text else ()
    return Block(category=category, box=FRAME.box, spans=spans, **more)


@pytest.mark.parametrize(("dialect", "text", "blocks", "problem"), CASES)
def test_habits_are_read(dialect, text, blocks, problem):
    reading = dialect.read(text, FRAME)
    assert [said(each) for each in reading.blocks] == blocks
    assert all(each.source == "vlm" for each in reading.blocks)
    assert len(reading.problems) == (problem if isinstance(problem, int) else 1)
    assert isinstance(problem, int) or reading.problems[0].startswith(problem)
    if isinstance(dialect, MarkdownDialect | RegionDialect):
        assert not reading.boxed and {each.box for each in reading.blocks} <= {FRAME.box}


# ---- Markdown

PAGE = [
    block(Category.PAGE_HEADER, "running"),
    block(Category.TITLE, "A title"),
    block(Category.SECTION_HEADER, "1 Introduction", level=2),
    block(Category.TEXT, "Words."),
    block(Category.LIST_ITEM, "one", marker="•"),
    block(Category.LIST_ITEM, "inner", marker="◦", level=1),
    block(Category.LIST_ITEM, "two", marker="2."),
    block(Category.PICTURE),
    block(Category.CAPTION, "Figure 1"),
    block(Category.TABLE, table=TABLE),
    block(Category.FORMULA, "x = y", math=True),
]


def test_a_page_is_written_in_the_habits_of_a_model():
    draft = MarkdownDialect().write(PAGE, FRAME)
    assert draft.text == (
        "# A title\n\n## 1 Introduction\n\nWords.\n\n- one\n  - inner\n2. two\n\nFigure 1\n\n"
        "<table><tr><td>a</td></tr></table>\n\n$$\nx = y\n$$"
    )
    assert draft.blocks == (*PAGE[1:7], *PAGE[8:])  # no running header, no picture
    math = (r"\(", r"\)", r"\[", r"\]")
    other = MarkdownDialect("otsl", math=math, bullet="*", indent="    ", headings=False, furniture=True)
    assert other.write(PAGE, FRAME).text == (
        "running\n\nA title\n\n1 Introduction\n\nWords.\n\n* one\n    * inner\n2. two\n\n"
        "Figure 1\n\n<fcel>a<nl>\n\n\\[x = y\\]"
    )


def test_the_number_of_a_formula():
    formula = Block(category=Category.FORMULA, box=FRAME.box, spans=(Span("x = y", math=True), Span(" (3)")))
    assert MarkdownDialect().block(formula) == "$$\nx = y \\tag{3}\n$$"
    assert MarkdownDialect(math=("", "", "", ""), number=r"\quad ({})").block(formula) == r"x = y \quad (3)"


def test_lists_nest_by_indentation():
    reading = MarkdownDialect().read("- a\n    1. b\n       c\n    2. d\n- e\n\n  - f", FRAME)
    items = [(block.marker, block.level, block.text) for block in reading.blocks]
    assert items == [("•", 0, "a"), ("1.", 1, "b c"), ("2.", 1, "d"), ("•", 0, "e"), ("•", 1, "f")]


def test_extents_are_what_a_block_was_read_from():
    text = "# T\n\n  - one\n    more\n\n<table><tr><td>a</td></tr></table>  \n\nlast \n"
    pieces = [text[start:end] for start, end in MarkdownDialect().read(text, FRAME).extents]
    assert pieces == ["# T", "- one\n    more", "<table><tr><td>a</td></tr></table>", "last"]


# ---- HunyuanOCR's coordinates, which are no words of the page


def test_coordinates_are_the_box_of_a_caption_or_alone_on_their_line_a_picture():
    text = "Before.\n\nA plane.(147,90),(925,415)\n(147,90),(925,415)\nafter (10,10),(50,60) , (30,40),(90,80)  \n"
    reading = HUNYUAN.read(text, FRAME)
    plane = Box(73.5, 90, 462.5, 415)
    assert [said(each) for each in reading.blocks] == ["Text Before.", "Text A plane.", "Picture", "Text after"]
    assert [each.box for each in reading.blocks] == [FRAME.box, plane, plane, Box(5, 10, 45, 80)]
    assert text[slice(*reading.extents[1])] == "A plane."


@pytest.mark.parametrize(
    "text",
    [
        "from (1,2),(3,4) to there",
        "the points (1,2), (3,4)",
        "Its end points are (1,2),(3,4)",
        "Which line?\n\nA. (1,2),(3,4)",
        "(0,0),(10,10)",
        "(900,900),(100,100)",
        "(0,0),(1200,1400)",
        "$(2,4),(3,3)$",
        "$$\n\\{(2,4),(3,3)\n$$",
        "<table>\n<tr>\n<td>\n(2,4),(3,3)\n</td>\n</tr>\n</table>",
        "```\n(2,4),(3,3)\n```",
    ],
)
def test_coordinates_that_the_page_prints_are_kept(text):
    assert HUNYUAN.read(text, FRAME) == MarkdownDialect().read(text, FRAME)
    (crop,) = HunyuanOcr().region_dialect(Category.FORMULA).read("P = (100,200),(300,400)", FRAME).blocks
    assert crop.text == "P = (100,200),(300,400)"


# ---- olmOCR's front matter

HEAD = "---\nprimary_language: {}\nis_rotation_valid: True\nrotation_correction: 0\nis_table: {}\nis_diagram: {}\n---\n"


def test_front_matter_tells_words_tables_and_pictures():
    table, picture = block(Category.TABLE, table=Table(1, 1, (Cell(0, 0),))), block(Category.PICTURE)
    words = Block(category=Category.TEXT, box=Box(0, 0, 10, 10), spans=(Span("Words"),))
    for blocks, said in (
        ([words], ("en", False, False)),
        ([words, table], ("en", True, False)),
        ([words, picture], ("en", False, True)),
        ([picture], ("null", False, True)),
    ):
        assert FrontMatter().write(blocks, FRAME).text.startswith(HEAD.format(*said))


def test_a_page_as_olmocr_writes_it():
    """Headings without marks, bullets, indented tables (37 pages and one of FP8 weights that others keep in public)."""
    cells = (Cell(0, 0, (Span("a"),), header=True), Cell(1, 0, (Span("b"),)))
    blocks = [
        block(Category.SECTION_HEADER, "Heading", level=2),
        block(Category.LIST_ITEM, "one", marker="•"),
        block(Category.LIST_ITEM, "x", math=True, marker="•"),
        block(Category.TABLE, table=Table(2, 1, cells)),
    ]
    assert FrontMatter().write(blocks, FRAME).text.split("---\n")[-1] == (
        "Heading\n\n• one\n• \\( x \\)\n\n"
        "<table>\n  <tr>\n    <th>a</th>\n  </tr>\n  <tr>\n    <td>b</td>\n  </tr>\n</table>"
    )


def test_front_matter_is_no_block_and_lines_are_paragraphs_that_may_belong_together():
    text = "---\nis_rotation_valid: false\nrotation_correction: 90\n---\nHeading\nFirst line\n• item\n\nLast"
    reading = FrontMatter().read(text, FRAME)
    assert [text[start:end] for start, end in reading.extents] == ["Heading", "First line", "• item", "Last"]
    assert (reading.below, reading.headings, reading.turned, reading.problems) == ({1, 2}, False, 90, ())


# ---- DeepSeek-OCR's boxes


def test_found_words_are_text_in_the_box_about_all_their_boxes():
    frame = Frame(Box(0, 0, 999, 999), 640, 640)
    (found,) = Grounding().read("<|ref|>a b<|/ref|><|det|>[[10, 20, 30, 40], [5, 50, 20, 60]]<|/det|>", frame).blocks
    assert (found.text, found.box) == ("a b", Box(5, 20, 30, 60))


def test_a_caption_of_a_table_stands_in_the_table():
    page = [block(Category.CAPTION, "Table 1"), block(Category.TABLE, table=TABLE), block(Category.TEXT, "Sang1*")]
    text = Grounding().write(page, FRAME).text
    assert text.index("<|ref|>table<|/ref|>") < text.index("<|ref|>table_caption<|/ref|>") < text.index("<table>")
    assert text.endswith("Sang1\\*")


def test_a_region_is_written_bare():
    bare = MarkdownDialect(math=("$", "$", "", ""), headings=False)
    for category, words in ((Category.FORMULA, "x = y"), (Category.SECTION_HEADER, "1 Introduction")):
        made = block(category, words, category is Category.FORMULA)
        assert RegionDialect(category, bare).write([made], FRAME).text == words


def test_tables_of_a_kind_that_there_is_not_are_refused():
    with pytest.raises(UsageError, match=r"^MarkdownDialect.tables='htm'.: use one of html, gfm, otsl$"):
        MarkdownDialect(tables="htm")
