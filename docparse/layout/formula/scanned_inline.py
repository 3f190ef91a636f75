"""Formulas in the running text of a scan: what OCR cannot spell is read again from the pixels, symbol by symbol."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate, groupby, pairwise
from math import log
from statistics import median

import numpy as np
from msgspec.structs import replace as changed

from docparse.layout.formula.evidence import KNOWN, SIGNS, SMALL_WORDS
from docparse.layout.formula.ink import enlarged
from docparse.layout.formula.latex import latex_of
from docparse.layout.formula.pixels import symbol_words
from docparse.layout.formula.scanned import rows_of
from docparse.layout.formula.scanned_fractions import is_fraction, lowered
from docparse.layout.formula.symbols import BIG, RELATIONS
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.text.lines import SCRIPT
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box, corners, union

TRUSTED = 0.7  # geometric mean of the chances of its symbols from which something is a formula
GUESSED = 0.2  # chance of a symbol that only the pixels tell, at least: one that nobody knows spoils a formula
OVER, UNDER = 1.0, 0.45  # em over and under the baseline: scripts and limits reach no farther
MARGIN = 0.15  # em: OCR cuts the first and last letter of a word short
TALLEST, WIDEST = 1.1, 8  # times what a line reaches over and under itself, and em: larger ink is no part of a formula
LOWERED = 0.06  # em from the baseline to that of a script, at least
SIGNED = 0.4  # em on either side of a fraction in which signs may stand: narrower than a bracket or a digit before it
WIDE = 1.5  # em: white that is no space between words
SHORT = 6  # characters of what an operator joins to a formula
SHARED, COMPLETE = 0.4, 0.8  # of the letters and digits of OCR, which does not know all that it spells
_LETTER = r"[^\W\d_]"
PLAIN = re.compile(
    "|".join(
        (
            r".*(?:[a-zß-ÿ]{4}|[α-ωά-ώ]{3}|[^\W\d_A-Za-zͰ-Ͽ\U0001d400-\U0001d7ff]{2}|[⺀-鿿]).*",  # any language
            rf"\W*{_LETTER}*[a-zß-ÿ]{{3}}{_LETTER}*[-\w]*\W*",
            rf"\W*(?i:{'|'.join(SMALL_WORDS)})\W*",
            rf"\W*(?:{_LETTER}\.){{2,}}\W*",  # i.e.
            rf"\W*(?:{_LETTER}[’']{_LETTER}|{_LETTER}{{2,}}[’']){_LETTER}+\W*",  # d'un, qu'on
            rf"\W*(?:{_LETTER}+-)+{_LETTER}{{2,}}\W*",  # a-t-on
            r"\W*[\d.,]*[µμ]\w{1,2}(?:/\w{1,3})?\W*",  # 5μm, μg/L
        )
    )
)
MARKER = re.compile(r"\(?(?:\d{1,2}|[A-Za-z]|[ivx]{2,4})[.)]")  # of an item
SIGN = re.compile(rf"[{re.escape(''.join(SIGNS))}\u0391-\u03f5]")  # what running text has seldom
SCRIPTED = re.compile(r"\W*[^\W\d_]\w{1,3}(?:\(\w\))?\W*")  # a letter and what may be its script
APPLIED = re.compile(rf"{_LETTER}\(\w|\d[(/]{_LETTER}|{_LETTER}/\d|\w\|\w|(?<!\w){_LETTER}[-−]\d")  # f(x, 2(n, n/4, n−1
ALONE = re.compile(r"\W*[A-Za-z]\W*")
VARIABLE = re.compile(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
HANGING = re.compile(r"\{\}[_^](?!\{\d+\}(?:_\{\d+\})?\\mathrm)")  # a script of nothing that is none of an isotope
AGAIN = 4  # times as often as in formulas variables stand alone at most
ENDS = ".,;:"
CLOSES = {"(": ")", "[": "]"}
OPENS = {closing: opening for opening, closing in CLOSES.items()}


@dataclass(frozen=True)
class _Run:
    """Neighbouring words of a line that may be a formula, by index, and where their ink is, in points; `leads` and
    `ends` say that they are the first and last of their line."""

    words: tuple[int, ...]
    box: Box
    size: float
    baseline: float
    leads: bool
    ends: bool


def may_hold_formulas(words: Sequence[Word]) -> bool:
    """Return whether OCR met signs of formulas: a look at the pixels is not free."""
    return any(SIGN.search(word.text) or is_fraction(word) for word in words)


def with_inline_formulas(words: Sequence[Word], image: PageImage, reader: SymbolReader, size: float) -> list[Word]:
    """Return the words with those of a formula as one that has its `latex`. What could not be read stays as OCR has
    it."""
    runs = [run for row in rows_of(list(map(_with_signs, words))) for run in _runs(words, row)]
    if not runs:
        return _spoken(map(lowered, words))
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
    parts = [(part, own) for run, own in inked for part in _parts(words, run, [word for word, _ in own])]
    replaced: dict[int, list[Word]] = {}
    for part, own in parts:
        replaced |= _formula(words, part, own, strokes)
    known = _variables(words, [word.latex for made in replaced.values() for word in made])
    for part, own in parts:
        if part.words[0] not in replaced:
            replaced |= _formula(words, part, own, strokes, known)
    return _spoken(lowered(each) for i, word in enumerate(words) for each in replaced.get(i, [word]))


def _spoken(words: Iterable[Word]) -> list[Word]:
    """The words but for fractions of which OCR read nothing and that are no formula."""
    return [word for word in words if word.text]


def _with_signs(word: Word) -> Word:
    """A fraction as wide as it is with half of a sign on either side, which OCR may not have read."""
    x0, y0, x1, y1 = corners(word.box)
    beside = SIGNED * word.size if is_fraction(word) else 0.0
    return changed(word, box=Box(x0 - beside, y0, x1 + beside, y1))


def _runs(words: Sequence[Word], row: Sequence[int]) -> list[_Run]:
    """Stretches of a row without running text that have a sign, a Greek letter, or what may be a letter's script."""
    plain = {i: _is_plain(words[i]) for i in row}
    plain[row[0]] |= len(row) > 1 and MARKER.fullmatch(words[row[0]].text) is not None
    for left, right in pairwise(row):  # a = 1, x ∈ [a, b]
        plain[left] &= words[right].text[:1] not in RELATIONS or len(words[left].text) > 2
        plain[right] &= words[left].text[-1:] not in RELATIONS or len(words[right].text.strip(ENDS + "()[]")) > 2
    line = [words[i] for i in row if plain[i]] or [words[i] for i in row]
    size, baseline = median(word.size for word in line), median(word.baseline for word in line)
    found = []
    for told, group in groupby(row, key=plain.__getitem__):
        run = tuple(group)
        if not told and any(_may_be_one(words[i]) for i in run):
            box = union(words[i].box for i in run)
            level = median(words[i].baseline for i in run) if len(run) > 2 else baseline
            reach = Box(box.x0 - WIDE * size, box.y0, box.x1 + WIDE * size, box.y1)
            row_boxes = (word.box for i, word in enumerate(words) if i not in run and word.box.is_level(box))
            beside = [each for each in row_boxes if each.overlap_x(reach) > 0]
            leads, ends = all(b.x0 > box.x0 for b in beside), all(b.x1 < box.x1 for b in beside)
            margin = MARGIN * size
            band = Box(box.x0 - margin, level - OVER * size, box.x1 + margin, level + UNDER * size)
            tall = [words[i].box for i in run if is_fraction(words[i])]
            found.append(_Run(run, union([band, *tall]), size, level, leads, ends))
    return found


