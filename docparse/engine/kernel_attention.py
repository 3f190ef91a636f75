"""Attention of trees by kernels: all rows at once, chosen rows read where they lie, and of the attention only what was
asked for written. Nothing is fetched from the device before the pass is over."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from docparse.engine.hooks import Selection
from docparse.engine.prompt import PromptRows
from docparse.engine.tree_attention import TreeAttention, Wish
from docparse.kernels.decode_attention import decode_attention
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.reads import Reads

States = tuple[Tensor, Tensor, Tensor]  # queries [B, H, N, D], keys and values [B, KV, S, D]


class KernelAttention(TreeAttention):
    """The same attention. What the kernels do not know (a model's window, the weights of every head, or of a layer that
    reads a part only) is computed without them."""

    def attend_to_all(self, layer: int, query: Tensor, scale: float) -> Tensor:
        """See `TreeAttention`. It depends on the memory of the packet and of the cache alone: it can be captured."""
        if any(each is not None for each in self._far):
            return super().attend_to_all(layer, query, scale)
        slab, starts = self.place(layer)
        return decode_attention(query, *slab, self._full(starts), scale).transpose(1, 2)

    def attend_as_wished(self, layer: int, query: Tensor, scale: float, wishes: Sequence[Wish]) -> Tensor:
        """See `TreeAttention`."""
        wide = (wish.compressor or (wish.selector and wish.chosen is not None) for wish in wishes)
        if any(each is not None for each in self._far) or any(wide):
            return super().attend_as_wished(layer, query, scale, wishes)
        states = (query, *self._data[layer])
        reads, counts = self._reads(layer, [wish.chosen for wish in wishes])
        for read, count in zip(self._read, counts, strict=True):
            read.append(count)
        shown = [
            reader.places[layer].visual if wish.selector else None
            for reader, wish in zip(self._readers, wishes, strict=True)
        ]
        out, shares = attend(states, reads, shown, scale)
        for reader, tree, share in zip(self._readers, self._trees, shares, strict=True):
            if reader.selector is not None and share is not None:
                reader.selector.observe(layer, share[: len(tree)])
        return out.transpose(1, 2)

    def _full(self, starts: Tensor) -> Reads:
        return Reads(None, None, starts, self._layout.tree)

    def _reads(self, layer: int, chosen: Sequence[Selection | None]) -> tuple[Reads, Sequence[int | Tensor]]:
        """Return what every row reads, and how many committed positions that is."""
        lengths, starts = self._lengths[layer], self._layout.starts[layer]
        if all(each is None for each in chosen):
            return self._full(starts), lengths
        places = [reader.places[layer] if reader.places else None for reader in self._readers]
        alike = lengths, *chosen, *places
        if alike not in self._derived:
            since, counts = [starts.new_zeros(1)] * len(chosen), list[int | Tensor](lengths)
            rows = [starts.new_empty(0)] * len(chosen)
            for row, (each, at) in enumerate(zip(chosen, places, strict=True)):
                if each is not None and at is not None:
                    rows[row], since[row] = torch.cat([at.text, at.of_tokens(each.tokens)]), at.since
                    counts[row] += (rows[row] >= 0).sum() - at.rows
            listed = pad_sequence(rows, batch_first=True, padding_value=-1)
            reads = Reads(listed, torch.cat(since), starts, self._layout.tree, self._own(chosen, places, listed))
            self._derived[alike] = reads, counts
        return self._derived[alike]

    def _own(
        self, chosen: Sequence[Selection | None], places: Sequence[PromptRows | None], listed: Tensor
    ) -> Tensor | None:
        """Return which of the listed rows each node reads, `[B, N, R]`; None: every node reads all of them."""
        if all(each is None or each.own is None for each in chosen):
            return None
        own = listed.new_ones(*self._layout.tokens.shape, listed.shape[1], dtype=torch.bool)
        for row, (each, at) in enumerate(zip(chosen, places, strict=True)):
            if each is not None and each.own is not None and at is not None:
                own[row, : len(each.own), len(at.text) :][:, : len(each.tokens)] = each.own
        return own


def attend(
    states: States, reads: Reads, shown: Sequence[Tensor | None], scale: float
) -> tuple[Tensor, Sequence[Tensor | None]]:
    """Attention `[B, H, N, D]`, and what was asked to be shown: of the rows `shown[b] [V]` their share of the attention
    `[N, V]`, averaged over heads. A row that is shown something lists nothing.

    Every kernel is for one of the two: where some rows list and others are shown, they are computed one by one.
    """
    if all(each is None for each in shown):
        return decode_attention(*states, reads, scale), shown
    if reads.rows is None:
        none = reads.starts.new_empty(0)
        visual = pad_sequence([none if at is None else at for at in shown], batch_first=True, padding_value=-1)
        out, shares = focal_attention(*states, reads, visual, scale)
        return out, [None if at is None else share[:, : len(at)] for at, share in zip(shown, shares, strict=True)]
    parts = []
    for row, at in enumerate(shown):
        one = slice(row, row + 1)
        own = Reads(*(None if each is None else each[one] for each in reads))
        own = own if at is None else own._replace(rows=None, since=None, own=None)
        query, key, value = (each[one] for each in states)
        parts.append(attend((query, key, value), own, [at], scale))
    outs, shares = zip(*parts, strict=True)
    return torch.cat(outs), [share for (share,) in shares]
