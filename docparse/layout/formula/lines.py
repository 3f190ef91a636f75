"""The lines of a displayed formula: TeX leaves white between them, whatever stands in each; their signs of equality
stand under each other, and their numbers behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from docparse.layout.chained import without
from docparse.layout.formula.cluster import ARROWS, SCRIPT, carries, common_value, main_style
from docparse.layout.formula.evidence import TAG
from docparse.layout.formula.expression import BRACES, Bar
from docparse.layout.formula.nodes import Node
from docparse.layout.formula.rows import limits_read, row_latex
from docparse.layout.formula.symbols import LIMITS

WHITE = 0.03  # font sizes between two lines of a formula, at least
HELD = 0.5  # font sizes from a stroke to what it stands at, at most
FLUSH = 2.0  # points between the sides of lines that are aligned

Line = tuple[list[Node], list[Bar]]
Band = tuple[float, float, list[Node | Bar]]  # from where to where, and what stands there


def lines_of(nodes: list[Node], bars: Sequence[Bar]) -> list[Line]:
    """Return the symbols and strokes of each line, from the top. Raises `Unreadable` where there is none."""
    size = main_style(nodes)[0]
    bands = _bands(nodes, bars, size)
    if sum(_is_line(parts, size) for _, _, parts in bands) > 1:
        nodes = _with_limits(nodes, bands, size)
        bands = _bands(nodes, bars, size)
    while len(bands) > 1 and (k := next((k for k, band in enumerate(bands) if not _is_line(band[2], size)), -1)) >= 0:
        over = k == len(bands) - 1 or (k > 0 and bands[k][0] - bands[k - 1][1] < bands[k + 1][0] - bands[k][1])
        first, second = bands[k - over : k + 2 - over]
        bands[k - over : k + 2 - over] = [(first[0], second[1], [*first[2], *second[2]])]
    return [
        ([part for part in parts if isinstance(part, Node)], [part for part in parts if not isinstance(part, Node)])
        for _, _, parts in bands
    ]


def _bands(nodes: Sequence[Node], bars: Sequence[Bar], size: float) -> list[Band]:
    """Return what has white over and under it, from the top."""
    inked: list[tuple[float, float, Node | Bar]] = [(n.top, n.bottom, n) for n in nodes]
    inked += [(*_held(bar, nodes, size), bar) for bar in bars]
    bands: list[Band] = []
    for top, bottom, part in sorted(inked, key=lambda each: each[0]):
        if bands and top - bands[-1][1] < WHITE * size:
            bands[-1] = (bands[-1][0], max(bands[-1][1], bottom), [*bands[-1][2], part])
        else:
            bands.append((top, bottom, [part]))
    return bands


def _with_limits(nodes: list[Node], bands: Sequence[Band], size: float) -> list[Node]:
    """The nodes with limits that have white around them as part of their operators, which may stand farther away than
    the next line does."""
    free = [part for _, _, parts in bands if not _is_line(parts, size) for part in parts if isinstance(part, Node)]
    rest = without(nodes, free)
    large = [n for n in rest if n.size >= SCRIPT * size]
    operators = [n for n in large if n.kind in ("big", "rel") or n.text in LIMITS or n.text == "arg"]
    return [*without(rest, operators), *limits_read([*operators, *free])] if free else nodes


def _held(bar: Bar, nodes: Sequence[Node], size: float) -> tuple[float, float]:
    """From where to where a stroke has no white: between the halves of a fraction, and at what it is over or under."""
    x0, x1, y = bar
    if any(n.kind == "root" and carries(n, x0, y) for n in nodes):
        return y, y
    near = [n for n in nodes if x0 < n.center < x1]
    over = max((n.bottom for n in near if 0 <= y - n.bottom < HELD * size), default=y)
    under = min((n.top for n in near if 0 <= n.top - y < HELD * size), default=y)
    return over, under


def _is_line(parts: Sequence[Node | Bar], size: float) -> bool:
    """Return whether more stands there than limits, accents, braces and strokes."""
    return any(
        isinstance(part, Node) and part.size >= SCRIPT * size and part.kind != "accent"
        and part.text not in BRACES | ARROWS
        for part in parts
    )  # fmt: skip


def without_tag(nodes: list[Node]) -> tuple[list[Node], str]:
    """Return the nodes without an equation number at the right or left of them all, and that number."""
    nodes = sorted(nodes, key=lambda n: n.x0)
    ends = np.maximum.accumulate([n.x1 for n in nodes])
    wide = [k for k in range(1, len(nodes)) if nodes[k].x0 - ends[k - 1] > 1.5 * nodes[k].size]
    for start, end in ((wide[-1], len(nodes)), (0, wide[0])) if wide else ():
        label = "".join(n.text for n in nodes[start:end])
        if TAG.fullmatch(label):
            return nodes[:start] + nodes[end:], label[1:-1]
    return nodes, ""


def without_last(nodes: list[Node]) -> tuple[list[Node], str]:
    """Return the nodes without the number of an equation on a line of its own, at the right under them all, and that
    number."""
    size = max((n.size for n in nodes), default=0.0)
    lowest = max((n.baseline for n in nodes if n.size >= SCRIPT * size), default=0.0)
    last = sorted((n for n in nodes if lowest - n.baseline < 0.1 * size), key=lambda n: n.x0)
    others = without(nodes, last)
    label = "".join(n.text for n in last)
    if not others or not TAG.fullmatch(label):
        return nodes, ""
    middle = (min(n.x0 for n in others) + max(n.x1 for n in others)) / 2
    return (others, label[1:-1]) if last[0].x0 >= middle else (nodes, "")


def without_stop(nodes: list[Node]) -> tuple[list[Node], Node | None]:
    """Return the nodes of several lines without a full stop behind and between them all, and that stop."""
    last = max(nodes, key=lambda n: n.x1, default=None)
    if last is None or last.kind != "punct":
        return nodes, None
    level = [n for n in nodes if n is not last and n.size >= SCRIPT * last.size]
    if any(abs(n.baseline - last.baseline) < 0.1 * last.size for n in level):
        return nodes, None
    return [n for n in nodes if n is not last], last


def aligned(rows: list[list[Node]], number: str, stop: Node | None) -> str:
    """Return rows as LaTeX; several with their first relations under each other where two of them are, or flush at the
    left. One `number` is behind all, several as text in a column of their own; a full `stop` ends the last row. Raises
    `Unreadable`."""
    if stop:
        size, baseline = main_style(rows[-1])
        end = max(n.x1 for n in rows[-1])
        rows[-1].append(replace(stop, x0=end, x1=end + stop.width, size=size, baseline=baseline))
    if len(rows) == 1:
        return row_latex(rows[0], outer=True) + _tagged(number)
    numbered = [without_tag(row) for row in rows]
    common = _common_relation([row for row, _ in numbered])
    tags = [tag for _, tag in numbered if tag]
    alone = not number and len(tags) == 1
    starts = [min(n.x0 for n in row) for row, _ in numbered]
    flush = max(starts) - min(starts) < FLUSH
    name = "aligned" if common is not None or flush else "gathered"
    lines = []
    for (row, tag), start in zip(numbered, starts, strict=True):
        mark = next(
            (n.x0 for n in row if common is not None and n.kind in ("rel", "op") and abs(n.x0 - common) < FLUSH), None
        )
        if mark is None and (flush if common is None else start > common):
            mark = start
        left = [n for n in row if mark is None or n.x0 < mark - 0.1]
        right = [n for n in row if mark is not None and n.x0 >= mark - 0.1]
        columns = [row_latex(side, outer=True) if side else "" for side in (left, right)]
        line = " &".join(columns).strip() if right else columns[0]
        if tag and not alone:  # LaTeX allows no tag here
            line += rf" {'&&' if right else '&&&'} \quad" if name == "aligned" else r" \qquad"
            line += rf" \text{{({tag})}}"
        lines.append(line)
    body = r" \\ ".join(lines)
    return rf"\begin{{{name}}} {body} \end{{{name}}}" + _tagged(tags[0] if alone else number)


def _common_relation(rows: list[list[Node]]) -> float | None:
    """Return where relations of several rows stand under each other, the first ones if they do."""
    relations = [sorted(n.x0 for n in row if n.kind == "rel") for row in rows]
    first = common_value([x for row in relations for x in row[:1]], FLUSH)
    return common_value([x for row in relations for x in row], FLUSH) if first is None else first


def _tagged(number: str) -> str:
    return rf" \tag{{{number}}}" if number else ""
