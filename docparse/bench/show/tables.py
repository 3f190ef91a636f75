"""A table of a report: its columns and lines, before anybody writes it. The terminal, Markdown and HTML have a writer
each, and nothing else that they print twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

from docparse.bench.report import Report
from docparse.bench.rows import OVERALL, Throughput
from docparse.bench.show.columns import BY_CATEGORY, LOAD, Column, Standing, filled, meanings
from docparse.bench.show.kinds import grouped


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
    _longest: dict[str, float] = field(default_factory=dict)

    @property
    def lines(self) -> list[Line]:
        return [line for lines in self.groups.values() for line in lines]

    def bar(self, column: Column, line: Line) -> float:
        """Return how long the bar behind a cell is, from 0 to 1."""
        if not column.bar:
            return 0.0
        if column.name not in self._longest:
            self._longest[column.name] = max(column.number(each.of) or 0.0 for each in self.lines)
        return (column.number(line.of) or 0.0) / (self._longest[column.name] or 1.0)


def over_all(report: Report, found: Sequence[Standing], columns: Sequence[Column]) -> Table | None:
    """Return a line for each method over all pages; None where the columns have nothing to say."""
    overall = [each for each in found if each.of.category == OVERALL]
    there = filled(columns, overall)
    lines = {each.of.method: Line(each.of.method, each, *_promise(each, report)) for each in overall}
    if not there:
        return None
    of = overall[0].of
    title = f"{of.model}, {of.pages} page{'s' * (of.pages != 1)} of {report.data}, {report.drafted} drafts"
    return Table(title, there, _by_kind(lines, report))


def by_category(report: Report, found: Sequence[Standing]) -> Iterator[Table]:
    """Yield a number of every method, a column for each category, as papers print it; nothing for one category."""
    pages = {each.of.category: each.of.pages for each in found}
    heads = {name: name if name == OVERALL else f"{name} ({count})" for name, count in pages.items()}
    known: dict[str, dict[str, Standing | None]] = {}
    for each in found:
        known.setdefault(each.of.method, dict.fromkeys(pages))[each.of.category] = each
    for column in filled(BY_CATEGORY, found) if len(pages) > 1 else ():
        columns = [
            replace(column, name=head, meaning="", bar=False, at=itemgetter(name)) for name, head in heads.items()
        ]
        lines = {
            name: Line(name, of, *_promise(overall, report)) for name, of in known.items() if (overall := of[OVERALL])
        }
        yield Table(f"{column.name} by category", columns, _by_kind(lines, report), note=column.meaning, brief=True)


def of_load(report: Report, load: Throughput) -> Table:
    """Return a line for each method and batch size."""
    lines = [Line(each.method, each, bool(each.method in report.lossless and each.different)) for each in load.points]
    title = f"{load.model}, {load.pages} pages of {report.data}, {report.drafted} drafts: throughput"
    return Table(title, LOAD, {"": lines}, note=meanings(LOAD))


def _promise(each: Standing, report: Report) -> tuple[bool, str]:
    """Whether a method broke what it promises, and what it is called."""
    promises = each.of.method in report.lossless
    broken = promises and each.of.identical < 1
    badge = "not lossless" if broken else "lossless" * promises
    return broken, "baseline" if each.of.method == report.baseline else badge


def _by_kind(lines: Mapping[str, Line], report: Report) -> dict[str, list[Line]]:
    return {kind: [lines[name] for name in names] for kind, names in grouped(lines, report.methods).items()}
