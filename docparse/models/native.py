"""Families whose classes transformers has: build, load, and picture processing without torchvision.

A picture is cut into patches, and `merge x merge` of them become one visual token: `PatchProcessor` serves every family
that works so (Qwen's and their relatives); others bring a processor of their own.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from docparse.errors import EnvironmentProblem
from docparse.models.family import Encoded, Family, Processor
from docparse.models.tokens import grid_boxes, load_tokenizer, prompt_ids
from docparse.models.weights import load_weights

if TYPE_CHECKING:
    from torch import nn
    from transformers import PreTrainedConfig

LONGEST = 180  # times the shorter side; the families' resizing refuses more than 200


class NativeFamily(Family):
    """A family named by its classes. `images` is the dotted path, below `transformers.models`, of the image processor
    that works on PIL pictures; the one that AutoProcessor picks needs torchvision."""

    config_class: str
    model_class: str
    images: str
    chat: str  # the published chat format with `{image}` and `{instruction}`; the picture's start and end tokens too
    image_token: str

    @abstractmethod
    def preprocessing(self) -> Mapping[str, Any]:
        """The published preprocessor_config.json, as far as the image processor reads it."""

    def tiny_preprocessing(self) -> Mapping[str, Any]:
        """A twin's: the same with pictures of 4 to 96 visual tokens."""
        published = dict(self.preprocessing())
        cell = (published["patch_size"] * published["merge_size"]) ** 2
        return published | {"size": {"shortest_edge": 4 * cell, "longest_edge": 96 * cell}}

    def build(self, config: PreTrainedConfig) -> nn.Module:
        return _named(self.model_class)(config).eval()

    def load(self, folder: str, *, dtype: Any, device: str) -> nn.Module:
        return load_weights(_named(self.model_class), self._config(folder), folder, dtype=dtype, device=device)

    def processor(self, folder: str) -> Processor:
        return PatchProcessor(load_tokenizer(folder), self.image_processor(folder), self.chat, self.image_token)

    def image_processor(self, folder: str) -> Any:
        """The image processor with the folder's preprocessor_config.json. Raises `EnvironmentProblem`."""
        module, _, name = self.images.rpartition(".")
        processor = getattr(import_module(f"transformers.models.{module}"), name)
        try:
            return processor.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise EnvironmentProblem(f"{folder}: preprocessor_config.json cannot be read ({reason})") from None

    def save_processor(self, folder: str, tokenizer: Any, config: PreTrainedConfig) -> None:
        tokenizer.save_pretrained(folder)
        written = json.dumps(dict(self.tiny_preprocessing()), indent=2)
        (Path(folder) / "preprocessor_config.json").write_text(written + "\n", encoding="utf-8")

    def _config(self, folder: str) -> PreTrainedConfig:
        try:
            return _named(self.config_class).from_pretrained(folder, local_files_only=True)
        except Exception as error:  # a strict config class raises errors of several packages
            reason = " ".join(str(error).split())[:200]
            raise EnvironmentProblem(
                f"{folder}: config.json is not one of {self.card.name} ({reason}): use the published file"
            ) from None


def _named(name: str) -> Any:
    import transformers

    return getattr(transformers, name)


class PatchProcessor:
    """Pictures whose visual tokens are a plain grid, `merge x merge` patches each."""

    def __init__(self, tokenizer: Any, images: Any, chat: str, image_token: str) -> None:
        self.tokenizer = tokenizer
        self.images = images
        self.chat = chat
        self.image_id = tokenizer.convert_tokens_to_ids(image_token)

    def encode(self, image: Image.Image | np.ndarray, instruction: str) -> Encoded:
        picture = as_picture(image)
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
        )

    def layout(self, rows: int, columns: int) -> Tensor:
        """Boxes `[V, 4]` of the visual tokens of a grid of cells, NaN at structural ones."""
        return grid_boxes(rows, columns)


def as_picture(image: Image.Image | np.ndarray) -> Image.Image:
    """An RGB picture, widened where one side is more than 180 times the other: no family accepts a thinner strip."""
    picture = Image.fromarray(image) if isinstance(image, np.ndarray) else image
    least = -(-max(picture.size) // LONGEST)
    if min(picture.size) < least:
        picture = picture.resize((max(picture.width, least), max(picture.height, least)))
    return picture.convert("RGB")


def made_smaller(image: Image.Image | np.ndarray, width: int, height: int, rounding: int) -> str:
    """`"from 2480x3508 to 1064x1512"` where more than rounding to whole cells was taken from the picture, else ""."""
    given = image.shape[1::-1] if isinstance(image, np.ndarray) else image.size
    smaller = given[0] - width >= rounding or given[1] - height >= rounding
    return f"from {given[0]}x{given[1]} to {width}x{height}" if smaller else ""


def device_inputs(inputs: Mapping[str, Any], model: Any) -> dict[str, Any]:
    """Processor outputs on the model's device, pictures in its dtype."""

    def moved(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        return value.to(model.device, model.dtype if value.is_floating_point() else value.dtype)

    return {name: moved(value) for name, value in inputs.items()}
