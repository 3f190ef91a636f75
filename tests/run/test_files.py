"""Output files are whole or not there."""

import errno

import pytest

from docparse.errors import OutputError
from docparse.run.files import DiskFull, whole_file


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "a" / "out.md"
    with whole_file(path, tmp_path / "a" / ".tmp") as file:
        file.write("hälf a\udc80b\n")  # what is not Unicode does not stop the writer
        assert not path.exists()
    assert path.read_bytes() == "hälf a\\udc80b\n".encode()
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "a", path]


@pytest.mark.parametrize("on_disk", [True, False])
def test_the_content_is_on_the_disk_before_the_name(tmp_path, monkeypatch, on_disk):
    done = []
    monkeypatch.setattr("os.fsync", lambda _: done.append((tmp_path / "out.md").exists()))
    with whole_file(tmp_path / "out.md", tmp_path / ".tmp", on_disk=on_disk) as file:
        file.write("text")
    assert done == [False] * on_disk


def test_an_error_leaves_the_old_file_and_no_temporary_one(tmp_path):
    path = tmp_path / "out.md"
    path.write_text("old")
    with pytest.raises(RuntimeError), whole_file(path, tmp_path / ".tmp") as file:
        file.write("new")
        raise RuntimeError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "number, kind, words",
    [
        (errno.ENOSPC, DiskFull, "free some space"),
        (errno.EROFS, DiskFull, "cannot write: the folder is read-only; choose another place"),
        (errno.EEXIST, OutputError, "cannot write: a file of this name is in the way; choose another place"),
        (errno.EIO, OutputError, "cannot write: the reason; choose another place"),
    ],
)
def test_a_failed_write_names_the_file_and_only_a_full_disk_is_answered_with_space(tmp_path, number, kind, words):
    with pytest.raises(OutputError, match=r"out\.md") as caught, whole_file(tmp_path / "out.md", tmp_path / ".tmp"):
        raise OSError(number, "the reason")
    line = str(caught.value)
    assert type(caught.value) is kind and words in line
    assert ("space" in line) == (number == errno.ENOSPC)
