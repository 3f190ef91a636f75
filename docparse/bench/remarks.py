"""What has to be known of a report before its numbers are believed, the same on the terminal and in the HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docparse.bench.report import Report
from docparse.bench.rows import OVERALL, Row

FEW_PAGES = 10
SHORTER = 0.9  # of the baseline's tokens: less, and a speedup is that of a shorter text
DRAFTS = {
    "oracle": "Drafts are an oracle: plain decoding's own output, cut into regions. No real draft is as good.",
    "truth": "Drafts are the page's true text, which nobody has who still has to read it; they cost no time.",
}


def remarks(report: Report) -> Iterator[str]:
    """Of models, drafts, the number of pages, and methods that are done early because they stop early."""
    for model in report.models:
        if model.random_weights:
            yield (
                f"{model.name} has random weights: this shows speed and exactness, its text means nothing, and no real "
                "draft is accepted."
            )
        if model.token_per_character:
            yield (
                f"{model.name} writes one token for each character, so acceptance lengths and speedups here are no "
                "neighbours of those in papers, where a token is about four."
            )
    if report.drafts in DRAFTS:
        yield DRAFTS[report.drafts]
    count = len({row.page for row in report.rows})
    if count < FEW_PAGES:
        yield f"{count} page{'s' * (count != 1)}: too few to say much about others."
    for each in report.summary:
        rows = [row for row in report.rows if row.model == each.model]
        if each.category == OVERALL and (share := written(rows, each.method, report.baseline)[1]) < SHORTER:
            yield (
                f"{each.method} writes {share:.0%} of the tokens that {report.baseline} writes ({each.model}): "
                "part of its speed is that of a shorter text."
            )


def written(rows: Sequence[Row], method: str, baseline: str) -> tuple[float, float]:
    """Tokens of a page, mean, and their share of what the baseline writes of the same pages; `rows` are one model's."""
    base = {(row.page, row.run): row.tokens for row in rows if row.method == baseline}
    pairs = [
        (row.tokens, base[row.page, row.run]) for row in rows if row.method == method and (row.page, row.run) in base
    ]
    tokens, others = (sum(counts) for counts in zip(*pairs, strict=True))
    return tokens / len(pairs), tokens / max(1, others)
