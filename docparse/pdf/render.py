"""How many pixels a page may have, whatever its size in points."""

from __future__ import annotations

MAX_SIDE = 10_000  # pixels
MAX_PIXELS = 40_000_000  # 120 MB of RGB


def capped_scale(width: float, height: float, dpi: float) -> tuple[float, str]:
    """Return pixels per point for a page of `width` x `height` points at `dpi`, and a warning where the cap lowered
    it."""
    scale = dpi / 72
    width, height = max(width, 1e-3), max(height, 1e-3)
    limit = min(MAX_SIDE / max(width, height), (MAX_PIXELS / (width * height)) ** 0.5)
    if scale <= limit:
        return scale, ""
    return limit, (
        f"page of {width:.0f} x {height:.0f} points rendered at {limit * 72:.3g} dpi instead of {dpi:.0f}: "
        f"at most {MAX_SIDE:,} pixels a side and {MAX_PIXELS // 1_000_000} megapixels"
    )
