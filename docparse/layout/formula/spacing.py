"""The symbols of a row written one behind the other: spaces, words, and brackets and bars in their size."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse.hyphenation import CJK
from docparse.layout.formula.cluster import bracket_pairs
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.symbols import glue

THIN, THICK, WIDER = 0.12, 0.23, 0.5  # em: TeX's thin space is 0.17, its thick one 0.28
BEHIND = 0.05  # em: the room that TeX leaves behind every script
GROWN = 1.15  # times the size of a row: brackets in a larger one have grown with what they hold
LEANING = frozenset("FHJKMNPTUVWXYZfΓΥΨ")  # TeX's math italics with an italic correction of 0.07 em or more
SPACED_CJK = re.compile(rf"(?<={CJK.pattern}) (?={CJK.pattern})")
_WORD = re.compile(r"\\text\{[^{}]*\}")


def joined_symbols(nodes: list[Node], parts: list[str], edges: list[float], size: float, text: str) -> str:
    """The symbols of a row with spaces only where LaTeX or a reader needs them; brackets around tall parts grow.

    `edges` are where the symbols end, their scripts included; `text` stands before the first.
    """
    scripted = [part != node.latex for node, part in zip(nodes, parts, strict=True)]
    partner, between = bracket_pairs(nodes, scripted), _bars_between(nodes, edges, scripted, size)
    for k in range(1, len(nodes) - 1):
        if parts[k] == r"\mathrm{a}" and all(_WORD.fullmatch(parts[i]) for i in (k - 1, k + 1)):
            parts[k] = r"\text{a}"
    k = 0
    while k < len(nodes):
        node, part, previous = nodes[k], parts[k], nodes[k - 1] if k else None
        gap = node.x0 - edges[k - 1] if k else 0.0
        if _WORD.fullmatch(part):
            end = next((i for i in range(k, len(nodes)) if not _WORD.fullmatch(parts[i])), len(nodes))
            text = glue(text, _words(nodes, parts, k, end, gap > 0.9 * size))
            k = end
            continue
        if part.startswith(r"\text{"):  # it carries a script, so it is a name
            part = part.replace(r"\text{", r"\operatorname{", 1)
        if node.kind == "bar" and node.tall and k not in partner:
            part = _sized((node.bottom - node.top) / size) + part
        if k in partner:
            first, last = sorted((k, partner[k]))
            fence = nodes[first]
            if fence.tall or (fence.size >= GROWN * size and any(n.tall for n in nodes[first + 1 : last])):
                part = (r"\left" if k == first else r"\right") + part
        elif k in between:
            part = r"\mid"
        space = _space(previous, node, part, gap / size)
        if not space and previous is not None:
            behind = len(parts[k - 1]) - len(parts[k - 1].rstrip("}")) if scripted[k - 1] else 0
            space = _asked(previous, node, gap / size - BEHIND * behind, leans=not behind)
        text = glue(text + space, part)
        k += 1
    return re.sub(r"  +", " ", text).strip()


def _bars_between(nodes: list[Node], edges: list[float], scripted: Sequence[bool], size: float) -> set[int]:
    """Bars of the row's height with white at both sides, as in P(A | B), that close no other within their brackets and
    have no script: values are taken at those."""
    opened, found = [False], set[int]()
    for k, node in enumerate(nodes):
        if node.kind == "open":
            opened.append(False)
        elif node.kind == "close" and len(opened) > 1:
            opened.pop()
        elif node.latex == "|" and not node.tall:
            inner = 0 < k < len(nodes) - 1
            wide = inner and min(node.x0 - edges[k - 1], nodes[k + 1].x0 - node.x1) > 0.2 * size
            if wide and not opened[-1] and not scripted[k]:
                found.add(k)
            else:
                opened[-1] = not opened[-1]
    return found


def _sized(height: float) -> str:
    """How LaTeX calls a bar without a partner that is so many font sizes high."""
    return next((name for limit, name in ((1.6, r"\big"), (2.2, r"\Big"), (2.8, r"\bigg")) if height < limit), r"\Bigg")


def _words(nodes: list[Node], parts: list[str], start: int, end: int, wide: bool) -> str:
    """Words side by side as one text; one right before a bracket is the name of a function."""
    inner = parts[start][6:-1]
    for k in range(start + 1, end):
        hyphened = not nodes[k].spaced and (inner.endswith("-") or parts[k][6:-1] == "-")
        inner += ("" if hyphened else " ") + parts[k][6:-1]
    inner = SPACED_CJK.sub("", inner)
    following = nodes[end] if end < len(nodes) else None
    quad = r" \quad " if wide else ""
    if end - start == 1 and following is not None and following.kind == "open" and not following.spaced:
        return (quad or " ") + rf"\operatorname{{{inner}}}"
    lead = " " if nodes[start].spaced and start and not wide else ""
    tail = " " if following is not None and following.spaced else ""
    return rf"{quad}\text{{{lead}{inner}{tail}}}"


def _asked(previous: Node, node: Node, gap: float, *, leans: bool) -> str:
    """What an author put between two symbols, `gap` em apart, which LaTeX would set side by side. Slanted letters that
    lean over (`leans`: no script is between) leave white themselves."""
    kinds = {previous.kind, node.kind}
    told = all(each.set_by_font or each.latex.startswith(r"\sqrt") for each in (previous, node))
    if not told or not kinds <= {"letter", "number", "open", "close", "built"}:
        return ""
    if previous.kind == "open" or node.kind == "close" or kinds == {"number"}:
        return ""
    if not THIN < gap < WIDER or (leans and previous.italic and previous.text in LEANING):
        return ""
    return r"\, " if gap < THICK else r"\; "


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
