"""The exported folder works without docparse and computes what the training path computes."""

import pytest
import torch

from docparse.synthetic.recipes import held_out
from training import model, tokens
from training.export import Native, check, export
from training.reader import Reader


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    torch.manual_seed(0)
    reader = Reader(model.build(model.Shape(layers=4))).eval()
    for parameter in reader.model.parameters():  # far from the start, where most answers repeat one character
        if parameter.requires_grad:
            torch.nn.init.normal_(parameter, std=0.2)
    folder = tmp_path_factory.mktemp("export")
    export(reader, folder)
    return reader, folder


@pytest.mark.parametrize("unit", ["line", pytest.param("block", marks=pytest.mark.thorough)])
def test_native_generation_gives_the_text_of_the_training_path(exported, unit):
    check(*exported, held_out("dev", unit, 3), 40)


def test_a_difference_is_reported(exported):
    torch.manual_seed(1)
    other = Reader(model.build(model.Shape(layers=4))).eval()
    for parameter in other.model.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    with pytest.raises(ValueError, match="native generation differs"):
        check(other, exported[1], held_out("dev", "line", 2), 20)


def test_the_saved_tokenizer_maps_characters_as_training_does(exported):
    tokenizer = Native(exported[1]).tokenizer
    text = "# Ünits\n\n| a  | “5 €” |\n"
    assert tokenizer(text)["input_ids"] == tokens.encode(text)
    assert tokenizer.decode(tokens.encode(text)) == text
