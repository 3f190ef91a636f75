"""What the model writes in place of a draft: where the draft goes on after it, and what becomes a habit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

MAX_SKIPPED = 3  # draft tokens that may be passed over beyond as many as were written
MAX_PLACES = 4  # places to go on from
MAX_HABIT = 8  # tokens on either side; what differs by more is no habit


class Realignment(NamedTuple):
    """Go on `skip` tokens further in the draft, having paid `edits`; `shift` is the sign of the change of length, and
    `agrees` says whether the last token written stands in the draft just before."""

    skip: int
    edits: int
    agrees: bool
    shift: int


def realignments(draft: Sequence[int], written: Sequence[int]) -> tuple[Realignment, ...]:
    """Return the places of `draft` that may follow `written`, fewest edits first.

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


class Habit(NamedTuple):
    """Instead of `skip` draft tokens the model writes the `length` tokens that the output holds from `begin` on.

    `context` is how many draft tokens must be the same for the habit to apply: the first of those, and one before it.
    """

    begin: int
    length: int
    skip: int
    context: int


class Habits:
    """What was last written instead of a draft token, by that token alone, and by it and the one before.

    Once is an accident, a misread character perhaps; twice the same is a habit.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[int, ...], tuple[list[int], int]] = {}
        self._known: dict[tuple[int, ...], Habit] = {}

    def __bool__(self) -> bool:
        """Whether any is known."""
        return bool(self._known)

    def note(self, tokens: Sequence[int], place: int, back: int, written: int, end: int) -> list[tuple[int, ...]]:
        """Return the output wrote `tokens[written:end]` instead of the draft's `tokens[place:back]`, and then agreed
        again.

        Returns the habits that are known from now on: the draft token in whose place each stands, or it and the one
        before.
        """
        while end > written and back > place and tokens[end - 1] == tokens[back - 1]:
            end, back = end - 1, back - 1
        if place == 0 or max(end - written, back - place) > MAX_HABIT:
            return []
        before, change = len(self._known), (list(tokens[written:end]), back - place)
        for context in (1, 2):
            key = tuple(tokens[place + 1 - context : place + 1])
            if self._seen.get(key) == change:
                self._known[key] = Habit(written, end - written, back - place, context)
            self._seen[key] = change
        return list(self._known)[before:]

    def at(self, tokens: Sequence[int], place: int) -> Habit | None:
        """Return what the model is likely to write instead of the draft from `place` on."""
        if place == 0:
            return None
        return self._known.get((tokens[place - 1], tokens[place])) or self._known.get((tokens[place],))
