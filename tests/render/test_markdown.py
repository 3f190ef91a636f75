"""Blocks in, Markdown out."""

import io

import pytest
from blocks import block, markdown, math, page, table

from docparse.render import RenderOptions, write_markdown
from docparse.types import Cell, Span, Table

PLAIN = table(["a|b", "c"], ["", "1"])
SPANNED = Table(2, 2, (Cell(0, 0, (Span("wide"),), colspan=2), Cell(1, 0, (Span("x"),)), Cell(1, 1, (Span("y"),))))
TABLES = [block("Table", table=PLAIN), block("Table", table=SPANNED)]
PIPES = "| a\\|b | c |\n| --- | --- |\n|  | 1 |\n"
FORMULA = (Span("= c(g) & ", italic=True), math("x_{i}"), Span(" if sin x > 0 for all_"))
HEADERS = [block("Page-header", "J. Phys. 12"), block("Text", "Words."), block("Page-footer", "7")]
PICTURE = [block("Picture", image="f)1.png"), block("Caption", "Figure 1. A ship")]
UNSHOWN = block("Picture", "Words over it", image="f.png")
UNREAD = block("Formula", image="formula 1.png")
CUT = {"status": "partial", "error_category": "loop", "error": "it repeats itself"}


def item(words, marker="•", level=0):
    return block("List-item", words, marker=marker, level=level)


WRITTEN = {  # pages or the blocks of one, options, Markdown
    "ordered items keep their number and stay tight": (
        [item("nine", "9)"), item("ten", "10)")], {}, "9) nine\n10) ten\n"),
    "items start deep and jump levels": (
        [item(f"i{n}", "-", n) for n in (2, 2, 5, 2, 0)], {}, "- i2\n- i2\n  - i5\n- i2\n- i0\n"),
    "items with wide numbers": ([item("one", "１．"), item("two", "2）")], {}, "1. one\n2) two\n"),
    "items with Arabic and Persian numbers": ([item("one", "١."), item("two", "۲.")], {}, "1. one\n2. two\n"),
    "a footnote with a number": ([block("Footnote", "see there", marker="1")], {}, "¹ see there\n"),
    "a footnote with a star": ([block("Footnote", "see there", marker="*")], {}, "\\* see there\n"),
    "a footnote with a dagger": ([block("Footnote", "see there", marker="†")], {}, "† see there\n"),
    "a formula with its number": (
        [block("Formula", (math("E = mc^2"), Span(" (12)")))], {}, "$$\nE = mc^2 \\qquad \\tag{12}\n$$\n"),
    "characters and words in a formula": (
        [block("Formula", FORMULA)], {}, "$$\n= c(g) \\& x_{i} if \\sin  x > 0 \\text{for all}\\_\n$$\n"),
    "lines that end where the writer ended them": (
        [block("Text", (Span("Mill "), Span("Farm\n14 Lane", bold=True), Span("\n- Brook")))], {},
        "Mill **Farm**  \n**14 Lane**  \n\\- Brook\n"),
    "a line that would underline the one over it": ([block("Text", "Total\n====")], {}, "Total ====\n"),
    "code that a page cuts": (
        [page(1, block("Code", "a = 1")), page(2, block("Code", "    b = 2", continues=True))], {},
        "```\na = 1\n    b = 2\n```\n"),
    "a formula nobody read": ([UNREAD], {"image_dir": "my paper"}, "![](my%20paper/formula%201.png)\n"),
    "one that is not shown": ([UNREAD], {"images": "none"}, ""),
    "a picture that is linked": (
        PICTURE, {"image_dir": "out (1)"}, "![](out%20%281%29/f%291.png)\n\nFigure 1. A ship\n"),
    "a picture that is embedded": (
        PICTURE, {"images": "embed", "load_asset": lambda name: name.encode()},
        "![](data:image/png;base64,ZikxLnBuZw==)\n\nFigure 1. A ship\n"),
    "a picture that is left out": (PICTURE, {"images": "none"}, "Figure 1. A ship\n"),
    "words over a picture that is not shown": ([UNSHOWN], {"images": "none"}, "Words over it\n"),
    "words over a picture without pixels": ([block("Picture", "Words over it")], {}, "Words over it\n"),
    "tables are pipes until cells span": (
        TABLES, {}, f'{PIPES}\n<table><tr><td colspan="2">wide</td></tr><tr><td>x</td><td>y</td></tr></table>\n'),
    "tables as pipes": (TABLES, {"tables": "gfm"}, f"{PIPES}\n| wide |  |\n| --- | --- |\n| x | y |\n"),
    "tables as HTML": (
        TABLES[:1], {"tables": "html"}, "<table><tr><td>a|b</td><td>c</td></tr><tr><td></td><td>1</td></tr></table>\n"),
    "running headers": (HEADERS, {}, "Words.\n"),
    "running headers that are asked for": (HEADERS, {"keep_headers": True}, "J. Phys. 12\n\nWords.\n\n7\n"),
    "a failed page": ([page(7, failed="timeout")], {}, "<!-- page 7 failed: timeout -->\n"),
    "a page that was cut": (
        [page(7, block("Text", "The beginning"), **CUT)], {}, "<!-- page 7 partial: loop -->\n\nThe beginning\n"),
    "page breaks": (
        [page(1, block("Text", "One.")), page(2), page(3, block("Text", "Three."))], {"page_breaks": True},
        "<!-- page 1 -->\n\nOne.\n\n<!-- page 2 -->\n\n<!-- page 3 -->\n\nThree.\n"),
    "no page": ([], {}, ""),
    "an empty page": ([page(1)], {}, ""),
}  # fmt: skip


