"""Decision trees for docparse: fitted with scikit-learn, written as `docparse.layout.kinds.forest` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier


def save(model: HistGradientBoostingClassifier, names: Sequence[str], out: Path) -> None:
    """Write the trees of a model of two classes; `names` are its measures."""
    trees = [tree.nodes for (tree,) in model._predictors]
    roots = np.cumsum([0, *map(len, trees)])
    nodes = np.concatenate(trees)
    own, first = np.arange(len(nodes)), np.repeat(roots[:-1], list(map(len, trees)))
    leaf, place = nodes["is_leaf"].astype(bool), np.min_scalar_type(len(nodes))
    np.savez_compressed(
        out,
        names=np.array(names),
        measure=np.where(leaf, 0, nodes["feature_idx"]).astype(np.uint8),
        threshold=np.where(leaf, 0, nodes["num_threshold"]).astype(np.float32),
        left=np.where(leaf, own, first + nodes["left"]).astype(place),
        right=np.where(leaf, own, first + nodes["right"]).astype(place),
        vote=np.where(leaf, nodes["value"], 0).astype(np.float32),
        roots=roots[:-1].astype(place),
        bias=np.float32(model._baseline_prediction.item()),
        depth=np.int64(nodes["depth"].max()),
    )
