"""Methods that read or keep less: attention of a step with FastOCR, whole steps, and prefill after pruning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np
import torch
from on_gpu.decoding import require_lean, run
from on_gpu.models import Job, Row, Setup, model, prompt_of
from torch import Tensor

from docparse.accel.aircache import AirCache
from docparse.accel.fastocr import FastOcr
from docparse.accel.pruning import Picture, pruned
from docparse.accel.rtprune import RtPrune
from docparse.accel.vlcache import VlCache
from docparse.engine.cache import KeyValueCache
from docparse.engine.graphs import capture_on_cuda
from docparse.engine.hooks import WHOLE, RowMemory, RowMethods
from docparse.engine.packet import Packet
from docparse.engine.prompt import Prompt, PromptRows
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree
from docparse.engine.tree_attention import ListedAttention, MaskedAttention

NAME = "dots.ocr"
STEPS = 32  # decoded after a prompt


class Attention:
    """The attention of one decode step in all layers, for `rows` rows that hold the same prompt."""

    def __init__(self, setup: Setup, text: TextModel, prompt: Prompt, rows: int) -> None:
        self.setup, self.prompt, self.rows = setup, prompt, rows
        self.cache = KeyValueCache(text.shape, [])
        self.cache.reserve(len(prompt) + 8, rows)
        self.cache.add(rows)
        self.cache.lengths += len(prompt)
        first = self.cache.data[:, :, :1].normal_()
        self.cache.data[:, :, 1:] = first
        self.packet = Packet(1, text.layers, rows, (rows, 1), setup.device, masks=True)
        self.trees = [Tree.bare(0)] * rows
        self.packet.write(self.trees, np.full((1, rows), len(prompt)), self.cache.lengths)
        self.by_kernels = text.by_kernels
        heads, size = text.config.num_attention_heads, text.shape.size
        query = torch.randn(1, heads, 1, size, device=setup.device, dtype=setup.dtype)
        self.query, self.scale = query.expand(rows, -1, -1, -1).contiguous(), size**-0.5

    def plain(self) -> Tensor:
        return self.attend([WHOLE] * self.rows)

    def attend(self, readers: Sequence[RowMethods]) -> Tensor:
        listed = self.by_kernels or readers[0].acts
        shared = self.cache, self.packet, self.trees
        attention = ListedAttention(*shared, readers) if listed else MaskedAttention(*shared, [None] * self.rows)
        for layer in range(self.cache.shape.layers):
            out = attention.attend(layer, self.query, self.scale)
        return out

    def with_fastocr(self, method: FastOcr) -> Callable[[], Tensor]:
        """A step after the warm-up."""
        layers = self.cache.shape.layers
        selectors = [method.selector(self.prompt, layers) for _ in range(self.rows)]
        places = [PromptRows.of(self.prompt, RowMemory())] * layers
        readers = [RowMethods(selector=selector, places=places) for selector in selectors]

        def step() -> Tensor:
            for selector in selectors:
                selector.begin()
            out = self.attend(readers)
            for selector in selectors:
                selector.on_commit((), selector.left())
            return out

        while not all(selector.focal for selector in selectors):
            step()
        return step

    @torch.inference_mode()
    def milliseconds(self, name: str, step: Callable[[], Tensor]) -> Row:
        """As the host starts it, operation by operation; and without the host, captured and replayed."""
        row: Row = {f"{name} ms": 1e3 * self.setup.seconds(step)}
        if self.setup.device.type == "cuda":
            row[f"{name} device ms"] = 1e3 * self.setup.seconds(capture_on_cuda(step))
        return row


def attention_latency(setup: Setup) -> Iterator[Job]:
    text = model(setup, NAME)
    for visual in setup.fastocr[0]:
        for rows in setup.fastocr[1]:
            yield f"{visual} visual tokens, batch {rows}", partial(latency, setup, text, visual, rows)


def latency(setup: Setup, text: TextModel, visual: int, rows: int) -> Row:
    attention = Attention(setup, text, prompt_of(setup, text, visual), rows)
    row = attention.milliseconds("plain", attention.plain)
    for preset in ("safe", "fast"):
        with torch.inference_mode():
            step = attention.with_fastocr(FastOcr(preset=preset, warmup=1))
        row |= attention.milliseconds(preset, step)
    return row


def steps(setup: Setup) -> Iterator[Job]:
    """Decode steps after prompts of several lengths; FastOCR's are captured after the warm-up."""
    text = model(setup, NAME)
    require_lean(text)
    graphs = text.graphs
    methods: dict[str, Callable[[Prompt], RowMethods]] = {
        "plain": lambda prompt: RowMethods(),
        "plain, uncaptured": lambda prompt: RowMethods(),
        "VL-Cache 10 %": lambda prompt: RowMethods(VlCache(budget=0.1).compressor(prompt)),
        "AirCache 10 %": lambda prompt: RowMethods(AirCache(budget=0.1).compressor(prompt)),
        "FastOCR": lambda prompt: RowMethods(selector=FastOcr(warmup=4).selector(prompt, text.layers)),
    }
    for visual in setup.lengths:
        for batch in setup.batches:
            for name, method in methods.items():
                case = f"{name}, {visual} visual tokens, batch {batch}"
                text.__dict__["graphs"] = None if name == "plain, uncaptured" else graphs
                yield case, partial(stepped, setup, text, method, visual, batch)


def stepped(setup: Setup, text: TextModel, method: Callable[[Prompt], RowMethods], visual: int, batch: int) -> Row:
    prompts = [prompt_of(setup, text, visual, seed) for seed in range(batch)]
    outs = run(text, prompts, STEPS, readers=lambda: list(map(method, prompts)))
    read = (out.steps[-1].read or [out.prompt_tokens + len(out.steps)] * text.layers for out in outs)
    return {
        "ms a step": 1e3 * median(sum(step.seconds) for step in outs[0].steps),
        "prefill, s": sum(out.prefill_seconds for out in outs),
        "cache peak, bytes": outs[0].cache_bytes,
        "read by the last step, bytes": text.shape.bytes(1, sum(map(sum, read))) // text.layers,
    }


def pruning(setup: Setup) -> Iterator[Job]:
    text = model(setup, NAME)
    require_lean(text)
    for keep in (1.0, 0.5, 0.25):
        yield f"RTPrune, {keep:.0%} of {setup.pruned} visual tokens", partial(prefilled, setup, text, keep)


def prefilled(setup: Setup, text: TextModel, keep: float) -> Row:
    """The pruning and the prefill, the second of two times."""
    picture = Picture(np.zeros((8, 8, 3), np.uint8), 8, 8, (0.5,) * 3)  # not looked at: the ratio is given
    for _ in range(2):
        prompt, figures = prompt_of(setup, text, setup.pruned), {}
        setup.wait()
        start = perf_counter()
        if keep < 1:
            prompt, (view,) = pruned(prompt, RtPrune(ratio=1 - keep), [(setup.pruned, picture)])
            figures = {"iterations": view.figures["iterations"]}
        setup.wait()
        pruning = perf_counter() - start
    prefill = run(text, [prompt], 1)[0].prefill_seconds
    return {"pruning, ms": 1e3 * pruning, "prefill, ms": 1e3 * prefill, "prompt": len(prompt)} | figures
