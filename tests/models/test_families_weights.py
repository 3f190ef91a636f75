"""Weights of every family: the published shape, and what is said about weights that are not whole."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from docparse.errors import EnvironmentProblem, ExitCode
from docparse.models.registry import families, family_named, family_of_folder

PADDLE = 37_748_736 + 15_238_352  # `packing_position_embedding` (32768 x 1152), the pooling head of the vision tower
CLIP_PATCHES = 602_112  # CLIP's own patch embedding
NOT_LOADED = {  # of the published parameters, those that reading does not need
    "chandra-ocr-2": 760_734_464,  # a copy of the vocabulary, and the layer that predicts ahead
    "deepseek-ocr": CLIP_PATCHES,
    "glm-ocr": 217_852_416,  # the layer that predicts a second token, with embeddings and head of its own
    "paddleocr-vl": PADDLE,
    "paddleocr-vl-1.5": PADDLE,
    "paddleocr-vl-1.6": PADDLE,
    "surya-ocr-2": 20_452_864,
    "unlimited-ocr": CLIP_PATCHES,
}

every_family = pytest.mark.families
every_card = pytest.mark.parametrize("name", [family.card.name for family in families()])


@every_family
def test_the_published_shape_has_the_published_number_of_parameters(name):
    family = family_named(name)
    with torch.device("meta"):
        model = family.build(family.full_config())
    counted = sum(parameter.numel() for parameter in model.parameters())
    assert counted + NOT_LOADED.get(name, 0) == family.card.parameters


@every_card
def test_the_card_is_complete(name):
    family = family_named(name)
    card = family.card
    assert card.licence and ("/" in card.repository or name == "tiny")  # which comes with docparse
    assert card.revision == "" or len(bytes.fromhex(card.revision)) == 20


def test_documents_come_first():
    purposes = [family.card.purpose for family in families() if family.card.repository and not family.card.note]
    assert purposes == sorted(purposes, key=lambda purpose: purpose != "document")


PUBLISHED_NAMES = {
    "dots.ocr": {
        *(f"vision_tower.patch_embed.patchifier.{name}.weight" for name in ("proj", "norm")),
        *(f"vision_tower.blocks.0.{name}.weight" for name in ("attn.qkv", "attn.proj", "mlp.fc3", "norm2")),
        *(f"vision_tower.{name}" for name in ("post_trunk_norm.weight", "merger.ln_q.bias", "merger.mlp.2.weight")),
        *("model.layers.0.self_attn.q_proj.bias", "lm_head.weight"),
    },
    "hunyuan-ocr": {"vit.perceive.image_newline", "vit.layers.0.mlp.dense_h_to_4h.weight", "model.norm.weight"},
    "paddleocr-vl": {"mlp_AR.linear_1.weight", "visual.vision_model.post_layernorm.weight", "model.norm.weight"},
    "glm-ocr": {"model.visual.merger.gate_proj.weight", "model.language_model.norm.weight", "lm_head.weight"},
    "qwen2.5-vl": {"visual.patch_embed.proj.weight", "model.layers.0.self_attn.q_proj.bias", "lm_head.weight"},
    "qwen3-vl": {"model.visual.deepstack_merger_list.0.norm.weight", "model.language_model.norm.weight"},
}


@pytest.mark.parametrize("name", PUBLISHED_NAMES)
def test_a_twin_is_saved_under_the_published_names(twin_folder, name):
    assert set(load_file(twin_folder(name) / "model.safetensors")) >= PUBLISHED_NAMES[name]


def trouble(folder, name):
    """The line that loading gives, which ends the program with the code for a broken environment."""
    family = family_named(name)
    with pytest.raises(EnvironmentProblem) as caught:
        family.load(str(folder), dtype=torch.float32, device="cpu")
    assert caught.value.exit_code == ExitCode.ENVIRONMENT
    return str(caught.value)


@every_family
def test_weights_that_are_not_those_of_the_configuration(copy, name):
    weights = copy(name) / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-100])
    assert "model.safetensors has " in trouble(weights.parent, name)
    weights.write_bytes(whole)
    tensors = {key: tensor.clone() for key, tensor in load_file(weights).items()}
    layer = next(key for key in sorted(tensors) if "layers.1." in key or "blocks.1." in key)
    words = next(key for key in sorted(tensors) if key.endswith("embed_tokens.weight"))
    changes = {
        "1 missing weights": {key: tensor for key, tensor in tensors.items() if key != layer},
        "mismatched weights": tensors | {words: tensors[words][:, :-8].contiguous()},
        "unexpected weights": tensors | {"model.layers.99.oddity.weight": torch.zeros(4)},
    }
    for said, changed in changes.items():
        save_file(changed, weights, {"format": "pt"})
        assert said in trouble(weights.parent, name)


def test_a_parameter_that_no_forward_reads_may_be_missing(copy):
    """HunyuanOCR 1.5 comes without `image_sep`, which transformers' class declares and never reads."""
    folder = copy("hunyuan-ocr")
    family = family_named("hunyuan-ocr")
    weights = load_file(folder / "model.safetensors")
    [unread] = [name for name in weights if name.endswith("image_sep")]
    del weights[unread]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    family.load(str(folder), dtype=torch.float32, device="cpu")
    weights.pop(next(name for name in weights if name.endswith("image_newline")))
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert "1 missing weights, first " in trouble(folder, "hunyuan-ocr")


