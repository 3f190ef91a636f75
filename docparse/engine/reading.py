"""A pass in which methods have a say: they choose which rows a layer reads, and are shown its attention."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from docparse.engine.attention import attention
from docparse.engine.by_kernels import Listing, attend_listed
from docparse.engine.cache import KeyValueCache, Placement
from docparse.engine.packet import Packet
from docparse.engine.passes import TreeAttention, by_kernels
from docparse.engine.prompt import Prompt
from docparse.engine.seams import Compressor, Selection, Selector


@dataclass(frozen=True, eq=False)
class Places:
    """Where one layer's cache holds a prompt: `visual [V]` the row of each visual token, -1 where it was evicted;
    `text [T]` the rows of all other tokens; `rows` how many there are, on the device as `since [1]`. `whole`: nothing
    was evicted."""

    visual: Tensor
    text: Tensor
    rows: int
    whole: bool
    since: Tensor

    @classmethod
    def of(cls, prompt: Prompt, kept: Tensor | None = None) -> Places:
        """After all but the rows `kept [K]` were evicted; None: nothing was."""
        kept = torch.arange(len(prompt), device=prompt.visual.device) if kept is None else kept
        row = torch.full((len(prompt),), -1, device=kept.device)
        row[kept] = torch.arange(len(kept), device=kept.device)
        text = (~prompt.visual[kept]).nonzero()[:, 0]
        since = torch.tensor([len(kept)], device=kept.device)
        return cls(row[prompt.visual], text, len(kept), len(kept) == len(prompt), since)

    def of_tokens(self, tokens: Tensor) -> Tensor:
        """The rows `[K]` of visual tokens `[K]`; -1 for none, and for what was evicted."""
        return self.visual[tokens.clamp_min(0)].masked_fill(tokens < 0, -1)


@dataclass(frozen=True)
class Reader:
    """The methods of one row of the batch. `places` are those of each layer where there is a `selector`."""

    compressor: Compressor | None = None
    selector: Selector | None = None
    places: Sequence[Places] = ()

    @property
    def acts(self) -> bool:
        return self.compressor is not None or self.selector is not None


class SelectiveAttention(TreeAttention):
    """Of a tree in every row, `nodes[b]` of row b's own and the rest padding, with the methods of each row.

    Where kernels run, what is chosen stays on the device, and nothing is fetched from it before the pass is over.
    """

    def __init__(
        self,
        cache: KeyValueCache,
        placements: Sequence[Placement],
        packet: Packet,
        readers: Sequence[Reader],
        nodes: Sequence[int],
    ) -> None:
        super().__init__(cache, placements, packet)
        self.count = packet.nodes
        self._readers = readers
        self._nodes = nodes
        self._derived: dict[Hashable, tuple[Tensor, Tensor | None]] = {}
        self._read: list[list[int]] = [[] for _ in readers]
        self._absent: list[tuple[int, int, Tensor]] = []  # row, layer: how many of what was selected is not there

    @property
    def rows_read(self) -> list[list[int]]:
        """After the pass: `[b][l]` is how many committed rows layer l read for row b."""
        absent = torch.stack([count for _, _, count in self._absent]).tolist() if self._absent else []
        read = [list(layers) for layers in self._read]
        for (row, layer, _), count in zip(self._absent, absent, strict=True):
            read[row][layer] -= count
        return read

    def attend(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `lean.Attention`."""
        chosen = [None if each.selector is None else each.selector.select(layer) for each in self._readers]
        self._note(layer, chosen)
        if by_kernels(query) and not self._needs_weights(layer, chosen):
            return self._by_kernels(layer, chosen, query, scale).transpose(1, 2)
        key, value, mask = self.read(layer, query)
        if any(each is not None for each in chosen):
            index, mask = self._listed(layer, chosen, mask, key)
            key, value = (_gathered(slab, index) for slab in (key, value))
        watching = [_wants(each, layer) for each in self._readers]
        if not any(watching):
            return attention(query, key, value, mask, scale).transpose(1, 2)
        rows, heads, count, width = query.shape
        scores = scale * (query.reshape(rows, key.shape[1], -1, width) @ key.transpose(2, 3))
        scores = scores.view(rows, heads, count, -1)
        scores = scores if mask is None else scores + mask
        weights = scores.softmax(dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))
        for row in (row for row, watches in enumerate(watching) if watches):
            self._show(layer, row, chosen[row], weights[row])
        weights = weights.to(value.dtype).view(rows, key.shape[1], -1, key.shape[2])
        return (weights @ value).view(query.shape).transpose(1, 2)

    def _note(self, layer: int, chosen: Sequence[Selection | None]) -> None:
        for row, each in enumerate(chosen):
            length = self.placements[layer].lengths[row]
            if each is not None:
                places = self._readers[row].places[layer]
                length += len(places.text) + len(each.tokens) - places.rows
                if each.padded or not places.whole:
                    self._absent.append((row, layer, (places.of_tokens(each.tokens) < 0).sum()))
            self._read[row].append(length)

    def _needs_weights(self, layer: int, chosen: Sequence[Selection | None]) -> bool:
        """Whether somebody wants more of the attention than the kernels tell: the mean over heads of what reads all."""
        return any(
            (reader.compressor is not None and reader.compressor.wants(layer))
            or (reader.selector is not None and each is not None and reader.selector.wants(layer))
            for reader, each in zip(self._readers, chosen, strict=True)
        )

    def _by_kernels(self, layer: int, chosen: Sequence[Selection | None], query: Tensor, scale: float) -> Tensor:
        listed: list[Listing | None] = [None] * len(chosen)
        shown: list[Tensor | None] = [None] * len(chosen)
        for row, (reader, each) in enumerate(zip(self._readers, chosen, strict=True)):
            if reader.selector is not None:
                places = reader.places[layer]
                if each is not None:
                    rows = torch.cat([places.text, places.of_tokens(each.tokens)])
                    own = None if each.own is None else self._own(each.own, len(places.text), 0)
                    listed[row] = Listing(rows, places.since, own)
                shown[row] = places.visual if reader.selector.wants(layer) else None
        key, value = self._data[layer]
        out, shares = attend_listed(
            (query, key, value), self.packet.starts[layer], self.packet.tree, listed, shown, scale
        )
        for reader, nodes, share in zip(self._readers, self._nodes, shares, strict=True):
            if reader.selector is not None and share is not None:
                reader.selector.observe(layer, share[:nodes])
        return out

    def _listed(
        self, layer: int, chosen: Sequence[Selection | None], mask: Tensor | None, key: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Which rows `[B, M]` of the cache are read, and their mask; derived once for layers that read alike."""
        places = [each.places[layer] if each.places else None for each in self._readers]
        alike = (self.placements[layer], *chosen, *places)
        if alike not in self._derived:
            self._derived[alike] = self._derive(layer, chosen, mask, key)
        return self._derived[alike]

    def _derive(
        self, layer: int, chosen: Sequence[Selection | None], mask: Tensor | None, key: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        rows = [self._rows(layer, row, each, key.device) for row, each in enumerate(chosen)]
        most = max(map(len, rows))
        index = torch.stack([pad(each, (0, most - len(each)), value=-1) for each in rows])
        there = index >= 0
        index = index.clamp_min(0)
        whole = (each is None or self._readers[row].places[layer].whole for row, each in enumerate(chosen))
        if mask is not None:
            mask = mask.take_along_dim(index[:, None, None], dim=3)
        elif len(rows) > 1 or not all(whole) or any(each is not None and each.padded for each in chosen):
            mask = key.new_zeros(len(rows), 1, self.count, most)
        if mask is None:  # one token of one output, of which nothing was evicted: it reads all that is listed
            return index, None
        mask = mask.masked_fill(~there[:, None, None], -torch.inf)
        for row, each in enumerate(chosen):
            if each is not None and each.own is not None:
                text = len(self._readers[row].places[layer].text)
                own = self._own(each.own, text, most - text - len(each.tokens))
                mask[row, 0].masked_fill_(~own, -torch.inf)
        return index, mask

    def _rows(self, layer: int, row: int, chosen: Selection | None, device: torch.device) -> Tensor:
        """The rows `[M]` of the cache that a layer reads: text, chosen visual tokens (-1: evicted), what came since."""
        at = self.placements[layer]
        if chosen is None:
            return torch.arange(at.end, device=device)
        places = self._readers[row].places[layer]
        since = torch.arange(places.rows, at.lengths[row] + self.count, device=device)
        return torch.cat([places.text, places.of_tokens(chosen.tokens), since])

    def _own(self, own: Tensor, before: int, after: int) -> Tensor:
        """What each node reads of the chosen tokens, `[count, ...]`: with columns before and after that all of them
        read, and padding that reads everything."""
        return pad(own, (before, after, 0, self.count - len(own)), value=True)

    def _show(self, layer: int, row: int, chosen: Selection | None, weights: Tensor) -> None:
        """Attention `[H, N, M]` to those who asked: of the tree's own nodes, by visual token for a selector."""
        reader, nodes = self._readers[row], self._nodes[row]
        weights = weights[:, :nodes]
        if reader.compressor is not None and reader.compressor.wants(layer):
            reader.compressor.observe(layer, weights[:, :, : self.placements[layer].lengths[row] + nodes])
        if reader.selector is not None and reader.selector.wants(layer):
            places = reader.places[layer]
            column = places.visual
            if chosen is not None:
                column = torch.full_like(column, -1)
                place = torch.arange(len(chosen.tokens), device=column.device) + len(places.text)
                column[chosen.tokens[chosen.tokens >= 0]] = place[chosen.tokens >= 0]
                column.masked_fill_(places.visual < 0, -1)
            seen = weights.mean(dim=0).index_select(1, column.clamp_min(0))
            reader.selector.observe(layer, seen.masked_fill(column < 0, 0.0))


def _gathered(slab: Tensor, index: Tensor) -> Tensor:
    """The rows `index [B, M]` of keys or values `[B, KV, S, D]`; of a batch of one they are copied only once."""
    if len(slab) == 1:
        return slab.index_select(2, index[0])
    return torch.stack([one.index_select(1, which) for one, which in zip(slab, index, strict=True)])


def _wants(reader: Reader, layer: int) -> bool:
    asked = (each for each in (reader.compressor, reader.selector) if each is not None)
    return any([each.wants(layer) for each in asked])
