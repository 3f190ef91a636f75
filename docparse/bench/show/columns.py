"""The columns of a report's tables, defined once for the terminal, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from docparse.accel.drafts import EARLIER, OUTPUT, PROMPT
from docparse.bench.report import Report
from docparse.bench.rows import AR, OVERALL, Interval, PageRow, Summary
from docparse.bench.show.remarks import written
from docparse.bench.summaries import interval

MIB = 2**20
FEW_PAGES = 5  # pages: the bootstrap of fewer gives intervals that are far too narrow, and they are marked
MARK = "?"
MARKED = f"{MARK}: an interval of fewer than {FEW_PAGES} pages, too narrow to be believed."


class Lost(NamedTuple):
    """Character error rate beyond plain decoding's on the same pages (below 0: fewer errors), and its 95 % interval."""

    value: float
    interval: Interval | None


@dataclass(frozen=True)
class Standing:
    """A method's summary, and beside plain decoding's: what it loses and how many of its tokens it writes."""

    of: Summary
    plain: Summary | None
    lost: Lost | None
    written: float | None = None

    @property
    def few(self) -> bool:
        """Return whether its intervals are of too few pages."""
        return self.of.pages < FEW_PAGES and self.of.sr_e2e_interval is not None

    def share(self, name: str) -> float | None:
        """Return a number as a percentage of plain decoding's; None where that has none."""
        whole = getattr(self.plain, name, 0)
        return 100 * getattr(self.of, name) / whole if whole else None


@dataclass(frozen=True)
class Column:
    """A number of a line: how it is written, its 95 % interval, and what it means where its name does not say it.

    What is `needed` is shown however narrow the terminal is, without its interval where it is `brief` and that does not
    fit. A `bar` is drawn behind it in HTML. `cell` is empty where there is no value.
    """

    name: str
    value: Callable[[Any], float | None]
    form: str = "{:.2f}"
    meaning: str = ""
    interval: Callable[[Any], Interval | None] = lambda _: None
    needed: bool = False
    brief: bool = False
    bar: bool = False
    words: Callable[[Any], str] | None = None

    def text(self, each: Any) -> str:
        value = self.value(each)
        if value is None:
            return ""
        return self.words(each) if self.words else self.form.format(value)

    def note(self, each: Any) -> str:
        """Return the interval: `[2.31 2.74]`, marked where it is of few pages; none of the baseline over itself."""
        ends = self.interval(each)
        if ends is None or ends == (1.0, 1.0):
            return ""
        low, high = map(self.form.format, ends)
        return f"[{low} {high}]{MARK if each.of.pages < FEW_PAGES else ''}"

    def cell(self, each: Any) -> str:
        """Return `2.51 [2.31 2.74]`."""
        return " ".join(filter(None, (self.text(each), self.text(each) and self.note(each))))

    def shown(self, each: Any, brief: bool) -> str:
        return self.text(each) if brief and self.brief else self.cell(each)


def standings(report: Report, model: str) -> Iterator[Standing]:
    """Yield the standings of one model, category by category."""
    chosen = [each for each in report.summary if each.model == model]
    plain = {each.category: each for each in chosen if each.method == AR}
    for each in chosen:
        rows = [row for row in report.rows if row.model == model and each.category in (OVERALL, row.category)]
        beside = None if each.method == AR else lost(rows, each.method)
        yield Standing(each, plain.get(each.category), beside, written(rows, each.method, AR)[1])


def lost(rows: Sequence[PageRow], method: str) -> Lost | None:
    """Return what a method loses to plain decoding, page against page, over those that have a truth: how well a page
    can be read at all cancels out."""
    plain = {(row.page, row.run): row.cer for row in rows if row.method == AR and row.cer is not None}
    terms = [
        (row.page, row.cer - plain[row.page, row.run], 1.0)
        for row in rows
        if row.method == method and row.cer is not None and (row.page, row.run) in plain
    ]
    return Lost(sum(more for _, more, _ in terms) / len(terms), interval(terms)) if terms else None


def drafted(each: Summary) -> bool:
    """Return whether it verifies drafts that were made for the page, not only what it finds in the text itself."""
    return any(source not in (OUTPUT, EARLIER, PROMPT) for source in each.acceptance)


def points(share: float | None) -> float | None:
    """Return a share in percent."""
    return None if share is None else 100 * share


def ends_in_points(ends: Interval | None) -> Interval | None:
    return None if ends is None else (100 * ends[0], 100 * ends[1])


def _speedup(name: str, field: str, meaning: str = "") -> Column:
    ends = f"{field}_interval"
    value, between = (lambda each: getattr(each.of, field)), (lambda each: getattr(each.of, ends))
    return Column(name, value, meaning=meaning, interval=between, needed=True, bar=True)


def _lost_points(each: Standing) -> float | None:
    return None if each.lost is None else 0.0 if each.of.identical == 1 else 100 * each.lost.value


def _lost_ends(each: Standing) -> Interval | None:
    return None if each.lost is None or each.of.identical == 1 else ends_in_points(each.lost.interval)


def _mib(name: str, field: str, meaning: str, form: str = "{:.2f}") -> Column:
    return Column(name, lambda each: getattr(each.of, field) / MIB or None, form, meaning)


def _percent(name: str, field: str, meaning: str = "") -> Column:
    return Column(name, lambda each: points(getattr(each.of, field)), "{:.1f}", meaning)


