"""Standard streams: documents and lists come in, data goes to stdout, everything else to stderr."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

FAST = ("--layout-engine", "none", "--model", "pipeline")


def test_a_document_on_stdin_goes_to_stdout(run, one_page_pdf):
    for flags in ((), ("-o", "-")):
        done = run("convert", "-", *flags, *FAST, input=one_page_pdf.read_bytes())
        assert done.returncode == 0
        assert done.stdout.startswith("# A short page\n")
        assert done.stderr == ""


def test_a_document_on_stdin_goes_to_a_folder_as_stdin(run, tmp_path, one_page_pdf):
    done = run("convert", "-", "-o", tmp_path, *FAST, input=one_page_pdf.read_bytes())
    assert done.returncode == 0
    assert "first paragraph" in (tmp_path / "stdin.md").read_text()


def test_nothing_on_stdin_is_an_empty_document(run):
    done = run("convert", "-", *FAST, input=b"")
    assert (done.returncode, len(done.stderr.splitlines())) == (4, 1)


def test_a_list_on_stdin(run, tmp_path, one_page_pdf, three_page_pdf):
    names = f"{one_page_pdf}\n# a comment\n\n{three_page_pdf}\n"
    assert run("convert", "@-", "-o", tmp_path, *FAST, input=names.encode()).returncode == 0
    assert sorted(path.name for path in tmp_path.glob("*.md")) == ["one-page.md", "three-pages.md"]


def test_a_document_through_a_named_pipe(start, tmp_path, one_page_pdf):
    os.mkfifo(tmp_path / "pipe")
    process = start("convert", tmp_path / "pipe", *FAST, stdout=subprocess.PIPE)
    (tmp_path / "pipe").write_bytes(one_page_pdf.read_bytes())
    try:
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert b"first paragraph" in out


@pytest.mark.parametrize("flags", [(), ("-o", "out", "--json")])
def test_a_closed_pipe_ends_the_run_quietly(start, tmp_path, one_page_pdf, flags):
    process = start(
        "convert", one_page_pdf, *flags, *FAST, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert b"docparse: " not in process.stderr.read()


def test_a_full_stdout_is_an_error(start, one_page_pdf):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        process = start("convert", one_page_pdf, *FAST, stdout=full, stderr=subprocess.PIPE)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"standard output" in errors
    assert len(errors.splitlines()) == 1


def test_json_output_is_the_only_thing_on_stdout(run, tmp_path, one_page_pdf):
    done = run("convert", one_page_pdf, "--format", "json", *FAST, "-v")
    assert json.loads(done.stdout)["pages"]
    done = run("convert", one_page_pdf, "-o", tmp_path, *FAST, "-vv")
    assert done.stdout == ""


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_progress_is_shown_on_a_terminal_and_in_colour_unless_refused(start, tmp_path, three_page_pdf, environment):
    master, terminal = pty.openpty()
    environment = {"TERM": "xterm-256color", "COLUMNS": "80"} | environment
    process = start("convert", three_page_pdf, "-o", tmp_path, *FAST, stderr=terminal, env=environment)
    os.close(terminal)
    seen = b""
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    assert process.wait(timeout=60) == 0
    if environment["TERM"] == "dumb":
        assert b"\x1b" not in seen
        return
    assert b"pages" in seen
    assert (b"\x1b[38;5;" in seen or b"\x1b[3" in seen) is ("NO_COLOR" not in environment)


def test_an_end_of_a_terminal_does_not_end_the_run(start, tmp_path, three_page_pdf):
    master, terminal = pty.openpty()
    process = start("convert", three_page_pdf, "-o", tmp_path, *FAST, stderr=terminal, env={"TERM": "dumb"})
    os.close(terminal)
    os.close(master)
    assert process.wait(timeout=60) == 0
    assert "Page three" in (tmp_path / "three-pages.md").read_text()


def test_what_comes_on_stdin_is_bounded(run, tmp_path, one_page_pdf):
    flags = ("-o", tmp_path / "out", *FAST, "-q", "--max-spool", "50K")
    done = run("convert", "-", one_page_pdf, *flags, input=one_page_pdf.read_bytes() + bytes(100_000))
    (line,) = done.stderr.splitlines()
    assert (done.returncode, line) == (
        1,
        "docparse: stdin: cannot be read: more than 50 KiB: raise --max-spool, or give a file",
    )
    assert (tmp_path / "out" / f"{one_page_pdf.stem}.md").is_file()
