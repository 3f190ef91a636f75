"""Decision trees, added up: a small learned model that needs nothing but numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np


@dataclass(frozen=True)
class Forest:
    """Binary trees whose leaves vote for a class (gradient boosting, Friedman 2001).

    `names` are the measures that the trees ask about, by position. The nodes of all trees are one after the other in
    the arrays [n]: the position of a measure, the largest value that goes left, the nodes at the left and at the right,
    and the vote. A leaf leads to itself. `roots` are where the trees begin, `bias` is the vote without any.
    """

    names: tuple[str, ...]
    measure: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    vote: np.ndarray
    roots: np.ndarray
    bias: float
    depth: int

    def probability(self, measures: Mapping[str, float]) -> float:
        """Return how likely the class is, 0..1. Raises `KeyError` where a measure is missing."""
        values = np.array([measures[name] for name in self.names], dtype=np.float32)
        nodes = self.roots
        for _ in range(self.depth):
            goes_left = values[self.measure[nodes]] <= self.threshold[nodes]
            nodes = np.where(goes_left, self.left[nodes], self.right[nodes])
        return float(1 / (1 + np.exp(-self.bias - self.vote[nodes].sum())))


@cache
def shipped_forest(name: str) -> Forest:
    """Return the model that comes with docparse as `data/<name>.npz`."""
    with files("docparse").joinpath("data", f"{name}.npz").open("rb") as file, np.load(file) as stored:
        arrays = {key: stored[key] for key in ("measure", "threshold", "left", "right", "vote", "roots")}
        return Forest(tuple(stored["names"].tolist()), **arrays, bias=float(stored["bias"]), depth=int(stored["depth"]))
