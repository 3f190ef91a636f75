"""Which words of a page are displayed formulas: on lines of their own, set in symbols, with no prose beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.layout.formula.evidence import has_operator, is_prose, is_strong
from docparse.layout.formula.latex import latex_of
from docparse.layout.formula.marks import TAG
from docparse.layout.formula.symbols import RELATIONS
from docparse.layout.text.words import Word
from docparse.types import Box, union

LINK = 1.3  # em: symbols of one row of a formula stand at most this far apart
INDENT = 2.5  # em: the first line of a paragraph is indented by at most this
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
    if sum(map(_is_strong, words)) < 2:
        return []
    rows = _rows(words, max(4.0, body_size))
    _mark_openings(rows)
    clusters = _clusters(words, rows, max(4.0, body_size))
    return [formula for members in clusters for formula in _formulas(words, sorted(members), rulings)]


def _is_strong(word: Word) -> bool:
    return is_strong(word) or has_operator(word)


@dataclass
class _Row:
    """Words chained along one baseline."""

    words: list[int]
    box: Box
    baseline: float
    size: float
    strong: int  # how many of the words only mathematics has
    prosy: bool  # running text, perhaps with symbols in it
    listed: int  # words of running text
    opens: bool  # with a word of running text that is no function: no bracket is glued to it
    casual: bool  # starts with a symbol and has few words: may be a line of a distinction by cases


def _rows(words: Sequence[Word], em: float) -> list[_Row]:
    """Chains of neighbours on one baseline, scripts left out of those at full size."""
    order = sorted(range(len(words)), key=lambda i: (words[i].baseline, words[i].box.x0))
    bands: list[list[int]] = []
    for i in order:
        if bands and words[i].baseline - words[bands[-1][0]].baseline < 0.25 * em:
            bands[-1].append(i)
        else:
            bands.append([i])
    small = [w for w in words if w.size < 0.86 * em]
    rows = []
    for band in bands:
        band.sort(key=lambda i: words[i].box.x0)
        chain: list[int] = []
        end = 0.0
        for i in band:
            gap = words[i].box.x0 - end
            reach = LINK * max(em, words[i].size)
            if chain and gap > reach and gap - _scripts_between(small, words[i], end, em) > reach:
                rows.append(_row(words, chain))
                chain = []
            end = max(end, words[i].box.x1) if chain else words[i].box.x1
            chain.append(i)
        if chain:
            rows.append(_row(words, chain))
    return rows


def _mark_openings(rows: list[_Row]) -> None:
    """A row that opens with words at the margin of running text, or as far from it as a paragraph does, is text."""
    prose = [row for row in rows if row.prosy]
    for row in rows:
        if row.opens and not row.prosy:
            near = [p for p in prose if abs(p.baseline - row.baseline) < 5 * row.size and p.box.overlap_x(row.box) > 0]
            row.prosy = any(abs(row.box.x0 - p.box.x0) < INDENT * row.size for p in near)


def _scripts_between(small: Sequence[Word], word: Word, end: float, em: float) -> float:
    """How much of the space before a word its neighbours' scripts fill."""
    near = [
        w for w in small if w is not word and abs(w.baseline - word.baseline) < em and end - em < w.box.x0 < word.box.x0
    ]
    reached = end
    for script in sorted(near, key=lambda w: w.box.x0):
        if script.box.x0 - reached < em:
            reached = max(reached, script.box.x1)
    return reached - end


def _row(words: Sequence[Word], chain: list[int]) -> _Row:
    members = [words[i] for i in chain]
    # what is applied to something is no running text: Attention(Q, K)
    applied = [a.text[-1] in "([" or (b.glued and b.text[0] in "([") for a, b in pairwise(members)] + [False]
    prose = [is_prose(word) and not name for word, name in zip(members, applied, strict=True)]
    listed, opens = sum(prose), prose[0]
    share = sum(len(w.text) for w, told in zip(members, prose, strict=True) if told) / sum(len(w.text) for w in members)
    strong = sum(_is_strong(w) or w.text in ("=", "<", ">", "+") for w in members)
    return _Row(
        words=list(chain),
        box=union(w.box for w in members),
        baseline=members[0].baseline,
        size=max(w.size for w in members),
        strong=strong,
        prosy=(listed >= 3 and share > 0.3)
        or (opens and listed >= 2)
        or (share > 0.45 and (listed > 1 or opens or not strong)),
        listed=listed,
        opens=opens,
        casual=not opens and listed <= 4,
    )


