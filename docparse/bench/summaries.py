"""Rows to summaries: speedups as ratios of summed seconds, with bootstrap intervals over pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from docparse.bench.rows import AR, OVERALL, Interval, PageRow, Summary, counted
from docparse.errors import UsageError

RESAMPLES = 5_000
BOOTSTRAP_SEED = 0  # the same rows give the same intervals
PERCENTILES = (2.5, 97.5)

Pair = tuple[PageRow, PageRow]  # the baseline and the method, on the same page in the same run


def summarise(rows: Sequence[PageRow], baseline: str = AR) -> list[Summary]:
    """Return a summary for each model and method, overall and, where there are several categories, in each of them.

    Speedups are against the method `baseline`; what it did not read is left out for all.
    """
    summaries = []
    for model in dict.fromkeys(row.model for row in rows):
        mine = [row for row in rows if row.model == model]
        for category, chosen in _by_category(mine):
            base = {(row.page, row.run): row for row in chosen if row.method == baseline}
            for method in dict.fromkeys(row.method for row in mine):
                own = [row for row in chosen if row.method == method and (row.page, row.run) in base]
                if own:
                    summaries.append(_summary(category, [(base[row.page, row.run], row) for row in own]))
    return summaries


def left_out(rows: Sequence[PageRow], which: str) -> dict[str, str]:
    """Return pages that a paper would not count, and why: `loops` where plain decoding ran into a loop, `over:2048`
    where it wrote more tokens. Raises `UsageError` for anything else."""
    found: dict[str, str] = {}
    for name in filter(None, (part.strip() for part in which.split(","))):
        kind, _, most = name.partition(":")
        if not (name == "loops" or (kind == "over" and most.isdecimal())):
            raise UsageError(f"--leave-out {name}: use loops, over:TOKENS such as over:2048, or both with a comma")
        for row in rows:
            if row.method == AR and ("loop" in row.endings if name == "loops" else row.tokens > int(most)):
                found.setdefault(row.page, "a loop" if name == "loops" else f"more than {most} tokens")
    return found


def _by_category(rows: Sequence[PageRow]) -> Iterator[tuple[str, list[PageRow]]]:
    yield OVERALL, list(rows)
    categories = list(dict.fromkeys(row.category for row in rows))
    for category in categories if len(categories) > 1 else []:
        yield category, [row for row in rows if row.category == category]


def _summary(category: str, pairs: Sequence[Pair]) -> Summary:
    rows = [row for _, row in pairs]
    first = rows[0]
    sr_decode = [(row.page, base.decoding, row.decoding) for base, row in pairs]
    sr_e2e = [(row.page, base.total, row.total) for base, row in pairs]
    cer = [(row.page, row.cer, 1.0) for row in rows if row.cer is not None]
    pages = len({row.page for row in rows})
    return Summary(
        model=first.model,
        method=first.method,
        category=category,
        pages=pages,
        sr_decode=_ratio(sr_decode),
        sr_decode_interval=interval(sr_decode),
        sr_e2e=_ratio(sr_e2e),
        sr_e2e_interval=interval(sr_e2e),
        cer=_ratio(cer) if cer else None,
        cer_interval=interval(cer),
        chosen=dict(Counter(row.chosen for row in rows if row.chosen).most_common()),
        **_times(rows),
        **_acceptance(rows),
        **_sizes(rows),
        **_accuracy(rows),
    )


def _times(rows: Sequence[PageRow]) -> dict[str, Any]:
    """Medians of a page's seconds, and the 90th percentile of all together."""
    prefill, decode, e2e = np.median([(row.prefill, row.decoding, row.total) for row in rows], axis=0).tolist()
    high = float(np.percentile([row.total for row in rows], 90))
    return {"prefill": prefill, "decode": decode, "e2e": e2e, "e2e_p90": high}


def _acceptance(rows: Sequence[PageRow]) -> dict[str, Any]:
    accepted = sum(row.accepted for row in rows)
    proposed = counted(row.proposed_by_source for row in rows)
    taken = counted(row.accepted_by_source for row in rows)
    return {
        "aal": _over(accepted, sum(row.steps for row in rows)),
        "aal_with_candidates": _over(accepted, sum(row.steps_with_candidates for row in rows)),
        "acceptance": {source: round(taken[source] / count, 4) for source, count in proposed.items() if count},
        "tokens_per_second": _over(sum(row.tokens for row in rows), sum(row.decoding for row in rows)),
    }


def _sizes(rows: Sequence[PageRow]) -> dict[str, Any]:
    held = ("kv_prefill_bytes", "kv_prompt_bytes", "kv_bytes", "kv_spare_bytes")
    means = ("visual_tokens", "kept_visual_tokens", *held, "attention_flops", "identical", "distance")
    sizes = {name: sum(getattr(row, name) for row in rows) / len(rows) for name in means}
    return sizes | {"peak_memory": max(row.peak_memory for row in rows)}


def _accuracy(rows: Sequence[PageRow]) -> dict[str, Any]:
    """Over the pages that have a truth; None where no page has."""
    means = {
        name: _mean(getattr(row, name) for row in rows) for name in ("edit", "teds", "order", "formula", "density")
    }
    edit, teds, formula = means["edit"], means["teds"], means["formula"]
    whole = None if edit is None or teds is None or formula is None else (1 - edit + teds + 1 - formula) / 3
    files: dict[str, list[int]] = {}
    for row in rows:
        for file, counts in row.tests_by_file.items():
            files[file] = [a + b for a, b in zip(files.get(file, (0, 0)), counts, strict=True)]
    tests = [row.tests for row in rows if row.tests is not None]
    lost = [row.lost_lines for row in rows if row.lost_lines is not None]
    return means | {
        "tests": (sum(passed for passed, _ in tests), sum(count for _, count in tests)) if tests else None,
        "lost_lines": sum(lost) if lost else None,
        "overall": whole,
        "macro": _mean(passed / count for passed, count in files.values()),
    }


def interval(terms: Sequence[tuple[str, float, float]]) -> Interval | None:
    """Return the 95 % interval of sum(over) / sum(under) for terms `(page, over, under)`: a percentile bootstrap over
    pages.

    A page is drawn with all of its runs. None with fewer than two pages, which say nothing about others.
    """
    pages = list(dict.fromkeys(page for page, _, _ in terms))
    if len(pages) < 2:
        return None
    number = {page: i for i, page in enumerate(pages)}
    sums = np.zeros((len(pages), 2))
    for page, over, under in terms:
        sums[number[page]] += over, under
    over, under = (_times_drawn(len(pages)) @ sums).T
    low, high = np.percentile(over / np.maximum(under, np.finfo(float).tiny), PERCENTILES)
    return float(low), float(high)


@lru_cache(maxsize=8)  # a report has intervals by the hundred, over few numbers of pages
def _times_drawn(pages: int) -> np.ndarray:
    """How often each page was drawn in each resample: [RESAMPLES, pages]."""
    return np.random.default_rng(BOOTSTRAP_SEED).multinomial(pages, np.full(pages, 1 / pages), RESAMPLES)


def _ratio(terms: Sequence[tuple[str, float, float]]) -> float:
    return _over(sum(over for _, over, _ in terms), sum(under for _, _, under in terms))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _over(over: float, under: float) -> float:
    return over / under if under else 0.0
