"""Our own paper, converted from its text layer and from its scan: what a reader would look for first."""

import re
from pathlib import Path

import pytest
from rapidfuzz import fuzz

from docparse.run.convert import convert
from docparse.settings import Settings

GOLDEN = Path(__file__).parent / "golden"
PLAIN = Settings(layout_engine="none", images="none")
HEADINGS = """\
Reading a Speedup: Notes on Timing Programs Honestly
1 Introduction
2 Definitions
2.1 The limit of partial acceleration
2.2 Work that must not change
3 Measuring
3.1 Alternate runs
3.2 What belongs inside the clock
4 Summarising
4.1 Savings and factors
4.2 Rates
5 A checklist
6 Conclusion
References""".splitlines()


def converted(path, factory, settings=None):
    target = factory.mktemp("example") / "out.md"
    assert convert([str(path)], str(target), settings).exit_code == 0
    return target.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def markdown(example_pdf, tmp_path_factory):
    return converted(example_pdf, tmp_path_factory)


@pytest.fixture(scope="module")
def scanned(example_scan, tmp_path_factory):
    return converted(example_scan, tmp_path_factory, PLAIN)


def headings(text):
    return [re.sub(r"^#+ |[*$^{}]", "", line) for line in text.split("\n") if line.startswith("#")]


def test_headings_text_table_and_figure_read_in_order_across_columns_and_pages(markdown):
    assert [heading for heading in headings(markdown) if heading != "Abstract"] == HEADINGS
    assert markdown.startswith("# Reading") and "\n## 2 Definitions\n" in markdown
    assert "\n### 2.1 The limit of partial acceleration\n" in markdown
    parts = markdown.split("\n\n")
    table = next(part for part in parts if "Fraction" in part and "<table" in part)
    assert 'rowspan="2"' in table and 'colspan="4"' in table
    caption = next(i for i, part in enumerate(parts) if part.startswith("Figure 1"))
    assert parts[caption - 2].startswith("![") and "p = 0.95" in parts[caption - 1]  # its labels stand beside it


def test_the_scan_says_the_same_words_under_the_same_headings(markdown, scanned):
    words = re.findall(r"[a-z]{4,}", markdown.lower())
    read = set(re.findall(r"[a-z]{4,}", scanned.lower()))
    assert sum(word in read for word in words) / len(words) > 0.97
    assert len(set(HEADINGS) - set(headings(scanned))) <= 2


# To renew a golden file after a change that was meant, look at the difference and then run
#   docparse convert examples/NAME.pdf --layout-engine none --images none -o tests/golden/NAME.md


def test_the_text_layer_gives_the_golden_markdown(example_pdf, tmp_path_factory):
    assert converted(example_pdf, tmp_path_factory, PLAIN) == (GOLDEN / "paper.md").read_text(encoding="utf-8")


def test_the_scan_gives_the_golden_markdown_but_for_letters_that_processors_round_differently(scanned):
    assert fuzz.ratio(scanned.split(), (GOLDEN / "paper-scan.md").read_text(encoding="utf-8").split()) > 98
