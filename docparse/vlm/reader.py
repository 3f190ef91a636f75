"""One page read with a vision-language model: the pipeline drafts, the model writes, what only one knows is kept."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec
import numpy as np

from docparse.accel.drafts import EARLIER, OCR, REGION, TEXT_LAYER, DraftTokens
from docparse.guard import Guard
from docparse.layout.hyphens import divided
from docparse.layout.reader import PageReader, ReadPage, Stopwatch
from docparse.models.family import Frame
from docparse.pdf.content import PageContent, PageImage
from docparse.settings import Settings
from docparse.types import Block, Box
from docparse.vlm.asks import Answer, Ask
from docparse.vlm.drafts import draft_tokens
from docparse.vlm.outcome import cut, decoding, problems
from docparse.vlm.placing import Known, Placed, placed, with_crops
from docparse.vlm.regions import RegionRead, RegionReader, RegionStage
from docparse.vlm.sight import page_image
from docparse.vlm.writing import Scribe

EARLIER_PAGES = 3  # of the same document: running headers and forms come back on the next page, prose does not
TIME_SHARE = 0.9  # of a page's time, after which the model stops and what it has written is kept
REGIONS_SHARE = 0.5  # of it, after which no more regions are decoded that are only drafts
ADVICE = ": try a lower --dpi or --max-tokens"  # where there was no memory
REGION_TOKENS = 256  # of a crop's answer that only drafts the page, beyond one for each character of the region


Tell = Callable[[int, int, int], None]


def quiet(read: int, regions: int, tokens: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class View:
    """A page on its way: what the pipeline read, the picture, and when there is no more time: for the page (`stop`),
    for regions that are only its drafts (`stop_drafting`). `given` drafts are used in place of the pipeline's words.
    `tell` hears how far the model is: regions read, of how many, and tokens written."""

    found: ReadPage
    box: Box
    image: PageImage
    clock: Stopwatch
    stop: Callable[[], bool]
    stop_drafting: Callable[[], bool] = lambda: False
    given: Sequence[DraftTokens] | None = None
    tell: Tell = quiet

    @property
    def blocks(self) -> Sequence[Block]:
        return [divided(block) for block in self.found.page.blocks]

    @property
    def source(self) -> str:
        """Of the pipeline's words."""
        return OCR if "ocr" in self.found.page.seconds else TEXT_LAYER


@dataclass(frozen=True)
class Written:
    """A page as the model wrote it; `regions` are the answers that only served as drafts."""

    page: Placed
    answers: Sequence[Answer]
    regions: Sequence[Answer] = ()


