"""Does the page bear out what its tree says? A tree may be empty, out of order, or one element around everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from docparse.layout.tagged.code import code_units
from docparse.layout.tagged.plan import Plan, inked_of
from docparse.layout.tagged.units import Kind
from docparse.layout.text.paragraphs import BARE, TEXT_END
from docparse.layout.text.wording import is_rtl
from docparse.pdf.content import Characters
from docparse.pdf.structure import NONE

FEWEST = 2  # steps back that are no accident
LONG_BOX = 100  # characters: less is hardly several paragraphs
FEW_HEADINGS = 2  # so many may be all the text of a page: a part's title, a slide
SCRIPT = 0.8  # times the usual size: raised and lowered signs are smaller, and on no line of their own
TITLE = 1.2  # times the size of the line below: a title, or a name
LARGE = 1.1  # times the usual size: less is that of another font
GAP = 1.5  # times the usual distance between baselines: white space between paragraphs
CUT, LEADING = 3, 1.5  # paragraphs that are cut off in a sentence and no accident; em from a line to the next, about


def objection(plan: Plan, characters: Characters) -> str:
    """Return why the tree is not believed, in a few words, or ""."""
    inked = inked_of(characters)
    covered = plan.unit != NONE
    share = covered.sum() / max(1, inked.sum())
    if share < 0.5:
        return f"it covers {share:.0%} of the text"
    size = np.bincount(plan.unit[covered])
    largest = int(size.argmax())
    named = plan.units[largest].named or plan.kinds[largest] != "text"
    pieces = 1 if plan.kinds[largest] == "free" else 2  # a figure around a whole page says nothing of it
    if named and size[largest] > 0.5 * covered.sum() and _paragraphs(plan, characters, largest) > pieces:
        return "one element holds most of the text"
    back, steps = _steps_back(plan, characters)
    if back >= FEWEST and 3 * back > steps:  # of an order that means nothing half the steps go back
        return "its order contradicts the page"
    return ""


def believed(plan: Plan, characters: Characters) -> Plan:
    """Return the plan as far as it is believed, and code named where the font shows it.

    Headings that are most of the text are text, and so are items in the type of headings: what they are, their looks
    say. A box that holds several paragraphs says nothing of their lines (older Chromium leaves out the paragraphs), nor
    does a paragraph that begins with a line in larger type: a title, with what is set under it. A tree that has a
    paragraph for each line says nothing of text.
    """
    size = np.bincount(plan.unit[plan.unit != NONE], minlength=len(plan.units))
    heading = np.array([kind == "heading" for kind in plan.kinds], bool)
    if heading.sum() > FEW_HEADINGS and size[heading].sum() > size[~heading].sum():
        kinds: tuple[Kind, ...] = tuple("text" if kind == "heading" else kind for kind in plan.kinds)
        plan = replace(plan, kinds=kinds)
    kinds, unit = code_units(plan, characters)
    plan = replace(plan, kinds=kinds, unit=unit)
    boxes = [i for i, kind in enumerate(kinds) if kind == "text" and not plan.units[i].named and size[i] > LONG_BOX]
    said: dict[int, Kind] = {i: "free" for i in boxes if _paragraphs(plan, characters, i) > 1}
    said |= {i: "free" for i, kind in enumerate(kinds) if kind == "text" and _begins_larger(plan, characters, i)}
    if _is_of_lines(plan, characters):
        said |= {i: "free" for i, kind in enumerate(kinds) if kind == "text"}
    said |= {i: "text" for i, kind in enumerate(kinds) if kind == "item" and _is_large_number(plan, characters, i)}
    return replace(plan, kinds=tuple(said.get(i, kind) for i, kind in enumerate(kinds)))


@dataclass(frozen=True)
class _Extent:
    """The extent of a unit: how many lines it has, where it is leftmost and rightmost, its size and its baseline, in
    points; its last character; and whether it runs from right to left."""

    lines: int
    x0: float
    x1: float
    size: float
    baseline: float
    last: str
    rtl: bool

    @property
    def mirrored(self) -> _Extent:
        return replace(self, x0=-self.x1, x1=-self.x0, rtl=False)

    def is_cut_off(self, lower: _Extent, left: float, right: float) -> bool:
        """Return whether a long line that reaches the margin at its end goes on in the one that begins under it."""
        if self.rtl:
            return self.mirrored.is_cut_off(lower.mirrored, -right, -left)
        down, lines = lower.baseline - self.baseline, (self.lines, lower.lines)
        under = abs(down - LEADING * self.size) < self.size / 2 and lower.x0 < self.x0 + self.size
        full = self.x1 > right - BARE * self.size and self.x1 - self.x0 > (right - left) / 2
        return lines == (1, 1) and under and full and self.last not in TEXT_END


def _is_of_lines(plan: Plan, characters: Characters) -> bool:
    """Return whether a tree has a paragraph for each line, as where text was pasted: more of them go on in the next one
    than have several lines."""
    text = [
        i for i, kind in enumerate(plan.kinds) if kind == "text" and plan.units[i].cell == plan.units[i].item == NONE
    ]
    extents = [_extent(characters, at) for i in text if len(at := plan.characters_of(i))]
    left, right = min((e.x0 for e in extents), default=0.0), max((e.x1 for e in extents), default=0.0)
    cut = sum(upper.is_cut_off(lower, left, right) for upper, lower in pairwise(extents))
    return cut >= CUT and cut > sum(extent.lines > 1 for extent in extents)


def _extent(characters: Characters, at: np.ndarray) -> _Extent:
    base, size, box = characters.baseline[at], float(np.median(characters.size[at])), characters.box[at]
    lines = 1 + int((np.diff(base) > 0.5 * size).sum())
    text = characters.text
    rtl = is_rtl("".join(text[i] for i in at))
    return _Extent(lines, box[:, 0].min(), box[:, 2].max(), size, base[0], text[at[-1]], rtl)


def _is_large_number(plan: Plan, characters: Characters, unit: int) -> bool:
    """Return whether a unit begins with a number in larger type than most text: word processors number headings as
    lists."""
    first, size = plan.characters_of(unit)[:1], characters.size
    usual = np.median(size[plan.unit != NONE])
    return len(first) > 0 and characters.text[first[0]].isdigit() and bool(size[first[0]] > LARGE * usual)


def _begins_larger(plan: Plan, characters: Characters, unit: int) -> bool:
    """Return whether the first line of a unit is set in larger type than its second."""
    at = plan.characters_of(unit)
    base, size = characters.baseline[at], characters.size[at]
    level = np.cumsum(np.abs(np.diff(base, prepend=base[:1])) > 0.5 * size)
    first, second = size[level == 0], size[level == 1]
    return len(second) > 0 and bool(np.median(first) > TITLE * np.median(second))


def _paragraphs(plan: Plan, characters: Characters, unit: int) -> int:
    """Into how many pieces white space or a change of size cuts a unit."""
    at = plan.characters_of(unit)
    at = at[characters.size[at] > SCRIPT * np.median(characters.size[at])]
    base, size = characters.baseline[at], characters.size[at]
    new = np.flatnonzero(np.abs(np.diff(base)) > 0.5 * np.minimum(size[1:], size[:-1]))
    if len(new) == 0:
        return 1
    step = np.diff(base)[new]
    down = step[step > 0]
    usual = float(np.median(down)) if len(down) else 0.0
    larger = np.maximum(size[new + 1], size[new]) > GAP * np.minimum(size[new + 1], size[new])
    return 1 + int(((step > GAP * usual) | larger).sum())


def _steps_back(plan: Plan, characters: Characters) -> tuple[int, int]:
    """From unit to unit within one column: how many steps go up the page, and how many there are."""
    known = plan.in_order
    units = plan.unit[known]
    starts = np.flatnonzero(np.diff(units, prepend=NONE - 1))
    box = characters.box[known]
    low = np.minimum.reduceat(box[:, :2], starts, axis=0)
    high = np.maximum.reduceat(box[:, 2:], starts, axis=0)
    ends = np.append(starts[1:], len(known)) - 1
    cell = np.array([unit.cell != NONE for unit in plan.units], bool)[units[starts]]
    shared = np.minimum(high[1:, 0], high[:-1, 0]) - np.maximum(low[1:, 0], low[:-1, 0])
    same = (shared > 0) & ~(cell[1:] & cell[:-1])  # the cells of a row stand side by side
    above = box[starts[1:], 3] <= box[ends[:-1], 1]  # begins above where the unit before it ends
    above &= high[1:, 1] <= low[:-1, 1] + 0.5 * (high[:-1, 1] - low[:-1, 1])  # and not beside it, as in a next column
    return int((above & same).sum()), int(same.sum())
