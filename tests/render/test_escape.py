"""What is typed on the page comes back from a Markdown parser, with as few backslashes as that takes."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from docparse.render.inline import markdown_line
from docparse.render.text import one_line, tidy
from docparse.types import Span

NASTY = st.text(alphabet="*_~`#<>[]()|$\\&!-+=.:;/'\"^ab1 2x\n@?é·中“—", max_size=24)
MARKS = r"""* ** _ __ ~ ~~ ` `` ``` $ $$ \ [a](b) ![a](b) <b> </b> <!-- --> &amp; &#35; &lt --- === | [ ( a word 3.14
    snake_case 5*3 http://a_b.c/*d* <a@b.co> ]: x . ) [x] 1. 12) # > - +"""
CONSTRUCTS = st.lists(st.sampled_from([" ", "\n", *MARKS.split()]), max_size=8).map("".join)
PHRASES = st.lists(CONSTRUCTS, max_size=4).map(" ".join)
ANYTHING = st.one_of(st.text(max_size=40), NASTY, CONSTRUCTS, PHRASES)
MATH = st.builds(Span, st.sampled_from(["x^2", "a", "\\alpha\\", " $ "]), math=st.just(True))
STYLED = st.lists(st.builds(Span, ANYTHING, bold=st.booleans(), italic=st.booleans()), max_size=4).map(tuple)


@pytest.mark.parametrize(
    "text",
    [
        "pi is 3.14 and snake_case_name stays",
        "5*3 = 15",
        "a * b * c",
        "well-known - even so",
        "[12] and [13, 14]",
        "AT&T; R&D & co",
        "p < 0.05, x > 3, a <- b",
        "it costs $5",
        "~5 km",
        "C# and F#",
        "2024 was (1) fine; 1.5 too",
        "#hashtag",
        "-5 degrees",
        "+1 (555) 010",
        "a | b",
        "5' 3\" and 100% `",
        "C:\\path\\name",
        "wait! [sic] (see p. 3)",
        "x_1 and _y",
    ],
)
def test_ordinary_text_needs_no_backslash(text):
    assert markdown_line((Span(text),)) == text


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("$5 and $6", r"\$5 and $6"),
        ("1. not a list", r"1\. not a list"),
        ("2024) not a list", r"2024\) not a list"),
        ("- no bullet", r"\- no bullet"),
        ("# no heading", r"\# no heading"),
        ("> no quote", r"\> no quote"),
        ("---", r"\---"),
        ("*stars*", r"\*stars\*"),
        ("__init__ here", r"\_\_init\_\_ here"),
        ("~~gone~~", r"\~\~gone\~\~"),
        ("a <b>tag</b>", r"a \<b>tag\</b>"),
        ("&amp; stays", r"\&amp; stays"),
        ("[text](link)", r"[text\](link)"),
        ("`code`", r"\`code\`"),
        (r"back\*slash", r"back\\*slash"),
    ],
)
def test_text_that_looks_like_markup_gets_the_backslashes_it_needs(text, markdown):
    assert markdown_line((Span(text),)) == markdown


@given(ANYTHING)
@example("`\\`` ``")
@example("\\")
@example("a\u00a0\u2003 b\u3000")
@example("\ud800\x00\x0b")
@example("<1@b.com>")
def test_a_paragraph_comes_back_as_it_was(parsed, text):
    line = markdown_line((Span(text),))
    expected = one_line((Span(text),))
    assert parsed.words(line) == ([expected] if expected else [])
    assert parsed.types(line) == (["paragraph_open"] if expected else [])


@given(ANYTHING)
def test_a_heading_comes_back_as_it_was(parsed, text):
    expected = one_line((Span(text),))
    line = f"## {markdown_line((Span(text),), 'heading')}"
    assert parsed.words(line) == [expected]
    assert parsed.types(line) == ["heading_open"]


@given(ANYTHING)
@example("--")
def test_a_list_item_comes_back_as_it_was(parsed, text):
    expected = one_line((Span(text),))
    line = f"- {markdown_line((Span(text),), 'item')}"
    if expected:
        assert parsed.words(line) == [expected]
        assert parsed.types(line) == ["bullet_list_open", "list_item_open", "paragraph_open"]


@given(ANYTHING, ANYTHING)
@example("", "\\\n0")
def test_table_cells_come_back_as_they_were(parsed, first, second):
    cells = [(Span(first),), (Span(second),)]
    line = "| " + " | ".join(markdown_line(cell, "cell") for cell in cells) + " |"
    expected = ["".join(span.text for span in tidy(cell, keep_breaks=True)) for cell in cells]
    assert parsed.words(f"{line}\n| --- | --- |") == expected


@given(STYLED)
def test_bold_and_italic_leave_the_words_alone(parsed, spans):
    expected = "".join(span.text for span in tidy(spans))
    line = markdown_line(spans)
    assert parsed.words(line) == ([expected] if expected else [])
    assert parsed.kinds(line) <= {"strong_open", "strong_close", "em_open", "em_close", "text_special"}


@given(st.lists(st.builds(Span, ANYTHING) | MATH, max_size=4))
def test_mathematics_is_mathematics_and_the_text_around_it_is_not(parsed, spans):
    pieces = tidy(tuple(spans))
    expected = "".join(f"<math>{piece.text}</math>" if piece.math else piece.text for piece in pieces)
    assume(
        not expected.endswith("\\")
    )  # a mistake of the plugin: it takes the last character for the one before the first
    line = markdown_line(tuple(spans))
    assert parsed.words(line) == ([expected] if expected else [])


def test_emphasis_moves_its_spaces_out_and_parses():
    spans = (Span("see", italic=True), Span(" the "), Span(" bold part ", bold=True), Span("here"))
    assert markdown_line(spans) == "*see* the **bold part** here"


def test_emphasis_that_would_not_parse_is_dropped():
    assert markdown_line((Span("Note:", bold=True), Span("text"))) == "Note:text"
    assert markdown_line((Span("a", bold=True), Span("b", italic=True))) == "**a**b"


def test_headings_are_not_bold_twice():
    assert markdown_line((Span("Results", bold=True),), "heading") == "Results"
