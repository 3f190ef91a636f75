"""Code: rows of monospaced type on their own, told from text that is set so."""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile

import numpy as np

from docparse.hyphenation import CJK
from docparse.layout.chained import chained, grouped
from docparse.layout.code.listing import (
    DIGITS,
    CodeBlock,
    ListingRow,
    is_code,
    is_far,
    is_number,
    is_wrap,
    rows_of,
    share_of_mono,
    with_numbers,
    with_wraps,
)
from docparse.layout.geometry import level_strokes
from docparse.layout.text.markers import BULLETS_ALONE, leading_marker
from docparse.layout.text.wording import STOPS
from docparse.layout.text.words import LEVEL, Word
from docparse.pdf.content import NO_STROKES
from docparse.types import union

MONO = 0.75  # of the characters of a row of code; the rest are signs that its font lacks
APART = 3.2  # baseline distances of the block: rows further apart are two blocks
TYPEWRITER = 0.85  # of the page's letters: where more are monospaced, its running text is
TYPED = 0.5  # of a page's characters: of the lines of a typed letter not all are told to be monospaced
INDENT = 7.5  # em beside all rows over it at most: twelve spaces; in the next column is other code
BESIDE = 0.2  # em of height that a row has in common with text beside it: a cell stands between the lines of another
CELLED = 0.25  # of the rows of a block: where so many are cells, the others are lines of them
NEXT = 6  # rows in the order of the file: beside a cell on the middle of its row the next cell may have several lines
FLOWS = 1.7  # font sizes between baselines of a paragraph at most
FULL = 0.9  # of the right edge of the widest row: as far reaches a line that the next one goes on
MARGIN = 0.2  # em between the beginnings of lines at one margin
NAMED = 0.5  # em between where the name of a column begins and what stands under it
WORDS = 6  # so many words that end in a full stop are a sentence
AWAY = 30.0  # em from the number of a line to what stands on it, at most: a comment may follow sixty signs of code
BLANKS = 3  # lines from one to the next by their numbers, blank ones between
LARGER = 1.2  # times the size of other words, of a title
CORNER = 2.0  # points between the strokes that meet there
FRAMES = 0.3  # em between two frames at least
LOOKS = 0.04  # of a listing's characters are signs that prose has not, at least; of C and shell scripts it is a tenth
DENSE, BLANK = 0.15, 1.5  # of those of a formula among typewritten text; line distances of a blank line
EQUATES, RULED = re.compile(r"[^\W_]\w*\s*[-+*/]?=\s*\S"), re.compile(r"[-+=_]{5}")
OPTION = re.compile(r"[A-H][.．、](?![A-Za-z_*/^\\'])")  # of an answer to choose, and no matrix of MATLAB: A.*B, A.'
ITEM = re.compile(r"\d+(?:\.(?!\d)|[．、])")
CODE_SIGNS = frozenset("{}()[]<>=;$_#|\\/*+&@~^`%:\"'")
ADDRESS = re.compile(r"(\w+://|www\.|//[\w-]+\.)\S+|(\{[^{}@]+\}\s?|[\w.+-]+)@[\w-]+(\.[\w-]+)+[.,;]?")
GOES_ON = re.compile(r"(?=.*[/=?&.-])\S+")  # an address, in the row under its first
BEGINS = re.compile(rf"(?:{ADDRESS.pattern})\s")  # and not the prompt of a shell, "me@host.org:~ $"


