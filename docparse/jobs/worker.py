"""The inside of a worker process: receive a task, do it, send the answer, until the pipe closes or the parent dies.

A worker never prints: its standard output is the parent's to use, so everything it has to say is an `Answer`, or
`News` of a task that takes long.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from docparse.errors import DocparseError, EnvironmentProblem, import_advice, ran_out_of_memory
from docparse.jobs.files import DiskFull
from docparse.jobs.memory import ADVICE, limit_memory, peak_memory, resident_memory

MESSAGE_LIMIT = 2000  # characters; keeps an answer small enough to be written to the pipe in one piece
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task failed. `category` is the journal's word; `error` is one line.

    `permanent` failures would happen again: what the code says to this input. Those of the machine may not: memory,
    a system call that failed, a crash, a time-out. `fatal` ones end the run.
    """

    category: str
    error: str
    permanent: bool = False
    fatal: bool = False
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker sends back for one task. `memory` is the worker's resident set in bytes, 0 where unknown; `peak`,
    in its first answer, the most that the system says it ever held, of which some may be its parent's."""

    value: Any = None
    failure: Failure | None = None
    memory: int = 0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class News:
    """How far the task at hand has come, in the words of whoever does it."""

    value: Any


def main(descriptor: int, parent: int, memory: int = 0, threads: int = 1) -> None:
    """Serve tasks on the pipe `descriptor`, in `memory` bytes at most if that is not 0.

    The first message is `(factory, arguments)`; it makes the handler, which is called with a task and a function to
    send news of it with.
    """
    die_with(parent)
    if memory:
        limit_memory(memory, threads)
    connection = Connection(descriptor)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        factory, arguments = connection.recv()
        started = answer(factory, *arguments)
        handler = started.value

        def tell(value: Any) -> None:
            connection.send(News(value))

        connection.send(Answer(failure=started.failure, peak=peak_memory()))
        while started.failure is None:
            task = connection.recv()
            connection.send(answer(handler, task, tell))


def answer(work: Callable[..., Any], *arguments: Any) -> Answer:
    """Call `work`; whatever it raises becomes a `Failure`."""
    try:
        return Answer(value=work(*arguments), memory=resident_memory())
    except Exception as error:
        return Answer(failure=failure_of(error), memory=resident_memory())


def failure_of(error: Exception) -> Failure:
    trace = "".join(traceback.format_exception(error))[-MESSAGE_LIMIT:]
    if isinstance(error, DocparseError):
        fatal = isinstance(error, (EnvironmentProblem, DiskFull))
        return Failure(error.category, one_line(str(error)), permanent=True, fatal=fatal, trace=trace)
    if isinstance(error, ImportError):
        line = f"{one_line(str(error))}: {import_advice(str(error))}"
        return Failure(EnvironmentProblem.category, line, permanent=True, fatal=True, trace=trace)
    line = one_line(f"{type(error).__name__}: {error}")
    if ran_out_of_memory(error):
        reason = one_line(str(error))
        return Failure("memory", f"not enough memory{': ' * bool(reason)}{reason}: {ADVICE}", trace=trace)
    if isinstance(error, OSError):
        return Failure("system", line, trace=trace)
    return Failure("internal", line, permanent=True, trace=trace)


def one_line(text: str) -> str:
    return " ".join(text.split())[:MESSAGE_LIMIT]


def die_with(parent: int) -> None:
    """Let this process end when `parent` ends, even in the middle of a task and even while stopped."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> None:
    import time

    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
