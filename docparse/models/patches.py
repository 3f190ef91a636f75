"""Pictures cut into patches: `merge x merge` patches become one visual token, in a plain grid."""

from __future__ import annotations

from typing import Any

import torch
from PIL import Image
from torch import Tensor

from docparse.models.tokens import grid_boxes, with_row_ends
from docparse.models.views import ViewProcessor, Views


class PatchProcessor(ViewProcessor):
    """Pictures whose visual tokens are a plain grid, `merge x merge` patches each.

    `longest_side` is the most pixels that a side may have, where the family limits that besides the area.
    """

    typed = True

    def __init__(
        self, tokenizer: Any, chat: str, image_token: str, images: Any, longest_side: int | None = None
    ) -> None:
        super().__init__(tokenizer, chat, image_token, images)
        self.longest_side = longest_side

    def views(self, picture: Image.Image) -> Views:
        if self.longest_side is not None:
            picture.thumbnail((self.longest_side, self.longest_side))
        features = self.images(picture, return_tensors="pt")
        _, rows, columns = (int(side) for side in features["image_grid_thw"][0])
        size, merge = self.images.patch_size, self.images.merge_size
        boxes = self.layout(rows // merge, columns // merge)
        return Views(features, boxes, columns * size, rows * size, cell=size * merge)

    def layout(self, rows: int, columns: int) -> Tensor:
        """Boxes `[V, 4]` of the visual tokens of a grid of cells, NaN at structural ones."""
        return grid_boxes(rows, columns)


class RowEndProcessor(PatchProcessor):
    """The same with one more token at the end of each row, and one before and one after the grid (HunyuanOCR)."""

    def layout(self, rows: int, columns: int) -> Tensor:
        edge = torch.full((1, 4), torch.nan)
        return torch.cat([edge, with_row_ends(grid_boxes(rows, columns), columns), edge])
