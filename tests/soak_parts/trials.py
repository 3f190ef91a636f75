"""What is tried: damaged documents, and runs that are killed and resumed."""

import os
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from soak_parts.account import misses, read_journal, read_pages
from soak_parts.mutate import mutant
from soak_parts.runs import Room, Running, children, convert
from soak_parts.sources import Sources

ALL_FORMATS = ("--format", "md,html,json", "--layout-engine", "none", "--workers", "2")
BATCH = 100  # damaged documents of one run
MOST_RUNS = 4  # until an undisturbed run must have finished everything; failed pages are read again by the next
DONE, INTERRUPTED = (0, 1), 130


@dataclass(frozen=True)
class Context:
    """`work` is thrown away at the end; `keep` is not."""

    seed: int
    work: Path
    keep: Path
    sources: Sources

    def room(self, part, index, documents=()):
        """Return new folders for a trial, with copies of `documents`."""
        return Room(self.work / f"{part}-{index}", documents)

    def expected(self, part, documents, *options):
        """Return what an undisturbed run writes, and its seconds. Raises `RuntimeError` where not all went well."""
        room = self.room(part, -1, documents)
        ended = convert(room, *options)
        if ended.code != 0:
            line = ended.errors.strip()
            raise RuntimeError(f"a run that nobody disturbed ended with exit code {ended.code}: {line}")
        written = room.contents()
        room.remove()
        return written, ended.seconds


@dataclass
class Result:
    """What came of one trial; `pages` counts those that the journal has. A finding is something that was `lost`,
    `repeated`, `torn`, `leaked`, is `stuck` or `wrong`."""

    context: Context
    room: Room
    what: str
    pages: int = 0
    findings: list = field(default_factory=list)

    def __str__(self):
        return "\n".join([f"{self.room.folder.name}: {self.what}, {self.pages} pages", *self.findings])

    def find(self, kind, what):
        self.findings.append(f"  {kind}: {what}")

    def take_end(self, ended, codes):
        """Take in how a run ended, and what it left running; `codes` are the right exit codes."""
        last = (ended.errors.strip().splitlines() or ["no message"])[-1]
        if ended.code is None:
            self.find("stuck", f"nothing happened any more: {last}")
        elif ended.code not in codes:
            self.find("wrong", f"exit code {ended.code} in place of {' or '.join(map(str, codes))}: {last}")
        if "docparse: internal error" in ended.errors:
            self.find("lost", ended.errors)
        if ended.outlived:
            self.find("leaked", f"{len(ended.outlived)} processes outlived the run")

    def done(self, expected=None):
        """Take in what was not accounted for or is not as an undisturbed run writes it, and keep a copy of that."""
        for miss in misses(self.room, list(map(str, self.room.documents.iterdir())), resumed=expected is not None):
            self.find(*miss)
        if expected is not None:
            written, self.pages = self.room.contents(), read_pages(self.room)
            for name in sorted(expected.keys() | written.keys()):
                if expected.get(name) != written.get(name):
                    kind = "lost" if name not in written else "leaked" if name not in expected else "torn"
                    self.find(kind, f"{name} is not that of an undisturbed run")
        if self.findings:
            kept = self.context.keep / self.room.folder.name
            shutil.copytree(self.room.folder, kept, dirs_exist_ok=True)
        self.room.remove()
        return self


def mutations(context, count):
    """Yield what came of `count` damaged documents: every one has an outcome, and none costs what it should not."""
    for first in range(0, count, BATCH):
        room, numbers = context.room("mutations", first), range(first, min(count, first + BATCH))
        for number in numbers:
            made = mutant(context.seed, number, context.sources)
            (room.documents / made.name).write_bytes(made.data)
        result = Result(context, room, f"{len(numbers)} damaged documents")
        result.take_end(convert(room, "--page-timeout", "20", "--document-timeout", "40", "-vv"), (0, 1, 4))
        for entry in read_journal(room.journal)[0]:
            result.pages += entry["page"] is not None
            if entry["status"] == "failed" and entry["error_category"] == "internal":
                result.find("lost", f"{entry['input']}: page {entry['page']} failed: {entry['error']}")
        yield result.done()


def _signals(*numbers):
    def send(parent, random):
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(parent, number)
            time.sleep(random.uniform(0, 0.1))

    return send


def _kill_workers(parent, random):
    for _ in range(random.randrange(1, 4)):
        if workers := children(parent):
            with suppress(ProcessLookupError):
                os.kill(random.choice(workers), signal.SIGKILL)
        time.sleep(random.uniform(0, 0.5))


BLOWS = {  # what is done to a run, and how it may end after that
    "kill -9": (_signals(signal.SIGKILL), (-signal.SIGKILL,)),
    "kill -9 of workers": (_kill_workers, DONE),
    "SIGTERM": (_signals(signal.SIGTERM), (INTERRUPTED,)),
    "SIGINT": (_signals(signal.SIGINT), (INTERRUPTED,)),
    "SIGHUP": (_signals(signal.SIGHUP), (-signal.SIGHUP, 128 + signal.SIGHUP, INTERRUPTED)),
    "two SIGINT": (_signals(signal.SIGINT, signal.SIGINT), (INTERRUPTED,)),
    "SIGTERM and SIGINT": (_signals(signal.SIGTERM, signal.SIGINT), (INTERRUPTED,)),
}


def kills(context, count):
    """Yield what came of `count` folders; each run over one is disturbed up to three times and resumed until it is
    done: the outputs do not show what happened."""
    if not count:
        return
    documents = (*context.sources.light, *context.sources.scans[:1], *context.sources.long[:1])
    options = (*ALL_FORMATS, "--resume", "-v")
    expected, usual = context.expected("kills", documents, *options)
    for index in range(count):
        random, room = Random(f"{context.seed}/kills/{index}"), context.room("kills", index, documents)
        result, blows, over = Result(context, room, ""), [], False
        for turn in range(random.randrange(1, 4)):  # every blow has its turn: in a short run as well
            if not over:
                blows.append(list(BLOWS)[index % len(BLOWS)] if turn == 0 else random.choice(list(BLOWS)))
                over = _disturb(result, options, blows[-1], random, random.uniform(0.05, 0.95) * usual)
        for _ in range(MOST_RUNS):
            ended = convert(room, *options)
            result.take_end(ended, DONE)
            if ended.code == 0:
                break
        else:
            result.find("lost", f"not done after {MOST_RUNS} runs with --resume: {ended.errors.strip()[-200:]}")
        result.what = ", ".join(blows)
        yield result.done(expected)


def _disturb(result, options, blow, random, seconds):
    """Begin or go on with a run, strike, and return whether it had ended of itself before that."""
    strike, codes = BLOWS[blow]
    with Running(result.room, *options) as running:
        over = running.over(seconds)
        if over:
            codes = DONE
        else:
            if not result.room.out.exists():  # before a run has begun to work, a signal ends it as it would any program
                codes = (*codes, -signal.SIGTERM, -signal.SIGINT)
            strike(running.process.pid, random)
        ended = running.finish()
    if " converted" in ended.errors and "interrupted" not in ended.errors:
        codes = (*codes, *DONE)  # a signal that comes after the last line has been printed changes nothing any more
    result.take_end(ended, codes)
    return over
