"""The symbols of fonts as drawings: of OpenType math fonts, and of TeX's Type 1 fonts."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from fontTools.agl import toUnicode
from fontTools.pens.basePen import BasePen
from fontTools.t1Lib import T1Font
from fontTools.ttLib import TTFont

EM = 200  # pixels of a drawing
UPRIGHT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
ITALIC = "".join(map(chr, range(0x1D434, 0x1D468))).replace("\U0001d455", "ℎ")
BOLD = "".join(map(chr, range(0x1D400, 0x1D434)))
SCRIPT = "𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵"
DOUBLE = "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ𝟙"
FRAKTUR = "𝔄𝔅ℭ𝔇𝔈𝔉𝔊ℌℑ𝔍𝔎𝔏𝔐𝔑𝔒𝔓𝔔ℜ𝔖𝔗𝔘𝔙𝔚𝔛𝔜ℨ" + "".join(map(chr, range(0x1D51E, 0x1D538)))
GREEK = (*range(0x1D6FC, 0x1D715), *range(0x1D716, 0x1D71C))
LOWER = "".join(chr(code) for code in GREEK if code not in (0x1D70A, 0x1D718))  # an omicron is an o
SIGNS = (
    "ΓΔΘΛΞΠΣΥΦΨΩ"
    "+−=<>/\\|()[]{}.,:;!?%&@#′*"
    "±∓×÷∪∩∧∨⊕⊖⊗⊘⊙∘⊎⊔⊓⋆⋄◁▷†‡≤≥≠≈≡∼≃≅∝≪≫∈∉∋⊂⊆⊃⊇⊊→←↔⇒⇐⇔↦⟶⟵⟹⟺↪↠⇀⇌≺≻⪯⪰⊢⊣⊨⊥≍≜⩽⩾≲≳⊑⊒"
    "↑↓↗↘⇝⊴⊵∫∮√∞∂∇∅∀∃∄¬ℓℏℵ℘⊤∠□■∴∵⌊⌋⌈⌉⟨⟩⏞⏟♯♭♮⋈↩˘"
)
ALPHABET = UPRIGHT + ITALIC + BOLD + SCRIPT + DOUBLE + FRAKTUR + LOWER + SIGNS
ALIKE = {  # what prints as another symbol does, at another size or in another place
    "Σ": "∑", "Π": "∏", "∪": "⋃", "∩": "⋂", "∧": "⋀ˆ", "∨": "⋁ˇ", "⊕": "⨁", "⊗": "⨂", "⊔": "⨆", "⊎": "⨄", "−": "–—¯_",
    ".": "·˙⋅∙", "∼": "˜~", "∘": "°˚", "|": "∣│", "Δ": "△∆", "Ω": "\u2126",
    "⊙": "⨀", "*": "∗", "/": "∕", "\\": "∖", "⟨": "〈", "⟩": "〉",
    "′": "'", "□": "◻", "▷": "⊳", "◁": "⊲", "⊥": "⟂", "→": "\u20d7", "∈": "ϵ", "∂": "\U0001d715",
    **{str(digit): chr(0x1D7CE + digit) for digit in range(10)},
    **{char: chr(0x1D468 + i) for i, char in enumerate(ITALIC)},
    **{chr(code): chr(code + 58) for code in range(0x1D6FC, 0x1D715)},
}  # fmt: skip
TALL = frozenset("()[]{}|⌊⌋⌈⌉⟨⟩√∫∮/\\")  # as high as what they embrace
LONG = frozenset("⏞⏟→←⟶⟵⇒⟹−")
LARGE = frozenset("ΣΠ∪∩∧∨⊕⊗⊙")
_BASE = UPRIGHT[:52]
_GREEK = {
    chr(0x3B1 + code - 0x1D6FC): chr(code) for code in range(0x1D6FC, 0x1D715)
    if chr(0x3B1 + code - 0x1D6FC) not in "εθφπρσςο"  # of most of these, either form has the plain name
} | {"\u00b5": "\U0001d707"}  # fmt: skip
_MARKS = "0123456789()[]{}|/\\+=<>.,:;!?%&@#*"
STYLES = (  # what the glyphs of Type 1 fonts with ASCII or Greek names are, by the files' names
    ("mi|MI", dict(zip(_BASE, ITALIC, strict=True)) | _GREEK | {char: char for char in "<>/.,"}),
    ("eufm", dict(zip(_BASE, FRAKTUR, strict=True))),
    ("msbm|ds", dict(zip(_BASE[:26], DOUBLE, strict=False))),
    ("eusm|rsfs", dict(zip(_BASE[:26], SCRIPT, strict=True))),
    ("sy", dict(zip(_BASE[:26], SCRIPT, strict=True)) | {char: char for char in "{}|\\"}),
    ("bx|b8a", dict(zip(_BASE, BOLD, strict=True))),
    (r"r\d+$|r$|r8a", {char: char for char in _BASE + _MARKS + "ΓΔΘΛΞΠΣΥΦΨΩ"}),
)


@dataclass(frozen=True)
class Drawing:
    """One glyph: uint8 [height, width], `EM` pixels an em; `over` and `under` the baseline it reaches, in em."""

    char: str
    mask: np.ndarray
    over: float
    under: float


def drawings(font: Path) -> list[Drawing]:
    """Return the symbols of an OpenType math font, their larger forms after them, or those of a Type 1 font."""
    if font.suffix == ".pfb":
        return _of_type1(font)
    file = TTFont(font)
    names, forms = file.getBestCmap(), _larger_forms(file)
    found = []
    for char in ALPHABET:
        for shown in char + ALIKE.get(char, ""):
            name = names.get(ord(shown))
            larger = forms.get(name, []) if char in TALL | LONG | LARGE else []
            for glyph in [name, *larger] if name else []:
                if drawn := _drawn(file.getGlyphSet(), file["head"].unitsPerEm, char, glyph):
                    found.append(drawn)
    return found


def _of_type1(font: Path) -> list[Drawing]:
    """The symbols of one of TeX's fonts. Its glyphs have plain names; the style of its letters is that of the font."""
    shown = {each: char for char in ALPHABET for each in char + ALIKE.get(char, "")}
    style = next(style for name, style in STYLES if re.search(name, font.stem))
    glyphs = T1Font(font).getGlyphSet()
    found = []
    for name in (name for name in glyphs if "." not in name):  # no other forms
        plain = toUnicode(name)
        char = style.get(plain) or (shown.get(plain) if not plain.isascii() else None)
        if char and (drawn := _drawn(glyphs, 1000, char, name)):
            found.append(drawn)
    return found


