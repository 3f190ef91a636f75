"""Pruning over every family's twin: what stays is what the model reads, what goes is gone, and nothing else changes."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from module_decoding import module_logits, picture_inputs

from docparse.accel.cdpruner import CdPruner
from docparse.accel.divprune import DivPrune
from docparse.accel.pruning import pruned
from docparse.accel.random_prune import RandomPrune
from docparse.accel.rtprune import RtPrune
from docparse.accel.stack import Stack
from docparse.accel.visionzip_like import VisionZipLike
from docparse.engine.session import DecodeSession
from docparse.layout.reader import Stopwatch
from docparse.types import Box
from docparse.vlm.decoding import BatchDecoder
from docparse.vlm.engine import VlmEngine
from docparse.vlm.requests import VlmRequest
from docparse.vlm.row import Limits

NEUTRAL = (RtPrune(ratio=0.0), VisionZipLike(keep=1.0), DivPrune(keep=1.0), CdPruner(keep=1.0), RandomPrune(keep=1.0))
THREE_QUARTERS = (RtPrune(ratio=0.25), VisionZipLike(), DivPrune(), CdPruner(), RandomPrune())
LIMITS = Limits(24, guard=None, ignore_end=True)

every_family = pytest.mark.families


def by_name(methods):
    return pytest.mark.parametrize("method", methods, ids=lambda method: method.name)


def tensors(prompt):
    names = ("ids", "embeds", "positions", "next_position", "visual", "structural", "boxes")
    return {name: getattr(prompt, name) for name in names} | dict(enumerate(prompt.deepstack))


def numbered(prompt):
    """The prompt with each token's place for its id, so that what is left of it says which tokens that is."""
    return replace(prompt, ids=torch.arange(len(prompt)))


@every_family
@by_name(NEUTRAL)
def test_neutral_settings_change_nothing_bit_for_bit(asked, name, method):
    page = asked(name)
    left, views = pruned(page.prompt, method, page.views)
    for field, tensor in tensors(page.prompt).items():
        same = tensors(left)[field]
        assert (same.dtype, same.shape) == (tensor.dtype, tensor.shape)
        assert same.numpy().tobytes() == tensor.numpy().tobytes(), field
    assert sum(view.total for view in views) == int((~page.prompt.structural).sum())
    assert all(view.kept == view.total for view in views)


@every_family
@by_name(THREE_QUARTERS)
def test_a_budget_is_kept_view_by_view_and_nothing_else_is_removed(asked, name, method):
    page = asked(name)
    prompt = numbered(page.prompt)
    left, views = pruned(prompt, method, page.views)
    stays = torch.zeros(len(prompt), dtype=torch.bool).index_fill(0, left.ids, True)
    assert stays[~prompt.visual].all()
    of_visual, begin = stays[prompt.visual], 0
    assert of_visual[prompt.structural].all()
    for (count, _), view in zip(page.views, views, strict=True):
        free = ~prompt.structural[begin : begin + count]
        assert view.total == int(free.sum()) and view.kept == int(of_visual[begin : begin + count][free].sum())
        assert view.kept == view.total - view.total // 4 if method.name == "rtprune" else round(0.75 * view.total)
        begin += count
    assert begin == prompt.visual_tokens and left.visual_tokens < begin
    assert torch.equal(left.positions, prompt.positions[:, left.ids])
    assert torch.equal(left.next_position, prompt.next_position)
    assert torch.equal(left.visual, prompt.visual[left.ids])
    assert torch.equal(left.boxes.nan_to_num(-1), prompt.boxes[of_visual].nan_to_num(-1))
    assert torch.equal(left.embeds[~left.visual], prompt.embeds[~prompt.visual])
    assert torch.equal(left.embeds[left.visual][left.structural], prompt.embeds[prompt.visual][prompt.structural])
    assert [torch.equal(a, b[of_visual]) for a, b in zip(left.deepstack, prompt.deepstack, strict=True)] == (
        [True] * len(prompt.deepstack)
    )


