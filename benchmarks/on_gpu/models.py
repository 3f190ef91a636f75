"""What is measured: at which sizes, decoders with random weights, and prompts of random embeddings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import torch
from torch import nn
from torch.nn.functional import linear
from twins import scatter, twin_files

from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.models.registry import family_named
from docparse.vlm.random_weights import CONFIG

Row = dict[str, Any]
Job = tuple[str, Callable[[], Row]]  # a case, and what measures it

FAMILIES = ("dots.ocr", "hunyuan-ocr")
BEFORE = 8  # tokens of a prompt in front of its picture


@dataclass(frozen=True)
class Setup:
    """Where and at which sizes everything is measured: tokens of prompts and outputs, rows of a batch."""

    device: torch.device
    dtype: torch.dtype = torch.bfloat16
    toy: bool = False
    heads: tuple[int, int, int] = (12, 2, 128)  # of a kernel's check: queries, keys, numbers of each
    slab: int = 8300
    copied: int = 2**31  # bytes of the copy that tells the device's bandwidth
    visual: int = 4096
    text: int = 64
    output: int = 512
    slow_output: int = 64  # of the loops that take ten times as long
    batches: tuple[int, ...] = (1, 8)
    fastocr: tuple[tuple[int, ...], tuple[int, ...]] = ((4096, 8192, 16384), (1, 4, 12))  # visual tokens, rows
    lengths: tuple[int, ...] = (2048, 8192, 16384)  # visual tokens
    pruned: int = 8192

    @classmethod
    def on(cls, device: torch.device, toy: bool) -> Setup:
        if not toy:
            return cls(device)
        small: Row = {"heads": (4, 2, 16), "slab": 200, "copied": 2**20, "visual": 24, "text": 8, "output": 40}
        small |= {"slow_output": 8, "batches": (1, 2), "fastocr": ((32,), (1, 2)), "lengths": (32,), "pruned": 32}
        return cls(device, torch.float32, True, **small)

    def wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def seconds(self, run: Callable[[], object], calls: int = 5, rounds: int = 5) -> float:
        """Median time of a call, several at a time."""
        times = []
        for _ in range(1 + (1 if self.toy else rounds)):
            self.wait()
            start = perf_counter()
            for _ in range(calls):
                run()
            self.wait()
            times.append((perf_counter() - start) / calls)
        return median(times[1:])


def model(setup: Setup, name: str, *, chaotic: bool = False) -> TextModel:
    """A family's decoder with random weights, of its published size or a twin's.

    Its head answers token t with t + 1, by a margin like a trained model's: among random logits the first two are often
    equal in bfloat16, one flip changes all that follows, and no draft fits any more. `chaotic` is a twin that does
    depend on everything before, for comparing tokens in float32.
    """
    family: Any = family_named(name)
    special = {token: i for i, token in enumerate(family.special_tokens)}
    small = setup.toy or chaotic
    config: Any = family.config_of(twin_files(family, special, 640)[CONFIG]) if small else family.full_config()
    vision = config.vision_config  # of which nothing is used
    vision.update(num_hidden_layers=1) if isinstance(vision, dict) else setattr(vision, "num_hidden_layers", 1)
    before = torch.get_default_dtype()
    torch.set_default_dtype(setup.dtype)
    torch.manual_seed(0)
    try:
        with setup.device:
            whole = family.build(config).requires_grad_(False)
    finally:
        torch.set_default_dtype(before)
    decoder = family.decoder(whole)
    if chaotic:
        scatter(whole, special.values())
        return TextModel(decoder, partial(family.head, whole), frozenset(), family.position_axes, name)
    table = nn.init.normal_(decoder.get_input_embeddings().weight, std=4.0)  # about what all layers add
    head = table.roll(1, 0)
    return TextModel(decoder, lambda hidden: linear(hidden, head), frozenset(), family.position_axes, name)


def prompt_of(setup: Setup, text: TextModel, visual: int, seed: int = 0) -> Prompt:
    """Random embeddings: a few, the picture's `visual`, and the instruction's."""
    count = BEFORE + visual + setup.text
    draw = torch.Generator(setup.device).manual_seed(seed)
    embeds = torch.randn(count, text.config.hidden_size, device=setup.device, dtype=setup.dtype, generator=draw)
    place = torch.arange(count, device=setup.device)
    return Prompt(
        ids=torch.zeros_like(place),
        embeds=4 * embeds,
        positions=place.repeat(text.axes, 1),
        next_position=place[-1:].repeat(text.axes) + 1,
        visual=(place >= BEFORE) & (place < BEFORE + visual),
        structural=torch.zeros(visual, dtype=torch.bool, device=setup.device),
        boxes=torch.zeros(visual, 4, device=setup.device),
    )
