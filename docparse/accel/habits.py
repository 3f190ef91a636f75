"""What the model writes instead of what a draft says: habits of spacing and markup, learnt where the two parted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 8  # tokens on either side; what differs by more is no habit


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
        """The output wrote `tokens[written:end]` instead of the draft's `tokens[place:back]`, and then agreed again.

        Returns the habits that are known from now on: the draft token in whose place each stands, or it and the one
        before.
        """
        while end > written and back > place and tokens[end - 1] == tokens[back - 1]:
            end, back = end - 1, back - 1
        if place == 0 or max(end - written, back - place) > LONGEST:
            return []
        before, change = len(self._known), (list(tokens[written:end]), back - place)
        for context in (1, 2):
            key = tuple(tokens[place + 1 - context : place + 1])
            if self._seen.get(key) == change:
                self._known[key] = Habit(written, end - written, back - place, context)
            self._seen[key] = change
        return list(self._known)[before:]

    def at(self, tokens: Sequence[int], place: int) -> Habit | None:
        """What the model is likely to write instead of the draft from `place` on."""
        if place == 0:
            return None
        return self._known.get((tokens[place - 1], tokens[place])) or self._known.get((tokens[place],))
