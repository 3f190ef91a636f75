"""Documents from pipes: a few at a time, none in the way of another, and no larger than allowed."""

import io
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from docparse.run.inputs import Input, spool
from docparse.run.inputs.spool import Spooler, chunks, open_stream

STDIN = Input(None, "stdin", Path("stdin"))


def piped(path):
    return Input(path, path.name, Path(path.name), piped=True)


def all_of(spooler, *items):
    """The documents in the order in which they come to their end."""
    done = []
    for item in items:
        spooler.add(item)
    assert spooler.waiting
    while len(done) < len(items):
        spooler.wait(10)
        while (ended := spooler.take()) is not None:
            done.append(ended)
    assert not spooler.waiting
    return done


class Broken(io.RawIOBase):
    def __init__(self, error):
        self.error = error

    def read(self, size=-1):
        raise self.error


@pytest.mark.parametrize(
    "most, room, source, problem",
    [
        (10, 100, io.BytesIO(b"x" * 11), "cannot be read: more than 10 bytes: raise --max-spool, or give a file"),
        (100, 5, io.BytesIO(b"x" * 6), "TMPDIR"),
        (100, 100, Broken(OSError(5, "no luck")), "no luck"),
        (100, 100, Broken(RuntimeError("no luck")), "no luck"),
    ],
    ids=["too large", "no room on the disk", "a system error", "another error"],
)
def test_a_document_that_cannot_be_had_says_why_and_leaves_nothing(tmp_path, monkeypatch, most, room, source, problem):
    monkeypatch.setattr(spool.shutil, "disk_usage", lambda path: SimpleNamespace(free=spool.ROOM_LEFT + room))
    (done,) = all_of(Spooler(tmp_path, most, source), STDIN)
    assert problem in done.problem
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_that_nobody_writes_to_stops_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "SILENCE", 0.2)
    monkeypatch.setattr(spool, "LISTEN_SECONDS", 0.05)
    os.mkfifo(tmp_path / "silent")
    items = piped(tmp_path / "silent"), STDIN, piped(tmp_path / "gone")
    done = {ended.item.name: ended.problem for ended in all_of(Spooler(tmp_path, 100, io.BytesIO(b"x")), *items)}
    assert done["stdin"] == ""
    assert "nothing came through the pipe" in done["silent"]
    assert done["gone"] == "cannot be read: No such file or directory"


def test_only_a_few_are_read_at_a_time_and_all_come_in_the_end(tmp_path):
    for number in range(9):
        (tmp_path / str(number)).write_bytes(b"x")
    done = all_of(Spooler(tmp_path, 100), *(piped(tmp_path / str(number)) for number in range(9)))
    assert sorted(ended.item.name for ended in done) == list("012345678")


def test_a_pipe_that_is_not_wanted_any_more_is_given_up(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    descriptor = open_stream(str(tmp_path / "pipe"))  # before there is a writer
    with pytest.raises(InterruptedError):
        list(chunks(descriptor, None, lambda: False))
    os.close(descriptor)


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: path.symlink_to("/dev/zero")])
def test_only_pipes_and_files_are_opened(tmp_path, make):
    make(tmp_path / "x")
    with pytest.raises(OSError, match="neither a file nor a pipe"):
        open_stream(str(tmp_path / "x"))
