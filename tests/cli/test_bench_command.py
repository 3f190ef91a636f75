"""`docparse bench` as a person runs it, on a tiny random twin: what it writes, how it ends, what it refuses."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest
from refusals import refused

from docparse.accel.costs import CostCurve
from docparse.bench.report import INTERRUPTED, Report, Unfinished
from docparse.bench.request import BenchRequest
from docparse.cli.bench import write
from docparse.errors import OutputError

QUICK = ("--max-tokens", "24", "--drafts", "oracle")


@pytest.fixture(scope="session")
def twin_model(twin_folder):
    return twin_folder("qwen3-vl")


@pytest.fixture(scope="module")
def bench(run, twin_model, tmp_path_factory):
    """`bench("--method", "hsd")` -> the completed run with the twin, small and on one thread. A pass over many tokens
    costs what one over a single token does, whatever the machine is doing: every draft is worth a try."""
    environment = {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")), "OMP_NUM_THREADS": "1"}

    def complete(*options, **more):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("docparse.vlm.engine.calibrate", lambda *_, **__: CostCurve({1: 1.0, 64: 1.0}))
            return run("bench", "--model", twin_model, *options, env=environment, **more)

    return complete


@pytest.fixture(scope="module")
def measured(bench, three_page_pdf, tmp_path_factory):
    """Two pages, twice, by two lossless methods and one that is not: the completed run and its report."""
    folder = tmp_path_factory.mktemp("report")
    outputs = ["--json", folder / "bench.json", "--export", folder / "written"]
    methods = ["--method", "hsd,lookup,fastocr(warmup=2)"]
    done = bench("--data", three_page_pdf, *methods, "--pages", "2", "--runs", "2", *QUICK, *outputs)
    return done, folder


@pytest.fixture(scope="module")
def report(measured):
    return json.loads((measured[1] / "bench.json").read_text())


def test_lossless_methods_write_the_same_and_what_is_written_is_exported(measured, report):
    done, folder = measured
    assert done.returncode == 0, done.stderr
    assert "SR_decode" in done.stdout
    exact = [row for row in report["rows"] if row["method"] in report["lossless"]]
    assert len(exact) == 12
    assert all(row["identical"] and row["distance"] == 0 for row in exact)
    drafted = [row for row in report["rows"] if row["method"] == "hsd"]
    assert all(row["accepted_by_source"]["oracle"] > 0 and row["steps"] < row["tokens"] for row in drafted)
    written = folder / "written"
    assert sorted(each.name for each in written.iterdir()) == ["ar", "fastocr_warmup=2", "hsd", "lookup"]
    pages = [f"three-pages_pg{page}_repeat{run}.md" for page in (1, 2) for run in (1, 2)]
    assert sorted(each.name for each in (written / "hsd").iterdir()) == pages


def test_a_report_says_on_what_and_with_what_it_was_made(report):
    assert report["methods"]["fastocr(warmup=2)"] == "fastocr(warmup=2)"
    assert (report["lossless"], report["drafts"]) == (["ar", "hsd", "lookup"], "oracle")
    assert report["models"][0]["random_weights"] is False
    assert report["warm_up_seconds"] > 0
    assert {"torch", "transformers", "docparse"} <= set(report["versions"])
    assert {"system", "processor", "cores", "threads"} <= set(report["machine"])
    assert set(BenchRequest.__dataclass_fields__) == set(report["settings"])


def test_an_injected_slowdown_ends_with_exit_code_1(bench, measured, report, three_page_pdf, tmp_path):
    for row in report["rows"]:
        if row["method"] == "lookup":
            row["seconds"] |= {part: row["seconds"][part] / 1000 for part in ("drafts", "regions", "decode")}
    older = tmp_path / "older.json"
    older.write_text(json.dumps(report))
    options = ["--data", three_page_pdf, "--method", "lookup", "--pages", "2", *QUICK, "--compare", older]
    done = bench(*options, "--fail-below", "0.02")  # far below what a busy machine makes of a ratio
    assert done.returncode == 1
    assert "lookup: SR_decode was" in done.stderr
    assert "SR_e2e was" not in done.stderr
    assert "beside the older report" in done.stdout


def test_an_older_report_becomes_the_same_tables_and_html_again(run, measured, tmp_path):
    page = tmp_path / "report.html"
    done = run("bench", "--report", measured[1] / "bench.json", "--markdown", "-", "--html", page)
    assert done.returncode == 0, done.stderr
    table = measured[0].stdout
    assert table in done.stderr  # stdout is the Markdown's
    speedups = re.findall(r"\d+\.\d\d \[\d+\.\d\d \d+\.\d\d\]", table)
    assert speedups and all(each in done.stdout for each in speedups)
    html = page.read_text(encoding="utf-8")
    assert all(each.split()[0] in html for each in speedups)


@pytest.mark.parametrize("flags", [(), ("--markdown", "-")])
def test_a_reader_of_the_table_who_leaves_changes_neither_files_nor_exit_code(start, measured, tmp_path, flags):
    page = tmp_path / "report.html"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = start("bench", "--report", measured[1] / "bench.json", *flags, "--html", page, **pipes)
    process.stdout.close()
    assert (process.wait(timeout=60), b"docparse: " in process.stderr.read()) == (0, False)
    assert page.is_file()


@pytest.mark.parametrize("options, named", [(["--pages", "3"], "--pages"), (["--json", "x"], "--json and --export")])
def test_what_would_need_a_run_is_refused(run, measured, tmp_path, options, named):
    done = run("bench", "--report", measured[1] / "bench.json", *options, cwd=tmp_path)
    refused(done, 2, f"docparse: --report runs nothing: leave out {named}")


def test_the_report_on_stdout_has_a_method_for_each_setting(bench, three_page_pdf):
    options = ["--method", "fastocr(warmup=2),fastocr(warmup=4)", "--pages", "1", *QUICK, "--json", "-"]
    done = bench("--data", three_page_pdf, *options)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert list(report["methods"]) == ["ar", "fastocr(warmup=2)", "fastocr(warmup=4)"]
    assert "SR_decode" in done.stderr  # the table makes way


def test_weights_that_are_not_there_end_with_the_command_that_gets_them(run, tmp_path):
    done = run("bench", "--model", "dots.ocr", "--method", "hsd", env={"HF_HOME": str(tmp_path)})
    refused(done, 3, "docparse models pull dots.ocr", "--random-weights", "--model tiny")


@pytest.fixture
def here(run, twin_model, tmp_path):
    """`here("--method", "hsdd")` -> how the command ended, in a folder with `page.md` and `empty/`."""
    (tmp_path / "page.md").write_text("# A page")
    (tmp_path / "empty").mkdir()

    def complete(*options):
        return run("bench", "--model", twin_model, *options, cwd=tmp_path)

    return complete


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--drafts", "pipelin"], "pipeline"),
        (["--pages", "-1"], "--pages needs a number that is at least 0 (see"),
        (["--draft-noise", "2"], "0 to 1"),
        (["--draft-noise", "0.1", "--drafts", "none"], "nothing to damage"),
        (["--box-jitter", "-1"], "0 to 1"),
        (["--method", "hsdd"], "there is no method 'hsdd'; did you mean 'hsd'"),
        (["--data", "builtinn"], "builtin"),
        (["--method", ""], "hsd"),
        (["--dtype", "float8"], "float16"),
        (["--json", "nowhere/b.json"], "nowhere"),
        (["--html", "nowhere/b.html"], "nowhere"),
        (["--html", "-"], "name a file"),
        (["--export", "page.md/out"], "page.md"),
        (["--compare", "page.md"], "not a JSON report"),
        (["--fail-below", "0.9"], "--compare"),
        (["--throughput", "1,x"], "1,4,16"),
        (["--throughput", "0"], "1,4,16"),
        (["--throughput", "4", "--runs", "2"], "leave out --runs"),
        (["--calibrate", "tiny", "--json", "x.json"], "leave out --model"),
        (["--reproduce", "hsd-table2", "--throughput", "4"], "leave out --throughput"),
        (["--throughput", "4", "--export", "out"], "--export"),
        (["--model", "tiny,dots.orc"], "dots.ocr"),
        (["--model", ","], "tiny"),
        (["page.pdf"], "--data"),
        (["--data", "page.md"], "page.md: not a PDF"),
        (["--data", "empty"], "empty: there is no PDF or image in this folder: name one that"),
    ],
)
def test_what_cannot_be_meant_is_one_line(here, options, word):
    refused(here(*options), 4 if options in (["--data", "page.md"], ["--data", "empty"]) else 2, word)


def test_an_interrupted_bench_says_so(here, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("docparse.bench.run.run", stopped)
    refused(here("--method", "hsd"), 130, "docparse: interrupted")


@pytest.fixture
def reported(here, measured, monkeypatch):
    """`reported(unfinished, *options)` -> what `here` gives, of a run whose report is the measured one, ended early."""

    def command(early, *options):
        known = msgspec.json.decode((measured[1] / "bench.json").read_bytes(), type=Report)
        found = msgspec.structs.replace(known, unfinished=early)
        monkeypatch.setattr("docparse.bench.run.run", lambda *_, **__: found)
        monkeypatch.setattr("docparse.cli.bench.pages_from", lambda *_: [])
        return here(*options)

    return command


@pytest.mark.parametrize("why, code", [(INTERRUPTED, 130), ("n: damaged", 1)])
def test_what_was_measured_before_the_end_of_a_run_is_shown_and_written(reported, tmp_path, why, code):
    done = reported(Unfinished(why=why, pages={"m": 2}, of=9), "--json", "out.json", "--html", "out.html")
    assert done.returncode == code
    assert why in done.stderr and "2 of 9 pages by m" in done.stderr
    assert json.loads((tmp_path / "out.json").read_text())["unfinished"]["why"] == why
    assert "2 of 9 pages by m" in (tmp_path / "out.html").read_text()
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.html", "out.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_file_that_cannot_be_written_loses_no_table(reported, monkeypatch):
    shown = []
    monkeypatch.setattr("docparse.cli.bench.show", lambda report, _: shown.append(report))
    refused(reported(None, "--json", "/dev/full"), 1, "/dev/full: cannot write: No space left on device")
    assert shown


def test_a_folder_that_cannot_be_exported_to_loses_no_report(bench, three_page_pdf, tmp_path):
    (tmp_path / "written").mkdir()
    (tmp_path / "written" / "ar").write_text("in the way")
    options = ["--method", "lookup", "--pages", "1", "--export", "written", "--json", "out.json", *QUICK]
    done = bench("--data", three_page_pdf, *options, cwd=tmp_path)
    assert done.returncode == 1
    assert "written/ar" in done.stderr and "cannot write" in done.stderr
    assert json.loads((tmp_path / "out.json").read_text())["rows"]


@pytest.mark.thorough
def test_a_bench_that_is_killed_leaves_what_it_has_measured(start, twin_model, tmp_path):
    options = ["--method", "lookup", "--data", "builtin", "--pages", "0", *QUICK, "--json", "out.json"]
    environment = {"XDG_CACHE_HOME": str(tmp_path), "OMP_NUM_THREADS": "1"}
    process = start("bench", "--model", twin_model, *options, cwd=tmp_path, env=environment)
    deadline = time.monotonic() + 240
    while not (tmp_path / "out.json.part").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.kill()
    assert process.wait(timeout=120) == -signal.SIGKILL
    found = msgspec.json.decode((tmp_path / "out.json.part").read_bytes(), type=Report)
    assert found.rows and found.unfinished and 0 < found.unfinished.pages[found.rows[0].model] < 102


@pytest.mark.parametrize(
    ("error", "raised"),
    [(OSError(28, "No space left on device"), OutputError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_writing_fails_whole_or_not_at_all(tmp_path, monkeypatch, error, raised):
    def fail(path, data):
        with path.open("wb") as file:
            file.write(data[:3])
        raise error

    target = tmp_path / "out.json"
    write(b"the old one", str(target))
    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(raised, match="cannot write" if raised is OutputError else None):
        write(b"the new", str(target))
    assert target.read_bytes() == b"the old one"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "out.json").symlink_to(tmp_path / "real" / "out.json")
    write(b"report", str(tmp_path / "out.json"))
    assert (tmp_path / "real" / "out.json").read_bytes() == b"report"
    assert (tmp_path / "out.json").is_symlink()
