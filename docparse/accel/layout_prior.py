"""What drafts know about where a model is reading: a drafted block has a box, and visual tokens lie under it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.accel.drafts import DraftTokens
    from docparse.engine.prompt import Prompt
    from docparse.engine.tree import Tree


class LayoutPrior:
    """Of one output: its prompt's visual tokens, and the boxes of the blocks of its drafts (those that have any)."""

    def __init__(self, prompt: Prompt, drafts: Sequence[DraftTokens]) -> None:
        self._boxes = prompt.boxes
        self._drafts = drafts
        self._known: dict[tuple[int, int], Tensor] = {}

    def under(self, tree: Tree) -> Tensor | None:
        """Bool `[V]`: the visual tokens that lie under a block of which the tree proposes a token; None where it
        proposes none with a box."""
        blocks = {
            (draft, bisect_right(self._drafts[draft].starts, offset) - 1)
            for draft, offset in tree.origins[1:]
            if 0 <= draft < len(self._drafts) and self._drafts[draft].boxes
        }
        return reduce(or_, [self._under(*block) for block in sorted(blocks)]) if blocks else None

    def _under(self, draft: int, block: int) -> Tensor:
        """Tokens that overlap one block; structural ones are nowhere (NaN) and overlap nothing."""
        if (draft, block) not in self._known:
            x0, y0, x1, y1 = self._drafts[draft].boxes[max(0, block)]
            left, top, right, bottom = self._boxes.unbind(dim=1)
            self._known[draft, block] = (left < x1) & (right > x0) & (top < y1) & (bottom > y0)
        return self._known[draft, block]
