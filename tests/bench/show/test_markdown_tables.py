"""Markdown tables of a report: every method and category in its place, with what was run and how to run it again."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from inspect import signature

import pytest

from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR, OVERALL
from docparse.bench.show.markdown import command, markdown
from docparse.cli.app import bench


@pytest.fixture
def rows(row):
    """Plain decoding reads pages at 10, 20 and 60 %; h2o errs 1, 2, 6 points more, hsd as much."""
    known = (("a", "text", 0.1), ("b", "text", 0.2), ("c", "tables", 0.6))
    found = []
    for page, category, cer in known:
        more = {"category": category, "kv_bytes": 3 * 2**20, "kv_prompt_bytes": 2 * 2**20}
        found.append(row(page, AR, decode=3.0, cer=cer, **more))
        found.append(row(page, "hsd", decode=1.0, cer=cer, attention_flops=3e6, **more))
        pruned = {
            "identical": False,
            "distance": 0.02,
            "attention_flops": 5e5,
            "kept_visual_tokens": 1,
            "kv_prompt_bytes": 2**21 // 10,
        }
        found.append(row(page, "h2o", decode=2.0, cer=1.1 * cer, **(more | pruned)))
    return found


def tables(text: str) -> list[dict[str, dict[str, str]]]:
    """Of each table its cells, by method and head."""
    found: list[dict[str, dict[str, str]]] = []
    heads: list[str] = []
    for before, line in zip(["", *text.splitlines()], text.splitlines(), strict=False):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("|") and not before.startswith("|"):
            heads = cells
            found.append({})
        elif line.startswith("|") and "---" not in line:
            found[-1][cells[0].strip("`")] = dict(zip(heads[1:], cells[1:], strict=True))
    return found


def test_what_a_method_loses_is_counted_page_against_page(rows, report_of) -> None:
    report = report_of(rows)
    (summary,) = (each for each in report.summaries("m", OVERALL) if each.method == "h2o")
    assert summary.lost == pytest.approx(0.03)
    (low, high), (least, most) = summary.lost_interval, summary.cer_interval
    assert low >= 0.01 - 1e-9 and high <= 0.06 + 1e-9
    assert high - low < 0.2 * (most - least)  # how well pages can be read at all differs far more


def test_every_number_stands_under_its_head(rows, report_of) -> None:
    first = tables(markdown(report_of(rows)))[0]
    assert list(first) == [AR, "hsd", "h2o"]
    h2o = first["h2o"]
    assert h2o["CER %"].startswith("33.0 [") and h2o["lost"].startswith("+3.0 [+1.0 +6.0]")
    assert (h2o["same"], h2o["distance %"], h2o["visual"], h2o["KV MiB"]) == ("0%", "2.0", "20%", "3.00")
    assert (h2o["KV left"], first[AR]["KV left"]) == ("10%", "100%")
    assert (h2o["attention"], first["hsd"]["attention"], first[AR]["attention"]) == ("50%", "300%", "100%")
    assert h2o["SR_e2e"].startswith("1.33 [1.33 1.33]") and first[AR]["SR_e2e"] == "1.00"
    assert first["hsd"]["lost"] == "0"


def test_categories_are_columns_with_their_pages(rows, report_of) -> None:
    text = markdown(report_of(rows))
    cer = tables(text)[1]
    assert text.index("CER % by category") < text.index("SR_e2e by category")
    assert cer["h2o"] == {"overall": "33.0", "text (2)": "16.5", "tables (1)": "66.0"}


def test_drafts_of_an_oracle_are_called_so_above_the_table(rows, report_of) -> None:
    text = markdown(report_of(rows, drafts="oracle"))
    assert "3 pages of builtin, oracle drafts:" in text and "No real draft is as good" in text


def test_drafts_that_were_damaged_are_called_so(rows, report_of) -> None:
    text = markdown(report_of(rows, drafts="truth", settings={"draft_noise": 0.02, "box_jitter": 0.1}))
    assert "3 pages of builtin, truth (2% noise, boxes moved by 10%) drafts:" in text
    assert "Drafts were damaged on purpose: 2% noise, boxes moved by 10%." in text


def test_a_pipe_in_a_name_ends_no_cell(row, report_of) -> None:
    text = markdown(report_of([row("a", name, decode=1.0) for name in (AR, "x|y")]))
    assert "| `x\\|y` |" in text


def test_the_command_that_measures_it_again_asks_for_the_same(rows, report_of) -> None:
    asked = BenchRequest(method="hsd(tau=0.75),h2o", pages=7, draft_noise=0.05, random_weights=True)
    words = shlex.split(command(report_of(rows, settings=asked.settings)))
    assert words[:2] == ["docparse", "bench"]
    assert "--random-weights" in words and words[words.index("--method") + 1] == "hsd(tau=0.75),h2o"
    named = {word.removeprefix("--").replace("-", "_") for word in words if word.startswith("--")}
    assert named <= set(asdict(asked)) & set(signature(bench).parameters)
    again = {name: words[words.index(f"--{name}") + 1] for name in ("pages", "drafts")}
    assert again == {"pages": "7", "drafts": "oracle"}  # what was meant where nothing was typed
