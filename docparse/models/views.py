"""How models look at a picture: in a plain grid of patches, or in several views, the whole page and tiles of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from docparse.errors import EnvironmentProblem, one_line
from docparse.models.family import HALF, Encoded, View
from docparse.models.registry import mend

IMAGE = "{image}"  # where a chat format has the picture
INSTRUCTION = "{instruction}"

MERGE = 2  # the published `spatial_merge_size` of LightOnOCR
LONGEST = 180  # times the shorter side; the families' resizing refuses more than 200


@dataclass(frozen=True)
class Views:
    """A picture prepared for the vision tower: the model's pixel arguments, and the boxes `[V, 4]` of its visual
    tokens (as in `Prompt.boxes`). `width` and `height` are the most pixels any view holds of the whole picture,
    whose sides are rounded to cells of so many. `parts` are the views where there are several, `written` is how the
    picture stands in the prompt where that is more than a token for each box."""

    inputs: Mapping[str, Any]
    boxes: Tensor
    width: int
    height: int
    parts: tuple[View, ...] = ()
    cell: int = 1
    written: str = ""


@dataclass(eq=False)
class ViewProcessor(ABC):
    """A processor whose views a family defines. `images` is transformers' image processor for the pixels, if any."""

    typed = False  # whether the model counts its rotary positions from token types: 1 at the picture, 0 elsewhere
    tokenizer: Any
    chat: str
    image_token: str
    images: Any = None

    @abstractmethod
    def views(self, picture: Image.Image) -> Views:
        """Return what the vision tower is given of an RGB picture."""

    def encode(self, image: Image.Image | np.ndarray, instruction: str) -> Encoded:
        views = self.views(as_picture(image))
        ids = self.prompt(instruction, views.written or self.image_token)
        image_id = self.tokenizer.convert_tokens_to_ids(self.image_token)
        if not views.written:  # a page has thousands, which a tokenizer takes long to read
            ids = ids.repeat_interleave(torch.where(ids == image_id, len(views.boxes), 1))
        visual = ids == image_id
        types = {"mm_token_type_ids": visual[None].int()} if self.typed else {}
        return Encoded(
            inputs={"input_ids": ids[None], **types, **views.inputs},
            visual=visual,
            structural=views.boxes.isnan().any(dim=1),
            boxes=views.boxes,
            width=views.width,
            height=views.height,
            resized=made_smaller(image, views.width, views.height, views.cell),
            views=views.parts or (View(len(views.boxes), views.width, views.height),),
            std=tuple(self.images.image_std) if self.images else HALF,  # halves: DeepSeek's models
        )

    def prompt(self, instruction: str, picture: str) -> Tensor:
        """Ids `[P]` of the chat format, encoded in one piece: some tokenizers write the first piece differently."""
        text = self.chat.replace(INSTRUCTION, instruction).replace(IMAGE, picture)
        return torch.tensor(self.tokenizer.encode(text, add_special_tokens=False))