def masked_logits(vlm, prompt, left, tokens):
    """Logits after `tokens`, of transformers' own forward over the whole prompt, where removed tokens are hidden; over
    what is left where layers of linear attention cannot hide any."""
    written = vlm.text.embed(torch.tensor(tokens, dtype=torch.long))
    steps = torch.arange(len(tokens))
    if vlm.text.recurrent:
        positions = torch.cat([left.positions, prompt.next_position[:, None] + steps], dim=1)
        return module_logits(vlm.text, torch.cat([left.embeds, written]), positions)[-1]
    embeds = torch.cat([prompt.embeds.index_copy(0, left.ids, left.embeds), written])
    positions = torch.cat([prompt.positions, prompt.next_position[:, None] + steps], dim=1)
    hidden = torch.ones(len(embeds), dtype=torch.bool).index_fill(0, torch.cat([left.ids, len(prompt) + steps]), False)
    seen = torch.ones(len(embeds), len(embeds), dtype=torch.bool).tril() & ~hidden | torch.eye(len(embeds)).bool()
    mask = torch.zeros_like(seen, dtype=embeds.dtype).masked_fill(~seen, -1e30)[None, None]
    visual = torch.cat([prompt.visual, torch.zeros(len(tokens), dtype=torch.bool)])
    extra = picture_inputs(replace(prompt, visual=visual))
    return module_logits(vlm.text, embeds, positions, attention_mask=mask, **extra)[-1]


@every_family
@by_name((RtPrune(ratio=0.25), RandomPrune(keep=0.5)))
def test_what_is_removed_is_as_if_hidden_and_decoding_goes_on_where_it_would_have(asked, name, method):
    page = asked(name)
    prompt = numbered(page.prompt)
    left, _ = pruned(prompt, method, page.views)
    [logits] = DecodeSession(page.vlm.text).prefill([left]).every
    # linear attention computes in float32, whatever is asked
    rounding = 2e-5 * float(logits.abs().max()) if page.vlm.text.recurrent else 4e-6
    assert torch.allclose(logits, masked_logits(page.vlm, prompt, left, []), atol=rounding)
    written = replace(page, prompt=left).read(8)
    for count in (1, 7):
        answer = masked_logits(page.vlm, prompt, left, written.tokens[:count])
        assert int(answer.argmax()) == written.tokens[count]


def test_pruning_makes_no_room_for_positions_that_the_model_does_not_have(asked, monkeypatch):
    page = asked("deepseek-ocr")
    monkeypatch.setattr(page.vlm.text.config, "max_position_embeddings", len(page.prompt) + 5)
    family = page.vlm.family
    pixels, box = page.views[0][1].pixels, Box(0, 0, 150, 220)
    request = VlmRequest(pixels, box, family.page_instruction, family.dialect, lambda frame: (), 400, Stopwatch())
    decoding = BatchDecoder(VlmEngine(page.vlm, Stack((RandomPrune(keep=0.2),)), limits=LIMITS), 1)
    decoding.submit([request])
    [(_, answer)] = next(filter(None, iter(decoding.advance, None)))
    assert len(answer.generation.tokens) == 5


@pytest.mark.parametrize("name", ["deepseek-ocr", "internvl"])
def test_tiles_and_the_whole_page_are_views_of_their_own(asked, name):
    page = asked(name)
    _, views = pruned(page.prompt, RtPrune(), page.views)
    assert len(views) == 2
    assert views[0].figures != views[1].figures
    for (_, picture), view in zip(page.views, views, strict=True):
        assert 0 < picture.width <= page.encoded.width and 0 < picture.height <= page.encoded.height
        assert view.kept == view.total - int(view.figures["ratio"] * view.total + 1e-9)


def test_a_view_of_structural_tokens_alone_is_left_alone(asked):
    page = asked("llava-next")
    prompt = replace(page.prompt, structural=torch.ones_like(page.prompt.structural))
    left, views = pruned(prompt, RtPrune(ratio=0.5), page.views)
    assert views == () and len(left) == len(prompt)
    np.testing.assert_array_equal(left.embeds, prompt.embeds)
