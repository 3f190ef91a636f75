"""Fonts whose codes mean something else than the PDF says: TeX's own, and those of symbols that word processors take
bullets and boxes to tick from.

TeX's encodings are OMX (cmex), OMS (cmsy) and OML (cmmi) as documented in Knuth's *Computer Modern Typefaces* and the
LaTeX *Font encodings* guide. Sized brackets become plain ones, the pieces of tall ones Unicode's bracket pieces.

The codes of Symbol, Wingdings and WordPerfect's symbols are those of the fonts' makers. Files keep them at U+F000 and
on, also where another font stands in for them, or call them the letters of the same codes: a bullet is then an "l" or
an exclamation mark.
"""

from __future__ import annotations

import re
import string

import numpy as np

from docparse.types import ICONS

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
SYC = (  # the third font of symbols of txfonts and kpfonts
    "\0" * 9 + "∥∥∦∦" + "\0" * 4 + "≐" + "\0" * 9 + "≅" + "\0" * 16 + "≠\0≢≁≉⊄⊅\0\0\0\0⋡⋠\0\0\0∉∌\0\0\0\0≔≕"
)
TXS = OMS + "\0" * 36 + "˙¨" + "\0" * 8 + "\u20d7"  # what newtx adds behind OMS: accents
EUEX = OMX[:8] + "{}" * 4 + OMX[16:32] + "←→↑↓↔↗↘/⇐⇒⇑⇓⇔↖↙/\\∞" + OMX[50:108] + "↕⇕" + OMX[110:]
TX = (  # what the fonts of txfonts and newtx add behind OMX, from 128 on
    "()[]⌊⌋⌈⌉{}⟨⟩|‖↕⇕" + "\0" * 10 + "ˆˆˆ˜˜˜" + "\0" * 9 + "⎛⎞⎝⎠⎜⎟" + "∫∬∭∮∯" * 4 + "⨆⨆\0\0⨀⨀⨁⨁⨂⨂∑∏⊍⋃⋂⨄⋀⋁∑∏⊍⋃⋂⨄⋀⋁∐∐⊍⊍"
)
AMSA = (  # what amssymb takes from the first of the fonts of the American Mathematical Society; beamer has its bullets
    "⊡⊞⊠□■⋅◊⧫↻↺⇌⇋⊟⊩⊪⊨↠↞⇇⇉⇈⇊↾⇂↿⇃↣↢⇆⇄↰↱⇝↭↫↬≗≿≳⪆⊸∴∵≑≜≾≲⪅⪕⪖⋞⋟≼≦⩽≶‵\0≓≒≽≧⩾≷"
    "⊏⊐⊳⊲⊵⊴★≬▼▶◀\0\0△▲▽≖⋚⋛⪋⪌¥⇛⇚✓⊻⊼⩞∠∡∢∝⌣⌢⋐⋑⋓⋒⋏⋎⋋⋌⫅⫆≏≎⋘⋙⌜⌝®Ⓢ⋔∔∽⋍⌞⌟✠∁⊺⊚⊛⊝"
)
AMSB = (  # from the second of these fonts; "\0" where Unicode has nothing like it
    "≨≩≰≱≮≯⊀⊁≨≩≰≱⪇⪈⋠⋡⋨⋩⋦⋧≰≱⪵⪶⪹⪺⪉⪊≁≇╱╲⊊⊋⊈⊉⫋⫌⫋⫌⊊⊋⊈⊉∦∤∤∦⊬⊮⊭⊯⋭⋬⋪⋫↚↛⇍⇏⇎↮⋇∅∄ABCDEFGHIJKLMNOPQRSTUVWXYZˆˆ˜˜\0Ⅎ⅁"
    "\0\0\0\0℧ð≂ℶℷℸ⋖⋗⋉⋊∣∥∖∼≈≊⪸⪷↶↷ϝϰkℏℏ϶"
)
TXA = "\0" * 33 + "∬∬∭∭"
# What TeX's text fonts have at the codes of control characters: ligatures in OT1, quotes, dashes and ligatures in T1.
# Letters and digits stand where they do in ASCII. As bitmaps the fonts have no name.
TEXT = {code: ord(char) for code, char in enumerate("ﬀﬁﬂﬃﬄ", 0x0B)}
TEXT |= {code: ord(char) for code, char in zip(range(0x10, 0x17), "“”„«»–—", strict=True)}
TEXT |= {code: ord(char) for code, char in enumerate("ﬀﬁﬂﬃﬄ", 0x1B)}
OT1 = {0x22: ord("”"), 0x5C: ord("“"), 0x7B: ord("–"), 0x7C: ord("—")}  # where ASCII has other signs
WORDY = 4  # letters for each such sign in running text, at least; fonts of formulas have fewer
TS1 = {0x84: "†", 0x85: "‡", 0x86: "‖", 0x87: "‰", 0x88: "•"}  # of the companions to TeX's text fonts
# macOS takes the codes of Computer Modern and of the letters beside it for Unicode, and those of control characters for
# the keys that its first fonts had there
_TAKEN_FOR_UNICODE = re.compile(r"^(cm(sy|ex|mi)|msbm)", re.I)
_KEYS = {ord(char): code for char, code in zip("⇥⇤↵\uf8ff", (0x02, 0x03, 0x0B, 0x14), strict=True)}
_OWN = "\\*-'~|"  # what maps that are right may call the signs of these fonts: a set minus, an asterisk, a minus
_COMPANION = re.compile(r"^tc(rm|ss|tt|bx|sl|ti|it)|^$", re.I)  # as bitmaps they have no name
_ENCODINGS = (
    (re.compile(r"^[tp]xb?exs?(?![a-z])", re.I), OMX + TX),
    (re.compile(r"^[tp]xb?exa|^kp--m-exa", re.I), TXA),
    (re.compile(r"^euex", re.I), EUEX),
    (re.compile(r"^msam\d", re.I), AMSA),
    (re.compile(r"^msbm\d", re.I), AMSB),
    (re.compile(r"^((cm|lm|mt)b?ex|m?lmmathextension|kp--m-ex-|(fourier-math|mathdesign).*-extension)", re.I), OMX),
    (re.compile(r"^[tp]xb?syc|^kp--m-syc", re.I), SYC),
    (re.compile(r"^[tp]xb?sys(?![abc])", re.I), TXS),
    (
        re.compile(
            r"^(cm|lm|hfbr|[tp]x)b?sy(?![abcs])|^m?lmmathsymbols|^kp--m-sy-|^fourier-math-symbols|^mathdesign.*-symbol-",
            re.I,
        ),
        OMS,
    ),
    (
        re.compile(
            r"^(cmmib?|lmmi|hfbrm[ib])\d|^m?lmmathitalic|^r[tp]xb?mi(?!a)|^kp--m-(medium)?italic|^fourier-math-letters|"
            r"^mathdesign.*-mathitalic",
            re.I,
        ),
        OML,
    ),
)

