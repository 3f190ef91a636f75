"""One model's part of a report, as plots and tables want it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from docparse.bench.ablate import Ablation
from docparse.bench.report import Measured, Report
from docparse.bench.rows import AR, OVERALL, Failure, Row, Summary, Throughput
from docparse.bench.show.kinds import MANY, STACKS, family_of
from docparse.bench.show.lost import Lost, lost
from docparse.bench.show.remarks import written
from docparse.bench.show.report_html.ink import MUTED, series
from docparse.bench.traces import Trace

LONGEST_NAME = 40


@dataclass(frozen=True)
class Chapter:
    """`methods` are names with their spelling, `baseline` is the one that speedups are against, `lossless` are those
    that promise plain decoding's output."""

    measured: Measured
    drafts: str
    methods: dict[str, str]
    baseline: str
    lossless: Sequence[str]
    summary: Sequence[Summary]
    rows: Sequence[Row]
    failures: Sequence[Failure]
    traces: Sequence[Trace]
    ablations: Sequence[Ablation]
    throughput: Throughput | None = None

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

    @property
    def many(self) -> bool:
        """Methods, too many for a colour and a label each: then the settings of one method share them."""
        return len(self.overall) > MANY

    @cached_property
    def families(self) -> dict[str, list[str]]:
        """Methods by what they share a colour with, the baseline aside."""
        found: dict[str, list[str]] = {}
        for name in (each.method for each in self.overall if each.method != self.baseline):
            found.setdefault(family_of(self.methods.get(name, name)) if self.many else name, []).append(name)
        return {name: found[name] for name in sorted(found, key=lambda name: name == STACKS)}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Of every method the number of its family."""
        return {name: number for number, names in enumerate(self.families.values()) for name in names}

    @cached_property
    def colours(self) -> dict[str, str]:
        """Of every method, the baseline in grey."""
        return {self.baseline: MUTED} | {name: series(number) for name, number in self.numbers.items()}

    def plain(self, category: str = OVERALL) -> Summary | None:
        """Plain decoding over these pages."""
        return next((each for each in self.summary if (each.method, each.category) == (AR, category)), None)

    def lost(self, each: Summary) -> Lost | None:
        """Character error rate beyond plain decoding's."""
        return lost(self.rows, each)

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
            report.drafts,
            report.methods,
            report.baseline,
            report.lossless,
            [each for each in report.summary if each.model == measured.name],
            [each for each in report.rows if each.model == measured.name],
            [each for each in report.failures if each.model == measured.name],
            [each for each in report.traces if each.model == measured.name],
            [each for each in report.ablations if each.model == measured.name],
            next((each for each in report.throughput if each.model == measured.name), None),
        )
        for measured in report.models
    ]


def short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
