"""What a person sees on a terminal while pages are read."""

import io
from collections.abc import Iterator

import pytest
from rich.console import Console as RichConsole
from rich.progress import Progress

from docparse.cli.progress import Console, Lines, Terminal
from docparse.run.journal import JournalEntry
from docparse.run.result import DocumentResult, PageProgress


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Progress(console=RichConsole(file=io.StringIO(), force_terminal=True)) as progress:
        yield Terminal(Console(quiet=False, verbose=0), progress)


def shown(terminal: Terminal) -> str:
    return terminal.progress.tasks[0].description


def test_before_a_document_is_open_nobody_knows_how_many_pages_there_are(terminal):
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
def test_the_line_says_how_far_the_page_is(terminal, progress, line):
    terminal.begin(1)
    terminal.opened("paper.pdf", 4)
    terminal.reading(progress)
    assert shown(terminal) == line


def test_a_page_that_ended_counts_and_is_under_way_no_more(terminal):
    terminal.begin(2)
    terminal.opened("paper.pdf", 4)
    terminal.reading(PageProgress(1, 3, 9, 40))
    assert shown(terminal) == "0/2 documents, page 1, 3 of 9 regions, 40 tokens"
    terminal.page(JournalEntry(input="paper.pdf", page=1, status="ok", **PAGE))
    assert shown(terminal) == "0/2 documents, pages"
    assert terminal.progress.tasks[0].completed == 1


def test_where_stderr_is_no_terminal_nothing_is_shown_of_a_page_under_way(capfd):
    with Terminal.observer(Console(quiet=False, verbose=2)) as observer:
        assert type(observer) is Lines
        observer.reading(PageProgress(1, 3, 9, 40))
    assert capfd.readouterr() == ("", "")


PAGE = {"engine": "tiny", "seconds": {}, "error": "", "error_category": "", "attempts": 1, "key": ""}
DOCUMENTS = [
    DocumentResult(input="a.pdf", status="ok", pages=12, outputs=("out/a.md",), seconds=3.14, warnings=("a warning",)),
    DocumentResult(input="b.pdf", status="failed", error="b.pdf: empty", error_category="input"),
    DocumentResult(
        input="c.pdf",
        status="partial",
        pages=2,
        failed_pages=(2,),
        outputs=("out/c.md",),
        error="c.pdf: page 2 failed; page 9 is not there",
        warnings=("page 9 is not there",),
        seconds=1.0,
    ),
]
ERRORS = [
    "docparse: c.pdf: page 2 failed: it is damaged",
    "docparse: b.pdf: empty",
    "docparse: c.pdf: page 9 is not there",
]


def told(capfd: pytest.CaptureFixture[str], *, documents: int = 3, quiet: bool = False, verbose: int = 0) -> list[str]:
    """What is said of two pages and three documents."""
    lines = Lines(Console(quiet=quiet, verbose=verbose))
    lines.begin(documents)
    lines.page(JournalEntry(input="c.pdf", page=1, status="ok", text_quality="good", warnings=("it is huge",), **PAGE))
    failure = {"status": "failed", "error": "c.pdf: page 2: it is damaged", "error_category": "damaged"}
    lines.page(JournalEntry(input="c.pdf", page=2, **(PAGE | failure)))
    for result in DOCUMENTS:
        lines.document(result)
    return capfd.readouterr().err.splitlines()


def test_quiet_leaves_errors_and_nothing_else(capfd):
    assert told(capfd, quiet=True) == ERRORS
    assert told(capfd, quiet=True, documents=1, verbose=2) == ERRORS


def test_warnings_are_said_unless_quiet(capfd):
    assert [line for line in told(capfd) if line not in ERRORS] == ["c.pdf: page 1: it is huge", "a.pdf: a warning"]


def test_of_one_document_it_is_said_what_was_written(capfd):
    written = {"a.pdf: out/a.md: 12 pages in 3.1 s", "c.pdf: out/c.md: 1 of 2 pages in 1.0 s"}
    assert written & set(told(capfd)) == set()
    assert written <= set(told(capfd, documents=1))
    assert written <= set(told(capfd, verbose=1))


def test_a_failed_page_is_not_reported_as_read(capfd):
    assert [line for line in told(capfd, verbose=1) if "page 2" in line] == ERRORS[:1]


def test_of_standard_output_no_file_is_named(capfd):
    lines = Lines(Console(quiet=False, verbose=1), to_stdout=True)
    lines.begin(1)
    lines.document(DOCUMENTS[0])
    assert capfd.readouterr().err.splitlines()[-1] == "a.pdf: 12 pages in 3.1 s"


def test_what_an_earlier_run_left_out_is_said_although_there_is_a_warning(capfd):
    lines = Lines(Console(quiet=True, verbose=0))
    lines.begin(1)
    partial = {"status": "partial", "pages": 1, "partial_pages": (1,), "outputs": ("out/d.md",), "resumed": True}
    lines.document(DocumentResult(input="d.pdf", error="d.pdf: page 1 partial", warnings=("it is empty",), **partial))
    assert capfd.readouterr().err.splitlines() == ["docparse: d.pdf: page 1 partial in an earlier run"]


def test_a_choice_is_told_once_and_again_when_it_changes(capfd):
    lines = Lines(Console(quiet=False, verbose=0))
    for page, chosen in enumerate(["hsd (x)", "hsd (x)", "none (y)", ""], 1):
        lines.page(JournalEntry(input="a.pdf", page=page, status="ok", chosen=chosen, **PAGE))
    assert capfd.readouterr().err.splitlines() == [
        "a.pdf: page 1: --accel auto: hsd (x)",
        "a.pdf: page 3: --accel auto: none (y)",
    ]
