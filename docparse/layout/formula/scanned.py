"""Displayed formulas of a scan: what is no running text is read symbol by symbol, then as on a born-digital page.

OCR reads lines of text. It knows neither sizes nor baselines nor most symbols, so its words stand for running text
alone; the other pixels are read again (`pixels`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from math import log

import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.formula.evidence import SIGNS, SMALL_WORDS, is_prose
from docparse.layout.formula.find import FoundFormula, find_formulas
from docparse.layout.formula.ink import enlarged
from docparse.layout.formula.latex import SURE
from docparse.layout.formula.pixels import symbol_words
from docparse.layout.formula.symbols import RELATIONS
from docparse.layout.geometry import corners_of
from docparse.layout.ocr.region import Region
from docparse.layout.ocr.symbols import SymbolReader
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box, Category, union

PROSE = 0.5  # share of letters in running words from which a row is text
LINK, APART = 0.8, 3.0  # em between words of one row, and where OCR left out symbols between them
WORD = 5  # letters of a word that is text by itself
MARGIN = 0.3  # em: OCR cuts the first and last letter of a line short
AROUND = 1.0  # em around what OCR read: drawings have ink without words, formulas hardly any
PART = 12  # em: the longest bar or tallest bracket around which OCR may have missed symbols,
BESIDE, OVER = 1.2, 0.3  # which are so near to it
FENCE, EVEN = 1.5, 0.1  # em: height of a bracket around rows at least, and how much two of one height differ
TRUSTED = 0.6  # geometric mean of the chances of its symbols from which something is a formula
LARGEST, FRAME = 25, 4  # em: larger ink is no symbol, and no symbol is so large in both directions
JOINING = frozenset(RELATIONS) | set("+×·")  # signs between parts of a formula
_TOLD = re.compile(rf"\W*(?:[^\W\d_]*[a-zß-ÿ]{{3}}[^\W\d_]*|{'|'.join(SMALL_WORDS)})[-\w]*\W*", re.IGNORECASE)


def detected_formulas(words: Sequence[Word], regions: Sequence[Region]) -> list[FoundFormula]:
    """Return the regions that a layout detector calls formulas, with the words they cover and the LaTeX if it read
    it."""
    found: list[FoundFormula] = []
    free = set(range(len(words)))
    for region in sorted(regions, key=lambda r: -r.score):
        if region.category is not Category.FORMULA or region.score < SURE:
            continue
        inside = sorted(i for i in free if region.box.holds(*words[i].box.center))
        letters = sum(len(words[i].text) for i in inside)
        told = sum(len(words[i].text) for i in inside if is_prose(words[i]))
        if region.content or told <= PROSE * letters:
            found.append(FoundFormula(region.box, tuple(inside), region.content or None, region.score))
            free -= set(inside)
    return found


def has_signs(words: Sequence[Word], text: Sequence[Sequence[int]]) -> bool:
    """Return whether OCR met signs of formulas outside running `text`: a look at the pixels is not free."""
    told = set(chain(*text))
    return any(char in SIGNS for i, word in enumerate(words) if i not in told for char in word.text)


def find_scanned_formulas(
    words: Sequence[Word],
    text: Sequence[Sequence[int]],
    image: PageImage,
    reader: SymbolReader,
    taken: Sequence[Box],
    size: float,
) -> list[FoundFormula]:
    """Return the displayed formulas of a page whose `words` OCR read, in type of about `size` points.

    In the rows of `text` and in the boxes `taken` there are none. A formula holds the words that OCR read in its
    place, and is as sure as the least sure of its symbols. What could not be read as LaTeX is left to OCR.
    """
    image = enlarged(image, size)
    text = [*text, *([i] for i in _words_within(words, text))]
    told = list(chain(*text))
    free = set(range(len(words))) - set(told)
    lines = (union(words[i].box for i in row) for row in text)
    closed = corners_of((*lines, *taken))
    around = corners_of(words[i].box for i in free) + AROUND * size * np.array([-1, -1, 1, 1])
    wanted = partial(_are_near, closed=closed, around=around, size=size, scale=image.scale)
    printed, rulings, size = symbol_words(image, wanted, reader, size)
    plain = [msgspec.structs.replace(words[i], size=size, confidence=1.0) for i in told]
    sure = [1.0] * len(told) + [chance for _, chance in printed]
    everything = [*plain, *(word for word, _ in printed)]
    formulas = []
    for found in find_formulas(everything, rulings, size):
        chances = [sure[i] for i in found.words]
        trusted = sum(map(log, chances)) > len(chances) * log(TRUSTED)
        if found.latex and trusted and _relates([everything[i] for i in found.words]):
            members = {told[i] for i in found.words if i < len(told)}
            members |= {i for i in free if found.box.holds(*words[i].box.center)}
            formulas.append(FoundFormula(found.box, tuple(sorted(members)), found.latex, min(chances)))
    return formulas


def _are_near(boxes: np.ndarray, closed: np.ndarray, around: np.ndarray, size: float, scale: float) -> np.ndarray:
    """Return which pieces of ink may be symbols of formulas, bool [n]: those `around` words that are no text, and those
    beside these, as OCR misses some symbols, but hardly their neighbours. `boxes` are float [n, 4] in pixels, `closed`
    places and those `around` words float [m, 4] in points, of type of `size` points and `scale` pixels a point."""
    em = size * scale
    extent = boxes[:, 2:] - boxes[:, :2]
    fit = (extent.max(axis=1) < LARGEST * em) & (extent.min(axis=1) < FRAME * em)
    middles = np.tile((boxes[:, :2] + boxes[:, 2:]) / 2 / scale, 2)
    fit &= ~_touching(middles, closed + MARGIN * size * np.array([-1, 0, 1, 0])) & (extent.max(axis=1) > 0.05 * em)
    near, new = np.zeros_like(fit), around * scale
    while len(new):
        found = fit & ~near & _touching(boxes, new)
        near |= found
        new = boxes[found & (extent.max(axis=1) < PART * em)] + em * np.array([-BESIDE, -OVER, BESIDE, OVER])
        new = np.concatenate([new, _enclosed(boxes, found, fit, em)])
    return near


def _words_within(words: Sequence[Word], text: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the words of displays, as in "= 0 for all x", by index: OCR knows them better than symbols are read."""
    told = set(chain(*text))
    for row in rows_of(words, APART):
        for i in row[1:]:
            if i not in told and len(words[i].text) > 2 and words[i].text.strip(".,;:") in SMALL_WORDS:
                yield i


