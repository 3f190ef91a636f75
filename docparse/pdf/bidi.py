"""Scripts whose characters do not simply follow each other: marks on letters, and words from right to left.

pdfium turns right-to-left text around by the direction of single characters: marks, digits, points and brackets get out
of place, as they do where a file itself stores them from left to right. Where glyphs stand says more: within a word
(what no space divides) characters are put in order from right to left, and numbers and Latin words in it from left to
right, as Unicode's algorithm had set them (UAX #9), backwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from docparse.hyphenation import CJK_RANGES
from docparse.pdf.actualtext import with_clusters
from docparse.pdf.codes import within
from docparse.pdf.combining import Kinds, has_ink, kinds_of, ligatures_turned, with_marks, without_repeats
from docparse.pdf.graphics import Painted
from docparse.pdf.indic import with_spoken_syllables
from docparse.pdf.textlayer import HYPHENS, RawText

NO_SPACE, NO_SPACE_RTL = 0.12, 0.06  # em: in a narrower gap pdfium saw a space that is none
APART = 0.2  # em between characters of two words
CELL = 0.9  # em: a Chinese character is one wide
LEVEL = 0.3  # em between baselines of one line
ALPHABETS = 0xD835  # the first half of letters of mathematical alphabets
OVERLAP = 0.1  # em by which the middles of letters may be out of order: they are set into each other
OPENING, CLOSING = "([{«‹", ")]}»›"
SEPARATORS = ".,:/\u066b\u066c"  # in numbers; hyphens, too, but not in Arabic
PERCENT, ENDS = "%٪‰", ".,:;!?"


def in_logical_order(raw: RawText, painted: Painted) -> RawText:
    """Return the text with marks behind their letters, and words as they are read."""
    kinds = kinds_of(raw.code)
    if not (kinds.mark | kinds.rtl | kinds.unspaced).any():
        return with_clusters(raw, painted) if _has_narrow_cells(raw) or (raw.code == ALPHABETS).any() else raw
    raw = without_repeats(with_clusters(ligatures_turned(raw, kinds), painted))
    raw = with_marks(with_spoken_syllables(raw))
    raw = _without_false_spaces(raw)
    return _words_turned(raw) if kinds.rtl.any() else raw


def _has_narrow_cells(raw: RawText) -> bool:
    """Whether Chinese characters have boxes around their ink, as pdfium gives those that a file names."""
    cjk = within(raw.code, CJK_RANGES) & raw.drawn
    return bool((raw.box[cjk, 2] - raw.box[cjk, 0] < CELL * raw.size[raw.run[cjk]]).any())


def _without_false_spaces(raw: RawText) -> RawText:
    """The text less the spaces that pdfium saw where two such characters are side by side."""
    kinds, inked = kinds_of(raw.code), np.flatnonzero(has_ink(raw))
    near, far = inked[:-1], inked[1:]
    own = kinds.mark | kinds.rtl | kinds.unspaced
    size = raw.size[raw.run[near]]
    gap = np.maximum(raw.box[far, 0] - raw.box[near, 2], raw.box[near, 0] - raw.box[far, 2])
    level = np.abs(raw.matrix[raw.run[far], 5] - raw.matrix[raw.run[near], 5]) < LEVEL * size
    least = np.where(kinds.rtl[near] | kinds.rtl[far], NO_SPACE_RTL, NO_SPACE)
    close = level & (own[near] | own[far]) & (gap < least * size)
    false = np.zeros(len(raw), bool)
    for k in np.flatnonzero(close & (far - near > 1)).tolist():
        between = slice(near[k] + 1, far[k])
        false[between] = ~raw.drawn[between] & (raw.code[between] == 0x20)
    return raw.without(false)


def _words_turned(raw: RawText) -> RawText:
    """The text with words, and the characters of each, in the order in which they are read."""
    raw, space = _with_space(raw)
    kinds, code, box = kinds_of(raw.code), raw.code.copy(), raw.box.copy()
    page, pieces, done = _leans(kinds, np.arange(space)), [], 0
    for line in _lines(raw):
        mixed = kinds.rtl[line].any() and kinds.ltr[line].any()
        lean = page if mixed else _leans(kinds, line) or page
        if lean <= 0 and not kinds.rtl[line].any():
            continue
        reader = _Reader(raw, kinds, bool((kinds.rtl & (raw.code >= 0x600))[line].any()))
        blank = np.setdiff1d(np.arange(line[0], line[-1] + 1), line)
        seen = [i for i in blank.tolist() if raw.code[i] == 0x20] or [space]
        words = reader.words(line, blank) if lean > 0 else np.split(line, np.flatnonzero(np.diff(line) > 1) + 1)
        sequence: list[int] = []
        for word in words:
            read = reader.read(word, lean > 0)
            index = np.array([i for i, _ in read])
            code[index] = [value for _, value in read]
            box[index] = _laid_out(raw.box[index], bool(kinds.rtl[index].any()))
            sequence += [*seen[: 1 if sequence else 0], *index]
        pieces += [np.arange(done, line[0]), np.array(sequence)]
        done = int(line[-1]) + 1
    order = np.concatenate([*pieces, np.arange(done, space)])
    return replace(raw, code=code, box=box).taken(order.astype(np.int64))


def _with_space(raw: RawText) -> tuple[RawText, int]:
    """The text and, behind it, a space that is printed nowhere, with its index: for lines in which pdfium saw none."""
    space = len(raw)
    raw = raw.taken(np.append(np.arange(space), space - 1))
    raw.code[space], raw.drawn[space], raw.generated[space], raw.unmapped[space] = 0x20, False, True, False
    return raw, space


def _laid_out(box: np.ndarray, rtl: bool) -> np.ndarray:
    """float64 [n, 4]: boxes of the characters of a word one beside the other in the order in which they are read, as
    nothing divides them. `box` has their own, those of one glyph's characters all alike."""
    near, far = (2, 0) if rtl else (0, 2)
    steps = np.diff(box[:, near])
    if len(box) < 2 or (steps < 0 if rtl else steps > 0).all():
        return box
    width = box[:, 2] - box[:, 0]
    alike = (box[:, None] == box).all(axis=2).sum(axis=1)
    part = np.cumsum(width / alike) / max(1e-6, (width / alike).sum())
    low, high = box[:, 0].min(), box[:, 2].max()
    ends = high - part * (high - low) if rtl else low + part * (high - low)
    result = box.copy()
    result[:, far] = ends
    result[:, near] = np.concatenate([[high if rtl else low], ends[:-1]])
    return result


