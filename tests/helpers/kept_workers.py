"""Workers that a run leaves idle go on with the next run of this process that would start the same ones, as those of a
`Converter` do: to start one takes longer than most runs of the tests."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from docparse.run.pool import Pool
from docparse.run.process import Start, WorkerProcess

MOST = 3  # that are idle
KEEPER = ThreadPoolExecutor(1)  # the system ends workers with the thread that started them
kept: list[tuple[Any, WorkerProcess]] = []


def surroundings() -> tuple[dict[str, str], list[str], str]:
    """What a process takes from the one that starts it."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return variables, list(sys.path), os.getcwd()


def end_all() -> None:
    for _, worker in kept:
        worker.kill()
    kept.clear()


class KeptPool(Pool):
    def __init__(self, *given: Any, **more: Any) -> None:
        self.begun = surroundings()
        super().__init__(*given, **more)

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            if worker.ready and not worker.held:
                worker.last = None
                kept.append((self.begun, worker))
            else:
                worker.kill()
        self.workers.clear()
        while len(kept) > MOST:
            kept.pop(0)[1].kill()

    def _worker(self, start: Start) -> WorkerProcess:
        """Return one that was kept and begins as this one would, or a new one."""
        for place, (where, worker) in enumerate(kept):
            if worker.start == start and where == self.begun and worker.process.poll() is None:
                del kept[place]
                return worker
        return WorkerProcess(start, KEEPER)
