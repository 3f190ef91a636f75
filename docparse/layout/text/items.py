"""List items: which lines of a page begin one, told from their markers and from the other lines that have some."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, takewhile
from statistics import median

import msgspec

from docparse.layout.chained import grouped, without
from docparse.layout.formula.symbols import SYMBOLS
from docparse.layout.text.lines import Line
from docparse.layout.text.markers import BULLETS_ALONE, ICON, SIGNS, UNKNOWN, glued_marker, leading_marker, readings
from docparse.layout.text.stacks import BaselineRows, joined
from docparse.layout.text.wording import STOPS
from docparse.layout.text.words import Word, is_ring
from docparse.types import BOXES, Box, Spans

LONE = BULLETS_ALONE - frozenset(BOXES)  # bullets; boxes to tick stand alone in forms
NEXT = 2.2  # em between the baselines of a line and the next
ALIGNED = 0.6  # em between the margins of markers that stand one under the other
CENTRED = 0.1  # em between the middles of two lines of which one stands under the other's
HANGS = 0.6  # em: a line that begins so far inside the marker's margin hangs from it
BEHIND, SPACES = 0.42, 1.2  # em behind the dash of a list, and times the spaces of its line: TeX sets half an em
ASIDES = "–—*"  # signs that begin an attribution, a speech or an ornament
INITIAL = re.compile(r"[a-zA-Z][.．]")
# what a question is worth
WORTH = re.compile(r"[(\[]\d{1,3}(?:[.,]\d)? ?(?:points?|pts?\.?|marks?|P\.|Pkt\.|Punkte?|puntos?)[)\]]", re.IGNORECASE)
COPYRIGHT = re.compile(r"\(c\)\s*(?:(?:copyright|by)\b|(?:1\d|20)\d\d\b)", re.I)
NUMBER = re.compile(r"\(\d{2,3}\)")  # of a formula or a telephone
NOTE_SIGNS = "*⋆†‡§¶"
NOTE_MARK = re.compile(rf"[{NOTE_SIGNS}#]+|\d{{1,3}}|[a-z]")
GLUED_MARK = re.compile(rf"([{NOTE_SIGNS}]+|\d{{1,2}})(?:[A-Z][a-z].*|[AI“])")  # fonts with raised digits of their own


@dataclass(frozen=True)
class Marker:
    """The marker of a line: where it starts, and where the words behind it do, in points from the side that the line is
    read from. `sure` means that an item begins with this line whatever stands above it; one that is
    `doubtful` is an initial ("J. Doe"), a dash or a telephone number unless it is sure."""

    text: str
    start: float
    words: float
    sure: bool = False
    doubtful: bool = False


@dataclass(frozen=True)
class _Candidate:
    index: int
    line: Line
    text: str
    size: float
    start: float  # of the marker, from the side that the line is read from, points
    end: float  # of the marker
    words: float  # where the words behind it start

    def is_under(self, other: _Candidate) -> bool:
        """Markers of one list: flush with each other at one side, or in different columns."""
        apart = self.line.box.overlap_x(other.line.box) <= 0
        near = min(abs(self.start - other.start), abs(self.end - other.end), abs(self.words - other.words))
        return apart or near < ALIGNED * self.size


def joined_bullets(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, a bullet alone in its line as the first word of the next one at its margin:
    so browsers set bullets that stand inside of items of paragraphs."""
    over: dict[int, Line] = {}  # by the line that each belongs to
    for bullet in lines:
        if len(bullet.words) == 1 and bullet.text in LONE:
            under = (line for line in lines if _begins_under(line, bullet))
            if first := min(under, key=lambda line: line.baseline, default=None):
                over[id(first)] = bullet
    return [_with_bullet(line, over.get(id(line))) for line in without(lines, over.values())]


def _begins_under(line: Line, bullet: Line) -> bool:
    flush = abs(line.box.x0 - bullet.box.x0) < ALIGNED * line.size and not line.rtl
    return flush and 0 < line.baseline - bullet.baseline < NEXT * line.size and line.text not in LONE


def _with_bullet(line: Line, bullet: Line | None) -> Line:
    if bullet is None:
        return line
    box, end = line.box, line.box.x0 - ALIGNED * line.size
    moved = Box(end - bullet.box.width, box.y0, end, box.y1)
    word = msgspec.structs.replace(bullet.words[0], box=moved, baseline=line.baseline, size=line.size)
    return replace(line, words=(word, *line.words))