def _touching(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return which boxes (float [n, 4]) touch one of others (float [m, 4]), bool [n]."""
    left, top, right, bottom = boxes.T
    touched = np.zeros(len(boxes), bool)
    for x0, y0, x1, y1 in others:
        touched |= (x0 <= right) & (left <= x1) & (y0 <= bottom) & (top <= y1)
    return touched


def _enclosed(boxes: np.ndarray, found: np.ndarray, fit: np.ndarray, em: float) -> np.ndarray:
    """Return what lies between a tall bracket that was found and others as tall, float [m, 4]: OCR misses numbers
    alone."""
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    tall = fit & (height > FENCE * em) & (width < em)
    twins = [
        boxes[tall & (np.abs(boxes[:, [1, 3]] - bracket[[1, 3]]).max(axis=1) < EVEN * em)]
        for bracket in boxes[found & tall]
    ]
    return np.array([[*twin.min(axis=0)[:2], *twin.max(axis=0)[2:]] for twin in twins if len(twin) > 1]).reshape(-1, 4)


def _relates(words: Sequence[Word]) -> bool:
    """Return whether there is a sign between letters or digits: dirt and drawings have no such order."""
    signs = sum(char in SIGNS for word in words for char in word.text)
    return 0 < signs <= sum(word.text.isalnum() for word in words)


def rows_of(words: Sequence[Word], link: float = LINK) -> list[list[int]]:
    """Return words side by side, by index from left to right: neighbours overlap by half their height, and are at most
    `link` em apart."""
    rows: list[list[int]] = []
    near: list[list[int]] = []  # those that a word further right may still go on
    largest = max((word.size for word in words), default=0.0)
    for i in sorted(range(len(words)), key=lambda i: words[i].box.x0):
        box, size = words[i].box, words[i].size
        near = [row for row in near if box.x0 - words[row[-1]].box.x1 < link * largest]
        for row in near:
            last = words[row[-1]].box
            if box.x0 - last.x1 < link * size and last.is_level(box):
                row.append(i)
                break
        else:
            rows.append([i])
            near.append(rows[-1])
    return rows


def running_text(words: Sequence[Word]) -> list[list[int]]:
    """Return the rows of running text, by index: those of words, and the next lines of a paragraph that have one."""
    text: list[list[int]] = []
    operands = {i for line in rows_of(words, APART) for i in _operands(words, line)}
    for row in sorted(rows_of(words), key=lambda row: words[row[0]].baseline):
        members = [words[i] for i in row]
        if _is_text(members, [words[i] for i in row if i not in operands]) or (
            any(map(_is_told, members)) and any(_goes_on(words[o[0]], members[0]) for o in text)
        ):
            text.append(row)
    return text


def _goes_on(above: Word, first: Word) -> bool:
    """Return whether a row that begins with `first` is the next line of one that begins with `above`."""
    return abs(first.box.x0 - above.box.x0) < 0.5 * first.size and 0 < first.baseline - above.baseline < 2 * first.size


def _is_told(word: Word) -> bool:
    """Return whether OCR read a word of running text."""
    return is_prose(word) and _TOLD.fullmatch(word.text) is not None


def _operands(words: Sequence[Word], line: Sequence[int]) -> Iterator[int]:
    """Yield the words right before or behind a sign: OCR reads products of indexed letters as words."""
    for left, right in pairwise(line):
        if words[left].text[-1] in JOINING:
            yield right
        if words[right].text[0] in JOINING:
            yield left


def _is_text(row: Sequence[Word], free: Sequence[Word]) -> bool:
    """Return whether a row is running text: the words that are `free` of signs beside them tell."""
    if any(is_cjk(char) for word in row for char in word.text):
        return True
    told = sum(len(word.text) for word in row if _is_told(word))
    evident = [len(word.text) for word in free if _is_told(word)]
    by_itself = len(evident) > 1 or max(evident, default=0) >= WORD
    return by_itself and told > PROSE * sum(len(word.text) for word in row)
