"""Killed runs, killed workers, shared folders: every page is read, once, and the outputs do not show what happened."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")

FAST = ("--layout-engine", "none", "-q")
COUNTS = {"one": 12, "deep/two": 30, "deep/er/three": 1}


@pytest.fixture(scope="module")
def library(tmp_path_factory, numbered_pdf) -> Path:
    """A folder of three documents."""
    folder = tmp_path_factory.mktemp("library")
    for name, count in COUNTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(numbered_pdf(count), folder / f"{name}.pdf")
    return folder


@pytest.fixture(scope="module")
def expected(run, library, tmp_path_factory) -> dict[str, bytes]:
    """What an uninterrupted run writes."""
    out = tmp_path_factory.mktemp("expected")
    assert run("convert", library, "-o", out, "--format", "md,html,json", *FAST).returncode == 0
    return contents(out)


def contents(folder: Path) -> dict[str, bytes]:
    """Everything in the folder but the journal."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "docparse-journal.jsonl")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def journal(out: Path) -> list[dict]:
    """The whole lines of the journal; a run may be in the middle of one."""
    lines = []
    path = out / "docparse-journal.jsonl"
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else []:
        if line.endswith(b"\n"):
            lines.append(json.loads(line))
    return lines


def wait_for_pages(out: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while len(journal(out)) < count and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)
    assert len(journal(out)) >= count


def workers(parent: int) -> list[int]:
    threads = Path(f"/proc/{parent}/task").iterdir()
    return [int(pid) for thread in threads for pid in (thread / "children").read_text().split()]


@pytest.mark.parametrize("moments", [pytest.param((1,), marks=pytest.mark.thorough), (8, 20)])
def test_a_killed_run_goes_on_without_repeating_a_page(start, run, library, expected, tmp_path, moments):
    command = ("convert", library, "-o", tmp_path, "--format", "md,html,json", "--workers", "2", *FAST)
    for moment in moments:
        process = start(*command, "--resume")
        wait_for_pages(tmp_path, moment, process)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert run(*command, "--resume").returncode == 0
    assert contents(tmp_path) == expected
    pages = Counter((line["input"], line["page"]) for line in journal(tmp_path) if line["page"] is not None)
    assert set(pages.values()) == {1}
    assert len(pages) == sum(COUNTS.values())
    assert not (tmp_path / ".docparse").exists()


def test_resuming_a_finished_run_reads_no_page(run, library, expected, tmp_path):
    command = ("convert", library, "-o", tmp_path, "--format", "md,html,json", "--layout-engine", "none")
    assert run(*command).returncode == 0
    before = (tmp_path / "docparse-journal.jsonl").read_bytes()
    done = run(*command, "--resume")
    assert done.returncode == 0
    assert "3 by an earlier run" in done.stderr
    assert (tmp_path / "docparse-journal.jsonl").read_bytes() == before
    assert contents(tmp_path) == expected


def test_resuming_with_other_settings_or_without_an_output_reads_again(run, three_page_pdf, tmp_path):
    command = ("convert", three_page_pdf, "-o", tmp_path, *FAST, "--resume")
    outcomes = []
    for more in ((), ("--dpi", "100"), ("--page-breaks",), ("--page-breaks",)):
        assert run(*command, *more).returncode == 0
        outcomes.append(len(journal(tmp_path)))
    (tmp_path / "three-pages.md").unlink()
    assert run(*command, "--page-breaks").returncode == 0
    outcomes.append(len(journal(tmp_path)))
    assert run(*command[:-1], "--page-breaks").returncode == 0  # not resumed
    outcomes.append(len(journal(tmp_path)))
    assert outcomes == [4, 8, 12, 12, 16, 20]
    assert "<!-- page 3 -->" in (tmp_path / "three-pages.md").read_text()


def test_resuming_notices_what_another_run_has_replaced(run, one_page_pdf, three_page_pdf, tmp_path):
    for folder, pdf in (("a", one_page_pdf), ("b", three_page_pdf)):
        (tmp_path / folder).mkdir()
        shutil.copy(pdf, tmp_path / folder / "p.pdf")
    output = tmp_path / "out" / "p.md"

    def convert(*arguments: str) -> str:
        assert run("convert", *arguments, *FAST, cwd=tmp_path).returncode == 0
        return output.read_text()

    broken = convert("a/p.pdf", "-o", "out", "--page-breaks")
    assert convert("a/p.pdf", "-o", str(tmp_path / "out")) != broken
    assert convert("a/p.pdf", "-o", "out", "--page-breaks", "--resume") == broken
    assert convert("b/p.pdf", "-o", "out", "--page-breaks") != broken
    assert convert("a/p.pdf", "-o", "out", "--page-breaks", "--resume") == broken


def test_resuming_notices_a_picture_that_is_gone(run, example_pdf, tmp_path):
    command = ("convert", example_pdf, "--pages", "2", "-o", tmp_path, "-q", "--resume")
    assert run(*command).returncode == 0
    pictures = {path: path.read_bytes() for path in tmp_path.glob("*_images/*.png")}
    assert pictures
    next(iter(pictures)).unlink()
    assert run(*command).returncode == 0
    assert {path: path.read_bytes() for path in tmp_path.glob("*_images/*.png")} == pictures


