"""A family's own logits processors on its twin, against transformers' generation and from prompt to answer."""

import pytest
import torch
from greedy import generate

from docparse.logits import NoRepeatNGrams, RepetitionPenalty
from docparse.models.registry import family_named
from docparse.vlm.row import Limits

LIMITS = Limits(48, guard=None, ignore_end=True)
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
def test_what_the_authors_do_to_logits_is_what_the_engine_does(name, published, twin):
    assert family_named(name).logits == published
    assert [type(rule) for rule in twin(name).text.processors] == [type(rule) for rule in published]


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
