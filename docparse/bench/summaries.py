"""Rows to summaries: what is measured of a method over pages. Each number is defined once, with the column it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from docparse.accel.drafts import EARLIER, OUTPUT, PROMPT
from docparse.bench.report_tables import Interval, ReportColumn
from docparse.bench.rows import AR, OVERALL, PageRow
from docparse.errors import UsageError

RESAMPLES = 5_000
BOOTSTRAP_SEED = 0  # the same rows give the same intervals
PERCENTILES = (2.5, 97.5)
AAL = "mean draft tokens accepted per step (average acceptance length)"
SHORTER = "a shorter text is written sooner"
DETAILS: dict[str, Any] = {"group": "details", "needs": "acceptance"}  # of speculation alone
UNSHOWN = ("visual_tokens", "kept_visual_tokens", "kv_prompt_bytes", "attention_flops")  # in JSON alone
LEFT = f"left when decoding begins, relative to {AR}"

Term = tuple[str, float, float]  # a page, and what it adds over and under the line of a ratio


class Summary(dict[str, Any]):
    """One method of one model over the pages of one category: `model`, `method`, `category` (`overall`: all of them),
    `pages`, `chosen` (how often `auto` took what), and a number for each of `MEASURES`, with `NUMBER_interval` where it
    has one: 95 %, by bootstrap over pages, None where one page is all there is."""

    def __getattr__(self, name: str) -> Any:
        return self[name]

    @property
    def cost(self) -> float:
        """Return the character error rate beyond plain decoding's, or without a truth the distance from its text."""
        return float(self.distance if self.lost is None else self.lost)

    @property
    def drafted(self) -> bool:
        """Return whether it verifies drafts that were made for the page, not only what it finds in the text itself."""
        return any(source not in (OUTPUT, EARLIER, PROMPT) for source in self.acceptance)


class Compared(NamedTuple):
    """Rows of one method, each beside plain decoding's of the same page and run."""

    rows: Sequence[PageRow]
    plain: Sequence[PageRow]


class Ratio(NamedTuple):
    """A number with its interval."""

    value: float | None
    interval: Interval | None


class Measure(NamedTuple):
    """A number of a method, and the column that shows it; what has none is in JSON alone."""

    of: Callable[[Compared], Any]
    column: ReportColumn | None = None


def _shown(of: Callable[[Compared], Any], name: str, meaning: str = "", form: str = "{:.2f}", **how: Any) -> Measure:
    return Measure(of, ReportColumn(name, form=form, meaning=meaning, **({"group": "main"} | how)))


def _percent(of: Callable[[Compared], Any], name: str, meaning: str, group: str = "scores") -> Measure:
    return _shown(of, name, meaning, "{:.1f}", group=group, scale=100)


def _mib(field: str, name: str, meaning: str, group: str = "rest") -> Measure:
    """Bytes, where there are any: mean over the pages, of a peak the most."""
    of = _most(field) if field == "peak_memory" else _mean(field)
    return _shown(of, name, meaning, group=group, scale=1 / 2**20, needs=field)


def _mean(name: str) -> Callable[[Compared], float | None]:
    def of(found: Compared) -> float | None:
        known = [getattr(row, name) for row in found.rows if getattr(row, name) is not None]
        return sum(known) / len(known) if known else None

    return of


def _most(name: str) -> Callable[[Compared], Any]:
    return lambda found: max(map(attrgetter(name), found.rows))


def _median(name: str, share: float = 50) -> Callable[[Compared], float]:
    return lambda found: float(np.percentile([getattr(row, name) for row in found.rows], share))


def _per(over: str, under: str) -> Callable[[Compared], float]:
    """One sum over another of the same rows."""
    return lambda found: _over(_sum(found.rows, over), _sum(found.rows, under))


def _of_plain(name: str) -> Callable[[Compared], float | None]:
    """Relative to plain decoding on the same pages; None where that has none of it."""
    return lambda found: _sum(found.rows, name) / whole if (whole := _sum(found.plain, name)) else None


def _speedup(name: str) -> Callable[[Compared], Ratio]:
    """Summed seconds of plain decoding over the method's."""
    seconds = attrgetter(name)
    return lambda found: ratio((row.page, seconds(plain), seconds(row)) for row, plain in zip(*found, strict=True))


