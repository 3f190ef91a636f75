"""Which words of a scan's lines may be a formula: what OCR cannot spell, and its neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from statistics import median

from docparse.layout.formula.evidence import KNOWN, SIGNS, SMALL_WORDS
from docparse.layout.formula.limits import limits_of
from docparse.layout.formula.scanned import rows_of
from docparse.layout.formula.scanned_fractions import is_fraction
from docparse.layout.formula.symbols import RELATIONS
from docparse.layout.text.lines import SCRIPT
from docparse.layout.text.words import Word
from docparse.types import Box, union

OVER, UNDER = 1.0, 0.45  # em over and under the baseline: scripts and limits reach no farther
MARGIN = 0.15  # em: OCR cuts the first and last letter of a word short
WIDE = 1.5  # em: white that is no space between words
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
ENDS = ".,;:"
CLOSES = {"(": ")", "[": "]"}
OPENS = {closing: opening for opening, closing in CLOSES.items()}


@dataclass(frozen=True)
class SuspectRun:
    """Neighbouring words of a line that may be a formula, by index, and where their ink is, in points; `leads` and
    `ends` say that they are the first and last of their line. `limits` are the words over and under its operators."""

    words: tuple[int, ...]
    box: Box
    size: float
    baseline: float
    leads: bool
    ends: bool
    limits: tuple[int, ...] = ()


def may_hold_formulas(words: Sequence[Word]) -> bool:
    """Return whether OCR met signs of formulas: a look at the pixels is not free."""
    return any(SIGN.search(word.text) or is_fraction(word) for word in words)


def suspects(words: Sequence[Word]) -> list[SuspectRun]:
    """Return the stretches of lines that may be formulas."""
    limits = limits_of(words)
    taken = set(chain.from_iterable(limits.values()))
    rows = ([i for i in row if i not in taken] for row in rows_of(words))
    return [_with_limits(words, run, limits) for row in rows if row for run in _runs(words, row)]


def _with_limits(words: Sequence[Word], run: SuspectRun, limits: Mapping[int, tuple[int, ...]]) -> SuspectRun:
    own = tuple(k for i in run.words for k in limits.get(i, ()))
    return replace(run, limits=own, box=union([run.box, *(words[k].box.padded(MARGIN) for k in own)]))


def without_names(words: Sequence[Word], run: SuspectRun, symbols: Sequence[Word]) -> Iterator[SuspectRun]:
    """Yield the stretches of a run between words in upright letters, which are text in any language."""
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
            span = union(words[i].box for i in kept)
            limits = tuple(k for k in run.limits if span.x0 <= words[k].box.center[0] <= span.x1)
            yield replace(run, words=kept, leads=leads, ends=ends, limits=limits)


def _runs(words: Sequence[Word], row: Sequence[int]) -> list[SuspectRun]:
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
            found.append(SuspectRun(run, union([band, *tall]), size, level, leads, ends))
    return found


def _may_be_one(word: Word) -> bool:
    scripted = SCRIPTED.fullmatch(word.text) or APPLIED.search(word.text) or ALONE.fullmatch(word.text)
    return scripted is not None or may_hold_formulas([word])


def _is_plain(word: Word) -> bool:
    known = word.text.strip(ENDS) in KNOWN or is_fraction(word)
    return PLAIN.fullmatch(word.text) is not None and not known


def _is_named(drawn: Sequence[Word], run: SuspectRun) -> bool:
    """Return whether a word is printed in upright letters on the line, and is not the name of a function."""
    letters = "".join(word.text for word in drawn).strip(ENDS + "()[]'’")
    upright = all(not word.math and word.size > SCRIPT * run.size for word in drawn)
    return upright and len(letters) > 1 and letters.isalpha() and letters not in KNOWN


def _is_joined(left: Word, right: Word) -> bool:
    """Return whether an operator joins two words."""
    return left.text[-1:] in SIGNS or right.text[:1] in SIGNS


def _is_open(texts: Iterable[str]) -> bool:
    """Return whether a bracket does not close."""
    text = "".join(texts)
    return sum(text.count(each) for each in CLOSES) > sum(text.count(each) for each in OPENS)


def _is_mathematical(word: Word) -> bool:
    return word.italic or (word.math and word.text not in "−·")
