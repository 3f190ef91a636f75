"""A formula's two-dimensional layout read as LaTeX.

Bottom-up in the order in which typesetting nests: accents, then fraction bars and radicals (widest first, each side
read by itself), matrices between tall brackets, limits over and under operators, rows by baseline, and in a row the
scripts between one symbol and the next. Sizes and baselines of a text layer are exact, so thresholds are shares of
the font size (TeX sets scripts at 0.7 of it, subscripts 0.15 to 0.25 below, superscripts 0.36 to 0.45 above).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from docparse.layout.formula.nodes import AXIS, Node, nodes_of
from docparse.layout.formula.symbols import LIMITS, glue
from docparse.layout.words import Word

SCRIPT = 0.86  # a script is set smaller than this share of its line's size
TAG = re.compile(r"\((?:[A-Z]\.?)?\d+(?:[.\-–]\d+)*[a-z']?\)|\((?:[ivx]+|[A-Z])\)|\[\d+\]")
MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\{", r"\}"): "Bmatrix"}


class Unreadable(Exception):
    """The layout is not one this reader understands."""


def read(words: Sequence[Word], rulings: np.ndarray) -> tuple[str, float]:
    """LaTeX and how sure it is, 0..1. Raises `Unreadable` for what is better kept as a picture."""
    nodes, known = nodes_of(words)
    if not nodes:
        raise Unreadable
    nodes, tag = _numbered(nodes)
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


class _Reader:
    """Recursive reader; a method per kind of layout."""

    def expression(self, nodes: list[Node], bars: list[tuple[float, float, float]], top: bool = False) -> str:
        nodes = _pieces_joined(nodes)
        nodes = _dotted(_accented(nodes))
        nodes = self._bars(nodes, bars)
        nodes = self._matrices(nodes)
        nodes = self._limits(nodes)
        return self._rows(nodes, top)

    # fraction bars, radicals, overlines

    def _bars(self, nodes: list[Node], bars: list[tuple[float, float, float]]) -> list[Node]:
        rest = sorted(bars, key=lambda b: b[0] - b[1])
        while rest:
            x0, x1, y = rest.pop(0)
            radical = next((n for n in nodes if n.kind == "root" and _carries(n, x0, y)), None)
            within = [n for n in nodes if x0 - 0.6 <= n.center <= x1 + 0.6 and n is not radical]
            inner = [b for b in rest if b[0] >= x0 - 1.5 and b[1] <= x1 + 1.5]
            under = _reaching(within, inner, y, below=True)
            if radical:
                built = self._root(radical, [n for n in under if n.top < radical.bottom + 2], inner, nodes, (x0, x1, y))
            elif under and (over := _reaching(within, inner, y, below=False)):
                built = self._fraction(over, under, inner, (x0, x1, y))
            elif under and min(n.top for n in under) - y < 0.45 * under[0].size:
                built = self._line(under, inner, (x0, x1, y))
            else:
                continue
            node, used = built
            gone = {id(n) for n in used}
            nodes = [n for n in nodes if id(n) not in gone] + [node]
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
        size, baseline = _main(under)
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
        size = max(_main(over)[0], _main(under)[0])
        top, bottom = min(n.top for n in over), max(n.bottom for n in under)
        return Node("built", code, x0, x1, top, bottom, y + AXIS * size, size, tall=True), [*over, *under]

    def _line(self, under: list[Node], inner: list, bar: tuple[float, float, float]) -> tuple[Node, list[Node]]:
        x0, x1, y = bar
        first = min(n.top for n in under)
        under = [n for n in under if n.top < first + 1.2 * n.size]
        size, baseline = _main(under)
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
            right = _partner(left, nodes) if left.tall else _stretched(left, nodes)
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
            rows = _grid_rows(content)
            if not rows:
                continue
            cells = self._grid(rows, content)
            name = MATRICES.get((left.latex, right.latex)) if right else "cases"
            body = r" \\ ".join(" & ".join(row) for row in cells)
            if name:
                code = rf"\begin{{{name}}} {body} \end{{{name}}}"
            else:
                code = rf"\left{left.latex} \begin{{matrix}} {body} \end{{matrix}} \right{right.latex}"
            size = _main(content)[0]
            x1 = right.x1 if right else max(n.x1 for n in content)
            used = {id(n) for n in [*content, left, right]}
            middle = left.middle + AXIS * size
            node = Node("built", code, left.x0, x1, left.top, left.bottom, middle, size, tall=True)
            nodes = [n for n in nodes if id(n) not in used] + [node]
        return nodes

    def _grid(self, rows: list[list[Node]], content: list[Node]) -> list[list[str]]:
        size = _main(content)[0]
        starts = _column_starts(content, 0.4 * size)
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
                if op.kind != "big"
                else min(
                    op.size,
                    max((n.size for n in nodes if n.kind != "big"), default=op.size) if len(nodes) > 1 else op.size,
                )
            )
            small = [n for n in nodes if n is not op and n.size < SCRIPT * size]
            chains = _chains(small, size)
            used: set[int] = set()
            for chain in chains:
                center = (min(n.x0 for n in chain) + max(n.x1 for n in chain)) / 2
                width = max(n.x1 for n in chain) - min(n.x0 for n in chain)
                target, names = op.center, [op]
                arg = next((n for n in nodes if n.text == "arg" and 0 <= op.x0 - n.x1 < 0.4 * size), None)
                if arg and abs(center - (arg.x0 + op.x1) / 2) < abs(center - op.center):
                    target, names = (arg.x0 + op.x1) / 2, [arg, op]
                base = _main(chain)[1]
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
        rows = _lines(nodes)
        if not rows:
            raise Unreadable
        if len(rows) == 1:
            row, tag = _tagged(rows[0]) if top else (rows[0], "")
            return self._row(row) + tag
        if not top:
            if len(rows) == 2 and all(_main(row)[0] < 1.2 * _main(nodes)[0] for row in rows):
                return rf"\substack{{{self._row(rows[0])} \\ {self._row(rows[1])}}}"
            raise Unreadable
        return self._aligned(rows)

    def _aligned(self, rows: list[list[Node]]) -> str:
        tagged = [_tagged(row) for row in rows]
        anchors = [_anchor(row) for row, _ in tagged]
        common = _common([n.x0 for n in anchors if n], 2.0)
        lines = []
        for (row, _), anchor in zip(tagged, anchors, strict=True):
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
            lines = [f"{line}{_inline_tag(tag)}" for line, (_, tag) in zip(lines, tagged, strict=True)]
            tags = []
        name = "aligned" if common is not None else "gathered"
        return rf"\begin{{{name}}} " + r" \\ ".join(lines) + rf" \end{{{name}}}" + (tags[0] if tags else "")

    def _row(self, nodes: list[Node]) -> str:
        size, baseline = _main(nodes)
        main, scripts = [], []
        for node in sorted(nodes, key=lambda n: (n.x0, n.x1)):
            shift = (baseline - node.baseline) / size
            least = 0.14 if node.size >= SCRIPT * size else 0.08 if node.kind != "built" else 0.3
            prime = node.kind == "prime" and node.size < SCRIPT * size
            raised = prime or abs(shift) > least and (node.size < SCRIPT * size or node.kind in ("letter", "number"))
            (scripts if raised and not (node.kind in ("big", "open", "close", "bar") and node.tall) else main).append(
                node
            )
        if not main:
            main, scripts = scripts, []
        if any(_collide(a, b) for a, b in pairwise(main)):
            raise Unreadable
        hung: dict[int, list[Node]] = {}
        for script in scripts:
            bases = [k for k, n in enumerate(main) if n.x0 + 0.3 * min(n.width, size) < script.x0 + 0.05 * size]
            hung.setdefault(bases[-1] if bases else -1, []).append(script)
        out = [self._hang("{}", main[0], hung[-1], baseline, size)] if -1 in hung else []
        parts, edges = [], []
        for k, node in enumerate(main):
            code = _with_limits(node)
            if k in hung:
                code = self._hang(code, node, hung[k], baseline, size)
            parts.append(code)
            edges.append(max([node.x1, *(n.x1 for n in hung.get(k, []))]))
        return _joined(main, parts, edges, size, out)

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
            near = {id(side): _nearest(node, side) for side in (up, down) if side}
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


def _collide(a: Node, b: Node) -> bool:
    """Two symbols printed over each other."""
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.6 * min(a.width, b.width) > 0 and "built" not in (a.kind, b.kind)


def _with_limits(node: Node) -> str:
    code = node.latex
    if node.under or node.over:
        code += (f"_{{{node.under}}}" if node.under else "") + (f"^{{{node.over}}}" if node.over else "")
    return code


def _joined(nodes: list[Node], parts: list[str], edges: list[float], size: float, out: list[str]) -> str:
    """The row's symbols with spaces only where LaTeX or a reader needs them; brackets around tall parts grow."""
    partner = _pairs(nodes)
    text = out[0] if out else ""
    words: list[str] = []
    for k, (node, part) in enumerate(zip(nodes, parts, strict=True)):
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


