"""A pass over trees answers as one pass per token would, and leaves a cache that can be trusted."""

from collections import defaultdict

import pytest
import torch
from drafted import path_to
from hypothesis import given, settings
from hypothesis import strategies as st

from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Candidate, Tree

SINGLE = defaultdict(lambda: torch.float32, hybrid=torch.float64)  # one computes in single precision in any case


def words(tree, path):
    return [tree.tokens[0], *(tree.tokens[node] for node in path)]


def assert_rows_equal(session, row, past, rounding):
    """The cache of a row holds what a sequential pass wrote, but for `rounding` times the largest of the numbers."""
    layers = [each for each in past.layers if hasattr(each, "keys")]
    for data, lengths, other in zip(session.cache.data, session.cache.lengths, layers, strict=True):
        length = other.keys.shape[2]
        assert lengths[row] == length
        for kept, written in ((data[0], other.keys[0]), (data[1], other.values[0])):
            atol = rounding * float(written.abs().max())
            torch.testing.assert_close(kept[row, :, :length], written, atol=atol, rtol=0)


@settings(max_examples=5)
@given(seed=st.integers(0, 10**6), length=st.integers(3, 30))
def test_every_node_of_a_tree_has_its_sequential_logits(toys, random_tree, kind, seed, length):
    toy = toys(kind, SINGLE[kind])
    prompt, tree = toy.prompt(length, seed), random_tree(seed, 16)
    session = DecodeSession(toy.text)
    first = session.prefill([prompt]).every
    logits = session.feed([tree])
    for leaf in set(range(len(tree))) - set(tree.parents):
        path = path_to(tree, leaf)
        expected, _ = toy.sequential(prompt, words(tree, path))
        found = torch.stack([first[0], *logits[0][[0, *path]]])
        torch.testing.assert_close(found, expected, atol=100 * toy.rounding, rtol=0)


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), lengths=st.lists(st.integers(3, 20), min_size=1, max_size=3), data=st.data())
def test_a_committed_cache_is_one_built_sequentially(toys, random_tree, kind, seed, lengths, data):
    toy = toys(kind, SINGLE[kind])
    prompts = [toy.prompt(length, seed + i) for i, length in enumerate(lengths)]
    session = DecodeSession(toy.text)
    session.prefill(prompts)
    written = [[] for _ in prompts]
    for step in range(3):
        trees = [random_tree(seed + 7 * step + i, 12) for i in range(len(prompts))]
        session.feed(trees)
        paths = [path_to(tree, data.draw(st.integers(0, len(tree) - 1))) for tree in trees]
        session.commit(paths)
        for text, tree, path in zip(written, trees, paths, strict=True):
            text.extend(words(tree, path))
    last = session.feed([Tree.bare(5) for _ in prompts])
    for row, (prompt, text) in enumerate(zip(prompts, written, strict=True)):
        if kind != "windowed":  # whose cache transformers lays out otherwise
            assert_rows_equal(session, row, toy.sequential(prompt, text)[1], 20 * toy.rounding)
        after = toy.sequential(prompt, [*text, 5])[0][-1]
        torch.testing.assert_close(last[row][0], after, atol=100 * toy.rounding, rtol=0)


def test_a_dropped_row_leaves_the_others_as_they_were(toy):
    prompts = [toy.prompt(length, length) for length in (4, 11, 7, 9)]
    session = DecodeSession(toy.text)
    session.prefill(prompts)
    order = session.drop([0, 2])
    assert sorted(order) == [1, 3] and session.rows == 2
    logits = session.feed([Tree.bare(row) for row in order])
    for row, token in enumerate(order):
        prompt = prompts[token]
        torch.testing.assert_close(logits[row][0], toy.sequential(prompt, [token])[0][-1], atol=toy.rounding, rtol=0)


def test_rewound_tokens_are_forgotten(toy):
    prompts = [toy.prompt(5, 1), toy.prompt(8, 2)]
    session = DecodeSession(toy.text)
    session.prefill(prompts)
    for tokens in ([1, 2], [3, 4]):
        session.feed([Tree.bare(token) for token in tokens])
        session.commit([(), ()])
    if toy.kind == "hybrid":  # a state forgets nothing
        with pytest.raises(AssertionError):
            session.rewind([1, 2])
        return
    session.rewind([1, 2])
    logits = session.feed([Tree.bare(9), Tree.bare(9)])
    torch.testing.assert_close(logits[0][0], toy.sequential(prompts[0], [1, 9])[0][-1], atol=1e-6, rtol=0)
    torch.testing.assert_close(logits[1][0], toy.sequential(prompts[1], [9])[0][-1], atol=1e-6, rtol=0)


def test_memory_grows_when_it_is_full(toys):
    toy = toys("plain")
    prompt = toy.prompt(10)
    text = TextModel(toy.text.decoder, toy.text.head, frozenset(), 1, "of its own")  # no memory of others
    session = DecodeSession(text)
    session.prefill([prompt])
    before = session.cache.data.shape[4]
    words = [i % 60 for i in range(800)]
    for begin in range(0, 800, 50):
        chain = Tree.grow(words[begin], [Candidate(words[begin + 1 : begin + 50], "any")], 49)
        session.feed([chain])
        session.commit([range(1, 50)])
    assert before < session.cache.data.shape[4] <= 1024
    _, past = toy.sequential(prompt, words)
    assert_rows_equal(session, 0, past, 1e-4)
