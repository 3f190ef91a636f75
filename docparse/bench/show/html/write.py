"""`write_html`: a report as a page for people, from the template beside this file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse.bench.report import Measured, Report
from docparse.bench.rows import AR, OVERALL, STAGES, PageRow, Throughput
from docparse.bench.show import throughput
from docparse.bench.show.again import command
from docparse.bench.show.columns import BY_CATEGORY, CER, DETAILS, MAIN, MARKED, Column, Standing, filled, standings
from docparse.bench.show.headline import Headline, headlines
from docparse.bench.show.html import plots
from docparse.bench.show.html.pictures import fixation, kept, texts
from docparse.bench.show.html.svg import MUTED, series
from docparse.bench.show.kinds import MANY_METHODS, family_of, grouped
from docparse.bench.show.markdown import conditions
from docparse.bench.show.remarks import remarks
from docparse.bench.traces import Trace
from docparse.errors import OutputError

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_ROWS = 2000  # of pages, beyond which the long table would be most of the file


def write_html(report: Report, path: Path) -> None:
    """Write the report as one HTML file that refers to nothing outside itself. Raises `OutputError`."""
    try:
        path.write_text(render(report), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {error.strerror or error}") from None


def render(report: Report) -> str:
    """Return the page. Everything that comes from data is escaped by the template."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["breakable"] = _breakable
    measured, *told = conditions(report)
    found = environment.from_string(_text("template.html")).render(
        title=", ".join(each.name for each in report.models),
        lead=f"{len(report.methods)} methods: {measured}",
        conditions=" ".join(told),
        highlights=[each for model in report.models for each in _cards(report, model)],
        few=MARKED if any(each.few for model in report.models for each in standings(report, model.name)) else "",
        remarks=list(remarks(report)),
        broken=report.broken,
        baseline=report.baseline,
        chapters=[_chapter(report, model) for model in report.models],
        command=command(report),
        about=_about(report),
        style=_text("style.css"),
        script=_text("sort.js"),
    )
    return found.lstrip()


def _breakable(name: str) -> Markup:
    """A method's name as HTML that may be broken between its parameters."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"([(,+])", r"\1<wbr>", str(escape(name))))


def _text(name: str) -> str:
    return (files("docparse.bench.show.html") / name).read_text(encoding="utf-8")


def _cards(report: Report, model: Measured) -> Iterator[Headline]:
    """The headlines, and how well the model reads at all."""
    name = f"{model.name}: " if len(report.models) > 1 else ""
    loads = [throughput.best(report, load) for load in report.throughput if load.model == model.name]
    plain = [each for each in standings(report, model.name) if (each.of.method, each.of.category) == (AR, OVERALL)]
    known = [each for each in plain if each.of.cer is not None and not model.random_weights]
    reads = [
        Headline(
            f"{CER.text(each)} %",
            f"character error rate of {AR}",
            ", ".join(filter(None, (CER.note(each), f"{each.of.pages} pages"))),
        )
        for each in known
    ]
    for each in chain(loads, headlines(report, model), reads):
        yield each._replace(what=name + each.what, note=re.sub(r" (?=[^\[]*\])", "\xa0", each.note))  # no break in [ ]


def _chapter(report: Report, model: Measured) -> dict[str, Any]:
    """One model's part."""
    mine = list(standings(report, model.name))
    overall = [each for each in mine if each.of.category == OVERALL]
    rows = [row for row in report.rows if row.model == model.name]
    colours = _colours([each.of.method for each in overall], report)
    load = next((each for each in report.throughput if each.model == model.name), None)
    traces = [each for each in report.traces if each.model == model.name]
    drawn = [plots.pareto(model, overall, colours), plots.over_density(mine, colours), plots.accepted(rows, colours)]
    drawn += [plot(trace) for trace in traces for plot in (plots.image_attention, plots.along)]
    drawn += [plots.over_batches(load)] if load else []
    return {
        "model": model.name,
        "main": _table(MAIN, overall, report, colours),
        "details": _table(DETAILS, overall, report, colours),
        "pivots": _pivots(mine, overall, report, colours),
        "load": load and _load_table(report, load),
        "load_note": load and f"{throughput.preparing(load)} {throughput.LEGEND}",
        "failures": [each for each in report.failures if each.model == model.name],
        "stages": _stages(rows, report),
        "plots": [each for each in drawn if each is not None],
        "pages": [_page(trace, f"{report.models.index(model)}-{i}") for i, trace in enumerate(traces)],
        "rows": _rows(rows),
        "row_count": len(rows),
    }


