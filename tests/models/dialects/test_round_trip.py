"""What a dialect writes, it reads back: every block, with all that its markup has a sign for.

Emphasis must be apart from other emphasis and from letters, a text must not begin with a picture, a table, a fence, a
ruler or a displayed formula, and LaTeX must not hold its own delimiters; the strategies keep to that. What each markup
has no words for is in `UNSAID`; how each says the rest, in `test_habits.py` and `test_evidence.py`.
"""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from docparse.models.dialects.boxed_html import BoxedHtml
from docparse.models.dialects.doctags import DocTags
from docparse.models.dialects.dots_json import DotsJson
from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.dialects.grounding import Grounding
from docparse.models.dialects.inline import tidied
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.render.markdown import heading_level
from docparse.render.tables import HtmlStyle, place
from docparse.render.text import latex
from docparse.types import Block, Box, Category, Cell, Span, Table

FRAME = Frame(Box(0, 0, 612, 792), 1224, 1584)
DIALECTS = {
    "html": MarkdownDialect(),
    "html with sections": MarkdownDialect(html=HtmlStyle(header_cells=True, sections=True, row="\n", end="\n")),
    "pipes": MarkdownDialect(tables="gfm", math=(r"\(", r"\)", "\\[\n", "\n\\]"), bullet="*", furniture=True),
    "otsl": MarkdownDialect(tables="otsl", math=("$ ", " $", "$$ ", " $$"), indent="    "),
    "no emphasis": MarkdownDialect(emphasis=False, math=(r"\( ", r" \)", r"\[", r"\]")),
    "olmocr": FrontMatter(),
    "dots": DotsJson(),
    "deepseek": Grounding(),
    "html with boxes": BoxedHtml(),
    "doctags": DocTags(),
}
IN_TAGS = MarkdownDialect(html=HtmlStyle(header_cells=True), furniture=True)
LABELLED = DotsJson | Grounding | BoxedHtml | DocTags
TEXTS = {Category.TEXT, Category.LIST_ITEM, Category.TITLE, Category.SECTION_HEADER}
UNSAID = {Category.CAPTION, Category.FOOTNOTE, Category.PAGE_HEADER, Category.PAGE_FOOTER}  # of markup without labels
BULLETS = "•◦–-*·"
OPENINGS = ("# ", "### ", "- ", "• ", "1. ", "(a) ")  # what a text may begin with

characters = st.sampled_from("abcXYZ 019éßжא漢字。.,;:!?()[]{}<>&|\\$*_`~#-+=/^%@'\"  €→𝒳\u00a0")
words = st.text(characters, min_size=1, max_size=12)
tex = st.text(st.sampled_from("abxyz019 +-=^_{},.<|&"), min_size=1, max_size=8).map(
    lambda text: "x" + latex(text.replace("&lt", "").replace("&gt", "").replace("&amp", ""))
)


@st.composite
def spans(draw, first="W", *, breaks=False):
    """Words, emphasis and LaTeX with spaces between them; the first word begins with `first`."""
    pieces = [Span(first + draw(words))]
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(("plain", "math", "bold", "italic", "both")))
        text = draw(tex if kind == "math" else words if kind == "plain" else words.map(str.strip).filter(bool))
        between = "\n" if breaks and draw(st.booleans()) else " "
        styled = Span(text, math=kind == "math", bold=kind in ("bold", "both"), italic=kind in ("italic", "both"))
        pieces += [Span(between), styled]
    return tidied(pieces, breaks)


@st.composite
def tables(draw):
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    taken = set()
    cells = []
    for r in range(rows):
        for c in range(columns):
            if (r, c) in taken or draw(st.integers(0, 9)) == 0:
                continue
            height, width = draw(st.integers(1, rows - r)), draw(st.integers(1, columns - c))
            covered = {(r + i, c + j) for i in range(height) for j in range(width)}
            if covered & taken:
                height = width = 1
                covered = {(r, c)}
            taken |= covered
            text = draw(st.one_of(st.just(()), spans("", breaks=True)))
            cells.append(Cell(r, c, text, height, width, r == 0 and height == 1))
    return Table(rows, columns, tuple(cells))


