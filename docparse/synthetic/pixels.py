"""A sheet as grey pixels: drawn four times too large and averaged down, then given the look of a scan."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from docparse.synthetic import fonts
from docparse.synthetic.sheet import Run, Sheet

SCALE = 4  # enough that hinting and rounding of FreeType's versions are lost in the averaging


def draw(sheet: Sheet) -> np.ndarray:
    """Grey levels of the page, uint8 `(height, width)`."""
    large = Image.new("L", (sheet.width * SCALE, sheet.height * SCALE), sheet.paper)
    pen = ImageDraw.Draw(large)
    for x0, y0, x1, y1 in sheet.rules:
        pen.rectangle((x0 * SCALE, y0 * SCALE, x1 * SCALE - 1, y1 * SCALE - 1), fill=sheet.ink)
    for run in sheet.runs():
        font = fonts.sized(run.face, round(run.size * SCALE, 1))
        for text, x, baseline in _glyphs(run) if sheet.snapped else [(run.text, run.x, run.baseline)]:
            pen.text((x * SCALE, baseline * SCALE), text, font=font, fill=sheet.ink, anchor="ls")
    if sheet.skew:
        large = large.rotate(sheet.skew, Image.Resampling.BILINEAR, fillcolor=sheet.paper)
    pixels = np.asarray(large.reduce(SCALE))
    return _scanned(pixels, sheet) if sheet.noise else pixels


def _glyphs(run: Run) -> list[tuple[str, int, int]]:
    """The characters of a run on whole pixels."""
    table = fonts.advances(run.face)
    x, result = run.x, []
    for char in run.text:
        result.append((char, round(x), round(run.baseline)))
        x += table[char] * run.size
    return result


def turned(sheet: Sheet, x: float, y: float) -> tuple[float, float]:
    """Return where the point `(x, y)` of the sheet lies on the skewed picture."""
    if not sheet.skew:
        return x, y
    angle = math.radians(sheet.skew)
    dx, dy = x - sheet.width / 2, y - sheet.height / 2
    return (
        sheet.width / 2 + dx * math.cos(angle) + dy * math.sin(angle),
        sheet.height / 2 - dx * math.sin(angle) + dy * math.cos(angle),
    )


def _scanned(pixels: np.ndarray, sheet: Sheet) -> np.ndarray:
    """Uneven light, a little blur, the sensor's noise and a few specks."""
    rng = np.random.RandomState(sheet.seed)  # its streams are frozen, those of newer generators are not
    page = pixels.astype(np.float32)
    blur = rng.uniform(0.0, 0.12)
    page = page * (1 - 2 * blur) + blur * (np.roll(page, 1, 1) + np.roll(page, -1, 1))
    slope = rng.uniform(-12, 12, size=2)
    page += slope[0] * np.linspace(-1, 1, sheet.height, dtype=np.float32)[:, None]
    page += slope[1] * np.linspace(-1, 1, sheet.width, dtype=np.float32)[None]
    page += rng.normal(0, sheet.noise, page.shape).astype(np.float32)
    specks = rng.randint(0, page.size, size=rng.randint(0, page.size // 3000 + 1))
    page.reshape(-1)[specks] = rng.uniform(60, 160)
    return np.clip(page, 0, 255).astype(np.uint8)
