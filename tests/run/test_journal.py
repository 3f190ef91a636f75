"""The journal: whole lines, from any number of processes, whatever was torn before."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import OutputError
from docparse.run.journal import Journal, JournalEntry, JournalHistory


def entry(page: int | None, status: str = "ok", key: str = "k", **more: object) -> JournalEntry:
    fields = {"engine": "pipeline", "seconds": {"layout": 0.1}, "error": "", "error_category": "", "attempts": 1}
    return JournalEntry(input="a.pdf", page=page, status=status, key=key, **(fields | more))


def test_a_line_has_the_promised_fields_even_where_they_are_empty(tmp_path):
    journal = Journal(tmp_path / "deep" / "journal.jsonl")
    journal.write(entry(1, seconds={}))
    (line,) = (tmp_path / "deep" / "journal.jsonl").read_text().splitlines()
    assert {"input", "page", "status", "engine", "seconds", "error"} <= json.loads(line).keys()


@pytest.mark.parametrize("torn", [b'{"input":"a.pdf","pa', b"\xff\xfe", b'{"input": 3}\n', b"\n"])
def test_a_torn_line_is_closed_off_and_ignored(tmp_path, torn):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.write(entry(1))
    with open(tmp_path / "journal.jsonl", "ab") as file:
        file.write(torn)
    journal.write(entry(2))
    assert [item.page for item in journal.entries()] == [1, 2]


def test_processes_share_a_journal_without_mixing_lines(tmp_path):
    code = (
        "import sys; from pathlib import Path; from docparse.run.journal import JournalEntry, Journal\n"
        "for page in range(1, 201):\n"
        "    Journal(Path(sys.argv[1])).write(JournalEntry(input=sys.argv[2] * 500, page=page, status='ok', engine='',"
        " seconds={}, error='', error_category='', attempts=1, key=''))"
    )
    path = tmp_path / "journal.jsonl"
    processes = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "abc"]
    assert [process.wait() for process in processes] == [0, 0, 0]
    entries = list(Journal(path).entries())
    for name in "abc":
        assert [item.page for item in entries if item.input == name * 500] == list(range(1, 201))
    assert len(path.read_bytes().splitlines()) == 600


def test_history_knows_finished_documents_and_the_pages_of_the_others(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.write(entry(1, key="one"))
    journal.write(entry(None, key="one", output="out one"))
    journal.write(entry(1, key="two"))
    journal.write(entry(2, key="two", status="failed"))
    journal.write(entry(None, key="two", status="partial", failed_pages=(2,), output="out two"))
    journal.write(entry(None, key="three", status="partial", output="out three"))  # pages asked for that do not exist
    history = JournalHistory.read(journal)
    assert set(history.documents) == {"out one", "out three"}
    assert history.pages == {"two": {1}}


@pytest.mark.parametrize("status", ["ok", "partial", "failed"])
def test_a_document_whose_file_was_written_again_is_not_finished(tmp_path, status):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.write(entry(None, key="one", output="out one", files=("x.md", "x.html")))
    journal.write(entry(None, key="one", output="out two", files=("y.md",)))
    journal.write(entry(None, status, key="one", output="out three", files=("x.md",)))
    assert set(JournalHistory.read(journal).documents) - {"out three"} == {"out two"}


class Lines(Journal):
    """A journal of entries in memory."""

    def __init__(self, lines: list[JournalEntry]) -> None:
        super().__init__(None)
        self.lines = lines

    def entries(self) -> Iterator[JournalEntry]:
        return iter(self.lines)


def history_by_definition(journal: Journal) -> JournalHistory:
    """Every document line looks at all finished documents before it: plain, and quadratic."""
    history = JournalHistory({}, {})
    for line in journal.entries():
        if line.page is not None:
            if line.status != "failed":
                history.pages.setdefault(line.key, set()).add(line.page)
            continue
        history.documents = {k: old for k, old in history.documents.items() if not set(line.files) & set(old.files)}
        if line.status == "ok" or (line.status == "partial" and not line.failed_pages):
            history.documents[line.output] = line
            history.pages.pop(line.key, None)
    return history


@given(
    st.lists(
        st.builds(
            entry,
            page=st.none() | st.integers(1, 2),
            status=st.sampled_from(["ok", "ok", "partial", "failed"]),
            key=st.sampled_from("kl"),
            output=st.sampled_from("abcd"),
            files=st.lists(st.sampled_from("wxyz"), max_size=3).map(tuple),
            failed_pages=st.sampled_from([(), (2,)]),
        ),
        max_size=12,
    )
)
def test_history_is_what_reading_every_document_again_for_every_line_gives(lines):
    assert JournalHistory.read(Lines(lines)) == history_by_definition(Lines(lines))


def test_a_journal_that_cannot_be_written_is_an_output_error(tmp_path):
    (tmp_path / "journal.jsonl").mkdir()
    with pytest.raises(OutputError, match=r"journal\.jsonl"):
        Journal(tmp_path / "journal.jsonl").write(entry(1))


def test_a_short_write_is_continued(tmp_path, monkeypatch):
    journal, write = Journal(tmp_path / "journal.jsonl"), os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
        journal.write(entry(1))
    assert list(journal.entries()) == [entry(1)]
