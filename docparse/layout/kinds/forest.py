"""Decision trees, added up: a small learned model that needs nothing but numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        return float(self.probabilities([measures])[0])

    def probabilities(self, rows: Sequence[Mapping[str, float]]) -> np.ndarray:
        """Return how likely the class is for each of many, float [rows]. Raises `KeyError` as `probability`."""
        values = np.array([[row[name] for name in self.names] for row in rows], np.float32).reshape(
            len(rows), len(self.names)
        )
        nodes = np.tile(self.roots, (len(rows), 1))
        for _ in range(self.depth):
            goes_left = np.take_along_axis(values, self.measure[nodes].astype(np.intp), 1) <= self.threshold[nodes]
            nodes = np.where(goes_left, self.left[nodes], self.right[nodes])
        return np.asarray(1 / (1 + np.exp(-self.bias - self.vote[nodes].sum(axis=1))))


@cache
def shipped_forest(name: str) -> Forest:
    """Return the model that comes with docparse as `data/<name>.npz`."""
    with files("docparse").joinpath("data", f"{name}.npz").open("rb") as file, np.load(file) as stored:
        arrays = {key: stored[key] for key in ("measure", "threshold", "left", "right", "vote", "roots")}
        return Forest(tuple(stored["names"].tolist()), **arrays, bias=float(stored["bias"]), depth=int(stored["depth"]))
