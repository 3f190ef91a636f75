"""What a report says before its tables: what was run, the numbers that matter most, and what to know about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docparse.bench.report import Report
from docparse.bench.report_html.chapter import Chapter, short
from docparse.bench.report_html.columns import SHORTER
from docparse.bench.rows import Summary

FEW_PAGES = 10
POINT = 0.01  # of character error rate


@dataclass(frozen=True)
class Highlight:
    figure: str
    what: str
    note: str


def lead(report: Report) -> str:
    count = len({row.page for row in report.rows})
    return f"{len(report.methods)} methods on {_pages(count)} of {report.data}, drafts: {report.drafts}"


def _pages(count: int) -> str:
    return f"{count} page{'s' * (count != 1)}"


def highlights(chapter: Chapter, many: bool) -> Iterator[Highlight]:
    """The quickest method that changes nothing, and the quickest one that costs at most a point of accuracy."""
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
        yield _highlight(best, f"quickest that loses at most a point of CER: {short(best.method)}{where}")
    yield Highlight(f"{100 * (base.cer or 0.0):.2f} %", f"character error rate of {base.method}{where}", "")


def _highlight(each: Summary, what: str) -> Highlight:
    ends = each.sr_e2e_interval
    spread = f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else ""
    return Highlight(f"{each.sr_e2e:.2f}×", what, f"end to end{spread}; decoding {each.sr_decode:.2f}×")


def remarks(report: Report, found: Sequence[Chapter]) -> Iterator[str]:
    """What a reader has to know before believing a number."""
    for each in report.models:
        if each.random_weights:
            yield f"{each.name} has random weights: this shows speed and exactness, and its text means nothing."
        if each.token_per_character:
            yield (
                f"{each.name} writes one token for each character, so acceptance lengths here are no neighbours of "
                "those in papers, where a token is about four."
            )
    if report.drafts == "oracle":
        yield "Drafts are an oracle: plain decoding's own output, cut into regions. No real draft is as good."
    if report.drafts == "truth":
        yield "Drafts are the page's true text, which nobody has who still has to read it."
    count = len({row.page for row in report.rows})
    if count < FEW_PAGES:
        yield f"{_pages(count)}: too few to say much about others."
    for chapter in found:
        yield from _shorter(chapter)


def _shorter(chapter: Chapter) -> Iterator[str]:
    """Who stops early is done early."""
    for each in chapter.overall:
        _, share = chapter.written(each.method)
        if share < SHORTER:
            yield (
                f"{each.method} writes {share:.0%} of the tokens that {chapter.baseline} writes ({chapter.model}): "
                "part of its speed is that of a shorter text."
            )