def _pairs(nodes: list[Node]) -> dict[int, int]:
    """Brackets of a row that belong together, by index, both ways."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for k, node in enumerate(nodes):
        if node.kind == "open":
            stack.append(k)
        elif node.kind == "close" and stack:
            pairs[k] = stack.pop()
            pairs[pairs[k]] = k
    bars = [k for k, node in enumerate(nodes) if node.kind == "bar" and node.tall]
    if len(bars) == 2 and nodes[bars[0]].latex == nodes[bars[1]].latex and not (set(bars) & set(pairs)):
        inside = [k for k in range(bars[0] + 1, bars[1]) if k in pairs]
        if all(bars[0] < pairs[k] < bars[1] for k in inside):
            pairs[bars[0]], pairs[bars[1]] = bars[1], bars[0]
    return pairs


def _main(nodes: Sequence[Node]) -> tuple[float, float]:
    """Size and baseline of most of the symbols that are set largest."""
    plain = [n for n in nodes if n.kind not in ("big", "built", "accent") and not n.tall] or list(nodes)
    size = max(n.size for n in plain)
    near = [n for n in plain if n.size >= SCRIPT * size]
    groups: dict[float, float] = {}
    for node in near:
        key = next((b for b in groups if abs(b - node.baseline) < 0.12 * size), node.baseline)
        groups[key] = groups.get(key, 0.0) + node.width
    size = max(n.size for n in near)
    best = max(groups, key=lambda b: groups[b])
    first = min(near, key=lambda n: n.x0).baseline
    lead = next(b for b in groups if abs(b - first) < 0.12 * size)
    return size, lead if abs(lead - best) < 0.5 * size else best


def _lines(nodes: list[Node]) -> list[list[Node]]:
    """Nodes by row, top to bottom: clusters of baselines at full size, everything else with the nearest."""
    if not nodes:
        return []
    size = _main(nodes)[0]
    plain = [n for n in nodes if n.size >= SCRIPT * size and n.kind not in ("big", "prime") and not n.tall]
    plain = plain or [n for n in nodes if n.size >= SCRIPT * size] or nodes
    baselines: list[list[float]] = []
    for node in sorted(plain, key=lambda n: n.baseline):
        if baselines and node.baseline - baselines[-1][-1] < 0.5 * size:
            baselines[-1].append(node.baseline)
        else:
            baselines.append([node.baseline])
    centers = [float(np.median(values)) for values in baselines]
    if len(centers) == 1:
        return [nodes]
    if min(b - a for a, b in pairwise(centers)) < 0.75 * size:
        raise Unreadable
    rows: list[list[Node]] = [[] for _ in centers]
    for node in nodes:
        rows[min(range(len(centers)), key=lambda k: abs(centers[k] - node.baseline))].append(node)
    return [row for row in rows if row]


def _grid_rows(content: list[Node]) -> list[list[Node]]:
    """The rows of a matrix; none if there is but one, or if they overlap."""
    try:
        rows = _lines(content)
    except Unreadable:
        return []
    apart = all(
        max(n.baseline for n in upper) < min(n.baseline for n in lower) + 0.3 * lower[0].size
        for upper, lower in pairwise(rows)
    )
    return rows if len(rows) > 1 and apart else []


def _column_starts(nodes: list[Node], gap: float) -> list[float]:
    starts, end = [], -1e9
    for node in sorted(nodes, key=lambda n: n.x0):
        if node.x0 - end > gap:
            starts.append(node.x0)
        end = max(end, node.x1)
    return starts


def _partner(left: Node, nodes: list[Node]) -> Node | None:
    """The closing bracket of the same height to the right."""
    others = [
        n for n in nodes
        if n.kind in ("close", "bar") and n.x0 > left.x1 and abs(n.top - left.top) < 0.6 * left.size
        and abs(n.bottom - left.bottom) < 0.6 * left.size and (left.kind == "bar") == (n.kind == "bar")
    ]  # fmt: skip
    return min(others, key=lambda n: n.x0, default=None)


def _stretched(left: Node, nodes: list[Node]) -> Node | None:
    """The next closing bracket of the same kind on the same baseline."""
    kind = {"(": ")", "[": "]", r"\{": r"\}"}.get(left.latex, "")
    others = [n for n in nodes if n.latex == kind and n.x0 > left.x1 and abs(n.baseline - left.baseline) < 0.1 * n.size]
    return min(others, key=lambda n: n.x0, default=None)


def _pieces_joined(nodes: list[Node]) -> list[Node]:
    """Tall brackets drawn from pieces as one node each."""
    pieces = [n for n in nodes if n.kind == "piece" or _is_stacked_bar(n, nodes)]
    if not pieces:
        return nodes
    gone = {id(n) for n in pieces}
    result = [n for n in nodes if id(n) not in gone]
    stacks: list[list[Node]] = []
    for piece in sorted(pieces, key=lambda n: n.top):
        for stack in stacks:
            if (
                abs(stack[-1].center - piece.center) < 0.4 * piece.size
                and piece.top - stack[-1].bottom < 0.8 * piece.size
            ):
                stack.append(piece)
                break
        else:
            stacks.append([piece])
    for stack in stacks:
        char = next((n.latex for n in stack if n.latex), "")
        if not char:
            raise Unreadable
        kind = "open" if char in "([{" else "bar" if char in ("|", r"\|") else "close"
        code = {"{": r"\{", "}": r"\}"}.get(char, char)
        top, bottom = min(n.top for n in stack), max(n.bottom for n in stack)
        size = stack[0].size
        result.append(
            Node(kind, code, min(n.x0 for n in stack), max(n.x1 for n in stack), top, bottom,
                 (top + bottom) / 2 + AXIS * size, size, text=char, tall=True, math=True)
        )  # fmt: skip
    return result


def _is_stacked_bar(node: Node, nodes: list[Node]) -> bool:
    return node.kind == "bar" and any(
        n is not node and n.latex == node.latex and abs(n.center - node.center) < 0.5
        and max(n.top, node.top) - min(n.bottom, node.bottom) < 0.15 * node.size for n in nodes
    )  # fmt: skip


def _accented(nodes: list[Node]) -> list[Node]:
    """Accents that are glyphs of their own, put over the symbol they are printed over."""
    accents = [n for n in nodes if n.kind == "accent"]
    for accent in accents:
        below = [
            n for n in nodes
            if n.kind in ("letter", "number", "name", "built") and n.x0 - 0.15 * n.size <= accent.center <= n.x1 + 0.15 * n.size
            and -0.3 * n.size < n.baseline - accent.baseline + 0.0 < 1.0 * n.size
        ]  # fmt: skip
        nodes = [n for n in nodes if n is not accent]
        if below:
            base = min(below, key=lambda n: abs(n.center - accent.center))
            done = replace(base, latex=rf"{accent.latex}{{{base.latex}}}")
            nodes = [done if n is base else n for n in nodes]
        elif accent.text in ("¯", "ˉ", "`", "´"):
            raise Unreadable
    return nodes


def _dotted(nodes: list[Node]) -> list[Node]:
    """Three dots in a row, a column or a diagonal as one symbol."""
    dots = [n for n in nodes if n.text in (".", "·", "⋅")]
    if len(dots) < 3:
        return nodes
    rows = sorted(dots, key=lambda n: (round(n.baseline, 1), n.x0))
    columns = sorted(dots, key=lambda n: (round(n.x0), n.baseline))
    used: set[int] = set()
    built = []
    for three in [*zip(rows, rows[1:], rows[2:], strict=False), *zip(columns, columns[1:], columns[2:], strict=False)]:
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


def _carries(radical: Node, x0: float, y: float) -> bool:
    """The bar begins where the radical's hook ends, at its top."""
    return abs(radical.x1 - x0) < 0.2 * radical.size + 1.5 and radical.top - 0.5 * radical.size < y < radical.bottom


