"""Where an output goes on in its drafts: which places it follows or has left, at windows, at beginnings of blocks; and
how often each kind of guess was right."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Literal, NamedTuple

from docparse.accel.index import SEPARATOR, DraftIndex
from docparse.accel.sizing import Rate, Steps, learn
from docparse.engine.tree import shared_length

Kind = tuple[str | int | bool, ...]
Without = Literal["nothing", "shorter", "realignment", "beginnings", "sizing"]

# Swept on pages of OmniDocBench's demo set, the pipeline's Markdown as draft and the annotation as output: twice as
# many places and tracks cost up to a third more time to propose, and gain nothing.
PLACES = 3  # places looked at for one window
TRACKS = 3  # places followed at a time
LOST = 8  # tokens written since the output left a draft, after which only a window finds the way back
STARTS = 12  # beginnings of blocks proposed at a time
USED = 4  # the token of a block that the output agrees with once the block is used; the middle one of a shorter block
SURE = 4  # agreed tokens that a place is worth where a draft is taken up again after an edit
RUN = 32  # agreed tokens after which more tell nothing
MAX_SKIPPED = 3  # draft tokens that may be passed over beyond as many as were written since a draft was left
MAX_REALIGNED = 4  # places to take a draft up again


@dataclass(slots=True)
class Track:
    """A place in a draft that the output followed for `run` tokens, and has left since for `gap` tokens."""

    place: int
    run: int
    gap: int = 0


class Guess(NamedTuple):
    """A place where the output may go on: `rate` is that of its first token, `run` how many before it agreed. `track`
    is what it carries on."""

    rate: Rate
    place: int
    run: int
    track: Track | None = None


def expected(kind: Kind) -> float:
    """Return the chance of a proposal before any was seen."""
    match kind:
        case (_, "run", int(length)):
            return (0.2, 0.4, 0.6, 0.8, 0.85, 0.9, 0.95, 0.97)[length]
        case (_, "window", int(length), int(rank)):
            return (0.1, 0.3, 0.5, 0.7)[min(length, 4) - 1] / (1 + rank)
        case (_, "realigned", int(edits), bool(agrees), _):
            return 0.5 / edits + 0.2 * agrees
    return 0.2  # beginnings


class Rates(dict[Kind, Rate]):
    """The rates of all kinds, learnt while the output grows."""

    def __missing__(self, kind: Kind) -> Rate:
        rate = self[kind] = Rate(expected(kind))
        return rate


class Following:
    """The state of one output against its drafts. Guesses are judged by what was written next, whether they were part
    of a tree or not: so the rates stay right, and cost nothing, where nothing is proposed.

    `without` one way to guess: windows `shorter` than n tokens, `realignment` after an edit, `beginnings` of blocks.
    """

    def __init__(self, index: DraftIndex, nodes: int, without: Without = "nothing") -> None:
        self._index = index
        self._nodes = nodes
        self._without = without
        # the beginnings of blocks that are not used yet, by the place where they are
        self._unused = {
            block.start + min(USED, (len(block) + 1) // 2) - 1: block.start for block in index.blocks if block
        }
        self._uses = list(self._unused)
        self._rates = Rates()
        self._runs: dict[str, list[Rate]] = {}  # of each source: the rates after runs of 0, 1, ... tokens
        self._tracks: list[Track] = []
        self.guesses = list(self._beginnings())

    def advance(self, written: Sequence[int]) -> None:
        """The output grew by `written`: learn which guesses were right, follow those, and guess again."""
        written = list(written)
        followed: dict[int, Track] = {}
        left = {id(track): track for track in self._tracks}
        for guess in self.guesses:
            if agreed := self._agreed(guess, written):
                place = guess.place + agreed
                followed.setdefault(place, Track(place, guess.run + agreed, len(written) - agreed))
            if agreed >= min(2, len(written)):
                left.pop(id(guess.track), None)
        for track in left.values():
            followed.setdefault(track.place, Track(track.place, track.run, track.gap + len(written)))
        self._index.extend(written)
        near = (track for track in followed.values() if track.gap <= LOST)
        self._tracks = sorted(near, key=lambda track: (track.gap, -track.run))[:TRACKS]
        found: dict[int, Guess] = {}
        for guess in self._ways():
            found.setdefault(guess.place, guess)
        self.guesses = [*found.values()]

    def steps(self, guess: Guess) -> Steps:
        """Return the tokens of a guess, each with its chance of being right where all before it were."""
        stop = min(self._index.stop(guess.place), guess.place + self._nodes)
        tokens = self._index.tokens[guess.place : stop]
        return ((token, rate.chance) for token, rate in zip(tokens, self._rates_of(guess), strict=False))

    def _rates_of(self, guess: Guess) -> Iterator[Rate]:
        """The rates of the tokens of a guess."""
        return chain((guess.rate,), self._after_run(guess.place, guess.run + 1))

    def _after_run(self, place: int, run: int) -> Iterator[Rate]:
        """The rates of tokens of a draft or the output after runs of `run`, `run + 1`, ... that agreed."""
        source = self._index.source(place)
        if source not in self._runs:
            lengths = (length if length < 4 else min(length.bit_length() + 1, 7) for length in range(RUN + 1))
            self._runs[source] = [self._rates[source, "run", length] for length in lengths]
        runs = self._runs[source]
        return chain(runs[run:], repeat(runs[-1]))

    def _agreed(self, guess: Guess, written: list[int]) -> int:
        """Return how many of the tokens written a guess foresaw; the rates learn from each, up to the first wrong
        one."""
        index, place = self._index, guess.place
        if index.tokens[place] != written[0]:  # as most
            learn((guess.rate,), False)
            return 0
        foreseen = index.tokens[place : min(index.stop(place), place + len(written))]
        count = shared_length(foreseen, written)
        rates = list(islice(self._rates_of(guess), min(count + 1, len(foreseen))))
        learn(rates[:count], True)
        learn(rates[count:], False)
        for use in self._uses[bisect_left(self._uses, place) : bisect_left(self._uses, place + count)]:
            self._unused.pop(use, None)
        return count

    # ---- ways to guess

    def _ways(self) -> Iterator[Guess]:
        """All guesses; where two are of one place the first counts."""
        running = [track for track in self._tracks if not track.gap and self._index.more(track.place)]
        for track in running:
            yield Guess(next(self._after_run(track.place, track.run)), track.place, track.run, track)
        if self._without != "realignment":
            for track in self._tracks:
                yield from self._realigned(track) if track.gap else ()
        yield from self._windows(max((track.run for track in running), default=0))
        if not running:
            yield from self._beginnings()

    def _beginnings(self) -> Iterator[Guess]:
        for place in islice(self._unused.values(), 0 if self._without == "beginnings" else STARTS):
            yield Guess(self._rates[self._index.source(place), "beginning"], place, 0)

    def _realigned(self, track: Track) -> Iterator[Guess]:
        tokens, source = self._index.tokens, self._index.source(track.place)
        draft = tokens[track.place : track.place + track.gap + MAX_SKIPPED]
        draft = draft[: draft.index(SEPARATOR)] if SEPARATOR in draft else draft
        for back in realignments(draft, tokens[-track.gap :]):
            if self._index.more(track.place + back.skip):
                rate = self._rates[source, "realigned", max(1, min(back.edits, 3)), back.agrees, back.shift]
                yield Guess(rate, track.place + back.skip, min(track.run, SURE), track)

    def _windows(self, run: int) -> Iterator[Guess]:
        """Yield where the last n tokens stand, or, where nothing is followed, as many of them as stand anywhere."""
        index = self._index
        end = len(index.tokens)
        near = self._tracks[0].place if self._tracks else end
        shortest = index.n if self._without == "shorter" else 1
        for length in range(min(index.n, end - index.output), shortest - 1, -1):
            places = index.after(index.tokens[-length:])  # those from `near` on first, then the last ones before it
            first = max(0, min(bisect_left(places, near), len(places) - PLACES))
            for rank, place in enumerate(places[first : first + PLACES]):
                if index.more(place):
                    yield Guess(self._rates[index.source(place), "window", length, min(rank, 2)], place, length)
            if [*places] != [end] or run >= length:
                return


class Realignment(NamedTuple):
    """Go on `skip` tokens further in the draft, which takes at most so many `edits`; `shift` is the sign of the change
    of length, and `agrees` says whether the last token written stands in the draft just before."""

    skip: int
    edits: int
    agrees: bool
    shift: int


def realignments(draft: Sequence[int], written: Sequence[int]) -> list[Realignment]:
    """Return the places of `draft`, which begins at its first token that was not written, that may follow `written`,
    the tokens since; fewest edits first."""
    count, found = len(written), list[Realignment]()
    for skip in range(min(len(draft), count + MAX_SKIPPED) + 1):
        agrees = skip > 0 and draft[skip - 1] == written[-1]
        found.append(Realignment(skip, max(count, skip) - agrees, agrees, (skip > count) - (skip < count)))
    found.sort(key=lambda place: (place.edits - place.agrees, not place.agrees, abs(place.skip - count)))
    return found[:MAX_REALIGNED]
