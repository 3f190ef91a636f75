"""`models check`: a model that reads is told from one that does not, by what it writes itself."""

import json

import msgspec
import pytest

from docparse.errors import EnvironmentProblem, ExitCode
from docparse.models.names import locate
from docparse.vlm import model_check as checking
from docparse.vlm.model_check import Checked, check_model


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(checking, "MAX_TOKENS", 64)


def test_the_shipped_model_reads_its_page():
    checked = check_model("tiny", device="cpu")
    assert checked.good and checked.ending == "stop"
    assert checked.parameters == checked.published and all(told.same for told in checked.asked)
    about = {told.about for told in checked.asked}
    assert about == {"chat template", "end tokens", "picture settings", "output length"}
    assert [(each.width, each.height, each.visual_tokens) for each in checked.pictures] == [(256, 96, 96)]
    assert checked.speed.tokens > 0 < checked.speed.prefill_rate


@pytest.mark.parametrize(("name", "reads"), [("dots.ocr", "page"), ("glm-ocr", "regions")])
def test_a_model_that_cannot_read_is_told_by_what_it_writes(name, reads, short, twin_folder):
    checked = check_model(str(twin_folder(name)), device="cpu")
    assert checked.reads == reads and (len(checked.pictures) > 1) == (reads == "regions")
    assert not checked.good and checked.words > 150
    assert checked.parameters < checked.published
    assert msgspec.json.decode(msgspec.json.encode(checked), type=Checked) == checked


def test_an_adapter_whose_published_files_are_not_there_is_told(twin_folder, monkeypatch):
    family, _ = locate(str(twin_folder("qwen2.5-vl")))
    monkeypatch.setattr(type(family), "published_as", "nope")
    told = r"no docparse/models/published/nope\.json: write it, or set published_as$"
    with pytest.raises(EnvironmentProblem, match=told):
        check_model(str(twin_folder("qwen2.5-vl")), device="cpu")


def test_the_command_says_it_in_lines_and_by_its_exit_code(short, twin_folder, capsysbinary):
    from docparse.cli.models_check import check_model

    folder = str(twin_folder("qwen3-vl"))
    given = {"device": "cpu", "dtype": "auto"}
    assert check_model(folder, **given) == ExitCode.PARTIAL
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert lines[-1].split(maxsplit=1) == ["verdict", "BAD: what it wrote is not the page's text"]
    assert any("the published weights have 8,767,123,696" in line for line in lines)
    assert check_model(folder, **given, json=True) == ExitCode.PARTIAL
    form = json.loads(capsysbinary.readouterr().out)
    assert form["family"] == "qwen3-vl" and not form["good"] and form["speed"]["tokens"] == 64
