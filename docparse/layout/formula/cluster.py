"""Symbols that stand together: rows, columns, chains, what hangs on a fraction bar, brackets that match."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from docparse.layout.chained import chained
from docparse.layout.formula.nodes import AXIS, DROP, Node

FENCES = "open", "close", "bar"  # those of scripts may be of full size
ARROWS = frozenset("→⟶←⟵")  # stand over vectors
TINY = 0.62  # a script of a script is smaller than this share of the line's size, wherever it stands
LATEST = 24  # symbols of a chain, the last, that say where it stands: the time grows with each
HUNG = 12  # symbols of a script of a script in the smallest type, at most: they are short
SCRIPT = 0.86  # a script is set smaller than this share of its line's size


class Unreadable(Exception):
    """The layout is not one this reader understands."""


def main_style(nodes: Sequence[Node]) -> tuple[float, float]:
    """Size and baseline of most of the symbols that are set largest; of operators and brackets, where all else is
    small, over or under their line. Raises `Unreadable` where there is none."""
    if not nodes:
        raise Unreadable
    letters = [n for n in nodes if n.kind not in ("big", "accent", *FENCES) and not n.tall]
    plain = [n for n in letters if n.kind != "built" or n.italic] or list(nodes)
    signs = [n for n in nodes if n.kind in ("big", *FENCES)]
    if signs and all(_hangs_on(n, max(signs, key=lambda sign: sign.size)) for n in plain):
        plain = signs
    size = max(n.size for n in plain)
    near = [n for n in plain if n.size >= SCRIPT * size]
    groups: dict[float, list[Node]] = {}
    for node in near:
        key = next((b for b in groups if abs(b - node.baseline) < 0.12 * size), node.baseline)
        groups.setdefault(key, []).append(node)
    first = min(near, key=lambda n: n.x0)  # it settles a tie: the smallest scripts are as large as their line
    widest = max(
        groups.values(), key=lambda group: sum(n.width for n in group) * (1.05 if any(n is first for n in group) else 1)
    )
    return size, median(n.baseline for n in widest)


def _hangs_on(node: Node, sign: Node) -> bool:
    """Return whether a small symbol is off the baseline of a sign, and its middle, which is where editors set large
    ones."""
    centred = abs(node.baseline - AXIS * node.size - sign.middle) < 0.3 * node.size
    return node.size < SCRIPT * sign.size and abs(node.baseline - sign.baseline) > 0.15 * sign.size and not centred


def rows_of(nodes: list[Node]) -> list[list[Node]]:
    """Nodes by row, top to bottom: clusters of baselines at full size, everything else with the nearest. A fraction of
    small symbols that is as high as a line stands in a row of its own.

    Raises `Unreadable` where there is none, or where rows overlap.
    """
    size = main_style(nodes)[0]
    full = sorted(n.baseline for n in nodes if n.size >= SCRIPT * size or _is_in_line(n, size))
    centers = [float(np.median(row)) for row in chained(full, lambda row, at: at - row[-1] < 0.5 * size)]
    rows: list[list[Node]] = [[] for _ in centers]
    for node in nodes:
        rows[min(range(len(centers)), key=lambda k: abs(centers[k] - node.baseline))].append(node)
    for k in reversed(range(1, len(rows))):
        if centers[k] - centers[k - 1] < 0.75 * size:
            if not _is_hung(rows[k - 1], rows[k]):
                raise Unreadable
            rows[k - 1 : k + 1] = [[*rows[k - 1], *rows[k]]]
    return rows


def _is_hung(upper: list[Node], lower: list[Node]) -> bool:
    """Return whether one of two rows stands right behind symbols of the other and is as large: TeX has no smaller type
    for the scripts of scripts."""
    rows = [_on_baseline(row) for row in (upper, lower)]
    short = [(row, other) for row, other in (rows, reversed(rows)) if len(row) <= HUNG]
    if not short:
        return False
    both = [n for row in rows for n in row]
    overlap = any(min(a.x1, b.x1) - max(a.x0, b.x0) > 0.05 * a.size for a in rows[0] for b in rows[1])
    alike = all(abs(n.size - both[0].size) < 0.05 * n.size and n.kind != "built" for n in both)
    return alike and not overlap and any(all(_is_behind(n, [*row, *other]) for n in row) for row, other in short)


def _on_baseline(row: list[Node]) -> list[Node]:
    baseline = main_style(row)[1]
    return [n for n in row if abs(n.baseline - baseline) < 0.1 * n.size]


def _is_behind(node: Node, others: list[Node]) -> bool:
    return any(abs(node.x0 - n.x1) < 0.2 * node.size for n in others)


def _is_in_line(node: Node, size: float) -> bool:
    """Return whether it is a fraction of small symbols in the line; those of scripts are smaller."""
    return node.kind == "built" and node.tall and node.size > TINY * size


def column_starts(nodes: list[Node], gap: float) -> list[float]:
    starts, end = [], -1e9
    for node in sorted(nodes, key=lambda n: n.x0):
        if node.x0 - end > gap:
            starts.append(node.x0)
        end = max(end, node.x1)
    return starts


def partner(left: Node, nodes: list[Node]) -> Node | None:
    """Return the closing bracket of the same height to the right."""
    others = [
        n for n in nodes
        if n.kind in ("close", "bar") and n.x0 > left.x1 and abs(n.top - left.top) < 0.6 * left.size
        and abs(n.bottom - left.bottom) < 0.6 * left.size and (left.kind == "bar") == (n.kind == "bar")
    ]  # fmt: skip
    return min(others, key=lambda n: n.x0, default=None)


def carries(radical: Node, x0: float, y: float) -> bool:
    """Return whether the bar begins where the radical's hook ends, at its top."""
    return abs(radical.x1 - x0) < 0.2 * radical.size + 1.5 and radical.top - 0.5 * radical.size < y < radical.bottom


