"""A bench report on the terminal: speed with its interval, accuracy beside it, and what the numbers do not say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from docparse.bench.report import Report
from docparse.bench.report_tables import ReportColumn, ReportTable
from docparse.bench.reproduce import of_paper
from docparse.bench.show.remarks import TOO_FEW, headlines, remarks, terms
from docparse.bench.show.tables import tables

if TYPE_CHECKING:
    from rich.console import Console

MANY = 8  # methods: of more, as of few pages, what they do by category is left to files
NAME = 28  # characters of a method's name on a line
UNBOUNDED = 1000  # characters, wider than any table


def show(report: Report, screen: Console) -> None:
    """Print the tables of each model, then what has to be known to read them."""
    shown: list[ReportColumn] = []
    brief = len(report.methods) > MANY or report.pages < TOO_FEW
    for model in report.models:
        for table in tables(report, model.name, "main", "rest", "scores"):
            if not (brief and table.by_category):
                shown += show_table(table, screen)
            _say(table.note, screen)
        for each in headlines(report, model):
            _say(f"{each.what}: {each.note}.", screen)
    _say(f"{terms(report, shown)} Warm-up: {report.warm_up_seconds:.1f} s, in no row. All numbers: --json.", screen)
    for note in [*(["By category: --markdown, --html."] if brief else []), *remarks(report)]:
        _say(note, screen)
    for table in of_paper(report):
        show_table(table, screen)
        _say(table.note, screen)


def _say(text: str, screen: Console) -> None:
    if text:
        screen.print(text, soft_wrap=True, markup=False)


def show_table(table: ReportTable, screen: Console) -> list[ReportColumn]:
    """Print the table, return its columns. If too wide, unneeded columns go, the last first, then intervals."""
    unbounded = screen.options.update_width(UNBOUNDED)
    shown = dict.fromkeys(range(len(table.columns)), True)  # the places of columns; with their intervals?
    for place in sorted(shown, key=lambda place: (table.columns[place].needed, -place)):
        if screen.measure(_as_rich(table, shown), options=unbounded).maximum <= screen.width:
            break
        if table.columns[place].needed:
            shown[place] = False
        else:
            del shown[place]
    screen.print(_as_rich(table, shown))
    return [table.columns[place] for place in shown]


def _as_rich(table: ReportTable, shown: Mapping[int, bool]) -> Any:
    """Return the columns at these places, with their intervals or without; bad lines are red."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(
        title=Text(table.title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True
    )
    drawn.add_column(table.head, overflow="fold", max_width=NAME)
    for place in shown:
        drawn.add_column(table.columns[place].name, justify="right", no_wrap=True)
    for line in table.lines:
        cells = [str(line.cells[place]) if whole else line.cells[place].text for place, whole in shown.items()]
        # a long name is broken behind commas and plus signs
        name = re.sub(r"(?<=[,+])", " ", line.name) if len(line.name) > NAME else line.name
        drawn.add_row(Text(name), *map(Text, cells), style="bold red" if line.bad else None)
    return drawn
