"""The columns of a report's tables: of a summary's numbers each as a cell, with its interval beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from docparse.bench.rows import AR, Interval, Summary
from docparse.bench.show.cells import FEW, MARK, MIB
from docparse.bench.show.remarks import SHORTER
from docparse.bench.show.report_html.chapter import Chapter

NOTHING = "–"


@dataclass(frozen=True)
class Cell:
    """`text` and, small beside it, `note`; sorted by `value`; `bar` is the length of the bar behind it, 0 to 1."""

    text: str
    note: str = ""
    value: float | str = ""
    bar: float = 0.0
    bad: bool = False


@dataclass(frozen=True)
class Column:
    """`cell` is None where a method has nothing to say; a column of which all are None is left out."""

    head: str
    meaning: str
    cell: Callable[[Summary], Cell | None]


def number(value: float, digits: int = 3) -> str:
    """So many significant digits, and thousands apart; whole numbers as they are."""
    if value == int(value) and abs(value) < 1e6:
        return f"{value:,.0f}"
    if value and not 1e-4 <= abs(value) < 1e15:
        return f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - _exponent(value))
    return f"{value:,.{min(decimals, 6)}f}"


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2]) if value else 0


def amount(value: float, unit: str) -> str:
    """With a decimal prefix: `1.2 GB`."""
    for prefix, size in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
            return f"{number(value / size)} {prefix}{unit}"
    return f"{number(value)} {unit}"


def percent(value: float | None, ends: Interval | None = None, pages: int = FEW, form: str = "{:.2f}") -> Cell | None:
    if value is None:
        return None
    return Cell(form.format(100 * value), between(ends, pages, form, 100), value)


def between(ends: Interval | None, pages: int, form: str = "{:.2f}", factor: float = 1.0) -> str:
    """An interval, marked where it is of few pages; none of what is divided by itself."""
    if ends is None or ends == (1.0, 1.0):
        return ""
    low, high = (form.format(factor * end) for end in ends)
    return f"[{low} {high}]{MARK if pages < FEW else ''}"


def _seconds(middle: float, most: float) -> Cell:
    return Cell(number(middle), f"p90 {number(most)}" if most != middle else "", middle)


def _speedup(field: str) -> Callable[[Summary], Cell]:
    def cell(each: Summary) -> Cell:
        value, ends = getattr(each, field), getattr(each, f"{field}_interval")
        return Cell(f"{value:.2f}×", between(ends, each.pages), value, bar=value)

    return cell


def _identical(each: Summary) -> Cell:
    return Cell(f"{each.identical:.0%}" if each.identical in (0, 1) else f"{each.identical:.1%}", "", each.identical)


def _visual(each: Summary) -> Cell:
    kept, all_of_them = each.kept_visual_tokens, each.visual_tokens
    share = f"{kept / all_of_them:.0%}" if all_of_them else ""
    return Cell(number(kept, 4), share, kept)


def _mean(value: float) -> Cell:
    return Cell(number(value), "", value)


def _mib(size: float) -> Cell:
    return Cell(number(size / MIB), "", size)


def _sources(each: Summary) -> Cell | None:
    if not each.acceptance:
        return None
    return Cell(", ".join(f"{name} {share:.0%}" for name, share in each.acceptance.items()))


def _aal(each: Summary) -> Cell | None:
    return Cell(f"{each.aal:.2f}", "", each.aal) if each.acceptance else None


def _aal_with(each: Summary) -> Cell | None:
    return Cell(f"{each.aal_with_candidates:.2f}", "", each.aal_with_candidates) if each.acceptance else None


def _counts(each: Summary) -> Cell | None:
    if each.tests is None:
        return None
    passed, tests = each.tests
    return Cell(f"{passed} of {tests}", "", passed / max(1, tests))


def _lost(each: Summary) -> Cell | None:
    return None if each.lost_lines is None else Cell(str(each.lost_lines), "", each.lost_lines)


CER = Column(
    "CER, %",
    "character error rate against ground truth",
    lambda each: percent(each.cer, each.cer_interval, each.pages),
)
IDENTICAL = Column("identical", "share of pages with exactly the tokens of plain decoding", _identical)
DISTANCE = Column(
    "distance, %", "normalised edit distance to the text of plain decoding", lambda each: percent(each.distance)
)
SR_DECODE = Column("SR_decode", "decoding speedup, all that speculation costs included", _speedup("sr_decode"))
SR_E2E = Column("SR_e2e", "speedup of a page from picture to Markdown", _speedup("sr_e2e"))
AAL = Column("AAL", "average acceptance length: accepted draft tokens per step, over all steps", _aal)
AAL_WITH = Column("AAL with candidates", "the same over the steps that had a draft to verify", _aal_with)
VISUAL = Column("visual tokens", "visual tokens there when decoding begins, mean over pages and layers", _visual)
KV = Column(
    "KV, MiB", "rows of the cache that hold something, the most; 1 MiB is 2^20 bytes", lambda each: _mib(each.kv_bytes)
)

PIVOTED = (CER, IDENTICAL, SR_DECODE, SR_E2E, AAL)
THEMES = {
    "Accuracy": (
        CER,
        Column("edit, %", "normalised edit distance to ground truth", lambda each: percent(each.edit)),
        Column("TEDS, %", "tree-edit-distance similarity of tables", lambda each: percent(each.teds)),
        Column("order, %", "edit distance of the reading order", lambda each: percent(each.order)),
        Column("tests", "olmOCR-bench tests passed", _counts),
        Column("lost lines", "pages of which a line is missing", _lost),
        IDENTICAL,
        DISTANCE,
    ),
    "Seconds of a page: median and 90th percentile": (
        Column("prefill", "vision tower and prompt, median", lambda each: _seconds(each.prefill, each.prefill_p90)),
        Column("decode", "drafts, regions and decoding, median", lambda each: _seconds(each.decode, each.decode_p90)),
        Column("end to end", "from picture to Markdown, median", lambda each: _seconds(each.e2e, each.e2e_p90)),
        Column("tokens/s, mean", "while decoding", lambda each: _mean(each.tokens_per_second)),
        Column("pages/s, mean", "end to end", lambda each: _mean(each.pages_per_second)),
    ),
    "Memory and work": (
        VISUAL,
        KV,
        Column(
            "KV of the prompt, MiB",
            "what is there when decoding begins",
            lambda each: _mib(each.kv_prompt_bytes) if each.kv_prompt_bytes else None,
        ),
        Column(
            "in the prefill, MiB",
            "the whole prompt's keys and values, before anything is evicted",
            lambda each: _mib(each.kv_prefill_bytes) if each.kv_prefill_bytes else None,
        ),
        Column(
            "spare, MiB",
            "the cache's room that holds nothing",
            lambda each: _mib(each.kv_spare_bytes) if each.kv_spare_bytes else None,
        ),
        Column(
            "peak memory, MiB",
            "what a page needs beyond what was in use before it, the most",
            lambda each: _mib(each.peak_memory) if each.peak_memory else None,
        ),
        Column(
            "attention",
            "FLOPs of attention while decoding, mean",
            lambda each: Cell(amount(each.attention_flops, "FLOP"), "", each.attention_flops),
        ),
    ),
    "Drafts": (AAL, AAL_WITH, Column("accepted of what was proposed", "by source of the draft", _sources)),
}


def main_columns(chapter: Chapter) -> tuple[Column, ...]:
    """What is asked first of a method."""
    speed = (SR_DECODE, SR_E2E, AAL)
    sizes = VISUAL, KV, _kv_left(chapter), _attention(chapter)
    return CER, _lost_to(chapter), IDENTICAL, _written(chapter), *speed, *sizes


def _kv_left(chapter: Chapter) -> Column:
    def cell(each: Summary) -> Cell | None:
        plain = chapter.plain(each.category)
        if plain is None or not plain.kv_prompt_bytes:
            return None
        share = each.kv_prompt_bytes / plain.kv_prompt_bytes
        return Cell(f"{share:.0%}", "", share)

    return Column("KV left", "of plain decoding's rows of the prompt, those there when decoding begins, in bytes", cell)


def _lost_to(chapter: Chapter) -> Column:
    def cell(each: Summary) -> Cell | None:
        found = None if each.method == AR else chapter.lost(each)
        if found is None:
            return None
        if each.identical == 1:
            return Cell("0", "", 0.0)
        return percent(found.value, found.interval, each.pages, "{:+.2f}")

    return Column("lost, points", "character error rate beyond plain decoding's, page against page", cell)


def _attention(chapter: Chapter) -> Column:
    def cell(each: Summary) -> Cell | None:
        plain = chapter.plain(each.category)
        if plain is None or not plain.attention_flops:
            return None
        return Cell(f"{each.attention_flops / plain.attention_flops:.0%}", "", each.attention_flops)

    return Column("attention", "FLOPs of attention while decoding, of plain decoding's", cell)


def _written(chapter: Chapter) -> Column:
    def cell(each: Summary) -> Cell:
        tokens, share = chapter.written(each.method, each.category)
        return Cell(number(tokens, 4), f"{share:.0%}", tokens, bad=share < SHORTER)

    return Column("tokens", "written a page, mean, and their share of what the baseline writes of these pages", cell)
