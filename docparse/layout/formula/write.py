"""A row of symbols written as LaTeX: spaces where they are needed, brackets that grow, words as text."""

from __future__ import annotations

import re

from docparse.layout.formula.cluster import bracket_pairs
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.symbols import glue


def with_limits(node: Node) -> str:
    code = node.latex
    if node.under or node.over:
        code += (f"_{{{node.under}}}" if node.under else "") + (f"^{{{node.over}}}" if node.over else "")
    return code


def row_latex(nodes: list[Node], parts: list[str], edges: list[float], size: float, out: list[str]) -> str:  # noqa: PLR0912
    """Return the row's symbols with spaces only where LaTeX or a reader needs them; brackets around tall parts grow."""
    partner = bracket_pairs(nodes)
    text = out[0] if out else ""
    words: list[str] = []
    for k, node in enumerate(nodes):
        part = parts[k]
        if node.kind in ("open", "close", "bar") and k in partner:
            a, b = sorted((k, partner[k]))
            if nodes[a].tall or any(n.tall for n in nodes[a + 1 : b]):
                part = (r"\left" if k == a else r"\right") + part
        gap = node.x0 - edges[k - 1] if k else 0.0
        previous = nodes[k - 1] if k else None
        if node.kind == "text" and re.fullmatch(r"\\text\{[^{}]*\}", part):
            words.append(part[6:-1])
            following = nodes[k + 1] if k + 1 < len(nodes) else None
            if following is not None and following.kind == "text" and parts[k + 1].startswith(r"\text{"):
                continue
            start = k - len(words) + 1
            wide = start > 0 and nodes[start].x0 - edges[start - 1] > 0.9 * size
            if len(words) == 1 and following is not None and following.kind == "open" and not following.spaced:
                text = glue(text, (r" \quad " if wide else " ") + rf"\operatorname{{{words[0]}}}")
            else:
                lead = " " if nodes[start].spaced and start and not wide else ""
                tail = " " if following is not None and following.spaced else ""
                text = glue(text, (r" \quad " if wide else "") + rf"\text{{{lead}{' '.join(words)}{tail}}}")
            words = []
            continue
        if node.kind == "text" and part.startswith(r"\text{"):  # it carries a script, so it is a name
            part = part.replace(r"\text{", r"\operatorname{", 1)
        if (
            part == "|"
            and k not in partner
            and previous
            and k + 1 < len(nodes)
            and min(gap, nodes[k + 1].x0 - node.x1) > 0.15 * size
        ):
            part = r"\mid"
        if previous and gap > 1.6 * size:
            text += r" \qquad "
        elif previous and gap > 0.75 * size and not (node.kind == "rel" or previous.kind == "rel"):
            text += r" \quad "
        elif previous and previous.kind == "punct" and gap < 0.08 * size and node.kind == "number":
            pass
        elif node.kind in ("rel", "op") or (previous and previous.kind in ("rel", "op", "punct")):
            text += " " if text and not text.endswith(" ") else ""
        elif (
            previous and (part.startswith("\\") or previous.kind in ("big", "name")) and previous.kind not in ("open",)
        ):
            text += " " if not text.endswith(" ") else ""
        text = glue(text, part)
    return re.sub(r"  +", " ", text).strip()