def _may_be_one(word: Word) -> bool:
    scripted = SCRIPTED.fullmatch(word.text) or APPLIED.search(word.text) or ALONE.fullmatch(word.text)
    return scripted is not None or may_hold_formulas([word])


def _is_plain(word: Word) -> bool:
    known = word.text.strip(ENDS) in KNOWN or is_fraction(word)
    return PLAIN.fullmatch(word.text) is not None and not known


def _formula(
    words: Sequence[Word],
    run: _Run,
    symbols: Sequence[tuple[Word, float]],
    strokes: np.ndarray,
    variables: frozenset[str] = frozenset(),
) -> dict[int, list[Word]]:
    """What stands in place of the words of a run, by index: a word with the formula, between punctuation. Empty where
    none could be read. One of the `variables` alone is a formula."""
    line = [lowered(words[i]) for i in run.words]
    box = union(word.box for word in line)
    within = [(word, sure) for word, sure in symbols if box.x0 <= word.box.center[0] <= box.x1]
    lead, inner, tail = _bared(_pointed(sorted(within, key=lambda each: each[0].box.x0)))
    if _is_closed(words, run.words[-1]):
        tail = [mark for mark in tail if mark.text not in ENDS]
    read = [word for word, _ in inner]
    spelled = "".join(words[i].text for i in run.words if not is_fraction(words[i]))
    doubts = [log(sure) for (_, sure), told in zip(inner, _confirmed(read, spelled), strict=True) if not told]
    trusted = sum(doubts) > len(inner) * log(TRUSTED) and min(doubts, default=0.0) > log(GUESSED)
    evident = any(is_fraction(words[i]) for i in run.words) or _is_evident(read, run)
    alone = len(read) == 1 and read[0].math and read[0].text in variables and not _is_half(lead, tail)
    if not (trusted and (evident or alone) and _agree(spelled, read)) or _is_torn(read, run):
        return {}
    latex = latex_of(read, strokes)
    if latex is None or r"\begin" in latex or r"\tag" in latex or HANGING.search(latex):
        return {}
    first, last = line[0], line[-1]
    span = union(word.box for word in read)
    whole = changed(
        first,
        text="".join(("" if word.glued else " ") + word.text for word in line).strip() or latex,
        latex=latex,
        box=Box(span.x0, box.y0, span.x1, box.y1),
        confidence=min(word.confidence for word in line),
        bold=False,
    )
    pieces = [*(_mark(first, mark) for mark in lead), whole, *(_mark(last, mark) for mark in tail)]
    made = [changed(piece, glued=k > 0 or first.glued) for k, piece in enumerate(pieces)]
    return {i: [] for i in run.words} | {run.words[0]: made}


