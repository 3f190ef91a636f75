"""PP-StructureV3 as layout engine: PaddleOCR's own pipeline finds, reads and orders the regions of a page.

Source: the installed paddleocr 3.x and its paddlex (`PPStructureV3`, `LayoutBlock`). Its models are not in the
packages; it fetches them when the pipeline is made, into `~/.paddlex/official_models`.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from docparse.errors import EnvironmentProblem, install_advice
from docparse.layout.ocr.region import Region
from docparse.network import forbidden_by
from docparse.pdf.content import PageImage
from docparse.types import Box, Category

FETCH = "run once on a machine with network access, then copy its ~/.paddlex/official_models here"

# Every label of PP-DocLayout(_plus)-S/M/L, PP-DocBlockLayout and of the reading-order code after them.
LABELS = {
    Category.TITLE: "doc_title",
    Category.SECTION_HEADER: (
        "paragraph_title sub_paragraph_title abstract_title content_title reference_title refer_title"
    ),
    Category.TEXT: (
        "text vertical_text abstract content reference reference_content aside_text algorithm inline_formula "
        "formula_number"
    ),
    Category.FORMULA: "formula display_formula",
    Category.TABLE: "table",
    Category.PICTURE: "image figure flowchart chart seal",
    Category.CAPTION: "figure_title table_title chart_title figure_table_chart_title vision_title",
    Category.FOOTNOTE: "footnote vision_footnote",
    Category.PAGE_HEADER: "header header_image",
    Category.PAGE_FOOTER: "footer footer_image",
}
CATEGORIES = {label: category for category, labels in LABELS.items() for label in labels.split()}
PAGE_NUMBER = "number"  # header or footer, by where it stands


class PaddleLayout:
    """PP-StructureV3 as regions of a page; the pipeline is made by the first page.

    `engine` is PaddleOCR's inference engine: "onnxruntime", "transformers" or "paddle". With `offline` nothing is
    fetched: models that are not in the cache are an error.
    """

    def __init__(self, engine: str = "onnxruntime", *, offline: bool = False) -> None:
        self.engine = engine
        self.offline = offline
        self._pipeline: Any = None

    def detect(self, image: PageImage) -> list[Region]:
        """Regions in page space in reading order, with what PP-StructureV3 read in them.

        `content` is plain text, an HTML table, or LaTeX, by category. Raises `EnvironmentProblem` where paddleocr,
        what it needs, or its models cannot be had.
        """
        if self._pipeline is None:
            self._pipeline = _make_pipeline(self.engine, self.offline)
        bgr = np.ascontiguousarray(image.pixels[:, :, ::-1])
        results = self._pipeline.predict(bgr)
        return [region for result in results for region in regions_of(result, image)]


def regions_of(result: Mapping[str, Any], image: PageImage) -> list[Region]:
    """Map one result of PPStructureV3 (`parsing_res_list` of `LayoutBlock`s, boxes in pixels) to regions."""
    height, width = image.pixels.shape[:2]
    page = Box(0.0, 0.0, width / image.scale, height / image.scale)
    scores = _scores(result.get("layout_det_res") or {})
    regions = []
    for order, block in enumerate(result["parsing_res_list"]):
        box = Box(*(float(edge) / image.scale for edge in block.bbox)) & page
        if box.width <= 0 or box.height <= 0:
            continue
        regions.append(
            Region(
                category=category_of(block.label, box, page),
                box=box,
                score=scores.get(tuple(map(int, block.bbox)), 1.0),
                order=order if block.index is None else block.index,
                content=(block.content or "").strip() if isinstance(block.content, str) else "",
            )
        )
    return regions


def category_of(label: str, box: Box, page: Box) -> Category:
    """Our category for a label of PP-StructureV3; a label of a later release that we do not know is text."""
    if label == PAGE_NUMBER:
        return Category.PAGE_HEADER if box.center[1] < page.center[1] else Category.PAGE_FOOTER
    return CATEGORIES.get(label, Category.TEXT)


def _scores(detection: Mapping[str, Any]) -> dict[tuple[int, ...], float]:
    """The detector's score by box; the blocks carry none, but keep the box rounded down."""
    boxes: Iterable[Mapping[str, Any]] = detection.get("boxes", ())
    return {tuple(map(int, box["coordinate"])): float(box.get("score", 1.0)) for box in boxes}


def _make_pipeline(engine: str, offline: bool) -> Any:
    try:
        from paddleocr import PPStructureV3
    except ImportError as error:
        raise EnvironmentProblem(
            f"--layout-engine paddle: paddleocr cannot be imported ({error}): {install_advice('paddle')}"
        ) from None
    for name in ("paddlex", "paddleocr"):  # they log every model to stderr, in colour
        logging.getLogger(name).setLevel(logging.CRITICAL)
    # a page arrives upright and flat, and boxes must be in its own pixels
    upright = {"use_doc_orientation_classify": False, "use_doc_unwarping": False}
    try:
        with _no_model_hosts() if offline else contextlib.nullcontext(), _silence():
            return PPStructureV3(engine=engine, **upright)
    except Exception as error:  # paddlex raises a bare Exception where it reaches no model host
        raise EnvironmentProblem(f"--layout-engine paddle: {_advice(error, offline)}") from error


def _advice(error: Exception, offline: bool) -> str:
    """One line: what PP-StructureV3 lacks and how to get it."""
    causes = [error, error.__cause__, error.__context__]
    if any(type(cause).__name__ == "DependencyError" or isinstance(cause, ImportError) for cause in causes):
        return f"PP-StructureV3 misses packages it needs: {install_advice('paddle')}"
    reason = " ".join(str(error).split()) or type(error).__name__
    if "model hosting" in reason:
        why = f"{forbidden_by()} forbids to fetch them" if offline else "no host can be reached"
        return f"the models of PP-StructureV3 are not on this machine and {why}: {FETCH}"
    return f"PP-StructureV3 cannot start ({reason}): {FETCH}"


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Progress and notes of the model download go nowhere."""
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


@contextlib.contextmanager
def _no_model_hosts() -> Iterator[None]:
    """Paddlex finds no host to download from, only what is in its cache."""
    owner = type(importlib.import_module("paddlex.inference.utils.official_models").official_models)
    build = owner._build_hosters
    owner._build_hosters = lambda self: []
    try:
        yield
    finally:
        owner._build_hosters = build
