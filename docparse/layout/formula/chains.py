"""Chains of words on one baseline, and what each is: running text, a row of a formula, or a condition beside one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np

from docparse.hyphenation import CJK
from docparse.layout.chained import chained
from docparse.layout.formula.atoms import is_operator
from docparse.layout.formula.evidence import SMALL_WORDS, is_prose, is_symbol
from docparse.layout.formula.symbols import PIECES_OF
from docparse.layout.geometry import corners_of
from docparse.layout.text.answers import answers_in
from docparse.layout.text.wording import count_words
from docparse.layout.text.words import Word
from docparse.types import Box, union

LINK = 1.3  # em: symbols of one row of a formula stand at most this far apart
FEW = 8  # scripts side by side, with symbols between them
EQUALS = frozenset(("=", "≈", "≡", "∝", ":="))
SCRIPT, TOUCH, RAISED = 0.85, 0.3, 0.7  # em: size of scripts, the room between two, and from their line, at most
SAME = 0.05  # em: baselines of one line differ at most by this
GUTTER, COLUMN = 0.8, 6  # em between two columns of text, at least; lines that say where the second begins
BULLETS = frozenset("•∙▪■●□▶✓")  # no formula begins with one
APART = 3.0  # em from a bullet to what it stands before
# of an item, or the dash or star before it
NUMBER = re.compile(r"\d{1,2}[.．、]|\((?:\d{1,2}|[a-h]|[ivx]{1,4})\)|[–—⋆]")
LISTED = 0.4  # em from a number to its words
_ENDED = re.compile(rf"。(?:{CJK.pattern}){{2}}")
_NOTE = re.compile(r"（[^（）]*）[.,;。，；]?$")
_GREEK = re.compile(r"[\u0391-\u03f5]")


def _is_variable(word: Word) -> bool:
    letter = len(word.text) == 1 and (word.italic or word.bold)
    return word.text.isalpha() and (letter or _GREEK.search(word.text) is not None)


@dataclass
class ChainedRow:
    """Words chained along one baseline."""

    words: list[int]
    box: Box
    baseline: float
    size: float
    strong: int  # how many of the words only mathematics has
    prosy: bool  # running text, perhaps with symbols in it
    sure: bool  # of which that is known whatever symbols are in it
    listed: int  # words of running text
    opens: bool  # begins with a word of running text
    unfinished: bool  # ends with an operator or a relation

    @property
    def casual(self) -> bool:
        """Return whether it starts with a symbol and has few words: it may be a line of a distinction by cases."""
        return not self.opens and self.listed <= 4


class ChainedRows:
    """Rows and where they stand, to ask only those at the height in question."""

    def __init__(self, rows: Sequence[ChainedRow]) -> None:
        self.rows = list(rows)
        self.corners = corners_of(row.box for row in rows)
        self.baselines = np.array([row.baseline for row in rows])

    def between(self, y0: float, y1: float) -> list[ChainedRow]:
        """Return the rows whose boxes reach between two heights, in their order."""
        return self._at((self.corners[:, 1] <= y1) & (self.corners[:, 3] >= y0))

    def based(self, y0: float, y1: float) -> list[ChainedRow]:
        """Return the rows whose baselines are between two heights, in their order."""
        return self._at((self.baselines >= y0) & (self.baselines <= y1))

    def _at(self, chosen: np.ndarray) -> list[ChainedRow]:
        return [self.rows[k] for k in np.flatnonzero(chosen).tolist()]


def rows_of(words: Sequence[Word], em: float) -> list[ChainedRow]:
    """Return chains of neighbours on one baseline.

    A line behind a bullet or a bold word ("Theorem 2") is text, and so are answers with letters, lines that begin in
    Chinese, and the number of an item.
    """
    answers = answers_in(words)
    chains = _chains(words, em, answers)
    rows = []
    for k, chain in enumerate(chains):
        members = [words[i] for i in chain]
        number = 1 if _is_numbered(members[:2]) else 0
        if number:
            rows.append(_row(words, chain[:1], text=True))
        if chain[number:]:
            before = words[chains[k - 1][0]] if k and len(chains[k - 1]) == 1 else None
            led = _is_led(members[0], len(chain)) or _is_behind_bullet(members[0], before)
            led = led or id(members[0]) in answers or _is_chinese(members)
            rows.append(_row(words, chain[number:], text=led))
            rows[-1].prosy &= led or not _has_note(members[number:])
    braces = [row for row in rows if any(words[i].text[0] in "⏞⏟" for i in row.words)]
    bases = [word for word in words if is_symbol(word) or _is_variable(word) or word.text.isdigit()]
    for row in rows:
        row.prosy = row.prosy and not any(_labels(row, brace) for brace in braces)
        row.prosy = row.prosy and not _are_scripts(row, words, bases, em)
    return rows


def _is_numbered(first: Sequence[Word]) -> bool:
    """Return whether a chain begins with the number of an item, and a space where more follows it. In brackets and
    alone it is that of a formula."""
    if not NUMBER.fullmatch(first[0].text):
        return False
    if len(first) == 1:
        return not first[0].text.startswith("(")
    return first[1].box.x0 - first[0].box.x1 > LISTED * first[0].size


def _is_chinese(words: Sequence[Word]) -> bool:
    """Return whether words begin in Chinese, or a sentence of it ends in them and the next one begins: no display does
    so."""
    begins = any(CJK.search(word.text) for word in takewhile(lambda word: not is_symbol(word), words))
    return begins or _ENDED.search("".join(word.text for word in words)) is not None


def _has_note(words: Sequence[Word]) -> bool:
    """Return whether words are symbols, but for a note in Chinese in brackets at their end: f = 0 （收益）."""
    at = next((k for k, word in enumerate(words) if CJK.search(word.text) or word.text[0] == "（"), len(words))
    noted = _NOTE.match("".join(word.text for word in words[at:])) is not None
    return noted and any(map(is_symbol, words[:at]))


def _are_scripts(row: ChainedRow, words: Sequence[Word], bases: Sequence[Word], em: float) -> bool:
    """Return whether words stand right behind `bases`, raised or lowered, and smaller: x with "max" under it."""
    if row.size >= SCRIPT * em or len(row.words) > FEW:
        return False

    def touches(i: int) -> bool:
        return any(
            -0.1 * em < words[i].box.x0 - base.box.x1 < TOUCH * em
            and 0.1 * em < abs(words[i].baseline - base.baseline) < RAISED * em
            for base in bases
        )

    behind = [False] + [0 <= words[b].box.x0 - words[a].box.x1 < TOUCH * em for a, b in pairwise(row.words)]
    return all(near or touches(i) for i, near in zip(row.words, behind, strict=True))


def _labels(row: ChainedRow, brace: ChainedRow) -> bool:
    """Return whether words of small type stand right over or under horizontal braces."""
    near = row.size < 0.85 * brace.size and row.box.gap_y(brace.box) < row.size
    return near and brace.box.x0 < row.box.center[0] < brace.box.x1


def _is_led(first: Word, count: int) -> bool:
    """Return whether the first of several words is a bullet, or a word in bold, which is no vector's name."""
    return count > 1 and (first.text in BULLETS or (first.bold and is_prose(first)))


