"""An expression of a formula: accents, then fraction bars, radicals and lines (widest first, each side read by itself),
braces, arrows, and matrices between tall brackets; what is left stands in rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np

from docparse.layout.chained import without
from docparse.layout.formula.cluster import (
    SCRIPT,
    Unreadable,
    carries,
    chains_of,
    column_starts,
    main_style,
    partner,
    reaching,
    rows_of,
)
from docparse.layout.formula.composites import composed
from docparse.layout.formula.nodes import AXIS, DROP, Node
from docparse.layout.formula.rows import limits_read, rows_latex

MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\{", r"\}"): "Bmatrix"}
# em between the baselines of a binomial: in a display of TeX num1 + denom1 of its symbols; lines of a matrix are
# 1.304, 1.329 or 1.366 apart where a document has them farther apart than usual, so it must be just that
BINOMIAL = 1.36, 1.365
# in a line, in em of the brackets: num3 + denom2 is 0.79, and lines of a small matrix are 0.6 apart
SMALL_BINOMIAL = 0.7, 0.9
BRACES = frozenset("⏞⏟⎴⎵")  # and what lengthens them
OVER = {"→": "overrightarrow", "⟶": "overrightarrow", "←": "overleftarrow", "⟵": "overleftarrow"}

Bar = tuple[float, float, float]  # a horizontal stroke: x0, x1, y


def expression(nodes: list[Node], bars: list[Bar]) -> str:
    """Return what stands by itself, as a side of a fraction does. Raises `Unreadable`."""
    return rows_latex(nested(composed(nodes, bars), bars))


def nested(nodes: list[Node], bars: list[Bar]) -> list[Node]:
    """Return symbols, those in pieces put together, with all that holds others as one. Raises `Unreadable`."""
    return limits_read(_matrices(_strokes(_under_arrows(_braced(nodes, bars)), bars)))


def _strokes(nodes: list[Node], bars: list[Bar]) -> list[Node]:
    """Fraction bars, radicals and overlines, each with what belongs to it as one node; widest first."""
    rest = sorted((b for b in bars if not any(_is_shaft(b, n) for n in nodes)), key=lambda b: b[0] - b[1])
    reach = _own_rows(bars, nodes)
    while rest:
        bar = x0, x1, y = rest.pop(0)
        top, bottom = reach[bar]
        radical = next((n for n in nodes if n.kind == "root" and carries(n, x0, y)), None)
        within = [n for n in nodes if x0 - 0.6 <= n.center <= x1 + 0.6 and top < n.middle < bottom]
        inner = [b for b in rest if b[0] >= x0 - 1.5 and b[1] <= x1 + 1.5 and top < b[2] < bottom]
        under = reaching(within, inner, y, below=True)
        if radical:
            built = _root(radical, under, inner, nodes, bar)
        elif under and (over := reaching(within, inner, y, below=False)):
            built = _fraction(over, under, inner, bar)
        elif under and min(n.top for n in under) - y < 0.45 * under[0].size:
            built = _lined("overline", under, [b for b in inner if b[2] > y], bar)
        elif not under and (on := reaching(within, inner, y, below=False)) and y - on[0].baseline < 0.5 * on[0].size:
            if any(n.text == "_" and abs(n.center - (x0 + x1) / 2) < n.size for n in nodes):
                continue  # it is this underscore, which TeX draws
            built = _lined("underline", on, [b for b in inner if b[2] < y], bar)
        else:
            continue
        node, used = built
        nodes = [*without(nodes, used), node]
        rest = [b for b in rest if not (b in inner and node.top - 1 <= b[2] <= node.bottom + 1)]
    return nodes


def _is_shaft(bar: Bar, node: Node) -> bool:
    """Return whether a stroke is that of a long arrow, of which the node is the head: it reaches into it."""
    x0, x1, y = bar
    inside = x0 < node.center and x1 > node.x0 + 0.3 * (node.x1 - node.x0)
    return node.text in OVER and abs(node.middle - y) < 0.1 * node.size and inside


def _own_rows(bars: list[Bar], nodes: list[Node]) -> dict[Bar, tuple[float, float]]:
    """Return how far up and down each bar reaches: between two with more than one row of symbols, and no bar between
    these, another line begins."""
    reach = {bar: (-np.inf, np.inf) for bar in bars}
    for upper, lower in combinations(sorted(bars, key=lambda b: b[2]), 2):
        x0, x1 = max(upper[0], lower[0]), min(upper[1], lower[1])
        between = [n for n in nodes if upper[2] < n.middle < lower[2] and x0 - 1 < n.center < x1 + 1]
        if x1 - x0 < 0.5 * min(upper[1] - upper[0], lower[1] - lower[0]) or len(between) < 2:
            continue
        size = max(n.size for n in between)
        full = sorted((n for n in between if n.size >= 0.86 * size), key=lambda n: n.baseline)
        barred = [b[2] for b in bars if min(x1, b[1]) > max(x0, b[0])]
        ends = [
            a.baseline + DROP * size for a, b in pairwise(full)
            if b.baseline - a.baseline > 0.7 * size and not any(a.baseline < y < b.baseline for y in barred)
        ]  # fmt: skip
        if ends:
            reach[upper] = (reach[upper][0], min(reach[upper][1], ends[0]))
            reach[lower] = (max(reach[lower][0], ends[-1]), reach[lower][1])
    return reach


def _built(
    code: str,
    parts: list[Node],
    style: tuple[float, float],
    bar: Bar | None = None,
    *,
    tall: bool = False,
    italic: bool = False,
) -> Node:
    """Parts, with a stroke over, under or between them, as one node of a style: size and baseline."""
    extents = [(n.x0, n.x1, n.top, n.bottom) for n in parts] + ([(*bar, bar[2])] if bar else [])
    x0, x1, top, bottom = zip(*extents, strict=True)
    (size, baseline), extent = style, (min(x0), max(x1), min(top), max(bottom))
    return Node("built", code, *extent, baseline, size, tall=tall, italic=italic)


def _root(radical: Node, under: list[Node], inner: list[Bar], nodes: list[Node], bar: Bar) -> tuple[Node, list[Node]]:
    x0, x1, y = bar
    size, baseline = main_style(under)
    bottom = max(n.bottom for n in under)
    index = [
        n for n in without(nodes, [radical])
        if n.size < 0.8 * size and radical.x0 < n.x1 and n.center < x0
        and y < n.bottom < (y + bottom) / 2 + 0.3 * n.size
    ]  # fmt: skip
    degree = f"[{expression(index, [])}]" if index else ""
    code = rf"\sqrt{degree}{{{expression(under, inner)}}}"
    style = size, radical.baseline if radical.tall else baseline  # a tall one is centred on the line
    whole = _built(code, under, style, (radical.x0, max(x1, radical.x1), y), tall=any(n.tall for n in under))
    return whole, [radical, *under, *index]


def _fraction(over: list[Node], under: list[Node], inner: list[Bar], bar: Bar) -> tuple[Node, list[Node]]:
    above, below = [b for b in inner if b[2] < bar[2]], [b for b in inner if b[2] > bar[2]]
    code = rf"\frac{{{expression(over, above)}}}{{{expression(under, below)}}}"
    size = max(main_style(over)[0], main_style(under)[0])
    parts = [*over, *under]
    return _built(code, parts, (size, bar[2] + AXIS * size), bar, tall=True), parts


def _lined(command: str, parts: list[Node], inner: list[Bar], bar: Bar) -> tuple[Node, list[Node]]:
    size, baseline = main_style(parts)
    if min(min(n.x0 for n in parts) - bar[0], bar[1] - max(n.x1 for n in parts)) > size:
        raise Unreadable  # a longer stroke is an arrow of a diagram
    code = rf"\{command}{{{expression(parts, inner)}}}"
    return _built(code, parts, (size, baseline), bar, italic=True), parts


def _under_arrows(nodes: list[Node]) -> list[Node]:
    """Arrows right over symbols of their size, each with these as one node."""
    for arrow in [n for n in nodes if n.text in OVER]:
        em = arrow.size
        under = [
            n for n in nodes
            if arrow.x0 - 0.1 * em < n.center < arrow.x1 + 0.1 * em and 0.2 * em < n.baseline - arrow.baseline < em
        ]  # fmt: skip
        if any(n.size >= SCRIPT * em and n.kind != "rel" for n in under):
            node, used = _lined(OVER[arrow.text], under, [], (arrow.x0, arrow.x1, arrow.middle))
            nodes = [*without(nodes, [*used, arrow]), node]
    return nodes


def _braced(nodes: list[Node], bars: list[Bar]) -> list[Node]:
    """Horizontal braces with what they hold and their label as one node."""
    for brace in _braces(nodes):
        left, over = brace[0], brace[0].text == "⏞"
        x0, x1, y = left.x0, brace[-1].x1, left.middle
        rest = without(nodes, brace)
        held = reaching([n for n in rest if x0 - 1 <= n.center <= x1 + 1], [], y, below=over)
        size, baseline = main_style(held)
        small = [n for n in rest if n.size < 0.9 * size and (n.middle < y) == over and abs(n.middle - y) < 1.6 * size]
        label = next((c for c in chains_of(small, size) if abs(c[0].x0 + c[-1].x1 - x0 - x1) < size), [])
        inner = [b for b in bars if b[0] >= x0 and b[1] <= x1 and (b[2] > y) == over]
        code = rf"\{'over' if over else 'under'}brace{{{expression(held, inner)}}}"
        used = [*brace, *held, *label]
        node = _built(code, used, (size, baseline), italic=True)
        said = expression(label, []) if label else ""
        node.over, node.under = (said, "") if over else ("", said)
        nodes = [*without(nodes, used), node]
    return nodes


def _braces(nodes: list[Node]) -> Iterator[list[Node]]:
    """Yield the pieces of each horizontal brace from left to right: in TeX's fonts four tips, strokes between them."""
    rest = sorted((n for n in nodes if n.text in BRACES), key=lambda n: n.x0)
    while rest:
        first = rest[0]
        brace = [n for n in rest if abs(n.middle - first.middle) < 0.3 * first.size]
        turned = len(brace) > 3 and brace[1].text in "⏞⏟" and brace[1].text != first.text
        gaps = (k for k, (a, b) in enumerate(pairwise(brace), 1) if b.x0 - a.x1 > 0.3 * first.size)
        brace = brace[: 4 if turned else next(gaps, None)]
        rest = without(rest, brace)
        yield brace


