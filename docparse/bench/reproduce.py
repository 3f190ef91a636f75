"""Tables of the papers with our column beside theirs: `docparse bench --reproduce fastocr-table1`. Figures, in
`papers.json`, are as printed; one that we do not have is a dash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files

import msgspec

from docparse.bench.report import Report
from docparse.bench.report_tables import ReportCell, ReportColumn, ReportLine, ReportTable
from docparse.bench.rows import AR, OVERALL
from docparse.bench.summaries import Summary

UNKNOWN = "–"


class PaperFigure(msgspec.Struct, frozen=True):
    """A line of a paper's table: model, our method for it, figures by column, and OmniDocBench's `category`."""

    what: str
    model: str
    method: str
    figures: dict[str, str]
    category: str = OVERALL


class PaperTable(msgspec.Struct, frozen=True, dict=True):
    """`data` and `machine` are the paper's, `leave_out` the pages that it does not count, `more` methods of ours."""

    title: str
    source: str
    data: str
    machine: str
    lines: tuple[PaperFigure, ...]
    more: tuple[str, ...] = ()
    leave_out: str = ""
    note: str = ""

    @property
    def methods(self) -> str:
        return ",".join(dict.fromkeys([*(line.method for line in self.lines), *self.more]))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for line in self.lines for name in line.figures))


def _kept(each: Summary, plain: Summary) -> float | None:
    """Percent of plain decoding's score that is left: OmniDocBench's overall, or what is right of the characters."""
    if plain.cer is None or each.cer is None:
        return None
    ours, full = each.overall, plain.overall
    if ours is None or full is None:
        ours, full = max(0.0, 1 - each.cer), max(0.0, 1 - plain.cer)
    return 100 * ours / full if full else None


OURS: dict[str, Callable[[Summary, Summary], float | None]] = {  # of a method and of plain decoding
    "AAL + 1": lambda each, _: each.aal + 1,
    "SR_decode": lambda each, _: each.sr_decode,
    "SR_e2e": lambda each, _: each.sr_e2e,
    "score kept %": _kept,
    "visual tokens %": lambda each, _: 100 * each.visual_left,
    "prefill %": lambda each, plain: 100 * each.prefill / (plain.prefill or 1),
    "decode %": lambda each, plain: 100 * each.decode / (plain.decode or 1),
}


@cache
def tables() -> dict[str, PaperTable]:
    """Return the papers' tables by the name that `--reproduce` knows."""
    return msgspec.json.decode((files("docparse.bench") / "papers.json").read_bytes(), type=dict[str, PaperTable])


def beside(report: Report, paper: PaperTable) -> Iterator[tuple[PaperFigure, dict[str, str]]]:
    """Yield every line of the paper with our numbers: of its model where that was measured, else of the first."""
    for line in [*paper.lines, *(PaperFigure("ours", "–", method, {}) for method in paper.more)]:
        names = [each.name for each in report.models]
        model = next((name for name in names if name.startswith(line.model.split()[0])), names[0])
        found = {each.method: each for each in report.summaries(model, line.category)}
        each, plain = found.get(line.method), found.get(AR)
        values = {name: OURS[name](each, plain) for name in paper.columns} if each and plain else {}
        yield line, {name: f"{value:.2f}" for name, value in values.items() if value is not None}


def of_paper(report: Report) -> Iterator[ReportTable]:
    """Yield the table of the paper that was to be reproduced, if one was, with its figure and ours in every column; the
    note says what cannot be compared."""
    paper = tables().get(report.settings.get("reproduce", ""))
    if not (paper and report.models):
        return
    names = ["model", "our method", *(f"{name}\n{whose}" for name in paper.columns for whose in ("paper", "ours"))]
    lines = []
    for line, found in beside(report, paper):
        figures = [figures.get(name, UNKNOWN) for name in paper.columns for figures in (line.figures, found)]
        lines.append(ReportLine(line.what, [ReportCell(text) for text in (line.model, line.method, *figures)]))
    title, columns = f"{paper.title} ({paper.source})", [ReportColumn(name, needed=True) for name in names]
    yield ReportTable(title, columns, lines, head="paper", note=" ".join(differences(report, paper)))


def differences(report: Report, paper: PaperTable) -> Iterator[str]:
    """Yield what of our column cannot be compared with the paper's, a sentence each."""
    names = [each.name for each in report.models]
    theirs = list(dict.fromkeys(line.model for line in paper.lines))
    if missing := [model for model in theirs if not any(name.startswith(model.split()[0]) for name in names)]:
        yield f"Not measured here: {', '.join(missing)}. In their place stands {names[0]}, which is another model."
    if not report.data.startswith("omnidocbench") or "OmniDocBench" not in paper.data:
        yield f"Pages: the paper's are of {paper.data}, ours of {report.data}."
        if "score kept %" in paper.columns:
            yield "Score: ours is 1 - CER, theirs that of their data set."
    elif "score kept %" in paper.columns:
        yield "Score: OmniDocBench's overall, with the formulas' edit distance in place of CDM."
    machine = report.machine.get("gpu") or report.machine.get("processor", "")
    yield f"Machine: the paper's is {paper.machine}, ours {machine}. Speeds are ratios within a run."
    if any(each.random_weights for each in report.models):
        yield "Weights are random: nothing but speed says anything."
    if any(each.token_per_character for each in report.models):
        yield "A token is a character here, so acceptance lengths cannot be compared."
    if any(line.method.startswith("hsd") for line in paper.lines):
        yield f"Drafts: the paper's are PP-StructureV3's, ours are {report.drafted}."
    yield paper.note
