"""A report on the terminal, in Markdown and in HTML: the same numbers and the same warnings, each once defined."""

import re
import shlex
from dataclasses import asdict
from html import unescape
from inspect import signature

import msgspec
import pytest
from rich.console import Console

from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR, OVERALL
from docparse.bench.show.html.write import render
from docparse.bench.show.markdown import command, markdown
from docparse.bench.show.remarks import headlines, remarks
from docparse.bench.show.terminal import show
from docparse.bench.summaries import COLUMNS
from docparse.cli.app import bench


def shown(report, width=900):
    console = Console(width=width, force_terminal=True, color_system="standard", highlight=False)
    with console.capture() as caught:
        show(report, console)
    return caught.get()


def read(html):
    """Its words, without tags."""
    return unescape(re.sub(r"<[^>]+>", " ", html.replace("<wbr>", ""))).replace("\xa0", " ")


FORMS = {
    "terminal": (shown, ("main", "rest", "scores")),
    "markdown": (markdown, ("main", "scores")),
    "html": (lambda report: read(render(report)), ("main", "rest", "scores", "details")),
}


@pytest.fixture
def rows(row):
    """Plain decoding reads pages at 10, 20 and 60 %; h2o errs 1, 2, 6 points more, hsd as much."""
    drafted = {"proposed_by_source": {"ocr": 50}, "accepted_by_source": {"ocr": 20}, "accepted": 20}
    found = []
    for page, category, cer in (("a", "text", 0.1), ("b", "text", 0.2), ("c", "tables", 0.6)):
        more = {"category": category, "kv_bytes": 3 * 2**20, "kv_prompt_bytes": 2 * 2**20, "teds": 0.5, "tests": (1, 2)}
        pruned = {"identical": False, "distance": 0.02, "kept_visual_tokens": 1, "kv_prompt_bytes": 2**21 // 10}
        found.append(row(page, AR, decode=3.0, cer=cer, **more))
        found.append(row(page, "hsd", decode=1.0, cer=cer, attention_flops=3e6, **more, **drafted))
        found.append(row(page, "h2o", decode=2.0, cer=1.1 * cer, attention_flops=5e5, tokens=30, **(more | pruned)))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_every_number_and_every_warning(rows, report_of, form):
    """Damaged drafts, too few pages, a shorter text: what the report is called, praised for and warned of is in all."""
    report = report_of(rows, settings={"draft_noise": 0.02, "box_jitter": 0.1, "method": "hsd,h2o"})
    write, groups = FORMS[form]
    text = " ".join(write(report).split())
    cells = [each.cell(line) for line in report.summaries("m", OVERALL) for each in COLUMNS.values()
             if each.group in groups and each.cell(line).text]  # fmt: skip
    expected = {part for cell in cells for part in ((cell.text, cell.interval) if form == "html" else (str(cell),))}
    said = [part for each in headlines(report, report.models[0]) for part in (each.what, each.note)]
    for each in (*expected, *remarks(report), *said, "pipeline (2% noise, boxes moved by 10%) drafts"):
        assert each in text, each
    assert {column.group for column in COLUMNS.values()} == {"main", "rest", "scores", "details"}
    assert len(said) == 4 and sum(1 for _ in remarks(report)) >= 3
    assert ("By category: --markdown, --html." in text) == (form == "terminal")
    if form != "terminal":
        assert text.index("CER % by category") < text.index("SR_e2e by category")
        assert "text (2)" in text and "tables (1)" in text
        assert "docparse bench --method hsd,h2o --draft-noise 0.02 --box-jitter 0.1" in text
        assert "m: float32 on cpu." in text


def test_the_terminal_has_categories_of_ten_pages_and_a_line_of_each_method_that_has_a_number(row, report_of):
    pages = [(f"{i}", "text" if i % 2 else "tables") for i in range(10)]
    text = shown(report_of([row(page, name, category=kind, cer=0.1) for page, kind in pages for name in (AR, "hsd")]))
    assert "CER % by category" in text and "text (5)" in text and "By category: --markdown" not in text
    assert "hsd" in (lost := text[text.index("lost by category") :].split("by category")[1])
    assert AR not in lost.split()


def tables(text):
    """Of each table of Markdown its cells, by method and head."""
    found, heads = [], []
    for before, line in zip(["", *text.splitlines()], text.splitlines(), strict=False):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("|") and not before.startswith("|"):
            heads = cells
            found.append({})
        elif line.startswith("|") and "---" not in line:
            found[-1][cells[0].strip("`")] = dict(zip(heads[1:], cells[1:], strict=True))
    return found


def test_every_number_stands_under_its_head(rows, report_of):
    first, cer, *_ = tables(markdown(report_of(rows)))
    assert list(first) == [AR, "hsd", "h2o"]
    h2o = first["h2o"]
    assert h2o["CER %"].startswith("33.0 [") and h2o["lost"].startswith("+3.0 [+1.0 +6.0]")
    assert (h2o["same"], h2o["distance %"], h2o["visual"], h2o["KV MiB"]) == ("0%", "2.0", "20%", "3.00")
    assert (h2o["KV left"], first[AR]["KV left"], h2o["written"]) == ("10%", "100%", "30%")
    assert (h2o["attention"], first["hsd"]["attention"], first[AR]["attention"]) == ("50%", "300%", "100%")
    assert h2o["SR_e2e"].startswith("1.33 [1.33 1.33]") and first[AR]["SR_e2e"] == "1.00"
    assert (first["hsd"]["lost"], first["hsd"]["AAL"], h2o["AAL"]) == ("0", "0.20", "")
    assert (h2o["TEDS %"], h2o["tests"]) == ("50.0", "3/6")
    assert cer["h2o"] == {"overall": "33.0", "text (2)": "16.5", "tables (1)": "66.0"}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_papers_table_and_what_cannot_be_compared(row, report_of, form):
    rows = [row(page, AR, decode=2.0, cer=0.2, visual_tokens=10, kept_visual_tokens=10) for page in "ab"]
    kept = {"cer": 0.4, "identical": False, "visual_tokens": 10, "kept_visual_tokens": 9}
    rows += [row(page, "rtprune(mode=paper)", decode=1.0, **kept) for page in "ab"]
    write = FORMS[form][0]
    text = write(report_of(rows, settings={"reproduce": "rtprune-table1"}))
    said = ("RTPrune on OmniDocBench", "84.25", "90.00", "Not measured here: deepseek-ocr")
    assert [each for each in said if each not in text] == []
    assert "RTPrune on OmniDocBench" not in write(report_of(rows))


def test_a_name_is_shown_as_it_is(row, report_of):
    report = report_of([row("a", name, decode=1.0) for name in (AR, "x|y", "fastocr(keep=0.2)[x]")])
    assert "| `x\\|y` |" in markdown(report)
    assert "fastocr(keep=0.2)[x]" in shown(report)


def test_the_command_that_measures_it_again_asks_for_the_same(rows, report_of):
    asked = BenchRequest(method="hsd(tau=0.75),h2o", pages=7, draft_noise=0.05, random_weights=True)
    words = shlex.split(command(report_of(rows, settings=asked.settings)))
    assert words[:2] == ["docparse", "bench"]
    assert "--random-weights" in words and words[words.index("--method") + 1] == "hsd(tau=0.75),h2o"
    named = {word.removeprefix("--").replace("-", "_") for word in words if word.startswith("--")}
    assert named <= set(asdict(asked)) & set(signature(bench).parameters)
    again = {name: words[words.index(f"--{name}") + 1] for name in ("pages", "drafts")}
    assert again == {"pages": "7", "drafts": "oracle"}  # what was meant where nothing was typed


@pytest.mark.parametrize("width", [160, 120, 70])
def test_speed_with_its_interval_and_accuracy_fit_on_every_terminal(row, report_of, width):
    drafted = {"proposed_by_source": {"ocr": 50}, "accepted_by_source": {"ocr": 20}}
    methods = ((AR, 8.0, {}), ("hsd", 2.0, drafted))
    rows = [row(page, name, decode=seconds, cer=0.1, **more) for page in "abc" for name, seconds, more in methods]
    lines = shown(report_of(rows), width).splitlines()
    head = next(line for line in lines if "SR_decode" in line)
    overall = next(line for line in lines if "hsd" in line)
    assert "CER %" in head and "AAL" in head and "4.00 [4.00 4.00]" in overall
    assert ("10.0 [10.0 10.0]" in overall) is ("KV MiB" in head) is (width > 80)
    assert ("page s" in head) is (width == 160)


def test_a_lossless_method_that_wrote_something_else_is_red(row, report_of):
    rows = [row("a", AR, decode=2.0), row("a", "hsd", decode=1.0, identical=False), row("a", "h2o", decode=1.0)]
    report = report_of(rows)
    assert report.broken == ["a (hsd)"]
    (red,) = [line for line in shown(report).splitlines() if "\x1b[1;31m" in line]
    assert "hsd" in red
    html = render(report)
    assert '<tr class="bad"><th scope="row" data-value="hsd">' in html and "not lossless" in html
    assert "Called lossless, and not identical to plain decoding: a (hsd)" in html
    kept = msgspec.structs.replace(report, lossless=(AR,))  # h2o promises nothing, as hsd does then
    assert '<tr class="bad">' not in render(kept)


@pytest.mark.parametrize("width", [80, 120])
def test_fifty_methods_fit_on_every_terminal_without_categories(row, report_of, width):
    names = [AR, "hsd", "fastocr(keep=0.05,focal=0.34,rank=peak)", "fastocr+hsd", "auto"]
    names += [f"{name}={share / 100})" for name in ("h2o(budget", "divprune(keep") for share in range(20, 43)]
    rows = [row(str(k), name, decode=3.0, category=f"kind {k % 3}", cer=0.1) for k in range(5) for name in names]
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in shown(report_of(rows), width).splitlines()]
    table = lines[: next(number for number, line in enumerate(lines) if "lossless method" in line)]
    assert max(map(len, table)) <= width
    assert sum("h2o(budget=" in line for line in table) == 23
    assert not any("kind 0" in line for line in table)
    assert any("By category: --markdown" in line for line in lines)
