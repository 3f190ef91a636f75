"""Attention of trees of new tokens: every node reads what its row's cache holds, and its ancestors."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, repeat

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from docparse.engine.attention import Attention, attention
from docparse.engine.cache import KeyValueCache
from docparse.engine.hooks import RowMethods, Selection
from docparse.engine.packet import Packet
from docparse.engine.prompt import PromptRows
from docparse.engine.tree import Tree
from docparse.kernels.decode_attention import Reads, decode_attention, weights
from docparse.kernels.focal_attention import focal_attention

Held = tuple[Tensor, Tensor, Tensor | None]  # keys and values `[B, KV, S, D]`, and what is added to the scores


class TreeAttention(Attention):
    """Attention of a tree in every row: each node reads all that is committed and its ancestors. `unread` says by row
    and layer, `[1]`, how many of the prompt's rows were not read, where a part was to be."""

    def __init__(self, cache: KeyValueCache, layout: Packet, trees: Sequence[Tree]) -> None:
        super().__init__(cache.data.narrow(2, 0, cache.rows), layout.starts)
        self.shared, self._rooms, self._flat = layout.shared, layout.rooms, len(layout.tokens) < len(trees)
        self._trees, self._lengths = trees, list(map(tuple, cache.lengths.tolist()))
        self.unread: dict[tuple[int, int], Tensor] = {}

    @cached_property
    def _cells(self) -> list[Sequence[Tensor]]:
        """Return for each layer where each row's new keys and values go."""
        cells: list[Sequence[Tensor]] = []
        for part, lengths in self._parts():
            rows = zip(part.split(1, 2), lengths, self._rooms, strict=True)
            cells += zip(*(row.narrow(4, start, size).unbind(0) for row, start, size in rows), strict=True)
        return cells

    def _parts(self) -> Iterator[tuple[Tensor, tuple[int, ...]]]:
        """Yield the layers by the lengths of their rows. Views of many layers take hardly longer than those of one."""
        end = 0
        for lengths, layers in groupby(self._lengths):
            begin, end = end, end + len(list(layers))
            yield self.data[begin:end], lengths

    def store(self, layer: int, new: Tensor) -> None:
        cells = self._cells[layer]
        parts = [new] if len(cells) == 1 else new.split(self._rooms, 3) if self._flat else new.split(1, 1)
        for cell, part in zip(cells, parts, strict=True):
            cell.copy_(part)


class MaskedAttention(TreeAttention):
    """Torch reads everything but what is `far`, out of the model's window (`out_of_window`): of all rows at once where
    as many nodes are laid out for each, which on a CPU takes two thirds to a quarter of the time."""

    def __init__(
        self, cache: KeyValueCache, layout: Packet, trees: Sequence[Tree], far: Sequence[Tensor | None]
    ) -> None:
        super().__init__(cache, layout, trees)
        self._far = far

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        held = self._held[layer]
        if len(held) == 1:
            return attention(query, *held[0], scale)
        parts = zip(query.split(self._rooms, 2), held, strict=True)
        return torch.cat([attention(asked, *each, scale) for asked, each in parts], 1)

    @cached_property
    def _held(self) -> list[Sequence[Held]]:
        """Return for each layer what the rows read that are computed together: each by itself, or all of them."""
        rows = range(len(self._trees))
        groups = [[row] for row in rows] if self._flat else [list(rows)]
        held: list[Sequence[Held]] = []
        for part, lengths in self._parts():
            views = []
            for group in groups:
                longest = max(lengths[row] + self._rooms[row] for row in group)
                halves = part[:, :, group[0] : group[-1] + 1].flatten(0, 1).narrow(3, 0, longest).unbind(0)
                views.append(list(zip(halves[::2], halves[1::2], repeat(self._mask(group, lengths)), strict=False)))
            held += zip(*views, strict=True)
        return held

    def _mask(self, rows: Sequence[int], lengths: Sequence[int]) -> Tensor | None:
        """Return what is added to the scores of these rows, `[B, 1, N, S]`; None where nodes read all. Where they are
        padding they read anything: no query is without a key. (Added it costs 10 % less than asked on a CPU.)"""
        nodes, longest = max(self._rooms[row] for row in rows), max(lengths[row] for row in rows)
        if nodes == 1 and all(lengths[row] == longest and self._far[row] is None for row in rows):
            return None
        mask = self.data.new_zeros(len(rows), 1, nodes, longest + nodes)
        for own, row in zip(mask[:, 0], rows, strict=True):
            tree, length, far = self._trees[row], lengths[row], self._far[row]
            end, new = length + len(tree), own[: len(tree)]
            new[:, end:] = -torch.inf
            new[:, length:end].masked_fill_(torch.from_numpy(~tree.ancestors()).to(mask.device), -torch.inf)
            if far is not None:
                new[:, end - far.shape[1] : end].masked_fill_(far.to(mask.device), -torch.inf)
        return mask


