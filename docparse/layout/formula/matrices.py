"""Matrices and cases: what stands in several rows between tall brackets."""

from __future__ import annotations

from docparse.layout.formula.cluster import column_starts, grid_rows, main_style, partner, stretched
from docparse.layout.formula.nodes import AXIS, Node
from docparse.layout.formula.rows import limits_read, rows_latex

MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\{", r"\}"): "Bmatrix"}


def matrices_read(nodes: list[Node]) -> list[Node]:
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
        if not left.tall and any(abs(n.baseline - left.baseline) < 0.2 * n.size for n in content if n.kind != "built"):
            continue
        rows = grid_rows(content)
        if not rows:
            continue
        cells = _grid(rows, content)
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


def _grid(rows: list[list[Node]], content: list[Node]) -> list[list[str]]:
    size = main_style(content)[0]
    starts = column_starts(content, 0.4 * size)
    cells = []
    for row in rows:
        columns: list[list[Node]] = [[] for _ in starts]
        for node in row:
            columns[max(k for k, x in enumerate(starts) if node.x0 >= x - 0.1)].append(node)
        cells.append([rows_latex(limits_read(column)) if column else "" for column in columns])
    return cells
