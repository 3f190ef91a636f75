"""How often half precision turns a token: `python benchmarks/flips.py [--tokens N]`.

In bfloat16 a pass over many tokens rounds otherwise than one over a single token, so two words that are about equally
likely may change places. Counted over the tiny twin of every family: plain bfloat16 outputs that differ from float32
ones, and outputs with perfect drafts (HSD, tau = 1) that differ from plain ones in the same precision. Random weights
have far more near-ties than trained ones: these are upper ends, not what a model will do.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from greedy import generate
from twins import make_twin

from docparse.accel.drafts import DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.engine.row import Limits
from docparse.models.family import Family
from docparse.models.registry import families
from docparse.vlm.loaded import Vlm

PICTURES = 4  # of each family


@dataclass(frozen=True)
class Flips:
    """One family: first differing token of each output, None where there is none."""

    name: str
    against_float32: list[int | None]
    hsd_float32: list[int | None]
    hsd_bfloat16: list[int | None]


def count(family: Family, tokens: int) -> Flips:
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder)
        full, half = (_loaded(family, folder, dtype) for dtype in (torch.float32, torch.bfloat16))
    result = Flips(family.card.name, [], [], [])
    for seed in range(PICTURES):
        picture = np.random.default_rng(seed).integers(0, 256, (120, 160, 3), dtype=np.uint8)
        exact, plain = (_write(vlm, picture, tokens) for vlm in (full, half))
        result.against_float32.append(_first_difference(exact, plain))
        result.hsd_float32.append(_first_difference(exact, _write(full, picture, tokens, draft=exact)))
        result.hsd_bfloat16.append(_first_difference(plain, _write(half, picture, tokens, draft=plain)))
    return result


def _loaded(family: Family, folder: str, dtype: torch.dtype) -> Vlm:
    model: Any = family.load(folder, dtype=dtype, device="cpu")
    return Vlm.of(family.card.name, family, model, family.processor(folder))


@torch.no_grad()
def _write(vlm: Vlm, picture: np.ndarray, tokens: int, draft: list[int] | None = None) -> list[int]:
    prompt = vlm.prompt(vlm.encode(picture, vlm.family.page_instruction))
    drafts = [DraftTokens(tuple(draft), "oracle")] if draft else []
    proposer = Hsd().proposer(Speculation(drafts)) if draft else None
    limits = Limits(tokens, guard=False, ignore_end=True)
    return generate(vlm.text, [prompt], [proposer], limits)[0].tokens


def _first_difference(one: list[int], other: list[int]) -> int | None:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b), None)


def _cell(firsts: list[int | None]) -> str:
    found = [first for first in firsts if first is not None]
    return f"{len(found)} of {len(firsts)}" + (f" (first at token {min(found)})" if found else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tokens", type=int, default=150, help="length of an output (default: 150)")
    tokens = parser.parse_args().tokens
    torch.set_num_threads(1)
    print("| family | bfloat16 other than float32 | HSD other than plain, float32 | HSD other than plain, bfloat16 |")
    print("|---|---|---|---|")
    for family in families():
        found = count(family, tokens)
        cells = map(_cell, (found.against_float32, found.hsd_float32, found.hsd_bfloat16))
        print(f"| {found.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
