"""Which characters of a Markdown line need a backslash: the fewest after which a parser gives the text back.

Written against CommonMark 0.31 and GitHub's extensions (strikethrough, task lists, pipe tables) plus `$` mathematics.
A line is one whole paragraph, heading, list item or table cell, so constructs that need a second line cannot arise.
"""

from __future__ import annotations

import re
import unicodedata
from html.entities import html5
from typing import Literal

Place = Literal["block", "item", "heading", "cell"]

_SPECIAL = re.compile(r"[\\`*_~<&$\]|]")
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|([A-Za-z][A-Za-z0-9]*));")
_TAG = re.compile(r"<(?:[A-Za-z/!?]|[^\s<>]+@[^\s<>]+>)")
_BLOCK_START = re.compile(
    r"""(?P<heading>\#{1,6}(?=\ |$)) | (?P<quote>>) | (?P<bullet>[-+*](?=\ |$))
      | \d{1,9}(?P<number>[.)])(?=\ |$)
      | (?P<rule>(?:\*\ *){3,}$|(?:-\ *){3,}$|(?:_\ *){3,}$)
      | (?P<fence>`{3}|~{3}) | (?P<html><[A-Za-z/!?]) | (?P<definition>\[(?=.*\]:))""",
    re.VERBOSE,
)
_UNDERLINE = re.compile(r"(?:=+|-+|[|:\- ]+) *$")  # of a heading, or of the head of a table
_ITEM_START = re.compile(r"\[[ xX]\](?= |$)|(?:- *)+$")  # a task's box; a rule together with the item's own "-"
_CLOSING_HASHES = re.compile(r"(?:^| )(#+)$")


def escaped(text: str, markup: bytes | bytearray, place: Place) -> str:
    """`text` with backslashes where it would be read as markup.

    `markup[i]` is 1 where the character is meant as markup (emphasis, mathematics) and 0 where it is literal;
    `place` says what the line is going to be.
    """
    positions = _line_edges(text, place)
    if _SPECIAL.search(text):
        positions |= _inline(text, markup, place)
    if not positions:
        return text
    return "".join("\\" + c if i in positions and not markup[i] else c for i, c in enumerate(text))


def is_flanking(text: str, start: int, end: int, *, strict: bool) -> tuple[bool, bool]:
    """Return whether `text[start:end]` as a delimiter run is (left-flanking, right-flanking).

    CommonMark 0.31 counts symbols as punctuation and older versions do not: `strict` asks for both readings to
    agree, otherwise one is enough.
    """
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    readings = [_flanking(before, after, symbols) for symbols in (False, True)]
    judge = all if strict else any
    return judge(left for left, _ in readings), judge(right for _, right in readings)


def _flanking(before: str, after: str, symbols: bool) -> tuple[bool, bool]:
    space_before, space_after = before.isspace(), after.isspace()
    mark_before, mark_after = _is_mark(before, symbols), _is_mark(after, symbols)
    left = not space_after and (not mark_after or space_before or mark_before)
    right = not space_before and (not mark_before or space_after or mark_after)
    return left, right


def _is_mark(char: str, symbols: bool) -> bool:
    return char in _ASCII_PUNCTUATION or unicodedata.category(char)[0] in ("PS" if symbols else "P")


def starts_block(text: str) -> bool:
    """Return whether `text`, as a line under a line of words, would not go on with the paragraph."""
    return bool(_BLOCK_START.match(text) or _UNDERLINE.match(text))


def _line_edges(text: str, place: Place) -> set[int]:
    positions: set[int] = set()
    if place in ("block", "item") and (match := _BLOCK_START.match(text)):
        positions.add(match.start(match.lastgroup or 0))
    if place == "item" and _ITEM_START.match(text):
        positions.add(0)
    if place == "heading" and (match := _CLOSING_HASHES.search(text)):
        positions.add(match.start(1))
    return positions


def _inline(text: str, markup: bytes | bytearray, place: Place) -> set[int]:
    positions: set[int] = set()
    backticks = {m.start() for m in re.finditer("`+", text)}
    last_close, last_paren = text.rfind(">"), text.rfind(")")
    first_bracket = text.find("[")
    last_dollar = text.rfind("$")
    for match in _SPECIAL.finditer(text):
        i, char, after = match.start(), match[0], text[match.end() : match.end() + 1]
        match char:
            case "\\":
                needed = after in _ASCII_PUNCTUATION if after else False
            case "`":  # a code span needs two runs
                needed = len(backticks) > 1
            case "<":
                needed = i < last_close and bool(_TAG.match(text, i))
            case "&":
                entity = _ENTITY.match(text, i)
                needed = entity is not None and (entity[1] is None or f"{entity[1]};" in html5)
            case "]":
                needed = after == "(" and 0 <= first_bracket < i < last_paren
            case "$":  # renderers differ in what may pair (Jupyter, remark: anything), so every pair is broken
                needed = i < last_dollar or (i > 0 and bool(markup[i - 1]) and text[i - 1] == "$")
            case "|":
                needed = place == "cell"
            case _:
                needed = False
        if needed:
            positions.add(i)
    for char in "*_~":
        positions |= _delimiters(text, markup, char)
    return positions


def _delimiters(text: str, markup: bytes | bytearray, char: str) -> set[int]:
    """Positions of the runs of `char` that could open or close, if any two could make a pair."""
    runs, opened, pairs = [], False, False
    for match in re.finditer(re.escape(char) + "+", text):
        start, end = match.span()
        left, right = is_flanking(text, start, end, strict=False)
        if any(markup[start:end]):  # emphasis of our own: the asterisks beside it must not join in
            left = right = pairs = True
        elif char == "_" and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
            continue  # inside a word an underscore is a letter
        if left or right:
            runs.append(range(start, end))
        pairs |= opened and right
        opened |= left
    return {i for run in runs for i in run if not markup[i]} if pairs else set()
