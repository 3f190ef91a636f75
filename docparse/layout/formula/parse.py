"""A formula's two-dimensional layout read as LaTeX.

Bottom-up in the order in which typesetting nests: accents, then fraction bars and radicals (widest first, each side
read by itself), matrices between tall brackets, limits over and under operators, rows by baseline, and in a row the
scripts between one symbol and the next. Sizes and baselines of a text layer are exact, so thresholds are shares of
the font size (TeX sets scripts at 0.7 of it, subscripts 0.15 to 0.25 below, superscripts 0.36 to 0.45 above).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from docparse.layout.formula.cluster import (
    SCRIPT,
    Unreadable,
    bare_operator,
    carries,
    chains_of,
    collide,
    column_starts,
    common_value,
    first_relation,
    grid_rows,
    main_style,
    partner,
    reaching,
    rows_of,
    script_distance,
    stretched,
)
from docparse.layout.formula.marks import (
    accented,
    dotted,
    inline_tag,
    pieces_joined,
    without_number,
    without_tag,
)
from docparse.layout.formula.nodes import AXIS, Node, nodes_of
from docparse.layout.formula.symbols import LIMITS
from docparse.layout.formula.write import row_latex, with_limits
from docparse.layout.words import Word

MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\{", r"\}"): "Bmatrix"}


def read(words: Sequence[Word], rulings: np.ndarray) -> tuple[str, float]:
    """LaTeX and how sure it is, 0..1. Raises `Unreadable` for what is better kept as a picture."""
    nodes, known = nodes_of(words)
    if not nodes:
        raise Unreadable
    nodes, tag = without_number(nodes)
    return _Reader().expression(nodes, _bars(nodes, rulings), top=True) + tag, 1.0 if known else 0.4


def _bars(nodes: list[Node], rulings: np.ndarray) -> list[tuple[float, float, float]]:
    """Horizontal strokes within the formula as (x0, x1, y), each once."""
    if len(rulings) == 0:
        return []
    x0, x1 = min(n.x0 for n in nodes) - 3, max(n.x1 for n in nodes) + 3
    y0, y1 = min(n.top for n in nodes) - 6, max(n.bottom for n in nodes) + 6
    flat = np.abs(rulings[:, 1] - rulings[:, 3]) < 1.2
    inside = (rulings[:, 0] > x0) & (rulings[:, 2] < x1) & (rulings[:, 1] > y0) & (rulings[:, 3] < y1)
    bars: list[tuple[float, float, float]] = []
    for a, top, b, bottom in rulings[flat & inside].tolist():
        y = (top + bottom) / 2
        if not any(abs(a - c) < 1 and abs(b - d) < 1 and abs(y - e) < 1.5 for c, d, e in bars):
            bars.append((a, b, y))
    return bars


def _on_axis(node: Node, y: float) -> bool:
    """The stroke at `y` lies where the bar of a fraction does on the node's line."""
    return node.kind != "built" and not node.tall and abs(node.baseline - AXIS * node.size - y) < 0.08 * node.size


def _stands_over(node: Node, op: Node) -> bool:
    """Straight above or below an operator, as only limits do."""
    apart = abs(node.baseline - op.baseline) > 0.5 * op.size
    return apart and node.size < SCRIPT * op.size and op.x0 - op.size < node.center < op.x1 + op.size


