"""What comes through a pipe is read to its end, or given up with a reason."""

import os

import pytest

from docparse.run.inputs import stream
from docparse.run.inputs.stream import chunks, open_stream


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    descriptor = open_stream(str(tmp_path / "pipe"))  # before there is a writer
    yield descriptor
    os.close(descriptor)


def test_a_pipe_that_nobody_writes_to_is_given_up(pipe, monkeypatch):
    monkeypatch.setattr(stream, "LISTEN_SECONDS", 0.01)
    with pytest.raises(TimeoutError, match=r"nothing came through the pipe for 0\.05 s"):
        list(chunks(pipe, 0.05))
    with pytest.raises(InterruptedError):
        list(chunks(pipe, None, lambda: False))


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), lambda path: path.symlink_to("/dev/zero")])
def test_only_pipes_and_files_are_opened(tmp_path, make):
    make(tmp_path / "x")
    with pytest.raises(OSError, match="neither a file nor a pipe"):
        open_stream(str(tmp_path / "x"))
