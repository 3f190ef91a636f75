"""How a page's answers ended, and what they cost, in the words of the page and of the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docparse.settings import Settings
from docparse.types import Decoding
from docparse.vlm.generation import Ending
from docparse.vlm.requests import VlmAnswer

# endings of an output that are told, the worst first, and the category of the page's error
CATEGORIES: dict[Ending, str] = {"memory": "memory", "interrupted": "timeout", "loop": "loop", "length": "length"}
MAX_PROBLEMS = 3  # problems of one page's markup that are listed


def decoding(answers: Sequence[VlmAnswer], regions: Sequence[VlmAnswer], accel: str) -> Decoding:
    """Return the figures of the `answers` that are the page, and apart those of its `regions` as drafts."""
    outputs = [answer.generation for answer in answers]
    accepted: Counter[str] = Counter()
    for output in outputs:
        accepted.update(output.accepted_by_source())
    return Decoding(
        accel=accel,
        prompt_tokens=sum(output.prompt_tokens for output in outputs),
        visual_tokens=sum(output.visual_tokens for output in outputs),
        tokens=sum(len(output.tokens) for output in outputs),
        steps=sum(len(output.steps) for output in outputs),
        accepted=sum(accepted.values()),
        accepted_by_source=dict(accepted),
        ending=_worst(answers),
        regions=len(regions),
        region_tokens=sum(len(region.generation.tokens) for region in regions),
        region_steps=sum(len(region.generation.steps) for region in regions),
        resized=next((answer.resized for answer in answers if answer.resized), ""),
        chosen=_chosen(answers),
        pruned=tuple(view for answer in answers for view in answer.pruned),
    )


def cut(answers: Sequence[VlmAnswer], settings: Settings) -> dict[str, str]:
    """Return what to change in a page of which the end may be missing; nothing where every answer came to its end."""
    ending = _worst(answers)
    if ending == "stop":
        return {}
    longer, most = f"{2 * settings.page_seconds:g}", max(len(answer.generation.tokens) for answer in answers)
    advice = "try a larger --max-tokens" if most >= settings.output_tokens else "it cannot write more"
    length = f"the model had not finished after {most} tokens: {advice}"
    if all(answer.overran for answer in answers if answer.generation.ending == "length"):
        length = "the model wrote on where there is no room for more: that is cut"
    why = {
        "memory": "not enough memory for the model: what the pipeline read there is kept; try a lower --dpi",
        "interrupted": f"the model had not finished when its time was up: try --page-timeout {longer}",
        "loop": "the model began to repeat itself: what it wrote before that is kept",
        "length": length,
    }[ending]
    if len(answers) > 1:
        why = f"{sum(answer.generation.ending != 'stop' for answer in answers)} of {len(answers)} regions: {why}"
    return {"status": "partial", "error": why, "error_category": CATEGORIES[ending]}


def problems(answers: Sequence[VlmAnswer]) -> list[str]:
    """Return what was broken in the model's markup, one line each."""
    lines = [f"the model's markup: {problem}" for answer in answers for problem in answer.reading.problems]
    more = len(lines) - MAX_PROBLEMS
    return lines if more <= 0 else [*lines[:MAX_PROBLEMS], f"the model's markup: and {more} more"]


def _chosen(answers: Sequence[VlmAnswer]) -> str:
    """Return what `--accel auto` took for the page; where its regions differ, in how many of them."""
    counts = Counter(answer.chosen for answer in answers if answer.chosen)
    if len(counts) <= 1:
        return next(iter(counts), "")
    return "; ".join(f"in {count} of {counts.total()} regions {chosen}" for chosen, count in counts.most_common())


def _worst(answers: Sequence[VlmAnswer]) -> Ending:
    endings = {answer.generation.ending for answer in answers}
    return next((ending for ending in CATEGORIES if ending in endings), "stop")