def find_code(
    words: Sequence[Word], typewriter: float = TYPEWRITER, rulings: np.ndarray = NO_STROKES
) -> list[CodeBlock]:
    """Return the blocks of code among upright words, of which frames (float [n, 4], `rulings`) part some. Where more
    than the share `typewriter` of the letters are monospaced, what has no signs of code is text."""
    if not any(is_code(word) for word in words):
        return []
    rows = rows_of(words)
    count = _line_numbers(rows)
    rows, marked = _whole(rows, _with_comments(rows, [_is_code_row(row) for row in rows], count), count)
    order = sorted(range(len(rows)), key=lambda i: rows[i].baseline)
    others = [rows[i] for i in order if not marked[i]]
    numbers = [row for row in others if is_number(row)]
    wraps = [row for row in others if is_wrap(row.words)]
    rest = [row for row in others if not (is_number(row) or is_wrap(row.words))]
    cells = {id(rows[i]) for i in _cells(rows, marked)}
    coded = [row for row, code in zip(rows, marked, strict=True) if code]
    celled = {id(row) for block in _blocks(coded, rest) for row in _lines_of_cells(block, cells)} | cells
    left = [row for row in coded if id(row) not in celled]
    framed = (piece for block in _blocks(left, rest) for piece in _framed(block, rulings))
    whole = (_without_wrapped(block, rest) for block in framed)
    blocks = [with_wraps(with_numbers(block, numbers), wraps) for block in whole if block is not None]
    typed = share_of_mono(words) > typewriter
    blocks = [block for block in blocks if not (_is_prose(block, rest) or _is_headed(block, rest))]
    blocks = [block for block in blocks if not (_is_label(block) or _is_address(block) or _is_title(block, words))]
    return [part for block in blocks for part in _typewritten(block)] if typed else blocks


def _is_code_row(row: ListingRow) -> bool:
    # of a list in typewriter type; * and - are code
    if leading_marker(" ".join(word.text for word in row.words), row.words[0].text) in BULLETS_ALONE:
        return False
    if OPTION.match(row.words[0].text):
        return False
    count = sum(len(word.text) for word in row.words)
    return sum(len(word.text) for word in row.words if is_code(word)) >= MONO * count


def _with_comments(rows: Sequence[ListingRow], marked: Sequence[bool], count: Mapping[int, int]) -> list[bool]:
    """Return which rows are code: also those in Chinese or Japanese, which is set in another font, close under or over
    a row of it, if they begin with code or if the numbers before both, by `count`, follow each other."""
    found, before = list(marked), None
    eastern = [i for i, row in enumerate(rows) if any(CJK.search(word.text) for word in row.words)]
    begun = {i for i in eastern if is_code(rows[i].words[0]) and not ITEM.match(rows[i].text)}

    def is_beside(i: int, k: int) -> bool:
        row, other = rows[i], rows[k]
        counted = abs(count[i] - count[k]) if i in count and k in count else 0
        follows = 0 < counted <= BLANKS
        lines = counted if follows else 1
        near = 0 < abs(other.baseline - row.baseline) < lines * FLOWS * row.size and other.box.overlap_x(row.box) > 0
        return near and (i in begun or follows)

    while eastern and found != before:
        before = list(found)
        for i in eastern:
            found[i] |= any(code and is_beside(i, k) for k, code in enumerate(found))
    return found


def _whole(
    rows: Sequence[ListingRow], marked: Sequence[bool], count: Mapping[int, int]
) -> tuple[list[ListingRow], list[bool]]:
    """Return the rows, those that stand level behind one number as one, which is code if one of them is."""
    runs = chained(
        range(len(rows)),
        lambda run, i: i in count and count[i] == count.get(run[-1]) and any(marked[k] for k in (*run, i)),
    )
    return [ListingRow(tuple(w for i in run for w in rows[i].words)) for run in runs], [
        any(marked[i] for i in run) for run in runs
    ]


def _line_numbers(rows: Sequence[ListingRow]) -> dict[int, int]:
    """Return the nearest numbers that stand level with rows and before them, by the index of the row."""
    numbers = sorted((row for row in rows if is_number(row) and len(row.words[0].text) <= DIGITS), key=_baseline)
    found: dict[int, int] = {}
    for i, row in enumerate(rows):
        y, reach, x = row.baseline, LEVEL * row.size, row.box.x0
        level = numbers[bisect(numbers, y - reach, key=_baseline) : bisect_left(numbers, y + reach, key=_baseline)]
        before = (number for number in level if 0 <= x - number.box.x1 < AWAY * row.size)
        nearest = max(before, key=lambda number: number.box.x1, default=None)
        if nearest is not None and not is_number(row):
            found[i] = int(nearest.words[0].text)
    return found


