"""Groups: lines that belong together as one paragraph, heading, list item or caption."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from statistics import median

import numpy as np

from docparse.layout.document.levels import SIZED
from docparse.layout.text.items import Marker, found_markers
from docparse.layout.text.lines import Line
from docparse.layout.text.paragraphs import CENTRED, Pair, breaks
from docparse.layout.text.stacks import ColumnMargins, lines_above, usual_leading
from docparse.pdf.content import NO_STROKES
from docparse.types import Box, union

EXACT, NOISY = SIZED, 0.25  # shares by which measured sizes differ within one style: text layers, OCR
BEYOND = 0.3  # em by which a rule between two lines reaches over their ends: one as long as a line is its underline
TALL = 0.7  # em from the baseline to the top of capitals: a box that its text overflows runs through it
BOLD = 0.9  # of the characters of bold type
LEADING = 1.2  # baseline distance in font sizes where a page has too few lines to tell


@dataclass(frozen=True)
class Group:
    """Lines in reading order."""

    lines: Sequence[Line]
    marker: Marker | None = None  # that the first line begins with
    is_entry: bool = False  # of a table of contents, with a leader

    @property
    def is_item(self) -> bool:
        """Return whether the marker is that of a list item."""
        return self.marker is not None and (self.marker.sure or not self.marker.doubtful)

    @cached_property
    def box(self) -> Box:
        return union(line.box for line in self.lines)

    @property
    def is_centred(self) -> bool:
        """Return whether all lines have their middles under each other, and not all their left ends."""
        middles, starts = zip(*((line.box.center[0], line.box.x0) for line in self.lines), strict=True)
        return max(middles) - min(middles) < CENTRED * self.size < max(starts) - min(starts)

    @cached_property
    def size(self) -> float:
        """Font size of the middle character, points."""
        lines = sorted(self.lines, key=lambda line: line.size)
        middle = bisect_left(list(accumulate(line.characters for line in lines)), self.characters / 2)
        return lines[middle].size

    @property
    def type_size(self) -> float:
        """Return the size that its lines are set in, points: that of the capitals, where the others are small ones."""
        return max(self.size, min(line.type_size for line in self.lines))

    @cached_property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @cached_property
    def characters(self) -> int:
        return sum(line.characters for line in self.lines)

    @cached_property
    def _shares(self) -> dict[str, float]:
        """Return what `share` has returned: all neighbours of a group ask."""
        return {}

    def share(self, style: str) -> float:
        """Share of characters, 0..1, whose word has the flag `style`."""
        if style not in self._shares:
            total = sum(line.share(style) * line.characters for line in self.lines)
            self._shares[style] = total / max(1, self.characters)
        return self._shares[style]

    @property
    def is_bold(self) -> bool:
        """Return whether it is set in bold but for a letter or two, which OCR may have missed."""
        return self.share("bold") > BOLD

    @cached_property
    def confidence(self) -> float:
        return sum(line.confidence * line.characters for line in self.lines) / max(1, self.characters)


def groups_of(lines: Sequence[Line], noise: float = EXACT, strokes: np.ndarray = NO_STROKES) -> list[Group]:
    """Return lines, sorted by their top edge, as groups. `noise` is the share by which sizes within one style differ,
    `strokes` float32 [n, 4] in points: a rule between two lines parts them."""
    rules = strokes[strokes[:, 3] - strokes[:, 1] < strokes[:, 2] - strokes[:, 0]]  # the level ones
    above = lines_above(lines)
    leading = usual_leading(lines, above)
    other = max(LEADING, median(leading.values())) if leading else LEADING  # headings are spaced like the text
    columns = ColumnMargins(lines, above)
    markers = found_markers(lines, above)
    ends = np.array([(line.box.x0, line.box.x1) for line in lines], float).reshape(-1, 2)
    members: list[list[int]] = []
    home_of: dict[int, int] = {}
    for i, line in enumerate(lines):
        p = above[i]
        if p is not None and members[home_of[p]][-1] == p:
            pair = Pair(lines[p], line, leading.get(p, other if _is_full(lines[p], line, ends) else LEADING), noise)
            group = [lines[k] for k in members[home_of[p]]]
            apart = breaks(pair, columns.of(i), group, markers.get(members[home_of[p]][0]), markers.get(i))
            if not apart and not _is_ruled_off(pair, rules):
                home_of[i] = home_of[p]
                members[home_of[i]].append(i)
                continue
        home_of[i] = len(members)
        members.append([i])
    return [Group(tuple(lines[k] for k in group), markers.get(group[0])) for group in members]


def _is_full(upper: Line, lower: Line, ends: np.ndarray) -> bool:
    """Return whether the first word of the lower line had no room in the upper one, up to where any line under it ends;
    `ends` are the left and right ends of all lines, float [n, 2]."""
    x0, x1 = ends.T
    under = np.minimum(x1, upper.box.x1) > np.maximum(x0, upper.box.x0)
    return bool(upper.box.x1 + lower.words[0].box.width > x1[under].max(initial=-np.inf))


def _is_ruled_off(pair: Pair, rules: np.ndarray) -> bool:
    """Return whether a rule runs between two lines and beyond both ends of them."""
    upper, lower, reach = pair.upper, pair.lower, BEYOND * pair.lower.size
    x0, x1 = min(upper.box.x0, lower.box.x0) - reach, max(upper.box.x1, lower.box.x1) + reach
    between = (rules[:, 1] > upper.baseline) & (rules[:, 3] < lower.baseline - TALL * lower.size)
    return bool((between & (rules[:, 0] < x0) & (rules[:, 2] > x1)).any())
