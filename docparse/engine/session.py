"""A batch of rows being decoded: prefill, feed trees, commit what was accepted, drop what is finished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from docparse.engine.cache import SPARE, KeyValueCache
from docparse.engine.modules import refuse_config, refuse_variants
from docparse.engine.packet import Packet
from docparse.engine.passes import PromptAttention, TreeAttention
from docparse.engine.prompt import Prompt
from docparse.engine.reading import Places, Reader, SelectiveAttention
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree


class Session:
    """The rows of one batch, their keys and values and their positions.

    A step is `feed` (one pass over a tree per row, whose root is the row's last token) and then `commit` of the nodes
    to keep. Methods that evict or select rows of the cache come with the prompts, as readers. `read[b]` says how many
    rows each layer read for row b in the last pass, where it has such a method; `kept_visual[b]` how many visual tokens
    of its prompt are in the cache, mean over layers and heads.
    `bound` is the most positions a row can need (0: unknown): the cache never grows beyond it.
    Raises `EnvironmentProblem`, here or at the first pass, for a decoder whose attention we do not compute (sliding
    windows, sinks, soft caps) or cannot replace.
    """

    def __init__(self, model: TextModel, *, bound: int = 0) -> None:
        self.model = model
        self.bound = bound
        self.cache = KeyValueCache(model.shape, model.memory)
        self._packets: dict[tuple[int, int], Packet] = model.packets.pop() if model.packets else {}
        self._window = refuse_config(model.config, bound)
        self.prefill_seconds: list[float] = []
        self.kept_visual: list[float] = []
        self.read: list[list[int]] = []
        self._readers: list[Reader] = []
        self._next = np.zeros((model.axes, 0), dtype=np.int64)  # [A, B] the position of each row's next root

    @property
    def rows(self) -> int:
        return self.cache.rows

    def begin(self, rows: int, capacity: int) -> None:
        """Room for so many rows of `capacity` positions or more; none is there yet."""
        self.cache.begin(rows, capacity, self.bound)
        self._next = self._next[:, :0]
        self._readers = []
        self.prefill_seconds = []
        self.kept_visual = []

    def pretend(self, filled: int) -> None:
        """One more row, with zeros or whatever is there for a prompt of `filled` positions: to time passes."""
        self.cache.add(filled)
        self._next = np.pad(self._next, ((0, 0), (0, 1)), constant_values=filled)
        self._readers.append(Reader())

    def prefill(self, prompts: Sequence[Prompt], readers: Sequence[Reader] = ()) -> Tensor:
        """Begin with these prompts; logits `[B, V]` of each one's next token."""
        self.begin(len(prompts), max(map(len, prompts)) + SPARE)
        return torch.stack(
            [self.join(*each) for each in zip(prompts, readers or [Reader()] * len(prompts), strict=True)]
        )

    @torch.inference_mode()
    def join(self, prompt: Prompt, reader: Reader) -> Tensor:
        """Run a prompt through the decoder, as one more row; logits `[V]` of its next token."""
        began = perf_counter()
        row = self.cache.add()
        self.cache.reserve(len(prompt))
        attention = PromptAttention(self.cache, row, len(prompt), reader.compressor)
        hidden = self.model.run(prompt.embeds[None], prompt.positions[:, None], attention, prompt)
        attention.check()
        self.cache.extend([0] * row + [len(prompt)])
        kept = None if reader.compressor is None else reader.compressor.keep()
        if kept is not None:
            self.cache.keep(row, kept)
        if reader.selector is not None:
            places = [Places.of(prompt, each) for each in kept] if kept else [Places.of(prompt)] * self.model.layers
            reader = replace(reader, places=places)
        self._readers.append(reader)
        self._next = np.concatenate([self._next, prompt.next_position.cpu().numpy()[:, None]], axis=1)
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
        model, count = self.model, max(map(len, trees))
        methods = any(reader.acts for reader in self._readers)
        graphs = None if methods else model.graphs
        count = count if graphs is None else graphs.nodes(count)
        placements = self.cache.place(count)
        refuse_variants(placements[0].end, self._window)
        packet = self._fed = self._packet(count)
        packet.write(trees, self._next, self.cache.lengths)
        if methods:
            for reader, tree in zip(self._readers, trees, strict=True):
                if reader.selector is not None:
                    reader.selector.follow(tree)
            nodes = list(map(len, trees))
            attention: TreeAttention = SelectiveAttention(self.cache, placements, packet, self._readers, nodes)
        else:
            attention = TreeAttention(self.cache, placements, packet)

        def compute() -> Tensor:
            return model.head(model.run(model.embed(packet.tokens), packet.positions, attention))

        key = packet, self.cache.data.data_ptr(), self.cache.data.shape
        logits = compute() if graphs is None else graphs.run(key, self.rows, count, compute)
        self.read = attention.rows_read if isinstance(attention, SelectiveAttention) else []
        return logits

    def _packet(self, count: int) -> Packet:
        """Of this size, the same for every pass."""
        size = self.rows, count
        if size not in self._packets:
            self._packets[size] = Packet(self.model.axes, *size, self.model.layers, self.model.device)
        return self._packets[size]

    @torch.inference_mode()
    def commit(self, paths: Sequence[Sequence[int]]) -> None:
        """Keep each row's root and these nodes of its tree (a path down from the root), forget the other nodes."""
        self.cache.commit([(0, *path) for path in paths], self._fed.starts)
        self._next += np.array([1 + len(path) for path in paths])
        for row, (reader, path) in enumerate(zip(self._readers, paths, strict=True)):
            if reader.selector is not None:
                reader.selector.settle(path)
            if reader.compressor is not None and (evicted := reader.compressor.evict(path)) is not None:
                self.cache.keep(row, evicted)

    def rewind(self, counts: Sequence[int]) -> None:
        """Forget the last `counts[b]` committed tokens of each row (a draft model whose proposals were refused)."""
        self.cache.rewind(counts)
        self._next -= np.array(counts)

    @torch.inference_mode()
    def drop(self, rows: Sequence[int]) -> list[int]:
        """These rows are finished. Return those that are left in their new order: the last moves into the gap."""
        order = list(range(self.rows))
        for row in sorted(rows, reverse=True):
            self.cache.drop(row)
            order[row] = order[-1]
            order.pop()
        self._next = self._next[:, order]
        self._readers = [self._readers[row] for row in order]
        return order

    def close(self, *, reuse: bool = True) -> None:
        """The batch is over, and its memory free for the next; not where something went wrong (`reuse` is False): what
        a mask hides must still be finite."""
        self.cache.release(reuse=reuse)
        if self._packets:
            self.model.packets.append(self._packets)
            self._packets = {}

    def __del__(self) -> None:
        self.close()


def _kept_visual(prompt: Prompt, kept: Sequence[Tensor] | None) -> float:
    """Of a prompt of which each layer holds the rows `kept`, `[K]` or `[KV, K]` a head; None: all."""
    if kept is None:
        return float(prompt.visual_tokens)
    layers = [prompt.visual[rows].sum(dim=-1).double().mean() for rows in kept]
    return float(torch.stack(layers).mean())