@pytest.mark.parametrize("name", ["dots.ocr", "qwen2.5-vl"])
def test_a_configuration_of_a_much_larger_model(copy, name):
    """It takes no memory to find out."""
    folder = copy(name)
    kind = json.loads((folder / "config.json").read_text())["model_type"]
    (folder / "config.json").write_text(json.dumps({"model_type": kind}))
    assert "parameters where its config.json asks for" in trouble(folder, name)


@pytest.mark.parametrize("file", ["tokenizer.json", "preprocessor_config.json"])
@pytest.mark.parametrize("text", [None, "{", "[1]"])
def test_processor_files_that_cannot_be_read(copy, file, text):
    folder = copy("qwen3-vl")
    (folder / file).unlink()
    if text is not None:
        (folder / file).write_text(text)
    with pytest.raises(EnvironmentProblem, match=file):
        family_named("qwen3-vl").processor(str(folder))


@pytest.mark.parametrize(
    ("said", "trouble"),
    [
        (None, "no preprocessor_config.json: use a whole copy"),
        ({}, "preprocessor_config.json is empty: use a whole copy"),
        ({"merge_size": 2}, "preprocessor_config.json has no patch_size where config.json says 16: use a whole copy"),
        ({"patch_size": 16, "merge_size": 4}, "has merge_size 4 where config.json says 2: use a whole copy"),
    ],
)
def test_pictures_cut_otherwise_than_the_model_reads_them(copy, said, trouble):
    """transformers would fill in what another model needs, and the first page would fail."""
    folder = copy("qwen3-vl")
    (folder / "preprocessor_config.json").unlink()
    if said is not None:
        (folder / "preprocessor_config.json").write_text(json.dumps(said))
    with pytest.raises(EnvironmentProblem, match=f"{trouble}$"):
        family_named("qwen3-vl").processor(str(folder))


@pytest.mark.parametrize("file", ["tokenizer.json", "preprocessor_config.json", "model.safetensors"])
def test_only_what_was_pulled_can_be_pulled_again(twin_folder, tmp_path, file):
    family = family_named("qwen3-vl")
    pulled = tmp_path / "models--Qwen--Qwen3-VL-8B-Instruct" / "snapshots" / ("a" * 40)
    for folder, advice in (
        (pulled, "fetch it again with `docparse models pull qwen3-vl`"),
        (tmp_path / "mine", "use a whole copy"),
    ):
        shutil.copytree(twin_folder("qwen3-vl"), folder)
        (folder / file).write_bytes(b"[1]")
        with pytest.raises(EnvironmentProblem, match=f"{file} .*: {advice}$"):
            family.load(str(folder), dtype=torch.float32, device="cpu")
            family.processor(str(folder))


@pytest.mark.parametrize(
    ("folder", "kind", "architecture", "name"),
    [
        ("hub/models--Qwen--Qwen3-VL-2B-Instruct/snapshots/89644892", "qwen3_vl", "", "qwen3-vl-2b"),
        ("hub/models--Qwen--Qwen3-VL-8B-Instruct/snapshots/0c351dd0", "qwen3_vl", "", "qwen3-vl"),
        ("my-finetune", "qwen3_vl", "", "qwen3-vl"),
        ("models/olmOCR-2-7B-1025", "qwen2_5_vl", "", "olmocr"),
        ("models/weights", "qwen2_5_vl", "", "qwen2.5-vl"),
        ("hub/models--PaddlePaddle--PaddleOCR-VL/snapshots/7fa00a8c", "paddleocr_vl", "", "paddleocr-vl"),
        ("hub/models--PaddlePaddle--PaddleOCR-VL-1.5/snapshots/0", "paddleocr_vl", "", "paddleocr-vl-1.5"),
        ("models/PaddleOCR-VL-1.6", "paddleocr_vl", "", "paddleocr-vl-1.6"),
        ("models/chandra-ocr-2", "qwen3_5", "", "chandra-ocr-2"),
        ("models/ovisocr2", "qwen3_5", "", "ovisocr2"),
        ("models/surya-ocr-2", "qwen3_5", "", "surya-ocr-2"),
        ("weights", "deepseek_vl_v2", "DeepseekOCRForCausalLM", "deepseek-ocr"),
        ("weights", "deepseek_vl_v2", "DeepseekOCR2ForCausalLM", "deepseek-ocr-2"),
        ("weights", "unlimited-ocr", "UnlimitedOCRForCausalLM", "unlimited-ocr"),
        ("weights", "unlimited_ocr", "UnlimitedOcrForConditionalGeneration", "unlimited-ocr"),
        ("weights", "deepseek_ocr2", "DeepseekOcr2ForConditionalGeneration", "deepseek-ocr-2"),
    ],
)
def test_families_of_one_kind_are_told_apart_by_the_path_or_by_architecture(tmp_path, folder, kind, architecture, name):
    (tmp_path / folder).mkdir(parents=True)
    config = {"model_type": kind} | ({"architectures": [architecture]} if architecture else {})
    (tmp_path / folder / "config.json").write_text(json.dumps(config))
    assert family_of_folder(str(tmp_path / folder)).card.name == name