def _is_behind_bullet(first: Word, before: Word | None) -> bool:
    if before is None or before.text not in BULLETS:
        return False
    level = abs(first.baseline - before.baseline) < 0.25 * first.size
    return level and 0 < first.box.x0 - before.box.x1 < APART * first.size


def _chains(words: Sequence[Word], em: float, answers: Container[int]) -> list[list[int]]:
    """Neighbours on one baseline, scripts left out of those at full size; each of the `answers` begins a chain."""
    order = sorted(range(len(words)), key=lambda i: (words[i].baseline, words[i].box.x0))
    bands = chained(order, lambda band, i: words[i].baseline - words[band[0]].baseline < 0.25 * em)
    for band in bands:
        band.sort(key=lambda i: words[i].box.x0)
    starts = _column_starts(words, bands, em)
    scripts = sorted((word for word in words if word.size < SCRIPT * em), key=lambda word: word.box.x0)
    chains = []
    for band in bands:
        chain, end = [band[0]], words[band[0]].box.x1
        for i in band[1:]:
            gap, size = words[i].box.x0 - end, max(em, words[i].size)
            if gap > LINK * size and words[i].size >= SCRIPT * em:
                gap = words[i].box.x0 - _end_of_scripts(scripts, words[i].baseline, end, em)
            column = gap > GUTTER * size and round(words[i].box.x0) in starts
            if gap > LINK * size or column or id(words[i]) in answers:
                chains.append(chain)
                chain = []
            chain.append(i)
            end = max(end, words[i].box.x1) if len(chain) > 1 else words[i].box.x1
        chains.append(chain)
    return chains


