"""The tables of a report; the terminal, Markdown and HTML have a writer each, and nothing else that they print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from docparse.bench.report import Report
from docparse.bench.report_tables import ReportCell, ReportColumn, ReportLine, ReportTable, filled
from docparse.bench.rows import AR, OVERALL
from docparse.bench.summaries import COLUMNS, Summary
from docparse.sizes import counted

BY_CATEGORY = [  # errors without their intervals: what a method loses of a category has one
    replace(COLUMNS["cer"], interval=lambda _: None),
    *(COLUMNS[key] for key in ("lost", "aal", "sr_decode", "sr_e2e")),
]
LOAD = (  # of throughput, by method and batch size
    ReportColumn("batch size", attrgetter("batch"), "{}", "outputs decoded at once, at most"),
    ReportColumn("pages/min", attrgetter("pages_per_minute"), "{:.1f}", bar=True),
    ReportColumn("speedup", attrgetter("speedup"), meaning=f"pages/min over those of {AR} at batch size 1"),
    ReportColumn("tokens/min", attrgetter("tokens_per_minute"), "{:,.0f}"),
    ReportColumn("page s", attrgetter("latency"), meaning="from where it leaves the queue to its end, median"),
    ReportColumn("page s p90", attrgetter("latency_p90")),
    ReportColumn("passes", attrgetter("passes"), "{:,}", "of the decoder after the prompts"),
    ReportColumn("rows/pass", attrgetter("rows_per_pass"), "{:.1f}", "outputs that share one, mean"),
    ReportColumn(
        "KV MiB", attrgetter("kv_bytes"), "{:.1f}", "the cache of all of them together, the most", scale=1 / 2**20
    ),
    ReportColumn("pages", attrgetter("pages"), "{}"),
    ReportColumn("differ", attrgetter("different"), "{}", f"of these, not as {AR} at batch size 1 wrote them"),
)


def tables(report: Report, model: str, *groups: str) -> Iterator[ReportTable]:
    """Yield the tables of a model: over all pages, with the columns of these groups, by category, and of throughput."""
    yield from over_all(report, model, *groups)
    yield from by_category(report, model)
    yield from of_load(report, model)


def over_all(report: Report, model: str, *groups: str) -> Iterator[ReportTable]:
    """Yield a line for each method over all pages, with those columns of these groups that have a number."""
    overall = report.summaries(model, OVERALL)
    columns = filled((each for each in COLUMNS.values() if each.group in groups), overall)
    if columns:
        pages = overall[0].pages
        title = f"{model}, {counted(pages, 'page')} of {report.data}, {report.drafted} drafts"
        lines = [_line(each, [column.cell(each) for column in columns], report) for each in overall]
        yield ReportTable(title, columns, lines)


def by_category(report: Report, model: str) -> Iterator[ReportTable]:
    """Yield a number of every method, a column for each category, as papers print it; nothing for one category."""
    found = {(each.method, each.category): each for each in report.summaries(model)}
    pages = {category: each.pages for (_, category), each in found.items()}
    heads = [
        ReportColumn(name if name == OVERALL else f"{name} ({count})", needed=True) for name, count in pages.items()
    ]
    for column in filled(BY_CATEGORY, list(found.values())) if len(pages) > 1 else ():
        lines = [
            _line(overall, [column.cell(found.get((method, name))) for name in pages], report)
            for (method, category), overall in found.items()
            if category == OVERALL
        ]
        said = [line for line in lines if any(cell.text for cell in line.cells)]  # plain decoding accepts nothing
        yield ReportTable(f"{column.name} by category", heads, said, by_category=True)


def of_load(report: Report, model: str) -> Iterator[ReportTable]:
    """Yield a line for each method and batch size, where throughput was measured."""
    for load in (each for each in report.throughput if each.model == model):
        lines = []
        for each in load.points:
            broken = each.method in report.lossless and each.different > 0
            lines.append(ReportLine(each.method, [column.cell(each) for column in LOAD], broken))
        before = "Rendering and the pipeline" if "pipeline" in load.preparing else "Rendering"
        rate = 60 * load.pages / (sum(load.preparing.values()) or 1.0)
        note = f"{before}: {rate:.1f} pages/min, before all others and in none of their numbers."
        title = f"{model}, {counted(load.pages, 'page')} of {report.data}, {report.drafted} drafts: throughput"
        yield ReportTable(title, LOAD, lines, note=note)


def _line(overall: Summary, cells: list[ReportCell], report: Report) -> ReportLine:
    """A method by what it promises, and whether it broke that."""
    promises = overall.method in report.lossless
    broken = promises and overall.identical < 1
    badge = "not lossless" if broken else "lossless" * (promises and overall.method != AR)
    return ReportLine(overall.method, cells, broken, badge)