def reaching(nodes: list[Node], bars: list, y: float, below: bool) -> list[Node]:
    """Nodes that hang together with a bar on one of its sides, without a gap of a line between."""
    side: list[tuple[float, float, Node | None]] = [
        (n.top - y, n.bottom - y, n) if below else (y - n.bottom, y - n.top, n)
        for n in nodes
        if (n.middle > y) == below
    ]
    largest = max((n.size for _, _, n in side if n), default=10.0)
    # letters are lower than their lines: a bar comes before what reaches it
    side += [(abs(b[2] - y) - DROP * largest, abs(b[2] - y), None) for b in bars if (b[2] > y) == below]
    side.sort(key=lambda item: item[:2])
    taken: list[Node] = []
    edge, reach = 0.0, 0.75  # the first thing under a bar may be a small letter; after that parts are close
    barred = False
    for near, far, node in side:
        size = max(5.0, node.size if node and taken else max((n.size for n in taken), default=largest))
        if near - edge > reach * size:
            break
        if node and not barred and _is_next_row(node, taken):
            return taken
        barred |= node is None
        edge = max(edge, far)
        reach = 0.75 if node is None else 0.4
        if node:
            taken.append(node)
    return taken


def _is_next_row(node: Node, taken: list[Node]) -> bool:
    """Return whether a symbol of full size begins a line of its own, and not one of a matrix."""
    if not taken or any(n.tall or n.kind == "built" for n in (*taken, node)):
        return False
    size, baseline = main_style(taken)
    full = [n for n in taken if n.size >= SCRIPT * size]
    apart = node.top > max(n.bottom for n in full) - 0.1 * size or node.bottom < min(n.top for n in full) + 0.1 * size
    return node.size >= SCRIPT * size and abs(node.baseline - baseline) > 0.75 * size and apart


def chains_of(nodes: list[Node], size: float) -> list[list[Node]]:
    """Small symbols that stand side by side: the candidates for limits."""
    chains: list[list[Node]] = []
    going_on: list[tuple[list[Node], float, float]] = []  # those in reach, where they end and their baselines
    for node in sorted(nodes, key=lambda n: n.x0):
        going_on = [entry for entry in going_on if node.x0 - entry[1] < 0.45 * size]
        near = (k for k, (_, _, base) in enumerate(going_on) if abs(node.baseline - base) < 0.42 * size)
        k = next((k for k in near if not _is_on_other_line(node, going_on[k][0][-LATEST:], size)), len(going_on))
        if k == len(going_on):
            chains.append([])
            going_on.append((chains[-1], node.x1, node.baseline))
        chain, end, _ = going_on[k]
        chain.append(node)
        going_on[k] = (chain, max(end, node.x1), main_style(chain[-LATEST:])[1])
    return chains


def _is_on_other_line(node: Node, chain: Sequence[Node], size: float) -> bool:
    """Return whether a symbol is of the size of a chain and off its baseline: part of the limit above or below. Scripts
    within the chain differ in their baselines."""
    if node.size < SCRIPT * max(n.size for n in chain):
        return False
    alike = [n for n in chain if abs(n.size - node.size) < 0.05 * size and not {n.text, node.text} & ARROWS]
    return bool(alike) and min(abs(n.baseline - node.baseline) for n in alike) > 0.15 * size


def common_value(values: list[float], within: float) -> float | None:
    """Return the value that at least two agree on."""
    best = max(values, key=lambda v: sum(abs(v - w) < within for w in values), default=None)
    return best if best is not None and sum(abs(best - w) < within for w in values) >= 2 else None


def collide(a: Node, b: Node) -> bool:
    """Return whether two symbols are printed over each other."""
    kinds = {a.kind, b.kind}  # a comma may stand under the arm of a letter
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.6 * min(a.width, b.width) > 0 and not kinds & {"built", "punct"}