def _reaching(nodes: list[Node], bars: list, y: float, below: bool) -> list[Node]:
    """Nodes that hang together with a bar on one of its sides, without a gap of a line between."""
    side: list[tuple[float, float, Node | None]] = [
        (n.top - y, n.bottom - y, n) if below else (y - n.bottom, y - n.top, n)
        for n in nodes
        if (n.middle > y) == below
    ]
    side += [(abs(b[2] - y), abs(b[2] - y), None) for b in bars if (b[2] > y) == below]
    side.sort(key=lambda item: item[:2])
    taken: list[Node] = []
    edge, reach = 0.0, 0.75  # the first thing under a bar may be a small letter; after that parts are close
    for near, far, node in side:
        size = max(5.0, node.size if node else max((n.size for n in taken), default=10.0))
        larger = node and taken and near > edge - 0.1 * size and node.size > 1.2 * max(n.size for n in taken)
        if near - edge > reach * size or larger:
            break
        edge = max(edge, far)
        reach = 0.75 if node is None else 0.4
        if node:
            taken.append(node)
    return taken


def _chains(nodes: list[Node], size: float) -> list[list[Node]]:
    """Small symbols that stand side by side: the candidates for limits."""
    chains: list[list[Node]] = []
    for node in sorted(nodes, key=lambda n: n.x0):
        for chain in chains:
            last = max(chain, key=lambda n: n.x1)
            base = _main(chain)[1]
            if node.x0 - last.x1 < 0.45 * size and abs(node.baseline - base) < 0.42 * size:
                chain.append(node)
                break
        else:
            chains.append([node])
    return chains


