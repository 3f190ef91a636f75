"""The tokenizer of a folder, and what each visual token sees of the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from docparse.errors import EnvironmentProblem
from docparse.models.loading import short
from docparse.models.registry import mend

IMAGE = "{image}"  # where a chat format has the picture
INSTRUCTION = "{instruction}"


def load_tokenizer(folder: str) -> Any:
    """Return the tokenizer of a folder exactly as its tokenizer.json says, special tokens as its tokenizer_config.json
    says.

    Raises `EnvironmentProblem` where there is none or it cannot be read.
    """
    from transformers import PreTrainedTokenizerFast

    if not (Path(folder) / "tokenizer.json").is_file():
        raise EnvironmentProblem(f"{folder}: no tokenizer.json: {mend(folder)}")
    try:
        return PreTrainedTokenizerFast.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # tokenizers raises a bare Exception for a damaged file
        raise EnvironmentProblem(f"{folder}: tokenizer.json cannot be read ({short(error)}): {mend(folder)}") from None


def grid_boxes(rows: int, columns: int) -> Tensor:
    """Return boxes `[rows * columns, 4]` of a picture cut into equal cells, row by row, as fractions of width and
    height."""
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    corners = torch.stack([x / columns, y / rows, (x + 1) / columns, (y + 1) / rows], dim=-1)
    return corners.reshape(-1, 4)


def with_row_ends(boxes: Tensor, columns: int) -> Tensor:
    """Return the same with a NaN box after every row, for models that write a row-break token there: `[V + rows,
    4]`."""
    rows = boxes.reshape(-1, columns, 4)
    ends = torch.full((rows.shape[0], 1, 4), torch.nan)
    return torch.cat([rows, ends], dim=1).reshape(-1, 4)
