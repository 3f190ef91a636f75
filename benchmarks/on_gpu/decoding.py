"""Decoding by transformers, by the engine over the modules, lean, captured and with HSD: tokens, and how fast."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import mean
from time import perf_counter
from typing import Any, cast

import torch
import transformers
from greedy import generate
from on_gpu.models import FAMILIES, Job, Row, Setup, model, prompt_of

from docparse.accel.costs import CostCurve, PassCosts
from docparse.accel.drafts import TEXT_LAYER, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.method import Proposer
from docparse.engine.graphs import Graphs, capture_on_cuda
from docparse.engine.hooks import RowMethods
from docparse.engine.prompt import Prompt
from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Candidate, Tree
from docparse.engine.weights import Unfit
from docparse.vlm.generation import STAGES, Generation
from docparse.vlm.pass_costs import measure
from docparse.vlm.row import Limits
from docparse.vlm.verify import GREEDY, score

NOISE = (0.0, 0.05, 0.1)  # of the draft's tokens, replaced by others


@torch.inference_mode()
def by_transformers(text: TextModel, prompts: Sequence[Prompt], count: int) -> tuple[list[list[int]], float]:
    """Greedy tokens by the modules with a DynamicCache, as `generate` runs them, and seconds after the prefill."""
    past = transformers.DynamicCache(config=text.config)
    embeds, place = torch.stack([each.embeds for each in prompts]), torch.stack([p.positions for p in prompts], 1)
    tokens, start = [], 0.0
    for number in range(count):
        positions = place if text.axes > 1 else place[0]
        out = cast(Any, text.decoder)(
            inputs_embeds=embeds, position_ids=positions, past_key_values=past, use_cache=True
        )
        best = text.head(out.last_hidden_state[:, -1]).argmax(-1)
        tokens.append(best.tolist())  # `generate` fetches it as well, to see whether to stop
        if number == 0:
            start = perf_counter()
        embeds, place = text.embed(best[:, None]), place[:, :, -1:] + 1
    return [list(row) for row in zip(*tokens, strict=True)], perf_counter() - start


def require_lean(text: TextModel) -> None:
    if isinstance(text.lean, Unfit):
        raise RuntimeError(f"the lean decoder does not fit: {text.lean}")


def run(
    text: TextModel,
    prompts: Sequence[Prompt],
    count: int,
    proposers: Callable[[], Sequence[Proposer]] | None = None,
    readers: Callable[[], Sequence[RowMethods]] = tuple,
) -> list[Generation]:
    """The second of two times, when kernels are compiled, graphs captured, and memory is there."""
    limits = Limits(count, guard=None, ignore_end=True)
    for _ in range(2):
        outs = generate(text, prompts, proposers and proposers(), limits, readers=readers())
    return outs


def figures(outs: Sequence[Generation]) -> Row:
    """What a batch took after its prefill; the row that ended last was in every step."""
    steps = max((out.steps for out in outs), key=len)
    seconds = sum(sum(step.seconds) for step in steps)
    stages = zip(STAGES[1:], zip(*(step.seconds for step in steps), strict=True), strict=True)
    return {
        "tokens/s": sum(len(out.tokens) - 1 for out in outs) / seconds,
        "ms a step": 1e3 * seconds / len(steps),
        "stages, ms": {name: 1e3 * mean(times) for name, times in stages},
        "AAL": mean(out.aal for out in outs),
        "prefill, s": sum(out.prefill_seconds for out in outs),
        "cache peak, bytes": outs[0].cache_bytes,
    }


def proposer(answer: Sequence[int], noise: float, vocabulary: int, costs: CostCurve | None) -> Proposer:
    """HSD's own, whose draft is the answer with some tokens replaced."""
    dice = random.Random(len(answer))
    draft = tuple(dice.randrange(vocabulary) if dice.random() < noise else token for token in answer)
    return Hsd().proposer(
        Speculation([DraftTokens(draft, TEXT_LAYER)], costs=PassCosts(lambda rows: costs) if costs else None)
    )


