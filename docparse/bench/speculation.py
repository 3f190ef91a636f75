"""What HSD gains on this machine, by the quality of its drafts: `python -m docparse.bench.speculation`.

The model is random, of a size at which a forward pass outweighs the loop around it: Qwen3-VL's classes with 12 decoder
layers of width 512, 300 visual tokens, 600 output tokens; end token and repetition guard off. Drafts are its own greedy
output, cut into blocks and damaged on purpose. Plain decoding (AR) and every kind of draft take turns in each round,
and every output is compared with the plain one. See docs/benchmarks/hsd.md.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any

import torch
from PIL import Image
from transformers import PreTrainedConfig

from docparse.accel.drafts import OCR, REGION, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.method import Drafting
from docparse.engine.calibrate import measure
from docparse.engine.costs import CostCurve
from docparse.engine.generate import Limits, generate
from docparse.engine.generation import Generation
from docparse.models.family import Encoded
from docparse.models.qwen3_vl import Qwen3Vl
from docparse.models.twins import make_twin
from docparse.vlm.loaded import Vlm

TOKENS = 600
BLOCKS = 12
LIMITS = Limits(max_tokens=TOKENS, guard=False, ignore_end=True)
PICTURE = (480, 640)  # pixels: 15 x 20 visual tokens of 32 x 32
NOISE = (0.01, 0.02, 0.05, 0.1)


class Medium(Qwen3Vl):
    """Qwen3-VL's shape between its twin and its published size."""

    def tiny_config(self, vocabulary: int, special: Mapping[str, int]) -> PreTrainedConfig:
        config: Any = super().tiny_config(vocabulary, special)
        text = {"vocab_size": 8192, "hidden_size": 512, "intermediate_size": 1536, "num_hidden_layers": 12}
        heads = {"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64}
        vision = {"depth": 6, "hidden_size": 256, "intermediate_size": 1024, "num_heads": 4, "out_hidden_size": 512}
        rope = {"rope_parameters": config.text_config.rope_parameters | {"mrope_section": [12, 10, 10]}}
        config.text_config = type(config.text_config)(**config.text_config.to_dict() | text | heads | rope)
        config.vision_config = type(config.vision_config)(**config.vision_config.to_dict() | vision)
        return config

    def tiny_preprocessing(self) -> Mapping[str, Any]:
        return self.preprocessing()


@dataclass(frozen=True)
class Timed:
    """One reading of the page: seconds of the decode (drafts' own work included) and from picture to output."""

    generation: Generation
    decode: float
    whole: float


@dataclass(frozen=True)
class Result:
    """One kind of draft against AR: ratios are medians over the rounds."""

    drafts: str
    sr_decode: float
    sr_e2e: float
    aal: float
    steps: int
    fed: float
    same: bool


def load_model() -> Vlm:
    family = Medium()
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder)
        model: Any = family.load(folder, dtype=torch.float32, device="cpu")
        return Vlm.of("medium", family, model, family.processor(folder))


def read(vlm: Vlm, encoded: Encoded, method: Drafting | None, drafts: Sequence[DraftTokens], costs: CostCurve) -> Timed:
    """Vision, prefill and decode of one page, by the clock."""
    began = perf_counter()
    prompt = vlm.prompt(encoded)
    seen = perf_counter()
    speculation = Speculation(drafts, prompt.ids.tolist(), costs)
    (generation,) = generate(vlm.text, [prompt], [method.proposer(speculation)] if method else None, LIMITS)
    ended = perf_counter()
    return Timed(generation, ended - seen - generation.prefill_seconds, ended - began)


def kinds_of_drafts(output: Sequence[int], vocabulary: int) -> Iterator[tuple[str, Drafting, list[DraftTokens]]]:
    """Every kind that is measured, with the method that uses it."""
    chance = random.Random(0)
    cuts = [0, *sorted(chance.sample(range(8, len(output) - 8), BLOCKS - 1)), len(output)]
    blocks = [list(output[a:b]) for a, b in pairwise(cuts)]
    shuffled = chance.sample(blocks, len(blocks))
    yield "perfect", Hsd(), [page_of(blocks)]
    yield "perfect, blocks shuffled", Hsd(), [page_of(shuffled)]
    yield "perfect, one draft a block, unordered", Hsd(), [DraftTokens(tuple(block), REGION) for block in shuffled]
    for rate in NOISE:
        yield f"{rate:.0%} of tokens edited", Hsd(), [page_of([edited(b, rate, vocabulary, chance) for b in blocks])]
    yield "5% edited, blocks shuffled", Hsd(), [page_of([edited(b, 0.05, vocabulary, chance) for b in shuffled])]
    useless = [chance.choices(range(vocabulary), k=len(block)) for block in blocks]
    yield "useless (random tokens)", Hsd(), [page_of(useless)]
    yield "none (own output only)", Hsd(), []
    yield "prompt lookup", Lookup(), []


def page_of(blocks: Sequence[Sequence[int]]) -> DraftTokens:
    starts: list[int] = []
    tokens: list[int] = []
    for block in blocks:
        starts.append(len(tokens))
        tokens += block
    return DraftTokens(tuple(tokens), OCR, tuple(starts))


def edited(tokens: Sequence[int], rate: float, vocabulary: int, chance: random.Random) -> list[int]:
    """Each token replaced, left out, or preceded by a random one, with probability `rate` in all."""
    found: list[int] = []
    for token in tokens:
        kind = chance.choice(("replace", "insert", "delete")) if chance.random() < rate else ""
        found += [chance.randrange(vocabulary)] if kind in ("replace", "insert") else []
        found += [token] if kind in ("", "insert") else []
    return found


def measure_all(rounds: int) -> Iterator[Result]:
    """AR before every kind of draft in each round: what the machine does meanwhile meets both alike."""
    vlm = load_model()
    encoded = vlm.encode(Image.effect_noise(PICTURE, 64).convert("RGB"), "Read the page.")
    costs = measure(vlm.text, context=300 + TOKENS // 2)
    plain = read(vlm, encoded, None, (), costs).generation
    kinds = list(kinds_of_drafts(plain.tokens, vlm.text.vocabulary))
    pairs: dict[str, list[tuple[Timed, Timed]]] = {name: [] for name, *_ in kinds}
    for _ in range(rounds):
        for name, method, drafts in kinds:
            pair = read(vlm, encoded, None, (), costs), read(vlm, encoded, method, drafts, costs)
            pairs[name].append(pair)
    for name, runs in pairs.items():
        last = runs[-1][1].generation
        yield Result(
            name,
            median(ar.decode / fast.decode for ar, fast in runs),
            median(ar.whole / fast.whole for ar, fast in runs),
            last.aal,
            len(last.steps),
            fmean(step.fed for step in last.steps),
            all(fast.generation.tokens == plain.tokens for _, fast in runs),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the numbers here too")
    parser.add_argument("--threads", type=int, default=1, help="on shared cores a second one waits for its neighbours")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    print(
        "| drafts | SR_decode | SR_e2e | AAL | steps | tokens fed a step | same output |\n|---|---|---|---|---|---|---|"
    )
    results = []
    for result in measure_all(args.rounds):
        results.append(asdict(result))
        print(
            f"| {result.drafts} | {result.sr_decode:.2f} | {result.sr_e2e:.2f} | {result.aal:.2f} | {result.steps} "
            f"| {result.fed:.1f} | {'yes' if result.same else 'NO'} |"
        )
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
