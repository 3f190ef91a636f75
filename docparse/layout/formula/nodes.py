"""What a formula is made of: one node per symbol, cut out of words; composites take the place of their parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import msgspec

from docparse.layout.formula.evidence import SMALL_WORDS
from docparse.layout.formula.symbols import (
    ACCENTS,
    BARS,
    BIG,
    BINARY,
    CLOSING,
    COMPOUND,
    LIMITS,
    NAMES,
    OPENING,
    PIECES,
    RELATIONS,
    SPACING_ACCENTS,
    SYMBOLS,
    is_known,
    latex,
    symbol,
    text_mode,
    under_accent,
    unstyled,
)
from docparse.layout.text.wording import FUNCTIONS
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
_ACCENT_FIRST = re.compile(r"(cm|lm)mi", re.I)  # TeX prints an arrow before the letter that it stands on
_ROMAN = re.compile(r"cmr|lmr|sfrm", re.I)
_TEX_TEXT = re.compile(rf"{_ROMAN.pattern}|(cm|ec|sf)(bx)?(ti|sl)\d", re.I)  # TeX has other italics for variables
_NARROW = {0xFEE0 + code: code for code in range(0x21, 0x7F)} | {ord("。"): "."}  # of signs as wide as Chinese ones
_GREEK = re.compile(r"[\u0391-\u03f5\U0001d6a8-\U0001d7cb]")
_GROWS = re.compile(r"ex(?:b|as?|s)?\d*$|extension", re.I)  # fonts whose accents are as wide as what they stand on
WIDE = 0.7  # font sizes: so wide are only accents that grow
_WIDE = {r"\hat": r"\widehat", r"\tilde": r"\widetilde"}
_SHORT, _HYPHENED = r"(?:[a-z]\.){2,}", r"[A-Za-z]+(?:[-–][A-Za-z]+)+"
_SAID = re.compile(rf"{_SHORT}|{_HYPHENED}")  # a.e., i.i.d., first-order
_TOKENS = re.compile(
    rf"(?P<number>\d+(?:[.,]\d+)*)|(?P<short>{_SHORT})|(?P<letters>(?:[^\W\d_][\u0300-\u036f\u20d7]*)+)|(?P<dots>\.\.\.)|"
    r"(?P<one>.[\u0300-\u036f\u20d7]*)",
    re.DOTALL,
)
_TEXT_TOKENS = re.compile(rf"(?P<hyphened>{_HYPHENED})|{_TOKENS.pattern}", re.DOTALL)  # in type that prints no minus


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
    eastern = any("\u3040" < char < "\ua000" for word in words for char in word.text)
    styled = {word.font for word in words if any("𝐴" <= char <= "𝑧" for char in word.text)}
    for word in words:
        if word.font in styled and word.text.isascii():  # not one of the font's italics, which have codes of their own
            word = msgspec.structs.replace(word, math=False)  # noqa: PLW2901
        text = word.text if word.text.isascii() else _decomposed(word.text if eastern else word.text.translate(_NARROW))
        if _ACCENT_FIRST.match(word.font):
            text = re.sub("(\u20d7)([^\\W\\d_])", r"\2\1", text)
        step = word.box.width / len(text)
        for match in (_TEXT_TOKENS if _TEX_TEXT.match(word.font) else _TOKENS).finditer(text):
            at = match.start()
            for part in _split(match, word):
                if part not in PIECES and not all(map(is_known, part)):
                    known = False
                end = at + len(part)
                node = _node(part, word, (word.box.x0 + step * at, word.box.x0 + step * end))
                node.spaced = not word.glued and at == 0
                nodes.append(node)
                at = end
    return nodes, known


def _decomposed(text: str) -> str:
    """Accents apart from their letters, but negated relations in one piece: fonts have the stroke before the sign."""
    text = unicodedata.normalize("NFC", re.sub("\u0338(\\S)", "\\1\u0338", text))
    return "".join(char if char in SYMBOLS else unicodedata.normalize("NFD", char) for char in text)


def _negated(words: Sequence[Word]) -> list[Word]:
    """A stroke printed over a sign (TeX's `\not`) becomes part of it: U+0338 or a slash and = are ≠."""
    result = list(words)
    for stroke in [w for w in result if w.text in ("\u0338", "/")]:
        struck = next((k for k, w in enumerate(result) if w is not stroke and _strikes(stroke, w)), None)
        if struck is not None:
            word = result[struck]
            text = unicodedata.normalize("NFC", word.text[0] + "\u0338") + word.text[1:]
            result[struck] = msgspec.structs.replace(word, text=text)
        if struck is not None or stroke.text != "/":
            result = [w for w in result if w is not stroke]
    return result


def _strikes(stroke: Word, word: Word) -> bool:
    """Return whether a stroke stands on the first character of a word, a relation or a quantifier."""
    first = word.box.width / max(1, len(word.text))
    apart = min(abs(word.box.x0 - stroke.box.x0), abs(word.box.x0 + first / 2 - stroke.box.center[0]))
    level = abs(word.baseline - stroke.baseline) < 0.3 * word.size
    return (word.text[:1] in RELATIONS or word.text[:1] == "∃") and apart < 0.3 * word.size and level


def _split(match: re.Match, word: Word) -> list[str]:
    """Letters side by side: variables one by one where they are math italics, a name where they are upright."""
    run = match.group()
    if match.lastgroup != "letters":
        return [run]
    letters = r"[^\W\d_][\u0300-\u036f\u20d7]*"
    whole = unicodedata.normalize("NFC", run)
    latin = re.sub("[\u0300-\u036f]", "", run).isascii()
    if len(whole) > 2 and whole.isalpha() and not run.isascii() and latin and not (word.math or word.italic):
        return [whole]  # a word with an accent
    if is_name(run, word):
        letters = rf"[A-Za-z]{{2,}}(?![\u0300-\u036f\u20d7])|{letters}"
    return re.findall(letters, run)


def is_name(run: str, word: Word) -> bool:
    """Return whether ASCII letters are one name or word (`sin`, `otherwise`) and not a product of variables."""
    upright = not word.italic or _TEX_TEXT.match(word.font)
    if word.math and re.match(r"(cm|lm)b?sy|lmmathsymbols|msbm|eu|rsfs|bbm|ds(rom|serif)", word.font, re.I):
        return False
    return bool(upright) or (not word.math and (len(run) > 3 or _is_small_word(run)))


def _is_small_word(run: str) -> bool:
    return len(run) > 2 and run in SMALL_WORDS


def _node(part: str, word: Word, extent: tuple[float, float]) -> Node:
    kind, code = _kind(part, word)
    if part == "（":  # its ink is in the right half
        extent = (sum(extent) / 2, extent[1])
    size, base = word.size, word.baseline
    ink = (word.box.y0, word.box.y1)
    em_box = abs(word.box.y0 - (base - 0.8 * size)) < 0.06 * size and abs(word.box.height - size) < 0.06 * size
    if em_box:
        ink = (base - CAP * size, base + DROP * size)
    wide = kind == "accent" and (extent[1] - extent[0] > WIDE * size or _GROWS.search(word.font) is not None)
    return Node(
        kind, _WIDE.get(code, code) if wide else code, extent[0], extent[1], ink[0], ink[1], base, size,
        text=part, italic=word.italic,
        tall=wide or (not em_box and ink[1] - ink[0] > 1.15 * size),
    )  # fmt: skip


def _kind(part: str, word: Word) -> tuple[str, str]:
    first = part[0]
    if part == "-" and _ROMAN.match(word.font):  # TeX's minus is another sign
        return "text", r"\text{-}"
    if part in KINDS:
        return KINDS[part]
    if first.isdecimal():
        return "number", latex(part) if not part.isascii() else rf"\mathbf{{{part}}}" if word.bold else part
    if _SAID.fullmatch(part) or "\uff00" < first < "\uff61":  # words, and brackets as wide as Chinese letters
        return "text", rf"\text{{{part}}}"
    if len(part) > 1 and part.isalpha() and (part.isascii() or not (word.math or word.italic)):
        return _name(part, word)
    code = symbol(part, word.font) if len(part) == 1 else latex(part, word.font)
    if part.isascii() and part.isalpha() and code == part:
        code = _letter(part, word)
    elif word.bold and (_GREEK.match(first) or (first.isascii() and first.isalpha())):
        marks = (ACCENTS[char] for char in part[1:] if char in ACCENTS)
        code = reduce(under_accent, marks, _bold(symbol(unstyled(first), word.font), word))
    return "letter", code


def _bold(code: str, word: Word) -> str:
    """A letter in bold, as it is slanted or not; Greek ones are in both."""
    return rf"\mathbf{{{code}}}" if code.isalpha() and not word.italic else rf"\boldsymbol{{{code}}}"


def _letter(char: str, word: Word) -> str:
    if word.bold:
        return _bold(char, word)
    return char if word.italic or word.math else rf"\mathrm{{{char}}}"


def _name(run: str, word: Word) -> tuple[str, str]:
    if run in FUNCTIONS:
        return "name", f"\\{run}"
    if run in NAMES or run in LIMITS:
        return "name", rf"\operatorname{{{run}}}"
    if word.bold:
        return "name", rf"\mathbf{{{run}}}"
    if COMPOUND.fullmatch(run) and not run.isupper() and len(run) > 2:
        return "name", rf"\mathrm{{{run}}}"
    return "text", rf"\text{{{text_mode(run)}}}"
