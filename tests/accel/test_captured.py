"""Passes with methods that select or evict are captured, and replayed for other steps, trees and pages."""

from dataclasses import replace

import pytest
from greedy import generate
from recorded import recorded
from stub_methods import Trees

from docparse.accel.fastocr import FastOcr
from docparse.accel.h2o import H2o
from docparse.accel.streamingllm import StreamingLlm
from docparse.accel.vlcache import VlCache
from docparse.engine.graphs import NODES
from docparse.engine.hooks import RowMethods
from docparse.engine.lean import Lean
from docparse.vlm.row import Limits

COUNT = 24
LIMITS = Limits(COUNT, guard=None, ignore_end=True)
FIFTH = FastOcr(keep=0.2, focal=0.5, warmup=3)
WAYS = {
    "plain": FIFTH,
    "paper": replace(FIFTH, mode="paper"),
    "by the prefill": replace(FIFTH, warmup=0),
    "anew": replace(FIFTH, reuse=False),
}
WITHOUT_WINDOW = pytest.mark.families(but=("unlimited-ocr",))


def by_fastocr(page, method, text, proposer=None):
    """What `text` writes of the page, which this way of FastOCR selects from."""
    selector = method.selector(page.prompt, page.vlm.text.layers)
    return generate(text, [page.prompt], [proposer], LIMITS, readers=[RowMethods(selector=selector)])


def same(outs, others):
    """The tokens, the trees, and what every layer read."""
    assert [out.tokens for out in outs] == [out.tokens for out in others]
    for out, other in zip(outs, others, strict=True):
        assert [step[:3] + step[4:] for step in out.steps] == [step[:3] + step[4:] for step in other.steps]


@WITHOUT_WINDOW
def test_fastocr_is_captured_in_its_warm_up_and_after_it(asked, monkeypatch, name):
    page = asked(name)
    model, recorder = recorded(page.vlm.text, monkeypatch)
    same(by_fastocr(page, FIFTH, model), by_fastocr(page, FIFTH, page.vlm.text))
    assert recorder.made == (2 if isinstance(model.lean, Lean) else 0)


@pytest.mark.parametrize("way", WAYS)
def test_whatever_its_options_and_trees(asked, monkeypatch, way):
    page, method = asked("qwen3-vl"), WAYS[way]
    model, recorder = recorded(page.vlm.text, monkeypatch)
    written = by_fastocr(page, method, page.vlm.text)[0].tokens
    for seed in range(3):
        same(*(by_fastocr(page, method, text, Trees(written, seed)) for text in (model, page.vlm.text)))
    assert 0 < recorder.made <= 3 * len(NODES)


def test_rows_that_join_and_leave_with_methods_of_their_own(asked, monkeypatch):
    pages = [asked("qwen3-vl", number) for number in range(4)]
    text = pages[0].vlm.text
    model, recorder = recorded(text, monkeypatch)
    limits = [Limits(count, guard=None, ignore_end=True) for count in (COUNT, 12, COUNT, 16)]

    def read(each):
        prompts = [page.prompt for page in pages]
        readers = [
            RowMethods(selector=FIFTH.selector(prompts[0], text.layers)),
            RowMethods(),
            RowMethods(VlCache(budget=0.5).compressor(prompts[2]), FIFTH.selector(prompts[2], text.layers)),
            RowMethods(StreamingLlm(budget=0.5).compressor(prompts[3])),
        ]
        return generate(each, prompts, None, limits, readers=readers)

    for _ in range(2):
        same(read(model), read(text))
    assert recorder.made


def test_who_only_evicts_is_captured_who_looks_at_all_attention_is_not(asked, monkeypatch):
    page = asked("qwen3-vl")
    model, recorder = recorded(page.vlm.text, monkeypatch)
    for method, captures in ((StreamingLlm(budget=0.5), 1), (H2o(budget=0.5), 1)):
        outs = [
            generate(each, [page.prompt], None, LIMITS, readers=[RowMethods(method.compressor(page.prompt))])
            for each in (model, page.vlm.text)
        ]
        same(outs[0], outs[1])
        assert recorder.made == captures
