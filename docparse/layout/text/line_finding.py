"""Words to lines: chained in the order of the file, joined on their baselines, cut at gutters."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import msgspec
import numpy as np

from docparse.hyphenation import is_cjk, is_south_east
from docparse.layout.chained import chained, without
from docparse.layout.geometry import corners_of
from docparse.layout.text.answers import answers_in
from docparse.layout.text.gutters import cut_at_gutters, is_blank, is_label
from docparse.layout.text.lines import SCRIPT, Line
from docparse.layout.text.wording import is_rtl
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES
from docparse.types import Box

MARKER_LINK = 4.5  # em: a list marker may stand this far before its item: the first stop of half an inch in small type
BLANK = 30.0  # em to brackets that wait for an answer
STRETCHED = 6.0  # em: so far apart may the words of a justified line stand that has few
SENTENCE, WIDER, WIDEST = ".!?:;", 3.2, 2.0  # after these, two spaces: times the next one, but at most so many em
COLUMNS = 1.2  # em: words as far apart in the white between two pieces may be of two columns themselves
BESIDE, NEAR = 3.0, 7.0  # em at most between the baselines of a line and the next, and of a line of the same column
TOUCH = 0.3  # em from a letter to its script
DROP = 0.35  # em from the baseline of a line to that of a piece on it, at most
UNLIKE, UNLIKE_LINK = 1.3, 0.7  # times sizes may differ, and em of the larger that words so unlike may stand apart
WHITE = 0.5  # em at least between two columns
LEADING, ALIGNED = 2.0, 2.0  # em at most from a line of a column to the next, and between where they begin
FILL = 0.15  # em at least of a space, and at most that letters overlap
SECTION = re.compile(r"\d{1,2}(\.\d{1,2}){0,3}")
CAP_RIM = 0.1  # em of a large initial: the box that it is printed on, which OCR takes for it
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
    columns = _in_columns(pieces) if spacing is EXACT_SPACING else {}
    joined = _join(pieces, spacing.join, answers, columns)
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


def _in_columns(pieces: Sequence[Line]) -> dict[int, int]:
    """Return the number of its run for each piece, by id, of those that the file stores as it does columns: a run is
    what it stores one after the other on a row, and the next or the last one begins right under or over it."""
    runs = chained(pieces, lambda run, piece: _same_row(run[-1], piece) and piece.box.x0 > run[-1].box.center[0])

    def is_under(upper: Line, lower: Line) -> bool:
        down, em = lower.baseline - upper.baseline, upper.size
        return 0.5 * em < down < LEADING * em and abs(lower.box.x0 - upper.box.x0) < ALIGNED * em

    stacked = [False, *(is_under(upper[0], lower[0]) for upper, lower in pairwise(runs)), False]
    return {id(piece): k for k, run in enumerate(runs) if stacked[k] or stacked[k + 1] for piece in run}


def _join(fragments: list[Line], link: float, answers: Container[int], columns: Mapping[int, int]) -> list[Line]:
    """Join pieces that continue each other on one baseline although the PDF stores them apart; one of the `answers`
    continues nothing, nor do those of two `columns`, numbers by the ids of pieces, with white between."""
    fragments = sorted(fragments, key=lambda f: (f.baseline, f.box.x0))
    joined: list[Line] = []
    for row in chained(fragments, lambda row, fragment: _same_row(row[-1], fragment), back=6):
        row.sort(key=lambda f: f.box.x0)
        for i, fragment in enumerate(row):
            end = _end(row[i - 1], fragment) if i else fragment.box.x0
            gap = fragment.box.x0 - end
            em = min(fragment.size, row[i - 1].size)
            near = gap <= link * em or (gap <= BLANK * em and gap <= _reach(row, i, link, fragments) * em)
            near = near and id(fragment.words[0]) not in answers
            near = near and not (gap > WHITE * em and _are_parted(row[i - 1], fragment, columns))
            if i and near and gap >= -0.5 * fragment.size:
                whole = _in_order(joined[-1], fragment)
                among = end < row[i - 1].box.x1  # a script goes behind the letter that it belongs to
                joined[-1] = Line(tuple(sorted(whole.words, key=lambda word: word.box.x0))) if among else whole
            elif i and _fills(fragment, joined[-1]):
                joined[-1] = row[i] = _filled(joined[-1], fragment)
            else:
                joined.append(fragment)
    return joined


def _are_parted(left: Line, right: Line, columns: Mapping[int, int]) -> bool:
    first, second = columns.get(id(left)), columns.get(id(right))
    return None not in (first, second) and first != second


def _fills(piece: Line, line: Line) -> bool:
    """Whether a piece stands in gaps of a line: some writers draw the letters of each font, and the scripts, apart."""
    over = FILL * piece.size
    level = abs(piece.baseline - line.baseline) <= (over if piece.size > SCRIPT * line.size else DROP * line.size)
    if not level or piece.box.x0 > line.box.x1 or is_rtl(piece.text) or is_rtl(line.text):
        return False
    pairs = product((word.box for word in piece.words), (word.box for word in line.words))
    return not any(box.x0 + over < other.x1 and other.x0 + over < box.x1 for box, other in pairs)


def _filled(line: Line, piece: Line) -> Line:
    """A line with the words of a piece where they stand; around them, a space is where there is white."""
    words = list(line.words)
    for word in piece.words:
        over = FILL * word.size
        place = next((i for i, other in enumerate(words) if other.box.x0 > word.box.x1 - over), len(words))
        words.insert(place, word)
        for i in range(max(place, 1), min(place + 2, len(words))):
            glued = words[i].box.x0 - words[i - 1].box.x1 < over
            words[i] = msgspec.structs.replace(words[i], glued=glued)
    return Line(tuple(words))


def _reach(row: Sequence[Line], i: int, link: float, fragments: Sequence[Line]) -> float:
    """How far, in em, a piece may stand from the one before it on its row."""
    before, piece = row[i - 1], row[i]
    after = row[i + 1] if i + 1 < len(row) else None
    ends = after is None or after.box.x0 - piece.box.x1 > link * piece.size
    if (ends and is_blank(before.text, piece.text)) or (after and is_blank(before.text, piece.text + after.text)):
        return BLANK
    if _is_spanned(row, i, fragments) or (is_south_east(before.text[-1]) and is_south_east(piece.text[0])):
        return STRETCHED
    label = is_label(before.text) or _is_section(before, piece) or _is_mark(before, piece)
    leads = label and not _ends_column(before.box, piece.box.x0, fragments)
    return MARKER_LINK if leads or (is_rtl(before.text) and is_label(piece.text)) else link


def _end(line: Line, following: Line) -> float:
    """Where a line ends, but for scripts of the next piece's first letter: formula editors store them before it."""
    letter, em = following.words[0].box, following.size

    def is_script(word: Word) -> bool:
        small = word.size <= SCRIPT * em and abs(word.baseline - following.baseline) >= 0.05 * em
        return small and abs(word.box.x0 - letter.x1) <= TOUCH * em

    return max((word.box.x1 for word in line.words if not is_script(word)), default=line.box.x1)


