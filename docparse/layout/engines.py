"""The models of the pipeline, each loaded when the first page needs it, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from docparse.layout.ocr.resolution import ocr_dpi
from docparse.settings import Settings

if TYPE_CHECKING:
    from docparse.layout.ocr.engine import OcrEngine
    from docparse.layout.ocr.orientation import OrientationDetector
    from docparse.layout.ocr.paddle import PaddleLayout
    from docparse.layout.ocr.region import Region
    from docparse.layout.ocr.result import OcrResult
    from docparse.pdf.content import PageContent
    from docparse.types import Box

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

        return OcrEngine(self.threads, self.settings.lang)

    @cached_property
    def orientation(self) -> OrientationDetector:
        from docparse.layout.ocr.orientation import OrientationDetector

        return OrientationDetector(self.threads)

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

    def ocr_dpi(self, content: PageContent) -> int:
        """Return the dpi at which OCR sees the page."""
        return ocr_dpi(content, self.settings.dpi)
