"""Parts of a page that may fail: a part that raises or runs out of time costs itself and is told, never the page.

Time is watched with the interval timer of the process, so only the main thread of a worker sets a limit; it interrupts
Python, not a call into a library: a worker that hangs in one of those is killed from outside.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Literal, TypeVar

from docparse.errors import DeviceLost, DocparseError, EnvironmentProblem, one_line, ran_out_of_memory

Result = TypeVar("Result")
TIME_SHARE = 0.75  # of the time that is left, for one part: a slow part leaves some for those behind it
REPEAT = 1.0  # seconds after which the timer strikes again: an exception within a destructor is swallowed
LISTED = 20  # parts that failed, in one line

logger = logging.getLogger("docparse")

GRACE = 1 / 6  # of a part's time, once more, to finish with what it has: half of what is then left of the page's


def show_tracebacks() -> None:
    """Let this process print where each part failed, and not only that it did: `-vv`."""
    logging.basicConfig(format="%(message)s")
    logger.setLevel(logging.DEBUG)


class OutOfTime(BaseException):
    """The time of a part is over: `seconds`. Not an `Exception`, so that no library swallows it on the way."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass
class Guard:
    """Runs parts, and remembers which failed and why.

    `until` is when the parts must have ended, on the monotonic clock; None: without a limit. `failures` has a line for
    every part that failed, such as `tables (ValueError: min() arg is an empty sequence)`; `kinds` says what more time
    or memory would mend. Errors of the kinds `raised` are passed on. With `memory_raised` so is want of memory, as
    `MemoryError`: another process may have it.
    """

    until: float | None = None
    failures: list[str] = field(default_factory=list)
    kinds: set[Literal["timeout", "memory"]] = field(default_factory=set)
    raised: tuple[type[Exception], ...] = (DeviceLost, EnvironmentProblem)
    memory_raised: bool = False

    def __call__(self, name: str, part: Callable[[], Result], instead: Callable[[], Result]) -> Result:
        """Return what `part` returns, or what `instead` returns where it fails."""
        try:
            with time_limit(self.seconds()):
                return part()
        except (OutOfTime, Exception) as error:
            self.remember(name, error)
        return instead()

    def remember(self, name: str, error: OutOfTime | Exception) -> None:
        """Take in what ended a part. Raises what is to be passed on."""
        if isinstance(error, self.raised):
            raise error
        if isinstance(error, OutOfTime):
            signal.setitimer(signal.ITIMER_REAL, 0)  # it may have struck just before it was to be stopped
        logger.debug("%s failed", name, exc_info=error)
        if isinstance(error, OutOfTime):
            self.kinds.add("timeout")
            self.failures.append(f"{name} (out of time)")
            return
        if ran_out_of_memory(error):
            if self.memory_raised:
                raise MemoryError(f"no memory for {name}") from error
            self.kinds.add("memory")
            error = MemoryError()  # libraries say it in many words
        self.failures.append(f"{name} ({reason_of(error)})")

    @property
    def category(self) -> str:
        """Return the journal's word for what failed: `timeout`, `memory`, or `stage` for what would fail again."""
        return next((kind for kind in ("timeout", "memory") if kind in self.kinds), "stage" if self.failures else "")

    def summary(self, kept: str) -> str:
        """Return one line about what failed, empty where nothing did; `kept` says what there is all the same."""
        lines = list(dict.fromkeys(self.failures))
        if not lines:
            return ""
        more = [f"and {len(lines) - LISTED} more"] if len(lines) > LISTED else []
        return f"without {', '.join(lines[:LISTED] + more)}; {kept}"

    def seconds(self) -> float | None:
        """Return how long the next part may take; None: as long as it likes."""
        return None if self.until is None else TIME_SHARE * max(0.01, self.until - time.monotonic())


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `OutOfTime` in the block after `seconds`; None sets no limit. For the main thread, and not nested."""
    if seconds is None:
        yield
        return

    def strike(number: int, frame: FrameType | None) -> None:
        raise OutOfTime(seconds)

    before = signal.signal(signal.SIGALRM, strike)
    signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def finish_soon(ended: OutOfTime) -> None:
    """Give a part that has caught `ended` a little time to make something of what it has."""
    signal.setitimer(signal.ITIMER_REAL, GRACE * ended.seconds, REPEAT)


def reason_of(error: Exception) -> str:
    """Return what an exception says, short and in one line."""
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, DocparseError):
        return str(error)
    return one_line(f"{type(error).__name__}: {error}").rstrip(": ")
