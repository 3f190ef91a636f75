"""The tables of a report: a line for each method, a cell for each of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from docparse.bench.predict import Prediction
from docparse.bench.report_html.chapter import Chapter
from docparse.bench.report_html.columns import NOTHING, Cell, Column, number, percent
from docparse.bench.rows import OVERALL, Row, Summary


@dataclass(frozen=True)
class Line:
    """A method and its cells; `bad` where it is called lossless and is not identical."""

    name: str
    colour: str
    cells: tuple[Cell, ...]
    bad: bool = False
    badge: str = ""


@dataclass(frozen=True)
class Table:
    title: str
    heads: tuple[tuple[str, str], ...]  # of every column its name, and what it means
    lines: tuple[Line, ...]


def table(title: str, columns: Sequence[Column], chapter: Chapter, chosen: Sequence[Summary]) -> Table | None:
    """`chosen` summaries, a line each; None where no column has anything to say."""
    made = [(column, [column.cell(each) for each in chosen]) for column in columns]
    there = [(column, cells) for column, cells in made if any(cell is not None for cell in cells)]
    if not there or not chosen:
        return None
    longest = {column.head: max((cell.bar for cell in cells if cell), default=0.0) for column, cells in there}
    lines = []
    for i, each in enumerate(chosen):
        cells = tuple(_scaled(made_cells[i], longest[column.head]) for column, made_cells in there)
        bad = chapter.broken(each)
        badge = "baseline" if each.method == chapter.baseline else "lossless" if each.method in chapter.lossless else ""
        lines.append(
            Line(each.method, chapter.colours.get(each.method, ""), cells, bad, "not lossless" if bad else badge)
        )
    return Table(title, tuple((column.head, column.meaning) for column, _ in there), tuple(lines))


def by_category(column: Column, chapter: Chapter) -> Table | None:
    """One number of every method, a column for each category, as papers print it; None where there is one category."""
    found = {(each.method, each.category): column.cell(each) for each in chapter.summary}
    names = [OVERALL, *chapter.categories]
    if len(names) == 1 or not any(found.values()):
        return None
    longest = max((cell.bar for cell in found.values() if cell), default=0.0)
    lines = []
    for each in chapter.overall:
        cells = tuple(_scaled(found.get((each.method, name)), longest) for name in names)
        lines.append(Line(each.method, chapter.colours.get(each.method, ""), cells, chapter.broken(each)))
    heads = [(OVERALL, "all pages")] + [(name, pages(chosen[0])) for name, chosen in chapter.categories.items()]
    return Table(f"{column.head}: {column.meaning}", tuple(heads), tuple(lines))


def pages(each: Summary) -> str:
    return f"{each.pages} page{'s' * (each.pages != 1)}"


def _scaled(cell: Cell | None, longest: float) -> Cell:
    if cell is None:
        return Cell(NOTHING)
    return replace(cell, bar=cell.bar / longest if longest else 0.0)


def prediction_table(predictions: Sequence[Prediction]) -> Table | None:
    """A line for each method, model and way to launch operators; both speedups on each device."""
    if not predictions:
        return None
    devices = list(dict.fromkeys(each.device for each in predictions))
    found: dict[tuple[str, str, str], dict[str, Prediction]] = {}
    for each in predictions:
        found.setdefault((each.method, each.model, each.software), {})[each.device] = each
    heads = [("model", "at its published size"), ("launch", "operators one by one, or captured in graphs")]
    heads += [("AAL", "in the model's own tokens"), *((name, "SR_decode, and below it SR_e2e") for name in devices)]
    lines = []
    for (method, model, software), by_device in found.items():
        cells = [Cell(model, "", model), Cell(software, "", software)]
        cells.append(Cell(f"{next(iter(by_device.values())).aal:.2f}"))
        cells += [_predicted(by_device.get(name)) for name in devices]
        lines.append(Line(method, "", tuple(cells)))
    return Table("Predicted for other machines", tuple(heads), tuple(lines))


def _predicted(each: Prediction | None) -> Cell:
    return Cell(NOTHING) if each is None else Cell(f"{each.sr_decode:.2f}×", f"{each.sr_e2e:.2f}×", each.sr_decode)


def row_cells(row: Row) -> list[Cell]:
    """A page read once, for the long table of everything."""
    cer = percent(row.cer) or Cell(NOTHING)
    return [
        Cell(row.page, "", row.page),
        Cell(row.category, "", row.category),
        Cell(row.method, "", row.method),
        Cell(str(row.run), "", row.run),
        Cell(number(row.prefill), "", row.prefill),
        Cell(number(row.decoding), "", row.decoding),
        Cell(number(row.total), "", row.total),
        Cell(str(row.tokens), "", row.tokens),
        Cell(str(row.steps), "", row.steps),
        Cell(str(row.accepted), "", row.accepted),
        Cell("yes" if row.identical else "no", "", int(row.identical)),
        cer,
    ]


ROW_HEADS = (
    *("page", "category", "method", "run", "prefill s", "decode s", "end to end s"),
    *("tokens", "steps", "accepted", "identical", "CER, %"),
)
