"""What a run has found so far, and the report of it: of all pages, or of those that were read when it ended early."""

from __future__ import annotations

from dataclasses import dataclass, field

from docparse.bench.report import Measured, Report, Unfinished, report
from docparse.bench.request import BenchRequest
from docparse.bench.rows import PageFailure, PageRow, Throughput
from docparse.bench.summaries import left_out
from docparse.bench.traces import Trace


@dataclass
class Measurement:
    """What came of one model."""

    model: Measured
    warm_up: float = 0.0
    rows: list[PageRow] = field(default_factory=list)
    failures: list[PageFailure] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    throughput: Throughput | None = None

    @property
    def pages(self) -> int:
        """Return how many have been tried; of throughput, how often a page was read."""
        if self.throughput:
            return sum(point.pages for point in self.throughput.points)
        return len({result.page for results in (self.rows, self.failures) for result in results})


@dataclass
class Findings:
    """What was asked for, on how many `pages` (of throughput: readings of one), and what came of each model so far."""

    request: BenchRequest
    pages: int
    found: list[Measurement] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not any(each.pages for each in self.found)

    @property
    def whole(self) -> bool:
        """Return whether all models have read all pages."""
        return len(self.found) == len(self.request.models) and all(each.pages == self.pages for each in self.found)

    def report(self, why: str = "") -> Report:
        """As a report; `why` says why it ended early, if it did."""
        request = self.request
        found = [each for each in self.found if each.pages]
        stacks = request.stacks
        rows = [row for each in found for row in each.rows]
        spared = left_out(rows, request.omitted)
        return report(
            [row for row in rows if row.page not in spared],
            baseline=request.baseline,
            models=tuple(each.model for each in found),
            methods={name: str(stack) for name, stack in stacks.items()},
            lossless=tuple(name for name, stack in stacks.items() if stack.lossless),
            data=request.data,
            drafts=request.drafted,
            seed=request.seed,
            warm_up_seconds=sum(each.warm_up for each in found),
            settings=request.settings,
            failures=tuple(failure for each in found for failure in each.failures),
            traces=tuple(one for each in found for one in each.traces),
            throughput=tuple(each.throughput for each in found if each.throughput),
            unfinished=self._unfinished(why) if why else None,
            left_out=spared,
        )

    def _unfinished(self, why: str) -> Unfinished:
        waiting = dict.fromkeys(self.request.models[len(self.found) :], 0)
        return Unfinished(why=why, pages={each.model.name: each.pages for each in self.found} | waiting, of=self.pages)
