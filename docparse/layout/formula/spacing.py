"""The symbols of a row written one behind the other: spaces, words, and brackets and bars in their size."""

from __future__ import annotations

import re

from docparse.hyphenation import CJK
from docparse.layout.formula.fences import THIN, bars_between, commands_of, is_exact, leans, white_between
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.symbols import glue

THICK, WIDER = 0.23, 0.5  # em: TeX's thick space is 0.28
THIN_SPACE = 0.17  # em
SPACED_CJK = re.compile(rf"(?<={CJK.pattern}) (?={CJK.pattern})")
_WORD = re.compile(r"\\text\{[^{}]*\}")


def joined_symbols(nodes: list[Node], parts: list[str], edges: list[float], size: float, text: str) -> str:
    """The symbols of a row with spaces only where LaTeX or a reader needs them; brackets around tall parts grow.

    `edges` are where the symbols end, their scripts included; `text` stands before the first.
    """
    scripted = [part != node.latex for node, part in zip(nodes, parts, strict=True)]
    commands, between = commands_of(nodes, parts, edges, size), bars_between(nodes, edges, scripted, size)
    k = 0
    while k < len(nodes):
        node, part, previous = nodes[k], parts[k], nodes[k - 1] if k else None
        gap = node.x0 - edges[k - 1] if k else 0.0
        if _WORD.fullmatch(part):
            end = next((i for i in range(k, len(nodes)) if not _WORD.fullmatch(parts[i])), len(nodes))
            text = glue(text, _words(nodes, parts, k, end, gap / size))
            k = end
            continue
        if part.startswith(r"\text{"):  # it carries a script, so it is a name
            part = part.replace(r"\text{", r"\operatorname{", 1)
        if k in commands:
            part = commands[k] + part
        elif k in between:
            part = r"\mid"
        space = _space(previous, node, part, gap / size)
        if space in ("", " ") and previous is not None and not leans(previous, parts[k - 1]):
            grown = commands.get(k) == r"\left" or commands.get(k - 1) == r"\right"
            white = white_between(previous, node, parts[k - 1], gap / size)
            space = _asked(previous, node, white - THIN_SPACE * grown) or space
        text = glue(text + space, part)
        k += 1
    return re.sub(r"  +", " ", text).strip()


def _words(nodes: list[Node], parts: list[str], start: int, end: int, gap: float) -> str:
    """Words side by side as one text, `gap` em behind what is before them; one right before a bracket is the name of a
    function."""
    inner = parts[start][6:-1]
    for k in range(start + 1, end):
        hyphened = not nodes[k].spaced and (inner.endswith("-") or parts[k][6:-1] == "-")
        inner += ("" if hyphened else " ") + parts[k][6:-1]
    inner = SPACED_CJK.sub("", inner)
    following = nodes[end] if end < len(nodes) else None
    wide = gap > 0.9
    quad = r" \quad " if wide else ""
    if end - start == 1 and following is not None and following.kind == "open" and not following.spaced:
        return (quad or " ") + rf"\operatorname{{{inner}}}"
    own = inner == "-" or (start > 0 and nodes[start - 1].kind == "punct" and gap < THICK)  # LaTeX leaves the room
    lead = " " if nodes[start].spaced and start and not wide and not own else ""
    tail = " " if following is not None and following.spaced and inner != "-" else ""
    return rf"{quad}\text{{{lead}{inner}{tail}}}"


def _asked(previous: Node, node: Node, white: float) -> str:
    """What an author put between two symbols, `white` em apart, which LaTeX would set side by side."""
    kinds = {previous.kind, node.kind}
    if not (is_exact(previous) and is_exact(node)) or not kinds <= {"letter", "number", "open", "close", "built"}:
        return ""
    if previous.kind == "open" or node.kind == "close" or not THIN < white < WIDER:
        return ""
    return r"\, " if white < THICK else r"\; "


def _space(previous: Node | None, node: Node, part: str, gap: float) -> str:
    """What stands between two symbols that are `gap` em apart."""
    if previous is None:
        return " " if node.kind in ("rel", "op") else ""
    kinds = {previous.kind, node.kind}
    if previous.kind == "big":  # browsers leave room for the slant of an integral
        gap = 0.0
    if gap > 1.6:
        return r" \qquad "
    if gap > 0.75 and "rel" not in kinds and node.kind != "punct":
        return r" \quad "
    if previous.kind == "punct" and node.kind == "number" and gap < 0.08:
        return ""
    if kinds & {"rel", "op"} or previous.kind == "punct":
        return " "
    return " " if previous.kind != "open" and (part.startswith("\\") or previous.kind in ("big", "name")) else ""
