"""A family's own logits processors on its twin, against transformers' generation and from prompt to answer."""

from typing import Any

import pytest
import torch

from docparse.engine.batch import generate
from docparse.engine.row import Limits
from docparse.engine.tree import Candidate, Tree
from docparse.logits import NoRepeatNGrams, RepetitionPenalty
from docparse.models.registry import family_named

LIMITS = Limits(48, guard=False, ignore_end=True)
CELLS = (("<td>", 128821), ("</td>", 128822))


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("hunyuan-ocr", (RepetitionPenalty(1.08),)),
        ("glm-ocr", (RepetitionPenalty(1.1, window=64),)),
        ("deepseek-ocr", (NoRepeatNGrams(30, 90, CELLS),)),
        ("deepseek-ocr-2", (NoRepeatNGrams(20, 50, CELLS),)),
        ("unlimited-ocr", (NoRepeatNGrams(35, 128),)),
        ("dots.ocr", ()),
        ("paddleocr-vl", ()),
    ],
)
def test_what_the_authors_do_to_logits(name, published):
    family = family_named(name)
    assert family is not None and family.logits == published


@pytest.mark.parametrize("name", ["hunyuan-ocr", "qwen3-vl"])
@torch.no_grad()
def test_a_repetition_penalty_is_that_of_transformers_own_generate(twin, noise, name):
    """Over the whole prompt, placeholders of the picture included."""
    vlm = twin(name)
    encoded = vlm.encode(noise(120, 90), "Read this.")
    options = {"do_sample": False, "max_new_tokens": 48, "eos_token_id": None, "pad_token_id": 0}
    length = encoded.inputs["input_ids"].shape[1]
    expected = vlm.model.generate(**encoded.inputs, **options, repetition_penalty=1.3)[0, length:]
    (out,) = generate(vlm.text, [vlm.prompt(encoded)], limits=LIMITS, processors=[(RepetitionPenalty(1.3),)])
    assert out.tokens == expected.tolist()
    assert generate(vlm.text, [vlm.prompt(encoded)], limits=LIMITS, processors=[()])[0].tokens != out.tokens


class Draft:
    """Proposes an output that is right but for every seventh token."""

    def __init__(self, tokens: list[int]) -> None:
        from docparse.engine.hooks import Acceptance

        self.acceptance = Acceptance()
        self.tokens = [token + (i % 7 == 6) for i, token in enumerate(tokens)]

    def propose(self, tokens: Any) -> Tree:
        return Tree.grow(tokens[-1], [Candidate(self.tokens[len(tokens) :], "draft")], 20)

    def observe(self, verified: Any, seconds: float) -> None: ...


@pytest.mark.parametrize("name", ["hunyuan-ocr", "glm-ocr", "deepseek-ocr", "deepseek-ocr-2"])
def test_a_family_decodes_with_its_own_processors_with_drafts_and_without(twin, noise, name):
    vlm = twin(name)
    assert len(vlm.text.processors) == len(vlm.family.logits) == 1
    prompt = vlm.prompt(vlm.encode(noise(120, 90), vlm.family.page_instruction))
    (plain,) = generate(vlm.text, [prompt], limits=LIMITS)
    (drafted,) = generate(vlm.text, [prompt], [Draft(plain.tokens)], LIMITS)
    assert drafted.tokens == plain.tokens and drafted.accepted > 24
    if isinstance(vlm.family.logits[0], RepetitionPenalty):
        assert plain.tokens != generate(vlm.text, [prompt], limits=LIMITS, processors=[()])[0].tokens
