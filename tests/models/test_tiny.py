"""The model that is shipped: whole, as its card says, and usable without docparse."""

import hashlib
import json
import re
from pathlib import Path

import pytest
import torch
from PIL import Image

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Frame
from docparse.models.names import locate
from docparse.models.registry import family_of_folder
from docparse.models.tiny import Tiny
from docparse.synthetic import recipes, truth
from docparse.synthetic.pixels import draw
from docparse.types import Box
from docparse.weights.store import Snapshot, verify

FOLDER = Path(__file__).parents[2] / "docparse" / "data" / "tiny"
CARD = (FOLDER / "README.md").read_text(encoding="utf-8")
LARGEST = 40e6  # bytes that may be shipped


@pytest.mark.usefixtures("cache_model")  # which is empty
def test_it_is_there_without_a_download():
    family, snapshot = locate("tiny")
    assert family.card == Tiny.card
    assert snapshot == Snapshot(FOLDER)
    assert snapshot.lacks() == []
    assert snapshot.size() < LARGEST


def test_every_file_is_as_it_was_published_and_the_card_names_the_hash_of_the_weights():
    findings = list(verify(Snapshot(FOLDER)))
    assert {finding.status for finding in findings} == {"ok"}
    assert {finding.file for finding in findings} == {path.name for path in FOLDER.iterdir()} - {"SHA256SUMS"}
    assert hashlib.sha256((FOLDER / "model.safetensors").read_bytes()).hexdigest() in CARD
    assert f"{Tiny.card.parameters:,} parameters" in CARD
    assert f"license: {Tiny.card.licence.lower()}" in CARD


def test_its_folder_is_told_from_other_models_of_its_classes(tmp_path):
    config = json.loads((FOLDER / "config.json").read_text())
    for patch, name in ((8, "tiny"), (16, "qwen3-vl")):
        config["vision_config"]["patch_size"] = patch
        (tmp_path / "config.json").write_text(json.dumps(config))
        assert family_of_folder(str(tmp_path)).card.name == name


@pytest.mark.parametrize("unit", ["block", "page", "large"])
def test_drafts_are_spelled_as_the_pages_that_it_was_trained_on(unit):
    dialect = Tiny().dialect
    assert isinstance(dialect, MarkdownDialect)
    for sheet in recipes.held_out("dialect", unit, 30):
        frame = Frame(Box(0, 0, sheet.width, sheet.height), sheet.width, sheet.height)
        text = dialect.write(truth.page(sheet).blocks, frame).text
        assert text == sheet.markdown
        assert dialect.write(dialect.read(text, frame).blocks, frame).text == text


def test_the_example_on_the_card_reads_a_page(tmp_path, monkeypatch):
    """And so it is read without docparse."""
    from rapidfuzz.distance import Levenshtein

    torch.set_num_threads(1)
    found = re.search(r"```python\n(.*?)```", CARD, re.DOTALL)
    assert found and "docparse" not in found[1]
    sheet = recipes.held_out("bench", "block", 2)[1]
    Image.fromarray(draw(sheet)).save(tmp_path / "page.png")
    monkeypatch.chdir(tmp_path)
    said = []
    scope = {"folder": str(FOLDER), "print": said.append}
    exec(found[1], scope)
    assert scope["model"].dtype == torch.float32
    assert Levenshtein.distance(said[0], sheet.markdown) < 0.3 * len(sheet.markdown)
