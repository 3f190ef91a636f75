"""Regions of a page read one by one, as crops: by models that read nothing else, and as drafts of a whole page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import msgspec

from docparse.accel.drafts import OCR, REGION, DraftTokens
from docparse.accel.hsd import Regions
from docparse.accel.method import Drafting
from docparse.engine.generation import Generation
from docparse.layout.items import without_marker
from docparse.layout.reader import Stopwatch
from docparse.models.family import Frame
from docparse.pdf.content import PageImage
from docparse.types import Block, Box, Category, Span
from docparse.vlm.asks import Answer, Ask
from docparse.vlm.drafts import draft_tokens
from docparse.vlm.placing import with_header
from docparse.vlm.sight import region_pictures, type_scale
from docparse.vlm.writing import Scribe

MARGIN = 3.0  # points around a region: ascenders and strokes reach beyond the boxes of words
SMALLEST = 8  # pixels of a side: less shows nothing, and processors refuse it
BATCH = 32  # crops decoded together; beyond that their caches cost more memory than batching saves time
ENOUGH = 0.5  # share of a page's tokens that were drafts, from which better drafts would save little
USEFUL = 0.1  # share of a page's tokens that regions must have drafted to be decoded again on the next
SPARE = 128  # tokens that a region's answer may take beyond those for which there is room on the page
DENSE = 0.25  # square ems for a token; letters take twice that, cells of tables and symbols of formulas more
TYPE = 10.0  # points, where nobody measured any
PLAIN = (Category.TEXT, Category.LIST_ITEM)  # what a crop of one paragraph may be called without its page


@dataclass(frozen=True)
class RegionRead:
    """A region as the pipeline has it and the model's answer to its crop: none where it was not asked, several where
    the region is longer than a picture may be."""

    region: Block
    answers: Sequence[Answer] = ()

    @property
    def blocks(self) -> list[Block]:
        """What the model read in the region; the region itself where it was not asked, or where it found nothing to
        read in some part."""
        parts = [answer.blocks for answer in self.answers]
        if not parts:
            return [self.region]
        if not all(parts):
            outputs = [answer.generation for answer in self.answers]
            counts = {"tokens": sum(len(each.tokens) for each in outputs)}
            counts["draft_tokens"] = sum(each.accepted for each in outputs)
            return [msgspec.structs.replace(self.region, **counts)]
        return [self._placed(block, first=i == 0) for i, block in enumerate(_joined(parts))]

    def _placed(self, block: Block, *, first: bool) -> Block:
        """A crop does not show what a text is on its page: the region says whether it is a heading or a footnote."""
        region = self.region
        changes: dict[str, object] = {"font_size": region.font_size, "bold": region.bold}
        if not all(answer.reading.boxed for answer in self.answers):
            changes["box"] = region.box
        if block.table and region.table:
            changes["table"] = with_header(block.table, region.table)
        if block.category in PLAIN and (first or region.category.is_furniture):
            if region.category in (Category.TABLE, Category.PICTURE, Category.CODE):
                return msgspec.structs.replace(block, **changes)
            marker = block.marker or region.marker
            changes |= {"category": region.category, "marker": marker, "spans": without_marker(block.spans, marker)}
        return msgspec.structs.replace(block, **changes)


def _joined(parts: Sequence[list[Block]]) -> list[Block]:
    """The blocks of all parts; a text that a cut went through is one again."""
    blocks = list(parts[0])
    for first, *others in parts[1:]:
        last = blocks[-1]
        if last.category in PLAIN and first.category is Category.TEXT:
            blocks[-1] = msgspec.structs.replace(
                last,
                spans=(*last.spans, Span(" "), *first.spans),
                tokens=last.tokens + first.tokens,
                draft_tokens=last.draft_tokens + first.draft_tokens,
            )
        else:
            blocks.append(first)
        blocks += others
    return blocks


@dataclass(frozen=True)
class RegionReader:
    """Reads the regions of one page from its picture; `given` drafts are used in place of what the regions say."""

    scribe: Scribe
    page: Box
    image: PageImage
    source: str
    clock: Stopwatch
    stop: Callable[[], bool]
    given: Sequence[DraftTokens] | None = None
    tell: Callable[[int, int, int], None] = lambda read, regions, tokens: None

    def read(self, regions: Sequence[Block], max_tokens: int) -> list[RegionRead]:
        """Every region, in the order given; pictures and specks are left as they are, and so is what there is no time
        for, or no memory even alone. `tell` hears how many pictures of regions are read, of how many, and how many
        tokens that took."""
        asked = [self._asks(region, regions) for region in regions]
        asks = [ask for parts in asked for ask in parts]
        answers: list[Answer] = []
        size = BATCH
        while len(answers) < len(asks):
            batch = asks[len(answers) : len(answers) + size]
            if self.stop():
                answers += map(Answer.unread, batch)
                continue
            try:
                answers += self.scribe.write(batch, max_tokens, self.clock, self.stop, self._watch(answers, len(asks)))
            except MemoryError:
                if len(batch) == 1:
                    answers.append(Answer.unread(batch[0], "memory"))
                size = max(1, len(batch) // 2)
        found = iter(answers)
        return [
            RegionRead(region, tuple(islice(found, len(parts)))) for region, parts in zip(regions, asked, strict=True)
        ]

    def _watch(self, answers: Sequence[Answer], asked: int) -> Callable[[int, int], None]:
        """Of the batch that comes after so many answers."""
        read, before = len(answers), sum(len(answer.generation.tokens) for answer in answers)
        return lambda ended, tokens: self.tell(read + ended, asked, before + tokens)

    def _asks(self, region: Block, regions: Sequence[Block]) -> list[Ask]:
        box = region.box.padded(MARGIN) & self.page
        pixels = self.image.crop(box)
        if region.category is Category.PICTURE or min(pixels.shape[:2]) < SMALLEST:
            return []
        family = self.scribe.vlm.family
        dialect = family.region_dialect(region.category)
        tokenizer = self.scribe.vlm.processor.tokenizer

        def drafts(frame: Frame) -> Sequence[DraftTokens]:
            if self.given is not None:
                return self.given
            draft = draft_tokens([region], frame, dialect, tokenizer, self.source)
            return [draft] if draft else []

        pictures = [(pixels, box)]
        if family.sight is not None:
            scale = 1.0 if family.reads_whole(self.page) else type_scale(region, regions, family.sight)
            pictures = region_pictures(self.image, box, scale, family.sight)
        instruction = family.region_instruction(region.category)
        size = region.font_size or min((each.font_size for each in regions if each.font_size), default=TYPE)
        return [
            Ask(pixels, part, instruction, dialect, drafts, _room(region, part & box, size))
            for pixels, part in pictures
        ]


def _room(region: Block, part: Box, type_size: float) -> int:
    """How many tokens an answer to `part` of a region may have, however densely that is set: a model that writes more
    has lost its place, and would go on to the limit for whole pages."""
    return SPARE + max(len(region.text), round(part.area / (DENSE * type_size**2)))


class RegionStage:
    """When a page's regions are decoded before the page: stage 1 of HSD, on demand.

    `auto` does without where drafts come from a text layer, and where enough of an earlier page's drafts was accepted.
    What it has seen only decides how fast pages are read: with `tau < 1`, where drafts can change what is written, it
    looks at the source of the drafts alone. Only the clock may still cut the stage off, on a page that takes long.
    """

    def __init__(self, method: Drafting | None) -> None:
        self.when: Regions = getattr(method, "regions", "never")  # of methods that read drafts
        self._learns = getattr(method, "tau", 1.0) == 1
        self._poor = False
        self._useful = True

    def wanted(self, source: str) -> bool:
        """For a page whose drafts are of this source."""
        if self.when != "auto":
            return self.when == "always"
        return source == OCR and (not self._learns or (self._poor and self._useful))

    def learn(self, source: str, output: Generation, *, ran: bool) -> None:
        """What came of a page's drafts; `ran` says whether its regions were among them."""
        accepted, count = output.accepted_by_source(), max(1, len(output.tokens))
        if ran:
            self._useful = accepted.get(REGION, 0) >= USEFUL * count
        elif source == OCR:
            self._poor = output.accepted < ENOUGH * count
