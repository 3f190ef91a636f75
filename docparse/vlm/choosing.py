"""What `--accel auto` is told about a picture before the model sees it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from docparse.accel.auto import PageFacts
from docparse.accel.drafts import DraftTokens
from docparse.density import page_density
from docparse.engine.costs import CostCurve
from docparse.models.family import Encoded
from docparse.vlm.loaded import Vlm

CELL = 32  # pixels of a side of the patches whose density is averaged


def facts(
    vlm: Vlm,
    encoded: Encoded,
    pixels: np.ndarray | None,
    drafts: Sequence[DraftTokens],
    costs: CostCurve,
) -> PageFacts:
    """Return them for a picture; `pixels` may be left out where density is not asked for."""
    longest = max(drafts, key=lambda draft: len(draft.tokens), default=None)
    config = vlm.text.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return PageFacts(
        source=longest.source if longest else "",
        drafted=len(longest.tokens) if longest else 0,
        prompt=len(encoded.visual),
        visual=int(encoded.visual.sum()),
        density=0.0 if pixels is None else _density(pixels),
        weight_bytes=sum(weight.nbytes for weight in vlm.text.decoder.parameters()),
        row_bytes=2 * vlm.text.layers * heads * width * vlm.text.dtype.itemsize,
        layers=vlm.text.layers,
        costs=costs,
        device=vlm.text.device.type,
        windowed=vlm.text.window is not None,
    )


def _density(pixels: np.ndarray) -> float:
    height, width = (max(1, side // CELL) for side in pixels.shape[:2])
    return page_density(pixels, (height, width))
