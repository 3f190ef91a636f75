"""One worker process seen from the parent: a private pipe, at most one task, and a deadline.

The pipe is private so that a worker killed in the middle of a message can corrupt nobody else's. The process is
started as a plain interpreter, not by `multiprocessing`: it does not import the caller's main module, shares no
resource tracker, and lives in a session of its own, so Ctrl-C in the terminal reaches only the parent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Pipe
from typing import Any

from docparse.jobs.memory import too_much
from docparse.jobs.worker import Answer, Failure, News

END_SECONDS = 5.0  # from closing its pipe to its end
ABORTS = (signal.SIGABRT, signal.SIGILL, signal.SIGTRAP)  # how libraries end where an allocation fails,
ABORTS_ABOVE = 0.3  # and then they hold some of the limit: a table that doubles from a third does not fit
START_LIMIT = 120.0  # seconds an interpreter may take to start; only a broken machine needs more than a few
BOOT = "import sys; sys.path[:] = {path!r}; from docparse.jobs.worker import main; main({arguments})"


@dataclass(frozen=True)
class Start:
    """How a worker begins: `factory(*arguments)`, called in the worker, returns the function that does the tasks. That
    is called with a task and a function which sends the parent news of it.

    It is given `limit` seconds for that. It may hold `memory` bytes (0: as many as there are) and start `threads`.
    """

    factory: Callable[..., Callable[[Any, Callable[[Any], None]], Any]]
    arguments: tuple[Any, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    show_stderr: bool = False
    limit: float = START_LIMIT
    memory: int = 0
    threads: int = 1


class WorkerProcess:
    """A running worker. `about` is whatever the scheduler wants to remember of it (the document it has open)."""

    def __init__(self, start: Start) -> None:
        self.connection, theirs = Pipe()
        arguments = f"{theirs.fileno()}, {os.getpid()}, {start.memory}, {start.threads}"
        boot = BOOT.format(path=sys.path, arguments=arguments)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", boot],
            pass_fds=(theirs.fileno(),),
            env=os.environ | dict(start.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if start.show_stderr else subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        self.limit = start.memory
        self.ready = False
        self.task: Any = None
        self.timeout = 0.0
        self.deadline = time.monotonic() + start.limit
        self.about: Any = None
        self.tasks = 0
        self.memory = 0
        self.first_memory = 0
        self.first_peak = 0
        self._send((start.factory, start.arguments))

    def give(self, task: Any, timeout: float) -> None:
        """Send a task. Its time begins now, or when the worker has started."""
        self.task = task
        self.timeout = timeout
        if self.ready:
            self.deadline = time.monotonic() + timeout
        self._send(task)

    def receive(self) -> Answer | News | None:
        """The answer to the task or news of it, after the pipe became readable. None: it has only just started.

        A worker that is gone answers with a `crash`.
        """
        try:
            answer: Answer | News = self.connection.recv()
        except (EOFError, OSError):
            return Answer(failure=self._how_it_ended())
        if isinstance(answer, News):
            return answer
        if not self.ready:
            self.ready = answer.failure is None
            self.first_peak = answer.peak
            self.deadline = time.monotonic() + self.timeout
            return answer if answer.failure else None
        self.tasks += 1
        self.memory = answer.memory
        return answer

    def overdue(self) -> bool:
        return self.task is not None and time.monotonic() >= self.deadline

    def kill(self) -> None:
        """End it now, whatever it is doing; a stopped process dies of SIGKILL as well."""
        self.process.kill()
        self.process.wait()
        self.connection.close()

    def _send(self, message: Any) -> None:
        try:
            self.connection.send(message)
        except (BrokenPipeError, ConnectionResetError):
            return  # it died before it could be asked; `receive` will say so

    def _how_it_ended(self) -> Failure:
        code, peak = self._reap()
        grown = peak > self.first_peak and peak > ABORTS_ABOVE * self.limit
        if -code in ABORTS and self.limit and grown:
            return Failure("memory", too_much(self.limit))
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return Failure("crash", f"the worker process {how}")

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
