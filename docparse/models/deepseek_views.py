"""How DeepSeek's OCR models look at a page: a square view and, in some modes, tiles; from `infer` and
`dynamic_preprocess` of the published modeling_deepseekocr.py and modeling_deepseekocr2.py."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor
from transformers.models.deepseek_ocr2.image_processing_pil_deepseek_ocr2 import get_optimal_tiled_canvas

from docparse.models.deepseek_ocr import Mode
from docparse.models.family import View
from docparse.models.views import ViewProcessor, Views, grid_boxes, uncovered, with_row_ends

GREY = (127, 127, 127)  # around a page that is not square
BICUBIC = Image.Resampling.BICUBIC
QUERIES = (144, 256)  # of DeepSeek-OCR-2: for views of up to 144 patches, and for larger ones

Edges = tuple[int, int, int, int]  # left, top, right, bottom in pixels


@dataclass(eq=False, kw_only=True)
class DeepseekProcessor(ViewProcessor):
    """DeepSeek-OCR's views: tiles first, then the whole page, each row of tokens with a row break; then a separator."""

    mode: Mode
    patch: int

    def views(self, picture: Image.Image) -> Views:
        side = self.mode.tile
        columns, rows = tiling(picture, self.mode)
        page, covered = whole(picture, self.mode)
        boxes = [self.page_boxes(covered), torch.full((1, 4), torch.nan)]
        inputs: dict[str, Any] = {"pixel_values": pixels([page]), **self.counts(columns, rows)}
        width, height = covered[2] - covered[0], covered[3] - covered[1]
        parts = [View(sum(map(len, boxes)), width, height)]
        if columns * rows > 1:
            boxes.insert(0, self.tile_boxes(columns, rows))
            parts.insert(0, View(len(boxes[0]), side * columns, side * rows))
            inputs["pixel_values_local"] = pixels(tiles(picture, side, columns, rows))
            width, height = max(width, side * columns), max(height, side * rows)
        return Views(inputs, torch.cat(boxes), width, height, tuple(parts))

    def counts(self, columns: int, rows: int) -> dict[str, Any]:
        """Return the model's arguments that say how many tiles there are, and in which grid."""
        return {"num_local_patches": [columns * rows if columns * rows > 1 else 0], "patches_grid": [[columns, rows]]}

    def tile_boxes(self, columns: int, rows: int) -> Tensor:
        cells = self.cells(self.mode.tile)
        return with_row_ends(grid_boxes(rows * cells, columns * cells), columns * cells)

    def page_boxes(self, covered: Edges) -> Tensor:
        cells = self.cells(self.mode.view)
        return with_row_ends(uncovered(grid_boxes(cells, cells), *(edge / self.mode.view for edge in covered)), cells)

    def cells(self, side: int) -> int:
        """Return tokens along each side of a view: two convolutions halve the patches, rounding up."""
        return math.ceil(side // self.patch / 4)


class Deepseek2Processor(DeepseekProcessor):
    """DeepSeek-OCR-2's views: every token is a learned query that reads its whole view, so its box is the view's."""

    def counts(self, columns: int, rows: int) -> dict[str, Any]:
        return {"num_local_patches": [columns * rows if columns * rows > 1 else 0]}

    def tile_boxes(self, columns: int, rows: int) -> Tensor:
        return grid_boxes(rows, columns).repeat_interleave(self.queries(self.mode.tile), dim=0)

    def page_boxes(self, covered: Edges) -> Tensor:
        return grid_boxes(1, 1).expand(self.queries(self.mode.view), 4)

    def queries(self, side: int) -> int:
        return QUERIES[self.cells(side) ** 2 > QUERIES[0]]


def tiling(picture: Image.Image, mode: Mode) -> tuple[int, int]:
    """Columns and rows of tiles; (1, 1) where the picture is not cut."""
    if not mode.tile or max(picture.size) <= mode.tile:
        return 1, 1
    size, tile = (picture.height, picture.width), (mode.tile, mode.tile)
    return get_optimal_tiled_canvas(size, tile, 2, mode.most)


def tiles(picture: Image.Image, side: int, columns: int, rows: int) -> list[Image.Image]:
    """Return the picture squeezed into `columns x rows` squares of `side` pixels, row by row."""
    canvas = picture.resize((side * columns, side * rows), BICUBIC)
    corners = [(x * side, y * side) for y in range(rows) for x in range(columns)]
    return [canvas.crop((x, y, x + side, y + side)) for x, y in corners]


def whole(picture: Image.Image, mode: Mode) -> tuple[Image.Image, Edges]:
    """Return the view of the whole page, and the part of it that the page covers."""
    side = mode.view
    if mode.squeezed:
        return picture.resize((side, side), BICUBIC), (0, 0, side, side)
    width, height = (max(1, round(length / max(picture.size) * side)) for length in picture.size)
    left, top = round((side - width) * 0.5), round((side - height) * 0.5)
    view = Image.new("RGB", (side, side), GREY)
    view.paste(picture.resize((width, height), BICUBIC), (left, top))
    return view, (left, top, left + width, top + height)


def pixels(pictures: Sequence[Image.Image]) -> Tensor:
    """`[N, 3, H, W]` from pictures of one size: 0..255 becomes -1..1 (published mean and deviation 0.5)."""
    stacked = torch.from_numpy(np.stack([np.asarray(picture) for picture in pictures]))
    return stacked.permute(0, 3, 1, 2).float() / 127.5 - 1.0
