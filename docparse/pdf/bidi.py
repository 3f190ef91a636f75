"""Scripts whose characters do not simply follow each other: marks on letters, and words from right to left.

pdfium turns right-to-left text around by the direction of single characters: marks, digits, points and brackets get out
of place, as they do where a file itself stores them from left to right. Where glyphs stand says more: within a word
(what no space divides) characters are put in order from right to left, and numbers and Latin words in it from left to
right, as Unicode's algorithm had set them (UAX #9), backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from docparse.hyphenation import CJK_RANGES
from docparse.pdf.actualtext import with_clusters
from docparse.pdf.codes import within
from docparse.pdf.combining import Kinds, has_ink, kinds_of, ligatures_turned, with_marks, without_repeats
from docparse.pdf.directions import FAR, SPACE, read
from docparse.pdf.graphics import Painted
from docparse.pdf.syllables import with_spoken_syllables
from docparse.pdf.textlayer import RawText

NO_SPACE, NO_SPACE_RTL = 0.12, 0.06  # em: in a narrower gap pdfium saw a space that is none
APART = 0.2  # em between characters of two words
CELL = 0.9  # em: a Chinese character is one wide
LEVEL = 0.3  # em between baselines of one line
WIDE = 1.5  # em: spaces are stretched that far, but cells of a table stand further apart
CLEAR = 1 / 3  # of a line's letters: by so many more there are of those from right to left
ALPHABETS = 0xD835  # the first half of letters of mathematical alphabets
OVERLAP = 0.1  # em by which the middles of letters may be out of order: they are set into each other


def in_logical_order(raw: RawText, painted: Painted) -> RawText:
    """Return the text with marks behind their letters, and words as they are read."""
    kinds = kinds_of(raw.code)
    if not (kinds.mark | kinds.rtl | kinds.unspaced).any():
        return with_clusters(raw, painted) if _has_narrow_cells(raw) or (raw.code == ALPHABETS).any() else raw
    raw = without_repeats(with_clusters(ligatures_turned(raw, kinds), painted))
    raw = with_marks(with_spoken_syllables(raw))
    raw = _without_false_spaces(raw)
    return _words_turned(raw) if kinds.rtl.any() else raw


def _has_narrow_cells(raw: RawText) -> bool:
    """Return whether Chinese characters have boxes around their ink, as pdfium gives those that a file names."""
    cjk = within(raw.code, CJK_RANGES) & raw.drawn
    return bool((raw.box[cjk, 2] - raw.box[cjk, 0] < CELL * raw.size[raw.run[cjk]]).any())


def _without_false_spaces(raw: RawText) -> RawText:
    """The text less the spaces that pdfium saw where two such characters are side by side."""
    kinds, inked = kinds_of(raw.code), np.flatnonzero(has_ink(raw))
    near, far = inked[:-1], inked[1:]
    own = kinds.mark | kinds.rtl | kinds.unspaced
    size = raw.size[raw.run[near]]
    gap = np.maximum(raw.box[far, 0] - raw.box[near, 2], raw.box[near, 0] - raw.box[far, 2])
    level = np.abs(raw.matrix[raw.run[far], 5] - raw.matrix[raw.run[near], 5]) < LEVEL * size
    least = np.where(kinds.rtl[near] | kinds.rtl[far], NO_SPACE_RTL, NO_SPACE)
    close = level & (own[near] | own[far]) & (gap < least * size)
    false = np.zeros(len(raw), bool)
    for k in np.flatnonzero(close & (far - near > 1)).tolist():
        between = slice(near[k] + 1, far[k])
        false[between] = ~raw.drawn[between] & (raw.code[between] == 0x20)
    return raw.without(false)


def _words_turned(raw: RawText) -> RawText:
    """The text with words, and the characters of each, in the order in which they are read."""
    raw, space = _with_space(raw)
    kinds, code, box = kinds_of(raw.code), raw.code.copy(), raw.box.copy()
    page, pieces, done = _leans(kinds, np.arange(space)), [], 0
    for line in _lines(raw):
        rtl = _begins_right(kinds, line, page)
        if not rtl and not kinds.rtl[line].any():
            continue
        seen, cells = _seen(raw, kinds, line)
        blank = np.setdiff1d(np.arange(line[0], line[-1] + 1), line)
        between = [i for i in blank.tolist() if raw.code[i] == 0x20] or [space]
        sequence: list[int] = []
        for word in read(seen, rtl):
            index = np.array([i for place, _ in word for i in cells[place]])
            code[[cells[place][0] for place, _ in word]] = [ord(char) for _, char in word]
            letters = kinds.ltr[index] + 0.5 * (kinds.rtl | kinds.digit)[index]  # "a" of "the-a > 0" is with its sign
            together = _gathered(raw.box[index], letters, APART * float(raw.size[raw.run[index[0]]]))
            box[index] = _laid_out(together, bool(kinds.rtl[index].any()))
            sequence += [*between[: 1 if sequence else 0], *index]
        pieces += [np.arange(done, line[0]), np.array(sequence)]
        done = int(line[-1]) + 1
    order = np.concatenate([*pieces, np.arange(done, space)])
    return replace(raw, code=code, box=box).taken(order.astype(np.int64))


def _with_space(raw: RawText) -> tuple[RawText, int]:
    """The text and, behind it, a space that is printed nowhere, with its index: for lines in which pdfium saw none."""
    space = len(raw)
    raw = raw.taken(np.append(np.arange(space), space - 1))
    raw.code[space], raw.drawn[space], raw.generated[space], raw.unmapped[space] = 0x20, False, True, False
    return raw, space


def _gathered(box: np.ndarray, letters: np.ndarray, apart: float) -> np.ndarray:
    """The boxes of a word with those that are `apart` from most of its letters moved to their side: of a bracket around
    several Latin words one side is beyond the other words."""
    order = np.argsort(box[:, 0])
    gap = box[order[1:], 0] - np.maximum.accumulate(box[order[:-1], 2])
    part = np.empty(len(box), np.int64)
    part[order] = np.concatenate([[0], np.cumsum(gap > apart)])
    main = box[part == np.bincount(part, letters + 0.1).argmax()]
    box = box.copy()
    box[:, [0, 2]] = box[:, [0, 2]].clip(main[:, 0].min(), main[:, 2].max())
    return box


def _laid_out(box: np.ndarray, rtl: bool) -> np.ndarray:
    """float64 [n, 4]: boxes of the characters of a word one beside the other in the order in which they are read, as
    nothing divides them. `box` has their own, those of one glyph's characters all alike."""
    near, far = (2, 0) if rtl else (0, 2)
    steps = np.diff(box[:, near])
    if len(box) < 2 or (steps < 0 if rtl else steps > 0).all():
        return box
    width = box[:, 2] - box[:, 0]
    alike = (box[:, None] == box).all(axis=2).sum(axis=1)
    part = np.cumsum(width / alike) / max(1e-6, (width / alike).sum())
    low, high = box[:, 0].min(), box[:, 2].max()
    ends = high - part * (high - low) if rtl else low + part * (high - low)
    result = box.copy()
    result[:, far] = ends
    result[:, near] = np.concatenate([[high if rtl else low], ends[:-1]])
    return result