def _baseline(row: ListingRow) -> float:
    return row.baseline


def _cells(rows: Sequence[ListingRow], marked: Sequence[bool]) -> set[int]:
    """The rows of code, by index, that stand beside other text and next to it in the file: cells of a table. Text over
    or under a row comes between it and the next column of a page."""

    def is_beside(row: ListingRow, other: ListingRow) -> bool:
        numbers = (is_number(other) or is_wrap(other.words)) and other.box.x1 <= row.box.x0  # its line
        level = other.box.overlap_y(row.box) > BESIDE * row.size and other.box.overlap_x(row.box) <= 0
        return level and not numbers

    def is_parted(i: int, k: int) -> bool:
        between = (rows[j] for j in range(min(i, k) + 1, max(i, k)) if not marked[j])
        return any(row.box.overlap_x(rows[i].box) > 0 for row in between)

    near = ((i, k) for i in range(len(rows)) for k in range(max(0, i - NEXT), min(len(rows), i + NEXT + 1)))
    beside = ((i, k) for i, k in near if marked[i] and not marked[k] and is_beside(rows[i], rows[k]))
    return {i for i, k in beside if not is_parted(i, k)}


def _lines_of_cells(block: CodeBlock, cells: set[int]) -> list[ListingRow]:
    """The rows of a block, many of which are `cells`, that begin where one of these does."""
    own = [row for row in block.rows if id(row) in cells]
    many = len(own) >= CELLED * len(block.rows)
    return [row for row in block.rows if many and any(abs(row.box.x0 - cell.box.x0) < row.size for cell in own)]


def _is_prose(block: CodeBlock, others: Sequence[ListingRow]) -> bool:
    """A sentence in typewriter type, or a line that is one of a paragraph by chance."""
    words = [word.text for row in block.rows for word in row.words]
    plain = sum(word.strip(".,;:!?()'’").isalpha() for word in words) > 0.9 * len(words)
    if plain and len(words) >= WORDS and words[0][:1].isupper() and words[-1].endswith(STOPS):
        return True
    if len(block.rows) > 2:
        return False
    last = block.rows[-1]
    under = [row for row in others if 0 < row.baseline - last.baseline < FLOWS * row.size and not row.words[0].bold]
    return any(row.words[0].text[0].islower() for row in under if row.box.overlap_x(block.box) > 0)


def _is_headed(block: CodeBlock, others: Sequence[ListingRow]) -> bool:
    """Return whether the names of columns stand right over it, and all parts of its rows begin where these do."""
    first = block.rows[0]
    over = [row for row in others if 0 < first.baseline - row.baseline < APART * first.size]
    starts = {x for row in block.rows for x in _starts(row)}
    for names in map(_starts, over):
        under = {name for name in names for x in starts if abs(x - name) < NAMED * first.size}
        strays = any(min(abs(x - name) for name in names) >= NAMED * first.size for x in starts)
        if len(names) > 1 and len(under) == len(names) and not strays:
            return True
    return False


def _starts(row: ListingRow) -> list[float]:
    """Return where the parts of a row begin that white sets apart."""
    return [row.words[0].box.x0, *(b.box.x0 for a, b in pairwise(row.words) if is_far(a, b))]


