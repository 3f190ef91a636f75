"""The models of the pipeline, each loaded when the first page needs it, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from docparse.settings import Settings

if TYPE_CHECKING:
    from docparse.layout.ocr.engine import OcrEngine
    from docparse.layout.ocr.orientation import OrientationDetector
    from docparse.layout.ocr.paddle import PaddleLayout
    from docparse.layout.ocr.region import Region
    from docparse.layout.ocr.result import OcrResult
    from docparse.layout.ocr.symbols import SymbolReader
    from docparse.pdf.content import PageContent
    from docparse.types import Box

SMALL_DPI = 80  # a page of common size that small still shows which way its lines run
COMMON_LENGTH = 792.0  # points: the long side of a US letter page
FINER = 2  # small type is read from a rendering so many times finer


class Engines:
    """OCR, orientation and layout models on `threads` threads each.

    A property raises `EnvironmentProblem` where its model cannot be had.
    """

    def __init__(self, settings: Settings, threads: int = 1) -> None:
        self.settings = settings
        self.threads = threads

    @cached_property
    def ocr(self) -> OcrEngine:
        from docparse.layout.ocr.engine import OcrEngine

        return OcrEngine(self.threads)

    @cached_property
    def orientation(self) -> OrientationDetector:
        from docparse.layout.ocr.orientation import OrientationDetector

        return OrientationDetector(self.ocr)

    @cached_property
    def symbols(self) -> SymbolReader:
        from docparse.layout.ocr.symbols import SymbolReader

        return SymbolReader(self.threads)

    @cached_property
    def layout(self) -> PaddleLayout:
        from docparse.layout.ocr.paddle import PaddleLayout

        return PaddleLayout(offline=self.settings.offline)

    def read(self, content: PageContent, boxes: Sequence[Box] | None = None) -> OcrResult:
        """Return what OCR reads on the page, or only in `boxes`."""
        dpi = self.ocr_dpi(content)
        return self.ocr.read(content.render(dpi), boxes=boxes, finer=lambda: content.render(FINER * dpi))

    def regions(self, content: PageContent) -> list[Region]:
        """Return what PP-StructureV3 sees; it runs OCR of its own, so it needs the pixels."""
        return self.layout.detect(content.render(self.ocr_dpi(content)))

    def quarter_turn(self, content: PageContent) -> int:
        """Return the clockwise turn in degrees that makes the page upright, seen in as many pixels as any other."""
        dpi = round(SMALL_DPI * COMMON_LENGTH / max(content.width, content.height))
        return self.orientation.angle(content.render(min(600, max(18, dpi))))

    def ocr_dpi(self, content: PageContent) -> int:
        """Return the dpi at which OCR sees the page, where `settings.resolution` was chosen for a page of common size.

        A page the size of a stamp is enlarged to that, but no further than makes its type as high as the detector wants
        it: finding lines takes time by the pixel.
        """
        dpi, enlargement = self.settings.resolution, COMMON_LENGTH / max(content.width, content.height)
        if enlargement <= 1:
            return dpi
        from docparse.layout.ocr.detector import TYPE_HEIGHT, type_height

        height = type_height(content.render(dpi).pixels)
        needed = max(1.0, TYPE_HEIGHT / height) if height else enlargement
        return min(600, round(dpi * min(enlargement, needed)))