def _larger_forms(file) -> dict[str, list[str]]:
    """Glyphs to stretch a glyph to, by its name, from the font's MATH table."""
    forms: dict[str, list[str]] = defaultdict(list)
    table = file["MATH"].table.MathVariants if "MATH" in file else None
    for way in ("Vert", "Horiz") if table else ():
        coverage = getattr(table, f"{way}GlyphCoverage")
        made = getattr(table, f"{way}GlyphConstruction")
        for name, construction in zip(coverage.glyphs if coverage else [], made or [], strict=True):
            forms[name] += [v.VariantGlyph for v in construction.MathGlyphVariantRecord if v.VariantGlyph != name]
    return forms


def _drawn(glyphs, units: float, char: str, glyph: str) -> Drawing | None:
    """The glyph filled by the non-zero rule, of a font with so many units an em: contours that run the other way are
    holes."""
    pen = _Outline(glyphs)
    glyphs[glyph].draw(pen)
    contours = [np.array(contour) for contour in pen.contours if len(contour) > 2]
    if not contours:
        return None
    points = np.concatenate(contours)
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    scale = EM / units
    depth = np.zeros((int((y1 - y0) * scale) + 3, int((x1 - x0) * scale) + 3), np.int32)
    for contour in contours:
        part = np.zeros(depth.shape, np.uint8)
        place = np.stack([(contour[:, 0] - x0) * scale + 1, (y1 - contour[:, 1]) * scale + 1], axis=1)
        cv2.fillPoly(part, [np.round(place * 16).astype(np.int32)], 1, lineType=cv2.LINE_8, shift=4)
        (x, y), (ahead, above) = contour.T, np.roll(contour, -1, axis=0).T
        depth += part.astype(np.int32) * (1 if (x * above - ahead * y).sum() > 0 else -1)
    return Drawing(char, ((depth != 0) * 255).astype(np.uint8), y1 / units, -y0 / units)


class _Outline(BasePen):
    """Collects closed outlines as polygons in font units."""

    def __init__(self, glyphs) -> None:
        super().__init__(glyphs)
        self.contours: list[list[tuple[float, float]]] = []

    def _moveTo(self, point) -> None:  # the names are fontTools'
        self.contours.append([point])

    def _lineTo(self, point) -> None:
        self.contours[-1].append(point)

    def _curveToOne(self, *points) -> None:
        self.contours[-1] += _bezier(np.array([self.contours[-1][-1], *points], float)).tolist()


def _bezier(points: np.ndarray, steps: int = 12) -> np.ndarray:
    """Points on a Bézier curve after its first, float [steps, 2], by de Casteljau's construction."""
    t = np.linspace(0, 1, steps + 1)[1:, None, None]
    level = np.repeat(points[None], steps, axis=0)
    while level.shape[1] > 1:
        level = (1 - t) * level[:, :-1] + t * level[:, 1:]
    return level[:, 0]
