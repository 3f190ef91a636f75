"""A formula's two-dimensional layout read as LaTeX.

Bottom-up in the order in which typesetting nests: accents, then fraction bars and radicals (widest first, each side
read by itself), matrices between tall brackets, limits over and under operators, rows by baseline, and in a row the
scripts between one symbol and the next. Sizes and baselines of a text layer are exact, so thresholds are shares of
the font size (TeX sets scripts at 0.7 of it, subscripts 0.15 to 0.25 below, superscripts 0.36 to 0.45 above).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.formula.cluster import SCRIPT, Unreadable, carries, main_style, reaching
from docparse.layout.formula.marks import accented, dotted
from docparse.layout.formula.matrices import matrices_read
from docparse.layout.formula.nodes import AXIS, Node, nodes_of
from docparse.layout.formula.rows import limits_read, rows_latex
from docparse.layout.text.words import Word

Bar = tuple[float, float, float]  # a horizontal stroke: x0, x1, y


def read(words: Sequence[Word], rulings: np.ndarray) -> tuple[str, float]:
    """LaTeX and how sure it is, 0..1. Raises `Unreadable` for what is better kept as a picture."""
    nodes, known = nodes_of(words)
    if not nodes:
        raise Unreadable
    return _expression(nodes, _bars(nodes, rulings), top=True), 1.0 if known else 0.4


def _bars(nodes: list[Node], rulings: np.ndarray) -> list[Bar]:
    """Horizontal strokes within the formula, each once."""
    if len(rulings) == 0:
        return []
    x0, x1 = min(n.x0 for n in nodes) - 3, max(n.x1 for n in nodes) + 3
    y0, y1 = min(n.top for n in nodes) - 6, max(n.bottom for n in nodes) + 6
    flat = np.abs(rulings[:, 1] - rulings[:, 3]) < 1.2
    inside = (rulings[:, 0] > x0) & (rulings[:, 2] < x1) & (rulings[:, 1] > y0) & (rulings[:, 3] < y1)
    bars: list[Bar] = []
    for a, top, b, bottom in rulings[flat & inside].tolist():
        y = (top + bottom) / 2
        if not any(abs(a - c) < 1 and abs(b - d) < 1 and abs(y - e) < 1.5 for c, d, e in bars):
            bars.append((a, b, y))
    return bars


def _expression(nodes: list[Node], bars: list[Bar], top: bool = False) -> str:
    """What stands by itself: a formula, or a side of a fraction. Raises `Unreadable`."""
    nodes = matrices_read(_strokes(dotted(accented(nodes)), bars))
    return rows_latex(limits_read(nodes), top)


def _strokes(nodes: list[Node], bars: list[Bar]) -> list[Node]:
    """Fraction bars, radicals and overlines, each with what belongs to it as one node; widest first."""
    rest = sorted(bars, key=lambda b: b[0] - b[1])
    while rest:
        x0, x1, y = rest.pop(0)
        radical = next((n for n in nodes if n.kind == "root" and carries(n, x0, y)), None)
        within = [n for n in nodes if x0 - 0.6 <= n.center <= x1 + 0.6 and n is not radical]
        inner = [b for b in rest if b[0] >= x0 - 1.5 and b[1] <= x1 + 1.5]
        under = reaching(within, inner, y, below=True)
        if radical:
            built = _root(radical, [n for n in under if n.top < radical.bottom + 2], inner, nodes, (x0, x1, y))
        elif under and (over := reaching(within, inner, y, below=False)):
            built = _fraction(over, under, inner, (x0, x1, y))
        elif under and min(n.top for n in under) - y < 0.45 * under[0].size:
            built = _line(under, inner, (x0, x1, y))
        else:
            continue
        node, used = built
        gone = {id(n) for n in used}
        nodes = [n for n in nodes if id(n) not in gone]
        nodes.append(node)
        rest = [b for b in rest if not (b in inner and node.top - 1 <= b[2] <= node.bottom + 1)]
    return nodes


def _root(radical: Node, under: list[Node], inner: list[Bar], nodes: list[Node], bar: Bar) -> tuple[Node, list[Node]]:
    x0, x1, y = bar
    if not under:
        raise Unreadable
    bottom = max(n.bottom for n in under)
    index = [
        n for n in nodes
        if n.size < 0.8 * max(m.size for m in under) and radical.x0 - 0.5 * n.size < n.center < radical.x1
        and n is not radical and n.bottom < (y + bottom) / 2 + 0.3 * n.size and n.center < x0
    ]  # fmt: skip
    index = [n for n in index if n.x1 > radical.x0 and radical.x1 - n.x1 > 0.1 * n.size]
    content = _expression(under, [b for b in inner if y < b[2] < bottom])
    degree = f"[{_expression(index, [])}]" if index else ""
    used = [radical, *under, *(index if degree else [])]
    size, baseline = main_style(under)
    if radical.tall:  # it is centred on the line
        baseline = radical.baseline
    return Node(
        "built", rf"\sqrt{degree}{{{content}}}", radical.x0, max(x1, radical.x1), y, bottom, baseline, size,
        tall=any(n.tall for n in under),
    ), used  # fmt: skip


def _fraction(over: list[Node], under: list[Node], inner: list[Bar], bar: Bar) -> tuple[Node, list[Node]]:
    x0, x1, y = bar
    above, below = [b for b in inner if b[2] < y], [b for b in inner if b[2] > y]
    code = rf"\frac{{{_expression(over, above)}}}{{{_expression(under, below)}}}"
    size = max(main_style(over)[0], main_style(under)[0])
    top, bottom = min(n.top for n in over), max(n.bottom for n in under)
    return Node("built", code, x0, x1, top, bottom, y + AXIS * size, size, tall=True), [*over, *under]


def _line(under: list[Node], inner: list[Bar], bar: Bar) -> tuple[Node, list[Node]]:
    x0, x1, y = bar
    first = min(n.top for n in under)
    under = [n for n in under if n.top < first + 1.2 * n.size]
    size, baseline = main_style(under)
    single = len(under) == 1 and under[0].kind == "letter"
    code = rf"\{'bar' if single else 'overline'}{{{_expression(under, [b for b in inner if b[2] > y])}}}"
    bottom = max(n.bottom for n in under)
    return Node("built", code, x0, x1, y, bottom, baseline, size, italic=True), under
