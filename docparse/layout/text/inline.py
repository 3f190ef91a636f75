"""Running text: lines joined into spans, words mended over line ends, inline mathematics as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

import msgspec
import numpy as np

from docparse.hyphenation import ADDRESS, CJK, is_korean, seam
from docparse.layout.chained import chained
from docparse.layout.code.listing import as_typed, is_code
from docparse.layout.document.hyphens import SOFT, are_names
from docparse.layout.formula.atoms import SCRIPT_SIZE, Atom, atoms_of, scripts_of
from docparse.layout.formula.evidence import is_prose, is_strong
from docparse.layout.formula.latex import latex_of
from docparse.layout.formula.runs import ORDINALS, ends_open, runs_of
from docparse.layout.formula.symbols import glue, is_known, latex, symbol
from docparse.layout.geometry import level_strokes
from docparse.layout.text.lines import Line
from docparse.layout.text.markers import ICON
from docparse.layout.text.words import Word
from docparse.pdf.content import NO_STROKES
from docparse.types import Span, Spans

NOTHING: Mapping[int, str] = {}
FIGURE = re.compile(  # in Chinese text no code, as typewriter type is common there; addresses, ports and operators are
    r"(?:[A-H][.、]\s?)?(?:[~-]?(?!(?:\d+\.){2})\d{1,3}(?:[.,:%/~\s-]+\d{1,3})*[.,:%/~-]*|\(\s+\)|[.,:;?!])?[_\s]*"
)
BLANK = re.compile(r"__[_\s]*")
BRACES = frozenset("{},")
GENITIVE = re.compile(r"['’]s(?![\w'’])")
NAMES = 0.8  # of the characters of a text may be monospaced: where more are, nothing stands out


@dataclass(frozen=True)
class _Text:
    """Facts that all lines of a text say of each.

    `math` says that a word in them is surely mathematics, `mixed` that some words are code and some are not, `names`
    that the first are names and commands in other text, `own` that most letters in italics are in a font of formulas.
    `lettered` and `rulings` are those of `spans_of`.
    """

    math: bool
    names: bool
    mixed: bool
    own: bool
    lettered: bool
    rulings: np.ndarray


def spans_of(
    lines: Sequence[Sequence[Word]] | Sequence[Line],
    scripts: bool = True,
    rulings: np.ndarray = NO_STROKES,
    divided: str = "",
    ended: Mapping[int, str] = NOTHING,
    lettered: bool = False,
) -> Spans:
    """Return words of consecutive lines (each in logical order) as running text.

    A hyphen at a line end becomes `divided` where the next line goes on in lower case; `ended` has what stands behind
    lines, by index, that end there. Mathematics becomes LaTeX: the run of symbols `x`, a raised `2`, `+`, `1` gives the
    math span `x^{2} + 1`. With `scripts` false nothing does: for words whose sizes and baselines are noisy. `lettered`
    says that there are formulas around, so that letters alone in italics are variables. `rulings` (float32 [n, 4]) are
    strokes of inline roots and fractions.
    """
    shown = (_without_icons(line.words if isinstance(line, Line) else line) for line in lines)
    rows = [_with_plain_addresses(row) for row in shown if row]
    text = _text_of(rows, rulings, scripts=scripts, lettered=lettered)
    spans: list[Span] = []
    last = ""
    unclosed = None  # brackets of the formula within which the line before ends
    for number, row in enumerate(rows):
        lead = ended.get(number - 1, "")
        if last and not lead:
            typed = text.mixed and is_code(rows[number - 1][-1]) and is_code(row[0])
            lead = _joint(spans, last, row[0], divided, typed=typed)
        leads = [lead, *("" if word.glued else " " for word in row[1:])]
        if scripts and _may_hold_math(row, text.math):
            found, unclosed = _with_math(leads, row, text, unclosed)
            spans += found
        else:
            unclosed = None
            spans += _plain(leads, row, text.names)
        last = _ending(row, "" if lead else last)
    return _merge(spans)


def _text_of(rows: Sequence[Sequence[Word]], rulings: np.ndarray, *, scripts: bool, lettered: bool) -> _Text:
    words = [word for row in rows for word in row]
    letters = [word.math for word in words if _is_letter(word)]
    return _Text(
        math=scripts and any(map(is_strong, words)),
        names=_has_names(words),
        mixed=len(set(map(is_code, words))) > 1,
        own=any(letters) and 2 * sum(letters) >= len(letters),
        lettered=lettered,
        rulings=rulings,
    )


def _joint(spans: list[Span], last: str, word: Word, divided: str, *, typed: bool) -> str:
    """Return what stands between a line that ends with the word `last` and the first word of the next one. Where a
    hyphen divides both, `divided` takes its place at the end of the `spans`."""
    if word.glued and is_korean(word.text[0]):
        return ""
    lead, cut = seam(last, word.text, typed=typed)
    cut |= divided == SOFT and _parts_name(last, word.text)  # the document may have it without
    said = [span for span in spans[-3:] if span.text]
    after_math = len(said) > 1 and said[-2].math and len(said[-1].text) == 1
    if cut and not spans[-1].math and not after_math:  # the hyphen of "$d$-dimensional" stays
        mark = "" if last.endswith(SOFT) else divided
        spans[-1] = msgspec.structs.replace(spans[-1], text=spans[-1].text[:-1] + mark)
    return lead


def _parts_name(before: str, after: str) -> bool:
    """Return whether a hyphen at the end of a line stands between two parts of a name, "Trace-" and "Monkey", or of a
    word in capitals, "RA-" and "DOS"."""
    return before[-1:] in ("-", "\u2010") and are_names(before[:-1], "".join(takewhile(str.isalpha, after)))


def _without_icons(row: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a line but for its icons, whose place before the next word is then a space, if it was one."""
    kept: list[Word] = []
    glued = True
    for word in row:
        if ICON.fullmatch(word.text):
            glued &= word.glued
        else:
            kept.append(word if glued or not word.glued else msgspec.structs.replace(word, glued=False))
            glued = True
    return tuple(kept)