def _seconds(name: str, field: str, meaning: str = "") -> Column:
    return Column(name, lambda each: getattr(each.of, field), "{:.2f}", meaning)


def _tests(each: Standing) -> float | None:
    return each.of.tests[0] / max(1, each.of.tests[1]) if each.of.tests else None


def _acceptance(each: Standing) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in each.of.acceptance.items())


SR_DECODE = _speedup("SR_decode", "sr_decode", "decoding alone, drafts included")
SR_E2E = _speedup("SR_e2e", "sr_e2e", "from page to Markdown")
CER = Column(
    "CER %",
    lambda each: points(each.of.cer),
    "{:.1f}",
    "character error rate",
    lambda each: ends_in_points(each.of.cer_interval),
    needed=True,
    brief=True,
)
LOST = Column(
    "lost",
    _lost_points,
    "{:+.1f}",
    f"points of CER more than {AR}, on the same pages",
    _lost_ends,
    words=lambda each: "0" if each.of.identical == 1 else f"{_lost_points(each):+.1f}",
)
AAL = Column(
    "AAL",
    lambda each: each.of.aal if each.of.acceptance else None,
    meaning="mean draft tokens accepted per step (average acceptance length)",
    needed=True,
)
SAME = Column(
    "same", lambda each: 100 * each.of.identical, "{:.0f}%", f"pages whose tokens all equal {AR}'s", needed=True
)
WRITTEN = Column(
    "written",
    lambda each: points(each.written),
    "{:.0f}%",
    f"tokens relative to {AR}; a shorter text is written sooner",
)
VISUAL = Column(
    "visual",
    lambda each: 100 * each.of.kept_visual_tokens / max(1.0, each.of.visual_tokens),
    "{:.0f}%",
    "visual tokens left when decoding begins",
)
KV = _mib("KV MiB", "kv_bytes", "peak of the cache rows in use")
KV_LEFT = Column(
    "KV left",
    lambda each: each.share("kv_prompt_bytes"),
    "{:.0f}%",
    f"the prompt's cache bytes left when decoding begins, relative to {AR}",
)
ATTENTION = Column(
    "attention",
    lambda each: each.share("attention_flops"),
    "{:.0f}%",
    f"attention FLOPs while decoding, relative to {AR}",
)
DISTANCE = _percent("distance %", "distance", f"normalised edit distance to {AR}'s text")
TEDS = _percent("TEDS %", "teds", "similarity of tables (100 is best)")
ORDER = _percent("order %", "order", "edit distance of the reading order (0 is best)")
TESTS = Column(
    "tests", _tests, meaning="olmOCR-bench tests passed", words=lambda each: "{}/{}".format(*each.of.tests or (0, 0))
)
MAIN = (SR_DECODE, SR_E2E, CER, LOST, SAME, AAL, WRITTEN, VISUAL, KV, KV_LEFT, ATTENTION)
FORMULA = _percent("formula %", "formula", "edit distance of display formulas (0 is best)")
OVERALL_SCORE = _percent("overall %", "overall", "OmniDocBench v1.5's score, with edit distance in place of CDM")
MACRO = _percent("macro %", "macro", "olmOCR-bench tests passed, mean over its files")
SCORES = (TEDS, ORDER, FORMULA, OVERALL_SCORE, TESTS, MACRO)
REST = (
    _seconds("page s", "e2e", "median, from page to Markdown"),
    _seconds("decode s", "decode", "median, with drafts and regions"),
    _seconds("prefill s", "prefill", "median, with the vision tower"),
    *SCORES,
    DISTANCE,
    Column("tokens/s", lambda each: each.of.tokens_per_second, "{:.0f}", "while decoding"),
    _seconds("page s p90", "e2e_p90"),
    _mib("prefill MiB", "kv_prefill_bytes", "cache of the whole prompt, before eviction"),
    _mib("spare MiB", "kv_spare_bytes", "cache memory that holds nothing"),
    _mib("memory MiB", "peak_memory", "peak GPU memory of a page, beyond what was in use", "{:.0f}"),
)
DETAILS = (
    *REST,
    _percent("edit %", "edit", "normalised edit distance to the truth"),
    Column("density", lambda each: each.of.density, meaning="true characters per visual token"),
    Column("lost lines", lambda each: each.of.lost_lines, "{}", "pages with a missing line"),
    Column(
        "AAL with candidates",
        lambda each: each.of.aal_with_candidates if each.of.acceptance else None,
        meaning="AAL over the steps that had a draft",
    ),
    Column(
        "accepted", lambda each: 1.0 if each.of.acceptance else None, meaning="of what was proposed", words=_acceptance
    ),
)
BY_CATEGORY = (CER, LOST, AAL, SR_DECODE, SR_E2E)


def filled(columns: Iterable[Column], lines: Sequence[Any]) -> list[Column]:
    """Return those with anything to say."""
    return [column for column in columns if any(column.text(each) for each in lines)]


def legend(columns: Iterable[Column], report: Report) -> str:
    """Return what the columns are, and how their intervals came about."""
    said = (f"{column.name}: {column.meaning}." for column in columns if column.meaning)
    return (
        f"{AR}: plain decoding, a token per pass. SR (speedup ratio): seconds of {report.baseline} over the method's, "
        f"summed over pages, drafts included; in brackets 95 % intervals over pages. {' '.join(said)}"
    )
