"""Score a folder of Markdown against OmniDocBench's annotations, by the scorer of the bench.

    python benchmarks/score_omnidocbench.py OmniDocBench.json MARKDOWN_DIR [-v]

`MARKDOWN_DIR/<image name without its ending>.md` is the output for a page; a missing file counts as an empty page.
Distances are averaged over the pages that have the element, TEDS over the tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from docparse.bench.scoring.omnidocbench import PageScore, score_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("annotations", type=Path)
    parser.add_argument("markdown", type=Path)
    parser.add_argument("-v", "--verbose", action="store_true", help="a line per page")
    arguments = parser.parse_args()
    scores = list(page_scores(arguments.annotations, arguments.markdown))
    for page in scores if arguments.verbose else ():
        print(page)
    for name, value in summary(scores).items():
        print(f"{name:13} {'-' if value is None else f'{value:.3f}'}")


def page_scores(annotations: Path, markdown: Path) -> Iterator[PageScore]:
    """Yield the score of every annotated page. Raises `OSError` and `ValueError` for unreadable annotations."""
    for page in json.loads(annotations.read_text(encoding="utf-8")):
        path = markdown / f"{Path(page['page_info']['image_path']).stem}.md"
        yield score_page(page, path.read_text(encoding="utf-8") if path.exists() else "")


def summary(pages: Sequence[PageScore]) -> dict[str, float | None]:
    """Return the means; None where no page has the element."""
    columns: dict[str, list[float | None]] = {
        "text_edit": [page.text for page in pages],
        "order_edit": [page.order for page in pages],
        "table_teds": [score for page in pages for score in page.tables],
        "formula_edit": [page.formula for page in pages],
    }
    known = {name: [value for value in values if value is not None] for name, values in columns.items()}
    return {name: fmean(values) if values else None for name, values in known.items()}


def score_folder(annotations: Path, markdown: Path) -> dict[str, float | None]:
    """Return the summary of a folder. Raises what `page_scores` raises."""
    return summary(list(page_scores(annotations, markdown)))


if __name__ == "__main__":
    main()
