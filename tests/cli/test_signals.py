"""Signals end a run with exit code 130, and nothing is in their way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

FAST = ("--layout-engine", "none", "--model", "pipeline", "--workers", "1")
CLEANING = (
    "import sys, time; from docparse.cli import end_on_signals\n"
    "end_on_signals()\n"
    "try:\n"
    "    print('ready', flush=True); time.sleep(60)\n"
    "except KeyboardInterrupt:\n"
    "    print('cleaning', flush=True); time.sleep(60)\n"
)


def by_default(*numbers: int) -> Callable[[], None]:
    """As a shell starts a command; a suite that runs in the background ignores SIGINT."""
    return lambda: [signal.signal(number, signal.SIG_DFL) for number in numbers] and None


def wait_for_a_page(folder: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while not list(folder.glob(".docparse/*/0001.json")):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_hang_up_keeps_what_is_finished(start, tmp_path, numbered_pdf):
    command = ("convert", numbered_pdf(150), "-o", tmp_path, *FAST)
    process = start(*command, stderr=subprocess.PIPE, preexec_fn=by_default(signal.SIGHUP))
    wait_for_a_page(tmp_path, process)
    process.send_signal(signal.SIGHUP)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.startswith(b"docparse: interrupted, 0 of 1 converted; finished pages are kept")
    assert list(tmp_path.glob(".docparse/*/0001.json"))


def test_under_nohup_a_hang_up_does_nothing(start, tmp_path, numbered_pdf):
    command = ("convert", numbered_pdf(30), "-o", tmp_path, *FAST)
    process = start(*command, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for_a_page(tmp_path, process)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_second_signal_while_cleaning_up_ends_the_process(number):
    process = subprocess.Popen(
        [sys.executable, "-c", CLEANING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=by_default(number, signal.SIGTERM),  # noqa: PLW1509 - this process has no threads
    )
    assert process.stdout.readline() == b"ready\n"
    os.kill(process.pid, number)
    assert process.stdout.readline() == b"cleaning\n"
    os.kill(process.pid, signal.SIGTERM)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"docparse: interrupted\n")
