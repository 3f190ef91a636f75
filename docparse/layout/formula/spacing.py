"""The symbols of a row written one behind the other: spaces, words, and brackets and bars in their size."""

from __future__ import annotations

import re

from docparse.hyphenation import CJK
from docparse.layout.formula.evidence import SMALL_WORDS
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.symbols import glue

GROWN = 1.15  # times the size of a row: brackets in a larger one have grown with what they hold
SIZES = ((1.6, "big"), (2.2, "Big"), (2.8, "bigg"), (float("inf"), "Bigg"))  # em: they are 1.2, 1.8, 2.4, 3 high
THICK = 0.23  # em: less than TeX's thick space, 0.28, LaTeX leaves behind a comma by itself
SPACE = 0.2  # em: less than a space between words
SPACED = "rel", "op", "punct", "big", "name"  # kinds of symbols that have white around them
SPACED_CJK = re.compile(rf"(?<={CJK.pattern}) (?={CJK.pattern})")
_WORD = re.compile(r"\\text\{[^{}]*\}")


def joined_symbols(nodes: list[Node], parts: list[str], edges: list[float], size: float, text: str) -> str:
    """The symbols of a row with spaces only where LaTeX or a reader needs them; brackets around tall parts grow.

    `parts` are the nodes with their scripts, and `edges` where they end, in points; `text` stands before the first.
    """
    scripted = [part != node.latex for node, part in zip(nodes, parts, strict=True)]
    commands, between = _commands(nodes, scripted, size), _bars_between(nodes, edges, scripted, size)
    k = 0
    while k < len(nodes):
        node, part, previous = nodes[k], parts[k], nodes[k - 1] if k else None
        gap = (node.x0 - edges[k - 1]) / size if k else 0.0
        if _WORD.fullmatch(part):
            end = next((i for i in range(k, len(nodes)) if not _WORD.fullmatch(parts[i])), len(nodes))
            text = glue(text, _words(nodes, parts, k, end, gap))
            k = end
            continue
        if part.startswith(r"\text{"):  # it carries a script, so it is a name
            part = part.replace(r"\text{", r"\mathit{" if node.italic else r"\operatorname{", 1)
        part = r"\mid" if k in between else commands.get(k, "") + part
        text = glue(text + _space(previous, node, part, gap), part)
        k += 1
    return re.sub(r"  +", " ", text).strip()


def _commands(nodes: list[Node], scripted: list[bool], size: float) -> dict[int, str]:
    """Return what stands before the brackets and bars of a row, by their index: `\\left` and `\\right` where they grow
    with what they hold, and a size before bars that are no pair."""
    commands = dict[int, str]()
    pairs = _pairs(nodes, scripted)
    for k, node in enumerate(nodes):
        if node.kind == "bar" and node.tall and k not in pairs.values():
            commands[k] = "\\" + next(name for limit, name in SIZES if (node.bottom - node.top) / size < limit)
    for first, last in pairs.items():
        held = nodes[first + 1 : last]
        if nodes[first].tall or (nodes[first].size >= GROWN * size and any(n.tall for n in held)):
            commands[first], commands[last] = r"\left", r"\right"
    return commands


def _pairs(nodes: list[Node], scripted: list[bool]) -> dict[int, int]:
    """The brackets of a row that close, by the index of those that open; of tall bars each second one closes, and none
    that has a script opens: values are taken there."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for k, node in enumerate(nodes):
        bar = node.kind == "bar" and node.tall
        opened = [i for i in stack if nodes[i].kind == "open"]
        if bar and stack and nodes[stack[-1]].latex == node.latex:
            pairs[stack.pop()] = k
        elif node.kind == "close" and opened:
            pairs[opened[-1]] = k
            del stack[stack.index(opened[-1]) :]  # bars in between stand alone
        elif node.kind == "open" or (bar and not scripted[k]):
            stack.append(k)
    return pairs


def _bars_between(nodes: list[Node], edges: list[float], scripted: list[bool], size: float) -> set[int]:
    """The bars of the row's height with white at both sides, as in P(A | B), that close no other within their brackets
    and have no script: values are taken at those."""
    opened, found = [False], set[int]()
    for k, node in enumerate(nodes):
        if node.kind == "open":
            opened.append(False)
        elif node.kind == "close" and len(opened) > 1:
            opened.pop()
        elif node.latex == "|" and not node.tall:
            inner = 0 < k < len(nodes) - 1 and not opened[-1] and not scripted[k]
            if inner and min(node.x0 - edges[k - 1], nodes[k + 1].x0 - node.x1) > 0.2 * size:
                found.add(k)
            else:
                opened[-1] = not opened[-1]
    return found


def _words(nodes: list[Node], parts: list[str], start: int, end: int, gap: float) -> str:
    """Words side by side as one text, `gap` em behind what is before them; one right before a bracket is the name of a
    function."""
    inner = parts[start][6:-1]
    for k in range(start + 1, end):
        hyphened = not nodes[k].spaced and (inner.endswith("-") or parts[k][6:-1] == "-")
        inner += ("" if hyphened else " ") + parts[k][6:-1]
    inner = SPACED_CJK.sub("", inner)
    following = nodes[end] if end < len(nodes) else None
    quad = r" \quad " if gap > 0.9 else ""
    if end - start == 1 and nodes[start].italic and not _is_text(nodes, start, gap):
        return (quad or " ") + rf"\mathit{{{inner}}}"
    if end - start == 1 and following is not None and following.kind == "open" and not following.spaced:
        return (quad or " ") + rf"\operatorname{{{inner}}}"
    own = inner == "-" or (start > 0 and nodes[start - 1].kind == "punct" and gap < THICK)
    lead = " " if nodes[start].spaced and start and not quad and not own else ""
    tail = " " if following is not None and _is_apart(nodes[end - 1], following) and inner != "-" else ""
    return rf"{quad}\text{{{lead}{inner}{tail}}}"


def _is_apart(word: Node, following: Node) -> bool:
    """Return whether a space stands behind a word: that of the file, or white before a fraction or a root."""
    return following.spaced or (following.kind == "built" and following.x0 - word.x1 > SPACE * word.size)


def _is_text(nodes: list[Node], k: int, gap: float) -> bool:
    """Return whether a word in italics, `gap` em behind what is before it, is text and no name of the formula: beside a
    name there is white only where operators are and behind commas."""
    word, before, after = nodes[k], nodes[k - 1] if k else None, nodes[k + 1] if k + 1 < len(nodes) else None
    parted = before is not None and gap > SPACE and before.kind not in (*SPACED, "open")
    return (
        word.text in SMALL_WORDS
        or parted
        or (after is not None and after.x0 - word.x1 > SPACE * word.size and after.kind not in (*SPACED, "close"))
    )


def _space(previous: Node | None, node: Node, part: str, gap: float) -> str:
    """Return what stands between two symbols that are `gap` em apart."""
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