class VlmReader:
    """Reads pages with a model that stays loaded; it remembers the last pages of the document at hand."""

    def __init__(self, scribe: Scribe, settings: Settings, pipeline: PageReader) -> None:
        self.scribe = scribe
        self.settings = settings
        self.pipeline = pipeline
        self._stage = RegionStage(scribe.method)
        self._lossless = getattr(scribe.method, "tau", 1.0) == 1.0
        self._earlier: deque[DraftTokens] = deque(maxlen=EARLIER_PAGES)
        self._document: Hashable = None

    @classmethod
    def load(cls, settings: Settings, pipeline: PageReader) -> VlmReader:
        """With the model that `settings` name. Raises `EnvironmentProblem` where it cannot be had."""
        return cls(Scribe.load(settings), settings, pipeline)

    def read(
        self, content: PageContent, *, document: Hashable = None, tell: Tell = quiet, guard: Guard | None = None
    ) -> ReadPage:
        """Return the page as the model reads it, marked `partial` where the model did not come to an end, and the
        pipeline's page, `partial` too, where it failed. Raises `DeviceLost` where it can read no other page either.

        `document` tells the pages of one document from those of another; `tell` hears how far the model is; `guard`
        remembers what failed.
        """
        began = time.monotonic()  # what the pipeline takes counts as well
        guard = guard or Guard()
        if document != self._document:
            self._earlier.clear()
            self._document = document
        found = self.pipeline.read(content, guard=guard)
        alone = guard.without_limit()

        def by_model() -> ReadPage:
            helped = guard.summary("the model read it all the same")
            read = self._read(replace(self._view(found, began), tell=tell))
            if not helped or read.page.status != "ok":
                return read
            page = msgspec.structs.replace(read.page, status="partial", error=helped, error_category=guard.category)
            return replace(read, page=page)

        def by_pipeline() -> ReadPage:
            hungry = alone.category == "memory"
            failed = f"without {guard.failures[-1]}; what the pipeline read is kept{ADVICE if hungry else ''}"
            error = "; ".join(filter(None, [failed, found.page.error]))
            status: Literal["partial", "failed"] = "failed" if found.page.status == "failed" else "partial"
            page = msgspec.structs.replace(
                found.page, status=status, error=error, error_category="memory" if hungry else "model"
            )
            return replace(found, page=page)

        return alone("model", by_model, by_pipeline)

    def _read(self, view: View) -> ReadPage:
        if not view.blocks and np.ptp(view.image.pixels) == 0:  # a model sees something on a blank sheet, too
            return self._page(view, Written(Placed((), {}), ()))
        return self._page(view, self.write(view))

    def write(self, view: View) -> Written:
        """What the model makes of a page that is not blank: written whole, or region by region."""
        return self.write_together([view])[0]

    def write_together(self, views: Sequence[View]) -> list[Written]:
        """Several pages decoded as one batch; the seconds of that are on the first one's clock. A model that reads
        regions has a batch of them for each page."""
        whole = [self.scribe.vlm.family.reads_whole(view.box) for view in views]
        if all(whole):
            return self._whole(views)
        return [
            self._whole([view])[0] if each else self._by_regions(view) for view, each in zip(views, whole, strict=True)
        ]

    def _view(self, found: ReadPage, began: float) -> View:
        content = found.content
        assert content is not None  # the pipeline's reader says what it read from
        clock = Stopwatch()
        with clock("render"):
            image = page_image(content, self.scribe.vlm.family, self.pipeline.engines.ocr_dpi)
        seconds = self.settings.page_seconds

        def after(share: float) -> Callable[[], bool]:
            return lambda: time.monotonic() >= began + share * seconds

        return View(found, content.box, image, clock, after(TIME_SHARE), after(TIME_SHARE * REGIONS_SHARE))

    # ---- two ways to read

    def _by_regions(self, view: View) -> Written:
        """Every region by itself, in the pipeline's order."""
        reads = self._regions(view, view.clock, view.stop).read(view.blocks, self.settings.max_tokens)
        blocks = [block for read in reads for block in read.blocks]
        answers = [answer for read in reads for answer in read.answers]
        return Written(with_crops(blocks, self._known(view)), answers)

    def _whole(self, views: Sequence[View]) -> list[Written]:
        """Each page at once, with drafts of everything that was read of it before."""
        reads = [self._first_stage(view) if self._stage.wanted(view.source) else [] for view in views]
        asks = [self._ask(*each) for each in zip(views, reads, strict=True)]
        clock, most = views[0].clock, self.settings.max_tokens

        def watch(ended: int, tokens: int) -> None:
            views[0].tell(0, 0, tokens)

        answers = self.scribe.write(asks, most, clock, lambda: any(view.stop() for view in views), watch)
        return [self._written(*each) for each in zip(views, reads, answers, strict=True)]

    def _ask(self, view: View, reads: Sequence[RegionRead]) -> Ask:
        family = self.scribe.vlm.family
        drafted = [block for read in reads for block in read.blocks]

        def drafts(frame: Frame) -> Sequence[DraftTokens]:
            if view.given is not None:
                return view.given
            tokenizer = self.scribe.vlm.processor.tokenizer
            read = [(drafted, REGION), (view.blocks, view.source)]
            made = [draft_tokens(blocks, frame, family.dialect, tokenizer, source) for blocks, source in read if blocks]
            return [draft for draft in made if draft] + list(self._earlier if self._lossless else ())

        return Ask(view.image.pixels, view.box, family.page_instruction, family.dialect, drafts)

    def _written(self, view: View, reads: Sequence[RegionRead], answer: Answer) -> Written:
        self._stage.learn(view.source, answer.generation, ran=bool(reads))
        if answer.generation.ending == "stop" and answer.text.characters:
            self._earlier.append(answer.as_draft(EARLIER))
        with view.clock("place"):
            page = placed(answer.blocks, self._known(view), boxed=answer.reading.boxed)
        return Written(page, [answer], [each for read in reads for each in read.answers])

    def _first_stage(self, view: View) -> list[RegionRead]:
        """The regions as drafts; their time is one stage of the page."""
        longest = max((len(block.text) for block in view.blocks), default=0)
        with view.clock("regions"):
            reader = self._regions(view, Stopwatch(), view.stop_drafting)
            return reader.read(view.blocks, min(self.settings.max_tokens, longest + REGION_TOKENS))

    def _regions(self, view: View, clock: Stopwatch, stop: Callable[[], bool]) -> RegionReader:
        return RegionReader(self.scribe, view.box, view.image, view.source, clock, stop, view.given, view.tell)

    # ---- the result

    def _known(self, view: View) -> Known:
        content = view.found.content
        assert content is not None  # as above
        return Known(
            number=view.found.page.number,
            box=view.box,
            blocks=view.blocks,
            assets=view.found.assets,
            draw=lambda: content.render(self.settings.dpi),
            pictures=self.settings.images != "none",
        )

    def _page(self, view: View, written: Written) -> ReadPage:
        """The pipeline's page with the model's blocks, and how they were written."""
        page = msgspec.structs.replace(view.found.page, status="ok", error="", error_category="")  # that was OCR's
        name = self.scribe.vlm.family.card.name
        changes = cut(written.answers, self.settings)
        changed = msgspec.structs.replace(
            page,
            blocks=tuple(written.page.blocks),
            engine=name,
            seconds=page.seconds | view.clock.seconds,
            decoding=decoding(written.answers, written.regions, self.settings.accel),
            warnings=(*page.warnings, *problems(written.answers)),
            **changes,
        )
        return ReadPage(changed, written.page.assets)
