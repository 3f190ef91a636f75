"""Words to lines: chained in the order of the file, joined on their baselines, cut at gutters."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.chained import chained, without
from docparse.layout.geometry import corners_of
from docparse.layout.text.answers import answers_in
from docparse.layout.text.gutters import cut_at_gutters
from docparse.layout.text.joining import UNLIKE, in_columns, join
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import is_rtl
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES
from docparse.types import Box

SENTENCE, WIDER, WIDEST = ".!?:;", 3.2, 2.0  # after these, two spaces: times the next one, but at most so many em
UNLIKE_LINK = 0.7  # em of the larger that words of unlike sizes may stand apart
CAP_RIM = 0.15  # em of a large initial: its box, or a serif, which OCR takes for more of it or of the line beside
TOUCH = 0.3  # em at most from the initial of a name to the rest of it, which may be one line alone
ORNAMENT = re.compile(r"\W?(?:([.·•*_=~…—–-])\s*){6,}\W?")  # a row of dots drawn as a rule


@dataclass(frozen=True)
class Spacing:
    """The widest space inside a line, in em: `link` between words stored one after the other, `join` between others."""

    link: float
    join: float


EXACT_SPACING = Spacing(link=1.6, join=1.2)  # justified text stretches its spaces
NOISY_SPACING = Spacing(link=1.8, join=1.8)  # OCR: spaces and sizes jitter


def lines_of(words: Sequence[Word], spacing: Spacing = EXACT_SPACING, strokes: np.ndarray = NO_STROKES) -> list[Line]:
    """Upright words to lines, top to bottom; the result does not depend on the order of `words`.

    Words are chained in the PDF's own order first (which keeps superscripts and right-to-left text right), then
    chains on one baseline are joined; last, lines are cut where they jump a gutter.
    """
    # a bullet has the place in the file of its word, which from right to left stands behind it
    ordered = sorted(words, key=lambda w: (w.index, is_rtl(w.text), w.box.x0, w.box.y0))
    caps = _drop_caps(ordered)
    answers = answers_in(ordered)
    chains = _chain(without(ordered, caps), spacing.link, answers)
    pieces = [Line(tuple(chain)) for chain in chains]
    columns = in_columns(pieces) if spacing is EXACT_SPACING else {}
    joined = join(pieces, spacing.join, answers, columns)
    lines = cut_at_gutters(joined, strokes, answers)
    for cap in caps:
        lines = _with_drop_cap(lines, cap, words)
    lines = [line for line in lines if not ORNAMENT.fullmatch(line.text)]
    return sorted(lines, key=lambda line: (line.box.y0, line.box.x0, line.words[0].index))


def _chain(words: Sequence[Word], link: float, answers: Container[int]) -> list[list[Word]]:
    follows = iter(_follows(words, link) if words else ())

    def goes_on(chain: Sequence[Word], word: Word) -> bool:
        return (next(follows) or _is_second_script(chain, word)) and id(word) not in answers

    return chained(words, goes_on)


def _follows(words: Sequence[Word], link: float) -> list[bool]:
    """For every word but the first: does it continue the line of the one before it?"""
    x0, y0, x1, y1 = corners_of(word.box for word in words).T
    size = np.array([word.size for word in words], float)
    baseline = np.array([word.baseline for word in words], float)
    rtl = np.array([is_rtl(word.text) for word in words], bool)
    em, small = np.maximum(size[1:], size[:-1]), np.minimum(size[1:], size[:-1])
    # beside a headline's last word, the small print of the next column is far
    reach = np.where(em > UNLIKE * small, np.minimum(link * small, UNLIKE_LINK * em), link * small)
    height = y1 - y0
    shared = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    level = shared >= 0.5 * np.minimum(height[1:], height[:-1])
    level &= np.abs(np.diff(baseline)) <= 0.6 * em
    rightward, leftward = x0[1:] - x1[:-1], x0[:-1] - x1[1:]
    ends = np.array([word.text[-1:] in SENTENCE for word in words[:-1]], bool)
    after = np.where(level[1:], rightward[1:], 0)  # a line stretched as a whole
    reach[:-1] = np.where(ends[:-1], np.maximum(reach[:-1], np.minimum(WIDER * after, WIDEST * small[:-1])), reach[:-1])
    to_right = (-0.5 * em <= rightward) & (rightward <= reach)
    to_left = (-0.5 * em <= leftward) & (leftward <= reach)
    near = np.maximum(rightward, leftward) <= reach
    stretched = np.array([word.stretched for word in words[1:]], bool)
    both, one = rtl[1:] & rtl[:-1], rtl[1:] ^ rtl[:-1]
    return (level & (stretched | np.where(both, to_left, to_right | (one & near)))).tolist()


def _is_second_script(chain: Sequence[Word], word: Word) -> bool:
    """A subscript stored after the superscript of the same symbol, or the other way round, under it or behind it."""
    base = next((w for w in reversed(chain[-8:]) if w.size > 1.15 * word.size), None)
    if base is None or chain[-1].size >= 0.87 * base.size:
        return False
    off = abs(word.baseline - base.baseline)
    near = min(abs(word.box.x0 - other.box.x1) for other in (base, chain[-1])) <= 0.4 * base.size
    return near and 0.08 * base.size < off < 0.8 * base.size


def _drop_caps(words: Sequence[Word]) -> list[Word]:
    """Large initials: a letter at least 1.7 times as large as the words before and behind it, but for those on other
    lines. Some writers draw it after its paragraph."""

    def stands_out(word: Word, other: Word) -> bool:
        return word.size > 1.7 * other.size or abs(word.baseline - other.baseline) > word.size

    capitals = ((i, word) for i, word in enumerate(words) if _is_capital(word.text))
    beside = ((word, (*words[max(i - 1, 0) : i], *words[i + 1 : i + 2])) for i, word in capitals)
    return [word for word, others in beside if all(stands_out(word, other) for other in others)]


def _is_capital(text: str) -> bool:
    return len(text) <= 2 and (text.lstrip("\"'“‘«„¿¡")[:1].isupper() or (len(text) == 1 and is_cjk(text)))


def _with_drop_cap(lines: list[Line], cap: Word, words: Sequence[Word]) -> list[Line]:
    """Put a large initial that reaches down over several lines before the first of them, or touches the rest of its
    word; I is a word of its own where what follows is one of the page."""

    def is_beside(line: Line) -> bool:
        over = max(0.3 * line.size, CAP_RIM * cap.size)
        near = line.size < 0.6 * cap.size and -over < line.box.x0 - cap.box.x1 < 2 * line.size
        return near and cap.box.y0 - 0.5 * line.size < line.box.center[1] < cap.baseline + 0.3 * line.size

    def goes_on(line: Line) -> bool:
        return line.text[0].islower() and line.box.x0 - cap.box.x1 < TOUCH * line.size

    beside = list(filter(is_beside, lines))
    if len(beside) < 2 and not any(map(goes_on, beside)):
        return [*lines, Line((cap,))]
    first = min(beside, key=lambda line: line.baseline)
    box = Box(cap.box.x0, first.box.y0, cap.box.x1, first.box.y1)
    initial = msgspec.structs.replace(cap, box=box, baseline=first.baseline, size=first.size, glued=False)
    begun = first.words[0]
    alone = (
        cap.text == "I" and len(begun.text) > 1 and any(word.text == begun.text and word is not begun for word in words)
    )
    rest = msgspec.structs.replace(begun, glued=not alone)
    joined = Line((initial, rest, *first.words[1:]))
    return [joined if line is first else line for line in lines]
