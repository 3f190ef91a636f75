"""Which pages of a document are still to be read, how much is tried on each, and what came of them.

What may have been chance is tried again as it was; otherwise a page that fails is tried with less.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby

from docparse.run.worker import TaskFailure
from docparse.types import Page

LESS_MAY_DO = frozenset({"crash", "device", "internal", "memory", "system", "timeout"})  # categories of failures
BY_CHANCE = LESS_MAY_DO - {"internal", "timeout"}  # the same code on the same page fails in the same way


def may_be_better(page: Page) -> bool:
    """Return whether the page was read with less effort than was asked for, so that another run may read more."""
    return page.status == "partial" and page.error_category in LESS_MAY_DO | {"model"}


class Effort(StrEnum):
    """The effort that is made on a page: all that was asked for, the pipeline without the model, the text layer
    alone."""

    FULL = "full"
    PIPELINE = "pipeline"
    TEXT = "text"


@dataclass(frozen=True)
class Attempt:
    """A page to be read; `after` is why it is not read with full effort, `last` says that no full attempt follows.
    `alone`: the model is to write no other page beside it, because it failed with others and nobody knows which did."""

    page: int
    effort: Effort = Effort.FULL
    after: TaskFailure | None = None
    last: bool = True
    alone: bool = False


@dataclass
class Attempts:
    """The pages of one document: each waits, runs and ends, with a model `drafted` in between. `patience` is after how
    many failed pages in a row the rest is given up, 0 for never."""

    retries: int = 0
    with_model: bool = False
    patience: int = 0
    waiting: deque[Attempt] = field(default_factory=deque)
    running: dict[int, Attempt] = field(default_factory=dict)
    made: dict[int, int] = field(default_factory=dict)  # attempts at the pages that failed at least once
    drafted: deque[Attempt] = field(default_factory=deque)  # pages that the pipeline has read for the model,
    written: set[int] = field(default_factory=set)  # and those that it has begun with
    failed_in_a_row: int = 0
    failed: set[int] = field(default_factory=set)
    partial: set[int] = field(default_factory=set)  # pages that were read, but perhaps not to their end
    again: set[int] = field(default_factory=set)  # those of them that --resume reads once more
    unread: dict[int, int] = field(default_factory=dict)  # ranges that nothing was tried on: first page to last

    def add(self, numbers: Iterable[int]) -> None:
        self.waiting.extend(Attempt(number, last=self.retries == 0) for number in numbers)

    def next(self, *, ahead: bool = True) -> Attempt | None:
        """Return the next page for the pipeline to read, None where none waits. Not `ahead`: none for the model."""
        if not self.waiting or not (ahead or not self.is_for_model(self.waiting[0])):
            return None
        attempt = self.waiting.popleft()
        self.running[attempt.page] = attempt
        return attempt

    def wait_for_model(self, attempt: Attempt) -> None:
        """The pipeline has read a page, which the model is to write."""
        if attempt.page in self.running:
            self.drafted.append(attempt)

    def next_to_write(self) -> Attempt | None:
        """Return the next page for the model to write, None where none waits."""
        if not self.drafted:
            return None
        self.written.add(self.drafted[0].page)
        return self.drafted.popleft()

    def is_for_model(self, attempt: Attempt) -> bool:
        return self.with_model and attempt.effort is Effort.FULL

    @property
    def waiting_for_model(self) -> int:
        """Return pages that the pipeline has read, or is reading, for the model, and that the model has not begun."""
        return sum(self.is_for_model(attempt) for attempt in self.running.values()) - len(self.written)

    def write_alone(self, attempt: Attempt) -> None:
        """A page failed beside others, which was perhaps not its fault: once more, and that is no attempt."""
        if attempt.page in self.running:
            self.running[attempt.page] = alone = replace(attempt, alone=True)
            self.written.remove(attempt.page)
            self.drafted.appendleft(alone)

    def ended(self, number: int, failure: TaskFailure | None) -> TaskFailure | None:
        """Take in how the attempt at page `number` ended. Return why the page has failed for good, if it has."""
        attempt = self.running.pop(number, Attempt(number))
        self.written.discard(number)
        self.made[number] = self.made.get(number, 0) + 1
        if failure is None:
            self.failed_in_a_row = 0
            return None
        if again := self._again(attempt, failure):
            self.waiting.appendleft(again)  # before the others: how many pages fail in a row is to be known soon
            return None
        self.failed_in_a_row += 1
        return attempt.after or failure

    def was_read(self, page: Page) -> None:
        """Remember of a page that was read what may be missing of it."""
        if page.status == "partial":
            self.partial.add(page.number)
        (self.again.add if may_be_better(page) else self.again.discard)(page.number)

    def leave(self, numbers: Collection[int], *, wanted: bool) -> list[tuple[int, int]]:
        """Nothing is tried on these pages; return their ranges, first and last. Those that an earlier run has read with
        less effort stay as they are, unless they are not `wanted` at all: another run may read the `wanted` ones."""
        kept = self.again if wanted else set()
        self.partial |= kept.intersection(numbers)
        ranges = list(ranges_of(number for number in numbers if number not in kept))
        self.unread |= ranges
        if wanted:
            self.failed |= {first for first, _ in ranges}
        return ranges

    def count(self, number: int) -> int:
        return self.made.pop(number, 1)

    @property
    def must_give_up(self) -> bool:
        """So many pages in a row have failed that the others will."""
        return 0 < self.patience <= self.failed_in_a_row

    def give_up(self) -> list[int]:
        """Return the pages that nothing was tried on yet; they wait no longer."""
        untried = sorted(attempt.page for attempt in self.waiting if attempt.page not in self.made)
        self.waiting = deque(attempt for attempt in self.waiting if attempt.page in self.made)
        return untried

    def stop(self) -> list[int]:
        """Return all pages that have not ended; none waits or runs any longer."""
        left = sorted({attempt.page for attempt in self.waiting} | set(self.running))
        for pages in (self.waiting, self.running, self.drafted, self.written):
            pages.clear()
        return left

    def __bool__(self) -> bool:
        return bool(self.waiting or self.running)

    def _again(self, attempt: Attempt, failure: TaskFailure) -> Attempt | None:
        if failure.category not in LESS_MAY_DO:
            return None
        if attempt.effort is Effort.FULL and failure.category in BY_CHANCE and self.made[attempt.page] <= self.retries:
            return Attempt(attempt.page, last=self.made[attempt.page] == self.retries, alone=attempt.alone)
        less = {Effort.FULL: Effort.PIPELINE if self.with_model else Effort.TEXT, Effort.PIPELINE: Effort.TEXT}
        effort = less.get(attempt.effort)
        return Attempt(attempt.page, effort, attempt.after or failure) if effort else None


def ranges_of(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Return the first and last numbers of every run of neighbours in ascending `numbers`."""
    for _, neighbours in groupby(enumerate(numbers), lambda counted: counted[1] - counted[0]):
        run = [number for _, number in neighbours]
        yield run[0], run[-1]
