"""Where the output may go on: where drafts are followed or were left, at windows, at beginnings of blocks, by habit."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from docparse.accel.alignment import AHEAD, realignments
from docparse.accel.blocks import Blocks
from docparse.accel.habits import Habit, Habits
from docparse.accel.index import SEAM, DraftIndex, nearest_places
from docparse.accel.sizing import Kind, Rates

# Swept on pages of OmniDocBench's demo set, the pipeline's Markdown as draft and the annotation as output: twice as
# many places and tracks cost up to a third more time to propose, and gain nothing.
PLACES = 3  # places looked at for one window
STARTS = 12  # beginnings of blocks proposed at a time
SURE = 4  # agreed tokens that a place is worth where a draft is taken up again after an edit
HORIZON = 64  # draft tokens ahead in which habits are applied


@dataclass(slots=True)
class Track:
    """A place in a draft that the output followed for `run` tokens, and has left since for `gap` tokens."""

    place: int
    run: int
    gap: int = 0


@dataclass(slots=True)
class Guess:
    """A place where the output may go on: `kind` is that of its first token, `run` how many before it agreed.

    `track` is what it carries on. Where another guess leads to it, it comes after `ahead` tokens of that one. `end` is
    where it ends before its draft does.
    """

    place: int
    kind: Kind
    run: int
    track: Track | None = None
    lead: Guess | None = None
    ahead: int = 0
    end: int = sys.maxsize


def expected(kind: Kind) -> float:
    """The chance of a proposal before any was seen."""
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


class Guesser:
    """What is guessed from the state of one output; the rates of the kinds are learnt elsewhere."""

    def __init__(self, index: DraftIndex, rates: Rates) -> None:
        self.blocks = Blocks(index)
        self.habits = Habits()
        self._index = index
        self._rates = rates

    def kind(self, place: int, run: int) -> Kind:
        """What it is to go on at a place after `run` tokens that agreed."""
        source = self._index.source(place)
        if self.blocks.begins(place):
            return source, "seam"
        if habit := self._habit(place):
            return source, "despite", habit.context
        return source, "run", run if run < 4 else min(run.bit_length() + 1, 7)

    def after(self, tracks: Sequence[Track]) -> list[Guess]:
        """All guesses, each place once; those that another leads to come after it, and may repeat places."""
        running = [track for track in tracks if not track.gap and self._index.more(track.place)]
        lost = [track for track in tracks if track.gap]
        ways: list[Iterator[Guess]] = [self._runs(running), self._realigned(lost)]
        ways.append(self._windows(tracks, max((track.run for track in running), default=0)))
        if not running:
            ways.append(self.beginnings(tracks))
        found: dict[int, Guess] = {}
        for guess in (guess for way in ways for guess in way):
            if self._index.more(guess.place):
                found.setdefault(guess.place, guess)
        led = [*self._begun_habits(lost)]
        if drafts := [guess for guess in found.values() if guess.place < self._index.output]:
            best = max(drafts, key=lambda guess: self._rates[guess.kind])
            led += self._by_habit(best)
            led += self._turns(best, found) if running else ()
        return [*found.values(), *led]

    def beginnings(self, tracks: Sequence[Track]) -> Iterator[Guess]:
        """Blocks that were not used yet."""
        where = self._where(tracks)
        for rank, place in enumerate(self.blocks.unused()[:STARTS]):
            yield Guess(place, (self._index.source(place), "beginning", where, min(rank, 2)), 0)

    def _where(self, tracks: Sequence[Track]) -> int:
        """0 before anything was followed, 1 where a draft ended or came to a new block, 2 elsewhere."""
        if self.blocks.last < 0:
            return 0
        return 1 + all(self._index.more(track.place) and not self.blocks.near_start(track.place) for track in tracks)

    def _runs(self, running: Sequence[Track]) -> Iterator[Guess]:
        """Where drafts are followed."""
        for track in running:
            yield Guess(track.place, self.kind(track.place, track.run), track.run, track)

    def _realigned(self, lost: Sequence[Track]) -> Iterator[Guess]:
        """Where a draft may be taken up again."""
        tokens = self._index.tokens
        for track in lost:
            draft = tokens[track.place : track.place + track.gap + AHEAD]
            draft = draft[: draft.index(SEAM)] if SEAM in draft else draft
            source = self._index.source(track.place)
            for back in realignments(draft, tokens[-track.gap :]):
                kind = (source, "realigned", max(1, min(back.edits, 3)), back.agrees, back.shift)
                yield Guess(track.place + back.skip, kind, min(track.run, SURE), track)

    def _windows(self, tracks: Sequence[Track], run: int) -> Iterator[Guess]:
        """Where the last n tokens stand, or, where nothing is followed, as many of them as stand anywhere."""
        index = self._index
        end = len(index.tokens)
        near = [*(track.place for track in tracks), end]
        for length in range(min(index.n, end - index.output), 0, -1):
            places = nearest_places(index.after(index.tokens[-length:]), near, PLACES)
            for rank, place in enumerate(places):
                agrees = index.agreement(place, 8)
                yield Guess(place, (index.source(place), "window", agrees, min(rank, 2)), agrees)
            if places != [end] or run >= length:
                return

    def _turns(self, lead: Guess, taken: Container[int]) -> Iterator[Guess]:
        """Beginnings of other blocks, for where the block that is followed ends: the model may order them otherwise."""
        end = self._index.boundary(lead.place)
        others = [start for start in self.blocks.unused() if start != end and start not in taken]
        for rank, place in enumerate(others[:STARTS]):
            yield Guess(place, (self._index.source(place), "turn", min(rank, 2)), 0, lead=lead, ahead=end - lead.place)

    def _by_habit(self, lead: Guess) -> Iterator[Guess]:
        """The draft from `lead` on as the model would write it."""
        place, last = lead.place, lead.place + HORIZON
        while place < last and self._index.more(place):
            if habit := self._habit(place):
                kind: Kind = (self._index.source(place), "habit", habit.context)
                ahead, back = place - lead.place, place + habit.skip
                if habit.length:
                    lead = Guess(habit.begin, kind, SURE, lead=lead, ahead=ahead, end=habit.begin + habit.length)
                    yield lead
                    ahead, kind = habit.length, self._after(back)
                if not self._index.more(back):
                    return
                lead = Guess(back, kind, SURE, lead=lead, ahead=ahead)
                yield lead
                place = back
            place += 1

    def _begun_habits(self, lost: Sequence[Track]) -> Iterator[Guess]:
        """Where a draft was left in the way of a habit: the rest of what is then written, and the draft again."""
        tokens = self._index.tokens
        for track in lost:
            habit = self._habit(track.place)
            if not habit or habit.length <= track.gap:
                continue
            place, back = habit.begin + track.gap, track.place + habit.skip
            if tokens[habit.begin : place] == tokens[-track.gap :]:
                kind = (self._index.source(track.place), "begun", habit.context)
                rest = Guess(place, kind, SURE, track, end=habit.begin + habit.length)
                yield rest
                if self._index.more(back):
                    again = Guess(back, self._after(back), SURE, lead=rest, ahead=habit.length - track.gap)
                    yield again
                    yield from self._by_habit(again)

    def _after(self, place: int) -> Kind:
        """What it is to come back to a draft at a place after a habit."""
        return self._index.source(place), "after"

    def _habit(self, place: int) -> Habit | None:
        """What the model is likely to write instead of a draft from `place` on."""
        if not self.habits or place >= self._index.output or not self._index.more(place):
            return None
        return self.habits.at(self._index.tokens, place)
