"""Footnotes: small print low on the page that a raised mark, a stroke or a call in the text tells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.layout.geometry import level_strokes
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.items import raised_mark
from docparse.layout.text.lines import OFF, SCRIPT, Line
from docparse.layout.text.markers import BULLETS_ALONE
from docparse.layout.text.words import Word
from docparse.types import Box, Category

SMALLER = 0.95  # times the size of text: smaller text is notes, and how to cite an article
RULES = 3  # of a table, at least
CORNER = 2.0  # points between the ends of two strokes that meet


def is_footnote(group: Group, style: PageStyle, rulings: np.ndarray) -> bool:
    """Small print low on the page that begins with a raised mark, or stands under a short stroke; no item of a list."""
    is_bulleted = group.marker is not None and group.marker.text in BULLETS_ALONE
    if not is_low_print(group, style) or is_bulleted:
        return False
    return bool(raised_mark(group.lines[0])) or _under_stroke(group.box, style, rulings)


def is_low_print(group: Group, style: PageStyle) -> bool:
    """Return whether it is small print in the lower part of the page."""
    return _is_low(group, style) and _is_small(group, style)


def _is_low(group: Group, style: PageStyle) -> bool:
    return group.box.y0 >= style.page.y0 + 0.55 * style.page.height


def _is_small(group: Group, style: PageStyle) -> bool:
    return group.size <= SMALLER * style.body


def _under_stroke(box: Box, style: PageStyle, rulings: np.ndarray) -> bool:
    level = level_strokes(rulings)
    x0, y, x1, _ = level.T
    near = (y < box.y0 + 2) & (y > box.y0 - 14 * style.body) & (np.abs(x0 - box.x0) < 2 * style.body)
    strokes = level[near & (x1 - x0 < 0.45 * style.page.width) & (x1 - x0 > 2 * style.body)]
    return not all(_is_top_of_box(stroke, rulings) or _is_of_table(stroke, level) for stroke in strokes)


def _is_of_table(stroke: np.ndarray, level: np.ndarray) -> bool:
    """Return whether others begin and end where a stroke does: a rule between two rows."""
    return bool((np.abs(level[:, [0, 2]] - stroke[[0, 2]]).max(axis=1) < CORNER).sum() >= RULES)


def _is_top_of_box(stroke: np.ndarray, rulings: np.ndarray) -> bool:
    """Return whether a stroke is the top of a box: a side of it goes down from one of its ends."""
    ends = np.abs(rulings[:, [0]] - stroke[[0, 2]]).min(axis=1) < CORNER
    return bool((ends & (rulings[:, 3] - rulings[:, 1] > CORNER) & (np.abs(rulings[:, 1] - stroke[1]) < CORNER)).any())


def called_notes(
    groups: Sequence[Group], categories: Sequence[Category], style: PageStyle, rulings: np.ndarray
) -> set[int]:
    """Return the items, by index, that are notes: low on the page, under the text, with the numbers that raised figures
    in it call, and in small print or under a short stroke; or under such a note. What a heading stands over is a list
    of references."""
    called = {
        word.text for group in groups for line in group.lines for word in line.words[1:] if _is_raised(word, line)
    }
    found: set[int] = set()
    over: list[int] = []
    for i in sorted(range(len(groups)), key=lambda i: groups[i].box.y0):
        group = groups[i]
        above = next((j for j in reversed(over) if groups[j].box.overlap_x(group.box) > 0), None)
        text = above is not None and categories[above] in (Category.TEXT, Category.CAPTION)
        number = figures_of(group.marker.text) if group.marker else ""
        is_called = categories[i] is Category.LIST_ITEM and number in called and _is_low(group, style)
        set_off = text and (_is_small(group, style) or _under_stroke(group.box, style, rulings))
        found.update({i} if is_called and (set_off or above in found) else ())
        over.append(i)
    return found


def _is_raised(word: Word, line: Line) -> bool:
    small, raised = word.size <= SCRIPT * line.size, line.baseline - word.baseline > OFF * line.size
    return small and raised and word.text.isdecimal()


def figures_of(marker: str) -> str:
    """Return the figures of a marker, or ""."""
    inner = marker.strip("().")
    return inner if inner.isdecimal() else ""
