"""A bench report on the terminal: speed with its interval, accuracy beside it, and what the numbers do not say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from docparse.bench.report import Report
from docparse.bench.rows import OVERALL
from docparse.bench.show import throughput
from docparse.bench.show.cells import COLUMNS, MARKED, Column, Standing, legend, standings
from docparse.bench.show.headline import headlines
from docparse.bench.show.kinds import grouped
from docparse.bench.show.remarks import remarks

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

METHOD = 28  # characters of a method's name on a line
BROKEN = 22  # characters of each line of a longer one
LINES = 60  # of methods and categories together: more, and categories are left to files
UNBOUNDED = 1000  # characters, wider than any table


def show(report: Report, screen: Console) -> None:
    """A table for each model, then what has to be known to read them."""
    shown: dict[Column, None] = {}
    few = False
    for model in report.models:
        if chosen := list(_shown(report, model.name)):
            columns = _fitting(chosen, report, screen)
            shown |= dict.fromkeys(columns)
            few |= any(each.few for each in chosen)
            screen.print(_table(chosen, report, columns))
            for each in headlines(report, model):
                screen.print(f"{each.what}: {each.note}.", soft_wrap=True, markup=False)
    for load in report.throughput:
        screen.print(throughput.table(report, load))
        _, what, note = throughput.best(report, load)
        screen.print(f"{what}: {note}.\n{throughput.preparing(load)}", soft_wrap=True, markup=False)
    for note in _notes(report, list(shown), few=few):
        screen.print(note, soft_wrap=True, markup=False)


def _notes(report: Report, columns: Sequence[Column], *, few: bool) -> Iterator[str]:
    """What the numbers say and what they do not."""
    meanings = legend(columns, report) if columns or not report.throughput else throughput.LEGEND
    yield f"{meanings} Warm-up: {report.warm_up_seconds:.1f} s, in no row. All numbers: --json."
    if few:
        yield MARKED
    if any(_many(report, model.name) for model in report.models):
        yield "By category: --markdown, --html."
    yield from remarks(report)


def _many(report: Report, model: str) -> bool:
    return sum(each.model == model for each in report.summary) > LINES


def _shown(report: Report, model: str) -> Iterator[Standing]:
    for each in standings(report, model):
        if each.of.category == OVERALL or not _many(report, model):
            yield each


def _fitting(chosen: Sequence[Standing], report: Report, screen: Console) -> list[Column]:
    """As many columns as fit, empty ones left out, and what is needed in brief where even that is too wide."""
    from rich.measure import Measurement

    columns = [column for column in COLUMNS if any(column.cell(each) for each in chosen)]
    unbounded = screen.options.update_width(UNBOUNDED)

    def too_wide() -> bool:
        return Measurement.get(screen, unbounded, _table(chosen, report, columns)).maximum > screen.width

    while too_wide() and not columns[-1].needed:
        columns.pop()
    if too_wide():
        columns = [replace(column, cell=column.brief or column.cell) for column in columns]
    return columns


def _table(chosen: Sequence[Standing], report: Report, columns: Sequence[Column]) -> Table:
    """Category by category, many methods by kind. A method that is called lossless and did not write what plain
    decoding wrote is red."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    title = f"{chosen[0].of.model}, {report.data}, drafts: {report.drafted}"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("method", overflow="fold", max_width=METHOD)
    for column in columns:
        table.add_column(column.name, justify="right", no_wrap=True)
    for category, members in groupby(chosen, key=lambda each: each.of.category):
        found = {each.of.method: each for each in members}
        table.add_section()
        table.add_row(Text(f"{category}: {next(iter(found.values())).of.pages} p."), style="dim")
        for kind, names in grouped(found, report.methods).items():
            if kind:
                table.add_section()
                table.add_row(Text(kind), style="dim italic")
            for each in map(found.__getitem__, names):
                broken = each.of.method in report.lossless and each.of.identical < 1
                cells = [Text(column.cell(each)) for column in columns]
                table.add_row(Text(_lines(each.of.method)), *cells, style="bold red" if broken else None)
    return table


def _lines(name: str) -> str:
    """A long name on several lines, broken behind commas and plus signs."""
    if len(name) <= METHOD:
        return name
    lines = [""]
    for part in re.findall(r"[^,+]+[,+]?|[,+]", name):
        if lines[-1] and len(lines[-1] + part) > BROKEN:
            lines.append(" ")
        lines[-1] += part
    return "\n".join(lines)
