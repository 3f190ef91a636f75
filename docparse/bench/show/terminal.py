"""A bench report on the terminal: speed with its interval, accuracy beside it, and what the numbers do not say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docparse.bench.columns import MARKED, Column
from docparse.bench.report import Report
from docparse.bench.show.headline import headlines
from docparse.bench.show.remarks import remarks, terms
from docparse.bench.show.tables import Table, tables

if TYPE_CHECKING:
    from rich.console import Console

NAME = 28  # characters of a method's name on a line
BROKEN = 22  # characters of each line of a longer one
LINES = 60  # of methods and categories together: more, and categories are left to files
UNBOUNDED = 1000  # characters, wider than any table


def show(report: Report, screen: Console) -> None:
    """Print the tables of each model, then what has to be known to read them."""
    shown: list[Column] = []
    crowded = [each.name for each in report.models if len(report.summaries(each.name)) > LINES]
    for model in report.models:
        for table in tables(report, model.name, "main", "rest", "scores"):
            if not (table.brief and model.name in crowded):
                shown += _fitting(table, screen)
                _say(table.note, screen)
        for each in headlines(report, model):
            _say(f"{each.what}: {each.note}.", screen)
    _say(f"{terms(report, shown)} Warm-up: {report.warm_up_seconds:.1f} s, in no row. All numbers: --json.", screen)
    notes = [MARKED] if report.few else []
    notes += ["By category: --markdown, --html."] if crowded else []
    for note in [*notes, *remarks(report)]:
        _say(note, screen)


def _say(text: str, screen: Console) -> None:
    if text:
        screen.print(text, soft_wrap=True, markup=False)


def _fitting(table: Table, screen: Console) -> list[Column]:
    """Print as many columns as fit, without intervals where even what is needed is too wide; return them."""
    from rich.measure import Measurement

    unbounded = screen.options.update_width(UNBOUNDED)
    columns = list(table.columns)
    while True:
        drawn = as_rich(table, columns)
        spared = [column for column in columns if not column.needed]
        if not spared or Measurement.get(screen, unbounded, drawn).maximum <= screen.width:
            break
        columns.remove(spared[-1])
    if Measurement.get(screen, unbounded, drawn).maximum > screen.width:
        drawn = as_rich(table, columns, brief=True)
    screen.print(drawn)
    return columns


def as_rich(table: Table, columns: Sequence[Column] | None = None, *, brief: bool = False) -> Any:
    """Return the table as rich draws it; bad lines are red."""
    from rich import box
    from rich.table import Table as Drawn
    from rich.text import Text

    columns = table.columns if columns is None else columns
    drawn = Drawn(
        title=Text(table.title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True
    )
    drawn.add_column(table.head, overflow="fold", max_width=NAME)
    for column in columns:
        drawn.add_column(column.name, justify="right", no_wrap=True)
    for kind, lines in table.groups.items():
        if kind:
            drawn.add_section()
            drawn.add_row(Text(kind), style="dim italic")
        for line in lines:
            cells = [Text(column.cell(line.of, brief or table.brief)) for column in columns]
            drawn.add_row(Text(_broken(line.name)), *cells, style="bold red" if line.bad else None)
    return drawn


def _broken(name: str) -> str:
    """A long name on several lines, broken behind commas and plus signs."""
    if len(name) <= NAME:
        return name
    lines = [""]
    for part in re.findall(r"[^,+]+[,+]?|[,+]", name):
        if lines[-1] and len(lines[-1] + part) > BROKEN:
            lines.append(" ")
        lines[-1] += part
    return "\n".join(lines)
