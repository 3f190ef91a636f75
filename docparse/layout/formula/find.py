"""Which words of a page are displayed formulas: on lines of their own, set in symbols, with no prose beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np

from docparse.hyphenation import CJK
from docparse.layout.formula.evidence import TAG, has_operator, is_prose, is_strong
from docparse.layout.formula.latex import latex_of
from docparse.layout.text.words import Word
from docparse.types import Box, corners, union

LINK = 1.3  # em: symbols of one row of a formula stand at most this far apart
GUTTER, COLUMN = 0.8, 6  # em between two columns of text, at least; lines that say where the second begins
SHORT = 8  # words of a condition behind a formula
LABEL = 0.9  # times the size of running text: smaller symbols are labels in a figure
ROW_GAP = 0.9  # em: rows of one system have at most this much empty space between them
NUMBER = re.compile(r"\d{1,2}[.．、]|\((?:\d|[a-h]|[ivx]{1,4})\)")  # of an item
CHOICE = re.compile(r"[A-H][.．、]")
APART = 3.0  # em between two choices
LISTED = 0.4  # em from there to its words
LARGE = 1.3  # times the size of running text: signs of integrals and sums
TALL = 0.95  # em between the baseline of a fraction and those of its halves; lines stand farther apart
_GREEK = re.compile(r"[\u0391-\u03f5]")


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
    return [_formula(words, sorted(members), rulings) for members in _clusters(words, rows, max(4.0, body_size))]


def _is_strong(word: Word) -> bool:
    return is_strong(word) or has_operator(word)


def _is_variable(word: Word) -> bool:
    return word.text.isalpha() and ((len(word.text) == 1 and word.italic) or _GREEK.search(word.text) is not None)


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
    casual: bool  # starts with a symbol and has few words: may be a line of a distinction by cases


class _Rows:
    """Rows and where they stand, to ask only those at the height in question."""

    def __init__(self, rows: Sequence[_Row]) -> None:
        self.rows = list(rows)
        self.corners = np.array([corners(row.box) for row in rows]).reshape(-1, 4)
        self.baselines = np.array([row.baseline for row in rows])

    def between(self, y0: float, y1: float) -> list[_Row]:
        """Return the rows whose boxes reach between two heights, in their order."""
        return self._at((self.corners[:, 1] <= y1) & (self.corners[:, 3] >= y0))

    def based(self, y0: float, y1: float) -> list[_Row]:
        """Return the rows whose baselines are between two heights, in their order."""
        return self._at((self.baselines >= y0) & (self.baselines <= y1))

    def _at(self, chosen: np.ndarray) -> list[_Row]:
        return [self.rows[k] for k in np.flatnonzero(chosen).tolist()]


def _rows(words: Sequence[Word], em: float) -> list[_Row]:
    """Chains of neighbours on one baseline. Where nothing tall is in it, the number of an item stands apart, and a line
    of Chinese that goes on with a formula is text, and so is one that begins with the letter of a choice."""
    chains = _chains(words, em)
    numbered = {k for k, chain in enumerate(chains) if _is_numbered([words[i] for i in chain[:2]])}
    inline = {k for k, chain in enumerate(chains) if _begins_in_chinese(words[i] for i in chain)}
    inline |= _choices([words[chain[0]] for chain in chains], em)
    tall = _tall(words, chains, numbered | inline, em)
    rows = []
    for k, chain in enumerate(chains):
        number = 1 if k in numbered - tall else 0
        if number:
            rows.append(_row(words, chain[:1], text=True))
        if chain[number:]:
            rows.append(_row(words, chain[number:], text=k in inline - tall))
    return rows


def _is_numbered(first: Sequence[Word]) -> bool:
    """Whether a chain begins with the number of an item, and a space where more follows it. In brackets and alone it is
    that of a formula."""
    if not NUMBER.fullmatch(first[0].text):
        return False
    if len(first) == 1:
        return not first[0].text.startswith("(")
    return first[1].box.x0 - first[0].box.x1 > LISTED * first[0].size


def _choices(first: Sequence[Word], em: float) -> set[int]:
    """Which chains begin with a letter and a point, and the next letter beside it or under it, by their first words."""
    letters = {k: word for k, word in enumerate(first) if CHOICE.fullmatch(word.text)}

    def goes_on(word: Word, other: Word) -> bool:
        under = abs(word.box.x0 - other.box.x0) < em and abs(word.baseline - other.baseline) < APART * em
        level = abs(word.baseline - other.baseline) < 0.3 * em
        return abs(ord(word.text[0]) - ord(other.text[0])) == 1 and (under or level)

    return {k for k, word in letters.items() if any(goes_on(word, other) for other in letters.values())}


def _begins_in_chinese(words: Iterable[Word]) -> bool:
    return any(CJK.search(word.text) for word in takewhile(lambda word: not _is_strong(word), words))


def _tall(words: Sequence[Word], chains: Sequence[Sequence[int]], asked: Iterable[int], em: float) -> set[int]:
    """Which of the chains `asked` for hold, or have beside them, a large operator, a fraction, or something else with
    halves of full size."""
    asked = list(asked)
    if not asked:
        return set()
    x0 = np.array([words[chain[0]].box.x0 for chain in chains])
    x1 = np.array([max(words[i].box.x1 for i in chain) for chain in chains])
    size = np.array([max(words[i].size for i in chain) for chain in chains])
    baseline = np.array([words[chain[0]].baseline for chain in chains])

    def is_tall(k: int) -> bool:
        step = np.abs(baseline - baseline[k])
        half = (size > 0.85 * em) & (step > 0.3 * em)
        beside = (x0 < x1[k] + 3 * em) & (x1 > x0[k] - 3 * em) & (step < TALL * em)
        return bool((beside & (half | (size > LARGE * em))).any())

    return set(filter(is_tall, asked))


def _chains(words: Sequence[Word], em: float) -> list[list[int]]:
    """Neighbours on one baseline, scripts left out of those at full size."""
    order = sorted(range(len(words)), key=lambda i: (words[i].baseline, words[i].box.x0))
    bands: list[list[int]] = []
    for i in order:
        if bands and words[i].baseline - words[bands[-1][0]].baseline < 0.25 * em:
            bands[-1].append(i)
        else:
            bands.append([i])
    for band in bands:
        band.sort(key=lambda i: words[i].box.x0)
    starts = _column_starts(words, bands, em)
    chains = []
    for band in bands:
        chain, end = [band[0]], words[band[0]].box.x1
        for i in band[1:]:
            gap, size = words[i].box.x0 - end, max(em, words[i].size)
            if gap > LINK * size or (gap > GUTTER * size and round(words[i].box.x0) in starts):
                chains.append(chain)
                chain = []
            chain.append(i)
            end = max(end, words[i].box.x1) if len(chain) > 1 else words[i].box.x1
        chains.append(chain)
    return chains


def _column_starts(words: Sequence[Word], bands: list[list[int]], em: float) -> set[int]:
    """Where, in points, line after line goes on behind a gap: the left edge of the next column of text."""
    behind = Counter(
        round(words[b].box.x0)
        for band in bands
        for a, b in pairwise(band)
        if words[b].box.x0 - words[a].box.x1 > GUTTER * em
    )
    return {x + step for x, count in behind.items() if count >= COLUMN for step in (-1, 0, 1)}


def _row(words: Sequence[Word], chain: list[int], *, text: bool) -> _Row:
    """A chain as a row; `text` says that it is running text whatever else it holds."""
    members = [words[i] for i in chain]
    # what is applied to something is no running text: Attention(Q, K)
    applied = [a.text[-1] in "([" or (b.glued and b.text[0] in "([") for a, b in pairwise(members)] + [False]
    prose = [is_prose(word) and not name for word, name in zip(members, applied, strict=True)]
    listed, opens = sum(prose), prose[0]
    share = sum(len(w.text) for w, told in zip(members, prose, strict=True) if told) / sum(len(w.text) for w in members)
    strong = sum(_is_strong(w) or w.text in ("=", "<", ">", "+") for w in members)
    if strong and not listed:  # beside a sign a variable is one too, whatever its font
        strong += sum(not _is_strong(w) and _is_variable(w) for w in members)
    return _Row(
        words=list(chain),
        box=union(w.box for w in members),
        baseline=members[0].baseline,
        size=max(w.size for w in members),
        strong=strong,
        prosy=text
        or any("@" in word.text for word in members)  # {one,two}@a.university
        or (listed >= 3 and share > 0.3)
        or (opens and listed >= 2)
        or (share > 0.45 and (listed > 1 or opens or not strong)),
        listed=listed,
        casual=not opens and listed <= 4,
    )


def _clusters(words: Sequence[Word], rows: list[_Row], em: float) -> list[set[int]]:
    """Sets of words that make one displayed formula each."""
    prosy = [row for row in rows if row.prosy]
    rest = [row for row in rows if not row.prosy or row.casual or row.listed <= SHORT]
    told = _going_on(prosy, rest, em)
    prose = _Rows([*prosy, *told])
    rest = [row for row in rest if not any(row is other for other in told)]
    seeds = [row for row in rest if not row.prosy and row.strong and row.size >= 0.8 * em]
    seeds = [row for row in seeds if all(_trails(text, row, prose, em) for text in _beside(row, prose, 3 * em))]
    taken: set[int] = set()
    clusters: list[_Cluster] = []
    candidates = _Rows(rest)
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
        clusters.append(cluster)
    return [
        {i for row in cluster.rows for i in row.words}
        for cluster in clusters
        if sum(row.strong for row in cluster.rows) > 1 and max(row.size for row in cluster.rows) >= LABEL * em
    ]


@dataclass
class _Cluster:
    """Rows of one formula. `em` is its font size."""

    rows: list[_Row]
    box: Box
    em: float


def _belongs(row: _Row, cluster: _Cluster, prose: _Rows, words: Sequence[Word]) -> bool:
    """Whether a row is a limit, a numerator, a line, a case, the number or the condition of a formula."""
    sideways = max(row.box.x0 - cluster.box.x1, cluster.box.x0 - row.box.x1)
    if not _is_part(row, cluster, sideways, prose, words):
        return False
    return sideways <= 0 or not _in_other_columns(row.box, cluster.box, prose, cluster.em)


def _is_part(row: _Row, cluster: _Cluster, sideways: float, prose: _Rows, words: Sequence[Word]) -> bool:
    box, em = cluster.box, cluster.em
    apart = max(box.y0 - row.box.y1, row.box.y0 - box.y1)
    if row.prosy:  # only beside a tall brace, or behind everything
        if apart >= -0.6 * row.box.height or row.box.x0 <= box.x0:
            return False
        near = _Rows([]) if box.height > 2 * em else prose
        return (row.casual and sideways < em) or any(_trails(row, other, near, em) for other in cluster.rows)
    if apart < -0.2 * min(row.box.height, box.height) and sideways < 3 * em:
        return True
    text = "".join(words[i].text for i in row.words)
    if TAG.fullmatch(text) and (row.box.x0 > box.x1 or sideways > 3 * em) and box.y0 < row.box.center[1] < box.y1:
        return True
    if sideways > 0 or apart > ROW_GAP * em:
        return False
    return (row.size < 0.85 * em and apart < 0.3 * em) or not _beside(row, prose, 1.5 * em)


def _going_on(prose: Sequence[_Row], rest: Sequence[_Row], em: float) -> list[_Row]:
    """Rows that are the next line of running text, and not set apart from it, with all that stands on that line."""
    found: list[_Row] = []
    lines: list[_Row] = []
    rows, above = _Rows(rest), _Rows(prose)
    for row in sorted((row for row in rest if not row.prosy and row.size > 0.85 * em), key=lambda row: row.baseline):
        if any(_is_next_line(row, text, em) for text in [*above.based(row.baseline - 1.5 * em, row.baseline), *lines]):
            lines.append(row)
            end = row.box.x1
            for other in sorted(rows.based(row.baseline - em, row.baseline + em), key=lambda other: other.box.x0):
                if _on_line(other, row, em) and row.box.x0 <= other.box.x0 < end + 3 * em:
                    end = max(end, other.box.x1)
                    found += [] if other.prosy else [other]
    return found


def _is_next_line(row: _Row, text: _Row, em: float) -> bool:
    return abs(text.box.x0 - row.box.x0) < 0.2 * em and 0 < row.baseline - text.baseline < 1.5 * em


def _on_line(other: _Row, row: _Row, em: float) -> bool:
    """Whether a row has the same baseline, or is raised or lowered as scripts are."""
    rise = (row.baseline - other.baseline) / em
    return -0.3 < rise < 0.6 if other.size < 0.85 * em else abs(rise) < 0.2


def _trails(text: _Row, formula: _Row, prose: _Rows, em: float) -> bool:
    """Whether words stand behind a formula as its condition ("for all x") and are no line of another column."""
    gap = text.box.x0 - formula.box.x1
    level = abs(text.baseline - formula.baseline) < 0.25 * em
    if not (level and 0 < gap < 4 * em and text.listed <= SHORT and text.box.width < 14 * em):
        return False
    return not any(
        abs(other.box.x0 - text.box.x0) < 0.2 * em and 0 < abs(other.baseline - text.baseline) < 3 * em
        for other in prose.based(text.baseline - 3 * em, text.baseline + 3 * em)
    )


def _in_other_columns(one: Box, other: Box, prose: _Rows, em: float) -> bool:
    """Whether the running text over and under two boxes says that they stand in different columns of the page."""
    (left, right), (start, end) = _column(one, prose, em), _column(other, prose, em)
    return left >= end - 1 or start >= right - 1


def _column(box: Box, prose: _Rows, em: float) -> tuple[float, float]:
    """From where to where the nearest lines of text over and under a box reach; everywhere if there are none."""
    x0, x1 = prose.corners[:, 0], prose.corners[:, 2]
    lines = prose.corners[(x0 < box.x1) & (x1 > box.x0) & (x1 - x0 > 8 * em)]
    over, under = lines[lines[:, 3] <= box.center[1]], lines[lines[:, 1] >= box.center[1]]
    near = [*over[over[:, 3].argsort()[-1:]], *under[under[:, 1].argsort()[:1]]]
    return min((line[0] for line in near), default=-np.inf), max((line[2] for line in near), default=np.inf)


def _beside(row: _Row, prose: _Rows, reach: float) -> list[_Row]:
    """Return the running text on the row's line."""
    return [
        other
        for other in prose.between(row.box.y0, row.box.y1)
        if other.box.overlap_y(row.box) > 0.4 * min(row.box.height, other.box.height)
        and max(other.box.x0 - row.box.x1, row.box.x0 - other.box.x1) < reach
    ]


def _formula(words: Sequence[Word], members: list[int], rulings: np.ndarray) -> FoundFormula:
    chosen = [words[i] for i in members]
    box = union(word.box for word in chosen)
    latex = latex_of(chosen, rulings)
    return FoundFormula(box, tuple(members), latex, 1.0 if latex else 0.3)
