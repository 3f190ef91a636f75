"""What HSD gains on this machine, by the quality of its drafts: `python benchmarks/speculation.py`.

The model is random, of a size at which a forward pass outweighs the loop around it: Qwen3-VL's classes with 12 decoder
layers of width 512, 300 visual tokens, 600 output tokens; end token and repetition guard off. Drafts are its own greedy
output, cut into blocks and damaged on purpose. Plain decoding (AR) comes again and again between them, each kind of
draft is compared with the AR just before and just after it, and every output with the plain one. See
docs/benchmarks/hsd.md.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import torch
from PIL import Image
from twins import make_twin

from docparse.accel.drafts import OCR, REGION, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.method import Drafting
from docparse.bench.noise import noisy_tokens
from docparse.engine.batch import generate
from docparse.engine.calibrate import measure
from docparse.engine.costs import CostCurve, PassCosts
from docparse.engine.generation import Generation
from docparse.engine.row import Limits
from docparse.models.family import Encoded
from docparse.models.qwen3_vl import Qwen3Vl
from docparse.vlm.loaded import Vlm

TOKENS = 600
BLOCKS = 12
LIMITS = Limits(max_tokens=TOKENS, guard=False, ignore_end=True)
PICTURE = (480, 640)  # pixels: 15 x 20 visual tokens of 32 x 32
NOISE = (0.01, 0.02, 0.05, 0.1)


MEDIUM: Mapping[str, Any] = {  # of the twin: a shape between that and the published one
    "config.json": {
        "text_config": {
            **{"vocab_size": 8192, "hidden_size": 512, "intermediate_size": 1536, "num_hidden_layers": 12},
            **{"num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64},
            "rope_parameters": {"mrope_section": [12, 10, 10]},
        },
        "vision_config": {
            **{"depth": 6, "hidden_size": 256, "intermediate_size": 1024, "num_heads": 4, "out_hidden_size": 512}
        },
    },
    "preprocessor_config.json": {"size": {"shortest_edge": 65536, "longest_edge": 16777216}},
}


@dataclass(frozen=True)
class Timed:
    """One reading of the page: seconds of the decode (drafts' own work included) and from picture to output."""

    generation: Generation
    decode: float
    whole: float


class Compared(NamedTuple):
    """A reading, and the plain ones just before and just after it."""

    before: Timed
    fast: Timed
    after: Timed


@dataclass(frozen=True)
class Result:
    """One kind of draft against AR: ratios are medians over the rounds, `propose` is the share of the decode time that
    goes into proposing, `fed` the mean number of tokens in a pass, `same` whether every output was the plain one."""

    drafts: str
    sr_decode: float
    sr_e2e: float
    aal: float
    steps: int
    fed: float
    propose: float
    same: bool


def load_model(device: str = "cpu", dtype: str = "float32") -> Vlm:
    family = Qwen3Vl()
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder, otherwise=MEDIUM)
        model: Any = family.load(folder, dtype=getattr(torch, dtype), device=device)
        return Vlm.of("medium", family, model, family.processor(folder))


@dataclass(frozen=True)
class Bench:
    """One page and a clock to read it by: the wall's, or the processor's where neighbours share the machine."""

    vlm: Vlm
    encoded: Encoded
    costs: CostCurve
    clock: Callable[[], float]

    def read(self, method: Drafting | None = None, drafts: Sequence[DraftTokens] = ()) -> Timed:
        """Vision, prefill and decode."""
        marks = [self.clock()]
        prompt = self.vlm.prompt(self.encoded)
        seen = self.clock()
        proposers = (
            [method.proposer(Speculation(drafts, prompt.ids.tolist(), PassCosts.alike(self.costs)))] if method else None
        )
        indexed = self.clock() - seen

        def step() -> bool:
            marks.append(self.clock())
            return False

        (generation,) = generate(self.vlm.text, [prompt], proposers, LIMITS, stop=step)
        ended = self.clock()
        return Timed(generation, indexed + ended - marks[1], ended - marks[0])


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
        yield f"{rate:.0%} of tokens edited", Hsd(), [noisy_tokens(page_of(blocks), rate, chance)]
    yield "5% edited, blocks shuffled", Hsd(), [noisy_tokens(page_of(shuffled), 0.05, chance)]
    useless = [chance.choices(range(vocabulary), k=len(block)) for block in blocks]
    yield "useless (random tokens)", Hsd(), [page_of(useless)]
    yield "none (prompt lookup)", Lookup(), []


