"""TeX's fonts as bitmaps, which have no name (Type 3): the ink of their glyphs tells which they are.

TeX's printers wrote such fonts until vector fonts were common, and files made from their output still do. A code is
then all that is known of a glyph, and "j" is a bar in one font and a letter in the next. Where the ink of the glyphs of
a font has the form that it has in Computer Modern, they mean what they mean there.

The ink comes with docparse (`data/bitmaps.npz`, made by `training/bitmaps.py`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from docparse.pdf.characters import ASCENT, DESCENT
from docparse.pdf.fonts import Style, style_from
from docparse.pdf.glyphs import TEXT, encoding_of
from docparse.pdf.measured import joined
from docparse.pdf.textlayer import HYPHENS, RawText

# The older text fonts (Knuth, Computer Modern Typefaces): Greek, ligatures, accents and letters from 0 on, and signs
OLDER = dict(enumerate("ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ")) | dict(zip(b'"<>\\^_{|}~\x7f', "”¡¿“ˆ˙–—˝˜¨", strict=True))
ALIKE = 0.045  # ems by which ink may differ from that of its font: bitmaps are rounded to pixels, 0.025 at 300 dpi
OTHERS = 1.5, 0.01  # times and ems: fonts that would be read otherwise differ by more than the one that is found
RARER = 0.01  # ems by which a rare font must be nearer than others
SMALL, ENLARGED = 10, 1.3  # points; fonts made for smaller type are printed at most so much larger


class Known(NamedTuple):
    """A font of TeX: its style, the points that it was made for, its codes that are not those of ASCII, and, float
    [128, 3], width, bottom and top of each glyph's ink in ems, nan for none."""

    style: Style
    points: int
    codes: dict[int, int]
    ink: np.ndarray

    @property
    def is_rare(self) -> bool:
        """Return whether it is a bold math font or one of the American Mathematical Society's."""
        return self.style.math and (self.style.weight > 400 or self.style.name.startswith("ms"))


def with_known_bitmaps(raw: RawText) -> RawText:
    """Return the text with the nameless fonts that are TeX's as these: math fonts by their names, glyphs as Unicode."""
    nameless = [index for index, style in enumerate(raw.styles) if not style.name]
    known = _known_glyphs(raw) if nameless else np.zeros(len(raw), bool)
    for index in nameless:
        own = np.flatnonzero(known & (raw.style[raw.run] == index))
        font, scale = _font_of(raw, own) if len(own) else (None, 0.0)
        if font is not None:
            raw = _settled(raw, index, own, font, scale)
    return raw


def _known_glyphs(raw: RawText) -> np.ndarray:
    """bool [n]: glyphs of level text with ink and a code of TeX's; a hyphen that pdfium put there has another code, and
    so has a ligature that it writes as letters."""
    level = (raw.matrix[:, 1] == 0) & (raw.size > 0)
    other = ((raw.code == ord(HYPHENS[0])) & ~raw.unmapped) | joined(raw.code, raw.box, raw.run)
    return raw.drawn & np.isfinite(raw.ink[:, 0]) & (raw.code < 128) & level[raw.run] & ~other


def _font_of(raw: RawText, own: np.ndarray) -> tuple[Known | None, float]:
    """The font whose glyphs are at `own`, and its em in sizes of the file's; None where it is none of TeX's."""
    codes, which = np.unique(raw.code[own], return_inverse=True)
    ink, base = raw.ink[own], raw.matrix[raw.run[own], 5]
    form = np.stack([ink[:, 2] - ink[:, 0], ink[:, 1] - base, ink[:, 3] - base], axis=1) / raw.size[raw.run[own], None]
    seen = np.array([np.median(form[which == k], axis=0) for k in range(len(codes))])
    compared = [(*_difference(seen, font, codes), font) for font in _fonts()]
    size = float(np.median(raw.size[raw.run[own]]))
    compared = [one for one in compared if one[2].points >= SMALL or one[1] * size <= ENLARGED * one[2].points]
    found, scale, best = min(compared, key=lambda one: one[0])
    others = min(apart for apart, _, font in compared if _read_as(font) != _read_as(best))
    times, ems = OTHERS
    if found > ALIKE or others < max(times * found, found + ems):
        return None, 0.0
    return best, scale


def _read_as(font: Known) -> object:
    """Return what the font changes: what its glyphs mean, and of a text font how it looks."""
    style = font.style
    return font.codes if style.math else (style.weight, style.italic, style.mono)


def _difference(seen: np.ndarray, font: Known, codes: np.ndarray) -> tuple[float, float]:
    """Return how far glyphs (float [k, 3]) are from those of a font, in ems, and the em that brings them nearest to
    these."""
    known = font.ink[codes]
    if not np.isfinite(known).all():
        return np.inf, 0.0
    scale = float(np.median((seen * known).sum(axis=1) / (known * known).sum(axis=1)))
    if scale <= 0:
        return np.inf, 0.0
    apart = float(np.sqrt(np.square(seen / scale - known).mean()))
    return apart + (RARER if font.is_rare else 0.0), scale


def _settled(raw: RawText, index: int, own: np.ndarray, font: Known, scale: float) -> RawText:
    """The text with `font` in the place of the style at `index`. Text fonts stay nameless."""
    code, unmapped, styles = raw.code.copy(), raw.unmapped.copy(), list(raw.styles)
    meant = np.array([font.codes.get(value, 0) for value in raw.code[own].tolist()], np.uint32)
    told = (meant > 0) & (font.style.math | raw.unmapped[own] | (raw.code[own] < 32))
    code[own[told]], unmapped[own[told]] = meant[told], False
    if not font.style.math:
        styles[index] = font.style._replace(name="")
        return replace(raw, code=code, unmapped=unmapped, styles=tuple(styles))
    styles[index] = font.style
    box, matrix, size = raw.box.copy(), raw.matrix.copy(), raw.size.copy()
    runs = raw.style == index
    size[runs] *= scale
    matrix[runs, 3] = np.abs(matrix[runs, 3])  # such fonts turn their letters over once more
    base, em = matrix[raw.run[own], 5], size[raw.run[own]]  # in files the boxes of such fonts lie
    box[own, 1], box[own, 3] = base - DESCENT * em, base + ASCENT * em
    return replace(raw, code=code, unmapped=unmapped, styles=tuple(styles), box=box, matrix=matrix, size=size)


@cache
def _fonts() -> list[Known]:
    with np.load(str(files("docparse") / "data" / "bitmaps.npz")) as stored:
        names, inks = stored["names"].tolist(), stored["ink"].astype(np.float64)
    styles = [style_from(name.replace("ec", "cm")) for name in names]
    points = [int(re.sub(r"\D", "", name)) for name in names]
    return list(map(Known, styles, points, map(_codes, names), inks))


def _codes(name: str) -> dict[int, int]:
    table = encoding_of(name)
    if table:
        return {code: ord(char) for code, char in enumerate(table) if char != "\0"}
    return TEXT if name.startswith("ec") else {} if "tt" in name else {code: ord(char) for code, char in OLDER.items()}
