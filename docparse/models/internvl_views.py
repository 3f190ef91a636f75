"""How InternVL looks at a page: up to twelve square tiles, then the whole page squeezed into one more."""

from __future__ import annotations

from typing import Any

import torch
from PIL import Image
from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import get_optimal_tiled_canvas

from docparse.models.family import View
from docparse.models.tokens import grid_boxes
from docparse.models.views import ViewProcessor, Views


class InternVlProcessor(ViewProcessor):
    """`images` cuts the tiles, `cells` is the number of tokens along each side of one.

    The tokens come tile by tile; a page that is one tile has no second view.
    """

    def __init__(self, tokenizer: Any, chat: str, image_token: str, images: Any, cells: int) -> None:
        super().__init__(tokenizer, chat, image_token, images)
        self.cells = cells

    def views(self, picture: Image.Image) -> Views:
        features = self.images(picture, crop_to_patches=True, return_tensors="pt")
        side, most = self.images.size["height"], self.images.max_patches
        size = (picture.height, picture.width)
        columns, rows = get_optimal_tiled_canvas(size, (side, side), self.images.min_patches, most)
        boxes = [self.tile(x, y, columns, rows) for y in range(rows) for x in range(columns)]
        parts = [View(sum(map(len, boxes)), side * columns, side * rows)]
        if len(boxes) > 1:
            boxes.append(self.tile(0, 0, 1, 1))
            parts.append(View(len(boxes[-1]), side, side))
        inputs = {"pixel_values": features["pixel_values"]}
        return Views(inputs, torch.cat(boxes), side * columns, side * rows, tuple(parts))

    def tile(self, x: int, y: int, columns: int, rows: int) -> torch.Tensor:
        """Boxes of the tokens of tile (x, y) of a page cut into so many columns and rows."""
        corner, scale = torch.tensor([x, y, x, y]), torch.tensor([columns, rows, columns, rows])
        return (grid_boxes(self.cells, self.cells) + corner) / scale
