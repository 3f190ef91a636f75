"""Ligatures of which the file tells the last letter alone.

Ghostscript writes one letter for each glyph into its ToUnicode maps: ﬁ is then "i", and "first" reads "irst". The glyph
is still as wide as a ligature, twice as wide as any other "i" of its font.
"""

from __future__ import annotations

import re

import numpy as np

from docparse.pdf.textlayer import RawText

TH = "\ue001"  # for the ligature that Unicode has not, until words are made
# By the letter that is told: what the glyph may be, in the order of its width.
WHOLE = {"i": (("fi", "ﬁ"), ("ffi", "ﬃ")), "l": (("fl", "ﬂ"), ("ffl", "ﬄ")), "f": (("ff", "ﬀ"),), "h": (("Th", TH),)}
WIDE = 1.4  # times the least width of the letter; ff, the nearest to it, has 1.6
CLOSE = 0.86  # times the letters side by side: ligatures have 0.78 (Garamond) to 0.94 (Arial)
LEAST, MOST = 0.7, 1.05  # the same, of any
MANY = re.compile(r"calibri|carlito|candara|corbel|constantia|cambria", re.I)  # fonts that join t and i, too


def whole_ligatures(code: np.ndarray, raw: RawText) -> np.ndarray:
    """Return `code` (uint32 [n]) with the ligatures that are told by their last letter."""
    told = raw.drawn & np.isin(code, [ord(letter) for letter in WHOLE])
    if not told.any():
        return code
    width, style = _widths(raw), raw.style[raw.run]
    alone = np.ones(len(code), bool)  # a glyph that is told whole has one box for all of its letters
    same = (raw.box[1:] == raw.box[:-1]).all(axis=1)
    alone[1:] &= ~same
    alone[:-1] &= ~same
    result = code.copy()
    for index in np.unique(style[told]).tolist():
        own = raw.drawn & alone & (style == index) & (width > 0)
        if not raw.styles[index].name or raw.styles[index].mono or MANY.search(raw.styles[index].name):
            continue
        letters, widths = code[own], width[own]
        least = {c: float(widths[letters == ord(c)].min()) for c in "Tfhil" if (letters == ord(c)).any()}
        for letter, ligatures in WHOLE.items():
            narrow = min(least.get(letter, np.inf), least.get("l", np.inf) if letter == "i" else np.inf)
            for at in np.flatnonzero(own & (code == ord(letter)) & (width > WIDE * narrow)).tolist():
                result[at] = _nearest(float(width[at]), ligatures, least | {letter: narrow}) or code[at]
    return result


def _nearest(width: float, ligatures: tuple[tuple[str, str], ...], least: dict[str, float]) -> int:
    """Return the ligature whose letters side by side are about as wide; 0 where none is."""
    known = [(sum(least[c] for c in parts), char) for parts, char in ligatures if all(c in least for c in parts)]
    fitting = [(abs(width - CLOSE * whole), ord(char)) for whole, char in known if LEAST * whole < width < MOST * whole]
    return min(fitting, default=(0.0, 0))[1]


def _widths(raw: RawText) -> np.ndarray:
    """float64 [n], font sizes: how wide the characters are along their line, text that is stretched taken as plain."""
    a, b, c, d = raw.matrix[:, :4].T
    along, area = np.hypot(a, b), np.abs(a * d - b * c)
    em = (raw.size * np.where(area > 0, along**2 / np.where(area > 0, area, 1), 1))[raw.run]
    upright = (np.abs(b) <= np.abs(a))[raw.run]
    extent = np.where(upright, raw.box[:, 2] - raw.box[:, 0], raw.box[:, 3] - raw.box[:, 1])
    return extent / np.where(em > 0, em, np.inf)
