"""Methods beside plain decoding: the same pages in one run, page by page in turn, so that drift hits all alike."""

from __future__ import annotations

import io
import logging
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from time import perf_counter

import msgspec

from docparse.accel.drafts import DraftTokens
from docparse.bench.accuracy import accuracy
from docparse.bench.data.export import Output
from docparse.bench.data.pages import BenchPage
from docparse.bench.measures import CONTROL, MeasuredPage, begin_peak, peak_growth, row_of
from docparse.bench.noise import jittered_blocks, noisy_blocks, noisy_tokens
from docparse.bench.rows import AR, Drafts, PageFailure, PageRow
from docparse.errors import DeviceLost, DocparseError, PageError
from docparse.layout.reader import PageReader, PageResult, Stopwatch
from docparse.pdf.content import PageContent
from docparse.render import RenderOptions, write_markdown
from docparse.settings import Settings
from docparse.types import Block, Box, Page
from docparse.vlm.engine import VlmEngine
from docparse.vlm.image_prep import page_image, shown
from docparse.vlm.loaded import Vlm
from docparse.vlm.pages import PageView
from docparse.vlm.reader import WrittenPage, reading

ORACLE, TRUTH = "oracle", "truth"  # sources of drafts: plain decoding's own output, and what is true of the page
STRETCH = 64  # tokens of an output without blocks that count as a region of it
WORDS = ("audit", "ocr", "words")  # stages of the pipeline that read; the others find regions and their order
BEGINNING = 128  # tokens: methods that look at their first steps (FastOCR: ten) are past them
KINDS = 8  # categories of which the pipeline reads a page to warm up


class TrueView(PageView):
    @property
    def source(self) -> str:
        return TRUTH


