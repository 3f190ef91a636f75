"""Methods against plain decoding: the same pages in one run, page by page in turn, so that drift hits all alike."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from docparse.accel.drafts import DraftTokens
from docparse.bench.metrics import character_error_rate, edit_distance
from docparse.bench.noise import noisy_blocks, noisy_tokens
from docparse.bench.pages import BenchPage
from docparse.bench.rows import Row, counted
from docparse.engine.generation import Generation
from docparse.layout.reader import PageReader, ReadPage, Stopwatch
from docparse.pdf.content import PageContent
from docparse.render import RenderOptions, write_markdown
from docparse.settings import Settings
from docparse.types import Page
from docparse.vlm.reader import View, VlmReader, Written
from docparse.vlm.writing import Scribe

Drafts = Literal["pipeline", "oracle", "none"]
ORACLE = "oracle"  # the source of drafts that are the baseline's own output
STRETCH = 64  # tokens of an output without blocks that count as a region of it
STAGES = {  # of a report -> what the reader times
    "picture": ("picture", "encode"),
    "drafts": ("pipeline", "draft"),
    "regions": ("regions",),
    "vision": ("vision",),
    "prefill": ("prune", "prefill"),
    "decode": ("propose", "forward", "accept", "commit"),
    "markup": ("parse", "place", "markup"),
}


@dataclass(frozen=True)
class Plan:
    """What is compared: `methods` by the name that reports use, the baseline first. Each reads a page `runs` times.

    `drafts` come from the pipeline, or are the baseline's own output (`oracle`: what perfect drafts would give), or
    there are none. `noise` is the share of the drafts' characters (`oracle`: tokens) that are edited.
    """

    methods: Mapping[str, Scribe]
    settings: Settings
    drafts: Drafts = "pipeline"
    noise: float = 0.0
    runs: int = 1
    seed: int = 0


@dataclass(frozen=True)
class Attempt:
    """One page read once by one method."""

    written: Written
    seconds: Mapping[str, float]
    markdown: str

    @property
    def outputs(self) -> list[Generation]:
        return [answer.generation for answer in self.written.answers]

    @property
    def tokens(self) -> list[list[int]]:
        return [output.tokens for output in self.outputs]

    @property
    def text(self) -> str:
        """What the model wrote, in its own markup."""
        return "\n".join(answer.text.characters for answer in self.written.answers)


class Race:
    """Runs a plan over pages; `pipeline` makes the drafts, and its time is part of every page it makes them for."""

    def __init__(self, plan: Plan, pipeline: PageReader) -> None:
        self.plan = plan
        self.pipeline = pipeline

    def warm_up(self, page: BenchPage) -> None:
        """Load what is loaded lazily and touch all memory; what that takes is no page's."""
        for _ in self.rows([page]):
            pass

    def rows(self, pages: Sequence[BenchPage]) -> Iterator[Row]:
        """One row for each page, run and method, the baseline first."""
        for page in pages:
            for run in range(self.plan.runs):
                baseline: Attempt | None = None
                for method in self.plan.methods:
                    attempt = self.attempt(page, method, baseline)
                    baseline = baseline or attempt
                    yield _row(page, method, run, attempt, baseline)

    def attempt(self, page: BenchPage, method: str, baseline: Attempt | None) -> Attempt:
        """By a reader that has seen no page before: the output of an earlier run would be the best draft of all."""
        chance = random.Random(f"{self.plan.seed} {page.name}")
        scribe = self.plan.methods[method]
        if scribe.method is not None and self.plan.drafts != "pipeline":
            given = _oracle(baseline, self.plan.noise, chance) if baseline and self.plan.drafts == "oracle" else []
            scribe = replace(scribe, given=given)
        regions = scribe.vlm.family.reads == "regions"  # then the pipeline says where they are
        drafted = scribe.method is not None and scribe.given is None
        clock = Stopwatch()
        with page.open() as content:
            with clock("picture"):
                image = content.render(self.pipeline.ocr_dpi(content))
            with clock("pipeline"):
                found = self._found(content, chance, read=drafted or regions)
            reader = VlmReader(scribe, self.plan.settings, self.pipeline)
            written = reader.write(View(found, content.box, image, clock, stop=lambda: False))
            with clock("markup"):
                markdown = _markdown(found.page, written)
        return Attempt(written, dict(clock.seconds), markdown)

    def _found(self, content: PageContent, chance: random.Random, *, read: bool) -> ReadPage:
        """The page as the pipeline reads it, with noise; without `read` a page of which nothing is known."""
        if not read:
            return ReadPage(Page(number=content.number, width=content.width, height=content.height), content=content)
        found = self.pipeline.read(content)
        if not self.plan.noise:
            return found
        blocks = noisy_blocks(found.page.blocks, self.plan.noise, chance)
        return replace(found, page=msgspec.structs.replace(found.page, blocks=blocks))


def _oracle(baseline: Attempt, noise: float, chance: random.Random) -> list[DraftTokens]:
    """The baseline's answers as drafts; an answer without blocks is cut into stretches."""
    drafts = []
    for answer in baseline.written.answers:
        draft = answer.as_draft(ORACLE)
        starts = draft.starts if len(draft.starts) > 1 else tuple(range(0, len(draft.tokens), STRETCH))
        drafts.append(noisy_tokens(replace(draft, starts=starts), noise, chance))
    return drafts


def _markdown(page: Page, written: Written) -> str:
    text = io.StringIO()
    write_markdown([msgspec.structs.replace(page, blocks=tuple(written.page.blocks))], text, RenderOptions())
    return text.getvalue()


def _row(page: BenchPage, method: str, run: int, attempt: Attempt, baseline: Attempt) -> Row:
    seconds = attempt.seconds
    outputs = attempt.outputs
    steps = [step for output in outputs for step in output.steps]
    return Row(
        page=page.name,
        category=page.category,
        method=method,
        run=run,
        seconds={stage: sum(seconds.get(part, 0.0) for part in parts) for stage, parts in STAGES.items()},
        tokens=sum(len(output.tokens) for output in outputs),
        steps=len(steps),
        steps_with_candidates=sum(bool(step.proposed) for step in steps),
        accepted=sum(output.accepted for output in outputs),
        accepted_by_source=counted(step.accepted for step in steps),
        proposed_by_source=counted(step.proposed for step in steps),
        prompt_tokens=sum(output.prompt_tokens for output in outputs),
        visual_tokens=sum(output.visual_tokens for output in outputs),
        endings=tuple(output.ending for output in outputs),
        identical=attempt.tokens == baseline.tokens,
        distance=edit_distance(attempt.text, baseline.text),
        cer=None if page.truth is None else character_error_rate(attempt.markdown, page.truth),
    )
