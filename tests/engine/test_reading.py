"""Methods that evict or select rows: what is gone or not read counts for nothing, and nothing leaks between rows."""

import pytest
import torch
from greedy import generate
from stub_methods import Keeps, Selects, chain

from docparse.engine.hooks import RowMethods, Selection
from docparse.engine.row import Limits
from docparse.engine.session import DecodeSession

LIMITS = Limits(max_tokens=24, guard=False, ignore_end=True)


def selects(visual):
    """Of visual tokens of each layer, `[K]` or for each node others `[N, K]`."""

    return Selects([None if each is None else reading(each) for each in visual])


def reading(tokens):
    """Of the six visual tokens those of all nodes `[K]`, or of each `[N, K]`."""
    own = tokens if tokens.dim() == 2 else tokens[None]
    return Selection(torch.zeros(len(own), 6, dtype=torch.bool).scatter_(1, own, True), own.numel())


def some(count, of, seed):
    return torch.randperm(of, generator=torch.Generator().manual_seed(seed))[:count].sort().values


def rows_without(prompt, visual):
    """The prompt's rows, of the visual ones only these."""
    keep = ~prompt.visual
    keep[prompt.visual.nonzero()[:, 0][visual]] = True
    return keep.nonzero()[:, 0]


def test_what_was_evicted_counts_for_nothing(toy):
    """transformers' own attention over the same rows, of which every layer has others, answers the same."""
    prompt, words = toy.prompt(14), [3, 9, 27, 5]
    kept = [some(6, 14, seed) for seed in (1, 2)]
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


@pytest.mark.parametrize("kind", ["plain", "m-rope", "xd-rope", "experts", "hybrid"])  # with a window it is refused
def test_what_is_not_selected_is_as_if_evicted(toys, kind):
    """Over trees in a batch, step after step; a row without methods is beside them."""
    toy = toys(kind)
    prompts = [toy.prompt(14, 1), toy.prompt(11, 2), toy.prompt(12, 3)]
    chosen = [some(2, 6, 1), some(4, 6, 2)], [some(3, 6, 3), None]
    kept = [
        [rows_without(prompt, torch.arange(6) if each is None else each) for each in layers]
        for prompt, layers in zip(prompts, chosen, strict=False)
    ]
    evicting = [RowMethods(Keeps(layers)) for layers in kept]
    selecting = [RowMethods(selector=selects(each)) for each in chosen]
    sessions = []
    for readers in (evicting, selecting):
        sessions.append(DecodeSession(toy.text))
        sessions[-1].prefill(prompts, [*readers, RowMethods()])
    for step in range(3):
        trees = [chain([step, 5, 7]), chain([9]), chain([4, step])]
        first, second = (session.feed(trees) for session in sessions)
        for row in range(len(trees)):
            torch.testing.assert_close(first[row], second[row], atol=1e-6, rtol=0)
        assert sessions[0].read[:2] == sessions[1].read[:2]
        for session in sessions:
            session.commit([(1,), (), (1,)])
    for session in sessions:
        assert session.drop([0]) == [2, 1]
    first, second = (session.feed([chain([1]), chain([2])]) for session in sessions)
    torch.testing.assert_close(first.every, second.every, atol=1e-6, rtol=0)


def test_each_node_may_read_tokens_of_its_own(toy):
    """One pass over chains answers as one pass for each of their nodes; beside a row without methods there is one of
    which something was evicted, and one with a shorter chain."""
    prompts = [toy.prompt(length, length) for length in (14, 11, 12, 13)]
    own = [torch.stack([some(2, 6, 10 * layer + node) for node in range(3)]) for layer in (0, 1)]
    left = [torch.tensor([0, 2, 3, 5]), torch.arange(6)]
    words = [[1, 5, 7], [9, 2, 3], [4, 8, 6], [3, 2]]

    def begun(*visual):
        session = DecodeSession(toy.text)
        evicts = Keeps([rows_without(prompts[2], each) for each in left])
        chosen = [selects(each) for each in visual]
        session.prefill(
            prompts,
            [RowMethods(selector=chosen[0]), RowMethods(), RowMethods(evicts, chosen[1]), RowMethods(None, chosen[2])],
        )
        return session

    together = begun(own, own, [each[:2] for each in own])
    logits = together.feed([chain(each) for each in words])
    tokens = [set(each.unique().tolist()) for each in own]
    assert together.read[0] == [14 - 6 + len(each) for each in tokens]
    assert together.read[2] == [
        12 - 6 + len(each & set(kept.tolist())) for each, kept in zip(tokens, left, strict=True)
    ]
    together.commit([(1, 2), (1, 2), (1, 2), (1,)])
    one_by_one = begun(own, own, own)
    for node in range(3):
        for reader in one_by_one._readers:
            if reader.selector is not None:
                reader.selector.chosen = [reading(each[node]) for each in own]
        alone = one_by_one.feed([chain([each[node] if node < len(each) else 0]) for each in words])
        one_by_one.commit([()] * 4)
        for row, each in enumerate(words):
            if node < len(each):
                torch.testing.assert_close(logits[row][node], alone[row][0], atol=toy.rounding, rtol=0)


