"""`docparse bench` on a tiny random twin: what is compared, in which order, and how the result can be trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docparse.bench.request import methods_of
from docparse.errors import UsageError


@pytest.fixture(scope="module")
def twin_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from docparse.models.registry import family_named
    from docparse.models.twins import make_twin

    folder = tmp_path_factory.mktemp("model")
    family = family_named("qwen3-vl")
    assert family is not None
    make_twin(family, folder)
    return folder


def test_a_comma_inside_parameters_does_not_split_methods() -> None:
    named = methods_of("hsd(tau=0.75,n=4),lookup,hsd:tau=0.75,n=4")
    assert list(named) == ["ar", "hsd(tau=0.75,n=4)", "lookup", "hsd:tau=0.75,n=4"]
    assert named["hsd(tau=0.75,n=4)"] == named["hsd:tau=0.75,n=4"]


def test_an_unknown_method_is_named_with_its_neighbour() -> None:
    with pytest.raises(UsageError, match=r"^--method hsdd: there is no method 'hsdd'; did you mean 'hsd'"):
        methods_of("hsdd")


def test_rows_are_interleaved_and_lossless_methods_write_the_same(run, twin_model, three_page_pdf, tmp_path) -> None:
    target = tmp_path / "bench.json"
    options = ["--drafts", "oracle", "--max-tokens", "24", "--pages", "2", "--runs", "2", "--json", target]
    environment = {"XDG_CACHE_HOME": str(tmp_path), "OMP_NUM_THREADS": "1"}
    done = run(
        "bench", "--model", twin_model, "--method", "hsd,lookup", "--data", three_page_pdf, *options, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "SR_decode" in done.stdout
    report = json.loads(target.read_text())
    order = [(row["page"][-1], row["run"], row["method"]) for row in report["rows"]]
    assert order == [(page, n, method) for page in "12" for n in (0, 1) for method in ("ar", "hsd", "lookup")]
    assert all(row["identical"] and row["distance"] == 0 for row in report["rows"])
    drafted = [row for row in report["rows"] if row["method"] == "hsd"]
    assert all(row["accepted_by_source"]["oracle"] > 0 and row["steps"] < row["tokens"] for row in drafted)
    assert report["random_weights"] is False
    assert {"torch", "transformers", "docparse"} <= set(report["versions"])


def test_weights_that_are_not_there_end_with_the_command_that_gets_them(run, tmp_path) -> None:
    done = run("bench", "--model", "dots.ocr", "--method", "hsd", env={"HF_HOME": str(tmp_path)})
    assert done.returncode == 3
    assert "docparse models pull dots.ocr" in done.stderr
    assert "--random-weights" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--drafts", "pipelin"], "pipeline"),
        (["--draft-noise", "2"], "0 to 1"),
        (["--method", "hsd:taw=1"], "tau"),
        (["--data", "nowhere"], "nowhere"),
        (["--method", ""], "hsd"),
        (["--json", "nowhere/b.json"], "nowhere"),
        (["page.pdf"], "--data"),
    ],
)
def test_what_cannot_be_meant_is_one_line(run, twin_model, tmp_path, options, word) -> None:
    done = run("bench", "--model", twin_model, *options, cwd=tmp_path)
    assert done.returncode == 2
    assert word in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
