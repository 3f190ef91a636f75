"""Where a draft goes on after the model wrote something the draft did not foresee."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

MAX_SKIPPED = 3  # draft tokens that may be passed over beyond as many as were written
MAX_PLACES = 4  # places to go on from


class Realignment(NamedTuple):
    """Go on `skip` tokens further in the draft, having paid `edits`; `shift` is the sign of the change of length, and
    `agrees` says whether the last token written stands in the draft just before."""

    skip: int
    edits: int
    agrees: bool
    shift: int


def realignments(draft: Sequence[int], written: Sequence[int]) -> tuple[Realignment, ...]:
    """The places of `draft` that may follow `written`, fewest edits first.

    `draft` begins at its first token that was not written; `written` are the tokens since. The edits are those of the
    Levenshtein distance between `written` and the part of the draft that is skipped.
    """
    width = min(len(draft), len(written) + MAX_SKIPPED)
    return _realignments(tuple(tuple([token == other for other in draft[:width]]) for token in written))


@lru_cache(maxsize=4096)  # mostly few tokens were written, and none of them is in the draft
def _realignments(equal: tuple[tuple[bool, ...], ...]) -> tuple[Realignment, ...]:
    """The same, by which of the tokens written equal which of the draft's."""
    count, width = len(equal), len(equal[-1])
    edits = list(range(width + 1))
    for row, same in enumerate(equal, 1):
        diagonal, edits[0] = edits[0], row
        for end in range(1, width + 1):
            change = diagonal + (not same[end - 1])
            diagonal = edits[end]
            edits[end] = min(change, diagonal + 1, edits[end - 1] + 1)
    found = [
        Realignment(skip, edits[skip], skip > 0 and equal[-1][skip - 1], (skip > count) - (skip < count))
        for skip in range(width + 1)
    ]
    found.sort(key=lambda place: (place.edits - place.agrees, not place.agrees, abs(place.skip - count)))
    return tuple(found[:MAX_PLACES])