PRIVATE = 0xF000
# Adobe's Symbol, from 0x20 on, with Unicode's pieces of brackets; "\0" where it has nothing.
SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
    + "\0" * 33
    + "€ϒ′≤⁄∞ƒ♣◆♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
# What MathType's MT Extra has and other fonts lack: dots, script l, h-bar, and the arrow over a vector.
_EXTRA = {ord(char): ord(meant) for char, meant in zip("KLMOlhmrv", "…⋯⋮⋱ℓℏ∓\u20d7\u20d7", strict=True)}
_SYMBOL = {code: ord(char) for code, char in enumerate(SYMBOL, 0x20) if char != "\0"}
_GREEK = {code: _SYMBOL[code] for code in map(ord, string.ascii_letters)}
_BULLETS = {code: _SYMBOL[code] for code in (0xA3, 0xA8, 0xAE, 0xB0, 0xB1, 0xB3, 0xB4, 0xB7, 0xDE)}
_WINGDINGS = {code: ord(char) for code, char in {
    0xA7: "▪", 0xA8: "☐", 0x6F: "☐", 0x71: "☐", 0x72: "☐", 0xFE: "☑", 0xFD: "☒", 0xFC: "✓", 0xFB: "✗", 0xD8: "➢",
    0xE0: "→", 0xE8: "➔", 0xF0: "⇒", 0x6C: "●", 0x6E: "■", 0x75: "◆", 0x76: "❖", 0x9F: "•", 0x9E: "•", 0xA1: "○",
    0xA2: "○", 0x77: "◆",
}.items()}  # fmt: skip
# WordPerfect's character set 4, from "!" on
_WORDPERFECT = {code: ord(char) for code, char in zip(range(0x21, 0x2D), "•○■•*¶§¡¿«»£", strict=True)}
_WORDPERFECT |= {code: ord(char) for code, char in zip((0x3D, 0x40, 0x41, 0x42, 0x43), "’”“–—", strict=True)}
# WordPerfect's character set 8, from "!" on
_WP_GREEK = {code: ord(char) for code, char in enumerate("ΑαΒβΒϐΓγΔδΕεΖζΗηΘθΙιΚκΛλΜμΝνΞξΟοΠπΡρΣσΣςΤτΥυΦφΧχΨψΩω", 0x21)}
# The fonts of mathabx, by the letters of TeX's text encoding T1 that stand at their codes
_MATHA = {ord(char): ord(meant) for char, meant in zip(
    "`´“”„»pqrstuxy|{z\\PR¨ÑÐÝÞěďăą8b‘ˆ_^ĂĄĹ‰ıXY1˚˝‚H@D‹;:",
    "+−=≡∼≃()[]{}⟨⟩|/∖⊔∈∉·→←−↦≥≤<>∞⊗⊕×∨∧⊂⊃⊊≠≢∩∪′∗∘•∅∀∃⋆†‡", strict=True
)}  # fmt: skip
_MATHB = {ord(char): ord(meant) for char, meant in zip("tursã", "⌊⌋⌈⌉↩", strict=True)}
_MATHX = {ord(char): ord(meant) for char, meant in zip(
    "`´ˆ˜˘¯˙¸!\"#()*+XYZ\\]^„\uf6be¨˚˝˛‹‚$’&%ÿřźśżşÀàğŮ",
    "(((())))" + "{{{}}}}⌊⌊⌊⌋⌋⌋[]⎛⎜⎝⎞⎟⎠⎧⎪⎨⎩∑∑∏∏∫∫⨁⨁⨆⨆", strict=True
)}  # fmt: skip
_PRIVATE = (  # fonts by what their private codes mean; where a name says nothing, all are asked for bullets
    (re.compile("wingdings|webdings", re.I), {**_BULLETS, **_WINGDINGS}),
    (re.compile(r"^(Symbol|Euclid.?Symbol)", re.I), {**_WINGDINGS, **_SYMBOL}),
    (re.compile("mt.?extra", re.I), _EXTRA),
    (re.compile(""), {**_WINGDINGS, **_BULLETS}),
)
_LETTERED = (  # fonts whose symbols may be called letters
    (re.compile(r"wingdings(?![\W_]*[23])", re.I), _WINGDINGS),
    (re.compile(r"WP\W?TypographicSymbols", re.I), _WORDPERFECT),
    (re.compile(r"WP\W?Greek", re.I), _WP_GREEK),
    (re.compile("Universal-?NewswithCommPi", re.I), {ord("©"): ord("▶")}),
    (re.compile("Universal-?GreekwithMathPi", re.I), {ord("$"): ord("{"), ord("%"): ord("}")}),
    (re.compile(r"^Symbol(MT|PS|Std)?$"), _GREEK),
    (re.compile("^marvosym", re.I), dict(zip(map(ord, "BEHT{u"), map(ord, "✉✉✆☎◦℻"), strict=True))),
    (re.compile("mt.?extra", re.I), _EXTRA),
    (re.compile(r"^(TeX-)?matha\d"), _MATHA),
    (re.compile(r"^(TeX-)?mathb\d"), _MATHB),
    (re.compile(r"^(TeX-)?mathx\d"), _MATHX),
    (re.compile(r"^(KaTeX|MathJax)_Main"), {ord("^"): ord("ˆ"), ord("~"): ord("˜"), 0xE020: 0x338}),  # accents
    (re.compile(r"^(TeX-)?vect\d"), dict(zip(map(ord, " #»"), map(ord, "⎯⎯→"), strict=True))),  # arrows over vectors
    (re.compile(r"^(TeX-)?fey[bm][or]\d", re.I), {ord("e"): ord("€")}),  # of the package eurosym
    (re.compile(r"^linew?\d", re.I), dict(zip(map(ord, "-✲✛"), map(ord, "→→←"), strict=True))),  # heads of arrows
    (re.compile(r"^msbm\d", re.I), dict(zip(map(ord, r"[\]^"), map(ord, "ˆˆ˜˜"), strict=True))),  # wide ones
)

