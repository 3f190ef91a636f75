"""Loading: from a folder or by name to a model that reads, or one line that says why not."""

import re

import pytest
import torch
from PIL import Image

from docparse.accel.stack import parse_stack
from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.registry import family_named
from docparse.vlm.engine import VlmEngine, check_drafts
from docparse.vlm.loaded import load
from docparse.vlm.random_weights import random_weights
from docparse.weights import device as devices
from docparse.weights import memory

GIB = 2**30


@pytest.fixture(scope="session")
def twin(twin_folder):
    return twin_folder("qwen3-vl")


@pytest.fixture
def free(monkeypatch):
    """`free(bytes)`: what this test's machine has left."""
    return lambda count: monkeypatch.setattr(devices, "available_memory", lambda: count)


def test_a_folder_loads_and_reads(twin):
    told = []
    vlm = load(str(twin), device="cpu", tell=told.append)
    assert (vlm.family.card.name, vlm.text.dtype, vlm.text.device.type) == ("qwen3-vl", torch.float32, "cpu")
    prompt = vlm.prompt(vlm.encode(Image.new("RGB", (200, 100), "white"), vlm.family.page_instruction))
    assert prompt.visual_tokens > 0
    assert told == [f"model: {twin}, float32 on cpu"]


def test_float32_that_does_not_fit_becomes_bfloat16_and_is_told(twin, free):
    free(memory.plan(10**6, memory.Device("cpu", "", 1)).needed)
    told = []
    assert load(str(twin), device="cpu", tell=told.append).text.dtype == torch.bfloat16
    assert told == [f"model: {twin}, bfloat16 on cpu (float32 does not fit)"]


def test_memory_that_runs_out_while_loading_is_one_line(twin, monkeypatch):
    def out_of_memory(*args, **more):
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate")

    monkeypatch.setattr(type(family_named("qwen3-vl")), "load", out_of_memory)
    with pytest.raises(EnvironmentProblem, match="did not fit"):
        load(str(twin), device="cpu")


def test_a_smaller_model_drafts_only_in_the_larger_ones_tokens(twin):
    vlm = load(str(twin), device="cpu")
    check_drafts(vlm, vlm)
    swapped = load(str(twin), device="cpu")
    vocabulary = dict(vlm.processor.tokenizer.get_vocab())
    first, second, *_ = vocabulary
    vocabulary[first], vocabulary[second] = vocabulary[second], vocabulary[first]
    swapped.processor.tokenizer.get_vocab = lambda: vocabulary  # as many words, of which two mean something else
    with pytest.raises(EnvironmentProblem, match=r"cannot draft for .*: they write different tokens"):
        check_drafts(swapped, vlm)


@pytest.mark.families(but=("tiny",))
def test_random_weights_of_the_full_size_have_the_published_shape_and_the_twins_tokens(name, monkeypatch, free):
    """Built without memory: on the meta device."""
    family = family_named(name)
    free(100 * GIB)
    built = type(family).build

    def on_meta(self, config):
        with torch.device("meta"):
            return built(self, config)

    monkeypatch.setattr(type(family), "build", on_meta)
    vlm = random_weights(family.card.name, device="cpu", dtype="bfloat16")
    config = family.decoder(on_meta(family, family.full_config())).config
    kinds = getattr(config, "layer_types", None) or ["full_attention"] * config.num_hidden_layers
    assert vlm.text.layers == sum(kind != "linear_attention" for kind in kinds)  # those that hold keys and values
    assert vlm.text.vocabulary > 10_000
    assert vlm.text.dtype == torch.bfloat16
    assert torch.get_default_dtype() == torch.float32
    encoded = vlm.encode(Image.new("RGB", (1200, 1600), "white"), family.page_instruction)
    assert encoded.inputs["input_ids"].max() < vlm.text.vocabulary
    assert int(encoded.visual.sum()) > 150  # not a twin's small pictures
    image_ids = set(encoded.inputs["input_ids"][0][encoded.visual].tolist())
    told = re.findall(r'token_(?:id|index)": (\d+)', vlm.model.config.to_json_string(use_diff=False))
    assert image_ids & {*map(int, told)}


def test_who_asks_for_random_weights_of_a_model_that_is_shipped_is_told():
    with pytest.raises(UsageError, match="--random-weights: tiny comes with weights of its own"):
        random_weights("tiny", device="cpu")


def test_a_decoder_that_the_lean_one_does_not_fit_is_told_once(twin_folder):
    folder = str(twin_folder("deepseek-ocr"))
    told = []
    load(folder, device="cpu", tell=told.append)
    assert len(told) == 2
    assert told[1].startswith(f"model: {folder} decodes by its own modules, not by the faster lean decoder: ")


UNFIT = [  # a family whose decoder is of another kind, and stacks that it cannot be read with
    ("surya-ocr-2", "fastv", "fastv: .*layers of linear attention, which go on reading what it drops"),
    ("unlimited-ocr", "fastocr", "reads only the last 12 tokens that it wrote, and fastocr decides"),
    ("unlimited-ocr", "h2o(budget=0.5)+hsd", "reads only the last 12 tokens that it wrote, and h2o decides"),
]


@pytest.mark.parametrize(("name", "stack", "words"), UNFIT)
def test_methods_that_a_decoder_cannot_be_read_with_are_refused_and_others_are_not(name, stack, words, twin_folder):
    vlm = load(str(twin_folder(name)), device="cpu")
    with pytest.raises(UsageError, match=words):
        VlmEngine.of(vlm, parse_stack(stack), lambda _: vlm)
    engine = VlmEngine.of(vlm, parse_stack("vlcache+rtprune"), lambda _: vlm)
    assert engine.stack.compressing and engine.stack.pruning
    if name == "surya-ocr-2":
        with pytest.raises(EnvironmentProblem, match=r"linear attention cannot take back what .* refuses: use hsd$"):
            check_drafts(vlm, vlm)
