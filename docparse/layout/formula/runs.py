"""Which atoms of a line are inline mathematics: runs of symbols and scripts around something that is surely one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from statistics import median

from docparse.hyphenation import is_cjk
from docparse.layout.formula.atoms import REACH, THIN, TOUCH, Atom, closing, gap_between, is_operator
from docparse.layout.formula.evidence import NOT_MATH, has_operator, is_strong
from docparse.layout.formula.symbols import BARS, BIG, CLOSING, OPENING, RELATIONS
from docparse.layout.text.wording import FUNCTIONS

WIDE = 1.5  # em: a symbol and an operator or bracket beside it
SPREAD = 0.5  # em: two symbols
NARROW = 0.75  # of the line's spaces between words: so wide is TeX's space after a comma, with words at their tightest
CLOSE = 0.9  # of them: what stands farther apart are two formulas, as in "depth-d AC"
COLON, STRETCHED = 0.45, 1.3  # em, or spaces between words, around the colon of f : X → Y, at most
DELIMITER = 0.12  # em that TeX leaves free on both sides of a fraction
DOTS = ("…", "⋯", "...")
LENT = ("<", ">", "|", "\\", "∖", "→")  # signs that authors take from formulas
LOGO = re.compile(r"(?:LA|BIB|XE|LUA)?TEX", re.IGNORECASE)  # with a letter raised and one lowered
ORDINALS = ("st", "nd", "rd", "th", "er", "re", "ème", "e", "o", "a")  # raised behind a number
_NOTE = re.compile(r"\[.*|\d{1,2}\)")  # the raised mark of a note: [3], 3)
_APPLIED = re.compile(r"[^\W\d_]{1,2}\([^\W\d_](?:,[^\W\d_])*\)")
_GIVEN = re.compile(r"[^\W\d_]\((?:\d+|[^\W\d_])\)|[(\[][^\W\d_](?:,(?:[^\W\d_]|\d+))+[)\]]")  # f(2), [a, b], (x, 0)


def runs_of(
    atoms: Sequence[Atom], context: bool, strokes: Sequence[Sequence[float]], unclosed: int | None, lettered: bool
) -> list[tuple[int, int]]:
    """Half-open index ranges of `atoms` that are formulas; `context` says that the text around uses mathematics.

    `strokes` are horizontal lines (x0, y0, x1, y1), the bars of fractions; `unclosed` says how many brackets
    are open in the formula within which the line before ends; `lettered` says that letters alone are variables, as the
    page has formulas.
    """
    runs = []
    for start, end in _stretches(atoms):
        barred = any(_is_barred(atoms[start:end], stroke) for stroke in strokes)
        for piece in [(start, end)] if barred else _balanced(atoms, start, end, 0 if start else unclosed or 0):
            first, last = _trimmed(atoms, *piece)
            sure = barred or (unclosed is not None and first == 0)
            if first < last and (
                sure or (_is_anchored(atoms, first, last, context, lettered) and not _is_text(atoms[first:last]))
            ):
                runs.append((first, last))
    return runs


def _stretches(atoms: Sequence[Atom]) -> Iterator[tuple[int, int]]:
    """Maximal runs without running text whose symbols stand as close as those of a formula do."""
    space = _word_space(atoms)
    start = 0
    while start < len(atoms):
        end = start + 1
        while not atoms[start].prose and end < len(atoms) and not atoms[end].prose and _joins(atoms, start, end, space):
            end += 1
        if not atoms[start].prose:
            yield start, end
        start = end


def _word_space(atoms: Sequence[Atom]) -> float:
    """The usual space between the line's words of running text, points; where there are few, a third of an em."""
    gaps = [b.word.box.x0 - a.word.box.x1 for a, b in pairwise(atoms) if a.prose and b.prose and b.lead]
    return median(gaps) if len(gaps) > 1 else max(atom.word.size for atom in atoms) / 3


def _is_barred(run: Sequence[Atom], stroke: Sequence[float]) -> bool:
    """A fraction: something over the stroke and something under it."""
    x0, top, x1, bottom = stroke
    within = [atom.word.baseline for atom in run if x0 - 1 < atom.word.box.center[0] < x1 + 1]
    em = max(atom.word.size for atom in run)
    over = any(0 < top - baseline < 0.6 * em for baseline in within)
    return over and any(0.3 * em < baseline - bottom < 1.6 * em for baseline in within)


