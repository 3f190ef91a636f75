"""A batch of rows being decoded: prefill, feed trees, commit what was accepted, drop what is finished."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from docparse.engine.attention import PromptAttention
from docparse.engine.cache import SPARE, KeyValueCache
from docparse.engine.hooks import WHOLE, RowMemory, RowMethods
from docparse.engine.lean import Lean
from docparse.engine.modules import refuse, refuse_config
from docparse.engine.packet import Packet
from docparse.engine.prompt import Prompt, PromptRows
from docparse.engine.recurrent import RecurrentStates
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree
from docparse.engine.tree_attention import ListedAttention, MaskedAttention, TreeAttention, out_of_window

WIDEST = 8192  # tokens of a pass over several prompts: beyond that they only take more memory
MAX_PACKETS = 256  # sizes of passes whose views are kept
PADDED = 1.25  # times the tokens of the prompts, what a pass over them may compute


@dataclass(frozen=True)
class TreeLogits:
    """The logits of a pass over trees: `every [T, V]` after all nodes, with what pads them; `logits[b] [N, V]` after
    those of row b's tree, which are at `own[b]`."""

    every: Tensor
    own: Sequence[slice]

    def __getitem__(self, row: int) -> Tensor:
        return self.every[self.own[row]]


class DecodeSession:
    """The rows of one batch, their keys and values and their positions. Rows join and leave at any step.

    A step is `feed` (one pass over a tree per row, whose root is the row's last token) and then `commit` of the nodes
    to keep. Of the prompts that joined last there are `prefill_seconds`, and in `kept_visual` how many visual tokens of
    each are in the cache, mean over layers and heads. Raises `EnvironmentProblem`, here or at the first pass, for a
    decoder whose attention we do not compute (sliding windows, sinks, soft caps) or cannot replace.
    """

    def __init__(self, model: TextModel) -> None:
        self.model, self._spare = model, model.spare
        self.cache = KeyValueCache(model.shape, model.spare.caches)
        self.prefill_seconds: list[float] = []
        self.kept_visual: list[float] = []
        self._states = RecurrentStates(model.decoder) if model.recurrent else None
        self.state_bytes = 0 if self._states is None else self._states.row_bytes  # of a row, beside keys and values
        self._packets: dict[Hashable, Packet] = model.spare.packets.pop() if model.spare.packets else {}
        self._fed: Packet
        # Of the last pass: [L, B] how many rows the cache held; by row and layer how many fewer were read; and what
        # selectors left for their `on_commit`.
        self._held: np.ndarray
        self._unread: Mapping[tuple[int, int], Tensor]
        self._left: Sequence[Mapping[int, Tensor]]
        self._readers: list[RowMethods] = []
        self._next = np.zeros((model.axes, 0), dtype=np.int64)  # [A, B] the position of each row's next root
        refuse_config(model.config)

    @property
    def rows(self) -> int:
        return self.cache.rows

    def prefill(self, prompts: Sequence[Prompt], readers: Sequence[RowMethods] = ()) -> TreeLogits:
        """Let these prompts join, each with its methods; return the logits of each one's next token."""
        self.prefill_seconds, self.kept_visual = [], []
        self.cache.reserve(max(map(len, prompts)) + SPARE, self.rows + len(prompts))
        pairs = list(zip(prompts, readers or [WHOLE] * len(prompts), strict=True))
        alone = self._states is not None  # a state has no place for padding
        groups = [(i, i + 1) for i in range(len(pairs))] if alone else together(list(map(len, prompts)))
        logits = torch.cat([self._join(pairs[begin:end]) for begin, end in groups])
        return TreeLogits(logits, [slice(row, row + 1) for row in range(len(pairs))])

    @torch.inference_mode()
    def _join(self, pairs: Sequence[tuple[Prompt, RowMethods]]) -> Tensor:
        """Run prompts through the decoder in one pass, padded behind; logits `[B, V]`."""
        began = perf_counter()
        prompts, readers = zip(*pairs, strict=True)
        first, lengths = self.rows, [len(prompt) for prompt in prompts]
        self.cache.add(len(pairs))
        attention = PromptAttention(self.cache.data[:, :, first : self.rows], lengths, readers)
        if self._states is not None:
            attention.linear = self._states.read_prompt
        embeds = pad_sequence([prompt.embeds for prompt in prompts], batch_first=True)
        positions = pad_sequence([prompt.positions.T for prompt in prompts], batch_first=True).permute(2, 0, 1)
        visual = pad_sequence([prompt.visual for prompt in prompts], batch_first=True)
        layers = zip(*(prompt.deepstack for prompt in prompts if prompt.deepstack), strict=True)
        hidden = self.model.run(embeds, positions, attention, visual, list(map(torch.cat, layers)))
        if len(attention.seen) < self.model.layers:
            refuse("attention of its own, outside transformers' AttentionInterface")
        self.cache.lengths[:, first:] += lengths
        for row, (prompt, reader) in enumerate(pairs, first):
            self._settle(row, prompt, reader)
        last = torch.tensor(lengths, device=hidden.device) - 1
        logits = self.model.head(hidden[torch.arange(len(pairs), device=hidden.device), last])
        if logits.device.type != "cpu":
            torch.accelerator.synchronize(logits.device)  # once a pass, so that its time is its own
        spent = perf_counter() - began
        self.prefill_seconds += [spent * length / sum(lengths) for length in lengths]
        return logits

    def _settle(self, row: int, prompt: Prompt, reader: RowMethods) -> None:
        """After the prefill of a row: evict what its method does not keep, and know where the rest is."""
        kept = None if reader.compressor is None else reader.compressor.keep()
        visual = float(prompt.visual_tokens)
        if kept is not None:
            self.cache.keep(row, kept)
            layers = [prompt.visual[rows].sum(dim=-1).double().mean() for rows in kept]
            visual = float(torch.stack(layers).mean())
        self.kept_visual.append(visual)
        following = prompt.next_position.cpu().numpy()
        self._next = np.concatenate([self._next, following[:, None]], axis=1)
        reader = replace(reader, first=int(following[0]))
        if reader.selector is not None:
            memory = self._spare.rows.pop() if self._spare.rows else RowMemory()
            memory.key = ()
            places = [PromptRows.of(prompt, memory, rows) for rows in kept or (None,)]
            reader.selector.settle(memory)
            reader = replace(reader, places=places if kept else places * self.model.layers, memory=memory)
        self._readers.append(reader)

    @torch.inference_mode()
    def feed(self, trees: Sequence[Tree]) -> TreeLogits:
        """Run one pass over a tree per row; return the logits after each node."""
        model, readers = self.model, self._readers
        alike = tuple(reader.begin() for reader in readers)
        graphs = None if None in alike else model.graphs
        count = max(map(len, trees)) if graphs is None else graphs.nodes(max(map(len, trees)))
        self._held = self.cache.lengths.copy()
        self.cache.reserve(int(self._held.max()) + count)
        listed = model.by_kernels or any(each.selector or each.observer for each in readers)
        layout = self._fed = self._lay_out(trees, count, listed)
        laid, far = (self.cache, layout, trees), self._far(trees)
        assert not listed or all(each is None for each in far)
        attention: TreeAttention = ListedAttention(*laid, readers) if listed else MaskedAttention(*laid, far)
        if self._states is not None:
            self._states.follow(trees, layout)
            attention.linear = self._states.read_trees

        def compute() -> tuple[Tensor, Mapping[tuple[int, int], Tensor], Sequence[Mapping[int, Tensor]]]:
            hidden = model.run(model.embed(layout.tokens), layout.positions, attention)
            left = [{} if each.selector is None else each.selector.left() for each in readers]
            return model.head(hidden), attention.unread, left

        key = layout, self.cache.data.data_ptr(), self.cache.data.shape, alike
        computed = compute() if graphs is None else graphs.run(key, self.rows, count, compute)
        logits, self._unread, self._left = computed
        return TreeLogits(logits.flatten(0, 1), layout.own)

    @property
    def read(self) -> list[list[int]]:
        """Return for each row how many committed rows each layer read in the last pass; none where all are read."""
        read = self._held.T.copy()
        if self._unread:
            read[tuple(zip(*self._unread, strict=True))] -= torch.cat(list(self._unread.values())).cpu().numpy()
        return [own if reader.acts else [] for own, reader in zip(read.tolist(), self._readers, strict=True)]

    def _lay_out(self, trees: Sequence[Tree], count: int, padded: bool) -> Packet:
        """Return trees as a pass takes them, padded to `count` nodes; but as they are where the lean decoder runs on a
        CPU, and then all passes compute in the memory of the largest."""
        model, rows = self.model, self.rows
        lean = model.lean if model.device.type == "cpu" else None
        flat = isinstance(lean, Lean) and not padded
        total = sum(map(len, trees)) if flat else rows * count
        shape = (rows, count) if total == rows * count else (1, total)
        if (packet := self._packets.get((rows, shape, flat))) is None:
            packet = Packet(model.axes, model.layers, rows, shape, model.device, masks=not flat)
            if isinstance(lean, Lean):
                largest = next((each.shared for each in self._packets.values()), None)
                if largest is None or len(largest.gate_up) < total or len(self._packets) == MAX_PACKETS:
                    self._packets.clear()
                    largest = None
                packet.shared = lean.shared(*shape, largest)
            self._packets[rows, shape, flat] = packet
        packet.write(trees, self._next, self.cache.lengths)
        return packet

    def _far(self, trees: Sequence[Tree]) -> list[Tensor | None]:
        """Return for each row what is out of the model's window, if it has one."""
        if (window := self.model.window) is None:
            return [None] * self.rows
        written = [int(self._next[0, row]) - reader.first for row, reader in enumerate(self._readers)]
        return [out_of_window(window, count, tree) for count, tree in zip(written, trees, strict=True)]

    @torch.inference_mode()
    def commit(self, paths: Sequence[Sequence[int]]) -> None:
        """Keep each row's root and these nodes of its tree (a path down from the root), forget the other nodes."""
        self._next += self.cache.commit([(0, *path) for path in paths], self._fed.starts)
        if self._states is not None:
            self._states.commit(paths)
        for row, (reader, path) in enumerate(zip(self._readers, paths, strict=True)):
            if reader.selector is not None:
                reader.selector.on_commit(path, self._left[row])
            if reader.compressor is not None and (evicted := reader.compressor.evict(path)) is not None:
                self.cache.keep(row, evicted)

    def rewind(self, counts: Sequence[int]) -> None:
        """Forget the last `counts[b]` committed tokens of each row (a draft model whose proposals were refused). Not of
        a `recurrent` model: a state forgets nothing."""
        assert self._states is None
        self.cache.lengths -= counts
        self._next -= counts

    @torch.inference_mode()
    def drop(self, rows: Sequence[int], *, wipe: bool = False) -> list[int]:
        """These rows are finished. Return those that are left in their new order: the last moves into the gap. `wipe`
        rows that hold no numbers: what a mask hides must be finite."""
        if wipe:
            self.cache.data[:, :, rows] = 0
        order = list(range(self.rows))
        for row in sorted(rows, reverse=True):
            self.cache.drop(row)
            order[row] = order[-1]
            order.pop()
        self._next = self._next[:, order]
        if self._states is not None:
            self._states.order(order)
        self._give_back(rows)
        self._readers = [self._readers[row] for row in order]
        return order

    def _give_back(self, rows: Iterable[int]) -> None:
        memory = (self._readers[row].memory for row in rows)
        self._spare.rows.extend(each for each in memory if each is not None)

    def close(self, *, reuse: bool = True) -> None:
        """The batch is over. `reuse` keeps its memory for the next; not after an error, see `Batch.close`."""
        self.cache.release(reuse=reuse)
        if self._packets:
            self._spare.packets.append(self._packets)
            self._packets = {}
        self._give_back(range(len(self._readers)))
        self._readers = []

    def __del__(self) -> None:
        self.close()


def together(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield which neighbours of prompts of these lengths run as one pass, first and one past the last: those that are
    nearly as long, because a pass computes them all at the length of the longest."""
    begin = 0
    for end in range(1, len(lengths) + 1):
        group = lengths[begin : end + 1]
        if end == len(lengths) or max(group) * len(group) > min(WIDEST, PADDED * sum(group)):
            yield begin, end
            begin = end
