"""What `--accel auto` is told about a picture before the model sees it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

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
    encoded: Sequence[Encoded],
    pixels: Sequence[np.ndarray],
    drafts: Sequence[Sequence[DraftTokens]],
    costs: CostCurve,
) -> PageFacts:
    """Of pictures that are decoded as one batch: means over them. `pixels` may be left out where density is not asked
    for."""
    longest = [max(each, key=lambda draft: len(draft.tokens)) for each in drafts if each]
    config = vlm.text.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return PageFacts(
        source=longest[0].source if longest else "",
        drafted=round(sum(len(draft.tokens) for draft in longest) / len(encoded)),
        prompt=round(fmean(len(each.visual) for each in encoded)),
        visual=round(fmean(int(each.visual.sum()) for each in encoded)),
        density=fmean(map(_density, pixels)) if pixels else 0.0,
        weight_bytes=sum(weight.nbytes for weight in vlm.text.decoder.parameters()) // len(encoded),
        row_bytes=2 * vlm.text.layers * heads * width * vlm.text.dtype.itemsize,
        layers=vlm.text.layers,
        costs=costs,
        device=vlm.text.device.type,
    )


def _density(pixels: np.ndarray) -> float:
    height, width = (max(1, side // CELL) for side in pixels.shape[:2])
    return page_density(pixels, (height, width))
