"""Scans made upright: turned by quarter turns, then straightened by the few degrees the paper lay askew."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from docparse.pdf.content import PageContent, PageImage, no_boxes

MIN_SKEW = 0.15  # degrees: less moves the end of a line by under a tenth of a line


def turned(content: PageContent, angle: int) -> PageContent:
    """Return the page turned clockwise by `angle` (0, 90, 180, 270), without what was read from a text layer."""
    if angle % 360 == 0:
        return content
    swap = angle % 180 == 90

    def draw(dpi: int) -> PageImage:
        return content.render(dpi).turned(angle)

    return replace(
        content,
        width=content.height if swap else content.width,
        height=content.width if swap else content.height,
        rotation=(content.rotation + angle) % 360,
        characters=None,
        rulings=no_boxes(),
        panels=no_boxes(),
        drawings=no_boxes(),
        images=tuple(box.turned(angle, content.box) for box in content.images),
        draw=draw,
        rendered={},
    )


def straightened(content: PageContent, degrees: float) -> PageContent:
    """Return the page rotated counter-clockwise about its middle by `degrees`, the angle its lines lean clockwise."""
    if abs(degrees) < MIN_SKEW:
        return content

    def draw(dpi: int) -> PageImage:
        return content.render(dpi).straightened(degrees)

    undrawn = replace(content, rulings=no_boxes(), panels=no_boxes(), drawings=no_boxes())
    return replace(undrawn, skew=degrees, characters=None, draw=draw, rendered={})


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
