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
def tree(tmp_path, monkeypatch) -> Path:
    """in/{a.pdf, b/{c.PDF, d.png, notes.txt}, .hidden.pdf, .git/x.pdf}, current folder above it."""
    for name in ("a.pdf", "b/c.PDF", "b/d.png", "b/notes.txt", ".hidden.pdf", ".git/x.pdf"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outputs(*arguments: str, **more: object) -> list[str]:
    return [str(item.output) for item in resolve(arguments, **more).documents]


def test_a_folder_keeps_its_tree_and_passes_over_what_is_no_document(tree):
    inputs = resolve(["in"])
    assert [str(item.output) for item in inputs.documents] == ["a", "b/c", "b/d"]
    assert [item.name for item in inputs.documents] == ["in/a.pdf", "in/b/c.PDF", "in/b/d.png"]
    assert inputs.skipped == ["in/.hidden.pdf: hidden", "in/b/notes.txt: no PDF or image, by its suffix .txt"]


def test_a_glob_keeps_the_tree_below_its_fixed_part(tree):
    assert outputs("in/**/*.p*") == ["a", "b/d"]
    assert outputs("in/b/*") == ["c", "d"]


def test_files_named_one_by_one_go_to_the_top(tree):
    assert outputs("in/a.pdf", "in/b/d.png") == ["a", "d"]


def test_a_file_whose_name_looks_like_a_glob_is_that_file(tree):
    Path("in/x[1].pdf").write_bytes(b"x")
    assert outputs("in/x[1].pdf") == ["x[1]"]


def test_a_list_names_files_folders_and_globs_with_comments(tree):
    Path("list.txt").write_text("# mine\n\nin/a.pdf\n  in/b/*.png  \n")
    assert outputs("@list.txt") == ["a", "d"]
    assert outputs("@-", stdin=io.BytesIO(b"in/b\n")) == ["c", "d"]


def test_a_dash_inside_a_list_is_a_file_name(tree):
    assert [item.problem for item in resolve(["@-"], stdin=io.BytesIO(b"-\n")).documents] == ["no such file"]


def test_standard_input_is_a_document_without_a_path():
    (document,) = resolve(["-"]).documents
    assert (document.path, document.name, str(document.output)) == (None, "stdin", "stdin")


def test_what_is_missing_has_a_problem_and_the_others_are_untouched(tree):
    problems = {item.name: item.problem for item in resolve(["in/a.pdf", "nope.pdf", "no*pe"]).documents}
    assert problems == {"in/a.pdf": "", "nope.pdf": "no such file", "no*pe": "nothing matches this pattern"}


def test_the_same_document_named_twice_is_one(tree):
    assert outputs("in/a.pdf", "./in/a.pdf", "in/../in/a.pdf") == ["a"]


def test_two_inputs_with_one_output_are_refused_with_both_names(tree):
    Path("in/b/a.pdf").write_bytes(b"x")
    with pytest.raises(UsageError, match=r"in/a\.pdf and in/b/a\.pdf"):
        resolve(["in/a.pdf", "in/b/a.pdf"])
    assert outputs("in") == ["a", "b/a", "b/c", "b/d"]


def test_names_that_differ_only_in_the_suffix_keep_it(tree):
    Path("in/a.png").write_bytes(b"x")
    inputs = resolve(["in"])
    assert [str(item.output) for item in inputs.documents] == ["a.pdf", "a.png", "b/c", "b/d"]
    assert len(inputs.notes) == 1
    assert "a.pdf, a.png" in inputs.notes[0]


def test_a_kept_suffix_may_still_collide(tree):
    for name in ("in/a.png", "in/a.pdf.pdf"):
        Path(name).write_bytes(b"x")
    with pytest.raises(UsageError, match="would both write"):
        resolve(["in"])


def test_the_output_folder_and_our_own_crops_are_not_inputs(tree):
    for name in ("in/out/a_images/scan.png", "in/a_images/page-0001-figure-1.png", "in/a.layout.pdf"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(b"x")
    assert outputs("in", avoid=Path("in/out")) == ["a", "b/c", "b/d"]
    assert outputs("in", avoid=Path("in")) == ["a", "b/c", "b/d", "out/a_images/scan"]


def test_links_to_folders_are_followed_once(tree):
    os.symlink(tree / "in", tree / "in" / "b" / "loop")
    assert outputs("in") == ["a", "b/c", "b/d"]


def test_a_glob_takes_each_file_once_by_its_shortest_path(tree):
    os.symlink(tree / "in", tree / "in" / "b" / "loop")
    os.symlink(tree / "in", tree / "in" / "again")
    os.symlink(tree / "in" / "b" / "d.png", tree / "in" / "d.png")
    names = ["in/a.pdf", "in/b/c.PDF", "in/d.png"]
    for pattern in ("in/**/*.[pP]*", "in/**", "i*/**/*.[pP]*"):
        assert [item.name for item in resolve([pattern]).documents] == names
    assert [item.name for item in resolve(["in/**/*.pdf", "**/*.pdf"]).documents[:1]] == ["in/a.pdf"]


def test_a_glob_that_ends_with_a_slash_is_of_folders(tree):
    assert outputs("in/*/") == ["b/c", "b/d"]


@pytest.mark.parametrize("name", ["...pdf", "a b.pdf", "übung.pdf", "..", "x..pdf", "-n.pdf", "*.pdf", "no suffix"])
def test_outputs_stay_inside_the_output_folder(tree, name):
    path = tree / "odd" / name
    path.parent.mkdir()
    if name != "..":
        path.write_bytes(b"x")
    for item in resolve([str(path), "odd/../in", "*/../in/*.pdf"]).documents:
        parts = item.output.parts
        assert not item.output.is_absolute()
        assert ".." not in [part for part in parts[:-1]]
        assert (
            (Path("out") / item.output.parent / (item.output.name + ".md"))
            .resolve()
            .is_relative_to((tree / "out").resolve())
        )


@given(st.binary(min_size=1, max_size=30).filter(lambda name: b"\0" not in name))
def test_every_name_is_shown_as_one_printable_line(name):
    shown = display_name(os.fsdecode(name))
    assert shown.isprintable()
    assert shown.encode("utf-8")
