"""Marks that belong to other symbols: accents, rows of dots, equation numbers."""

from __future__ import annotations

import re
from dataclasses import replace

from docparse.layout.formula.cluster import Unreadable
from docparse.layout.formula.nodes import Node

TAG = re.compile(r"\((?:[A-Z]\.?)?\d+(?:[.\-–]\d+)*[a-z']?\)|\((?:[ivx]+|[A-Z])\)|\[\d+\]")


def accented(nodes: list[Node]) -> list[Node]:
    """Accents that are glyphs of their own, put over the symbol they are printed over."""
    accents = [n for n in nodes if n.kind == "accent"]
    for accent in accents:
        below = [
            n for n in nodes
            if n.kind in ("letter", "number", "name", "built")
            and n.x0 - 0.15 * n.size <= accent.center <= n.x1 + 0.15 * n.size
            and -0.3 * n.size < n.baseline - accent.baseline < n.size
        ]  # fmt: skip
        nodes = [n for n in nodes if n is not accent]
        if below:
            base = min(below, key=lambda n: abs(n.center - accent.center))
            done = replace(base, latex=rf"{accent.latex}{{{base.latex}}}")
            nodes = [done if n is base else n for n in nodes]
        elif accent.text in ("¯", "ˉ", "`", "´"):
            raise Unreadable
    return nodes


def dotted(nodes: list[Node]) -> list[Node]:
    """Three dots in a row, a column or a diagonal as one symbol."""
    dots = [n for n in nodes if n.text in (".", "·", "⋅")]
    if len(dots) < 3:
        return nodes
    rows = sorted(dots, key=lambda n: (round(n.baseline, 1), n.x0))
    used: set[int] = set()
    built = []
    for three in zip(rows, rows[1:], rows[2:], strict=False):
        a, b, c = three
        if any(id(n) in used for n in three) or not a.text == b.text == c.text:
            continue
        step = (b.center - a.center, b.baseline - a.baseline)
        again = (c.center - b.center, c.baseline - b.baseline)
        even = max(abs(step[0] - again[0]), abs(step[1] - again[1])) < 0.1 * a.size
        if not even or max(map(abs, step)) > 0.75 * a.size or max(map(abs, step)) < 0.15 * a.size:
            continue
        flat, steep = abs(step[1]) < 0.05 * a.size, abs(step[0]) < 0.05 * a.size
        code = (r"\ldots" if a.text == "." else r"\cdots") if flat else r"\vdots" if steep else r"\ddots"
        used |= {id(n) for n in three}
        built.append(
            replace(a, kind="letter", latex=code, text="…", x1=max(n.x1 for n in three), bottom=c.bottom,
                    baseline=a.baseline if flat else c.baseline)
        )  # fmt: skip
    return [n for n in nodes if id(n) not in used] + built


def without_tag(row: list[Node]) -> tuple[list[Node], str]:
    r"""Return the row without an equation number at its right end, and that number as `\tag{...}`."""
    row = sorted(row, key=lambda n: n.x0)
    for k in range(len(row) - 1, 0, -1):
        if row[k].x0 - row[k - 1].x1 > 1.5 * row[k].size:
            label = "".join(n.text for n in row[k:])
            if TAG.fullmatch(label):
                return row[:k], rf" \tag{{{label[1:-1]}}}"
            break
    return row, ""


def inline_tag(tag: str) -> str:
    """Return an equation number where LaTeX allows no tag: as text after the line."""
    return rf" \qquad \text{{({tag.strip()[5:-1]})}}" if tag else ""