def _with_plain_addresses(row: Sequence[Word]) -> Sequence[Word]:
    """The words of a line, those of mail addresses none of a monospaced font where the braces around names at one place
    are of another one."""
    if not any("@" in word.text for word in row):
        return row
    addresses = [run for run in chained(row, lambda _, word: word.glued) if any("@" in word.text for word in run)]
    mixed = {id(word) for run in addresses if _has_other_braces(run) for word in run}
    return tuple(msgspec.structs.replace(word, mono=False) if id(word) in mixed else word for word in row)


def _has_other_braces(address: Sequence[Word]) -> bool:
    """Return whether before the "@" braces alone are of a monospaced font, or all but these."""
    names = list(takewhile(lambda word: "@" not in word.text, address))
    kinds = ({char for word in names if word.mono == mono for char in word.text} for mono in (True, False))
    return any("}" in kind and kind <= BRACES for kind in kinds)


def _is_letter(word: Word) -> bool:
    """Return whether it is a letter in italics, in a font of formulas or of text."""
    letter = word.text.isascii() and word.text[0].isalpha() and (word.math or len(word.text) == 1)
    return letter and word.italic and symbol(word.text[0], word.font) == word.text[0]


def _ending(row: Sequence[Word], before: str) -> str:
    """The last word of a line as it is printed, of which a change of style or a gap may have made several. A line may
    be the middle of an address: `before` is the word that it goes on, if any."""
    start = next((k for k in range(len(row) - 1, 0, -1) if not row[k].glued), 0)
    ending = "".join(word.text for word in row[start:])
    return before + ending if start == 0 and ADDRESS.search(before) else ending


def _has_names(words: Sequence[Word]) -> bool:
    """Return whether monospaced words are names and commands in other text; where all are, they are only typewritten.
    Chinese and Japanese type is of one width in any font."""
    told = [word for word in words if not (is_code(word) and CJK.search(word.text))]
    mono = sum(len(word.text) for word in told if is_code(word))
    return 0 < mono < NAMES * sum(len(word.text) for word in told)


def _may_hold_math(row: Sequence[Word], context: bool) -> bool:
    if any(word.confidence < 1 for word in row):
        return False
    return context or len({(word.size, word.baseline) for word in row}) > 1 or any(w.italic for w in row)


def _plain(leads: Sequence[str], row: Sequence[Word], names: bool) -> list[Span]:
    """Words without mathematics, those of one style as one span, and between them the spaces."""
    spans = []
    eastern = names and any(CJK.search(word.text) for word in row)
    styles = [(word.bold, word.italic and not word.math, names and _is_name(word), word.latex) for word in row]
    for (bold, italic, code, formula), (first, *rest) in groupby(range(len(row)), styles.__getitem__):
        text = row[first].text + "".join([leads[k] + row[k].text for k in rest])
        named = code and not (FIGURE if eastern else BLANK).fullmatch(text)
        said = as_typed(text) if named else text
        styled = Span(formula, math=True) if formula else Span(said, bold=bold, italic=italic, code=named)
        spans += [Span(leads[first]), styled]
    return spans


def _is_name(word: Word) -> bool:
    """Return whether it is a name or a command in a monospaced font; a sign such as € may come from any font at
    hand."""
    signs = word.text.isascii() and word.text not in ",;"
    return is_code(word) and (signs or any(char.isalnum() for char in word.text))


