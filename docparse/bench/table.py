"""A bench report on the terminal: speed with its interval, accuracy beside it, and what the numbers do not say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from docparse.bench.remarks import remarks
from docparse.bench.report import Report
from docparse.bench.rows import AR, Interval, Summary

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MIB = 2**20
METHOD = 32  # characters of a method's name on a line
UNBOUNDED = 1000  # characters, wider than any table


@dataclass(frozen=True)
class Column:
    """A number of a summary as text; `needed` is shown however narrow the terminal is."""

    name: str
    cell: Callable[[Summary], str]
    needed: bool = False


COLUMNS = (  # those that are not needed are left out from the last one on, where they do not fit
    Column("SR_decode", lambda of: _with(of.sr_decode, of.sr_decode_interval, "{:.2f}"), needed=True),
    Column("SR_e2e", lambda of: _with(of.sr_e2e, of.sr_e2e_interval, "{:.2f}"), needed=True),
    Column("CER %", lambda of: _with(_percent(of.cer), _percents(of.cer_interval), "{:.1f}"), needed=True),
    Column("AAL", lambda of: f"{of.aal:.2f}", needed=True),
    Column("same", lambda of: f"{of.identical:.0%}", needed=True),
    Column("page s", lambda of: f"{of.e2e:.2f}"),
    Column("decode s", lambda of: f"{of.decode:.2f}"),
    Column("prefill s", lambda of: f"{of.prefill:.2f}"),
    Column("tokens/s", lambda of: f"{of.tokens_per_second:.0f}"),
    Column("KV MiB", lambda of: f"{of.kv_bytes / MIB:.1f}"),
    Column("visual", lambda of: f"{of.kept_visual_tokens / max(1.0, of.visual_tokens):.0%}"),
    Column("GFLOP", lambda of: f"{of.attention_flops / 1e9:.1f}"),
    Column("TEDS %", lambda of: _one(_percent(of.teds), "{:.1f}")),
    Column("order", lambda of: _one(of.order, "{:.3f}")),
    Column("tests", lambda of: "{}/{}".format(*of.tests) if of.tests else ""),
    Column("distance", lambda of: f"{of.distance:.4f}"),
    Column("page s p90", lambda of: f"{of.e2e_p90:.2f}"),
    Column("memory MiB", lambda of: f"{of.peak_memory / MIB:.0f}"),
)


def show(report: Report, screen: Console) -> None:
    """A table for each model, then what has to be known to read them."""
    for model in report.models:
        if chosen := [summary for summary in report.summary if summary.model == model.name]:
            screen.print(_fitting(chosen, report, screen))
    for note in notes(report):
        screen.print(note, soft_wrap=True, markup=False)


def notes(report: Report) -> Iterator[str]:
    """What the numbers say and what they do not."""
    yield (
        f"SR: seconds of {report.baseline} over the method's, drafts included; in brackets 95 % intervals over pages. "
        f"same: pages written as by {AR}. Warm-up: {report.warm_up_seconds:.1f} s, in no row. All numbers: --json."
    )
    yield from remarks(report)


def _fitting(summaries: Sequence[Summary], report: Report, screen: Console) -> Table:
    """With as many columns as fit, empty ones left out."""
    from rich.measure import Measurement

    columns = [column for column in COLUMNS if any(column.cell(summary) for summary in summaries)]
    unbounded = screen.options.update_width(UNBOUNDED)
    table = _table(summaries, report, columns)
    while Measurement.get(screen, unbounded, table).maximum > screen.width and not columns[-1].needed:
        columns.pop()
        table = _table(summaries, report, columns)
    return table


def _table(summaries: Sequence[Summary], report: Report, columns: Sequence[Column]) -> Table:
    """Category by category. A method that is called lossless and did not write what plain decoding wrote is red."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    title = f"{summaries[0].model}, {report.data}, drafts: {report.drafts}"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("method", overflow="fold", max_width=METHOD)
    for column in columns:
        table.add_column(column.name, justify="right", no_wrap=True)
    for category, group in groupby(summaries, key=lambda summary: summary.category):
        chosen = list(group)
        table.add_section()
        table.add_row(Text(f"{category}: {chosen[0].pages} p."), style="dim")
        for summary in chosen:
            broken = summary.method in report.lossless and summary.identical < 1
            cells = [column.cell(summary) for column in columns]
            table.add_row(Text(summary.method), *cells, style="bold red" if broken else None)
    return table


def _one(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def _with(value: float | None, interval: Interval | None, form: str) -> str:
    """The value and its interval: `2.51 [2.31 2.74]`."""
    if value is None or interval is None:
        return _one(value, form)
    low, high = (form.format(end) for end in interval)
    return f"{form.format(value)} \\[{low} {high}]"


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _percents(interval: Interval | None) -> Interval | None:
    return None if interval is None else (100 * interval[0], 100 * interval[1])
