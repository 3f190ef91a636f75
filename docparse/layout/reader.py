"""One page, from content to blocks in reading order: read the words, find the regions, order them, name them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from docparse.layout.assemble import Assembler, crops
from docparse.layout.audit import is_faithful
from docparse.layout.region import Region
from docparse.layout.upright import levelled, straightened, turned
from docparse.layout.words import Word, words_of
from docparse.pdf.content import PageContent, TextQuality
from docparse.settings import Settings
from docparse.types import Box, Page, Source

LAYOUT_DPI = 80  # the detector sees 608 x 800 pixels, so an A4 page needs no more
FINER = 2  # small type is read from a rendering so many times finer
COMMON_LENGTH = 792.0  # points: the long side of a US letter page


@dataclass(frozen=True)
class ReadPage:
    """A page and the PNG bytes of its crops, by the names that `Block.image` uses; `content` is the upright page."""

    page: Page
    assets: dict[str, bytes] = field(default_factory=dict)
    content: PageContent | None = None


class PageReader:
    """Reads pages; models are loaded when the first page needs them and kept."""

    def __init__(self, settings: Settings, threads: int = 1) -> None:
        self.settings = settings
        self.threads = threads
        self._loaded: dict[str, object] = {}

    def read(self, content: PageContent) -> ReadPage:
        """Raises `EnvironmentProblem` where a model that was asked for cannot be had."""
        clock = Stopwatch()
        with clock("audit"):
            ocr = self._needs_ocr(content)
        with clock("orientation"):
            content = self._upright(content) if ocr else self._level(content)
        with clock("ocr" if ocr else "words"):
            words, source = self._words(content, ocr)
        with clock("layout"):
            regions = self._regions(content)
        with clock("rulings"):
            rulings = self._rulings(content, source)
        assembler = Assembler(content, words, regions, rulings, source, self.settings)
        with clock("tables"):
            assembler.take_tables()
        with clock("pictures"):
            assembler.place_pictures()
        with clock("formulas"):
            assembler.take_formulas()
        with clock("blocks"):
            blocks = assembler.blocks()
        with clock("crops"):
            assets = crops(blocks, lambda: content.render(self.settings.dpi))
        page = Page(
            number=content.number,
            width=round(content.width, 2),
            height=round(content.height, 2),
            blocks=blocks,
            text_quality=str(content.quality),
            rotation=content.rotation,
            skew=round(content.skew, 2),
            seconds=clock.seconds,
            warnings=tuple(content.warnings),
        )
        return ReadPage(page, assets, content)

    def _needs_ocr(self, content: PageContent) -> bool:
        if self.settings.ocr == "off" or self.settings.text_layer == "only":
            return False
        if self.settings.ocr == "force" or self.settings.text_layer == "off":
            return True
        if content.quality is TextQuality.OCR_LAYER and content.characters is not None:
            layer = words_of(content.characters)
            return not is_faithful(layer, lambda boxes: self._read(content, boxes))
        return content.quality is not TextQuality.GOOD

    def _read(self, content: PageContent, boxes: Sequence[Box] | None = None) -> list[Word]:
        dpi = self.ocr_dpi(content)
        return self._engine("ocr").read(content.render(dpi), boxes=boxes, finer=lambda: content.render(FINER * dpi))

    def _words(self, content: PageContent, ocr: bool) -> tuple[list[Word], Source]:
        if ocr:
            return self._read(content), "ocr"
        if content.characters is None or self.settings.text_layer == "off":
            return [], "text-layer"
        return words_of(content.characters), "text-layer"

    def ocr_dpi(self, content: PageContent) -> int:
        """The chosen dpi is meant for a page of common size. A page the size of a stamp is enlarged to that, but no
        further than makes its type as high as the detector wants it: finding lines takes time by the pixel."""
        dpi = self.settings.dpi
        enlargement = COMMON_LENGTH / max(content.width, content.height)
        if enlargement <= 1:
            return dpi
        from docparse.layout.ocr_lines import TYPE_HEIGHT, type_height

        height = type_height(content.render(dpi).pixels)
        needed = max(1.0, TYPE_HEIGHT / height) if height else enlargement
        return min(600, round(dpi * min(enlargement, needed)))

    def _regions(self, content: PageContent) -> list[Region]:
        if self.settings.layout_engine == "none":
            return []
        reads = self.settings.layout_engine == "paddle"  # it runs OCR of its own, so it needs the pixels
        dpi = self.ocr_dpi(content) if reads else _small_dpi(content)
        return self._engine(self.settings.layout_engine).detect(content.render(dpi))

    def _rulings(self, content: PageContent, source: Source) -> np.ndarray:
        scanned = source == "ocr" or content.quality is TextQuality.OCR_LAYER
        if scanned and len(content.rulings) == 0:
            from docparse.layout.tables import rulings_from_image

            return rulings_from_image(content.render(self.ocr_dpi(content)))
        return content.rulings

    def _upright(self, content: PageContent) -> PageContent:
        """Turn a page that will be read from its pixels and straighten it."""
        from docparse.layout.orientation import DESKEW_DPI, deskew_angle

        content = turned(content, self._engine("orientation").angle(content.render(_small_dpi(content))))
        return straightened(content, deskew_angle(content.render(DESKEW_DPI).pixels))

    def _level(self, content: PageContent) -> PageContent:
        """Straighten a scan whose text layer is believed, so that its lines can be told apart."""
        if content.quality is not TextQuality.OCR_LAYER:
            return content
        from docparse.layout.orientation import DESKEW_DPI, deskew_angle

        return levelled(content, deskew_angle(content.render(DESKEW_DPI).pixels))

    def _engine(self, name: str):
        if name not in self._loaded:
            self._loaded[name] = _load(name, self.threads, self.settings)
        return self._loaded[name]


def _load(name: str, threads: int, settings: Settings) -> object:
    if name == "ocr":
        from docparse.layout.ocr import OcrEngine

        return OcrEngine(threads, settings.lang)
    if name == "orientation":
        from docparse.layout.orientation import OrientationDetector

        return OrientationDetector(threads)
    if name == "paddle":
        from docparse.layout.paddle import PaddleLayout

        return PaddleLayout(offline=settings.offline)
    from docparse.layout.detect import LayoutDetector

    return LayoutDetector(threads)


def _small_dpi(content: PageContent) -> int:
    return min(600, max(18, round(LAYOUT_DPI * COMMON_LENGTH / max(content.width, content.height))))


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
            self.seconds[stage] = round(self.seconds.get(stage, 0.0) + time.perf_counter() - start, 4)