# Fonts of icons, which are no text, but may be bullets and keep their places in the line: they get codes of their own.
_ICON_FONT = re.compile(
    r"(font|line).?awesome|^(\w+\+)?fa-?(solid|brands|regular|light)|academicons|(material|bootstrap|tabler|simple)\W?icons"
    r"|material.?symbols|(glyph|ion|oct|dash|typ)icons|codicon|icomoon|remixicon",
    re.I,
)
_FIRST_ICON = ord(ICONS[0])
_ICONS = dict.fromkeys((0x54, 0x61, 0xA9, 0xDA, 0x101, 0x105, 0x111, 0x138), ord("•"))  # arrows, chevrons, a disc
_ICONS |= {code: ord(char) for code, char in zip(
    (0x0C, 0x58, 0x0D, 0x57, 0x46, 0x14A, 0x96, 0x05, 0x06), "✓✓✗✗☑☑☐★☆", strict=True
)}  # fmt: skip


def encoding_of(name: str) -> str:
    """Return the characters of a TeX math font (128 of them or more) by its PDF name, "" for any other font."""
    return next((table for pattern, table in _ENCODINGS if pattern.match(name)), "")


def mapped(code: np.ndarray, unmapped: np.ndarray, style: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """`code` (uint32 [n]) with the glyphs of TeX's fonts that have no Unicode of their own put right.

    `unmapped` is bool [n]; `style` int64 [n] indexes `names`, the fonts' names.
    """
    if "" in names:
        code = _text_of_bitmaps(code, unmapped, style, [index for index, name in enumerate(names) if not name])
    none = np.zeros(len(code), bool)
    for index, name in enumerate(names):
        table = encoding_of(name)
        if table:
            own = style == index
            repeated = _are_repeated(code, own & ~unmapped, table) if _TAKEN_FOR_UNICODE.match(name) else none
            if repeated.any():
                code = np.where(repeated, [_KEYS.get(value, value) for value in code.tolist()], code).astype(np.uint32)
            wrong = (repeated | unmapped) & own & (code < len(table))
            if wrong.any():
                meant = np.array([ord(char) for char in table], np.uint32)[code[wrong]]
                code = code.copy()
                code[wrong] = np.where(meant > 0, meant, code[wrong])
        if _COMPANION.match(name):
            for value in TS1.keys() & set(code[unmapped & (style == index)].tolist()):
                code = np.where(unmapped & (style == index) & (code == value), np.uint32(ord(TS1[value])), code)
    return code


def _are_repeated(code: np.ndarray, own: np.ndarray, table: str) -> np.ndarray:
    """bool [n]: characters of a font's `own` that its `table` does not have: a map repeats the codes of the font."""
    foreign = [value for value in range(0x21, 0x7F) if chr(value) not in table + _OWN]
    sure = bool((own & np.isin(code, [*_KEYS, *foreign])).any())
    return own & np.isin(code, [*_KEYS, *foreign, *map(ord, _OWN)]) & sure


def _text_of_bitmaps(code: np.ndarray, unmapped: np.ndarray, style: np.ndarray, nameless: list[int]) -> np.ndarray:
    """Ligatures, quotes and dashes of TeX's text fonts where these have no name, in those that have many letters."""
    strange = unmapped & np.isin(style, nameless)
    early, late = (strange & (code >= first) & (code < first + 5) for first in (0x0B, 0x1B))
    text = TEXT | OT1 if early.sum() > late.sum() else TEXT
    strange &= np.isin(code, list(text))
    letters = (code | 0x20 >= ord("a")) & (code | 0x20 <= ord("z"))
    result = code.copy()
    for index in nameless:
        wrong = strange & (style == index)
        if wrong.any() and (letters & (style == index)).sum() > WORDY * wrong.sum():
            result[wrong] = [text[value] for value in code[wrong].tolist()]
    return result


def symbols(code: np.ndarray, style: np.ndarray, names: tuple[str, ...]) -> np.ndarray:
    """Return `code` (uint32 [n]) with the codes of symbol fonts put right; `style` int64 [n] indexes `names`.

    A glyph that no font knows is left as it is.
    """
    icons = [i for i, name in enumerate(names) if _ICON_FONT.search(name)]
    code = _icons(code, np.isin(style, icons)) if icons else code
    lettered = {i: table for i, name in enumerate(names) for font, table in _LETTERED if font.search(name)}
    private = (code > PRIVATE) & (code <= PRIVATE + 0xFF)
    found = np.flatnonzero(private | np.isin(style, list(lettered)))
    if len(found) == 0:
        return code
    code = code.copy()
    for index in found.tolist():
        font, letter = int(style[index]), int(code[index])
        if private[index]:
            table = next(table for pattern, table in _PRIVATE if pattern.search(names[font]))
            code[index] = table.get(letter - PRIVATE, letter)
        else:
            low = next(iter(chr(letter).encode("cp1252", "ignore")), 0)
            code[index] = lettered[font].get(letter) or lettered[font].get(low, letter)
    return code


def _icons(code: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return `code` with those of icon fonts (bool [n]) as bullets or ICONS. Several letters in a row are words: what a
    file says in place of an icon, or of more."""
    result = code.copy()
    places = np.flatnonzero(own & (code != ord(" ")))
    for run in np.split(places, np.flatnonzero(np.diff(places) > 1) + 1):
        if sum(map(str.isalnum, map(chr, code[run].tolist()))) < 2:
            result[run] = [_ICONS.get(each - PRIVATE, _FIRST_ICON + each % 0x100) for each in code[run].tolist()]
    return result
