"""`render`: a report as a page for people, from the template beside this file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from docparse.bench.report import Measured, Report
from docparse.bench.report_tables import ReportTable
from docparse.bench.reproduce import of_paper
from docparse.bench.rows import OVERALL, STAGES, PageRow
from docparse.bench.show.html import plots
from docparse.bench.show.markdown import command, conditions
from docparse.bench.show.remarks import Headline, headlines, remarks, terms
from docparse.bench.show.tables import by_category, of_load, over_all

if TYPE_CHECKING:
    from markupsafe import Markup


def render(report: Report) -> str:
    """Return the report as one HTML page that refers to nothing outside itself; the template escapes all data."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"breakable": _breakable, "longest": _longest}
    measured, *told = conditions(report)
    found = environment.from_string(_text("template.html")).render(
        report=report,
        lead=f"{len(report.methods)} methods: {measured}",
        conditions=" ".join(told),
        terms=terms(report),
        highlights=[each for model in report.models for each in _cards(report, model)],
        remarks=list(remarks(report)),
        chapters=[_chapter(report, model) for model in report.models],
        papers=list(of_paper(report)),
        command=command(report),
        style=_text("style.css"),
        script=_text("sort.js"),
    )
    return found.lstrip()


def _text(name: str) -> str:
    return (files("docparse.bench.show.html") / name).read_text(encoding="utf-8")


def _breakable(name: str) -> Markup:
    """A method's name as HTML that may be broken between its parameters."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"([(,+])", r"\1<wbr>", str(escape(name))))


def _longest(table: ReportTable) -> list[float]:
    """Return the number that the longest bar of each column stands for; 0: it has none."""
    numbers = zip(*([cell.number or 0.0 for cell in line.cells] for line in table.lines), strict=True)
    return [max(each) if column.bar else 0.0 for column, each in zip(table.columns, numbers, strict=True)]


def _cards(report: Report, model: Measured) -> Iterator[Headline]:
    """The headlines, with the model's name where there are several; no line ends within an interval."""
    name = f"{model.name}: " if len(report.models) > 1 else ""
    for each in headlines(report, model):
        yield each._replace(what=name + each.what, note=re.sub(r" (?=[^\[]*\])", "\xa0", each.note))


def _chapter(report: Report, model: Measured) -> dict[str, Any]:
    rows = [row for row in report.rows if row.model == model.name]
    colours = plots.colours_of(list(report.methods))
    drawn = [
        plots.pareto(model, report.summaries(model.name, OVERALL), colours),
        plots.over_density(report.summaries(model.name), colours),
        plots.accepted(rows, colours),
    ]
    return {
        "model": model.name,
        "colours": colours,
        "results": [*over_all(report, model.name, "main"), *of_load(report, model.name)],
        "details": [*over_all(report, model.name, "rest", "scores", "details"), *by_category(report, model.name)],
        "failures": [each for each in report.failures if each.model == model.name],
        "stages": _stages(rows),
        "plots": [each for each in drawn if each is not None],
    }


def _stages(rows: Sequence[PageRow]) -> dict[str, Any]:
    """Mean seconds of a page by stage, of each method, the longest as wide as the drawing; empty without any."""
    means = {}
    for name in dict.fromkeys(row.method for row in rows):
        own = [row.seconds for row in rows if row.method == name]
        means[name] = {stage: sum(each.get(stage, 0.0) for each in own) / len(own) for stage in STAGES}
    longest = max((sum(mean.values()) for mean in means.values()), default=0.0)
    used = {stage: number for number, stage in enumerate(STAGES) if any(mean[stage] for mean in means.values())}
    colours = {stage: plots.series(number) for stage, number in used.items()}
    lines = [
        (name, sum(mean.values()), [(colours[stage], 100 * mean[stage] / longest, stage) for stage in colours])
        for name, mean in means.items()
    ]
    return {"names": colours, "lines": lines} if longest else {}
