"""The HTML file is well formed, says what the page says, and fetches nothing."""

import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.render import RenderOptions, write_html
from docparse.types import Block, Box, Category, Cell, DocumentInfo, Page, Span, Table

VOID = {"meta", "img", "br", "hr", "input"}
INFO = DocumentInfo(name="<i>.pdf & co", sha256="0" * 64, pages=1)


class Reader(HTMLParser):
    """The tags, the attributes and the text of the body; fails where tags do not nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.values: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.values += [f"{name}={value}" for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "main" in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def html(*pages: Page, **options) -> str:
    out = io.StringIO()
    write_html(INFO, iter(pages), out, RenderOptions(**options))
    return out.getvalue()


BLOCKS = st.lists(
    st.builds(
        Block,
        category=st.sampled_from(Category),
        box=st.just(Box(0, 0, 1, 1)),
        spans=st.lists(st.builds(Span, st.sampled_from(["a<b", "&amp;", '"><script>', "</p>", "x"]), math=st.booleans(),
                                 bold=st.booleans(), italic=st.booleans(), code=st.booleans()), max_size=3).map(tuple),
        level=st.integers(0, 7),
        marker=st.sampled_from(["", "•", "☐", "1.", "7)", "(a)", "<"]),
        image=st.sampled_from(["", '"a<.png']),
        table=st.none() | st.just(Table(1, 1, (Cell(0, 0, (Span("</td>"),)),))),
    ),
    max_size=8,
).map(tuple)  # fmt: skip


@given(BLOCKS)
def test_tags_nest_and_nothing_of_the_text_becomes_a_tag(blocks):
    reader = Reader(html(Page(number=1, width=1, height=1, blocks=blocks), keep_headers=True))
    assert "script" not in reader.tags


def test_code_keeps_its_lines_in_the_item_it_belongs_to(block, page):
    item, code = block("List-item", "Run:", marker="☑"), block("Code", "if a < b:\n    c", level=1)
    said = (Span("type "), Span("x", code=True))
    text = html(page(1, item, code, block("Text", said)))
    assert '<input type="checkbox" disabled checked> Run:<pre><code>if a &lt; b:\n    c</code></pre>\n</li>' in text
    assert "type <code>x</code>" in text


def test_nothing_is_fetched(block, page):
    text = html(page(1, block("Text", "words"), block("Picture", image="f.png")), image_dir="a b")
    assert not re.search(r"https?:|//|@import|url\(", text)
    assert 'src="a%20b/f.png"' in text


def test_lists_nest_and_number_as_printed(block, page):
    rows = [("one", "•", 0), ("in", "4.", 1), ("deeper", "5.", 1), ("two", "•", 0), ("first", "1.", 0)]
    text = html(page(1, *(block("List-item", words, marker=m, level=level) for words, m, level in rows)))
    body = re.sub(r' dir="auto"|\n', "", text[text.index("<ul>") : text.index("</main>")])
    inner = '<ol><li value="4">in</li><li value="5">deeper</li></ol>'
    assert body == f'<ul><li>one{inner}</li><li>two</li></ul><ol><li value="1">first</li></ol>'


def test_mathematics_is_drawn_by_the_browser_and_keeps_its_latex(block, page):
    text = html(
        page(1, block("Text", (Span("so "), Span("a<b", math=True))), block("Formula", (Span("x", math=True),)))
    )
    assert '<mo>&lt;</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a&lt;b</annotation>' in text
    assert '<div class="math display"><math display="block"><semantics><mrow><mi>x</mi></mrow>' in text


def test_mathematics_that_cannot_be_converted_is_marked_for_a_renderer(block, page):
    unknown = Span(r"\unheardof{a}<b", math=True)
    text = html(page(1, block("Text", (Span("so "), unknown)), block("Formula", (unknown,))))
    assert r'<span class="math inline mathjax_process">\(\unheardof{a}&lt;b\)</span>' in text
    assert r'<div class="math display mathjax_process">\[\unheardof{a}&lt;b\]</div>' in text


def test_cells_of_tables_hold_mathematics(block, page):
    table = Table(1, 1, (Cell(0, 0, (Span("share "), Span(r"\frac{1}{2}", math=True))),))
    assert re.search(r"<td>share <math><semantics>.*<mfrac>.*</math></td>", html(page(1, block("Table", table=table))))


def test_plain_scripts_of_words_are_set_in_the_font_of_the_text(block, page):
    text = html(
        page(1, block("Text", (Span("so"), Span("^{[2]}", math=True), Span(" and "), Span("CO_{2}", math=True))))
    )
    assert "so<sup>[2]</sup> and CO<sub>2</sub>" in text


def test_pages_have_anchors_and_failures_show(page):
    reader = Reader(html(page(1), page(2, failed="timeout")))
    assert {"id=page-1", "id=page-2"} <= set(reader.values)
    assert "Page 2 failed" in reader.text


@pytest.mark.parametrize(("kept", "count"), [(False, 0), (True, 1)])
def test_running_headers_are_dropped_unless_asked_for(block, page, kept, count):
    assert html(page(1, block("Page-header", "J. Phys.")), keep_headers=kept).count("J. Phys.") == count


def test_a_picture_that_is_not_shown_leaves_its_words(block, page):
    text = html(page(1, block("Picture", "Words over it", image="f.png")), images="none")
    assert '<p dir="auto">Words over it</p>' in text


def test_embedded_images_travel_in_the_file(block, page):
    text = html(page(1, block("Picture", image="f.jpg")), images="embed", load_asset=lambda name: b"abc")
    assert 'src="data:image/jpeg;base64,YWJj"' in text
