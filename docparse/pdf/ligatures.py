"""Ligatures of which the file tells the last letter alone.

Ghostscript writes one letter for each glyph into its ToUnicode maps: ﬁ is then "i", and "first" reads "irst". The glyph
is still as wide as a ligature, twice as wide as any other "i" of its font.
"""

from __future__ import annotations

import re

import numpy as np

from docparse.pdf.textlayer import RawText, slanted

TH = "\ue001"  # for the ligature that Unicode has not, until words are made
# By the letter that is told: what the glyph may be, in the order of its width.
WHOLE = {"i": (("fi", "ﬁ"), ("ffi", "ﬃ")), "l": (("fl", "ﬂ"), ("ffl", "ﬄ")), "f": (("ff", "ﬀ"),), "h": (("Th", TH),)}
WIDE = 1.55  # times the usual width of the letter: ff, the nearest to it, has 1.65; an f after kerned ones 1.46
SAME = 0.8  # of the place of a letter that is the next one's, too: they are one glyph
USUAL = 0.3  # of the letters of a font: more than browsers kern, fewer than all but the ligatures of a few words
WIDER, NARROW = 1.1, 1.2  # times the width of an l: no i is wider, and no f narrower
OTHERS = 1.1  # times the usual width of letters, which most glyphs of a size exceed that are none of these
CLOSE = 0.86  # times the letters side by side: ligatures have 0.78 (Garamond) to 0.94 (Arial)
LEAST, MOST = 0.7, 1.05  # the same, of any
MANY = re.compile(r"calibri|carlito|candara|corbel|constantia|cambria", re.I)  # fonts that join t and i, too


def whole_ligatures(code: np.ndarray, raw: RawText) -> np.ndarray:
    """Return `code` (uint32 [n]) with the ligatures that are told by their last letter."""
    straight = raw.drawn & ~slanted(raw)[raw.run]  # boxes go around slanting letters, and are wider
    told = straight & np.isin(code, [ord(letter) for letter in WHOLE])
    if not told.any():
        return code
    start, end, width = _extents(raw)
    style = raw.style[raw.run]
    alone = np.ones(len(code), bool)  # a glyph that is told whole has one place for all of its letters
    same = np.minimum(end[1:], end[:-1]) - np.maximum(start[1:], start[:-1]) > SAME * (end - start)[1:]
    alone[1:] &= ~same
    alone[:-1] &= ~same
    result = code.copy()
    for index in np.unique(style[told]).tolist():
        own = straight & alone & (style == index) & (width > 0)
        if not raw.styles[index].name or raw.styles[index].mono or MANY.search(raw.styles[index].name):
            continue
        own &= ~_are_others(code, width, raw.size[raw.run], own)
        letters, widths = code[own], width[own]
        usual = {c: _usual(widths[letters == ord(c)]) for c in "Tfhil" if (letters == ord(c)).any()}
        if not {"f", "l"} <= usual.keys():
            continue
        usual["i"] = min(usual.get("i", np.inf), WIDER * usual["l"])  # few words may have no other i
        usual["f"] = max(usual["f"], NARROW * usual["l"])  # and all of them an f that is kerned
        for letter, ligatures in WHOLE.items():
            for at in np.flatnonzero(own & (code == ord(letter)) & (width > WIDE * usual.get(letter, 0.0))).tolist():
                result[at] = _nearest(float(width[at]), ligatures, usual) or code[at]
    return result


def _are_others(code: np.ndarray, width: np.ndarray, size: np.ndarray, own: np.ndarray) -> np.ndarray:
    """bool [n]: glyphs of a font in a size in which most are wider than their letters are: capitals that browsers print
    small, and call small letters."""
    usual = {letter: _usual(width[own & (code == letter)]) for letter in np.unique(code[own]).tolist()}
    share = np.zeros(len(code))
    share[own] = width[own] / [max(usual[letter], 1e-6) for letter in code[own].tolist()]
    wide = [value for value in np.unique(size[own]).tolist() if np.median(share[own & (size == value)]) > OTHERS]
    return own & np.isin(size, wide)


def _usual(widths: np.ndarray) -> float:
    """The width of most letters, of which a few may be ligatures, and others are kerned."""
    return float(np.quantile(widths, USUAL, method="lower"))


def _nearest(width: float, ligatures: tuple[tuple[str, str], ...], usual: dict[str, float]) -> int:
    """Return the ligature whose letters side by side are about as wide; 0 where none is."""
    known = [(sum(usual[c] for c in parts), char) for parts, char in ligatures if all(c in usual for c in parts)]
    fitting = [(abs(width - CLOSE * whole), ord(char)) for whole, char in known if LEAST * whole < width < MOST * whole]
    return min(fitting, default=(0.0, 0))[1]


def _extents(raw: RawText) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where the characters begin and end along their line, and how wide they are in font sizes, text that is
    stretched taken as plain: float64 [n] each."""
    em = raw.size_along()[raw.run]
    upright = (np.abs(raw.matrix[:, 1]) <= np.abs(raw.matrix[:, 0]))[raw.run]
    start, end = (np.where(upright, raw.box[:, k], raw.box[:, k + 1]) for k in (0, 2))
    return start, end, (end - start) / np.where(em > 0, em, np.inf)
