"""Calls to the file system that may never come back, as on a share whose server is gone, under a time limit."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

SECONDS = 20.0  # a disk that sleeps and a share that is mounted on demand take some of them, a huge folder too
PATIENCE = 3  # after so many calls that did not come back
SHORT_SECONDS = 2.0  # the others get less time: a thousand links to a dead server are half an hour


class TimedCalls:
    """Makes calls in a helper thread; one that does not come back is left behind with its thread.

    A context manager. The helper works through many paths for one hand-over, so ordinary files cost next to nothing.
    """

    def __init__(self) -> None:
        self._hung = 0
        self._silent: set[str] = set()  # folders whose server does not answer
        self._batches: SimpleQueue[_Batch[Any] | None] | None = None

    def __enter__(self) -> TimedCalls:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._batches is not None:
            self._batches.put(None)

    def each(
        self, call: Callable[[str], Result], paths: Sequence[str], *, about_folder: bool = False
    ) -> list[Result | OSError]:
        """Return `call(path)` for each path, in order, or the `OSError` it ended with; `TimeoutError` for one that did
        not come back.

        With `about_folder` the folder of such a path is asked as well; if it does not answer, its other paths are not
        tried.
        """
        results: list[Result | OSError] = []
        while len(results) < len(paths):
            batch = _Batch(call, paths[len(results) :], self._silent)
            ended = self._wait(batch)
            results += ended
            if about_folder and not batch.done.is_set():
                self._ask_folder(os.path.dirname(paths[len(results) - 1]))
        return results

    def one(self, call: Callable[[str], Result], path: str) -> Result:
        """Return `call(path)`. Raises `OSError`, and `TimeoutError` where it did not come back."""
        (result,) = self.each(call, [path])
        if isinstance(result, OSError):
            raise result
        return result

    def _ask_folder(self, folder: str) -> None:
        (answer,) = self.each(os.lstat, [folder or "."])
        if isinstance(answer, TimeoutError):
            self._silent.add(folder)

    def _wait(self, batch: _Batch[Result]) -> list[Result | OSError]:
        """Return what `batch` came to: everything, or the paths up to the first one that hangs."""
        if self._batches is None:
            self._batches = SimpleQueue()
            threading.Thread(target=_serve, args=(self._batches,), daemon=True).start()
        self._batches.put(batch)
        seconds = SECONDS if self._hung < PATIENCE else SHORT_SECONDS
        seen = 0
        while not batch.done.wait(seconds):
            if len(batch.results) == seen:
                self._hung += 1
                self._batches.put(None)  # should it come back
                self._batches = None
                return [*batch.results[:seen], no_answer(seconds)]
            seen = len(batch.results)
        return batch.results


class _Batch(Generic[Result]):
    """Paths to make a call for, and what came of the first of them."""

    def __init__(self, call: Callable[[str], Result], paths: Sequence[str], silent: set[str]) -> None:
        self.call = call
        self.paths = paths
        self.silent = silent
        self.results: list[Result | OSError] = []
        self.done = threading.Event()

    def run(self) -> None:
        for path in self.paths:
            self.results.append(self._try(path))
        self.done.set()

    def _try(self, path: str) -> Result | OSError:
        if self.silent and os.path.dirname(path) in self.silent:
            return OSError(errno.ETIMEDOUT, "its folder does not answer")
        try:
            return self.call(path)
        except OSError as error:
            return error
        except ValueError:  # from Python, before the system sees the name
            return OSError(errno.EINVAL, "no file can have this name")


def no_answer(seconds: float) -> OSError:
    """Return the error for a call that did not come back within `seconds`."""
    return OSError(errno.ETIMEDOUT, f"no answer within {seconds:g} s; is it on a network share that is gone?")


def _serve(batches: SimpleQueue[_Batch[Any] | None]) -> None:
    while (batch := batches.get()) is not None:
        batch.run()
