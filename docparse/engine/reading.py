"""What the layers of a decode pass read where methods have a say: rows are chosen, attention is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from docparse.engine.by_kernels import KernelPass, suits
from docparse.engine.cache import Placement
from docparse.engine.prompt import Prompt
from docparse.engine.seams import Compressor, Selector


@dataclass(frozen=True)
class Places:
    """Where one layer's cache holds a prompt: `visual [V]` the row of each visual token, -1 where it was evicted;
    `text [T]` the rows of all other tokens; `rows` how many there are."""

    visual: Tensor
    text: Tensor
    rows: int

    @classmethod
    def of(cls, prompt: Prompt, kept: Tensor | None = None) -> Places:
        """After all but the rows `kept [K]` were evicted; None: nothing was."""
        kept = torch.arange(len(prompt), device=prompt.visual.device) if kept is None else kept
        row = torch.full((len(prompt),), -1, device=kept.device)
        row[kept] = torch.arange(len(kept), device=kept.device)
        return cls(row[prompt.visual], (~prompt.visual[kept]).nonzero()[:, 0], len(kept))


@dataclass(frozen=True)
class Reader:
    """The methods of one row of the batch. `places` are those of each layer where there is a `selector`."""

    compressor: Compressor | None = None
    selector: Selector | None = None
    places: Sequence[Places] = ()

    @property
    def acts(self) -> bool:
        return self.compressor is not None or self.selector is not None


class Reading:
    """One pass over a tree per row, `nodes[b]` of row b's own and padding to `count`.

    `ancestors [B, N, N]` is each row's tree mask, None for a pass of one token per row; `read[b][l]` is afterwards how
    many committed rows layer l was told to read for row b.
    """

    def __init__(
        self,
        readers: Sequence[Reader],
        placements: Sequence[Placement],
        nodes: Sequence[int],
        count: int,
        ancestors: Tensor | None = None,
    ) -> None:
        self._readers = readers
        self._placements = placements
        self._nodes = nodes
        self._count = count
        self._kernels = KernelPass(ancestors)
        self.read: list[list[int]] = [[] for _ in readers]

    def attend(
        self, layer: int, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None, scale: float
    ) -> Tensor:
        """Attention `[B, KV, G * N, D]` of folded queries of that shape over keys and values `[B, KV, S, D]`, whose
        mask is `bias [B, 1, G * N, S]`; None: every query reads all the keys."""
        chosen = [None if each.selector is None else each.selector.select(layer) for each in self._readers]
        self._note(layer, chosen)
        watching = [_wants(each, layer) for each in self._readers]
        if suits(query) and not self._needs_weights(layer, chosen):
            return self._by_kernels(layer, chosen, (query, key, value), scale)
        if any(each is not None for each in chosen):
            key, value, bias = self._gathered(layer, chosen, key, value, bias)
        if not any(watching):
            return scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=scale)
        logits = scale * (query @ key.transpose(2, 3))
        logits = logits if bias is None else logits + bias
        weights = logits.softmax(dim=-1, dtype=torch.promote_types(logits.dtype, torch.float32))
        for row, watched in enumerate(watching):
            if watched:
                self._show(layer, row, chosen[row], weights[row])
        return weights.to(value.dtype) @ value

    def _note(self, layer: int, chosen: Sequence[Tensor | None]) -> None:
        for row, each in enumerate(chosen):
            length = self._placements[layer].lengths[row]
            if each is not None:
                places = self._readers[row].places[layer]
                length += len(places.text) + len(each) - places.rows
            self.read[row].append(length)

    def _needs_weights(self, layer: int, chosen: Sequence[Tensor | None]) -> bool:
        """Whether somebody wants more of the attention than the kernels tell: the mean over heads of what reads all."""
        return any(
            (reader.compressor is not None and reader.compressor.wants(layer))
            or (reader.selector is not None and each is not None and reader.selector.wants(layer))
            for reader, each in zip(self._readers, chosen, strict=True)
        )

    def _by_kernels(
        self, layer: int, chosen: Sequence[Tensor | None], folded: tuple[Tensor, Tensor, Tensor], scale: float
    ) -> Tensor:
        listed: list[tuple[Tensor, int] | None] = [None] * len(chosen)
        shown: list[Tensor | None] = [None] * len(chosen)
        for row, (reader, each) in enumerate(zip(self._readers, chosen, strict=True)):
            if reader.selector is not None:
                places = reader.places[layer]
                listed[row] = None if each is None else (torch.cat([places.text, places.visual[each]]), places.rows)
                shown[row] = places.visual if reader.selector.wants(layer) else None
        out, shares = self._kernels.attend(self._placements[layer], listed, shown, folded, scale)
        for reader, nodes, share in zip(self._readers, self._nodes, shares, strict=True):
            if reader.selector is not None and share is not None:
                reader.selector.observe(layer, share[:nodes])
        return out

    def _gathered(
        self, layer: int, chosen: Sequence[Tensor | None], key: Tensor, value: Tensor, bias: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """The keys and values that the rows read, side by side, and their mask."""
        rows = [self._rows(layer, row, each, key) for row, each in enumerate(chosen)]
        most = max(map(len, rows))
        index = torch.stack([pad(each, (0, most - len(each)), value=-1) for each in rows])
        there = index >= 0
        index = index.clamp_min(0)
        if bias is None:
            bias = key.new_zeros(len(rows), 1, 1, most)
        else:
            bias = bias.take_along_dim(index[:, None, None], dim=3)
        bias = bias.masked_fill(~there[:, None, None], -torch.inf)
        key, value = (
            torch.stack([one.index_select(1, which) for one, which in zip(slab, index, strict=True)])
            for slab in (key, value)
        )
        return key, value, bias

    def _rows(self, layer: int, row: int, chosen: Tensor | None, key: Tensor) -> Tensor:
        """The rows `[M]` of the cache that a layer reads: text, chosen visual tokens (-1: evicted), what came since."""
        at = self._placements[layer]
        if chosen is None:
            return torch.arange(at.end, device=key.device)
        places = self._readers[row].places[layer]
        since = torch.arange(places.rows, at.lengths[row] + self._count, device=key.device)
        return torch.cat([places.text, places.visual[chosen], since])

    def _show(self, layer: int, row: int, chosen: Tensor | None, weights: Tensor) -> None:
        """Attention `[KV, G * N, M]` to those who asked: of the tree's own nodes, by visual token for a selector."""
        reader, nodes = self._readers[row], self._nodes[row]
        weights = weights.reshape(-1, self._count, weights.shape[-1])[:, :nodes]
        if reader.compressor is not None and reader.compressor.wants(layer):
            reader.compressor.observe(layer, weights[:, :, : self._placements[layer].lengths[row] + nodes])
        if reader.selector is not None and reader.selector.wants(layer):
            places = reader.places[layer]
            column = places.visual
            if chosen is not None:
                column = torch.full_like(column, -1)
                column[chosen] = torch.arange(len(chosen), device=column.device) + len(places.text)
                column.masked_fill_(places.visual < 0, -1)
            seen = weights.mean(dim=0)[:, column.clamp_min(0)]
            reader.selector.observe(layer, seen.masked_fill(column < 0, 0.0))


def _wants(reader: Reader, layer: int) -> bool:
    asked = (each for each in (reader.compressor, reader.selector) if each is not None)
    return any([each.wants(layer) for each in asked])
