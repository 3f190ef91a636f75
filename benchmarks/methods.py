"""What every method costs and gains on this machine: `python benchmarks/methods.py`.

Speed and memory only: the model is the random one of `benchmarks/speculation.py` and what it writes means
nothing. A picture of as many visual tokens as a page has goes through the vision tower once; then each method decodes
it in turn, plain decoding (AR) again and again between them, and each is compared with the AR just before and just
after it. Drafts are what the same stack writes without them, damaged on purpose. See docs/benchmarks/methods.md."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
import torch
from speculation import Medium, page_of
from twins import make_twin

from docparse.accel.budgets import budget_of
from docparse.accel.stack import METHODS as KNOWN
from docparse.accel.stack import Stack, parse_stack
from docparse.accel.vsd import Vsd
from docparse.bench.measures import decoding_flops
from docparse.bench.noise import noisy_tokens
from docparse.engine.calibrate import measure
from docparse.engine.costs import CostCurve, PassCosts
from docparse.engine.prompt import Prompt
from docparse.engine.row import Limits
from docparse.errors import UsageError
from docparse.layout.reader import Stopwatch
from docparse.models.family import Encoded
from docparse.types import Box
from docparse.vlm.decoding import answers
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import Vlm
from docparse.vlm.requests import VlmAnswer, VlmRequest

AR = "none"
ELSEWHERE = ("lookup", "vsd")  # what looks at the words, or needs a second model
METHODS = (
    # a picture of noise has no ratio of its own
    *("rtprune(ratio=0.25)" if name == "rtprune" else name for name in KNOWN if name not in ELSEWHERE),
    *("fastocr(preset=fast)", "rtprune(ratio=0.25)+hsd", "aircache+hsd", "fastocr+hsd"),
    "rtprune(ratio=0.25)+aircache+fastocr+hsd",
)
NEUTRAL = tuple(
    f"{name}({budget}={0 if budget == 'ratio' else 1})"
    for name, method in KNOWN.items()
    if (budget := budget_of(method))
)
BETWEEN = 4  # methods from one plain decoding to the next
CELL = 32  # pixels of a side of what a visual token sees
EDITS, BLOCK = 0.05, 50  # share of the drafts' tokens that is wrong; tokens of a block of them


@dataclass(frozen=True)
class OnePicture(Vlm):
    """The vision tower looks once: what it takes is the same for all methods."""

    seen: list[Prompt] = field(default_factory=list)

    def prompt(self, encoded: Encoded) -> Prompt:
        if not self.seen:
            self.seen.append(super().prompt(encoded))
        return self.seen[0]


@dataclass(frozen=True)
class Timed:
    """One reading: seconds of the prefill (pruning included), of decoding with all that a method does there, and what
    was written."""

    answer: VlmAnswer
    prefill: float
    decode: float

    @property
    def per_token(self) -> float:
        return self.decode / len(self.answer.generation.tokens)


@dataclass(frozen=True)
class Result:
    """A method against AR, `prefill_ratio` and `decode_ratio` its time over AR's, medians over the rounds. Milliseconds
    of the prefill and of a token; bytes of the cache; attention FLOPs a token; visual tokens kept, mean over layers."""

    method: str
    prefill_ms: float
    prefill_ratio: float
    token_ms: float
    decode_ratio: float
    aal: float
    visual: int
    cache_bytes: int
    flops: float


class Bench:
    """A picture of `visual` tokens, of which `tokens` tokens are written."""

    def __init__(self, visual: int, tokens: int, device: str, dtype: str) -> None:
        self.vlm = load_model(device, dtype)
        self.costs: CostCurve = measure(self.vlm.text, context=visual + tokens)
        self.limits = Limits(max_tokens=tokens, guard=False, ignore_end=True)
        side = CELL * round(visual**0.5)
        noise = np.random.default_rng(0).integers(0, 256, (side, side, 3), dtype=np.uint8)
        family = self.vlm.family
        self.request = VlmRequest(
            noise,
            Box(0, 0, side, side),
            family.page_instruction,
            family.dialect,
            lambda frame: (),
            tokens,
            Stopwatch(),
        )
        self._written: dict[str, list[int]] = {}  # by each stack without its drafts

    def read(self, name: str) -> Timed:
        stack = stack_of(name)
        engine = VlmEngine.of(self.vlm, replace_drafting(stack), _no_other_model, self.limits)
        request = replace(self.request, clock=Stopwatch())
        if stack.drafting is not None:
            draft = self._draft(stack)
            engine = replace(engine, method=stack.drafting, costs=PassCosts.alike(self.costs))
            request = replace(request, drafts=lambda frame: [draft])
        (answer,) = answers(engine, [request])
        clock = request.clock
        stages = ("draft", "propose", "forward", "accept", "commit")
        prefill = clock.seconds["prefill"] + clock.seconds.get("prune", 0.0)
        return Timed(answer, prefill, sum(clock.seconds[stage] for stage in stages))

    def _draft(self, stack: Stack) -> Any:
        bare = str(replace_drafting(stack))
        if bare not in self._written:
            self._written[bare] = self.read(bare).answer.generation.tokens
        tokens = self._written[bare]
        blocks = [tokens[start : start + BLOCK] for start in range(0, len(tokens), BLOCK)]
        return noisy_tokens(page_of(blocks), EDITS, random.Random(0))


def load_model(device: str, dtype: str) -> OnePicture:
    family = Medium()
    with tempfile.TemporaryDirectory(prefix="docparse-") as folder:
        make_twin(family, folder)
        model: Any = family.load(folder, dtype=getattr(torch, dtype), device=device)
        vlm = OnePicture.of("medium", family, model, family.processor(folder))
    assert isinstance(vlm, OnePicture)
    return vlm


def replace_drafting(stack: Stack) -> Stack:
    """The stack without what proposes drafts."""
    return Stack(tuple(method for method in stack.methods if method.seam != "propose"))


def stack_of(name: str) -> Stack:
    """What can be measured without another model and without a page. Raises `UsageError`."""
    stack = parse_stack(name)
    if isinstance(stack.drafting, Vsd):
        raise UsageError(f"{name}: it drafts with a smaller model, and of this one there is none: leave it out")
    if stack.auto is not None:
        raise UsageError(f"{name}: it chooses by the page, and here is none: name the methods")
    return stack


def _no_other_model(name: str) -> Vlm:
    raise AssertionError(f"no method that is measured asks for {name}")


def measure_all(read: Callable[[str], Timed], names: Sequence[str], rounds: int) -> Iterator[tuple[str, list[Any]]]:
    """Each method with its readings: `(the AR before it, it, the AR after it)`, of every round."""
    runs: dict[str, list[Any]] = {AR: [], **{name: [] for name in names}}
    for name in runs:  # loads and compiles what is loaded and compiled lazily, touches all memory
        read(name)
    before = read(AR)
    for _ in range(rounds):
        for start in range(0, len(names), BETWEEN):
            group = [(name, read(name)) for name in names[start : start + BETWEEN]]
            after = read(AR)
            for name, run in group:
                runs[name].append((before, run, after))
            runs[AR].append((before, before, before))
            before = after
    yield from runs.items()


def summary(name: str, runs: Sequence[tuple[Timed, Timed, Timed]], vlm: Vlm) -> Result:
    output = runs[-1][1].answer.generation
    return Result(
        method=name,
        prefill_ms=1000 * median(run.prefill for _, run, _ in runs),
        prefill_ratio=median(run.prefill / fmean((one.prefill, other.prefill)) for one, run, other in runs),
        token_ms=1000 * median(run.per_token for _, run, _ in runs),
        decode_ratio=median(run.per_token / fmean((one.per_token, other.per_token)) for one, run, other in runs),
        aal=output.aal,
        visual=round(output.kept_visual_tokens),
        cache_bytes=output.cache_bytes,
        flops=decoding_flops(output, vlm) / len(output.tokens),
    )


def print_table(results: Sequence[Result]) -> None:
    print(
        "| method | prefill ms | x AR | ms a token | x AR | AAL | visual tokens | cache MiB | attention MFLOP a token |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for each in results:
        name = "AR" if each.method == AR else f"`{each.method}`"
        prefill = f"{each.prefill_ms:.0f} | {each.prefill_ratio:.2f}"
        token = f"{each.token_ms:.1f} | {each.decode_ratio:.2f} | {each.aal:.1f}"
        size = f"{each.visual} | {each.cache_bytes / 2**20:.1f} | {each.flops / 1e6:.0f}"
        print(f"| {name} | {prefill} | {token} | {size} |")
    print()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visual", type=int, default=1024, help="visual tokens of the picture, about")
    parser.add_argument("--tokens", type=int, default=128, help="tokens of output")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--methods", nargs="*", default=METHODS, help="stacks to measure")
    parser.add_argument("--neutral", nargs="*", default=NEUTRAL, help="stacks that change nothing: what is overhead")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--threads", type=int, default=1, help="on shared cores a second one waits for its neighbours")
    parser.add_argument("--json", type=Path, help="write the numbers here too")
    args = parser.parse_args()
    names = [*args.methods, *args.neutral]
    try:
        for name in names:
            stack_of(name)
    except UsageError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    torch.set_num_threads(args.threads)
    bench = Bench(args.visual, args.tokens, args.device, args.dtype)
    results = [summary(*each, bench.vlm) for each in measure_all(bench.read, names, args.rounds)]
    print_table(results[: 1 + len(args.methods)])
    print_table(results[1 + len(args.methods) :])
    if args.json:
        args.json.write_text(json.dumps([asdict(each) for each in results], indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