def _clusters(words: Sequence[Word], rows: list[_Row], em: float) -> list[set[int]]:
    """Sets of words that make one displayed formula each."""
    prose = [row for row in rows if row.prosy]
    rest = [row for row in rows if (not row.prosy or row.casual) and not _is_script_of(row, prose, em)]
    seeds = [row for row in rest if not row.prosy and _is_seed(row, prose, em)]
    taken: set[int] = set()
    clusters: list[_Cluster] = []
    for seed in sorted(seeds, key=lambda row: (-round(row.size, 1), row.box.y0, row.box.x0)):
        if id(seed) in taken:
            continue
        cluster = _Cluster([seed], seed.box, max(em, min(seed.size, 1.3 * em)))
        taken.add(id(seed))
        grown = True
        while grown:
            grown = False
            for row in rest:
                if id(row) not in taken and _belongs(row, cluster, prose, words):
                    cluster.rows.append(row)
                    cluster.box = cluster.box | row.box
                    taken.add(id(row))
                    grown = True
        clusters.append(cluster)
    leading = _leading(prose)
    return [
        {i for row in cluster.rows for i in row.words}
        for cluster in _merged(clusters)
        if _is_display(cluster, prose, leading, em)
    ]


@dataclass
class _Cluster:
    """Rows of one formula. `em` is its font size."""

    rows: list[_Row]
    box: Box
    em: float


def _merged(clusters: list[_Cluster]) -> list[_Cluster]:
    """Clusters side by side on one line as one."""
    merged: list[_Cluster] = []
    for cluster in sorted(clusters, key=lambda c: (c.box.x0, c.box.y0)):
        for other in merged:
            gap = max(cluster.box.x0 - other.box.x1, other.box.x0 - cluster.box.x1)
            shared = cluster.box.overlap_y(other.box)
            if gap < 3 * other.em and shared > 0.4 * min(cluster.box.height, other.box.height):
                other.rows += cluster.rows
                other.box = other.box | cluster.box
                break
        else:
            merged.append(cluster)
    return merged


def _leading(prose: list[_Row]) -> float:
    """Usual baseline distance of running text, points; 0 where there are too few lines to tell."""
    distances = []
    for upper, lower in pairwise(prose):
        if (
            upper.box.overlap_x(lower.box) > 0.5 * lower.box.width
            and 0 < lower.baseline - upper.baseline < 2.5 * lower.size
        ):
            distances.append(lower.baseline - upper.baseline)
    return float(np.median(distances)) if len(distances) > 2 else 0.0


def _is_seed(row: _Row, prose: list[_Row], em: float) -> bool:
    """A row of symbols with no prose beside it on its line."""
    if row.strong < 1 or row.size < 0.8 * em:
        return False
    return not _beside(row, prose, 3 * em)


def _is_script_of(row: _Row, prose: list[_Row], em: float) -> bool:
    """Small print just above or below the baseline of running text."""
    return row.size < 0.86 * em and any(
        abs(row.baseline - p.baseline) < 0.75 * em and p.box.x0 < row.box.center[0] < p.box.x1 + 0.5 * em for p in prose
    )


def _belongs(row: _Row, cluster: _Cluster, prose: list[_Row], words: Sequence[Word]) -> bool:
    """Whether a row is a limit, a numerator, another line, a case or the number of a formula."""
    box, em = cluster.box, cluster.em
    apart = max(box.y0 - row.box.y1, row.box.y0 - box.y1)
    sideways = max(row.box.x0 - box.x1, box.x0 - row.box.x1)
    if row.prosy:  # only beside a tall brace
        return apart < -0.6 * row.box.height and row.box.x0 - box.x0 > 0 and sideways < em and box.height > 2 * em
    if apart < -0.2 * min(row.box.height, box.height) and sideways < 3 * em:
        return True
    text = "".join(words[i].text for i in row.words)
    if TAG.fullmatch(text) and row.box.x0 > box.x1 and box.y0 < row.box.center[1] < box.y1:
        return sideways < 30 * em and not any(
            p.box.overlap_y(row.box) > 0 and box.x1 < p.box.center[0] < row.box.x0 for p in prose
        )
    if sideways > 0 or apart > ROW_GAP * em:
        return False
    small = row.size < 0.85 * em
    if not small and row.strong == 0 and apart > 0.35 * em:
        return False
    return (small and apart < 0.3 * em) or not _beside(row, prose, 1.5 * em)


