"""What a formula is made of: one node per symbol, cut out of words; composites take the place of their parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from docparse.layout.formula.symbols import (
    BARS,
    BIG,
    BINARY,
    CLOSING,
    FUNCTIONS,
    LIMITS,
    NAMES,
    OPENING,
    RELATIONS,
    SPACING_ACCENTS,
    SYMBOLS,
    is_known,
    latex,
    symbol,
    text_mode,
)
from docparse.layout.text.words import Word

AXIS = 0.25  # font sizes from the baseline up to fraction bars and the middle of brackets
CAP, DROP = 0.72, 0.22  # ink of ordinary glyphs above and below the baseline, in font sizes
KINDS = {
    char: (kind, code)
    for kind, table in (
        ("rel", RELATIONS), ("op", BINARY | {"*": "*", "-": "-"}), ("big", BIG), ("open", OPENING), ("close", CLOSING),
        ("bar", BARS), ("prime", {"′": "'", "'": "'", "″": "''", "‴": "'''"}), ("root", dict.fromkeys("√⎷", r"\surd")),
        ("punct", dict(zip(".,;:!?", ".,;:!?", strict=True)) | {"...": r"\ldots"}), ("accent", SPACING_ACCENTS),
    )
    for char, code in table.items()
}  # fmt: skip
_TOKENS = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)*)|(?P<letters>(?:[^\W\d_][\u0300-\u036f\u20d7]*)+)|(?P<dots>\.\.\.)|"
    r"(?P<one>.[\u0300-\u036f\u20d7]*)",
    re.DOTALL,
)


@dataclass
class Node:
    """A symbol or a built part of a formula, with the extent of its ink in points.

    `kind` is one of letter, number, name, text, op, rel, big, open, close, bar, punct, prime, accent, root,
    built (a fraction, root, matrix). `tall` marks what wants brackets that grow.
    """

    kind: str
    latex: str
    x0: float
    x1: float
    top: float
    bottom: float
    baseline: float
    size: float
    text: str = ""
    tall: bool = False
    italic: bool = False
    math: bool = False
    spaced: bool = False  # a space in the PDF's own text stands before it
    over: str = ""  # limits that are set already
    under: str = ""

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def center(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def nodes_of(words: Sequence[Word]) -> tuple[list[Node], bool]:
    """Return one node per symbol, number or upright name, and whether every character is known."""
    nodes: list[Node] = []
    known = True
    words = _negated(words)
    for word in words:
        text = word.text if word.text.isascii() else decomposed(word.text)
        step = word.box.width / len(text)
        for match in _TOKENS.finditer(text):
            x0, x1 = (word.box.x0 + step * at for at in match.span())
            parts = _split(match, word, text)
            width = (x1 - x0) / len(parts)
            for i, part in enumerate(parts):
                if not all(map(is_known, part)):
                    known = False
                node = _node(part, word, (x0 + i * width, x0 + (i + 1) * width))
                node.spaced = not word.glued and match.start() == 0 and i == 0
                nodes.append(node)
    return nodes, known


def decomposed(text: str) -> str:
    """Accents apart from their letters, but negated relations in one piece."""
    return "".join(char if char in SYMBOLS else unicodedata.normalize("NFD", char) for char in text)


def _negated(words: Sequence[Word]) -> list[Word]:
    """A stroke printed over a relation (TeX's `\not`) becomes part of it: U+0338 and = are ≠."""
    strokes = [w for w in words if w.text == "\u0338"]
    result = [w for w in words if w.text != "\u0338"]
    for stroke in strokes:
        near = [
            w for w in result if abs(w.box.x0 - stroke.box.x0) < 0.25 * w.size and abs(w.baseline - stroke.baseline) < 1
        ]
        if near:
            at = next(k for k, w in enumerate(result) if w is near[0])
            text = unicodedata.normalize("NFC", near[0].text[0] + "\u0338") + near[0].text[1:]
            result[at] = msgspec.structs.replace(near[0], text=text)
    return result


def _split(match: re.Match, word: Word, text: str) -> list[str]:
    """Letters side by side: variables one by one where they are math italics, a name where they are upright."""
    run = match.group()
    if match.lastgroup != "letters":
        return [run]
    letters = re.findall(r"[^\W\d_][\u0300-\u036f\u20d7]*", run)
    if len(letters) == 1 or not run.isascii():
        return letters
    if is_name(run, word):
        return [run]
    return letters


def is_name(run: str, word: Word) -> bool:
    """Return whether ASCII letters are one name or word (`sin`, `otherwise`) and not a product of variables."""
    upright = not word.italic or re.match(r"cmr|lmr", word.font, re.I)
    if word.math and re.match(r"(cm|lm)b?sy|lmmathsymbols|msbm|eu|rsfs|bbm|ds(rom|serif)", word.font, re.I):
        return False
    return bool(upright) or (not word.math and len(run) > 3)


def _node(part: str, word: Word, extent: tuple[float, float]) -> Node:
    kind, code = _kind(part, word)
    size, base = word.size, word.baseline
    ink = (word.box.y0, word.box.y1)
    em_box = abs(word.box.y0 - (base - 0.8 * size)) < 0.06 * size and abs(word.box.height - size) < 0.06 * size
    if em_box:
        ink = (base - CAP * size, base + DROP * size)
    return Node(
        kind, code, extent[0], extent[1], ink[0], ink[1], base, size,
        text=part, italic=word.italic, math=word.math,
        tall=not em_box and ink[1] - ink[0] > 1.15 * size,
    )  # fmt: skip


def _kind(part: str, word: Word) -> tuple[str, str]:
    first = part[0]
    if part in KINDS and not (part == "`" and not word.math):
        return KINDS[part]
    if first.isdigit():
        return "number", rf"\mathbf{{{part}}}" if word.bold else part
    if len(part) > 1 and part.isascii() and part.isalpha():
        return _name(part, word)
    code = symbol(part, word.font) if len(part) == 1 else latex(part)
    return "letter", _letter(part, word) if part.isascii() and part.isalpha() and code == part else code


def _letter(char: str, word: Word) -> str:
    if word.bold:
        return rf"\boldsymbol{{{char}}}" if word.italic else rf"\mathbf{{{char}}}"
    return char if word.italic or word.math else rf"\mathrm{{{char}}}"


def _name(run: str, word: Word) -> tuple[str, str]:
    if run in FUNCTIONS:
        return "name", f"\\{run}"
    if word.italic and not word.math:
        return "text", rf"\mathit{{{run}}}"
    if run in NAMES or run in LIMITS:
        return "name", rf"\operatorname{{{run}}}"
    if word.bold:
        return "name", rf"\mathbf{{{run}}}"
    return "text", rf"\text{{{text_mode(run)}}}"


def accented(nodes: list[Node]) -> list[Node]:
    """Accents that are glyphs of their own, put over the symbol they are printed over."""
    accents = [n for n in nodes if n.kind == "accent"]
    for accent in accents:
        below = [
            n for n in nodes
            if n.kind in ("letter", "number", "name", "built")
            and n.x0 - 0.15 * n.size <= accent.center <= n.x1 + 0.15 * n.size
            and -0.3 * n.size < n.baseline - accent.baseline < n.size
        ]  # fmt: skip
        nodes = [n for n in nodes if n is not accent]
        if below:
            base = min(below, key=lambda n: abs(n.center - accent.center))
            done = replace(base, latex=rf"{accent.latex}{{{base.latex}}}")
            nodes = [done if n is base else n for n in nodes]
    return nodes


def dotted(nodes: list[Node]) -> list[Node]:
    """Three dots in a row, a column or a diagonal as one symbol."""
    dots = [n for n in nodes if n.text in (".", "·", "⋅")]
    if len(dots) < 3:
        return nodes
    rows = sorted(dots, key=lambda n: (round(n.baseline, 1), n.x0))
    used: set[int] = set()
    built = []
    for three in zip(rows, rows[1:], rows[2:], strict=False):
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
