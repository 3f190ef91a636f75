"""`write_html`: a report as a page for people, from the template beside this file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docparse.bench.report import Report
from docparse.bench.show.again import command
from docparse.bench.show.cells import FEW, MARKED
from docparse.bench.show.remarks import remarks
from docparse.bench.show.report_html.chapter import Chapter, chapters
from docparse.bench.show.report_html.columns import PIVOTED, THEMES, main_columns, number
from docparse.bench.show.report_html.head import cards, conditions, lead
from docparse.bench.show.report_html.ink import VARIABLES
from docparse.bench.show.report_html.loads import load_plot, load_table
from docparse.bench.show.report_html.pictures import filmstrip, kept_tokens
from docparse.bench.show.report_html.plots import Plot, acceptance_lengths, pareto, stages
from docparse.bench.show.report_html.swept import sweep
from docparse.bench.show.report_html.tables import (
    ROW_HEADS,
    Table,
    by_category,
    pages,
    row_table,
    table,
)
from docparse.bench.show.report_html.texts import written
from docparse.bench.show.report_html.traced import acceptance_along, image_attention
from docparse.bench.show.throughput import LEGEND, preparing
from docparse.bench.traces import Trace
from docparse.errors import OutputError

if TYPE_CHECKING:
    from markupsafe import Markup

NO_TRACE = "No page was read with a recorder, which is done where a report of this kind is asked for."


def write_html(report: Report, path: Path) -> None:
    """Write the report as one HTML file that refers to nothing outside itself.

    Raises `OutputError` where the file cannot be written.
    """
    text = render(report)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {error.strerror or error}") from None


def render(report: Report) -> str:
    """The page. Everything that comes from data is escaped by the template."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["breakable"] = _breakable
    found = chapters(report)
    return (
        environment.from_string(_text("template.html"))
        .render(
            title=", ".join(chapter.model for chapter in found),
            lead=lead(report),
            conditions=conditions(report),
            highlights=[each for chapter in found for each in cards(report, chapter)],
            few=MARKED if any(each.pages < FEW and each.sr_e2e_interval for each in report.summary) else "",
            remarks=list(remarks(report)),
            broken=report.broken,
            baseline=report.baseline,
            chapters=[_chapter(report, chapter, i) for i, chapter in enumerate(found)],
            row_heads=ROW_HEADS,
            throughput_legend=LEGEND,
            command=command(report),
            about=_about(report),
            style=_text("style.css"),
            script=_text("sort.js"),
        )
        .lstrip()
    )


def _breakable(name: str) -> Markup:
    """A method's name as HTML that may be broken between its parameters."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"([(,+])", r"\1<wbr>", str(escape(name))))


def _text(name: str) -> str:
    return (files("docparse.bench.show.report_html") / name).read_text(encoding="utf-8")


# ---- one model


def _chapter(report: Report, chapter: Chapter, number_of_chapter: int) -> dict[str, Any]:
    if chapter.throughput:
        plots = [load_plot(chapter.throughput)]
    else:
        plots = [pareto(chapter), stages(chapter), acceptance_lengths(chapter)]
    if not chapter.traces and not chapter.throughput:
        plots += [
            Plot("Attention to the image, layer by layer", "", absent=NO_TRACE),
            Plot("Acceptance along the page", "", absent=NO_TRACE),
        ]
    for trace in chapter.traces:
        plots += [image_attention(chapter, trace), acceptance_along(chapter, trace)]
    plots += [sweep(ablation) for ablation in chapter.ablations]
    load = chapter.throughput
    return {
        "throughput": load and _coloured(load_table(report, load)),
        "preparing": load and preparing(load),
        "model": chapter.model,
        "main": _coloured(table(f"Results, {chapter.drafts} drafts", main_columns(chapter), chapter, chapter.overall)),
        "themes": _there(table(name, columns, chapter, chapter.overall) for name, columns in THEMES.items()),
        "pivots": _there(by_category(column, chapter) for column in PIVOTED),
        "categories": _there(
            table(f"{name}, {pages(chosen[0])}", main_columns(chapter), chapter, chosen)
            for name, chosen in chapter.categories.items()
        ),
        "failures": chapter.failures,
        "plots": plots,
        "pages": [_page(trace, f"{number_of_chapter}-{i}") for i, trace in enumerate(chapter.traces)],
        "rows": row_table(chapter),
        "row_count": len(chapter.rows),
    }


def _there(tables: Iterator[Table | None]) -> list[Table]:
    return [coloured for each in tables if (coloured := _coloured(each)) is not None]


def _coloured(each: Table | None) -> Table | None:
    """With the style sheet's variables for the methods' colours."""
    if each is None:
        return None
    lines = (replace(line, colour=line.colour and f"var({VARIABLES[line.colour]})") for line in each.lines)
    return replace(each, lines=tuple(lines))


def _page(trace: Trace, number_of_page: str) -> dict[str, Any]:
    name, film = filmstrip(trace)
    by_regions = "The model reads a page region by region: there are no visual tokens of the page as a whole."
    return {
        "trace": trace,
        "number": number_of_page,
        "kept": kept_tokens(trace),
        "film": film,
        "texts": written(trace),
        "film_name": name,
        "why_no_kept": by_regions if not trace.boxes else "No method here takes visual tokens away.",
        "why_no_film": by_regions if not trace.boxes else "No method here chooses what its layers read (fastocr does).",
    }


# ---- how it was measured


def _about(report: Report) -> list[tuple[str, list[tuple[str, str]]]]:
    run = {
        "ended": report.date,
        "data": report.data,
        "drafts": report.drafted,
        "baseline": report.baseline,
        "seed": report.seed,
        "warm-up": f"{number(report.warm_up_seconds)} s",
        "docparse at": report.git_revision or "no git checkout",
        "schema": report.schema,
    }
    models = {
        each.name: f"{number(each.parameters)} parameters, {each.dtype} on {each.device}"
        + (f", revision {each.revision}" if each.revision else "")
        + (", random weights" if each.random_weights else "")
        for each in report.models
    }
    parts: dict[str, Mapping[str, object]] = {
        "Run": run,
        "Models": models,
        "Milliseconds of a pass, by tokens": _passes(report),
        "Methods that stand for others": {name: text for name, text in report.methods.items() if text != name},
        "Machine": report.machine,
        "Versions": report.versions,
        "Settings": report.settings,
    }
    return [(name, [(key, str(value)) for key, value in facts.items()]) for name, facts in parts.items() if facts]


def _passes(report: Report) -> dict[str, str]:
    """What decode passes took before the race; speculation sizes its trees by it."""
    return {
        each.name: ", ".join(f"{tokens}: {number(took)}" for tokens, took in each.pass_milliseconds.items())
        for each in report.models
        if each.pass_milliseconds
    }
