"""Where a bench gets its pages: built in, a folder of documents, or one of two public benchmarks."""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path

from docparse.bench.data.benchmarks import olmocr_bench_pages, omnidocbench_pages
from docparse.bench.data.pages import BenchPage, in_turn
from docparse.errors import InputError, UsageError
from docparse.pdf import open_document
from docparse.run.inputs import Input, resolve
from docparse.settings import nearest

PUBLISHED = {"olmocr-bench": olmocr_bench_pages, "omnidocbench": omnidocbench_pages}
UNITS = {"builtin": "page", "builtin:large": "large", "builtin:block": "block", "builtin:sparse": "large"}
PAGES = 102  # seventeen of each category


def check_source(source: str) -> None:
    """Raise `UsageError` where `source` names no pages; no file is opened."""
    kind, colon, folder = source.partition(":")
    if source in UNITS or Path(source).exists():
        return
    if kind in PUBLISHED and colon and folder:
        if not Path(folder).is_dir():
            raise UsageError(f"--data {source}: there is no folder {folder}: name the one that holds the benchmark")
        return
    forms = [*UNITS, *(f"{name}:DIR" for name in PUBLISHED)]
    meant = nearest(f"{kind}:DIR" if kind not in UNITS and colon else source, forms) or nearest(kind, forms)
    raise UsageError(f"--data {source}: no such file or folder, and none of {', '.join(forms)}{meant}")


def pages_from(source: str, max_pages: int = 0, seed: int = 0) -> list[BenchPage]:
    """Return at most `max_pages` pages (0: all) of `builtin`, `builtin:large`, `builtin:block`, a document, a folder of
    documents, `olmocr-bench:DIR` or `omnidocbench:DIR`.

    Where `max_pages` leaves pages out, the categories take turns. `seed` 0 takes the first pages, another draws others.
    Raises `UsageError` for a source that is not there, `InputError` where it holds no page or cannot be read.
    """
    check_source(source)
    kind, _, folder = source.partition(":")
    if source in UNITS:
        return builtin_pages(source, max_pages, seed)
    if kind in PUBLISHED and not Path(source).exists():
        return PUBLISHED[kind](Path(folder), max_pages, seed)
    return _documents(Path(source), max_pages, seed)


def _documents(source: Path, max_pages: int, seed: int) -> list[BenchPage]:
    """The pages of a document, or of the documents in a folder in the order of their names.

    The category is the name of the folder a document lies in. `page.md` beside `page.pdf` is the truth of a one-page
    document.
    """
    chosen = in_turn(resolve([str(source)]).documents, _category, max_pages, seed)
    pages = list(islice((page for item in chosen for page in _pages(item, source)), max_pages or None))
    if not pages:
        raise InputError(f"{source}: there is no PDF or image in this folder: name one that holds documents")
    return pages


def _category(item: Input) -> str:
    assert item.path is not None  # a path was given, so no document is standard input
    return item.path.absolute().parent.name


def _pages(item: Input, source: Path) -> list[BenchPage]:
    """Raises `InputError` where the document cannot be read."""
    path = item.path
    assert path is not None  # as above
    if item.problem:
        raise InputError(f"{item.name}: {item.problem}")
    name = path.relative_to(source).as_posix() if source.is_dir() else path.name
    with open_document(path, name=name) as document:
        count = document.pages
    beside = path.with_suffix(".md")
    truth = beside.read_text(encoding="utf-8") if count == 1 and beside.is_file() else None
    return [BenchPage(path, number, _category(item), name, truth) for number in range(1, count + 1)]


def builtin_pages(source: str, max_pages: int = 0, seed: int = 0) -> list[BenchPage]:
    """Return the first `max_pages` pages (0: 102) of `source`, the categories in turn; seed 0 gives those that are
    quoted.

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
            folder=folder,
        )
        pages.append(page)
    return pages
