"""Inputs that the system refuses or runs in circles with: each is its own failure."""

import errno
import os
import socket
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from docparse.errors import UsageError
from docparse.run.inputs import resolve, spool

REALLY = os.stat


def problems(*arguments):
    return {item.name: item.problem for item in resolve(arguments).documents}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, with good.pdf."""
    monkeypatch.chdir(tmp_path)
    Path("good.pdf").write_bytes(b"x")
    return tmp_path


@pytest.mark.parametrize(
    "name, words",
    [
        ("nul\0byte.pdf", "no file can have this name"),
        ("x" * 300 + ".pdf", "name too long"),
        ("x/" * 3000, "name too long"),
        ("loop.pdf", "symbolic links"),
        ("nowhere.pdf", "no such file"),
        ("good.pdf/x.pdf", "no such file"),
        ("\0*.pdf", "no file can have this name"),
    ],
)
def test_a_name_that_leads_nowhere_costs_only_itself(here, name, words):
    Path("loop.pdf").symlink_to("loop.pdf")
    Path("nowhere.pdf").symlink_to("none")
    Path("list.txt").write_text(f"{name}\ngood.pdf\n")
    (bad, problem), good = problems("@list.txt").items()
    assert words in problem
    assert bad.isprintable()
    assert good == ("good.pdf", "")


def test_what_is_no_file_is_refused_and_a_pipe_is_not_opened(here):
    os.mkfifo("pipe.pdf")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.pdf")
        documents = resolve(["good.pdf", "pipe.pdf", "socket.pdf", "/dev/zero"]).documents
    refused = ("is a socket, not a document", False), ("is a device, not a document", False)
    assert [(item.problem, item.piped) for item in documents] == [("", False), ("", True), *refused]
    assert [item.name for item in resolve(["."]).documents] == ["good.pdf"]


@pytest.mark.parametrize("error", [errno.EIO, errno.ESTALE, errno.EACCES])
def test_links_that_cannot_be_followed_are_failures_and_the_folder_goes_on(here, monkeypatch, error):
    for name in ("a.pdf", "folder", "notes.txt"):
        Path(name).symlink_to("elsewhere")

    def stat(path, *more, **options):
        if str(path).endswith(("a.pdf", "folder", "notes.txt")):
            raise OSError(error, os.strerror(error))
        return REALLY(path, *more, **options)

    monkeypatch.setattr(os, "stat", stat)
    failure = f"cannot be read: {os.strerror(error)}"
    assert problems(str(here)) == {f"{here}/a.pdf": failure, f"{here}/folder": failure, f"{here}/good.pdf": ""}


@contextmanager
def folder_of_nobody():
    """A folder, without the rights of root where this process has them."""
    root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as top:
        os.chmod(top, 0o777)
        if root:
            os.seteuid(65534)
        try:
            Path(top, "mine").mkdir()
            yield Path(top, "mine")
        finally:
            if root:
                os.seteuid(0)


@pytest.mark.parametrize("mode", [0o400, 0o100, 0o000])
def test_a_folder_that_may_not_be_listed_or_searched_stops_nothing(mode):
    with folder_of_nobody() as folder:
        (folder / "shut" / "deep").mkdir(parents=True)
        for name in ("shut/a.pdf", "shut/deep/b.pdf", "good.pdf"):
            (folder / name).write_bytes(b"x")
        (folder / "shut").chmod(mode)
        try:
            found = problems(str(folder))
            for arguments in ([f"{folder}/shut/a.pdf"], [f"{folder}/**/*.pdf"], [f"{folder}/shut/*/"]):
                resolve(arguments)
        finally:
            (folder / "shut").chmod(0o700)
    assert found.pop(f"{folder}/good.pdf") == ""
    expected = {"shut/a.pdf", "shut/deep"} if mode == 0o400 else {"shut"}
    assert {str(Path(name).relative_to(folder)) for name in found} == expected


def test_a_list_that_nobody_writes_or_without_end_is_no_list_and_one_may_come_through_a_pipe(here, monkeypatch):
    module = sys.modules["docparse.run.inputs.resolve"]
    os.mkfifo("list")
    writer = threading.Thread(target=Path("list").write_text, args=("good.pdf\n",))
    writer.start()
    assert problems("@list") == {"good.pdf": ""}
    writer.join()
    monkeypatch.setattr(module, "SILENCE", 0.05)
    monkeypatch.setattr(spool, "LISTEN_SECONDS", 0.01)
    with pytest.raises(UsageError, match="list: cannot read the list of inputs: nothing came"):
        resolve(["@list"])
    monkeypatch.setattr(module, "MAX_LIST_BYTES", 1000)
    Path("long").write_text("good.pdf\n" * 200)
    for name in ("long", "/dev/zero"):
        with pytest.raises(UsageError, match=f"{name}: cannot read the list of inputs"):
            resolve([f"@{name}"])
