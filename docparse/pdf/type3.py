"""Names of Type 3 fonts, which pdfium does not tell: what browsers make of web fonts has a descriptor like other fonts.

Which of the fonts in the file one of pdfium's is, the widths of its letters say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from docparse.pdf.fonts import Style, style_from
from docparse.pdf.page_fonts import inside
from docparse.pdf.textlayer import RawText
from docparse.pdf.tounicode import parsed

if TYPE_CHECKING:
    from pypdf.generic import DictionaryObject

NARROW, ALIKE = 0.02, 0.7  # share by which widths of one letter differ, and of the letters whose widths agree at least
HEAVY = 600  # of 1000, the weight of semi-bold type


def with_named_fonts(raw: RawText, fonts: Iterable[DictionaryObject]) -> RawText:
    """Return the text of a page with the styles that the file gives the Type 3 ones of its `fonts`; `raw` where it
    gives none."""
    from pypdf.errors import PyPdfError

    try:
        described = [each for each in map(_described, fonts) if each is not None]
    except PyPdfError:  # pdfium reads files that no other program does
        return raw
    if not described:
        return raw
    styles = list(raw.styles)
    for k in (k for k, style in enumerate(raw.styles) if not style.name):
        widths = _widths(raw, k)
        shares = [(_share(widths, known), style) for style, known in described]
        best = max((share for share, _ in shares), default=0.0)
        found = {style for share, style in shares if share == best > ALIKE}
        if len(found) == 1:
            [style] = found
            styles[k] = style._replace(mono=style.mono or raw.styles[k].mono)
    return replace(raw, styles=tuple(styles))


def _widths(raw: RawText, style: int) -> dict[int, float]:
    """The widths of the letters that are set in a style, in points over the size that pdfium has."""
    own = np.flatnonzero(raw.inked & ~raw.unmapped & (raw.style[raw.run] == style) & (raw.matrix[raw.run, 1] == 0))
    wide = (raw.box[own, 2] - raw.box[own, 0]) / raw.size[raw.run[own]]
    return dict(zip(raw.code[own].tolist(), wide.tolist(), strict=True))


def _described(font: DictionaryObject) -> tuple[Style, dict[int, float]] | None:
    """The style of a Type 3 font and the widths of its letters; None for others, and where it has no descriptor."""
    from pypdf.generic import StreamObject

    about, letters = inside(font, "/FontDescriptor"), font.get("/ToUnicode", font).get_object()
    if font.get("/Subtype") != "/Type3" or "/FontName" not in about or not isinstance(letters, StreamObject):
        return None
    style = style_from(str(about["/FontName"])[1:], int(_number(about, "/Flags")), int(_number(about, "/ItalicAngle")))
    if (weight := int(_number(about, "/FontWeight"))) >= HEAVY:
        style = style._replace(weight=max(style.weight, weight))
    first, array = int(_number(font, "/FirstChar")), font.get("/Widths", font).get_object()
    numbers = [width.get_object() for width in array] if isinstance(array, list) else []
    widths = [float(number) if isinstance(number, int | float) else 0.0 for number in numbers]
    meant = parsed(letters.get_data().decode("latin-1"))
    return style, {letter: widths[code - first] for code, letter in meant if 0 <= code - first < len(widths)}


def _number(holder: DictionaryObject, key: str) -> float:
    """The number at a key; 0 where there is none."""
    value = holder.get(key, 0)
    return float(value) if isinstance(value, int | float) else 0.0


def _share(used: dict[int, float], known: dict[int, float]) -> float:
    """Return which share of the letters that were used have the widths, in one proportion, that a font gives them; 0
    where it has not all of them. Boxes of a few letters that reach over their neighbours are wider."""
    if not used.keys() <= known.keys():
        return 0.0
    ratios = np.array([width / known[letter] for letter, width in used.items() if known[letter] and width])
    return float(np.mean(np.abs(ratios - np.median(ratios)) < NARROW * np.median(ratios))) if len(ratios) else 0.0
