"""Two models to decode with: a function from prefix to next token, and the families' twins."""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest
from module_decoding import module_logits, picture_inputs

from docparse.engine.hooks import RowMethods
from docparse.engine.tree import Tree
from docparse.vlm.verify import Verified


@dataclass
class Run:
    """An output, the trees that were verified for it, and what was accepted of each."""

    tokens: list[int]
    trees: list[Tree] = field(default_factory=list)
    paths: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def nodes(self):
        """Draft tokens verified."""
        return sum(len(tree) - 1 for tree in self.trees)


def _verify(tree, tokens, model):
    """The path of `tree` that the model itself would write after `tokens`."""
    prefix, path, node = list(tokens), [], 0
    while True:
        wanted = model(prefix)
        child = next((child for child in tree.children(node) if tree.tokens[child] == wanted), None)
        if child is None:
            return Verified(tuple(path), wanted)
        path.append(child)
        prefix.append(wanted)
        node = child


@pytest.fixture(scope="session")
def decode():
    """Speculative decoding of `length` tokens at tau = 1 with a table for a model."""

    def decode(model, proposer, length):
        run = Run([model([])])
        while len(run.tokens) < length:
            tree = proposer.propose(run.tokens)
            assert tree.tokens[0] == run.tokens[-1]
            verified = _verify(tree, run.tokens, model)
            run.trees.append(tree)
            run.paths.append(verified.path)
            run.tokens += [*(tree.tokens[node] for node in verified.path), verified.free]
        del run.tokens[length:]
        return run

    return decode


@pytest.fixture(scope="session")
def script():
    """A model that writes a given text, and counts on from there."""

    def script(text):
        return lambda prefix: text[len(prefix)] if len(prefix) < len(text) else 10_000 + len(prefix)

    return script


@dataclass(frozen=True)
class Asked:
    """A picture as a twin's prompt: `vlm`, what it was `encoded` to, the `prompt`, and its `views`."""

    vlm: Any
    encoded: Any
    prompt: Any
    views: list

    def read(self, count, proposer=None, *, compressor=None, selector=None):
        """The first `count` tokens, by these methods."""
        from greedy import generate

        from docparse.vlm.row import Limits

        limits, readers = Limits(count, guard=None, ignore_end=True), [RowMethods(compressor, selector)]
        [output] = generate(self.vlm.text, [self.prompt], [proposer], limits, readers=readers)
        return output


@pytest.fixture(scope="session")
def asked(twin):
    """`asked(name, page=0)` -> a page of dark bars, different ones for each number, and the instruction to read it.
    What the family does to logits besides is left out: the methods are compared with plain argmax."""
    import numpy as np

    from docparse.accel.pruning import Picture

    @cache
    def ask(name, page=0):
        vlm, dice = twin(name), np.random.default_rng(page)
        vlm = replace(vlm, text=replace(vlm.text, processors=()))
        pixels = np.full((220, 150, 3), 255, dtype=np.uint8)
        for top in range(10, 120, 12):
            pixels[top : top + 5, 10 : int(dice.integers(40, 140))] = dice.integers(0, 120, 3)
        encoded = vlm.encode(pixels, vlm.family.page_instruction)
        views = [(view.tokens, Picture(pixels, view.width, view.height, encoded.std)) for view in encoded.views]
        return Asked(vlm, encoded, vlm.prompt(encoded), views)

    return ask


class Dense:
    """A twin's decoder as transformers runs it, with a cache that only grows and attention written out.

    A `rule` says which of the keys a layer must not read beyond what is in the future, and sees the weights of all
    heads: `rule.hidden(layer, keys, nodes)` -> columns for each query; `rule.saw(layer, weights [H, N, S])`.
    `rule.begin()` comes before every pass, the prefill first, and `rule.on_commit(count)` after it with the number of
    its tokens.
    """

    def __init__(self, vlm, prompt, rule):
        from transformers import DynamicCache

        self.text, self.prompt, self.rule = vlm.text, prompt, rule
        self.past = DynamicCache(config=vlm.text.config)
        kinds = getattr(vlm.text.config, "layer_types", None) or ["full_attention"] * vlm.text.config.num_hidden_layers
        attending = [i for i, kind in enumerate(kinds) if kind != "linear_attention"]
        self.number = {module: layer for layer, module in enumerate(attending)}  # layers that hold keys and values

    def greedy(self, count):
        """The first `count` tokens, one pass for each."""
        import torch

        prompt = self.prompt
        tokens = self._pass(prompt.embeds, prompt.positions, **picture_inputs(prompt))[-1:]
        self.rule.on_commit(len(prompt))
        while len(tokens) < count:
            at = prompt.next_position[:, None] + len(tokens) - 1
            tokens += self._pass(self.text.embed(torch.tensor(tokens[-1:])), at)
            self.rule.on_commit(1)
        return tokens

    def _pass(self, embeds, positions, **extra):
        from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

        config = self.text.config
        own, config._attn_implementation = config._attn_implementation, "dense"
        ALL_ATTENTION_FUNCTIONS["dense"] = self._attend
        self.rule.begin()
        try:
            return module_logits(self.text, embeds, positions, self.past, **extra).argmax(dim=-1).tolist()
        finally:
            config._attn_implementation = own
            del ALL_ATTENTION_FUNCTIONS["dense"]

    def _attend(self, module, query, key, value, mask, scaling, **_):
        import torch

        assert mask is None
        group = query.shape[1] // key.shape[1]
        future = torch.ones(query.shape[2], key.shape[2], dtype=torch.bool).triu(key.shape[2] - query.shape[2] + 1)
        unread = future.clone()
        for node, columns in enumerate(self.rule.hidden(self.number[module.layer_idx], key.shape[2], query.shape[2])):
            unread[node, columns] = True
        keys, values = (each[0].repeat_interleave(group, dim=0) for each in (key, value))
        scores = query[0] @ keys.transpose(1, 2) * scaling
        weights = scores.masked_fill(unread, -torch.inf).softmax(dim=-1).nan_to_num(0.0)
        self.rule.saw(self.number[module.layer_idx], weights)
        return (weights @ values).transpose(0, 1)[None], None


@pytest.fixture(scope="session")
def dense():
    return Dense
