"""Side heads: headings in the margin of a column of text, level with the first line of what they head."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from docparse.layout.chained import chained, grouped
from docparse.layout.text.lines import Line
from docparse.layout.text.stacks import BaselineRows
from docparse.layout.text.wording import COLONS, count_words, ends_sentence, has_words

WORDS, PROSE = 6, 4  # of the first line of a heading at most, and of the text beside it at least
FLUSH = 0.5  # em between lines that begin at one margin
CLOSE, APART = 1.6, 4.0  # em between lines of one paragraph, and between two paragraphs, at most
ALIKE = 0.15  # of their sizes by which heads in one type differ: those of short lines are measured so on pixels
LEAST = 2  # heads beside one column: one alone may be a label


def side_heads(lines: Sequence[Line]) -> set[int]:
    """Return the lines, by index, that begin headings beside text: bold, in one type, different, alone in their margin.
    Paragraphs without any stand in that column, too, or they would be terms beside what they mean."""
    rows = BaselineRows(lines)
    found = {i: j for i, line in enumerate(lines) if _may_head(line) and (j := rows.after(i)) is not None}
    found = {i: j for i, j in found.items() if _heads(lines, i, j)}
    styles = grouped((lines[i].main.font, i) for i in found)
    columns = [column for heads in styles.values() for column in _by_margin(lines, heads, found)]
    return {i for heads in columns if _is_series(lines, rows, heads, found) for i in heads}


def _by_margin(lines: Sequence[Line], heads: Sequence[int], text_of: dict[int, int]) -> list[list[int]]:
    """The heads of each column of text, from the top down."""
    margins = {i: lines[text_of[i]].box.x0 for i in heads}
    ordered = sorted(heads, key=margins.__getitem__)
    columns = chained(ordered, lambda column, i: margins[i] - margins[column[0]] < FLUSH * lines[i].size)
    return [sorted(column, key=lambda i: lines[i].baseline) for column in columns]


def _may_head(line: Line) -> bool:
    few = count_words(line.text) <= WORDS and has_words(line.text)
    return (
        few
        and line.share("bold") == 1
        and not line.rtl
        and not (ends_sentence(line.text) or line.text.endswith(COLONS))
    )


def _heads(lines: Sequence[Line], i: int, j: int) -> bool:
    """Return whether prose stands beside the first line of a head, and nothing in other type close under or over it."""
    head, text = lines[i], lines[j]
    if text.share("bold") == 1 or count_words(text.text) < PROSE:
        return False
    near = (k for k, line in enumerate(lines) if k != i and abs(line.baseline - head.baseline) < APART * head.size)
    others = [lines[k] for k in near if lines[k].box.overlap_x(head.box) > 0]
    goes_on = any(0 < head.baseline - line.baseline < CLOSE * head.size for line in others)
    return not goes_on and all(line.share("bold") == 1 and _is_alike(line, head) for line in others)


def _is_series(lines: Sequence[Line], rows: BaselineRows, heads: Sequence[int], text_of: dict[int, int]) -> bool:
    """Return whether heads differ from each other, and another paragraph of their column has none."""
    texts = Counter(lines[i].text for i in heads)
    if len(texts) < max(LEAST, len(heads)) or not all(_is_alike(lines[i], lines[heads[0]]) for i in heads):
        return False
    first = lines[text_of[heads[0]]]
    column = [k for k, line in enumerate(lines) if abs(line.box.x0 - first.box.x0) < FLUSH * first.size]
    column = sorted((k for k in column if _is_alike(lines[k], first)), key=lambda k: lines[k].baseline)
    white = ((k, lines[k].baseline - lines[over].baseline) for over, k in pairwise(column))
    begun = [k for k, distance in white if CLOSE * first.size < distance < APART * first.size]
    return any(rows.before(k) is None for k in begun)


def _is_alike(line: Line, other: Line) -> bool:
    return abs(line.size - other.size) < ALIKE * other.size
