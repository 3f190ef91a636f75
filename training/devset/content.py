"""What a document is made of, whatever draws it: elements with their kind and their text.

Text carries light markup: `**bold**`, `*italic*` and `` `code` ``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Item:
    """An item of a list; `more` are further paragraphs, `inner` a list within it."""

    text: str
    more: list[str] = field(default_factory=list)
    inner: Element | None = None


@dataclass
class Element:
    """One thing in a document.

    `kind` is one of title, line (a name, a date, a label: a short paragraph), heading, text, quote, list, terms,
    code, table, figure, formula, toc, cards (of card), aside. `level` is a heading's (1 the outermost).
    `style` is free for the family: a list's marker, how a table is ruled.
    """

    kind: str
    text: str = ""
    level: int = 0
    number: str = ""
    items: list[Item] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    caption: str = ""
    caption_above: bool = False
    notes: list[tuple[str, str]] = field(default_factory=list)  # footnotes: mark, text
    inner: list[Element] = field(default_factory=list)
    style: str = ""


@dataclass
class Document:
    """The body in reading order, and what runs along the edges of every page ("{page}" is its number)."""

    body: list[Element]
    header: list[str] = field(default_factory=list)
    footer: list[str] = field(default_factory=list)


def marked(text: str, bold: str, italic: str, code: str) -> str:
    """Return the text with what stands between its marks in these, which have `{}` for it."""
    for mark, around in ((r"\*\*(.+?)\*\*", bold), (r"\*(.+?)\*", italic), ("`(.+?)`", code)):
        text = re.sub(mark, lambda found, around=around: around.replace("{}", found[1]), text)
    return text