def exactness(setup: Setup) -> Iterator[Job]:
    for name in FAMILIES:
        for dtype in (torch.float32, torch.bfloat16):
            here = replace(Setup.on(setup.device, toy=True), dtype=dtype)
            yield f"{name}'s twin, {str(dtype)[6:]}", partial(exact, here, name)


def exact(setup: Setup, name: str) -> Row:
    """Plain decoding, HSD and transformers' loop of a model in which every token depends on all before it.

    In float32 the tokens must be the same. In bfloat16 one flip would change the rest, so every token is predicted
    again in trees of 16, from the plain output's own tokens before it.
    """
    text = model(setup, name, chaotic=True)
    prompt = prompt_of(setup, text, setup.visual)
    loop, _ = by_transformers(text, [prompt], setup.output)  # before the lean decoder lays out the weights anew
    require_lean(text)
    plain = run(text, [prompt], setup.output)[0].tokens
    hsd = run(text, [prompt], setup.output, lambda: [proposer(plain, 0.1, text.vocabulary, None)])[0].tokens
    row = {"plain's tokens equal": same([hsd], [plain]), "in trees of 16 equal": predicted(text, prompt, plain)}
    row |= {"transformers' tokens equal": same(loop, [plain])}
    if setup.dtype == torch.float32 and min(row.values()) < 1:
        raise ArithmeticError(f"tokens differ in float32: {row}")
    return row | {"different tokens": len(set(plain))}


def predicted(text: TextModel, prompt: Prompt, tokens: Sequence[int], nodes: int = 16) -> float:
    """The share of `tokens` that the model writes again in passes over trees of those before them."""
    session, right = DecodeSession(text), []
    session.prefill([prompt])
    for begin in range(0, len(tokens) - nodes, nodes):
        tree = Tree.grow(tokens[begin], [Candidate(tokens[begin + 1 : begin + nodes], "")], nodes)
        best = score(session.feed([tree]), [tree], [GREEDY])[0].best
        right += [a == b for a, b in zip(best, tokens[begin + 1 : begin + 1 + nodes], strict=True)]
        session.commit([tuple(range(1, nodes))])
    session.close()
    return mean(right)


