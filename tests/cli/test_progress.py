"""What a person sees on a terminal while pages are read."""

import io

import pytest
from rich.console import Console as RichConsole
from rich.progress import Progress

from docparse.cli.progress import Console, Lines, Terminal
from docparse.run.journal import JournalEntry
from docparse.run.result import DocumentResult, PageProgress


def line(page, status="ok", name="c.pdf", **more):
    fields = {"engine": "tiny", "seconds": {}, "error": "", "error_category": "", "attempts": 1, "key": ""}
    return JournalEntry(input=name, page=page, status=status, **(fields | more))


@pytest.fixture
def terminal():
    with Progress(console=RichConsole(file=io.StringIO(), force_terminal=True)) as progress:
        yield Terminal(Console(quiet=False, verbose=0), progress)


@pytest.mark.parametrize(
    "documents, progress, shown",
    [
        (1, PageProgress(3), "page 3"),
        (1, PageProgress(3, tokens=1204), "page 3, 1,204 tokens"),
        (1, PageProgress(3, 12, 39, 1204), "page 3, 12 of 39 regions, 1,204 tokens"),
        (2, PageProgress(1, 3, 9, 40), "0/2 documents, page 1, 3 of 9 regions, 40 tokens"),
    ],
)
def test_the_line_says_how_far_the_page_is_until_it_has_ended(terminal, documents, progress, shown):
    task = terminal.progress.tasks[0]
    terminal.begin(documents)
    assert task.total is None  # the bar moves to and fro, while a model is loaded
    terminal.opened("paper.pdf", range(4))
    terminal.reading(progress)
    assert (task.description, task.total) == (shown, 4)
    terminal.page(line(progress.page))
    assert (task.description, task.completed) == (shown.split("page ")[0] + "pages", 1)


def test_where_stderr_is_no_terminal_nothing_is_shown_of_a_page_under_way(capfd):
    with Terminal.observer(Console(quiet=False, verbose=2)) as observer:
        assert type(observer) is Lines
        observer.reading(PageProgress(1, 3, 9, 40))
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def told(capfd):
    """`told(pages, documents, of=3, quiet=True)` -> the lines that are said of them in a run over `of` documents."""

    def lines(pages=(), documents=(), of=3, quiet=False, verbose=0, **how):
        observer = Lines(Console(quiet=quiet, verbose=verbose), **how)
        observer.begin(of)
        for page in pages:
            observer.page(page)
        for document in documents:
            observer.document(document)
        return capfd.readouterr().err.splitlines()

    return lines


OK = DocumentResult(input="a.pdf", status="ok", pages=12, outputs=("out/a.md",), seconds=3.14, warnings=("a warning",))
CUT = DocumentResult(
    input="c.pdf", status="partial", pages=2, failed_pages=(2,), outputs=("out/c.md",), seconds=1.0,
    error="c.pdf: page 2 failed; page 9 is not there", warnings=("page 9 is not there",),
)  # fmt: skip
DOCUMENTS = [OK, DocumentResult(input="b.pdf", status="failed", error="b.pdf: empty", error_category="input"), CUT]
PAGES = [
    line(1, text_quality="good", warnings=("it is huge",)),
    line(2, "failed", error="c.pdf: page 2: it is damaged", error_category="damaged"),
]
ERRORS = [
    "docparse: c.pdf: page 2 failed: it is damaged",
    "docparse: b.pdf: empty",
    "docparse: c.pdf: page 9 is not there",
]
WARNINGS = ["c.pdf: page 1: it is huge", "a.pdf: a warning"]
WRITTEN = ["a.pdf: out/a.md: 12 pages in 3.1 s", "c.pdf: out/c.md: 1 of 2 pages in 1.0 s"]


@pytest.mark.parametrize(
    "how, expected",
    [
        ({"quiet": True}, ERRORS),
        ({"quiet": True, "of": 1, "verbose": 2}, ERRORS),
        ({}, ERRORS + WARNINGS),
        ({"of": 1}, ERRORS + WARNINGS + WRITTEN),
    ],
    ids=["quiet", "quiet and verbose", "usual", "one document"],
)
def test_what_is_said_of_a_run(told, how, expected):
    assert sorted(told(PAGES, DOCUMENTS, **how)) == sorted(expected)


def test_verbose_says_what_was_written_and_a_failed_page_is_not_reported_as_read(told):
    lines = told(PAGES, DOCUMENTS, verbose=1)
    assert {*ERRORS, *WRITTEN} <= set(lines)
    assert [each for each in lines if "page 2" in each] == ERRORS[:1]


def test_of_standard_output_no_file_is_named_and_what_an_earlier_run_left_out_is_said_beside_a_warning(told):
    assert told(documents=[OK], of=1, verbose=1, to_stdout=True)[-1] == "a.pdf: 12 pages in 3.1 s"
    partial = {"status": "partial", "pages": 1, "partial_pages": (1,), "outputs": ("out/d.md",), "resumed": True}
    found = DocumentResult(input="d.pdf", error="d.pdf: page 1 partial", warnings=("it is empty",), **partial)
    assert told(documents=[found], of=1, quiet=True) == ["docparse: d.pdf: page 1 partial in an earlier run"]


def test_a_choice_is_told_once_and_again_when_it_changes(told):
    chosen = [line(page, chosen=choice) for page, choice in enumerate(["hsd (x)", "hsd (x)", "none (y)", ""], 1)]
    assert told(chosen) == ["c.pdf: page 1: --accel auto: hsd (x)", "c.pdf: page 3: --accel auto: none (y)"]
