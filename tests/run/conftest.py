"""Handlers for worker processes: a module that the workers can import."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

HANDLERS = '''
"""What the workers of the pool's tests do."""

import os, signal, sys, time


class Handler:
    def __init__(self, marker=""):
        self.calls = 0

    def __call__(self, task, tell):
        self.calls += 1
        what, value = task
        self.tell = tell
        return getattr(self, what)(value)

    def echo(self, value):
        return value

    def report(self, value):
        for number in range(value):
            self.tell(number)
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

    def missing(self, value):
        import no_such_module_at_all

    def shout(self, value):
        print("x" * 100000)
        os.write(1, b"y" * 100000)
        return value

    def grow(self, value):
        self.held = getattr(self, "held", []) + [bytearray(os.urandom(1)) * value]
        return os.getpid()

    def swell(self, value):
        held = []
        while True:
            held.append(b"x" * value)
            time.sleep(0.001)

    def abort(self, value):
        held = b"x" * value
        os.abort()

    def starve(self, value):
        raise MemoryError(value)

    def lose(self, value):
        from docparse.errors import DeviceLost
        raise DeviceLost(value)

    def refuse(self, value):
        raise OSError(5, value)

    def connect(self, value):
        from docparse.network import forbid_network
        import socket
        forbid_network()
        socket.create_connection(("192.0.2.1", 9), timeout=0.1)


class Service:
    """Answers what it has after `seconds`; `die` ends the process, `wait` never ends."""

    def __init__(self, seconds=0.0):
        self.seconds, self.held, self.cancelled = seconds, {}, []

    @property
    def busy(self):
        return bool(self.held)

    def begin(self, ticket, task, tell):
        self.held[ticket] = (task, time.monotonic())

    def cancel(self, ticket):
        self.cancelled.append(ticket)
        self.held[ticket] = ("cancelled", 0.0)

    def advance(self):
        from docparse.run.worker import TaskAnswer

        time.sleep(0.005)
        if any(task == "die" for task, _ in self.held.values()):
            os._exit(3)
        now = time.monotonic()
        ended = [t for t, (task, begun) in self.held.items() if task != "wait" and now >= begun + self.seconds]
        return [(t, TaskAnswer(value=(self.held.pop(t)[0], len(self.held) + 1))) for t in ended]


def broken():
    raise RuntimeError("no handler today")


def dying():
    os._exit(3)
'''


@pytest.fixture
def handlers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "pool_handlers.py").write_text(HANDLERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    import sys

    sys.modules.pop("pool_handlers", None)
    return importlib.import_module("pool_handlers")