def _leans(kinds: Kinds, index: np.ndarray) -> int:
    """Return how many more letters are from right to left than from left to right."""
    return int(kinds.rtl[index].sum()) - int(kinds.ltr[index].sum())


def _begins_right(kinds: Kinds, line: np.ndarray, page: int) -> bool:
    """Return whether a line is read from the right; one in both scripts as the page (`page` is how that leans), if the
    line itself does not say it clearly."""
    lean, letters = _leans(kinds, line), int((kinds.rtl | kinds.ltr)[line].sum())
    mixed = bool(kinds.rtl[line].any() and kinds.ltr[line].any())
    return (page if mixed and lean < CLEAR * letters else lean or page) > 0


def _lines(raw: RawText) -> Iterator[np.ndarray]:
    """Yield the characters of each line, as pdfium has it."""
    inked = np.flatnonzero(has_ink(raw) & (raw.matrix[raw.run, 1] == 0))
    if len(inked):
        near, far = inked[:-1], inked[1:]
        ended = np.diff(np.cumsum(raw.code == 0x0A)[inked]) > 0
        rise = np.abs(raw.matrix[raw.run[far], 5] - raw.matrix[raw.run[near], 5])
        level = rise <= LEVEL * raw.size[raw.run[near]]
        parts = np.split(inked, np.flatnonzero(ended | ~level) + 1)
        line = parts[0]
        for part in parts[1:]:
            if level[np.searchsorted(far, part[0])] and _apart(raw, line, part) < APART + NO_SPACE:
                line = np.concatenate([line, part])  # pdfium ends a line within a line
            else:
                yield line
                line = part
        yield line


