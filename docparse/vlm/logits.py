"""What is done to logits before the most probable token is taken, so that a model repeats itself less.

Every node of a draft tree has its own history (prompt, output, path), so its logits are those of plain decoding, and
verification at `tau = 1` accepts just what that writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

import numpy as np
import torch
from torch import Tensor

from docparse.engine.tree import Tree
from docparse.logits import LogitsRule, RepetitionPenalty, Sampling


class RowLogits:
    """Processes the logits of one row. `output` is the row's list of tokens, which grows."""

    def __init__(self, rules: Sequence[LogitsRule], prompt: Tensor, output: list[int]) -> None:
        self._rules, self._prompt, self._output = rules, prompt, output
        self._seen: set[int] = set()  # tokens of prompt and output,
        self._ids: Tensor | None = None  # the same on the device,
        self._known = 0  # and how many of the output's are among them

    def __call__(self, logits: Tensor, tree: Tree) -> Tensor:
        """Return the processed logits `[N, V]` after the tree's nodes, of which the root is the last token so far. They
        are computed in float32 at least, as transformers and vLLM do."""
        paths = _paths(tree)
        with torch.inference_mode():
            processed = logits.float() if logits.dtype.itemsize < 4 else logits.clone()
            for rule in self._rules:
                if isinstance(rule, RepetitionPenalty):
                    self._penalise(rule, processed, paths)
                elif isinstance(rule, Sampling):
                    _draw(rule, processed, [len(self._output) + len(path) for path in paths])
                else:
                    tail = self._output[-rule.window :]
                    processed[_index((rule.banned(tail + path) for path in paths), processed)] = -inf
        return processed

    def _penalise(self, rule: RepetitionPenalty, logits: Tensor, paths: Sequence[list[int]]) -> None:
        if rule.window:
            tail = self._output[-rule.window :]
            own = [set((tail + path)[-rule.window :]) for path in paths]
        else:
            _lower(rule.penalty, logits, (slice(None), self._see(logits)))
            own = [set(path) - self._seen for path in paths]
        _lower(rule.penalty, logits, _index(own, logits))

    def _see(self, logits: Tensor) -> Tensor:
        """Return all tokens of prompt and output so far, on the device."""
        came = set(self._output[self._known :]) - self._seen
        if self._ids is None:  # a placeholder of the prompt need not be in the vocabulary
            came |= {token for token in self._prompt.unique().tolist() if 0 <= token < logits.shape[-1]}
            self._ids = torch.empty(0, dtype=torch.long, device=logits.device)
        self._seen |= came
        self._known = len(self._output)
        if came:
            self._ids = torch.cat([self._ids, torch.tensor(sorted(came)).to(logits.device, non_blocking=True)])
        return self._ids


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


def _paths(tree: Tree) -> list[list[int]]:
    """Return the tokens from the root to each node, without the root's."""
    paths: list[list[int]] = [[]]
    for token, parent in zip(tree.tokens[1:], tree.parents[1:], strict=True):
        paths.append([*paths[parent], token])
    return paths


def _index(tokens: Iterable[set[int]], logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return each node with each of its tokens, on the device; nobody waits for them to get there."""
    pairs = [(node, token) for node, each in enumerate(tokens) for token in each]
    given = torch.from_numpy(np.array(pairs, dtype=np.int64).reshape(-1, 2))
    nodes, named = given.to(logits.device, non_blocking=True).T
    return nodes, named