def points_behind_numbers(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, what a question is worth, in the margin before its number or letter, behind
    that: "(4 points)   b) Why?" is "b) (4 points) Why?"."""
    rows = BaselineRows(lines)
    pairs = [(i, j) for i, line in enumerate(lines) if WORTH.fullmatch(line.text) and (j := rows.after(i)) is not None]
    numbered = [(i, j) for i, j in pairs if list_marker(lines[j])]
    counts = {id(lines[i].words[0]): len(lines[i].words) for i, _ in numbered}
    whole = joined(lines, numbered) if numbered else lines
    return [_with_points_behind(line, counts.get(id(line.words[0])) or _worth_words(line)) for line in whole]


def _worth_words(line: Line) -> int:
    """Return how many words of a line say what a question is worth, right before its number: "A." may begin a name."""
    found = WORTH.match(line.text)
    count = len(found[0].split()) if found else 0
    if found is None or count == len(line.words) or Line(line.words[:count]).text != found[0]:
        return 0
    return 0 if INITIAL.fullmatch(line.words[count].text) else count


def _with_points_behind(line: Line, count: int) -> Line:
    """The line with its first `count` words, which say what it is worth, behind its number."""
    if not 0 < count < len(line.words):
        return line
    rest = line.words[count:]
    marker = list_marker(Line(rest))
    at = _marker_words(rest, marker)
    if not marker or at == len(rest):
        return line
    place = msgspec.structs.replace(rest[at].box, x1=rest[at].box.x0)  # the words of the question keep their margin
    points = (msgspec.structs.replace(word, box=place) for word in line.words[:count])
    return replace(line, words=(*rest[:at], *points, *rest[at:]))


def found_markers(lines: Sequence[Line], above: Sequence[int | None]) -> Mapping[int, Marker]:
    """Return the lines that have a marker, by index; `above` says which line each stands under. An icon that begins one
    line alone is none, and a number in brackets that is glued to its word only is one where others beside it are."""
    plain = [candidate for i, line in enumerate(lines) if (candidate := _candidate(i, line, list_marker(line)))]
    found = sorted([*plain, *_glued(lines, plain)], key=lambda candidate: candidate.index)
    below = {upper: i for i, upper in enumerate(above) if upper is not None}
    under = {c.index: lines[below[c.index]] for c in found if c.index in below}
    listed = [c for c in found if c.text != "—" or _is_listed(c, under.get(c.index), found, under)]
    known = grouped((reading, candidate) for candidate in listed for reading in readings(candidate.text))
    result = {}
    for candidate in found:
        if ICON.fullmatch(candidate.text) and sum(other.text == candidate.text for other in found) == 1:
            continue
        sure = _hangs(candidate, under.get(candidate.index)) or _has_company(candidate, known)
        text, doubtful = candidate.text, is_doubtful(candidate.text, candidate.line.text)
        result[candidate.index] = Marker(text, candidate.start, candidate.words, sure, doubtful)
    return result


def marker_alone(line: Line) -> Marker | None:
    """Return the marker of a line of which nothing else is known."""
    return found_markers([line], [None]).get(0)


def _glued(lines: Sequence[Line], plain: Sequence[_Candidate]) -> list[_Candidate]:
    """The lines that begin with a marker glued to its word, as OCR reads some, in a list of which others have space."""
    known = grouped((reading, candidate) for candidate in plain for reading in readings(candidate.text))
    taken = {candidate.index for candidate in plain}
    rest = ((i, line) for i, line in enumerate(lines) if i not in taken)
    found = (_candidate(i, line, glued_marker(line.words[0].text)) for i, line in rest)
    return [candidate for candidate in found if candidate and _has_company(candidate, known)]


def _candidate(index: int, line: Line, marker: str) -> _Candidate | None:
    if not marker:
        return None
    words = line.words
    last = _marker_words(words, marker) - 1
    behind = words[min(last + 1, len(words) - 1)]
    own, end, inner = words[0].box, words[max(last, 0)].box, behind.box
    places = (-own.x1, -end.x0, -inner.x1) if line.rtl else (own.x0, end.x1, inner.x0)
    return _Candidate(index, line, marker, line.size, *places)


def list_marker(line: Line) -> str:
    """Return the marker that a line begins with, or ""."""
    words = line.words
    if len(words) > 1 and is_ring(*words[:2]):
        return "o"
    if words[0].text in NOTE_SIGNS and words[0].size < 0.9 * line.size:
        return ""  # the raised mark of a note
    glued = takewhile(lambda word: word.glued, words[1:4])
    return leading_marker(line.text, "".join(word.text for word in (words[0], *glued)))


def raised_mark(line: Line) -> str:
    """Return the raised mark that a line begins with, as footnotes and addresses of authors do, or ""."""
    first = line.words[0]
    mark = first.text.rstrip(".)").replace("∗", "*")
    if not any(char.isalnum() for word in line.words[1:] for char in word.text):
        return ""  # an ornament
    if mark and (first.size < 0.9 * line.size or mark in NOTE_SIGNS) and NOTE_MARK.fullmatch(mark):
        return mark
    glued = GLUED_MARK.fullmatch(first.text)
    return glued.group(1) if glued else ""


def printed(marker: str) -> str:
    """Return the marker as it looks on the page: the "o" of word processors is a ring, and what no font knows a dot."""
    return "◦" if marker == "o" else "•" if re.fullmatch(f"[{UNKNOWN}]", marker) else marker


def is_doubtful(marker: str, line: str) -> bool:
    """Return whether the marker of a line may be none: an initial with a point, the dash of an aside, the brackets
    of a formula's or telephone's number, the sign of copyright."""
    return (
        marker in ASIDES
        or COPYRIGHT.match(line) is not None
        or INITIAL.fullmatch(marker) is not None
        or NUMBER.fullmatch(marker) is not None
    )


def _hangs(candidate: _Candidate, under: Line | None) -> bool:
    """The line under it begins where the words behind the marker do, and is not centred under it, as under a name."""
    if under is None or list_marker(under) or candidate.words < candidate.start + HANGS * candidate.size:
        return False
    alike = abs(under.size - candidate.size) < 0.1 * under.size
    if abs(under.box.center[0] - candidate.line.box.center[0]) < CENTRED * candidate.size:
        return False
    return alike and abs(under.start - candidate.words) < 0.3 * candidate.size


def _has_company(candidate: _Candidate, known: Mapping[tuple[str, int], Sequence[_Candidate]]) -> bool:
    """Another marker of the list is on the page: the same sign, the number before or after. Bullets need none."""
    for kind, number in readings(candidate.text):
        is_bullet = not number and not candidate.text.strip("()（）[].．、").isdecimal()  # none begins with 0
        if is_bullet and candidate.text not in SIGNS:
            return True
        others = [*known.get((kind, number - 1), ()), *known.get((kind, number + 1), ())]
        if is_bullet:
            others = [c for c in known.get((kind, 0), ()) if c is not candidate and c.text == candidate.text]
        if any(candidate.is_under(other) for other in others):
            return True
    return False


def _is_listed(dash: _Candidate, below: Line | None, found: Sequence[_Candidate], under: Mapping[int, Line]) -> bool:
    """Return whether a long dash begins an item: a short one, one whose second line hangs, or one with more than a
    space behind it. The dash of a dialogue stands before every paragraph, whose lines go on at the margin."""
    if dash.line.text.endswith((";", ",")) or _hangs(dash, below):
        return True
    spoken = (c for c in found if c.text == dash.text and c.is_under(dash) and c.index in under)
    spaces = [b.box.x0 - a.box.x1 for a, b in pairwise(dash.line.words[1:]) if not b.glued]
    space = dash.words - dash.end
    wide = space > max(BEHIND * dash.size, SPACES * median(spaces or [0.0]))
    return wide and not any(_goes_on_before(c, under[c.index]) for c in spoken)


def _goes_on_before(candidate: _Candidate, under: Line) -> bool:
    """Return whether the sentence of a line goes on before its marker."""
    return under.start < candidate.start - ALIGNED * candidate.size and not candidate.line.text.endswith((*STOPS, ":"))


def without_item_marker(line: Line, marker: str) -> Line:
    """Return the line without the marker it begins with."""
    count = _marker_words(line.words, marker)
    rest = list(line.words[count:])
    eaten = sum(len(word.text) for word in line.words[:count])
    if eaten < len(marker):
        rest[0] = msgspec.structs.replace(rest[0], text=rest[0].text[len(marker) - eaten :])
    return Line((msgspec.structs.replace(rest[0], glued=False), *rest[1:]))


def _marker_words(words: Sequence[Word], marker: str) -> int:
    """Return how many whole words the marker takes."""
    return sum(length <= len(marker) for length in accumulate(len(word.text) for word in words))


def without_marker(spans: Spans, marker: str) -> Spans:
    """Return the words of an item or footnote without its marker, which may be a raised one ("^{1}", ¹)."""
    if not marker or not spans:
        return spans
    first, rest = spans[0], spans[1:]
    if not first.math:
        head = msgspec.structs.replace(first, text=first.text.removeprefix(marker).lstrip())
        return (head, *rest) if head.text else rest
    mark = f"{{}}^{{{marker}}}"
    if first.text.startswith(mark) and first.text != mark:  # before a formula that the note begins with
        return (msgspec.structs.replace(first, text=first.text.removeprefix(mark).lstrip()), *rest)
    raised = first.text.replace(r"\mathbf", "").strip("^{}* ")
    if not rest or raised not in (marker.strip("* "), SYMBOLS.get(marker)):
        return spans
    return (msgspec.structs.replace(rest[0], text=rest[0].text.lstrip()), *rest[1:])
