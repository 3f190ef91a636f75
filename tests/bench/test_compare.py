"""A report beside an older one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from docparse.bench.compare import Change, as_table, changes, check_comparable, older
from docparse.bench.report import Report, encoded
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.errors import UsageError


@pytest.fixture
def measured(row, report_of):
    """`measured(hsd=2.0, cer=0.1)` -> a report in which HSD decodes two pages in so many seconds, AR in 8."""

    def build(hsd: float = 2.0, cer: float = 0.1, **more: object) -> Report:
        rows = [
            row(page, method, decode=seconds, picture=0.0, cer=cer)
            for page in "ab"
            for method, seconds in ((AR, 8.0), ("hsd", hsd))
        ]
        return report_of(rows, settings=BenchRequest().settings, **more)

    return build


def test_the_same_report_has_not_changed(measured) -> None:
    found = changes(measured(), measured())
    assert {change.metric for change in found} == {"sr_decode", "sr_e2e", "identical", "cer"}
    assert {change.method for change in found} == {"hsd"}
    assert {change.ratio for change in found} == {1.0}


def test_an_injected_slowdown_is_caught(measured) -> None:
    found = {change.metric: change for change in changes(measured(hsd=2.0), measured(hsd=2.5))}
    assert found["sr_decode"] == Change("m", "hsd", "sr_decode", 4.0, 3.2)
    assert found["sr_decode"].ratio == pytest.approx(0.8)
    assert found["cer"].ratio == 1.0


def test_more_errors_are_worse(measured) -> None:
    found = {change.metric: change.ratio for change in changes(measured(cer=0.1), measured(cer=0.2))}
    assert found["cer"] == 0.5
    assert {change.ratio for change in changes(measured(cer=0.0), measured(cer=0.0))} == {1.0}


def test_pages_that_a_method_has_read_in_one_run_only_are_left_out(measured) -> None:
    old = measured(cer=0.1)
    failed = [each for each in measured(cer=0.2).rows if (each.page, each.method) != ("b", "hsd")]
    worse_on_b = [msgspec.structs.replace(each, cer=0.9) if each.page == "b" else each for each in old.rows]
    before, now = (msgspec.structs.replace(old, rows=tuple(rows)) for rows in (worse_on_b, failed))
    found = {change.metric: change for change in changes(before, now)}
    assert found["cer"] == Change("m", "hsd", "cer", 0.1, 0.2)


def test_what_fell_below_the_threshold_is_red(measured) -> None:
    table = as_table(changes(measured(hsd=2.0), measured(hsd=2.5)), 0.95)
    assert [line.bad for line in table.lines] == [True, True, False, False]


def test_a_report_comes_back_from_its_file(measured, tmp_path: Path) -> None:
    report, path = measured(), tmp_path / "old.json"
    path.write_bytes(encoded(report))
    assert older(path) == report


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "No such file"),
        (b"{", "not a JSON report"),
        (b"[1]", "not a JSON report"),
        (b"\xff\xfe", "not a JSON report"),
        (b'{"schema": "docparse-bench-1"}', "docparse-bench-1, this docparse writes docparse-bench-2"),
        (b'{"schema": "docparse-bench-2"}', "not a whole report"),
    ],
)
def test_what_is_no_report_of_this_kind_is_one_line(tmp_path: Path, content, word) -> None:
    path = tmp_path / "old.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=word) as caught:
        older(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"model": "dots.ocr"}, "--model tiny, this run with dots.ocr"),
        ({"data": "builtin:block"}, "--data builtin, this run with builtin:block"),
        ({"drafts": "oracle"}, "--drafts pipeline, this run with oracle"),
        ({"seed": 1}, "--seed 0"),
        ({"pages": 3}, "--pages 20, this run with 3"),
        ({"dtype": "bfloat16"}, "--dtype auto, this run with bfloat16"),
        ({"method": "lookup"}, "none of these methods, it has hsd"),
        ({"method": "hsd(tau=0.5)"}, "none of these methods"),
    ],
)
def test_another_measurement_is_not_compared(measured, tmp_path: Path, asked, word) -> None:
    request = BenchRequest(**asked)
    spelled = {name: str(stack) for name, stack in request.stacks.items()}
    with pytest.raises(UsageError, match=word):
        check_comparable(tmp_path / "old.json", measured(), request.settings, spelled)


def test_a_report_says_what_it_takes_to_run_it_again(measured) -> None:
    asked = msgspec.json.decode(encoded(measured()))["settings"]
    names = set(BenchRequest.__dataclass_fields__)
    assert BenchRequest(**{name: asked[name] for name in names}) == BenchRequest(drafts="pipeline", pages=20)