def same(tokens: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> float:
    """The share of equal tokens, as far as both go."""
    return mean(a == b for one, other in zip(tokens, others, strict=True) for a, b in zip(one, other, strict=False))


class Race:
    """One decoder of published size, and who decodes with it; later results are compared with earlier ones."""

    def __init__(self, setup: Setup, name: str) -> None:
        self.setup = setup
        self.text = model(setup, name)
        self.weights = sum(each.nbytes for each in self.text.decoder.parameters())  # the head is as large as embeddings
        self.prompts = [prompt_of(setup, self.text, setup.visual, seed) for seed in range(max(setup.batches))]
        self.rates: dict[tuple[str, int], float] = {}  # tokens/s
        self.answers: dict[tuple[str, int], list[list[int]]] = {}
        self.costs: dict[int, CostCurve] = {}
        self.captured = 0
        self.graphs = Graphs(self._capture) if setup.device.type == "cuda" else None

    def _capture(self, compute: Callable[[], Any]) -> Callable[[], Any]:
        replay = capture_on_cuda(compute)
        self.captured += 1
        return replay

    def roofline(self) -> Row:
        """A pass reads every weight once: at one token a pass the device's bandwidth allows no more tokens."""
        source = torch.zeros(self.setup.copied // 2, dtype=torch.uint8, device=self.setup.device)
        target = torch.empty_like(source)
        bandwidth = self.setup.copied / self.setup.seconds(lambda: target.copy_(source))  # half is read, half written
        self.rates["roofline", 1] = bandwidth / self.weights
        gigabytes = {"copy, GB/s": bandwidth / 1e9, "weights a pass, GB": self.weights / 1e9}
        return gigabytes | {"roofline tokens/s": self.rates["roofline", 1]}

    def transformers(self, batch: int) -> Row:
        count = self.setup.slow_output
        by_transformers(self.text, self.prompts[:batch], 4)
        self.answers["transformers", batch], seconds = by_transformers(self.text, self.prompts[:batch], count)
        return self.compared(
            "transformers", batch, {"tokens/s": batch * (count - 1) / seconds, "ms a step": 1e3 * seconds / (count - 1)}
        )

    def modules(self, batch: int) -> Row:
        other = replace(self.text)
        other.__dict__["lean"] = Unfit("not asked for")
        return self.compared("modules", batch, figures(run(other, self.prompts[:batch], self.setup.slow_output)))

    def plain(self, batch: int, captured: bool) -> Row:
        what = "plain" if captured else "plain, uncaptured"
        row = self.lean(what, batch, captured)
        others = self.answers.get(("transformers", batch))
        return row | ({"transformers' tokens equal": same(self.answers[what, batch], others)} if others else {})

    def measure_costs(self, batch: int) -> Row:
        self._captures(True)
        self.costs[batch] = measure(self.text, batch=batch, context=len(self.prompts[0]))
        return {"ms of a pass by nodes": {str(k): 1e3 * s for k, s in self.costs[batch].points.items()}}

    def hsd(self, batch: int, captured: bool, noise: float) -> Row:
        """Drafts are the plain output with `noise`; costs are those measured."""
        answers, costs = self.answers["plain", batch], self.costs.get(batch)
        what = "HSD" if captured else "HSD, uncaptured"

        def make() -> list[Proposer]:
            return [proposer(each, noise, self.text.vocabulary, costs) for each in answers]

        row = self.lean(what, batch, captured, make)
        equal = same(self.answers[what, batch], answers)
        if self.setup.dtype == torch.float32 and equal < 1:
            raise ArithmeticError(f"tokens differ in float32: {equal:.1%} are equal")
        return row | {"plain's tokens equal": equal}

    def lean(
        self, what: str, batch: int, captured: bool, proposers: Callable[[], Sequence[Proposer]] | None = None
    ) -> Row:
        require_lean(self.text)
        self._captures(captured)
        before = self.captured
        count = self.setup.output if captured or self.graphs is None else self.setup.slow_output
        outs = run(self.text, self.prompts[:batch], count, proposers)
        self.answers[what, batch] = [out.tokens for out in outs]
        graphs = {"graphs captured": self.captured - before} if self.graphs else {}
        return self.compared(what, batch, figures(outs)) | graphs

    def _captures(self, whether: bool) -> None:
        self.text.__dict__["graphs"] = self.graphs if whether else None

    def compared(self, what: str, batch: int, row: Row) -> Row:
        """With what it is a multiple of."""
        rate = self.rates[what, batch] = row["tokens/s"]
        times = {
            f"times {base}": rate / self.rates[base, batch]
            for base in ("transformers", "modules", "plain")
            if base != what and (base, batch) in self.rates
        }
        if roofline := self.rates.get(("roofline", 1)):
            row["of bandwidth"] = 1e3 / row["ms a step"] / roofline  # passes a second, of those that it allows
        return row | times


def speed(setup: Setup, name: str) -> Iterator[Job]:
    """Transformers and the engine over the modules come first: the lean decoder lays the weights out anew."""
    race = Race(setup, name)
    yield "bandwidth", race.roofline
    for batch in setup.batches:
        yield f"transformers, batch {batch}", partial(race.transformers, batch)
        yield f"engine over modules, batch {batch}", partial(race.modules, batch)
    for batch in setup.batches:
        yield f"plain, uncaptured, batch {batch}", partial(race.plain, batch, False)
        yield f"plain, batch {batch}", partial(race.plain, batch, True)
        yield f"costs, batch {batch}", partial(race.measure_costs, batch)
        for noise in NOISE:
            yield f"HSD, noise {noise:.0%}, batch {batch}", partial(race.hsd, batch, True, noise)
        yield f"HSD, uncaptured, noise {NOISE[1]:.0%}, batch {batch}", partial(race.hsd, batch, False, NOISE[1])