@dataclass
class Race:
    """A comparison over pages: `methods` by the name that reports use, plain decoding first, as its output is what the
    others are compared with. Each reads a page `runs` times; `keep` is given what it wrote.

    `drafts` come from the `pipeline`, whose time is part of every page it makes them for (`ocr`: it was told to read
    pixels), or they are the page's true blocks, or plain decoding's own output (`oracle`: what perfect drafts would
    give), or there are none. `noise` is the share of the drafts' characters (`oracle`: tokens) that are edited,
    `jitter` how far their boxes are moved (share of the sides).
    """

    methods: Mapping[str, VlmEngine]
    settings: Settings
    pipeline: PageReader
    drafts: Drafts = "pipeline"
    noise: float = 0.0
    jitter: float = 0.0
    runs: int = 1
    seed: int = 0
    keep: Callable[[Output], None] = lambda _: None

    @property
    def vlm(self) -> Vlm:
        return self.methods[AR].vlm

    def warm_up(self, pages: Sequence[BenchPage]) -> float:
        """Write the beginning of the first page by every method, so that nothing is loaded in a page's time; where
        drafts are the pipeline's, let it read a page of each of the first categories."""
        began = perf_counter()
        short = min(self.settings.output_tokens, BEGINNING)
        race = replace(self, settings=msgspec.structs.replace(self.settings, max_tokens=short))
        plain: MeasuredPage | None = None
        for method in self.methods:
            with suppress(Exception):  # what fails here fails again when it is measured, and is told then
                attempt = race.attempt(pages[0], method, plain)
                plain = plain or attempt
        drafting = any(engine.reads_drafts for engine in self.methods.values())
        if drafting and self.drafts in ("pipeline", "ocr"):
            kinds = {page.category: page for page in reversed(pages)}
            for page in list(kinds.values())[-KINDS:]:
                with suppress(Exception), page.open() as content:  # as above
                    self.pipeline.read(content)
        return perf_counter() - began

    def rows(self, pages: Sequence[BenchPage]) -> Iterator[PageRow | PageFailure]:
        """Yield one for each page, run and method, plain decoding first. A page that plain decoding cannot read is left
        out for all methods: there would be nothing to compare with."""
        for page, run in product(pages, range(self.runs)):
            plain: MeasuredPage | None = None
            for method in self.methods:
                try:
                    attempt = self.attempt(page, method, plain)
                    self.keep(Output(self.vlm.name, method, page, run, attempt.markdown))
                    right = accuracy(page, attempt.markdown)
                    row = row_of(page, method, run, attempt, plain or attempt, right, self.vlm)
                except DeviceLost:
                    raise
                except Exception as error:  # whatever a model or a method may raise: the others go on
                    yield PageFailure(model=self.vlm.name, page=page.name, method=method, run=run, error=told(error))
                    if method == AR:
                        break
                else:
                    plain = plain or attempt
                    yield row

    def attempt(self, page: BenchPage, method: str, plain: MeasuredPage | None = None) -> MeasuredPage:
        """Return one page by one method; `plain` is that of plain decoding, if it was there before. The reader has seen
        no page before: the output of an earlier run would be the best draft of all."""
        engine = self.methods[method]
        clock = Stopwatch()
        device = self.vlm.text.device
        in_use = begin_peak(device)
        with page.open() as content:
            view = self.view(page, content, engine, plain, clock)
            timed, began = sum(clock.seconds.values()), perf_counter()
            written = reading(engine, self.settings, 1).write(view)
            timed -= sum(clock.seconds.values())
            clock.seconds[CONTROL] = round(max(0.0, timed + perf_counter() - began), 4)
            with clock("markup"):
                text = self._markdown(view, written)
        return MeasuredPage(written, clock.seconds, peak_growth(device, in_use), text)

    def _whole(self, page: Box) -> bool:
        """Otherwise it is read by regions, and the pipeline says where they are, to all methods."""
        return self.vlm.family.reads_whole(page)

    def view(
        self, page: BenchPage, content: PageContent, engine: VlmEngine, plain: MeasuredPage | None, clock: Stopwatch
    ) -> PageView:
        """Return the page with what a method may draft from."""
        chance = random.Random(f"{self.seed} {page.name}")
        # prompt lookup and smaller models have other sources, and do not pay for the pipeline
        drafts = self.drafts if engine.reads_drafts else "none"
        with clock("picture"):
            family = self.vlm.family
            image = shown(page_image(content, family, self.pipeline.engines.ocr_dpi), family, content.box)
        found = self._found(page, content, drafts, clock)
        blocks = noisy_blocks(found.page.blocks, self.noise, chance) if self.noise else found.page.blocks
        blocks = jittered_blocks(blocks, self.jitter, content.box, chance) if self.jitter else blocks
        known = msgspec.structs.replace(found.page, blocks=blocks)
        given: list[DraftTokens] | None = None if drafts in ("pipeline", "ocr", "truth") else []
        if drafts == "oracle" and plain is not None:
            given = oracle(plain.written, self.noise, chance)
        view = TrueView if drafts == "truth" else PageView
        return view(known, content.box, image, clock, given=given)

    def _found(self, page: BenchPage, content: PageContent, drafts: Drafts, clock: Stopwatch) -> PageResult:
        """The page as the pipeline reads it, or as it is; without drafts a page of which nothing is known. Finding
        regions is charged to every method, reading their words to those that draft from them."""
        drafting = drafts in ("pipeline", "ocr")
        if not self._whole(content.box):
            drafts = "truth" if self.drafts == "truth" else "pipeline"
        if drafts in ("pipeline", "ocr"):
            with clock("pipeline"):
                found = self.pipeline.read(content)
            if not drafting:
                clock.seconds["pipeline"] -= sum(found.page.seconds.get(stage, 0.0) for stage in WORDS)
            return found
        blocks: tuple[Block, ...] = ()
        if drafts == "truth":
            if page.blocks is None:
                raise PageError(f"{page.name}: the true blocks of this page are not known: use --drafts pipeline")
            blocks = page.blocks
        known = Page(number=content.number, width=content.width, height=content.height, blocks=blocks)
        return PageResult(known, content=content)

    def _markdown(self, view: PageView, written: WrittenPage) -> str:
        """Return the Markdown of the model's own blocks: plain decoding runs without the pipeline, so what that knows
        of a page is no method's merit. Regions are the pipeline's for all."""
        blocks: Sequence[Block] = written.page.blocks
        if self._whole(view.box):
            blocks = [block for answer in written.answers for block in answer.blocks]
        text = io.StringIO()
        write_markdown([msgspec.structs.replace(view.page, blocks=tuple(blocks))], text, RenderOptions())
        return text.getvalue()


def oracle(plain: WrittenPage, noise: float, chance: random.Random) -> list[DraftTokens]:
    """Return the answers of plain decoding as drafts; an answer without blocks is cut into stretches."""
    drafts = []
    for answer in plain.answers:
        draft = answer.as_draft(ORACLE)
        starts = draft.starts if len(draft.starts) > 1 else tuple(range(0, len(draft.tokens), STRETCH))
        drafts.append(noisy_tokens(replace(draft, starts=starts), noise, chance))
    return drafts


def told(error: BaseException) -> str:
    """Return an error in one line; its traceback goes to the log (`docparse bench -vv`)."""
    logging.getLogger(__name__).debug("", exc_info=error)
    line = str(error) if isinstance(error, DocparseError | MemoryError) else f"{type(error).__name__}: {error}"
    return " ".join(line.split())
