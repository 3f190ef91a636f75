"""A CommonMark parser with GitHub's extensions and dollar mathematics, and what it says a text means."""

import pytest


class Parsed:
    """Markdown as a parser sees it."""

    def __init__(self):
        from markdown_it import MarkdownIt
        from mdit_py_plugins.dollarmath import dollarmath_plugin
        from mdit_py_plugins.tasklists import tasklists_plugin

        self.parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        self.parser.use(dollarmath_plugin, allow_labels=False)
        self.parser.use(tasklists_plugin)

    def tokens(self, markdown):
        return self.parser.parse(markdown)

    def types(self, markdown):
        """The block structure: opening and self-contained tokens in order."""
        return [t.type for t in self.tokens(markdown) if t.nesting >= 0 and t.type != "inline"]

    def words(self, markdown):
        """The text of each inline block; mathematics between <math> tags, line breaks as newlines."""
        return ["".join(_text(child) for child in t.children) for t in self.tokens(markdown) if t.type == "inline"]

    def kinds(self, markdown):
        """The inline constructs in use, plain text aside."""
        return {c.type for t in self.tokens(markdown) if t.type == "inline" for c in t.children} - {"text"}


def _text(token):
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
def parsed():
    return Parsed()