@pytest.mark.parametrize("parts, options, expected", WRITTEN.values(), ids=WRITTEN)
def test_blocks_are_written_as_markdown(parts, options, expected):
    pages = parts if parts and hasattr(parts[0], "number") else [page(1, *parts)]
    assert markdown(*pages, **options) == expected


def test_headings_paragraphs_and_lists_in_order(parsed):
    text = markdown(
        page(
            1,
            block("Title", "A paper", level=1),
            block("Section-header", "1. Start", level=2),
            block("Text", "Some words."),
            item("one"), item("inner", "2.", 1), item("inner too", "3.", 1), item("two"), item("three", "(a)"),
            block("Text", "The end."),
        )
    )  # fmt: skip
    items = "- one\n\n  2. inner\n  3. inner too\n- two\n- (a) three"
    assert text == f"# A paper\n\n## 1. Start\n\nSome words.\n\n{items}\n\nThe end.\n"
    heads, inner = ["A paper", "1. Start", "Some words."], ["inner", "inner too"]
    assert parsed.words(text) == [*heads, "one", *inner, "two", "(a) three", "The end."]
    assert parsed.types(text).count("ordered_list_open") == 1


def fences(parsed, text):
    return [token.content for token in parsed.tokens(text) if token.type == "fence"]


@pytest.mark.parametrize(
    "code, fence",
    [
        ("if x:\n    y = 1\n\nprint(y)", "```"),
        ("```\nnested\n```", "````"),
        ("a ```` b", "`````"),
        ("    indented", "```"),
    ],
)
def test_code_keeps_its_lines_in_a_fence_that_its_words_cannot_close(parsed, code, fence):
    text = markdown(page(1, block("Text", "Before."), block("Code", code), block("Text", "After.")))
    assert text == f"Before.\n\n{fence}\n{code}\n{fence}\n\nAfter.\n"
    assert fences(parsed, text) == [f"{code}\n"]


def test_code_and_paragraphs_stand_in_the_item_that_they_belong_to(parsed):
    code, long = block("Code", "make\n\nmake install", level=1), block("Text", "It takes long.", level=1)
    display = block("Formula", (Span("x = 1", math=True),), level=1)
    assert markdown(page(1, item("Let", "1."), display)) == "1. Let\n\n   $$\n   x = 1\n   $$\n"
    text = markdown(page(1, item("Run this:", "10."), code, long, item("Wait.", "11."), block("Text", "The end.")))
    fence = "    ```\n    make\n\n    make install\n    ```"
    assert text == f"10. Run this:\n\n{fence}\n\n    It takes long.\n11. Wait.\n\nThe end.\n"
    assert fences(parsed, text) == ["make\n\nmake install\n"]
    assert parsed.types(text).count("ordered_list_open") == 1


@pytest.mark.parametrize(
    "code, printed",
    [("ls -l", "`ls -l`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("**x**", "`**x**`"), ("a_b", "`a_b`")],
)
def test_names_in_code_within_a_sentence_are_between_backticks(parsed, code, printed):
    text = markdown(page(1, block("Text", (Span("Type "), Span(code, code=True), Span(" now.")))))
    assert text == f"Type {printed} now.\n"
    assert parsed.words(text) == [f"Type <code_inline {code}> now."]


def test_boxes_to_tick_are_tasks(parsed):
    text = markdown(page(1, item("done", "☑"), item("open", "☐")))
    assert text == "- [x] done\n- [ ] open\n"
    assert "checked" in parsed.parser.render(text)


def test_the_comment_of_a_failed_page_cannot_be_closed():
    text = markdown(page(7, failed="x --> <script>-"))
    assert text.count("--") == 2 and "<script" not in text


def test_pages_are_written_as_they_come():
    """After each page all but its last paragraph is out: nothing waits for the end of the document."""
    out, written = io.StringIO(), []

    def pages():
        for number in range(1, 6):
            written.append(out.getvalue().count("end of"))
            yield page(number, block("Text", "start"), block("Text", f"end of {number}"))

    write_markdown(pages(), out, RenderOptions())
    assert written == [0, 0, 1, 2, 3]
