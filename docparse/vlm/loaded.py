"""A loaded model: its weights, its processor, and the way from a picture to a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import nn

from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.models.family import Encoded, Family, Processor

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image


@dataclass(frozen=True)
class Vlm:
    """Everything needed to read a picture. `name` is what the user called it (family name or folder)."""

    name: str
    family: Family
    model: nn.Module
    processor: Processor
    text: TextModel
    revision: str = ""

    def encode(self, image: Image | np.ndarray, instruction: str) -> Encoded:
        """Tokenize and preprocess; the vision tower does not run yet."""
        return self.processor.encode(image, instruction)

    def prompt(self, encoded: Encoded) -> Prompt:
        """Run the vision tower and merge its output into the prompt."""
        raise NotImplementedError
