"""LLaVA's canvases: as many tokens as the model makes, and where they are."""

from functools import partial
from types import SimpleNamespace

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from docparse.models.registry import family_named
from docparse.models.tile_views import LlavaProcessor
from docparse.vlm.random_weights import train_tokenizer

sides = st.integers(1, 5000)


def full_size(name, cells, most=0):
    """The processor of the published sizes, without weights."""
    family = family_named(name)
    images = SimpleNamespace(image_grid_pinpoints=family.preprocessing()["image_grid_pinpoints"])
    tokenizer = train_tokenizer(family.special_tokens, family.end_token)
    return LlavaProcessor(tokenizer, family.chat, family.image_token, images, cells=cells, most=most)


THINNED = {"num_image_tokens": 27 * 27, "vision_aspect_ratio": "anyres_max_9"}
NEXT, ONEVISION = full_size("llava-next", 24), full_size("llava-onevision", 27, most=9)


@pytest.mark.parametrize(
    ("ours", "theirs", "side", "options"),
    [
        (NEXT, transformers.LlavaNextProcessor, 336, {"patch_size": 14, "num_additional_image_tokens": 0}),
        (ONEVISION, transformers.LlavaOnevisionProcessor, 384, THINNED),
    ],
)
@given(height=sides, width=sides)
def test_there_are_as_many_tokens_as_transformers_counts(ours, theirs, side, options, height, width):
    counts = SimpleNamespace(image_processor=ours.images, **options)
    counts._get_unpadded_features = partial(theirs._get_unpadded_features, counts)
    expected = theirs._get_number_of_features(counts, height, width, side, side)
    assert len(ours.layout((height, width), side)[0]) == expected


@given(height=st.integers(50, 4000), width=st.integers(50, 4000))
def test_rows_end_with_a_break_and_go_across_the_page(height, width):
    boxes, _, _ = ONEVISION.layout((height, width), 384)
    tiles = boxes[27 * 27 :]
    breaks = tiles.isnan().all(dim=1).nonzero()[:, 0]
    columns = int(breaks[0])
    rows = tiles.reshape(-1, columns + 1, 4)
    assert rows[:, columns].isnan().all() and not rows[:, :columns].isnan().any()
    across = rows[0, :columns]
    assert torch.equal(across[1:, 0], across[:-1, 2])
    lost = 0.5 / columns + 0.01  # the model drops up to half a token at either edge of the page
    assert across[0, 0] <= lost and across[-1, 2] >= 1 - lost


@pytest.mark.parametrize(
    ("page", "size", "tokens"),
    [((1754, 1240), (1358, 1920), 96 * (68 + 1)), ((384, 384), (384, 384), 27 * (27 + 1))],
    ids=["A4, thinned to nine tiles", "as large as a tile"],
)
def test_the_size_and_the_tokens_of_a_page(page, size, tokens):
    boxes, *found = ONEVISION.layout(page, 384)
    assert (tuple(found), len(boxes)) == (size, 27 * 27 + tokens)
    if page == (384, 384):  # which is seen twice
        tiles = boxes[27 * 27 :]
        assert torch.allclose(tiles[~tiles.isnan().any(dim=1)], boxes[: 27 * 27])