def _is_closed(words: Sequence[Word], last: int) -> bool:
    """Whether the next word, with no space before it, begins with the mark that the ink behind a formula is."""
    behind = words[last + 1] if last + 1 < len(words) else None
    return behind is not None and behind.glued and behind.text[0] in "，。；：、.,;:"


def _mark(word: Word, mark: Word) -> Word:
    """Punctuation that was part of a word, where its ink is."""
    return changed(word, text=mark.text, box=Box(mark.box.x0, word.box.y0, mark.box.x1, word.box.y1))


def _parts(words: Sequence[Word], run: _Run, symbols: Sequence[Word]) -> Iterator[_Run]:
    """The stretches of a run between words in upright letters, which are text in any language."""
    drawn = {i: [s for s in symbols if words[i].box.x0 <= s.box.center[0] <= words[i].box.x1] for i in run.words}
    for named, group in groupby(run.words, key=lambda i: _is_named(drawn[i], run)):
        part = list(group)
        marked = [i for i in part if any(map(_is_mathematical, drawn[i])) or is_fraction(words[i])]
        if not named and marked:
            first, last = part.index(marked[0]), part.index(marked[-1])
            while first and _is_joined(words[part[first - 1]], words[part[first]]):
                first -= 1
            while last + 1 < len(part) and (
                _is_joined(words[part[last]], words[part[last + 1]])
                or _is_open(words[i].text for i in part[: last + 1])
            ):
                last += 1
            kept = tuple(part[first : last + 1])
            leads, ends = run.leads and kept[0] == run.words[0], run.ends and kept[-1] == run.words[-1]
            yield replace(run, words=kept, leads=leads, ends=ends)