class ListedAttention(TreeAttention):
    """What is read is listed, and read where it lies (`Reads`): where methods choose, and where kernels run. Without
    methods a pass depends on the memory of the packet and of the cache alone, and can be captured."""

    def __init__(
        self, cache: KeyValueCache, layout: Packet, trees: Sequence[Tree], readers: Sequence[RowMethods]
    ) -> None:
        super().__init__(cache, layout, trees)
        self._readers, self._tree, self._shape = readers, layout.tree, layout.tokens.shape
        self._selectors = {row: each.selector for row, each in enumerate(readers) if each.selector is not None}
        self._listings: dict[Hashable, tuple[Reads, dict[int, Tensor]]] = {}  # of layers that read alike

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        key, value = self.data[layer]
        chosen = {row: selector.select(layer) for row, selector in self._selectors.items()}
        reads = self._reads(layer, {row: part for row, part in chosen.items() if part is not None})
        self._show_heads(layer, query, key, reads, scale)
        shown = [row for row, part in chosen.items() if part is None]
        if not shown:
            return decode_attention(query, key, value, reads, scale).transpose(1, 2)
        visual = [self.starts.new_empty(0)] * len(self._readers)
        for row in shown:
            visual[row] = self._readers[row].places[layer].visual
        out, shares = focal_attention(query, key, value, reads, padded(visual), scale)
        for row in shown:
            self._selectors[row].observe(layer, shares[row, :, : len(visual[row])])
        return out.transpose(1, 2)

    def _show_heads(self, layer: int, query: Tensor, key: Tensor, reads: Reads, scale: float) -> None:
        """Show the weights of every head to the compressors that want them; they read everything."""
        watching = [(row, each.observer) for row, each in enumerate(self._readers) if each.observer is not None]
        if not watching:
            return
        every, before = weights(query, key, reads, scale)[0], 0 if reads.rows is None else reads.rows.shape[1]
        for row, observer in watching:
            nodes, own = len(self._trees[row]), every[row].view(*query.shape[1:3], -1)
            observer.observe(layer, own[:, :nodes, before : before + self._lengths[layer][row] + nodes])

    def _reads(self, layer: int, parts: Mapping[int, Selection]) -> Reads:
        """Return what is read of a layer, by some rows a part; and note how many of the prompt's rows that leaves."""
        starts = self.starts[layer]
        if not parts:
            return Reads(None, None, starts, self._tree)
        alike = tuple((row, part, self._readers[row].places[layer]) for row, part in parts.items())
        if alike not in self._listings:
            self._listings[alike] = self._listing(alike)
        reads, unread = self._listings[alike]
        self.unread |= {(row, layer): count for row, count in unread.items()}
        return reads._replace(starts=starts)

    def _listing(self, parts: Sequence[tuple[int, Selection, PromptRows]]) -> tuple[Reads, dict[int, Tensor]]:
        """Return the rows that are listed of every row of the batch, none where everything is read, and how many are
        left out."""
        starts, tree, count = self.starts[0], self._tree, len(self._readers)
        since, rows = [starts.new_zeros(1)] * count, [starts.new_empty(0)] * count
        unread, own = dict[int, Tensor](), dict[int, tuple[slice, Tensor]]()
        for row, each, at in parts:
            nodes, apart = each.reads, len(each.reads) > 1
            if apart and tree is not None:  # what pads a row's tree does not read its root, and lists nothing
                nodes = nodes & tree[row, :, :1]
            marked = nodes.any(dim=0)  # those first, without asking the device how many they are; the rest is -1
            tokens = marked.byte().argsort(descending=True, stable=True)[: each.most]
            visual = at.visual[tokens].masked_fill(~marked[tokens], -1)
            rows[row], since[row] = torch.cat([at.text, visual]), at.since
            unread[row] = at.since - (rows[row] >= 0).sum()
            if apart:
                own[row] = slice(len(at.text), len(rows[row])), nodes[:, tokens]
        listed = padded(rows)
        reads = Reads(listed, torch.cat(since), starts, tree)
        if own:
            masks = listed.new_ones(*self._shape, listed.shape[1], dtype=torch.bool)
            for row, (where, mask) in own.items():
                masks[row, :, where] = mask
            reads = reads._replace(own=masks)
        return reads, unread


def padded(rows: Sequence[Tensor]) -> Tensor:
    """Return lists `[B, R]`, -1 behind the shorter ones."""
    return pad_sequence(list(rows), batch_first=True, padding_value=-1)


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
