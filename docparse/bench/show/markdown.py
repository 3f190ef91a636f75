"""A report as Markdown: the tables of docs/benchmarks, over all pages and by category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docparse.bench.report import Measured, Report
from docparse.bench.rows import OVERALL, Throughput
from docparse.bench.show import throughput
from docparse.bench.show.again import command
from docparse.bench.show.columns import BY_CATEGORY, DISTANCE, MAIN, MARKED, SCORES, Standing, filled, legend, standings
from docparse.bench.show.headline import headlines
from docparse.bench.show.kinds import grouped
from docparse.bench.show.remarks import remarks

COLUMNS = (*MAIN, DISTANCE, *SCORES)


def markdown(report: Report) -> str:
    """Return what was run and on what, then the tables of every model, then what has to be known to read them."""
    parts = [f"```sh\n{command(report)}\n```", " ".join(conditions(report))]
    few, shown = False, list[Standing]()
    for model in report.models:
        found = list(standings(report, model.name))
        few |= any(each.few for each in found)
        shown += found
        parts += _model(report, model, found)
    for load in report.throughput:
        parts += _throughput(report, load)
    parts += [throughput.LEGEND if report.throughput else legend(filled(COLUMNS, shown), report)]
    parts += [*([MARKED] if few else []), *remarks(report)]
    return "\n\n".join(parts) + "\n"


def conditions(report: Report) -> Iterator[str]:
    """Yield what was measured with what, a sentence each."""
    yield f"{report.pages} pages of {report.data}, {report.drafted} drafts."
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


def _model(report: Report, model: Measured, found: Sequence[Standing]) -> Iterator[str]:
    overall = [each for each in found if each.of.category == OVERALL]
    if not overall:
        return
    yield "\n".join(f"- {each.what}: {each.note}." for each in headlines(report, model))
    columns = filled(COLUMNS, overall)
    yield f"{model.name}, {overall[0].of.pages} pages, {report.drafted} drafts:"
    lines = {each.of.method: [column.cell(each) for column in columns] for each in overall}
    yield _table([column.name for column in columns], lines, report)
    categories = list(dict.fromkeys(each.of.category for each in found if each.of.category != OVERALL))
    for column in BY_CATEGORY if categories else ():
        cells = {(each.of.method, each.of.category): column.shown(each, True) for each in found}
        if any(cells.values()):
            pages = {each.of.category: each.of.pages for each in found}
            yield f"{column.name} by category:"
            lines = {
                each.of.method: [cells.get((each.of.method, name), "") for name in (OVERALL, *categories)]
                for each in overall
            }
            yield _table([OVERALL, *(f"{name} ({pages[name]})" for name in categories)], lines, report)


def _throughput(report: Report, load: Throughput) -> Iterator[str]:
    _, what, note = throughput.best(report, load)
    yield f"- {what}: {note}.\n- {throughput.preparing(load)}"
    yield f"{throughput.title(report, load)}:"
    heads = ["method", *(column.name for column in throughput.COLUMNS)]
    lines = [_line(heads), _line(["---", *("---:" for _ in heads[1:])])]
    for each in load.points:
        lines.append(_line([f"`{each.method}`", *(column.cell(each) for column in throughput.COLUMNS)]))
    yield "\n".join(lines)


def _table(heads: Sequence[str], lines: dict[str, list[str]], report: Report) -> str:
    """Methods down, many of them kind by kind."""
    made = [_line(["method", *heads]), _line(["---", *("---:" for _ in heads)])]
    for kind, names in grouped(lines, report.methods).items():
        if kind:
            made.append(_line([f"*{kind}*", *("" for _ in heads)]))
        made += [_line([f"`{name}`", *lines[name]]) for name in names]
    return "\n".join(made)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |"
