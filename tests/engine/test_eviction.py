"""Methods that evict rows: what is gone counts for nothing and takes no memory; selection is tested with FastOCR."""

import pytest
import torch
from greedy import generate
from stub_methods import Keeps, Oracle, chain

from docparse.engine.hooks import RowMethods
from docparse.engine.session import DecodeSession
from docparse.vlm.row import Limits

LIMITS = Limits(max_tokens=24, guard=None, ignore_end=True)


def test_what_was_evicted_counts_for_nothing(toy):
    """transformers' own attention over the same rows, of which every layer has others, answers the same."""
    prompt, words = toy.prompt(14), [3, 9, 27, 5]
    kept = [torch.tensor(rows) for rows in ([0, 2, 3, 7, 9, 13], [1, 4, 5, 6, 10, 12])]
    session = DecodeSession(toy.text)
    session.prefill([prompt], [RowMethods(Keeps(kept))])
    logits = session.feed([chain(words)])[0]
    _, past = toy.sequential(prompt, [])
    for layer, rows in zip([each for each in past.layers if hasattr(each, "keys")], kept, strict=True):
        before = "prefill_" if toy.kind == "windowed" else ""
        for name in (f"{before}keys", f"{before}values"):
            setattr(layer, name, getattr(layer, name)[:, :, rows])
        layer.prefill_length = layer.prefill_cumulative_length = len(rows)  # of the windowed one
    for i, word in enumerate(words):
        torch.testing.assert_close(logits[i], toy.after(prompt, i, word, past), atol=toy.rounding, rtol=0)


def test_a_compressor_sees_the_prompts_queries_and_keys_and_heads_keep_rows_of_their_own(toys):
    toy, rows = toys("plain"), torch.tensor([[0, 3, 7], [1, 3, 9]])
    compressor = Keeps([rows, torch.arange(10)])
    whole, kept = DecodeSession(toy.text), DecodeSession(toy.text)
    whole.prefill([toy.prompt(10)])
    kept.prefill([toy.prompt(10)], [RowMethods(compressor)])
    assert sorted(compressor.watched) == [0, 1]
    for layer, (query, key, scale) in compressor.watched.items():
        assert query.shape == (4, 10, 8) and scale == 8**-0.5
        torch.testing.assert_close(key, whole.cache.data[layer, 0, 0, :, :10])
    for head in (0, 1):
        ours, all_of_them = (session.cache.data[0, :, 0, head] for session in (kept, whole))
        torch.testing.assert_close(ours[:, :3], all_of_them[:, rows[head]])
    assert kept.cache.lengths.tolist() == [[3], [10]]


@pytest.mark.parametrize("counts", [(900, 700), (30, 60)])
def test_what_was_evicted_takes_no_memory(toys, counts):
    """Two layers of two heads of eight numbers, keys and values, eight bytes each."""
    session = DecodeSession(toys("plain").text)
    readers = [RowMethods(Keeps([torch.arange(count)] * 2)) for count in counts]
    session.prefill([toys("plain").prompt(900, 1), toys("plain").prompt(700, 2)], readers)
    assert sum(session.cache.held_bytes()) == sum(counts) * 2 * 2 * 2 * 8 * 8


class Window(Keeps):
    """Keeps the newest rows, at every step."""

    def __init__(self, prompt, window):
        super().__init__([torch.arange(prompt - window, prompt)] * 2, wants=True)
        self.window = window
        self.nodes: list[int] = []

    def observe(self, layer, weights):
        torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:2]).double())
        assert weights.shape[2] == self.window + weights.shape[1]
        self.nodes.append(weights.shape[1])

    def evict(self, path):
        return [torch.arange(1 + len(path), self.window + 1 + len(path))] * 2


def test_eviction_may_go_on_while_decoding(toys):
    toy = toys("plain")
    prompts = [toy.prompt(20, 1), toy.prompt(12, 2)]
    compressors = [Window(20, 6), Window(12, 9)]
    plain = generate(toy.text, prompts, None, LIMITS)
    proposers = [Oracle(each.tokens, 2) for each in plain]
    outputs = generate(toy.text, prompts, proposers, LIMITS, readers=[RowMethods(each) for each in compressors])
    for output, compressor in zip(outputs, compressors, strict=True):
        assert {step.read for step in output.steps} == {(compressor.window,) * 2}
        assert compressor.nodes == [step.fed for step in output.steps for _ in range(2)]  # of both layers