def _colours(methods: Sequence[str], report: Report) -> dict[str, str]:
    """Of every method, the baseline in grey; of many the settings of one method share theirs."""
    many = len(methods) > MANY_METHODS
    named = {name: family_of(report.methods.get(name, name)) if many else name for name in methods}
    families = list(dict.fromkeys(family for name, family in named.items() if name != report.baseline))
    return {
        name: MUTED if name == report.baseline else series(families.index(family)) for name, family in named.items()
    }


Cell = tuple[str, str, object, float]  # text, a small note, what it is sorted by, the length of the bar behind it


def _cells(columns: Sequence[Column], lines: Sequence[Any]) -> list[list[Cell]]:
    longest = {c.name: max((c.value(each) or 0.0 for each in lines), default=0.0) if c.bar else 0.0 for c in columns}

    def cell(column: Column, each: Any) -> Cell:
        value = column.value(each)
        bar = (value or 0.0) / longest[column.name] if longest[column.name] else 0.0
        return column.text(each), column.note(each), "" if value is None else value, bar

    return [[cell(column, each) for column in columns] for each in lines]


def _table(columns: Sequence[Column], chosen: Sequence[Standing], report: Report, colours: Mapping[str, str]) -> Any:
    """A line for each method, many of them by kind; None where there is nothing to say."""
    there = filled(columns, chosen)
    cells = {each.of.method: line for each, line in zip(chosen, _cells(there, chosen), strict=True)}
    heads = [(column.name, column.meaning) for column in there]
    return {"heads": heads, "groups": _groups(cells, chosen, report, colours)} if there else None


def _groups(
    cells: Mapping[str, list[Cell]], chosen: Sequence[Standing], report: Report, colours: Mapping[str, str]
) -> list[tuple[str, list[dict[str, Any]]]]:
    broken = {each.of.method for each in chosen if each.of.method in report.lossless and each.of.identical < 1}

    def line(name: str) -> dict[str, Any]:
        promised = "not lossless" if name in broken else "lossless" * (name in report.lossless)
        badge = "baseline" if name == report.baseline else promised
        return {"name": name, "cells": cells[name], "bad": name in broken, "badge": badge, "colour": colours[name]}

    return [(kind, [line(name) for name in names]) for kind, names in grouped(cells, report.methods).items()]


def _pivots(
    mine: Sequence[Standing], overall: Sequence[Standing], report: Report, colours: Mapping[str, str]
) -> list[dict[str, Any]]:
    """A number of every method, a column for each category, as papers print it; empty where there is one category."""
    pages = {each.of.category: each.of.pages for each in mine}
    heads = [(name, f"{count} pages") for name, count in pages.items()]
    found = []
    for column in filled(BY_CATEGORY, mine) if len(pages) > 1 else ():
        known = {
            (each.of.method, each.of.category): cell for each, (cell,) in zip(mine, _cells([column], mine), strict=True)
        }
        cells = {
            each.of.method: [known.get((each.of.method, name), ("", "", "", 0.0)) for name in pages] for each in overall
        }
        title = f"{column.name}: {column.meaning}"
        found.append({"title": title, "heads": heads, "groups": _groups(cells, overall, report, colours)})
    return found


