"""Which places of the drafts the output follows, and how often each kind of guess was right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docparse.accel.guesses import Guess, Guesser, Track, expected
from docparse.accel.index import DraftIndex
from docparse.accel.sizing import Rates

LOST = 8  # tokens written since the output left a draft, after which only a window finds the way back
TRACKS = 3  # places followed at a time


class Following:
    """The state of one output against its drafts.

    Guesses are judged by what was written next, whether they were part of a tree or not: so the rates stay right, and
    cost nothing, where nothing is proposed.
    """

    def __init__(self, index: DraftIndex) -> None:
        self._index = index
        self._rates = Rates(expected)
        self._guesser = Guesser(index, self._rates)
        self._tracks: list[Track] = []
        self.guesses = list(self._guesser.beginnings(()))

    def advance(self, written: Sequence[int]) -> None:
        """The output grew by `written`: learn which guesses were right, follow those, and guess again."""
        followed: dict[int, Track] = {}
        left = {id(track): track for track in self._tracks}
        rests: dict[int, Sequence[int]] = {}  # what was written where each guess would be; leads come first
        longest = 0
        for guess in self.guesses:
            rest = written if guess.lead is None else self._beyond(guess.lead, guess.ahead, rests[id(guess.lead)])
            rests[id(guess)] = rest
            if not (agreed := self._agreed(guess, rest)):
                continue
            place = guess.place + agreed
            followed.setdefault(place, Track(place, guess.run + agreed, len(rest) - agreed))
            if guess.track and agreed >= min(2, len(rest)) and left.pop(id(guess.track), None):
                self._learn_habit(guess.track, guess.place)
            if agreed > longest:
                longest = agreed
                self._guesser.blocks.visit(place - 1)
        for track in left.values():
            followed.setdefault(track.place, Track(track.place, track.run, track.gap + len(written)))
        self._index.extend(written)
        near = (track for track in followed.values() if track.gap <= LOST)
        self._tracks = sorted(near, key=lambda track: (track.gap, -track.run))[:TRACKS]
        self.guesses = self._guesser.after(self._tracks)

    def steps(self, guess: Guess) -> Iterator[tuple[int, float]]:
        """The tokens of a guess, each with its chance of being right where all before it were."""
        place, kind, run = guess.place, guess.kind, guess.run
        while place < guess.end and self._index.more(place):
            yield self._index.tokens[place], self._rates[kind]
            place, run = place + 1, run + 1
            kind = self._guesser.kind(place, run)

    def _beyond(self, lead: Guess, ahead: int, written: Sequence[int]) -> Sequence[int]:
        """What was written after `ahead` tokens of `lead`; nothing where the output did not come so far."""
        came = list(written[:ahead]) == self._index.tokens[lead.place : lead.place + ahead]
        return written[ahead:] if came else ()

    def _agreed(self, guess: Guess, written: Sequence[int]) -> int:
        """How many of the tokens written the guess foresaw; the rates learn from each, up to the first wrong one."""
        kind, count = guess.kind, 0
        for place, token in enumerate(written, guess.place):
            if place >= guess.end or not self._index.more(place):
                break
            if count:
                kind = self._guesser.kind(place, guess.run + count)
            right = self._index.tokens[place] == token
            self._rates.learn(kind, right)
            if not right:
                break
            count += 1
        self._guesser.blocks.use(guess.place, count)
        return count

    def _learn_habit(self, track: Track, back: int) -> None:
        """The output came back to the draft of a lost track."""
        end = len(self._index.tokens)
        if track.gap and track.place <= back < self._index.output:
            self._guesser.habits.note(self._index.tokens, track.place, back, end - track.gap, end)
