"""One page, from content to blocks in reading order: the stages one after the other, each timed and guarded."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from docparse.guard import Guard, OutOfTime, time_limit
from docparse.layout.engines import Engines
from docparse.layout.stages import STAGES, Stage, first_state
from docparse.layout.state import PageState
from docparse.pdf.content import PageContent
from docparse.settings import Settings
from docparse.types import Page

LONGER = "try a larger --page-timeout"
ADVICE = {"timeout": f"; {LONGER}", "memory": "; raise --max-memory, or use a lower --dpi"}


@dataclass(frozen=True)
class PageResult:
    """A page and the PNG bytes of its crops, by the names that `Block.image` uses; `content` is the upright page."""

    page: Page
    assets: dict[str, bytes] = field(default_factory=dict)
    content: PageContent | None = None


class PageReader:
    """Reads pages; models are loaded when the first page needs them and kept."""

    def __init__(self, settings: Settings, threads: int = 1) -> None:
        self.settings = settings
        self.engines = Engines(settings, threads)

    def read(
        self, content: PageContent, *, guard: Guard | None = None, stages: Sequence[Stage] | None = None
    ) -> PageResult:
        """Return the page after all `stages` (`STAGES` if not given).

        A stage that fails costs what it would have added: the page is then `partial` and its error names the stage,
        or `failed` where OCR was that stage and there are no other words.
        `guard` may know of failures before and sets the time limit; without one there is none. Raises
        `EnvironmentProblem` where a model that was asked for cannot be had.
        """
        guard = guard or Guard()
        clock = Stopwatch()
        state = first_state(content, self.engines)
        for stage in STAGES if stages is None else stages:
            try:
                with time_limit(guard.seconds()):
                    if stage.needed(state):
                        with clock(stage.name):
                            state = stage.checked(state, stage.run(state))
            except (OutOfTime, Exception) as error:
                guard.remember(stage.name, error)
                state = stage.fallback(state)
        return PageResult(_page(state, clock.seconds, guard), dict(state.assets), state.content)


def _page(state: PageState, seconds: dict[str, float], guard: Guard) -> Page:
    content = state.content
    problems = [
        (guard.category, guard.summary(_kept(state) + ADVICE.get(guard.category, ""))),
        ("timeout", f"OCR had no time for {state.unread_lines} lines: {LONGER}" if state.unread_lines else ""),
        ("script", state.unreadable),
    ]
    said = [(category, line) for category, line in problems if line]
    return Page(
        number=content.number,
        width=round(content.width, 2),
        height=round(content.height, 2),
        blocks=tuple(state.blocks),
        status="ok" if not said else "partial" if state.blocks or not _unread(state) else "failed",
        error="; ".join(line for _, line in said),
        error_category=said[0][0] if said else "",
        text_quality=str(content.quality),
        structure=state.structure,
        rotation=content.rotation,
        skew=round(content.skew, 2),
        seconds=seconds,
        warnings=tuple(content.warnings),
    )


def _kept(state: PageState) -> str:
    """Return what is left where a stage failed."""
    if not state.blocks:
        return "no words could be read"
    return "only the words of its text layer are kept" if _unread(state) else "its words are kept"


def _unread(state: PageState) -> bool:
    """Return whether the words were to come from the pixels and did not."""
    return state.ocr and state.source != "ocr"


class Stopwatch:
    """Seconds by stage, rounded to 0.1 ms; a stage that runs twice adds up."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(stage, time.perf_counter() - start)

    def add(self, stage: str, seconds: float) -> None:
        """Count what somebody else has timed."""
        self.seconds[stage] = round(self.seconds.get(stage, 0.0) + seconds, 4)
