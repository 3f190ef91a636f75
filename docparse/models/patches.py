"""Pictures cut into patches: `merge x merge` patches become one visual token, in a plain grid."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from docparse.models.family import HALF, Encoded, View
from docparse.models.tokens import grid_boxes, prompt_ids, with_row_ends

LONGEST = 180  # times the shorter side; the families' resizing refuses more than 200


class PatchProcessor:
    """Pictures whose visual tokens are a plain grid, `merge x merge` patches each.

    `longest_side` is the most pixels that a side may have, where the family limits that besides the area.
    """

    def __init__(
        self, tokenizer: Any, chat: str, image_token: str, images: Any, longest_side: int | None = None
    ) -> None:
        self.tokenizer = tokenizer
        self.longest_side = longest_side
        self.images = images
        self.chat = chat
        self.image_id = tokenizer.convert_tokens_to_ids(image_token)

    def encode(self, image: Image.Image | np.ndarray, instruction: str) -> Encoded:
        picture = as_picture(image)
        if self.longest_side is not None:
            picture.thumbnail((self.longest_side, self.longest_side))
        features = self.images(picture, return_tensors="pt")
        _, rows, columns = (int(side) for side in features["image_grid_thw"][0])
        size, merge = self.images.patch_size, self.images.merge_size
        boxes = self.layout(rows // merge, columns // merge)
        ids, visual = prompt_ids(self.tokenizer, self.chat, instruction, [self.image_id] * len(boxes))
        return Encoded(
            # Multimodal rotary positions are counted from token types: 1 at the picture, 0 elsewhere.
            inputs={"input_ids": ids, "mm_token_type_ids": visual[None].int(), **features},
            visual=visual,
            structural=boxes.isnan().any(dim=1),
            boxes=boxes,
            width=columns * size,
            height=rows * size,
            resized=made_smaller(image, columns * size, rows * size, size * merge),
            views=(View(len(boxes), columns * size, rows * size),),
            **normalisation(self.images),
        )

    def layout(self, rows: int, columns: int) -> Tensor:
        """Boxes `[V, 4]` of the visual tokens of a grid of cells, NaN at structural ones."""
        return grid_boxes(rows, columns)


class RowEndProcessor(PatchProcessor):
    """The same with one more token at the end of each row, and one before and one after the grid (HunyuanOCR)."""

    def layout(self, rows: int, columns: int) -> Tensor:
        edge = torch.full((1, 4), torch.nan)
        return torch.cat([edge, with_row_ends(grid_boxes(rows, columns), columns), edge])


def normalisation(images: Any) -> dict[str, tuple[float, ...]]:
    """`mean` and `std` as an image processor of transformers normalises pixels; None: halves, as DeepSeek's models."""
    if images is None:
        return {"mean": HALF, "std": HALF}
    return {"mean": tuple(images.image_mean), "std": tuple(images.image_std)}


def as_picture(image: Image.Image | np.ndarray) -> Image.Image:
    """An RGB picture, widened where one side is more than 180 times the other: no family accepts a thinner strip."""
    picture = Image.fromarray(image) if isinstance(image, np.ndarray) else image
    least = -(-max(picture.size) // LONGEST)
    if min(picture.size) < least:
        picture = picture.resize((max(picture.width, least), max(picture.height, least)))
    return picture.convert("RGB")  # a copy, also where it is RGB already


def made_smaller(image: Image.Image | np.ndarray, width: int, height: int, rounding: int) -> str:
    """`"from 2480x3508 to 1064x1512"` where more than rounding to whole cells was taken from the picture, else ""."""
    given = image.shape[1::-1] if isinstance(image, np.ndarray) else image.size
    smaller = max(given[0] - width, given[1] - height) > rounding / 2
    return f"from {given[0]}x{given[1]} to {width}x{height}" if smaller else ""
