"""What has to be known of a report before its numbers are believed, the same on the terminal and in the HTML file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from docparse.bench.columns import Column, meanings
from docparse.bench.report import Report, Unfinished
from docparse.bench.rows import AR, OVERALL, PageRow
from docparse.bench.summaries import COLUMNS, Summary

FEW_PAGES = 10
SHORTER = 0.9  # of the baseline's tokens: less, and a speedup is that of a shorter text
CUT = {"length": "cut by --max-tokens or a region's room", "loop": "cut in a loop"}  # how outputs ended -> in words
DRAFTS = {
    "oracle": "Drafts are an oracle: plain decoding's own output, cut into regions. No real draft is as good.",
    "truth": "Drafts are the page's true text, which no real run has; they cost no time.",
}


def terms(report: Report, columns: Iterable[Column] = ()) -> str:
    """Return what has to be known before the first number, how intervals came about, and what columns are."""
    said = f"{AR}: plain decoding, a token per pass."
    first = (COLUMNS["cer"], COLUMNS["aal"]) if report.rows else ()
    if first:
        said += (
            f" SR (speedup ratio): seconds of {report.baseline} over the method's, summed over pages, drafts included; "
            "in brackets 95 % intervals over pages."
        )
    return f"{said} {meanings({each.name: each for each in (*first, *columns)}.values())}".rstrip()


def remarks(report: Report) -> Iterator[str]:
    """Yield remarks about a run that ended early, models, drafts, the number of pages and those that failed, what
    `auto` took, and outputs that are short."""
    if report.unfinished:
        yield f"This run is {unfinished(report.unfinished)}."
    for why, pages in Counter(report.left_out.values()).items():
        yield f"Pages left out, as plain decoding wrote {why}: {pages}."
    yield from _about_models(report)
    if report.drafts in DRAFTS:
        yield DRAFTS[report.drafts]
    if report.damage:
        yield f"Drafts were damaged on purpose: {report.damage}."
    count = report.pages
    if count < FEW_PAGES:
        yield f"{count} page{'s' * (count != 1)}: too few to generalise from."
    for model in report.models:
        rows = [row for row in report.rows if row.model == model.name]
        yield from _failed(report, model.name)
        if not model.random_weights:  # its outputs are all as long as they may be
            yield from _cut(rows, report.baseline)
        overall = report.summaries(model.name, OVERALL)
        base = next((each.written for each in overall if each.method == report.baseline), None) or 1.0
        for each in overall:
            yield from _of_method(each, base, report.baseline)


def _about_models(report: Report) -> Iterator[str]:
    """What a model's weights, tokens and calibration make of the numbers."""
    for model in report.models:
        for source in model.presets.values():
            yield f"{model.name}, {source}."
        if model.random_weights:
            yield (
                f"{model.name} has random weights: this shows speed and exactness, its text means nothing, and it "
                "accepts no real draft."
            )
        if model.token_per_character:
            yield (
                f"{model.name} writes one token per character, so acceptance lengths and speedups here are not "
                "comparable with those in papers, where a token is about four."
            )


def unfinished(early: Unfinished) -> str:
    """Return how far a run came."""
    read = ", ".join(f"{count} of {early.of} pages by {name}" for name, count in early.pages.items())
    return f"not finished ({early.why}): read were {read}"


def _failed(report: Report, model: str) -> Iterator[str]:
    """Methods whose numbers are not of all pages."""
    failed: dict[str, set[str]] = {}
    for each in report.failures:
        if each.model == model:
            failed.setdefault(each.method, set()).add(each.page)
    for method, names in failed.items():
        which = "no method was tried on them" if method == AR else "its numbers are those of the others"
        yield f"{model}: {method} failed on {len(names)} page{'s' * (len(names) != 1)}: {which}."


def _cut(rows: Sequence[PageRow], baseline: str) -> Iterator[str]:
    """Outputs that ended before the model was done."""
    pages = len({row.page for row in rows})
    for ending, how in CUT.items():
        cut: dict[str, set[str]] = {row.method: set() for row in rows}
        for row in rows:
            if ending in row.endings:
                cut[row.method].add(row.page)
        counts = {method: len(names) for method, names in cut.items()}
        plain, (worst, most) = counts.get(baseline, 0), max(counts.items(), key=lambda item: item[1], default=("", 0))
        if most:
            others = f", with {worst} {most}" if most > plain else ""
            yield f"{rows[0].model}: {how}, with {baseline} {plain} of {pages} pages{others}: their ends are missing."


def _of_method(summary: Summary, base: float, baseline: str) -> Iterator[str]:
    """What `auto` took, and how much less a method writes than the baseline, which writes `base` times plain decoding's
    tokens."""
    if count := sum(summary.chosen.values()):
        took = ", ".join(f"{times / count:.0%} {chosen}" for chosen, times in summary.chosen.items())
        yield f"{summary.method} took, of the pages ({summary.model}): {took}."
    if summary.written is not None and (share := summary.written / base) < SHORTER:
        yield (
            f"{summary.method} writes {share:.0%} of the tokens that {baseline} writes ({summary.model}): "
            "part of its speedup is due to a shorter text."
        )
