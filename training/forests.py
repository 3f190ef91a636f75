"""Decision trees for docparse: fitted with scikit-learn on pages with their groups of lines, and written as
`docparse.layout.kinds.forest` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from docparse.layout.engines import Engines
from docparse.layout.stages import STAGES, first_state
from docparse.layout.state import PageState
from docparse.pdf.content import PageContent


def grouped(content: PageContent, engines: Engines, *, furniture: bool) -> PageState:
    """Return a page as the stages leave it before its furniture is found, or after."""
    state = first_state(content, engines)
    last = next(i for i, stage in enumerate(STAGES) if stage.name == "furniture")
    for stage in STAGES[: last + furniture]:
        state = stage.run(state) if stage.needed(state) else state
    return state


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
