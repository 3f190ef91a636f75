"""From a page read once to its row: seconds by stage, sizes, what attention cost, agreement and accuracy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from docparse.bench.data.pages import BenchPage
from docparse.bench.rows import Accuracy, PageRow
from docparse.bench.scoring.metrics import edit_distance
from docparse.vlm.generation import Generation
from docparse.vlm.loaded import Vlm
from docparse.vlm.reader import WrittenPage

if TYPE_CHECKING:
    import torch

CONTROL = "control"  # what no stage of the reader has timed: between its stages, and what methods learn from a step
PARTS = {  # a report's stages -> what the reader times
    "picture": ("picture", "encode"),
    "drafts": ("pipeline", "draft"),
    "regions": ("regions",),
    "vision": ("vision",),
    "prefill": ("prune", "prefill"),
    "decode": ("propose", "forward", "accept", "commit", CONTROL),
    "markup": ("parse", "place", "markup"),
}


@dataclass(frozen=True)
class MeasuredPage:
    """One page read once by one method, with the seconds of each stage and the bytes of `memory` that it took;
    `markdown` is what the model wrote, without what only the pipeline knows of the page."""

    written: WrittenPage
    seconds: Mapping[str, float]
    memory: int
    markdown: str

    @property
    def outputs(self) -> list[Generation]:
        """Return the outputs of the page; those of its regions aside, where they only drafted it."""
        return [answer.generation for answer in self.written.answers]

    @property
    def tokens(self) -> list[list[int]]:
        return [output.tokens for output in self.outputs]

    @property
    def text(self) -> str:
        return "\n".join(answer.text.characters for answer in self.written.answers)


def begin_peak(device: torch.device) -> int:
    """Forget the peak of a GPU's memory so far; return the bytes in use. A process does not tell that of one page: what
    it got for an earlier one is still its own."""
    import torch

    if device.type != "cuda":
        return 0
    torch.cuda.reset_peak_memory_stats(device)
    return torch.cuda.memory_allocated(device)


def peak_growth(device: torch.device, in_use: int) -> int:
    """Return how many bytes beyond those in use before a GPU needed at its peak, the prefill's; 0 elsewhere."""
    import torch

    return torch.cuda.max_memory_allocated(device) - in_use if device.type == "cuda" else 0


def row_of(
    page: BenchPage, method: str, run: int, attempt: MeasuredPage, plain: MeasuredPage, accuracy: Accuracy, vlm: Vlm
) -> PageRow:
    """Return the row of an attempt by `method`; `plain` is that of plain decoding at the same page."""
    outputs, answers = attempt.outputs, attempt.written.answers
    regions = [answer.generation for answer in attempt.written.regions]
    steps = [step for output in outputs for step in output.steps]
    visual = sum(output.visual_tokens for output in outputs)  # before any were pruned
    visual += sum(view.total - view.kept for answer in answers for view in answer.pruned)
    holding = max(outputs, regions, key=lambda part: sum(output.cache_bytes for output in part))  # the most at once
    return PageRow(
        model=vlm.name,
        page=page.name,
        category=page.category,
        method=method,
        run=run,
        seconds={stage: sum(attempt.seconds.get(part, 0.0) for part in parts) for stage, parts in PARTS.items()},
        tokens=sum(len(output.tokens) for output in outputs),
        steps=len(steps),
        steps_with_candidates=sum(bool(step.proposed) for step in steps),
        accepted=sum(output.accepted for output in outputs),
        accepted_per_step=tuple(step.accepted for step in steps) if any(step.proposed for step in steps) else (),
        accepted_by_source=_counted(output.accepted_by_source() for output in outputs),
        proposed_by_source=_counted(step.proposed for step in steps),
        region_tokens=sum(len(output.tokens) for output in regions),
        region_steps=sum(len(output.steps) for output in regions),
        prompt_tokens=sum(output.prompt_tokens for output in outputs),
        visual_tokens=visual,
        kept_visual_tokens=round(sum(output.kept_visual_tokens for output in outputs)),
        kv_prefill_bytes=sum(output.prefill_bytes for output in outputs),
        kv_prompt_bytes=sum(output.prompt_bytes for output in outputs),
        kv_bytes=sum(output.cache_bytes for output in holding),
        kv_spare_bytes=sum(output.spare_bytes for output in holding),
        peak_memory=attempt.memory,
        attention_flops=sum(decoding_flops(output, vlm) for output in [*outputs, *regions]),
        endings=tuple(output.ending for output in outputs),
        chosen="; ".join(dict.fromkeys(answer.chosen for answer in answers if answer.chosen)),
        identical=attempt.tokens == plain.tokens,
        distance=edit_distance(attempt.text, plain.text),
        density=len(page.truth) / visual if page.truth is not None and visual else None,
        **msgspec.structs.asdict(accuracy),
    )


def _counted(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = Counter[str]()
    for count in counts:
        total.update(count)
    return dict(total)


def decoding_flops(output: Generation, vlm: Vlm) -> float:
    """Return the FLOPs of attention while decoding, all steps together, by the papers' formula."""
    layers, hidden = vlm.text.layers, int(vlm.text.config.hidden_size)
    total = 0
    cached = output.prompt_tokens
    for step in output.steps:
        total += attention_flops(step.read or [cached] * layers, hidden, step.fed)
        cached += step.accepted + 1
    return float(total)


def attention_flops(read: Sequence[int], hidden: int, nodes: int = 1) -> int:
    """Floating-point operations of all attention sublayers of one pass over one row of the batch.

    FastOCR's `B * L * (8 D^2 + 4 s D)` for B rows, with an `s` for each of the L layers: `read[l]` rows of the cache
    and the `nodes` of the pass themselves; every node is a query. D is the hidden size; four projections of D x D, the
    scores and the weighted sum, two operations each (grouped heads are counted as full ones, as in the paper).
    """
    return nodes * sum(8 * hidden**2 + 4 * (rows + nodes) * hidden for rows in read)
