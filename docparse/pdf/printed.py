"""Which character each glyph is, as far as fonts, codes and the form of its ink tell.

Text is kept as pdfium maps it; pdfium itself writes Latin ligatures as their letters. A soft hyphen (U+00AD) that is
drawn is a plain "-": some fonts have one glyph for both, and files name it by the wrong one. Control characters are
dropped (a line end is one "\n"), a hyphen that pdfium recognises as one at the end of a line becomes a plain "-" (no
"\n" follows it), a tab becomes a space, surrogate pairs become one character.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.glyphs import mapped, symbols
from docparse.pdf.ligatures import whole_ligatures
from docparse.pdf.measured import of_one_glyph
from docparse.pdf.textlayer import HYPHENS, PHI, RawText

SOFT_HYPHEN = "\u00ad"
STROKE = "\u0338"  # TeX's `\\not` takes no room: the relation that it strikes out is printed over it
MINUS = "\u2212"
TIMES = "×"  # stands at the code of pdfium's marker for a hyphen in TeX's fonts; empty maps are read as that
SLASH = "/"
OGONEK = "ǫ"
LINE_FONT = re.compile(r"l(ine|circle)w?\d+$", re.I)
APART = 2  # font sizes between the heads of two arrows that are signs; those of a drawing stand closer
STEM = 0.59  # font sizes above the baseline: only letters with a stem are higher


def codes_of(raw: RawText) -> tuple[np.ndarray, np.ndarray]:
    """Return uint32 [n], codes fit for a Python string, and bool [n], which of them to keep."""
    # what TeX's fonts have at the codes of control characters, and of the space where it leaves ink
    unmapped = (raw.unmapped | (raw.code < 32) | ((raw.code == 32) & np.isfinite(raw.ink[:, 0]))) & raw.drawn
    names, style = tuple(s.name for s in raw.styles), raw.style[raw.run]
    code = mapped(raw.code, unmapped, style, names)
    control = raw.unmapped & (code < 0x20) & (code != 0x0A)
    marker = raw.code == ord(HYPHENS[0])
    code = np.where((control | (marker & (code == ord(TIMES)))) & _are_bars(raw), np.uint32(ord(MINUS)), code)
    nameless = raw.of_style(lambda style: not style.name)  # in a Type 3 font
    sign = raw.unmapped & nameless & (code == ord(HYPHENS[0]))  # one of its own, no hyphen
    code = np.where(sign, np.uint32(0), code)
    code = whole_ligatures(_as_printed(code, raw), raw)
    code = np.where(raw.drawn & (code == ord(SOFT_HYPHEN)), np.uint32(ord("-")), code)
    return _clean(symbols(code, style, names))


def _are_bars(raw: RawText) -> np.ndarray:
    """bool [n]: glyphs whose ink is known that are a level bar above the baseline, as a minus is."""
    left, bottom, right, top = raw.ink.T
    size, base = raw.size[raw.run], raw.matrix[raw.run, 5]
    wide, high, middle = right - left, top - bottom, (top + bottom) / 2 - base
    bar = (wide > 0.3 * size) & (wide < size) & (high < 0.2 * wide) & (middle > 0.1 * size) & (middle < 0.5 * size)
    return np.asarray(bar)


def _as_printed(code: np.ndarray, raw: RawText) -> np.ndarray:
    """`code` (uint32 [n]) with each phi of a math font as it is printed: the straight one (U+03D5) is as high as other
    letters with a stem, the one written in a single stroke (U+03C6) is not. TeX's fonts call the straight one phi,
    Unicode the other one. They call epsilon epsilon1, which some programs take for a letter with an ogonek."""
    rise = (raw.ink[:, 3] - raw.matrix[raw.run, 5]) / raw.size[raw.run]
    math = raw.of_style(lambda style: style.math)
    told = among(code, PHI) & math & np.isfinite(rise) & (raw.matrix[raw.run, 1] == 0)
    code = np.where((code == ord(OGONEK)) & math, np.uint32(ord("ϵ")), code)
    return np.where(told, np.where(rise > STEM, np.uint32(ord("ϕ")), np.uint32(ord("φ"))), code)


def _clean(code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes fit for a Python string and which of them to keep."""
    code = code.copy()
    code[among(code, HYPHENS)] = ord("-")
    code[code == 0x09] = ord(" ")
    keep = np.ones(len(code), bool)
    pair = np.flatnonzero(surrogates(code))
    if len(pair):
        code[pair] = 0x10000 + ((code[pair] - 0xD800) << 10) + (code[pair + 1] - 0xDC00)
        keep[pair + 1] = False
    code[((code >= 0xD800) & (code < 0xE000)) | (code > 0x10FFFF)] = 0xFFFD
    control = (code < 0x20) & (code != 0x0A) | (code >= 0x7F) & (code < 0xA0) | (code == 0xFEFF) | (code == 0xFFFF)
    return code, keep & ~control


def unify(code: np.ndarray, raw: RawText) -> list[int]:
    """Write (in place) ideographs for the radicals and doublets of Unicode that look like them, by which macOS names
    its glyphs; return the indices of those that it names twice, by both."""
    doublet = ((code >= 0x2F00) & (code < 0x2FE0)) | ((code >= 0xF900) & (code < 0xFB00))
    for index in np.flatnonzero(doublet).tolist():
        code[index] = ord(unicodedata.normalize("NFKC", chr(code[index])))
    again = (doublet[1:] | doublet[:-1]) & of_one_glyph(raw.box, raw.run) & raw.drawn[1:] & (code[1:] == code[:-1])
    return (np.flatnonzero(again) + 1).tolist()


def surrogates(code: np.ndarray) -> np.ndarray:
    """bool [n - 1]: the first half of a character that pdfium writes, and boxes, in two halves."""
    return (code[:-1] >= 0xD800) & (code[:-1] < 0xDC00) & (code[1:] >= 0xDC00) & (code[1:] < 0xE000)


def strike_out(code: np.ndarray, box: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Negate (in place) the relations that a slash is printed over, as TeX's `\\notin` is; return bool [n], these
    slashes."""
    gone = np.zeros(len(code), bool)
    for index in np.flatnonzero(code == ord(SLASH)).tolist():
        for other in (index + 1, index - 1):
            if not 0 <= other < len(code) or baseline[other] != baseline[index] or code[other] < 0x20:
                continue
            negated = unicodedata.normalize("NFC", chr(code[other]) + STROKE)
            if len(negated) == 1 and box[other, 0] < box[index, 0] and box[index, 2] < box[other, 2]:
                code[other], gone[index] = ord(negated), True
                break
    return gone


def are_drawing(raw: RawText) -> np.ndarray:
    """bool [n]: pieces of lines and circles, of which LaTeX makes drawings."""
    return raw.drawn & raw.of_style(lambda style: LINE_FONT.match(style.name) is not None)


def are_heads(code: np.ndarray, raw: RawText, drawing: np.ndarray) -> np.ndarray:
    """bool [n]: heads of arrows by themselves among the `drawing` (bool [n]): such arrows stand between formulas."""
    heads = drawing & among(code, "→←") & (raw.matrix[raw.run, 1] == 0)
    for index in np.flatnonzero(heads).tolist():
        near = np.abs(raw.box[drawing, :2] - raw.box[index, :2]).max(axis=1) < APART * raw.size[raw.run[index]]
        heads[index] = near.sum() == 1
    return heads
