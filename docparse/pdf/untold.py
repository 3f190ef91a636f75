"""Glyphs whose fonts do not say what letters they are; OCR can tell (`docparse.layout.ocr.unnamed`).

Founder BookMaker, in which many Chinese schoolbooks, journals and newspapers are set, numbers the glyphs of fonts of
its own from "!" on. Old versions of TeX print Chinese in many fonts, by halves of its codes. Some programs write maps
of fonts that are right for a part of the glyphs.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.textlayer import SMALL_CAPITALS, UNTOLD, RawText

FOUNDER = re.compile(r"^FzBookMaker\d+DlFont")
SOME, DIFFERENT, ENOUGH = 0.4, 10, 20  # share of a font's characters; different and all ones: no accents are as many
STRANGE = 0.2  # share of the codes that are no letters of any alphabet, where they are halves
SQUARE = 0.9  # em: Chinese letters are as wide as they are high
PAST_LATIN, PLAIN, FIRST_CHINESE = 0x100, 0x400, 0x2E80  # codes: those of Latin are lower, of Latin and Greek, of signs
PAST_ALL = 0x10000  # codes of one unit of UTF-16
LIKE_LETTERS = "ªµº" + "".join(map(chr, range(0x2100, 0x2150)))  # ª µ º, Ω of ohms, and their like
MANY = 3  # scripts that no word mixes, and turns
# the scripts that fonts mix, and no letter
MIXED = re.compile("LATIN|GREEK|CYRILLIC|CJK|HIRAGANA|KATAKANA|HANGUL|FULLWIDTH|HALFWIDTH|MODIFIER|$")


def with_untold(raw: RawText) -> RawText:
    """Return the text with the codes of glyphs that their fonts do not tell moved to private use, `UNTOLD` further."""
    name, count = _names(raw)
    founder = raw.of_style(lambda style: FOUNDER.match(style.name) is not None)
    text = raw.of_style(lambda style: not (style.math or style.extension))
    some = raw.inked & (founder | _mixes_scripts(raw, text, name)[name])
    some |= raw.drawn & _is_in_halves(raw, text, name, count)[name]  # no half of a code is a space
    return replace(raw, code=np.where(some & (raw.code < PAST_ALL), raw.code + UNTOLD, raw.code).astype(np.uint32))


def _is_in_halves(raw: RawText, text: np.ndarray, name: np.ndarray, count: np.ndarray) -> np.ndarray:
    """bool, a font each: whether its letters are halves of Chinese codes: as wide as these, but of no known code, or
    Latin by their codes; or a good part are signs and accented letters of Latin, and many of them, as in no language.
    Where there is one, all are that are as wide."""
    turned = (np.abs(raw.matrix[:, 1]) > np.abs(raw.matrix[:, 0]))[raw.run]
    advance = np.where(turned, raw.box[:, 3] - raw.box[:, 1], raw.box[:, 2] - raw.box[:, 0])
    square = raw.drawn & (advance > SQUARE * raw.size[raw.run]) & (raw.code < FIRST_CHINESE) & text

    def all_of(those: np.ndarray) -> np.ndarray:
        return (count > 0) & (np.bincount(name[those], minlength=len(count)) == count)

    broken = all_of(square & raw.unmapped)
    pool = raw.drawn & broken[name]
    broken &= pool.sum() > ENOUGH and (raw.code[pool] > 0x7E).mean() > STRANGE
    latin = raw.inked & (raw.code < PAST_LATIN) & text
    upper = latin & (raw.code > 0xA0)
    for k in np.unique(name[latin]).tolist():
        letters, shown = raw.code[(square & latin) & (name == k)], raw.code[upper & (name == k)]
        wide = len(letters) > SOME * count[k] and len(np.unique(letters)) >= DIFFERENT
        wide = wide and bool((letters > 0x7E).mean() > STRANGE)
        accented = len(shown) > max(ENOUGH, SOME * count[k]) and len(np.unique(shown)) >= DIFFERENT
        broken[k] |= (wide and bool(all_of(square)[k])) or accented
    broken[-1] = False
    return broken | (all_of(square) & broken.any())


def _mixes_scripts(raw: RawText, text: np.ndarray, name: np.ndarray) -> np.ndarray:
    """bool, a font each: whether scripts that nobody mixes, as Tibetan and Ethiopic, take turns within its words."""
    mixed = np.zeros(len(raw.styles) + 1, bool)
    strange = raw.inked & (raw.code > PLAIN) & (raw.code < PAST_ALL) & text & ~among(raw.code, LIKE_LETTERS)
    for k in np.unique(name[strange]).tolist():
        own = np.flatnonzero(name == k)
        script = {value: _script(chr(value)) for value in np.unique(raw.code[own]).tolist() if value < PAST_ALL}
        if len({each for each in script.values() if not MIXED.match(each)}) < MANY:
            continue  # most fonts: nobody looks at their letters one by one
        scripts = [script.get(value, "") for value in raw.code[own].tolist()]
        near = np.diff(own) == 1
        turns = [a != b for a, b, next_to in zip(scripts, scripts[1:], near, strict=False) if next_to and a and b]
        mixed[k] = sum(turns) >= MANY
    return mixed


def _script(char: str) -> str:
    """The first word of the name of a letter, which is that of its script; "" for what is no letter of a script."""
    return unicodedata.name(char, "").split(" ")[0] if char.isalpha() and char not in LIKE_LETTERS else ""


def _names(raw: RawText) -> tuple[np.ndarray, np.ndarray]:
    """int64 [n]: fonts of one name have one number, those without a name the last; and how many characters each has."""
    names = [style.name.removesuffix(SMALL_CAPITALS) for style in raw.styles]
    number = np.array([names.index(each) if each else len(names) for each in names], int)[raw.style[raw.run]]
    count = np.bincount(number[raw.drawn], minlength=len(names) + 1)
    return number, count
