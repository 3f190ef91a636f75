"""Outputs at a URL: a document's files are there before its line in the journal, and the journal is kept there."""

import sys
import time
from pathlib import Path

import pytest

from docparse.errors import EnvironmentProblem, ExitCode, UsageError
from docparse.run import upload
from docparse.run.convert import convert
from docparse.run.journal import Journal
from docparse.run.outputs import JOURNAL_NAME
from docparse.settings import Settings
from docparse.storage import Storage

pytest.importorskip("fsspec")
FAST = Settings(model="pipeline", workers=1, threads=1)


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != JOURNAL_NAME
    }


def test_the_same_bytes_as_in_a_folder_and_another_run_goes_on(example_pdf, tmp_path):
    url = f"local://{tmp_path}/there"
    assert convert([str(example_pdf)], str(tmp_path / "here"), FAST).exit_code is ExitCode.OK
    first = convert([f"local://{example_pdf.parent}/paper.pdf"], url, FAST)
    assert (first.exit_code, first.documents[0].outputs) == (ExitCode.OK, (f"{url}/paper.md",))
    assert files(tmp_path / "there") == files(tmp_path / "here")
    again = convert([f"local://{example_pdf.parent}/paper.pdf"], url, FAST, resume=True)
    assert [document.resumed for document in again.documents] == [True]
    entries = list(Journal(tmp_path / "there" / JOURNAL_NAME).entries())
    assert sorted(entry.page or 0 for entry in entries) == [0, 1, 2]
    (tmp_path / "there" / "paper.md").unlink()
    once_more = convert([f"local://{example_pdf.parent}/paper.pdf"], url, FAST, resume=True)
    assert [document.resumed for document in once_more.documents] == [False]
    assert files(tmp_path / "there") == files(tmp_path / "here")


def test_only_folders_are_written_to_a_url(one_page_pdf):
    with pytest.raises(UsageError, match="name its folder"):
        convert([str(one_page_pdf)], "memory://x/y.md", FAST)


def test_a_missing_package_ends_the_run_before_it_begins(one_page_pdf, monkeypatch):
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(EnvironmentProblem, match="pip install gcsfs"):
        convert([str(one_page_pdf)], "gs://bucket/out", FAST)


def test_a_full_storage_is_one_line_exit_code_3_and_nothing_half_written(on_small_disk):
    """On a file system mounted for a child process only."""
    done = on_small_disk(
        "16k",
        '"$2" -P -m docparse convert "$3" -o "local://$1" --model pipeline --workers 1 --dpi 300; code=$?; cd "$1"; '
        "find . -type f; exit $code",
    )
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "No space left on device; run again with --resume" in done.stderr
    assert done.stdout.split() == [f"./{JOURNAL_NAME}"]


def test_the_journal_is_copied_while_the_run_goes_on_and_one_that_is_there_is_continued(tmp_path, monkeypatch):
    monkeypatch.setattr(upload, "JOURNAL_SECONDS", 0.01)
    storage, journal = Storage("memory://journal-test"), tmp_path / "outputs" / JOURNAL_NAME
    storage.fs.pipe_file(f"{storage.root}/{JOURNAL_NAME}", b"before\n")

    def there() -> bytes:
        return storage.fs.cat_file(f"{storage.root}/{JOURNAL_NAME}")

    with upload.kept_at(storage, journal):
        assert journal.read_bytes() == b"before\n"
        journal.write_bytes(b"before\nnow\n")
        until = time.monotonic() + 20
        while there() != b"before\nnow\n" and time.monotonic() < until:
            time.sleep(0.01)
        assert there() == b"before\nnow\n"
        journal.write_bytes(b"before\nnow\nlast\n")
    assert there() == b"before\nnow\nlast\n"
