"""What a killed run has left is cleared away by the next one; what somebody holds stays."""

import signal
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from docparse.errors import EnvironmentProblem
from docparse.run import leftovers
from docparse.run.leftovers import clear_work, temporary_folder

HOLD = """
import signal, sys, time; from pathlib import Path
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored
from docparse.run.leftovers import temporary_folder; from docparse.run.store import PageStore
with temporary_folder() as folder:
    store = PageStore(Path(sys.argv[1]))
    store.begin(keep=True)
    print(folder, flush=True)
    time.sleep(60)
"""
KEY = "0123456789abcdef01234567"


@contextmanager
def another_run(store):
    """A process that reads a document into `store`, with its temporary folder."""
    command = [sys.executable, "-c", HOLD, str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(leftovers.tempfile, "tempdir", None)
    return folder


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_folder_whose_run_was_killed_is_removed_by_the_next(tmp_path, temporary, number):
    (temporary / "docparse-run-of-somebody").mkdir()  # without a lock: nobody knows whose it is
    with another_run(tmp_path / KEY) as (process, left):
        with temporary_folder() as folder:
            assert left.is_dir() and folder.parent == temporary
        process.send_signal(number)
        process.wait()
        assert left.is_dir()
        with temporary_folder():
            assert not left.exists()
    assert [path.name for path in temporary.iterdir()] == ["docparse-run-of-somebody"]


def test_without_a_place_for_it_the_line_names_the_variable(temporary, monkeypatch):
    monkeypatch.setattr(leftovers.tempfile, "tempdir", str(temporary / "none"))
    with pytest.raises(EnvironmentProblem, match="TMPDIR"), temporary_folder():
        pass


# of a run that was killed while it wrote; the last two are of other documents
HALF = (f"{KEY}/0001.json.77.tmp", f"{KEY}/md.tmp", f"{'a' * 24}.77.gone/0001.json", f"{'b' * 24}/0001.draft")
WHOLE = f"{KEY}/0001.json"


@pytest.mark.parametrize("held", [False, True], ids=["nobody's", "of a run under way"])
def test_files_that_are_not_whole_go_unless_another_run_is_writing_them(tmp_path, held):
    def write_and_clear():
        for name in (*HALF, WHOLE):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes(b"x")
        clear_work(tmp_path)
        return {name for name in HALF if (tmp_path / name).exists()}

    with another_run(tmp_path / KEY) if held else nullcontext():
        assert write_and_clear() == (set(HALF[:2]) if held else set())
    assert (tmp_path / WHOLE).exists()
    clear_work(tmp_path / "none")  # which is no error
