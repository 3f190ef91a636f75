"""Groups: lines that belong together as one paragraph, heading, list item or caption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median, median_low

import numpy as np

from docparse.layout.lines import Line, is_marker
from docparse.layout.region import Region
from docparse.layout.words import Word
from docparse.types import Box, union

LEADING = 1.75  # a baseline distance above this many font sizes starts a new group, unless the column is set wider
INDENT = 0.8  # em
EXACT, NOISY = 0.08, 0.25  # shares by which measured sizes differ within one style: text layers, OCR
SENTENCE_END = (".", "!", "?", ":", "”", '"', "。", "！", "？", "：", ")")


@dataclass
class Group:
    """Lines in reading order, and the detected region they lie in, if any."""

    lines: list[Line] = field(default_factory=list)
    region: Region | None = None

    @property
    def box(self) -> Box:
        return union(line.box for line in self.lines)

    @property
    def size(self) -> float:
        """Font size of the middle character, points."""
        return median_low([line.size for line in self.lines for _ in range(line.characters)])

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    @property
    def characters(self) -> int:
        return sum(line.characters for line in self.lines)

    def share(self, style: str) -> float:
        return sum(line.share(style) * line.characters for line in self.lines) / max(1, self.characters)

    @property
    def confidence(self) -> float:
        return sum(line.confidence * line.characters for line in self.lines) / max(1, self.characters)


def groups_of(
    lines: Sequence[Line], regions: Sequence[Region], rulings: np.ndarray, noise: float = EXACT
) -> list[Group]:
    """Lines to groups. `regions` may be empty; lines of different regions never share a group.

    `noise` is the share by which the sizes of two lines in one style may differ.
    """
    homes = [_home(line, regions) for line in lines]
    above = _predecessors(lines)
    leading = _leading(lines, above)
    columns = _Columns(lines, above)
    group_of: dict[int, Group] = {}
    groups: list[Group] = []
    for i, line in enumerate(lines):
        p = above[i]
        if p is not None and group_of[p].lines[-1] is lines[p]:
            pair = _Pair(lines[p], line, leading.get(p, 1.2), homes[i] is not None, noise)
            together = homes[p] is homes[i] or _runs_on(pair, homes[p], homes[i])
            if together and not _ruled_apart(pair, rulings) and not _breaks(pair, columns.of(i), group_of[p]):
                group_of[p].lines.append(line)
                group_of[i] = group_of[p]
                continue
        group_of[i] = Group([line], homes[i])
        groups.append(group_of[i])
    return groups


@dataclass(frozen=True)
class _Pair:
    """Two lines, one under the other; `leading` is the usual baseline distance around here in font sizes."""

    upper: Line
    lower: Line
    leading: float
    in_region: bool
    noise: float

    @property
    def distance(self) -> float:
        return (self.lower.baseline - self.upper.baseline) / max(self.upper.size, self.lower.size)


def _home(line: Line, regions: Sequence[Region]) -> Region | None:
    """The smallest region that holds most of the line."""
    holders = [region for region in regions if line.box.inside(region.box) > 0.6]
    return min(holders, key=lambda region: region.box.area, default=None)


def _runs_on(pair: _Pair, upper: Region | None, lower: Region | None) -> bool:
    """Text that plainly goes on, although the detector cut it or lost its last line."""
    if upper and lower and upper.category is not lower.category:
        return False
    near = pair.distance < 1.1 * pair.leading and not pair.upper.text.endswith(SENTENCE_END)
    return near and abs(pair.upper.size - pair.lower.size) < 0.5 * pair.noise * pair.upper.size


def _predecessors(lines: Sequence[Line]) -> list[int | None]:
    """For each line the nearest line above that it stands under, unless another line of its row does so too."""
    above: list[int | None] = []
    claimed: dict[int, list[int]] = {}
    for i, line in enumerate(lines):
        best = None
        for j in range(i - 1, -1, -1):
            other = lines[j]
            if line.baseline - other.baseline > 4 * line.size:
                if line.box.y0 - other.box.y0 > 12 * line.size:
                    break
                continue
            if other.baseline >= line.baseline - 0.4 * line.size:
                continue
            shared = line.box.overlap_x(other.box)
            if shared > 0.5 * min(line.box.width, other.box.width) and (
                best is None or other.baseline > lines[best].baseline
            ):
                best = j
        above.append(best)
        if best is not None:
            claimed.setdefault(best, []).append(i)
    for children in claimed.values():
        if len(children) > 1:  # one line over two columns belongs to neither
            first = min(children, key=lambda c: lines[c].baseline)
            rivals = [c for c in children if lines[c].baseline - lines[first].baseline < 0.5 * lines[first].size]
            for child in children if len(rivals) > 1 else [c for c in children if c != first]:
                above[child] = None
    return above


def _leading(lines: Sequence[Line], above: Sequence[int | None]) -> dict[int, float]:
    """Usual baseline distance, in font sizes, among lines of one size; keyed by line index."""
    distances: dict[float, list[float]] = {}
    for i, p in enumerate(above):
        if p is not None and abs(lines[i].size - lines[p].size) < 0.1 * lines[i].size:
            key = round(lines[i].size)
            distances.setdefault(key, []).append((lines[i].baseline - lines[p].baseline) / lines[i].size)
    usual = {size: min(2.4, float(np.percentile(values, 35))) for size, values in distances.items() if len(values) >= 4}
    return {i: usual[round(line.size)] for i, line in enumerate(lines) if round(line.size) in usual}


class _Columns:
    """Left and right margins of the stack of lines that a line belongs to."""

    def __init__(self, lines: Sequence[Line], above: Sequence[int | None]) -> None:
        root = list(range(len(lines)))
        for i, p in enumerate(above):
            if p is not None and abs(lines[i].size - lines[p].size) < 0.15 * lines[i].size:
                root[i] = root[p]
        stacks: dict[int, list[Line]] = {}
        for i, r in enumerate(root):
            stacks.setdefault(r, []).append(lines[i])
        self._root = root
        self._margins = {r: _margins(stack) for r, stack in stacks.items()}

    def of(self, i: int) -> tuple[float, float, int]:
        return self._margins[self._root[i]]


def _margins(stack: list[Line]) -> tuple[float, float, int]:
    """Where most lines begin, where the long ones end, and how many lines say so."""
    left = median(line.box.x0 for line in stack) if len(stack) < 4 else _mode([line.box.x0 for line in stack])
    return left, max(line.box.x1 for line in stack), len(stack)


def _mode(values: list[float]) -> float:
    return max(values, key=lambda v: (sum(abs(v - w) < 1.5 for w in values), -v))


def _ruled_apart(pair: _Pair, rulings: np.ndarray) -> bool:
    """A horizontal stroke between the two lines, under most of the narrower one."""
    if len(rulings) == 0:
        return False
    top, bottom = pair.upper.baseline + 0.25 * pair.upper.size, pair.lower.baseline - 0.4 * pair.lower.size
    x0, x1 = max(pair.upper.box.x0, pair.lower.box.x0), min(pair.upper.box.x1, pair.lower.box.x1)
    flat = np.abs(rulings[:, 1] - rulings[:, 3]) < 1
    between = flat & (rulings[:, 1] > top) & (rulings[:, 1] < bottom)
    shared = np.minimum(rulings[:, 2], x1) - np.maximum(rulings[:, 0], x0)
    return bool(np.any(between & (shared > 0.6 * (x1 - x0))))


def _breaks(pair: _Pair, column: tuple[float, float, int], group: Group) -> bool:
    """Does a new paragraph, heading or item start with the lower line?"""
    upper, lower = pair.upper, pair.lower
    em = max(upper.size, lower.size)
    if abs(upper.size - lower.size) > pair.noise * em and min(upper.characters, lower.characters) > 3:
        return True
    if upper.box.x0 - lower.box.x0 > max(8 * em, 0.4 * lower.box.width) and abs(_middle(upper) - _middle(lower)) > em:
        return True  # a date or number set to the right, over text
    if pair.distance > max(1.3 * pair.leading, min(LEADING, 1.6 * pair.leading) if pair.in_region else 0.0):
        return True
    if is_marker(lower.words[0].text) and len(lower.words) > 1 and _starts_item(pair, group):
        return True
    if _next_number(group.lines[0].words, lower.words):
        return True
    if (upper.share("bold") > 0.9) != (lower.share("bold") > 0.9) and _whole_bold_differs(pair):
        return True
    return _starts_paragraph(pair, column, group)


def _middle(line: Line) -> float:
    return line.box.center[0]


def _whole_bold_differs(pair: _Pair) -> bool:
    """A bold line over or under text without any bold is a heading; a run-in heading shares its line."""
    shares = sorted((pair.upper.share("bold"), pair.lower.share("bold")))
    return shares[0] < 0.15


def _starts_item(pair: _Pair, group: Group) -> bool:
    """A marker begins an item where it stands at the margin, or where the group already is an item."""
    lower, em = pair.lower, pair.lower.size
    first = group.lines[0]
    if is_marker(first.words[0].text):
        return lower.box.x0 <= first.box.x0 + 2 * em or lower.box.x0 > group.lines[-1].box.x0 + 0.5 * em
    bullet = not lower.words[0].text[0].isalnum() and lower.words[0].text[0] not in "([–—-"
    return bullet or (lower.box.x0 >= pair.upper.box.x0 - 0.3 * em and pair.upper.text.endswith(SENTENCE_END))


def _next_number(first: Sequence[Word], words: Sequence[Word]) -> bool:
    """Entries of a list numbered without points: "1 Author ..." is followed by "2 Author ..."."""
    numbers = [w[0].text for w in (first, words) if len(w) > 1 and w[0].text.isdigit() and len(w[0].text) <= 3]
    return len(numbers) == 2 and int(numbers[1]) == int(numbers[0]) + 1 and words[0].box.x1 < first[1].box.x0 + 1


def _leaves_item(pair: _Pair, group: Group) -> bool:
    """After a list item whose lines hang under its text, a line out at the marker's margin is a new paragraph."""
    first, lower, em = group.lines[0], pair.lower, pair.lower.size
    if len(first.words) < 2 or lower.box.x0 > first.words[1].box.x0 - 0.5 * em:
        return False
    hangs = len(group.lines) > 1 and abs(pair.upper.box.x0 - first.words[1].box.x0) < 0.5 * em
    return hangs or pair.upper.text.endswith(SENTENCE_END)


def _starts_paragraph(pair: _Pair, column: tuple[float, float, int], group: Group) -> bool:
    left, right, lines = column
    upper, lower, em = pair.upper, pair.lower, pair.lower.size
    if is_marker(group.lines[0].words[0].text):
        return _leaves_item(pair, group)
    if lines < 3:
        return False
    indented = INDENT * em < lower.box.x0 - left < 6 * em and upper.box.x0 - left < 0.4 * em
    hanging = len(group.lines) > 1 and group.lines[1].box.x0 - group.lines[0].box.x0 > INDENT * em
    if indented and len(group.lines) == 1 and not upper.text.endswith(SENTENCE_END):
        return False  # the second line of a hanging paragraph
    if indented:
        return True
    if hanging:
        return lower.box.x0 < group.lines[1].box.x0 - INDENT * em
    short = upper.box.x1 < right - max(6 * em, 0.25 * (right - left))
    return short and upper.text.endswith(SENTENCE_END) and not lower.text[:1].islower()
