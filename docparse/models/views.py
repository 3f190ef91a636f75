"""Pictures that a model sees in several views: the whole page and tiles of it, each with its own grid of tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from PIL import Image
from torch import Tensor

from docparse.models.family import Encoded, View
from docparse.models.patches import as_picture, made_smaller, normalisation
from docparse.models.tokens import IMAGE, INSTRUCTION

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Views:
    """A picture prepared for the vision tower: the model's pixel arguments, and the boxes `[V, 4]` of its visual
    tokens (as in `Prompt.boxes`). `width` and `height` are the most pixels any view holds of the whole picture.
    `parts` are the views where there are several, `written` is how the picture stands in the prompt where that is more
    than a token for each box."""

    inputs: Mapping[str, Any]
    boxes: Tensor
    width: int
    height: int
    parts: tuple[View, ...] = ()
    written: str = ""


class ViewProcessor(ABC):
    """A processor of which only the views differ from family to family. `images` is the image processor of transformers
    that prepares the pixels, if one does."""

    def __init__(self, tokenizer: Any, chat: str, image_token: str, images: Any = None) -> None:
        self.tokenizer = tokenizer
        self.images = images
        self.chat = chat
        self.image_token = image_token
        self.image_id = tokenizer.convert_tokens_to_ids(image_token)

    @abstractmethod
    def views(self, picture: Image.Image) -> Views:
        """What the vision tower is given of an RGB picture."""

    def encode(self, image: Image.Image | np.ndarray, instruction: str) -> Encoded:
        views = self.views(as_picture(image))
        ids = self.prompt(instruction, views.written or self.image_token * len(views.boxes))
        return Encoded(
            inputs={"input_ids": ids[None], **views.inputs},
            visual=ids == self.image_id,
            structural=views.boxes.isnan().any(dim=1),
            boxes=views.boxes,
            width=views.width,
            height=views.height,
            resized=made_smaller(image, views.width, views.height, 1),
            views=views.parts or (View(len(views.boxes), views.width, views.height),),
            **normalisation(self.images),
        )

    def prompt(self, instruction: str, picture: str) -> Tensor:
        """Ids `[P]` of the chat format. The text is encoded in one piece: some tokenizers write a piece of text
        differently where it is the first."""
        text = self.chat.replace(INSTRUCTION, instruction).replace(IMAGE, picture)
        return torch.tensor(self.tokenizer.encode(text, add_special_tokens=False))


def uncovered(boxes: Tensor, left: float, top: float, right: float, bottom: float) -> Tensor:
    """Boxes `[V, 4]` given as fractions of a canvas, as fractions of the picture that covers this part of it.

    A token that sees only the canvas around the picture has a box without area, at the picture's edge.
    """
    origin = torch.tensor([left, top, left, top])
    scale = torch.tensor([right - left, bottom - top, right - left, bottom - top])
    return ((boxes - origin) / scale).clamp(0.0, 1.0)
