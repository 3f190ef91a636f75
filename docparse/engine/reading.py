"""What the layers of a decode pass read where methods have a say: rows are chosen, attention is shown."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from docparse.engine.attention import attention
from docparse.engine.by_kernels import KernelPass, Listing
from docparse.engine.cache import Placement
from docparse.engine.prompt import Prompt
from docparse.engine.seams import Compressor, Selection, Selector


@dataclass(frozen=True, eq=False)
class Places:
    """Where one layer's cache holds a prompt: `visual [V]` the row of each visual token, -1 where it was evicted;
    `text [T]` the rows of all other tokens; `rows` how many there are. `whole`: nothing was evicted."""

    visual: Tensor
    text: Tensor
    rows: int
    whole: bool

    @classmethod
    def of(cls, prompt: Prompt, kept: Tensor | None = None) -> Places:
        """After all but the rows `kept [K]` were evicted; None: nothing was."""
        kept = torch.arange(len(prompt), device=prompt.visual.device) if kept is None else kept
        row = torch.full((len(prompt),), -1, device=kept.device)
        row[kept] = torch.arange(len(kept), device=kept.device)
        text = (~prompt.visual[kept]).nonzero()[:, 0]
        return cls(row[prompt.visual], text, len(kept), len(kept) == len(prompt))


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
    """One pass over a tree per row, `nodes[b]` of row b's own and padding to `count`."""

    def __init__(
        self,
        readers: Sequence[Reader],
        placements: Sequence[Placement],
        nodes: Sequence[int],
        count: int,
    ) -> None:
        self._readers = readers
        self._placements = placements
        self._nodes = nodes
        self._count = count
        self._derived: dict[Hashable, tuple[Tensor, Tensor | None]] = {}
        self._read: list[list[int]] = [[] for _ in readers]
        self._evicted: list[tuple[int, int, Tensor]] = []  # row, layer: how many of what was selected is gone

    @property
    def read(self) -> list[list[int]]:
        """After the pass: `read[b][l]` is how many committed rows layer l read for row b."""
        gone = torch.stack([count for _, _, count in self._evicted]).tolist() if self._evicted else []
        read = [list(layers) for layers in self._read]
        for (row, layer, _), count in zip(self._evicted, gone, strict=True):
            read[row][layer] -= count
        return read

    def choose(self, layer: int) -> list[Selection | None]:
        """Ask every row's selector what this layer reads; None: everything."""
        chosen = [None if each.selector is None else each.selector.select(layer) for each in self._readers]
        self._note(layer, chosen)
        return chosen

    def attend(
        self,
        layer: int,
        chosen: Sequence[Selection | None],
        states: tuple[Tensor, Tensor, Tensor],
        mask: Tensor | None,
        scale: float,
    ) -> Tensor:
        """Attention `[B, H, N, D]` of queries of that shape over keys and values `[B, KV, S, D]`, to whose scores
        `mask [B, 1, N, S]` is added; None: every query reads all the keys."""
        query, key, value = states
        if any(each is not None for each in chosen):
            index, mask = self._listed(layer, chosen, mask, key)
            key, value = (_gathered(slab, index) for slab in (key, value))
        if not any([_wants(each, layer) for each in self._readers]):
            return attention(query, key, value, mask, scale)
        rows, heads, count, width = query.shape
        scores = scale * (query.reshape(rows, key.shape[1], -1, width) @ key.transpose(2, 3))
        scores = scores.view(rows, heads, count, -1)
        scores = scores if mask is None else scores + mask
        weights = scores.softmax(dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))
        for row, reader in enumerate(self._readers):
            if _wants(reader, layer):
                self._show(layer, row, chosen[row], weights[row])
        weights = weights.to(value.dtype).view(rows, key.shape[1], -1, key.shape[2])
        return (weights @ value).view(query.shape)

    def _note(self, layer: int, chosen: Sequence[Selection | None]) -> None:
        for row, each in enumerate(chosen):
            length = self._placements[layer].lengths[row]
            if each is not None:
                places = self._readers[row].places[layer]
                length += len(places.text) + len(each.tokens) - places.rows
                if not places.whole:
                    self._evicted.append((row, layer, (places.visual[each.tokens] < 0).sum()))
            self._read[row].append(length)

    def needs_weights(self, layer: int, chosen: Sequence[Selection | None]) -> bool:
        """Whether somebody wants more of the attention than the kernels tell: the mean over heads of what reads all."""
        return any(
            (reader.compressor is not None and reader.compressor.wants(layer))
            or (reader.selector is not None and each is not None and reader.selector.wants(layer))
            for reader, each in zip(self._readers, chosen, strict=True)
        )

    def by_kernels(
        self,
        kernels: KernelPass,
        layer: int,
        chosen: Sequence[Selection | None],
        states: tuple[Tensor, Tensor, Tensor],
        scale: float,
    ) -> Tensor:
        """The same, by kernels that read chosen rows where they lie."""
        listed: list[Listing | None] = [None] * len(chosen)
        shown: list[Tensor | None] = [None] * len(chosen)
        for row, (reader, each) in enumerate(zip(self._readers, chosen, strict=True)):
            if reader.selector is not None:
                places = reader.places[layer]
                if each is not None:
                    rows = torch.cat([places.text, places.visual[each.tokens]])
                    own = None if each.own is None else self._own(each.own, len(places.text), 0)
                    listed[row] = Listing(rows, places.rows, own)
                shown[row] = places.visual if reader.selector.wants(layer) else None
        out, shares = kernels.attend(self._placements[layer], listed, shown, states, scale)
        for reader, nodes, share in zip(self._readers, self._nodes, shares, strict=True):
            if reader.selector is not None and share is not None:
                reader.selector.observe(layer, share[:nodes])
        return out

    def _listed(
        self, layer: int, chosen: Sequence[Selection | None], bias: Tensor | None, key: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Which rows `[B, M]` of the cache are read, and their mask; derived once for layers that read alike."""
        places = [each.places[layer] if each.places else None for each in self._readers]
        alike = (self._placements[layer], *chosen, *places)
        if alike not in self._derived:
            self._derived[alike] = self._derive(layer, chosen, bias, key)
        return self._derived[alike]

    def _derive(
        self, layer: int, chosen: Sequence[Selection | None], bias: Tensor | None, key: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        rows = [self._rows(layer, row, each, key.device) for row, each in enumerate(chosen)]
        most = max(map(len, rows))
        index = torch.stack([pad(each, (0, most - len(each)), value=-1) for each in rows])
        there = index >= 0
        index = index.clamp_min(0)
        if bias is not None:
            bias = bias.take_along_dim(index[:, None, None], dim=3)
        elif len(rows) > 1 or any(each is not None and not self._readers[0].places[layer].whole for each in chosen):
            bias = key.new_zeros(len(rows), 1, self._count, most)
        if bias is None:  # one token of one output, of which nothing was evicted: it reads all that is listed
            return index, None
        bias = bias.masked_fill(~there[:, None, None], -torch.inf)
        for row, each in enumerate(chosen):
            if each is not None and each.own is not None:
                text = len(self._readers[row].places[layer].text)
                own = self._own(each.own, text, most - text - len(each.tokens))
                bias[row, 0].masked_fill_(~own, -torch.inf)
        return index, bias

    def _rows(self, layer: int, row: int, chosen: Selection | None, device: torch.device) -> Tensor:
        """The rows `[M]` of the cache that a layer reads: text, chosen visual tokens (-1: evicted), what came since."""
        at = self._placements[layer]
        if chosen is None:
            return torch.arange(at.end, device=device)
        places = self._readers[row].places[layer]
        since = torch.arange(places.rows, at.lengths[row] + self._count, device=device)
        return torch.cat([places.text, places.visual[chosen.tokens], since])

    def _own(self, own: Tensor, before: int, after: int) -> Tensor:
        """What each node reads of the chosen tokens, `[count, ...]`: with columns before and after that all of them
        read, and padding that reads everything."""
        return pad(own, (before, after, 0, self._count - len(own)), value=True)

    def _show(self, layer: int, row: int, chosen: Selection | None, weights: Tensor) -> None:
        """Attention `[H, N, M]` to those who asked: of the tree's own nodes, by visual token for a selector."""
        reader, nodes = self._readers[row], self._nodes[row]
        weights = weights[:, :nodes]
        if reader.compressor is not None and reader.compressor.wants(layer):
            reader.compressor.observe(layer, weights[:, :, : self._placements[layer].lengths[row] + nodes])
        if reader.selector is not None and reader.selector.wants(layer):
            places = reader.places[layer]
            column = places.visual
            if chosen is not None:
                column = torch.full_like(column, -1)
                column[chosen.tokens] = torch.arange(len(chosen.tokens), device=column.device) + len(places.text)
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
