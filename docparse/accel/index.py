"""Where a window of tokens occurs, and which blocks are used: drafts and the output so far, indexed as it grows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from docparse.accel.drafts import OUTPUT, DraftTokens

SEPARATOR = -1  # stands after each draft in the common sequence; no token has this id
USED_TOKENS = 4  # tokens of a block that make it used; half of a shorter one


class NgramIndex:
    """The places after every window of 1 to n tokens of a sequence that may grow. `tokens[place]` is what follows the
    window; `place == len(tokens)` after the window that ends the sequence."""

    def __init__(self, n: int, tokens: Iterable[int] = ()) -> None:
        self.n = n
        self.tokens = list(tokens)
        self._places: list[defaultdict[tuple[int, ...], list[int]]] = [defaultdict(list) for _ in range(n + 1)]
        self._known = list(range(n + 1))  # of each length: the first place that is not in the index yet

    def extend(self, tokens: Iterable[int]) -> None:
        """Go on with these tokens; windows are indexed once one of their length is looked up."""
        self.tokens.extend(tokens)

    def after(self, window: Sequence[int]) -> Sequence[int]:
        """Return the places after each occurrence of `window` (1..n tokens), ascending."""
        if self._known[len(window)] <= len(self.tokens):
            self._catch_up(len(window))
        return self._places[len(window)].get(tuple(window), ())

    def _catch_up(self, length: int) -> None:
        """Index the windows of this length that end in new tokens."""
        known, places = self._known[length], self._places[length]
        columns = [self.tokens[known - length + i :] for i in range(length)]
        for place, window in enumerate(zip(*columns, strict=False), known):
            places[window].append(place)
        self._known[length] = max(known, len(self.tokens) + 1)


class DraftIndex(NgramIndex):
    """The drafts one after the other, each closed by `SEPARATOR`, and after them the output as it grows.

    So a place is one number, whoever wrote the token there, and one look-up finds a window in all of them. `blocks` are
    the places of each block, in the order of the drafts. The output is only proposed from where it is `quotable`.
    """

    def __init__(self, n: int, drafts: Sequence[DraftTokens], quotable: bool = True) -> None:
        super().__init__(n)
        self._quotable = quotable
        self._seams: list[int] = []
        self._sources: list[str] = []  # of each place in the drafts
        self.blocks: list[range] = []
        for draft in drafts:
            begin = len(self.tokens)
            self.extend(draft.tokens)
            bounds = [*(begin + start for start in draft.starts if start < len(draft.tokens)), len(self.tokens)]
            self.blocks.extend(range(*bound) for bound in pairwise(bounds))
            self._seams.append(len(self.tokens))
            self.extend((SEPARATOR,))
            self._sources += [draft.source] * (len(draft.tokens) + 1)
        self.output = len(self.tokens)  # where the output begins
        for length in range(1, n + 1):
            self._catch_up(length)
        self._block_begins = [block.start for block in self.blocks]

    def source(self, place: int) -> str:
        return OUTPUT if place >= self.output else self._sources[place]

    def blocks_in(self, begin: int, end: int) -> range:
        """Return the numbers of the blocks that have a place in `begin <= place < end`."""
        if begin >= min(end, self.output):
            return range(0)
        first = max(0, bisect_right(self._block_begins, begin) - 1)
        return range(first, bisect_left(self._block_begins, end))

    def stop(self, place: int) -> int:
        """Return where the tokens to propose from a place on end: at the end of its draft, or of the output."""
        if place >= self.output:
            return len(self.tokens) if self._quotable else place
        return self._seams[bisect_left(self._seams, place)]

    def boundary(self, place: int) -> int:
        """Return the next place from a draft's `place` on where a block begins, or where the draft ends."""
        following = bisect_left(self._block_begins, place)
        return min([*self._block_begins[following : following + 1], self.stop(place)])

    def more(self, place: int) -> bool:
        """Return whether a token to propose stands at this place."""
        if place >= self.output:
            return self._quotable and place < len(self.tokens)
        return self.tokens[place] != SEPARATOR

    def agreement(self, place: int, most: int) -> int:
        """Return how many tokens before `place` equal those at the end of the output, up to `most`."""
        tokens, end = self.tokens, len(self.tokens)
        most, length = min(most, place, end - self.output), 0
        while length < most and tokens[place - 1 - length] == tokens[end - 1 - length]:
            length += 1
        return length


def nearest_places(places: Sequence[int], around: Iterable[int], most: int) -> list[int]:
    """Return at most `most` of the ascending `places`: those close to each of the places `around`, ahead before behind.
    Where nothing is known to be near, the first ones. O(log) in the number of places."""
    if len(places) == 1:
        return [*places]
    chosen: dict[int, None] = {}
    for center in around:
        middle = bisect_left(places, center)
        chosen |= dict.fromkeys((*places[middle : middle + 3], *places[max(0, middle - 2) : middle]))
        if len(chosen) >= most:
            break
    return list(chosen or places[:most])[:most]


class Blocks:
    """The blocks of an index and how much of each the output agreed with; `last` is the block it was last in, or -1."""

    def __init__(self, index: DraftIndex) -> None:
        self._index = index
        self._missing = [min(USED_TOKENS, (len(block) + 1) // 2) for block in index.blocks]  # tokens until it is used
        self._starts = [block.start for block in index.blocks]
        self.starts = frozenset(self._starts)
        self.last = -1

    def use(self, place: int, count: int) -> None:
        """The output agreed with `count` tokens from `place` on."""
        for number in self._index.blocks_in(place, place + count):
            block = self._index.blocks[number]
            self._missing[number] -= min(block.stop, place + count) - max(block.start, place)

    def visit(self, place: int) -> None:
        """The output was here last."""
        if blocks := self._index.blocks_in(place, place + 1):
            self.last = blocks[-1]

    def unused(self) -> list[int]:
        """Return where the blocks not used yet begin: first the one after the last, then the others in order."""
        unused = [start for start, missing in zip(self._starts, self._missing, strict=True) if missing > 0]
        following = self.last + 1
        if following < len(self._starts) and self._missing[following] > 0:
            unused.remove(self._starts[following])
            unused.insert(0, self._starts[following])
        return unused

    def near_start(self, place: int) -> bool:
        """Return whether a block begins at this place, or up to two tokens further, or began with the token before."""
        return not self.starts.isdisjoint(range(place - 1, place + 3))
