"""Which words of a line are inline mathematics: maximal runs of symbols, scripts and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docparse.layout.formula.find import NOT_MATH, SMALL_WORDS
from docparse.layout.formula.symbols import BARS, BIG, BINARY, CLOSING, FUNCTIONS, LIMITS, NAMES, OPENING, RELATIONS
from docparse.layout.words import Word
from docparse.types import Box

RAISED = 0.15  # em of the line: a baseline this far above (0.05 below) the line's is a superscript (subscript)
SMALL = 0.9  # a script is set smaller than its line
THIN = 0.3  # em: a space inside a formula is narrower than one between words, or stands beside an operator
OPERATORS = frozenset([*RELATIONS, *BINARY, *BIG, "/", "-", "*", "√"]) - set("·•")
PROSE_FONTS = re.compile(r"symbol|wingding|dingbat|mathematicalpi|universal", re.I)  # used for bullets, β and ± in text
_ATOMS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+[\u0300-\u036f]*|\.\.\.|[^\w\s][\u0300-\u036f\u20d7]*|.", re.DOTALL)

_APPLIED = re.compile(r"[^\W\d_]{1,2}\([^\W\d_](?:,[^\W\d_])*\)")


@dataclass(frozen=True)
class Atom:
    """A word, or a piece of one that may be mathematics. `script` is "^", "_" or "" (on the line)."""

    word: Word
    script: str
    lead: str  # the space before it
    prose: bool


def scripts_of(words: Sequence[Word], size: float, baseline: float) -> list[str]:
    """For each word "" (on the line), "^" or "_", judged by size and baseline against the line's main style."""
    scripts: list[str] = []
    for word in words:
        rise = (baseline - word.baseline) / size
        small = word.size < SMALL * size
        nested = small and bool(scripts) and scripts[-1] != "" and word.glued and abs(rise) > 0.02
        script = "^" if small and rise > RAISED else "_" if small and rise < -0.05 else ""
        scripts.append(script or (scripts[-1] if nested else ""))
    return scripts


def atoms_of(leads: Sequence[str], words: Sequence[Word], scripts: Sequence[str]) -> list[Atom]:
    """Words cut into symbols where they hold no running text."""
    atoms: list[Atom] = []
    for lead, word, script in zip(leads, words, scripts, strict=True):
        if not script and _holds_prose(word):
            atoms.append(Atom(word, script, lead, True))
            continue
        pieces = [word.text] if word.text.isalnum() else [m.group() for m in _ATOMS.finditer(word.text)]
        step, at = word.box.width / max(1, len(word.text)), word.box.x0
        for k, piece in enumerate(pieces):
            box = Box(at, word.box.y0, at + step * len(piece), word.box.y1)
            at = box.x1
            part = word if len(pieces) == 1 else cut(word, piece, box, glued=word.glued or k > 0)
            atoms.append(Atom(part, script, lead if k == 0 else "", False))
    return atoms


def cut(word: Word, text: str, box: Box, glued: bool) -> Word:
    return Word(**{n: getattr(word, n) for n in Word.__struct_fields__} | {"text": text, "box": box, "glued": glued})


def _holds_prose(word: Word) -> bool:
    """Letters that are neither variables nor a function's name."""
    if word.math and not PROSE_FONTS.search(word.font):
        return False
    for run in re.findall(r"[^\W\d_]+", word.text):
        variables = word.italic and len(run) <= 3 and run.lower() not in SMALL_WORDS
        if not (len(run) == 1 or variables or run in FUNCTIONS or run in LIMITS or run in NAMES):
            return True
    return False


def is_strong(word: Word) -> bool:
    """Set in a font that only mathematics has, and not one of the ornaments such fonts lend to prose."""
    if not word.math or PROSE_FONTS.search(word.font):
        return False
    return any(char not in NOT_MATH and char not in ".,;:" for char in word.text)


def runs_of(atoms: Sequence[Atom], context: bool, strokes: Sequence[Sequence[float]] = ()) -> list[tuple[int, int]]:
    """Half-open index ranges of `atoms` that are formulas; `context` says that the text around uses mathematics.

    `strokes` are horizontal lines (x0, y0, x1, y1): the bars of fractions.
    """
    italic = _is_italic_prose(atoms)
    runs, start = [], 0
    while start < len(atoms):
        if atoms[start].prose:
            start += 1
            continue
        end = start + 1
        while end < len(atoms) and not atoms[end].prose and _joins(atoms, start, end):
            end += 1
        trimmed = _trimmed(atoms, start, end)
        barred = any(_is_barred(atoms[start:end], stroke) for stroke in strokes)
        if trimmed[0] < trimmed[1] and (barred or _is_anchored(atoms, *trimmed, context, italic)):
            runs.append(trimmed)
        start = end
    return runs


def _is_barred(run: Sequence[Atom], stroke: Sequence[float]) -> bool:
    """A fraction: something over the stroke and something under it."""
    x0, top, x1, bottom = stroke
    within = [atom.word.baseline for atom in run if x0 - 1 < atom.word.box.center[0] < x1 + 1]
    em = max(atom.word.size for atom in run)
    over = any(0 < top - baseline < 0.6 * em for baseline in within)
    return over and any(0.3 * em < baseline - bottom < 1.6 * em for baseline in within)


