"""Documents at URLs: one, a folder with its tree, what a glob matches; put into files only as many ahead as needed."""

from pathlib import Path

import pytest

from docparse.run.inputs import Input, resolve
from docparse.run.inputs.spool import Spooler

FILES = ("a/one.pdf", "a/deep/two.PDF", "a/deep/note.txt", "a/.hidden/three.pdf", "b/four.png")


@pytest.fixture
def shelf():
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in FILES:
        memory.pipe_file(f"/shelf/{name}", name.encode())
    yield "memory://shelf"
    memory.rm("/shelf", recursive=True)


@pytest.mark.parametrize(
    "argument, outputs",
    [
        ("", ["a/deep/two", "a/one", "b/four"]),
        ("/a/one.pdf", ["one"]),
        ("/*/*.pdf", ["a/one"]),
        ("/a/**/*.PDF", ["deep/two"]),
        ("/*", ["a/deep/two", "a/one", "b/four"]),
    ],
)
def test_a_folder_and_a_glob_keep_their_tree(shelf, argument, outputs):
    assert [str(item.output) for item in resolve([shelf + argument]).documents] == outputs


def test_what_is_no_document_is_passed_over_and_what_is_not_there_a_problem_of_its_input(shelf, tmp_path):
    assert resolve([shelf]).skipped == ["memory:///shelf/a/deep/note.txt: no PDF or image, by its suffix .txt"]
    problems = [(item.name, item.problem) for item in resolve([f"{shelf}/a/one.pdf", f"{shelf}/x*.pdf"]).documents]
    pattern = "memory://shelf/x*.pdf"
    assert problems == [("memory://shelf/a/one.pdf", ""), (pattern, "nothing matches this pattern")]
    (tmp_path / "list").write_text(f"{shelf}/b\n{shelf}/b/\n")  # a list may name one twice
    assert [str(item.output) for item in resolve([f"@{tmp_path}/list"]).documents] == ["four"]


def test_its_bytes_come_into_a_file_within_the_limit_and_only_a_few_ahead(shelf, tmp_path):
    spooler = Spooler(tmp_path, 9, at_a_time=4)
    missing = Input(Path("m"), "m", Path("m"), piped=True, url=f"{shelf}/none.pdf")
    for item in [*resolve([f"{shelf}/a/one.pdf", f"{shelf}/a/deep"]).documents, missing, missing]:
        assert not spooler.full
        spooler.add(item)
    assert spooler.full
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
