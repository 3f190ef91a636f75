"""The numbers of a report as text, with their intervals: the columns of its tables on the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from docparse.accel.drafts import EARLIER, OUTPUT, PROMPT
from docparse.bench.report import Report
from docparse.bench.rows import AR, OVERALL, Interval, Summary
from docparse.bench.show.lost import Lost, lost
from docparse.bench.show.remarks import written

MIB = 2**20
FEW = 5  # pages: the bootstrap of fewer gives intervals that are far too narrow, and they are marked
MARK = "?"
MARKED = f"{MARK}: an interval of fewer than {FEW} pages, too narrow to be believed."


@dataclass(frozen=True)
class Standing:
    """A method's summary, and beside plain decoding's: what it loses and how many tokens it writes."""

    of: Summary
    plain: Summary | None
    lost: Lost | None
    written: float | None = None
    """Its tokens over those of plain decoding."""

    @property
    def few(self) -> bool:
        """Whether its intervals are of too few pages."""
        return self.of.pages < FEW and self.of.sr_e2e_interval is not None


@dataclass(frozen=True)
class Column:
    """A number as text, empty where there is none, and what it means where its name does not say it.

    What is `needed` is shown however narrow the terminal is, `brief` where it is too narrow for the whole.
    """

    name: str
    cell: Callable[[Standing], str]
    meaning: str = ""
    needed: bool = False
    brief: Callable[[Standing], str] | None = None


def standings(report: Report, model: str) -> Iterator[Standing]:
    """Of one model, category by category."""
    chosen = [each for each in report.summary if each.model == model]
    plain = {each.category: each for each in chosen if each.method == AR}
    for each in chosen:
        beside = None if each.method == AR else lost(report.rows, each)
        rows = [row for row in report.rows if row.model == model and each.category in (OVERALL, row.category)]
        yield Standing(each, plain.get(each.category), beside, written(rows, each.method, AR)[1])


def drafted(each: Summary) -> bool:
    """Whether it verifies drafts that were made for the page, not only what it finds in the text itself."""
    return any(source not in (OUTPUT, EARLIER, PROMPT) for source in each.acceptance)


def with_interval(value: float | None, ends: Interval | None, pages: int, form: str = "{:.2f}") -> str:
    """`2.51 [2.31 2.74]`, and a mark where the interval is of few pages."""
    if value is None or ends is None or ends == (1.0, 1.0):  # the baseline over itself
        return _one(value, form)
    low, high = (form.format(end) for end in ends)
    return f"{form.format(value)} [{low} {high}]{MARK if pages < FEW else ''}"


def in_points(share: float | None) -> float | None:
    return None if share is None else 100 * share


def ends_in_points(ends: Interval | None) -> Interval | None:
    return None if ends is None else (100 * ends[0], 100 * ends[1])


def _one(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def _speedup(field: str) -> Callable[[Standing], str]:
    def cell(each: Standing) -> str:
        return with_interval(getattr(each.of, field), getattr(each.of, f"{field}_interval"), each.of.pages)

    return cell


def _cer(each: Standing) -> str:
    return with_interval(in_points(each.of.cer), ends_in_points(each.of.cer_interval), each.of.pages, "{:.1f}")


def lost_points(each: Standing) -> str:
    """Points of character error rate beyond plain decoding's."""
    if each.lost is None or each.of.identical == 1:
        return "" if each.lost is None else "0"
    ends = ends_in_points(each.lost.interval)
    return with_interval(in_points(each.lost.value), ends, each.of.pages, "{:+.1f}")


def _kv_left(each: Standing) -> str:
    if each.plain is None or not each.plain.kv_prompt_bytes:
        return ""
    return f"{each.of.kv_prompt_bytes / each.plain.kv_prompt_bytes:.0%}"


def _mib(name: str) -> Callable[[Standing], str]:
    """Return the cell of a number of bytes; empty in a report of a version that did not count them."""
    return lambda each: f"{getattr(each.of, name) / MIB:.2f}" if getattr(each.of, name) else ""


def _attention(each: Standing) -> str:
    if each.plain is None or not each.plain.attention_flops:
        return ""
    return f"{each.of.attention_flops / each.plain.attention_flops:.0%}"


SR_DECODE = Column("SR_decode", _speedup("sr_decode"), needed=True)
SR_E2E = Column("SR_e2e", _speedup("sr_e2e"), needed=True)
CER = Column("CER %", _cer, needed=True, brief=lambda each: _one(in_points(each.of.cer), "{:.1f}"))
LOST = Column("lost", lost_points, f"points of CER beyond {AR}'s, page against page")
AAL = Column(
    "AAL",
    lambda each: f"{each.of.aal:.2f}" if each.of.acceptance else "",
    "draft tokens accepted a step, mean (average acceptance length)",
    needed=True,
)
SAME = Column("same", lambda each: f"{each.of.identical:.0%}", f"pages written as by {AR}", needed=True)
DISTANCE = Column(
    "distance %", lambda each: f"{100 * each.of.distance:.1f}", f"normalised edit distance to {AR}'s text"
)
VISUAL = Column(
    "visual",
    lambda each: f"{each.of.kept_visual_tokens / max(1.0, each.of.visual_tokens):.0%}",
    "of the visual tokens, those there when decoding begins",
)
KV = Column("KV MiB", lambda each: f"{each.of.kv_bytes / MIB:.2f}", "rows of the cache that hold something, the most")
KV_LEFT = Column("KV left", _kv_left, f"of {AR}'s rows of the prompt, those there when decoding begins, in bytes")
ATTENTION = Column("attention", _attention, f"its FLOPs while decoding, of {AR}'s")
WRITTEN = Column(
    "written",
    lambda each: _one(in_points(each.written), "{:.0f}%"),
    f"tokens, of {AR}'s: who writes less is done sooner",
)
SECONDS = (
    Column("page s", lambda each: f"{each.of.e2e:.2f}", "from page to Markdown, median"),
    Column("decode s", lambda each: f"{each.of.decode:.2f}", "with drafts and regions, median"),
    Column("prefill s", lambda each: f"{each.of.prefill:.2f}", "with the vision tower, median"),
)
REST = (
    Column("TEDS %", lambda each: _one(in_points(each.of.teds), "{:.1f}")),
    Column("order %", lambda each: _one(in_points(each.of.order), "{:.1f}"), "edit distance of the reading order"),
    Column("tests", lambda each: "{}/{}".format(*each.of.tests) if each.of.tests else ""),
    DISTANCE,
    Column("tokens/s", lambda each: f"{each.of.tokens_per_second:.0f}", "while decoding"),
    Column("page s p90", lambda each: f"{each.of.e2e_p90:.2f}"),
    Column("prefill MiB", _mib("kv_prefill_bytes"), "the whole prompt's keys and values, before anything is evicted"),
    Column("spare MiB", _mib("kv_spare_bytes"), "the cache's room that holds nothing"),
    Column("memory MiB", lambda each: f"{each.of.peak_memory / MIB:.0f}", "beyond what was in use, the most"),
)
COLUMNS = (SR_DECODE, SR_E2E, CER, AAL, SAME, LOST, WRITTEN, *SECONDS, KV, KV_LEFT, VISUAL, ATTENTION, *REST)


def legend(columns: Iterable[Column], report: Report) -> str:
    """What the columns are, and how their intervals came about."""
    said = (f"{column.name}: {column.meaning}." for column in columns if column.meaning)
    return (
        f"{AR}: plain decoding, a token a pass. SR (speedup ratio): seconds of {report.baseline} over the method's, "
        f"summed over pages, drafts included; in brackets 95 % intervals over pages. {' '.join(said)}"
    )
