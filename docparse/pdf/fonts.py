"""What a font's name and descriptor tell about the style of its text."""

from __future__ import annotations

import ctypes
import re
from typing import NamedTuple

from docparse.pdf.native import native

FIXED_PITCH, ITALIC, FORCE_BOLD = 1 << 0, 1 << 6, 1 << 18  # font descriptor flags, ISO 32000-1 table 123

_BOLD = re.compile(r"bold|black|heavy|(?<![a-z])(bd|blk)(?![a-z])|^cmb|^sfb|^ecb|-b(i|d)?$|medi(it?)?$", re.I)
_LIGHT = re.compile(r"semi-?bold|demi", re.I)
_ITALIC = re.compile(
    r"ital|obliq|slant|(?<![a-z])it(?![a-z])|^cm(b?x?ti|sl|mi)|^(sf|ec)(ti|sl|bi)|-(bi|i)$|(?-i:[a-z-]It$)"
)
_MONO = re.compile(
    r"mono|courier|consol|typewriter|fixed|menlo|^cm(tt|sltt|itt)|^(sf|ec)tt|inconsolata|lucidacons", re.I
)
_MATH = re.compile(
    r"^(cm(mi|sy|ex|bsy|mib)|lm(mi|sy|ex|math)|ms[ab]m|eu[frsx][mb]|euex|mtsy|mtex|mtmi|rm?tmi|"
    r"[tp]x(sy|mi|ex|bsy)|(new)?(tx|px)(mi|sy|ex)|zpl|fouriermath|rsfs|wasy|stmary|lasy|line\d|esint|bbm|dsrom|"
    r"symbol|mathematicalpi|mathpi|universalmath|advp?4c4e|mt-?extra)|math|-sy$",
    re.I,
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")


class Style(NamedTuple):
    """Style of a font as such, before the text's own matrix and render mode."""

    name: str
    weight: int
    italic: bool
    mono: bool
    math: bool


def style_from(name: str, weight: int = 0, flags: int = 0, italic_angle: int = 0) -> Style:
    """Judge a font by its PDF name (a subset prefix is cut off) and its descriptor.

    Descriptors lie more often than names: a weight over 500 or the ForceBold flag adds boldness, nothing takes it away.
    """
    name = _SUBSET.sub("", name)
    compact = name.replace(" ", "")
    if _LIGHT.search(compact):
        weight = max(weight, 600)
    elif _BOLD.search(compact) or flags & FORCE_BOLD:
        weight = max(weight, 700)
    return Style(
        name=name,
        weight=min(max(weight or 400, 100), 900),
        italic=bool(_ITALIC.search(compact)) or bool(flags & ITALIC) or 4 < abs(italic_angle) < 45,
        mono=bool(_MONO.search(compact)) or bool(flags & FIXED_PITCH),
        math=bool(_MATH.search(compact)),
    )


def read_style(font: int) -> Style:
    """The style of a pdfium font handle; handle 0 (no font) gives a plain one."""
    if not font:
        return style_from("")
    pdf = native()
    name = ctypes.create_string_buffer(256)
    length = pdf.Font_GetBaseFontName(font, ctypes.addressof(name), len(name))
    angle = ctypes.c_int()
    if not pdf.Font_GetItalicAngle(font, ctypes.addressof(angle)):
        angle.value = 0
    text = name.raw[: max(0, length - 1)] if 0 < length <= len(name) else b""
    return style_from(
        text.decode("utf-8", "replace"), max(0, pdf.Font_GetWeight(font)), max(0, pdf.Font_GetFlags(font)), angle.value
    )