def _is_spanned(row: Sequence[Line], i: int, fragments: Sequence[Line]) -> bool:
    """Return whether the pieces of a row are those of a justified line: a line near here runs on from where they begin
    to where they end, with words in the white between them, and none above or below begins beside the piece or that
    white, as in tables and columns."""
    before, piece, em = row[i - 1], row[i], row[i].size
    if sum(map(str.isalpha, piece.text)) < 2 or is_cjk(piece.text[0]):  # an equation's number; Chinese needs no white
        return False
    right = [f for f in fragments if f.box.x1 > before.box.x1 and f.size < UNLIKE * em]
    away = [abs(f.baseline - before.baseline) / em for f in right]
    middle = before.box.center[0]  # the gutters of newspapers are hair's breadths
    beside = [f for f, rows in zip(right, away, strict=True) if 0.5 < rows < BESIDE]
    if any(middle < f.box.x0 < piece.box.x1 for f in beside):
        return False
    gap = (before.box.x1, piece.box.x0)
    near = [f for f, rows in zip(right, away, strict=True) if 0.5 < rows < NEAR and f.box.x0 < before.box.x0 + em]
    spanning = [line.box for line in near if _is_written(line, gap, COLUMNS * em)]
    return any(abs(box.x1 - end.box.x1) < em for box in spanning for end in row[i:])


