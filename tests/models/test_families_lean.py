"""Every family whose decoder is Llama-shaped decodes lean, and its logits are those of transformers' own modules."""

import pytest
import torch
from drafted import tokens_to
from module_decoding import sequential

from docparse.engine.lean import Lean
from docparse.engine.session import DecodeSession
from docparse.engine.tree import Candidate, Tree
from docparse.engine.weights import Unfit

OF_EXPERTS = {"deepseek-ocr", "deepseek-ocr-2", "unlimited-ocr"}
HYBRID = {"chandra-ocr-2", "ovisocr2", "surya-ocr-2"}  # with layers of linear attention, computed in float32


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
            expected, _ = sequential(vlm.text, prompt, [tree.tokens[0], *tokens_to(tree, node)])
            torch.testing.assert_close(first[row], expected[0], atol=atol, rtol=0)
            torch.testing.assert_close(logits[row][node], expected[-1], atol=atol, rtol=0)
