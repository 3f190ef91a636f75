"""Inputs: which documents an argument names and where their output belongs."""

import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.errors import UsageError
from docparse.run.inputs import display_name, resolve


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """in/{a.pdf, b/{c.PDF, d.png, notes.txt}, .hidden.pdf, .git/x.pdf}, current folder above it."""
    add("a.pdf", "b/c.PDF", "b/d.png", "b/notes.txt", ".hidden.pdf", ".git/x.pdf", under=tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(*names, under=Path()):
    for path in (under / "in" / name for name in names):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def outputs(*arguments, **more):
    return [str(item.output) for item in resolve(arguments, **more).documents]


OURS = ["out/a_images/scan.png", "a_images/page-0001-figure-1.png", "a.layout.pdf"]
ARGUMENTS = {  # further files, arguments, and where the outputs belong
    "a folder keeps its tree": ([], ["in"], ["a", "b/c", "b/d"]),
    "a glob keeps the tree below its fixed part": ([], ["in/**/*.p*"], ["a", "b/d"]),
    "a glob in a folder": ([], ["in/b/*"], ["c", "d"]),
    "a glob of folders": ([], ["in/*/"], ["b/c", "b/d"]),
    "files named one by one": ([], ["in/a.pdf", "in/b/d.png"], ["a", "d"]),
    "a name that looks like a glob": (["x[1].pdf"], ["in/x[1].pdf"], ["x[1]"]),
    "a document named twice": ([], ["in/a.pdf", "./in/a.pdf", "in/../in/a.pdf"], ["a"]),
    "one name in two folders": (["b/a.pdf"], ["in"], ["a", "b/a", "b/c", "b/d"]),
    "our own crops": (OURS, ["in"], ["a", "b/c", "b/d", "out/a_images/scan"]),
}


@pytest.mark.parametrize("files, arguments, expected", ARGUMENTS.values(), ids=ARGUMENTS)
def test_where_the_outputs_belong(tree, files, arguments, expected):
    add(*files)
    assert outputs(*arguments) == expected


def test_what_is_no_document_is_passed_over_and_listed_and_what_is_missing_has_a_problem(tree):
    inputs = resolve(["in"])
    assert [item.name for item in inputs.documents] == ["in/a.pdf", "in/b/c.PDF", "in/b/d.png"]
    assert inputs.skipped == ["in/.hidden.pdf: hidden", "in/b/notes.txt: no PDF or image, by its suffix .txt"]
    add(*OURS)
    assert outputs("in", avoid=Path("in/out")) == ["a", "b/c", "b/d"]
    problems = {item.name: item.problem for item in resolve(["in/a.pdf", "nope.pdf", "no*pe"]).documents}
    assert problems == {"in/a.pdf": "", "nope.pdf": "no such file", "no*pe": "nothing matches this pattern"}


def test_a_list_names_files_folders_and_globs_with_comments(tree):
    Path("list.txt").write_text("# mine\n\nin/a.pdf\n  in/b/*.png  \n")
    assert outputs("@list.txt") == ["a", "d"]
    assert outputs("@-", stdin=io.BytesIO(b"in/b\n")) == ["c", "d"]
    [dash] = resolve(["@-"], stdin=io.BytesIO(b"-\n")).documents  # inside a list it is a file name
    assert dash.problem == "no such file"


def test_names_that_differ_only_in_the_suffix_keep_it(tree):
    add("a.png")
    inputs = resolve(["in"])
    assert [str(item.output) for item in inputs.documents] == ["a.pdf", "a.png", "b/c", "b/d"]
    assert len(inputs.notes) == 1 and "a.pdf, a.png" in inputs.notes[0]
    names = ["a.pdf", "a.pdf.pdf", "a.pdf.pdf.pdf", "a.pdf.png", "a.png"]  # what a suffix makes is no other's name
    add(*names)
    assert outputs("in") == [*names, "b/c", "b/d"]


def test_two_inputs_with_one_output_are_refused_with_both_names(tree):
    add("b/a.pdf")
    with pytest.raises(UsageError, match=r"in/a\.pdf and in/b/a\.pdf"):
        resolve(["in/a.pdf", "in/b/a.pdf"])


def test_links_to_folders_are_followed_once_and_a_glob_takes_the_shortest_path(tree):
    os.symlink(tree / "in", tree / "in" / "b" / "loop")
    assert outputs("in") == ["a", "b/c", "b/d"]
    os.symlink(tree / "in", tree / "in" / "again")
    os.symlink(tree / "in" / "b" / "d.png", tree / "in" / "d.png")
    for pattern in ("in/**/*.[pP]*", "in/**", "i*/**/*.[pP]*"):
        assert [item.name for item in resolve([pattern]).documents] == ["in/a.pdf", "in/b/c.PDF", "in/d.png"]
    assert [item.name for item in resolve(["in/**/*.pdf", "**/*.pdf"]).documents[:1]] == ["in/a.pdf"]


@pytest.mark.parametrize("name", ["...pdf", "a b.pdf", "übung.pdf", "..", "x..pdf", "-n.pdf", "*.pdf", "no suffix"])
def test_outputs_stay_inside_the_output_folder(tree, name):
    path = tree / "odd" / name
    path.parent.mkdir()
    if name != "..":
        path.write_bytes(b"x")
    for item in resolve([str(path), "odd/../in", "*/../in/*.pdf"]).documents:
        assert not item.output.is_absolute()
        assert ".." not in item.output.parts[:-1]
        written = Path("out") / item.output.parent / (item.output.name + ".md")
        assert written.resolve().is_relative_to((tree / "out").resolve())


@given(st.binary(min_size=1, max_size=30).filter(lambda name: b"\0" not in name))
def test_every_name_is_shown_as_one_printable_line(name):
    shown = display_name(os.fsdecode(name))
    assert shown.isprintable()
    assert shown.encode("utf-8")
