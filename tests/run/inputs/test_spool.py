"""Documents from pipes: a few at a time, none in the way of another, and no larger than allowed."""

import io
import os
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from docparse.run.inputs import Input, spool, stream
from docparse.run.inputs.spool import Spool, Spooler


def piped(path: Path) -> Input:
    return Input(path, path.name, Path(path.name), piped=True)


STDIN = Input(None, "stdin", Path("stdin"))


def all_of(spooler: Spooler, count: int) -> list[Spool]:
    """The documents in the order in which they come to their end."""
    done: list[Spool] = []
    while len(done) < count:
        spooler.wait(10)
        while (ended := spooler.take()) is not None:
            done.append(ended)
    return done


def test_a_document_is_put_into_a_file(tmp_path):
    spooler = Spooler(tmp_path, 100, io.BytesIO(b"some bytes"))
    spooler.add(STDIN)
    assert spooler.waiting
    (done,) = all_of(spooler, 1)
    assert (done.item, done.problem, done.path.read_bytes()) == (STDIN, "", b"some bytes")
    assert not spooler.waiting


def test_a_document_that_is_too_large_leaves_nothing(tmp_path):
    spooler = Spooler(tmp_path, 10, io.BytesIO(b"x" * 11))
    spooler.add(STDIN)
    (done,) = all_of(spooler, 1)
    assert done.problem == "cannot be read: more than 10 bytes: raise --max-spool, or give a file"
    assert list(tmp_path.iterdir()) == []


def test_room_is_left_on_the_disk(tmp_path, monkeypatch):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(spool.shutil, "disk_usage", lambda path: usage(spool.ROOM_LEFT + 5))
    spooler = Spooler(tmp_path, 2**40, io.BytesIO(b"x" * 6))
    spooler.add(STDIN)
    (done,) = all_of(spooler, 1)
    assert "TMPDIR" in done.problem


def test_a_pipe_that_nobody_writes_to_stops_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "SILENCE", 0.2)
    monkeypatch.setattr(stream, "LISTEN_SECONDS", 0.05)
    os.mkfifo(tmp_path / "silent")
    spooler = Spooler(tmp_path, 100, io.BytesIO(b"x"))
    for item in (piped(tmp_path / "silent"), STDIN, piped(tmp_path / "gone")):
        spooler.add(item)
    done = {ended.item.name: ended.problem for ended in all_of(spooler, 3)}
    assert done["stdin"] == ""
    assert "nothing came through the pipe" in done["silent"]
    assert done["gone"] == "cannot be read: No such file or directory"


def test_only_a_few_are_read_at_a_time_and_all_come_in_the_end(tmp_path):
    spooler = Spooler(tmp_path, 100)
    for number in range(9):
        (tmp_path / str(number)).write_bytes(b"x")
        spooler.add(piped(tmp_path / str(number)))
    assert sorted(ended.item.name for ended in all_of(spooler, 9)) == list("012345678")


@pytest.mark.parametrize("error", [OSError(5, "no luck"), RuntimeError("no luck")])
def test_whatever_a_stream_raises_is_that_documents_problem(tmp_path, error):
    class Broken(io.RawIOBase):
        read: Callable[..., bytes]

        def read(self, size: int = -1) -> bytes:
            raise error

    spooler = Spooler(tmp_path, 100, Broken())
    spooler.add(STDIN)
    (done,) = all_of(spooler, 1)
    assert "no luck" in done.problem
