"""Letters that the file names and pdfium does not know.

A ToUnicode map lists ranges of codes in blocks. After a range that runs from one code page into the next, such as
<19ff><1a00>, pdfium drops the rest of the block and gives the codes themselves: 时 is then the letter U+1C26 of a
script that nobody meant. macOS writes such ranges for Chinese and Japanese text. Only then the map is read here.

Without a map, the encoding of a font names its glyphs. OpenType calls a ligature by its letters: f_i.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from docparse.pdf.fonts import plain_name
from docparse.pdf.glyphs import encoding_of
from docparse.pdf.page_fonts import inside
from docparse.pdf.textlayer import RawText

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject

ONE_BYTE = 0xFF  # codes up to it are those of simple fonts, whose maps pdfium reads
BLOCK = re.compile(r"beginbf(char|range)(.*?)endbf", re.DOTALL)
CODE = r"<\s*([0-9a-fA-F]{1,4})\s*>\s*"
LETTER = re.compile(CODE)
CHAR = re.compile(CODE + CODE)
RANGE = re.compile(CODE + CODE + rf"(?:{CODE}|\[([^\]]*)\])")
LONGEST = 0x10000  # codes of one range
LIGATURES = {"f_f": "ﬀ", "f_i": "ﬁ", "f_l": "ﬂ", "f_f_i": "ﬃ", "f_f_l": "ﬄ", "s_t": "ﬆ"}


def with_missing_letters(raw: RawText, fonts: Iterable[DictionaryObject]) -> RawText:
    """Return the text of a page with the letters that only the maps of its `fonts` know; `raw` where none is."""
    from pypdf.errors import PyPdfError

    telling = np.array([bool(style.name) and not encoding_of(style.name) for style in raw.styles])
    lost = np.flatnonzero(raw.unmapped & ((raw.code > ONE_BYTE) | telling[raw.style[raw.run]]))
    if not len(lost):
        return raw
    try:
        letters = _letters(fonts)
    except PyPdfError:  # pdfium reads files that no other program does
        return raw
    code, unmapped = raw.code.copy(), raw.unmapped.copy()
    for index in lost.tolist():
        name = raw.styles[raw.style[raw.run[index]]].name
        letter = letters.get((name, int(code[index])))
        if letter:
            code[index], unmapped[index] = letter, False
    return replace(raw, code=code, unmapped=unmapped)


def _letters(fonts: Iterable[DictionaryObject]) -> dict[tuple[str, int], int]:
    """Unicode by the name of a font and a code. 0 where two fonts of that name do not agree, as parts of one may."""
    from pypdf.generic import ArrayObject, DictionaryObject, StreamObject

    letters: dict[tuple[str, int], int] = {}
    for font in fonts:
        own = plain_name(str(font.get("/BaseFont", "/"))[1:])
        for code, letter in _ligatures(inside(font, "/Encoding")):
            letters[own, code] = letter if letters.get((own, code), letter) == letter else 0
        cmap = font.get("/ToUnicode", font).get_object()
        if isinstance(cmap, StreamObject):
            parts = font.get("/DescendantFonts", ArrayObject([font])).get_object()  # with the name that pdfium tells
            part = parts[0].get_object()
            if not isinstance(part, DictionaryObject):
                continue  # a font that is cut off has no letters of its own
            name = plain_name(str(part.get("/BaseFont", "/"))[1:])
            for code, letter in parsed(cmap.get_data().decode("latin-1")):
                if code > ONE_BYTE:
                    letters[name, code] = letter if letters.get((name, code), letter) == letter else 0
    return letters


def _ligatures(encoding: DictionaryObject) -> Iterator[tuple[int, int]]:
    """Yield the codes of a simple font at which its encoding has ligatures (ISO 32000-1, 9.6.6.1)."""
    code = 0
    for entry in encoding.get("/Differences", ()):
        if isinstance(entry, int):
            code = entry
            continue
        letter = LIGATURES.get(str(entry)[1:].split(".")[0])
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
