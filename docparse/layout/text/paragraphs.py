"""Paragraphs: does a new one start between two lines that stand one under the other?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from docparse.hyphenation import ADDRESS, is_cjk
from docparse.layout.text.fields import is_field, is_labelled
from docparse.layout.text.items import Marker, raised_mark
from docparse.layout.text.lines import Line, noise_of
from docparse.layout.text.markers import SIGNS, readings
from docparse.layout.text.stacks import Margins, runs_on
from docparse.layout.text.wording import (
    CAPITALS,
    CAPTION,
    COLONS,
    STOPS,
    are_sites,
    count_words,
    heads_entries,
    is_byline,
)
from docparse.layout.text.words import Word, first_width

INDENT = 0.8  # em
SET_IN = 0.5  # em from the margin of several lines over it to one that begins another text
FURTHEST = 6.0  # em: what begins further in is no paragraph
QUOTED = 2.5  # em: paragraphs' first lines are less far in than quotations
CENTRED = 0.25  # em between the middles of lines that are centred
INSET = 2.0  # em by which a centred heading is shorter than its column, at either side
ROOM, SPARE = 4.0, 0.12  # em, and share of the column: room at the end of a line beyond what ragged text leaves
MEASURED = 0.1  # by so much sizes differ that are measured on pixels: labels of charts are no names over speeches
ROUGH = 0.15  # by so much they differ in lines of one text, at most: columns are told by the same share
PROSE = 4  # words of a line of running text, at least; characters whose weight is told on pixels
LINE = 1.0  # em: height of a line of letters
BESIDE, SET_OFF = 0.15, 1.05  # em beside a margin, times the usual distance: more than lines of one item differ
SET_APART = 1.15  # times the usual distance: the white around a short heading
TIGHT = 1.1  # times the usual distance, of lines of one paragraph
TALL = 1.8  # times the usual distance, of a line with a formula in it
BARE = 2.5  # em: lines of Chinese break anywhere, but for a character or two that must not be parted
OPENING = "（《「『【〔"  # brackets that Chinese sets no line's end behind
HALF = 0.5  # share of the column that a line leaves white which is the last of its paragraph, whatever is above
NARROW = 1 / 3  # of the column: no text is set in so short lines beside a picture
MIXED = 0.25  # of the characters that are Chinese in one line and not in the other: their sizes do not compare
CODE = 0.25  # share of the size of text by which names in code are smaller, at most
REFERENCE = re.compile(r"\[(?:(\d{1,3})|[A-Z][A-Za-z+]{0,9}\d{2}[a-z]?)\] ")
CLAUSE = re.compile(r"((?:\d{1,2}\.)+)(\d{1,2})\.? |(\d{1,2})\.? ")  # 2.1 or 2.1.3. (its parents apart), or 2
REFERS = re.compile(  # to the number that begins the next line
    r"\b(?:(?:Tab(?:le|elle|leau|la|ela)?s?|Fig(?:ure|ura)?s?|Abb(?:ildung)?|Sec(?:tion)?s?|Chapter|Part|Volume|Vol|Act|"
    r"Eqs?|Equations?|Theorem|Lemma|Appendix|Kapitel|Teil|Abschnitt|Chapitre)\.?|(?:No|Nos|Nr)\.)$"
)
COMMAS = (",", "，", "、")
GOES_ON = (*COLONS, ",")  # "1. **Form:** in print"
TEXT_END = (*STOPS, ":", "”", '"', "。", "！", "？", "：", ")", "؟", "۔")
QUOTED_COMMA = (",”", ',"', ",’")  # as Americans set it, behind the title of a paper
ITEM_END = (*TEXT_END, ";", "；", "؛")


@dataclass(frozen=True)
class Pair:
    """Two lines, one under the other; `leading` is the usual baseline distance around here in font sizes."""

    upper: Line
    lower: Line
    leading: float
    noise: float

    @property
    def distance(self) -> float:
        """Return the baseline distance in font sizes: the usual one where something tall in the lines, of exact boxes,
        leaves no more room between them than others have."""
        upper, lower, size = self.upper, self.lower, max(self.upper.largest, self.lower.largest)
        distance, room = (lower.baseline - upper.baseline) / size, (lower.box.y0 - upper.box.y1) / size
        near = self.noise < MEASURED and room <= self.leading - LINE
        return min(distance, self.leading) if near else distance


def breaks(pair: Pair, column: Margins, group: Sequence[Line], item: Marker | None, marker: Marker | None) -> bool:
    """Return whether a new paragraph, heading or item starts with the lower line. `group` are the lines it would join,
    which begin with the marker `item`, it with `marker`, if there are any."""
    on = _runs_on(pair, column)
    if heads_entries(pair.upper.text, pair.lower.text) or _size_differs(pair, on):
        return True
    if pair.distance > 1.3 * pair.leading and not on:
        return True
    if _hangs_in_reference(pair, group):
        return False
    if column.hanging and item is None and marker is None:
        return column.ends(pair.lower)[0] < column.left + INDENT * pair.lower.size
    return (
        (marker is not None and not (on and _is_aside(item, marker)) and _starts_item(pair, item, marker))
        or (_weight_differs(pair) and not on and not (item and pair.upper.text.endswith(GOES_ON)))
        or (_is_capital_heading(pair, column) and not on)
        or (is_field(pair.lower) and not on)
        or _is_next_reference(pair.lower, group)
        or _is_next_clause(pair.lower, group)
        or bool(raised_mark(pair.lower) and raised_mark(group[0]))  # notes, or addresses of authors
        or is_byline(pair.lower.text)
        or are_sites(pair.upper.text, pair.lower.text)
        or _starts_label(pair, column, item)
        or _is_run_in(pair)
        or (_leaves_item(pair, column, group, item) if item else _starts_paragraph(pair, column, group))
    )


def _hangs_in_reference(pair: Pair, group: Sequence[Line]) -> bool:
    """Return whether a line begins under the words behind the number of a list's reference, [3], as its other lines
    do."""
    first, em = group[0], pair.lower.size
    if REFERENCE.match(first.text) is None or REFERENCE.match(pair.lower.text):
        return False
    words = next((word.box.x0 for word in first.words[1:] if not word.glued), first.box.x0)
    return words - first.box.x0 > INDENT * em and abs(pair.lower.box.x0 - words) < BESIDE * em


def _is_next_reference(lower: Line, group: Sequence[Line]) -> bool:
    """The next entry of a list of references: [3] begins a line, the group [2]; or it [Kn84], the group [Ab81]."""
    entry, own = REFERENCE.match(lower.text), REFERENCE.match(group[0].text)
    if entry is None or own is None:
        return False
    return int(entry[1]) == int(own[1]) + 1 if entry[1] and own[1] else not (entry[1] or own[1])


def _is_next_clause(lower: Line, group: Sequence[Line]) -> bool:
    """A line with the number that follows that of the group: 2.1 or 3.1 after 2., 2.2 after 2.1, 2.1.1 after it."""
    entry, own = CLAUSE.match(lower.text), CLAUSE.match(group[0].text)
    if entry is None or own is None or not entry[1]:
        return False
    number, before = ([int(part) for part in found[0].strip(" .").split(".")] for found in (entry, own))
    if len(number) > len(before):
        return number == [*before, 1]
    *parents, last = before[: len(number)]
    return number == [*parents, last + 1]


def _runs_on(pair: Pair, column: Margins) -> bool:
    """A full line without an end and one from the margin that goes on: neither something tall in them, which sets them
    apart, nor bold type parts them."""
    upper, lower, em = pair.upper, pair.lower, pair.lower.size
    (over, end), (start, stop) = column.ends(upper), column.ends(lower)
    full = column.full > 1 and end > column.right - 0.5 * em and count_words(upper.text) >= PROSE
    flush = min(abs(start - over), abs(start - column.left)) < 0.2 * em
    goes_on = lower.text[:1].islower() or (is_cjk(upper.text[-1]) and is_cjk(lower.text[0]))
    goes_on |= upper.text.endswith(COMMAS)
    last = upper.words[-1]
    plain = not (last.bold or last.italic or last.small_caps)
    plain &= not (lower.share("bold") > 0.9 and stop < column.right - ROOM * em)  # over no heading
    goes_on |= plain and last.text[-1].islower() and pair.distance < TIGHT * pair.leading  # in no heading
    near = pair.distance < TALL * pair.leading
    return near and full and flush and goes_on and not upper.text.endswith(ITEM_END)


def _size_differs(pair: Pair, on: bool) -> bool:
    """A few small characters are a loose index or accent; a few large ones are a short heading. Names in code, which is
    set smaller, may fill a line; capitals behind an initial do not fill theirs. On pixels the size of lines that run
    `on` is rough: letters that are misread, capitals and figures change it."""
    last, first = pair.upper.words[-1], pair.lower.words[0]
    if last.text.isalpha() and len(last.text) > 1 and last.size in (pair.lower.size, first.size):
        return False
    small, large = sorted((pair.upper, pair.lower), key=lambda line: line.size)
    if large.size <= small.largest:
        return False  # a formula alone
    apart = pair.lower.box.y0 > pair.upper.box.y1 and small.characters > 1 and small.text.isalpha()
    centred = abs(pair.lower.box.center[0] - pair.upper.box.center[0]) < CENTRED * large.size  # addresses under names
    address = centred and small.share("mono") > 0.9
    noise = CODE if small.main.mono and not (large.main.mono or address) else pair.noise
    if pair.noise > MEASURED and abs(_chinese(small) - _chinese(large)) < MIXED:
        noise = ROUGH if on else min(noise, noise_of(pair.noise, small, large))
    down = pair.lower.baseline - pair.upper.baseline
    chinese = len(large.main.text) > 1 and _chinese(large) > HALF
    if chinese and not on and down > SET_APART * pair.leading * small.size:
        noise = min(noise, pair.noise / 2)  # 引言
    return large.size - small.size > noise * large.size and (small.characters > 3 or apart)


def _chinese(line: Line) -> float:
    """Share of the characters of a line that are Chinese or Japanese, which are measured larger than others."""
    return sum(map(is_cjk, line.text)) / len(line.text)


def _weight_differs(pair: Pair) -> bool:
    """A line in bold or small capitals over or under text without any is a heading; one that is run in shares its, and
    so do two where the words at the end of one and the beginning of the other are alike, numbers and signs apart. Of
    two lines in bold the colour may differ. On pixels the weight of a few characters is rough: those that a Chinese
    heading ends with tell of none."""
    if pair.noise > MEASURED and pair.lower.characters < PROSE and is_cjk(pair.lower.text[0]):
        return False
    headings = min(pair.upper.share("bold"), pair.lower.share("bold")) > 0.9
    styles = ("italic", "small_caps", "tinted") if headings else ("bold", "italic", "small_caps")
    last, first = _first_told(pair.upper.words[::-1]), _first_told(pair.lower.words)
    apart = (style for style in styles if getattr(last, style) != getattr(first, style))
    shares = (sorted((pair.upper.share(style), pair.lower.share(style))) for style in apart)
    return any(light < 0.15 and heavy > 0.9 for light, heavy in shares)


def _first_told(words: Sequence[Word]) -> Word:
    """The first word that tells how its line is set: no number, sign or letter that counts headings."""
    return next((word for word in words if sum(map(str.isalpha, word.text)) > 1), words[0])


def _is_capital_heading(pair: Pair, column: Margins) -> bool:
    """Return whether one of two lines is all in capitals and amid its column, the other not in capitals: the heading of
    a text in typewriter type."""
    if pair.upper.text.isupper() == pair.lower.text.isupper():
        return False
    line = pair.upper if pair.upper.text.isupper() else pair.lower
    (start, end), room = column.ends(line), INSET * line.size
    return line.characters >= CAPITALS and start - column.left > room < column.right - end


def _starts_item(pair: Pair, item: Marker | None, marker: Marker) -> bool:
    """An item begins where the marker is sure, or after a sentence, or after an item that ends; "see Table" goes on,
    unless the marker is the next one."""
    following = {(kind, number + 1) for kind, number in readings(item.text)} if item else set()
    if REFERS.search(pair.upper.text) and following.isdisjoint(readings(marker.text)):
        return False
    ended = pair.upper.text.endswith(ITEM_END if item else TEXT_END)
    return marker.sure or (not marker.doubtful and ended)


def _is_aside(item: Marker | None, marker: Marker) -> bool:
    """A dash that stands in no list may be one within a sentence."""
    return item is None and marker.text in SIGNS


def _starts_label(pair: Pair, column: Margins, item: Marker | None) -> bool:
    """One of several lines that begin with a label: the one above does too, or is a short item."""
    upper, lower = pair.upper, pair.lower
    if not is_labelled(lower) or upper.text.endswith(","):
        return False
    room = column.right - column.ends(upper)[1] > lower.words[0].box.width + 0.5 * lower.size
    valued = not lower.text.endswith(COLONS)  # "Also remember:" goes on about the item, and introduces others
    return is_labelled(upper) or (item is not None and room and valued)


def _is_run_in(pair: Pair) -> bool:
    """After a sentence, a line that begins with a heading of its own in bold: "Theorem 1.", "Decoder:"."""
    upper, lower = pair.upper, pair.lower
    if not upper.text.endswith(STOPS) or upper.words[-1].bold or not lower.words[0].bold:
        return False
    bold = " ".join(word.text for word in takewhile(lambda word: word.bold, lower.words))
    return bold[0].isupper() and (bold[-1].isdecimal() or bold.endswith((*COLONS, ".")))


def _leaves_item(pair: Pair, column: Margins, group: Sequence[Line], item: Marker) -> bool:
    """After a list item whose lines hang under its text, a line out at the marker's margin is a new paragraph. One
    between both margins goes on with an item whose first line is indented; one farther out goes on with an item that
    left no room for its first word."""
    em = pair.lower.size
    introduces = pair.upper.text.endswith(GOES_ON)
    titled = len(group) == 1 and pair.lower.text[0].isupper()  # the title of an item, over its text
    if (titled or is_cjk(pair.lower.text[0])) and not introduces and _is_broken_off(pair, column, group):
        return True
    ended = pair.upper.text.endswith(STOPS) and pair.lower.text[:1].isupper()
    indented = pair.lower.start - pair.upper.start > INDENT * em
    if ended and (_is_broken_off(pair, column, group) or (len(group) > 1 and (indented or _is_set_off(pair)))):
        return True
    if item.words <= item.start or pair.lower.start > item.words - 0.5 * em:
        return False  # Chinese and Japanese set no space behind a marker: nothing says where the text hangs
    hangs = len(group) > 1 and abs(pair.upper.start - item.words) < 0.5 * em
    between = pair.lower.start > item.start + INDENT * em
    room = column.right - column.ends(pair.upper)[1] - pair.lower.words[0].box.width
    if pair.lower.start < item.start - INDENT * em and (room > ROOM * em or _is_over_justified(pair, column)):
        return True
    return hangs or (pair.upper.text.endswith(TEXT_END) and not between)


def _is_set_off(pair: Pair) -> bool:
    """Return whether a line begins beside the margin of the one above and farther under it than others: it is indented
    alike by chance."""
    beside = abs(pair.lower.start - pair.upper.start) > BESIDE * pair.lower.size
    return pair.noise < MEASURED and beside and pair.distance > SET_OFF * pair.leading


def _is_over_justified(pair: Pair, column: Margins) -> bool:
    """A short line in the middle of its column, in which most lines end at the margin: the heading of the text under
    it."""
    (start, end), em = column.ends(pair.upper), pair.upper.size
    centred = abs(start + end - column.left - column.right) < 2 * CENTRED * em
    return centred and start - column.left > INSET * em and 2 * column.full > column.lines


def _starts_paragraph(pair: Pair, column: Margins, group: Sequence[Line]) -> bool:
    left, right = column.left, column.right
    upper, lower, em = pair.upper, pair.lower, pair.lower.size
    if len(group) == 1 and pair.noise < MEASURED and _is_name_over(upper, lower, column):
        return True
    if column.lines < 3:
        return False
    (over, end), (start, stop) = column.ends(upper), column.ends(lower)
    first, second = (column.ends(line)[0] for line in (group[0], group[min(1, len(group) - 1)]))
    centred = abs(lower.box.center[0] - upper.box.center[0]) < CENTRED * em
    indented = INDENT * em < start - left < FURTHEST * em and over - left < 0.4 * em and not centred
    hanging = second - first > INDENT * em and not (centred and runs_on(upper, lower))
    ended = upper.text.endswith(TEXT_END) and not upper.text.endswith(QUOTED_COMMA)
    if indented and len(group) == 1 and (not ended or _is_in_address(pair)):
        return False  # the second line of a hanging paragraph
    twice = INDENT * em < over - left < QUOTED * em and abs(start - over) < 0.2 * em and stop > right - em
    if indented or (twice and not centred and len(group) == 1 and upper.text.endswith(STOPS)):
        return True
    if hanging:
        return start < second - INDENT * em
    short = end < right - max(6 * em, 0.25 * (right - left))
    sentence = short and upper.text.endswith(TEXT_END) and not lower.text[:1].islower()
    return sentence or (not centred and _moves(pair, column, group)) or _is_broken_off(pair, column, group)


def _moves(pair: Pair, column: Margins, group: Sequence[Line]) -> bool:
    """After a sentence, a line that begins anew beside the margin of the lines over it, but for their first: a
    quotation, or the text that goes on after one."""
    starts, em = [column.ends(line)[0] for line in (group[1:] if len(group) > 2 else group)], pair.lower.size
    away = abs(column.ends(pair.lower)[0] - starts[-1])
    flush = len(starts) > 1 and max(starts) - min(starts) < BESIDE * em
    anew = pair.upper.text.endswith(STOPS) and not pair.lower.text[:1].islower()
    return flush and anew and SET_IN * em < away < FURTHEST * em


def _is_in_address(pair: Pair) -> bool:
    """Return whether an address in typewriter type goes on from one line to the other."""
    typed = pair.upper.words[-1].mono and pair.lower.words[0].mono
    return typed and ADDRESS.search(pair.upper.text) is not None


def _is_name_over(upper: Line, lower: Line, column: Margins) -> bool:
    """A line far in that had room for the next word before the end of the line under it: who speaks in a play, and no
    first line of a paragraph."""
    (over, end), (start, stop) = column.ends(upper), column.ends(lower)
    centred = abs(lower.box.center[0] - upper.box.center[0]) < CENTRED * lower.size
    room = stop - end > lower.words[0].box.width + lower.size
    return over - start > QUOTED * lower.size and room and not centred


def _is_broken_off(pair: Pair, column: Margins, group: Sequence[Line]) -> bool:
    """The writer ended the line: the word below would have had room on it, and no margin of its own stops it there."""
    upper, lower, em = pair.upper, pair.lower, pair.lower.size
    east = is_cjk(upper.text[-1]) and is_cjk(lower.text[0])
    known = column.full > 1  # else one line alone says how far lines may reach
    if CAPTION.match(group[0].text):
        return False  # its label may have a line of its own
    end = column.ends(upper)[1]
    spare, width = column.right - end, column.right - column.left
    half = HALF * width
    others = (*group[:-1], lower) if end - column.left > NARROW * width else ()  # short answers end alike by chance
    margin = any(abs(column.ends(line)[1] - end) < 0.5 * em for line in others)
    if east:
        return spare > (max(BARE * em, _bracketed(lower)) if known else half) and not margin
    goes_on = lower.text[:1].islower() or lower.text.startswith("(")
    if goes_on and not upper.text.endswith(TEXT_END):
        return False
    spare -= _unbroken(lower.words)
    return spare > max(ROOM * em, SPARE * width if known else half) and not margin


def _bracketed(line: Line) -> float:
    """Return the width of a bracket with the Latin word in it that a Chinese line begins with; 0 for any other line."""
    latin = line.text[0] in OPENING and not is_cjk(line.text[1:2] or line.text)
    return first_width(line.words) if latin else 0.0


def _unbroken(words: Sequence[Word]) -> float:
    """Return the width of what a line begins with and may not be broken: a word, names in code, or a formula, which
    browsers set as a whole."""

    def is_of_formula(word: Word) -> bool:
        return word.math or not any(map(str.isalpha, word.text))

    code = list(takewhile(lambda word: word.mono, words))
    formula = list(takewhile(is_of_formula, words)) if words[0].math else []
    parts = code or formula or words[:1]
    return abs(parts[-1].box.x1 - parts[0].box.x0)
