"""TeX's own math and symbol fonts: what their codes mean where the PDF does not say.

The encodings are OMX (cmex), OMS (cmsy) and OML (cmmi) as documented in Knuth's *Computer Modern Typefaces* and the
LaTeX *Font encodings* guide. Sized brackets become plain ones, the pieces of tall ones Unicode's bracket pieces.
"""

from __future__ import annotations

import re

import numpy as np

OMX = (
    "()[]⌊⌋⌈⌉{}⟨⟩|∥/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪|⎝⎠⎜⎟⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂"
    "∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√⎷│┌‖↑↓⏞⏞⏟⏟⇑⇓"
)
OMS = (
    "−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽̸↦∀∃¬∅ℜℑ⊤⊥ℵ"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕∖≀√⨿∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠"
)
OML = (
    "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ↼↽⇀⇁↩↪▷◁0123456789.,</>⋆∂"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ♭♮♯⌣⌢ℓabcdefghijklmnopqrstuvwxyzıȷ℘\u20d7⁀"
)
EUEX = OMX[:8] + "{}" * 4 + OMX[16:32] + "←→↑↓↔↗↘/⇐⇒⇑⇓⇔↖↙/\\∞" + OMX[50:108] + "↕⇕" + OMX[110:]
TX = (  # what the fonts of txfonts and newtx add behind OMX, from 128 on
    "()[]⌊⌋⌈⌉{}⟨⟩|‖↕⇕" + "\0" * 10 + "ˆˆˆ˜˜˜" + "\0" * 9 + "⎛⎞⎝⎠⎜⎟" + "∫∬∭∮∯" * 4 + "⨆⨆\0\0⨀⨀⨁⨁⨂⨂∑∏⊍⋃⋂⨄⋀⋁∑∏⊍⋃⋂⨄⋀⋁∐∐⊍⊍"
)
TXA = "\0" * 33 + "∬∬∭∭"
TS1 = {0x84: "†", 0x85: "‡", 0x86: "‖", 0x87: "‰", 0x88: "•"}  # of the companions to TeX's text fonts
_COMPANION = re.compile(r"^tc(rm|ss|tt|bx|sl|ti|it)|^$", re.I)  # as bitmaps they have no name
_ENCODINGS = (
    (re.compile(r"^[tp]xb?exs?(?![a-z])", re.I), OMX + TX),
    (re.compile(r"^[tp]xb?exa|^kp--m-exa", re.I), TXA),
    (re.compile(r"^euex", re.I), EUEX),
    (re.compile(r"^((cm|lm)b?ex|m?lmmathextension|kp--m-ex-|fourier-math-extension)", re.I), OMX),
    (re.compile(r"^(cm|lm|[tp]x)b?sys?(?![abc])|^m?lmmathsymbols|^kp--m-sy-|^fourier-math-symbols", re.I), OMS),
    (re.compile(r"^(cmmib?|lmmi)\d|^m?lmmathitalic|^r[tp]xb?mi(?!a)", re.I), OML),
)


def encoding_of(name: str) -> str:
    """Return the characters of a TeX math font (128 of them or more) by its PDF name, "" for any other font."""
    return next((table for pattern, table in _ENCODINGS if pattern.match(name)), "")


def mapped(code: np.ndarray, unmapped: np.ndarray, style: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """`code` (uint32 [n]) with the glyphs of TeX's fonts that have no Unicode of their own put right.

    `unmapped` is bool [n]; `style` int64 [n] indexes `names`, the fonts' names.
    """
    for index, name in enumerate(names):
        table = encoding_of(name)
        if table:
            wrong = unmapped & (style == index) & (code < len(table))
            if wrong.any():
                meant = np.array([ord(char) for char in table], np.uint32)[code[wrong]]
                code = code.copy()
                code[wrong] = np.where(meant > 0, meant, code[wrong])
        if _COMPANION.match(name):
            for value in TS1.keys() & set(code[unmapped & (style == index)].tolist()):
                code = np.where(unmapped & (style == index) & (code == value), np.uint32(ord(TS1[value])), code)
    return code