def test_a_single_file_can_be_resumed_and_leaves_nothing_else(start, run, numbered_pdf, tmp_path):
    out = tmp_path / "out" / "book.md"
    command = ("convert", numbered_pdf(40), "-o", out, *FAST)
    process = start(*command)
    until = time.monotonic() + 60
    while not list(tmp_path.glob("out/.docparse/*/0010.json")) and time.monotonic() < until:
        time.sleep(0.002)
    process.kill()
    process.wait()
    assert not out.exists()
    done = run(*command, "--resume", "-v")
    assert done.returncode == 0
    text = out.read_text()
    assert all(f"page {k} of the book" in text for k in range(1, 41))
    assert run(*command).returncode == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["book.md"]


@pytest.mark.parametrize(
    ("blow", "category", "retries"),
    [
        (signal.SIGKILL, "crash", 0),
        pytest.param(signal.SIGSEGV, "crash", 1, marks=pytest.mark.thorough),
        (signal.SIGSTOP, "timeout", 1),
    ],
)
def test_a_worker_that_dies_or_hangs_costs_no_word(start, library, expected, tmp_path, blow, category, retries):
    book = library / "deep" / "two.pdf"
    process = start(
        "convert", book, "-o", tmp_path, *FAST, "--workers", "1", "--retries", str(retries), "--page-timeout", "2"
    )
    wait_for_pages(tmp_path, 5, process)
    (worker,) = workers(process.pid)
    os.kill(worker, blow)
    code = process.wait(timeout=60)
    hit = [line for line in journal(tmp_path) if line["page"] and (line["attempts"] > 1 or line["status"] != "ok")]
    text = (tmp_path / "two.md").read_bytes()
    assert len(hit) == 1
    assert hit[0]["attempts"] == 2
    if retries and category == "crash":  # which may have been chance
        assert (code, hit[0]["status"]) == (0, "ok")
        assert text == expected["deep/two.md"]
    else:
        assert (code, hit[0]["status"], hit[0]["error_category"]) == (1, "partial", category)
        assert f"<!-- page {hit[0]['page']} partial: {category} -->".encode() in text
        missing = [k for k in range(1, COUNTS["deep/two"] + 1) if f"page {k} of the book".encode() not in text]
        assert missing == []


def test_resume_reads_again_what_was_read_with_less_effort(start, run, library, expected, tmp_path):
    command = ("convert", library / "deep" / "two.pdf", "-o", tmp_path, *FAST, "--workers", "1", "--retries", "0")
    process = start(*command)
    wait_for_pages(tmp_path, 5, process)
    os.kill(workers(process.pid)[0], signal.SIGKILL)
    assert process.wait(timeout=60) == 1
    assert run(*command, "--resume").returncode == 0
    assert (tmp_path / "two.md").read_bytes() == expected["deep/two.md"]
    assert Counter(line["status"] for line in journal(tmp_path) if line["page"]) == {
        "ok": COUNTS["deep/two"],
        "partial": 1,
    }


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
def test_an_interrupted_run_says_so_in_one_line_and_can_be_resumed(start, run, library, expected, tmp_path, number):
    command = ("convert", library, "-o", tmp_path, "--format", "md,html,json", *FAST)
    # a suite that runs in the background ignores SIGINT, and so would this process
    process = start(*command, stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    wait_for_pages(tmp_path, 8, process)
    children = workers(process.pid)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert len(errors.splitlines()) == 1
    assert b"--resume" in errors
    assert re.search(rb"interrupted, \d+ of \d+ converted", errors)
    assert not any(Path(f"/proc/{pid}").exists() for pid in children)
    assert run(*command, "--resume").returncode == 0
    assert contents(tmp_path) == expected


@pytest.mark.thorough
def test_processes_share_a_folder_and_its_journal(library, expected, tmp_path):
    for index, name in enumerate(COUNTS):
        shutil.copy(library / f"{name}.pdf", tmp_path / f"{index}.pdf")
    names = "".join(f"{index}.pdf\n" for index in range(len(COUNTS)))
    command = [sys.executable, "-P", "-m", "docparse", "convert", *FAST, "--workers", "1", "-o", "out"]
    subprocess.run(["xargs", "-P", "3", "-n", "1", *command], input=names, text=True, cwd=tmp_path, check=True)
    outputs = contents(tmp_path / "out")
    assert outputs == {f"{index}.md": expected[f"{name}.md"] for index, name in enumerate(COUNTS)}
    pages = Counter((line["input"], line["page"]) for line in journal(tmp_path / "out"))
    assert set(pages.values()) == {1}
    assert len(pages) == sum(COUNTS.values()) + len(COUNTS)


def test_two_processes_do_not_write_the_same_output(start, run, library, expected, tmp_path):
    command = ("convert", library / "deep" / "two.pdf", "-o", tmp_path, *FAST, "--workers", "1")
    first = start(*command)
    wait_for_pages(tmp_path, 2, first)
    first.send_signal(signal.SIGSTOP)
    second = run(*command)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 4
    assert "another docparse process" in second.stderr
    assert first.wait(timeout=60) == 0
    assert (tmp_path / "two.md").read_bytes() == expected["deep/two.md"]


@pytest.fixture(autouse=True)
def nothing_left_running(tmp_path) -> Iterator[None]:
    yield
    assert not list(tmp_path.rglob(".docparse-*")), "a temporary output was left behind"
