"""How well tables are read: the documents of the ICDAR 2013 table competition, whatever program converted them.

    python benchmarks/tables.py TRUTH MARKDOWN [PREFIX...]

TRUTH is a folder with the competition's `NAME-str.xml`, MARKDOWN one with a program's `NAME.md`; a line for each PREFIX
("eu", "us") of the names. Measured are adjacency relations: which text stands beside and under which, with spans and
over empty cells (Goebel, Hassan, Oro and Orsi, "A methodology for evaluating algorithms for table understanding in PDF
documents", DocEng 2012). Letters and digits count. A table of the truth is compared with the output's table that has
most of its relations; what no table of the truth took counts against the precision.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from docparse.bench.scoring.elements import parse_markdown
from docparse.models.dialects.tables import read_html
from docparse.types import Cell, Span, plain

Relations = Counter[tuple[str, str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("markdown", type=Path)
    parser.add_argument("prefixes", nargs="*", default=[""])
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each document")
    arguments = parser.parse_args()
    for prefix in arguments.prefixes:
        scores = []
        for path in sorted(arguments.truth.glob(f"{prefix}*-str.xml")):
            name = path.name.removesuffix("-str.xml")
            if not path.with_name(f"{name}.pdf").exists():
                continue  # some documents have two truths
            scores.append(score(list(true_tables(path)), list(found_tables(arguments.markdown / f"{name}.md"))))
            if arguments.verbose:
                print(f"{name}: recall {scores[-1][0]:.3f}, precision {scores[-1][1]:.3f}")
        recall, precision = (mean(column) for column in zip(*scores, strict=True))
        f1 = 2 * recall * precision / (recall + precision)
        figures = f"recall {recall:.3f}, precision {precision:.3f}, F1 {f1:.3f}"
        print(f"{prefix or 'all'}: {len(scores)} documents, {figures}")


def score(truth: Sequence[Relations], found: Sequence[Relations]) -> tuple[float, float]:
    """Return recall and precision of a document's relations; 1 where there is nothing to find, or nothing found."""
    pairs = [((one & other).total(), i, j) for i, one in enumerate(truth) for j, other in enumerate(found)]
    hits, taken_true, taken_found = 0, set(), set()
    for common, i, j in sorted(pairs, reverse=True):
        if i not in taken_true and j not in taken_found:
            hits += common
            taken_true.add(i)
            taken_found.add(j)
    wanted, given = (sum(relations.total() for relations in tables) for tables in (truth, found))
    return hits / wanted if wanted else 1.0, hits / given if given else float(not wanted)


def true_tables(path: Path) -> Iterator[Relations]:
    """The tables of a truth; the parts of one on several pages, or apart, are tables of their own."""
    for region in ET.parse(path).getroot().iter("region"):
        cells = []
        for cell in region.findall("cell"):
            row, column = int(cell.get("start-row", 0)), int(cell.get("start-col", 0))
            last_row, last_column = int(cell.get("end-row", row)), int(cell.get("end-col", column))
            text = "".join("".join(content.itertext()) for content in cell.findall("content"))
            high, wide = max(0, last_row - row) + 1, max(0, last_column - column) + 1
            cells.append(Cell(row, column, (Span(text),), high, wide))
        yield relations_of(cells)


def found_tables(path: Path) -> Iterator[Relations]:
    """The tables of a Markdown file, pipes or HTML; none where there is no file."""
    if path.exists():
        for element in parse_markdown(path.read_text(encoding="utf-8")):
            if element.kind == "table":
                yield relations_of(read_html(element.content)[0].cells)


def relations_of(cells: Sequence[Cell]) -> Relations:
    """Each text with the next one to its right, and the next one under it; each pair of cells once."""
    grid: dict[tuple[int, int], tuple[int, int, str]] = {}
    for cell in cells:
        if text := _normal(plain(cell.spans)):
            for row in range(cell.row, cell.row + cell.rowspan):
                for column in range(cell.column, cell.column + cell.colspan):
                    grid[row, column] = (cell.row, cell.column, text)
    pairs = set()
    for way, across in (("right", 0), ("under", 1)):
        before: tuple[int, tuple[int, int, str]] | None = None
        for place in sorted(grid, key=lambda place: (place[across], place[1 - across])):
            if before and before[0] == place[across] and before[1] != grid[place]:
                pairs.add((before[1], grid[place], way))
            before = (place[across], grid[place])
    return Counter((first[2], second[2], way) for first, second, way in pairs)


def _normal(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[^\w]", "", text).lower() or re.sub(r"\s", "", text)


if __name__ == "__main__":
    main()
