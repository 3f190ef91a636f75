"""Displayed formulas of a scan: lines of symbols around a relation, from the words of OCR and where they stand.

OCR tells neither sizes nor fonts, so a digit behind a letter may be an index or a power. What is written is what it
read; the crop is shown beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docparse.layout.formula.evidence import KNOWN, SMALL_WORDS, is_prose
from docparse.layout.formula.find import FoundFormula
from docparse.layout.formula.latex import SURE, is_balanced
from docparse.layout.formula.symbols import FUNCTIONS, RELATIONS, glue, symbol, text_mode
from docparse.layout.ocr.region import Region
from docparse.layout.text.lines import is_marker
from docparse.layout.text.words import Word
from docparse.types import Box, Category, union

GUESSED = 0.4  # how sure LaTeX read from OCR is: a picture stands beside it
PROSE = 0.5  # share of letters in running words from which a "formula" is a misnamed line of text
LINK = 2.0  # font sizes: words of one row stand at most this far apart
STACKED = 0.4  # of the narrower word: one that another overlaps by so much stands over or under it
LONGEST = 80  # characters of a displayed formula: more is a line of something else
GREEK = "αβγδεϵζηθϑικλμµνξοπρσςτυφϕχψω"
_LETTERS = re.compile(r"[A-Za-z\u00c0-\u024f]+|[\u0391-\u03c9]")
_TOKENS = re.compile(_LETTERS.pattern + r"|\d+(?:[.,]\d+)*|\S")


def find_scanned_formulas(words: Sequence[Word], regions: Sequence[Region] = ()) -> list[FoundFormula]:
    """Formulas on lines of their own, and those that a detector found; no word belongs to two of them."""
    found = _detected(words, regions)
    taken = {i for formula in found for i in formula.words}
    for row in _rows(words, [i for i in range(len(words)) if i not in taken]):
        if not any(char in RELATIONS for i in row for char in words[i].text):
            continue
        parts = _fractions(words, row)
        if _is_equation([words[i] for i in row], bool(parts)):
            members = sorted({*row, *parts} - taken)
            latex = _latex([words[i] for i in members])
            if latex and is_balanced(latex):
                taken |= set(members)
                found.append(FoundFormula(union(words[i].box for i in members), tuple(members), latex, GUESSED))
    return found


def _detected(words: Sequence[Word], regions: Sequence[Region]) -> list[FoundFormula]:
    """Regions that are formulas, with the words they cover, and the LaTeX if the detector read it."""
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


def _rows(words: Sequence[Word], free: list[int]) -> list[list[int]]:
    """Words side by side, by index: neighbours overlap by half their height."""
    rows: list[list[int]] = []
    for i in sorted(free, key=lambda i: words[i].box.x0):
        box, size = words[i].box, words[i].size
        for row in rows:
            last = words[row[-1]].box
            if box.x0 - last.x1 < LINK * size and last.overlap_y(box) > 0.5 * min(last.height, box.height):
                row.append(i)
                break
        else:
            rows.append([i])
    return rows


def _is_equation(row: Sequence[Word], fraction: bool) -> bool:
    """Symbols on both sides of a relation (one may be a fraction), a letter first, and no word of running text."""
    text = " ".join(word.text for word in row)
    sides = re.split("[" + "".join(map(re.escape, RELATIONS)) + "]", text)
    if (
        len(sides) < 2
        or len(text) > LONGEST
        or not all(re.search(r"\w", side) for side in sides[: -1 if fraction else None])
    ):
        return False
    runs = _LETTERS.findall(text)
    named = any((len(run) > 3 and run not in KNOWN) or run.lower() in SMALL_WORDS - {"a"} for run in runs)
    foreign = any(char.isalpha() and char.lower() not in GREEK for char in _LETTERS.sub("", text))
    return _LETTERS.match(sides[0].lstrip("(|")) is not None and not (named or foreign or is_marker(row[0].text))


def _fractions(words: Sequence[Word], row: list[int]) -> list[int]:
    """Symbols straight over, under and beside a row that belong to its fractions: no word, no relation."""
    box, size = union(words[i].box for i in row), max(words[i].size for i in row)
    near = Box(box.x0 - size, box.y0 - 0.5 * size, box.x1 + size, box.y1 + 0.5 * size)
    return [
        i
        for i, word in enumerate(words)
        if i not in row and word.box.inside(near) > 0.5 and not is_prose(word)
        and not any(char in RELATIONS for char in word.text) and not is_marker(word.text)
    ]  # fmt: skip


def _latex(members: Sequence[Word]) -> str:
    """From left to right; what stands over something else as a fraction."""
    stacks: list[list[Word]] = []
    for word in sorted(members, key=lambda w: w.box.x0):
        last = stacks[-1][-1].box if stacks else None
        if last and last.overlap_x(word.box) > STACKED * min(last.width, word.box.width):
            stacks[-1].append(word)
        else:
            stacks.append([word])
    text = ""
    for stack in stacks:
        top, *rest = (_row(word.text) for word in sorted(stack, key=lambda w: w.box.center[1]))
        text = glue(f"{text} ", rf"\frac{{{top}}}{{{' '.join(rest)}}}" if rest else top)
    return text.strip()


def _row(text: str) -> str:
    """One word's characters as LaTeX."""
    out = ""
    for token in _TOKENS.findall(text):
        if token in FUNCTIONS:
            code = f"\\{token} "
        elif token in KNOWN or (len(token) > 3 and token.isalpha()):
            code = rf"\text{{{text_mode(token)}}}"
        else:
            code = ""
            for char in token:
                code = glue(code, symbol(char))
        out = glue(out, code)
    return out
