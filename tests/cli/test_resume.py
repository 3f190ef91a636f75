"""Killed runs, killed workers, shared folders: every page is read, once, and the outputs do not show what happened."""

import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from refusals import refused
from run_outputs import contents

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")

FAST = ("--layout-engine", "none", "-q")
ALL = ("--format", "md,html,json", *FAST)
COUNTS = {"one": 12, "deep/two": 30, "deep/er/three": 1}


@pytest.fixture(scope="module")
def library(tmp_path_factory, numbered_pdf):
    """A folder of three documents."""
    folder = tmp_path_factory.mktemp("library")
    for name, count in COUNTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(numbered_pdf(count), folder / f"{name}.pdf")
    return folder


@pytest.fixture(scope="module")
def expected(run, library, tmp_path_factory):
    """What an uninterrupted run writes."""
    out = tmp_path_factory.mktemp("expected")
    assert run("convert", library, "-o", out, *ALL).returncode == 0
    return contents(out)


def wait_until(happened, process):
    until = time.monotonic() + 60
    while not happened() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    assert happened()


@pytest.fixture
def begun(start, tmp_path, journal):
    """`begun(page, "convert", ...)` -> the process of a run into `tmp_path` that reads all documents before that page
    at most, and has read some of it. It goes on when there is a file `go` in that folder."""

    def begin(page, *command, go="never", **how):
        lines, env = len(journal(tmp_path)), {"HANG_FROM": str(page), "HANG_UNTIL": str(tmp_path / go)}
        process = start(*command, env=env, watched=True, **how)
        wait_until(lambda: len(journal(tmp_path)) > lines, process)
        return process

    return begin


@pytest.fixture(autouse=True)
def nothing_left_running(tmp_path):
    yield
    assert not list(tmp_path.rglob("*.tmp")), "a temporary output was left behind"


@pytest.mark.parametrize("pages", [pytest.param((2,), marks=pytest.mark.thorough), (9, 21)])
def test_a_killed_run_goes_on_without_repeating_a_page(begun, run, library, expected, tmp_path, journal, pages):
    command = ("convert", library, "-o", tmp_path, "--workers", "2", *ALL, "--resume")
    for page in pages:
        process = begun(page, *command)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert run(*command).returncode == 0
    assert contents(tmp_path) == expected
    pages = Counter((line["input"], line["page"]) for line in journal(tmp_path) if line["page"] is not None)
    assert (set(pages.values()), len(pages)) == ({1}, sum(COUNTS.values()))
    assert not (tmp_path / ".docparse").exists()


def test_resuming_a_finished_run_reads_no_page(run, library, expected, tmp_path):
    command = ("convert", library, "-o", tmp_path, *ALL[:-1])
    assert run(*command).returncode == 0
    before = (tmp_path / "docparse-journal.jsonl").read_bytes()
    done = run(*command, "--resume")
    assert done.returncode == 0 and "3 converted (3 by an earlier run)" in done.stderr
    assert (tmp_path / "docparse-journal.jsonl").read_bytes() == before
    assert contents(tmp_path) == expected


def test_resuming_with_other_settings_or_without_an_output_reads_again(run, three_page_pdf, tmp_path, journal):
    output, breaks = tmp_path / "three-pages.md", ("--page-breaks",)
    runs = [  # options, whether the output is removed before, and how many lines the journal then has
        (("--resume",), False, 4), (("--resume", "--dpi", "100"), False, 8), (("--resume", *breaks), False, 12),
        (("--resume", *breaks), False, 12), (("--resume", *breaks), True, 16), (breaks, False, 20),
    ]  # fmt: skip
    for options, removed, lines in runs:
        if removed:
            output.unlink()
        assert run("convert", three_page_pdf, "-o", tmp_path, *FAST, *options).returncode == 0
        assert len(journal(tmp_path)) == lines
    assert "<!-- page 3 -->" in output.read_text()


def test_resuming_notices_a_picture_that_is_gone(run, example_pdf, tmp_path):
    command = ("convert", example_pdf, "--pages", "2", "-o", tmp_path, "-q", "--resume")
    assert run(*command).returncode == 0
    pictures = {path: path.read_bytes() for path in tmp_path.glob("*_images/*.png")}
    next(iter(pictures)).unlink()
    assert run(*command).returncode == 0
    assert {path: path.read_bytes() for path in tmp_path.glob("*_images/*.png")} == pictures


