"""Prompts and towers of our own against transformers' processors and against their definition."""

import pytest
import torch
from PIL import Image

from docparse.models.registry import family_named


@pytest.mark.parametrize(
    ("name", "processor", "tokens"),
    [
        (
            "hunyuan-ocr",
            "HunYuanVLProcessor",
            {
                "image_token": "<｜hy_place▁holder▁no▁102｜>",
                "image_start_token": "<｜hy_place▁holder▁no▁100｜>",
                "image_end_token": "<｜hy_place▁holder▁no▁101｜>",
            },
        ),
        ("paddleocr-vl", "PaddleOCRVLProcessor", {"image_token": "<|IMAGE_PLACEHOLDER|>"}),
    ],
)
def test_inputs_are_those_of_the_published_processor(twin_folder, noise, name, processor, tokens):
    """The families whose processor class needs neither torchvision nor a video processor."""
    import transformers

    family = family_named(name)
    ours = family.processor(str(twin_folder(name)))
    for kind, token in tokens.items():
        setattr(ours.tokenizer, kind, token)
        setattr(ours.tokenizer, f"{kind}_id", ours.tokenizer.convert_tokens_to_ids(token))
    theirs = getattr(transformers, processor)(image_processor=ours.images, tokenizer=ours.tokenizer)
    picture = noise(300, 170)
    text = ours.chat.replace("{image}", tokens["image_token"]).replace("{instruction}", "Read this.")
    expected = theirs(images=[Image.fromarray(picture)], text=[text], return_tensors="pt")
    inputs = ours.encode(picture, "Read this.").inputs
    for key in ("input_ids", "pixel_values", "image_grid_thw", "mm_token_type_ids"):
        assert torch.equal(inputs[key], expected[key]), key


def test_the_vision_tower_of_dots_turns_each_patch_by_its_row_and_column():
    """Patches come in blocks of 2 x 2, the blocks row by row."""
    from docparse.models.dots_model import DEFAULTS, VisionTower

    tower = VisionTower(DEFAULTS | {"embed_dim": 32, "num_attention_heads": 2, "num_hidden_layers": 0})
    rows, columns = 4, 6
    cosines, sines = tower.rotation(torch.tensor([[1, rows, columns]]))
    order = [
        (2 * r + i, 2 * c + j)
        for r in range(rows // 2)
        for c in range(columns // 2)
        for i in range(2)
        for j in range(2)
    ]
    frequencies = torch.tensor([10_000 ** (-k / 4) for k in range(4)])
    for patch, (row, column) in enumerate(order):
        angles = torch.cat([row * frequencies, column * frequencies]).repeat(2)
        torch.testing.assert_close(cosines[patch], angles.cos())
        torch.testing.assert_close(sines[patch], angles.sin())


def test_pictures_of_one_batch_do_not_see_each_other_in_the_tower_of_dots(twin, noise):
    vlm = twin("dots.ocr")
    first, second = (vlm.encode(noise(100, 140, seed), "Read.").inputs for seed in (1, 2))
    tower = vlm.model.vision_tower
    pixels = [each["pixel_values"].double() for each in (first, second)]
    grids = [each["image_grid_thw"] for each in (first, second)]
    with torch.no_grad():
        together = tower(torch.cat(pixels), torch.cat(grids))
        apart = torch.cat([tower(*each) for each in zip(pixels, grids, strict=True)])
    torch.testing.assert_close(together, apart)
