"""Formulas in the running text of a scan: what OCR cannot spell is read again from the pixels, symbol by symbol."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from math import log

import numpy as np
from msgspec.structs import replace as changed

from docparse.layout.formula.evidence import SIGNS
from docparse.layout.formula.ink import enlarged
from docparse.layout.formula.latex import latex_of
from docparse.layout.formula.limits import AS_OPERATOR
from docparse.layout.formula.pixels import Told, symbol_words
from docparse.layout.formula.scanned_fractions import is_fraction, lowered
from docparse.layout.formula.suspects import APPLIED, CLOSES, ENDS, OPENS, SIGN, SuspectRun, suspects, without_names
from docparse.layout.formula.symbols import BIG
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.text.lines import SCRIPT
from docparse.layout.text.words import Word, spaced
from docparse.pdf.content import PageImage
from docparse.types import Box, corners, union

TRUSTED = 0.7  # geometric mean of the chances of its symbols from which something is a formula
GUESSED = 0.2  # chance of a symbol that only the pixels tell, at least: one that nobody knows spoils a formula
TALLEST, WIDEST = 1.1, 8  # times what a line reaches over and under itself, and em: larger ink is no part of a formula
LOWERED = 0.06  # em from the baseline to that of a script, at least
SHARED, COMPLETE = 0.4, 0.8  # of the letters and digits of OCR, which does not know all that it spells
VARIABLE = re.compile(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
HANGING = re.compile(r"\{\}[_^](?!\{\d+\}(?:_\{\d+\})?\\mathrm)")  # a script of nothing that is none of an isotope
OFTEN = 4  # times as often alone as in formulas: more are no variables, but words


def with_inline_formulas(words: Sequence[Word], image: PageImage, reader: SymbolReader, size: float) -> list[Word]:
    """Return the words with those of a formula as one that has its `latex`. What could not be read stays as OCR has
    it."""
    runs = suspects(words)
    if not runs:
        return [word for word in map(lowered, words) if word.text]
    image = enlarged(image, size)
    bands = corners_of(run.box for run in runs) * image.scale
    em = size * image.scale

    def wanted(boxes: np.ndarray) -> np.ndarray:
        x, y = (boxes[:, :2] + boxes[:, 2:]).T / 2
        extent = boxes[:, 2:] - boxes[:, :2]
        inside = np.zeros(len(boxes), bool)
        for x0, y0, x1, y1 in bands:
            inside |= (x0 < x) & (x < x1) & (y0 < y) & (y < y1) & (extent[:, 1] < TALLEST * (y1 - y0))
        return inside & (extent[:, 0] < WIDEST * em) & (extent.max(axis=1) > 0.05 * em)

    symbols, strokes, _ = symbol_words(image, wanted, reader, size)
    inked = [(run, [(word, sure) for word, sure in symbols if run.box.holds(*word.box.center)]) for run in runs]
    parts = [(part, own) for run, own in inked for part in without_names(words, run, [word for word, _ in own])]
    replaced: dict[int, list[Word]] = {}
    for part, own in parts:
        replaced |= _formula(words, part, own, strokes)
    known = _variables(words, [word.latex for made in replaced.values() for word in made])
    for part, own in parts:
        if part.words[0] not in replaced:
            replaced |= _formula(words, part, own, strokes, known)
    read = (lowered(each) for i, word in enumerate(words) for each in replaced.get(i, [word]))
    return [word for word in read if word.text]  # without fractions of which nobody read anything


def _formula(
    words: Sequence[Word], run: SuspectRun, symbols: Sequence[Told], strokes: np.ndarray, variables: Container[str] = ()
) -> dict[int, list[Word]]:
    """Return what stands in place of the words of a run, by index: a word with the formula, between punctuation. Empty
    where none could be read. One of the `variables` alone is a formula."""
    line = [lowered(words[i]) for i in run.words]
    box = union(word.box for word in line)
    within = [(word, sure) for word, sure in symbols if box.x0 <= word.box.center[0] <= box.x1]
    lead, inner, tail = _bared(sorted(within, key=lambda each: each[0].box.x0))
    read = [word for word, _ in inner]
    if run.limits:
        read = [changed(word, text=AS_OPERATOR.get(word.text, word.text)) for word in read]
    if len(read) > 1 and re.fullmatch(r"\d+\.", read[-1].text):  # the point behind a number is that of the sentence
        read[-1], point = _point_apart(read[-1])
        tail = [point, *tail]
    spelled = "".join(words[i].text for i in run.words if not is_fraction(words[i]))
    doubts = [log(sure) for (_, sure), told in zip(inner, _confirmed(read, spelled), strict=True) if not told]
    trusted = sum(doubts) > len(inner) * log(TRUSTED) and min(doubts, default=0.0) > log(GUESSED)
    evident = any(is_fraction(words[i]) for i in run.words) or _is_evident(read, run)
    alone = len(read) == 1 and read[0].text in variables and not _is_half(lead, tail)
    if not (trusted and (evident or alone) and _agree(spelled, read)) or _is_torn(read, run):
        return {}
    latex = latex_of(read, strokes)
    if latex is None or r"\begin" in latex or HANGING.search(latex):
        return {}
    first, last = line[0], line[-1]
    span = union(word.box for word in read)
    place, sure = Box(span.x0, box.y0, span.x1, box.y1), min(word.confidence for word in line)
    said = spaced([*line, *(words[i] for i in run.limits)])
    whole = changed(first, text=said or latex, latex=latex, box=place, confidence=sure, bold=False)
    pieces = [*(_mark(first, mark) for mark in lead), whole, *(_mark(last, mark) for mark in tail)]
    made = [changed(piece, glued=k > 0 or first.glued) for k, piece in enumerate(pieces)]
    return {i: [] for i in (*run.words, *run.limits)} | {run.words[0]: made}


def _point_apart(number: Word) -> tuple[Word, Word]:
    """A number, and the point behind it."""
    x0, y0, x1, y1 = corners(number.box)
    middle = x1 - (x1 - x0) / (2 * len(number.text))
    bare = changed(number, text=number.text[:-1], box=Box(x0, y0, middle, y1))
    return bare, changed(number, text=".", box=Box(middle, y0, x1, y1))


def _mark(word: Word, mark: Word) -> Word:
    """Punctuation that was part of a word, where its ink is."""
    return changed(word, text=mark.text, box=Box(mark.box.x0, word.box.y0, mark.box.x1, word.box.y1))


def _bared(symbols: list[Told]) -> tuple[list[Word], list[Told], list[Word]]:
    """Symbols without the punctuation and the brackets of the sentence around them, which are returned beside them."""
    start, end = 0, len(symbols)
    while start < end:
        text = [word.text for word, _ in symbols[start:end]]
        if text[-1] in ENDS or text.count(text[-1]) > text.count(OPENS.get(text[-1], text[-1])):
            end -= 1
        elif text.count(text[0]) > text.count(CLOSES.get(text[0], text[0])):
            start += 1
        else:
            break
    return [word for word, _ in symbols[:start]], symbols[start:end], [word for word, _ in symbols[end:]]


def _is_torn(symbols: Sequence[Word], run: SuspectRun) -> bool:
    """Return whether a formula begins or ends with an operator within a line: something is missing there."""
    first, last = symbols[0], symbols[-1]
    begins = first.text in SIGNS and first.text not in BIG and first.text not in "+−±∓√∂∇∀∃¬"
    ends = last.text in SIGNS and last.size > SCRIPT * run.size
    return (begins and not run.leads) or (ends and not run.ends)


def _agree(text: str, symbols: Sequence[Word]) -> bool:
    """Return whether the symbols have most letters and digits that OCR read, and nothing is missing: OCR knows an
    equals sign better than those who look at strokes one by one."""
    if "=" in text and all("=" not in word.text for word in symbols):
        return False
    letters, read = (
        [char for char in unicodedata.normalize("NFKD", each).casefold() if char.isalnum()]
        for each in (text, "".join(word.text for word in symbols))
    )
    common = sum((Counter(letters) & Counter(read)).values())
    return common >= SHARED * len(letters) and len(read) >= COMPLETE * len(letters)


def _confirmed(symbols: Sequence[Word], text: str) -> list[bool]:
    """Return which symbols stand in what OCR read at the same place: two readers hardly make the same mistake."""
    said = "".join(word.text for word in symbols)
    same = np.zeros(len(said), bool)
    for block in SequenceMatcher(None, said, text.replace("-", "−"), autojunk=False).get_matching_blocks():
        same[block.a : block.a + block.size] = True
    ends = accumulate(len(word.text) for word in symbols)
    return [bool(same[end - len(word.text) : end].all()) for word, end in zip(symbols, ends, strict=True)]


def _variables(words: Sequence[Word], formulas: Sequence[str]) -> frozenset[str]:
    """The letters of formulas, but for "a", "A", "I" and those that stand alone so often that they are words, or
    abbreviations, as "n." is in dictionaries. Those that are words in some language, as "y" in Spanish, may do so no
    more often than in formulas."""
    found = Counter(letter for latex in formulas for letter in VARIABLE.findall(latex))
    alone = Counter(word.text.strip(ENDS) for word in words)
    often = {letter: count * (1 if letter in "eiouwyz" else OFTEN) for letter, count in found.items()}
    return frozenset(letter for letter in found if letter not in "aAI" and alone[letter] <= often[letter])


def _is_half(lead: Sequence[Word], tail: Sequence[Word]) -> bool:
    """Return whether brackets before and behind something have their others elsewhere: it is no whole formula."""
    return [CLOSES.get(mark.text, "") for mark in lead] != [mark.text for mark in reversed(tail) if mark.text in OPENS]


def _is_evident(symbols: Sequence[Word], run: SuspectRun) -> bool:
    """Return whether there is a variable, and with it a sign, a script or brackets behind it: letters in italics, or
    numbers, alone are text."""
    if not any(word.math and word.text[0].isalpha() for word in symbols):
        return False
    small = [word for word in symbols if word.size < SCRIPT * run.size]
    scripts = any(abs(word.baseline - run.baseline) > LOWERED * run.size for word in small)
    said = "".join(word.text for word in symbols)
    return scripts or SIGN.search(said) is not None or APPLIED.search(said) is not None
