"""What a dialect writes, it reads back: the same blocks in what its markup can say.

`sayable` is that statement, dialect by dialect. Beyond it: emphasis must be apart from other emphasis and from letters,
a text must not begin with a picture, a table, a fence, a ruler or a displayed formula, and LaTeX must not hold its own
delimiters; the strategies keep to that.
"""

from itertools import pairwise

import msgspec
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
from docparse.models.dialects.markup import MARKER
from docparse.models.dialects.tables import HtmlStyle
from docparse.models.family import Frame
from docparse.render.markdown import heading_level
from docparse.render.tables import place
from docparse.render.text import latex
from docparse.types import Block, Box, Category, Cell, Span, Table, union

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
GRIDS = {Grounding: 999, BoxedHtml: 1000, DocTags: 500}
HEADINGS = (Category.TITLE, Category.SECTION_HEADER)
IN_TAGS = MarkdownDialect(html=HtmlStyle(header_cells=True), furniture=True)
BULLETS = "•◦–-*·"
OPENINGS = {  # what a text may begin with, and what it is to a reader without labels: category, level, marker
    "# ": (Category.TITLE, 1, ""),
    "### ": (Category.SECTION_HEADER, 3, ""),
    "- ": (Category.LIST_ITEM, 0, "•"),
    "• ": (Category.LIST_ITEM, 0, "•"),
    "1. ": (Category.LIST_ITEM, 0, "1."),
    "(a) ": (Category.LIST_ITEM, 0, "(a)"),
}

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


def sayable(page, dialect):  # noqa: PLR0912
    """The blocks that come back when `page` is written and read."""
    markdown = dialect if isinstance(dialect, MarkdownDialect) else getattr(dialect, "markdown", IN_TAGS)
    labelled, flat_lists = isinstance(dialect, LABELLED), isinstance(dialect, Grounding | DocTags)
    levels = []
    for block in list_boxes(page) if isinstance(dialect, DotsJson | BoxedHtml) else page:
        box = rounded(block.box, dialect) if labelled else FRAME.box
        category, marker, level, table = block.category, block.marker, 0, None
        text = block.spans if markdown.emphasis or category is Category.CODE else flat(block.spans)
        if category is Category.PICTURE and not labelled:
            continue
        if category.is_furniture and not markdown.furniture:
            continue
        strange = marker not in ("", *BULLETS) and not MARKER.fullmatch(marker)
        if category is Category.LIST_ITEM and strange and not isinstance(dialect, BoxedHtml):
            category = Category.LIST_ITEM if isinstance(dialect, DotsJson | DocTags) else Category.TEXT
            text, marker, levels = tidied((Span(f"{marker} "), *text)), "", []
        elif category is Category.LIST_ITEM:
            text, marker = (tidied((Span(f"{marker} "), *text)), "") if strange else (text, marker)
            levels = [] if flat_lists else [open_ for open_ in levels if open_ < block.level]
            level, levels = len(levels), [*levels, block.level]
            marker = "•" if marker in ("", "•", "–", "·", "-", "*", "◦") else marker
        else:
            text, marker, levels = tidied((Span(f"{marker} "), *text)) if marker else text, "", []
        if category in HEADINGS and isinstance(dialect, DocTags):
            level = 1 if category is Category.TITLE else max(2, heading_level(block))
        elif category in HEADINGS and not markdown.headings:
            category, text = Category.TEXT, tidied(Span(s.text, math=s.math, italic=s.italic) for s in text)
        elif category in HEADINGS:
            level = heading_level(block)
            bold = isinstance(dialect, BoxedHtml)
            text = tidied(
                msgspec.structs.replace(s, bold=s.bold and bold, italic=s.italic and markdown.emphasis) for s in text
            )
            if not labelled or isinstance(dialect, BoxedHtml):
                category = Category.TITLE if level == 1 else Category.SECTION_HEADER
        elif category is Category.FORMULA:
            tag = text[1].text.strip() if len(text) > 1 else ""
            text = (Span(text[0].text + (rf" \tag{{{tag[1:-1]}}}" if tag else ""), math=True),)
        elif category is Category.TABLE:
            assert block.table
            table, text = said_table(block.table, markdown), ()
        elif not labelled and category in (
            Category.CAPTION,
            Category.FOOTNOTE,
            Category.PAGE_HEADER,
            Category.PAGE_FOOTER,
        ):
            category = Category.TEXT
        elif category is Category.TEXT and not isinstance(dialect, DotsJson | BoxedHtml | DocTags):
            category, level, marker, text = opened(text, headings=not labelled)
        yield Block(category=category, box=box, spans=text, table=table, level=level, marker=marker, source="vlm")


def opened(text, *, headings):
    """What a text is to a reader who takes it for a list item, or for a heading, if it begins like one."""
    for opening, (category, level, marker) in OPENINGS.items():
        if text[0].text.startswith(opening) and (marker or headings):
            rest = (msgspec.structs.replace(text[0], text=text[0].text.removeprefix(opening)), *text[1:])
            bold = category is Category.LIST_ITEM
            return category, level, marker, tidied(msgspec.structs.replace(s, bold=s.bold and bold) for s in rest)
    return Category.TEXT, 0, "", text


def flat(text):
    return tidied((Span(span.text, math=span.math) for span in text), True)


def said_table(table, markdown):
    """Every position that no cell covers is an empty cell; pipes have no spans, and only HTML and pipes headers."""
    grid, covered = place(table)
    pipes, html = markdown.tables == "gfm", markdown.tables == "html"
    cells = []
    for r, row in enumerate(grid):
        head = markdown.html.sections and any(row) and all(cell is None or cell.header for cell in row) and r == 0
        for c, cell in enumerate(row):
            if cell is None and (r, c) in covered and not pipes:
                continue
            said = cell or Cell(r, c)
            text = said.spans if pipes and markdown.emphasis else flat(said.spans)
            header = (
                r == 0 if pipes else (html or bool(text)) and (head or (said.header and markdown.html.header_cells))
            )
            cells.append(Cell(r, c, text, 1 if pipes else said.rowspan, 1 if pipes else said.colspan, header))
    return Table(table.rows, table.columns, tuple(cells))


def list_boxes(page):
    """Neighbouring list items share their box in dots.ocr's markup."""
    run = []
    for block in [*page, None]:
        if block and block.category is Category.LIST_ITEM:
            run.append(block)
            continue
        for item in run:
            yield Block(
                category=item.category,
                box=union(i.box for i in run),
                spans=item.spans,
                marker=item.marker,
                level=item.level,
            )
        run = []
        if block:
            yield block


def rounded(box, dialect):
    """To whole pixels, or to thousandths of the picture."""
    if isinstance(dialect, DotsJson):
        return FRAME.to_page(*(round(value) for value in FRAME.to_pixels(box)))
    x0, y0, x1, y1 = FRAME.to_pixels(box)
    grid = GRIDS[type(dialect)]
    sx, sy = FRAME.width / grid, FRAME.height / grid
    return FRAME.to_page(round(x0 / sx) * sx, round(y0 / sy) * sy, round(x1 / sx) * sx, round(y1 / sy) * sy)


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
    assert [exact(block) for block in reading.blocks] == [exact(block) for block in sayable(page, dialect)]
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
