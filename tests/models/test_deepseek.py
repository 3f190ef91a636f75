"""DeepSeek-OCR: its modes, its views, and its published configuration in the terms of transformers' classes."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.deepseek_ocr import DeepseekOcr, DeepseekOcr2, Mode
from docparse.models.deepseek_views import DeepseekProcessor, whole
from docparse.models.names import locate
from docparse.vlm.random_weights import train_tokenizer

PUBLISHED = json.loads((Path(__file__).parent / "evidence" / "deepseek-ocr" / "config.json").read_text())
FAMILY = DeepseekOcr()
TOKENIZER = train_tokenizer(FAMILY.special_tokens, FAMILY.end_token)
A4 = Image.new("RGB", (1240, 1754), "white")


def processor(mode):
    """The published sizes, without weights."""
    resolution = FAMILY.resolutions[mode]
    return DeepseekProcessor(TOKENIZER, FAMILY.chat, FAMILY.image_token, mode=resolution, patch=16)


@pytest.mark.parametrize(("mode", "side"), [("tiny", 8), ("small", 10), ("base", 16), ("large", 20)])
def test_a_mode_has_the_published_number_of_tokens(mode, side):
    encoded = processor(mode).encode(A4, FAMILY.page_instruction)
    assert int((~encoded.structural).sum()) == side * side
    assert int(encoded.structural.sum()) == side + 1  # a break after each row, and a separator
    grid = encoded.structural[:-1].reshape(side, side + 1)
    assert grid[:, -1].all() and not grid[:, :-1].any() and encoded.structural[-1]
    assert encoded.inputs["pixel_values"].shape == (1, 3, side * 64, side * 64)


def test_gundam_adds_tiles_of_a_hundred_tokens_each():
    encoded = processor("gundam").encode(A4, FAMILY.page_instruction)
    columns, rows = encoded.inputs["patches_grid"][0]
    assert (columns, rows) == (2, 3)
    assert encoded.inputs["pixel_values_local"].shape == (6, 3, 640, 640)
    assert int((~encoded.structural).sum()) == 6 * 100 + 256
    assert int(encoded.structural.sum()) == rows * 10 + 16 + 1
    assert (encoded.width, encoded.height) == (1280, 1920)
    uncut = processor("gundam").encode(Image.new("RGB", (640, 400)), "Free OCR.")  # no larger than a tile
    assert "pixel_values_local" not in uncut.inputs and uncut.inputs["num_local_patches"] == [0]
    assert int((~uncut.structural).sum()) == 256


@given(width=st.integers(1, 500), height=st.integers(1, 500))
def test_a_page_stands_in_the_middle_of_its_view(width, height):
    view, (left, top, right, bottom) = whole(Image.new("RGB", (width, height), "black"), Mode(128))
    black = np.asarray(view).max(axis=2) == 0
    assert black[top:bottom, left:right].all() and black.sum() == (right - left) * (bottom - top)
    assert abs(left - (128 - right)) <= 1 and abs(top - (128 - bottom)) <= 1
    assert max(right - left, bottom - top) == 128


def test_the_published_configuration_is_the_full_one_also_of_the_second_model():
    config, full = FAMILY.native(PUBLISHED), FAMILY.full_config()
    assert config.to_dict() == full.to_dict()
    assert set(config.text_config.layer_types) == {"full_attention"}
    assert config.text_config.mlp_layer_types == ["dense"] + ["sparse"] * 11
    assert config.text_config.rope_parameters["rope_theta"] == 10000.0
    second = json.loads(json.dumps(PUBLISHED)) | {"architectures": ["DeepseekOCR2ForCausalLM"]}
    towers = second["vision_config"]["width"]
    del towers["clip-l-14-224"]
    towers["qwen2-0-5b"] = {"dim": 896}
    config = DeepseekOcr2().native(second)
    assert config.to_dict() == DeepseekOcr2().full_config().to_dict()
    assert config.vision_config.sam_config.downsample_channels == [512, 896]


def test_transformers_own_copy_of_the_second_model_loads(twin_folder, tmp_path):
    family = DeepseekOcr2()
    family.load(str(twin_folder("deepseek-ocr-2")), dtype=torch.float32, device="cpu").save_pretrained(tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] == "deepseek_ocr2"
    loaded = family.load(str(tmp_path), dtype=torch.float32, device="cpu")
    assert loaded.config.text_config.num_hidden_layers == 4


def test_weights_that_nothing_uses_are_skipped(twin_folder, tmp_path):
    """The published file holds CLIP's own patch embedding."""
    from safetensors.torch import load_file, save_file

    folder = twin_folder("deepseek-ocr")
    tensors = load_file(folder / "model.safetensors")
    tensors["model.vision_model.embeddings.patch_embedding.weight"] = torch.zeros(32, 3, 8, 8)
    save_file(tensors, tmp_path / "model.safetensors", {"format": "pt"})
    (tmp_path / "config.json").write_bytes((folder / "config.json").read_bytes())
    assert FAMILY.load(str(tmp_path), dtype=torch.float32, device="cpu") is not None


def test_queries_of_the_second_model_see_their_whole_view(twin, noise):
    encoded = twin("deepseek-ocr-2").encode(noise(200, 150), "Free OCR.")
    boxes = encoded.boxes[~encoded.structural]
    [count] = encoded.inputs["num_local_patches"]
    assert len(boxes) == 144 * (count + 1) and encoded.structural.tolist() == [False] * len(boxes) + [True]
    assert len(boxes[: 144 * count].unique(dim=0)) == count
    assert boxes[144 * count :].unique(dim=0).tolist() == [[0.0, 0.0, 1.0, 1.0]]


def test_a_folder_is_read_in_a_mode_too(twin_folder):
    folder = twin_folder("deepseek-ocr")
    family, snapshot = locate(f"{folder}:base")
    assert isinstance(family, DeepseekOcr) and family.mode == "base"
    assert snapshot.folder == folder
    with pytest.raises(UsageError, match="no mode 'bass'"):
        locate(f"{folder}:bass")
    with pytest.raises(EnvironmentProblem, match="no such folder"):
        locate(f"{folder}x:base")
