"""Output files are whole or not there."""

import errno
from pathlib import Path

import pytest

from docparse.errors import OutputError
from docparse.run.files import DiskFull, output_error, whole_file


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "a" / "out.md"
    with whole_file(path, tmp_path / "a" / ".tmp") as file:
        file.write("hälf\n")
        assert not path.exists()
    assert path.read_bytes() == "hälf\n".encode()
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "a", path]


def test_an_error_leaves_the_old_file_and_no_temporary_one(tmp_path):
    path = tmp_path / "out.md"
    path.write_text("old")
    with pytest.raises(RuntimeError), whole_file(path, tmp_path / ".tmp") as file:
        file.write("new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("number", "kind"), [(errno.ENOSPC, DiskFull), (errno.EACCES, OutputError)])
def test_a_failed_write_names_the_file_and_a_full_disk_is_told_apart(tmp_path, number, kind):
    with pytest.raises(OutputError, match=r"out\.md") as caught, whole_file(tmp_path / "out.md", tmp_path / ".tmp"):
        raise OSError(number, "no")
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EROFS, "cannot write: the folder is read-only; choose another -o"),
        (errno.EEXIST, "cannot write: a file of this name is in the way; choose another -o"),
        (errno.EIO, "cannot write: the reason; choose another -o"),
    ],
)
def test_only_a_full_disk_is_answered_with_advice_about_space(number, words):
    line = str(output_error(Path("out.md"), OSError(number, "the reason")))
    assert words in line
    assert ("space" in line) == (number == errno.ENOSPC)


def test_text_that_is_not_unicode_does_not_stop_the_writer(tmp_path):
    with whole_file(tmp_path / "out.md", tmp_path / ".tmp") as file:
        file.write("a\udc80b")
    assert (tmp_path / "out.md").read_text() == "a\\udc80b"