def _nearest(node: Node, side: list[Node]) -> float:
    """How far a second-level script is from a side's symbols before it."""
    before = [n for n in side if n.x0 <= node.x0 + 0.1] or side
    return min(abs(n.baseline - node.baseline) + max(0.0, node.x0 - n.x1) for n in before)


def _tagged(row: list[Node]) -> tuple[list[Node], str]:
    r"""The row without an equation number at its right end, and that number as `\tag{...}`."""
    row = sorted(row, key=lambda n: n.x0)
    for k in range(len(row) - 1, 0, -1):
        if row[k].x0 - row[k - 1].x1 > 1.5 * row[k].size:
            label = "".join(n.text for n in row[k:])
            if TAG.fullmatch(label):
                return row[:k], rf" \tag{{{label[1:-1]}}}"
            break
    return row, ""


def _inline_tag(tag: str) -> str:
    """An equation number where LaTeX allows no tag: as text after the line."""
    return rf" \qquad \text{{({tag.strip()[5:-1]})}}" if tag else ""


def _numbered(nodes: list[Node]) -> tuple[list[Node], str]:
    """The formula without the one number that stands to the right of all of it, and that number as a tag."""
    order = sorted(nodes, key=lambda n: n.x0)
    edge = order[0].x1
    for k, node in enumerate(order):
        if k and node.x0 - edge > 1.5 * node.size:
            label = "".join(n.text for n in order[k:])
            if TAG.fullmatch(label) and len({round(n.baseline) for n in order[k:]}) == 1:
                return order[:k], rf" \tag{{{label[1:-1]}}}"
        edge = max(edge, node.x1)
    return nodes, ""


def _anchor(row: list[Node]) -> Node | None:
    """The first relation of a row."""
    return next((n for n in sorted(row, key=lambda n: n.x0) if n.kind == "rel"), None)


def _common(values: list[float], within: float) -> float | None:
    """The value that at least two agree on."""
    best = max(values, key=lambda v: sum(abs(v - w) < within for w in values), default=None)
    return best if best is not None and sum(abs(best - w) < within for w in values) >= 2 else None