def _joins(atoms: Sequence[Atom], start: int, k: int, space: float) -> bool:  # noqa: PLR0911
    """Return whether atom `k` goes on the formula that ends before it."""
    before, this = atoms[k - 1], atoms[k]
    if this.script:
        return True
    gap = this.word.box.x0 - max(atom.word.box.x1 for atom in atoms[start:k])  # limits are narrower than their operator
    em = max(before.word.size, this.word.size)
    gap -= DELIMITER * em if _ends_stack(atoms, start, k) else 0
    if not this.lead and gap < THIN * em:
        return True
    left, right = before.text, this.text
    if left == ",":
        inside = sum(atom.depth for atom in atoms[start:k]) > 0
        dots = any(a.text in DOTS for a in atoms[max(start, k - 3) : k + 2])
        return inside or dots or before.word.math or gap < NARROW * space
    near = gap < max(COLON * em, STRETCHED * space)
    if left in (";", ":") and _is_applied(atoms, start, k):
        return near
    factorial = left == "!" and this.operates
    if left[-1:] in ".;:?!" and not before.script and not factorial and not (left == "." and before.word.math):
        opens = is_strong(this.word) or right in OPENING or (before.lead != "" and this.is_variable)
        return left == ":" and opens and near and (before.lead != "" or gap < NARROW * space or _maps(atoms, k))
    if right == ":":
        return near
    if this.operates or right[:1] in CLOSING or right in BARS:
        return gap < WIDE * em
    if before.operates or left[-1:] in OPENING or left in BARS:
        return gap < WIDE * em
    if right in (*DOTS, ",") or (right == "." and this.word.math):
        return True
    at = next((j for j in range(k - 1, start - 1, -1) if not atoms[j].script), k - 1)
    base, limited = atoms[at], at + 1 < k and gap_between(atoms[at], atoms[at + 1]) < TOUCH
    applied = base.is_function or base.text[-1:] in BIG or (base.operates and limited) or right in FUNCTIONS
    if applied or (base.is_name and start < at):
        return True
    if is_strong(this.word) and (before.script or is_strong(before.word)):
        return gap < min(SPREAD * em, CLOSE * space)
    if left.isdigit() and (this.is_compound or this.text == "Ω"):  # a unit
        return gap < SPREAD * em
    strong = is_strong(before.word) or is_strong(this.word) or before.script != ""
    return (strong or (before.is_variable and this.is_variable)) and gap < min(THIN * em, NARROW * space)


def _ends_stack(atoms: Sequence[Atom], start: int, k: int) -> bool:
    """Return whether a small fraction, or limits, end before atom `k`: scripts one under the other."""
    if k - start < 2:
        return False
    over, under = atoms[k - 2], atoms[k - 1]
    stacked = {over.script, under.script} == {"^", "_"} and over.word.size == under.word.size
    return stacked and abs(over.word.box.center[0] - under.word.box.center[0]) < TOUCH * under.word.size


def _maps(atoms: Sequence[Atom], k: int) -> bool:
    """Return whether an arrow comes behind atom `k` before running text or punctuation does: f: X → Y."""
    ahead = takewhile(lambda atom: not atom.prose and atom.text not in ".;:", atoms[k : k + REACH])
    return any(atom.text in "→↦⟶⟼↪" for atom in ahead)


def _is_applied(atoms: Sequence[Atom], start: int, k: int) -> bool:
    """Return whether atom `k` stands within braces, or within brackets right behind a symbol."""
    _, opened = _unmatched(atoms, start, k)
    if not opened:
        return False
    at = opened[-1]
    touches = at > start and gap_between(atoms[at - 1], atoms[at]) < TOUCH  # a script, which leaves a little room
    return atoms[at].text == "{" or not atoms[at].lead or touches


def _balanced(atoms: Sequence[Atom], start: int, end: int, unclosed: int) -> Iterator[tuple[int, int]]:
    """The pieces of a run between the brackets that it does not balance. So many as are `unclosed` may close here, and
    those of a formula that goes on in the next line may open."""
    closed, opened = _unmatched(atoms, start, end)
    opened = [] if end == len(atoms) and ends_open(atoms[start:end]) else opened
    for k in [*sorted([*closed[unclosed:], *opened]), end]:
        if start < k:
            yield start, k
        start = k + 1


def _unmatched(atoms: Sequence[Atom], start: int, end: int) -> tuple[list[int], list[int]]:
    """The brackets that close and those that open without their others in a run, by index."""
    closed: list[int] = []
    opened: list[int] = []
    for k in range(start, end):
        if atoms[k].depth > 0:
            opened.append(k)
        elif atoms[k].depth < 0 and opened:
            opened.pop()
        elif atoms[k].depth < 0:
            closed.append(k)
    return closed, opened


def _trimmed(atoms: Sequence[Atom], start: int, end: int) -> tuple[int, int]:
    """Without punctuation at the ends, scripts of the word before it, and brackets of the sentence around it."""
    while start < end:
        first, last = atoms[start], atoms[end - 1]
        base = next((k for k in range(end - 1, start, -1) if not atoms[k].script), start)
        if last.script and atoms[base].text in (".", ",", ";", ":"):  # the mark of a footnote behind a sentence
            end = base
        elif not last.script and _is_punctuation(last) and not _is_factorial(atoms, start, end):
            end -= 1
        elif first.script:
            if first.lead or not start:
                break
            start += 1  # it is one of the word before it: dm⁻³
        elif (_is_punctuation(first) or first.text == "/") and first.text != "-":
            start += 1
        elif _in_brackets(atoms, start, end):
            start, end = start + 1, end - 1
        else:
            break
    return start, end


