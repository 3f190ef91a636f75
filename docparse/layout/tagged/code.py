"""Code in tagged pages: writers tag it as `Code`, as paragraphs, or not at all; the monospaced font gives it away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.chained import chained
from docparse.layout.code.any_font import code_runs
from docparse.layout.code.listing import listing_of
from docparse.layout.code.monospaced import OPTION
from docparse.layout.tagged.plan import Plan
from docparse.layout.tagged.units import Kind
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf.content import Characters
from docparse.pdf.structure import NONE, Structure

PROSE = {"P", *(f"H{level}" for level in range(1, 7))}
ONE_LINE = 0.5  # font sizes between the baselines of one line


def code_units(plan: Plan, characters: Characters) -> tuple[tuple[Kind, ...], np.ndarray]:
    """Return the kinds of the units with code among them, and int32 [n], the unit of each character.

    Lines of code that follow each other are one unit: word processors make a paragraph of every line. One that begins
    as code and goes on in Chinese or Japanese, a comment, is code under code.
    """
    known = plan.unit != NONE
    mono = np.array([font.mono for font in characters.fonts], bool)[characters.font]
    # Chinese and Japanese type is all of one width and says nothing
    east = np.fromiter(map(is_cjk, characters.text), bool, len(characters)) if mono.any() else mono
    count, typed, silent, loose = (
        np.bincount(plan.unit[known & chosen], minlength=len(plan.units)) for chosen in (True, mono, east, east & ~mono)
    )
    own = (typed == count) & (2 * silent < count)
    comment = typed + loose == count
    typewritten = own[count > 0].all()
    kinds, home = list(plan.kinds), list(range(len(plan.units)))
    read = _read_as_code(plan, characters)
    for i, kind in enumerate(plan.kinds):
        answer = typed[i] > 0 and _is_answer(plan, characters, i)
        listed = kind == "text" and own[i] and not typewritten and _is_listing(plan, characters, i)
        if (listed and not answer) or i in read:
            kinds[i] = "code"
        under = i > 0 and kinds[i - 1] == "code" and not answer and _are_lines_of_one(plan, i - 1, i)
        if under and comment[i]:
            first = plan.characters_of(i)[0]
            kinds[i] = "code" if mono[first] and not east[first] else kinds[i]
        if under and kinds[i] == "code":
            home[i] = home[i - 1]
    return tuple(kinds), np.append(home, NONE).astype(np.int32)[plan.unit]


def _read_as_code(plan: Plan, characters: Characters) -> set[int]:
    """The paragraphs, each a line or more, that read as code one after the other."""
    free = [i for i, unit in enumerate(plan.units) if plan.kinds[i] == "text" and unit.cell == NONE]
    read: set[int] = set()
    for units in chained(free, lambda units, i: i == units[-1] + 1):
        lines = [(unit, line) for unit in units for line in _lines_of(plan, characters, unit)]
        for run in code_runs([line for _, line in lines]):
            rest = {unit for i, (unit, _) in enumerate(lines) if i not in run}
            read |= {lines[i][0] for i in run} - rest
    return read


def _lines_of(plan: Plan, characters: Characters, unit: int) -> list[str]:
    """The lines of a unit, as the file has them."""
    at = np.sort(plan.characters_of(unit))
    base, size = characters.baseline[at], characters.size[at]
    new = np.flatnonzero(np.abs(np.diff(base)) > ONE_LINE * size[1:]) + 1
    return [characters.text[part[0] : part[-1] + 1] for part in np.split(at, new)]


def _is_answer(plan: Plan, characters: Characters, unit: int) -> bool:
    """Return whether a unit begins with the letter of an answer to choose."""
    first = int(plan.characters_of(unit)[0])
    return OPTION.match(characters.text, first) is not None


def _is_listing(plan: Plan, characters: Characters, unit: int) -> bool:
    """Text that is monospaced as a whole; a name in a line of its own, tagged as code within text, is none."""
    elements, block = plan.structure.elements, plan.units[unit].element
    at = np.flatnonzero(plan.unit == unit)
    if np.ptp(characters.baseline[at]) > ONE_LINE * characters.fonts[characters.font[at[0]]].size:
        return True
    owners = (plan.structure.owners[piece] for piece in np.unique(plan.piece[at]).tolist())
    within = (takewhile(lambda element: element != block, plan.structure.up(owner)) for owner in owners)
    named = any(elements[element].kind == "Code" for chain in within for element in chain)
    return not named or _is_preformatted(plan.structure, block)


def _is_preformatted(structure: Structure, block: int) -> bool:
    """Return whether a block without a type stands among paragraphs: browsers tag preformatted text so. They tag terms
    and definitions alike, which have none beside them."""
    own = structure.elements[block]
    beside = {other.kind for other in structure.elements if other.parent == own.parent}
    return own.kind in ("NonStruct", "Div") and not PROSE.isdisjoint(beside)


def _are_lines_of_one(plan: Plan, first: int, second: int) -> bool:
    """Two paragraphs, or boxes, next to each other in one element."""
    a, b = (plan.structure.elements[plan.units[unit].element] for unit in (first, second))
    return a.kind == b.kind and a.kind in ("P", "NonStruct") and a.parent == b.parent


def code_lines_apart(words: Sequence[Word], plan: Plan) -> tuple[list[Line], list[Word]]:
    """Return the lines of the listings, whatever the gaps in them, and all other words."""
    listings: dict[int, list[Word]] = {}
    rest: list[Word] = []
    for word in words:
        unit = plan.of(word)
        coded = unit != NONE and plan.kinds[unit] == "code"
        (listings.setdefault(unit, []) if coded else rest).append(word)
    columns = [
        column
        for listing in listings.values()
        for column in chained(listing, lambda column, word: word.box.y1 >= column[-1].box.y0)
    ]
    return [Line(tuple(row)) for column in columns for row in _rows(column)], rest


def code_text(group: Group) -> str:
    """Return the lines of a listing as they are set, with the spaces between words and before them."""
    return listing_of(_rows([word for line in group.lines for word in line.words])).text


def _rows(words: Sequence[Word]) -> list[list[Word]]:
    """Words by their baseline, from left to right."""
    ordered = sorted(words, key=lambda word: word.baseline)
    rows = chained(ordered, lambda row, word: word.baseline - row[0].baseline <= ONE_LINE * word.size)
    return [sorted(row, key=lambda word: word.box.x0) for row in rows]
