"""The inside of a worker process: receive a task, do it, send the answer, until the pipe closes or the parent dies. It
prints nothing: all is a `TaskAnswer`, or a `ProgressMessage` of a task that takes long."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

from docparse.errors import DocparseError, EnvironmentProblem, UsageError, import_advice, one_line, ran_out_of_memory
from docparse.guard import show_tracebacks
from docparse.run.capacity import ADVICE, limit_memory, peak_memory, resident_memory
from docparse.run.files import DiskFull

MESSAGE_LIMIT = 2000  # characters; keeps an answer small enough to be written to the pipe in one piece
PR_SET_PDEATHSIG = 1
GARBAGE = 20_000  # objects made and not freed between two searches for cycles, each of which takes as long as a page


@dataclass(frozen=True, slots=True)
class TaskFailure:
    """Why a task failed. `category` is the journal's word; `error` is one line.

    `permanent` failures would happen again: what the code says to this input. Those of the machine may not: memory,
    a system call that failed, a crash, a time-out. `fatal` ones end the run. A `shared` one ended several tasks of one
    worker, of which at most one is why.
    """

    category: str
    error: str
    permanent: bool = False
    fatal: bool = False
    trace: str = ""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class TaskAnswer:
    """A worker's answer to one task. `memory` is the worker's resident set in bytes, 0 where unknown; `peak`, in its
    first answer, the most that the system says it ever held, of which some may be its parent's."""

    value: Any = None
    failure: TaskFailure | None = None
    memory: int = 0
    peak: int = 0


@dataclass(frozen=True, slots=True)
class ProgressMessage:
    """The progress of the task at hand, in the words of whoever does it."""

    value: Any


class Service(Protocol):
    """A state that does several tasks at once."""

    @property
    def busy(self) -> bool:
        """Return whether any task is under way."""

    def begin(self, ticket: int, task: Any, tell: Callable[[Any], None]) -> None:
        """Take a task in; what is wrong with it is its answer."""

    def cancel(self, ticket: int) -> None:
        """Nobody waits for this task any more; it is answered all the same."""

    def advance(self) -> list[tuple[int, TaskAnswer]]:
        """Go on a little with all tasks; return the answers of those that have ended, each once."""


def main(
    descriptor: int, parent: int, memory: int = 0, threads: int = 1, many: bool = False, tracebacks: bool = False
) -> None:
    """Serve tasks on the pipe `descriptor`, in `memory` bytes at most if that is not 0. With `tracebacks` its standard
    error has one of each part that fails.

    The first message is `(factory, arguments)`, which make the state that tasks run with, or where there are `many`
    tasks at once the `Service` that does them. The others are tasks with their tickets.
    """
    die_with(parent)
    if memory:
        limit_memory(memory, threads)
    if tracebacks:
        show_tracebacks()
    gc.set_threshold(GARBAGE, 20, 20)
    connection = Connection(descriptor)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        factory, arguments = connection.recv()
        started = answer(factory, *arguments)

        def tell(value: Any) -> None:
            connection.send(ProgressMessage(value))

        connection.send(TaskAnswer(failure=started.failure, peak=peak_memory()))
        while started.failure is None:
            if many:
                serve_many(connection, started.value, tell)
            else:
                ticket, task = connection.recv()
                connection.send((ticket, answer(task.run, started.value)))


def serve_many(connection: Connection, service: Service, tell: Callable[[Any], None]) -> None:
    """Take in what has come, and go on with all tasks."""
    while not service.busy or connection.poll():
        ticket, task = connection.recv()
        if task is None:
            service.cancel(ticket)
        else:
            service.begin(ticket, task, tell)
    for ticket, ended in service.advance():
        connection.send((ticket, ended))


def answer(work: Callable[..., Any], *arguments: Any) -> TaskAnswer:
    """Call `work`; whatever it raises becomes a `TaskFailure`."""
    try:
        return TaskAnswer(value=work(*arguments), memory=resident_memory())
    except Exception as error:
        return TaskAnswer(failure=failure_of(error), memory=resident_memory())


def failure_of(error: Exception) -> TaskFailure:
    trace = "".join(traceback.format_exception(error))[-MESSAGE_LIMIT:]
    if isinstance(error, DocparseError):
        fatal = isinstance(error, (EnvironmentProblem, UsageError, DiskFull))
        return TaskFailure(error.category, one_line(error, MESSAGE_LIMIT), permanent=True, fatal=fatal, trace=trace)
    if isinstance(error, ImportError):
        line = f"{one_line(error, MESSAGE_LIMIT)}: {import_advice(str(error))}"
        return TaskFailure(EnvironmentProblem.category, line, permanent=True, fatal=True, trace=trace)
    line = one_line(f"{type(error).__name__}: {error}", MESSAGE_LIMIT)
    if ran_out_of_memory(error):
        reason = one_line(error, MESSAGE_LIMIT)
        return TaskFailure("memory", f"not enough memory{': ' * bool(reason)}{reason}: {ADVICE}", trace=trace)
    if isinstance(error, OSError):
        return TaskFailure("system", line, trace=trace)
    return TaskFailure("internal", line, permanent=True, trace=trace)


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
