"""A line cut into atoms: its words, and the symbols of words that may be mathematics, each on the line or a script."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

import msgspec

from docparse.hyphenation import CJK
from docparse.layout.formula.evidence import holds_prose, is_strong
from docparse.layout.formula.symbols import BIG, BINARY, CLOSING, COMPOUND, LIMITS, OPENING, RELATIONS
from docparse.layout.text.markers import CHOICE
from docparse.layout.text.wording import FUNCTIONS
from docparse.layout.text.words import Word
from docparse.types import Box

RAISED = 0.15  # em of the line: a baseline this far above (0.05 below) the line's is a superscript (subscript)
SCRIPT_SIZE = 0.9  # a script is set smaller than its line
TOUCH = 0.15  # em between a letter and its script, at most
THIN = 0.3  # em: symbols side by side
APART = 1.0  # em: so much white stands before the letter of an answer
REACH = 24  # symbols from a bracket to the one that closes it
OPERATORS = frozenset([*RELATIONS, *BINARY, *BIG, "/", "-", "*", "√", "\u0338"]) - set("·•")
_ATOMS = re.compile(
    r"\d+(?:[.,]\d+)*|[^\W\d_]+[\u0300-\u036f\u20d7]*|\.\.\.|[^\w\s][\u0300-\u036f\u20d7]*|.", re.DOTALL
)
_NAMED = re.compile(r"([(\[]*)([^\W\d_][\w-]*)([()\[\]]*[.,;:]?)")
_MINUS = "-−–"
_REACTS = frozenset("→⟶⇌⇄⇋")
_CALL = re.compile(r"[^\W\d_]{2,}[(\[][\W\d_]*")  # Unif([0, 1])


@dataclass(frozen=True)
class Atom:
    """A word, or a piece of one that may be mathematics. `script` is "^", "_" or "" (on the line)."""

    word: Word
    script: str
    lead: str  # the space before it
    prose: bool
    turned: bool = False  # a bracket of an open interval: ]0, 1[

    @property
    def text(self) -> str:
        return self.word.text

    @property
    def depth(self) -> int:
        """1 for an opening bracket, -1 for a closing one."""
        depth = (self.text in OPENING) - (self.text in CLOSING)
        return -depth if self.turned else depth

    @property
    def operates(self) -> bool:
        """Return whether it is an operator or a relation; a point between two words is one in a font of mathematics."""
        return is_operator(self.text) or (self.text == "·" and self.word.math)

    @property
    def is_variable(self) -> bool:
        return not self.script and len(self.text) <= 2 and self.text.isalpha() and self.word.italic

    @property
    def is_function(self) -> bool:
        """Return whether it is the name of one."""
        return self.text in FUNCTIONS or self.text in LIMITS

    @property
    def is_name(self) -> bool:
        """Return whether it is printed as one: Ker, Span."""
        return len(self.text) > 2 and self.text.isalpha() and not self.word.italic

    @property
    def is_compound(self) -> bool:
        """Return whether it is a chemical one within a formula."""
        return not self.prose and COMPOUND.fullmatch(self.text) is not None

    @property
    def is_vector(self) -> bool:
        return len(self.text) == 1 and self.text.isalpha() and self.word.bold


def is_operator(text: str) -> bool:
    """Return whether it is an operator, a relation, or several in a row."""
    return text in OPERATORS or (len(text) > 1 and not text.isalnum() and all(c in OPERATORS for c in text))


def scripts_of(words: Sequence[Word], size: float, baseline: float) -> list[str]:
    """Return for each word "" (on the line), "^" or "_", judged by size and baseline against the line's main style."""
    rises = [(baseline - word.baseline) / size if word.size < SCRIPT_SIZE * size else 0.0 for word in words]
    return ["^" if rise > RAISED else "_" if rise < -0.05 else "" for rise in rises]


def atoms_of(leads: Sequence[str], words: Sequence[Word], scripts: Sequence[str], own: bool) -> list[Atom]:
    """Return words cut into symbols; running text stays whole, but for the brackets around a name. `own` says that
    letters of formulas are in a font of their own: then letters in italics of another are text."""
    atoms: list[Atom] = []
    end = -math.inf
    for lead, word, script in zip(leads, words, scripts, strict=True):
        gap, end = word.box.x0 - end, word.box.x1
        # the letter of an answer: upright, with a point, and white before it
        choice = not script and CHOICE.fullmatch(word.text) and not word.italic and gap > APART * word.size
        touches = word.glued or gap < TOUCH * word.size  # scripts touch their letters, which may lean over them
        told = own and word.italic and not word.math and word.text.strip(".,;:!?").isalpha()
        prose = bool(choice) or word.latex != "" or (not (script and touches) and (told or holds_prose(word)))
        named = _NAMED.fullmatch(word.text) if prose and not choice else None
        pieces = [part for part in named.groups() if part] if named else [word.text]
        if (_CALL.fullmatch(word.text) is not None) if prose else not word.text.isalnum():
            pieces = _ATOMS.findall(word.text)
        step, at = word.box.width / max(1, len(word.text)), word.box.x0
        for k, piece in enumerate(pieces):
            box = Box(at, word.box.y0, at + step * len(piece), word.box.y1)
            at = box.x1
            glued = word.glued or k > 0
            part = word if len(pieces) == 1 else msgspec.structs.replace(word, text=piece, box=box, glued=glued)
            running = prose and (len(pieces) == 1 or piece[0].isalpha())
            atoms.append(Atom(part, script, lead if k == 0 else "", running))
    return _with_units(_with_compounds(_with_names(_with_intervals(atoms))))


