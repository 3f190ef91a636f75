"""Pages read with a vision-language model: the pipeline drafts, the model writes, what only one knows is kept."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import msgspec
import numpy as np

from docparse.accel.drafts import EARLIER, REGION, DraftTokens
from docparse.errors import DeviceLost, EnvironmentProblem, PageError, ran_out_of_memory
from docparse.guard import reason_of
from docparse.layout.reader import PageResult, Stopwatch
from docparse.logits import Sampling
from docparse.models.family import Family
from docparse.settings import Settings
from docparse.vlm.page_outcome import cut, decoding, problems
from docparse.vlm.pages import DraftPage, PageView
from docparse.vlm.placing import Known, Placed, placed, with_crops
from docparse.vlm.regions import RegionRead, RegionStage, drafts_of, find_regions, read_regions
from docparse.vlm.requests import Dialogue, Model, RequestQueue, VlmAnswer, VlmRequest

logger = logging.getLogger("docparse")

EARLIER_PAGES = 3  # of the same document: running headers and forms come back on the next page, prose does not
DOCUMENTS = 16  # whose last pages are remembered
ADVICE = ": try a lower --dpi or --max-tokens"  # where there was no memory
MOST_REREADS = 16
REGION_TOKENS = 256  # of a crop's answer that only drafts the page, beyond one for each character of the region


@dataclass(frozen=True)
class WrittenPage:
    """A page as the model wrote it; `regions` are the answers that are no part of it: they served as drafts, were read
    again, or said where the regions are. `told` are warnings."""

    page: Placed
    answers: Sequence[VlmAnswer]
    regions: Sequence[VlmAnswer] = ()
    told: tuple[str, ...] = ()


Again = tuple[VlmAnswer, list[VlmAnswer], PageView, list[str]]  # what is kept, what only cost time, of what; told


@dataclass(eq=False)
class PageUnderWay:
    """A page whose requests are on their way: answers by the number of their request, and what comes after them."""

    key: Any
    asking: Dialogue[WrittenPage]
    requests: Sequence[VlmRequest] = ()
    answers: dict[int, VlmAnswer] = field(default_factory=dict)


class VlmReader:
    """Reads pages, several at once, with a model that stays loaded: `begin` one, `advance` until it is there. It
    remembers the last pages of the documents at hand."""

    def __init__(self, model: Model, settings: Settings, queue: RequestQueue) -> None:
        self.model = model
        self.settings = settings
        self._queue = queue
        self._stage = RegionStage(model.method)
        self._lossless = model.method is None or model.method.lossless
        self._earlier: dict[Hashable, deque[DraftTokens]] = {}
        self._asked: dict[VlmRequest, tuple[PageUnderWay, int]] = {}
        self._ready: list[tuple[Any, WrittenPage | Exception]] = []

    @property
    def busy(self) -> bool:
        return bool(self._asked or self._ready)

    def begin(self, key: Any, view: PageView) -> None:
        """Take a page in; `advance` will return it with this key."""
        page = PageUnderWay(key, self._writing(view))
        self._go_on(page, None)

    def advance(self) -> list[tuple[Any, WrittenPage | Exception]]:
        """Go on a little with all pages; return those that have been written, or why they could not be. Raises
        `DeviceLost` where nothing can be read any more."""
        for request, answer in self._queue.advance() if self._asked else ():
            if request not in self._asked:  # of a page that has failed
                continue
            page, number = self._asked.pop(request)
            if isinstance(answer, Exception):
                self._fail(page, answer)
                continue
            page.answers[number] = answer
            if len(page.answers) == len(page.requests):
                self._go_on(page, [page.answers[i] for i in range(len(page.requests))])
        ready, self._ready = self._ready, []
        return ready

    def write(self, view: PageView) -> WrittenPage:
        """Return what the model makes of one page. Raises why it could not be written."""
        self.begin(None, view)
        while not (done := self.advance()):
            pass
        [(_, written)] = done
        if isinstance(written, Exception):
            raise written
        return written

    # ---- the conversation about a page

    def _go_on(self, page: PageUnderWay, answers: Sequence[VlmAnswer] | None) -> None:
        try:
            page.requests = next(page.asking) if answers is None else page.asking.send(answers)
            while not page.requests:
                page.requests = page.asking.send(())
        except StopIteration as end:
            self._ready.append((page.key, end.value))
            return
        except Exception as error:
            self._ready.append((page.key, error))
            return
        page.answers = {}
        self._asked |= {request: (page, number) for number, request in enumerate(page.requests)}
        self._queue.submit(page.requests)

    def _fail(self, page: PageUnderWay, error: Exception) -> None:
        page.asking.close()
        self._asked = {request: asked for request, asked in self._asked.items() if asked[0] is not page}
        self._ready.append((page.key, error))

    # ---- two ways to read

    def _writing(self, view: PageView) -> Dialogue[WrittenPage]:
        """Return the page, written whole or region by region."""
        if self._stage.when != "only" and self.model.family.reads_whole(view.box):
            return (yield from self._whole(view))
        return (yield from self._by_regions(view))

    def _by_regions(self, view: PageView) -> Dialogue[WrittenPage]:
        """Every region by itself, in the order of who found them: the pipeline, or the model in a first step."""
        most, regions, first = self.settings.output_tokens, view.blocks, []
        told: tuple[str, ...] = ()
        if (layout := self.model.family.layout) is not None:
            found, answer = yield from find_regions(view, self.model, layout, most)
            first = [answer]
            told = () if found else ("the model found no regions: those of the pipeline were read",)
            regions = found or regions
        reads = yield from read_regions(view, self.model, regions, view.clock, most, view.stop)
        blocks = [block for read in reads for block in read.blocks]
        answers = [answer for read in reads for answer in read.answers]
        return WrittenPage(with_crops(blocks, self._known(view)), answers, first, told)

    def _whole(self, view: PageView) -> Dialogue[WrittenPage]:
        """The page at once, with drafts of everything that was read of it before."""
        reads: list[RegionRead] = []
        if self._stage.wanted(view.source):
            reads = yield from self._first_stage(view)
        [answer] = yield [self._request(view, reads)]
        others, told = [each for read in reads for each in read.answers], []
        for again in (self._turned, self._reread):
            answer, left, view, said = yield from again(view, reads, answer)
            others += left
            told += said
        if answer.generation.ending == "memory":
            raise MemoryError("the device has not enough memory for this page: use a lower --dpi or --max-tokens")
        if answer.generation.ending == "interrupted" and not answer.text.characters:
            raise PageError("no time was left for it: try a larger --page-timeout, or a smaller --batch", "timeout")
        self._stage.learn(view.source, answer.generation, ran=bool(reads))
        if answer.generation.ending == "stop" and answer.text.characters:
            self._remembered(view.document).append(answer.as_draft(EARLIER))
        with view.clock("place"):
            page = placed(answer.blocks, self._known(view), answer.reading)
        return WrittenPage(page, [answer], others, tuple(told))

    def _turned(self, view: PageView, reads: Sequence[RegionRead], first: VlmAnswer) -> Dialogue[Again]:
        """The page as the model wants it turned, once; the first answer where the second is cut, empty or turns
        again."""
        degrees = first.reading.turned
        if not degrees:
            return first, [], view, []
        image = replace(view.image, pixels=np.ascontiguousarray(np.rot90(view.image.pixels, degrees // 90)))
        turned = replace(view, image=image)
        [second] = yield [self._request(turned, reads)]
        came = second.generation.ending == "stop" and bool(second.blocks) and not second.reading.turned
        again = "was read again" if came else "could not be read again"
        told = [f"the page is turned by {degrees} degrees, and {again}"]
        return (second, [first], turned, told) if came else (first, [second], view, told)

    def _reread(self, view: PageView, reads: Sequence[RegionRead], first: VlmAnswer) -> Dialogue[Again]:
        """The first answer that came out right, where tokens are drawn from the second on; else the first one."""
        wrong, answer = [], first
        for sampling in self.model.family.rereads[: self.settings.rereads]:
            if not _came_out_wrong(answer) or view.stop():
                break
            wrong.append(answer)
            seed = 1 + view.page.number * MOST_REREADS + len(wrong)  # so that another run draws the same
            [answer] = yield [self._request(view, reads, replace(sampling, seed=seed))]
        if not wrong:
            return first, [], view, []
        right = not _came_out_wrong(answer)
        kept = "the last" if right else "which did not help: the first"
        told = [f"the page was read {len(wrong) + 1} times, {kept} is kept"]
        return (answer, wrong, view, told) if right else (first, [*wrong[1:], answer], view, told)

    def _first_stage(self, view: PageView) -> Dialogue[list[RegionRead]]:
        """The regions as drafts; their time is one stage of the page."""
        longest = max((len(block.text) for block in view.blocks), default=0)
        most, clock = min(self.settings.output_tokens, longest + REGION_TOKENS), Stopwatch()
        reads = yield from read_regions(view, self.model, view.blocks, clock, most, view.stop_drafting)
        view.clock.add("regions", sum(clock.seconds.values()))
        return reads

    def _request(self, view: PageView, reads: Sequence[RegionRead], sampling: Sampling | None = None) -> VlmRequest:
        family = self.model.family
        read = [([block for read in reads for block in read.blocks], REGION), (view.blocks, view.source)]
        earlier = partial(self._remembered, view.document) if self._lossless else tuple
        return VlmRequest(
            view.image.pixels,
            view.box,
            family.page_instruction,
            family.dialect,
            drafts_of(view, self.model, family.dialect, read, earlier),
            self.settings.output_tokens,
            view.clock,
            stop=view.stop,
            progress=lambda tokens, over: view.tell(0, 0, tokens),
            sampling=sampling,
        )

    def _remembered(self, document: Hashable) -> deque[DraftTokens]:
        if document not in self._earlier and len(self._earlier) == DOCUMENTS:
            del self._earlier[next(iter(self._earlier))]
        return self._earlier.setdefault(document, deque(maxlen=EARLIER_PAGES))

    # ---- the result

    def finished(self, draft: DraftPage, view: PageView, written: WrittenPage | Exception) -> PageResult:
        """Return the page as the model wrote it, marked `partial` where the model did not come to an end, and the
        pipeline's page, `partial` too, where it failed. Raises `DeviceLost` and `EnvironmentProblem`."""
        if isinstance(written, (DeviceLost, EnvironmentProblem)):
            raise written
        if isinstance(written, Exception):
            return _by_pipeline(draft, written)
        read = _by_model(draft, written, view.clock.seconds, self.model.family, self.settings)
        if not draft.helped or read.page.status != "ok":
            return read
        changes = {"status": "partial", "error": draft.helped, "error_category": draft.category}
        return PageResult(msgspec.structs.replace(read.page, **changes), read.assets)

    def _known(self, view: PageView) -> Known:
        return Known(
            number=view.page.number,
            box=view.box,
            blocks=view.blocks,
            assets=view.assets,
            draw=lambda: view.detail or view.image,
            pictures=self.settings.images != "none",
        )

    def restarted(self) -> VlmReader:
        """Return a reader with the same model that knows of no page, after an error that ended them all."""
        return VlmReader(self.model, self.settings, self._queue.restarted())


