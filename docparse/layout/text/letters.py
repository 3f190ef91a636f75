"""Letters that are printed as several glyphs: accents over letters, signs in rings, ligatures, doubled quotes."""

from __future__ import annotations

import unicodedata

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.content import Characters
from docparse.pdf.ligatures import TH

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "⁇": "??", TH: "Th"}
# Spacing accents that TeX fonts print as a glyph of their own over a letter, and their combining forms.
ACCENTS = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328", "\u20d7": "\u20d7",
}  # fmt: skip
COMBINING = "\u0302\u0303\u0304\u0307\u0308\u030c"  # the same over letters of formulas, in fonts that have them
LONGEST = 0.7  # em: no accent of one letter is so wide
RINGS, RINGED = "◯\u20dd", {"c": "©", "C": "©", "R": "®"}  # TeX prints these signs as a letter in a ring
# Signs of Thai and Devanagari that some fonts print as two glyphs; NFC leaves them so.
COMPOSED = {
    "\u0e4d\u0e32": "\u0e33", "\u0e4d\u0e48\u0e32": "\u0e48\u0e33", "\u0e4d\u0e49\u0e32": "\u0e49\u0e33",
    "\u093e\u0947": "\u094b", "\u093e\u0948": "\u094c", "\u093e\u0945": "\u0949",
}  # fmt: skip
QUOTES = {"‘‘": "“", "’’": "”", "``": "“", "''": "”"}


def spelled(text: str, *, mono: bool) -> str:
    """Return the text of a word with ligatures spelled out, doubled single quotes as one mark but in code, accents and
    vowel signs composed."""
    if text.isascii() and "`" not in text and "''" not in text:
        return text
    text = unicodedata.normalize("NFC", text)
    for wrong, right in (LIGATURES | ({} if mono else QUOTES) | COMPOSED).items():
        text = text.replace(wrong, right)
    return text


def put_together(text: list[str], ink: np.ndarray, codes: np.ndarray, characters: Characters) -> np.ndarray:
    """Give accents and rings to the letters that they are printed with (in `text`); return the remaining ink, int [k],
    as indices of the characters. `ink` are those that leave a mark."""
    return _ringed(text, _accented(text, ink, codes, characters), codes, characters)


def _accented(text: list[str], ink: np.ndarray, codes: np.ndarray, characters: Characters) -> np.ndarray:
    """Give accents that are printed over a letter to that letter (in `text`); returns the remaining ink.

    TeX's older fonts print the accent as a glyph of its own; the PDF library may list it some words away.
    """
    accents = np.flatnonzero(among(codes[ink], "".join(ACCENTS) + COMBINING))
    if len(accents) == 0:
        return ink
    keep = np.ones(len(ink), bool)
    letter = np.fromiter((text[i].isalpha() for i in ink.tolist()), bool, len(ink))
    letter[accents] = False
    for k in accents.tolist():
        under = ink[letter & _over(characters, ink[k], ink)]
        if len(under):
            base = int(under[np.argmin(np.abs(under - ink[k]))])
            accent = text[ink[k]]
            if _is_wide(characters, ink[k], base, LONGEST if accent not in COMBINING else 0.0):
                continue
            text[base] = {"ı": "i", "ȷ": "j"}.get(text[base], text[base]) + ACCENTS.get(accent, accent)
            keep[k] = False
    return ink[keep]


def _is_wide(characters: Characters, accent: int, letter: int, least: float) -> bool:
    """Return whether an accent is wider than its letter, and than so many ems: it stands over several."""
    (left, _, right, _), (x0, _, x1, _) = characters.box[accent], characters.box[letter]
    return bool(right - left > max(x1 - x0, least * characters.fonts[characters.font[accent]].size))


def _ringed(text: list[str], ink: np.ndarray, codes: np.ndarray, characters: Characters) -> np.ndarray:
    """Make a letter in a ring one sign (in `text`); returns the ink without the rings."""
    keep = np.ones(len(ink), bool)
    for k in np.flatnonzero(among(codes[ink], RINGS)).tolist():
        x0, _, x1, _ = characters.box[ink[k]]
        for i in ink[max(0, k - 1) : k + 2].tolist():
            if text[i] in RINGED and x0 < characters.box[i, 0] and characters.box[i, 2] < x1:
                text[i], keep[k] = RINGED[text[i]], False
    return ink[keep]


def _over(characters: Characters, accent: int, others: np.ndarray) -> np.ndarray:
    """bool [n]: which of the other characters stand on the accent's line with their box under its middle."""
    box = characters.box[others]
    x0, y0, x1, y1 = characters.box[accent]
    middle = (x0 + x1) / 2
    near_line = np.abs(characters.baseline[others] - characters.baseline[accent]) < 0.6 * (y1 - y0)
    return near_line & (box[:, 0] < middle) & (middle < box[:, 2])