def _cer(found: Compared) -> Ratio:
    return ratio((row.page, row.cer, 1.0) for row in found.rows if row.cer is not None)


def _lost(found: Compared) -> Ratio:
    """Page against page: how well a page can be read at all cancels out. What wrote the same has lost nothing."""
    pairs = [(row, plain) for row, plain in zip(*found, strict=True) if row.method != AR]
    known = [(row.page, row.cer - plain.cer, 1.0) for row, plain in pairs if row.cer is not None is not plain.cer]
    return Ratio(0.0, None) if known and all(row.identical for row in found.rows) else ratio(known)


def _acceptance(found: Compared) -> dict[str, float]:
    """Accepted over proposed, by source."""
    taken, proposed = Counter[str](), Counter[str]()
    for row in found.rows:
        taken.update(row.accepted_by_source)
        proposed.update(row.proposed_by_source)
    return {source: round(taken[source] / count, 4) for source, count in proposed.items() if count}


def _tests(found: Compared) -> tuple[int, int] | None:
    counts = [row.tests for row in found.rows if row.tests is not None]
    return (sum(passed for passed, _ in counts), sum(count for _, count in counts)) if counts else None


def _macro(found: Compared) -> float | None:
    """Mean over olmOCR-bench's files of the share of tests passed."""
    passed, tests = Counter[str](), Counter[str]()
    for row in found.rows:
        passed.update({file: counts[0] for file, counts in row.tests_by_file.items()})
        tests.update({file: counts[1] for file, counts in row.tests_by_file.items()})
    return sum(passed[file] / count for file, count in tests.items()) / len(tests) if tests else None


def _overall(found: Compared) -> float | None:
    """OmniDocBench v1.5's, 0 to 1: the mean of what is right of text, tables and formulas."""
    edit, teds, formula = (_mean(name)(found) for name in ("edit", "teds", "formula"))
    return None if edit is None or teds is None or formula is None else (1 - edit + teds + 1 - formula) / 3


# In the order of tables: `main` columns, the `rest` with the `scores` of benchmarks, `details`. What says nothing else
# is a mean over pages. `aal` counts every step, and no step's free token: papers that count it call `aal + 1` AAL.
MEASURES = {
    "sr_decode": _shown(_speedup("decoding"), "SR_decode", "decoding alone, drafts included", needed=True, bar=True),
    "sr_e2e": _shown(_speedup("total"), "SR_e2e", "from page to Markdown", needed=True, bar=True),
    "cer": _shown(_cer, "CER %", "character error rate", "{:.1f}", scale=100, needed=True),
    "lost": _shown(_lost, "lost", f"points of CER more than {AR}, on the same pages", "{:+.1f}", scale=100),
    "identical": _shown(_mean("identical"), "same", f"pages whose tokens all equal {AR}'s", "{:.0%}", needed=True),
    "aal": _shown(_per("accepted", "steps"), "AAL", AAL, needs="acceptance", needed=True),
    "written": _shown(_of_plain("tokens"), "written", f"tokens relative to {AR}; {SHORTER}", "{:.0%}"),
    "visual_left": _shown(
        _per("kept_visual_tokens", "visual_tokens"), "visual", "visual tokens left when decoding begins", "{:.0%}"
    ),
    "kv_bytes": _mib("kv_bytes", "KV MiB", "peak of the cache rows in use", "main"),
    "kv_left": _shown(_of_plain("kv_prompt_bytes"), "KV left", f"the prompt's cache bytes {LEFT}", "{:.0%}"),
    "attention_left": _shown(
        _of_plain("attention_flops"), "attention", f"attention FLOPs while decoding, relative to {AR}", "{:.0%}"
    ),
    "e2e": _shown(_median("total"), "page s", "median, from page to Markdown", group="rest"),
    "decode": _shown(_median("decoding"), "decode s", "median, with drafts and regions", group="rest"),
    "prefill": _shown(_median("prefill"), "prefill s", "median, with the vision tower", group="rest"),
    "teds": _percent(_mean("teds"), "TEDS %", "similarity of tables (100 is best)"),
    "order": _percent(_mean("order"), "order %", "edit distance of the reading order (0 is best)"),
    "formula": _percent(_mean("formula"), "formula %", "edit distance of display formulas (0 is best)"),
    "overall": _percent(_overall, "overall %", "OmniDocBench v1.5's score, with edit distance in place of CDM"),
    "tests": _shown(_tests, "tests", "olmOCR-bench tests passed", group="scores"),
    "macro": _percent(_macro, "macro %", "olmOCR-bench tests passed, mean over its files"),
    "distance": _percent(_mean("distance"), "distance %", f"normalised edit distance to {AR}'s text"),
    "tokens_per_second": _shown(_per("tokens", "decoding"), "tokens/s", "while decoding", "{:.0f}", group="rest"),
    "e2e_p90": _shown(_median("total", 90), "page s p90", group="rest"),
    "kv_prefill_bytes": _mib("kv_prefill_bytes", "prefill MiB", "cache of the whole prompt, before eviction"),
    "kv_spare_bytes": _mib("kv_spare_bytes", "spare MiB", "cache memory that holds nothing"),
    "peak_memory": _mib("peak_memory", "memory MiB", "peak GPU memory of a page, beyond what was in use"),
    "edit": _percent(_mean("edit"), "edit %", "normalised edit distance to the truth", "details"),
    "density": _shown(_mean("density"), "density", "true characters per visual token", group="details"),
    "aal_with_candidates": _shown(
        _per("accepted", "steps_with_candidates"), "AAL drafted", "over the steps that had a draft", **DETAILS
    ),
    "acceptance": _shown(_acceptance, "accepted", "of what was proposed", **DETAILS),
    **{key: Measure(_mean(key)) for key in UNSHOWN},
}
COLUMNS = {key: each.column.of(key) for key, each in MEASURES.items() if each.column}


