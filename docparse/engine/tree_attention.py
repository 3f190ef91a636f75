"""Attention of trees of new tokens: every node reads what its row's cache holds, and its ancestors."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import torch
from torch import Tensor

from docparse.engine.attention import attention, weighed
from docparse.engine.cache import KeyValueCache
from docparse.engine.hooks import RowMethods, Selection
from docparse.engine.packet import Packet
from docparse.engine.tree import Tree


class TreeAttention:
    """Attention of a tree in every row: each node reads all that is committed and its ancestors, but for what its row's
    methods leave out and what is `far`: out of the model's window, for each row (`out_of_window`).

    Rows are computed one by one, each over its own positions; all at once where nobody has methods and as many nodes
    are laid out for each. (One by one, the attention of 4 to 16 rows of a node each takes 1.5 to 3.7 times
    as long on a CPU.)
    """

    def __init__(
        self,
        cache: KeyValueCache,
        layout: Packet,
        trees: Sequence[Tree],
        readers: Sequence[RowMethods],
        far: Sequence[Tensor | None] = (),
    ) -> None:
        self._layout, self._trees, self._readers = layout, trees, readers
        self._far = far or [None] * len(trees)
        self._lengths = list(map(tuple, cache.lengths.tolist()))
        self._sizes = layout.counts or [layout.tokens.shape[1]] * cache.rows  # nodes that are laid out for each row
        self._data = cache.data.narrow(2, 0, cache.rows)
        self._methods = any(reader.acts for reader in readers)
        self._derived: dict[Hashable, Any] = {}  # of layers that read alike, and so worked out once
        # `[b][l]`: how many of the prompt's rows layer l has read for row b, where it was to read a part.
        self.read: list[dict[int, int | Tensor]] = [{} for _ in readers]

    @cached_property
    def _cells(self) -> list[Sequence[Tensor]]:
        """Of each layer, where each row's new keys and values go."""
        cells: list[Sequence[Tensor]] = []
        for part, lengths in self._parts():
            rows = zip(part.split(1, 2), lengths, self._sizes, strict=True)
            cells += zip(*(row.narrow(4, start, size).unbind(0) for row, start, size in rows), strict=True)
        return cells

    @cached_property
    def _held(self) -> list[tuple[Tensor, Tensor, Tensor | None]]:
        """Of each layer, keys and values that the longest row reads, and the mask of all rows."""
        held: list[tuple[Tensor, Tensor, Tensor | None]] = []
        for part, lengths in self._parts():
            parts = part.flatten(0, 1).narrow(3, 0, max(lengths) + max(self._sizes)).unbind(0)
            mask = self._mask(range(len(lengths)), lengths)
            held += ((key, value, mask) for key, value in zip(parts[::2], parts[1::2], strict=True))
        return held

    def _parts(self) -> Iterator[tuple[Tensor, tuple[int, ...]]]:
        """Yield the layers by the lengths of their rows. Views of many layers take hardly longer than those of one."""
        end = 0
        for lengths, layers in groupby(self._lengths):
            begin, end = end, end + len(list(layers))
            yield self._data[begin:end], lengths

    def store(self, layer: int, new: Tensor) -> None:
        """See `attention.Attention`."""
        cells, counts = self._cells[layer], self._layout.counts
        parts = [new] if len(cells) == 1 else new.split(1, 1) if counts is None else new.split(counts, 3)
        for cell, part in zip(cells, parts, strict=True):
            cell.copy_(part)

    def place(self, layer: int) -> tuple[Tensor, Tensor]:
        """See `attention.Attention`."""
        return self._data[layer], self._layout.starts[layer]

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `attention.Attention`."""
        if not self._methods:
            return self.attend_to_all(layer, query, scale)
        chosen = [None if reader.selector is None else reader.selector.select(layer) for reader in self._readers]
        return self.attend_by_methods(layer, query, scale, chosen)

    def attend_to_all(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """Attention `[B, N, H, D]` where nobody has methods."""
        if self._layout.counts is not None:
            return self.attend_by_methods(layer, query, scale, [None] * len(self._trees))
        return attention(query, *self._held[layer], scale)

    def attend_by_methods(self, layer: int, query: Tensor, scale: float, chosen: Sequence[Selection | None]) -> Tensor:
        """Attention `[B, N, H, D]` row by row, each to what is chosen of it; what pads a row's nodes answers zeros."""
        nodes = query.transpose(1, 2)
        every = nodes.flatten(0, 1)
        out = torch.zeros_like(every)
        for row, own in enumerate(self._layout.own):
            asked = every[own].transpose(0, 1)[None]
            out[own] = self._attend_row(layer, row, asked, scale, chosen[row])[0]
        return out.view(nodes.shape)

    def _attend_row(self, layer: int, row: int, query: Tensor, scale: float, chosen: Selection | None) -> Tensor:
        """Attention `[1, N, H, D]` of a row's own N nodes. It is shown to those who want it."""
        reader, end = self._readers[row], self._lengths[layer][row] + query.shape[2]
        key, value = self._data[layer][:, row : row + 1, :, :end].unbind(0)
        rows, mask = self._read_by(layer, row, chosen)
        if rows is not None:
            key, value = key.index_select(2, rows), value.index_select(2, rows)
            self.read[row][layer] = len(rows) - end + reader.places[layer].rows
        compressor = reader.compressor if reader.compressor and reader.compressor.needs_attention(layer) else None
        selector = reader.selector if chosen is None else None
        if compressor is None and selector is None:
            return attention(query, key, value, mask, scale)
        out, weights = weighed(query, key, value, mask, scale)
        if rows is not None:
            weights = weights.new_zeros(*weights.shape[:2], end).index_copy_(2, rows, weights)
        if compressor is not None:
            compressor.observe(layer, weights)
        if selector is not None:
            visual = reader.places[layer].visual
            seen = weights.mean(dim=0).index_select(1, visual.clamp_min(0))
            selector.observe(layer, seen.masked_fill(visual < 0, 0.0))
        return out

    def _read_by(self, layer: int, row: int, chosen: Selection | None) -> tuple[Tensor | None, Tensor | None]:
        """Return the positions that a row reads, `[R]` (None: all), and the mask of these, `[1, 1, N, R]`."""
        length = self._lengths[layer][row]
        places = self._readers[row].places[layer] if chosen is not None else None
        alike = row, length, chosen, places
        if alike in self._derived:
            return self._derived[alike]
        mask = self._mask([row], [length])
        rows = None
        if chosen is not None and places is not None:
            reads = chosen.reads[: len(self._trees[row])]
            tokens = (reads.any(dim=0) & (places.visual >= 0)).nonzero()[:, 0]
            new = torch.arange(places.rows, length + len(self._trees[row]), device=tokens.device)
            rows = torch.cat([places.text, places.visual[tokens], new])
            mask = None if mask is None else mask[..., rows]
            if mask is not None and len(reads) > 1:
                own = mask[0, 0, :, len(places.text) :]
                own[:, : len(tokens)].masked_fill_(~reads[:, tokens], -torch.inf)
        self._derived[alike] = rows, mask
        return rows, mask

    def _mask(self, rows: Sequence[int], lengths: Sequence[int]) -> Tensor | None:
        """Return what is added to the scores of rows of such lengths, `[B, 1, N, S]`; None where nodes read all. Where
        they are padding they read anything: no query is without a key. (Added it costs 10 % less than asked on a CPU.)
        """
        trees, far = [self._trees[row] for row in rows], [self._far[row] for row in rows]
        nodes, longest = max(map(len, trees)), max(lengths)
        if nodes == 1 and min(lengths) == longest and all(each is None for each in far):
            return None
        mask = self._data.new_zeros(len(trees), 1, nodes, longest + nodes)
        for own, tree, length, away in zip(mask[:, 0], trees, lengths, far, strict=True):
            end, new = length + len(tree), own[: len(tree)]
            new[:, end:] = -torch.inf
            new[:, length:end].masked_fill_(torch.from_numpy(~tree.ancestors()).to(mask.device), -torch.inf)
            if away is not None:
                new[:, end - away.shape[1] : end].masked_fill_(away.to(mask.device), -torch.inf)
        return mask


def out_of_window(window: int, written: int, tree: Tree) -> Tensor | None:
    """Return which of a row's last `written` tokens and of its N nodes each node is too far from to read, bool
    `[N, written + N]`: it reads the `window` last on its own path, itself among them. None where it is none of them.

    Ancestors count by their depths, so a node reads in a tree just what its token reads in plain decoding; nodes on
    other paths are the tree's own matter.
    """
    if written + max(tree.depths) < window:
        return None
    nodes = written + torch.tensor(tree.depths)
    places = torch.cat([torch.arange(written), nodes])
    return nodes[:, None] - places >= window
