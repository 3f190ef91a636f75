"""Running heads of old books: set as close over the text as its lines are, they are told by the text, which goes on
under them in the middle of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse.layout.kinds.edges import is_page_number
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import PAGE_NUMBER, YEAR
from docparse.types import union

LINES = 3  # of a text, at least, over which a head is told
ROOM = 3.0  # em left on the line beyond the first word of the text, at least: it was not broken there
RAGGED = 0.15  # of the width of a text, by which full lines are shorter
CENTRED = 2.0  # em
LARGE = 1.15  # times the size of the text: running heads are no larger
CAPITALS = 0.7  # of its letters, at least: but for a number in small letters
OPEN = (",", "-", "–", "—", ";", "¬")  # ends of lines that go on


def head_apart(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, each that begins in the first row of the page with the running head apart from its text."""
    upright = [group for group in groups if group.lines[0].main.angle == 0]
    if not upright:
        return list(groups)
    first = min(upright, key=lambda group: group.box.y0).lines[0].box
    result = []
    for group in groups:
        head, *text = group.lines
        if first.overlap_y(head.box) > 0 and len(text) >= LINES and is_head([head], text):
            result += [Group((head,)), replace(group, lines=tuple(text), marker=None)]
        else:
            result.append(group)
    return result


def foot_apart(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, the number of the page apart from the last one where it stands as close under it as its lines
    are: further in than they begin. A year ends their text."""
    upright = [group for group in groups if group.lines[0].main.angle == 0]
    if not upright:
        return list(groups)
    last = max(upright, key=lambda group: group.box.y1)
    *text, foot = last.lines
    inside = foot.box.x0 - last.box.x0 > ROOM * foot.size
    if not (text and inside and PAGE_NUMBER.fullmatch(foot.text)) or YEAR.fullmatch(foot.text):
        return list(groups)
    return [*(group for group in groups if group is not last), replace(last, lines=tuple(text)), Group((foot,))]


def is_head(row: Sequence[Line], text: Sequence[Line]) -> bool:
    """Return whether the lines of one row, from left to right, are the running head of the lines of `text` under it."""
    said, box = " ".join(line.text for line in row), union(line.box for line in row)
    large = max(line.size for line in row) > LARGE * text[0].size  # the number of a chapter
    if len(text) < LINES or large or not _goes_on(text) or said.endswith(OPEN):
        return False
    if PAGE_NUMBER.fullmatch(said):
        return True
    first, letters = text[0].words[0], [char for char in said if char.isalpha()]
    numbered = any(is_page_number(word.text) for line in row for word in (line.words[0], line.words[-1]))
    capitals = sum(map(str.isupper, letters)) > CAPITALS * len(letters)
    whole = union(line.box for line in text)
    room = whole.x1 - box.x1 > first.box.width + 0.5 * first.size
    centred = abs(whole.center[0] - box.center[0]) < CENTRED * first.size
    if capitals and (numbered or (room and centred)):
        return True
    return numbered and (len(row) > 1 or whole.x1 - box.x1 > first.box.width + ROOM * first.size)


def _goes_on(text: Sequence[Line]) -> bool:
    """Return whether a text begins in small letters, as no paragraph does, and fills its lines, as no list does."""
    box = union(line.box for line in text)
    full = sum(line.box.x1 > box.x1 - RAGGED * box.width for line in text[:LINES])
    return full > 1 and text[0].text.lstrip("'’\"“«( ")[:1].islower()