def _is_punctuation(atom: Atom) -> bool:
    text = atom.text
    ornament = text in NOT_MATH and not text.isascii()
    return text in ".,;:?!’‘”“'\"-–—" or ornament or (text == "/" and not atom.word.glued)


def _is_factorial(atoms: Sequence[Atom], start: int, end: int) -> bool:
    """`n!` within a sentence: the next word begins with a small letter, or is Chinese, which has a mark of its own."""
    behind = atoms[end].text[:1] if end < len(atoms) else ""
    goes_on = behind.islower() or (behind.isalpha() and is_cjk(behind))
    return atoms[end - 1].text == "!" and end - start > 1 and goes_on


def _in_brackets(atoms: Sequence[Atom], start: int, end: int) -> bool:
    """A short run in the brackets of the sentence: (n = 5) is no tuple, but (x, y) is one."""
    first = atoms[start]
    if first.script or first.word.math or first.depth <= 0 or closing(atoms, start) != end - 1:
        return False
    inner = atoms[start + 1 : end - 1]
    tuple_ = any(a.text == "," for a in inner) and not any(a.text in RELATIONS for a in inner)
    return first.text in "([" and not tuple_


def _is_anchored(atoms: Sequence[Atom], start: int, end: int, context: bool, lettered: bool) -> bool:
    """Something in the run is surely mathematics."""
    run = atoms[start:end]
    if any(is_strong(atom.word) and atom.depth == 0 for atom in run):
        return True
    if any(_is_scripted(atoms, k) for k in range(start + 1, end)):
        return True
    complete = not is_operator(run[0].text) and not is_operator(run[-1].text)
    operators = [a for a in run if is_operator(a.text) and a.text not in "/-"]
    vectors = operators and complete and context and any(atom.is_vector for atom in run)
    if not vectors and not any(atom.is_variable for atom in run):
        return False
    if operators and (context or (complete and not any(a.text.isalpha() and len(a.text) > 1 for a in run))):
        return True
    said = "".join(atom.text for atom in run if not atom.script)
    applied = _APPLIED.fullmatch(said) or ((context or lettered) and _GIVEN.fullmatch(said))
    if applied and all(atom.word.italic for atom in run if atom.text.isalpha()):
        return True
    return (context or lettered) and len(run) == len(run[0].text) == 1 and not _in_italics(atoms, start, end)


def _is_text(run: Sequence[Atom]) -> bool:
    """Return whether it is a logo, or all that a font of mathematics prints are signs that TeX's fonts of text lack, as
    in <p>, C:\\ and File→Open: close to upright letters, as no relation is."""
    if LOGO.fullmatch("".join(atom.text for atom in run)):
        return True
    strong = [atom for atom in run if is_strong(atom.word)]
    letters = not any(atom.script or atom.is_variable for atom in run) and not any(atom.lead for atom in run[1:])
    return bool(strong) and all(atom.text in LENT for atom in strong) and letters


def _is_scripted(atoms: Sequence[Atom], k: int) -> bool:
    """Return whether atom `k` is a script on a variable, a number or a function: ordinals (2nd) and the marks of notes
    belong to words, and what stands apart from a number to none."""
    base, script = atoms[k - 1], atoms[k]
    if not script.script or base.script:
        return False
    if base.text[-1:].isdigit():
        raised = "".join(atom.text for atom in takewhile(lambda atom: atom.script, atoms[k:]))
        in_style = base.word.italic or not script.word.italic  # letters in a formula are italic, digits never
        apart = script.lead != "" and gap_between(base, script) > TOUCH  # the number of a source in a pill
        return not (apart or (script.text in ORDINALS and in_style) or _NOTE.fullmatch(raised))
    return (len(base.text) == 1 and base.text.isalpha() and base.word.italic) or base.is_function


def _in_italics(atoms: Sequence[Atom], start: int, end: int) -> bool:
    """Beside words in italics a letter in italics is one of them."""
    near = [atoms[start - 1]] if start else []
    near += [atom for atom in atoms[end : end + 2] if atom.text not in ".,"][:1]
    return any(atom.prose and atom.word.italic for atom in near)


def ends_open(run: Sequence[Atom]) -> bool:
    """Return whether the formula goes on in the next line: it ends with an operator or a relation."""
    return not run[-1].script and is_operator(run[-1].text) and (has_operator(run[-1].word) or len(run) > 1)
