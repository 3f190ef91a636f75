"""What comes through a pipe is read to its end, or given up with a reason."""

import os

import pytest

from docparse.run.inputs.stream import chunks, open_stream


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
