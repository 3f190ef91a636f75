"""One batch of rows being decoded: prefill, feed trees, commit what was accepted, drop what is finished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from docparse.engine.attention import Pass, attending, refuse_config
from docparse.engine.cache import SPARE, SlabCache
from docparse.engine.masks import biases
from docparse.engine.passes import compiled, decode, padded_nodes, padded_positions, run_decoder
from docparse.engine.prompt import Prompt
from docparse.engine.reading import Places, Reader, Reading
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree
from docparse.errors import EnvironmentProblem


class Session:
    """The rows of one batch, their caches and their positions; rows keep their order when others are dropped.

    A step is `feed` (one pass over a tree per row, whose root is the row's last token) and then `commit` of the nodes
    to keep. Methods that evict or select rows of the cache come with the prompts, as readers; a compiled pass has none
    of them. `read[b]` says how many rows each layer read for row b in the last pass, where it has such a method;
    `kept_visual[b]` how many visual tokens of its prompt are in the cache, mean over layers and heads.
    `bound` is the most positions a row can need (0: unknown): slabs never grow beyond it. `compiler` names
    the torch.compile backend of the decode passes; None runs them as they are.
    Raises `EnvironmentProblem`, here or at the first pass, for a decoder whose attention we do not compute (sliding
    windows, sinks, soft caps) or cannot replace.
    """

    def __init__(self, model: TextModel, *, bound: int = 0, compiler: str | None = None) -> None:
        refuse_config(model.config, bound)
        self.model = model
        self.bound = bound
        self.prefill_seconds: list[float] = []
        self.kept_visual: list[float] = []
        self._static = compiler is not None
        self._decode = decode if compiler is None else compiled(compiler)
        self.cache = SlabCache(0, 0, 0)
        self.read: list[list[int]] = []
        self._readers: list[Reader] = []
        self._live: list[int] = []  # the slab row of each row
        self._next = np.zeros((model.axes, 0), dtype=np.int64)  # [A, B] the position of each slab row's next root

    @property
    def rows(self) -> int:
        return len(self._live)

    def begin(self, positions: np.ndarray, capacity: int, filled: int = 0) -> None:
        """Rows with room for `capacity` positions, `filled` of them taken by zeros (a stand-in for a prompt, to time
        passes); `positions [A, B]` are those of the first generated tokens."""
        bound = self.bound
        if self._static:
            capacity, bound = padded_positions(bound or capacity), 0
        rows = positions.shape[1]
        self.cache = SlabCache(self.model.layers, rows, capacity, bound, filled)
        self._live = list(range(rows))
        self._next = positions.astype(np.int64)
        self._readers = [Reader()] * rows
        self.prefill_seconds = []
        self.kept_visual = []

    @torch.inference_mode()
    def prefill(self, prompts: Sequence[Prompt], readers: Sequence[Reader] = ()) -> Tensor:
        """Run every prompt through the decoder, one after the other; logits `[B, V]` of each one's next token."""
        if self._static and any(reader.acts for reader in readers):
            raise EnvironmentProblem(
                "a compiled pass reads the whole cache: methods that evict or select rows run eagerly"
            )
        positions = torch.stack([prompt.next_position for prompt in prompts], dim=1)
        self.begin(positions.cpu().numpy(), max(map(len, prompts)) + SPARE)
        self._readers = list(readers) or self._readers
        logits = torch.stack([self._prefill_row(row, prompt) for row, prompt in enumerate(prompts)])
        if any(reader.compressor is not None for reader in self._readers):
            self.cache.trim(max(map(len, prompts)))
        return logits

    def _prefill_row(self, row: int, prompt: Prompt) -> Tensor:
        reader = self._readers[row]
        began = perf_counter()
        self.cache.place(len(prompt), self.model.device, row=row)
        extra = dict(prompt.extra)
        if prompt.deepstack:
            extra |= {"visual_pos_masks": prompt.visual[None], "deepstack_visual_embeds": list(prompt.deepstack)}
        this = Pass(compressor=reader.compressor)
        with attending(self.model.decoder):
            hidden = run_decoder(
                self.model, self.cache, prompt.embeds[None], prompt.positions[:, None], docparse_pass=this, **extra
            )
        this.check(self.model.layers)
        self.cache.commit([range(len(prompt))])
        kept = None if reader.compressor is None else reader.compressor.keep()
        if kept is not None:
            self.cache.keep(row, kept)
        if reader.selector is not None:
            places = [Places.of(prompt, each) for each in kept] if kept else [Places.of(prompt)] * self.model.layers
            self._readers[row] = replace(reader, places=places)
        logits = self.model.head(hidden[0, -1])
        if logits.device.type != "cpu":
            torch.accelerator.synchronize(logits.device)  # once a prompt, so that its time is its own
        self.prefill_seconds.append(perf_counter() - began)
        self.kept_visual.append(_kept_visual(prompt, kept))
        return logits

    @torch.inference_mode()
    def feed(self, trees: Sequence[Tree]) -> Tensor:
        """One pass over a tree per row: logits `[B, N, V]` after each node, N at least the size of the largest tree.

        What follows a smaller tree's own nodes is padding, to be ignored.
        """
        model, device = self.model, self.model.device
        count = max(map(len, trees))
        count = padded_nodes(count) if self._static else count
        placements = self.cache.place(count, device, static=self._static)
        ids, masks = self._packed(trees, count)
        packed = torch.from_numpy(ids).to(device, non_blocking=True)
        ancestors = None if masks is None else torch.from_numpy(masks).to(device, non_blocking=True)
        bias = biases(placements, ancestors, count, model)
        reading = None
        if any(reader.acts for reader in self._readers):
            for reader, tree in zip(self._readers, trees, strict=True):
                if reader.selector is not None:
                    reader.selector.follow(tree)
            reading = Reading(self._readers, placements, list(map(len, trees)), count, ancestors)
        with attending(model.decoder):
            logits = self._decode(model, self.cache, packed[0], packed[1:], bias, reading)
        self.read = reading.read if reading is not None else []
        return logits if len(logits) == self.rows else logits[self._live]

    def _packed(self, trees: Sequence[Tree], count: int) -> tuple[np.ndarray, np.ndarray | None]:
        """Token ids, then the positions on each axis, `[1 + A, B, N]`; the trees' masks `[B, N, N]`.

        Padding repeats token 0 at the root's position and reads itself, so that no query is without a key.
        """
        width = self._next.shape[1]
        ids = np.zeros((1 + self.model.axes, width, count), dtype=np.int64)
        ids[1:] = self._next[:, :, None]
        for row, tree in zip(self._live, trees, strict=True):
            ids[0, row, : len(tree)] = tree.tokens
            ids[1:, row, : len(tree)] += np.asarray(tree.depths)
        if count == 1:
            return ids, None
        masks = np.broadcast_to(np.eye(count, dtype=bool), (width, count, count)).copy()
        for row, tree in zip(self._live, trees, strict=True):
            masks[row, : len(tree), : len(tree)] = tree.ancestors()
        return ids, masks

    @torch.inference_mode()
    def commit(self, paths: Sequence[Sequence[int]]) -> None:
        """Keep each row's root and these nodes of its tree (a path down from the root), forget the other nodes."""
        kept: list[tuple[int, ...]] = [()] * self._next.shape[1]
        for row, path in zip(self._live, paths, strict=True):
            kept[row] = (0, *path)
        self.cache.commit(kept)
        self._next += np.array([len(each) for each in kept])
        for row, (reader, path) in enumerate(zip(self._readers, paths, strict=True) if not self._static else ()):
            if reader.selector is not None:
                reader.selector.settle(path)
            if reader.compressor is not None and (evicted := reader.compressor.evict(path)) is not None:
                self.cache.keep(row, evicted)

    def rewind(self, counts: Sequence[int]) -> None:
        """Forget the last `counts[b]` committed tokens of each row (a draft model whose proposals were refused)."""
        removed = np.zeros(self._next.shape[1], dtype=np.int64)
        removed[self._live] = counts
        self.cache.rewind(removed.tolist())
        self._next -= removed

    @torch.inference_mode()
    def drop(self, rows: Sequence[int]) -> None:
        """These rows are finished; the others move up."""
        kept = [row for row in range(self.rows) if row not in set(rows)]
        if self._static:
            self._live = [self._live[row] for row in kept]
            return
        self.cache.select(kept)
        self._next = self._next[:, kept]
        self._readers = [self._readers[row] for row in kept]
        self._live = list(range(len(kept)))


def _kept_visual(prompt: Prompt, kept: Sequence[Tensor] | None) -> float:
    """Of a prompt of which each layer holds the rows `kept`, `[K]` or `[KV, K]` a head; None: all."""
    if kept is None:
        return float(prompt.visual_tokens)
    layers = [prompt.visual[rows].sum(dim=-1).double().mean() for rows in kept]
    return float(torch.stack(layers).mean())