def _beside(row: _Row, prose: list[_Row], reach: float) -> bool:
    """Running text stands on the row's line."""
    return any(
        other.box.overlap_y(row.box) > 0.4 * min(row.box.height, other.box.height)
        and max(other.box.x0 - row.box.x1, row.box.x0 - other.box.x1) < reach
        for other in prose
    )


def _is_display(cluster: _Cluster, prose: list[_Row], leading: float, body: float) -> bool:
    """Symbols enough, near running text, and not the last words of a paragraph that happen to be symbols."""
    box, em = cluster.box, cluster.em
    if sum(row.strong for row in cluster.rows) < 2:
        return False
    if max(row.size for row in cluster.rows) < 0.9 * body:
        return False  # a label in a figure
    near = [
        p
        for p in prose
        if max(box.y0 - p.box.y1, p.box.y0 - box.y1) < 6 * em and max(box.x0 - p.box.x1, p.box.x0 - box.x1) < 12 * em
    ]
    above = [p for p in near if p.baseline < min(row.baseline for row in cluster.rows) and p.box.overlap_x(box) > 0]
    if not above:
        return bool(near)
    last = max(above, key=lambda p: p.baseline)
    first = min((row.baseline for row in cluster.rows if row.size > 0.8 * em), default=box.y1)
    flush = box.x0 < min(p.box.x0 for p in above if last.baseline - p.baseline < 5 * em) + 0.6 * em
    if flush and any(row.listed and row.size > 0.8 * em for row in cluster.rows):
        return False  # symbols and words at the margin: a line of text
    return not (flush and first - last.baseline < max(1.15 * leading, 1.3 * em))


def _formulas(words: Sequence[Word], members: list[int], rulings: np.ndarray) -> list[FoundFormula]:
    """One formula, or the displays that stand one under the other without belonging together."""
    whole = _formula(words, members, rulings)
    parts = _bands(words, members, rulings)
    if len(parts) == 1 or (whole.latex and "gathered" not in whole.latex and whole.latex.count(r"\text{(") < 2):
        return [whole]
    return [_formula(words, part, rulings) for part in parts]


def _bands(words: Sequence[Word], members: list[int], rulings: np.ndarray) -> list[list[int]]:
    """Members between the horizontal bands of the formula that nothing is printed in; limits stay with their row."""
    full = 0.7 * max(words[i].size for i in members)
    bars = (rulings[:, 1] + rulings[:, 3]) / 2 if len(rulings) else np.zeros(0)
    bands: list[list[int]] = []
    bottom = 0.0
    for i in sorted(members, key=lambda i: words[i].box.y0):
        box, size = words[i].box, words[i].size
        barred = bool(np.any((bars > bottom - 2) & (bars < box.y0 + 2)))
        if bands and (box.y0 - bottom < 0.1 * size or barred):
            bands[-1].append(i)
        else:
            bands.append([i])
        bottom = max(bottom, box.y1)
    merged: list[list[int]] = []
    for band in bands:
        complete = _has_relation(words, band, full)
        if merged and not (complete and _has_relation(words, merged[-1], full)):
            merged[-1] += band
        else:
            merged.append(band)
    return [sorted(band) for band in merged]


def _has_relation(words: Sequence[Word], band: list[int], full: float) -> bool:
    return any(words[i].text[:1] in RELATIONS and words[i].size >= full for i in band)


def _formula(words: Sequence[Word], members: list[int], rulings: np.ndarray) -> FoundFormula:
    chosen = [words[i] for i in members]
    box = union(word.box for word in chosen)
    latex = latex_of(chosen, rulings)
    return FoundFormula(box, tuple(members), latex.text if latex else None, latex.confidence if latex else 0.3)