def _came_out_wrong(answer: VlmAnswer) -> bool:
    """Return whether an output went on to a limit, or its markup is broken."""
    return answer.generation.ending in ("loop", "length") or bool(answer.reading.problems)


def blank_page(draft: DraftPage, family: Family, settings: Settings) -> PageResult:
    return _by_model(draft, WrittenPage(Placed((), {}), ()), {}, family, settings)


def _by_model(
    draft: DraftPage, written: WrittenPage, seconds: dict[str, float], family: Family, settings: Settings
) -> PageResult:
    """The pipeline's page with the model's blocks, and how they were written."""
    page = msgspec.structs.replace(draft.page, status="ok", error="", error_category="")  # that was OCR's
    changed = msgspec.structs.replace(
        page,
        blocks=tuple(written.page.blocks),
        engine=family.card.name,
        seconds=page.seconds | seconds,
        decoding=decoding(written.answers, written.regions, settings.accel),
        warnings=(*page.warnings, *written.told, *problems(written.answers)),
        **cut(written.answers, settings),
    )
    return PageResult(changed, written.page.assets)


def _by_pipeline(draft: DraftPage, error: Exception) -> PageResult:
    """The page as the pipeline read it, and why that is all."""
    hungry = ran_out_of_memory(error)
    logger.debug("model failed", exc_info=error)
    reason = reason_of(MemoryError() if hungry else error)  # libraries say it in many words
    failed = f"without model ({reason}); what the pipeline read is kept{ADVICE if hungry else ''}"
    line = "; ".join(filter(None, [failed, draft.page.error]))
    status: Literal["partial", "failed"] = "failed" if draft.page.status == "failed" else "partial"
    late = isinstance(error, PageError) and error.category == "timeout"
    category = "memory" if hungry else "timeout" if late else "model"
    return PageResult(
        msgspec.structs.replace(draft.page, status=status, error=line, error_category=category), draft.assets
    )


def reading(model: Any, settings: Settings, max_rows: int = 0) -> VlmReader:
    """Return a reader of pages with a model in this process."""
    from docparse.vlm.decoding import BatchDecoder

    return VlmReader(model, settings, BatchDecoder(model, max_rows))
