"""`write_html`: a report as a page for people, from the template beside this file."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from docparse.bench.published import checks
from docparse.bench.report import Report
from docparse.bench.report_html.chapter import Chapter, chapters, short
from docparse.bench.report_html.ink import VARIABLES
from docparse.bench.report_html.pictures import filmstrip, kept_tokens
from docparse.bench.report_html.plots import Plot, acceptance_lengths, pareto, stages
from docparse.bench.report_html.swept import sweep
from docparse.bench.report_html.tables import (
    MAIN,
    PIVOTED,
    ROW_HEADS,
    THEMES,
    Table,
    by_category,
    number,
    pages,
    prediction_table,
    row_cells,
    table,
)
from docparse.bench.report_html.traced import acceptance_along, image_attention
from docparse.bench.rows import Summary
from docparse.bench.trace import Trace
from docparse.errors import EnvironmentProblem, OutputError

MOST_ROWS = 3000  # beyond which the long table would be most of the file
FEW_PAGES = 10
POINT = 0.01  # of character error rate
NO_TRACE = "No page was read with a recorder, which is done where a report of this kind is asked for."


def check_html() -> None:
    """Before hours of measuring: raise `EnvironmentProblem` where what draws the report is not installed."""
    if missing := [name for name in ("matplotlib", "jinja2") if importlib.util.find_spec(name) is None]:
        raise EnvironmentProblem(f"--html needs {' and '.join(missing)}: pip install 'docparse[bench]'")


def write_html(report: Report, path: Path) -> None:
    """Write the report as one HTML file that refers to nothing outside itself.

    Raises `EnvironmentProblem` where a package is missing, `OutputError` where the file cannot be written.
    """
    check_html()
    text = render(report)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path}: cannot write: {error.strerror or error}") from None


def render(report: Report) -> str:
    """The page. Everything that comes from data is escaped by the template."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    found = chapters(report)
    return (
        environment.from_string(_text("template.html"))
        .render(
            title=", ".join(chapter.model for chapter in found),
            lead=_lead(report),
            highlights=[each for chapter in found for each in _highlights(chapter, many=len(found) > 1)],
            remarks=_remarks(report),
            broken=report.broken,
            baseline=report.baseline,
            chapters=[_chapter(chapter, i) for i, chapter in enumerate(found)],
            row_heads=ROW_HEADS,
            predicted=_coloured(prediction_table(report.predictions)),
            predicted_errors=_prediction_errors() if report.predictions else "",
            about=_about(report),
            style=_text("style.css"),
            script=_text("sort.js"),
        )
        .lstrip()
    )


def _text(name: str) -> str:
    return (files("docparse.bench") / "report_html" / name).read_text(encoding="utf-8")


# ---- what comes first


@dataclass(frozen=True)
class Highlight:
    figure: str
    what: str
    note: str


def _lead(report: Report) -> str:
    count = len({row.page for row in report.rows})
    return f"{len(report.methods)} methods on {_pages(count)} of {report.data}, drafts: {report.drafts}"


def _pages(count: int) -> str:
    return f"{count} page{'s' * (count != 1)}"


def _highlights(chapter: Chapter, many: bool) -> Iterator[Highlight]:
    """The quickest method that changes nothing, and the quickest one that costs at most a point of accuracy."""
    others = [each for each in chapter.overall if each.method != chapter.baseline]
    where = f", {chapter.model}" if many else ""
    exact = [each for each in others if each.method in chapter.lossless and each.identical == 1]
    if exact:
        best = max(exact, key=lambda each: each.sr_e2e)
        yield _highlight(best, f"quickest lossless method: {short(best.method)}{where}")
    base = next((each for each in chapter.overall if each.method == chapter.baseline), None)
    if base is None or not chapter.truth or chapter.measured.random_weights:
        return
    near = [each for each in others if (each.cer or 0.0) - (base.cer or 0.0) <= POINT and each not in exact]
    if near:
        best = max(near, key=lambda each: each.sr_e2e)
        yield _highlight(best, f"quickest that loses at most a point of CER: {short(best.method)}{where}")
    yield Highlight(f"{100 * (base.cer or 0.0):.2f} %", f"character error rate of {base.method}{where}", "")