def _is_italic_prose(atoms: Sequence[Atom]) -> bool:
    prose = [atom for atom in atoms if atom.prose]
    return 2 * sum(atom.word.italic for atom in prose) > len(prose)


def _joins(atoms: Sequence[Atom], start: int, k: int) -> bool:  # noqa: PLR0911
    """Whether atom `k` goes on the formula that ends before it."""
    before, this = atoms[k - 1], atoms[k]
    if this.script:
        return True
    end = max(atom.word.box.x1 for atom in atoms[start:k]) if before.script else before.word.box.x1
    gap = this.word.box.x0 - end  # limits are narrower than their operator
    em = max(before.word.size, this.word.size)
    if not this.lead and gap < THIN * em:
        return True
    left, right = before.word.text, this.word.text
    if left in "," and not before.script:
        inside = _depth(atoms[start:k]) > 0
        dots = any(a.word.text in ("…", "⋯", "...") for a in atoms[max(start, k - 3) : k + 2])
        return inside or dots
    if left[-1:] in ".;:?!" and not before.script and not (left == ":" and is_strong(this.word)):
        return False
    if ":" in (left, right):
        return (right == ":" or (k - start > 1 and bool(this.lead) and bool(before.lead))) and gap < 0.45 * em
    if _is_operator(right) or right[:1] in CLOSING or right in BARS:
        return gap < 1.5 * em
    if _is_operator(left) or left[-1:] in OPENING or left in BARS:
        return gap < 1.5 * em
    if right in ("…", "⋯", "...", ","):
        return True
    name = left in FUNCTIONS or left in LIMITS or right in FUNCTIONS
    strong = is_strong(before.word) or is_strong(this.word) or before.script
    return gap < (THIN if strong or name else 0.2) * em and bool(strong or name)


def _is_operator(text: str) -> bool:
    return text in OPERATORS or (len(text) > 1 and not text.isalnum() and all(c in OPERATORS for c in text))


def _depth(atoms: Sequence[Atom]) -> int:
    depth = 0
    for atom in atoms:
        depth += (atom.word.text in OPENING) - (atom.word.text in CLOSING)
    return depth


def _trimmed(atoms: Sequence[Atom], start: int, end: int) -> tuple[int, int]:
    """Without punctuation at the ends and without brackets that the run does not balance."""
    while start < end:
        first, last = atoms[start].word, atoms[end - 1].word
        depth = _depth(atoms[start:end])
        script = atoms[end - 1].script
        if (not script and (last.text in ".,;:?!’”'\"-–—" or (last.text in NOT_MATH and not last.text.isascii()))) or (
            not script
            and (
                (last.text in CLOSING and depth < 0) or (last.text in OPENING) or (last.text == "/" and not last.glued)
            )
        ):
            end -= 1
        elif not atoms[start].script and (
            first.text in ".,;:?!‘“'\"/–—" or (first.text in OPENING and depth > 0) or first.text in CLOSING
            or (first.text in NOT_MATH and first.text != "-")
        ):  # fmt: skip
            start += 1
        elif (
            not script
            and first.text in OPENING
            and _closes(atoms, start, end) == end - 1
            and not atoms[start].word.math
        ):
            if is_strong(first) or end - start > 3:
                break
            start, end = start + 1, end - 1
        else:
            break
    return start, end


def _closes(atoms: Sequence[Atom], start: int, end: int) -> int:
    """Where the bracket at `start` closes."""
    depth = 0
    for k in range(start, end):
        depth += (atoms[k].word.text in OPENING) - (atoms[k].word.text in CLOSING)
        if depth == 0:
            return k
    return -1


def _is_function(run: Sequence[Atom]) -> bool:
    """A letter applied to variables: an italic `c(x, y)`, a Greek one too."""
    letters = [atom.word for atom in run if atom.word.text.isalpha()]
    applied = _APPLIED.fullmatch("".join(atom.word.text for atom in run if not atom.script))
    return applied is not None and all(word.italic or word.math for word in letters)


def _is_anchored(atoms: Sequence[Atom], start: int, end: int, context: bool, italic: bool) -> bool:
    """Something in the run is surely mathematics."""
    run = atoms[start:end]
    if any(is_strong(atom.word) for atom in run):
        return any(atom.word.text not in OPENING and atom.word.text not in CLOSING for atom in run)
    for before, atom in pairwise(run):
        base = before.word
        variable = len(base.text) == 1 and base.text.isalpha() and base.italic
        if (
            atom.script
            and not before.script
            and (variable or base.text[-1:].isdigit() or base.text in NAMES | FUNCTIONS)
        ):
            return True
    letters = [
        a.word for a in run if len(a.word.text) <= 2 and a.word.text.isalpha() and a.word.italic and not a.script
    ]
    if not letters:
        return False
    if any(_is_operator(a.word.text) and a.word.text not in "/-" for a in run) or _is_function(run):
        return True
    if not context or len(run) > 1 + 2 * any(a.word.text in OPENING for a in run):
        return context and any(a.word.text in OPENING for a in run) and run[0].word.text not in OPENING
    return len(letters[0].text) == 1 and not (italic and letters[0].text in "aAIyeouàO")
