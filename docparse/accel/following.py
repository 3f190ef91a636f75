"""Which places of the drafts the output follows, and where it may go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from docparse.accel.alignment import AHEAD, realignments
from docparse.accel.index import SEAM, DraftIndex, nearest_places
from docparse.accel.sizing import Kind, Rates

LOST = 8  # tokens written since the output left a draft, after which only a window finds the way back
TRACKS = 6  # places followed at a time
PLACES = 6  # places looked at for one window
STARTS = 12  # beginnings of blocks proposed at a time
USED = 4  # tokens of a block that make it used; half of a shorter one


@dataclass(slots=True)
class Track:
    """A place in a draft that the output followed for `run` tokens, and has left since for `gap` tokens."""

    place: int
    run: int
    gap: int = 0


@dataclass(slots=True)
class Guess:
    """A place where the output may go on: `kind` is that of its first token, `run` how many before it agreed.

    `track` is what it carries on. Where another guess leads to it, it comes after `lead_tokens` of that one.
    """

    place: int
    kind: Kind
    run: int
    track: Track | None = None
    lead: Guess | None = None
    lead_tokens: int = 0


def expected(kind: Kind) -> float:
    """The chance of a proposal before any was seen."""
    match kind:
        case (_, "run", int(length)):
            return (0.2, 0.4, 0.6, 0.8, 0.85, 0.9, 0.95, 0.97)[length]
        case (_, "window", int(length), int(rank)):
            return (0.1, 0.3, 0.5, 0.7)[min(length, 4) - 1] / (1 + rank)
        case (_, "realign", int(edits), bool(agrees), *_):
            return 0.5 / edits + 0.2 * agrees
        case (_, "start", _, int(rank)):
            return 0.4 / (1 + rank)
        case (_, "turn", _):
            return 0.1
    return 0.7  # from one block to the next


class Following:
    """The state of one output against its drafts: places followed, blocks used, rates learnt."""

    def __init__(self, index: DraftIndex) -> None:
        self.index = index
        self.rates = Rates(expected)
        self._tracks: list[Track] = []
        self._used = [0] * len(index.blocks)
        self._starts = frozenset(block.start for block in index.blocks)
        self._last_block = -1
        self.guesses = list(self._beginnings())

    def advance(self, written: Sequence[int]) -> None:
        """The output grew by `written`: learn which guesses were right, follow those, and guess again."""
        followed: dict[int, Track] = {}
        longest = 0
        kept = {id(track): track for track in self._tracks}
        for guess in self.guesses:
            rest = self._after_lead(guess, written)
            agreed = self._agreed(guess, rest)
            if agreed >= min(2, len(rest)) and guess.track:
                kept.pop(id(guess.track), None)
            place = guess.place + agreed
            if agreed > longest and (blocks := self.index.blocks_in(place - 1, place)):
                longest, self._last_block = agreed, blocks[-1]
            if agreed:
                followed.setdefault(place, Track(place, guess.run + agreed, len(rest) - agreed))
        for track in kept.values():
            followed.setdefault(track.place, Track(track.place, track.run, track.gap + len(written)))
        self.index.extend(written)
        near = (track for track in followed.values() if track.gap <= LOST)
        self._tracks = sorted(near, key=lambda track: (track.gap, -track.run))[:TRACKS]
        self.guesses = list(self._guess())

    def steps(self, guess: Guess) -> Iterator[tuple[int, float]]:
        """The tokens from a guess's place on, each with its chance of being right where all before it were."""
        index, place, kind, run = self.index, guess.place, guess.kind, guess.run
        source = index.source(place)
        if guess.lead:
            yield from islice(self.steps(guess.lead), guess.lead_tokens)
        while index.more(place):
            yield index.tokens[place], self.rates[kind]
            place, run = place + 1, run + 1
            kind = self._kind(source, place, run)

    def _kind(self, source: str, place: int, run: int) -> Kind:
        if place in self._starts:
            return source, "seam"
        return source, "run", run if run < 4 else min(run.bit_length() + 1, 7)

    def _after_lead(self, guess: Guess, written: Sequence[int]) -> Sequence[int]:
        """What was written where the guess would be; nothing where the output did not come to it."""
        if guess.lead is None:
            return written
        begin, length = guess.lead.place, guess.lead_tokens
        came = list(written[:length]) == self.index.tokens[begin : begin + length]
        return written[length:] if came else ()

    def _agreed(self, guess: Guess, written: Sequence[int]) -> int:
        """How many of the tokens written the guess foresaw; the rates learn from each, up to the first wrong one."""
        index, place, kind = self.index, guess.place, guess.kind
        source = index.source(place)
        for count, token in enumerate(written):
            if not index.more(place + count):
                break
            right = index.tokens[place + count] == token
            self.rates.learn(kind, right)
            if not right:
                break
            kind = self._kind(source, place + count + 1, guess.run + count + 1)
        else:
            count = len(written)
        self._use(place, count)
        return count

    def _use(self, place: int, count: int) -> None:
        """Blocks of which these tokens are part come nearer to being used."""
        for number in self.index.blocks_in(place, place + count):
            block = self.index.blocks[number]
            self._used[number] += min(block.stop, place + count) - max(block.start, place)

    def _unused(self) -> list[int]:
        """The numbers of blocks not used yet: first the one after the last that was, then the others in order."""
        blocks, last = self.index.blocks, self._last_block
        unused = [
            number for number, block in enumerate(blocks) if self._used[number] < min(USED, (len(block) + 1) // 2)
        ]
        return sorted(unused, key=lambda number: number != last + 1)

    def _guess(self) -> Iterator[Guess]:
        """Places to go on from, each once: where a draft is followed, where it was left, windows, beginnings."""
        taken = {len(self.index.tokens)}
        running = [track for track in self._tracks if not track.gap and self.index.more(track.place)]
        ways = [self._runs(running), self._ways_back(), self._windows(max((t.run for t in running), default=0))]
        ways.append(self._turns(running[0]) if running else self._beginnings())
        for way in ways:
            for guess in way:
                if guess.place not in taken and self.index.more(guess.place):
                    taken.add(guess.place)
                    yield guess

    def _runs(self, running: Sequence[Track]) -> Iterator[Guess]:
        for track in running:
            kind = self._kind(self.index.source(track.place), track.place, track.run)
            yield Guess(track.place, kind, track.run, track)

    def _ways_back(self) -> Iterator[Guess]:
        tokens = self.index.tokens
        for track in self._tracks:
            if track.gap:
                draft = tokens[track.place : track.place + track.gap + AHEAD]
                draft = draft[: draft.index(SEAM)] if SEAM in draft else draft
                for back in realignments(draft, tokens[-track.gap :]):
                    kind = (
                        self.index.source(track.place),
                        "realign",
                        max(1, min(back.edits, 3)),
                        back.agrees,
                        back.shift,
                    )
                    yield Guess(track.place + back.skip, kind, min(track.run, USED), track)

    def _windows(self, run: int) -> Iterator[Guess]:
        """Where the last n tokens stand, or, where nothing is followed, as many of them as stand anywhere."""
        index = self.index
        written = len(index.tokens) - index.output
        near = [*(track.place for track in self._tracks[:3]), len(index.tokens)]
        for length in range(min(index.n, written), 0, -1):
            places = nearest_places(index.after(index.tokens[-length:]), near, PLACES)
            for rank, place in enumerate(places):
                agrees = index.agreement(place, 8)
                yield Guess(place, (index.source(place), "window", agrees, min(rank, 2)), agrees)
            if len(places) > 1 or run >= length:  # the end of the output is always one of them
                return

    def _beginnings(self) -> Iterator[Guess]:
        """Blocks that were not used yet."""
        where = self._where()
        for rank, block in enumerate(self._unused()[:STARTS]):
            place = self.index.blocks[block].start
            yield Guess(place, (self.index.source(place), "start", where, min(rank, 2)), 0)

    def _turns(self, track: Track) -> Iterator[Guess]:
        """Beginnings of other blocks, for where the block that is followed ends: the model may order them otherwise."""
        if track.place >= self.index.output:
            return
        end = self.index.boundary(track.place)
        lead = Guess(track.place, self._kind(self.index.source(track.place), track.place, track.run), track.run)
        others = (block for block in self._unused() if self.index.blocks[block].start not in (end, track.place))
        for rank, block in enumerate(islice(others, STARTS)):
            place = self.index.blocks[block].start
            kind = (self.index.source(place), "turn", min(rank, 2))
            yield Guess(place, kind, 0, lead=lead, lead_tokens=end - track.place)

    def _where(self) -> int:
        """0 before anything was followed, 1 where a draft ended or came to a new block, 2 elsewhere."""
        if self._last_block < 0:
            return 0
        return 1 + all(self.index.more(t.place) and not self._near_start(t.place) for t in self._tracks)

    def _near_start(self, place: int) -> bool:
        return not self._starts.isdisjoint(range(place - 1, place + 3))