def _end_of_scripts(scripts: Sequence[Word], baseline: float, end: float, em: float) -> float:
    """Return where the scripts end that stand side by side behind `end`, raised over a baseline or lowered under it."""
    for script in scripts:
        if end - em < script.box.x0 < end + TOUCH * em and abs(script.baseline - baseline) < RAISED * em:
            end = max(end, script.box.x1)
    return end


def _column_starts(words: Sequence[Word], bands: list[list[int]], em: float) -> set[int]:
    """Where, in points, line after line begins, or goes on behind a gap: the left edges of columns of text."""
    pairs = (pair for band in bands for pair in pairwise(band))
    behind = [b for a, b in pairs if words[b].box.x0 - words[a].box.x1 > GUTTER * em]
    counts = Counter(round(words[i].box.x0) for i in (*(band[0] for band in bands), *behind))
    return {x + step for x, count in counts.items() if count >= COLUMN for step in (-1, 0, 1)}


def _hung(members: Sequence[Word]) -> list[bool]:
    """Return which words of a chain hang on a symbol before them, as scripts do: C with "price" under it."""
    hung = [False]
    for before, word in pairwise(members):
        lowered = abs(word.baseline - before.baseline) > SAME * before.size  # text may be smaller than its formulas
        base = hung[-1] or (lowered and (is_symbol(before) or _is_variable(before)))
        size = before.size if hung[-1] else SCRIPT * before.size
        hung.append(base and word.size <= size and word.box.x0 - before.box.x1 < TOUCH * before.size)
    return hung


def _argued(members: Sequence[Word]) -> list[bool]:
    """Return which words of an equation that begins with a variable and its bracket are within such brackets: P(both) =
    ..."""
    argued, inside = [False] * len(members), False
    if any(word.text in EQUALS for word in members):
        for k, (before, word) in enumerate(pairwise(members), 1):
            opens = word.text[0] == "(" and _is_variable(before) and word.box.x0 - before.box.x1 < TOUCH * word.size
            if k == 1 and not opens:
                break
            inside = (inside or opens) and before.text[-1] != ")"
            argued[k] = inside
    return argued


def _row(words: Sequence[Word], chain: list[int], *, text: bool) -> ChainedRow:
    """A chain as a row; `text` says that it is running text whatever else it holds."""
    members = [words[i] for i in chain]
    # what is applied to something is no running text: Attention(Q, K)
    applied = [
        a.text[-1] in "([" or (b.glued and b.text[0] in "([" and not CJK.search(a.text) and a.text not in SMALL_WORDS)
        for a, b in pairwise(members)
    ] + [False]
    applied[0] |= len(members) > 1 and members[1].text in EQUALS  # accuracy = ...
    named = [any(ways) for ways in zip(applied, _hung(members), _argued(members), strict=True)]
    prose = [is_prose(words[i]) and not name for i, name in zip(chain, named, strict=True)]
    listed, opens = sum(max(1, count_words(w.text)) for w, told in zip(members, prose, strict=True) if told), prose[0]
    room = [len(w.text) + len(CJK.findall(w.text)) for w in members]  # Chinese takes twice the room of other letters
    share = sum(length for length, told in zip(room, prose, strict=True) if told) / sum(room)
    strong = sum(is_symbol(w) or w.text in ("=", "<", ">", "+") for w in members)
    if strong and not listed:  # beside a sign a variable is one too, whatever its font
        strong += sum(not is_symbol(w) and _is_variable(w) for w in members)
    return ChainedRow(
        words=list(chain),
        box=union(w.box for w in members),
        baseline=members[0].baseline,
        size=max(w.size for w in members),
        strong=strong,
        sure=text,
        prosy=text
        or any(sign in word.text for word in members for sign in "@¶")  # {one,two}@a.university; a link to a name
        or (listed >= 3 and share > 0.3 and members[0].text[0] not in PIECES_OF)  # with a brace before it, it is a case
        or (opens and listed >= 2)
        or (share > 0.45 and (listed > 1 or opens or not strong)),
        listed=listed,
        opens=opens,
        unfinished=is_operator(members[-1].text),
    )
