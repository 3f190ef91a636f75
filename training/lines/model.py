"""A small learned model of lines: boosted trees, evaluated with numpy alone. `train` makes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

CLASSES = (
    "heading", "text", "item", "more", "code", "caption", "footnote", "cell", "header", "footer", "toc", "formula",
)  # fmt: skip
HEADING, TEXT, ITEM, MORE, CODE, CAPTION, FOOTNOTE, CELL, HEADER, FOOTER, TOC, FORMULA = range(len(CLASSES))


class Forest:
    """Trees side by side. A leaf is a node that leads to itself, so every tree is walked for the same number of steps.

    `feature`, `threshold`, `left`, `right` and `value` hold all nodes; tree `t` begins at node `root[t]` and adds to
    output `t % outputs`. Values up to the threshold go left.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], prefix: str) -> None:
        def get(name: str) -> np.ndarray:
            return arrays[f"{prefix}_{name}"]

        self.feature = get("feature").astype(np.int64)
        self.threshold = get("threshold").astype(np.float32)
        self.child = np.column_stack([get("left"), get("right")]).astype(np.int64).ravel()
        self.value = get("value").astype(np.float32)
        self.root = get("root").astype(np.int64)
        self.start = get("start").astype(np.float32)
        self.depth = int(get("depth"))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """float32 [n, outputs]: the sum of the leaves of every row of `x`, float32 [n, features]."""
        rows = np.arange(len(x))[:, None]
        node = np.broadcast_to(self.root, (len(x), len(self.root)))
        for _ in range(self.depth):
            node = self.child[2 * node + (x[rows, self.feature[node]] > self.threshold[node])]
        leaves = self.value[node].reshape(len(x), -1, len(self.start))
        return self.start + leaves.sum(axis=1)


class LineModel:
    """What a line is, and whether it continues the paragraph of the line above it."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self._kind = Forest(arrays, "kind")
        self._on = Forest(arrays, "on")

    def kinds(self, x: np.ndarray) -> np.ndarray:
        """float32 [n, len(CLASSES)]: logarithms of the probabilities."""
        raw = self._kind(x)
        raw = raw - raw.max(axis=1, keepdims=True)
        return raw - np.log(np.exp(raw).sum(axis=1, keepdims=True))

    def goes_on(self, x: np.ndarray) -> np.ndarray:
        """float32 [n]: the probability that the line continues the paragraph of the line above it."""
        return 1 / (1 + np.exp(-self._on(x)[:, 0]))
