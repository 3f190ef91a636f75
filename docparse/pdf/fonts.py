"""What a font's name and descriptor tell about the style of its text."""

from __future__ import annotations

import ctypes
import re
from typing import NamedTuple

from docparse.pdf.native import native

FIXED_PITCH, ITALIC, FORCE_BOLD = 1 << 0, 1 << 6, 1 << 18  # font descriptor flags, ISO 32000-1 table 123

_BOLD = re.compile(
    r"bold|(black|heavy)(?-i:(?![a-z]))|(?<![a-z])(bd|blk)(?![a-z])|^cm(ss)?b(x(ti|sl)?|csc)?\d|^cmssdc|"
    r"^(sf|ec)(b|rb|sx|so|xc)|^hfbr(bx|mb|bs)|^kp-(-m-)?medium|^lin(libertine|biolinum)[mot][bz]|^cmmib|^lmmib|^cmbsy|^lmbsy|"
    r"^r[tp]xbmi|^n?t[1c]?xbtt|[-.]b(i|d)?$|medi(it?)?$",
    re.I,
)
_SEMIBOLD = re.compile(r"semi-?bold|demi", re.I)
_ITALIC = re.compile(
    r"(?-i:Ital|[a-z-]It$)|(?<![a-z])(ital|it(?![a-z]))|obli(q|$)|slant|^cm(b?x?(ti|sl)|ssq?i|itt|mi)|^(sf|ec)(ti|sl|b[il]|s[io]|it|st)|[-.](bi|i)$",
    re.I,
)
_MONO = re.compile(
    r"mono|nimbusmon|courier|consol|typewriter|fixed|menlo|^cm(tt|tcsc|sltt|itt)|^(sf|ec)(tt|tc|st|it)|^n?t[1c]?xb?tt|"
    r"inconsolata|lucidacons|sourcecode|firacode",
    re.I,
)
_MATH = re.compile(
    r"^((tex-)?math[abx]\d|cm(mi|sy|ex|bsy|mib)|lm(mi|sy|ex|math)|ms[ab]m|ds(?:rom|serif)|eu[frsx][mb]|euex|mtsy|mtex|mtmi|rm?tmi|"
    r"r?[tp]xb?(sy|mi|ex)|(new)?(tx|px)b?(mi|sy|ex)|kp--m-|hfbr(mi|mb|sy|bs)|zpl|fouriermath|rsfs|wasy|stmary|lasy|"
    r"line\d|esint|bbm|dsrom|symbol|standardsym|mathematicalpi|mathpi|universalmath|advp?4c4e|mt-?extra|katex_(?!main|sans|type))|(?-i:Math(?![a-z]|Jax_(Main|SansSerif|Typewriter)))|"
    r"(?<![a-z])math(?![a-z])|-sy$",
    re.I,
)
_EXTENSION = re.compile(
    r"^((cm|lm|mlm|yhcm|mt|eu|bl|ntx|new[tp]x|[tp]x|jkpl?|fourier-m|stix-?math)b?m?ex(b|as?|s|mods|-bar)?(?![a-z])|esint|"
    r"(tex-)?mathx\d|kp--m-ex)|math-?extension|mathdesign.*-extension",
    re.I,
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_UNNAMED = re.compile(r"(?:CIDFont\+)?[A-Z]{0,2}\d*")  # "CIDFont+F1", as printing to a file leaves it
_SFNT = (b"\0\1\0\0", b"true", b"OTTO")
_ENTRY, _STYLE = 16, 44  # bytes: of a table in a font's directory, and before the style in the table `head`


class Style(NamedTuple):
    """Style of a font as such, before the text's own matrix and render mode."""

    name: str
    weight: int
    italic: bool
    mono: bool
    math: bool
    extension: bool  # a math font of big brackets and operators, which hang below their baseline


def plain_name(name: str) -> str:
    """Return a font's name in the PDF without the prefix of a subset."""
    return _SUBSET.sub("", name)


def style_from(name: str, flags: int = 0, italic_angle: int = 0) -> Style:
    """Judge a font by its PDF name (a subset prefix is cut off) and its descriptor's flags.

    The weight comes from the name: what descriptors say is no use (Georgia 665, Arial 575, Calibri 265 are all regular
    as pdfium derives it from the stem width).
    """
    name = plain_name(name)
    compact = name.replace(" ", "")
    weight = 400
    if _SEMIBOLD.search(compact):
        weight = 600
    elif _BOLD.search(compact) or flags & FORCE_BOLD:
        weight = 700
    return Style(
        name=name,
        weight=weight,
        italic=bool(_ITALIC.search(compact)) or bool(flags & ITALIC) or 4 < abs(italic_angle) < 45,
        mono=bool(_MONO.search(compact)) or bool(flags & FIXED_PITCH),
        math=bool(_MATH.search(compact)),
        extension=bool(_EXTENSION.search(compact)),
    )


def read_style(font: int) -> Style:
    """Return the style of a pdfium font handle; handle 0 (no font) gives a plain one."""
    if not font:
        return style_from("")
    pdf = native()
    name = ctypes.create_string_buffer(256)
    length = pdf.Font_GetBaseFontName(font, ctypes.addressof(name), len(name))
    angle = ctypes.c_int()
    if not pdf.Font_GetItalicAngle(font, ctypes.addressof(angle)):
        angle.value = 0
    text = name.raw[: max(0, length - 1)] if 0 < length <= len(name) else b""
    told, flags = text.decode("utf-8", "replace"), max(0, pdf.Font_GetFlags(font))
    if _UNNAMED.fullmatch(plain_name(told)):
        flags |= _embedded_flags(_program(font))
    return style_from(told, flags, angle.value)


def _program(font: int) -> bytes:
    pdf, size = native(), ctypes.c_size_t()
    pdf.Font_GetFontData(font, 0, 0, ctypes.addressof(size))
    data = ctypes.create_string_buffer(size.value + 1)
    read = pdf.Font_GetFontData(font, ctypes.addressof(data), size.value, ctypes.addressof(size))
    return data.raw[: size.value] if read else b""


def _embedded_flags(program: bytes) -> int:
    """The flags of a descriptor that the style in a TrueType or OpenType file stands for."""
    if program[:4] not in _SFNT:
        return 0
    for at in range(12, min(len(program), 12 + _ENTRY * int.from_bytes(program[4:6])), _ENTRY):
        if program[at : at + 4] == b"head":
            start = int.from_bytes(program[at + 8 : at + 12]) + _STYLE
            style = int.from_bytes(program[start : start + 2])
            return (FORCE_BOLD if style & 1 else 0) | (ITALIC if style & 2 else 0)
    return 0
