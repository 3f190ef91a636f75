"""Outputs at a URL: a document's files are there before its line in the journal, and the journal is kept there."""

import sys
import time

import pytest
from run_outputs import contents

from docparse.errors import EnvironmentProblem, ExitCode, UsageError
from docparse.run import upload
from docparse.run.convert import convert
from docparse.run.journal import Journal
from docparse.run.outputs import JOURNAL_NAME
from docparse.settings import Settings
from docparse.storage import Storage

pytest.importorskip("fsspec")
FAST = Settings(model="pipeline", workers=1, threads=1)


def test_the_same_bytes_as_in_a_folder_and_another_run_goes_on(example_pdf, tmp_path):
    source, url = f"local://{example_pdf.parent}/paper.pdf", f"local://{tmp_path}/there"
    assert convert([str(example_pdf)], str(tmp_path / "here"), FAST).exit_code is ExitCode.OK
    first = convert([source], url, FAST)
    assert (first.exit_code, first.documents[0].outputs) == (ExitCode.OK, (f"{url}/paper.md",))
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert [document.resumed for document in convert([source], url, FAST, resume=True).documents] == [True]
    entries = list(Journal(tmp_path / "there" / JOURNAL_NAME).entries())
    assert sorted(entry.page or 0 for entry in entries) == [0, 1, 2]
    (tmp_path / "there" / "paper.md").unlink()
    assert [document.resumed for document in convert([source], url, FAST, resume=True).documents] == [False]
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_what_cannot_be_an_output_ends_the_run_before_it_begins(one_page_pdf, monkeypatch):
    with pytest.raises(UsageError, match="give its folder"):
        convert([str(one_page_pdf)], "memory://x/y.md", FAST)
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(EnvironmentProblem, match="pip install gcsfs"):
        convert([str(one_page_pdf)], "gs://bucket/out", FAST)


def test_a_full_storage_is_one_line_exit_code_3_and_nothing_half_written(on_small_disk):
    """On a file system mounted for a child process only."""
    command = '"$2" -P -m docparse convert "$3" -o "local://$1" --model pipeline --workers 1 --dpi 300; code=$?; '
    done = on_small_disk("16k", command + 'cd "$1"; find . -type f; exit $code')
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "No space left on device; run again with --resume" in done.stderr
    assert done.stdout.split() == [f"./{JOURNAL_NAME}"]


def test_the_journal_is_copied_while_the_run_goes_on_and_one_that_is_there_is_continued(tmp_path, monkeypatch):
    monkeypatch.setattr(upload, "JOURNAL_SECONDS", 0.01)
    storage, journal = Storage("memory://journal-test"), tmp_path / "outputs" / JOURNAL_NAME
    place = f"{storage.root}/{JOURNAL_NAME}"
    storage.fs.pipe_file(place, b"before\n")
    with upload.kept_at(storage, journal):
        assert journal.read_bytes() == b"before\n"
        journal.write_bytes(b"before\nnow\n")
        until = time.monotonic() + 20
        while storage.fs.cat_file(place) != b"before\nnow\n" and time.monotonic() < until:
            time.sleep(0.01)
        assert storage.fs.cat_file(place) == b"before\nnow\n"
        journal.write_bytes(b"before\nnow\nlast\n")
    assert storage.fs.cat_file(place) == b"before\nnow\nlast\n"
