"""What an encoder is given of black and white pixels is what `Encoded` says of its scale."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.mark.families
def test_pixels_reach_the_encoder_in_the_scale_that_is_told(twin, name):
    scaled = {}
    for level in (0, 255):
        encoded = twin(name).encode(np.full((180, 140, 3), level, dtype=np.uint8), "Read.")
        pixels = encoded.inputs["pixel_values"]
        scaled[level] = float(pixels.min()), float(pixels.max())
    edges = [[(level / 255 - m) / s for m, s in zip(encoded.mean, encoded.std, strict=True)] for level in (0, 255)]
    assert scaled[0][0] == pytest.approx(min(edges[0]), abs=1e-4)
    assert scaled[255][1] == pytest.approx(max(edges[1]), abs=1e-4)


@pytest.mark.families
@pytest.mark.parametrize("size", [(150, 200), (400, 90), (30, 30)])
def test_views_hold_every_visual_token(twin, noise, name, size):
    encoded = twin(name).encode(noise(*size), "Read.")
    assert sum(view.tokens for view in encoded.views) == len(encoded.boxes)
    assert encoded.width in {view.width for view in encoded.views}
    assert encoded.height in {view.height for view in encoded.views}
