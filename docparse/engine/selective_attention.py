"""A pass in which methods have a say: they choose which rows a layer reads, and are shown its attention."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import pad

from docparse.engine.cache import KeyValueCache, Placement
from docparse.engine.hooks import Compressor, Selection, Selector
from docparse.engine.kernel_attention import ListedRows, attend_listed, reads_of
from docparse.engine.packet import Packet
from docparse.engine.passes import TreeAttention
from docparse.engine.prompt import Prompt
from docparse.kernels.reads import Reads


@dataclass(frozen=True, eq=False)
class PromptRows:
    """Where one layer's cache holds a prompt: `visual [V]` the row of each visual token, -1 where it was evicted;
    `text [T]` the rows of all other tokens; `rows` how many there are, on the device as `since [1]`. `whole`: nothing
    was evicted."""

    visual: Tensor
    text: Tensor
    rows: int
    whole: bool
    since: Tensor

    @classmethod
    def of(cls, prompt: Prompt, kept: Tensor | None = None) -> PromptRows:
        """After all but the rows `kept [K]` were evicted; None: nothing was."""
        kept = torch.arange(len(prompt), device=prompt.visual.device) if kept is None else kept
        row = torch.full((len(prompt),), -1, device=kept.device)
        row[kept] = torch.arange(len(kept), device=kept.device)
        text = (~prompt.visual[kept]).nonzero()[:, 0]
        since = torch.tensor([len(kept)], device=kept.device)
        return cls(row[prompt.visual], text, len(kept), len(kept) == len(prompt), since)

    def of_tokens(self, tokens: Tensor) -> Tensor:
        """Return the rows `[K]` of visual tokens `[K]`; -1 for none, and for what was evicted."""
        return self.visual[tokens.clamp_min(0)].masked_fill(tokens < 0, -1)


@dataclass(frozen=True)
class RowMethods:
    """The methods of one row of the batch. `places` are those of each layer where there is a `selector`; `first` is the
    position of the first token that the row writes."""

    compressor: Compressor | None = None
    selector: Selector | None = None
    places: Sequence[PromptRows] = ()
    first: int = 0

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
        readers: Sequence[RowMethods],
        nodes: Sequence[int],
        far: Sequence[Tensor | None] = (),
    ) -> None:
        super().__init__(cache, placements, packet, far)
        self._readers = readers
        self._nodes = nodes
        self._derived: dict[Hashable, Reads] = {}
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
        evicts = [each.compressor is not None and each.compressor.needs_attention(layer) for each in self._readers]
        looks = [each.selector is not None and each.selector.needs_attention(layer) for each in self._readers]
        if not any(evicts) and not any(looks) and all(each is None for each in chosen):
            return super().attend(layer, query, scale)
        chooses = (look and each is not None for look, each in zip(looks, chosen, strict=True))
        if any(evicts) or any(chooses):
            return self._with_weights(layer, chosen, query, scale).transpose(1, 2)
        (key, value), _ = self._places[layer]
        shown = [each.places[layer].visual if look else None for each, look in zip(self._readers, looks, strict=True)]
        out, shares = attend_listed((query, key, value), self._reads(layer, chosen), shown, scale)
        for reader, nodes, share in zip(self._readers, self._nodes, shares, strict=True):
            if reader.selector is not None and share is not None:
                reader.selector.observe(layer, share[:nodes])
        return out.transpose(1, 2)

    def _note(self, layer: int, chosen: Sequence[Selection | None]) -> None:
        for row, each in enumerate(chosen):
            length = self.placements[layer].lengths[row]
            if each is not None:
                places = self._readers[row].places[layer]
                length += len(places.text) + len(each.tokens) - places.rows
                if each.padded or not places.whole:
                    self._absent.append((row, layer, (places.of_tokens(each.tokens) < 0).sum()))
            self._read[row].append(length)

    def _reads(self, layer: int, chosen: Sequence[Selection | None]) -> Reads:
        """What every row reads; derived once for layers that read alike."""
        places = [each.places[layer] if each.places else None for each in self._readers]
        alike = (self.placements[layer], *chosen, *places)
        if alike not in self._derived:
            pairs = zip(chosen, places, strict=True)
            listed = [None if one is None or at is None else self._listing(one, at) for one, at in pairs]
            self._derived[alike] = reads_of(listed, self._places[layer][1], self.packet.tree)
        return self._derived[alike]

    def _listing(self, chosen: Selection, places: PromptRows) -> ListedRows:
        rows = torch.cat([places.text, places.of_tokens(chosen.tokens)])
        own = None if chosen.own is None else self._own(chosen.own, len(places.text))
        return ListedRows(rows, places.since, own)

    def _own(self, own: Tensor, before: int = 0) -> Tensor:
        """What each node reads of the chosen tokens, `[count, ...]`: with columns before that all of them read, and
        padding that reads everything."""
        return pad(own, (before, 0, 0, self.packet.nodes - len(own)), value=True)

    def _with_weights(self, layer: int, chosen: Sequence[Selection | None], query: Tensor, scale: float) -> Tensor:
        """Attention by way of all its weights, where somebody wants more of them than the kernels tell: the mean over
        heads of what reads everything."""
        key, value, mask = self.read(layer, query)
        rows, heads, count, width = query.shape
        scores = scale * (query.reshape(rows, key.shape[1], -1, width) @ key.transpose(2, 3))
        scores = scores.view(rows, heads, count, -1)
        scores = scores if mask is None else scores + mask
        for row, each in enumerate(chosen):
            if each is not None:
                hidden = self._hidden(each, self._readers[row].places[layer], key.shape[2])
                scores[row].masked_fill_(hidden, -torch.inf)
        weights = scores.softmax(dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))
        for row, reader in enumerate(self._readers):
            self._show(layer, row, reader, weights[row, :, : self._nodes[row]])
        weights = weights.to(value.dtype).view(rows, key.shape[1], -1, key.shape[2])
        return (weights @ value).view(query.shape)

    def _hidden(self, chosen: Selection, places: PromptRows, end: int) -> Tensor:
        """Which of `end` rows each node does not read, `[count, end]`, for what it was not told to."""
        hidden = places.text.new_zeros(self.packet.nodes, end, dtype=torch.bool)
        hidden[:, : places.rows] = True
        hidden[:, places.text] = False
        rows = places.of_tokens(chosen.tokens)
        there = rows >= 0
        hidden[:, rows[there]] = False if chosen.own is None else ~self._own(chosen.own)[:, there]
        return hidden

    def _show(self, layer: int, row: int, reader: RowMethods, weights: Tensor) -> None:
        """Attention `[H, N, S]` of a tree's own nodes to those who want it; by visual token for a selector."""
        if reader.compressor is not None and reader.compressor.needs_attention(layer):
            end = self.placements[layer].lengths[row] + self._nodes[row]
            reader.compressor.observe(layer, weights[:, :, :end])
        if reader.selector is not None and reader.selector.needs_attention(layer):
            visual = reader.places[layer].visual
            seen = weights.mean(dim=0).index_select(1, visual.clamp_min(0))
            reader.selector.observe(layer, seen.masked_fill(visual < 0, 0.0))
