"""`docparse bench --predict` with an acceptance: nothing is run, and what the prediction is worth stands beside it."""

from __future__ import annotations

import json

import pytest


@pytest.fixture(scope="module")
def predicted(run):
    return run(
        "bench", "--predict", "a100,h200", "--aal", "3.98", "--json", "-", env={"OMP_NUM_THREADS": "1"}, timeout=300
    )


def test_every_published_model_is_predicted_on_every_device(predicted):
    found = json.loads(predicted.stdout)["predictions"]
    assert {each["model"] for each in found} == {"dots.ocr", "hunyuan-ocr", "qwen3-vl-2b", "qwen3-vl", "deepseek-ocr"}
    assert {(each["device"], each["software"]) for each in found} == {
        (device, software) for device in ("a100", "h200") for software in ("eager", "graphs")
    }
    fitted = next(each for each in found if each["model"] == "dots.ocr")
    assert fitted["sr_decode"] == pytest.approx(2.44, abs=0.01)


def test_the_errors_of_the_model_stand_beside_its_predictions(predicted):
    assert predicted.returncode == 0
    assert "The cost model against the HSD paper" in predicted.stderr
    assert "not measured; it is off by" in predicted.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--aal", "4"], "--predict a100,h200"),
        (["--aal", "4", "--predict", "h10"], "did you mean 'h100'?"),
        (["--aal", "4", "--predict", "a100", "--html", "report.html"], "runs nothing: leave out --html"),
    ],
)
def test_what_cannot_be_predicted_is_a_usage_error(run, tmp_path, options: list[str], message: str):
    done = run("bench", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
