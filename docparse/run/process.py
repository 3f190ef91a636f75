"""One worker process seen from the parent: a private pipe, the tasks that it has, and when they must have ended.

A plain interpreter in a session of its own, not `multiprocessing`: it does not import the caller's main module, and
Ctrl-C reaches only the parent. The pipe is private, so a killed worker corrupts nobody's messages.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from typing import Any

from docparse.errors import EnvironmentProblem
from docparse.run.capacity import too_much
from docparse.run.worker import ProgressMessage, TaskAnswer, TaskFailure

END_SECONDS = 5.0  # from closing its pipe to its end
ABORTS = (signal.SIGABRT, signal.SIGILL, signal.SIGTRAP)  # how libraries end where an allocation fails,
ABORTS_ABOVE = 0.3  # and then they hold some of the limit: a table that doubles from a third does not fit
START_LIMIT = 120.0  # seconds an interpreter may take to start; only a broken machine needs more than a few
GONE = (BrokenPipeError, ConnectionResetError)  # it died before it could be asked; `receive` will say so
BOOT = "import sys; sys.path[:] = {path!r}; from docparse.run.worker import main; main({arguments})"


@dataclass(frozen=True)
class Start:
    """The beginning of a worker: `factory(*arguments)`, called in the worker, returns the state that tasks `run` with,
    one after the other; or, where it is a `service`, a `worker.Service`, which has up to `slots` tasks at once.

    It is given `limit` seconds for that. It may hold `memory` bytes (0: as many as there are) and start `threads`.
    """

    factory: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    show_stderr: bool = False
    limit: float = START_LIMIT
    memory: int = 0
    threads: int = 1
    service: bool = False
    slots: int = 1


@dataclass(eq=False)
class GivenTask:
    """A task that a worker has, `alone` or beside others. `about` is what was given with it; nobody waits for one that
    is `cancelled`. `losses` counts the workers of a cluster that went with it."""

    task: Any
    about: Any
    timeout: float
    alone: bool = False
    deadline: float = 0.0
    cancelled: bool = False
    losses: int = 0


def has_room(held: Collection[GivenTask], slots: int) -> bool:
    """Return whether a worker that has `held` can take one more task."""
    return len(held) < (1 if any(given.alone for given in held) else slots)


class WorkerProcess:
    """A worker, whose process starts with its first task. `held` are its tasks by their tickets, `last` what was
    submitted with the newest one.

    Linux ends a process with the thread that started it. That thread is therefore the `starter`'s, which lives as long
    as its pool, and not the caller's.
    """

    process: subprocess.Popen[bytes]
    connection: Connection

    def __init__(self, start: Start, starter: Executor) -> None:
        self.start = start
        self.started = self.ready = False
        self.held: dict[int, GivenTask] = {}
        self.last: Any = None
        self.given = 0  # tasks; the newest has this number as its ticket
        self.tasks = self.memory = self.first_memory = self.first_peak = 0
        self._starter = starter
        self._must_start = 0.0

    def begin(self) -> None:
        """Start the process, which may take its time. Raises `EnvironmentProblem` where the system refuses."""
        start = self.start
        try:
            self.connection, theirs = Pipe()
            with theirs:
                given = (start.memory, start.threads, start.service, start.show_stderr)
                arguments = ", ".join(map(str, (theirs.fileno(), os.getpid(), *given)))
                self.process = self._starter.submit(
                    subprocess.Popen,
                    [sys.executable, "-P", "-c", BOOT.format(path=sys.path, arguments=arguments)],
                    pass_fds=(theirs.fileno(),),
                    env=os.environ | dict(start.environment),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=None if start.show_stderr else subprocess.DEVNULL,
                    start_new_session=True,
                ).result()
        except OSError as error:
            reason = error.strerror or error
            raise EnvironmentProblem(f"a worker process cannot be started: {reason}; lower --workers") from error
        self.started = True
        self._must_start = time.monotonic() + start.limit
        with suppress(*GONE):
            self.connection.send((start.factory, start.arguments))

    @property
    def free(self) -> bool:
        return has_room(self.held.values(), self.start.slots)

    def give(self, task: Any, timeout: float, about: Any = None, *, alone: bool = False) -> None:
        """Send a task, `alone` or beside others. Its `timeout` seconds begin now, or when the process has started."""
        if not self.started:
            self.begin()
        self.given += 1
        deadline = time.monotonic() + timeout if self.ready else self._must_start
        self.held[self.given] = GivenTask(task, about, timeout, alone, deadline)
        self.last = about
        with suppress(*GONE):
            self.connection.send((self.given, task))

    def cancel(self, ticket: int) -> None:
        """Tell a worker that has other tasks as well that nobody waits for this one."""
        self.held[ticket].cancelled = True
        with suppress(*GONE):
            self.connection.send((ticket, None))

    def receive(self) -> tuple[int, TaskAnswer] | TaskAnswer | ProgressMessage | None:
        """Return the ticket of a task with its answer, or news, after the pipe became readable. None: it has only just
        started. An answer without a ticket is about all its tasks: it could not start, or is gone, which is a `crash`.
        """
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return TaskAnswer(failure=self._how_it_ended())
        if isinstance(message, ProgressMessage):
            return message
        if not self.ready:
            self.ready = message.failure is None
            self.first_peak = message.peak
            for held in self.held.values():
                held.deadline = time.monotonic() + held.timeout
            return message if message.failure else None
        ticket, answer = message
        self.tasks += 1
        self.memory = answer.memory
        return ticket, answer

    @property
    def deadline(self) -> float:
        """Return when the first of its tasks must have ended, or when it must have started."""
        return min((held.deadline for held in self.held.values()), default=self._must_start)

    def overdue(self) -> bool:
        """Return whether a task should have ended by now, or the process should have started."""
        return bool(self.held or not self.ready) and time.monotonic() >= self.deadline

    def kill(self) -> None:
        """End it now, whatever it is doing; a stopped process dies of SIGKILL as well."""
        if self.started:
            self.process.kill()
            self.process.wait()
            self.connection.close()

    def _how_it_ended(self) -> TaskFailure:
        code, peak = self._reap()
        limit = self.start.memory
        grown = peak > self.first_peak and peak > ABORTS_ABOVE * limit
        if -code in ABORTS and limit and grown:
            return TaskFailure("memory", too_much(limit))
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return TaskFailure("crash", f"the worker process {how}")

    def _reap(self) -> tuple[int, int]:
        """Return the exit code, negative for a signal, and the most memory it ever held, in bytes."""
        patience = time.monotonic() + END_SECONDS
        while self.process.returncode is None:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                return self.process.returncode, usage.ru_maxrss * 1024
            if time.monotonic() > patience:
                self.process.kill()
            time.sleep(0.005)
        return self.process.returncode, 0
