"""How the brackets and bars of a row are written: plain, as high as what they hold (`\\left`), or of a size (`\\bigl`).

LaTeX leaves a thin space between a pair of `\\left` and `\\right` and the symbols beside it, and none beside other
brackets (TeXbook, chapter 18: atoms of the class Inner). So white tells what an author wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docparse.layout.formula.cluster import SCRIPT
from docparse.layout.formula.nodes import Node

GROWN = 1.15  # times the size of a row: brackets in a larger one have grown with what they hold
THIN, NONE = 0.12, 0.07  # em: TeX's thin space is 0.17; upright letters leave nothing
BEHIND = 0.05  # em: the room that TeX leaves behind every script
RULE_END = 0.12  # em: the room that it leaves at both ends of a fraction's bar
ROOT_START = 0.1  # em: the room that its fonts leave before the ink of a radical
SIZES = ((1.6, "big"), (2.2, "Big"), (2.8, "bigg"), (float("inf"), "Bigg"))  # em: they are 1.2, 1.8, 2.4, 3 high
BESIDE = "letter", "number", "built"
LEANING = frozenset("FHJKMNPTUVWXYZfΓΥΨ")  # TeX's math italics with an italic correction of 0.07 em or more


def commands_of(nodes: list[Node], parts: list[str], edges: list[float], size: float) -> dict[int, str]:
    """Return the commands before the brackets and bars of a row, by their index.

    `parts` are the nodes with their scripts, and `edges` where they end, in points; `size` is that of the row.
    """
    commands = dict[int, str]()
    pairs = _pairs(nodes, [part != node.latex for node, part in zip(nodes, parts, strict=True)])
    for k, node in enumerate(nodes):
        if node.kind == "bar" and node.tall and k not in pairs:
            commands[k] = _sized(node, size)
    for first, last in pairs.items():
        if first > last:
            continue
        fence = nodes[first]
        white = [*_white(nodes, parts, edges, size, first), *_white(nodes, parts, edges, size, last + 1)]
        told = [gap > THIN for gap in white if not NONE < gap < THIN]
        small = fence.small or size < SCRIPT * fence.size  # LaTeX leaves no room in scripts
        if fence.tall or (fence.size >= GROWN * size and any(n.tall for n in nodes[first + 1 : last])):
            of_size = told and not all(told) and not small
            ends = (_sized(fence, size) + "l", _sized(fence, size) + "r") if of_size else (r"\left", r"\right")
        elif all(told) and len(told) >= (1 if first and nodes[first - 1].kind == "name" else 2):
            ends = r"\left", r"\right"
        else:
            continue
        commands[first], commands[last] = ends
    return commands


def _white(nodes: list[Node], parts: list[str], edges: list[float], size: float, k: int) -> Iterator[float]:
    """Yield the white before a symbol, in em, where brackets of one kind would leave other white than those of another
    between it and the symbol before it."""
    if not 0 < k < len(nodes):
        return
    before, node = nodes[k - 1], nodes[k]
    if before.kind not in (*BESIDE, "close", "name") or node.kind not in (*BESIDE, "open"):
        return
    if is_exact(before) and is_exact(node) and not leans(before, parts[k - 1]):
        yield white_between(before, node, parts[k - 1], (node.x0 - edges[k - 1]) / size)


def is_exact(node: Node) -> bool:
    """Return whether it is known where TeX's box around a symbol ends."""
    return node.set_by_font or node.latex.startswith((r"\sqrt", r"\frac"))


def white_between(before: Node, node: Node, part: str, gap: float) -> float:
    """Return a gap without what LaTeX leaves behind each script of `part`, at the ends of fractions, and before roots,
    all in em."""
    behind = len(part) - len(part.rstrip("}")) if part != before.latex else 0
    rules = sum(each.latex.startswith(r"\frac") for each in (before, node))
    return gap - BEHIND * behind - RULE_END * rules - ROOT_START * node.latex.startswith(r"\sqrt")


def leans(node: Node, part: str) -> bool:
    """Return whether a slanted letter leans over what follows, and so leaves white itself."""
    return node.italic and node.text in LEANING and part == node.latex


def _sized(fence: Node, size: float) -> str:
    """How LaTeX calls brackets and bars that are so high."""
    return "\\" + next(name for limit, name in SIZES if (fence.bottom - fence.top) / size < limit)


def _pairs(nodes: list[Node], scripted: Sequence[bool]) -> dict[int, int]:
    """The brackets of a row that belong together, by index, both ways; of tall bars each second one closes, and none
    that has a script opens: values are taken there."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for k, node in enumerate(nodes):
        bar = node.kind == "bar" and node.tall
        opened = [i for i in stack if nodes[i].kind == "open"]
        if bar and stack and nodes[stack[-1]].latex == node.latex:
            first = stack.pop()
        elif node.kind == "close" and opened:
            first = opened[-1]
            del stack[stack.index(first) :]  # bars in between stand alone
        else:
            if node.kind == "open" or (bar and not scripted[k]):
                stack.append(k)
            continue
        pairs[k], pairs[first] = first, k
    return pairs


def bars_between(nodes: list[Node], edges: list[float], scripted: Sequence[bool], size: float) -> set[int]:
    """Return the bars of the row's height with white at both sides, as in P(A | B), that close no other within
    their brackets and have no script: values are taken at those."""
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
