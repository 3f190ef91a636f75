"""Where the output may go on: where drafts are followed or were left, at windows, at beginnings of blocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Literal, NamedTuple

from docparse.accel.index import SEPARATOR, Blocks, DraftIndex, nearest_places
from docparse.accel.sizing import Kind, Rate, Rates

Without = Literal["nothing", "shorter", "realignment", "beginnings", "sizing"]

# Swept on pages of OmniDocBench's demo set, the pipeline's Markdown as draft and the annotation as output: twice as
# many places and tracks cost up to a third more time to propose, and gain nothing.
PLACES = 3  # places looked at for one window
STARTS = 12  # beginnings of blocks proposed at a time
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
    """A place where the output may go on: `rate` is that of its first token, `run` how many before it agreed. Where
    another guess leads to it, it comes after `ahead` tokens of that one. `track` is what it carries on."""

    rate: Rate
    lead: Guess | None
    ahead: int
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
        case (_, "realigned", int(edits), bool(agrees), *_):
            return 0.5 / edits + 0.2 * agrees
        case (_, "beginning", _, int(rank)):
            return 0.4 / (1 + rank)
    return {"turn": 0.1, "seam": 0.7}[str(kind[1])]


_chance = attrgetter("rate.chance")


class Guesser:
    """What is guessed from the state of one output, up to `nodes` tokens ahead, and how often each kind was right.
    `without` one way to guess: windows `shorter` than n tokens, `realignment` after an edit, `beginnings` of blocks."""

    def __init__(self, index: DraftIndex, nodes: int, without: Without = "nothing") -> None:
        self.blocks = Blocks(index)
        self._index = index
        self._nodes = nodes
        self._without = without
        self._rates = Rates(expected)
        self._runs: dict[str, list[Rate]] = {}  # of each source: the rates after runs of 0, 1, ... tokens
        self._starts = sorted(self.blocks.starts)

    def rates(self, place: int, run: int, count: int) -> list[Rate]:
        """Return the rates of `count` tokens of a draft or the output from `place` on, after `run` that agreed."""
        source, run = self._index.source(place), min(run, RUN)
        rates = (self._runs.get(source) or self._begin_runs(source))[run : run + count]
        if len(rates) < count:
            rates += rates[-1:] * (count - len(rates))
        for at in self._starts[bisect_left(self._starts, place) : bisect_left(self._starts, place + count)]:
            rates[at - place] = self._rates[source, "seam"]
        return rates

    def _begin_runs(self, source: str) -> list[Rate]:
        """The rates of a source after runs of 0, 1, ... tokens, as many as are usually asked for."""
        runs = (run if run < 4 else min(run.bit_length() + 1, 7) for run in range(RUN + self._nodes))
        self._runs[source] = [self._rates[source, "run", run] for run in runs]
        return self._runs[source]

    def after(self, tracks: Sequence[Track]) -> list[Guess]:
        """Return all guesses, each place once; those that another leads to come after it, and may repeat places."""
        running = [track for track in tracks if not track.gap and self._index.more(track.place)]
        lost = [track for track in tracks if track.gap]
        ways: list[Iterator[Guess]] = [self._runs_of(running), self._realigned(lost)]
        ways.append(self._windows(tracks, max((track.run for track in running), default=0)))
        if not running:
            ways.append(self.beginnings(tracks))
        found: dict[int, Guess] = {}
        for guess in chain.from_iterable(ways):
            found.setdefault(guess.place, guess)
        drafts = (guess for guess in found.values() if guess.place < self._index.output) if running else ()
        best = max(drafts, key=_chance, default=None)
        return [*found.values(), *(self._turns(best, found) if best else ())]

    def beginnings(self, tracks: Sequence[Track]) -> Iterator[Guess]:
        if self._without == "beginnings":
            return
        where = self._where(tracks)
        for rank, place in enumerate(self.blocks.unused()[:STARTS]):
            rate = self._rates[self._index.source(place), "beginning", where, rank if rank < 2 else 2]
            yield Guess(rate, None, 0, place, 0)

    def _where(self, tracks: Sequence[Track]) -> int:
        """0 before anything was followed, 1 where a draft ended or came to a new block, 2 elsewhere."""
        if self.blocks.last < 0:
            return 0
        return 1 + all(self._index.more(track.place) and not self.blocks.near_start(track.place) for track in tracks)

    def _runs_of(self, running: Sequence[Track]) -> Iterator[Guess]:
        """Where drafts are followed."""
        for track in running:
            yield Guess(self.rates(track.place, track.run, 1)[0], None, 0, track.place, track.run, track)

    def _realigned(self, lost: Sequence[Track]) -> Iterator[Guess]:
        if self._without == "realignment":
            return
        tokens = self._index.tokens
        for track in lost:
            draft = tokens[track.place : track.place + track.gap + MAX_SKIPPED]
            draft = draft[: draft.index(SEPARATOR)] if SEPARATOR in draft else draft
            source = self._index.source(track.place)
            for back in realignments(draft, tokens[-track.gap :]):
                rate = self._rates[source, "realigned", max(1, min(back.edits, 3)), back.agrees, back.shift]
                if self._index.more(track.place + back.skip):
                    yield Guess(rate, None, 0, track.place + back.skip, min(track.run, SURE), track)

    def _windows(self, tracks: Sequence[Track], run: int) -> Iterator[Guess]:
        """Where the last n tokens stand, or, where nothing is followed, as many of them as stand anywhere."""
        index = self._index
        end = len(index.tokens)
        near = [*(track.place for track in tracks), end]
        shortest = index.n if self._without == "shorter" else 1
        for length in range(min(index.n, end - index.output), shortest - 1, -1):
            places = nearest_places(index.after(index.tokens[-length:]), near, PLACES)
            for rank, place in enumerate(places):
                if index.more(place):
                    agrees = index.agreement(place, 8)
                    yield Guess(
                        self._rates[index.source(place), "window", agrees, min(rank, 2)], None, 0, place, agrees
                    )
            if places != [end] or run >= length:
                return

    def _turns(self, lead: Guess, taken: Container[int]) -> Iterator[Guess]:
        """Beginnings of other blocks, for where the block that is followed ends: the model may order them otherwise."""
        end = self._index.boundary(lead.place)
        if self._without == "beginnings" or end - lead.place > self._nodes:
            return
        others = [start for start in self.blocks.unused() if start != end and start not in taken]
        for rank, place in enumerate(others[:STARTS]):
            rate = self._rates[self._index.source(place), "turn", min(rank, 2)]
            yield Guess(rate, lead, end - lead.place, place, 0)


class Realignment(NamedTuple):
    """Go on `skip` tokens further in the draft, having paid `edits`; `shift` is the sign of the change of length, and
    `agrees` says whether the last token written stands in the draft just before."""

    skip: int
    edits: int
    agrees: bool
    shift: int


def realignments(draft: Sequence[int], written: Sequence[int]) -> tuple[Realignment, ...]:
    """Return the places of `draft`, which begins at its first token that was not written, that may follow `written`,
    the tokens since; fewest edits first (Levenshtein, between `written` and what is skipped)."""
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
    return tuple(found[:MAX_REALIGNED])