def _with_intervals(atoms: list[Atom]) -> list[Atom]:
    """The same with the brackets turned that open intervals begin and end with: [0, 2π[, ]−1, 1]."""
    square = [k for k, atom in enumerate(atoms) if atom.text in ("[", "]")]
    while len(square) > 1:
        first, last = square[:2]
        pair = atoms[first].text + atoms[last].text
        found = pair != "[]" and _are_ends(atoms, first, last)
        for k in (first, last) if found else ():
            atoms[k] = replace(atoms[k], turned=(k == first) == (atoms[k].text == "]"))
        del square[: 2 if found or pair == "[]" else 1]
    return atoms


def _are_ends(atoms: Sequence[Atom], first: int, last: int) -> bool:
    """Return whether two square brackets, not of the usual kind, hold the ends of an interval."""
    inner = atoms[first + 1 : last]
    if last - first > REACH or any(atom.prose for atom in inner) or not any(atom.text in ",;" for atom in inner):
        return False
    begins = atoms[first].text == "[" or first == 0 or atoms[first].lead != "" or atoms[first - 1].operates
    rest = list(takewhile(lambda atom: not atom.prose, atoms[last:]))
    return begins and (atoms[last].text == "]" or (atoms[last].lead == "" and closing(rest, 0) < 0))


def _with_names(atoms: list[Atom]) -> list[Atom]:
    """The same with names that symbols surround no running text: EQ(f, g), C(IP), = (DoD/2)."""
    for k, atom in enumerate(atoms):
        before, behind = atoms[k - 1] if k else None, atoms[k + 1] if k + 1 < len(atoms) else None
        if not atom.prose or CJK.search(atom.text) or behind is None or behind.lead:
            continue
        if behind.depth == 0:
            named = behind.operates and before is not None and before.depth > 0 and k > 1 and atoms[k - 2].operates
        elif behind.depth > 0 and before is not None and before.operates:
            named = True
        elif behind.depth > 0:
            inside = atoms[k + 2 : max(k + 2, closing(atoms, k + 1))]
            named = any(is_strong(a.word) for a in inside) and not any(a.prose for a in inside)
        else:
            applied = atoms[k - 2] if k > 1 else None
            opens = before is not None and before.depth > 0 and not atom.lead
            named = opens and applied is not None and _applies(applied, before)
        if named:
            atoms[k] = replace(atom, prose=False)
    return atoms


def _with_units(atoms: list[Atom]) -> list[Atom]:
    """The same where min is no function, but the unit: behind a number and with a negative exponent, 450 min⁻¹."""
    for k, (number, atom, exponent) in enumerate(zip(atoms, atoms[1:], atoms[2:], strict=False), 1):
        raised = exponent.script == "^" and exponent.text[0] in _MINUS
        if atom.text == "min" and raised and number.text[-1].isdigit() and not number.script:
            atoms[k] = replace(atom, prose=True)
    return atoms


def _with_compounds(atoms: list[Atom]) -> list[Atom]:
    """The same where elements are no running text in the equation of a reaction: CaCO₃ + 2 HCl → CaCl₂ + H₂O + CO₂."""
    compounds = [k for k, atom in enumerate(atoms) if atom.prose and COMPOUND.fullmatch(atom.text)]
    counted = any(atoms[k + 1].script == "_" for k in compounds if k + 1 < len(atoms))
    if counted and any(atom.text in _REACTS for atom in atoms):
        for k in compounds:
            atoms[k] = replace(atoms[k], prose=False)
    return atoms


def _applies(function: Atom, bracket: Atom | None) -> bool:
    """Return whether a symbol stands right before a bracket."""
    strong = is_strong(function.word) or function.script != ""
    return bracket is not None and strong and gap_between(function, bracket) < THIN


def gap_between(left: Atom, right: Atom) -> float:
    """Return the space between two symbols, in em of the larger one."""
    return (right.word.box.x0 - left.word.box.x1) / max(left.word.size, right.word.size)


def closing(atoms: Sequence[Atom], start: int) -> int:
    """Return where the bracket at `start` closes; -1 where it does not."""
    depth = 0
    for k in range(start, min(len(atoms), start + REACH)):
        depth += atoms[k].depth
        if depth == 0:
            return k
    return -1
