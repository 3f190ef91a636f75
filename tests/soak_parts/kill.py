"""Runs that are killed at random moments and resumed until they are done: the outputs do not show what happened."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from soak_parts.account import contents, read_pages
from soak_parts.runs import Ended, Room, Running, children, convert
from soak_parts.trial import Context, Result, undisturbed

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


def kills(context: Context, count: int) -> Iterator[Result]:
    """Try `count` folders of documents; each run over them is disturbed up to three times."""
    if not count:
        return
    sources = context.sources
    documents = (*sources.light, *sources.scans[:1], *sources.long[:1])
    room, usual = undisturbed(context, "kills", documents, *OPTIONS)
    expected = contents(room.out)
    room.remove()
    for index in range(count):
        random, room = context.random("kills", index), context.room("kills", index, documents)
        result, blows = Result(context, room, ""), []
        for turn in range(random.randrange(1, 4)):  # every blow has its turn: in a short run as well
            blows.append(BLOWS[index % len(BLOWS)] if turn == 0 else random.choice(BLOWS))
            if _disturb(result, blows[-1], random, usual.seconds):
                break
        _to_the_end(result)
        result.take_account(resumed=True)
        result.compare(expected)
        result.pages, result.what = read_pages(room), ", ".join(blow.name for blow in blows)
        yield result.done()


def _disturb(result: Result, blow: Blow, random: Random, usual: float) -> bool:
    """Begin or go on with a run, strike, and return whether it had ended of itself before that."""
    with Running(result.room, *OPTIONS) as running:
        over = running.over(random.uniform(0.05, 0.95) * usual)
        codes = DONE if over else (*blow.codes, *_early(result.room))
        if not over:
            blow.strike(running.process.pid, random)
        ended = running.finish()
    result.take_end(ended, (*codes, *_late(ended)))
    return over


def _to_the_end(result: Result) -> None:
    for _ in range(MOST_RUNS):
        ended = convert(result.room, *OPTIONS)
        result.take_end(ended, DONE)
        if ended.code == 0:
            return
    result.find("lost", f"not done after {MOST_RUNS} runs with --resume: {ended.errors.strip().splitlines()[-1:]}")


def _early(room: Room) -> tuple[int, ...]:
    """Before a run has begun to work, a signal ends it as it would any program."""
    return () if room.out.exists() else (-signal.SIGTERM, -signal.SIGINT)


def _late(ended: Ended) -> tuple[int, ...]:
    """A signal that comes after the last line has been printed changes nothing any more."""
    return DONE if " converted" in ended.errors and "interrupted" not in ended.errors else ()
