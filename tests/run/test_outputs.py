"""What `-o` means: a folder, a file, standard output."""

import os
import re
from pathlib import Path

import pytest

from docparse.errors import UsageError
from docparse.run.outputs import choose_destination, parse_formats


def choose(out, formats=None, layout_pdf=False):
    return choose_destination(out, formats, layout_pdf=layout_pdf, temporary=Path("/temporary"))


@pytest.mark.parametrize("out", ["new", "new/", "new.md/", "v1.2", "there", "there.md"])
def test_folders(tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    for name in ("there", "there.md"):
        Path(name).mkdir()
    destination = choose(out)
    assert (destination.file, destination.stdout, destination.folder) == (None, False, Path(out))


def test_files_and_standard_output():
    for out, format in (("a.md", "md"), ("a.HTML", "html"), ("x/a.json", "json"), ("a.txt", "md")):
        destination = choose(out)
        assert (destination.file, destination.formats) == (Path(out), (format,))
        assert choose(out, (format,)).formats == (format,)
    for out in (None, "-"):
        assert choose(out).stdout and choose(out).journal is None
    assert parse_formats("md, HTML,md") == ("md", "html")
    with pytest.raises(UsageError, match="did you mean 'html'"):
        parse_formats("htlm")


@pytest.mark.parametrize(
    "out, line",
    [
        ("out.html.gz", "for a folder, write out.html.gz/"),
        ("a.pdf", "looks like an input"),
        ("a.PNG", "looks like an input"),
    ],
)
def test_a_name_that_says_something_else_is_refused(out, line):
    with pytest.raises(UsageError, match=re.escape(line)):
        choose(out, ("html",))


STARTS = (b"\n%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"RIFF....WEBP", b"\xff\xd8\xff\xe0")


@pytest.mark.parametrize(
    "name, content, line",
    [
        *((name, start, "looks like an input") for name in ("paper", "paper.md") for start in STARTS),
        ("pipe.md", None, "pipe.md is a pipe or a device"),
        ("README", b"", "README is an existing file without a suffix: use a name that ends with .md"),
    ],
)
def test_what_is_there_and_no_output_is_not_overwritten(tmp_path, name, content, line):
    path = tmp_path / name
    if content is None:
        os.mkfifo(path)
    else:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=re.escape(line)):
        choose(str(path))


@pytest.mark.parametrize(
    "out, formats, document, files",
    [
        ("out", ("md", "json"), "a/b.c",
         ["out/a/b.c.md", "out/a/b.c.json", "out/a/b.c.layout.pdf", "out/a/b.c_images"]),
        ("x/paper.md", None, "other", ["x/paper.md", "x/paper.layout.pdf", "x/paper_images"]),
    ],
    ids=["in a folder", "a file gives its name to what comes with it"],
)  # fmt: skip
def test_the_files_of_a_document(out, formats, document, files):
    found = choose(out, formats, layout_pdf=True).files(Path(document))
    assert [str(path) for path in (*found.all(), found.images)] == files


@pytest.mark.parametrize("output", ["", ".", "..", "../x", "a/../../x", "/x"])
def test_no_document_is_written_outside_the_folder(output):
    with pytest.raises(ValueError, match="not a place in the output folder"):
        choose("out").files(Path(output))