def _matrices(nodes: list[Node]) -> list[Node]:
    """Tall brackets around more than one row become a matrix or cases; innermost (shortest) first."""
    brackets = (n for n in nodes if n.kind in ("open", "bar") and n.tall)
    for left in sorted(brackets, key=lambda n: n.bottom - n.top):
        if left not in nodes:
            continue
        right = partner(left, nodes)
        if right is None and left.latex != r"\{":
            continue
        limit = right.x0 if right else max(n.x1 for n in nodes) + 1
        inside = [n for n in nodes if left.x1 <= n.center <= limit and left.top - 2 <= n.middle <= left.bottom + 2]
        content = without(inside, [left, right])
        if right is None:
            content = _without_end(content, left.middle + AXIS * left.size)
        try:
            rows = rows_of(content)
        except Unreadable:
            continue
        if len(rows) == 1:
            continue
        name = MATRICES.get((left.latex, right.latex), "matrix") if right else "cases"
        if name == "pmatrix" and _is_binomial(rows, left.size):
            code = rf"\binom{{{rows_latex(rows[0])}}}{{{rows_latex(rows[1])}}}"
        else:
            code = rf"\begin{{{name}}} {_grid(rows, content)} \end{{{name}}}"
        if right and name == "matrix":
            code = rf"\left{left.latex} {code} \right{right.latex}"
        size = main_style(content)[0]
        parts = [left, right] if right else [left, *content]
        node = _built(code, parts, (size, left.middle + AXIS * size), tall=True)
        nodes = [*without(nodes, [*content, left, right]), node]
    return nodes


