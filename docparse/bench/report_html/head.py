"""What a report says before its tables: what was run, and the numbers that matter most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docparse.bench.report import Report
from docparse.bench.report_html.chapter import Chapter, short
from docparse.bench.rows import Summary

POINT = 0.01  # of character error rate


@dataclass(frozen=True)
class Highlight:
    figure: str
    what: str
    note: str


def lead(report: Report) -> str:
    count = len({row.page for row in report.rows})
    pages = f"{count} page{'s' * (count != 1)}"
    return f"{len(report.methods)} methods on {pages} of {report.data}, drafts: {report.drafts}"


def highlights(chapter: Chapter, many: bool) -> Iterator[Highlight]:
    """The quickest method that changes nothing, and the quickest other that costs at most a point of accuracy."""
    others = [each for each in chapter.overall if each.method != chapter.baseline]
    where = f", {chapter.model}" if many else ""
    exact = [each for each in others if each.method in chapter.lossless and each.identical == 1]
    if exact:
        best = max(exact, key=lambda each: each.sr_e2e)
        yield _highlight(best, f"quickest lossless method: {short(best.method)}{where}")
    base = next((each for each in chapter.overall if each.method == chapter.baseline), None)
    if base is None or not chapter.truth or chapter.measured.random_weights:
        return
    near = [each for each in others if (each.cer or 0.0) - (base.cer or 0.0) <= POINT and each not in exact]
    if near:
        best = max(near, key=lambda each: each.sr_e2e)
        yield _highlight(best, f"quickest of the others within a point of CER: {short(best.method)}{where}")
    yield Highlight(f"{100 * (base.cer or 0.0):.2f} %", f"character error rate of {base.method}{where}", "")


def _highlight(each: Summary, what: str) -> Highlight:
    ends = each.sr_e2e_interval
    spread = f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else ""
    return Highlight(f"{each.sr_e2e:.2f}×", what, f"end to end{spread}; decoding {each.sr_decode:.2f}×")
