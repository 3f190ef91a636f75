"""Symbols that are printed in pieces or over each other, put together: long arrows, tall bars, accents, dots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from docparse.layout.chained import chained, without
from docparse.layout.formula.nodes import AXIS, KINDS, Node
from docparse.layout.formula.symbols import PIECES_OF, glue

# side by side, one pushed into the other: what TeX makes of two glyphs
_JOINED = {
    ("−", "→"): "⟶", ("←", "−"): "⟵", ("=", "⇒"): "⟹", ("⇐", "="): "⟸", ("⇐", "⇒"): "⟺", ("←", "→"): "⟷",
    ("−", "⟶"): "⟶", ("⟵", "−"): "⟵", ("⎯", "⎯"): "⎯", ("⎯", "→"): "⟶",
    ("↦", "→"): "↦", ("↦", "⟶"): "⟼", ("↩", "→"): "↪", ("←", "↪"): "↩", ("▷", "◁"): "⋈",
    ("∫", "∫"): "∬", ("∬", "∫"): "∭", (":", "="): "≔", ("∶", "="): "≔", ("=", ":"): "≕", ("=", "∶"): "≕",
}  # fmt: skip
_OVER_EQUALS = {"∼": "≅", "˙": "≐", ".": "≐"}
_EITHER = ("⎪", chr(0xF8F4))  # between the pieces of a brace, which may be one that closes
_ROOTS = frozenset("┌│⎷√")
_PUSHED = 0.06  # em: pieces of one symbol stand closer than any two symbols


def composed(nodes: list[Node], strokes: Sequence[tuple[float, float, float]]) -> list[Node]:
    """Return the symbols of a formula with those in pieces put together; `strokes` are level: x0, x1, y."""
    return dotted(accented(_stacked(_bars(_brackets(_side_by_side(nodes)), strokes))))


def _as(node: Node, char: str, parts: Sequence[Node]) -> Node:
    kind, code = KINDS[char]
    return replace(
        node, kind=kind, latex=code, text=char, x0=min(n.x0 for n in parts), x1=max(n.x1 for n in parts),
        top=min(n.top for n in parts), bottom=max(n.bottom for n in parts),
    )  # fmt: skip


def _side_by_side(nodes: list[Node]) -> list[Node]:
    result: list[Node] = []
    for node in sorted(nodes, key=lambda n: (round(n.baseline), n.x0)):
        result.append(node)
        while len(result) > 1 and _is_pushed(*result[-2:]):
            pair = result[-2:]
            char = _JOINED.get((pair[0].text, pair[1].text))
            if not char:
                break
            result[-2:] = [_as(pair[0], char, pair)]
    return result


def _is_pushed(left: Node, right: Node) -> bool:
    em = left.size
    return abs(left.baseline - right.baseline) < 0.1 * em and -0.9 * em < right.x0 - left.x1 < _PUSHED * em


def _stacked(nodes: list[Node]) -> list[Node]:
    for low in [n for n in nodes if n.text == "="]:
        for high in [n for n in nodes if n.text in _OVER_EQUALS]:
            over = 0 <= low.baseline - high.baseline < 0.6 * low.size
            if over and abs(high.center - low.center) < 0.15 * low.size:
                whole = _as(low, _OVER_EQUALS[high.text], (low,))
                nodes = [whole if n is low else n for n in nodes if n is not high]
                break
    return nodes


def _brackets(nodes: list[Node]) -> list[Node]:
    """Pieces one over the other as one tall bracket, or radical."""
    for stack in _stacks([n for n in nodes if n.text in PIECES_OF]):
        char = next((PIECES_OF[n.text] for n in stack if n.text not in _EITHER), "{")
        nodes = _with_tall(nodes, stack, char)
    for stack in _stacks([n for n in nodes if n.text in _ROOTS], overlap=0.02):  # one in another only touches it
        if len(stack) > 1:
            nodes = _with_tall(nodes, stack, "√")
    return nodes


def _bars(nodes: list[Node], strokes: Sequence[tuple[float, float, float]]) -> list[Node]:
    """Pieces of a bar one over the other as one tall bar, where no stroke of a fraction parts them."""
    for char in ("|", "∥", "‖"):
        for stack in _stacks([n for n in nodes if n.text == char]):
            top, x, bottom = stack[0].middle, stack[0].center, stack[-1].middle
            if len(stack) > 1 and not any(x0 < x < x1 and top < y < bottom for x0, x1, y in strokes):
                nodes = _with_tall(nodes, stack, char)
    return nodes


def _stacks(pieces: list[Node], overlap: float = -0.1) -> list[list[Node]]:
    """Pieces that touch, each stack from the top; side by side they share `overlap` font sizes at least."""

    def touches(stack: list[Node], piece: Node) -> bool:
        last, em = stack[-1], piece.size
        shared = min(last.x1, piece.x1) - max(last.x0, piece.x0)
        return shared > overlap * em and last.top + 0.1 * em < piece.top < last.bottom + 0.3 * em

    return chained(sorted(pieces, key=lambda n: n.top), touches, back=len(pieces))


def _with_tall(nodes: list[Node], stack: list[Node], char: str) -> list[Node]:
    """The nodes with one tall bracket or bar instead of its pieces, centred on its line."""
    whole = _as(stack[0], char, stack)
    whole = replace(whole, tall=True, baseline=whole.middle + AXIS * whole.size)
    return [*without(nodes, stack), whole]


def accented(nodes: list[Node]) -> list[Node]:
    """Accents that are glyphs of their own, put over the symbol they stand on; those that grow, over several."""
    accents = [n for n in nodes if n.kind == "accent"]
    for accent in accents:
        stand = [n for n in nodes if n.kind != "accent" and -0.3 * n.size < n.baseline - accent.baseline < n.size]
        if not accent.tall:
            stand = [n for n in stand if n.kind in ("letter", "number", "name", "built")]
        below = [n for n in stand if n.x0 - 0.15 * n.size <= accent.center <= n.x1 + 0.15 * n.size]
        nodes = [n for n in nodes if n is not accent]
        if not below:
            nodes.append(replace(accent, kind="letter", latex=rf"{accent.latex}{{}}"))
            continue
        base = min(below, key=lambda n: abs(n.center - accent.center))
        covered = [n for n in stand if accent.x0 <= n.center <= accent.x1] if accent.tall else []
        under = sorted(covered, key=lambda n: n.x0) or [base]
        code = reduce(glue, (n.latex for n in under))
        kind = "built" if len(under) > 1 else base.kind
        done = replace(base, kind=kind, latex=rf"{accent.latex}{{{code}}}", x0=under[0].x0, x1=under[-1].x1)
        nodes = [*without(nodes, under), done]
    return nodes


def dotted(nodes: list[Node]) -> list[Node]:
    """Three dots in a row, a column or a diagonal as one symbol."""
    for order in (_along_rows, _along_columns, _along_columns):  # what is left then is diagonal
        dots = sorted((n for n in nodes if n.text in (".", "·", "⋅")), key=order)
        triples = zip(dots, dots[1:], dots[2:], strict=False)
        # the tightest first; a full stop behind three dots is about as near as they are to each other
        for three in sorted(triples, key=lambda three: round(abs(three[2].center - three[0].center) / three[0].size)):
            if all(any(n is dot for n in nodes) for dot in three) and (whole := _dots(*three, order is _along_rows)):
                nodes = [*without(nodes, three), whole]
    return nodes


def _along_rows(node: Node) -> tuple[float, float]:
    return round(node.baseline, 1), node.x0


def _along_columns(node: Node) -> tuple[float, float]:
    return round(node.x0), node.baseline


def _dots(a: Node, b: Node, c: Node, flat: bool) -> Node | None:
    """One symbol for three equal dots at equal steps, on one line (`flat`) or not."""
    step, again = (b.center - a.center, b.baseline - a.baseline), (c.center - b.center, c.baseline - b.baseline)
    level, widest = abs(step[1]) < 0.05 * a.size, max(map(abs, step))
    even = max(abs(step[0] - again[0]), abs(step[1] - again[1])) < 0.1 * a.size
    if level != flat or not even or not a.text == b.text == c.text or not 0.15 * a.size <= widest <= 0.75 * a.size:
        return None
    steep = abs(step[0]) < 0.05 * a.size
    code = (r"\ldots" if a.text == "." else r"\cdots") if flat else r"\vdots" if steep else r"\ddots"
    return replace(
        a, kind="letter", latex=code, text="…", x1=max(a.x1, c.x1), bottom=max(a.bottom, c.bottom),
        baseline=a.baseline if flat else c.baseline, top=a.top if flat else a.baseline - 0.25 * a.size,
    )  # fmt: skip
