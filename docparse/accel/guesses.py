"""Where the output may go on: where drafts are followed or were left, at windows, at beginnings of blocks, by habit."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Literal, NamedTuple

from docparse.accel.edits import MAX_SKIPPED, Habit, Habits, realignments
from docparse.accel.index import SEPARATOR, Blocks, DraftIndex, nearest_places
from docparse.accel.sizing import Kind, Rate, Rates

Without = Literal["nothing", "shorter", "realignment", "habits", "beginnings", "sizing"]

# Swept on pages of OmniDocBench's demo set, the pipeline's Markdown as draft and the annotation as output: twice as
# many places and tracks cost up to a third more time to propose, and gain nothing.
PLACES = 3  # places looked at for one window
STARTS = 12  # beginnings of blocks proposed at a time
SURE = 4  # agreed tokens that a place is worth where a draft is taken up again after an edit
RUN = 32  # agreed tokens after which more tell nothing
HORIZON = 64  # draft tokens ahead in which habits are applied


@dataclass(slots=True)
class Track:
    """A place in a draft that the output followed for `run` tokens, and has left since for `gap` tokens."""

    place: int
    run: int
    gap: int = 0


class Guess(NamedTuple):
    """A place where the output may go on: `rate` is that of its first token, `run` how many before it agreed.

    Where another guess leads to it, it comes after `ahead` tokens of that one, and `depth` tokens from the end of the
    output. `track` is what it carries on. `end` is where it ends before its draft does.
    """

    rate: Rate
    lead: Guess | None
    ahead: int
    place: int
    run: int
    track: Track | None = None
    end: int = sys.maxsize
    depth: int = 0


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
    return {"turn": 0.1, "seam": 0.7}.get(str(kind[1]), 0.5)  # 0.5: with or despite a habit


_chance = attrgetter("rate.chance")


class Guesser:
    """What is guessed from the state of one output, up to `nodes` tokens ahead, and how often each kind was right.

    `without` one way to guess: windows `shorter` than n tokens, `realignment` after an edit, `habits`, `beginnings` of
    blocks.
    """

    def __init__(self, index: DraftIndex, nodes: int, without: Without = "nothing") -> None:
        self.blocks = Blocks(index)
        self._index = index
        self._nodes = nodes
        self._without = without
        self._habits = Habits()
        self._rates = Rates(expected)
        self._runs: dict[str, list[Rate]] = {}  # of each source: the rates after runs of 0, 1, ... tokens
        self._habitual = [sys.maxsize]  # where in the drafts a habit applies, ascending, and no end
        self._special = [*sorted(self.blocks.starts), sys.maxsize]  # and where blocks begin, and no end

    def rates(self, place: int, run: int, count: int) -> list[Rate]:
        """Return the rates of `count` tokens of a draft, or of the output, from `place` on, where `run` tokens agreed
        before."""
        source, run = self._index.source(place), min(run, RUN)
        rates = (self._runs.get(source) or self._begin_runs(source))[run : run + count]
        if len(rates) < count:
            rates += rates[-1:] * (count - len(rates))
        number = bisect_left(self._special, place)
        while (at := self._special[number]) < place + count:
            if at in self.blocks.starts:
                rates[at - place] = self._rates[source, "seam"]
            elif habit := self._habit(at):
                rates[at - place] = self._rates[source, "despite", habit.context]
            number += 1
        return rates

    def _begin_runs(self, source: str) -> list[Rate]:
        """The rates of a source after runs of 0, 1, ... tokens, as many as are usually asked for."""
        runs = (run if run < 4 else min(run.bit_length() + 1, 7) for run in range(RUN + self._nodes))
        self._runs[source] = [self._rates[source, "run", run] for run in runs]
        return self._runs[source]

    def learn_habit(self, track: Track, back: int) -> None:
        """The output came back at `back` to the draft of a track that it had left."""
        tokens, end = self._index.tokens, len(self._index.tokens)
        if self._without == "habits" or not (track.gap and track.place <= back < self._index.output):
            return
        for key in self._habits.note(tokens, track.place, back, end - track.gap, end):
            ends = (after - 1 for after in self._index.after(key[-1:]) if 1 < after <= self._index.output)
            known = {at for at in ends if tokens[at + 1 - len(key)] == key[0] and tokens[at] != SEPARATOR}
            self._habitual = sorted(known.union(self._habitual))
            self._special = sorted(known.union(self._special))

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
        led = [*self._begun_habits(lost)]
        drafts = (
            (guess for guess in found.values() if guess.place < self._index.output) if running or self._habits else ()
        )
        if best := max(drafts, key=_chance, default=None):
            led += self._by_habit(best)
            led += self._turns(best, found) if running else ()
        return [*found.values(), *led]

    def beginnings(self, tracks: Sequence[Track]) -> Iterator[Guess]:
        """Yield blocks that were not used yet."""
        if self._without == "beginnings":
            return
        where = self._where(tracks)
        for rank, place in enumerate(self.blocks.unused()[:STARTS]):
            rate = self._rates[self._index.source(place), "beginning", where, rank if rank < 2 else 2]
            yield Guess(rate, None, 0, place, 0)

    def _led(self, lead: Guess, ahead: int, place: int, kind: Kind, run: int = SURE, end: int = sys.maxsize) -> Guess:
        """At a place that the output comes to after `ahead` tokens of `lead`."""
        return Guess(self._rates[kind], lead, ahead, place, run, None, end, lead.depth + ahead)

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
        """Where a draft may be taken up again."""
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
            yield self._led(lead, end - lead.place, place, (self._index.source(place), "turn", min(rank, 2)), 0)

    def _by_habit(self, lead: Guess) -> Iterator[Guess]:
        """The draft from `lead` on as the model would write it."""
        place, last = lead.place, lead.place + HORIZON
        while (at := self._next_habit(place)) < min(last, self._index.stop(place)):
            habit = self._habits.at(self._index.tokens, at)
            if habit is None or lead.depth + at - lead.place > self._nodes:
                return
            kind: Kind = (self._index.source(at), "habit", habit.context)
            ahead, back = at - lead.place, at + habit.skip
            if habit.length:
                lead = self._led(lead, ahead, habit.begin, kind, end=habit.begin + habit.length)
                yield lead
                ahead, kind = habit.length, self._after(back)
            if not self._index.more(back):
                return
            lead = self._led(lead, ahead, back, kind)
            yield lead
            place = back + 1

    def _begun_habits(self, lost: Sequence[Track]) -> Iterator[Guess]:
        """Where a draft was left in the way of a habit: the rest of what is then written, and the draft again."""
        tokens = self._index.tokens
        for track in lost:
            habit = self._habit(track.place)
            if not habit or habit.length <= track.gap:
                continue
            place, back = habit.begin + track.gap, track.place + habit.skip
            if tokens[habit.begin : place] == tokens[-track.gap :]:
                rate = self._rates[self._index.source(track.place), "begun", habit.context]
                rest = Guess(rate, None, 0, place, SURE, track, habit.begin + habit.length)
                yield rest
                if self._index.more(back):
                    again = self._led(rest, habit.length - track.gap, back, self._after(back))
                    yield again
                    yield from self._by_habit(again)

    def _after(self, place: int) -> Kind:
        """What it is to come back to a draft at a place after a habit."""
        return self._index.source(place), "after"

    def _habit(self, place: int) -> Habit | None:
        """What the model is likely to write instead of a draft from `place` on."""
        if place >= self._index.output or not self._index.more(place):
            return None
        return self._habits.at(self._index.tokens, place)

    def _next_habit(self, place: int) -> int:
        """Where from a place on a habit applies next."""
        return self._habitual[bisect_left(self._habitual, place)]
