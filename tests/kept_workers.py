"""Workers that a run leaves idle go on with the next run of this process that would start the same ones, as those of a
`Converter` do: to start one takes longer than most runs of the tests."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from docparse.run.pool import Pool
from docparse.run.process import WorkerProcess

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
        super().__init__(*given, **more)
        self.starter.shutdown()
        self.starter, self.begun = KEEPER, surroundings()

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            if worker.ready and not worker.held:
                worker.last, worker.alone = None, False
                kept.append((self.begun, worker))
            else:
                worker.kill()
        self.workers.clear()
        while len(kept) > MOST:
            kept.pop(0)[1].kill()

    def submit(self, worker: WorkerProcess | None, task: Any, **more: Any) -> None:
        super().submit(worker or self.taken(), task, **more)

    def taken(self) -> WorkerProcess | None:
        """Return one that was kept and begins as the next one here would."""
        begun = [worker.start for worker in self.workers]
        for place, (where, worker) in enumerate(kept):
            fits = begun.count(worker.start) < self.starts.count(worker.start) and where == self.begun
            if fits and worker.process.poll() is None:
                del kept[place]
                self.workers.append(worker)
                return worker
        return None
