"""What methods that evict rows of the cache have in common: whose attention counts, who competes, who wins."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docparse.accel.method import Compressing
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from torch import Tensor

    from docparse.engine.prompt import Prompt

BLOCK = 128  # queries of the prompt whose attention is in memory at once
HALVINGS = 200  # enough for weights that differ by a factor of 1e40


@dataclass(frozen=True)
class Rows:
    """The rows of a prompt: `open [C]` compete for a place, `fixed [F]` stay in any case; both ascending. The last
    `asking` of all `count` are words after the picture."""

    open: Tensor
    fixed: Tensor
    count: int
    asking: int

    @classmethod
    def of(cls, prompt: Prompt, *, visual: bool) -> Rows:
        """Return the rows that compete: all, or only the visual ones that are not structural."""
        competing = prompt.visual.new_ones(len(prompt))
        if visual:
            competing = prompt.visual.clone()
            competing[prompt.visual] = ~prompt.structural
        return cls(competing.nonzero()[:, 0], (~competing).nonzero()[:, 0], len(prompt), after_vision(prompt))

    def keeping(self, chosen: Tensor) -> Tensor:
        """Return the rows that stay, ascending, when `chosen [..., K]` of those that compete do; `[..., K + F]`."""
        import torch

        won = self.open[chosen]
        return torch.cat([won, self.fixed.expand(*won.shape[:-1], -1)], dim=-1).sort(dim=-1).values


class Ranking(Compressing):
    """A method that scores the rows of every layer in the prefill, and keeps the best of them when it is over; only
    visual ones go where it says that it is `visual`."""

    @abstractmethod
    def score(self, query: Tensor, key: Tensor, scale: float, rows: Rows) -> Any:
        """Return the scores of a layer; its queries and keys are those of `Compressor.on_prefill_layer`."""

    @abstractmethod
    def kept(self, scores: list[Any], rows: Rows) -> Sequence[Tensor]:
        """Return the rows of each layer that stay, by the scores of all; as `Compressor.keep`."""

    def compressor(self, prompt: Prompt) -> Compressor:
        return RankingCompressor(self, prompt)


class RankingCompressor(Compressor):
    def __init__(self, method: Ranking, prompt: Prompt) -> None:
        self._method = method
        self._rows = Rows.of(prompt, visual=getattr(method, "visual", False))
        self.scores: list[Any] = []

    def on_prefill_layer(self, layer: int, query: Tensor, key: Tensor, scale: float) -> None:
        self.scores.append(self._method.score(query, key, scale, self._rows))

    def keep(self) -> Sequence[Tensor]:
        return self._method.kept(self.scores, self._rows)


def after_vision(prompt: Prompt) -> int:
    """Return how many tokens follow the last visual one; the last token counts in any case."""
    visual = prompt.visual.nonzero()[:, 0]
    return max(1, len(prompt) - 1 - int(visual[-1])) if len(visual) else len(prompt)


def attention(query: Tensor, key: Tensor, scale: float, first: int | None = None) -> Tensor:
    """Return weights `[H, T, S]` of queries `[H, T, D]` over keys `[KV, S, D]`, in float32 at least. Query i stands at
    key `first + i` and sees the keys up to there; None: every query sees all."""
    import torch

    exact = torch.promote_types(query.dtype, torch.float32)
    heads, count, width = query.shape
    folded = query.reshape(len(key), -1, width).to(exact)
    logits = (scale * folded @ key.to(exact).transpose(1, 2)).view(heads, count, -1)
    if first is not None:
        at = torch.arange(first, first + count, device=key.device)
        unseen = torch.arange(first, key.shape[1], device=key.device) > at[:, None]
        logits[:, :, first:].masked_fill_(unseen, -torch.inf)
    return logits.softmax(dim=-1)


def attention_received(query: Tensor, key: Tensor, scale: float) -> Tensor:
    """Return the sum of the causal attention that all queries `[H, P, D]` pay each key: `[H, P]`."""
    import torch

    total = torch.zeros(query.shape[:2], dtype=torch.promote_types(query.dtype, torch.float32), device=query.device)
    for first in range(0, query.shape[1], BLOCK):
        block = slice(first, first + BLOCK)
        seen = key[:, : block.stop]  # no later one is
        total[:, : seen.shape[1]] += attention(query[:, block], seen, scale, first=first).sum(dim=1)
    return total


def by_key_head(weights: Tensor, heads: int) -> Tensor:
    """`[H, ...]` averaged over the query heads that share a head of keys: `[KV, ...]`."""
    return weights.unflatten(0, (heads, -1)).mean(dim=1)


def best(scores: Tensor, count: int) -> Tensor:
    """Return where the `count` largest of `[..., S]` stand, ascending; of equal ones the first."""
    return scores.argsort(dim=-1, descending=True, stable=True)[..., :count].sort(dim=-1).values


def best_and_recent(scores: Tensor, count: int, recent: int) -> Tensor:
    """`count` of `[..., S]`, ascending: the last `recent`, and the best of the others."""
    import torch

    older = scores.shape[-1] - recent
    last = torch.arange(older, older + recent, device=scores.device).expand(*scores.shape[:-1], -1)
    return torch.cat([best(scores[..., :older], count - recent), last], dim=-1)


def shared_out(weights: Sequence[float], mean: float, least: float) -> list[float]:
    """Shares proportional to `weights`, none below 0, each cut to `least` and to 1, whose mean is `mean` or the nearest
    that can be had; halving finds the factor."""
    low, high = 0.0, 1 / (min(filter(None, weights), default=1.0))
    shares = [least] * len(weights)
    for _ in range(HALVINGS):
        factor = (low + high) / 2
        shares = [min(max(factor * weight, least), 1.0) for weight in weights]
        low, high = (factor, high) if sum(shares) < mean * len(weights) else (low, factor)
    return shares


def count_of(share: float, rows: int) -> int:
    """Return how many of `rows` a share (0..1) is: to the nearest, one at least where there are any."""
    return min(rows, max(1, round(share * rows)))