def _without_wrapped(block: CodeBlock, others: Sequence[ListingRow]) -> CodeBlock | None:
    """The block without the rows at its top that go on with a line of text over them; None if all do."""
    first, rows = block.rows[0], block.rows
    near = [row for row in others if 0 < first.baseline - row.baseline < FLOWS * row.size]
    over = [row for row in near if row.box.overlap_x(block.box) > 0 and _goes_on(row, block)]
    if not over:
        return block
    right = FULL * max(row.box.x1 for row in over)
    ends = (max(a.box.x1, FULL * (a.box.x1 + b.words[0].box.width)) for a, b in pairwise(rows))
    close = (b.baseline - a.baseline < FLOWS * a.size for a, b in pairwise(rows))
    full = (end > right and near for end, near in zip(ends, close, strict=True))
    count = 1 + sum(1 for _ in takewhile(bool, full))
    return CodeBlock(rows[count:]) if count < len(rows) else None


def _goes_on(line: ListingRow, block: CodeBlock) -> bool:
    """Return whether a line of text over a block is full and has no end, or ends with a name in code."""
    last, few = line.words[-1], len(block.rows) <= 2
    open_ = last.text[-1] not in ".:!?。：！？" and not line.words[0].bold and (few or len(line.words) >= WORDS)
    return line.box.x1 > FULL * block.box.x1 and (is_code(last) or open_)


def _blocks(rows: Sequence[ListingRow], others: Sequence[ListingRow]) -> list[CodeBlock]:
    """Rows, in the order of the file, that stand one under the other with nothing between them."""
    blocks: list[list[ListingRow]] = []
    for row in rows:
        near = [block for block in blocks if _follows(block, row, others)]
        blocks += [] if near else [[]]
        max(near, key=lambda block: _nearness(block, row), default=blocks[-1]).append(row)
    return [CodeBlock(tuple(block)) for block in blocks]


def _framed(block: CodeBlock, rulings: np.ndarray) -> list[CodeBlock]:
    """The block in pieces, cut where one frame ends and the next begins, or where only one of their edges lies."""
    level = level_strokes(rulings)
    level = level[(level[:, 0] < block.box.x1) & (level[:, 2] > block.box.x0)].tolist()
    down = rulings[rulings[:, 3] - rulings[:, 1] > rulings[:, 2] - rulings[:, 0]]

    def goes_on(piece: list[ListingRow], row: ListingRow) -> bool:
        between = [stroke for stroke in level if piece[-1].baseline < stroke[1] < row.baseline]
        apart = between and max(y for _, y, *_ in between) - min(y for _, y, *_ in between) > FRAMES * row.size
        return not apart and not any(_is_top_or_foot(stroke, down) for stroke in between)

    return [CodeBlock(tuple(rows)) for rows in chained(block.rows, goes_on)]


def _is_top_or_foot(stroke: Sequence[float], down: np.ndarray) -> bool:
    """Return whether a level stroke is the top or the foot of a frame: the sides at its ends run down from it, or
    up."""
    x0, y, x1, _ = stroke
    sides = down[(np.abs(down[:, 0] - x0) < CORNER) | (np.abs(down[:, 0] - x1) < CORNER)]
    runs_up = (sides[:, 1] < y - CORNER) & (sides[:, 3] > y - CORNER)
    runs_down = (sides[:, 1] < y + CORNER) & (sides[:, 3] > y + CORNER)
    return bool(runs_up.any() != runs_down.any())


def _nearness(block: Sequence[ListingRow], row: ListingRow) -> tuple[bool, float]:
    """Return whether a block is over a row, and how near it begins to it: code of the column on the left may run over
    both."""
    return _is_over(block, row, 0), -abs(min(other.box.x0 for other in block) - row.box.x0)


def _follows(block: Sequence[ListingRow], row: ListingRow, others: Sequence[ListingRow]) -> bool:
    last = block[-1]
    distance = row.baseline - last.baseline
    steps = (b.baseline - a.baseline for a, b in pairwise(block) if b.baseline > a.baseline)
    pitch = max(min(steps, default=1.3 * row.size), 1.2 * row.size)
    alike = abs(row.size - last.size) < 0.12 * row.size and _is_over(block, row, INDENT)
    if not alike or not LEVEL * row.size < distance < APART * pitch or _is_in_next_column(block, row, others):
        return False
    between = union((last.box, row.box))
    return not any(last.baseline < o.baseline < row.baseline and o.box.overlap_x(between) > 0 for o in others)


