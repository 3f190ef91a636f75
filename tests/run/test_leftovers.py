"""What a killed run has left is cleared away by the next one; what somebody holds stays."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from docparse.errors import EnvironmentProblem
from docparse.run import leftovers
from docparse.run.leftovers import clear_outputs, temporary_folder
from docparse.run.store import PageStore

HOLD = (
    "import sys, time; from pathlib import Path\n"
    "from docparse.run.leftovers import temporary_folder; from docparse.run.store import PageStore\n"
    "with temporary_folder() as folder:\n"
    "    store = PageStore(Path(sys.argv[1]))\n"
    "    store.begin(keep=True)\n"
    "    print(folder, flush=True)\n"
    "    time.sleep(60)\n"
)
KEY = "0123456789abcdef01234567"


@contextmanager
def another_run(store: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process that reads a document into `store`, with its temporary folder."""
    command = [sys.executable, "-c", HOLD, str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(leftovers.tempfile, "tempdir", None)
    return folder


def test_a_folder_goes_with_its_run(temporary):
    with temporary_folder() as folder:
        assert folder.parent == temporary
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_folder_whose_run_was_killed_is_removed_by_the_next(tmp_path, temporary, number):
    (temporary / "docparse-run-of-somebody").mkdir()  # without a lock: nobody knows whose it is
    with another_run(tmp_path / KEY) as (process, left):
        with temporary_folder():
            assert left.is_dir()
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


def half_written(out: Path) -> list[Path]:
    """Files of a run that was killed while it wrote."""
    left = [
        out / ".docparse" / KEY / "0001.json.77.tmp",
        out / ".docparse" / f"{'a' * 24}.77.gone" / "0001.json",
        out / "deep" / f".docparse-{KEY[:12]}.md",
        out / "deep" / f".docparse-{KEY[:12]}",
        out / "deep" / "x_images" / f".docparse-{KEY[:12]}-page-0001-figure-1.png",
        out / "deep" / f".docparse-{'b' * 12}.md",
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return left


def test_files_that_are_not_whole_go_and_finished_pages_stay(tmp_path):
    left = half_written(tmp_path)
    kept = [
        tmp_path / ".docparse" / KEY / "0001.json",
        tmp_path / "deep" / ".docparse-notes",
        tmp_path / "deep" / "x.md",
    ]
    for path in kept:
        path.write_bytes(b"x")
    clear_outputs(tmp_path / ".docparse", [tmp_path / "deep", tmp_path / "none"])
    assert [path for path in left if path.exists()] == []
    assert all(path.exists() for path in kept)


def test_what_another_run_is_writing_stays(tmp_path):
    left = half_written(tmp_path)
    with another_run(tmp_path / ".docparse" / KEY):
        for path in left:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"x")
        clear_outputs(tmp_path / ".docparse", [tmp_path / "deep"])
        assert [path for path in left if not path.exists()] == [left[1], left[5]]


def test_looking_whether_a_store_is_held_refuses_nobody(tmp_path):
    store = PageStore(tmp_path / KEY)
    assert not store.held()
    store.begin(keep=True)
    assert PageStore(tmp_path / KEY).held()
    store.release()
    assert not PageStore(tmp_path / KEY).held()
    assert os.listdir(tmp_path / KEY) == ["lock"]
