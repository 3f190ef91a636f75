"""Which blocks of the pipeline a model's blocks are: by their words, and where there are boxes by those; never by how
they were decoded."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from docparse.types import Block, Category, plain

GRAM = 4  # characters that count as one piece of text in common
ALIKE = 0.5  # Dice coefficient from which two texts are the same block, read twice
WITHIN = 0.8  # share of a text found in another from which it is a part of that
MIN_PIECES = 6  # pieces of a text that may be a part of another: fewer are anywhere
COVERED = 0.5  # share of a box in another box from which they are about the same thing
COMMAND = re.compile(r"\\[A-Za-z]+")
UNWORDED = (Category.FORMULA, Category.PICTURE, Category.TABLE)  # what two readers may write without a word in common


def matches(written: Sequence[Block], known: Sequence[Block], *, boxed: bool) -> list[tuple[int, ...]]:
    """Return for each written block the indices of the known blocks it stands for, best first."""
    found = _by_box(written, known) if boxed else _by_words(written, known)
    return _between(written, known, found)


def words_of(block: Block) -> str:
    """Return the letters and digits of a block, in one case; names of LaTeX commands are not among them."""
    text = " ".join(plain(cell.spans) for cell in block.table.cells) if block.table else block.text
    plainer = unicodedata.normalize("NFKC", COMMAND.sub(" ", text)).casefold()
    return "".join(character for character in plainer if character.isalnum())


def _by_words(written: Sequence[Block], known: Sequence[Block]) -> list[tuple[int, ...]]:
    """Pairs of the same text first, each block in one; then the pieces of blocks that only one reader cut."""
    ours, theirs = [_pieces(block) for block in written], [_pieces(block) for block in known]
    common = _common(ours, theirs)
    pairs = sorted(
        (
            (-2 * count / (len(ours[i]) + len(theirs[k])), abs(i / len(ours) - k / len(theirs)), i, k)
            for (i, k), count in common.items()
            if 2 * count >= ALIKE * (len(ours[i]) + len(theirs[k]))
        )
    )
    found: list[list[int]] = [[] for _ in written]
    taken: set[int] = set()
    for _, _, i, k in pairs:
        if not found[i] and k not in taken:
            found[i].append(k)
            taken.add(k)
    for (i, k), count in sorted(common.items()):
        if k not in taken and count >= max(MIN_PIECES, WITHIN * len(theirs[k])):
            found[i].append(k)
            taken.add(k)
    for i, pieces in enumerate(ours):
        whole = max(range(len(known)), key=lambda k: (common[i, k], -k), default=0)
        if not found[i] and pieces and common[i, whole] >= max(MIN_PIECES, WITHIN * len(pieces)):
            found[i].append(whole)
    return [tuple(indices) for indices in found]


def _pieces(block: Block) -> frozenset[str]:
    words = words_of(block)
    if len(words) <= GRAM:
        return frozenset({words} - {""})
    return frozenset(words[i : i + GRAM] for i in range(len(words) - GRAM + 1))


def _common(ours: Sequence[frozenset[str]], theirs: Sequence[frozenset[str]]) -> Counter[tuple[int, int]]:
    """Return how many pieces each pair of texts has in common, through an index: most pairs have none."""
    holders = defaultdict(list)
    for k, pieces in enumerate(theirs):
        for piece in pieces:
            holders[piece].append(k)
    return Counter((i, k) for i, pieces in enumerate(ours) for piece in pieces for k in holders.get(piece, ()))


def _by_box(written: Sequence[Block], known: Sequence[Block]) -> list[tuple[int, ...]]:
    """The known blocks that lie in a written one, or hold it; those with most area in common first."""
    found = []
    for block in written:
        common = [block.box.intersection(other.box) for other in known]
        near = (
            k
            for k, other in enumerate(known)
            if common[k] > 0 and common[k] >= COVERED * min(block.box.area, other.box.area)
        )
        found.append(tuple(sorted(near, key=lambda k: -common[k])))
    return found


def _between(written: Sequence[Block], known: Sequence[Block], found: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """A formula, picture or table without a match is the next one of its kind between its neighbours' matches."""
    taken = {k for indices in found for k in indices}
    result = list(found)
    for i, block in enumerate(written):
        if result[i] or block.category not in UNWORDED:
            continue
        before = next((max(indices) for indices in reversed(result[:i]) if indices), -1)
        after = next((min(indices) for indices in result[i + 1 :] if indices), len(known))
        free = (k for k in range(before + 1, after) if k not in taken and known[k].category is block.category)
        if (k := next(free, None)) is not None:
            result[i] = (k,)
            taken.add(k)
    return result