def _leans(kinds: Kinds, index: np.ndarray) -> int:
    """How many more letters are from right to left than from left to right."""
    return int(kinds.rtl[index].sum()) - int(kinds.ltr[index].sum())


def _lines(raw: RawText) -> Iterator[np.ndarray]:
    """Yield the characters of each line, as pdfium has it."""
    inked = np.flatnonzero(has_ink(raw) & (raw.matrix[raw.run, 1] == 0))
    if len(inked):
        near, far = inked[:-1], inked[1:]
        ended = np.diff(np.cumsum(raw.code == 0x0A)[inked]) > 0
        rise = np.abs(raw.matrix[raw.run[far], 5] - raw.matrix[raw.run[near], 5])
        yield from np.split(inked, np.flatnonzero(ended | (rise > LEVEL * raw.size[raw.run[near]])) + 1)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one line; `arabic` says that it has Arabic letters, which let a hyphen part numbers."""

    raw: RawText
    kinds: Kinds
    arabic: bool

    def words(self, line: np.ndarray, blank: np.ndarray) -> list[np.ndarray]:
        """Return the words of a line that is read from right to left, those between Latin words as these."""
        words: list[list[int]] = []
        for cell in self._leftward(line):
            if words and not self._is_parted(words[-1][-1], cell[0], blank):
                words[-1] += cell
            else:
                words.append(cell)
        result: list[np.ndarray] = []
        for latin, group in groupby(words, lambda word: self.kinds.ltr[word].any() and not self.kinds.rtl[word].any()):
            run = list(map(np.array, group))
            result += run[::-1] if latin else run
        return result

    def _is_parted(self, right: int, left: int, blank: np.ndarray) -> bool:
        """Whether a space stands between two characters side by side: one that pdfium has there, or a wide gap."""
        raw, first, last = self.raw, min(right, left), max(right, left)
        gap = (raw.box[right, 0] - raw.box[left, 2]) / max(0.1, raw.size[raw.run[right]])
        between = np.arange(first + 1, last)
        if np.isin(between, blank).all():
            return gap > APART or (len(between) > 0 and gap > NO_SPACE_RTL)
        return bool(gap > NO_SPACE)

    def read(self, word: np.ndarray, rtl: bool) -> list[tuple[int, int]]:
        """Return the characters, index and code, in reading order; `rtl` says that the line around is read so."""
        cells = self._leftward(word)
        if not rtl or self._is_call(cells):
            last = [k for k, cell in enumerate(cells) if self.kinds.rtl[cell].any()]
            inner = slice(last[0], last[-1] + 1) if last else slice(0, 0)
            core = self._runs_turned(cells[inner])
            cells = [*cells[inner.stop :][::-1], *core, *cells[: inner.start][::-1]]
            return [(i, int(self.raw.code[i])) for cell in cells for i in cell]
        return self._mirrored(self._runs_turned(cells))

    def _leftward(self, word: np.ndarray) -> list[list[int]]:
        """The cells from right to left; letters set into each other as pdfium has them."""
        cells = self._cells(word)
        middles = [self._middle(cell[0]) for cell in cells]
        if sum(a < b for a, b in pairwise(middles)) > len(cells) / 2:
            cells, middles = cells[::-1], middles[::-1]
        least = OVERLAP * float(self.raw.size[self.raw.run[word[0]]])
        order: list[int] = []
        for k, middle in enumerate(middles):
            at = len(order)
            while at and middle > middles[order[at - 1]] + least:
                at -= 1
            order.insert(at, k)
        return [cells[k] for k in order]

    def _middle(self, i: int) -> float:
        return float(self.raw.box[i, 0] + self.raw.box[i, 2]) / 2

    def _cells(self, word: np.ndarray) -> list[list[int]]:
        """The characters of each glyph, in their order, and the marks on it."""
        cells: list[list[int]] = []
        for i in word.tolist():
            if cells and (self.kinds.mark[i] or (self.raw.box[i] == self.raw.box[cells[-1][0]]).all()):
                cells[-1].append(i)
            else:
                cells.append([i])
        return cells

    def _runs_turned(self, cells: list[list[int]]) -> list[list[int]]:
        """Cells from right to left, with what is read from left to right, numbers and Latin words, turned."""
        result: list[list[int]] = []
        k = 0
        while k < len(cells):
            end = self._run_end(cells, k)
            run = cells[k:end][::-1]
            while run and result and self._follows(run, result):
                run.append(result.pop())
            result += run or [cells[k]]
            k = max(end, k + 1)
        return result

    def _run_end(self, cells: Sequence[list[int]], start: int) -> int:
        """Behind the run that begins here: letters or digits, and what joins them."""
        end = k = start
        latin = False
        while k < len(cells):
            first = cells[k][0]
            if self.kinds.rtl[first]:
                break
            if self.kinds.ltr[first] or self.kinds.digit[first]:
                latin = latin or bool(self.kinds.ltr[first])
                joined = latin or all(self._joins(cell) for cell in cells[end:k])
                if end > start and not joined and not any(self.kinds.ltr[cell[0]] for cell in cells[k : k + 1]):
                    break
                end = k + 1
            elif end == start:
                break
            k += 1
        return end

    def _joins(self, cell: Sequence[int]) -> bool:
        char = self._char(cell)
        return char in SEPARATORS or (char in "-+\u2212" and not self.arabic)

    def _follows(self, run: Sequence[list[int]], before: Sequence[list[int]]) -> bool:
        """Whether the last sign right of a run belongs behind it: a per cent sign, or what no word begins with."""
        sign, latin = self._char(before[-1]), any(self.kinds.ltr[cell[0]] for cell in run)
        begins = not any(self._char(cell).isalnum() for cell in before)
        return sign in PERCENT or (begins and sign in (ENDS + HYPHENS + "-" if latin else ENDS))

    def _char(self, cell: Sequence[int]) -> str:
        return chr(min(int(self.raw.code[cell[0]]), 0x10FFFF))

    def _is_call(self, cells: Sequence[list[int]]) -> bool:
        """A Latin word with its own brackets at its end: "f(x)"."""
        text = "".join(map(self._char, reversed(cells)))
        return text.isascii() and text[:1].isalpha() and text.endswith(")") and text.count("(") == text.count(")")

    def _mirrored(self, cells: Sequence[list[int]]) -> list[tuple[int, int]]:
        """The brackets of a word open before it and close behind it, whichever way they are stored."""
        text = [self._char(cell) for cell in cells]
        worded = [k for k, char in enumerate(text) if char.isalnum()]
        paired = sum(char in OPENING + CLOSING for char in text) % 2 == 0
        result: list[tuple[int, int]] = []
        opened = False
        for k, cell in enumerate(cells):
            codes = [int(self.raw.code[i]) for i in cell]
            inner = bool(worded) and worded[0] < k < worded[-1]
            if worded and text[k] in OPENING + CLOSING and (paired or not inner):
                opened = not opened if inner else k < worded[0]
                which = (OPENING + CLOSING).index(text[k]) % len(OPENING)
                codes[0] = ord((OPENING if opened else CLOSING)[which])
            result += zip(cell, codes, strict=True)
        return result
