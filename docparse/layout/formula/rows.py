"""Rows of a formula read as LaTeX: limits of operators, lines by their baselines, scripts between symbols."""

from __future__ import annotations

import re
from itertools import pairwise

from docparse.layout.formula.cluster import (
    SCRIPT,
    Unreadable,
    chains_of,
    collide,
    common_value,
    first_relation,
    main_style,
    rows_of,
    script_distance,
)
from docparse.layout.formula.marks import inline_tag, without_tag
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.symbols import LIMITS
from docparse.layout.formula.write import row_latex, with_limits

# of the named operators, those whose limits LaTeX sets under them
SET_LIMITS = ("lim", "liminf", "limsup", "max", "min", "sup", "inf", "det", "gcd", "Pr")


def limits_read(nodes: list[Node]) -> list[Node]:
    """Return the rows with what stands straight over and under operators as their limits."""
    operators = [n for n in nodes if n.kind == "big" or (n.kind in ("name", "text") and n.text in LIMITS)]
    for op in operators:
        if not any(n is op for n in nodes):
            continue  # it was a limit of another one
        chains = chains_of([n for n in nodes if n is not op and n.size < SCRIPT * op.size], op.size)
        used = {id(n) for chain in chains for n in _limit(op, chain, nodes)}
        nodes = [n for n in nodes if id(n) not in used]
    return nodes


def _limit(op: Node, chain: list[Node], nodes: list[Node]) -> list[Node]:
    """Give `op` the chain as its limit, if it is one; the nodes that are then part of it."""
    size = op.size
    center = (min(n.x0 for n in chain) + max(n.x1 for n in chain)) / 2
    width = max(n.x1 for n in chain) - min(n.x0 for n in chain)
    target, before = op.center, []
    arg = next((n for n in nodes if n.text == "arg" and 0 <= op.x0 - n.x1 < 0.4 * size), None)
    if arg and abs(center - (arg.x0 + op.x1) / 2) < abs(center - op.center):
        target, before = (arg.x0 + op.x1) / 2, [arg]
    shift = main_style(chain)[1] - op.baseline
    if abs(center - target) > 0.12 * max(width, op.width) + 0.2 * size or not 0.5 < abs(shift) / size < 2.2:
        return []
    code = rows_latex(chain)
    if shift > 0:
        op.under = code
    else:
        op.over = code
    op.x0, op.x1 = min(op.x0, *(n.x0 for n in chain)), max(op.x1, *(n.x1 for n in chain))
    op.top, op.bottom = min(op.top, *(n.top for n in chain)), max(op.bottom, *(n.bottom for n in chain))
    op.tall = True
    if op.kind != "big" and op.text not in SET_LIMITS:
        op.latex, op.kind = rf"\operatorname*{{{op.text}}}", "name"
    if before:
        op.latex, op.x0 = rf"\operatorname*{{arg\,{op.text}}}", before[0].x0
    return [*chain, *before]


def rows_latex(nodes: list[Node], top: bool = False) -> str:
    """Return one row, or several: at the `top` of a formula aligned lines with their numbers. Raises `Unreadable`."""
    rows = rows_of(nodes)
    if not rows:
        raise Unreadable
    if len(rows) == 1:
        row, tag = without_tag(rows[0]) if top else (rows[0], "")
        return _row(row) + tag
    if not top:
        if len(rows) == 2 and all(main_style(row)[0] < 1.2 * main_style(nodes)[0] for row in rows):
            return rf"\substack{{{_row(rows[0])} \\ {_row(rows[1])}}}"
        raise Unreadable
    return _aligned(rows)


def _aligned(rows: list[list[Node]]) -> str:
    tagged = [without_tag(row) for row in rows]
    anchors = [first_relation(row) for row, _ in tagged]
    common = common_value([n.x0 for n in anchors if n], 2.0)
    lines = []
    for row, _ in tagged:
        mark = next(
            (
                n
                for n in sorted(row, key=lambda n: n.x0)
                if n.kind in ("rel", "op") and common is not None and abs(n.x0 - common) < 2.0
            ),
            None,
        )
        if mark is None:
            lines.append(_row(row))
            continue
        left = [n for n in row if n.x0 < mark.x0 - 0.1]
        right = [n for n in row if n.x0 >= mark.x0 - 0.1]
        lines.append((_row(left) + " " if left else "") + "&" + _row(right))
    tags = [tag for _, tag in tagged if tag]
    if len(tags) > 1:
        lines = [f"{line}{inline_tag(tag)}" for line, (_, tag) in zip(lines, tagged, strict=True)]
        tags = []
    name = "aligned" if common is not None else "gathered"
    return rf"\begin{{{name}}} " + r" \\ ".join(lines) + rf" \end{{{name}}}" + (tags[0] if tags else "")


def _row(nodes: list[Node]) -> str:
    size, baseline = main_style(nodes)
    main: list[Node] = []
    scripts: list[Node] = []
    for node in sorted(nodes, key=lambda n: (n.x0, n.x1)):
        shift = (baseline - node.baseline) / size
        least = 0.14 if node.size >= SCRIPT * size else 0.08 if node.kind != "built" else 0.3
        prime = node.kind == "prime" and node.size < SCRIPT * size
        raised = prime or (abs(shift) > least and (node.size < SCRIPT * size or node.kind in ("letter", "number")))
        (scripts if raised and not (node.kind in ("big", "open", "close", "bar") and node.tall) else main).append(node)
    if not main:
        main, scripts = scripts, []
    if any(collide(a, b) for a, b in pairwise(main)):
        raise Unreadable
    hung: dict[int, list[Node]] = {}
    for script in scripts:
        bases = [k for k, n in enumerate(main) if n.x0 + 0.3 * min(n.width, size) < script.x0 + 0.05 * size]
        hung.setdefault(bases[-1] if bases else -1, []).append(script)
    out = [_hang("{}", main[0], hung[-1], baseline, size)] if -1 in hung else []
    parts, edges = [], []
    for k, node in enumerate(main):
        code = with_limits(node)
        if k in hung:
            code = _hang(code, node, hung[k], baseline, size)
        parts.append(code)
        edges.append(max([node.x1, *(n.x1 for n in hung.get(k, []))]))
    return row_latex(main, parts, edges, size, out)


def _hang(code: str, base: Node, scripts: list[Node], baseline: float, size: float) -> str:
    """`base` with what stands between it and the next symbol as sub- and superscript."""
    largest = max(n.size for n in scripts)
    up: list[Node] = []
    down: list[Node] = []
    for node in sorted(scripts, key=lambda n: (n.size < SCRIPT * largest, n.x0)):
        if node.size >= SCRIPT * largest or not (up or down):
            (up if node.baseline < baseline - 0.02 * size else down).append(node)
            continue
        # a script of a script goes with the first-level script it stands next to
        near = {id(side): script_distance(node, side) for side in (up, down) if side}
        (up if near.get(id(up), 1e9) <= near.get(id(down), 1e9) else down).append(node)
    primes = [n for n in up if n.kind == "prime"]
    if len(primes) == len(up) > 0:
        code += "".join(n.latex for n in primes)
        up = []
    if base.kind == "built" and re.match(r"\\(frac|begin)", code):
        code = f"{{{code}}}"
    if code.endswith("'") and up:
        code = f"{{{code}}}"
    if down:
        code += f"_{{{rows_latex(limits_read(down))}}}"
    if up:
        raised = rows_latex(limits_read(up))
        code += f"^{{{raised.replace(chr(39), chr(92) + 'prime ') if up[0].kind == 'prime' else raised}}}"
    return code
