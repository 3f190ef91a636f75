"""Blocks in, Markdown out."""

import io
from collections.abc import Iterator

import pytest

from docparse.render import RenderOptions, write_markdown
from docparse.types import Cell, Page, Span, Table

PLAIN = Table(2, 2, (Cell(0, 0, (Span("a|b"),)), Cell(0, 1, (Span("c"),)), Cell(1, 1, (Span("1"),))))
SPANNED = Table(2, 2, (Cell(0, 0, (Span("wide"),), colspan=2), Cell(1, 0, (Span("x"),)), Cell(1, 1, (Span("y"),))))


def test_headings_paragraphs_and_lists_in_order(block, page, to_markdown, parsed):
    text = to_markdown(
        page(
            1,
            block("Title", "A paper", level=1),
            block("Section-header", "1. Start", level=2),
            block("Text", "Some words."),
            block("List-item", "one", marker="•"),
            block("List-item", "inner", marker="2.", level=1),
            block("List-item", "inner too", marker="3.", level=1),
            block("List-item", "two", marker="•"),
            block("List-item", "three", marker="(a)"),
            block("Text", "The end."),
        )
    )
    items = "- one\n\n  2. inner\n  3. inner too\n- two\n- (a) three"
    assert text == f"# A paper\n\n## 1. Start\n\nSome words.\n\n{items}\n\nThe end.\n"
    heads, inner = ["A paper", "1. Start", "Some words."], ["inner", "inner too"]
    assert parsed.words(text) == [*heads, "one", *inner, "two", "(a) three", "The end."]
    assert parsed.types(text).count("ordered_list_open") == 1


def test_ordered_items_keep_their_number_and_stay_tight(block, page, to_markdown):
    items = [block("List-item", word, marker=f"{n})") for n, word in enumerate(("nine", "ten"), start=9)]
    assert to_markdown(page(1, *items)) == "9) nine\n10) ten\n"


def test_items_may_start_deep_and_jump_levels(block, page, to_markdown):
    levels = [2, 2, 5, 2, 0]
    text = to_markdown(page(1, *(block("List-item", f"i{n}", marker="-", level=n) for n in levels)))
    assert text == "- i2\n- i2\n  - i5\n- i2\n- i0\n"


@pytest.mark.parametrize(("marker", "printed"), [("1", "¹ see there"), ("*", r"\* see there"), ("†", "† see there")])
def test_footnotes_keep_their_mark(block, page, to_markdown, marker, printed):
    assert to_markdown(page(1, block("Footnote", "see there", marker=marker))) == f"{printed}\n"


def test_a_displayed_formula_is_latex_with_its_number_as_a_tag(block, page, to_markdown):
    formula = block("Formula", (Span("E = mc^2", math=True), Span(" (12)")))
    assert to_markdown(page(1, formula)) == "$$\nE = mc^2 \\qquad \\tag{12}\n$$\n"


def test_characters_in_a_formula_are_mathematics_and_words_are_words(block, page, to_markdown):
    formula = block(
        "Formula", (Span("= c(g) & ", italic=True), Span("x_{i}", math=True), Span(" if sin x > 0 for all_"))
    )
    expected = r"= c(g) \& x_{i} if \sin  x > 0 \text{for all}\_"
    assert to_markdown(page(1, formula)) == f"$$\n{expected}\n$$\n"


@pytest.mark.parametrize(
    ("code", "fence"),
    [
        ("if x:\n    y = 1\n\nprint(y)", "```"),
        ("```\nnested\n```", "````"),
        ("a ```` b", "`````"),
        ("    indented", "```"),
    ],
)
def test_code_keeps_its_lines_in_a_fence_that_its_words_cannot_close(block, page, to_markdown, parsed, code, fence):
    text = to_markdown(page(1, block("Text", "Before."), block("Code", code), block("Text", "After.")))
    assert text == f"Before.\n\n{fence}\n{code}\n{fence}\n\nAfter.\n"
    assert [token.content for token in parsed.tokens(text) if token.type == "fence"] == [f"{code}\n"]


def test_code_and_paragraphs_stand_in_the_item_that_they_belong_to(block, page, to_markdown, parsed):
    blocks = [
        block("List-item", "Run this:", marker="10."),
        block("Code", "make\n\nmake install", level=1),
        block("Text", "It takes long.", level=1),
        block("List-item", "Wait.", marker="11."),
        block("Text", "The end."),
    ]
    text = to_markdown(page(1, *blocks))
    code = "    ```\n    make\n\n    make install\n    ```"
    assert text == f"10. Run this:\n\n{code}\n\n    It takes long.\n11. Wait.\n\nThe end.\n"
    assert [token.content for token in parsed.tokens(text) if token.type == "fence"] == ["make\n\nmake install\n"]
    assert parsed.types(text).count("ordered_list_open") == 1


