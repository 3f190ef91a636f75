"""A report, the file that it is kept in, and a report beside an older one."""

import math
from io import StringIO

import msgspec
import pytest
from rich.console import Console

from docparse.bench.compare import beside, comparable
from docparse.bench.report import Unfinished, encoded, older
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.bench.show.terminal import show_table
from docparse.errors import UsageError


@pytest.fixture
def measured(row, report_of):
    """`measured(hsd=2.0, cer=0.1)` -> a report in which HSD decodes two pages in so many seconds, AR in 8."""

    def build(hsd=2.0, cer=0.1):
        rows = [
            row(page, method, decode=seconds, picture=0.0, cer=cer)
            for page in "ab"
            for method, seconds in ((AR, 8.0), ("hsd", hsd))
        ]
        return report_of(rows, settings=BenchRequest().settings)

    return build


@pytest.fixture
def compared(tmp_path):
    """`compared(report, request)` -> the report that was kept, where a run of that request may stand beside it."""

    def kept(report, request):
        (tmp_path / "old.json").write_bytes(encoded(report))
        return comparable(tmp_path / "old.json", request.settings, request.stacks)

    return kept


def found(old, new, threshold=0.0):
    return {line.cells[1].text: line for line in beside(old, new, threshold).lines}


def ratios(old, new):
    return {name: line.cells[-1].number for name, line in found(old, new).items()}


def test_a_slowdown_is_a_ratio_below_1_with_both_speedups(measured):
    lines = found(measured(hsd=2.0), measured(hsd=2.5), threshold=0.95)
    assert list(map(str, lines["SR_decode"].cells)) == [
        *("hsd", "SR_decode", "4.00 [4.00 4.00]?", "3.20 [3.20 3.20]?", "0.800")
    ]
    assert {name for name, line in lines.items() if line.bad} == {"SR_decode", "SR_e2e"}
    assert not any(line.bad for line in found(measured(hsd=2.0), measured(hsd=2.5), threshold=0.8).values())


def test_a_narrow_terminal_shows_every_column_of_a_comparison_without_the_intervals(measured):
    screen = Console(width=48, record=True, file=StringIO())
    table = beside(measured(hsd=2.0), measured(hsd=2.5), 0.0)
    assert show_table(table, screen) == table.columns
    (line,) = [line for line in screen.export_text().splitlines() if "SR_decode" in line]
    assert line.split() == ["m", "hsd", "SR_decode", "4.00", "3.20", "0.800"]


def test_more_errors_are_worse(measured):
    errors = [(0.1, 0.2, 0.5), (0.2, 0.1, 2.0), (0.0, 0.2, 0.0), (0.2, 0.0, math.inf), (0.0, 0.0, 1.0)]
    for before, now, ratio in errors:
        assert ratios(measured(cer=before), measured(cer=now))["CER %"] == ratio
    # what is not known in both is not compared
    assert set(ratios(measured(cer=None), measured(cer=0.2))) == {"SR_decode", "SR_e2e", "same"}


def test_pages_that_a_method_has_read_in_one_run_only_are_left_out(measured):
    old = measured(cer=0.1)
    failed = [each for each in measured(cer=0.2).rows if (each.page, each.method) != ("b", "hsd")]
    worse_on_b = [msgspec.structs.replace(each, cer=0.9) if each.page == "b" else each for each in old.rows]
    before, now = (msgspec.structs.replace(old, rows=tuple(rows)) for rows in (worse_on_b, failed))
    cells = found(before, now)["CER %"].cells
    assert [cell.text for cell in cells[2:]] == ["10.0", "20.0", "0.500"]


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"drafts": "oracle"}, "--drafts pipeline, this run with oracle"),
        ({"box_jitter": 0.1}, "--box-jitter 0.0, this run with 0.1"),
        ({"pages": 3}, "--pages 20, this run with 3"),
        ({"method": "hsd(tau=0.5)"}, "none of these methods, it has hsd"),
        ({"throughput": "1,4"}, "throughput has no single pages"),
    ],
)
def test_another_measurement_is_not_compared(measured, compared, asked, word):
    with pytest.raises(UsageError, match=word):
        compared(measured(), BenchRequest(**asked))


def test_other_methods_and_more_runs_beside_the_same_one_are_compared(measured, compared):
    report = measured()  # which says what the machine was like at that moment
    assert compared(report, BenchRequest(method="hsd,lookup", runs=2, leave_out="loops")) == report


def test_a_report_from_before_an_option_was_there_had_its_default(measured, compared):
    old = measured()
    settings = {name: value for name, value in old.settings.items() if name != "box_jitter"} | {"baseline": "ar"}
    old = msgspec.structs.replace(old, settings=settings)
    assert compared(old, BenchRequest(method="hsd")).settings == settings


def test_a_run_that_ended_early_is_not_compared_with(measured, compared):
    early = Unfinished(why="interrupted", pages={"m": 2}, of=20)
    with pytest.raises(UsageError, match="ended early \\(interrupted\\)"):
        compared(msgspec.structs.replace(measured(), unfinished=early), BenchRequest(method="hsd"))


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "No such file"),
        (b"{", "not a JSON report"),
        (b"[1]", "not a JSON report"),
        (b"\xff\xfe", "not a JSON report"),
        (b'{"schema": "docparse-bench-1"}', "docparse-bench-1, this docparse writes docparse-bench-2"),
        (b'{"schema": "docparse-bench-2"}', "not a JSON report"),
    ],
)
def test_what_is_no_report_of_this_kind_is_one_line(tmp_path, content, word):
    path = tmp_path / "old.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=word):
        older(path, "--report")
