"""Pictures that go through the vision tower together become the prompts that they become alone."""

from __future__ import annotations

import pytest
import torch

from docparse.vlm.capture import device_inputs, side_by_side

APART = {"deepseek-ocr", "deepseek-ocr-2", "unlimited-ocr"}  # of which pictures come as lists


@pytest.mark.families
def test_prompts_of_a_batch_are_those_of_each_picture(twin, noise, name):
    vlm = twin(name)
    encoded = [vlm.encode(noise(*size), words) for size, words in (((90, 60), "Read."), ((140, 120), "Read this now."))]
    for each, alone in zip(vlm.prompts(encoded), map(vlm.prompt, encoded), strict=True):
        torch.testing.assert_close(each.embeds, alone.embeds, atol=1e-9, rtol=0)
        for features, own in zip(each.deepstack, alone.deepstack, strict=True):
            torch.testing.assert_close(features, own, atol=1e-9, rtol=0)
        assert torch.equal(each.positions, alone.positions)
        assert torch.equal(each.next_position, alone.next_position)
        assert torch.equal(each.ids, alone.ids)


@pytest.mark.families
def test_pictures_of_one_size_go_together(twin, noise, name):
    vlm = twin(name)
    inputs = [device_inputs(vlm.encode(noise(90, 60, seed), "Read.").inputs, vlm.model) for seed in (0, 1)]
    assert (side_by_side(inputs) is None) == (name in APART)
