"""Where a bench gets its pages: built in, a folder of documents, or one of two public benchmarks."""

from __future__ import annotations

import tempfile
from itertools import cycle, islice
from pathlib import Path

from docparse.bench.data.benchmarks import olmocr_bench_pages, omnidocbench_pages
from docparse.bench.data.pages import BenchPage, in_turn
from docparse.errors import InputError, UsageError
from docparse.pdf import open_document
from docparse.run.inputs import resolve
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
    published = kind in PUBLISHED and not Path(source).exists()
    pages = (PUBLISHED[kind] if published else _documents)(Path(folder if published else source), max_pages, seed)
    if not pages:
        other = "PDF or image in this folder: name one that holds documents"
        raise InputError(f"{source}: there is no {'page in this data: download it again' if published else other}")
    return pages


def _documents(source: Path, max_pages: int, seed: int) -> list[BenchPage]:
    """The pages of a document, or of the documents in a folder in the order of their names. The category is the name of
    the folder a document lies in. `page.md` beside `page.pdf` is the truth of a one-page document."""
    problems = {item.path: item.problem for item in resolve([str(source)]).documents if item.path}
    chosen = in_turn(problems, _category, max_pages, seed)
    return list(islice((page for path in chosen for page in _pages(path, source, problems[path])), max_pages or None))


def _category(path: Path) -> str:
    return path.absolute().parent.name


def _pages(path: Path, source: Path, problem: str) -> list[BenchPage]:
    """Raises `InputError` where the document cannot be read, as for a `problem` that is known already."""
    if problem:
        raise InputError(f"{path}: {problem}")
    name = path.relative_to(source).as_posix() if source.is_dir() else path.name
    with open_document(path, name=name) as document:
        count = document.pages
    beside = path.with_suffix(".md")
    truth = beside.read_text(encoding="utf-8") if count == 1 and beside.is_file() else None
    return [BenchPage(path, number, _category(path), name, truth) for number in range(1, count + 1)]


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
    kind, count = source.partition(":")[2] or unit, max_pages or PAGES
    if kind == "sparse":
        drawn = sparse(seeds, unit, count)
    else:
        drawn = list(zip(cycle(CATEGORIES), held_out(seeds, unit, count), strict=False))
    pages = []
    for number, (category, sheet) in enumerate(drawn, 1):
        path = Path(folder.name, f"{kind}-{number:03d}.pdf")
        write_pdf([sheet], path)
        blocks = truth.page(sheet).blocks
        pages.append(BenchPage(path, 1, category, path.name, sheet.markdown, blocks, folder=folder))
    return pages
