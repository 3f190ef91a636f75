"""Standard streams: documents and lists come in, data goes to stdout, everything else to stderr."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from docparse.cli import tell
from docparse.errors import OutputError

FAST = ("--layout-engine", "none", "--model", "pipeline")


def test_a_document_or_a_list_on_stdin_goes_to_stdout_or_to_a_folder(run, tmp_path, one_page_pdf, three_page_pdf):
    for flags in ((), ("-o", "-"), ("-o", tmp_path)):
        done = run("convert", "-", *flags, *FAST, input=one_page_pdf.read_bytes())
        text = (tmp_path / "stdin.md").read_text() if tmp_path in flags else done.stdout
        assert done.returncode == 0 and text.startswith("# A short page\n")
        assert tmp_path in flags or done.stderr == ""
    names = f"{one_page_pdf}\n# a comment\n\n{three_page_pdf}\n"
    assert run("convert", "@-", "-o", tmp_path / "list", *FAST, input=names.encode()).returncode == 0
    assert sorted(path.name for path in tmp_path.glob("list/*.md")) == ["one-page.md", "three-pages.md"]
    # and nothing else on stdout
    assert json.loads(run("convert", one_page_pdf, "--format", "json", *FAST, "-v").stdout)["pages"]
    assert run("convert", one_page_pdf, "-o", tmp_path, *FAST, "-vv").stdout == ""


def test_what_comes_on_stdin_is_bounded(run, tmp_path, one_page_pdf):
    flags = ("-o", tmp_path / "out", *FAST, "-q", "--max-spool", "50K")
    done = run("convert", "-", one_page_pdf, *flags, input=one_page_pdf.read_bytes() + bytes(100_000))
    line = "docparse: stdin: cannot be read: more than 50 KiB: raise --max-spool, or give a file\n"
    assert (done.returncode, done.stderr) == (1, line)
    assert (tmp_path / "out" / f"{one_page_pdf.stem}.md").is_file()


@pytest.mark.parametrize("flags", [(), ("-o", "out", "--json")])
def test_a_closed_pipe_ends_the_run_quietly(start, tmp_path, one_page_pdf, flags):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = start("convert", one_page_pdf, *flags, *FAST, **pipes, cwd=tmp_path)
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert b"docparse: " not in process.stderr.read()


def test_a_run_goes_on_when_nobody_reads_its_messages_any_more(start, tmp_path, one_page_pdf, three_page_pdf):
    documents = (one_page_pdf, three_page_pdf)
    process = start("convert", *documents, "-o", tmp_path, *FAST, "-v", stderr=subprocess.PIPE)
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert {f"{path.stem}.md" for path in documents} <= {path.name for path in tmp_path.iterdir()}


def without(*numbers):
    """Close standard streams, as `>&-` does in a shell."""
    return lambda: [os.close(number) for number in numbers] and None


def test_a_closed_stderr_does_not_put_messages_into_the_document(start, tmp_path, one_page_pdf):
    for arguments, code in (((tmp_path / "missing.pdf",), 4), ((one_page_pdf, *FAST), 0)):
        process = start("convert", *arguments, stdout=subprocess.PIPE, stderr=None, preexec_fn=without(2))
        output, _ = process.communicate(timeout=60)
        assert process.returncode == code
        assert b"docparse" not in output and (b"A short page" in output) is (code == 0)


def test_a_closed_stdout_is_an_error_only_where_something_goes_there(start, tmp_path, one_page_pdf):
    closed = {"stdout": None, "stdin": None, "preexec_fn": without(0, 1)}
    process = start("convert", one_page_pdf, *FAST, stderr=subprocess.PIPE, **closed)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (4, b"docparse: standard output: cannot write: Bad file descriptor\n")
    assert start("convert", one_page_pdf, "-o", tmp_path, *FAST, **closed).wait(timeout=60) == 0
    assert "A short page" in (tmp_path / f"{one_page_pdf.stem}.md").read_text()


@pytest.mark.parametrize("argument, line", [
    ("@-", b"docparse: -: cannot read the list of inputs: standard input is closed\n"),
    ("-", b"docparse: stdin: cannot be read: standard input is closed\n"),
])  # fmt: skip
def test_a_closed_stdin_is_a_line(start, argument, line):
    process = start("convert", argument, *FAST, stdin=None, stderr=subprocess.PIPE, preexec_fn=without(0))
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (2, 4) and errors == line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("--version",), ("models", "list"), ("models", "list", "--json"), ("convert", "one-page.pdf", *FAST)],
)
def test_every_command_says_in_a_line_that_stdout_is_full(start, one_page_pdf, arguments):
    with open("/dev/full", "wb") as full:
        process = start(*arguments, stdout=full, stderr=subprocess.PIPE, cwd=one_page_pdf.parent)
        _, errors = process.communicate(timeout=60)
    last = errors.splitlines()[-1]
    code = 4 if arguments[0] == "convert" else 1  # nothing was converted
    assert (process.returncode, last) == (code, b"docparse: standard output: cannot write: No space left on device")
    assert len(errors.splitlines()) == 1 or arguments[0] == "models"


def read_all(descriptor):
    seen = b""
    try:
        while chunk := os.read(descriptor, 4096):
            seen += chunk
    except OSError:
        pass
    return seen


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_progress_is_shown_on_a_terminal_and_in_colour_unless_refused(start, tmp_path, three_page_pdf, environment):
    master, terminal = pty.openpty()
    environment = {"TERM": "xterm-256color", "COLUMNS": "80"} | environment
    process = start("convert", three_page_pdf, "-o", tmp_path, *FAST, stderr=terminal, env=environment)
    os.close(terminal)
    seen = read_all(master)
    assert process.wait(timeout=60) == 0
    if environment["TERM"] == "dumb":
        assert b"\x1b" not in seen
    else:
        assert b"pages" in seen
        assert (b"\x1b[38;5;" in seen or b"\x1b[3" in seen) is ("NO_COLOR" not in environment)


@pytest.mark.parametrize("kind", ["dumb", "xterm-256color"])
def test_an_end_of_a_terminal_does_not_end_the_run(start, tmp_path, three_page_pdf, kind):
    master, terminal = pty.openpty()
    process = start("convert", three_page_pdf, "-o", tmp_path, *FAST, stderr=terminal, env={"TERM": kind})
    os.close(terminal)
    os.close(master)
    assert process.wait(timeout=60) == 0
    assert "Page three" in (tmp_path / "three-pages.md").read_text()


def test_a_pipe_that_breaks_where_a_file_is_written_is_told(capsys):
    """Whoever reads standard output may have had enough; a FIFO named with an option is an output like others."""
    error = OutputError("out.json: cannot write: Broken pipe")
    error.__context__ = BrokenPipeError()
    assert tell(error, {}) == OutputError.exit_code
    assert capsys.readouterr().err == "docparse: out.json: cannot write: Broken pipe\n"
