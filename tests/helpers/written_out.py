"""Formulas that several tests need, written out number by number."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def gradient(pixels: np.ndarray, std: Sequence[float] = (0.5, 0.5, 0.5)) -> np.ndarray:
    """The length of Sobel's gradient `[H, W]` of the encoder's grey values, edges repeated."""
    grey = pixels / 255 @ (np.array((0.299, 0.587, 0.114)) / std)
    around = np.pad(grey, 1, mode="edge")
    height, width = grey.shape
    kernel = {(dy, dx): dx * (2 - abs(dy)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
    at = {(dy, dx): around[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] for dy, dx in kernel}
    return np.hypot(
        sum(weight * at[dy, dx] for (dy, dx), weight in kernel.items()),
        sum(weight * at[dx, dy] for (dy, dx), weight in kernel.items()),
    )


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    return dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))


def transport(similarity: Sequence[Sequence[float]], dustbin: float, iterations: int) -> list[list[float]]:
    """RTPrune's transport `[K + 1][M + 1]` of `similarity [K][M]` by Sinkhorn's iteration, times K + M."""
    kernel = np.exp(np.pad(similarity, ((0, 1), (0, 1)), constant_values=dustbin))
    kept, merged = kernel.shape[0] - 1, kernel.shape[1] - 1
    mu, nu = np.append(np.ones(kept), merged), np.append(np.ones(merged), kept)
    left, right = np.ones(kept + 1), np.ones(merged + 1)
    for _ in range(iterations):
        left = mu / (kept + merged) / (kernel @ right)
        right = nu / (kept + merged) / (left @ kernel)
    return ((kept + merged) * left[:, None] * kernel * right).tolist()
