"""What a killed run has left is cleared away by the next one; what somebody holds stays."""

import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from docparse.errors import EnvironmentProblem
from docparse.run import leftovers
from docparse.run.leftovers import clear_outputs, temporary_folder

HOLD = """
import sys, time; from pathlib import Path
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


# of a run that was killed while it wrote; the second and the last are of other documents
HALF = (f".docparse/{KEY}/0001.json.77.tmp", f".docparse/{'a' * 24}.77.gone/0001.json", f"deep/.docparse-{KEY[:12]}.md",
        f"deep/.docparse-{KEY[:12]}", f"deep/x_images/.docparse-{KEY[:12]}-page-0001-figure-1.png",
        f"deep/.docparse-{'b' * 12}.md")  # fmt: skip
WHOLE = (f".docparse/{KEY}/0001.json", "deep/.docparse-notes", "deep/x.md")


def write(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")


@pytest.mark.parametrize("held", [False, True], ids=["nobody's", "of a run under way"])
def test_files_that_are_not_whole_go_unless_another_run_is_writing_them(tmp_path, held):
    out = tmp_path / "out"
    write(out, (*HALF, *WHOLE))
    if held:
        with another_run(out / ".docparse" / KEY):
            write(out, (*HALF, *WHOLE))
            clear_outputs(out / ".docparse", [out / "deep"])
            left = {name for name in HALF if (out / name).exists()}
    else:
        clear_outputs(out / ".docparse", [out / "deep", out / "none"])
        left = {name for name in HALF if (out / name).exists()}
    assert left == ({name for i, name in enumerate(HALF) if i not in (1, 5)} if held else set())
    assert all((out / name).exists() for name in WHOLE)
