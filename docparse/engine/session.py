"""One batch of rows being decoded: prefill, feed trees, commit what was accepted, drop what is finished."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from docparse.engine.attention import Pass, attending, biases, refuse_config
from docparse.engine.cache import SPARE, SlabCache
from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree


class Session:
    """The rows of one batch, their caches and their positions; rows keep their order when others are dropped.

    A step is `feed` (one pass over a tree per row, whose root is the row's last token) and then `commit` of the nodes
    to keep. `bound` is the most positions a row can need, where it is known: slabs never grow beyond it.
    Raises `EnvironmentProblem` for a decoder whose attention we do not compute (sliding windows, sinks, soft caps).
    """

    def __init__(self, model: TextModel, bound: int | None = None) -> None:
        refuse_config(model.config, bound or 0)
        self.model = model
        self.bound = bound
        self.prefill_seconds: list[float] = []
        self._cache = SlabCache(0, 0, 0)
        self._next = np.zeros((model.axes, 0), dtype=np.int64)  # [A, B] the position of each row's next root

    @property
    def rows(self) -> int:
        return self._next.shape[1]

    @torch.no_grad()
    def prefill(self, prompts: Sequence[Prompt]) -> Tensor:
        """Run every prompt through the decoder, one after the other; logits `[B, V]` of each one's next token."""
        longest = max(map(len, prompts))
        capacity = min(longest + SPARE, self.bound or longest + SPARE)
        self._cache = SlabCache(self.model.layers, len(prompts), max(longest, capacity), self.bound)
        self._next = torch.stack([prompt.next_position for prompt in prompts], dim=1).cpu().numpy().astype(np.int64)
        return torch.stack([self._prefill_row(row, prompt) for row, prompt in enumerate(prompts)])

    def _prefill_row(self, row: int, prompt: Prompt) -> Tensor:
        began = perf_counter()
        self._cache.place(len(prompt), self.model.device, row)
        extra = dict(prompt.extra)
        if prompt.deepstack:
            extra |= {"visual_pos_masks": prompt.visual[None], "deepstack_visual_embeds": list(prompt.deepstack)}
        hidden = self._forward(prompt.embeds[None], prompt.positions[:, None], Pass(), extra)
        self._cache.commit([range(len(prompt))])
        logits = self.model.head(hidden[0, -1])
        if logits.device.type != "cpu":
            torch.accelerator.synchronize(logits.device)  # once a prompt, so that its time is its own
        self.prefill_seconds.append(perf_counter() - began)
        return logits

    @torch.no_grad()
    def feed(self, trees: Sequence[Tree]) -> Tensor:
        """One pass over a tree per row: logits `[B, N, V]` after each node, N the size of the largest tree.

        What follows a smaller tree's own nodes is padding, to be ignored.
        """
        count = max(map(len, trees))
        device = self.model.device
        placements = self._cache.place(count, device)
        ids, masks = self._packed(trees, count)
        packed = torch.from_numpy(ids).to(device, non_blocking=True)
        ancestors = None if masks is None else torch.from_numpy(masks).to(device, non_blocking=True)
        bias = biases(placements, ancestors, count, self.model.groups, self.model.dtype, device)
        hidden = self._forward(self.model.embed(packed[0]), packed[1:], Pass(bias), {})
        return self.model.head(hidden)

    def _packed(self, trees: Sequence[Tree], count: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Token ids, then the positions on each axis, `[1 + A, B, N]`; the trees' masks `[B, N, N]`.

        Padding repeats the root and reads itself, so that no query is without a key.
        """
        ids = np.empty((1 + self.model.axes, len(trees), count), dtype=np.int64)
        for row, tree in enumerate(trees):
            size = len(tree)
            ids[0, row, :size], ids[0, row, size:] = tree.tokens, tree.tokens[0]
            ids[1:, row] = self._next[:, row, None]
            ids[1:, row, :size] += np.asarray(tree.depths)
        if count == 1:
            return ids, None
        masks = np.broadcast_to(np.eye(count, dtype=bool), (len(trees), count, count)).copy()
        for row, tree in enumerate(trees):
            masks[row, : len(tree), : len(tree)] = tree.ancestors()
        return ids, masks

    def _forward(self, embeds: Tensor, positions: Tensor, this: Pass, extra: dict[str, Any]) -> Tensor:
        """Hidden states `[B, N, D]` of inputs `[B, N, D]` at positions `[A, B, N]`."""
        with attending(self.model.decoder):
            out = self.model.decoder(
                inputs_embeds=embeds,
                position_ids=positions if self.model.axes > 1 else positions[0],
                past_key_values=self._cache,
                use_cache=True,
                docparse_pass=this,
                **extra,
            )
        return cast(Tensor, out.last_hidden_state)

    @torch.no_grad()
    def commit(self, paths: Sequence[Sequence[int]]) -> None:
        """Keep each row's root and these nodes of its tree (a path down from the root), forget the other nodes."""
        self._cache.commit([(0, *path) for path in paths])
        self._next += np.array([1 + len(path) for path in paths])

    def rewind(self, counts: Sequence[int]) -> None:
        """Forget the last `counts[b]` committed tokens of each row (a draft model whose proposals were refused)."""
        self._cache.rewind(counts)
        self._next -= np.array(counts)

    @torch.no_grad()
    def drop(self, rows: Sequence[int]) -> None:
        """These rows are finished; the others move up."""
        kept = [row for row in range(self.rows) if row not in set(rows)]
        self._cache.select(kept)
        self._next = self._next[:, kept]
