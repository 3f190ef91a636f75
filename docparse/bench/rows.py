"""What one method did on one page, and what that comes to over pages: the arithmetic of a bench report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

AR = "ar"  # the name of the baseline: plain autoregressive decoding


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One page decoded by one method, once.

    `seconds` by stage: `picture` renders and preprocesses the page, `drafts` is the pipeline and writing its blocks as
    draft tokens, `regions` the region stage (its crops, prefill and decoding), `vision` the vision tower, `prefill` the
    decoder over the prompt and pruning it before that, `decode` everything after the first token, `markup` output to
    Markdown.
    `identical` says that the tokens are those of the baseline on this page, `distance` is the normalised edit distance
    of the two texts; `cer` is the character error rate against ground truth, None where there is none.
    """

    page: str
    category: str
    method: str
    run: int
    seconds: dict[str, float]
    tokens: int
    steps: int
    steps_with_candidates: int
    accepted: int
    accepted_by_source: dict[str, int]
    proposed_by_source: dict[str, int]
    prompt_tokens: int
    visual_tokens: int
    endings: tuple[str, ...]
    identical: bool
    distance: float
    cer: float | None = None

    @property
    def prefill(self) -> float:
        """The vision tower and the decoder over the prompt."""
        return self.seconds["vision"] + self.seconds["prefill"]

    @property
    def decoding(self) -> float:
        """What SR_decode compares: decoding with all that speculation costs; prefill and pictures excluded."""
        return self.seconds["drafts"] + self.seconds["regions"] + self.seconds["decode"]

    @property
    def total(self) -> float:
        """What SR_e2e compares: from page to markup."""
        return sum(self.seconds.values())


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """One method over the pages of one category (`overall`: all of them). Ratios are of summed seconds."""

    method: str
    category: str
    pages: int
    prefill: float  # median seconds of a page
    decode: float
    e2e: float
    sr_decode: float
    sr_e2e: float
    aal: float
    aal_with_candidates: float
    acceptance: dict[str, float]  # by source: accepted over proposed
    tokens_per_second: float  # while decoding
    identical: float  # share of pages
    distance: float  # mean, to the baseline's text
    cer: float | None


def summarise(rows: Sequence[Row]) -> list[Summary]:
    """A summary for each method, overall and by category; pages that the baseline did not read are left out."""
    methods = list(dict.fromkeys(row.method for row in rows))
    categories = list(dict.fromkeys(row.category for row in rows))
    summaries = []
    for category in ["overall", *(categories if len(categories) > 1 else [])]:
        chosen = [row for row in rows if category in ("overall", row.category)]
        baseline = {(row.page, row.run): row for row in chosen if row.method == AR}
        for method in methods:
            pairs = [
                (baseline[row.page, row.run], row)
                for row in chosen
                if row.method == method and (row.page, row.run) in baseline
            ]
            if pairs:
                summaries.append(_summary(method, category, pairs))
    return summaries


def _summary(method: str, category: str, pairs: list[tuple[Row, Row]]) -> Summary:
    rows = [row for _, row in pairs]
    steps = sum(row.steps for row in rows)
    steps_with_candidates = sum(row.steps_with_candidates for row in rows)
    accepted = sum(row.accepted for row in rows)
    proposed = counted(row.proposed_by_source for row in rows)
    taken = counted(row.accepted_by_source for row in rows)
    errors = [row.cer for row in rows if row.cer is not None]
    decoding = sum(row.decoding for row in rows)
    return Summary(
        method=method,
        category=category,
        pages=len({row.page for row in rows}),
        prefill=median([row.prefill for row in rows]),
        decode=median([row.decoding for row in rows]),
        e2e=median([row.total for row in rows]),
        sr_decode=_ratio(sum(base.decoding for base, _ in pairs), decoding),
        sr_e2e=_ratio(sum(base.total for base, _ in pairs), sum(row.total for row in rows)),
        aal=_ratio(accepted, steps),
        aal_with_candidates=_ratio(accepted, steps_with_candidates),
        acceptance={source: round(taken[source] / count, 4) for source, count in proposed.items() if count},
        tokens_per_second=_ratio(sum(row.tokens for row in rows), decoding),
        identical=sum(row.identical for row in rows) / len(rows),
        distance=sum(row.distance for row in rows) / len(rows),
        cer=sum(errors) / len(errors) if errors else None,
    )


def _ratio(over: float, under: float) -> float:
    return over / under if under else 0.0


def counted(counts: Iterable[dict[str, int]]) -> Counter[str]:
    """The sum of the counts by name."""
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return total
