"""Which blocks of the drafts the output has used, and which may come next."""

from __future__ import annotations

from docparse.accel.index import DraftIndex

USED = 4  # tokens of a block that make it used; half of a shorter one


class Blocks:
    """The blocks of an index and how much of each the output agreed with; `last` is the block it was last in, or -1."""

    def __init__(self, index: DraftIndex) -> None:
        self._index = index
        self._agreed = [0] * len(index.blocks)
        self._starts = frozenset(block.start for block in index.blocks)
        self.last = -1

    def use(self, place: int, count: int) -> None:
        """The output agreed with `count` tokens from `place` on."""
        for number in self._index.blocks_in(place, place + count):
            block = self._index.blocks[number]
            self._agreed[number] += min(block.stop, place + count) - max(block.start, place)

    def visit(self, place: int) -> None:
        """The output was here last."""
        if blocks := self._index.blocks_in(place, place + 1):
            self.last = blocks[-1]

    def unused(self) -> list[int]:
        """Where the blocks not used yet begin: first the one after the last, then the others in order."""
        unused = (
            number
            for number, block in enumerate(self._index.blocks)
            if self._agreed[number] < min(USED, (len(block) + 1) // 2)
        )
        return [self._index.blocks[n].start for n in sorted(unused, key=lambda n: n != self.last + 1)]

    def begins(self, place: int) -> bool:
        return place in self._starts

    def near_start(self, place: int) -> bool:
        """Whether a block begins at this place, or up to two tokens further, or began with the token before."""
        return not self._starts.isdisjoint(range(place - 1, place + 3))
