"""Letters that the file names and pdfium does not know.

A ToUnicode map lists ranges of codes in blocks. After a range that runs from one code page into the next, such as
<19ff><1a00>, pdfium drops the rest of the block and gives the codes themselves: 时 is then the letter U+1C26 of a
script that nobody meant. macOS writes such ranges for Chinese and Japanese text. Only then the map is read here.

Without a map, the encoding of a font names its glyphs. OpenType calls a ligature by its letters: f_i.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from docparse.pdf.fonts import plain_name
from docparse.pdf.glyphs import encoding_of
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


def with_missing_letters(raw: RawText, source: Path | bytes, password: str, number: int) -> RawText:
    """Return the text of page `number` with the letters that only the file's own maps know; `raw` where none is."""
    from pypdf.errors import PyPdfError

    telling = np.array([bool(style.name) and not encoding_of(style.name) for style in raw.styles])
    lost = np.flatnonzero(raw.unmapped & ((raw.code > ONE_BYTE) | telling[raw.style[raw.run]]))
    if not len(lost):
        return raw
    try:
        letters = _letters(source, password, number)
    except PyPdfError:  # pdfium reads files that no other program does
        return raw
    code, unmapped = raw.code.copy(), raw.unmapped.copy()
    for index in lost.tolist():
        name = raw.styles[raw.style[raw.run[index]]].name
        letter = letters.get((name, int(code[index])))
        if letter:
            code[index], unmapped[index] = letter, False
    return replace(raw, code=code, unmapped=unmapped)


def _letters(source: Path | bytes, password: str, number: int) -> dict[tuple[str, int], int]:
    """Unicode by the name of a font and a code. 0 where two fonts of that name do not agree, as parts of one may."""
    from pypdf.generic import ArrayObject, DictionaryObject, StreamObject

    letters: dict[tuple[str, int], int] = {}
    for font in page_fonts(source, password, number):
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


def page_fonts(source: Path | bytes, password: str, number: int) -> Iterator[DictionaryObject]:
    """Yield the fonts of page `number` and of the forms on it. Raises `PyPdfError` where pypdf cannot read the file."""
    from pypdf import PdfReader
    from pypdf.generic import DictionaryObject

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # what is wrong with a file is pdfium's to say
    reader = PdfReader(io.BytesIO(source) if isinstance(source, bytes) else source, password=password or None)
    seen: set[int] = set()
    holders: list[DictionaryObject] = [reader.pages[number - 1]]
    while holders:
        resources = inside(holders.pop(), "/Resources")
        fonts = (font.get_object() for font in inside(resources, "/Font").values())
        yield from (font for font in fonts if isinstance(font, DictionaryObject))
        for reference in inside(resources, "/XObject").values():
            held = reference.get_object()
            if id(held) not in seen and held.get("/Subtype") == "/Form":
                seen.add(id(held))
                holders.append(held)


def inside(holder: DictionaryObject, key: str) -> DictionaryObject:
    """Return the dictionary at `key`; an empty one where there is none."""
    from pypdf.generic import DictionaryObject

    found = holder.get(key, DictionaryObject()).get_object()
    return found if isinstance(found, DictionaryObject) else DictionaryObject()


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
