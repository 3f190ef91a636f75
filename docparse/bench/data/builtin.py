"""The pages that come with docparse: drawn from seeds that training never sees, the same on every machine."""

from __future__ import annotations

import tempfile
from pathlib import Path

from docparse.bench.data.pages import BenchPage

UNITS = {"builtin": "page", "builtin:large": "large", "builtin:block": "block", "builtin:sparse": "large"}
PAGES = 102  # seventeen of each category


def builtin_pages(source: str, max_pages: int = 0, seed: int = 0) -> list[BenchPage]:
    """The first `max_pages` pages (0: 102) of `source`, the categories in turn; seed 0 gives those that are quoted.

    They are PDFs of one page, drawn into a temporary folder that lives as long as the pages do: words in a text layer,
    or for scans the picture of a page with its words invisible upon it.
    """
    from docparse.synthetic import truth
    from docparse.synthetic.pdf import write_pdf
    from docparse.synthetic.recipes import CATEGORIES, held_out, sparse

    unit, seeds = UNITS[source], f"bench/{seed}" if seed else "bench"
    folder = tempfile.TemporaryDirectory(prefix="docparse-bench-")
    names, kind = list(CATEGORIES), source.partition(":")[2] or unit
    if source == "builtin:sparse":
        drawn = sparse(seeds, unit, max_pages or PAGES)
    else:
        drawn = [(names[i % len(names)], sheet) for i, sheet in enumerate(held_out(seeds, unit, max_pages or PAGES))]
    pages = []
    for index, (category, sheet) in enumerate(drawn):
        path = Path(folder.name, f"{kind}-{index + 1:03d}.pdf")
        write_pdf([sheet], path)
        page = BenchPage(
            path=path,
            number=1,
            category=category,
            document=path.name,
            truth=sheet.markdown,
            blocks=truth.page(sheet).blocks,
            line=sheet.printed_line,
            folder=folder,
        )
        pages.append(page)
    return pages
