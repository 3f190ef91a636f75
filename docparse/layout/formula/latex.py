"""A formula's two-dimensional layout read as LaTeX; None where a picture is the better answer.

What nests in what `lines`, `expression` and `rows` tell. Sizes and baselines of a text layer are exact, so thresholds
are shares of the font size (TeX sets scripts at 0.7 of it, subscripts 0.15 to 0.25 below, superscripts 0.36 to 0.45
above).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from docparse.layout.formula.cluster import Unreadable, rows_of
from docparse.layout.formula.composites import composed
from docparse.layout.formula.expression import Bar, nested
from docparse.layout.formula.lines import aligned, lines_of, without_last, without_stop, without_tag
from docparse.layout.formula.nodes import Node, nodes_of
from docparse.layout.geometry import level_strokes
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES

MARGIN = 0.4  # font sizes that a bar is longer at either end than what stands at it, at most: browsers give it room
SURE = 0.5  # LaTeX less sure than this is not shown
LARGEST = 1000  # words: what has more is a diagram, and would take long


def latex_of(words: Sequence[Word], rulings: np.ndarray = NO_STROKES, *, displayed: bool = False) -> str | None:
    """Return words of one formula (any order) and the page's strokes (float32 [n, 4]) as LaTeX without dollar signs;
    None when unsure. `displayed`: on lines of its own, where LaTeX sets fractions in full size and numbers formulas.

    Only for words with exact boxes and sizes (a text layer): a word read by OCR makes the formula unreadable.
    """
    if len(words) > LARGEST or any(word.confidence < 1 for word in words):
        return None
    for apart in (True, False) if displayed else (False,):
        nodes, known = nodes_of(words)  # anew: what is read leaves its marks on them
        try:
            text = _formula(nodes, _bars(nodes, rulings), apart)
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


def _formula(nodes: list[Node], bars: list[Bar], apart: bool) -> str:
    """Return what stands in rows that have white between them if they are read `apart`. Raises `Unreadable`."""
    nodes, number = without_tag(composed(nodes, bars))  # it may stand between two of them
    if not number:
        nodes, number = without_last(nodes)
    nodes, stop = without_stop(nodes)
    lines = lines_of(nodes, bars) if apart else [(nodes, bars)]
    return aligned([row for line in lines for row in rows_of(nested(*line))], number, stop)