@dataclass(eq=False)
class PatchProcessor(ViewProcessor):
    """Pictures whose visual tokens are a plain grid, `merge x merge` patches each. `longest_side` is the most pixels
    that a side may have, where the family limits that besides the area."""

    typed = True
    longest_side: int | None = None

    def views(self, picture: Image.Image) -> Views:
        if self.longest_side is not None:
            picture.thumbnail((self.longest_side, self.longest_side))
        features = self.images(picture, return_tensors="pt")
        _, rows, columns = (int(side) for side in features["image_grid_thw"][0])
        size, merge = self.images.patch_size, self.images.merge_size
        boxes = self.layout(rows // merge, columns // merge)
        return Views(features, boxes, columns * size, rows * size, cell=size * merge)

    def layout(self, rows: int, columns: int) -> Tensor:
        """Return boxes `[V, 4]` of the visual tokens of a grid of cells, NaN at structural ones."""
        return grid_boxes(rows, columns)


class RowEndProcessor(PatchProcessor):
    """The same with one more token at the end of each row, and one before and one after the grid (HunyuanOCR)."""

    def layout(self, rows: int, columns: int) -> Tensor:
        edge = torch.full((1, 4), torch.nan)
        return torch.cat([edge, with_row_ends(grid_boxes(rows, columns), columns), edge])


class LightOnProcessor(ViewProcessor):
    """One picture of any shape, 2 x 2 patches to a token. `images` is Pixtral's, which rounds sides up to patches.
    Where a side has an odd number of them, the model drops the last row or column: no token sees it."""

    def views(self, picture: Image.Image) -> Views:
        patch = self.images.patch_size
        cell = MERGE * (patch if isinstance(patch, int) else patch["height"])
        longest = self.images.size["longest_edge"]
        picture = widened(picture, -(-cell * max(longest, *picture.size) // longest))  # no token sees a thinner strip
        features = self.images(picture, return_tensors="pt")
        height, width = (int(side) for side in features["image_sizes"][0])
        rows, columns = height // cell, width // cell
        boxes = uncovered(grid_boxes(rows, columns), 0.0, 0.0, width / (columns * cell), height / (rows * cell))
        inputs = {"pixel_values": features["pixel_values"], "image_sizes": torch.tensor([[height, width]])}
        return Views(inputs, boxes, width, height)


def uncovered(boxes: Tensor, left: float, top: float, right: float, bottom: float) -> Tensor:
    """Return boxes `[V, 4]` given as fractions of a canvas, as fractions of the picture that covers this part of it. A
    token that sees only the canvas around the picture has a box without area, at the picture's edge."""
    origin = torch.tensor([left, top, left, top])
    scale = torch.tensor([right - left, bottom - top, right - left, bottom - top])
    return ((boxes - origin) / scale).clamp(0.0, 1.0)


def as_picture(image: Image.Image | np.ndarray) -> Image.Image:
    """Return an RGB picture, widened to a 180th of its height or length: no family accepts a thinner strip."""
    picture = Image.fromarray(image) if isinstance(image, np.ndarray) else image
    return widened(picture, -(-max(picture.size) // LONGEST)).convert("RGB")  # a copy, also where it is RGB already


def widened(picture: Image.Image, least: int) -> Image.Image:
    """Return a picture with no side shorter than so many pixels."""
    if min(picture.size) >= least:
        return picture
    return picture.resize((max(picture.width, least), max(picture.height, least)))


def made_smaller(image: Image.Image | np.ndarray, width: int, height: int, rounding: int) -> str:
    """`"from 2480x3508 to 1064x1512"` where more than rounding to whole cells was taken from the picture, else ""."""
    given = image.shape[1::-1] if isinstance(image, np.ndarray) else image.size
    smaller = max(given[0] - width, given[1] - height) > rounding / 2
    return f"from {given[0]}x{given[1]} to {width}x{height}" if smaller else ""


def load_tokenizer(folder: str) -> Any:
    """Return the tokenizer of a folder exactly as its tokenizer.json says, special tokens as its tokenizer_config.json
    says. Raises `EnvironmentProblem` where there is none or it cannot be read."""
    from transformers import PreTrainedTokenizerFast

    if not (Path(folder) / "tokenizer.json").is_file():
        raise EnvironmentProblem(f"{folder}: no tokenizer.json: {mend(folder)}")
    try:
        return PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # tokenizers raises a bare Exception for a damaged file
        raise EnvironmentProblem(
            f"{folder}: tokenizer.json cannot be read ({one_line(error)}): {mend(folder)}"
        ) from None


def grid_boxes(rows: int, columns: int) -> Tensor:
    """Return boxes `[rows * columns, 4]` of equal cells, row by row, as fractions of width and height."""
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    corners = torch.stack([x / columns, y / rows, (x + 1) / columns, (y + 1) / rows], dim=-1)
    return corners.reshape(-1, 4)


def with_row_ends(boxes: Tensor, columns: int) -> Tensor:
    """Return the same with a NaN box after every row, for a row-break token: `[V + rows, 4]`."""
    rows = boxes.reshape(-1, columns, 4)
    ends = torch.full((rows.shape[0], 1, 4), torch.nan)
    return torch.cat([rows, ends], dim=1).reshape(-1, 4)
