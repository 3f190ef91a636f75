"""Signals end a run with exit code 130, and nothing is in their way."""

import os
import signal
import subprocess
import sys
import time

import pytest

FAST = ("--layout-engine", "none", "--model", "pipeline", "--workers", "1")
CLEANING = """
import sys, time; from docparse.cli import end_on_signals
end_on_signals()
try:
    print('ready', flush=True); time.sleep(60)
except KeyboardInterrupt:
    print('cleaning', flush=True); time.sleep(60)
"""


def handled(number, how=signal.SIG_DFL):
    """As a shell starts a command; a suite that runs in the background ignores SIGINT."""
    return lambda: signal.signal(number, how) and None


IMPORTING = """
import os, signal, sys
class Signals:
    def find_spec(self, name, path, target=None):
        if name == 'docparse.cli.app':
            os.kill(os.getpid(), signal.SIGTERM)
sys.meta_path.insert(0, Signals())
from docparse.cli import main
sys.exit(main())
"""


def test_a_signal_while_the_command_is_being_loaded_is_no_traceback():
    done = subprocess.run([sys.executable, "-c", IMPORTING, "--version"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"docparse: interrupted\n")


@pytest.mark.parametrize("nohup", [False, True])
def test_a_hang_up_keeps_what_is_finished_and_under_nohup_does_nothing(start, tmp_path, numbered_pdf, nohup):
    command = ("convert", numbered_pdf(6), "-o", tmp_path, *FAST)
    how = handled(signal.SIGHUP, signal.SIG_IGN if nohup else signal.SIG_DFL)
    env = {"HANG_FROM": "3", "HANG_UNTIL": str(tmp_path / "go")}
    process = start(*command, stderr=subprocess.PIPE, preexec_fn=how, env=env, watched=True)
    until = time.monotonic() + 60
    while not list(tmp_path.glob(".docparse/*/0001.json")):
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.005)
    process.send_signal(signal.SIGHUP)
    if nohup:
        (tmp_path / "go").touch()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (0 if nohup else 130)
    if not nohup:
        assert errors.startswith(b"docparse: interrupted, 0 of 1 converted; finished pages are kept")
        assert list(tmp_path.glob(".docparse/*/0001.json"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_second_signal_while_cleaning_up_ends_the_process(number):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": handled(number)}
    process = subprocess.Popen([sys.executable, "-c", CLEANING], **pipes)
    assert process.stdout.readline() == b"ready\n"
    os.kill(process.pid, number)
    assert process.stdout.readline() == b"cleaning\n"
    os.kill(process.pid, signal.SIGTERM)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"docparse: interrupted\n")
