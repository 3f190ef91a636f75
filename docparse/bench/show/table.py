"""A bench report on the terminal: speed with its interval, accuracy beside it, and what the numbers do not say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from docparse.bench.report import Report
from docparse.bench.rows import OVERALL
from docparse.bench.show import throughput
from docparse.bench.show.columns import MAIN, MARKED, REST, Column, Standing, filled, legend, standings
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
Group: TypeAlias = tuple[str, str, list[tuple[str, Any, bool]]]  # two heads; methods, with what columns read, and red


def show(report: Report, screen: Console) -> None:
    """A table for each model, then what has to be known to read them."""
    shown: dict[Column, None] = {}
    few = False
    for model in report.models:
        if chosen := list(_shown(report, model.name)):
            columns, table = _fitting(chosen, report, screen)
            shown |= dict.fromkeys(columns)
            few |= any(each.few for each in chosen)
            screen.print(table)
            for each in headlines(report, model):
                screen.print(f"{each.what}: {each.note}.", soft_wrap=True, markup=False)
    for load in report.throughput:
        loads = [(each.method, each, bool(each.method in report.lossless and each.different)) for each in load.points]
        screen.print(_table(throughput.title(report, load), throughput.COLUMNS, [("", "", loads)]))
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


def _fitting(chosen: Sequence[Standing], report: Report, screen: Console) -> tuple[list[Column], Table]:
    """As many columns as fit, empty ones left out, without intervals where even what is needed is too wide."""
    from rich.measure import Measurement

    title = f"{chosen[0].of.model}, {report.data}, drafts: {report.drafted}"
    columns = filled((*MAIN, *REST), chosen)
    groups = list(_groups(chosen, report))
    unbounded = screen.options.update_width(UNBOUNDED)
    while True:
        table = _table(title, columns, groups)
        if Measurement.get(screen, unbounded, table).maximum <= screen.width:
            return columns, table
        spared = [column for column in columns if not column.needed]
        if not spared:
            return columns, _table(title, columns, groups, brief=True)
        columns.remove(spared[-1])


def _groups(chosen: Sequence[Standing], report: Report) -> Iterator[Group]:
    """Category by category, many methods by kind."""
    for category, members in groupby(chosen, key=lambda each: each.of.category):
        found = {each.of.method: each for each in members}
        head = f"{category}: {next(iter(found.values())).of.pages} p."
        for kind, names in grouped(found, report.methods).items():
            broken = [name in report.lossless and found[name].of.identical < 1 for name in names]
            yield head, kind, [(name, found[name], bad) for name, bad in zip(names, broken, strict=True)]
            head = ""


def _table(title: str, columns: Sequence[Column], groups: Sequence[Group], *, brief: bool = False) -> Table:
    """A line for each method. One that is called lossless and did not write what plain decoding wrote is red."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("method", overflow="fold", max_width=METHOD)
    for column in columns:
        table.add_column(column.name, justify="right", no_wrap=True)
    for head, kind, lines in groups:
        for text, style in ((head, "dim"), (kind, "dim italic")):
            if text:
                table.add_section()
                table.add_row(Text(text), style=style)
        for name, each, broken in lines:
            cells = [Text(column.shown(each, brief)) for column in columns]
            table.add_row(Text(_lines(name)), *cells, style="bold red" if broken else None)
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
