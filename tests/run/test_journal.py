"""The journal: whole lines, from any number of processes, whatever was torn before."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import OutputError
from docparse.run.journal import Journal, JournalEntry, JournalHistory


def entry(page, status="ok", key="k", **more):
    fields = {"engine": "pipeline", "seconds": {"layout": 0.1}, "error": "", "error_category": "", "attempts": 1}
    return JournalEntry(input="a.pdf", page=page, status=status, key=key, **(fields | more))


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "deep" / "journal.jsonl")


def test_a_line_has_the_promised_fields_even_where_they_are_empty(journal):
    journal.write(entry(1, seconds={}))
    (line,) = journal.path.read_text().splitlines()
    assert {"input", "page", "status", "engine", "seconds", "error"} <= json.loads(line).keys()


@pytest.mark.parametrize("torn", [b'{"input":"a.pdf","pa', b"\xff\xfe", b'{"input": 3}\n', b"\n"])
def test_a_torn_line_is_closed_off_and_ignored(journal, torn):
    journal.write(entry(1))
    with open(journal.path, "ab") as end:
        end.write(torn)
    journal.write(entry(2))
    assert [item.page for item in journal.entries()] == [1, 2]


def test_processes_share_a_journal_without_mixing_lines(journal):
    code = (
        "import sys; from pathlib import Path; from docparse.run.journal import JournalEntry, Journal\n"
        "for page in range(1, 201):\n"
        "    Journal(Path(sys.argv[1])).write(JournalEntry(input=sys.argv[2] * 500, page=page, status='ok', engine='',"
        " seconds={}, error='', error_category='', attempts=1, key=''))"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, str(journal.path), name]) for name in "abc"]
    assert [process.wait() for process in processes] == [0, 0, 0]
    entries = list(journal.entries())
    for name in "abc":
        assert [item.page for item in entries if item.input == name * 500] == list(range(1, 201))
    assert len(journal.path.read_bytes().splitlines()) == 600


OK, CUT = entry(None, output="out", files=("x.md", "x.html")), {"status": "partial", "output": "out"}
HISTORIES = {  # lines, the outputs that are finished, and the pages that need not be read again
    "a finished document": ([entry(1), OK], {"out"}, {}),
    "an unfinished document": ([entry(1), entry(2, "partial"), entry(3, "failed")], set(), {"k": {1, 2}}),
    "a document with a failed page": ([entry(1), entry(None, failed_pages=(2,), **CUT)], set(), {"k": {1}}),
    "pages that do not exist": ([entry(1), entry(None, **CUT)], {"out"}, {}),
    "a failed document": ([entry(None, "failed", output="out")], set(), {}),
    "two documents": ([OK, entry(None, key="l", output="out2", files=("y.md",))], {"out", "out2"}, {}),
    "a file that another document wrote again": (
        [OK, entry(None, key="l", output="out2", files=("x.md",))], {"out2"}, {}),
    "a file that a failed document wrote again": (
        [OK, entry(None, "failed", key="l", output="out2", files=("x.md",))], set(), {}),
    "a document that failed when it was made again": (
        [OK, entry(None, "failed", output="out", files=("x.md", "x.html"))], set(), {}),
    "a document that was made again after another": (
        [OK, entry(None, key="l", output="out2", files=("x.md",)), OK], {"out"}, {}),
    "a document of which an output failed": ([entry(1), entry(None, unwritten=("html",), **CUT)], set(), {"k": {1}}),
    "a document that is read again": ([OK, entry(1)], {"out"}, {"k": {1}}),
}  # fmt: skip


@pytest.mark.parametrize("lines, documents, pages", HISTORIES.values(), ids=HISTORIES)
def test_history_knows_finished_documents_and_the_pages_of_the_others(journal, lines, documents, pages):
    for line in lines:
        journal.write(line)
    history = JournalHistory.read(journal)
    assert (set(history.documents), history.pages) == (documents, pages)


LINES = st.builds(
    entry,
    page=st.none() | st.integers(1, 2),
    status=st.sampled_from(["ok", "ok", "partial", "failed"]),
    key=st.sampled_from("kl"),
    output=st.sampled_from("abcd"),
    files=st.lists(st.sampled_from("wxyz"), max_size=3).map(tuple),
    failed_pages=st.sampled_from([(), (2,)]),
)


@given(st.lists(LINES, max_size=12))
def test_no_file_is_of_two_finished_documents_and_the_last_that_wrote_it_has_it(lines):
    class Lines(Journal):
        def entries(self):
            return iter(lines)

    documents = JournalHistory.read(Lines(None)).documents
    for name in "wxyz":
        owners = [line for line in documents.values() if name in line.files]
        writers = [line for line in lines if line.page is None and name in line.files]
        assert len(owners) <= 1 and owners == writers[-1:] * len(owners)


def test_a_short_write_is_continued_and_one_that_fails_is_an_output_error(journal, monkeypatch):
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
        journal.write(entry(1))
    assert list(journal.entries()) == [entry(1)]
    journal.path.unlink()
    journal.path.mkdir()
    with pytest.raises(OutputError, match=r"journal\.jsonl"):
        journal.write(entry(1))
