"""Runs that are killed at random moments and resumed until they are done: the outputs do not show what happened."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from soak_parts.account import contents, misses, read_pages
from soak_parts.report import Result
from soak_parts.runs import Ended, Room, Running, convert, undisturbed
from soak_parts.trial import Context, compare, end_of_run, save_misses
from soak_parts.watch import children

OPTIONS = ("--format", "md,html,json", "--layout-engine", "none", "--workers", "2", "--resume", "-v")
MOST_RUNS = 4  # until an undisturbed run must have finished everything; failed pages are read again by the next
DONE = (0, 1)
INTERRUPTED = 130


@dataclass(frozen=True)
class Blow:
    """What is done to a run, and how it may end after that."""

    name: str
    strike: Callable[[int, Random], None]
    codes: tuple[int, ...]


def _signals(*numbers: int) -> Callable[[int, Random], None]:
    def send(parent: int, random: Random) -> None:
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(parent, number)
            time.sleep(random.uniform(0, 0.1))

    return send


def _kill_workers(parent: int, random: Random) -> None:
    for _ in range(random.randrange(1, 4)):
        if workers := children(parent):
            with suppress(ProcessLookupError):
                os.kill(random.choice(workers), signal.SIGKILL)
        time.sleep(random.uniform(0, 0.5))


BLOWS = (
    Blow("kill -9", _signals(signal.SIGKILL), (-signal.SIGKILL,)),
    Blow("kill -9 of workers", _kill_workers, DONE),
    Blow("SIGTERM", _signals(signal.SIGTERM), (INTERRUPTED,)),
    Blow("SIGINT", _signals(signal.SIGINT), (INTERRUPTED,)),
    Blow("SIGHUP", _signals(signal.SIGHUP), (-signal.SIGHUP, 128 + signal.SIGHUP, INTERRUPTED)),
    Blow("two SIGINT", _signals(signal.SIGINT, signal.SIGINT), (INTERRUPTED,)),
    Blow("SIGTERM and SIGINT", _signals(signal.SIGTERM, signal.SIGINT), (INTERRUPTED,)),
)


class Kills:
    """`count` folders of documents; each run over them is disturbed up to three times."""

    name = "kills"

    def __init__(self, context: Context, count: int) -> None:
        self.context = context
        self.count = count
        self.expected: dict[str, bytes] = {}
        self.seconds = 0.0  # of an undisturbed run

    def done(self, results: Sequence[Result]) -> bool:
        return len(results) >= self.count

    def carry_out(self, index: int) -> Result:
        random = self.context.random(self.name, index)
        result = Result(self.name, index, tried=1)
        started = time.monotonic()
        self._undisturbed()
        room = self._room(index)
        blows = []
        for turn in range(random.randrange(1, 4)):
            # every blow has its turn: in a short run as well
            blow = BLOWS[index % len(BLOWS)] if turn == 0 else random.choice(BLOWS)
            blows.append(blow.name)
            if self._disturb(result, room, blow, random):
                break
        self._to_the_end(result, room)
        inputs = sorted(str(path) for path in room.documents.iterdir())
        save_misses(self.context, result, room, list(misses(room, inputs, resumed=True)))
        compare(self.context, result, room, self.expected)
        result.pages = read_pages(room)
        result.counts = {blow: blows.count(blow) for blow in blows}
        result.seconds = time.monotonic() - started
        room.remove()
        return result

    def _room(self, index: int) -> Room:
        room = self.context.room(self.name, index)
        sources = self.context.sources
        for path in (*sources.light, *sources.scans[:1], *sources.long[:1]):
            shutil.copy(path, room.documents)
        return room

    def _undisturbed(self) -> None:
        """Convert the same documents once without any blow. Raises `RuntimeError` where that does not go well."""
        if self.expected:
            return
        room = self._room(-1)
        ended = undisturbed(room, *OPTIONS)
        self.expected, self.seconds = contents(room.out), ended.seconds
        room.remove()

    def _disturb(self, result: Result, room: Room, blow: Blow, random: Random) -> bool:
        """Begin or go on with a run, strike, and return whether it had ended of itself before that."""
        with Running(room, *OPTIONS) as running:
            over = running.over(random.uniform(0.05, 0.95) * self.seconds)
            codes = DONE if over else (*blow.codes, *_early(room))
            if not over:
                blow.strike(running.process.pid, random)
            ended = running.finish()
        end_of_run(self.context, result, room, ended, (*codes, *_late(ended)), "" if over else blow.name)
        return over

    def _to_the_end(self, result: Result, room: Room) -> None:
        for _ in range(MOST_RUNS):
            ended = convert(room, *OPTIONS)
            end_of_run(self.context, result, room, ended, DONE)
            if ended.code == 0:
                return
        last = ended.errors.strip().splitlines()[-1:]
        result.find("lost", f"not done after {MOST_RUNS} runs with --resume: {last}")


def _early(room: Room) -> tuple[int, ...]:
    """Before a run has begun to work, a signal ends it as it would any program."""
    return () if room.out.exists() else (-signal.SIGTERM, -signal.SIGINT)


def _late(ended: Ended) -> tuple[int, ...]:
    """A signal that comes after the last line has been printed changes nothing any more."""
    return DONE if " converted" in ended.errors and "interrupted" not in ended.errors else ()
