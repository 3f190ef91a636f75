"""Failures in a stage of page reading, from outside: what a run finds in `sitecustomize.py` before it starts.

`docparse/layout/stages/` has `STAGES`, a tuple of frozen dataclasses with `name` and `run`; all that is known of it
here is in this file. The variables begin with SOAK_, as those with DOCPARSE_ are settings.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from soak_parts.runs import Room

READING = ("ocr", "words")  # stages before the end of these decide what OCR sees
SABOTAGE = '''
"""One stage of page reading fails in every process that has this folder on its path."""

import builtins
import dataclasses
import importlib.machinery
import os
import sys
import time

MODULE = "docparse.layout.stages"


class Saboteur:
    """Finds the module of the stages as ever, and changes it after it was loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != MODULE:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            module.STAGES = tuple(map(sabotaged, module.STAGES))

        spec.loader.exec_module = exec_module
        return spec


def sabotaged(stage):
    if stage.name != os.environ["SOAK_STAGE"]:
        return stage

    def run(*arguments, **named):
        with open(os.environ["SOAK_REACHED"], "a") as file:
            file.write(stage.name + "\\n")
        if os.environ["SOAK_FAILURE"] == "sleep":
            time.sleep(600)
        raise getattr(builtins, os.environ["SOAK_FAILURE"])("injected")

    return dataclasses.replace(stage, run=run)


if "SOAK_STAGE" in os.environ:
    sys.meta_path.insert(0, Saboteur())
'''


def stage_names() -> list[str]:
    """Return the names of the stages in their order. Raises `LookupError` where docparse has none."""
    ask = "import json; from docparse.layout.stages import STAGES; print(json.dumps([s.name for s in STAGES]))"
    asked = subprocess.run([sys.executable, "-P", "-c", ask], check=False, capture_output=True, text=True)
    if asked.returncode:
        reason = (asked.stderr.strip().splitlines() or ["no answer"])[-1]
        raise LookupError(f"docparse has no stages to let fail: {reason}")
    return list(json.loads(asked.stdout))


def environment(room: Room, stage: str, failure: str) -> dict[str, str]:
    """Return the variables with which `stage` of a run fails: `failure` is the name of an exception, or `sleep`."""
    folder = room.folder / "inject"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SABOTAGE, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    reached = {"SOAK_REACHED": str(reached_file(room))}
    return {"PYTHONPATH": path, "SOAK_STAGE": stage, "SOAK_FAILURE": failure} | reached


def reached_file(room: Room) -> Path:
    """Return the file that is there when the stage has been reached."""
    return room.folder / "reached.txt"


def decides_what_is_read(stage: str, names: list[str]) -> bool:
    """Return whether OCR may see something else without `stage`: it reads the words, or comes before that."""
    reading = [number for number, name in enumerate(names) if any(word in name.split("-") for word in READING)]
    return bool(reading) and names.index(stage) <= max(reading)
