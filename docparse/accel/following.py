"""Which places of the drafts the output follows, and how often each kind of guess was right."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter

from docparse.accel.guesses import Guess, Guesser, Track, Without
from docparse.accel.index import DraftIndex
from docparse.accel.sizing import Steps, learn
from docparse.engine.tree import shared_length

LOST = 8  # tokens written since the output left a draft, after which only a window finds the way back
TRACKS = 3  # places followed at a time

_chance = attrgetter("chance")


class Following:
    """The state of one output against its drafts. Guesses are judged by what was written next, whether they were part
    of a tree or not: so the rates stay right, and cost nothing, where nothing is proposed."""

    def __init__(self, index: DraftIndex, nodes: int, without: Without = "nothing") -> None:
        self._index = index
        self._nodes = nodes
        self._guesser = Guesser(index, nodes, without)
        self._tracks: list[Track] = []
        self.guesses = list(self._guesser.beginnings(()))

    def advance(self, written: Sequence[int]) -> None:
        """The output grew by `written`: learn which guesses were right, follow those, and guess again."""
        index, tokens, written = self._index, self._index.tokens, list(written)
        followed: dict[int, Track] = {}
        left = {id(track): track for track in self._tracks}
        longest = 0
        for guess in self.guesses:
            rest = written if guess.lead is None else self._beyond(guess.lead, guess.ahead, written)
            if not rest or not index.more(guess.place):
                continue
            if tokens[guess.place] != rest[0]:
                learn((guess.rate,), False)
                continue
            agreed = self._agreed(guess, rest)
            place = guess.place + agreed
            followed.setdefault(place, Track(place, guess.run + agreed, len(rest) - agreed))
            if agreed >= min(2, len(rest)):
                left.pop(id(guess.track), None)
            if agreed > longest:
                longest = agreed
                self._guesser.blocks.visit(place - 1)
        for track in left.values():
            followed.setdefault(track.place, Track(track.place, track.run, track.gap + len(written)))
        index.extend(written)
        near = (track for track in followed.values() if track.gap <= LOST)
        self._tracks = sorted(near, key=lambda track: (track.gap, -track.run))[:TRACKS]
        self.guesses = self._guesser.after(self._tracks)

    def steps(self, guess: Guess) -> Steps:
        """Return the tokens of a guess, each with its chance of being right where all before it were."""
        place = guess.place
        stop = min(self._index.stop(place), place + self._nodes)
        rates = self._guesser.rates(place + 1, guess.run + 1, stop - place - 1)
        return zip(self._index.tokens[place:stop], map(_chance, chain((guess.rate,), rates)), strict=False)

    def path(self, guess: Guess, length: int) -> list[int]:
        """Return all tokens from the output's end to the guess's own token number `length`."""
        before = self._ahead(guess.lead, guess.ahead) if guess.lead else []
        return before + self._index.tokens[guess.place : guess.place + length]

    def _ahead(self, lead: Guess, ahead: int) -> list[int]:
        return self._index.tokens[lead.place : lead.place + ahead]

    def _beyond(self, lead: Guess, ahead: int, written: list[int]) -> list[int]:
        """What was written after `ahead` tokens of `lead`; nothing where the output did not come so far."""
        return written[ahead:] if written[:ahead] == self._ahead(lead, ahead) else []

    def _agreed(self, guess: Guess, written: list[int]) -> int:
        """How many of the tokens written a guess foresaw; the rates learn from each, up to the first wrong one."""
        index, place = self._index, guess.place
        foreseen = index.tokens[place : min(index.stop(place), place + len(written))]
        count = shared_length(foreseen, written)
        rates = [guess.rate, *self._guesser.rates(place + 1, guess.run + 1, min(count, len(foreseen) - 1))]
        learn(rates[:count], True)
        learn(rates[count:], False)
        self._guesser.blocks.use(place, count)
        return count