def _is_in_next_column(block: Sequence[ListingRow], row: ListingRow, others: Sequence[ListingRow]) -> bool:
    """Return whether a row beside the block begins at the margin of text: that of another column."""
    beside = row.box.x0 > max(other.box.x1 for other in block)
    return beside and any(abs(other.box.x0 - row.box.x0) < MARGIN * row.size for other in others)


def _is_over(block: Sequence[ListingRow], row: ListingRow, indent: float) -> bool:
    """Return whether a row stands in the width of the block, or `indent` em beside it at most."""
    left, right = min(other.box.x0 for other in block), max(other.box.x1 for other in block)
    return max(left - row.box.x1, row.box.x0 - right) < indent * row.size


def _is_label(block: CodeBlock) -> bool:
    """Numbers, a line in bold, or one or two in capitals: what stands in the margin, titles, and terms."""
    text = block.text
    titled = len(block.rows) == 1 and all(word.bold for word in block.words)
    plain = not set(text) & (CODE_SIGNS - set("&'#:/"))
    return titled or (plain and (not any(map(str.isalpha, text)) or (len(block.rows) <= 2 and text.isupper())))


def _is_title(block: CodeBlock, words: Sequence[Word]) -> bool:
    """A line in larger type than all other words."""
    own = set(map(id, block.words))
    others = [word.size for word in words if id(word) not in own]
    return len(block.rows) == 1 and bool(others) and max(others) * LARGER < block.rows[0].size


def _is_address(block: CodeBlock) -> bool:
    """Mail or web addresses, one in every row or two: those of authors, footnotes. A single row may begin with one: how
    to reach who wrote it."""
    shared = set("{}")  # the braces around names at one place may be of the font of formulas
    rows = [ListingRow(tuple(w for w in row.words if is_code(w) or shared >= {*w.text})).text for row in block.rows]
    begun = [ADDRESS.fullmatch(row) is not None for row in rows]
    open_ = [own and row.box.x1 > FULL * block.box.x1 for own, row in zip(begun, block.rows, strict=True)]
    over = [False, *open_[:-1]]
    whole = all(own or (before and GOES_ON.fullmatch(row)) for own, before, row in zip(begun, over, rows, strict=True))
    return whole or (len(rows) == 1 and BEGINS.match(rows[0]) is not None)


def look_coded(blocks: Sequence[CodeBlock]) -> bool:
    """Return whether they have signs that prose seldom has, taken together."""
    return _signs([row for block in blocks for row in block.rows]) > LOOKS


def _typewritten(block: CodeBlock) -> list[CodeBlock]:
    """The parts of a block that are code where all else is monospaced, too: the whole, if all but diagrams looks so; or
    those paragraphs alone that are diagrams or formulas."""
    parts = chained(block.rows, lambda part, row: row.baseline - part[-1].baseline < BLANK * block.pitch)
    kinds = grouped((_is_drawn(part), part) for part in parts)
    others = [row for part in kinds.get(False, ()) for row in part]
    if not others or _signs(others) > LOOKS:
        return [block]
    return [CodeBlock(tuple(part)) for part in kinds.get(True, ())]


def _is_drawn(rows: Sequence[ListingRow]) -> bool:
    """Return whether a paragraph is a diagram, two rows of strokes at least, or says in signs what equals what."""
    text = [row.text for row in rows]
    equates = any(EQUATES.search(line) for line in text) and _signs(rows) > DENSE
    return equates or sum(line.count("|") > 1 or RULED.search(line) is not None for line in text) > 1


def _signs(rows: Sequence[ListingRow]) -> float:
    """Return which share of the characters are signs as code has them."""
    characters = [char for row in rows for word in row.words for char in word.text]
    return sum(char in CODE_SIGNS for char in characters) / max(1, len(characters))
