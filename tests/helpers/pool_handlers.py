"""What the workers of the pool's tests do."""

import os
import time
from typing import NamedTuple

from docparse.errors import DeviceLost, UsageError
from docparse.guard import Guard
from docparse.run.worker import TaskAnswer


class Do(NamedTuple):
    """A task: what to do, and with what."""

    what: str
    value: object = None

    def run(self, handler):
        handler.calls += 1
        return getattr(handler, self.what)(self.value)


class Handler:
    calls = 0

    def echo(self, value):
        return value

    def pid(self, value):
        return os.getpid()

    def count(self, value):
        return self.calls

    def sleep(self, value):
        time.sleep(value)
        return value

    def die(self, value):
        os.kill(os.getpid(), value)

    def exit(self, value):
        os._exit(value)

    def fail(self, value):
        raise ValueError(value)

    def guarded(self, value):
        return Guard()("tables", lambda: 1 // value, lambda: "replaced")

    def missing(self, value):
        import no_such_module_at_all  # noqa: F401

    def shout(self, value):
        print("x" * 100000)
        os.write(1, b"y" * 100000)
        return value

    def grow(self, value):
        self.held = [*getattr(self, "held", ()), bytearray(os.urandom(1)) * value]
        return os.getpid()

    def swell(self, value):
        held = []
        while True:
            held.append(b"x" * value)
            time.sleep(0.001)

    def abort(self, value):
        self.held = b"x" * value
        os.abort()

    def starve(self, value):
        raise MemoryError(value)

    def lose(self, value):
        raise DeviceLost(value)

    def refuse(self, value):
        raise OSError(5, value)


class Service:
    """Answers what it has after `seconds`; `die` ends the process, `wait` never ends, `tell` is told of three times."""

    def __init__(self, seconds=0.0):
        self.seconds, self.held = seconds, {}

    @property
    def busy(self):
        return bool(self.held)

    def begin(self, ticket, task, tell):
        self.held[ticket] = (task, time.monotonic())
        for number in range(3 if task == "tell" else 0):
            tell(number)

    def cancel(self, ticket):
        self.held[ticket] = ("cancelled", 0.0)

    def advance(self):
        time.sleep(0.005)
        if any(task == "die" for task, _ in self.held.values()):
            os._exit(3)
        now = time.monotonic()
        ended = [t for t, (task, begun) in self.held.items() if task != "wait" and now >= begun + self.seconds]
        return [(t, TaskAnswer(value=(self.held.pop(t)[0], len(self.held) + 1))) for t in ended]


def broken():
    raise RuntimeError("no handler today")


def refusing():
    raise UsageError("--accel hsd: no")


def dying():
    os._exit(3)
