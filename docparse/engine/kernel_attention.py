"""Attention of trees by kernels: all rows at once, chosen rows read where they lie, and of the attention only what was
asked for written. Nothing is fetched from the device before the pass is over."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from docparse.engine.hooks import Selection
from docparse.engine.prompt import PromptRows
from docparse.engine.tree_attention import TreeAttention
from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.reads import Reads


class KernelAttention(TreeAttention):
    """The same attention. What the kernels do not know (a model's window, the weights of every head, or of a layer that
    reads a part only) is computed without them."""

    def attend_to_all(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `TreeAttention`. It depends on the memory of the packet and of the cache alone: it can be captured."""
        if any(each is not None for each in self._far):
            return super().attend_to_all(layer, query, scale)
        slab, starts = self.place(layer)
        return decode_attention(query, *slab, self._full(starts), scale).transpose(1, 2)

    def attend_by_methods(self, layer: int, query: Tensor, scale: float, chosen: Sequence[Selection | None]) -> Tensor:
        """See `TreeAttention`. It can be captured where the hooks of every row's methods can."""
        watched = (each.compressor is not None and each.compressor.needs_attention(layer) for each in self._readers)
        if any(each is not None for each in self._far) or any(watched):
            return super().attend_by_methods(layer, query, scale, chosen)
        slab, starts = self.place(layer)
        reads = self._reads(layer, chosen)._replace(starts=starts)
        shown = {
            row: reader.selector
            for row, (reader, each) in enumerate(zip(self._readers, chosen, strict=True))
            if reader.selector is not None and each is None
        }
        if not shown:
            return decode_attention(query, *slab, reads, scale).transpose(1, 2)
        none = starts.new_empty(0)
        visual = [each.places[layer].visual if row in shown else none for row, each in enumerate(self._readers)]
        out, shares = focal_attention(query, *slab, reads, padded(visual), scale)
        for row, selector in shown.items():
            selector.observe(layer, shares[row, :, : len(visual[row])])
        return out.transpose(1, 2)

    def _full(self, starts: Tensor) -> Reads:
        return Reads(None, None, starts, self._layout.tree)

    def _real(self, row: int) -> Tensor | None:
        """Return which nodes do not pad the row's tree: those that read its root."""
        return None if self._layout.tree is None else self._layout.tree[row, :, 0]

    def _reads(self, layer: int, chosen: Sequence[Selection | None]) -> Reads:
        """Return what every row reads of a layer; and note how many of the prompt's rows that is."""
        if all(each is None for each in chosen):
            return self._full(self._layout.starts[layer])
        places = [reader.places[layer] if reader.places else None for reader in self._readers]
        alike = *chosen, *places
        if alike not in self._derived:
            self._derived[alike] = self._listing(chosen, places)
        reads, counts = self._derived[alike]
        for read, count in zip(self.read, counts, strict=True):
            if count is not None:
                read[layer] = count
        return reads

    def _listing(
        self, chosen: Sequence[Selection | None], places: Sequence[PromptRows | None]
    ) -> tuple[Reads, list[Tensor | None]]:
        """Return the rows that are listed of every row of the batch, none where everything is read, and how many."""
        starts = self._layout.starts[0]
        since, counts = [starts.new_zeros(1)] * len(chosen), list[Tensor | None]([None] * len(chosen))
        rows, own = [starts.new_empty(0)] * len(chosen), dict[int, tuple[slice, Tensor]]()
        for row, (each, at) in enumerate(zip(chosen, places, strict=True)):
            if each is None or at is None:
                continue
            real = self._real(row) if len(each.reads) > 1 else None
            nodes = each.reads if real is None else each.reads & real[:, None]
            tokens = first_marked(nodes.any(dim=0), each.most)
            rows[row], since[row] = torch.cat([at.text, at.of_tokens(tokens)]), at.since
            counts[row] = (rows[row] >= 0).sum()
            if real is not None:
                own[row] = slice(len(at.text), len(rows[row])), nodes[:, tokens.clamp_min(0)]
        listed = padded(rows)
        reads = Reads(listed, torch.cat(since), starts, self._layout.tree)
        if own:
            masks = listed.new_ones(*self._layout.tokens.shape, listed.shape[1], dtype=torch.bool)
            for row, (where, mask) in own.items():
                masks[row, :, where] = mask
            reads = reads._replace(own=masks)
        return reads, counts


def padded(rows: Sequence[Tensor]) -> Tensor:
    """Return lists `[B, R]`, -1 behind the shorter ones."""
    return pad_sequence(list(rows), batch_first=True, padding_value=-1)


def first_marked(marked: Tensor, most: int) -> Tensor:
    """Return where `marked [V]` is True, ascending, and -1 behind them: `[min(V, most)]`, without asking the device how
    many they are."""
    places = marked.byte().argsort(descending=True, stable=True)[:most]
    return places.masked_fill(~marked[places], -1)
