"""A handler that writes down what each page was read with, and may be slow or call somebody."""

import json
import os
import socket
import time

from docparse.run.tasks import ReadPage, WorkerState


class WatchedHandler(WorkerState):
    def __call__(self, task, tell):
        if not isinstance(task, ReadPage):
            return super().__call__(task, tell)
        if task.attempt.page >= int(os.environ.get("HANG_FROM", "9999")):
            time.sleep(600)
        if "CALL" in os.environ:
            socket.create_connection(("192.0.2.1", 9), timeout=0.1)
        report = super().__call__(task, tell)
        note = {"worker": os.getpid(), "omp": os.environ["OMP_NUM_THREADS"], "threads": self.settings.threads}
        with open(os.environ["WATCH"], "a") as file:
            file.write(json.dumps(note) + "\n")
        return report
