"""Displayed formulas of a scan: OCR garbles them, so they stay pictures unless the detector itself read their LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from docparse.layout.formula.evidence import is_prose
from docparse.layout.formula.find import FoundFormula
from docparse.layout.region import Region
from docparse.layout.words import Word
from docparse.types import Category

SURE = 0.5
PROSE = 0.5  # share of letters in running words from which a "formula" is a misnamed line of text


def find_scanned_formulas(words: Sequence[Word], regions: Sequence[Region]) -> list[FoundFormula]:
    """Detected formula regions with the words they cover; no word belongs to two of them."""
    found: list[FoundFormula] = []
    free = set(range(len(words)))
    for region in sorted(regions, key=lambda r: -r.score):
        if region.category is not Category.FORMULA or region.score < SURE:
            continue
        inside = sorted(i for i in free if region.box.holds(*words[i].box.center))
        letters = sum(len(words[i].text) for i in inside)
        prose = sum(len(words[i].text) for i in inside if is_prose(words[i]))
        if region.content or prose <= PROSE * letters:
            found.append(FoundFormula(region.box, tuple(inside), region.content or None, region.score))
            free -= set(inside)
    return found
