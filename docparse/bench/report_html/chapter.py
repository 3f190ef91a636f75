"""One model's part of a report, as plots and tables want it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from docparse.bench.ablate import Ablation
from docparse.bench.remarks import written
from docparse.bench.report import Measured, Report
from docparse.bench.report_html.ink import MUTED, series
from docparse.bench.rows import OVERALL, Failure, Row, Summary
from docparse.bench.traces import Trace

LONGEST_NAME = 40


@dataclass(frozen=True)
class Chapter:
    """`baseline` is the method that speedups are against, `lossless` are those that promise plain decoding's output."""

    measured: Measured
    baseline: str
    lossless: Sequence[str]
    summary: Sequence[Summary]
    rows: Sequence[Row]
    failures: Sequence[Failure]
    traces: Sequence[Trace]
    ablations: Sequence[Ablation]

    @property
    def model(self) -> str:
        return self.measured.name

    @cached_property
    def overall(self) -> list[Summary]:
        return [each for each in self.summary if each.category == OVERALL]

    @cached_property
    def categories(self) -> dict[str, list[Summary]]:
        """Other than all pages."""
        names = dict.fromkeys(each.category for each in self.summary if each.category != OVERALL)
        return {name: [each for each in self.summary if each.category == name] for name in names}

    @cached_property
    def colours(self) -> dict[str, str]:
        """Of every method, the baseline in grey."""
        others = [each.method for each in self.overall if each.method != self.baseline]
        return {self.baseline: MUTED} | {name: series(number) for number, name in enumerate(others)}

    @property
    def truth(self) -> bool:
        """Whether every method was compared with ground truth."""
        return bool(self.overall) and all(each.cer is not None for each in self.overall)

    def written(self, method: str, category: str = OVERALL) -> tuple[float, float]:
        """Tokens of a page, mean, and their share of what the baseline writes of the same pages."""
        rows = [row for row in self.rows if category in (OVERALL, row.category)]
        return written(rows, method, self.baseline)

    def broken(self, each: Summary) -> bool:
        """Called lossless, and not identical."""
        return each.method in self.lossless and each.identical < 1


def chapters(report: Report) -> list[Chapter]:
    """One for each model, in the order of the report."""
    return [
        Chapter(
            measured,
            report.baseline,
            report.lossless,
            [each for each in report.summary if each.model == measured.name],
            [each for each in report.rows if each.model == measured.name],
            [each for each in report.failures if each.model == measured.name],
            [each for each in report.traces if each.model == measured.name],
            [each for each in report.ablations if each.model == measured.name],
        )
        for measured in report.models
    ]


def short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