def _with_math(
    leads: Sequence[str], row: Sequence[Word], text: _Text, unclosed: int | None
) -> tuple[list[Span], int | None]:
    """One line as spans: formulas as LaTeX, scripts of prose words by themselves, the rest as it is. Also how many
    brackets are open where it ends within a formula, else None, as `unclosed` says of the line before."""
    size = Line(tuple(row)).size
    prose = [word for word in row if is_prose(word) and word.size >= SCRIPT_SIZE * size] or row
    main = Line(tuple(word for word in prose if word.size >= SCRIPT_SIZE * max(w.size for w in prose))).main
    scripts, strokes = scripts_of(row, main.size, main.baseline), _strokes(row, text.rulings)
    variables = any(len(word.text) == 1 and word.italic for word in row)
    if not (text.math or any(scripts) or variables or strokes):
        return _plain(leads, row, text.names), None
    atoms = atoms_of(leads, row, scripts, text.own)
    spans: list[Span] = []
    at, left = 0, None
    for start, end in runs_of(atoms, text.math, strokes, unclosed, text.lettered):
        run = atoms[start:end]
        spans += _prose(atoms[at:start], text.names)
        found = latex_of([atom.word for atom in run], text.rulings)
        goes_on = unclosed is not None and start == 0 and found
        spans.append(Span(" ", math=True) if goes_on else Span(run[0].lead))
        spans += [Span(found, math=True)] if found else _prose(run, text.names)[1:]
        if found and end == len(atoms) and ends_open(run):
            left = max(0, (unclosed or 0) * (start == 0) + sum(atom.depth for atom in run))
        last = max((atom.word for atom in run), key=lambda word: word.box.x1)
        if end < len(atoms) and _closes_up(last, atoms[end].word):
            atoms[end] = replace(atoms[end], lead="")
        at = end
    return spans + _prose(atoms[at:], text.names), left


def _strokes(row: Sequence[Word], rulings: np.ndarray) -> list[list[float]]:
    """Horizontal strokes within a line's height."""
    if len(rulings) == 0:
        return []
    top, bottom = min(word.box.y0 for word in row), max(word.box.y1 for word in row)
    flat = level_strokes(rulings)
    return flat[(flat[:, 1] > top) & (flat[:, 3] < bottom)].tolist()


def _closes_up(last: Word, word: Word) -> bool:
    """Punctuation or a genitive's end after a formula: the slant of a letter or a subscript makes it look spaced."""
    closes = word.text[:1] in ",.;:!?)]" or GENITIVE.match(word.text) is not None
    return closes and word.box.x0 - last.box.x1 < 0.25 * word.size


def _prose(atoms: Sequence[Atom], names: bool) -> list[Span]:
    """Words that are no formula; their scripts (footnote marks, H₂O) stand alone as math spans."""
    spans: list[Span] = []
    at = 0
    for run in chained(atoms, lambda run, atom: run[0].script != "" and atom.script == run[0].script and not atom.lead):
        first, text, words = run[0], "".join(atom.text for atom in run), [atom.word for atom in run]
        if first.script and all(map(is_known, text)) and not _is_raised_text(atoms, at, at + len(run)):
            inner = latex_of(words) or latex(text)
            spans += [Span(first.lead), Span(f"{first.script}{{{inner}}}", math=True)]
        else:
            leads = [atom.lead for atom in run]
            if at and _ends_mark(atoms[at - 1], first):
                leads[0] = ""
            spans += _plain(leads, words, names)
        at += len(run)
    return spans


def _ends_mark(mark: Atom, atom: Atom) -> bool:
    """Return whether punctuation closely follows a script; French has a space before others, such as : and ;."""
    return mark.script != "" and atom.text[:1] in ",.)]" and _closes_up(mark.word, atom.word)


def _is_raised_text(atoms: Sequence[Atom], start: int, end: int) -> bool:
    """Return whether what is raised or lowered is text and no script: a word or a leader's dots set apart, the end of
    an ordinal (2nd), a letter within a word (the A of LaTeX, the E of TeX), the signs of C++."""
    script = atoms[start]
    text = "".join(atom.text for atom in atoms[start:end])
    if script.lead or start == 0:
        word = text.rstrip(".…,;:")
        letters = sum(map(str.isalpha, word))
        return not word or letters > 3 or letters == len(word) > 1
    before, behind = atoms[start - 1].text, atoms[end] if end < len(atoms) else None
    if script.script == "^" and before[-1:].isdigit():
        return text in ORDINALS
    if script.script == "^" and before == "C":
        return text == "++"
    within = behind is not None and not behind.lead and behind.text.lstrip(")")[:1].isupper() and before[-1:].isupper()
    return within and text.isupper()


def _merge(spans: Sequence[Span]) -> Spans:
    """Neighbours of one style as one span; spaces take the style of both sides, and commas in code are code; scripts
    join their math span."""
    merged: list[Span] = []
    for span in spans:
        if not span.text:
            continue
        last = merged[-1] if merged else None
        if last and last.math and span.math:
            merged[-1] = Span(glue(last.text, span.text), math=True)
        elif last and not last.math and not span.math and (_style(last) == _style(span) or not span.text.strip()):
            style = span if not last.text.strip() else last
            merged[-1] = Span(last.text + span.text, bold=style.bold, italic=style.italic, code=style.code)
        elif span.code and last and last.text in (",", ";") and [*map(_style, merged[-2:-1])] == [_style(span)]:
            merged[-2:] = [msgspec.structs.replace(span, text=merged[-2].text + last.text + span.text)]
        else:
            merged.append(span)
    return tuple(merged)


def _style(span: Span) -> tuple[bool, bool, bool]:
    return span.bold, span.italic, span.code
