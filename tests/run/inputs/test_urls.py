"""Documents at URLs: one, a folder with its tree, what a glob matches; put into files only as many ahead as needed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docparse.run.inputs import Input, resolve
from docparse.run.inputs.spool import Spooler

FILES = ("a/one.pdf", "a/deep/two.PDF", "a/deep/note.txt", "a/.hidden/three.pdf", "b/four.png")


@pytest.fixture
def shelf() -> Iterator[str]:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in FILES:
        memory.pipe_file(f"/shelf/{name}", name.encode())
    yield "memory://shelf"
    memory.rm("/shelf", recursive=True)


def outputs(argument: str) -> list[str]:
    return [str(item.output) for item in resolve([argument]).documents]


def test_one_document(shelf):
    (item,) = resolve([f"{shelf}/a/one.pdf"]).documents
    assert (item.name, item.output, item.problem) == ("memory://shelf/a/one.pdf", Path("one"), "")


def test_a_folder_keeps_its_tree_and_passes_over_what_is_no_document(shelf):
    inputs = resolve([shelf])
    assert [str(item.output) for item in inputs.documents] == ["a/deep/two", "a/one", "b/four"]
    assert inputs.skipped == ["memory:///shelf/a/deep/note.txt: no PDF or image, by its suffix .txt"]


def test_a_glob_keeps_the_tree_below_its_fixed_part(shelf):
    assert outputs(f"{shelf}/*/*.pdf") == ["a/one"]
    assert outputs(f"{shelf}/a/**/*.PDF") == ["deep/two"]
    assert outputs(f"{shelf}/*") == ["a/deep/two", "a/one", "b/four"]


def test_what_is_not_there_is_a_problem_of_that_input(shelf):
    (item,) = resolve([f"{shelf}/x*.pdf"]).documents
    assert item.problem == "nothing matches this pattern"


def test_a_list_may_name_urls_and_a_document_named_twice_is_one(shelf, tmp_path):
    (tmp_path / "list").write_text(f"{shelf}/b\n{shelf}/b/\n")
    assert [str(item.output) for item in resolve([f"@{tmp_path}/list"]).documents] == ["four"]


def test_its_bytes_come_into_a_file_within_the_limit(shelf, tmp_path):
    spooler = Spooler(tmp_path, 9, at_a_time=4)
    missing = Input(Path("m"), "m", Path("m"), piped=True, url=f"{shelf}/none.pdf")
    for item in [*resolve([f"{shelf}/a/one.pdf", f"{shelf}/a/deep"]).documents, missing]:
        spooler.add(item)
    ended = {}
    while spooler.waiting:
        spooler.wait(10)
        while spool := spooler.take():
            ended[spool.item.path.name] = spool.path.read_bytes() if not spool.problem else spool.problem
    assert ended == {
        "one.pdf": b"a/one.pdf",
        "two.PDF": "cannot be read: more than 9 bytes: raise --max-spool, or give a file",
        "m": "cannot be read: no such file",
    }


def test_only_as_many_as_needed_are_fetched_ahead(tmp_path):
    spooler = Spooler(tmp_path, 9, at_a_time=4)
    item = Input(Path("m"), "m", Path("m"), piped=True, url="memory://none")
    for _ in range(4):
        assert not spooler.full
        spooler.add(item)
    assert spooler.full
