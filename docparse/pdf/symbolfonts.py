"""Symbol, Wingdings and WordPerfect's symbols: what their codes mean. Word processors take bullets and boxes to tick
from them.

The codes are those of the fonts' makers. Files keep them at U+F000 and on, also where another font stands in for them,
or call them the letters of the same codes: a bullet is then an "l" or an exclamation mark.
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
# WordPerfect's character set 4, from "!" on
_WORDPERFECT = dict(zip(range(0x21, 0x2D), "•○■•*¶§¡¿«»£", strict=True)) | {
    0x3D: "’",
    0x40: "”",
    0x41: "“",
    0x42: "–",
    0x43: "—",
}
_WINGDINGS_FONT = re.compile("wingdings|webdings", re.I)
_LETTERED = (  # fonts whose symbols may be called letters
    (re.compile(r"wingdings(?![\W_]*[23])", re.I), _WINGDINGS),
    (re.compile(r"WP\W?TypographicSymbols", re.I), _WORDPERFECT),
)


def symbols(code: np.ndarray, style: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """Return `code` (uint32 [n]) with the codes of symbol fonts put right; `style` int64 [n] indexes `names`.

    Of private codes both fonts are asked where neither name says which it is; a glyph that no font knows is left as it
    is.
    """
    lettered = {i: table for i, name in enumerate(names) for font, table in _LETTERED if font.search(name)}
    private = (code > PRIVATE) & (code <= PRIVATE + 0xFF)
    found = np.flatnonzero(private | np.isin(style, list(lettered)))
    if len(found) == 0:
        return code
    code = code.copy()
    for index in found.tolist():
        font, letter = int(style[index]), chr(code[index])
        if private[index]:
            tables = (_WINGDINGS, _SYMBOL) if _WINGDINGS_FONT.search(names[font]) else (_SYMBOL, _WINGDINGS)
            low = int(code[index]) - PRIVATE
            code[index] = ord(tables[0].get(low) or tables[1].get(low) or letter)
        else:
            low = next(iter(letter.encode("cp1252", "ignore")), 0)
            code[index] = ord(lettered[font].get(low, letter))
    return code
