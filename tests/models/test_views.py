"""Pictures in several views: what the model gets is what transformers' own processors give, boxes say what is where."""

from copy import deepcopy
from importlib import import_module

import numpy as np
import pytest
import torch
import transformers
from PIL import Image

from docparse.models.names import known_family
from docparse.models.registry import family_named
from docparse.models.views import uncovered
from docparse.vlm.capture import device_inputs
from docparse.vlm.loaded import Vlm

SIZES = [(150, 200), (220, 90), (40, 30)]
LIGHTON = dict.fromkeys(("image_token", "image_break_token", "image_end_token"), "<|image_pad|>")
NEXT = {"patch_size": 14, "vision_feature_select_strategy": "default", "num_additional_image_tokens": 1}
HUNYUAN = {
    f"image{part}_token": f"<｜hy_place▁holder▁no▁{n}｜>" for part, n in (("", 102), ("_start", 100), ("_end", 101))
}
OFFICIAL = {  # a class, its options, names of special tokens
    "llava-next": ("LlavaNextProcessor", NEXT, {}),
    "lighton-ocr": ("LightOnOcrProcessor", {"patch_size": 14, "spatial_merge_size": 2}, LIGHTON),
    "granite-docling": ("Idefics3Processor", {"image_seq_len": 1}, {}),  # tokens for a tile of its twin
    "hunyuan-ocr": ("HunYuanVLProcessor", {}, HUNYUAN),
    "paddleocr-vl": ("PaddleOCRVLProcessor", {}, {"image_token": "<|IMAGE_PLACEHOLDER|>"}),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", OFFICIAL)  # those of models for videos want torchvision
def test_the_model_gets_what_transformers_own_processor_gives_it(twin, noise, name, size):
    vlm, (kind, options, tokens) = twin(name), OFFICIAL[name]
    ours, family, picture = vlm.processor, vlm.family, Image.fromarray(noise(*size))
    tokenizer = deepcopy(ours.tokenizer)  # theirs may add a token
    for token, text in tokens.items():
        setattr(tokenizer, token, text)
        setattr(tokenizer, f"{token}_id", tokenizer.convert_tokens_to_ids(text))
    theirs = getattr(transformers, kind)(image_processor=ours.images, tokenizer=tokenizer, **options)
    text = family.chat.replace("{instruction}", "Read this page.").replace("{image}", family.image_token)
    expected = theirs(images=[picture], text=[text], return_tensors="pt")
    inputs = vlm.encode(picture, "Read this page.").inputs
    assert {"input_ids", "pixel_values"} <= inputs.keys() & expected.keys()
    for key in inputs.keys() & expected.keys():
        assert torch.equal(inputs[key], expected[key]), key


@pytest.mark.parametrize("size", [(1240, 1754), (900, 700), (700, 500), (2000, 300)])
def test_deepseek_views_are_those_of_transformers_own_processor(noise, size):
    from docparse.models.deepseek_views import Deepseek2Processor
    from docparse.vlm.random_weights import train_tokenizer

    family = family_named("deepseek-ocr-2")
    tokenizer = train_tokenizer(family.special_tokens, family.end_token)
    ours = Deepseek2Processor(tokenizer, family.chat, family.image_token, mode=family.resolutions[""], patch=16)
    module = import_module("transformers.models.deepseek_ocr2.image_processing_pil_deepseek_ocr2")
    make = transformers.DeepseekOcr2Processor(module.DeepseekOcr2ImageProcessorPil(), tokenizer)
    picture = Image.fromarray(noise(size[0] // 8, size[1] // 8)).resize(size)
    text = family.chat.replace("{instruction}", "Read.").replace("{image}", "<image>")
    theirs = dict(make(images=picture, text=text, return_tensors="pt"))
    inputs = ours.encode(picture, "Read.").inputs
    assert inputs["input_ids"].tolist() == theirs["input_ids"].tolist()
    for pixels in ("pixel_values", "pixel_values_local"):
        assert (pixels in inputs) == (pixels in theirs)
        assert pixels not in inputs or torch.equal(inputs[pixels], theirs[pixels])


# DeepSeek's two convolutions look a little beyond a token's own patches; where its page is padded and few tokens see
# it, that is as much as a token, so those modes are left out.
CUT = ["deepseek-ocr", "deepseek-ocr:small", "lighton-ocr", "internvl", "llava-onevision", "llava-next"]


@pytest.mark.parametrize("name", [*CUT, "granite-docling"])
def test_tokens_answer_to_what_their_boxes_show(twin_folder, noise, name):
    """Of a twin whose vision tower attends to nothing: a token knows only of its own patches."""
    family = known_family(name)
    folder = str(twin_folder(family.card.name))
    model = family.load(folder, dtype=torch.float64, device="cpu")
    outputs = ("attn.proj.", "out_proj.", "projection_layer.", "attention.o_proj.")
    for parameter, values in model.named_parameters():
        if "vision" in parameter and any(output in parameter for output in outputs):
            values.data.zero_()
    vlm = Vlm.of(name, family, model, family.processor(folder))
    width, height = 200, 300
    picture = noise(width, height)
    encoded = vlm.encode(picture, "Read.")
    boxes, before = encoded.boxes, seen(vlm, picture)
    reach = 0.75 * (boxes[:, 2:] - boxes[:, :2])
    for x, y in np.random.default_rng(1).uniform(0.05, 0.95, (12, 2)):
        changed = picture.copy()
        column, row = int(x * width), int(y * height)
        changed[max(0, row - 6) : row + 6, max(0, column - 6) : column + 6] ^= 255
        change = (seen(vlm, changed) - before).norm(dim=1)
        change[encoded.structural] = 0.0
        near = (boxes[:, 0] - reach[:, 0] <= x) & (x <= boxes[:, 2] + reach[:, 0])
        near &= (boxes[:, 1] - reach[:, 1] <= y) & (y <= boxes[:, 3] + reach[:, 1])
        assert near[change.argmax()]


def seen(vlm, picture):
    prompt = vlm.prompt(vlm.encode(picture, "Read."))
    return prompt.embeds[prompt.visual]


@pytest.mark.parametrize("name", ["deepseek-ocr", "llava-onevision", "llava-next"])
def test_structural_tokens_are_the_same_whatever_is_on_the_page(twin, noise, name):
    vlm = twin(name)
    encoded = vlm.encode(noise(150, 200), "Read.")
    first, second = (seen(vlm, noise(150, 200, seed)) for seed in (1, 2))
    same = torch.isclose(first, second, atol=1e-12).all(dim=1)
    assert torch.equal(same, encoded.structural)
    assert device_inputs(encoded.inputs, vlm.model)["pixel_values"].dtype == torch.float64


def test_a_box_beside_the_picture_has_no_area():
    boxes = torch.tensor([[0.0, 0.0, 0.25, 1.0], [0.25, 0.0, 0.75, 1.0], [torch.nan] * 4])
    found = uncovered(boxes, 0.25, 0.0, 0.75, 1.0)
    assert found[:2].tolist() == [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]
    assert found[2].isnan().all()
