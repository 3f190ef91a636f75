"""How Idefics3 looks at a page: enlarged or made smaller to a fixed length, cut into square tiles, then squeezed into
one more. Every tile begins with a token for its row and column."""

from __future__ import annotations

import torch
from PIL import Image

from docparse.models.family import View
from docparse.models.internvl_views import InternVlProcessor
from docparse.models.views import Views

AROUND, WHOLE = "<fake_token_around_image>", "<global-img>"


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
        """The picture as it stands in the prompt."""
        tile = self.image_token * self.cells**2
        lines = ["".join(f"{AROUND}<row_{y + 1}_col_{x + 1}>{tile}" for x in range(columns)) for y in range(rows)]
        return "\n".join(lines) + f"\n\n{AROUND}{WHOLE}{tile}{AROUND}"