boxes = st.tuples(*(st.floats(0, 280) for _ in range(4))).map(
    lambda v: Box(v[0], v[1], v[0] + v[2] + 1, v[1] + v[3] + 1)
)


code = st.lists(st.sampled_from(("if x:", "    y = 1", "", "# note", "- z", "```", "$a$", "<b>")), min_size=1).map(
    lambda lines: "\n".join(["W", *lines, "end"])
)


@st.composite
def blocks(draw):
    category = draw(st.sampled_from(list(Category)))
    text = ()
    table, marker, level = None, "", draw(st.integers(0, 3))
    match category:
        case Category.TABLE:
            table = draw(tables())
        case Category.PICTURE:
            pass
        case Category.FORMULA:
            number = draw(st.sampled_from(("", " (3)", "(A.1)")))
            text = (Span(draw(tex), math=True), *((Span(number),) if number else ()))
        case Category.CODE:
            text = (Span(draw(code)),)
        case _:
            opening = draw(st.sampled_from(("", "", "", *OPENINGS))) if category is Category.TEXT else ""
            text = draw(spans(f"{opening}W"))
            marks = {
                Category.LIST_ITEM: (*BULLETS, "1.", "12)", "(a)", "b)", "(iv)", "A.", "[7]"),
                Category.FOOTNOTE: "1†",
            }
            marker = draw(st.sampled_from(("", *marks.get(category, ""))))
    return Block(category=category, box=draw(boxes), spans=text, table=table, marker=marker, level=level)


pages = st.lists(blocks(), max_size=6)


def letters(block):
    """Its letters and digits in their order, the number of a formula among them."""
    cells = [span.text for cell in block.table.cells for span in cell.spans] if block.table else []
    text = "".join([block.marker, block.text, *cells]).replace(r"\tag", "")
    return "".join(character for character in text if character.isalnum())


def may_be(block, category, dialect):
    """Whether a block that was written may be of this category when it is read."""
    if block.category in TEXTS or (block.category in UNSAID and not isinstance(dialect, LABELLED)):
        return category in TEXTS  # which may begin like an item or a heading, and a marker be no item's
    return category is block.category


def characters_of(spans):
    return "".join("".join(span.text for span in spans).split())


def styled(block, style):
    """What of it has this style."""
    spans = [*block.spans, *(span for cell in (block.table.cells if block.table else ()) for span in cell.spans)]
    return characters_of(span for span in spans if getattr(span, style))


def cells(table, *, merged):
    """What every cell says, and the rows and columns that it spans."""
    found = [cell for row in place(table)[0] for cell in row if cell and cell.spans]
    sizes = ((cell.rowspan, cell.colspan) if merged else (1, 1) for cell in found)
    said = {(cell.row, cell.column): (characters_of(cell.spans), size) for cell, size in zip(found, sizes, strict=True)}
    return table.rows, table.columns, said


def headers(table):
    return {(cell.row, cell.column) for cell in table.cells if cell.header and cell.spans}


def check_style(block, again, dialect, markdown):
    """Emphasis is where it was, where the markup has any: a heading is bold already, a cell has it only between pipes;
    code and formulas are as they were, and every other character where nothing has to be told from it."""
    if block.category is Category.CODE:
        assert again.text == block.text
    if block.category is Category.FORMULA:
        assert again.text.startswith(block.spans[0].text)
    if block.category in (Category.CODE, Category.FORMULA):
        return
    if again.category is block.category is not Category.LIST_ITEM and not block.marker:
        assert characters_of(again.spans) == characters_of(block.spans)
    emphasis = markdown.emphasis and (block.table is None or markdown.tables == "gfm")
    heading = block.category.is_heading or again.category.is_heading
    assert styled(again, "math") == styled(block, "math")
    assert styled(again, "italic") == (styled(block, "italic") if emphasis else "")
    bold = emphasis and (isinstance(dialect, BoxedHtml) or not heading)
    assert styled(again, "bold") == (styled(block, "bold") if bold else "")


def check_table(before, after, markdown):
    pipes = markdown.tables == "gfm"
    assert cells(after, merged=not pipes) == cells(before, merged=not pipes)
    if pipes:
        assert all(cell.header is (cell.row == 0) for cell in after.cells)
    else:
        assert headers(after) == (headers(before) if markdown.html.header_cells else set())


