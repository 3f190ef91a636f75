"""How models look at a page that is cut into tiles: InternVL's and Idefics3's whole tiles, LLaVA's on a canvas.

InternVL: up to twelve square tiles, then the whole page squeezed into one more. Idefics3: the same for a page made to a
fixed length, and every tile begins with a token for its row and column. LLaVA: squeezed into one square, then fitted
into the middle of the canvas that wastes least; tokens that see only the padding are dropped, and every row of those
that stay ends with a row break. LLaVA-OneVision thins out canvases of more than nine tiles ("anyres_max_9"). Source:
`pack_image_features` of the two in transformers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from PIL import Image
from torch import Tensor
from transformers.image_processing_utils import get_patch_output_size, select_best_resolution
from transformers.image_utils import ChannelDimension
from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import get_optimal_tiled_canvas
from transformers.models.llava_next.modeling_llava_next import unpad_image

from docparse.models.family import View
from docparse.models.views import ViewProcessor, Views, grid_boxes, uncovered

AROUND, WHOLE = "<fake_token_around_image>", "<global-img>"  # of Idefics3
THINNED = 1.1  # a canvas this much longer than allowed is thinned out; `ratio > 1.1` in the model


@dataclass(eq=False, kw_only=True)
class InternVlProcessor(ViewProcessor):
    """`images` cuts the tiles, `cells` is the number of tokens along each side of one. The tokens come tile by tile; a
    page that is one tile has no second view."""

    cells: int

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

    def tile(self, x: int, y: int, columns: int, rows: int) -> Tensor:
        """Return boxes of the tokens of tile (x, y) of a page cut into so many columns and rows."""
        corner, scale = torch.tensor([x, y, x, y]), torch.tensor([columns, rows, columns, rows])
        return (grid_boxes(self.cells, self.cells) + corner) / scale


class Idefics3Processor(InternVlProcessor):
    """`cells` is the number of tokens along each side of a tile."""

    def views(self, picture: Image.Image) -> Views:
        features = self.images(picture, return_row_col_info=True, return_tensors="pt")
        rows, columns = (int(features[name][0][0]) for name in ("rows", "cols"))
        boxes = [self.tile(x, y, columns, rows) for y in range(rows) for x in range(columns)]
        inputs = {name: features[name] for name in ("pixel_values", "pixel_attention_mask")}
        side, tokens = features["pixel_values"].shape[-1], self.cells**2
        width, height = side * columns, side * rows
        parts = View(rows * columns * tokens, width, height), View(tokens, side, side)
        seen = torch.cat([*boxes, self.tile(0, 0, 1, 1)])
        return Views(inputs, seen, width, height, parts, written=self.written(rows, columns))

    def written(self, rows: int, columns: int) -> str:
        """Return the picture as it stands in the prompt."""
        tile = self.image_token * self.cells**2
        lines = ["".join(f"{AROUND}<row_{y + 1}_col_{x + 1}>{tile}" for x in range(columns)) for y in range(rows)]
        return "\n".join(lines) + f"\n\n{AROUND}{WHOLE}{tile}{AROUND}"


@dataclass(eq=False, kw_only=True)
class LlavaProcessor(ViewProcessor):
    """`images` prepares the pixels, `cells` is the number of tokens along each side of a square, `most` the number of
    tiles whose tokens are all kept (0: any). A box may be off by what is left over of a tile after whole patches."""

    cells: int
    most: int = 0

    def views(self, picture: Image.Image) -> Views:
        features = self.images(picture, return_tensors="pt")
        inputs = {name: features[name] for name in ("pixel_values", "image_sizes")}
        side = features["pixel_values"].shape[-1]
        boxes, width, height = self.layout((picture.height, picture.width), side)
        square = self.cells**2
        parts = View(square, side, side), View(len(boxes) - square, width, height)
        return Views(inputs, boxes, width, height, parts)

    def layout(self, size: tuple[int, int], side: int) -> tuple[Tensor, int, int]:
        """Return the boxes of a page of `size` (height, width) on tiles of `side` pixels, and its size on the
        canvas."""
        canvas = select_best_resolution(size, self.images.image_grid_pinpoints)
        height, width = get_patch_output_size(blank(*size), canvas, ChannelDimension.FIRST)
        tiles = self.tile_boxes(size, (canvas[0] // side, canvas[1] // side), (height / canvas[0], width / canvas[1]))
        return torch.cat([grid_boxes(self.cells, self.cells), tiles]), width, height

    def tile_boxes(self, size: tuple[int, int], tiles: tuple[int, int], share: tuple[float, float]) -> Tensor:
        """Return boxes on a canvas of `tiles` (rows, columns), of which the page covers `share` (height, width)."""
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
