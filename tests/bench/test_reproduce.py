"""A paper's table with our column beside it, and the pages that a paper would not count."""

import pytest

from docparse.accel.stack import parse_stack
from docparse.bench.options import PAPERS
from docparse.bench.reproduce import OURS, beside, differences, tables
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.bench.summaries import left_out, summarise
from docparse.errors import UsageError


@pytest.mark.parametrize("name", PAPERS)
def test_every_method_of_a_table_races_and_every_column_is_one_of_ours(name):
    assert tuple(tables()) == PAPERS
    paper, stacks = tables()[name], BenchRequest(reproduce=name).stacks
    assert next(iter(stacks)) == AR
    assert {line.method for line in paper.lines} | set(paper.more) == set(stacks) - {AR}
    assert all(stacks[method] == parse_stack(method) for method in stacks if method != AR)
    assert set(paper.columns) <= set(OURS)
    assert paper.source.rpartition(" ")[2].startswith("https://arxiv.org/abs/")


def test_our_column_stands_beside_the_papers(row, report_of):
    paper = tables()["rtprune-table1"]
    rows = [row(page, AR, decode=2.0, cer=0.2, visual_tokens=10, kept_visual_tokens=10) for page in "ab"]
    kept = {"cer": 0.4, "identical": False, "visual_tokens": 10, "kept_visual_tokens": 9}
    rows += [row(page, "rtprune(mode=paper)", decode=1.0, **kept) for page in "ab"]
    found = list(beside(report_of(rows), paper))
    line, ours = found[0]
    assert line.figures == {"visual tokens %": "84.25", "score kept %": "99.47", "prefill %": "81.1"}
    assert (ours["visual tokens %"], ours["score kept %"]) == ("90.00", "75.00")
    assert found[-1][1] == {}  # rtprune was not measured


def test_what_cannot_be_compared_is_said(row, report_of):
    report = report_of([row("a", AR, decode=1.0, cer=0.1)])
    said = " ".join(differences(report, tables()["fastocr-table1"]))
    assert "Not measured here: qwen2.5-vl 3B, dots.ocr. In their place stands m" in said
    assert "Pages: the paper's are of OmniDocBench, ours of builtin." in said
    assert "ours is 1 - CER" in said and "H800" in said


def test_pages_that_a_paper_would_not_count_are_found_by_plain_decoding(row):
    rows = [row("long", AR, decode=1.0, tokens=2049), row("just", AR, decode=1.0, tokens=2048)]
    rows += [row("loop", AR, decode=1.0, endings=("loop",)), row("just", "hsd", decode=1.0, tokens=9000)]
    assert left_out(rows, "") == {}
    assert left_out(rows, "loops,over:2048") == {"loop": "a loop", "long": "more than 2048 tokens"}
    with pytest.raises(UsageError, match="--leave-out over: use loops, over:TOKENS"):
        left_out(rows, "over")


def test_a_table_says_itself_which_pages_it_does_not_count():
    assert BenchRequest(reproduce="hsd-table2").omitted == "loops,over:2048"
    assert BenchRequest(reproduce="hsd-table2", leave_out="loops").omitted == "loops"
    with pytest.raises(UsageError, match="leave out --method"):
        BenchRequest(reproduce="hsd-table2", method="h2o")
    with pytest.raises(UsageError, match=r"--reproduce hsd-table3: use one of .*did you mean 'hsd-table2'"):
        BenchRequest(reproduce="hsd-table3")


def test_overall_scores_are_those_of_the_benchmarks(row):
    """OmniDocBench v1.5: the mean of text, tables and formulas. olmOCR-bench: the mean over its files."""
    files = {"arxiv_math": (1, 4), "tables": (1, 1)}
    rows = [row("a", AR, decode=1.0, edit=0.1, teds=0.8, formula=0.3, tests=(2, 5), tests_by_file=files)]
    rows += [row("b", AR, decode=1.0, edit=0.3, tests=(3, 4), tests_by_file={"arxiv_math": (3, 4)})]
    plain = summarise(rows)[0]
    assert plain.overall == pytest.approx((0.8 + 0.8 + 0.7) / 3)
    assert plain.macro == pytest.approx((0.5 + 1.0) / 2)
    assert summarise([row("a", AR, decode=1.0, edit=0.1)])[0].overall is None
