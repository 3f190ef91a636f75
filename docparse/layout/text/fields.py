"""Fields: labels that end with a colon, are bold or lean on the values beside them, as forms, invoices, letters and
résumés have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

import numpy as np

from docparse.layout.chained import chained, grouped
from docparse.layout.text.gutters import is_drawn, separators
from docparse.layout.text.lines import Line
from docparse.layout.text.side_heads import side_heads
from docparse.layout.text.stacks import BaselineRows, joined
from docparse.layout.text.wording import COLONS, count_words
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES

YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
LABEL, BOLD = 6, 3  # words of a label at most, and of one that only its type tells
ALIKE = 0.05  # share by which sizes of a bold label and its value differ
CLOSE = 1.6  # em between lines of running text, at most
AT = 0.5  # em between edges that agree
NEAR = 5.0  # em from one label to the next: a value of several lines may stand between
LEAST, MOST, WIDE = 0.3, 2.0, 0.45  # em from a label that leans on its value; in one line, wider than a space
FLUSH, RAGGED, UNLIKE = 0.2, 0.3, 0.2  # em between edges that agree, and that do not; share by which sizes differ
TAB = 12.0  # em from a label as wide as its column to the others
FAR = 20.0  # em from one such label to the next
TERMS, WITHIN = 5, 0.5  # entries of a dictionary; bold words within its lines, for each of them
DEFINED, PROSE = 3, 4  # terms under each other at least; words of what one means that is no sentence
GAP = 0.9  # em from a label to its value at least, where both are in one line


def joined_fields(lines: Sequence[Line], strokes: np.ndarray = NO_STROKES) -> list[Line]:
    """Return the lines with every label and the value on its right as one line.

    Two or more labels under each other, their values under each other too, are fields; a sentence that ends with a
    colon beside the next column of text is none, nor is a label beside one of the `strokes`, float [n, 4] in points,
    that runs down between two columns, as at the edge of a sidebar.
    """
    rows, heads = BaselineRows(lines), side_heads(lines)
    short = (i for i, line in enumerate(lines) if count_words(line.text) <= BOLD and not line.rtl)
    beside = {i: j for i in short if (j := rows.after(i)) is not None}
    leaning = _leaning(lines, beside) | _tabbed(lines, beside) | _defined(lines, beside)
    leaning = {i: j for i, j in leaning.items() if i not in heads}
    labels = [i for i, line in enumerate(lines) if _may_be_label(line) and i not in leaning and i not in heads]
    pairs = {i: j for i in labels if (j := rows.after(i)) is not None and not (_is_label(lines[j]) or lines[j].rtl)}
    down = separators(strokes, lines)
    pairs = {i: j for i, j in pairs.items() if not is_drawn(down, lines[i].box, lines[j].box, lines[i].size)}
    pairs = {i: j for i, j in pairs.items() if _is_label(lines[i]) or _is_value(lines, rows, i, j)}
    apart = {i: (lines[i], lines[j]) for i, j in pairs.items()}
    company = [*apart.values(), *filter(None, map(_parts, lines))]
    fields = [(i, pairs[i]) for i, pair in apart.items() if any(_stack(lines, pair, other) for other in company)]
    taken = {i for pair in fields for i in pair}  # a value at the right end of its column leans on the next label
    leaning = {i: j for i, j in leaning.items() if not {i, j} & taken}
    first = {id(lines[i].words[0]) for i in leaning}
    result = joined(lines, [*fields, *((i, j) for i, j in leaning.items() if i != j)])
    first |= {id(line.words[0]) for line in _terms(result)}
    return [replace(line, entry=True) if id(line.words[0]) in first else line for line in result]


def _terms(lines: Sequence[Line]) -> list[Line]:
    """The lines that begin with a word in bold, as the entries of a dictionary do: several at one margin, and far fewer
    bold words within the lines there."""
    found = []
    for column in grouped((round(line.box.x0), line) for line in lines).values():
        begun = [line for line in column if line.words[0].bold and not line.words[-1].bold and not line.rtl]
        within = sum(b.bold and a.text[-1].isalnum() > a.bold for line in column for a, b in pairwise(line.words))
        if len(begun) >= TERMS and within <= WITHIN * len(begun):
            found += begun
    return found


def _leaning(lines: Sequence[Line], short: Mapping[int, int]) -> dict[int, int]:
    """The labels, each with its value (with itself, where both are one line, as at most some are), of two or more that
    end right before one margin, at which their values begin: they begin anywhere, or are dates. `short` are lines of
    few words, by index, and what stands beside them."""
    said = [i for i in short if any(map(str.isalpha, lines[i].text)) or YEAR.search(lines[i].text)]
    beside = {i: short[i] for i in said if _leans(lines[i], lines[short[i]])}
    pairs = [(i, j, lines[i], lines[j]) for i, j in beside.items() if i not in beside.values()]
    for i, line in enumerate(lines):
        pairs += [(i, i, label, value) for label, value in _sides(line, MOST)]
    # the lines of a narrow column end at its margin, too, right before the next column
    pairs = [pair for pair in pairs if not pair[2].text[0].islower() or YEAR.search(pair[2].text)]
    rest = [line for i, line in enumerate(lines) if i not in beside]

    def has_company(i: int, j: int, pair: Sequence[Line]) -> bool:
        others = (other for k, m, *other in pairs if k != i and (i != j or k != m))
        return any(_lean_alike(rest, pair, other) for other in others)

    return {i: j for i, j, *pair in pairs if has_company(i, j, pair)}


def _tabbed(lines: Sequence[Line], beside: Mapping[int, int]) -> dict[int, int]:
    """The labels, each with its value (with itself, where both are one line), of two or more that begin at one margin,
    their values at another, where a label between them is so long that its value follows it at once."""
    apart = {i: j for i, j in beside.items() if lines[j].box.x0 - lines[i].box.x1 > GAP * lines[i].size}
    found: dict[int, int] = {}
    for k, line in enumerate(lines):
        em = line.size
        tabs = [word.box.x0 for word in line.words[1 : BOLD + 1] if not word.glued]
        level = [i for i in apart if abs(lines[i].box.x0 - line.box.x0) < FLUSH * em and lines[i].size == em]
        near = [i for i in level if abs(lines[i].baseline - line.baseline) < TAB * em]
        for tab in tabs if k not in apart and len(near) > 1 else ():
            held = [i for i in near if abs(lines[apart[i]].box.x0 - tab) < FLUSH * em]
            if len(held) == len(near):
                found |= {k: k, **{i: apart[i] for i in held}}
    return found


def _defined(lines: Sequence[Line], beside: Mapping[int, int]) -> dict[int, int]:
    """The terms, each with the line that begins what it means (with itself, where both are one line), of three or more
    that begin at one margin, and their meanings, as long as prose or ended as sentences, at another: manual pages."""
    pairs = [(i, j, lines[i], lines[j]) for i, j in beside.items()]
    for i, line in enumerate(lines):
        pairs += [(i, i, term, meaning) for term, meaning in _sides(line, TAB)]
    pairs = [pair for pair in pairs if _is_level(pair[2], pair[3])]
    found: dict[int, int] = {}
    for column in grouped(((round(t.box.x0), round(m.box.x0)), (i, j, t, m)) for i, j, t, m in pairs).values():
        ordered = sorted(column, key=lambda pair: pair[2].baseline)
        for run in chained(ordered, lambda run, pair: pair[2].baseline - run[-1][2].baseline < TAB * pair[2].size):
            said = [m.text for _, _, _, m in run]
            meant = all((count_words(t) > PROSE or t.endswith(".")) and not t[0].islower() for t in said)
            top, bottom, x = run[0][2].baseline, run[-1][2].baseline, run[0][3].box.x0
            within = [o for o in lines if top <= o.baseline <= bottom and run[0][2].box.x0 - 1 < o.box.x0 < x - 1]
            found |= {i: j for i, j, *_ in run} if meant and len(run) >= max(DEFINED, len(within)) else {}
    return found


def _is_level(term: Line, meaning: Line) -> bool:
    """Return whether white parts two lines of one size on one baseline."""
    em = term.size
    alike = abs(meaning.size - em) < ALIKE * em and abs(meaning.baseline - term.baseline) < ALIKE * em
    return alike and GAP * em < meaning.box.x0 - term.box.x1 < TAB * em


def _leans(label: Line, value: Line) -> bool:
    gap = value.box.x0 - label.box.x1
    return LEAST * value.size < gap < MOST * value.size and abs(value.size - label.size) < UNLIKE * value.size


def _sides(line: Line, widest: float) -> list[tuple[Line, Line]]:
    """Return what stands on either side of the wide spaces, up to so many em, behind the first words of a line."""
    words = line.words
    cuts = range(1, min(BOLD + 1, len(words)))
    white = ((k, words[k].box.x0 - words[k - 1].box.x1) for k in cuts if not line.rtl)
    return [(Line(words[:k]), Line(words[k:])) for k, gap in white if WIDE * line.size < gap < widest * line.size]


def _lean_alike(lines: Sequence[Line], pair: Sequence[Line], other: Sequence[Line]) -> bool:
    (upper, value), (lower, below) = sorted((pair, other), key=lambda each: each[0].baseline)
    em = upper.size
    edges = abs(upper.box.x1 - lower.box.x1) < FLUSH * em and abs(value.box.x0 - below.box.x0) < FLUSH * em
    ragged = abs(upper.box.x0 - lower.box.x0) > RAGGED * em
    dates = bool(YEAR.search(upper.text) and YEAR.search(lower.text))
    if not (edges and (ragged or dates) and 0 < lower.baseline - upper.baseline < FAR * em):
        return False
    between = (line for line in lines if upper.baseline < line.baseline < lower.baseline)
    return not any(line.box.overlap_x(upper.box) > 0 and line.box.overlap_x(value.box) <= 0 for line in between)


def is_field(line: Line) -> bool:
    """Return whether the line is a label, white space and a value."""
    parts = _parts(line)
    if line.entry or parts is None:
        return line.entry
    label, value = parts
    return value.words[0].box.x0 - label.words[-1].box.x1 > GAP * label.words[-1].size


def is_labelled(line: Line) -> bool:
    """Return whether the line begins with a capital and a few words that end with a colon, as in "Date: 5 May"."""
    return line.text[:1].isupper() and any(word.text.endswith(COLONS) for word in line.words[:LABEL])


def _may_be_label(line: Line) -> bool:
    return _is_label(line) or _is_bold(line)


def _is_bold(line: Line) -> bool:
    """A few bold words, beside which a value may stand."""
    return line.share("bold") == 1 and count_words(line.text) <= BOLD and not line.rtl


def _is_value(lines: Sequence[Line], rows: BaselineRows, i: int, j: int) -> bool:
    """Return whether one plain line stands beside a bold one of its size; a line close over or under it that has no
    label would say that it is of running text."""
    label, value = lines[i], lines[j]
    if _is_bold(value) or abs(value.size - label.size) > ALIKE * label.size:
        return False
    near = (k for k, line in enumerate(lines) if 0 < abs(line.baseline - value.baseline) < CLOSE * value.size)
    beside = (k for k in near if lines[k].box.overlap_x(value.box) > 0)
    return all((before := rows.before(k)) is not None and _is_bold(lines[before]) for k in beside)


def _is_label(line: Line) -> bool:
    return line.text.endswith(COLONS) and count_words(line.text) <= LABEL and not line.rtl


def _parts(line: Line) -> tuple[Line, Line] | None:
    """A label and the value behind it where they are one line."""
    end = _label_words(line.words)
    return None if line.rtl or end in (0, len(line.words)) else (Line(line.words[:end]), Line(line.words[end:]))


def _label_words(words: Sequence[Word]) -> int:
    """Return how many words are a label that a line begins with: up to a colon, or the bold ones; 0 where there is
    none."""
    colon = next((i for i, word in enumerate(words[:LABEL], 1) if word.text.endswith(COLONS)), 0)
    bold = sum(1 for _ in takewhile(lambda word: word.bold, words))
    return colon or (bold if bold <= BOLD else 0)


def _stack(lines: Sequence[Line], pair: tuple[Line, Line], other: tuple[Line, Line]) -> bool:
    """Return whether two labels stand near under each other, and their values too, at an edge, with no text between
    them."""
    upper, lower = sorted((pair[0], other[0]), key=lambda label: label.baseline)
    if not 0 < lower.baseline - upper.baseline < NEAR * upper.size:
        return False
    boxes = [(one.box, another.box) for one, another in zip(pair, other, strict=True)]
    if not all(min(abs(a.x0 - b.x0), abs(a.x1 - b.x1)) < AT * upper.size for a, b in boxes):
        return False
    between = (line for line in lines if upper.baseline < line.baseline < lower.baseline)
    return all(_may_be_label(line) or not line.box.overlap_x(upper.box) > 0 for line in between)