def test_an_output_that_cannot_be_written_costs_itself_and_resuming_writes_it(run, three_page_pdf, tmp_path, journal):
    """The pages that were read are kept for it."""
    command = ("convert", three_page_pdf, "-o", tmp_path, "--layout-pdf", *ALL)
    (tmp_path / "three-pages.html").mkdir()
    done = run(*command)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, "three-pages.html: cannot write" in line) == (1, True)
    written = {path.name: path.read_bytes() for path in tmp_path.glob("three-pages.*") if path.is_file()}
    assert sorted(written) == ["three-pages.json", "three-pages.layout.pdf", "three-pages.md"]
    entry = journal(tmp_path)[-1]
    assert (entry["status"], entry["error_category"], entry["unwritten"]) == ("partial", "output", ["html"])
    assert [Path(path).suffix for path in entry["outputs"]] == [".md", ".json", ".pdf"]
    (tmp_path / "three-pages.html").rmdir()
    assert run(*command, "--resume").returncode == 0
    assert len(journal(tmp_path)) == 5  # three pages, and the document twice
    assert "page" in (tmp_path / "three-pages.html").read_text()
    for name in ("three-pages.json", "three-pages.md"):
        assert (tmp_path / name).read_bytes() == written[name]


def test_a_single_file_can_be_resumed_and_leaves_nothing_else(start, run, numbered_pdf, tmp_path):
    out = tmp_path / "out" / "book.md"
    command = ("convert", numbered_pdf(40), "-o", out, *FAST)
    process = start(*command, env={"HANG_FROM": "11"}, watched=True)
    wait_until(lambda: list(tmp_path.glob("out/.docparse/*/0010.json")), process)
    process.kill()
    process.wait()
    assert not out.exists()
    assert run(*command, "--resume", "-v").returncode == 0
    assert all(f"page {k} of the book" in out.read_text() for k in range(1, 41))
    assert run(*command).returncode == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["book.md"]


@pytest.mark.parametrize("retries", [0, 1])
def test_a_worker_that_dies_costs_no_word_and_what_it_cost_is_read_again(
    watched, library, expected, tmp_path, journal, retries
):
    """It dies of page 5, once: which may have been chance. (tests/run/test_pool.py: one that hangs is killed.)"""
    command = ("convert", library / "deep" / "two.pdf", "-o", tmp_path, *FAST, "--retries", retries)
    code, _ = watched(*command, BLOW=f"5:{signal.SIGKILL}")
    [hit] = [line for line in journal(tmp_path) if line["page"] and (line["attempts"] > 1 or line["status"] != "ok")]
    assert (hit["page"], hit["attempts"]) == (5, 2)
    if retries:
        assert (code, hit["status"]) == (0, "ok")
    else:
        text = (tmp_path / "two.md").read_text()
        assert (code, hit["status"], hit["error_category"]) == (1, "partial", "crash")
        assert "<!-- page 5 partial: crash -->" in text
        assert [k for k in range(1, COUNTS["deep/two"] + 1) if f"page {k} of the book" not in text] == []
        assert watched(*command, "--resume")[0] == 0
        pages = Counter(line["status"] for line in journal(tmp_path) if line["page"])
        assert pages == {"ok": COUNTS["deep/two"], "partial": 1}
    assert (tmp_path / "two.md").read_bytes() == expected["deep/two.md"]


def children(pid):
    """The processes that the threads of a process started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
def test_an_interrupted_run_says_so_in_one_line_and_can_be_resumed(begun, run, library, expected, tmp_path, number):
    command = ("convert", library, "-o", tmp_path, *ALL)
    # a suite that runs in the background ignores SIGINT, and so would this process
    by_default = {"preexec_fn": lambda: signal.signal(number, signal.SIG_DFL)}
    process = begun(9, *command, stderr=subprocess.PIPE, **by_default)
    workers = children(process.pid)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, len(errors.splitlines())) == (130, 1)
    assert b"--resume" in errors and re.search(rb"interrupted, \d+ of \d+ converted", errors)
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert run(*command, "--resume").returncode == 0
    assert contents(tmp_path) == expected


def test_two_processes_do_not_write_the_same_output(begun, run, library, expected, tmp_path):
    command = ("convert", library / "deep" / "two.pdf", "-o", tmp_path, *FAST, "--workers", "1")
    first = begun(9, *command, go="go")
    second = run(*command)
    (tmp_path / "go").touch()
    assert second.returncode == 4 and "another docparse process" in second.stderr
    assert first.wait(timeout=60) == 0
    assert (tmp_path / "two.md").read_bytes() == expected["deep/two.md"]


def test_a_journal_that_cannot_be_read_ends_the_run_with_a_line(run, tmp_path, one_page_pdf):
    (tmp_path / "docparse-journal.jsonl").mkdir()
    done = run("convert", one_page_pdf, "-o", tmp_path, "--resume", "--model", "pipeline")
    refused(done, 4, "docparse-journal.jsonl: the journal cannot be read: Is a directory; choose another place")
