"""`render`: a report as a page for people, from the template beside this file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from docparse.bench.columns import MARKED
from docparse.bench.report import Measured, Report
from docparse.bench.rows import AR, OVERALL, STAGES, PageRow
from docparse.bench.show.headline import Headline, headlines
from docparse.bench.show.html import plots
from docparse.bench.show.html.pictures import fixation, kept, texts
from docparse.bench.show.html.svg import MUTED, series
from docparse.bench.show.kinds import MANY_METHODS, family_of, grouped
from docparse.bench.show.markdown import command, conditions
from docparse.bench.show.remarks import remarks, terms
from docparse.bench.show.tables import by_category, every_page, of_load, over_all
from docparse.bench.summaries import COLUMNS
from docparse.bench.traces import Trace

if TYPE_CHECKING:
    from markupsafe import Markup

NUMBERS = ("models", "summary", "rows", "failures", "traces", "throughput", "unfinished", "left_out")
MOST_ROWS = 2000  # of pages, beyond which the long table would be most of the file


def render(report: Report) -> str:
    """Return the report as one HTML page that refers to nothing outside itself; the template escapes all data."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"breakable": _breakable, "plain": _plain}
    measured, *told = conditions(report)
    found = environment.from_string(_text("template.html")).render(
        report=report,
        lead=f"{len(report.methods)} methods: {measured}",
        conditions=" ".join(told),
        terms=terms(report),
        highlights=[each for model in report.models for each in _cards(report, model)],
        few=MARKED if report.few else "",
        remarks=list(remarks(report)),
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


def _plain(value: Any) -> str:
    """A fact of the JSON in words."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_plain(each)}" for name, each in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(_plain, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _text(name: str) -> str:
    return (files("docparse.bench.show.html") / name).read_text(encoding="utf-8")


def _cards(report: Report, model: Measured) -> Iterator[Headline]:
    """The headlines, and how well the model reads at all."""
    name = f"{model.name}: " if len(report.models) > 1 else ""
    cer = COLUMNS["cer"]
    reads = [
        Headline(
            f"{cer.text(each)} %",
            f"character error rate of {AR}",
            ", ".join(filter(None, (cer.note(each), f"{each.pages} pages"))),
        )
        for each in report.summaries(model.name, OVERALL)
        if each.method == AR and each.cer is not None and not model.random_weights
    ]
    for each in chain(headlines(report, model), reads):
        yield each._replace(what=name + each.what, note=re.sub(r" (?=[^\[]*\])", "\xa0", each.note))  # no break in [ ]


def _chapter(report: Report, model: Measured) -> dict[str, Any]:
    """One model's part."""
    overall = report.summaries(model.name, OVERALL)
    rows = [row for row in report.rows if row.model == model.name]
    colours = _colours([each.method for each in overall], report)
    loads = [each for each in report.throughput if each.model == model.name]
    main = over_all(report, model.name, "main")
    traces = [each for each in report.traces if each.model == model.name]
    drawn = [
        plots.pareto(model, overall, colours),
        plots.over_density(report.summaries(model.name), colours),
        plots.accepted(rows, colours),
    ]
    drawn += [plot(trace) for trace in traces for plot in (plots.image_attention, plots.along)]
    drawn += map(plots.over_batches, loads)
    return {
        "model": model.name,
        "colours": colours,
        "results": [*([main] if main else []), *(of_load(report, load) for load in loads)],
        "details": over_all(report, model.name, "rest", "scores", "details"),
        "categories": list(by_category(report, model.name)),
        "failures": [each for each in report.failures if each.model == model.name],
        "stages": _stages(rows, report),
        "plots": [each for each in drawn if each is not None],
        "pages": [_page(trace, f"{report.models.index(model)}-{i}") for i, trace in enumerate(traces)],
        "every": every_page(report, model.name, MOST_ROWS),
    }


def _colours(methods: Sequence[str], report: Report) -> dict[str, str]:
    """Of every method, the baseline in grey; of many the settings of one method share theirs."""
    many = len(methods) > MANY_METHODS
    named = {name: family_of(report.methods.get(name, name)) if many else name for name in methods}
    families = list(dict.fromkeys(family for name, family in named.items() if name != report.baseline))
    return {
        name: MUTED if name == report.baseline else series(families.index(family)) for name, family in named.items()
    }


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


def _about(report: Report) -> list[tuple[str, dict[str, Any]]]:
    """Return what the JSON says besides numbers of pages, by its own names: the run, models, what else has parts."""
    facts = {name: value for name, value in msgspec.structs.asdict(report).items() if value and name not in NUMBERS}
    run = {name: value for name, value in facts.items() if not isinstance(value, dict)}
    models = [(each.name, msgspec.structs.asdict(each)) for each in report.models]
    return [("run", run), *models, *((name, value) for name, value in facts.items() if name not in run)]