def _is_binomial(rows: list[list[Node]], size: float) -> bool:
    """Return whether two entries are as far apart as TeX sets the halves of a fraction without a bar; `size` is that of
    the brackets."""
    content = [n for row in rows for n in row]
    (upper, above), (lower, below) = main_style(rows[0]), main_style(rows[-1])
    if len(rows) != 2 or len(column_starts(content, 0.4 * size)) > 1:
        return False
    if max(upper, lower) < SCRIPT * size:
        return SMALL_BINOMIAL[0] < (below - above) / size < SMALL_BINOMIAL[1]
    apart = BINOMIAL[0] < (below - above) / max(upper, lower) < BINOMIAL[1]
    return apart and not any(n.tall or n.kind == "built" for n in content)


def _without_end(content: list[Node], line: float) -> list[Node]:
    """Cases without what goes on behind them on the `line` of the whole, a baseline: a full stop, and more where no
    case stands there."""
    size = main_style(content)[0] if content else 0.0
    full = [n for n in content if n.size >= SCRIPT * size]
    level = [n for n in full if abs(n.baseline - line) < 0.15 * n.size]
    end = max((n.x1 for n in without(full, level)), default=np.inf)
    behind = [n for n in content if n.x0 >= end]
    if not behind or not level or max(abs(n.baseline - line) for n in behind) > 0.6 * size:
        return content
    start = min(n.x0 for n in behind)
    case = [n for n in level if n.x0 < end]
    stop = behind[0].kind == "punct" and len(behind) == 1 and all(n.x1 < start - 0.3 * size for n in case)
    return without(content, behind) if stop or not case else content


def _within(row: list[Node]) -> Iterator[float]:
    """Yield where entries go on: behind an operator, and at one with about as much room before as behind it."""
    for a, b in pairwise(row):
        if a.kind == "op":
            yield b.x0
    for a, b, c in zip(row, row[1:], row[2:], strict=False):
        if b.kind in ("op", "rel") and c.x0 - b.x1 > 0.5 * (b.x0 - a.x1):
            yield b.x0


def _grid(rows: list[list[Node]], content: list[Node]) -> str:
    size = main_style(content)[0]
    within = {x for row in rows for x in _within(sorted(row, key=lambda n: n.x0))}
    starts = [x for x in column_starts(content, 0.4 * size) if x not in within]
    for node in content:
        if node.latex.startswith(r"\frac") and node.size >= SCRIPT * size:  # LaTeX would set it in small type
            node.latex = r"\d" + node.latex[1:]
    lines = []
    for row in rows:
        columns: list[list[Node]] = [[] for _ in starts]
        for node in row:
            columns[max(k for k, x in enumerate(starts) if node.x0 >= x - 0.1)].append(node)
        lines.append(" & ".join(rows_latex(limits_read(column)) if column else "" for column in columns))
    return r" \\ ".join(lines)
