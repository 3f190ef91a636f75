"""Storage behind a URL: files are whole or not there, chance is asked again, what lasts is one line."""

import errno
import sys
from pathlib import Path

import pytest

from docparse import storage
from docparse.errors import EnvironmentProblem, UsageError
from docparse.storage import Storage, filesystem, is_url, local_path, pieces


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(storage, "PAUSES", (0.0, 0.0))


@pytest.fixture
def file(tmp_path):
    (tmp_path / "file").write_bytes(b"content")
    return tmp_path / "file"


def test_a_url_is_told_from_a_path_and_file_urls_are_paths():
    assert [text for text in ("s3://a/b", "a/b", "/a//b", "C:/a", "gs://x") if is_url(text)] == ["s3://a/b", "gs://x"]
    assert local_path("file:///a/b") == "/a/b"
    assert local_path("s3://a/b") == "s3://a/b"


@pytest.mark.parametrize("scheme", ["memory://storage-test", "local://{folder}/out"])
def test_what_is_put_there_is_listed_and_fetched(scheme, file, tmp_path):
    there = Storage(scheme.format(folder=tmp_path))
    assert there.names() == frozenset()
    there.put(file, "a/b.md")
    assert there.names() == {"a/b.md"}
    there.fetch("a/b.md", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"content"
    there.fetch("none", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    assert b"".join(pieces(f"{there.url}/a/b.md")) == b"content"


def test_what_fails_by_chance_is_tried_again(file, tmp_path, monkeypatch):
    there = Storage(f"local://{tmp_path}/out")
    put, failures = there.fs.put_file, [OSError("slow down"), RuntimeError("503")]

    def flaky(*arguments):
        if failures:
            raise failures.pop()
        put(*arguments)

    monkeypatch.setattr(there.fs, "put_file", flaky)
    there.put(file, "x.md")
    assert there.names() == {"x.md"}


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), PermissionError("Forbidden")])
def test_a_full_or_forbidden_storage_is_one_line_and_leaves_what_was_there(file, tmp_path, monkeypatch, error):
    there = Storage(f"local://{tmp_path}/out")
    there.put(file, "x.md")
    tries = []

    def half(source, target):
        tries.append(target)
        Path(target).write_bytes(b"con")
        raise error

    monkeypatch.setattr(there.fs, "put_file", half)
    file.write_bytes(b"other")
    with pytest.raises(EnvironmentProblem, match=f"cannot be written: {error.strerror or error}.*--resume"):
        there.put(file, "x.md")
    assert len(tries) == 1
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == {"x.md": b"content"}


def test_a_protocol_without_its_package_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(EnvironmentProblem, match="pip install s3fs"):
        filesystem("s3://bucket/key")
    with pytest.raises(UsageError, match="nobody"):
        filesystem("nobody://knows")


def test_offline_forbids_storage_on_a_network():
    with pytest.raises(EnvironmentProblem, match="forbids the connection to http"):
        filesystem("http://192.0.2.1/x.pdf", offline=True)
    filesystem("memory://x", offline=True)