def check_levels(pairs, dialect, markdown):
    """A heading has its level, an item as many as there are items around it."""
    around = []
    for block, again in pairs:
        item = block.category is again.category is Category.LIST_ITEM and again.marker
        around = [level for level in around if level < block.level] if item else []
        if item:
            assert again.level == (0 if isinstance(dialect, Grounding | DocTags) else len(around))
            around.append(block.level)
        if block.category.is_heading:
            assert again.category.is_heading is (markdown.headings or isinstance(dialect, DocTags))
            level = heading_level(block)
            if isinstance(dialect, DocTags):
                level = 1 if block.category is Category.TITLE else max(2, level)
            assert again.level == level * again.category.is_heading


def check_box(block, again, dialect):
    """As near as the markup's grid has it; items of one list may share theirs."""
    if not isinstance(dialect, LABELLED):
        assert again.box == FRAME.box
    elif block.category is Category.LIST_ITEM and isinstance(dialect, DotsJson | BoxedHtml):
        assert again.box.padded(1.0) & block.box == block.box
    else:
        for side in ("x0", "y0", "x1", "y1"):
            assert abs(getattr(again.box, side) - getattr(block.box, side)) < 1.0


NESTED = [
    Block(category=Category.SECTION_HEADER, box=Box(0, 0, 99, 9), spans=(Span("W"),), level=4),
    *(
        Block(category=Category.LIST_ITEM, box=Box(0, y, 99, y + 5), spans=(Span("W "), Span("b", bold=True)), **how)
        for y, how in enumerate(({}, {"level": 1, "marker": "1."}, {"level": 3}, {"level": 1}, {"marker": "(a)"}), 1)
    ),
]


@pytest.mark.parametrize("name", DIALECTS)
@given(page=pages)
@example(page=NESTED)
@example(page=[Block(category=Category.TEXT, box=Box(0, 0, 9, 9), spans=(Span("Words that end like a tag <|"),))])
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_blocks_written_are_read_back(name, page):
    dialect = DIALECTS[name]
    draft = dialect.write(page, FRAME)
    reading = dialect.read(draft.text, FRAME)
    assert [letters(block) for block in reading.blocks] == [letters(block) for block in draft.blocks]
    markdown = dialect if isinstance(dialect, MarkdownDialect) else getattr(dialect, "markdown", IN_TAGS)
    pairs = list(zip(draft.blocks, reading.blocks, strict=True))
    for block, again in pairs:
        assert may_be(block, again.category, dialect), (block.category, again.category)
        check_box(block, again, dialect)
        check_style(block, again, dialect, markdown)
        if block.table is not None:
            check_table(block.table, again.table, markdown)
    check_levels(pairs, dialect, markdown)
    left_out = {block.category for block in page if id(block) not in map(id, draft.blocks)}
    assert left_out <= (set() if isinstance(dialect, LABELLED) else {Category.PICTURE, *UNSAID})
    assert reading.problems == ()
    assert reading.boxed == isinstance(dialect, LABELLED)
    assert len(draft.blocks) == len(draft.starts) == len(reading.extents)
    assert [start for start, _ in reading.extents] == [
        start + len(draft.text[start:]) - len(draft.text[start:].lstrip(" ")) for start in draft.starts
    ]
    assert all(start < end for start, end in reading.extents)
    assert all(end <= start for (_, end), (start, _) in pairwise(reading.extents))


@pytest.mark.parametrize("name", DIALECTS)
@given(page=pages.filter(bool), data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_of_an_output_cut_off_anywhere_the_whole_blocks_are_whole(name, page, data):
    dialect = DIALECTS[name]
    text = dialect.write(page, FRAME).text
    whole = dialect.read(text, FRAME)
    cut = data.draw(st.integers(0, len(text)))
    reading = dialect.read(text[:cut], FRAME)
    longest_marker = 5  # a cut marker may be read as the last word of the item before it
    count = sum(start + longest_marker < cut for start, _ in whole.extents[1:])
    assert reading.blocks[:count] == whole.blocks[:count]
    assert reading.extents[:count] == whole.extents[:count]
