"""Scans made upright: turned by quarter turns, then straightened by the few degrees the paper lay askew."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from docparse.pdf.content import PageContent, PageImage, no_boxes

MIN_SKEW = 0.15  # degrees: less moves the end of a line by under a tenth of a line


def redrawn(content: PageContent, change: Callable[[PageImage], PageImage], **others: Any) -> PageContent:
    """Return the page drawn with a `change`, and with `others` of its fields, without what was read from the file."""
    drawn = {name: no_boxes() for name in ("rulings", "panels", "drawings")} | others
    return replace(content, characters=None, draw=lambda dpi: change(content.render(dpi)), rendered={}, **drawn)


def turned(content: PageContent, angle: int) -> PageContent:
    """Return the page turned clockwise by `angle` (0, 90, 180, 270), without what was read from a text layer."""
    if angle % 360 == 0:
        return content
    width, height = (content.height, content.width) if angle % 180 == 90 else (content.width, content.height)
    images = tuple(box.turned(angle, content.box) for box in content.images)
    rotation = (content.rotation + angle) % 360
    return redrawn(
        content, lambda image: image.turned(angle), width=width, height=height, rotation=rotation, images=images
    )


def straightened(content: PageContent, degrees: float) -> PageContent:
    """Return the page rotated counter-clockwise about its middle by `degrees`, the angle its lines lean clockwise."""
    if abs(degrees) < MIN_SKEW:
        return content
    return redrawn(content, lambda image: image.straightened(degrees), skew=degrees)


def levelled(content: PageContent, degrees: float) -> PageContent:
    """Return the same for a page whose text layer is kept: its words lie on the lines of the scan and turn with it."""
    layer = content.characters
    result = straightened(content, degrees)
    if layer is None or result is content:
        return result
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    centre = (layer.box[:, :2] + layer.box[:, 2:]) / 2
    dx, dy = (centre - np.array(content.box.center)).T
    shift = np.stack([dx * (cosine - 1) + dy * sine, dy * (cosine - 1) - dx * sine], axis=1).astype(np.float32)
    along = np.array([font.angle % 180 == 0 for font in layer.fonts], bool)[layer.font].astype(int)
    baseline = layer.baseline + shift[np.arange(len(shift)), along]
    return replace(result, characters=replace(layer, box=layer.box + np.tile(shift, 2), baseline=baseline))
