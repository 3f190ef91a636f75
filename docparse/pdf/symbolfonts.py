"""Symbol and Wingdings: what their private codes mean. Word processors take bullets and boxes to tick from them.

The codes are those of Microsoft's fonts, which files keep at U+F000 and on, also where another font stands in for them.
"""

from __future__ import annotations

import re

import numpy as np

PRIVATE = 0xF000
_SYMBOL = {0xB7: "•", 0xA8: "◆", 0xDE: "⇒", 0xAE: "→", 0xB0: "°", 0xB4: "×", 0xB1: "±", 0xA3: "≤", 0xB3: "≥"}
_WINGDINGS = {
    0xA7: "▪", 0xA8: "☐", 0x6F: "☐", 0x71: "☐", 0x72: "☐", 0xFE: "☑", 0xFD: "☒", 0xFC: "✓", 0xFB: "✗", 0xD8: "➢",
    0xE0: "→", 0xE8: "➔", 0xF0: "⇒", 0x6C: "●", 0x6E: "■", 0x75: "◆", 0x76: "❖", 0x9F: "•", 0x9E: "•", 0xA1: "○",
    0xA2: "○", 0x77: "◆",
}  # fmt: skip
_WINGDINGS_FONT = re.compile("wingdings|webdings", re.I)


def symbols(code: np.ndarray, style: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """`code` (uint32 [n]) with private codes of symbol fonts put right; `style` int64 [n] indexes `names`.

    Both fonts are asked where neither name says which it is; a glyph that neither knows is left as it is.
    """
    private = np.flatnonzero((code > PRIVATE) & (code <= PRIVATE + 0xFF))
    if len(private) == 0:
        return code
    code = code.copy()
    for index in private.tolist():
        wingdings = _WINGDINGS_FONT.search(names[style[index]]) is not None
        tables = (_WINGDINGS, _SYMBOL) if wingdings else (_SYMBOL, _WINGDINGS)
        low = int(code[index]) - PRIVATE
        code[index] = ord(tables[0].get(low) or tables[1].get(low) or chr(code[index]))
    return code
