"""A report beside an older one: did a method become slower or less accurate, each time beside plain decoding?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from docparse.bench.columns import Cell, Column, Line, Table
from docparse.bench.options import BenchOptions
from docparse.bench.report import Report, older
from docparse.bench.rows import AR, OVERALL, PageRow
from docparse.bench.summaries import COLUMNS, Summary, summarise
from docparse.errors import UsageError

NUMBERS = ("sr_decode", "sr_e2e", "identical", "cer")
CHOICE = ("method", "ablate", "reproduce", "leave_out", "runs")  # of rows: those that both reports have are compared


class Change(NamedTuple):
    """One number of a method before and now, over the pages that it has read in both reports."""

    number: str
    before: Summary
    now: Summary

    @property
    def ratio(self) -> float:
        """Return how many times as good it is now: below 1 it became worse, an error rate as well."""
        over, under = self.now[self.number], self.before[self.number]
        if self.number == "cer":
            over, under = under, over
        return over / under if under else float("inf") if over else 1.0

    @property
    def cells(self) -> list[Cell]:
        column = COLUMNS[self.number]
        named = [Cell(self.now.method), Cell(column.name)]
        return [*named, column.cell(self.before), column.cell(self.now), Cell(f"{self.ratio:.3f}")]

    def __str__(self) -> str:
        method, number, before, now, ratio = self.cells
        return f"{self.now.model} with {method}: {number} was {before} and is {now}, a ratio of {ratio}"


def comparable(path: Path, settings: Mapping[str, Any], methods: Collection[str]) -> Report:
    """Return the report at `path`, to compare one of these settings and methods with. Raises `UsageError` where it is
    none, or measured something else."""
    old = older(path, "--compare")
    if early := old.unfinished:
        raise UsageError(f"--compare {path}: that run ended early ({early.why}), on other pages: measure again")
    if settings.get("throughput") or old.throughput:
        raise UsageError(f"--compare {path}: throughput has no single pages to compare")
    for name, default in asdict(BenchOptions()).items():
        before, now = (found.get(name, default) for found in (old.settings, settings))
        if before != now and name not in CHOICE:
            option = name.replace("_", "-")
            raise UsageError(f"--compare {path}: it was measured with --{option} {before}, this run with {now}")
    measured = [name for name in old.methods if name != AR]
    if not set(methods) & set(measured):
        raise UsageError(f"--compare {path}: it has none of these methods, it has {', '.join(measured)}")
    return old


def changes(old: Report, new: Report) -> Iterator[Change]:
    """Yield the numbers that both have of a method, plain decoding aside."""
    both = set(map(_key, old.rows)) & set(map(_key, new.rows))
    before, now = (
        {(each.model, each.method): each for each in summarise(rows) if each.category == OVERALL}
        for rows in ([row for row in report.rows if _key(row) in both] for report in (old, new))
    )
    for key in (key for key in now if key[1] != AR):
        for number in NUMBERS:
            if None not in (before[key][number], now[key][number]):
                yield Change(number, before[key], now[key])


def _key(row: PageRow) -> tuple[str, str, str, int]:
    return row.model, row.method, row.page, row.run


def as_table(found: list[Change], threshold: float) -> Table:
    """Return a line for each; what is below `threshold` is bad."""
    lines = [Line(change.now.model, change.cells, change.ratio < threshold) for change in found]
    columns = [Column(name) for name in ("method", "number", "before", "now", "ratio")]
    return Table("beside the older report; a ratio below 1 is worse", columns, lines, head="model")
