"""Tables as GitHub pipe tables and as compact HTML, safe for any list of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from msgspec.structs import replace

from docparse.render.flow import join_spans
from docparse.render.inline import markdown_line
from docparse.render.text import tidy
from docparse.types import Cell, Span, Spans, Table

Grid = list[list[Cell | None]]  # the cell that starts at a position; None where nothing starts


@dataclass(frozen=True)
class HtmlStyle:
    """The style in which a table is written: with `th` for header cells, with `thead` and `tbody` about the rows, with
    white space before every `row`, `cell`, end of a row (`close`) and before the closing tag (`end`)."""

    header_cells: bool = False
    sections: bool = False
    row: str = ""
    cell: str = ""
    close: str = ""
    end: str = ""
    tag: str = "<table>"


OURS = HtmlStyle(header_cells=True, sections=True)


def to_pipe(table: Table, inline: Callable[[Spans], str] | None = None) -> str:
    """`table` as a GitHub pipe table; the first row is the header row. `inline` prints the spans of a cell.

    A pipe table has no spans: a spanning cell's words stand where it starts and the positions it covers are empty.
    """
    inline = inline or (lambda spans: markdown_line(spans, "cell"))
    grid, _ = place(table)
    lines = [[inline(cell.spans) if cell else "" for cell in row] for row in grid]
    if not any(lines):
        return ""
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def to_html(table: Table, inline: Callable[[Spans], str] | None = None, style: HtmlStyle = OURS) -> str:
    """`table` as HTML, usually on one line: `thead` and `th` for header cells, `rowspan` and `colspan`, no other
    attributes.

    `inline` prints the spans of a cell; by default mathematics stays between dollar signs, as Markdown has it.
    """
    inline = inline or html_cell
    grid, covered = place(table)
    rows = []
    for r, row in enumerate(grid):
        cells = [_html_cell(cell, inline, style) for c, cell in enumerate(row) if cell or (r, c) not in covered]
        rows.append(f"{style.row}<tr>{''.join(style.cell + cell for cell in cells)}{style.close}</tr>")
    head = header_rows(grid) if style.sections else 0
    if head:
        body = f"<tbody>{''.join(rows[head:])}</tbody>" if rows[head:] else ""
        rows = [f"<thead>{''.join(rows[:head])}</thead>{body}"]
    return f"{style.tag}{''.join(rows)}{style.end}</table>"


def html_cell(spans: Spans) -> str:
    """Return spans as HTML inside Markdown."""
    return "".join(
        styled(escape(f"${span.text}$" if span.math else span.text, quote=False), span)
        for span in tidy(spans, keep_breaks=True)
    ).replace("\n", "<br>")


def place(table: Table) -> tuple[Grid, set[tuple[int, int]]]:
    """Return the cells by position on a rectangular grid, and the positions that spans cover.

    Spans are cut where they would leave the grid or meet another cell; a second cell at the same position is moved
    into the first one's words rather than lost.
    """
    starts: dict[tuple[int, int], Cell] = {}
    for cell in table.cells:
        key = (max(0, cell.row), max(0, cell.column))
        first = starts.get(key)
        starts[key] = replace(first, spans=join_spans(first.spans, cell.spans)) if first else cell
    rows = max([table.rows, *(r + 1 for r, _ in starts)])
    columns = max([table.columns, *(c + 1 for _, c in starts)])
    grid: Grid = [[None] * columns for _ in range(rows)]
    covered: set[tuple[int, int]] = set()

    def free(position: tuple[int, int]) -> bool:
        return position not in starts and position not in covered

    for (r, c), cell in sorted(starts.items(), key=lambda item: item[0]):
        width = height = 1
        while width < min(cell.colspan, columns - c) and free((r, c + width)):
            width += 1
        while height < min(cell.rowspan, rows - r) and all(free((r + height, c + j)) for j in range(width)):
            height += 1
        covered |= {(r + i, c + j) for i in range(height) for j in range(width)} - {(r, c)}
        grid[r][c] = Cell(r, c, cell.spans, height, width, cell.header)
    return grid, covered


def header_rows(grid: Grid) -> int:
    """Return how many leading rows hold nothing but header cells, 0 if a header cell reaches into the body."""
    count = 0
    for row in grid:
        cells = [cell for cell in row if cell]
        if not cells or not all(cell.header for cell in cells):
            break
        count += 1
    inside = all(cell.row + cell.rowspan <= count for row in grid[:count] for cell in row if cell)
    return count if inside else 0


def _html_cell(cell: Cell | None, inline: Callable[[Spans], str], style: HtmlStyle) -> str:
    if cell is None:
        return "<td></td>"
    tag = "th" if cell.header and style.header_cells else "td"
    spans = f' rowspan="{cell.rowspan}"' if cell.rowspan > 1 else ""
    spans += f' colspan="{cell.colspan}"' if cell.colspan > 1 else ""
    return f"<{tag}{spans}>{inline(cell.spans)}</{tag}>"


def styled(text: str, span: Span) -> str:
    """Return the text in the emphasis of a span."""
    text = f"<em>{text}</em>" if span.italic else text
    return f"<strong>{text}</strong>" if span.bold else text