def test_selection_finds_what_eviction_left(toy):
    """Of the visual tokens 0, 2, 4 that stay in the first layer 2 and 3 are read, in the second 1, 2, 3."""
    prompt = toy.prompt(12)
    left = [torch.tensor([0, 2, 4]), torch.tensor([1, 2, 3])]
    both = [torch.tensor([2]), torch.tensor([1, 2, 3])]
    selector = selects([torch.tensor([2, 3]), None])
    stacked, alone = DecodeSession(toy.text), DecodeSession(toy.text)
    stacked.prefill([prompt], [RowMethods(Keeps([rows_without(prompt, each) for each in left]), selector)])
    alone.prefill([prompt], [RowMethods(Keeps([rows_without(prompt, each) for each in both]))])
    for word in (4, 8):
        tree = chain([word, 6])
        torch.testing.assert_close(stacked.feed([tree])[0], alone.feed([tree])[0], atol=1e-6, rtol=0)
        for session in (stacked, alone):
            session.commit([(1,)])
    assert len(selector.seen) == 2
    for seen in selector.seen:  # of the second layer, which reads all that it holds
        assert (seen[:, [0, 4, 5]] == 0).all() and (seen[:, [1, 2, 3]] > 0).all()


def test_a_selector_sees_the_attention_of_every_node_and_what_became_of_it(toys):
    """As transformers' eager attention reports it, averaged over heads, at the visual tokens; layers in order."""
    toy = toys("plain")
    prompt, words = toy.prompt(12), [3, 9, 27]
    selector = Selects([None, None])
    session = DecodeSession(toy.text)
    session.prefill([toy.prompt(9), prompt], [RowMethods(), RowMethods(selector=selector)])
    session.feed([chain([1]), chain(words)])
    session.commit([(), (1, 2)])
    assert selector.asked == [0, 1] and selector.settled == [(1, 2)]
    _, past = toy.sequential(prompt, [])
    own = toy.text.config._attn_implementation
    toy.text.config._attn_implementation = "eager"
    try:
        out = toy.text.decoder(
            inputs_embeds=toy.text.embed(torch.tensor([words])),
            position_ids=torch.arange(12, 15)[None],
            past_key_values=past,
            output_attentions=True,
        )
    finally:
        toy.text.config._attn_implementation = own
    for seen, expected in zip(selector.seen, out.attentions, strict=True):
        visual = expected[0].mean(dim=0)[:, 2:8]
        torch.testing.assert_close(seen, visual, atol=1e-6, rtol=0)


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

    def needs_attention(self, layer):
        return layer == 1

    def observe(self, layer, weights):
        assert layer == 1
        torch.testing.assert_close(weights.sum(dim=-1), torch.ones(weights.shape[:2]).double())
        assert weights.shape[2] == self.window + weights.shape[1]
        self.nodes.append(weights.shape[1])

    def evict(self, path):
        return [torch.arange(1 + len(path), self.window + 1 + len(path))] * 2


def test_eviction_may_go_on_while_decoding(toys, oracle):
    toy = toys("plain")
    prompts = [toy.prompt(20, 1), toy.prompt(12, 2)]
    compressors = [Window(20, 6), Window(12, 9)]
    plain = generate(toy.text, prompts, None, LIMITS)
    proposers = [oracle(each.tokens, 2) for each in plain]
    outputs = generate(toy.text, prompts, proposers, LIMITS, readers=[RowMethods(each) for each in compressors])
    for output, compressor in zip(outputs, compressors, strict=True):
        assert {step.read for step in output.steps} == {(compressor.window,) * 2}
        assert compressor.nodes == [step.fed for step in output.steps]
