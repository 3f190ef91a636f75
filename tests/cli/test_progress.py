"""What a person sees on a terminal while pages are read."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console as RichConsole
from rich.progress import Progress

from docparse.cli.progress import Console, Lines, Terminal
from docparse.jobs.journal import Entry
from docparse.jobs.result import PageProgress


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Progress(console=RichConsole(file=io.StringIO(), force_terminal=True)) as progress:
        yield Terminal(Console(quiet=False, verbose=0), progress)


def shown(terminal: Terminal) -> str:
    return terminal.progress.tasks[0].description


def test_before_a_document_is_open_nobody_knows_how_many_pages_there_are(terminal: Terminal) -> None:
    terminal.begin(1)
    assert terminal.progress.tasks[0].total is None  # the bar moves to and fro, while a model is loaded
    terminal.opened("paper.pdf", 4)
    assert terminal.progress.tasks[0].total == 4


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (PageProgress(3), "page 3"),
        (PageProgress(3, tokens=1204), "page 3, 1,204 tokens"),
        (PageProgress(3, 12, 39, 1204), "page 3, 12 of 39 regions, 1,204 tokens"),
    ],
)
def test_the_line_says_how_far_the_page_is(terminal: Terminal, progress: PageProgress, line: str) -> None:
    terminal.begin(1)
    terminal.opened("paper.pdf", 4)
    terminal.reading(progress)
    assert shown(terminal) == line


def test_a_page_that_ended_counts_and_is_under_way_no_more(terminal: Terminal) -> None:
    terminal.begin(2)
    terminal.opened("paper.pdf", 4)
    terminal.reading(PageProgress(1, 3, 9, 40))
    assert shown(terminal) == "0/2 documents, page 1, 3 of 9 regions, 40 tokens"
    done = {
        "status": "ok",
        "engine": "tiny",
        "seconds": {},
        "error": "",
        "error_category": "",
        "attempts": 1,
        "key": "",
    }
    terminal.page(Entry(input="paper.pdf", page=1, **done))
    assert shown(terminal) == "0/2 documents, pages"
    assert terminal.progress.tasks[0].completed == 1


def test_where_stderr_is_no_terminal_nothing_is_shown_of_a_page_under_way(capfd: pytest.CaptureFixture[str]) -> None:
    with Terminal.observer(Console(quiet=False, verbose=2)) as observer:
        assert type(observer) is Lines
        observer.reading(PageProgress(1, 3, 9, 40))
    assert capfd.readouterr() == ("", "")
