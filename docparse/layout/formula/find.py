"""Which words of a page are displayed formulas: on lines of their own, set in symbols, with no prose beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.chained import without
from docparse.layout.formula.chains import EQUALS, GUTTER, RAISED, SCRIPT, TOUCH, ChainedRow, ChainedRows, rows_of
from docparse.layout.formula.evidence import TAG, is_symbol
from docparse.layout.formula.latex import latex_of
from docparse.layout.formula.running import rows_in_text
from docparse.layout.text.words import Word
from docparse.types import Box, union

SHORT, WIDTH = 8, 20  # words of a condition behind a formula, and em, at most
LABEL = 0.9  # times the size of running text: smaller symbols are labels in a figure
LEANING = 0.25  # em that a slanted letter reaches over its script, at most: V
ROW_GAP = 0.9  # em: rows of one system have at most this much empty space between them


@dataclass(frozen=True)
class FoundFormula:
    """A displayed formula. `words` are indices into the words given; `latex` is None where nobody could read it."""

    box: Box
    words: tuple[int, ...]
    latex: str | None
    confidence: float


def find_formulas(words: Sequence[Word], rulings: np.ndarray, body_size: float) -> list[FoundFormula]:
    """Displayed formulas of one page, from fonts and geometry alone.

    `words` are upright; `rulings` is float32 [n, 4]; `body_size` is the size of running text in points. Costs next to
    nothing on pages without mathematical symbols.
    """
    if sum(is_symbol(word) or word.text in EQUALS for word in words) < 2:
        return []
    rows = rows_of(words, max(4.0, body_size))
    clusters = _clusters(words, rows, rulings, max(4.0, body_size))
    return [_formula(words, sorted(cluster), rulings) for cluster in clusters]


def _clusters(words: Sequence[Word], rows: list[ChainedRow], rulings: np.ndarray, em: float) -> list[set[int]]:
    """Sets of words that make one displayed formula each."""
    prosy = [row for row in rows if row.prosy]
    rest = [row for row in rows if not row.prosy or row.casual or row.listed <= SHORT]
    told = rows_in_text(ChainedRows(prosy), rest, words, rulings, em)
    prose = ChainedRows([*prosy, *told])
    rest = without(rest, told)
    strong = (row for row in rest if not row.prosy and row.strong and row.size >= 0.8 * em)
    seeds = [row for row in strong if _stands_alone(row, prose, em)]
    taken: set[int] = set()
    clusters: list[_Cluster] = []
    candidates = ChainedRows(rest)
    for seed in sorted(seeds, key=lambda row: (-round(row.size, 1), row.box.y0, row.box.x0)):
        if id(seed) in taken:
            continue
        cluster = _Cluster([seed], seed.box, max(em, min(seed.size, 1.3 * em)))
        taken.add(id(seed))
        size = 0
        while len(cluster.rows) > size:
            size = len(cluster.rows)
            reach = ROW_GAP * cluster.em + cluster.box.height  # it grows on the way
            for row in candidates.between(cluster.box.y0 - reach, cluster.box.y1 + reach):
                if id(row) not in taken and _belongs(row, cluster, prose, words):
                    cluster.rows.append(row)
                    cluster.box = cluster.box | row.box
                    taken.add(id(row))
        if sum(row.strong for row in cluster.rows) > 1:
            clusters.append(cluster)
        else:
            taken -= {id(row) for row in cluster.rows}  # the half of a fraction waits for its formula
    return [
        {i for row in cluster.rows for i in row.words}
        for cluster in clusters
        if max(row.size for row in cluster.rows) >= LABEL * em
    ]


def _stands_alone(row: ChainedRow, prose: ChainedRows, em: float) -> bool:
    """Return whether all running text beside a row is its condition, or in another column."""
    beside = _beside(row, prose, 3 * em)
    return all(_trails(text, row, prose, em) or _in_other_columns(text.box, row.box, prose, em) for text in beside)


@dataclass
class _Cluster:
    """Rows of one formula. `em` is its font size."""

    rows: list[ChainedRow]
    box: Box
    em: float


def _belongs(row: ChainedRow, cluster: _Cluster, prose: ChainedRows, words: Sequence[Word]) -> bool:
    """Return whether a row is a limit, a numerator, a line, a case, the number or the condition of a formula."""
    box, em = cluster.box, cluster.em
    sideways, apart = row.box.gap_x(box), box.gap_y(row.box)
    elsewhere = sideways > GUTTER * em and _in_other_columns(row.box, box, prose, em)
    if elsewhere or _is_script_of_text(row, cluster, prose, words):
        return False
    if row.prosy:
        return apart < -0.6 * row.box.height and row.box.x0 > box.x0 and _is_condition(row, cluster, sideways, prose)
    if apart < -0.2 * min(row.box.height, box.height) and sideways < 3 * em:
        return True
    text = "".join(words[i].text for i in row.words)
    if TAG.fullmatch(text) and (row.box.x0 > box.x1 or sideways > 3 * em) and box.y0 < row.box.center[1] < box.y1:
        return True
    if sideways > 0 or apart > ROW_GAP * em:
        return False
    return (row.size < 0.85 * em and apart < 0.3 * em) or not _beside(row, prose, 1.5 * em)


def _is_script_of_text(row: ChainedRow, cluster: _Cluster, prose: ChainedRows, words: Sequence[Word]) -> bool:
    """Return whether a row is small and stands right behind a word of running text that is no part of the formula,
    raised or lowered: the exponent in the line under it."""
    em = cluster.em
    if row.size >= SCRIPT * em:
        return False
    lines = without(prose.based(row.baseline - RAISED * em, row.baseline + RAISED * em), cluster.rows)
    ends = [words[i].box.x1 for line in lines for i in line.words if words[i].size > row.size]
    return any(-LEANING * em < row.box.x0 - end < TOUCH * em for end in ends)


def _is_condition(row: ChainedRow, cluster: _Cluster, sideways: float, prose: ChainedRows) -> bool:
    """Return whether a row with words belongs to a formula on its line: beside a tall brace, or behind everything."""
    em = cluster.em
    if row.casual and sideways < em:
        return True
    box = cluster.box
    if box.height > 2 * em and sideways < 4 * em and row.box.width < WIDTH * em:
        level = (other for other in cluster.rows if abs(row.baseline - other.baseline) < 0.25 * em)
        around = [*prose.based(box.y0 - 2 * em, box.y0), *prose.based(box.y1 + 0.5 * em, box.y1 + 3 * em)]
        column = any(abs(other.box.x0 - row.box.x0) < 0.2 * em for other in around)
        return not column and any(row.box.x0 > other.box.x1 for other in level)
    return any(_trails(row, other, prose, em) for other in cluster.rows)


def _trails(text: ChainedRow, formula: ChainedRow, prose: ChainedRows, em: float) -> bool:
    """Return whether words stand behind a formula as its condition ("for all x") and are no line of another column."""
    gap = text.box.x0 - formula.box.x1
    level = abs(text.baseline - formula.baseline) < 0.25 * em
    if not (level and 0 < gap < 4 * em and text.listed <= SHORT and text.box.width < 14 * em):
        return False
    return not any(
        abs(other.box.x0 - text.box.x0) < 0.2 * em and 0 < abs(other.baseline - text.baseline) < 3 * em
        for other in prose.based(text.baseline - 3 * em, text.baseline + 3 * em)
    )


def _in_other_columns(one: Box, other: Box, prose: ChainedRows, em: float) -> bool:
    """Return whether the running text over and under two boxes says that they stand in different columns of the
    page."""
    (left, right), (start, end) = _column(one, prose, em), _column(other, prose, em)
    return left >= end - 1 or start >= right - 1


def _column(box: Box, prose: ChainedRows, em: float) -> tuple[float, float]:
    """From where to where the nearest lines of text over and under a box reach; everywhere if there are none."""
    x0, x1 = prose.corners[:, 0], prose.corners[:, 2]
    lines = prose.corners[(x0 < box.x1) & (x1 > box.x0) & (x1 - x0 > 8 * em)]
    over, under = lines[lines[:, 3] <= box.center[1]], lines[lines[:, 1] >= box.center[1]]
    near = [*over[over[:, 3].argsort()[-1:]], *under[under[:, 1].argsort()[:1]]]
    return min((line[0] for line in near), default=-np.inf), max((line[2] for line in near), default=np.inf)


def _beside(row: ChainedRow, prose: ChainedRows, reach: float) -> list[ChainedRow]:
    """Return the running text on the row's line."""
    return [
        other
        for other in prose.between(row.box.y0, row.box.y1)
        if other.box.is_level(row.box, 0.4) and other.box.gap_x(row.box) < reach
    ]


def _formula(words: Sequence[Word], members: list[int], rulings: np.ndarray) -> FoundFormula:
    chosen = [words[i] for i in members]
    box = union(word.box for word in chosen)
    latex = latex_of(chosen, rulings, displayed=True)
    return FoundFormula(box, tuple(members), latex, 1.0 if latex else 0.3)