def _is_written(line: Line, gap: tuple[float, float], width: float) -> bool:
    """Whether no white as wide as that, in points, meets the gap in a line."""
    whites = pairwise(sorted((word.box.x0, word.box.x1) for word in line.words))
    return not any(b[0] - a[1] > width and a[1] < gap[1] and b[0] > gap[0] for a, b in whites)


def _type(line: Line) -> tuple[float, bool, str]:
    return line.main.size, line.main.bold, line.main.font


def _is_section(number: Line, title: Line) -> bool:
    """The bold number of a section before its title."""
    alike = number.main.bold and _type(number) == _type(title)
    return alike and title.text[0].isalpha() and SECTION.fullmatch(number.text) is not None


def _ends_column(marker: Box, x: float, fragments: Sequence[Line]) -> bool:
    """True where lines of text above or below end under the marker: it is an equation number, not an item's."""
    near = marker.padded(4 * marker.height)
    under = [f for f in fragments if f.box.overlap_y(near) and f.box.width > 8 * marker.height]
    return sum(marker.x0 < f.box.x1 < x for f in under) >= 2


def _is_mark(mark: Line, note: Line) -> bool:
    """The small mark of a note, raised before it."""
    raised = mark.baseline < note.baseline - 0.1 * note.size
    return raised and mark.characters < 4 and mark.size < SCRIPT * note.size and mark.box.x1 <= note.box.x0


def _same_row(a: Line, b: Line) -> bool:
    drop, shared = (0.6, 0.3) if _is_mark(a, b) else (DROP, 0.6)
    if abs(a.baseline - b.baseline) > drop * max(a.size, b.size):
        return False
    return a.box.overlap_y(b.box) >= shared * min(a.box.height, b.box.height)


def _in_order(left: Line, right: Line) -> Line:
    text, stored_so = left.text + right.text, right.words[-1].index < left.words[0].index
    directed = any(map(is_rtl, text)) or not any(map(str.isalpha, text))  # numbers and signs have no direction
    if is_rtl(text) or (stored_so and directed):
        return Line(right.words + left.words)
    return Line((*left.words, msgspec.structs.replace(right.words[0], glued=_is_cut(left, right)), *right.words[1:]))


def _is_cut(left: Line, right: Line) -> bool:
    """Whether no white stands where two pieces meet: a script within a word's line is stored between them."""
    last, first = left.words[-1], right.words[0]
    meet = abs(first.box.x0 - last.box.x1) < FILL * first.size and (first.font, first.size) == (last.font, last.size)
    return first.glued or (meet and last.text[-1].isalpha() and first.text[0].islower())


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
    """Put a large initial that reaches down over several lines before the first of them; I is a word of its own where
    what follows is one of the page."""

    def is_beside(line: Line) -> bool:
        over = max(0.3 * line.size, CAP_RIM * cap.size)
        near = line.size < 0.6 * cap.size and -over < line.box.x0 - cap.box.x1 < 2 * line.size
        return near and cap.box.y0 - 0.5 * line.size < line.box.center[1] < cap.baseline + 0.3 * line.size

    beside = list(filter(is_beside, lines))
    if len(beside) < 2:
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
