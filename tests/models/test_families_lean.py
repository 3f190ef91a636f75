"""Every family whose decoder is Llama-shaped decodes lean, and its logits are those of transformers' own modules."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from docparse.engine.lean import Lean
from docparse.engine.session import DecodeSession
from docparse.engine.tree import Candidate, Tree
from docparse.engine.weights import Unfit

OF_EXPERTS = {"deepseek-ocr", "deepseek-ocr-2", "unlimited-ocr"}
HYBRID = {"chandra-ocr-2", "ovisocr2", "surya-ocr-2"}  # with layers of linear attention, computed in float32


@torch.no_grad()
def by_modules(vlm: Any, prompt: Any, words: Sequence[int]) -> Tensor:
    """Logits `[1 + T, V]` after the prompt and after each of `words`, with transformers' attention and cache."""
    from transformers import DynamicCache

    past, decoder = DynamicCache(config=vlm.text.config), vlm.text.decoder
    extra: dict[str, Any] = {}
    if prompt.deepstack:
        extra = {"visual_pos_masks": prompt.visual[None], "deepstack_visual_embeds": list(prompt.deepstack)}

    def logits(embeds: Tensor, positions: Tensor, **more: Any) -> Tensor:
        positions = positions if len(positions) > 1 else positions[0]
        out = decoder(inputs_embeds=embeds, position_ids=positions, past_key_values=past, use_cache=True, **more)
        return vlm.text.head(out.last_hidden_state[0, -1])

    rows = [logits(prompt.embeds[None], prompt.positions[:, None], **extra)]
    for i, word in enumerate(words):
        position = (prompt.next_position + i)[:, None, None]
        rows.append(logits(vlm.text.embed(torch.tensor([[word]])), position))
    return torch.stack(rows)


@pytest.mark.families
def test_prefill_and_trees_in_a_batch_answer_as_the_modules_do(twin, noise, name):
    vlm = twin(name)
    assert isinstance(vlm.text.lean, Unfit if name in OF_EXPERTS | HYBRID else Lean)
    prompts = [vlm.prompt(vlm.encode(noise(*size), "Read this.")) for size in ((90, 60), (140, 120))]
    session = DecodeSession(vlm.text)
    first = session.prefill(prompts)
    trees = [Tree.grow(9, [Candidate([30, 41, 22], "a"), Candidate([30, 7], "b")], 8), Tree.grow(11, [], 8)]
    logits = session.feed(trees)
    atol = 1e-3 if name in HYBRID else 5e-6
    for row, (prompt, tree) in enumerate(zip(prompts, trees, strict=True)):
        for node in range(len(tree)):
            path = [node]
            while tree.parents[path[0]] >= 0:
                path.insert(0, tree.parents[path[0]])
            expected = by_modules(vlm, prompt, [tree.tokens[each] for each in path])
            torch.testing.assert_close(first[row], expected[0], atol=atol, rtol=0)
            torch.testing.assert_close(logits[row][node], expected[-1], atol=atol, rtol=0)
