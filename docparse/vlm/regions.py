"""Regions of a page read one by one, as crops: by models that read nothing else, and as drafts of a whole page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import islice

import msgspec
import numpy as np
from PIL import Image

from docparse.accel.drafts import OCR, REGION, DraftTokens
from docparse.accel.method import Drafting, Regions
from docparse.layout.reader import Stopwatch
from docparse.layout.text.items import without_marker
from docparse.models.family import Dialect, Frame, OwnLayout
from docparse.types import Block, Box, Category
from docparse.vlm.drafts import draft_tokens
from docparse.vlm.generation import Generation
from docparse.vlm.image_prep import region_pictures, type_scale
from docparse.vlm.matching import UNWORDED, matches
from docparse.vlm.pages import PageView
from docparse.vlm.placing import joined, with_header
from docparse.vlm.requests import Dialogue, Model, VlmAnswer, VlmRequest

MARGIN = 3.0  # points around a region: ascenders and strokes reach beyond the boxes of words
SMALLEST = 8  # pixels of a side: less shows nothing, and processors refuse it
ENOUGH_DRAFTED = 0.5  # share of a page's tokens that were drafts, from which better drafts would save little
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
    answers: Sequence[VlmAnswer] = ()

    @property
    def blocks(self) -> list[Block]:
        """Return what the model read in the region; the region itself where some part was not asked or is empty."""
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
            blocks[-1] = joined(last, first)
        else:
            blocks.append(first)
        blocks += others
    return blocks


def read_regions(
    view: PageView, model: Model, regions: Sequence[Block], clock: Stopwatch, max_tokens: int, stop: Callable[[], bool]
) -> Dialogue[list[RegionRead]]:
    """Ask for every region of a page, and return them as they were read, in the order given. Pictures and specks are
    left as they are, and so is what there is no time for, or no memory even alone."""
    asked = [_requests(view, model, region, regions) for region in regions]
    requests = [request for parts in asked for request in parts]
    written, ended = [0] * len(requests), [False] * len(requests)

    def heard(number: int, tokens: int, over: bool) -> None:
        written[number], ended[number] = tokens, over
        view.tell(sum(ended), len(requests), sum(written))

    limited = (replace(each, max_tokens=max_tokens, clock=clock, stop=stop) for each in requests)
    answers = yield [replace(each, progress=partial(heard, number)) for number, each in enumerate(limited)]
    found = iter(answers)
    return [RegionRead(region, tuple(islice(found, len(parts)))) for region, parts in zip(regions, asked, strict=True)]


def _requests(view: PageView, model: Model, region: Block, regions: Sequence[Block]) -> list[VlmRequest]:
    box = region.box.padded(MARGIN if model.family.layout is None else 0.0) & view.box
    pixels = view.image.crop(box)
    if region.category is Category.PICTURE or min(pixels.shape[:2]) < SMALLEST:
        return []
    family = model.family
    dialect = family.region_dialect(region.category)
    drafts = drafts_of(view, model, dialect, [([region], view.source)])
    pictures = [(pixels, box)]
    if family.image_limits is not None:
        scale = 1.0 if family.reads_whole(view.box) else type_scale(region, regions, family.image_limits)
        pictures = region_pictures(view.image, box, scale, family.image_limits)
    instruction = family.region_instruction(region.category)
    size = region.font_size or min((each.font_size for each in regions if each.font_size), default=TYPE)
    return [
        VlmRequest(pixels, part, instruction, dialect, drafts, 0, view.clock, _room(region, part & box, size))
        for pixels, part in pictures
    ]


def drafts_of(
    view: PageView,
    model: Model,
    dialect: Dialect,
    read: Sequence[tuple[Sequence[Block], str]],
    earlier: Callable[[], Iterable[DraftTokens]] = tuple,
) -> Callable[[Frame], Sequence[DraftTokens]]:
    """Return what makes drafts of blocks that were read, each with its source, and of `earlier` pages, when the frame
    is known; or those that the page gives in their place."""

    def drafts(frame: Frame) -> Sequence[DraftTokens]:
        if view.given is not None:
            return view.given
        made = (draft_tokens(blocks, frame, dialect, model.tokenizer, source) for blocks, source in read)
        return [*filter(None, made), *earlier()]

    return drafts


def find_regions(
    view: PageView, model: Model, layout: OwnLayout, max_tokens: int
) -> Dialogue[tuple[list[Block], VlmAnswer]]:
    """Return the regions that the model itself finds on a page, with the pipeline's words in them, and its answer;
    none where that has no boxes, or did not come to its end."""
    squeezed = Image.fromarray(view.image.pixels).resize((layout.width, layout.height), Image.Resampling.BICUBIC)
    drafts = drafts_of(view, model, layout.dialect, [(view.blocks, view.source)])
    asked = VlmRequest(
        np.asarray(squeezed), view.box, layout.instruction, layout.dialect, drafts, max_tokens, view.clock
    )
    [answer] = yield [replace(asked, stop=view.stop)]
    whole = answer.reading.boxed and answer.generation.ending == "stop"
    return with_words(answer.blocks if whole else [], view.blocks), answer


def with_words(regions: Sequence[Block], known: Sequence[Block]) -> list[Block]:
    """Regions that a model found with what the pipeline read there: words, sizes of type, which are headings, items."""
    filled = []
    for region, indices in zip(regions, matches(regions, known, boxed=True), strict=True):
        inside = [known[k] for k in sorted(indices) if _kind(known[k]) is _kind(region)]
        if not inside or region.category is Category.PICTURE:
            filled.append(region)
            continue
        whole, first = reduce(joined, inside), inside[0].category
        item = region.category is Category.TEXT and first is Category.LIST_ITEM and len(inside) == 1
        heads = region.category.is_heading and first.is_heading
        category = first if item or heads else region.category
        filled.append(msgspec.structs.replace(whole, category=category, box=region.box))
    return filled


def _kind(block: Block) -> Category:
    return block.category if block.category in UNWORDED else Category.TEXT


def _room(region: Block, part: Box, type_size: float) -> int:
    """Return how many tokens an answer to `part` of a region may have, however densely that is set: a model that writes
    more has lost its place, and would go on to the limit for whole pages."""
    return SPARE + max(len(region.text), round(part.area / (DENSE * type_size**2)))


class RegionStage:
    """When a page's regions are decoded before the page: stage 1 of HSD, on demand.

    `auto` does without where drafts come from a text layer, and where enough of an earlier page's drafts was accepted.
    With `tau < 1` only the source of the drafts decides, so that a page does not depend on earlier ones.
    """

    def __init__(self, method: Drafting | None) -> None:
        self.when: Regions = "never" if method is None else method.region_stage
        self._learns = method is None or method.lossless
        self._poor = False
        self._useful = True

    def wanted(self, source: str) -> bool:
        """Return whether regions are wanted for a page whose drafts are of this source."""
        if self.when != "auto":
            return self.when == "always"
        return source == OCR and (not self._learns or (self._poor and self._useful))

    def learn(self, source: str, output: Generation, *, ran: bool) -> None:
        """What came of a page's drafts; `ran` says whether its regions were among them."""
        accepted, count = output.accepted_by_source(), max(1, len(output.tokens))
        if ran:
            self._useful = accepted.get(REGION, 0) >= USEFUL * count
        elif source == OCR:
            self._poor = output.accepted < ENOUGH_DRAFTED * count