def _is_named(drawn: Sequence[Word], run: _Run) -> bool:
    """Whether a word is printed in upright letters on the line, and is not the name of a function."""
    letters = "".join(word.text for word in drawn).strip(ENDS + "()[]'’")
    upright = all(not word.math and word.size > SCRIPT * run.size for word in drawn)
    return upright and len(letters) > 1 and letters.isalpha() and letters not in KNOWN


def _is_joined(left: Word, right: Word) -> bool:
    """Whether an operator joins two short words."""
    joined = left.text[-1:] in SIGNS or right.text[:1] in SIGNS
    return joined and min(len(left.text), len(right.text)) < SHORT


def _is_open(texts: Iterable[str]) -> bool:
    """Whether a bracket does not close."""
    text = "".join(texts)
    return sum(text.count(each) for each in CLOSES) > sum(text.count(each) for each in OPENS)


def _is_mathematical(word: Word) -> bool:
    return word.italic or (word.math and word.text not in "−·") or SIGN.search(word.text) is not None


def _pointed(symbols: list[tuple[Word, float]]) -> list[tuple[Word, float]]:
    """The symbols with the point behind a number at the end as one of its own."""
    if not symbols or not re.fullmatch(r"\d+\.", symbols[-1][0].text):
        return symbols
    word, sure = symbols[-1]
    middle = word.box.x1 - word.box.width / (2 * len(word.text))
    number = changed(word, text=word.text[:-1], box=Box(word.box.x0, word.box.y0, middle, word.box.y1))
    point = changed(word, text=".", box=Box(middle, word.box.y0, word.box.x1, word.box.y1), glued=True)
    return [*symbols[:-1], (number, sure), (point, sure)]


def _bared(
    symbols: list[tuple[Word, float]],
) -> tuple[list[Word], list[tuple[Word, float]], list[Word]]:
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


def _is_torn(symbols: Sequence[Word], run: _Run) -> bool:
    """Whether a formula begins or ends with an operator within a line: something is missing there."""
    first, last = symbols[0], symbols[-1]
    begins = first.text in SIGNS and first.text not in BIG and first.text not in "+−±∓√∂∇∀∃¬"
    ends = last.text in SIGNS and last.size > SCRIPT * run.size
    return (begins and not run.leads) or (ends and not run.ends)


def _agree(text: str, symbols: Sequence[Word]) -> bool:
    """Whether the symbols have most letters and digits that OCR read, and nothing is missing: OCR knows an equals sign
    better than those who look at strokes one by one."""
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
    """The letters of formulas, but for "a", "I" and those that stand alone so often that they are words, as "y" is in
    Spanish, or abbreviations, as "n." is in dictionaries."""
    found = Counter(letter for latex in formulas for letter in VARIABLE.findall(latex))
    alone = Counter(word.text.strip(ENDS) for word in words)
    often = {letter: count * (1 if letter in "eiouwyz" else AGAIN) for letter, count in found.items()}
    return frozenset(letter for letter in found if letter not in "aAI" and alone[letter] <= often[letter])


def _is_half(lead: Sequence[Word], tail: Sequence[Word]) -> bool:
    """Whether brackets before and behind something have their others elsewhere: it is no whole formula."""
    return [CLOSES.get(mark.text, "") for mark in lead] != [mark.text for mark in reversed(tail) if mark.text in OPENS]


def _is_evident(symbols: Sequence[Word], run: _Run) -> bool:
    """Whether there is a variable, and with it a sign, a script or brackets behind it: letters in italics, or numbers,
    alone are text."""
    if not any(word.math and word.text[0].isalpha() for word in symbols):
        return False
    small = [word for word in symbols if word.size < SCRIPT * run.size]
    scripts = any(abs(word.baseline - run.baseline) > LOWERED * run.size for word in small)
    said = "".join(word.text for word in symbols)
    return scripts or SIGN.search(said) is not None or APPLIED.search(said) is not None
