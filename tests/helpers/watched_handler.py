"""`docparse` whose pages are read as always and noted down, and where the environment says so one of them waits, calls
somebody, or takes a blow: `HANG_FROM=9` `HANG_UNTIL=FILE` `CALL=` `BLOW=5:9`."""

import json
import os
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import docparse.cli
import docparse.run.document
from docparse.run.tasks import ReadPage


@dataclass(frozen=True)
class WatchedPage(ReadPage):
    def run(self, state):
        page = self.attempt.page
        until = Path(os.environ.get("HANG_UNTIL", "no such file"))
        while page >= int(os.environ.get("HANG_FROM", "9999")) and not until.exists():
            time.sleep(0.01)
        if "CALL" in os.environ:
            socket.create_connection(("192.0.2.1", 9), timeout=0.1)
        self.take_the_blow(page)
        report = super().run(state)
        note = {"worker": os.getpid(), "omp": os.environ["OMP_NUM_THREADS"], "threads": state.settings.threads}
        with open(os.environ.get("WATCH", os.devnull), "a") as file:
            file.write(json.dumps(note) + "\n")
        return report

    def take_the_blow(self, page):
        """`BLOW=5:9`: page 5 sends its worker signal 9, once."""
        at, _, number = os.environ.get("BLOW", "").partition(":")
        if at == str(page):
            taken = Path(os.environ["WATCH"]).with_suffix(".blow")
            if not taken.exists():
                taken.touch()
                os.kill(os.getpid(), int(number))


def main():
    docparse.run.document.ReadPage = WatchedPage
    sys.exit(docparse.cli.main())
