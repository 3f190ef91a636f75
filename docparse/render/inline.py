"""Spans to one line of Markdown: emphasis where it parses, LaTeX between dollar signs, the rest escaped."""

from __future__ import annotations

import re

import msgspec

from docparse.render.escape import Place, escaped, is_flanking, starts_block
from docparse.render.mathtext import cell_math, inline_math
from docparse.render.text import tidy
from docparse.types import Span, Spans


def markdown_line(spans: Spans, place: Place = "block") -> str:
    """`spans` as one line of Markdown for a paragraph, list item, heading or table cell; empty if there are no words.

    Bold is dropped in headings, which are bold already. In a table cell a line break becomes `<br>`.
    """
    pieces = tidy(spans, keep_breaks=place == "cell")
    parts: list[tuple[str, bool]] = []  # text, is it markup
    for index, piece in enumerate(pieces):
        if piece.math:
            parts.append((f"${cell_math(piece.text) if place == 'cell' else inline_math(piece.text)}$", True))
            continue
        if piece.code:
            parts.append((_code(piece.text, place), True))
            continue
        mark = _emphasis(piece, pieces, index, parts, place)
        words: list[tuple[str, bool]] = [(line, False) for line in piece.text.split("\n")]
        for at in range(len(words) - 1, 0, -1):
            words.insert(at, ("<br>", True))
        parts += [(mark, True), *words, (mark, True)] if mark else words
    text = "".join(part for part, _ in parts)
    markup = b"".join(bytes([is_markup]) * len(part) for part, is_markup in parts)
    return escaped(text, markup, place)


def markdown_lines(spans: Spans) -> str:
    """`spans` as a paragraph of Markdown that keeps its line breaks: two spaces at the end of a line.

    A line that would begin a block of its own under the one above follows it without a break.
    """
    lines: list[list[Span]] = [[]]
    for span in spans:
        first, *rest = [span.text] if span.math or span.code else span.text.split("\n")
        lines[-1].append(msgspec.structs.replace(span, text=first))
        lines += [[msgspec.structs.replace(span, text=text)] for text in rest]
    first, *rest = [text for line in lines if (text := markdown_line(tuple(line)))] or [""]
    return first + "".join((" " if starts_block(text) else "  \n") + text for text in rest)


def _code(text: str, place: Place) -> str:
    """A code span: between more backticks than it has in a row."""
    text = text.replace("\n", " ")
    if place == "cell":
        text = text.replace("|", "\\|")
    ticks = fence(text, 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fence(text: str, least: int) -> str:
    """Return at least so many backticks, and more than `text` has in a row."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def _emphasis(piece: Span, pieces: list[Span], index: int, parts: list[tuple[str, bool]], place: Place) -> str:
    """The asterisks for a piece, empty where it has no emphasis or where a parser would not read them as such."""
    mark = "**" * (piece.bold and place != "heading") + "*" * piece.italic
    if not mark or (parts and parts[-1][1] and parts[-1][0].startswith("*")):
        return ""
    before = parts[-1][0][-1:] if parts else ""
    after = pieces[index + 1].text[:1] if index + 1 < len(pieces) else ""
    if after and (pieces[index + 1].math or pieces[index + 1].code):
        after = "$" if pieces[index + 1].math else "`"
    opening, closing = f"{before}*{piece.text[0]}", f"{piece.text[-1]}*{after}"
    opens = is_flanking(opening, len(before), len(before) + 1, strict=True)[0]
    closes = is_flanking(closing, 1, 2, strict=True)[1]
    return mark if opens and closes else ""