def test_code_that_a_page_cuts_is_one_block(block, page, to_markdown):
    pages = page(1, block("Code", "a = 1")), page(2, block("Code", "    b = 2", continues=True))
    assert to_markdown(*pages) == "```\na = 1\n    b = 2\n```\n"


@pytest.mark.parametrize(
    ("code", "printed"),
    [("ls -l", "`ls -l`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("**x**", "`**x**`"), ("a_b", "`a_b`")],
)
def test_names_in_code_within_a_sentence_are_between_backticks(block, page, to_markdown, parsed, code, printed):
    text = to_markdown(page(1, block("Text", (Span("Type "), Span(code, code=True), Span(" now.")))))
    assert text == f"Type {printed} now.\n"
    assert parsed.words(text) == [f"Type <code_inline {code}> now."]


def test_boxes_to_tick_are_tasks(block, page, to_markdown, parsed):
    items = block("List-item", "done", marker="☑"), block("List-item", "open", marker="☐")
    text = to_markdown(page(1, *items))
    assert text == "- [x] done\n- [ ] open\n"
    assert "checked" in parsed.parser.render(text)


def test_a_formula_nobody_read_is_its_picture(block, page, to_markdown):
    formula = block("Formula", image="formula 1.png")
    assert to_markdown(page(1, formula), image_dir="my paper") == "![](my%20paper/formula%201.png)\n"
    assert to_markdown(page(1, formula), images="none") == ""


def test_pictures_are_linked_embedded_or_left_out(block, page, to_markdown, parsed):
    picture = page(1, block("Picture", image="f)1.png"), block("Caption", "Figure 1. A ship"))
    linked = to_markdown(picture, image_dir="out (1)")
    assert linked == "![](out%20%281%29/f%291.png)\n\nFigure 1. A ship\n"
    assert "image" in parsed.kinds(linked)
    embedded = to_markdown(picture, images="embed", load_asset=lambda name: name.encode())
    assert embedded.startswith("![](data:image/png;base64,ZikxLnBuZw==)\n")
    assert to_markdown(picture, images="none") == "Figure 1. A ship\n"


@pytest.mark.parametrize(("images", "image"), [("none", "f.png"), ("ref", "")])
def test_a_picture_that_is_not_shown_leaves_its_words(block, page, to_markdown, images, image):
    picture = page(1, block("Picture", "Words over it", image=image))
    assert to_markdown(picture, images=images) == "Words over it\n"


def test_tables_are_pipes_until_cells_span(block, page, to_markdown):
    pages = page(1, block("Table", table=PLAIN), block("Table", table=SPANNED))
    pipes = "| a\\|b | c |\n| --- | --- |\n|  | 1 |\n"
    html = '<table><tr><td colspan="2">wide</td></tr><tr><td>x</td><td>y</td></tr></table>\n'
    assert to_markdown(pages) == f"{pipes}\n{html}"
    assert to_markdown(pages, tables="gfm") == f"{pipes}\n| wide |  |\n| --- | --- |\n| x | y |\n"
    assert "|  |" not in to_markdown(pages, tables="html")


def test_running_headers_are_dropped_unless_asked_for(block, page, to_markdown):
    pages = page(1, block("Page-header", "J. Phys. 12"), block("Text", "Words."), block("Page-footer", "7"))
    assert to_markdown(pages) == "Words.\n"
    assert to_markdown(pages, keep_headers=True) == "J. Phys. 12\n\nWords.\n\n7\n"


def test_a_failed_page_leaves_a_comment_that_nothing_can_close(page, to_markdown):
    assert to_markdown(page(7, failed="timeout")) == "<!-- page 7 failed: timeout -->\n"
    text = to_markdown(page(7, failed="x --> <script>-"))
    assert text.count("--") == 2
    assert "<script" not in text


def test_a_page_that_was_cut_is_marked_and_shows_what_there_is(block, page, to_markdown):
    cut = page(7, block("Text", "The beginning"), status="partial", error_category="loop", error="it repeats itself")
    assert to_markdown(cut) == "<!-- page 7 partial: loop -->\n\nThe beginning\n"


def test_page_breaks_are_comments(block, page, to_markdown):
    pages = [page(1, block("Text", "One.")), page(2), page(3, block("Text", "Three."))]
    text = to_markdown(*pages, page_breaks=True)
    assert text == "<!-- page 1 -->\n\nOne.\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThree.\n"


def test_nothing_gives_an_empty_file(page, to_markdown):
    assert to_markdown() == ""
    assert to_markdown(page(1)) == ""


def test_pages_are_written_as_they_come(block, page):
    """After each page all but its last paragraph is out: nothing waits for the end of the document."""
    out = io.StringIO()
    written: list[int] = []

    def pages() -> Iterator[Page]:
        for number in range(1, 6):
            written.append(out.getvalue().count("end of"))
            yield page(number, block("Text", "start"), block("Text", f"end of {number}"))

    write_markdown(pages(), out, RenderOptions())
    assert written == [0, 0, 1, 2, 3]
