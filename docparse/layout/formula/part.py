"""Paragraphs cut where a displayed formula stands between two of their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.types import Box


def parted(groups: Sequence[Group], formulas: Sequence[Box]) -> list[Group]:
    """Groups none of which reaches over a formula's box."""
    if not formulas:
        return list(groups)
    result = []
    for group in groups:
        start = 0
        for k in range(1, len(group.lines)):
            if any(_between(group.lines[k - 1], group.lines[k], box) for box in formulas):
                result.append(replace(group, lines=group.lines[start:k], marker=None if start else group.marker))
                start = k
        result.append(replace(group, lines=group.lines[start:], marker=None) if start else group)
    return result


def _between(upper: Line, lower: Line, box: Box) -> bool:
    middle = box.center[1]
    return upper.box.center[1] < middle < lower.box.center[1] and (upper.box | lower.box).overlap_x(box) > 0
