"""What `--model` may name."""

import json

import pytest
from snapshots import shard

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models import registry
from docparse.models.names import is_folder, known_family, locate
from docparse.models.registry import families

CARDS = [family.card for family in families()]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_a_family_is_known_by_its_name_aliases_and_repository(card):
    for name in filter(None, (card.name, card.name.upper().replace("-", "_"), card.repository, *card.aliases)):
        assert known_family(name).card == card


def test_two_families_of_one_name_are_told(monkeypatch):
    monkeypatch.setattr(registry, "ADAPTERS", ("tiny.Tiny", "dots_ocr.DotsOcr", "tiny.Tiny"))
    with pytest.raises(UsageError, match=r"models tiny\.Tiny and tiny\.Tiny are both known as 'tiny': rename"):
        known_family("no-such-model")


@pytest.mark.parametrize("adapter", ["tiny.Tinny", "no_such_file.Tiny", "tiny"])
def test_an_adapter_that_is_not_there_is_told_with_its_list(monkeypatch, adapter):
    monkeypatch.setattr(registry, "ADAPTERS", ("dots_ocr.DotsOcr", adapter))
    with pytest.raises(UsageError, match=rf"^{adapter}, in ADAPTERS of docparse/models/registry.py: ."):
        known_family("no-such-model")


WITHOUT_MODES = next(family.card.name for family in families() if not family.modes)
NO_NAMES = {
    "hunyuan-ocrr": r"'hunyuan-ocrr' is not known; did you mean 'hunyuan-ocr'\?",
    "xyzzy": "`docparse models list` shows all",
    "auto": "^'auto' is not a model: name one; .* shows all$",
    "pipeline": "^'pipeline' is not a model: name one; .* shows all$",
    f"{WITHOUT_MODES}:gundam": "has no mode 'gundam': it has none",
}


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_names_no_model_is_a_line_with_the_nearest(name):
    with pytest.raises(UsageError, match=NO_NAMES[name]):
        locate(name)


def test_a_mode_is_part_of_the_name():
    moded = [family for family in families() if family.modes]
    for family in moded:
        for mode in family.modes:
            assert known_family(f"{family.card.name}:{mode}").card.repository == family.card.repository
        with pytest.raises(UsageError, match=f"its modes are {', '.join(family.modes)}"):
            known_family(f"{family.card.name}:nonsense")


def test_weights_that_are_not_here_or_not_whole_name_the_command(cache_model):
    for card in CARDS:
        if card.repository:  # others come with docparse
            with pytest.raises(
                EnvironmentProblem, match=rf"run `docparse models pull {card.name}` \(about \d+\.\d GB to download\)$"
            ):
                locate(card.name)
    with pytest.raises(EnvironmentProblem, match="without the setting offline"):
        locate(CARDS[0].name, offline=True)
    cache_model(CARDS[0].repository, weights=False)
    with pytest.raises(EnvironmentProblem, match=rf"model\.safetensors is missing: run .*pull {CARDS[0].name}`"):
        locate(CARDS[0].name)


def test_a_folder_is_recognised_by_what_it_holds_unless_its_name_is_a_familys(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": next(families()).model_types[0]}))
    (folder / "model.safetensors").write_bytes(shard("weight"))
    for name in ("mine", "./mine", str(folder)):
        assert locate(name)[0].card == CARDS[0]
        assert locate(name)[1].revision == ""
    (tmp_path / CARDS[0].name).mkdir()
    assert not is_folder(CARDS[0].name)
    assert is_folder(f"./{CARDS[0].name}")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no config.json: not a folder of model weights"),
        ({"config.json": "{"}, "cannot be read"),
        ({"config.json": "[]"}, "config.json"),
        ({"config.json": '{"hidden_size": "wide"}'}, "without model_type.* is not supported"),
        ({"config.json": '{"model_type": "bert"}'}, "'bert' is not supported: use one of"),
        ({"config.json": '{"model_type": "deepseek_vl_v2", "architectures": ["Other"]}'}, "not supported"),
    ],
)
def test_a_folder_that_is_no_model_is_one_line(tmp_path, files, words):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(EnvironmentProblem, match=words):
        locate(str(tmp_path))
