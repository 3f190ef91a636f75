"""A page as it comes to a model: what the pipeline read of it, its picture, and how much time there is."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np

from docparse.accel.drafts import OCR, TEXT_LAYER, DraftTokens
from docparse.guard import Guard
from docparse.layout.document.hyphens import divided
from docparse.layout.reader import PageReader, Stopwatch
from docparse.models.family import Family
from docparse.pdf.content import PageContent, PageImage
from docparse.types import Block, Box, Page
from docparse.vlm.image_prep import page_image, shown
from docparse.vlm.requests import never

TIME_SHARE = 0.9  # of a page's time, after which the model stops and what it has written is kept
REGIONS_SHARE = 0.5  # of it, after which no more regions are decoded that are only drafts

Tell = Callable[[int, int, int], None]


def quiet(read: int, regions: int, tokens: int) -> None:
    """Nobody wants to know."""


class DraftPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the pipeline read it, with its crops, its extent in page space, and its picture: `pixels` (uint8 RGB,
    row by row) of `height` and `width`, `scale` of them a point. It can be kept in a file and sent.

    `helped` says which stages of the pipeline failed, as a line for the page that a model reads all the same.
    """

    page: Page
    assets: dict[str, bytes]
    box: Box
    pixels: bytes
    height: int
    width: int
    scale: float
    helped: str = ""
    category: str = ""

    @property
    def image(self) -> PageImage:
        return PageImage(np.frombuffer(self.pixels, np.uint8).reshape(self.height, self.width, 3), self.scale)

    @property
    def blank(self) -> bool:
        """Return whether nothing is on it: a model sees something on a blank sheet, too."""
        return not self.page.blocks and not np.ptp(self.image.pixels)


def draft_page(content: PageContent, family: Family, pipeline: PageReader, guard: Guard) -> DraftPage:
    """Let the pipeline read a page, and render it as the family wants it; `guard` knows what failed before."""
    found = pipeline.read(content, guard=guard)
    assert found.content is not None  # the pipeline's reader says what it read from
    clock = Stopwatch()
    with clock("render"):
        image = page_image(found.content, family, pipeline.engines.ocr_dpi)
    return DraftPage(
        page=msgspec.structs.replace(found.page, seconds=found.page.seconds | clock.seconds),
        assets=dict(found.assets),
        box=found.content.box,
        pixels=image.pixels.tobytes(),
        height=image.pixels.shape[0],
        width=image.pixels.shape[1],
        scale=image.scale,
        helped=guard.summary("the model read it all the same"),
        category=guard.category,
    )


@dataclass(frozen=True, eq=False)
class PageView:
    """A page on its way through a model: what the pipeline read, the picture that the model is shown or that regions
    are cut from, and when there is no more time: for the page (`stop`), for regions that are only its drafts
    (`stop_drafting`). `given` drafts are used in place of the pipeline's words. `tell` hears how far the model is:
    regions read, of how many, and tokens written. `detail` is the picture that crops are cut from; `document` tells the
    pages of one document from those of another."""

    page: Page
    box: Box
    image: PageImage
    clock: Stopwatch
    assets: dict[str, bytes] = field(default_factory=dict)
    stop: Callable[[], bool] = never
    stop_drafting: Callable[[], bool] = never
    given: Sequence[DraftTokens] | None = None
    tell: Tell = quiet
    detail: PageImage | None = None
    document: Hashable = None

    @classmethod
    def of(
        cls, draft: DraftPage, family: Family, seconds: float, tell: Tell = quiet, document: Hashable = None
    ) -> PageView:
        """Return the limits of a page that may take so many seconds from now on."""
        began = time.monotonic()

        def after(share: float) -> Callable[[], bool]:
            return lambda: time.monotonic() >= began + share * seconds

        return cls(
            draft.page,
            draft.box,
            shown(draft.image, family, draft.box),
            Stopwatch(),
            draft.assets,
            after(TIME_SHARE),
            after(TIME_SHARE * REGIONS_SHARE),
            tell=tell,
            detail=draft.image,
            document=document,
        )

    @property
    def blocks(self) -> Sequence[Block]:
        return [divided(block) for block in self.page.blocks]

    @property
    def source(self) -> str:
        return OCR if "ocr" in self.page.seconds else TEXT_LAYER
