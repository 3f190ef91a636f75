"""Our own paper, converted from its text layer and from its scan: what a reader would look for first."""

import re
from pathlib import Path

from rapidfuzz import fuzz

from docparse.run.convert import convert
from docparse.settings import Settings

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


def converted(path, folder):
    settings = Settings(layout_engine="none", images="none")
    assert convert([str(path)], str(folder / "out.md"), settings).exit_code == 0
    return (folder / "out.md").read_text(encoding="utf-8")


def headings(text):
    return [re.sub(r"^#+ |[*$^{}]", "", line) for line in text.split("\n") if line.startswith("#")]


def golden(name):
    """What a conversion wrote before. To renew it after a change that was meant, look at the difference and then run
    `docparse convert examples/NAME.pdf --layout-engine none --images none -o tests/golden/NAME.md`"""
    return (Path(__file__).parent / "golden" / f"{name}.md").read_text(encoding="utf-8")


def test_headings_text_table_and_figure_read_in_order_across_columns_and_pages():
    markdown = golden("paper")
    assert [heading for heading in headings(markdown) if heading != "Abstract"] == HEADINGS
    assert markdown.startswith("# Reading") and "\n## 2 Definitions\n" in markdown
    assert "\n### 2.1 The limit of partial acceleration\n" in markdown
    parts = markdown.split("\n\n")
    table = next(part for part in parts if "Fraction" in part and "<table" in part)
    assert 'rowspan="2"' in table and 'colspan="4"' in table
    caption = next(i for i, part in enumerate(parts) if part.startswith("Figure 1"))
    assert "p = 0.95" in parts[caption - 1]  # the labels of its plot


def test_the_text_layer_gives_the_golden_markdown(example_pdf, tmp_path):
    assert converted(example_pdf, tmp_path) == golden("paper")


def test_the_scan_gives_the_golden_markdown_but_for_letters_that_processors_round_differently(example_scan, tmp_path):
    scanned = converted(example_scan, tmp_path)
    assert fuzz.ratio(scanned.split(), golden("paper-scan").split()) > 98
    words = re.findall(r"[a-z]{4,}", golden("paper").lower())
    read = set(re.findall(r"[a-z]{4,}", scanned.lower()))
    assert sum(word in read for word in words) / len(words) > 0.97
    assert len(set(HEADINGS) - set(headings(scanned))) <= 2
