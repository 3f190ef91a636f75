"""The report on the terminal, wide and narrow."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from docparse.bench.rows import AR
from docparse.bench.show.terminal import show


def shown(report, width: int = 160) -> str:
    console = Console(width=width, force_terminal=True, color_system="standard", highlight=False)
    with console.capture() as caught:
        show(report, console)
    return caught.get()


@pytest.fixture
def rows(row):
    drafted = {"proposed_by_source": {"ocr": 50}, "accepted_by_source": {"ocr": 20}}
    return [
        row(page, method, decode=seconds, cer=0.1, category=category, **more)
        for page, category in (("a", "text"), ("b", "text"), ("c", "tables"))
        for method, seconds, more in ((AR, 8.0, {}), ("hsd", 2.0, drafted))
    ]


@pytest.mark.parametrize("width", [160, 120, 70])
def test_speed_with_its_interval_and_accuracy_fit_on_every_terminal(rows, report_of, width) -> None:
    lines = shown(report_of(rows), width).splitlines()
    head = next(line for line in lines if "SR_decode" in line)
    overall = next(line for line in lines if "hsd" in line)
    assert "CER %" in head
    assert "AAL" in head
    assert "4.00 [4.00 4.00]" in overall
    assert ("10.0 [10.0 10.0]" in overall) is (width > 80)
    assert ("KV MiB" in head) is (width > 80)
    assert ("page s" in head) is (width == 160)


def test_categories_come_after_the_whole(rows, report_of) -> None:
    text = shown(report_of(rows))
    assert text.index("m, 3 pages of builtin") < text.index("CER % by category") < text.index("SR_e2e by category")
    assert "text (2)" in text and "tables (1)" in text


def test_a_lossless_method_that_wrote_something_else_is_red(row, report_of) -> None:
    rows = [row("a", AR, decode=2.0), row("a", "hsd", decode=1.0, identical=False), row("a", "h2o", decode=1.0)]
    report = report_of(rows)
    red = [line for line in shown(report).splitlines() if "\x1b[1;31m" in line]
    assert len(red) == 1
    assert "hsd" in red[0]
    assert report.broken == ["a (hsd)"]


def test_a_name_with_brackets_is_shown_as_it_is(row, report_of) -> None:
    rows = [row("a", AR, decode=2.0), row("a", "fastocr(keep=0.2)[x]", decode=1.0)]
    assert "fastocr(keep=0.2)[x]" in shown(report_of(rows))


def test_true_drafts_and_who_writes_less_are_told_on_the_terminal_too(row, report_of) -> None:
    rows = [row("a", AR, decode=2.0), row("a", "h2o", decode=1.0, tokens=30)]
    text = shown(report_of(rows, drafts="truth"))
    assert "which no real run has" in text
    assert "h2o writes 30% of the tokens that ar writes" in text
    assert "too few" in text


def test_oracle_drafts_are_called_so_beside_the_numbers(rows, report_of) -> None:
    text = shown(report_of(rows, drafts="oracle"))
    assert "oracle drafts" in text
    assert "plain decoding's own output" in text


def test_an_interval_of_a_handful_of_pages_is_marked(row, report_of) -> None:
    def of(count: int) -> str:
        pages = [str(number) for number in range(count)]
        return shown(report_of([row(page, name, decode=4.0) for page in pages for name in (AR, "hsd")]))

    assert "too narrow to be believed" in of(4)
    assert "too narrow to be believed" not in of(5)


@pytest.fixture
def many(row, report_of):
    """Fifty methods of every kind on five pages."""
    names = [AR, "hsd", "fastocr(keep=0.05,focal=0.34,rank=peak)", "fastocr+hsd", "auto"]
    names += [f"h2o(budget={budget / 100})" for budget in range(20, 43)]
    names += [f"divprune(keep={keep / 100})" for keep in range(20, 43)]
    pages = [(str(number), f"kind {number % 3}") for number in range(5)]
    return report_of([row(page, name, decode=3.0, category=kind, cer=0.1) for page, kind in pages for name in names])


@pytest.mark.parametrize("width", [80, 100, 120])
def test_fifty_methods_are_read_kind_by_kind_on_every_terminal(many, width) -> None:
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in shown(many, width).splitlines()]
    table = lines[: next(number for number, line in enumerate(lines) if "lossless method" in line)]
    assert max(map(len, table)) <= width
    kinds = ["plain decoding", "speculating", "pruning visual tokens", "evicting rows of the cache", "stacks"]
    places = [next(i for i, line in enumerate(table) if line.strip() == kind) for kind in kinds]
    assert places == sorted(places)
    assert sum("h2o(budget=" in line for line in table[places[3] :]) == 23
    assert not any("kind 0" in line for line in table)
    assert any("By category: --markdown" in line for line in lines)
