"""A formula's two-dimensional layout read as LaTeX; None where a picture is the better answer.

What nests in what `expression` and `rows` tell. Sizes and baselines of a text layer are exact, so thresholds are shares
of the font size (TeX sets scripts at 0.7 of it, subscripts 0.15 to 0.25 below, superscripts 0.36 to 0.45 above).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from docparse.layout.formula.cluster import SCRIPT, Unreadable, main_style
from docparse.layout.formula.expression import Bar, expression
from docparse.layout.formula.nodes import Node, nodes_of
from docparse.layout.formula.rows import FLUSH, in_column, limits_read, tagged, without_stop, without_tag
from docparse.layout.geometry import level_strokes
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES

MARGIN = 0.4  # font sizes that a bar is longer at either end than what stands at it, at most: browsers give it room
SURE = 0.5  # LaTeX less sure than this is not shown
WHITE = 0.03  # font sizes between two lines of a formula
LARGEST = 1000  # words: what has more is a diagram, and would take long


def latex_of(words: Sequence[Word], rulings: np.ndarray = NO_STROKES, *, displayed: bool = False) -> str | None:
    """Return words of one formula (any order) and the page's strokes (float32 [n, 4]) as LaTeX without dollar signs;
    None when unsure. `displayed`: on lines of its own, where LaTeX sets fractions in full size and numbers formulas.

    Only for words with exact boxes and sizes (a text layer): a word read by OCR makes the formula unreadable.
    """
    if len(words) > LARGEST or any(word.confidence < 1 for word in words):
        return None
    for read in (_aligned, _before_number, _whole, _lines):
        nodes, known = nodes_of(words)  # anew: what is read leaves its marks on them
        try:
            text = read(nodes, _bars(nodes, rulings))
        except (Unreadable, RecursionError):
            continue
        if not displayed:
            text = text.replace(r"\tfrac", r"\frac")
        fits = displayed or r"\tag" not in text  # LaTeX numbers no formula within a line
        return text if known and text and fits and is_balanced(text) else None
    return None


def is_balanced(text: str) -> bool:
    """Braces, `\\left`/`\\right` and environments come in pairs."""
    depth = 0
    for token in re.findall(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth < 0:
            return False
    pairs = len(re.findall(r"\\left(?![a-zA-Z])", text)) == len(re.findall(r"\\right(?![a-zA-Z])", text))
    return depth == 0 and pairs and text.count(r"\begin{") == text.count(r"\end{")


def _bars(nodes: list[Node], rulings: np.ndarray) -> list[Bar]:
    """Horizontal strokes within the formula, each once."""
    if len(rulings) == 0 or not nodes:
        return []
    margin = max(3.0, MARGIN * max(n.size for n in nodes))
    x0, x1 = min(n.x0 for n in nodes) - margin, max(n.x1 for n in nodes) + margin
    y0, y1 = min(n.top for n in nodes) - 6, max(n.bottom for n in nodes) + 6
    flat = level_strokes(rulings)
    inside = (flat[:, 0] > x0) & (flat[:, 2] < x1) & (flat[:, 1] > y0) & (flat[:, 3] < y1)
    bars: list[Bar] = []
    for a, top, b, bottom in flat[inside].tolist():
        y = (top + bottom) / 2
        if not any(abs(a - c) < 1 and abs(b - d) < 1 and abs(y - e) < 1.5 for c, d, e in bars):
            bars.append((a, b, y))
    return bars


def _aligned(nodes: list[Node], bars: list[Bar]) -> str:
    """Several lines whose first relations stand under each other, one of them with a fraction. Raises `Unreadable`."""
    size = main_style(nodes)[0]
    relations = [n for n in nodes if n.kind == "rel" and n.size >= SCRIPT * size]
    first = [n for n in relations if not any(n.x0 > m.x1 and abs(n.baseline - m.baseline) < size for m in relations)]
    if not bars or len(first) < 2 or max(n.x0 for n in first) - min(n.x0 for n in first) > FLUSH:
        raise Unreadable
    return _lines(nodes, bars)


def _whole(nodes: list[Node], bars: list[Bar]) -> str:
    return expression(nodes, bars, top=True)


def _before_number(nodes: list[Node], bars: list[Bar]) -> str:
    """The formula without its number, which stands between two rows of it. Raises `Unreadable`."""
    nodes, number = without_tag(nodes)
    if not number:
        raise Unreadable
    text = expression(nodes, bars, top=True)
    if r"\tag" in text:
        raise Unreadable
    return text + tagged(number)


def _lines(nodes: list[Node], bars: list[Bar]) -> str:
    """Several lines with a relation each, and white between them, read by themselves. Raises `Unreadable`."""
    nodes, outer = without_tag(nodes)
    nodes, stop = without_stop(nodes)
    nodes = limits_read(nodes)  # they stand nearer to the next line than to their operator, at times
    rows = []
    size = main_style(nodes)[0]
    ends = [-np.inf, *_cuts(nodes, bars, size), np.inf]
    if len(ends) < 3:
        raise Unreadable
    for top, bottom in pairwise(ends):
        row, number = without_tag([n for n in nodes if top < n.middle < bottom])
        own = [bar for bar in bars if top < bar[2] < bottom]
        mark = min((n.x0 for n in row if n.kind == "rel" and n.size >= SCRIPT * size), default=None)
        if mark is None:
            raise Unreadable
        left, right = ([n for n in row if (n.center < mark) == first] for first in (True, False))
        start = f"{expression(left, [bar for bar in own if bar[0] < mark], outer=True)} " if left else ""
        code = f"{start}&{expression(right, [bar for bar in own if bar[0] >= mark], outer=True)}"
        rows.append(code + (in_column(number, 2) if number else ""))
    body = r" \\ ".join(rows) + (stop.latex if stop else "")
    return rf"\begin{{aligned}} {body} \end{{aligned}}" + tagged(outer)


def _cuts(nodes: list[Node], bars: list[Bar], size: float) -> list[float]:
    """Where to cut between lines: in the widest white between the baselines of one relation and the next."""
    found = sorted(n.baseline for n in nodes if n.kind == "rel" and n.size >= SCRIPT * size)
    printed = sorted([*((n.top, n.bottom) for n in nodes), *((y, y) for _, _, y in bars)])
    cuts = []
    for upper, lower in pairwise(found):
        if lower - upper < size:
            continue
        between = [(max(top, upper), min(bottom, lower)) for top, bottom in printed if bottom > upper and top < lower]
        reach, gaps = upper, []
        for top, bottom in [*between, (lower, lower)]:
            gaps.append((top - reach, (top + reach) / 2))
            reach = max(reach, bottom)
        widest, middle = max(gaps)
        if widest < WHITE * size:
            raise Unreadable
        cuts.append(middle)
    return cuts
