"""The size that a family's image processor gives a picture, as arithmetic: what is sent in that size is left as it is.

So boxes in pixels can be read back, and a picture is not sent larger than it is seen. The rules are those of
transformers' image processors on the published limits; a server that was started with others resizes again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from PIL import Image

from docparse.models.family import Family
from docparse.models.native import NativeFamily
from docparse.models.olmocr import LONGEST_SIDE

LONGEST = 180  # times the shorter side, as in `docparse.models.views`
LONGEST_SIDES: Mapping[str, int] = {"olmocr": LONGEST_SIDE}  # in pixels, of what the family's makers send
Size = tuple[int, int]  # width, height


def served_size(family: Family, width: int, height: int) -> Size:
    """Return the width and height of a picture as the model sees it; of a family that cuts pictures into views
    (DeepSeek-OCR, InternVL, LLaVA) those that it has."""
    least = -(-max(width, height) // LONGEST)
    size = max(width, least), max(height, least)
    if longest := LONGEST_SIDES.get(family.card.name):
        picture = Image.new("1", size)
        picture.thumbnail((longest, longest))
        size = picture.size
    if not isinstance(family, NativeFamily):
        return size
    rule = RULES.get(getattr(family, "images", "").partition(".")[0])
    return rule(size, family.preprocessing()) if rule else size


def _cells(size: Size, given: Mapping[str, Any], frames: int = 1) -> Size:
    """Return whole cells within the published pixels: Qwen's `smart_resize`. A picture may count as several
    `frames`."""
    cell = given["patch_size"] * given["merge_size"]
    least, most = given["size"]["shortest_edge"] / frames, given["size"]["longest_edge"] / frames
    rounded = [round(side / cell) * cell for side in size]
    if math.prod(rounded) > most:
        scale = math.sqrt(math.prod(size) / most)
        rounded = [max(cell, math.floor(side / scale / cell) * cell) for side in size]
    elif math.prod(rounded) < least:
        scale = math.sqrt(least / math.prod(size))
        rounded = [math.ceil(side * scale / cell) * cell for side in size]
    return rounded[0], rounded[1]


def _paddle(size: Size, given: Mapping[str, Any]) -> Size:
    """The same, after a picture thinner than a cell was enlarged."""
    width, height = size
    cell = given["patch_size"] * given["merge_size"]
    if height < cell:
        width, height = round(width * cell / height), cell
    if width < cell:
        width, height = cell, round(height * cell / width)
    return _cells((width, height), given)


def _glm(size: Size, given: Mapping[str, Any]) -> Size:
    """The same with another rounding, and the published number of pixels is that of two frames."""
    cell = given["patch_size"] * given["merge_size"]
    scale = max(1.0, *(cell / side for side in size))
    width, height = (int(side * scale) for side in size)
    return _cells((width, height), given, given["temporal_patch_size"])


def _pixtral(size: Size, given: Mapping[str, Any]) -> Size:
    """Return whole patches, rounded up, of a picture whose longer side is limited."""
    longest, patch = given["size"]["longest_edge"], given["patch_size"]["height"]
    least = -(-2 * patch * max(longest, *size) // longest)  # so that a strip has a token: a cell of 2 x 2 patches
    width, height = (max(side, least) for side in size)
    ratio = max(1.0, width / longest, height / longest)
    return _up(math.floor(width / ratio), patch), _up(math.floor(height / ratio), patch)


def _up(side: int, patch: int) -> int:
    return -(-side // patch) * patch


RULES: Mapping[str, Callable[[Size, Mapping[str, Any]], Size]] = {  # by the module of the family's image processor
    "qwen2_vl": _cells,
    "hunyuan_vl": _cells,
    "paddleocr_vl": _paddle,
    "glm46v": _glm,
    "pixtral": _pixtral,
}
