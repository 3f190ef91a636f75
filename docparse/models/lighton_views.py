"""How LightOnOCR looks at a page: one picture of any shape, 2 x 2 patches to a token."""

from __future__ import annotations

import torch
from PIL import Image

from docparse.models.tokens import grid_boxes
from docparse.models.views import ViewProcessor, Views, uncovered

MERGE = 2  # the published `spatial_merge_size`


class LightOnProcessor(ViewProcessor):
    """`images` is Pixtral's image processor, which rounds sides up to whole patches.

    Where a side has an odd number of them, the model drops the last row or column: no token sees it.
    """

    def views(self, picture: Image.Image) -> Views:
        patch = self.images.patch_size
        cell = MERGE * (patch if isinstance(patch, int) else patch["height"])
        features = self.images(self.with_a_token(picture, cell), return_tensors="pt")
        height, width = (int(side) for side in features["image_sizes"][0])
        rows, columns = height // cell, width // cell
        boxes = uncovered(grid_boxes(rows, columns), 0.0, 0.0, width / (columns * cell), height / (rows * cell))
        inputs = {"pixel_values": features["pixel_values"], "image_sizes": torch.tensor([[height, width]])}
        return Views(inputs, boxes, width, height)

    def with_a_token(self, picture: Image.Image, cell: int) -> Image.Image:
        """A strip so thin that no token would see it, made wider."""
        longest = self.images.size["longest_edge"]
        least = -(-cell * max(longest, *picture.size) // longest)
        return picture.resize((max(picture.width, least), max(picture.height, least)))
