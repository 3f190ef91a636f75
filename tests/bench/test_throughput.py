"""All pages in one go at several batch sizes: what is counted, what is compared, and where it is shown."""

import msgspec
import pytest
from rich.console import Console

from docparse.bench import run as running
from docparse.bench import throughput as measuring
from docparse.bench.data.pages import BenchPage
from docparse.bench.report import INTERRUPTED, Report, encoded
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR
from docparse.bench.show.html.write import render
from docparse.bench.show.markdown import command, markdown
from docparse.bench.show.tables import LOAD
from docparse.bench.show.terminal import show

TOKENS = 20  # of a page, as the conftest's plan has it


@pytest.fixture(scope="module")
def load(race_of, twin, three_pages):
    """`load("1,4")` -> the report of plain decoding and HSD with an oracle's drafts on these pages."""

    def run(sizes, pages=three_pages, **more):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(running, "model_of", lambda *_: twin)
            patch.setattr(running, "race_of", lambda *_: race_of("hsd", drafts="oracle"))
            request = BenchRequest(method="hsd", drafts="oracle", throughput=sizes)
            return running.run(request, pages, lambda _: None, **more)

    return run


@pytest.fixture(scope="module")
def report(load):
    return load("2,3")


def test_every_method_has_a_point_at_every_batch_size_with_rates_and_speedups_over_plain_decoding_one_by_one(report):
    (found,) = report.throughput
    points = found.points
    assert [(each.batch, each.method) for each in points] == [
        (size, name) for size in (1, 2, 3) for name in (AR, "hsd")
    ]
    assert not report.rows and not report.failures and report.unfinished is None
    assert points[0].speedup == 1 and report.broken == []
    for each in points:
        assert (each.pages, each.tokens, each.different) == (3, 3 * TOKENS, 0)
        assert each.pages_per_minute == pytest.approx(60 * 3 / each.seconds)
        assert each.tokens_per_minute == pytest.approx(60 * 3 * TOKENS / each.seconds)
        assert each.speedup == pytest.approx(points[0].seconds / each.seconds)
        assert 0 < each.latency <= each.latency_p90 <= each.seconds
    assert points[0].latency <= points[0].seconds / 2  # with its wait in the queue the second page would take longer


def test_a_larger_batch_takes_fewer_passes_of_more_rows_and_more_memory(report):
    plain = [each for each in report.throughput[0].points if each.method == AR]
    steps = 3 * (TOKENS - 1)  # the first token is the prompt's
    assert [each.passes for each in plain] == [steps, 2 * (TOKENS - 1), TOKENS - 1]
    assert [each.rows_per_pass for each in plain] == pytest.approx([1, 1.5, 3])
    assert plain[0].kv_bytes < plain[1].kv_bytes < plain[2].kv_bytes
    drafted = next(each for each in report.throughput[0].points if each.method == "hsd")
    assert drafted.passes < plain[0].passes and drafted.kv_bytes > 0


def test_a_page_that_cannot_be_read_is_told_and_left_out_for_all(load, three_pages, tmp_path):
    broken = BenchPage(tmp_path / "gone.pdf", 1, "text", "gone.pdf")
    found = load("2", [broken, *three_pages[:2]])
    assert [(each.page, each.method) for each in found.failures] == [("gone.pdf:1", AR)]
    assert {each.pages for each in found.throughput[0].points} == {2}


def test_a_run_that_ends_early_keeps_what_it_has_measured(load, monkeypatch):
    usual, points = measuring._point, []

    def interrupted(*arguments):
        if len(points) == 3:
            raise KeyboardInterrupt
        points.append(usual(*arguments))
        return points[-1]

    monkeypatch.setattr(measuring, "_point", interrupted)
    found = load("2")
    assert found.throughput[0].points == tuple(points)
    assert found.unfinished and found.unfinished.why == INTERRUPTED
    assert (found.unfinished.pages, found.unfinished.of) == ({"twin": 9}, 12)  # readings of a page


def test_the_report_is_read_back_as_it_was_written(report):
    assert msgspec.json.decode(encoded(report), type=Report) == report
    assert "--throughput 2,3" in command(report)


def shown(report):
    console = Console(width=160)
    with console.capture() as caught:
        show(report, console)
    return caught.get()


def test_terminal_markdown_and_html_show_every_point_and_nothing_empty(report):
    for text in (shown(report), markdown(report)):
        for each in report.throughput[0].points:
            cells = [each.method, *(str(column.cell(each)) for column in LOAD)]
            assert any(all(cell in line for cell in cells) for line in text.splitlines())
        assert "most pages a minute: " in text and "all outputs identical, 3 pages" in text
        assert "Rendering: " in text and "SR_decode" not in text
    html = render(msgspec.structs.replace(report, drafts="pipeline"))
    assert "pipeline drafts, their cost apart" in html or "most pages a minute: ar" in html
    assert all(f"{each.pages_per_minute:.1f}</td>" in html for each in report.throughput[0].points)
    assert "nothing to compare" not in html and "Where the time goes" not in html


def test_what_differs_is_said_and_a_lossless_method_is_broken(report):
    (load,) = report.throughput
    points = [msgspec.structs.replace(each, different=2 * (each.method == "hsd")) for each in load.points]
    fast = msgspec.structs.replace(points[-1], pages_per_minute=1e5)
    changed = msgspec.structs.replace(load, points=(*points[:-1], fast))
    found = msgspec.structs.replace(report, throughput=(changed,))
    assert "2 of 3 outputs differ" in shown(found)
    assert "2 pages (hsd, batch size 3)" in found.broken
