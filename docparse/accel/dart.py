"""DART, a baseline: visual tokens that are least like a few pivots stay, the others are dropped early in the decoder.

After Wen et al., "Stop Looking for 'Important Tokens' in Multimodal Language Models: Duplication Matters More" (EMNLP
2025) and its published code (https://github.com/ZichenWen1/DART, MIT). Pivots are the tokens with the largest keys (L1
norm over all heads) in the layer after which tokens are dropped; each picks the tokens that are least like it by
cosine, there of hidden states behind this layer, here of the embeddings that enter the decoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.eviction import Rows, best, count_of
from docparse.accel.fastv import FastV
from docparse.accel.method import between
from docparse.accel.pruning import cosines, exact

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Dart(FastV):
    """FastV's hyper-parameters, and how many pivots are of the picture and of the text."""

    name: ClassVar[str] = "dart"

    pivots: int = between(1, 256, 4)
    words: int = between(0, 256, 4)

    def chosen(self, query: Tensor, key: Tensor, scale: float, rows: Rows, embeds: Tensor) -> Tensor:
        import torch

        size = exact(key).abs().sum(dim=(0, 2))  # [P]
        visual, text = rows.open, rows.count - rows.asking
        keep = count_of(self.keep, len(visual))
        own = size[visual].argsort(descending=True, stable=True)[: min(self.pivots, keep)]
        words = text + size[text:].argsort(descending=True, stable=True)[: self.words]
        embeds = exact(embeds)
        unlike = -cosines(embeds[torch.cat([visual[own], words])], embeds[visual])
        unlike[:, own] = -torch.inf
        taken = [own]
        for i, row in enumerate(unlike):
            left = keep - sum(map(len, taken))
            picked = best(row, -(-left // (len(unlike) - i)))
            unlike[:, picked] = -torch.inf
            taken.append(picked)
        return torch.cat(taken).sort().values
