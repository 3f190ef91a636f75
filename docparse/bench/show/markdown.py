"""A report as Markdown: the tables of docs/benchmarks, over all pages and by category."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import MISSING, fields

from docparse.bench.report import Report
from docparse.bench.report_tables import ReportColumn, ReportTable
from docparse.bench.reproduce import of_paper
from docparse.bench.request import BenchRequest
from docparse.bench.show.remarks import headlines, remarks, terms
from docparse.bench.show.tables import tables
from docparse.settings import as_option
from docparse.sizes import counted


def markdown(report: Report) -> str:
    """Return what was run and on what, then the tables of every model, then what has to be known to read them."""
    parts = []
    shown: list[ReportColumn] = []
    for model in report.models:
        parts.append("\n".join(f"- {each.what}: {each.note}." for each in headlines(report, model)))
        for table in tables(report, model.name, "main", "scores"):
            parts += as_markdown(table)
            shown += table.columns
    for table in of_paper(report):
        parts += as_markdown(table)
    about = [f"```sh\n{command(report)}\n```", " ".join(conditions(report)), terms(report, shown)]
    return "\n\n".join(filter(None, [*about, *parts, *remarks(report)])) + "\n"


def command(report: Report) -> str:
    """Return the command that measures a report again, with every option that is not at its default."""
    parts = ["docparse", "bench"]
    for each in fields(BenchRequest):
        value = report.settings.get(each.name, MISSING)
        if value is MISSING or value is None or value == each.default:
            continue
        parts += [as_option(each.name), *([] if value is True else [str(value)])]
    return shlex.join(parts)


def conditions(report: Report) -> Iterator[str]:
    """Yield what was measured with what, a sentence each."""
    yield f"{counted(report.pages, 'page')} of {report.data}, {report.drafted} drafts."
    for each in report.models:
        revision = f", revision {each.revision}" if each.revision else ""
        yield f"{each.name}: {each.dtype} on {each.device}{revision}."
    machine = report.machine
    named = machine.get("gpu") or machine.get("processor", "")
    yield f"{named}, cores: {machine.get('cores', '?')}, threads: {machine.get('threads', '?')}."
    versions = (
        f"{name} {report.versions[name]}" for name in ("python", "torch", "transformers") if name in report.versions
    )
    yield f"{', '.join(versions)}; {report.date}; docparse {report.git_revision[:12] or 'of no checkout'}."


def as_markdown(table: ReportTable) -> Iterator[str]:
    """Yield the title, the lines of the table, and its note."""
    yield f"{table.title}:"
    heads = (column.name.replace("\n", " ") for column in table.columns)
    lines = [[table.head, *heads], ["---", *("---:" for _ in table.columns)]]
    lines += [[f"`{line.name}`", *map(str, line.cells)] for line in table.lines]
    yield "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)
    yield table.note
