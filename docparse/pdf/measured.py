"""What the letters of a page tell of their fonts, whatever these are called: size, one width, words or variables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.fonts import Style

CAP_HEIGHT = 0.72  # of a capital or an ascender, in font sizes
FLAT = "一ーㅡ"  # letters that are a level stroke: their ink tells no size
STEMS, SHORT = "bdfhklt", "acemnorsuvwxz"  # small letters that are taller than others, and those
AS_TALL, SHORTS = 1.06, 2  # times the height of the short ones: of small capitals; short ones that tell it
NARROW, WIDE = "ijlIft", "mwMWABCDGOQ"
UNEVEN = 0.1  # ems from which a font is not monospaced, whichever letters are there
EVEN = 0.03  # ems by which the advances of a monospaced font may differ, as they are rounded
SLANTED = 0.75  # of the letters of slanted type do not reach beyond their advance
WORD, WORDS = 4, 10  # small letters of a word that is no function's name; so many words are running text
VARIABLES = 3  # letters of a font that are variables
FIRST_GREEK, PAST_GREEK = 0x370, 0x400  # codes; those of Latin are lower


def size_by_ink(
    size: np.ndarray, ink: np.ndarray, code: np.ndarray, run: np.ndarray, font: np.ndarray, sideways: np.ndarray
) -> None:
    """Correct the sizes (in place) of nameless (Type 3) fonts, whose unit is their own, where the glyphs say otherwise.

    `font` is int64 [m], -1 for fonts with a name; `sideways` bool [m]. A font has one unit: its letters and digits
    tell it for its dots and dashes, too; a font of signs alone is corrected only where its unit cannot be a point.
    """
    height = np.where(sideways[run], ink[:, 2] - ink[:, 0], ink[:, 3] - ink[:, 1])
    for index in np.unique(font[font >= 0]).tolist():
        own = np.flatnonzero((font[run] == index) & (height > 0))
        letters = own[[_is_high(chr(value)) for value in np.minimum(code[own], 0x10FFFF).tolist()]]
        speaks = letters if len(letters) else own
        if len(speaks):
            base = np.where(size > 0, size, 1.0)
            share = CAP_HEIGHT / float(np.quantile(height[speaks] / base[run[speaks]], 0.9))
            least, greatest = (0.5, 3) if len(letters) else (0.15, 50)  # a big bracket, a minus sign
            if not least <= share <= greatest or not size[font == index].all():
                size[font == index] = base[font == index] / share


def _is_high(char: str) -> bool:
    """Return whether it is a letter or a digit, and none that is a stroke only."""
    return char.isalnum() and char not in FLAT


def of_one_glyph(box: np.ndarray, run: np.ndarray) -> np.ndarray:
    """Return bool [n - 1]: whether characters are one glyph with those before them: pdfium gives them one place."""
    sides = box.T.copy()
    return np.asarray((sides[:, 1:] == sides[:, :-1]).all(axis=0) & (run[1:] == run[:-1]))


def joined(code: np.ndarray, box: np.ndarray, run: np.ndarray) -> np.ndarray:
    """Return bool [n]: small letters that are one glyph with the one before or behind them, as fi is."""
    small = (code >= ord("a")) & (code <= ord("z"))
    same = of_one_glyph(box, run) & small[1:] & small[:-1]
    return np.append(same, False) | np.insert(same, 0, False)


def monospaced(
    code: np.ndarray, advance: np.ndarray, run: np.ndarray, style: np.ndarray, size: np.ndarray, styles: Sequence[Style]
) -> dict[int, bool]:
    """Return whether letters are equally wide, of the styles whose letters tell: what a font is called or says of
    itself may be wrong. Slanted letters of the styles that call themselves so may reach beyond their advance. The
    Latin letters of a Chinese font, which Word writes as a font of its own, are half as wide as the others, and no
    code."""
    index = np.flatnonzero((code > 0x40) & (code < 0x7B) & (advance > 0) & (size[run] > 0))
    width = advance[index] / size[run[index]]
    asian = set(style[run[(code > 0x2E7F) & (code < 0xA000)]].tolist())
    names = {styles[k].name for k in asian} - {""}
    found = dict.fromkeys(asian | {k for k, s in enumerate(styles) if s.name in names}, False)
    for number in set(np.unique(style[run[index]]).tolist()) - set(found):
        own = style[run[index]] == number
        letters, widths = code[index[own]], width[own]
        narrow, wide = among(letters, NARROW), among(letters, WIDE)
        most = SLANTED if styles[number].mono else 0.95
        low, high = np.interp((0.05, most), np.linspace(0, 1, len(widths)), np.sort(widths)).tolist()
        spread = high - low
        if spread > UNEVEN or (narrow.any() and wide.any()):
            found[number] = spread < (UNEVEN if styles[number].mono else EVEN)
    return found


def setting_words(code: np.ndarray, style: np.ndarray, styles: Sequence[Style]) -> set[str]:
    """Return the names of math fonts that set running text, as people do with Cambria Math: most of their marks are the
    small letters of words, and there are many of these. `style` is int64 [n] into `styles`."""
    small = (code >= ord("a")) & (code <= ord("z"))
    found = set()
    for name in {s.name for s in styles if s.math}:
        own = np.array([s.name == name for s in styles])[style]
        length = np.diff(np.flatnonzero(np.diff(own & small, prepend=False, append=False)))[::2]
        words = length[length >= WORD]
        if len(words) >= WORDS and words.sum() > (own & (code > 0x20)).sum() / 2:
            found.add(name)
    return found


def setting_variables(code: np.ndarray, style: np.ndarray, styles: Sequence[Style]) -> set[int]:
    """Return the nameless fonts of three or more Latin or Greek letters, hardly ever side by side nor within words of
    other fonts, which lack them: math italics."""
    nameless = [k for k, s in enumerate(styles) if not s.name]
    if not nameless:
        return set()
    letter = np.array([value < PAST_GREEK and chr(value).isalpha() for value in code.tolist()], bool)
    inked = code > 0x20
    same = style[1:] == style[:-1]
    together = np.append(False, letter[1:] & letter[:-1] & same)
    greek = letter & (code >= FIRST_GREEK)
    next_to = greek[1:] & greek[:-1] & ~same
    within = np.append(False, next_to) | np.append(next_to, False)
    within[1:-1] |= letter[2:] & letter[1:-1] & letter[:-2] & (style[2:] == style[:-2]) & ~same[1:]
    found = set()
    for k in nameless:
        own = inked & (style == k)
        letters = int((own & letter).sum())
        if letters >= VARIABLES and letters >= 0.9 * own.sum() and (own & (together | within)).sum() <= 0.3 * letters:
            found.add(k)
    return found


def small_capitals(code: np.ndarray, top: np.ndarray, run: np.ndarray, style: np.ndarray) -> np.ndarray:
    """Return bool [m]: text objects that print small letters as small capitals: in their font, or in them alone, those
    with stems are no taller than the others. `top` is float64 [n], how far each letter reaches over its baseline, nan
    where that is not known; a file may call such a font by the name of the plain one."""

    def told(group: np.ndarray, count: int) -> np.ndarray:
        highest = np.zeros((2, count))
        short = np.zeros(count, np.int64)
        for kind, letters in enumerate((STEMS, SHORT)):
            index = np.flatnonzero(among(code, letters) & (top > 0))
            np.maximum.at(highest[kind], group[index], top[index])
            short = np.bincount(group[index], minlength=count)
        stems, shorts = highest
        return (stems > 0) & (stems < AS_TALL * shorts) & (short >= SHORTS)

    return told(style[run], int(style.max()) + 1)[style] | told(run, len(style))
