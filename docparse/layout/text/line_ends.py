"""Line ends: those that the writer set, in verse, addresses and lists of ingredients, and those of full lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from docparse.hyphenation import HYPHENS, is_cjk
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.markers import CIRCLED
from docparse.layout.text.paragraphs import BARE
from docparse.layout.text.words import LEVEL, first_width
from docparse.types import Box

ROOM = 1.2  # em, the space between two words with it: what ragged text may leave beyond the word that did not fit
STEP = "\u2003"  # of indentation: spaces of other kinds go where lines begin
FLUSH = 0.4  # em between lines at one margin
JUSTIFIED, EVEN = 4, 0.35  # lines that end at one place, to so many points, end at a margin
ALONE = 0.45  # of a column: two lines that end farther from its margin have been ended
GUTTER = 1.0  # em between columns


def ended_lines(group: Group, groups: Sequence[Group], floats: Sequence[Box]) -> dict[int, str]:
    """Return what stands behind the lines of a group, by index, that the writer ended, not the margin: a line break and
    the indentation of the next line.

    The next word would have had room on most of them, in the width of the longest, or on all of them in the column that
    begins where they do, and capitals begin them or steps. Under one of the longest a line goes on if it begins in
    lower case. Answers with circled numbers begin lines of their own.
    """
    lines = group.lines
    if len(lines) < 2 or any(line.rtl or not any(map(str.isalnum, line.text)) for line in lines):
        return {}
    if any(lower.baseline - upper.baseline < LEVEL * group.size for upper, lower in pairwise(lines)):
        return {}  # pieces of one row
    slack = ROOM * group.size
    divided = [upper.text[-1] in HYPHENS and lower.text[:1].islower() for upper, lower in pairwise(lines)]
    words = [inf if cut else _first_width(line) + slack for cut, line in zip(divided, lines[1:], strict=True)]
    begun = [not (lower.text[:1].islower() or lower.words[0].math) for lower in lines[1:]]
    roomy = [room > word for room, word in zip(_rooms(group), words, strict=False)]
    steps = _steps(group)
    stepped = max(steps) > 1  # a second line may hang
    loose = len(lines) > 2 and 2 * sum(roomy) >= len(roomy)
    if _is_flush_right(group):  # then lines leave their room on the left
        left = _left_margin(group, groups, floats)
        wide, white = group.box.x1 - left, [upper.box.x0 - left for upper in lines]
    else:
        right = _margin(group, groups, floats)
        wide, white = right - group.box.x0, [right - upper.box.x1 for upper in lines]
    least = slack if any(roomy) else ALONE * wide
    short = all(room > max(word, least) for room, word in zip(white, words, strict=False))
    short &= loose or all(begun) or stepped
    turns = [stepped and step != following for step, following in pairwise(steps)]
    answers = _answers(lines)
    ended = (i for i, turn in enumerate(turns) if short or i in answers or (loose and (roomy[i] or begun[i] or turn)))
    return {i: "\n" + STEP * steps[i + 1] for i in ended}


def _answers(lines: Sequence[Line]) -> set[int]:
    """The lines, by index, under which one begins with the circled number that follows theirs."""
    numbers = [CIRCLED.find(line.text[0]) for line in lines]
    return {i for i, (number, following) in enumerate(pairwise(numbers)) if following == number + 1 > 0}


def _is_flush_right(group: Group) -> bool:
    """Return whether all lines end at one place and begin at several, as addresses do at the right edge of a letter."""
    starts, ends = zip(*((line.box.x0, line.box.x1) for line in group.lines), strict=True)
    return max(ends) - min(ends) < FLUSH * group.size < max(starts) - min(starts)


def _steps(group: Group) -> list[int]:
    """Return how far in each line begins: 0 at the margin, 1 at the next place where lines begin; 0 where they are
    centred."""
    found = steps([line.box.x0 for line in group.lines], group.size)
    return [0] * len(found) if group.is_centred else found


def steps(starts: Sequence[float], em: float) -> list[int]:
    """Return how far in each of the lines begins that start at these x: 0 at the margin, 1 at the next place."""
    further = [b for a, b in pairwise(sorted(starts)) if b - a > FLUSH * em]
    return [bisect_right(further, start) for start in starts]


def _rooms(group: Group) -> list[float]:
    """The white beside each line, at both ends where lines are centred or flush right, up to the end of the longest, or
    of the longest but one where most begin in lower case: one may have run into another column."""
    lines, box = group.lines, group.box
    indented = any(line.box.x0 - box.x0 > FLUSH * group.size for line in lines)
    starts = [line.box.x0 for line in (lines[1:] if len(lines) > 2 else lines)]  # the first may have an initial
    ragged = max(starts) - min(starts) > FLUSH * group.size
    flush = ragged and all(box.x1 - line.box.x1 < FLUSH * group.size for line in lines)
    reaches = [line.box.width if indented and (flush or group.is_centred) else line.box.x1 for line in lines]
    running = len(lines) > 3 and 2 * sum(line.text[:1].islower() for line in lines[1:]) > len(lines) - 1
    longest = sorted(reaches)[-2 if running else -1]
    margins = [sum(abs(reach - other) < EVEN for other in reaches) for reach in reaches]  # a picture beside sets one
    return [0.0 if flush >= JUSTIFIED else longest - reach for reach, flush in zip(reaches, margins, strict=True)]


def _first_width(line: Line) -> float:
    """The width of what must not be parted from the first word of a line."""
    return BARE * line.size if is_cjk(line.text[0]) else first_width(line.words)


def _margin(group: Group, groups: Sequence[Group], floats: Sequence[Box]) -> float:
    """Return how far the text reaches that begins where the group does, or, where no paragraph does, that it stands
    inside of, or up to what stands beside the group."""
    x0, x1, size = group.box.x0, group.box.x1, group.size
    same = [other for other in groups if abs(other.box.x0 - x0) < FLUSH * size]
    around = [o for o in groups if len(o.lines) > 2 and o.box.x0 < x0 and o.box.x1 > x1]
    measured = any(len(other.lines) > 2 for other in same if other is not group)
    right = max(other.box.x1 for other in (*same, *(() if measured else around)))
    beside = Box(x1, group.box.y0, right, group.box.y1)
    boxes = (*floats, *(other.box for other in groups if other is not group))
    behind = (box.x0 for box in boxes if beside.intersection(box) > 0 and box.x0 > x1 - FLUSH * size)
    return min((start - GUTTER * size for start in behind), default=right)


def _left_margin(group: Group, groups: Sequence[Group], floats: Sequence[Box]) -> float:
    """Return where the text of the page begins, or what stands beside the group on its left ends."""
    x0, size = group.box.x0, group.size
    left = min(other.box.x0 for other in groups)
    beside = Box(left, group.box.y0, x0, group.box.y1)
    boxes = (*floats, *(other.box for other in groups if other is not group))
    return max((box.x1 + GUTTER * size for box in boxes if beside.intersection(box) > 0), default=left)
