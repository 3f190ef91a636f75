"""Which blocks of the drafts the output has used, and which may come next."""

from __future__ import annotations

from docparse.accel.index import DraftIndex

USED = 4  # tokens of a block that make it used; half of a shorter one


class Blocks:
    """The blocks of an index and how much of each the output agreed with; `last` is the block it was last in, or -1."""

    def __init__(self, index: DraftIndex) -> None:
        self._index = index
        self._missing = [min(USED, (len(block) + 1) // 2) for block in index.blocks]  # tokens until it is used
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
        """Where the blocks not used yet begin: first the one after the last, then the others in order."""
        unused = [start for start, missing in zip(self._starts, self._missing, strict=True) if missing > 0]
        following = self.last + 1
        if following < len(self._starts) and self._missing[following] > 0:
            unused.remove(self._starts[following])
            unused.insert(0, self._starts[following])
        return unused

    def near_start(self, place: int) -> bool:
        """Whether a block begins at this place, or up to two tokens further, or began with the token before."""
        return not self.starts.isdisjoint(range(place - 1, place + 3))
