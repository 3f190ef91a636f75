"""How LLaVA-NeXT and LLaVA-OneVision look at a page: squeezed into one square, then on a canvas of square tiles.

The canvas is the one of the published `image_grid_pinpoints` that wastes least. The page is fitted into its middle;
tokens that see only the padding are dropped, and every row of those that stay ends with a row break. LLaVA-OneVision
thins out canvases of more than nine tiles ("anyres_max_9"). Sources: `pack_image_features` of the two models in
transformers, whose own helpers are used here.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from PIL import Image
from torch import Tensor
from transformers.image_processing_utils import get_patch_output_size, select_best_resolution
from transformers.image_utils import ChannelDimension
from transformers.models.llava_next.modeling_llava_next import unpad_image

from docparse.models.family import View
from docparse.models.tokens import grid_boxes
from docparse.models.views import ViewProcessor, Views, uncovered

THINNED = 1.1  # a canvas this much longer than allowed is thinned out; `ratio > 1.1` in the model


class LlavaProcessor(ViewProcessor):
    """`images` prepares the pixels, `cells` is the number of tokens along each side of a square, `most` the number of
    tiles whose tokens are all kept (0: any). A box may be off by what is left over of a tile after whole patches."""

    def __init__(self, tokenizer: Any, chat: str, image_token: str, images: Any, *, cells: int, most: int = 0) -> None:
        super().__init__(tokenizer, chat, image_token, images)
        self.cells = cells
        self.most = most

    def views(self, picture: Image.Image) -> Views:
        features = self.images(picture, return_tensors="pt")
        inputs = {name: features[name] for name in ("pixel_values", "image_sizes")}
        side = features["pixel_values"].shape[-1]
        boxes, width, height = self.layout((picture.height, picture.width), side)
        square = self.cells**2
        parts = View(square, side, side), View(len(boxes) - square, width, height)
        return Views(inputs, boxes, width, height, parts)

    def layout(self, size: tuple[int, int], side: int) -> tuple[Tensor, int, int]:
        """Boxes of the tokens of a page of `size` (height, width) on tiles of `side` pixels, and the page's width and
        height on the canvas."""
        canvas = select_best_resolution(size, self.images.image_grid_pinpoints)
        height, width = get_patch_output_size(blank(*size), canvas, ChannelDimension.FIRST)
        tiles = self.tile_boxes(size, (canvas[0] // side, canvas[1] // side), (height / canvas[0], width / canvas[1]))
        return torch.cat([grid_boxes(self.cells, self.cells), tiles]), width, height

    def tile_boxes(self, size: tuple[int, int], tiles: tuple[int, int], share: tuple[float, float]) -> Tensor:
        """Boxes on a canvas of `tiles` (rows, columns), of which the page covers `share` (of its height and width)."""
        full = blank(tiles[0] * self.cells, tiles[1] * self.cells)
        rows, columns = unpad_image(full, size).shape[1:]
        top, left = (1 - rows / full.shape[1]) / 2, (1 - columns / full.shape[2]) / 2  # padding that was dropped
        rows, columns = self.thinned(rows, columns)
        kept = grid_boxes(rows, columns) * torch.tensor([1 - 2 * left, 1 - 2 * top] * 2)
        kept += torch.tensor([left, top] * 2)
        x, y = (1 - share[1]) / 2, (1 - share[0]) / 2
        boxes = uncovered(kept, x, y, 1 - x, 1 - y).reshape(rows, columns, 4)  # no columns: of a strip, row breaks stay
        return torch.cat([boxes, torch.full((rows, 1, 4), torch.nan)], dim=1).reshape(-1, 4)

    def thinned(self, rows: int, columns: int) -> tuple[int, int]:
        if not self.most:
            return rows, columns
        ratio = math.sqrt(rows * columns / (self.most * self.cells**2))
        return (int(rows // ratio), int(columns // ratio)) if ratio > THINNED else (rows, columns)


def blank(rows: int, columns: int) -> Tensor:
    """`[1, rows, columns]` of nothing, for functions that ask a picture for its shape."""
    return torch.empty(1).expand(1, rows, columns)
