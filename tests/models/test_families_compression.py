"""Methods that evict rows of the cache, over every family: neutral at a full budget, kept budgets, nothing leaks."""

from functools import cache
from statistics import mean

import pytest
from greedy import generate

from docparse.accel.stack import parse_stack
from docparse.engine.hooks import RowMethods
from docparse.engine.row import Limits
from docparse.layout.reader import Stopwatch
from docparse.settings import Settings
from docparse.types import Box
from docparse.vlm.decoding import BatchDecoder
from docparse.vlm.engine import VlmEngine
from docparse.vlm.requests import VlmRequest

EVICTING = ("vlcache", "aircache", "streamingllm", "h2o", "snapkv", "pyramidkv")
LIMITS = Limits(max_tokens=12, guard=None, ignore_end=True)
every_family = pytest.mark.families


@pytest.fixture(scope="module")
def pages(twin, noise):
    """`pages(name)` -> a family's twin and the prompts of two pages of different sizes."""

    @cache
    def make(name):
        vlm = twin(name)
        pictures = noise(200, 260, 1), noise(300, 180, 2)
        return vlm, [vlm.prompt(vlm.encode(each, "Read this page in its order.")) for each in pictures]

    return make


def read(vlm, prompts, stack):
    """Outputs under a stack."""
    method = parse_stack(stack).compressing
    readers = [RowMethods(method.compressor(prompt)) for prompt in prompts] if method else []
    return generate(vlm.text, prompts, None, LIMITS, readers=readers)


def tokens(outputs):
    return [output.tokens for output in outputs]


@every_family
def test_a_full_budget_changes_nothing(pages, name):
    """Though the rows of every layer were chosen and moved: the log has them."""
    vlm, prompts = pages(name)
    plain = read(vlm, prompts, "none")
    assert {step.read for output in plain for step in output.steps} == {()}
    for method in EVICTING:
        outputs = read(vlm, prompts, f"{method}:budget=1")
        assert tokens(outputs) == tokens(plain), method
        for output, prompt in zip(outputs, prompts, strict=True):
            assert [step.read for step in output.steps] == [(len(prompt) + i,) * vlm.text.layers for i in range(11)]


def test_the_setting_reaches_the_cache(twin_folder, noise):
    settings = Settings(model=str(twin_folder("qwen3-vl")), accel="vlcache:budget=0.1", device="cpu", dtype="float32")
    engine = VlmEngine.load(settings)
    dialect, instruction = engine.family.dialect, engine.family.page_instruction
    box = Box(0, 0, 300, 400)
    request = VlmRequest(noise(300, 400), box, instruction, dialect, lambda frame: (), 6, Stopwatch())
    decoding = BatchDecoder(engine, 1)
    decoding.submit([request])
    [(_, answer)] = next(filter(None, iter(decoding.advance, None)))
    first = answer.generation.steps[0].read
    assert abs(mean(first) - 0.1 * answer.generation.prompt_tokens) <= 1
