"""What attention costs by the formula of the papers, to compare methods and to match their budgets."""

from __future__ import annotations

from collections.abc import Sequence


def attention_flops(read: Sequence[int], hidden: int, nodes: int = 1) -> int:
    """Floating-point operations of all attention sublayers of one pass over one row of the batch.

    FastOCR's `B * L * (8 D^2 + 4 s D)` for B rows, with an `s` for each of the L layers: `read[l]` rows of the cache
    and the `nodes` of the pass themselves; every node is a query. D is the hidden size; four projections of D x D, the
    scores and the weighted sum, two operations each (grouped heads are counted as full ones, as in the paper).
    """
    return nodes * sum(8 * hidden**2 + 4 * (rows + nodes) * hidden for rows in read)