def _load_table(report: Report, load: Throughput) -> dict[str, Any]:
    lines = []
    for each, cells in zip(load.points, _cells(throughput.COLUMNS, load.points), strict=True):
        bad = each.method in report.lossless and bool(each.different)
        lines.append({"name": each.method, "cells": cells, "bad": bad, "badge": "", "colour": ""})
    heads = [(column.name, column.meaning) for column in throughput.COLUMNS]
    return {"title": throughput.title(report, load), "heads": heads, "groups": [("", lines)]}


def _stages(rows: Sequence[PageRow], report: Report) -> Any:
    """Mean seconds of a page by stage, of each method, the longest as wide as the drawing."""
    methods = list(dict.fromkeys(row.method for row in rows))
    means: dict[str, dict[str, float]] = {}
    for name in chain.from_iterable(grouped(methods, report.methods).values()):
        own = [row.seconds for row in rows if row.method == name]
        means[name] = {stage: sum(each.get(stage, 0.0) for each in own) / len(own) for stage in STAGES}
    longest = max((sum(mean.values()) for mean in means.values()), default=0.0)
    colours = {stage: series(number) for number, stage in enumerate(STAGES) if any(m[stage] for m in means.values())}
    lines = [
        (name, sum(mean.values()), [(colours[stage], 100 * mean[stage] / longest, stage) for stage in colours])
        for name, mean in means.items()
    ]
    return {"names": colours, "lines": lines} if longest else None


def _rows(rows: Sequence[PageRow]) -> list[list[tuple[str, object]]]:
    """Every page as it was read: what lost most by a method comes first, plain decoding last."""
    plain = {(row.page, row.run): row.cer for row in rows if row.method == AR}

    def cost(row: PageRow) -> float:
        base = plain.get((row.page, row.run))
        return row.distance if base is None or row.cer is None else row.cer - base

    found = []
    for row in sorted(rows, key=lambda each: (each.method == AR, -cost(each)))[:MOST_ROWS]:
        shares = (row.cer, cost(row), row.distance)
        line: list[tuple[str, object]] = [(name, name) for name in (row.page, row.category, row.method)]
        line += [("" if share is None else f"{100 * share:.2f}", "" if share is None else share) for share in shares]
        line += [(f"{spent:.2f}", spent) for spent in (row.prefill, row.decoding, row.total)]
        found.append([*line, *((str(count), count) for count in (row.tokens, row.steps, row.accepted))])
    return found


def _page(trace: Trace, number: str) -> dict[str, Any]:
    """The pictures of the page that was read with a recorder."""
    film = next((each for each in trace.methods if each.fixations and trace.boxes), None)
    return {
        "trace": trace,
        "number": number,
        "kept": [kept(trace, each) for each in trace.methods if each.kept and trace.boxes],
        "film": [fixation(trace, each) for each in film.fixations] if film else [],
        "film_name": film.method if film else "",
        "texts": texts(trace),
    }


def _about(report: Report) -> list[tuple[str, list[tuple[str, str]]]]:
    run = {"ended": report.date, "baseline": report.baseline, "seed": report.seed, "schema": report.schema}
    run |= {"warm-up": f"{report.warm_up_seconds:.1f} s", "docparse at": report.git_revision or "no git checkout"}
    passes = {
        each.name: ", ".join(f"{tokens}: {took:.3g}" for tokens, took in each.pass_milliseconds.items())
        for each in report.models
        if each.pass_milliseconds
    }
    parts: dict[str, Mapping[str, object]] = {
        "Run": run,
        "Milliseconds of a pass, by tokens": passes,
        "Methods that stand for others": {name: text for name, text in report.methods.items() if text != name},
        "Machine": report.machine,
        "Versions": report.versions,
        "Settings": report.settings,
    }
    return [(name, [(key, str(value)) for key, value in facts.items()]) for name, facts in parts.items() if facts]
