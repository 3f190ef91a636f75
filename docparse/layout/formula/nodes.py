"""What a formula is made of: one node per symbol, cut out of words; composites take the place of their parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

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
NARROW, WIDE = set("iljtfI.,;:'!|()[]{}/′ "), set("mwMW∑∏→←⇒⇔∞")
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
    word: int = -1
    sup: list[Node] = field(default_factory=list)
    sub: list[Node] = field(default_factory=list)
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
    for index, word in enumerate(words):
        text = word.text if word.text.isascii() else decomposed(word.text)
        widths = [0.0 if unicodedata.combining(c) else 0.55 if c in NARROW else 1.6 if c in WIDE else 1.0 for c in text]
        scale = word.box.width / max(1e-6, sum(widths))
        for match in _TOKENS.finditer(text):
            x0 = word.box.x0 + scale * sum(widths[: match.start()])
            x1 = x0 + scale * sum(widths[match.start() : match.end()])
            parts = _split(match, word, text)
            step = (x1 - x0) / len(parts)
            for i, part in enumerate(parts):
                if not all(map(is_known, part)):
                    known = False
                node = _node(part, word, (x0 + i * step, x0 + (i + 1) * step), index)
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
            result[at] = replace(near[0], text=text)
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


def _node(part: str, word: Word, extent: tuple[float, float], index: int) -> Node:
    kind, code = _kind(part, word)
    size, base = word.size, word.baseline
    ink = (word.box.y0, word.box.y1)
    em_box = abs(word.box.y0 - (base - 0.8 * size)) < 0.06 * size and abs(word.box.height - size) < 0.06 * size
    if em_box:
        small = kind == "letter" and len(part) == 1 and part in "acemnorsuvwxz"
        ink = (base - (0.48 if small else CAP) * size, base + (0.0 if small else DROP) * size)
    return Node(
        kind, code, extent[0], extent[1], ink[0], ink[1], base, size,
        text=part, italic=word.italic, math=word.math, word=index,
        tall=not em_box and ink[1] - ink[0] > 1.15 * size,
    )  # fmt: skip


def _kind(part: str, word: Word) -> tuple[str, str]:  # noqa: PLR0911, PLR0912
    first = part[0]
    if part in SPACING_ACCENTS and not (part == "`" and not word.math):
        return "accent", SPACING_ACCENTS[part]
    if part in ("√", "⎷"):
        return "root", r"\surd"
    if first.isdigit():
        return "number", _bold(part, word)
    if len(part) > 1 and part.isascii() and part.isalpha():
        return _name(part, word)
    for kind, table in (
        ("rel", RELATIONS), ("op", BINARY), ("big", BIG), ("open", OPENING), ("close", CLOSING), ("bar", BARS)
    ):  # fmt: skip
        if part in table:
            return kind, table[part]
    if part == "*":
        return "op", "*"
    if part == "-":
        return "op", "-"
    if part in ("′", "″", "‴", "'"):
        return "prime", {"″": "''", "‴": "'''"}.get(part, "'")
    if part in ".,;:!?" or part == "...":
        return "punct", r"\ldots" if part == "..." else part
    if len(part) == 1 and part.isalpha():
        code = symbol(part, word.font)
        if part.isascii() and code == part:
            code = _letter(part, word)
        return "letter", code
    if part[0].isalpha():
        return "letter", latex(part)
    return "letter", latex(part)


def _letter(char: str, word: Word) -> str:
    if word.bold:
        return rf"\boldsymbol{{{char}}}" if word.italic else rf"\mathbf{{{char}}}"
    return char if word.italic or word.math else rf"\mathrm{{{char}}}"


def _bold(number: str, word: Word) -> str:
    return rf"\mathbf{{{number}}}" if word.bold else number


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
