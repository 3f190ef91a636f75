"""Letters that the file names and pdfium does not know, and those that it names twice.

A ToUnicode map lists ranges of codes in blocks. After a range that runs from one code page into the next, such as
<19ff><1a00>, pdfium drops the rest of the block and gives the codes themselves: 时 is then the letter U+1C26 of a
script that nobody meant. macOS writes such ranges for Chinese and Japanese text. Only then the map is read here.

Without a map, the encoding of a font names its glyphs. OpenType calls a ligature by its letters: f_i. Publishers give
TeX's symbols codes of their own, and their names tell which they are. Where a map contradicts the name of a ligature, a
quotation mark or a dash, the map is wrong: it was made from a code, or from another name (CR, which is a letter in
bitmaps of TeX's fonts, became a line end).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.fonts import plain_name
from docparse.pdf.glyph_names import NAMES
from docparse.pdf.page_fonts import inside
from docparse.pdf.textlayer import HYPHENS, RawText

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject

ONE_BYTE = 0xFF  # codes up to it are those of simple fonts, whose maps pdfium reads
BLOCK = re.compile(r"beginbf(char|range)(.*?)endbf", re.DOTALL)
CODE = r"<\s*([0-9a-fA-F]{1,4})\s*>\s*"
LETTER = re.compile(CODE)
CHAR = re.compile(CODE + CODE)
RANGE = re.compile(CODE + CODE + rf"(?:{CODE}|\[([^\]]*)\])")
LONGEST = 0x10000  # codes of one range
DOUBTED = "↵łžÐ"  # what macOS takes ff for, and Ghostscript the quotation marks and the dash of T1, TeX's encoding
EXTENDED = 0x100, 0x17F  # letters of Polish and Czech and others, which have more than the doubted ones


def doubted(raw: RawText) -> np.ndarray:
    """Return bool [n]: mapped characters that may be others: control characters of nameless fonts, and letters of
    Polish and Czech where no more of these are."""
    nameless = raw.of_style(lambda style: not style.name)
    control = (raw.code < 0x20) & ~among(raw.code, HYPHENS) & nameless
    doubtful = among(raw.code, DOUBTED)
    extended = (raw.code >= EXTENDED[0]) & (raw.code <= EXTENDED[1])
    foreign = bool((extended & ~doubtful).any())
    return raw.drawn & ~raw.unmapped & (control | (doubtful & (not foreign)))


def with_missing_letters(raw: RawText, fonts: Iterable[DictionaryObject]) -> RawText:
    """Return the text of a page with the letters that only the maps and encodings of its `fonts` know; `raw` where none
    is."""
    from pypdf.errors import PyPdfError

    lost = raw.unmapped & ((raw.code > ONE_BYTE) | raw.of_style(lambda style: bool(style.name)))
    asked = np.flatnonzero(lost | doubted(raw))
    if not len(asked):
        return raw
    try:
        missing, meant = _letters(fonts)
    except PyPdfError:  # pdfium reads files that no other program does
        return raw
    code, unmapped = raw.code.copy(), raw.unmapped.copy()
    for index in asked.tolist():
        name = raw.styles[raw.style[raw.run[index]]].name
        letter = (missing if unmapped[index] else meant).get((name, int(code[index])))
        if letter:
            code[index], unmapped[index] = letter, False
    return replace(raw, code=code, unmapped=unmapped)


Letters = dict[tuple[str, int], int]  # by the name of a font and a code; 0 where two fonts of that name do not agree


def _letters(fonts: Iterable[DictionaryObject]) -> tuple[Letters, Letters]:
    """Unicode by codes that pdfium does not map, and by the Unicode that a map tells."""
    from pypdf.generic import ArrayObject, DictionaryObject, StreamObject

    missing: Letters = {}
    meant: Letters = {}

    def add(letters: Letters, key: tuple[str, int], letter: int) -> None:
        letters[key] = letter if letters.get(key, letter) == letter else 0

    for font in fonts:
        own = plain_name(str(font.get("/BaseFont", "/"))[1:])
        named = dict(_named(inside(font, "/Encoding")))
        for code, letter in named.items():
            add(missing, (own, code), letter)
        cmap = font.get("/ToUnicode", font).get_object()
        if isinstance(cmap, StreamObject):
            parts = font.get("/DescendantFonts", ArrayObject([font])).get_object()  # with the name that pdfium tells
            part = parts[0].get_object()
            if not isinstance(part, DictionaryObject):
                continue  # a font that is cut off has no letters of its own
            name = plain_name(str(part.get("/BaseFont", "/"))[1:])
            for code, letter in parsed(cmap.get_data().decode("latin-1")):
                if code > ONE_BYTE:
                    add(missing, (name, code), letter)
                else:
                    plain = code if letter < 0x20 <= code and not name else letter  # as TeX's bitmaps have letters
                    add(meant, (name, letter), named.get(code, plain))
    return missing, meant


def _named(encoding: DictionaryObject) -> Iterator[tuple[int, int]]:
    """Yield the codes of a simple font at which its encoding names a glyph of `NAMES` (ISO 32000-1, 9.6.6.1)."""
    code = 0
    for entry in encoding.get("/Differences", ()):
        if isinstance(entry, int):
            code = entry
            continue
        letter = NAMES.get(str(entry)[1:].split(".")[0])
        if letter:
            yield code, ord(letter)
        code += 1


def parsed(cmap: str) -> Iterator[tuple[int, int]]:
    """Yield the codes and letters of a ToUnicode map (ISO 32000-1, 9.10.3), without ligatures and what is malformed."""
    for kind, block in BLOCK.findall(cmap):
        if kind == "char":
            yield from ((int(code, 16), int(letter, 16)) for code, letter in CHAR.findall(block))
            continue
        for first, last, letter, letters in RANGE.findall(block):
            codes = range(int(first, 16), min(int(last, 16), int(first, 16) + LONGEST) + 1)
            start = int(letter or "0", 16)
            meant = [int(each, 16) for each in LETTER.findall(letters)] if letters else range(start, start + len(codes))
            yield from zip(codes, meant, strict=False)