def summarise(rows: Sequence[PageRow]) -> list[Summary]:
    """Return a summary for each model and method, over all pages and, where there are several categories, over those of
    each. What plain decoding did not read is left out for all."""
    summaries = []
    for model in dict.fromkeys(row.model for row in rows):
        mine = [row for row in rows if row.model == model]
        plain = {(row.page, row.run): row for row in mine if row.method == AR}
        categories = list(dict.fromkeys(row.category for row in mine))
        for category in [OVERALL, *(categories if len(categories) > 1 else ())]:
            chosen = [row for row in mine if category in (OVERALL, row.category) and (row.page, row.run) in plain]
            for method in dict.fromkeys(row.method for row in mine):
                if own := [row for row in chosen if row.method == method]:
                    found = Compared(own, [plain[row.page, row.run] for row in own])
                    summaries.append(Summary(model=model, method=method, category=category, **_summary(found)))
    return summaries


def _summary(found: Compared) -> dict[str, Any]:
    chosen = Counter(row.chosen for row in found.rows if row.chosen)
    summary = {"pages": len({row.page for row in found.rows}), "chosen": dict(chosen.most_common())}
    for key, measure in MEASURES.items():
        value = measure.of(found)
        summary |= {key: value.value, f"{key}_interval": value.interval} if isinstance(value, Ratio) else {key: value}
    return summary


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


def ratio(terms: Iterable[Term]) -> Ratio:
    """Return sum(over) / sum(under) for terms `(page, over, under)` with its 95 % interval, a percentile bootstrap over
    pages; None where there are no terms.

    A page is drawn with all of its runs. There is no interval of fewer than two pages, which say nothing about others.
    """
    sums: dict[str, np.ndarray] = {}
    for page, over, under in terms:
        sums[page] = sums.get(page, 0.0) + np.array([over, under])
    if not sums:
        return Ratio(None, None)
    pages = np.array(list(sums.values()))
    value = _over(*pages.sum(axis=0).tolist())
    if len(pages) < 2:
        return Ratio(value, None)
    over, under = (_times_drawn(len(pages)) @ pages).T
    low, high = np.percentile(over / np.maximum(under, np.finfo(float).tiny), PERCENTILES)
    return Ratio(value, (float(low), float(high)))


@lru_cache(maxsize=8)  # a report has intervals by the hundred, over few numbers of pages
def _times_drawn(pages: int) -> np.ndarray:
    """Return how often each page was drawn in each resample: [RESAMPLES, pages]."""
    return np.random.default_rng(BOOTSTRAP_SEED).multinomial(pages, np.full(pages, 1 / pages), RESAMPLES)


def _sum(rows: Sequence[PageRow], name: str) -> float:
    return sum(map(attrgetter(name), rows))


def _over(over: float, under: float) -> float:
    return over / under if under else 0.0
