"""The tables of a report: a line for each method, a cell for each of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from docparse.bench.rows import AR, OVERALL, Row, Summary
from docparse.bench.show.cells import drafted
from docparse.bench.show.kinds import grouped
from docparse.bench.show.remarks import DRAFTS
from docparse.bench.show.report_html.chapter import Chapter
from docparse.bench.show.report_html.columns import NOTHING, Cell, Column, number, percent

MOST_ROWS = 2000  # of pages, beyond which the long table would be most of the file


@dataclass(frozen=True)
class Line:
    """A method and its cells; `bad` where it is called lossless and is not identical."""

    name: str
    colour: str
    cells: tuple[Cell, ...]
    bad: bool = False
    badge: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Table:
    title: str
    heads: tuple[tuple[str, str], ...]  # of every column its name, and what it means
    lines: tuple[Line, ...]

    @property
    def groups(self) -> list[tuple[str, list[Line]]]:
        """Lines by the kind of their methods, "" where a few need no groups."""
        return [(kind, list(lines)) for kind, lines in groupby(self.lines, key=lambda line: line.kind)]


def table(title: str, columns: Sequence[Column], chapter: Chapter, chosen: Sequence[Summary]) -> Table | None:
    """`chosen` summaries, a line each; None where no column has anything to say."""
    made = [(column, [column.cell(each) for each in chosen]) for column in columns]
    there = [(column, cells) for column, cells in made if any(cell is not None for cell in cells)]
    if not there or not chosen:
        return None
    longest = {column.head: max((cell.bar for cell in cells if cell), default=0.0) for column, cells in there}
    places = {each.method: i for i, each in enumerate(chosen)}
    lines = []
    for kind, names in grouped(places, chapter.methods).items():
        for name in names:
            cells = tuple(_scaled(cells[places[name]], longest[column.head]) for column, cells in there)
            each = chosen[places[name]]
            bad, colour = chapter.broken(each), chapter.colours.get(name, "")
            lines.append(Line(name, colour, cells, bad, _badge(chapter, each), kind))
    return Table(title, tuple((column.head, column.meaning) for column, _ in there), tuple(lines))


def by_category(column: Column, chapter: Chapter) -> Table | None:
    """One number of every method, a column for each category, as papers print it; None where there is one category."""
    found = {(each.method, each.category): column.cell(each) for each in chapter.summary}
    names = [OVERALL, *chapter.categories]
    if len(names) == 1 or not any(found.values()):
        return None
    longest = max((cell.bar for cell in found.values() if cell), default=0.0)
    overall = {each.method: each for each in chapter.overall}
    lines = []
    for kind, methods in grouped(overall, chapter.methods).items():
        for method in methods:
            cells = tuple(_scaled(found.get((method, name)), longest) for name in names)
            bad, colour = chapter.broken(overall[method]), chapter.colours.get(method, "")
            lines.append(Line(method, colour, cells, bad, kind=kind))
    heads = [(OVERALL, "all pages")] + [(name, pages(chosen[0])) for name, chosen in chapter.categories.items()]
    return Table(f"{column.head}: {column.meaning}", tuple(heads), tuple(lines))


def _badge(chapter: Chapter, each: Summary) -> str:
    """What a reader has to know of the method wherever its name stands."""
    if each.method == chapter.baseline:
        return "baseline"
    promised = "" if each.method not in chapter.lossless else "not lossless" if chapter.broken(each) else "lossless"
    drafts = f"{chapter.drafts} drafts" if chapter.drafts in DRAFTS and drafted(each) else ""
    return ", ".join(part for part in (promised, drafts) if part)


def pages(each: Summary) -> str:
    return f"{each.pages} page{'s' * (each.pages != 1)}"


def _scaled(cell: Cell | None, longest: float) -> Cell:
    if cell is None:
        return Cell(NOTHING)
    return replace(cell, bar=cell.bar / longest if longest else 0.0)


ROW_HEADS = (
    *("page", "category", "method", "run", "CER, %", "lost, points", "identical", "distance, %"),
    *("prefill s", "decode s", "end to end s", "SR_e2e", "tokens", "steps", "accepted"),
)


def row_table(chapter: Chapter) -> list[list[Cell]]:
    """Every page as it was read: what lost most by a method comes first, plain decoding last."""
    plain = {(row.page, row.run): row for row in chapter.rows if row.method == AR}
    base = {(row.page, row.run): row for row in chapter.rows if row.method == chapter.baseline}
    rows = [(row, _row_lost(row, plain.get((row.page, row.run)))) for row in chapter.rows]
    rows.sort(key=lambda each: (each[0].method == AR, -(each[0].distance if each[1] is None else each[1])))
    return [_row_cells(row, lost, base.get((row.page, row.run))) for row, lost in rows[:MOST_ROWS]]


def _row_lost(row: Row, plain: Row | None) -> float | None:
    return None if plain is None or plain.cer is None or row.cer is None else row.cer - plain.cer


def _row_cells(row: Row, lost: float | None, base: Row | None) -> list[Cell]:
    faster = base.total / row.total if base and row.total else 0.0
    return [
        *(Cell(name, "", name) for name in (row.page, row.category, row.method)),
        Cell(str(row.run), "", row.run),
        percent(row.cer) or Cell(NOTHING),
        percent(lost, form="{:+.2f}") or Cell(NOTHING),
        Cell("yes" if row.identical else "no", "", int(row.identical)),
        percent(row.distance) or Cell(NOTHING),
        *(Cell(number(seconds), "", seconds) for seconds in (row.prefill, row.decoding, row.total)),
        Cell(f"{faster:.2f}×", "", faster),
        *(Cell(str(count), "", count) for count in (row.tokens, row.steps, row.accepted)),
    ]
