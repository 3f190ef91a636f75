"""`ReadPage` that notes the path of calls to the first words of a page: in the file that `CALL_PATH` names, a line for
each function of docparse, outermost first."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import docparse
from docparse.layout.stages import words
from docparse.run.tasks import ReadPage

PACKAGE = Path(docparse.__file__).parent


def calls(frame):
    """Return the functions of docparse that are being called, such as `run/worker.py main`, outermost first."""
    found = []
    while frame is not None:
        path, name = Path(frame.f_code.co_filename), frame.f_code.co_name
        if path.is_relative_to(PACKAGE) and not name.startswith("<"):
            found.append(f"{path.relative_to(PACKAGE)} {name}")
        frame = frame.f_back
    return found[::-1]


@dataclass(frozen=True)
class TracedPage(ReadPage):
    def run(self, state):
        def watch(frame, event, _):
            if event == "call" and frame.f_code is words.words.__code__:
                Path(os.environ["CALL_PATH"]).write_text("\n".join(calls(frame)))

        sys.setprofile(watch)
        try:
            return super().run(state)
        finally:
            sys.setprofile(None)
