"""A CommonMark parser with GitHub's extensions and dollar mathematics, and what it says a text means."""

import io

import pytest

from docparse.render import RenderOptions, write_markdown
from docparse.types import Block, Box, Category, Page, Span

BOX = Box(10, 20, 110, 40)


class Parsed:
    """Markdown as a parser sees it."""

    def __init__(self) -> None:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.tasklists import tasklists_plugin

        self.parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.parser.use(dollarmath_plugin, allow_labels=False)
        self.parser.use(tasklists_plugin)

    def tokens(self, markdown: str):
        return self.parser.parse(markdown)

    def types(self, markdown: str) -> list[str]:
        """The block structure: opening and self-contained tokens in order."""
        return [t.type for t in self.tokens(markdown) if t.nesting >= 0 and t.type != "inline"]

    def words(self, markdown: str) -> list[str]:
        """The text of each inline block; mathematics between <math> tags, line breaks as newlines."""
        return ["".join(_text(child) for child in t.children) for t in self.tokens(markdown) if t.type == "inline"]

    def kinds(self, markdown: str) -> set[str]:
        """The inline constructs in use, plain text aside."""
        return {c.type for t in self.tokens(markdown) if t.type == "inline" for c in t.children} - {"text"}


def _text(token) -> str:
    match token.type:
        case "math_inline":
            return f"<math>{token.content}</math>"
        case "softbreak" | "hardbreak":
            return "\n"
        case "html_inline":
            return "\n" if token.content == "<br>" else f"<html {token.content}>"
        case "text" | "text_special":
            return token.content
        case "strong_open" | "strong_close" | "em_open" | "em_close":
            return ""
        case other:
            return f"<{other} {token.content}>"


@pytest.fixture(scope="session")
def parsed() -> Parsed:
    return Parsed()


@pytest.fixture(scope="session")
def block():
    """`block("Text", "words", ...)`, or with a tuple of spans in the place of the words."""

    def build(category: str, words: str | tuple[Span, ...] = (), **fields) -> Block:
        spans = ((Span(words),) if words else ()) if isinstance(words, str) else words
        return Block(category=Category(category), box=BOX, spans=spans, **fields)

    return build


@pytest.fixture(scope="session")
def page():
    """`page(1, block, ...)` or `page(2, failed="timeout")`."""

    def build(number: int, *blocks: Block, failed: str = "", **fields) -> Page:
        if failed:
            fields |= {"status": "failed", "error_category": failed, "error": f"page {number}: {failed}"}
        return Page(number=number, width=612, height=792, blocks=blocks, **fields)

    return build


@pytest.fixture(scope="session")
def to_markdown():
    def render(*pages: Page, **options) -> str:
        out = io.StringIO()
        write_markdown(iter(pages), out, RenderOptions(**options))
        return out.getvalue()

    return render
