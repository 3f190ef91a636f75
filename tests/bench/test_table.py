"""The report on the terminal, wide and narrow."""

from __future__ import annotations

import pytest
from rich.console import Console

from docparse.bench.rows import AR
from docparse.bench.table import show


def shown(report, width: int = 160) -> str:
    console = Console(width=width, force_terminal=True, color_system="standard", highlight=False)
    with console.capture() as caught:
        show(report, console)
    return caught.get()


@pytest.fixture
def rows(row):
    return [
        row(page, method, decode=seconds, cer=0.1, category=category)
        for page, category in (("a", "text"), ("b", "text"), ("c", "tables"))
        for method, seconds in ((AR, 8.0), ("hsd", 2.0))
    ]


@pytest.mark.parametrize("width", [160, 120, 80])
def test_speed_with_its_interval_and_accuracy_fit_on_every_terminal(rows, report_of, width) -> None:
    lines = shown(report_of(rows), width).splitlines()
    head = next(line for line in lines if "SR_decode" in line)
    overall = next(line for line in lines if "hsd" in line)
    assert "CER %" in head
    assert "AAL" in head
    assert "4.00 [4.00 4.00]" in overall
    assert "10.0 [10.0 10.0]" in overall
    assert ("KV MiB" in head) is (width == 160)


def test_categories_come_after_the_whole(rows, report_of) -> None:
    text = shown(report_of(rows))
    assert 0 < text.index("overall: 3 p.") < text.index("text: 2 p.") < text.index("tables: 1 p.")


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
    assert "nobody has who still has to read it" in text
    assert "h2o writes 30% of the tokens that ar writes" in text
    assert "too few" in text


def test_oracle_drafts_are_called_so_beside_the_numbers(rows, report_of) -> None:
    text = shown(report_of(rows, drafts="oracle"))
    assert "drafts: oracle" in text
    assert "plain decoding's own output" in text