def _highlight(each: Summary, what: str) -> Highlight:
    ends = each.sr_e2e_interval
    spread = f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else ""
    return Highlight(f"{each.sr_e2e:.2f}×", what, f"end to end{spread}; decoding {each.sr_decode:.2f}×")


def _remarks(report: Report) -> Iterator[str]:
    """What a reader has to know before believing a number."""
    for each in report.models:
        if each.random_weights:
            yield f"{each.name} has random weights: this shows speed and exactness, and its text means nothing."
        if each.token_per_character:
            yield (
                f"{each.name} writes one token for each character, so acceptance lengths here are no neighbours of "
                "those in papers, where a token is about four."
            )
    if report.drafts == "oracle":
        yield "Drafts are an oracle: plain decoding's own output, cut into regions. No real draft is as good."
    if report.drafts == "truth":
        yield "Drafts are the page's true text, which nobody has who still has to read it."
    count = len({row.page for row in report.rows})
    if count < FEW_PAGES:
        yield f"{_pages(count)}: too few to say much about others."


# ---- one model


def _chapter(chapter: Chapter, number_of_chapter: int) -> dict[str, Any]:
    plots = [pareto(chapter), stages(chapter), acceptance_lengths(chapter)]
    if not chapter.traces:
        plots += [
            Plot("Attention to the image, layer by layer", "", absent=NO_TRACE),
            Plot("Acceptance along the page", "", absent=NO_TRACE),
        ]
    for trace in chapter.traces:
        plots += [image_attention(chapter, trace), acceptance_along(chapter, trace)]
    plots += [sweep(ablation) for ablation in chapter.ablations]
    rows = chapter.rows if len(chapter.rows) <= MOST_ROWS else ()
    return {
        "model": chapter.model,
        "main": _coloured(table("Results", MAIN, chapter, chapter.overall)),
        "themes": _there(table(name, columns, chapter, chapter.overall) for name, columns in THEMES.items()),
        "pivots": _there(by_category(column, chapter) for column in PIVOTED),
        "categories": _there(
            table(f"{name}, {pages(chosen[0])}", MAIN, chapter, chosen) for name, chosen in chapter.categories.items()
        ),
        "failures": chapter.failures,
        "plots": plots,
        "pages": [_page(trace, f"{number_of_chapter}-{i}") for i, trace in enumerate(chapter.traces)],
        "rows": [row_cells(row) for row in rows],
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


def _prediction_errors() -> str:
    """How far the cost model is off where something was published, the row it was fitted to aside."""
    errors = [error for check in checks()[1:] for error in check.errors if error is not None]
    return f"{min(errors):+.0%} to {max(errors):+.0%}"


def _page(trace: Trace, number_of_page: str) -> dict[str, Any]:
    name, film = filmstrip(trace)
    by_regions = "The model reads a page region by region: there are no visual tokens of the page as a whole."
    return {
        "trace": trace,
        "number": number_of_page,
        "kept": kept_tokens(trace),
        "film": film,
        "film_name": name,
        "why_no_kept": by_regions if not trace.boxes else "No method here takes visual tokens away.",
        "why_no_film": by_regions if not trace.boxes else "No method here chooses what its layers read (fastocr does).",
    }


# ---- how it was measured


def _about(report: Report) -> list[tuple[str, list[tuple[str, str]]]]:
    run = {
        "data": report.data,
        "drafts": report.drafts,
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
        "Methods": report.methods,
        "Machine": report.machine,
        "Versions": report.versions,
        "Settings": report.settings,
    }
    return [(name, [(key, str(value)) for key, value in facts.items()]) for name, facts in parts.items() if facts]
