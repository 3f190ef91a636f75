"""Cambria Math, in which Word sets formulas: what its glyphs are that programs write by their numbers.

Letters beyond the first plane, the smaller forms of scripts and the taller ones of brackets have no code that printers'
programs know. Some write the number of the glyph in its place: 𝑥 is then U+0754, which is a letter of Syriac, and the
superscript 2 one of Oriya. The font has its glyphs in the order of Unicode, with few gaps.
"""

from __future__ import annotations

import functools
import re

import numpy as np

from docparse.pdf.fonts import Style

NAME = re.compile(r"^cambria.?math", re.IGNORECASE)
PLANCK = {0x1D455: 0x210E}  # the italic h of formulas has its code in the first plane
BOLD, ITALIC, GREEK = 0x1D400, 0x1D434, 0x1D6E2
LETTERS = 52  # capital and small ones
SIGMA = 43, 44  # place of ς and of σ, after all capitals: the font has the second one first
SCRIPTS = 0xB34, 0xC2C  # the first figure in the two smaller sizes; all else stands as far from it in both
AMONG_MATH = "∂∆∏∑−∕∙√∞"  # signs from ∀ to ∮ that stand elsewhere in the font
SIGNS = {
    0x4A7: "\u0304", 0x526: "\u20d7", 0x59C: "⇒", 0x59E: "⇔", 0x63F: "⊂", 0x684: "⋅", 0x6AD: "⋮", 0x6AE: "⋯",
    0x6B0: "⋱", 0xD24: "\u0304", 0xD45: "+−±×", 0xD4C: "=≠≈<>≤≥", 0xD5B: "{{{{}}}}[[[[]]]](((())))", 0xDA5: "√√√√√",
    0xDB1: "∫", 0xDB5: "∬", 0xDB8: "∭", 0xDBB: "∮", 0xDCD: "∑", 0xDD1: "∏", 0xDDC: "\u0302", 0xDE0: "\u0302\u0302",
    0xDE4: "\u0303\u0303", 0xE2B: "||", 0xE2E: "‖", 0x11F1: "′′", 0x1229: "⋂", 0x122B: "⋃", 0x1236: "\u0307\u0308",
    0x123A: "(){}[]" + "()[]{}" * 3,
}  # fmt: skip


def named_by_glyph(code: np.ndarray, style: np.ndarray, styles: tuple[Style, ...]) -> np.ndarray:
    """Return the codes, uint32 [n], of characters (uint32 [n]) with the numbers of Cambria Math's glyphs made codes;
    `style` is int64 [n] into `styles`."""
    own = np.array([NAME.match(each.name) is not None for each in styles], bool)[style]
    if not own.any():
        return code
    known = _glyphs()
    told = [known.get(value, value) for value in code[own].tolist()]
    code = code.copy()
    code[own] = told
    return code


@functools.cache
def _glyphs() -> dict[int, int]:
    """The characters by the numbers of their glyphs."""
    found: dict[int, int] = {}

    def add(first: int, characters: list[int]) -> None:
        found.update(enumerate(characters, first))

    greek = [*range(GREEK, GREEK + 58)]
    greek[SIGMA[0]], greek[SIGMA[1]] = greek[SIGMA[1]], greek[SIGMA[0]]
    italic = [*range(ITALIC, ITALIC + LETTERS)]
    add(0x6EF, [*range(BOLD, BOLD + LETTERS), *italic])
    add(0x7BF, greek)
    add(0x5CA, [each for each in range(ord("∀"), ord("∮") + 1) if chr(each) not in AMONG_MATH])
    for first in SCRIPTS:
        add(first, [*map(ord, "0123456789+−=")])
        add(first + 0x80, [*map(ord, "<>∞≠≤≥"), *italic, *greek])
    for first, signs in SIGNS.items():
        add(first, [*map(ord, signs)])
    return {glyph: PLANCK.get(code, code) for glyph, code in found.items()}