def page_of(blocks: Sequence[Sequence[int]]) -> DraftTokens:
    starts: list[int] = []
    tokens: list[int] = []
    for block in blocks:
        starts.append(len(tokens))
        tokens += block
    return DraftTokens(tuple(tokens), OCR, tuple(starts))


def set_up(clock: Callable[[], float]) -> Bench:
    vlm = load_model()
    encoded = vlm.encode(Image.effect_noise(PICTURE, 64).convert("RGB"), "Read the page.")
    return Bench(vlm, encoded, measure(vlm.text, context=300 + TOKENS // 2), clock)


def measure_all(bench: Bench, rounds: int) -> Iterator[Result]:
    """Each kind of draft `rounds` times; AR in between as soon as as much time went by as one takes."""
    before = plain = bench.read()
    kinds = list(kinds_of_drafts(plain.generation.tokens, bench.vlm.text.vocabulary))
    runs: dict[str, list[Compared]] = {name: [] for name, *_ in kinds}
    group: list[tuple[str, Timed]] = []
    for turn, (name, method, drafts) in enumerate(kinds * rounds, 1):
        group.append((name, bench.read(method, drafts)))
        if sum(run.whole for _, run in group) >= before.whole or turn == len(kinds) * rounds:
            after = bench.read()
            for member, run in group:
                runs[member].append(Compared(before, run, after))
            before, group = after, []
    for name, compared in runs.items():
        yield summary(name, compared, plain.generation.tokens)


def summary(name: str, runs: Sequence[Compared], output: Sequence[int]) -> Result:
    last = runs[-1].fast.generation
    return Result(
        drafts=name,
        sr_decode=median(fmean((run.before.decode, run.after.decode)) / run.fast.decode for run in runs),
        sr_e2e=median(fmean((run.before.whole, run.after.whole)) / run.fast.whole for run in runs),
        aal=last.aal,
        steps=len(last.steps),
        fed=fmean(step.fed for step in last.steps),
        propose=median(share_of_proposing(run.fast.generation) for run in runs),
        same=all(list(run.fast.generation.tokens) == list(output) for run in runs),
    )


def share_of_proposing(generation: Generation) -> float:
    seconds = generation.seconds()
    return seconds["propose"] / (sum(seconds.values()) - seconds["prefill"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the numbers here too")
    parser.add_argument("--threads", type=int, default=1, help="on shared cores a second one waits for its neighbours")
    parser.add_argument("--cpu-time", action="store_true", help="seconds of the processor, where others share it")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    bench = set_up(process_time if args.cpu_time else perf_counter)
    points = bench.costs.points.items()
    print("ms of a pass by its tokens:", ", ".join(f"{size}: {1000 * seconds:.1f}" for size, seconds in points), "\n")
    print("| drafts | SR_decode | SR_e2e | AAL | steps | tokens a pass | proposing | same output |")
    print("|---|---|---|---|---|---|---|---|")
    results = []
    for result in measure_all(bench, args.rounds):
        results.append(asdict(result))
        print(
            f"| {result.drafts} | {result.sr_decode:.2f} | {result.sr_e2e:.2f} | {result.aal:.2f} | {result.steps} "
            f"| {result.fed:.1f} | {result.propose:.1%} | {'yes' if result.same else 'NO'} |"
        )
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
