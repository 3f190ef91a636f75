"""Pieces of lines on one baseline, joined where they continue each other although the file stores them apart."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Mapping, Sequence
from itertools import pairwise, product

import msgspec

from docparse.hyphenation import is_cjk, is_south_east
from docparse.layout.chained import chained
from docparse.layout.text.gutters import is_blank, is_label
from docparse.layout.text.lines import SCRIPT, Line
from docparse.layout.text.wording import is_rtl
from docparse.layout.text.words import Word, is_ring, usual_size
from docparse.types import Box

MARKER_LINK = 4.5  # em: a list marker may stand this far before its item: the first stop of half an inch in small type
BLANK = 30.0  # em to brackets that wait for an answer
STRETCHED = 6.0  # em: so far apart may the words of a justified line stand that has few
NAME = 4  # words of the name of an author
UNEVEN, EVEN = 3.0, 0.1  # times as wide as the spaces in names is the white between them; em by which that differs
COLUMNS = 1.2  # em: words as far apart in the white between two pieces may be of two columns themselves
BESIDE, NEAR = 3.0, 7.0  # em at most between the baselines of a line and the next, and of a line of the same column
TOUCH = 0.3  # em from a letter to its script
UNLIKE = 1.3  # times the sizes of words that are alike may differ
DROP = 0.35  # em from the baseline of a line to that of a piece on it, at most
WHITE = 0.5  # em at least between two columns
LEADING, ALIGNED = 2.0, 2.0  # em at most from a line of a column to the next, and between where they begin
FILL = 0.15  # em at least of a space, and at most that letters overlap
MEASURED = 0.1  # share by which OCR measures the sizes of one type apart
LARGER = 1.1  # times the usual size: headings that are not in bold
SECTION = re.compile(r"\d{1,2}(\.\d{1,2}){0,3}")


def in_columns(pieces: Sequence[Line]) -> dict[int, int]:
    """Return the number of its run for each piece, by id, of those that the file stores as it does columns: a run is
    what it stores one after the other on a row, and the next or the last one begins right under or over it."""
    runs = chained(pieces, lambda run, piece: _same_row(run[-1], piece) and piece.box.x0 > run[-1].box.center[0])

    def is_under(upper: Line, lower: Line) -> bool:
        down, em = lower.baseline - upper.baseline, upper.size
        return 0.5 * em < down < LEADING * em and abs(lower.box.x0 - upper.box.x0) < ALIGNED * em

    stacked = [False, *(is_under(upper[0], lower[0]) for upper, lower in pairwise(runs)), False]
    return {id(piece): k for k, run in enumerate(runs) if stacked[k] or stacked[k + 1] for piece in run}


def join(fragments: list[Line], link: float, answers: Container[int], columns: Mapping[int, int]) -> list[Line]:
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
    """Return whether a piece stands in gaps of a line: some writers draw the letters of each font, and the scripts,
    apart."""
    over, em = FILL * piece.size, line.largest
    level = abs(piece.baseline - line.baseline) <= (over if piece.size > SCRIPT * em else DROP * em)
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
    """Return how far, in em, a piece may stand from the one before it on its row."""
    before, piece = row[i - 1], row[i]
    after = row[i + 1] if i + 1 < len(row) else None
    ends = after is None or after.box.x0 - piece.box.x1 > link * piece.size
    if (ends and is_blank(before.text, piece.text)) or (after and is_blank(before.text, piece.text + after.text)):
        return BLANK
    if _is_spanned(row, i, fragments) or (is_south_east(before.text[-1]) and is_south_east(piece.text[0])):
        return STRETCHED
    ring = len(before.words) == 1 and is_ring(before.words[0], piece.words[0])
    label = ring or is_label(before.text) or _is_section(before, piece, fragments) or _is_mark(before, piece)
    leads = label and not _ends_column(before.box, piece.box.x0, fragments)
    return MARKER_LINK if leads or (is_rtl(before.text) and is_label(piece.text)) else link


def _end(line: Line, following: Line) -> float:
    """Return where a line ends, but for scripts of the next piece's first letter: formula editors store them before
    it."""
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
    if sum(map(str.isalpha, piece.text)) < 2 or is_cjk(piece.text[0]) or _are_names(row):
        return False  # an equation's number; Chinese needs no white
    right = [f for f in fragments if f.box.x1 > before.box.x1 and f.size < UNLIKE * em]
    away = [abs(f.baseline - before.baseline) / em for f in right]
    middle = before.box.center[0]  # the gutters of newspapers are hair's breadths
    beside = [f for f, rows in zip(right, away, strict=True) if 0.5 < rows < BESIDE]
    if any(middle < f.box.x0 < piece.box.x1 for f in beside):
        return False
    gap = (before.box.x1, piece.box.x0)
    alike = [f for f, rows in zip(right, away, strict=True) if 0.5 < rows < NEAR and em < UNLIKE * f.size]
    near = [f for f in alike if f.box.x0 < before.box.x0 + em]
    spanning = [line.box for line in near if _is_written(line, gap, COLUMNS * em)]
    return any(abs(box.x1 - end.box.x1) < em for box in spanning for end in row[i:])


def _are_names(row: Sequence[Line]) -> bool:
    """Return whether three or more pieces are a few words with a capital, equally far apart, and much farther than the
    words of each: authors. White in a line that a sign left which could not be read is of any width."""
    named = all(piece.text[0].isupper() and len(piece.words) <= NAME for piece in row)
    gaps = [right.box.x0 - left.box.x1 for left, right in pairwise(row)]
    spaces = [right.box.x0 - left.box.x1 for piece in row for left, right in pairwise(piece.words)]
    even = len(gaps) > 1 and max(gaps) - min(gaps) < EVEN * row[0].size
    return named and even and min(gaps) > UNEVEN * max(spaces, default=math.inf)


def _is_written(line: Line, gap: tuple[float, float], width: float) -> bool:
    """Return whether no white as wide as that, in points, meets the gap in a line."""
    whites = pairwise(sorted((word.box.x0, word.box.x1) for word in line.words))
    return not any(b[0] - a[1] > width and a[1] < gap[1] and b[0] > gap[0] for a, b in whites)


def _is_section(number: Line, title: Line, fragments: Sequence[Line]) -> bool:
    """The number of a section before its title, both bold or larger than most text. OCR, which knows no fonts, does not
    tell figures that are bold: it is enough that they are counted in several parts, 2.1."""
    one, other = number.main, title.main
    if SECTION.fullmatch(number.text) is None or not title.text[0].isalpha() or one.font != other.font:
        return False
    if abs(one.size - other.size) >= MEASURED * one.size:
        return False
    usual = (word for line in fragments for word in line.words)
    bold = one.bold or (not one.font and "." in number.text)
    return (bold and other.bold) or min(one.size, other.size) > LARGER * usual_size(usual)


def _ends_column(marker: Box, x: float, fragments: Sequence[Line]) -> bool:
    """True where lines of text above or below end under the marker, or more of the page do than run on through the
    white behind it: it is an equation number, not an item's."""
    near = marker.padded(4 * marker.height)
    wide = [f.box for f in fragments if f.box.x0 < marker.x0 and f.box.width > 8 * marker.height]
    ends = [box for box in wide if marker.x0 < box.x1 < x]
    ended = len(ends) > max(3, sum(box.x1 > x for box in wide))
    return ended or sum(box.overlap_y(near) > 0 for box in ends) >= 2


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
    """Return whether no white stands where two pieces meet: a script within a word's line is stored between them."""
    last, first = left.words[-1], right.words[0]
    meet = abs(first.box.x0 - last.box.x1) < FILL * first.size and (first.font, first.size) == (last.font, last.size)
    return first.glued or (meet and last.text[-1].isalpha() and first.text[0].islower())
