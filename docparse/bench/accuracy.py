"""How right a page of Markdown is: characters (in the form of `metrics.normal_markdown`; all markup counts), and as
OmniDocBench scores them tables and reading order, against its annotation or the true Markdown."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from statistics import fmean

from docparse.bench.data.pages import BenchPage
from docparse.bench.rows import Accuracy
from docparse.bench.scoring import olmocr_bench
from docparse.bench.scoring.elements import parse_markdown
from docparse.bench.scoring.metrics import character_error_rate, edit_distance, normal_markdown
from docparse.bench.scoring.olmocr_bench import run_test
from docparse.bench.scoring.omnidocbench import Annotated, PageScore, score_blocks
from docparse.errors import install_advice

STRUCTURE = ("scipy", "table_recognition_metric", "pylatexenc")  # what the extra `bench` installs
CATEGORIES = {"text": "text_block", "table": "table", "formula": "equation_isolated"}


def accuracy(page: BenchPage, markdown: str) -> Accuracy:
    by_file = _by_file(page, markdown) if page.tests and _installed("olmocr") else {}
    tests = (sum(passed for passed, _ in by_file.values()), len(page.tests)) if by_file else None
    if page.truth is None:
        return Accuracy(tests=tests, tests_by_file=by_file)
    distance = edit_distance(normal_markdown(markdown), normal_markdown(page.truth))
    structure = PageScore()
    if _installed(*STRUCTURE):
        structure = score_blocks(page.annotation or _as_annotation(page.truth), markdown)
    return Accuracy(
        cer=character_error_rate(markdown, page.truth),
        edit=structure.text if page.annotation else distance,
        teds=fmean(structure.tables) if structure.tables else None,
        order=structure.order,
        formula=structure.formula if page.annotation else None,
        tests=tests,
        tests_by_file=by_file,
    )


def _by_file(page: BenchPage, markdown: str) -> dict[str, tuple[int, int]]:
    """Return of every file of olmOCR-bench's tests how many pass, of how many."""
    found: dict[str, list[bool]] = {}
    for test in page.tests:
        row = dict(test)
        found.setdefault(row.pop(olmocr_bench.FILE, row["type"]), []).append(run_test(row, markdown)[0])
    return {file: (sum(passed), len(passed)) for file, passed in found.items()}


def missing(page: BenchPage) -> list[str]:
    """Return a line for each package without which something is not measured of pages like `page`."""
    notes = []
    if page.truth is not None and not _installed(*STRUCTURE):
        notes.append(f"tables and reading order are not scored: {install_advice('bench')}")
    if page.tests and not _installed("olmocr"):
        notes.append(
            "olmOCR-bench's tests are not run: pip install 'olmocr[bench]', or --export DIR and run them there"
        )
    return notes


def _as_annotation(truth: str) -> list[Annotated]:
    """The elements of true Markdown in their order, as OmniDocBench would have annotated them."""
    elements = [element for element in parse_markdown(truth) if element.kind in CATEGORIES]
    return [Annotated(CATEGORIES[element.kind], i, element.content) for i, element in enumerate(elements, 1)]


@cache
def _installed(*packages: str) -> bool:
    return all(find_spec(package) for package in packages)
