"""What is done to logits before the most probable token is taken, so that a model repeats itself less.

Every node of a draft tree has a history of its own: the prompt, the output so far and the path to the node. So the
logits after a node are processed as plain decoding would process them there, and verification at `tau = 1` accepts just
what plain decoding writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np
import torch
from torch import Tensor

from docparse.engine.tree import Tree
from docparse.logits import LogitsRule, RepetitionPenalty, Sampling

Pairs = Sequence[tuple[int, int]]  # of a node and a token


@dataclass(eq=False)
class TokenHistory:
    """What a row has read and written. `output` grows as the row does; `seen` and `ids`, the same on the device, follow
    when they are needed, with the tokens of the `prompt` among them."""

    prompt: Tensor
    output: list[int]
    seen: set[int] = field(default_factory=set)
    ids: Tensor | None = None
    _read: int = 0  # tokens of the output that `seen` knows

    def see(self, logits: Tensor) -> Tensor:
        """Take in what came since the last time; return `ids`."""
        came = set(self.output[self._read :])
        if self.ids is None:  # a placeholder of the prompt need not be in the vocabulary
            came |= {token for token in self.prompt.unique().tolist() if 0 <= token < logits.shape[-1]}
            self.ids = torch.empty(0, dtype=torch.long, device=logits.device)
        came -= self.seen
        self.seen |= came
        self._read = len(self.output)
        if came:
            self.ids = torch.cat([self.ids, torch.tensor(sorted(came)).to(logits.device, non_blocking=True)])
        return self.ids


class RowLogits:
    """Processes the logits of one row. `output` is the row's list of tokens, which grows."""

    def __init__(self, rules: Sequence[LogitsRule], prompt: Tensor, output: list[int]) -> None:
        self._rules = rules
        self._history = TokenHistory(prompt, output)

    def __call__(self, logits: Tensor, tree: Tree | None = None) -> Tensor:
        """Return the processed logits `[N, V]` after the tree's nodes, of which the root is the output's last token, or
        after the prompt. They are computed in float32 at least, as transformers and vLLM do."""
        paths = _paths(tree)
        with torch.inference_mode():
            processed = logits.float() if logits.dtype.itemsize < 4 else logits.clone()
            for rule in self._rules:
                if isinstance(rule, RepetitionPenalty):
                    _penalise(rule, processed, self._history, paths)
                elif isinstance(rule, Sampling):
                    _draw(rule, processed, [len(self._history.output) + len(path) for path in paths])
                else:
                    tail = self._history.output[-rule.window :]
                    if banned := _pairs(rule.banned(tail + path) for path in paths):
                        processed[_index(banned, processed)] = -inf
        return processed


def _penalise(rule: RepetitionPenalty, logits: Tensor, history: TokenHistory, paths: Sequence[list[int]]) -> None:
    if rule.window:
        tail = history.output[-rule.window :]
        own = _pairs(set((tail + path)[-rule.window :]) for path in paths)
    else:
        _lower(rule.penalty, logits, (slice(None), history.see(logits)))
        own = _pairs(set(path) - history.seen for path in paths)
    _lower(rule.penalty, logits, _index(own, logits))


def _draw(rule: Sampling, logits: Tensor, places: Sequence[int]) -> None:
    """Leave in logits `[N, V]` those that may be drawn, with the noise of their `places` in the output."""
    logits /= rule.temperature
    if rule.top_p < 1.0:
        ordered, order = logits.softmax(dim=-1).sort(dim=-1, descending=True)
        beyond = ordered.cumsum(dim=-1) - ordered >= rule.top_p
        logits.masked_fill_(beyond.scatter(-1, order, beyond), -inf)
    for place in set(places):
        made = torch.Generator().manual_seed(rule.seed * 2**20 + place)
        noise = -torch.empty(logits.shape[-1]).exponential_(generator=made).log_()
        logits[[i for i, each in enumerate(places) if each == place]] += noise.to(logits)


def _lower(penalty: float, logits: Tensor, index: tuple[Any, Tensor]) -> None:
    was = logits[index]
    logits[index] = torch.where(was > 0, was / penalty, was * penalty)


def _paths(tree: Tree | None) -> list[list[int]]:
    """Return the tokens from the root to each node, without the root's."""
    paths: list[list[int]] = [[]]
    if tree is not None:
        for token, parent in zip(tree.tokens[1:], tree.parents[1:], strict=True):
            paths.append([*paths[parent], token])
    return paths


def _pairs(tokens: Iterable[set[int]]) -> Pairs:
    return [(node, token) for node, each in enumerate(tokens) for token in each]


def _index(pairs: Pairs, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return nodes and tokens on the device; nobody waits for them to get there."""
    given = torch.from_numpy(np.array(pairs, dtype=np.int64).reshape(-1, 2))
    nodes, tokens = given.to(logits.device, non_blocking=True).T
    return nodes, tokens
