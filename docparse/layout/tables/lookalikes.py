"""What looks like a table and is none: prose, a list, contents, code, a formula, an index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from docparse.hyphenation import HAN
from docparse.layout.formula.evidence import TAG
from docparse.layout.formula.symbols import BARS, PIECES, RELATIONS
from docparse.layout.tables.aligned import Grid
from docparse.layout.tables.columns import Piece, are_entries, cells_in
from docparse.layout.tables.ink import Ink, room_for, segments, units
from docparse.layout.tables.rules import Rule
from docparse.layout.text.wording import INDEX_ENTRY, SENTENCE_END, names, page_of
from docparse.layout.text.words import Word
from docparse.types import BOXES, BULLETS, SIGNS, Box

MARKER = re.compile(rf"^([{re.escape(BULLETS + SIGNS + BOXES)}]|o|[\(\[]?(\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})[.)\]:])$")
BULLETED = re.compile(rf"[{re.escape(BULLETS)}]\s?\w")
DEFINITION = 4.5  # words; longer ones beside a column of terms explain them
FIGURES = 0.5  # of the cells right of the first column that are values
WRAPPED = 0.7  # of the lines of running text are full, or end a paragraph
TYPEWRITER = 0.85  # of the words of a page
EQUATED, WHITE = 2.5, 0.6  # em from the middle of a sign of equality to a matrix, and of white behind it at least
CASE = names("if when for 若 当")  # a column between a value and its condition
LIMITS, WORD = "<>", re.compile(r"[^\W\d_]{4}")  # "<3.4" is a value; names of variables and functions are short
UNKNOWN = "\ufffd"
BRACKETS, ROWS = "()[]{}", 1.8  # em: brackets around a matrix of two rows are higher
BAR, BARRED = 0.2, 3  # of the width of formulas, the bars of fractions at most, and how many of them at least
OPTION, GAPS = re.compile(r"[A-F][.．、)）]"), set("()（）。.．_[]【】")
SENTENCE = 6  # words before a gap to fill in: fewer before a box are a task in a list
SECTION, PART = re.compile(r"\d+(\.\d+)+\.?|\d+\."), re.compile(r"\d{1,2}")
TITLED = re.compile(r"(\d+(\.\d+)*|[A-Z](\.\d+)+|[ivxIVX]{1,5})[.)]?\s+[^\W\d_]")  # by the number of a section
LEADER = re.compile(r"(\.\s?){4,}|…{2,}|_{4,}")
LED = re.compile(rf"(?:[.·…]{{2}}|…|[)）{HAN}]\.)$")  # a title of which OCR has read the first dots of its leader
CLAUSE = re.compile(rf"[，。；].|[{HAN}].*[,;.] .*[{HAN}]{{2}}")  # a sentence that goes on
AMID = names("a an and as at but by for from if in is of on or than that the then to was when while with")
CUT, FEWEST_CUT, ROWS_CUT = 0.35, 4, 0.8  # of the cells behind the first of a row; of them at least; of the rows
CLAUSES = 0.25  # of the lines, and two at least: so many with sentences are none of cells without strokes between


def is_prose(ink: Ink, grid: Grid) -> bool:
    """Most cells of most columns hold many words, as the columns of a page or of a newspaper do. Between rules, figures
    and signs are no words. The arguments of a call are none either."""

    def length(piece: Piece) -> int:
        words = piece.words
        if ink.words[words[-1]].text.endswith(")"):
            words = words[: next((k for k, i in enumerate(words) if "(" in ink.words[i].text), len(words)) or 1]
        return units(ink, [i for i in words if not grid.rules or any(map(str.isalpha, ink.words[i].text))])

    columns = [cells_in(grid.pieces, k) for k in range(grid.columns.count)]
    means = [float(np.mean(list(map(length, column)))) for column in columns if column]
    if len(grid.rules) > 0 and len(means) == len(columns) > 2 and means[0] <= 3.0:
        return False  # a header rule, and labels beside the text
    wordy = sum(m > 4.5 for m in means) > 0.5 * len(means)
    return wordy or (len(means) == 2 and min(means) > 3.2)


def is_list(ink: Ink, grid: Grid) -> bool:
    """Return whether a column holds nothing but item markers, or most cells begin with one."""
    columns = [cells_in(grid.pieces, k) for k in range(grid.columns.count)]
    texts = [[ink.text(piece.words) for piece in column] for column in columns]
    if grid.columns.count > 2 and value_share(ink, grid) >= FIGURES:
        return False  # rows with numbers, and dashes for missing ones
    bulleted = (column for column in texts if column and BULLETED.match(column[0]))  # from the first line on: no head
    if any(_are_most(MARKER, column) for column in texts) or any(_are_most(BULLETED, column) for column in bulleted):
        return True
    first = [ink.words[piece.words[0]].text for column in columns for piece in column]
    return sum(bool(MARKER.match(text)) for text in first) >= max(1, 0.8 * len(first))


def _are_most(kind: re.Pattern[str], texts: Sequence[str]) -> bool:
    return len(texts) >= 2 and sum(bool(kind.match(text)) for text in texts) >= 0.6 * len(texts)


def is_choice(ink: Ink, grid: Grid) -> bool:
    """Return whether the rows are the answers to choose from, A, B, C and so on, side by side or one under the other,
    or sentences each with a gap at its end to fill in."""
    cells = [[ink.text(piece.words) for piece in row] for row in grid.pieces]
    options = sum([text[:1] for text in row] == list("ABCDEF"[: len(row)]) and len(row) > 2
                  and all(OPTION.match(text) for text in row) for row in cells)  # fmt: skip
    letters = [OPTION.match(row[0]) for row in cells]
    lettered = all(letters) and [row[0][0] for row in cells] == list("ABCDEF"[: len(cells)])
    return options > 1 or _have_gaps(ink, grid) or (lettered and _are_answers(ink, grid))


def _are_answers(ink: Ink, grid: Grid) -> bool:
    """Return whether lettered rows have no words in other columns than the first, or so many that white cuts them
    up."""
    behind = [piece.words for row in grid.pieces for piece in row[1:]]
    worded = any(ink.text(words)[:1].isalpha() for words in behind)
    long = np.mean([units(ink, words) for words in behind] or [0]) > DEFINITION
    return value_share(ink, grid) < FIGURES and bool(long or not worded)


def _have_gaps(ink: Ink, grid: Grid) -> bool:
    """Return whether rows of several cells are sentences, each with a gap at its end."""
    wide = [row for row in grid.pieces if len(row) > 1]
    behind = [ink.text(piece.words) for row in wide for piece in row[1:]]
    gaps = bool(wide) and all(not any(map(str.isalnum, text)) and set(text) & GAPS for text in behind)
    return gaps and bool(np.mean([units(ink, row[0].words) for row in wide]) >= SENTENCE)


def is_addresses(ink: Ink, grid: Grid) -> bool:
    """Return whether a row is mail addresses side by side: those of authors, under their names. The contacts of a table
    stand one under the other."""
    mails = [["@" in ink.text(piece.words) for piece in row] for row in grid.pieces]
    return any(len(row) > 1 and all(row) for row in mails) and sum(map(any, mails)) <= 2


def is_sentences(ink: Ink, grid: Grid) -> bool:
    """Return whether sentences run through the lines: about letters of other scripts, figures and blanks among Chinese
    ones stands white, and between the words of justified lines, which happens to lie over other such white."""
    through = sum(any(CLAUSE.search(ink.text(part)) for part in segments(ink, line.words)) for line in grid.lines)
    return through >= max(2, CLAUSES * len(grid.lines)) or _are_cut_up(ink, grid)


def _are_cut_up(ink: Ink, grid: Grid) -> bool:
    """Return whether cells in nearly every row begin or end amid a clause: with "of", "the" or the like."""
    rows = [[bool(AMID & {ink.words[piece.words[k]].text for k in (0, -1)}) for piece in row] for row in grid.pieces]
    behind = [cut for row in rows for cut in row[1:]]
    many = sum(behind) >= max(FEWEST_CUT, CUT * len(behind))
    return grid.columns.count > 2 and many and sum(map(any, rows)) >= ROWS_CUT * len(rows)


def is_wrapped(ink: Ink, grid: Grid) -> bool:
    """Most columns are running text, or the first of two, where labels would stand, or the first, in long lines: their
    lines break where the next word would not have fitted."""
    long = np.mean([units(ink, row[0].words) for row in grid.pieces if row[0].first == 0] or [0]) > DEFINITION
    columns = (cells_in(grid.pieces, k) for k in range(grid.columns.count))
    votes = [len(cells) >= 4 and _is_running(ink, cells) and not are_entries(ink, cells) for cells in columns]
    return sum(votes) > 0.5 * len(votes) or bool((long or len(votes) == 2) and votes[0])


def _is_running(ink: Ink, column: Sequence[Piece]) -> bool:
    """Return whether most lines of a column are full, or half of them, and most of the others end a paragraph."""
    right = max(float(ink.box[p.words, 2].max()) for p in column)
    full, ended = 0, 0
    for a, b in pairwise(column):
        is_full = units(ink, a.words) > 1 and right - float(ink.box[a.words, 2].max()) < room_for(ink, b.words[0])
        full += is_full
        ended += not is_full and ink.words[a.words[-1]].text.endswith(SENTENCE_END)
    lines = len(column) - 1
    return full > WRAPPED * lines or (2 * full > lines and full + ended > WRAPPED * lines)


def is_contents(ink: Ink, grid: Grid) -> bool:
    """Dot leaders to one number, or titles, maybe under the numbers of sections, with page numbers that only rise, and
    not by one from row to row."""
    rows = [ink.text(i for piece in row for i in piece.words) for row in grid.pieces]
    first = [ink.text(row[0].words) for row in grid.pieces]
    dots = (LEADER.search(text) or LED.search(title) for text, title in zip(rows, first, strict=True))
    led = sum(map(bool, dots)) >= 0.3 * len(rows)
    if led:
        numbered = sum(bool(TITLED.match(text)) for text in rows) >= 0.7 * len(rows)
    else:
        sections = [bool(SECTION.fullmatch(text)) for text in first]
        numbers = [section or bool(MARKER.match(text)) for section, text in zip(sections, first, strict=True)]
        if any(sections):  # then a number is that of a part
            numbers = [number or bool(PART.fullmatch(text)) for number, text in zip(numbers, first, strict=True)]
        numbered = sum(numbers) >= 0.7 * len(first)
    words = [ink.words[i] for row in grid.pieces for piece in row for i in piece.words]
    if sum(grid.columns.value[1:]) > 1 and not numbered:
        return False  # leaders from labels to figures
    if led:
        return True
    last = [ink.text(row[-1].words) for row in grid.pieces if row[-1].last == grid.columns.count - 1]
    pages = [page_of(text) for text in last if page_of(text)]
    least = 3 if all(word.bold for word in words) else 4  # chapters, set so over sections with leaders
    risen = pages[-1] - pages[0] if pages == sorted(pages) and len(pages) >= max(least, 0.8 * len(last)) else 0
    rising = risen not in (0, len(pages) - 1)
    return rising and grid.columns.count <= (4 if numbered else 3)


def is_index(ink: Ink, grid: Grid) -> bool:
    """Return whether a third of the cells of several columns, or more, are the entries of an index, which say on what
    pages a word stands."""
    columns = [cells_in(grid.pieces, k) for k in range(grid.columns.count)]
    entries = [[INDEX_ENTRY.search(ink.text(piece.words)) is not None for piece in column] for column in columns]
    return sum(3 * sum(column) >= max(1, len(column)) for column in entries) > 1


def is_code(ink: Ink, grid: Grid) -> bool:
    """Return whether it is set in type of one width, on a page that is not set so nearly throughout, as typewriters
    do."""
    words = [i for line in grid.lines for i in line.words]
    typed = sum(word.mono for word in ink.words) >= TYPEWRITER * len(ink.words)
    return sum(ink.words[i].mono for i in words) > 0.7 * len(words) and not typed


def is_formula(ink: Ink, grid: Grid) -> bool:
    """Return whether it is a matrix, behind brackets or a sign of equality, or formulas, one of them with a number."""
    words = [i for line in grid.lines for i in line.words]
    if sum(_is_around_rows(ink.words[i]) for i in words) > 1 or _is_equated(ink, ink.bounds(words)):
        return True
    if any(_is_numbered(ink, row) for row in grid.pieces) or _are_equations(ink, grid):
        return True
    bars = [ink.words[i].box for i in words if ink.words[i].math and ink.words[i].text in BARS]
    if any(abs(a.x0 - b.x0) < 0.1 * a.height and 0 < b.y0 - a.y0 < 1.1 * a.height for a in bars for b in bars):
        return True  # pieces of one tall bar
    math = sum(ink.words[i].math for i in words)
    fractions = math > 0.7 * len(words) and grid.columns.count < 3  # one behind the other, their bars as rules
    return fractions or (math > 0.4 * len(words) and len(grid.lines) < 6)


def _is_around_rows(word: Word) -> bool:
    """Return whether it is a piece of a bracket, or a bracket that is as high as two rows."""
    return word.text in PIECES or (word.math and word.text in BRACKETS and word.box.height > ROWS * word.size)


def _are_equations(ink: Ink, grid: Grid) -> bool:
    """Return whether a cell in every row begins or ends with a sign of relation, amid few words, or cases in one
    column, behind a brace or an equation, each say when they hold."""
    cells = [[ink.text(piece.words) for piece in row] for row in grid.pieces]
    return _are_cases(grid, cells) or all(map(_is_equation, cells))


def _is_equation(row: Sequence[str]) -> bool:
    words = " ".join(row).split()
    related = any(text[k] in RELATIONS and text[k] not in LIMITS for text in row for k in (0, -1))
    return related and 2 * sum(bool(WORD.search(word)) for word in words) < len(words)


def _are_cases(grid: Grid, cells: Sequence[Sequence[str]]) -> bool:
    found = [(row[k].first, "".join(texts[:k])) for row, texts in zip(grid.pieces, cells, strict=True)
             for k in range(1, len(row)) if texts[k] in CASE]  # fmt: skip
    behind = any(char in RELATIONS or char in PIECES or char == "{" for _, before in found for char in before)
    return len(found) > 1 and len({column for column, _ in found}) == 1 and behind


def has_fractions(ink: Ink, grid: Grid, bars: Sequence[Rule]) -> bool:
    """Return whether many words are mathematics and several short `bars` stand among them: equations one under the
    other."""
    words = [i for line in grid.lines for i in line.words]
    short = [bar for bar in bars if bar.length < BAR * ink.bounds(words).width]
    said = [word for i in words if (word := ink.words[i]).text != "."]  # a row of dots is a stroke
    return len(short) >= BARRED and sum(word.math for word in said) > 0.4 * len(said)


def _is_numbered(ink: Ink, row: Sequence[Piece]) -> bool:
    """Return whether a sign of relation stands in a row, and the number of an equation at its end."""
    said = "".join(ink.text(piece.words) for piece in row[:-1])
    return TAG.fullmatch(ink.text(row[-1].words)) is not None and any(char in RELATIONS for char in said)


def _is_equated(ink: Ink, box: Box) -> bool:
    """Return whether a sign of equality stands in a box or right before it, between its first row and its last, with
    white behind it: it is a matrix, of whose brackets OCR reads hardly anything, and fonts do not tell them."""
    em = float(np.median(ink.size))
    inner = Box(box.x0 - EQUATED * em, box.y0 + em, box.x1, box.y1 - em)
    signs = [word.box for word in ink.words if word.text.endswith("=") and inner.holds(*word.box.center)]
    behind = (Box(sign.x1, sign.center[1], sign.x1 + WHITE * em, sign.center[1]) for sign in signs)
    others = [word.box for word in ink.words if word.text != UNKNOWN]
    return any(not any(other.meets(white) and other.x0 >= white.x0 for other in others) for white in behind)


def value_share(ink: Ink, grid: Grid) -> float:
    """Share of the cells right of the first column, below the header, that hold only values."""
    cells = [piece.words for row in grid.pieces[grid.header_lines :] for piece in row if piece.first > 0]
    return sum(bool(ink.value[words].all()) for words in cells) / max(1, len(cells))


ALL = (is_prose, is_contents, is_code)
UNRULED = (is_formula, is_list, is_index, is_sentences, is_choice, is_addresses)
