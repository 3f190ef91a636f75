"""The page store: a page is there completely or not at all."""

import os
import subprocess
import sys

import pytest

from docparse.errors import OutputError
from docparse.run.store import PageStore
from docparse.types import Page


def a_page(number: int, **more: object) -> Page:
    return Page(number=number, width=100, height=200, **more)


def test_what_is_put_comes_back(tmp_path):
    store = PageStore(tmp_path / "new")
    store.begin(keep=False)
    store.put(a_page(3, seconds={"layout": 0.5}), {"page-0003-figure-1.png": b"png"})
    assert store.readable() == {3}
    assert store.page(3) == a_page(3, seconds={"layout": 0.5})
    assert store.asset("page-0003-figure-1.png") == b"png"


def test_a_failed_page_is_kept_but_not_finished_until_it_succeeds(tmp_path):
    store = PageStore(tmp_path)
    store.put(a_page(1, status="failed", error="x", error_category="timeout"), {})
    assert store.readable() == set()
    assert store.page(1).status == "failed"
    store.put(a_page(1), {})
    assert store.readable() == {1}
    assert store.page(1).status == "ok"


@pytest.mark.parametrize("content", [b"", b'{"number":1,"wid', b"\0" * 50])
def test_a_torn_page_is_not_finished(tmp_path, content):
    (tmp_path / "0001.json").write_bytes(content)
    assert PageStore(tmp_path).readable() == set()


def test_a_temporary_file_is_not_a_page(tmp_path):
    (tmp_path / "0001.json.123.tmp").write_bytes(b"{}")
    assert PageStore(tmp_path).readable() == set()


def test_beginning_anew_forgets_and_resuming_keeps(tmp_path):
    for keep, expected in ((True, {1}), (False, set())):
        store = PageStore(tmp_path)
        store.put(a_page(1), {})
        store.begin(keep=keep)
        assert store.readable() == expected
        store.release()


def test_pages_past_9999_are_found(tmp_path):
    store = PageStore(tmp_path)
    store.put(a_page(12345), {})
    assert store.readable() == {12345}


@pytest.mark.parametrize("name", ["../x.png", "/etc/x", "a/b.png", "", ".hidden"])
def test_assets_stay_in_the_folder(tmp_path, name):
    with pytest.raises(ValueError, match="plain file name"):
        PageStore(tmp_path / "store").put(a_page(1), {name: b"x"})


def test_a_second_process_is_refused_until_the_first_is_done(tmp_path):
    code = (
        "import sys; from pathlib import Path; from docparse.run.store import PageStore; "
        "PageStore(Path(sys.argv[1])).begin(keep=True)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "store")]
    store = PageStore(tmp_path / "store")
    store.begin(keep=True)
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "another docparse process" in refused.stderr
    store.remove()
    assert not (tmp_path / "store").exists()
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_what_another_process_reads_into_is_not_removed(tmp_path):
    owner = PageStore(tmp_path / "store")
    owner.begin(keep=True)
    owner.put(a_page(1), {})
    PageStore(tmp_path / "store").remove()
    assert owner.readable() == {1}
    owner.release()
    PageStore(tmp_path / "store").remove()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_an_output_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file"):
        PageStore(tmp_path / "file" / "store").begin(keep=False)


def test_an_interrupt_while_a_folder_is_let_go_closes_it_once(tmp_path, monkeypatch):
    store = PageStore(tmp_path / "store")
    store.begin(keep=False)
    close = os.close

    def interrupted(descriptor: int) -> None:
        close(descriptor)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.release()
    monkeypatch.undo()
    store.release()
    assert not store.held()