class _Reader:
    """Recursive reader; a method per kind of layout."""

    def expression(self, nodes: list[Node], bars: list[tuple[float, float, float]], top: bool = False) -> str:
        nodes = pieces_joined(nodes)
        nodes = dotted(accented(nodes))
        nodes = self._bars(nodes, bars)
        nodes = self._matrices(nodes)
        nodes = self._limits(nodes)
        return self._rows(nodes, top)

    # fraction bars, radicals, overlines

    def _bars(self, nodes: list[Node], bars: list[tuple[float, float, float]]) -> list[Node]:
        rest = sorted(bars, key=lambda b: b[0] - b[1])
        while rest:
            x0, x1, y = rest.pop(0)
            radical = next((n for n in nodes if n.kind == "root" and carries(n, x0, y)), None)
            within = [n for n in nodes if x0 - 0.6 <= n.center <= x1 + 0.6 and n is not radical]
            inner = [b for b in rest if b[0] >= x0 - 1.5 and b[1] <= x1 + 1.5]
            under = reaching(within, inner, y, below=True)
            if radical:
                built = self._root(radical, [n for n in under if n.top < radical.bottom + 2], inner, nodes, (x0, x1, y))
            elif under and (over := reaching(within, inner, y, below=False)):
                built = self._fraction(over, under, inner, (x0, x1, y))
            elif under and min(n.top for n in under) - y < 0.45 * under[0].size:
                built = self._line(under, inner, (x0, x1, y))
            else:
                continue
            node, used = built
            gone = {id(n) for n in used}
            nodes = [n for n in nodes if id(n) not in gone]
            row = next((n for n in nodes if n.size * SCRIPT > node.size and _on_axis(n, y)), None)
            if row:  # a small fraction in a line of full size
                node.size, node.baseline = row.size, row.baseline
            nodes.append(node)
            rest = [b for b in rest if not (b in inner and node.top - 1 <= b[2] <= node.bottom + 1)]
        return nodes

    def _root(
        self, radical: Node, under: list[Node], inner: list, nodes: list[Node], bar: tuple[float, float, float]
    ) -> tuple[Node, list[Node]]:
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
        content = self.expression(under, [b for b in inner if y < b[2] < bottom])
        degree = (
            f"[{self.expression(index, [])}]" if index and all(n.kind in ("number", "letter") for n in index) else ""
        )
        used = [radical, *under, *(index if degree else [])]
        size, baseline = main_style(under)
        return Node(
            "built", rf"\sqrt{degree}{{{content}}}", radical.x0, max(x1, radical.x1), y, bottom, baseline, size,
            tall=any(n.tall for n in under),
        ), used  # fmt: skip

    def _fraction(
        self, over: list[Node], under: list[Node], inner: list, bar: tuple[float, float, float]
    ) -> tuple[Node, list[Node]]:
        x0, x1, y = bar
        above, below = [b for b in inner if b[2] < y], [b for b in inner if b[2] > y]
        code = rf"\frac{{{self.expression(over, above)}}}{{{self.expression(under, below)}}}"
        size = max(main_style(over)[0], main_style(under)[0])
        top, bottom = min(n.top for n in over), max(n.bottom for n in under)
        return Node("built", code, x0, x1, top, bottom, y + AXIS * size, size, tall=True), [*over, *under]

    def _line(self, under: list[Node], inner: list, bar: tuple[float, float, float]) -> tuple[Node, list[Node]]:
        x0, x1, y = bar
        first = min(n.top for n in under)
        under = [n for n in under if n.top < first + 1.2 * n.size]
        size, baseline = main_style(under)
        single = len(under) == 1 and under[0].kind == "letter"
        code = rf"\{'bar' if single else 'overline'}{{{self.expression(under, [b for b in inner if b[2] > y])}}}"
        bottom = max(n.bottom for n in under)
        return Node("built", code, x0, x1, y, bottom, baseline, size, italic=True), under

    # matrices and cases

    def _matrices(self, nodes: list[Node]) -> list[Node]:
        """Brackets around more than one row become a matrix or cases; innermost (shortest) first."""
        opens = sorted(
            (n for n in nodes if n.kind == "open" or (n.kind == "bar" and n.tall)), key=lambda n: n.bottom - n.top
        )
        for left in opens:
            if left not in nodes:
                continue
            right = partner(left, nodes) if left.tall else stretched(left, nodes)
            slack = 2.0 if left.tall else left.size  # a stretched glyph of an OpenType font does not tell its height
            limit = right.x0 if right else max(n.x1 for n in nodes) + 1
            content = [
                n for n in nodes if left.x1 <= n.center <= limit and left.top - slack <= n.middle <= left.bottom + slack
            ]
            content = [n for n in content if n is not left and n is not right]
            if not right and (left.latex != r"\{" or not content):
                continue
            if not left.tall and any(
                abs(n.baseline - left.baseline) < 0.2 * n.size for n in content if n.kind != "built"
            ):
                continue
            rows = grid_rows(content)
            if not rows:
                continue
            cells = self._grid(rows, content)
            name = MATRICES.get((left.latex, right.latex)) if right else "cases"
            body = r" \\ ".join(" & ".join(row) for row in cells)
            if name:
                code = rf"\begin{{{name}}} {body} \end{{{name}}}"
            else:
                closing = right.latex if right else "."
                code = rf"\left{left.latex} \begin{{matrix}} {body} \end{{matrix}} \right{closing}"
            size = main_style(content)[0]
            x1 = right.x1 if right else max(n.x1 for n in content)
            used = {id(n) for n in [*content, left, right]}
            middle = left.middle + AXIS * size
            node = Node("built", code, left.x0, x1, left.top, left.bottom, middle, size, tall=True)
            nodes = [n for n in nodes if id(n) not in used] + [node]
        return nodes

    def _grid(self, rows: list[list[Node]], content: list[Node]) -> list[list[str]]:
        size = main_style(content)[0]
        starts = column_starts(content, 0.4 * size)
        cells = []
        for row in rows:
            columns: list[list[Node]] = [[] for _ in starts]
            for node in row:
                columns[max(k for k, x in enumerate(starts) if node.x0 >= x - 0.1)].append(node)
            cells.append([self._rows(self._limits(column), False) if column else "" for column in columns])
        return cells

    # limits of operators

    def _limits(self, nodes: list[Node]) -> list[Node]:
        operators = [n for n in nodes if n.kind == "big" or (n.kind in ("name", "text") and n.text in LIMITS)]
        if not operators:
            return nodes
        for op in operators:
            if not any(n is op for n in nodes):
                continue  # it was a limit of another one
            # inside a script the operator is as small as its limits are beside it
            size = (
                op.size
                if op.kind != "big" or all(n is op or _stands_over(n, op) for n in nodes)
                else min(
                    op.size,
                    max((n.size for n in nodes if n.kind != "big"), default=op.size) if len(nodes) > 1 else op.size,
                )
            )
            small = [n for n in nodes if n is not op and n.size < SCRIPT * size]
            chains = chains_of(small, size)
            used: set[int] = set()
            for chain in chains:
                center = (min(n.x0 for n in chain) + max(n.x1 for n in chain)) / 2
                width = max(n.x1 for n in chain) - min(n.x0 for n in chain)
                target, names = op.center, [op]
                arg = next((n for n in nodes if n.text == "arg" and 0 <= op.x0 - n.x1 < 0.4 * size), None)
                if arg and abs(center - (arg.x0 + op.x1) / 2) < abs(center - op.center):
                    target, names = (arg.x0 + op.x1) / 2, [arg, op]
                base = main_style(chain)[1]
                shift = base - op.baseline
                if abs(center - target) > 0.12 * max(width, op.width) + 0.2 * size or not 0.5 < abs(shift) / size < 2.2:
                    continue
                code = self._rows(chain, False)
                if shift > 0:
                    op.under = code
                else:
                    op.over = code
                op.x0, op.x1 = min(op.x0, *(n.x0 for n in chain)), max(op.x1, *(n.x1 for n in chain))
                op.top, op.bottom = min(op.top, *(n.top for n in chain)), max(op.bottom, *(n.bottom for n in chain))
                op.tall = True
                if op.kind != "big" and op.text not in (
                    "lim",
                    "liminf",
                    "limsup",
                    "max",
                    "min",
                    "sup",
                    "inf",
                    "det",
                    "gcd",
                    "Pr",
                ):
                    op.latex, op.kind = rf"\operatorname*{{{op.text}}}", "name"
                if len(names) == 2:
                    op.latex, op.x0 = rf"\operatorname*{{arg\,{op.text}}}", names[0].x0
                    used.add(id(names[0]))
                used |= {id(n) for n in chain}
            nodes = [n for n in nodes if id(n) not in used]
        return nodes

    # rows

    def _rows(self, nodes: list[Node], top: bool) -> str:
        rows = rows_of(nodes)
        if not rows:
            raise Unreadable
        if len(rows) == 1:
            row, tag = without_tag(rows[0]) if top else (rows[0], "")
            return self._row(row) + tag
        if not top:
            if len(rows) == 2 and all(main_style(row)[0] < 1.2 * main_style(nodes)[0] for row in rows):
                return rf"\substack{{{self._row(rows[0])} \\ {self._row(rows[1])}}}"
            raise Unreadable
        return self._aligned(rows)

    def _aligned(self, rows: list[list[Node]]) -> str:
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
                behind = common is not None and row and min(n.x0 for n in row) > common - 2 * row[0].size
                before = common is not None and row and max(n.x1 for n in row) < common
                lines.append(("& " if behind else "") + self._row(row) + (" &" if before and not behind else ""))
                continue
            left = [n for n in row if n.x0 < mark.x0 - 0.1]
            right = [n for n in row if n.x0 >= mark.x0 - 0.1]
            lines.append((self._row(left) + " " if left else "") + "&" + self._row(right))
        tags = [tag for _, tag in tagged if tag]
        if len(tags) > 1:
            lines = [f"{line}{inline_tag(tag)}" for line, (_, tag) in zip(lines, tagged, strict=True)]
            tags = []
        name = "aligned" if common is not None else "gathered"
        return rf"\begin{{{name}}} " + r" \\ ".join(lines) + rf" \end{{{name}}}" + (tags[0] if tags else "")

    def _row(self, nodes: list[Node]) -> str:
        bare = bare_operator(nodes)
        size, baseline = (bare.size, bare.baseline) if bare else main_style(nodes)
        main: list[Node] = []
        scripts: list[Node] = []
        for node in sorted(nodes, key=lambda n: (n.x0, n.x1)):
            shift = (baseline - node.baseline) / size
            least = 0.14 if node.size >= SCRIPT * size else 0.08 if node.kind != "built" else 0.3
            prime = node.kind == "prime" and node.size < SCRIPT * size
            raised = prime or (abs(shift) > least and (node.size < SCRIPT * size or node.kind in ("letter", "number")))
            (scripts if raised and not (node.kind in ("big", "open", "close", "bar") and node.tall) else main).append(
                node
            )
        if not main:
            main, scripts = scripts, []
        if any(collide(a, b) for a, b in pairwise(main)):
            raise Unreadable
        hung: dict[int, list[Node]] = {}
        for script in scripts:
            bases = [k for k, n in enumerate(main) if n.x0 + 0.3 * min(n.width, size) < script.x0 + 0.05 * size]
            hung.setdefault(bases[-1] if bases else -1, []).append(script)
        out = [self._hang("{}", main[0], hung[-1], baseline, size)] if -1 in hung else []
        parts, edges = [], []
        for k, node in enumerate(main):
            code = with_limits(node)
            if k in hung:
                code = self._hang(code, node, hung[k], baseline, size)
            parts.append(code)
            edges.append(max([node.x1, *(n.x1 for n in hung.get(k, []))]))
        return row_latex(main, parts, edges, size, out)

    def _hang(self, code: str, base: Node, scripts: list[Node], baseline: float, size: float) -> str:
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
            code += f"_{{{self._rows(self._limits(down), False)}}}"
        if up:
            raised = self._rows(self._limits(up), False)
            code += f"^{{{raised.replace(chr(39), chr(92) + 'prime ') if up[0].kind == 'prime' else raised}}}"
        return code
