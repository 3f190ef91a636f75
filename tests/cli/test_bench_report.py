"""`docparse bench --report`: what an older run measured, shown again without running anything."""

import pytest

from docparse.bench.report import Measured, encoded, report
from docparse.bench.request import BenchRequest
from docparse.bench.rows import AR, STAGES, PageRow


def row(page, method, seconds):
    drafted = {"ocr": 40} if method == "hsd" else {}
    return PageRow(
        model="tiny", page=page, category="text", method=method, run=0, tokens=80, steps=40,
        seconds=dict.fromkeys(STAGES, seconds), steps_with_candidates=40, accepted=20, accepted_per_step=(1,) * 20,
        accepted_by_source=drafted, proposed_by_source=drafted, region_tokens=0, region_steps=0, prompt_tokens=9,
        visual_tokens=4, kept_visual_tokens=4, kv_bytes=3 * 2**20, peak_memory=0, attention_flops=1e6,
        endings=("stop",), identical=True, distance=0.0, cer=0.1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    model = Measured(
        name="tiny", revision="", random_weights=False, parameters=5, device="cpu", dtype="float32",
        token_per_character=True,
    )  # fmt: skip
    methods = {AR: "none", "hsd": "hsd"}
    found = report(
        [row(page, method, seconds) for page in "abcde" for method, seconds in ((AR, 2.0), ("hsd", 1.0))],
        models=(model,), warm_up_seconds=1.0, settings=BenchRequest(drafts="oracle").settings, methods=methods,
        lossless=tuple(methods), data="builtin", drafts="oracle",
    )  # fmt: skip
    path = tmp_path_factory.mktemp("saved") / "old.json"
    path.write_bytes(encoded(found))
    return path


def test_an_older_report_becomes_tables_and_html_again(run, saved, tmp_path):
    page = tmp_path / "report.html"
    done = run("bench", "--report", saved, "--markdown", "-", "--html", page)
    assert done.returncode == 0, done.stderr
    assert "| `hsd` | 2.00 [2.00 2.00] |" in done.stdout
    assert "2.00 [2.00 2.00]" in done.stderr  # the table; stdout is the Markdown's
    assert "[2.00 2.00]" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "options, message",
    [
        (["--pages", "3"], "--report runs nothing: leave out --pages"),
        (["--json", "new.json"], "--report runs nothing: leave out --json and --export"),
        (["--report", "other.json"], "--report other.json: its schema is docparse-bench-1"),
    ],
)
def test_what_would_need_a_run_or_is_no_report_is_refused(run, saved, tmp_path, options, message):
    (tmp_path / "other.json").write_text('{"schema": "docparse-bench-1"}')
    done = run("bench", "--report", saved, *options, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith(f"docparse: {message}")
