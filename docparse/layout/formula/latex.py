"""A formula's two-dimensional layout read as LaTeX; None where a picture is the better answer.

Bottom-up in the order in which typesetting nests: accents, then fraction bars and radicals (widest first, each side
read by itself), matrices between tall brackets, limits over and under operators, rows by baseline, and in a row the
scripts between one symbol and the next. Sizes and baselines of a text layer are exact, so thresholds are shares of
the font size (TeX sets scripts at 0.7 of it, subscripts 0.15 to 0.25 below, superscripts 0.36 to 0.45 above).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np

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
from docparse.layout.formula.nodes import AXIS, DROP, Node, nodes_of
from docparse.layout.formula.rows import limits_read, rows_latex, tagged, without_stop, without_tag
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES

ALIKE = re.compile(r"\\(mathbf|mathrm|mathsf|mathtt)\{(\w+)\} ?\\\1\{(\w+)\}")
MARGIN = 0.4  # font sizes that a bar is longer at either end than what stands at it, at most: browsers give it room
SURE = 0.5  # LaTeX less sure than this is not shown
FLUSH = 2.0  # points between aligned relations
WHITE = 0.03  # font sizes between two lines of a formula
LARGEST = 1000  # words: what has more is a diagram, and would take long
MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\{", r"\}"): "Bmatrix"}
BRACES = frozenset("⏞⏟⎴⎵")  # and what lengthens them
OVER = {"→": "overrightarrow", "⟶": "overrightarrow", "←": "overleftarrow", "⟵": "overleftarrow"}

Bar = tuple[float, float, float]  # a horizontal stroke: x0, x1, y


def latex_of(words: Sequence[Word], rulings: np.ndarray = NO_STROKES) -> str | None:
    """Return words of one formula (any order) and the page's strokes (float32 [n, 4]) as LaTeX without dollar signs;
    None when unsure.

    Only for words with exact boxes and sizes (a text layer): a word read by OCR makes the formula unreadable.
    """
    if len(words) > LARGEST or any(word.confidence < 1 for word in words):
        return None
    for read in (_aligned, _whole, _before_number, _lines):
        nodes, known = nodes_of(words)  # anew: what is read leaves its marks on them
        try:
            text = read(nodes, _bars(nodes, rulings))
        except (Unreadable, RecursionError):
            continue
        return _in_one(text) if known and text and is_balanced(text) else None
    return None


def _in_one(text: str) -> str:
    """LaTeX with letters side by side in one style under one command."""
    while (shorter := ALIKE.sub(r"\\\1{\2\3}", text)) != text:
        text = shorter
    return text


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
    nodes = _matrices(_strokes(_under_arrows(_braced(composed(nodes), bars)), bars))
    return rows_latex(limits_read(nodes), top)


def _aligned(nodes: list[Node], bars: list[Bar]) -> str:
    """Several lines whose first relations stand under each other, one of them with a fraction. Raises `Unreadable`."""
    size = main_style(nodes)[0]
    relations = [n for n in nodes if n.kind == "rel" and n.size >= SCRIPT * size]
    first = [n for n in relations if not any(n.x0 > m.x1 and abs(n.baseline - m.baseline) < size for m in relations)]
    if not bars or len(first) < 2 or max(n.x0 for n in first) - min(n.x0 for n in first) > FLUSH:
        raise Unreadable
    return _lines(nodes, bars)


def _whole(nodes: list[Node], bars: list[Bar]) -> str:
    return _expression(nodes, bars, top=True)


def _before_number(nodes: list[Node], bars: list[Bar]) -> str:
    """The formula without its number, which stands between two rows of it. Raises `Unreadable`."""
    nodes, number = without_tag(nodes)
    if not number:
        raise Unreadable
    return _expression(nodes, bars, top=True) + tagged(number)


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
        start = f"{_expression(left, [bar for bar in own if bar[0] < mark])} " if left else ""
        code = f"{start}&{_expression(right, [bar for bar in own if bar[0] >= mark])}"
        rows.append(code + (rf" \qquad \text{{({number})}}" if number else ""))
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


def _strokes(nodes: list[Node], bars: list[Bar]) -> list[Node]:
    """Fraction bars, radicals and overlines, each with what belongs to it as one node; widest first."""
    rest = sorted(bars, key=lambda b: b[0] - b[1])
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
            built = _line(under, inner, bar)
        elif not under and (on := reaching(within, inner, y, below=False)) and y - on[0].baseline < 0.5 * on[0].size:
            built = _underline(on, inner, bar)
        else:
            continue
        node, used = built
        nodes = [*_others(nodes, used), node]
        rest = [b for b in rest if not (b in inner and node.top - 1 <= b[2] <= node.bottom + 1)]
    return nodes


def _own_rows(bars: list[Bar], nodes: list[Node]) -> dict[Bar, tuple[float, float]]:
    """How far up and down each bar reaches: between two with more than one row of symbols, and no bar between these,
    another line begins."""
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
            if b.baseline - a.baseline > 0.75 * size and not any(a.baseline < y < b.baseline for y in barred)
        ]  # fmt: skip
        if ends and lower[2] - upper[2] < 6 * size:
            reach[upper] = (reach[upper][0], min(reach[upper][1], ends[0]))
            reach[lower] = (max(reach[lower][0], ends[-1]), reach[lower][1])
    return reach


def _others(nodes: list[Node], used: list[Node]) -> list[Node]:
    gone = {id(n) for n in used}
    return [n for n in nodes if id(n) not in gone]


def _root(radical: Node, under: list[Node], inner: list[Bar], nodes: list[Node], bar: Bar) -> tuple[Node, list[Node]]:
    x0, x1, y = bar
    if not under:
        raise Unreadable
    size, baseline = main_style(under)
    bottom = max(n.bottom for n in under)
    index = [
        n for n in _others(nodes, [radical])
        if n.size < 0.8 * size and radical.x0 < n.x1 and n.center < x0 and n.bottom < (y + bottom) / 2 + 0.3 * n.size
    ]  # fmt: skip
    degree = f"[{_expression(index, [])}]" if index else ""
    code = rf"\sqrt{degree}{{{_expression(under, [b for b in inner if y < b[2] < bottom])}}}"
    tall = any(n.tall for n in under)
    if radical.tall:  # it is centred on the line
        baseline = radical.baseline
    node = Node("built", code, radical.x0, max(x1, radical.x1), y, bottom, baseline, size, tall=tall)
    return node, [radical, *under, *index]


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
    code = rf"\overline{{{_expression(under, [b for b in inner if b[2] > y])}}}"
    bottom = max(n.bottom for n in under)
    return Node("built", code, x0, x1, y, bottom, baseline, size, italic=True), under


def _underline(on: list[Node], inner: list[Bar], bar: Bar) -> tuple[Node, list[Node]]:
    size, baseline = main_style(on)
    code = rf"\underline{{{_expression(on, [b for b in inner if b[2] < bar[2]])}}}"
    return Node("built", code, bar[0], bar[1], min(n.top for n in on), bar[2], baseline, size, italic=True), on


def _under_arrows(nodes: list[Node]) -> list[Node]:
    """Arrows right over symbols of their size, each with these as one node."""
    for arrow in [n for n in nodes if n.text in OVER]:
        em = arrow.size
        under = [
            n for n in nodes
            if arrow.x0 - 0.1 * em < n.center < arrow.x1 + 0.1 * em and 0.2 * em < n.baseline - arrow.baseline < em
        ]  # fmt: skip
        if any(n.size >= SCRIPT * em and n.kind != "rel" for n in under):
            size, baseline = main_style(under)
            code = rf"\{OVER[arrow.text]}{{{_expression(under, [])}}}"
            x0, x1 = min(arrow.x0, *(n.x0 for n in under)), max(arrow.x1, *(n.x1 for n in under))
            bottom = max(n.bottom for n in under)
            node = Node("built", code, x0, x1, arrow.middle, bottom, baseline, size, italic=True)
            nodes = [*_others(nodes, [*under, arrow]), node]
    return nodes


def _braced(nodes: list[Node], bars: list[Bar]) -> list[Node]:
    """Horizontal braces with what they hold and their label as one node."""
    for brace in _braces(nodes):
        left, over = brace[0], brace[0].text == "⏞"
        x0, x1, y = left.x0, brace[-1].x1, left.middle
        rest = _others(nodes, brace)
        held = reaching([n for n in rest if x0 - 1 <= n.center <= x1 + 1], [], y, below=over)
        size, baseline = main_style(held)
        small = [n for n in rest if n.size < 0.9 * size and (n.middle < y) == over and abs(n.middle - y) < 1.6 * size]
        label = next((c for c in chains_of(small, size) if abs(c[0].x0 + c[-1].x1 - x0 - x1) < size), [])
        inner = [b for b in bars if b[0] >= x0 and b[1] <= x1 and (b[2] > y) == over]
        code = rf"\{'over' if over else 'under'}brace{{{_expression(held, inner)}}}"
        used = [*brace, *held, *label]
        x0, x1 = min(n.x0 for n in used), max(n.x1 for n in used)
        node = Node(
            "built", code, x0, x1, min(n.top for n in used), max(n.bottom for n in used), baseline, size, italic=True
        )
        if label:
            setattr(node, "over" if over else "under", _expression(label, []))
        nodes = [*_others(nodes, used), node]
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
        rest = _others(rest, brace)
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
        content = [n for n in inside if n is not left and n is not right]
        if right is None:
            content = _without_end(content, left.middle + AXIS * left.size)
        try:
            rows = rows_of(content)
        except Unreadable:
            continue
        if len(rows) == 1:
            continue
        name = MATRICES.get((left.latex, right.latex)) if right else "cases"
        body = _grid(rows, content)
        if name:
            code = rf"\begin{{{name}}} {body} \end{{{name}}}"
        else:
            code = rf"\left{left.latex} \begin{{matrix}} {body} \end{{matrix}} \right{right.latex if right else '.'}"
        size = main_style(content)[0]
        x1 = right.x1 if right else max(n.x1 for n in content)
        middle = left.middle + AXIS * size
        node = Node("built", code, left.x0, x1, left.top, left.bottom, middle, size, tall=True)
        nodes = [*_others(nodes, [*content, left, *([right] if right else [])]), node]
    return nodes


def _without_end(content: list[Node], line: float) -> list[Node]:
    """Cases without the full stop behind them, which stands on the `line` of the whole, a baseline."""
    last = max(content, key=lambda n: n.x1, default=None)
    if last is None or last.kind != "punct" or abs(last.baseline - line) > 0.15 * last.size:
        return content
    beside = [n for n in content if n is not last and abs(n.baseline - last.baseline) < 0.1 * last.size]
    return content if any(n.x1 > last.x0 - 0.3 * last.size for n in beside) else _others(content, [last])


def _grid(rows: list[list[Node]], content: list[Node]) -> str:
    size = main_style(content)[0]
    starts = column_starts(content, 0.4 * size)
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
