"""Rows of a formula written as LaTeX: limits of operators, lines by their baselines, scripts between symbols."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import accumulate, pairwise

import numpy as np

from docparse.layout.chained import without
from docparse.layout.formula.cluster import (
    FENCES,
    SCRIPT,
    TINY,
    Unreadable,
    chains_of,
    collide,
    main_style,
    rows_of,
)
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.spacing import joined_symbols
from docparse.layout.formula.symbols import LIMITS, glue

# of the named operators, those whose limits LaTeX sets under them
SET_LIMITS = ("lim", "liminf", "limsup", "max", "min", "sup", "inf", "det", "gcd", "Pr")
LONG_ARROWS = {"⟶": r"\xrightarrow", "⟵": r"\xleftarrow", "⟹": r"\xRightarrow", "⟸": r"\xLeftarrow"}
BEHIND = 0.5  # em: a script of a named operator stands so far down at most, a limit under it farther
HUNG = 0.15  # em between a letter and its script
NEIGHBOURS = 12  # operators whose limits stand close, at most: the time grows with each
SUBSTACK = r"\substack{"


def limits_read(nodes: list[Node]) -> list[Node]:
    """Return the rows with what stands straight over and under operators as their limits."""
    nodes = _limits_of_two_words(nodes)
    operators = [n for n in nodes if n.kind == "big" or (n.kind in ("name", "text") and n.text in LIMITS)]
    bare = [replace(n) for n in operators]  # limits make them larger
    for op in [*operators, *(n for n in nodes if n.kind == "rel")]:
        own = [n for n in nodes if n is not op and n.size < SCRIPT * op.size]
        rivals = [o for o in bare if o.size >= SCRIPT * op.size]  # those within a limit are smaller
        free = [chain for chain in chains_of(own, op.size) if not _hangs(chain[0], op, nodes)]
        single = [part for chain in free for part in _by_operator(chain, rivals)]
        chains = sorted(single, key=lambda chain: abs(main_style(chain)[1] - op.baseline))
        nearest = [chain for chain in chains if not any(_apart(o, chain) < _apart(op, chain) for o in rivals)]
        nodes = without(nodes, [n for chain in nearest for n in _limit(op, chain, nodes)])
    return nodes


def _hangs(script: Node, op: Node, nodes: list[Node]) -> bool:
    """Return whether a small symbol is the script of a letter on another line than an operator."""
    return abs(script.baseline - op.baseline) > op.size and any(
        n.size >= script.size / SCRIPT
        and n.kind not in ("big", "rel")
        and abs(script.x0 - n.x1) < HUNG * n.size
        and 0.08 * n.size < abs(script.baseline - n.baseline) < BEHIND * n.size
        for n in nodes
    )


def _apart(op: Node, chain: list[Node]) -> float:
    """Return how far a chain is over or under an operator; nothing where it stands right behind it, infinite elsewhere
    beside it."""
    x0, top, bottom = min(n.x0 for n in chain), min(n.top for n in chain), max(n.bottom for n in chain)
    level = max(top - op.bottom, op.top - bottom) < -0.1 * op.size
    if op.kind != "big":  # how far down its letters reach is not known
        level = abs(main_style(chain)[1] - op.baseline) < BEHIND * op.size
    if abs(x0 - op.x1) < 0.3 * op.size and level:
        return -np.inf
    if min(op.x1, max(n.x1 for n in chain)) <= max(op.x0, x0):
        return np.inf
    return max(top - op.bottom, op.top - bottom)


def _by_operator(chain: list[Node], operators: list[Node]) -> list[list[Node]]:
    """The parts of a chain, each straight over or under one operator: limits of neighbours stand close."""
    x0, x1 = chain[0].x0, max(n.x1 for n in chain)
    along = [o for o in operators if o.x0 < x1 and o.x1 > x0]
    if not 1 < len(along) <= NEIGHBOURS:
        return [chain]
    reached = sorted((o for o in along if abs(_apart(o, chain)) < o.size), key=lambda o: o.center)
    ends = list(accumulate((n.x1 for n in chain), max))  # no part before a cut reaches farther
    parts, start = [], 0
    for left, right in pairwise(reached):
        fitting = []
        for k in range(start + 1, len(chain)):
            width, apart = ends[k - 1] - chain[start].x0, abs((chain[start].x0 + ends[k - 1]) / 2 - left.center)
            if chain[k].x0 < right.center and _is_centered(left, width, apart):
                fitting.append((apart, k))
        if fitting:
            cut = min(fitting)[1]
            parts.append(chain[start:cut])
            start = cut
    return [*parts, chain[start:]]


def _middle(chain: list[Node]) -> float:
    return (min(n.x0 for n in chain) + max(n.x1 for n in chain)) / 2


def _is_centered(op: Node, width: float, apart: float) -> bool:
    """Return whether a chain stands as straight over or under an operator as limits do; `apart` is how far their
    middles are from each other."""
    return apart <= 0.12 * max(width, op.width) + 0.2 * op.size


def _limits_of_two_words(nodes: list[Node]) -> list[Node]:
    """The nodes with `lim inf` and `lim sup` as one operator."""
    for first in [n for n in nodes if n.text == "lim"]:
        level = (n for n in nodes if n.text in ("inf", "sup") and abs(n.baseline - first.baseline) < 0.1 * first.size)
        second = next((n for n in level if 0 <= n.x0 - first.x1 < 0.4 * first.size), None)
        if second:
            name = first.text + second.text
            whole = replace(first, text=name, latex=rf"\{name}", x1=second.x1)
            nodes = [*without(nodes, [first, second]), whole]
    return nodes


def _limit(op: Node, chain: list[Node], nodes: list[Node]) -> list[Node]:
    """Give `op` the chain as its limit, if it is one; the nodes that are then part of it."""
    x0, x1, size = min(n.x0 for n in chain), max(n.x1 for n in chain), op.size
    shift = main_style(chain)[1] - op.baseline
    ways: list[tuple[float, list[Node]]] = [(abs(_middle(chain) - op.center), [])]
    arg = next((n for n in nodes if n.text == "arg" and 0 <= op.x0 - n.x1 < 0.4 * size), None)
    if arg and shift > 0:  # arg min may have its limit under both
        ways.append((abs((x0 + x1) / 2 - (arg.x0 + op.x1) / 2), [arg]))
    apart, before = min(ways, key=lambda way: way[0])
    if op.kind == "rel" and apart > 0.1 * size:
        return []
    further = op.under if shift > 0 else op.over
    reach = (op.bottom - op.baseline if shift > 0 else op.baseline - op.top) + size if further else 2.2 * size
    if not _is_centered(op, x1 - x0, apart) or not 0.5 * size < abs(shift) < reach:
        return []
    if shift > 0:
        op.under = _stacked(op.under, rows_latex(chain))
    else:
        op.over = _stacked(rows_latex(chain), op.over)
    op.x0, op.x1 = min(op.x0, x0), max(op.x1, x1)
    op.top, op.bottom = min(op.top, *(n.top for n in chain)), max(op.bottom, *(n.bottom for n in chain))
    op.tall = True
    if op.kind == "rel":
        op.latex, op.over, op.under = _labelled(op), "", ""
    elif op.kind != "big" and op.text not in SET_LIMITS:
        op.latex, op.kind = rf"\operatorname*{{{op.text}}}", "name"
    if before:
        op.latex, op.x0 = rf"\operatorname*{{arg\,{op.text}}}", before[0].x0
    return [*chain, *before]


def _stacked(*parts: str) -> str:
    """Two parts of a limit, one over the other; either may have several lines, or none."""
    lines = [part[len(SUBSTACK) : -1] if part.startswith(SUBSTACK) else part for part in parts if part]
    return SUBSTACK + r" \\ ".join(lines) + "}" if len(lines) > 1 else "".join(lines)


def _labelled(relation: Node) -> str:
    """A relation with words over or under it; an arrow that TeX made longer is as long as they are."""
    if relation.text in LONG_ARROWS:
        return LONG_ARROWS[relation.text] + (f"[{relation.under}]" if relation.under else "") + f"{{{relation.over}}}"
    code = rf"\overset{{{relation.over}}}{{{relation.latex}}}" if relation.over else relation.latex
    return rf"\underset{{{relation.under}}}{{{code}}}" if relation.under else code


def rows_latex(nodes: list[Node]) -> str:
    """Return one row, or two, one over the other. Raises `Unreadable`."""
    rows = rows_of(nodes)
    if len(rows) > 2:
        raise Unreadable
    return row_latex(rows[0]) if len(rows) == 1 else _stacked(*map(row_latex, rows))


def row_latex(nodes: list[Node], *, outer: bool = False) -> str:
    """Return one row; in an `outer` one fractions would be of full size. Raises `Unreadable`."""
    size, baseline = main_style(nodes)
    main: list[Node] = []
    scripts: list[Node] = []
    for node in sorted(nodes, key=lambda n: (n.x0, n.x1)):
        small, rise = node.size < SCRIPT * size, (baseline - node.baseline) / size
        shift = abs(rise)
        least = 0.3 if node.kind == "built" and not node.italic else 0.14 if not small else 0.08 if rise > 0 else 0.05
        tiny = node.size < TINY * size and not node.latex.startswith(r"\frac")  # fractions are on the axis at any size
        raised = (small and (shift > least or node.kind == "prime" or tiny)) or (
            shift > least and node.kind in ("letter", "number", "op")
        )
        if node.kind in FENCES and not small:  # those of the line go around its axis, and under its baseline
            raised = node.bottom < baseline - 0.05 * size
        if small and not node.tall and scripts and abs(node.x0 - scripts[-1].x1) < 0.1 * size:
            raised |= node.size <= scripts[-1].size  # a script of a script may be back on the line
        (scripts if raised else main).append(node)
    if any(collide(a, b) for a, b in pairwise(main)):
        raise Unreadable
    hung: dict[int, list[Node]] = {}
    for script in scripts:
        bases = [k for k, n in enumerate(main) if n.x0 + 0.3 * min(n.width, size) < script.x0 + 0.05 * size]
        hung.setdefault(bases[-1] if bases else -1, []).append(script)
    parts, edges = [], []
    for k, node in enumerate(main):
        if outer and node.latex.startswith(r"\frac") and node.size < SCRIPT * size:
            node.latex = r"\t" + node.latex[1:]
        parts.append(_hang(node.latex, hung.get(k, []), baseline, node.under, node.over))
        edges.append(max([node.x1, *(n.x1 for n in hung.get(k, []))]))
    return joined_symbols(main, parts, edges, size, _hang("{}", hung[-1], baseline) if -1 in hung else "")


def _hang(code: str, scripts: list[Node], baseline: float, under: str = "", over: str = "") -> str:
    """`code` with its limits, and what stands between it and the next symbol as sub- and superscript."""
    plain = [n for n in scripts if n.kind not in FENCES] or scripts
    largest = max((n.size for n in plain), default=0.0)
    first = [n for n in scripts if n.size >= SCRIPT * largest or (n.kind == "built" and n.tall)]  # a fraction's halves
    up = [n for n in first if n.baseline < baseline]
    down = [n for n in first if n.baseline >= baseline]
    for node in sorted(without(scripts, first), key=lambda n: n.x0):
        # a script of a script goes with what it stands behind
        before = [n for n in (*up, *down) if n.center < node.x0]
        near = min(before, key=lambda n: abs(n.baseline - node.baseline) + abs(node.x0 - n.x1), default=node)
        (up if any(n is near for n in up) or (near is node and node.baseline < baseline) else down).append(node)
    primes = [n for n in up if n.kind == "prime" and n.size >= SCRIPT * largest]  # others are a script's
    up = without(up, primes)
    under = " ".join(filter(None, (under, rows_latex(limits_read(down)) if down else "")))
    over = " ".join(filter(None, (over, rows_latex(limits_read(up)) if up else "")))
    sub, sup = f"_{{{under}}}" if under else "", f"^{{{over}}}" if over else ""
    if up and down and not primes and code != "{}":  # one behind the other, and not one over the other
        first, second = (down, up) if min(n.x0 for n in up) > min(n.x0 for n in down) else (up, down)
        if min(n.x0 for n in second) > max(n.x1 for n in first) - 0.05 * largest:
            return "{" + glue(code, sub if first is down else sup) + "}" + (sup if first is down else sub)
    ticks = "".join(n.latex for n in primes)
    between = (sub, ticks) if sup else (ticks, sub)  # LaTeX wants a prime right before a superscript
    return reduce(glue, (code, *between, sup))
