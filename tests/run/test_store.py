"""The page store: a page is there completely or not at all."""

import errno
import os
import subprocess
import sys

import pytest
from blocks import page

from docparse.errors import OutputError
from docparse.run.store import PageStore


@pytest.fixture
def store(tmp_path):
    return PageStore(tmp_path / "store")


def test_a_failed_page_is_kept_but_not_finished_until_it_succeeds(store):
    for number, readable in ((page(1, failed="timeout"), set()), (page(1), {1})):
        store.put(number, {})
        assert (store.readable(), store.page(1).status) == (readable, number.status)


@pytest.mark.parametrize(
    "name, content",
    [("0001.json", b""), ("0001.json", b'{"number":1,"wid'), ("0001.json", b"\0" * 50), ("0001.json.7.tmp", b"{}")],
)
def test_a_torn_page_or_a_temporary_file_is_not_finished(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert PageStore(tmp_path).readable() == set()


@pytest.mark.parametrize("keep, expected", [(True, {1}), (False, set())])
def test_beginning_anew_forgets_and_resuming_keeps(store, keep, expected):
    store.put(page(1), {})
    store.begin(keep=keep)
    assert store.readable() == expected
    store.release()


@pytest.mark.parametrize("name", ["../x.png", "/etc/x", "a/b.png", "", ".hidden"])
def test_assets_stay_in_the_folder(store, name):
    with pytest.raises(ValueError, match="plain file name"):
        store.put(page(1), {name: b"x"})


def test_a_second_process_is_refused_until_the_first_is_done_and_removes_nothing(tmp_path, store):
    code = "import sys; from pathlib import Path; from docparse.run.store import PageStore; "
    code += "PageStore(Path(sys.argv[1])).begin(keep=True)"
    command = [sys.executable, "-c", code, str(store.folder)]
    store.begin(keep=True)
    store.put(page(1), {})
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "another docparse process" in refused.stderr
    PageStore(store.folder).remove()
    assert store.readable() == {1}
    store.release()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    store.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_or_locked_is_an_output_error_and_no_other_process(store, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        PageStore(tmp_path / "file" / "store").begin(keep=False)

    def refused(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("docparse.run.store.fcntl.flock", refused)
    with pytest.raises(OutputError, match="cannot write: No locks available"):
        store.begin(keep=True)


def test_an_interrupt_while_a_folder_is_let_go_closes_it_once(store, monkeypatch):
    store.begin(keep=False)
    close = os.close

    def interrupted(descriptor):
        close(descriptor)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.release()
    monkeypatch.undo()
    store.release()
    PageStore(store.folder).begin(keep=True)
