"""What a dialect writes, it reads back: every block with its words, and once they were read, the same blocks again.

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
from docparse.render.tables import HtmlStyle
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


def exact(block):
    """With its box to a hundredth of a point."""
    values = {name: getattr(block, name) for name in Block.__struct_fields__}
    return Block(**values | {"box": block.box.rounded(2)})


@pytest.mark.parametrize("name", DIALECTS)
@given(page=pages)
@example(page=[Block(category=Category.TEXT, box=Box(0, 0, 9, 9), spans=(Span("Words that end like a tag <|"),))])
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_blocks_written_are_read_back(name, page):
    dialect = DIALECTS[name]
    draft = dialect.write(page, FRAME)
    reading = dialect.read(draft.text, FRAME)
    assert [letters(block) for block in reading.blocks] == [letters(block) for block in draft.blocks]
    for block, again in zip(draft.blocks, reading.blocks, strict=True):
        assert may_be(block, again.category, dialect), (block.category, again.category)
        assert isinstance(dialect, LABELLED) or again.box == FRAME.box
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
    once_more = dialect.read(dialect.write(reading.blocks, FRAME).text, FRAME)
    assert [exact(block) for block in once_more.blocks] == [exact(block) for block in reading.blocks]


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
