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
    fit. A `bar` is drawn behind it in HTML. `words` stand for the number where it is known.
    `at` finds in a line what the column is about, None where the line has nothing of it.
    """

    name: str
    value: Callable[[Any], Any]
    form: str = "{:.2f}"
    meaning: str = ""
    interval: Callable[[Any], Interval | None] = lambda _: None
    needed: bool = False
    brief: bool = False
    bar: bool = False
    words: Callable[[Any], str] | None = None
    at: Callable[[Any], Any] = lambda each: each

    def number(self, each: Any) -> Any:
        """Return what it is sorted by; None where there is nothing."""
        there = self.at(each)
        return None if there is None else self.value(there)

    def text(self, each: Any) -> str:
        value = self.number(each)
        if value is None:
            return ""
        return self.words(self.at(each)) if self.words else self.form.format(value)

    def note(self, each: Any) -> str:
        """Return the interval: `[2.31 2.74]`, marked where it is of few pages; none of the baseline over itself."""
        there = self.at(each)
        ends = None if there is None else self.interval(there)
        if ends is None or ends == (1.0, 1.0):
            return ""
        low, high = map(self.form.format, ends)
        return f"[{low} {high}]{MARK if there.of.pages < FEW_PAGES else ''}"

    def cell(self, each: Any, brief: bool = False) -> str:
        """Return `2.51 [2.31 2.74]`, without the interval where it is left out first."""
        text = self.text(each)
        return text if brief and self.brief else " ".join(filter(None, (text, text and self.note(each))))


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


def _number(name: str, field: str, form: str = "{:.2f}", meaning: str = "", scale: float = 1, **more: Any) -> Column:
    """A number of the summary, times `scale`; none where it is not known. `ends` names its interval."""
    ends = more.pop("ends", "")

    def value(each: Standing) -> float | None:
        found = getattr(each.of, field)
        return None if found is None else scale * found

    def interval(each: Standing) -> Interval | None:
        found = getattr(each.of, ends) if ends else None
        return found and (scale * found[0], scale * found[1])

    return Column(name, value, form, meaning, interval, **more)


def _point(name: str, field: str, form: str = "{:.2f}", meaning: str = "", bar: bool = False) -> Column:
    return Column(name, lambda each: getattr(each, field), form, meaning, bar=bar)


def _percent(name: str, field: str, meaning: str) -> Column:
    return _number(name, field, "{:.1f}", meaning, 100)


def _mib(name: str, field: str, meaning: str, form: str = "{:.2f}") -> Column:
    return Column(name, lambda each: getattr(each.of, field) / MIB or None, form, meaning)


def _lost_points(each: Standing) -> float | None:
    return None if each.lost is None else 0.0 if each.of.identical == 1 else 100 * each.lost.value


def _lost_ends(each: Standing) -> Interval | None:
    ends = None if each.lost is None or each.of.identical == 1 else each.lost.interval
    return ends and (100 * ends[0], 100 * ends[1])


SR = {"needed": True, "bar": True}
SR_DECODE = _number(
    "SR_decode", "sr_decode", "{:.2f}", "decoding alone, drafts included", ends="sr_decode_interval", **SR
)
SR_E2E = _number("SR_e2e", "sr_e2e", "{:.2f}", "from page to Markdown", ends="sr_e2e_interval", **SR)
CER = _number("CER %", "cer", "{:.1f}", "character error rate", 100, ends="cer_interval", needed=True, brief=True)
LOST = Column(
    *("lost", _lost_points, "{:+.1f}", f"points of CER more than {AR}, on the same pages", _lost_ends),
    words=lambda each: "0" if each.of.identical == 1 else f"{_lost_points(each):+.1f}",
)
AAL = Column(
    *("AAL", lambda each: each.of.aal if each.of.acceptance else None, "{:.2f}"),
    meaning="mean draft tokens accepted per step (average acceptance length)",
    needed=True,
)
MAIN = (
    *(SR_DECODE, SR_E2E, CER, LOST),
    _number("same", "identical", "{:.0f}%", f"pages whose tokens all equal {AR}'s", 100, needed=True),
    AAL,
    Column(
        *("written", lambda each: None if each.written is None else 100 * each.written, "{:.0f}%"),
        f"tokens relative to {AR}; a shorter text is written sooner",
    ),
    Column(
        *("visual", lambda each: 100 * each.of.kept_visual_tokens / max(1.0, each.of.visual_tokens), "{:.0f}%"),
        "visual tokens left when decoding begins",
    ),
    _mib("KV MiB", "kv_bytes", "peak of the cache rows in use"),
    Column(
        *("KV left", lambda each: each.share("kv_prompt_bytes"), "{:.0f}%"),
        f"the prompt's cache bytes left when decoding begins, relative to {AR}",
    ),
    Column(
        *("attention", lambda each: each.share("attention_flops"), "{:.0f}%"),
        f"attention FLOPs while decoding, relative to {AR}",
    ),
)
SCORES = (
    _percent("TEDS %", "teds", "similarity of tables (100 is best)"),
    _percent("order %", "order", "edit distance of the reading order (0 is best)"),
    _percent("formula %", "formula", "edit distance of display formulas (0 is best)"),
    _percent("overall %", "overall", "OmniDocBench v1.5's score, with edit distance in place of CDM"),
    Column(
        *("tests", lambda each: each.of.tests and each.of.tests[0] / max(1, each.of.tests[1])),
        meaning="olmOCR-bench tests passed",
        words=lambda each: "{}/{}".format(*each.of.tests or (0, 0)),
    ),
    _percent("macro %", "macro", "olmOCR-bench tests passed, mean over its files"),
)
DISTANCE = _percent("distance %", "distance", f"normalised edit distance to {AR}'s text")
REST = (
    _number("page s", "e2e", meaning="median, from page to Markdown"),
    _number("decode s", "decode", meaning="median, with drafts and regions"),
    _number("prefill s", "prefill", meaning="median, with the vision tower"),
    *SCORES,
    DISTANCE,
    _number("tokens/s", "tokens_per_second", "{:.0f}", "while decoding"),
    _number("page s p90", "e2e_p90"),
    _mib("prefill MiB", "kv_prefill_bytes", "cache of the whole prompt, before eviction"),
    _mib("spare MiB", "kv_spare_bytes", "cache memory that holds nothing"),
    _mib("memory MiB", "peak_memory", "peak GPU memory of a page, beyond what was in use", "{:.0f}"),
)
DETAILS = (
    *REST,
    _percent("edit %", "edit", "normalised edit distance to the truth"),
    _number("density", "density", meaning="true characters per visual token"),
    _number("lost lines", "lost_lines", "{}", "pages with a missing line"),
    Column(
        *("AAL with candidates", lambda each: each.of.aal_with_candidates if each.of.acceptance else None, "{:.2f}"),
        "AAL over the steps that had a draft",
    ),
    Column(
        *("accepted", lambda each: 1.0 if each.of.acceptance else None),
        meaning="of what was proposed",
        words=lambda each: ", ".join(f"{name} {share:.0%}" for name, share in each.of.acceptance.items()),
    ),
)
BY_CATEGORY = (CER, LOST, AAL, SR_DECODE, SR_E2E)
LOAD = (  # of throughput, by method and batch size
    _point("batch size", "batch", "{}", "outputs decoded at once, at most"),
    _point("pages/min", "pages_per_minute", "{:.1f}", bar=True),
    _point("speedup", "speedup", "{:.2f}", f"pages/min over those of {AR} at batch size 1"),
    _point("tokens/min", "tokens_per_minute", "{:,.0f}"),
    _point("page s", "latency", "{:.2f}", "from where it leaves the queue to its end, median"),
    _point("page s p90", "latency_p90"),
    _point("passes", "passes", "{:,}", "of the decoder after the prompts"),
    _point("rows/pass", "rows_per_pass", "{:.1f}", "outputs that share one, mean"),
    Column(*("KV MiB", lambda each: each.kv_bytes / MIB, "{:.1f}"), "the cache of all of them together, the most"),
    _point("pages", "pages", "{}"),
    _point("differ", "different", "{}", f"of these, not as {AR} at batch size 1 wrote them"),
)


def filled(columns: Iterable[Column], lines: Sequence[Any]) -> list[Column]:
    """Return those with anything to say."""
    return [column for column in columns if any(column.text(each) for each in lines)]


def meanings(columns: Iterable[Column]) -> str:
    """Return what the columns are, a sentence each."""
    return " ".join(f"{column.name}: {column.meaning}." for column in columns if column.meaning)


def terms(report: Report) -> str:
    """Return what has to be known before the first number, and how intervals came about."""
    return (
        f"{AR}: plain decoding, a token per pass. SR (speedup ratio): seconds of {report.baseline} over the method's, "
        f"summed over pages, drafts included; in brackets 95 % intervals over pages. {meanings((CER, AAL))}"
    )


def legend(columns: Iterable[Column], report: Report) -> str:
    """Return the terms, and what the other columns are."""
    return f"{terms(report)} {meanings(column for column in columns if column not in (CER, AAL))}"
