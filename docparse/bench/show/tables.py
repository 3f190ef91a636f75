"""A table of a report: its columns and lines, before anybody writes it. The terminal, Markdown and HTML have a writer
each, and nothing else that they print twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any

from docparse.bench.columns import Column, filled
from docparse.bench.report import Report
from docparse.bench.rows import AR, OVERALL, Throughput
from docparse.bench.show.kinds import grouped
from docparse.bench.summaries import COLUMNS, Summary, by_page, summarise

BY_CATEGORY = [COLUMNS[key] for key in ("cer", "lost", "aal", "sr_decode", "sr_e2e")]
LOAD = (  # of throughput, by method and batch size
    Column("batch size", attrgetter("batch"), "{}", "outputs decoded at once, at most"),
    Column("pages/min", attrgetter("pages_per_minute"), "{:.1f}", bar=True),
    Column("speedup", attrgetter("speedup"), meaning=f"pages/min over those of {AR} at batch size 1"),
    Column("tokens/min", attrgetter("tokens_per_minute"), "{:,.0f}"),
    Column("page s", attrgetter("latency"), meaning="from where it leaves the queue to its end, median"),
    Column("page s p90", attrgetter("latency_p90")),
    Column("passes", attrgetter("passes"), "{:,}", "of the decoder after the prompts"),
    Column("rows/pass", attrgetter("rows_per_pass"), "{:.1f}", "outputs that share one, mean"),
    Column("KV MiB", attrgetter("kv_bytes"), "{:.1f}", "the cache of all of them together, the most", scale=1 / 2**20),
    Column("pages", attrgetter("pages"), "{}"),
    Column("differ", attrgetter("different"), "{}", f"of these, not as {AR} at batch size 1 wrote them"),
)


@dataclass(frozen=True)
class Line:
    """What columns read (None: nothing is known there). `bad`: what is called lossless, and is not."""

    name: str
    of: Any
    bad: bool = False
    badge: str = ""


@dataclass(frozen=True)
class Table:
    """Lines by kind of method; "": there are few, and no kinds. `note` is what has to be known to read it; where it is
    `brief`, intervals that may be left out are."""

    title: str
    columns: Sequence[Column]
    groups: Mapping[str, Sequence[Line]]
    head: str = "method"
    note: str = ""
    brief: bool = False

    @property
    def lines(self) -> list[Line]:
        return [line for lines in self.groups.values() for line in lines]

    @cached_property
    def longest(self) -> dict[str, float]:
        """Return the number that the longest bar of each column with bars stands for."""
        bars = [column for column in self.columns if column.bar]
        return {each.name: max(each.number(line.of) or 0.0 for line in self.lines) or 1.0 for each in bars}


def tables(report: Report, model: str, *groups: str) -> Iterator[Table]:
    """Yield the tables of a model: over all pages, with the columns of these groups, by category, and of throughput."""
    if table := over_all(report, model, *groups):
        yield table
    yield from by_category(report, model)
    yield from (of_load(report, load) for load in report.throughput if load.model == model)


def over_all(report: Report, model: str, *groups: str) -> Table | None:
    """Return a line for each method over all pages, with the columns of these groups; None where they have nothing to
    say."""
    overall = report.summaries(model, OVERALL)
    columns = filled((each for each in COLUMNS.values() if each.group in groups), overall)
    if not columns:
        return None
    pages = overall[0].pages
    title = f"{model}, {pages} page{'s' * (pages != 1)} of {report.data}, {report.drafted} drafts"
    return Table(title, columns, _by_kind({each.method: _line(each, each, report) for each in overall}, report))


def by_category(report: Report, model: str) -> Iterator[Table]:
    """Yield a number of every method, a column for each category, as papers print it; nothing for one category."""
    found = report.summaries(model)
    pages = {each.category: each.pages for each in found}
    heads = {name: name if name == OVERALL else f"{name} ({count})" for name, count in pages.items()}
    lines = {}
    for overall in report.summaries(model, OVERALL):
        known = {each.category: each for each in found if each.method == overall.method}
        lines[overall.method] = _line(overall, dict.fromkeys(pages) | known, report)
    for column in filled(BY_CATEGORY, found) if len(pages) > 1 else ():
        columns = [
            replace(column, name=head, meaning="", bar=False, at=itemgetter(name)) for name, head in heads.items()
        ]
        yield Table(f"{column.name} by category", columns, _by_kind(lines, report), brief=True)


def every_page(report: Report, model: str, most: int) -> Table:
    """Return a line for each page and method, at most so many: what lost most comes first, plain decoding last."""
    rows = [row for row in report.rows if row.model == model]
    found = summarise(rows, report.baseline, by_page)
    found = sorted(found, key=lambda each: (each.method == AR, -each.cost))
    columns = filled((each for each in COLUMNS.values() if each.group in ("main", "rest")), found)
    columns = [Column("method", attrgetter("method"), "{}"), *columns]
    note = f"Here are the first {most} of {len(found)}; the report's JSON has them all." if len(found) > most else ""
    lines = [Line(each.category, each) for each in found[:most]]
    return Table(f"Every page by every method ({len(found)})", columns, {"": lines}, head="page", note=note)


def of_load(report: Report, load: Throughput) -> Table:
    """Return a line for each method and batch size."""
    lines = [Line(each.method, each, bool(each.method in report.lossless and each.different)) for each in load.points]
    title = f"{load.model}, {load.pages} pages of {report.data}, {report.drafted} drafts: throughput"
    return Table(title, LOAD, {"": lines}, note=_preparing(load))


def _line(overall: Summary, of: Any, report: Report) -> Line:
    """A method by what it promises, and whether it broke that."""
    promises = overall.method in report.lossless
    broken = promises and overall.identical < 1
    badge = "not lossless" if broken else "lossless" * promises
    return Line(overall.method, of, broken, "baseline" if overall.method == report.baseline else badge)


def _by_kind(lines: Mapping[str, Line], report: Report) -> dict[str, list[Line]]:
    return {kind: [lines[name] for name in names] for kind, names in grouped(lines, report.methods).items()}


def _preparing(load: Throughput) -> str:
    """Return what came before the model, in a sentence."""
    what = "Rendering and the pipeline" if "pipeline" in load.preparing else "Rendering"
    rate = 60 * load.pages / (sum(load.preparing.values()) or 1.0)
    return f"{what}: {rate:.1f} pages/min, before all others and in none of their numbers."