def _apart(raw: RawText, one: np.ndarray, other: np.ndarray) -> float:
    """Return how many em lie between the characters of two parts of a line, less than 0 where one is within the
    other."""
    low, high = raw.box[one], raw.box[other]
    gap = max(high[:, 0].min() - low[:, 2].max(), low[:, 0].min() - high[:, 2].max())
    return float(gap / max(0.1, raw.size[raw.run[one[0]]]))


def _seen(raw: RawText, kinds: Kinds, line: np.ndarray) -> tuple[list[str], list[list[int]]]:
    """Return what is seen from left to right, and the characters at each place, of which there are none in spaces."""
    seen: list[str] = []
    cells: list[list[int]] = []
    for cell in reversed(_leftward(raw, kinds, line)):
        space = _between(raw, kinds, cells[-1][0], cell[0]) if cells else ""
        seen += [space] if space else []
        cells += [[]] if space else []
        seen.append(chr(min(int(raw.code[cell[0]]), 0x10FFFF)))
        cells.append(cell)
    return seen, cells


def _between(raw: RawText, kinds: Kinds, left: int, right: int) -> str:
    """Return what stands between two characters side by side: a space is one that pdfium has there, or a wide gap."""
    first, last = min(right, left), max(right, left)
    gap = (raw.box[right, 0] - raw.box[left, 2]) / max(0.1, raw.size[raw.run[right]])
    if gap > WIDE:
        return FAR
    between = slice(first + 1, last)
    beside = ~has_ink(raw)[between].any()
    worded = (kinds.rtl | kinds.ltr | kinds.digit | kinds.mark)[[left, right]].all()
    listed = NO_SPACE_RTL if worded else NO_SPACE  # pdfium may have it on the wrong side of a bracket
    least = NO_SPACE if not beside else listed if last > first + 1 else APART
    return SPACE if gap > least else ""


def _leftward(raw: RawText, kinds: Kinds, line: np.ndarray) -> list[list[int]]:
    """The cells from right to left; letters set into each other as pdfium has them."""
    cells = _cells(raw, kinds, line)
    middles = [float(raw.box[cell[0], [0, 2]].sum()) / 2 for cell in cells]
    if sum(a < b for a, b in pairwise(middles)) > len(cells) / 2:
        cells, middles = cells[::-1], middles[::-1]
    least = OVERLAP * float(raw.size[raw.run[line[0]]])
    order: list[int] = []
    for k, middle in enumerate(middles):
        at = len(order)
        while at and middle > middles[order[at - 1]] + least:
            at -= 1
        order.insert(at, k)
    return [cells[k] for k in order]


def _cells(raw: RawText, kinds: Kinds, line: np.ndarray) -> list[list[int]]:
    """The characters of each glyph, in their order, and the marks on it."""
    cells: list[list[int]] = []
    for i in line.tolist():
        if cells and (kinds.mark[i] or (raw.box[i] == raw.box[cells[-1][0]]).all()):
            cells[-1].append(i)
        else:
            cells.append([i])
    return cells
