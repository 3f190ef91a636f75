"""Where a window of tokens occurs: drafts and the output so far, indexed as it grows."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from docparse.accel.drafts import OUTPUT, DraftTokens
from docparse.engine.tree import Candidate

SEPARATOR = -1  # stands after each draft in the common sequence; no token has this id


class NgramIndex:
    """The places after every window of 1 to n tokens of a sequence that may grow. `tokens[place]` is what follows the
    window; `place == len(tokens)` after the window that ends the sequence."""

    def __init__(self, n: int, tokens: Iterable[int] = ()) -> None:
        self.n = n
        self.tokens: list[int] = []
        self._places: list[defaultdict[tuple[int, ...], list[int]]] = [defaultdict(list) for _ in range(n)]
        self.extend(tokens)

    def extend(self, tokens: Iterable[int]) -> None:
        """Go on with these tokens."""
        known = len(self.tokens)
        self.tokens.extend(tokens)
        for length, places in enumerate(self._places, 1):
            first = max(known + 1, length)
            columns = [self.tokens[first - length + i :] for i in range(length)]
            for place, window in enumerate(zip(*columns, strict=False), first):
                places[window].append(place)

    def after(self, window: Sequence[int]) -> Sequence[int]:
        """Return the places after each occurrence of `window` (1..n tokens), ascending."""
        return self._places[len(window) - 1].get(tuple(window), ())


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

    def proposal(self, place: int, length: int) -> Candidate:
        """Return the tokens that begin at a place, so many of them."""
        return Candidate(self.tokens[place : place + length], self.source(place))

    def source(self, place: int) -> str:
        return OUTPUT if place >= self.output else self._sources[place]

    def stop(self, place: int) -> int:
        """Return where the tokens to propose from a place on end: at the end of its draft, or of the output."""
        if place >= self.output:
            return len(self.tokens) if self._quotable else place
        return self._seams[bisect_left(self._seams, place)]

    def more(self, place: int) -> bool:
        """Return whether a token to propose stands at this place."""
        if place >= self.output:
            return self._quotable and place < len(self.tokens)
        return self.tokens[place] != SEPARATOR
