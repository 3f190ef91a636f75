"""Train the line model, or measure it on families that it has not seen.

    python -m training.lines.train FOLDER --out lines.npz
    python -m training.lines.train FOLDER --leave-out         # F1 by class and family, rules beside the model

FOLDER holds the `FAMILY.npz` files of `labels`. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from training.lines.model import CLASSES, LineModel

FOLDS = (  # families that resemble each other are left out together
    ("report", "law", "novel"),
    ("manual", "reference"),
    ("paper", "magazine", "newsletter"),
    ("letter", "form", "minutes", "questions"),
    ("resume", "slides", "cards"),
    ("typst-article", "typst-manual", "typst-paper", "typst-deck", "typst-vita"),
)


def load(folders: Sequence[Path]) -> dict[str, dict[str, np.ndarray]]:
    """The arrays of every family, from all folders."""
    found: dict[str, list[dict[str, np.ndarray]]] = {}
    for path in sorted(path for folder in folders for path in folder.glob("*.npz")):
        found.setdefault(path.stem, []).append(dict(np.load(path)))
    return {name: {k: np.concatenate([part[k] for part in parts]) for k in parts[0]} for name, parts in found.items()}


def fit(data: dict[str, dict[str, np.ndarray]], rounds: int, leaves: int, rate: float) -> dict[str, np.ndarray]:
    """Both forests, trained on all families given; a family's weight is the root of its size."""
    x, y, on, upper, weight = [], [], [], [], []
    for part in data.values():
        x.append(part["x"])
        y.append(part["y"])
        on.append(part["on"])
        upper.append(part["upper"])
        weight.append(np.full(len(part["y"]), len(part["y"]) ** -0.5))
    xs, ys, ons, uppers, ws = map(np.concatenate, (x, y, on, upper, weight))
    common = {"learning_rate": rate, "max_leaf_nodes": leaves, "max_depth": 8, "min_samples_leaf": 12, "l2_regularization": 2.0,
              "max_features": 0.3, "max_bins": 63, "early_stopping": False, "random_state": 1}  # fmt: skip
    known = ys >= 0
    kind = HistGradientBoostingClassifier(max_iter=rounds, **common)
    kind.fit(xs[known], ys[known], sample_weight=ws[known])
    goes = HistGradientBoostingClassifier(max_iter=2 * rounds, **common)
    goes.fit(xs[uppers], ons[uppers].astype(int), sample_weight=ws[uppers])
    return _exported(kind, "kind", len(CLASSES)) | _exported(goes, "on", 1)


def _exported(model: HistGradientBoostingClassifier, prefix: str, outputs: int) -> dict[str, np.ndarray]:
    """The trees as flat arrays; a class that no example has gets no trees and a start far below the others."""
    feature, threshold, left, right, value, root = [], [], [], [], [], []
    present = [int(c) for c in model.classes_] if outputs > 1 else [0]
    start = np.full(outputs, -30.0)
    start[present] = np.ravel(model._baseline_prediction)
    at = depth = 0
    for trees in model._predictors:
        by_class = dict(zip(present, trees, strict=True))
        for output in range(outputs):
            root.append(at)
            if output not in by_class:
                nodes = np.zeros(1, [("is_leaf", bool), ("value", float)])
            else:
                nodes = by_class[output].nodes
            own = np.arange(at, at + len(nodes))
            leaf = nodes["is_leaf"].astype(bool)
            grows = "left" in (nodes.dtype.names or ())
            feature.append(np.where(leaf, 0, nodes["feature_idx"]) if grows else [0])
            threshold.append(np.where(leaf, np.inf, nodes["num_threshold"]) if grows else [np.inf])
            left.append(np.where(leaf, own, at + nodes["left"].astype(int)) if grows else own)
            right.append(np.where(leaf, own, at + nodes["right"].astype(int)) if grows else own)
            value.append(np.where(leaf, nodes["value"], 0))
            depth = max(depth, int(nodes["depth"].max()) if grows else 0)
            at += len(nodes)
    arrays = {
        "feature": np.concatenate(feature).astype(np.uint8), "threshold": np.concatenate(threshold).astype(np.float32),
        "left": np.concatenate(left).astype(np.int32), "right": np.concatenate(right).astype(np.int32),
        "value": np.concatenate(value).astype(np.float16), "root": np.array(root, np.int32),
        "start": start.astype(np.float32), "depth": np.array(depth),
    }  # fmt: skip
    return {f"{prefix}_{name}": array for name, array in arrays.items()}


def f1(true: np.ndarray, said: np.ndarray) -> float:
    """F1 of two boolean arrays; nan where neither has any."""
    total = true.sum() + said.sum()
    return 2 * (true & said).sum() / total if total else float("nan")


def _row(name: str, true: np.ndarray, rule: np.ndarray, model: np.ndarray) -> str:
    cells = []
    for i in range(len(CLASSES)):
        t = true == i
        cells.append(f"{100 * f1(t, rule == i):5.0f}/{100 * f1(t, model == i):<4.0f}" if t.sum() > 4 else f"{'-':>10}")
    accuracy = f"{100 * (true == rule).mean():5.1f}/{100 * (true == model).mean():<5.1f}"
    return f"{name:15}" + "".join(cells) + accuracy


def leave_out(data: dict[str, dict[str, np.ndarray]], rounds: int, leaves: int, rate: float) -> None:
    """Print, rules/model: F1 of every class and, at the end of a row, accuracy and F1 of paragraph ends."""
    print(
        f"{'family':15}" + "".join(f"{name:>10}" for name in CLASSES) + f"{'accuracy':>11}{'joined':>12}{'parted':>12}"
    )
    parts = []
    for fold in FOLDS:
        model = LineModel(fit({k: v for k, v in data.items() if k not in fold}, rounds, leaves, rate))
        for family in fold:
            if family not in data:
                continue
            part = data[family]
            known = part["y"] >= 0
            said = model.kinds(part["x"]).argmax(axis=1)
            on = model.goes_on(part["x"]) > 0.5
            upper = part["upper"]
            entry = (
                part["y"][known],
                part["rule"][known],
                said[known],
                part["on"][upper],
                part["rule_on"][upper],
                on[upper],
            )
            parts.append(entry)
            print(_row(family, *entry[:3]) + _ends(*entry[3:]), flush=True)
    whole = tuple(map(np.concatenate, zip(*parts, strict=True)))
    print(_row("ALL", *whole[:3]) + _ends(*whole[3:]))


def on_set(data: dict[str, dict[str, np.ndarray]], path: Path, model: LineModel) -> None:
    """The same rows for a paired set, by its families."""
    part = dict(np.load(path))
    said, on = model.kinds(part["x"]).argmax(axis=1), model.goes_on(part["x"]) > 0.5
    for family in [*sorted(set(part["family"])), "ALL"]:
        here = (part["family"] == family) | (family == "ALL")
        known, upper = here & (part["y"] >= 0), here & part["upper"]
        print(_row(f"{family} {known.sum()}", part["y"][known], part["rule"][known], said[known]), end="")
        print(_ends(part["on"][upper], part["rule_on"][upper], on[upper]), flush=True)


def _ends(true: np.ndarray, rule: np.ndarray, model: np.ndarray) -> str:
    true, rule, model = true.astype(bool), rule.astype(bool), model.astype(bool)
    pairs = ((f1(true, rule), f1(true, model)), (f1(~true, ~rule), f1(~true, ~model)))
    return "".join(f"{100 * a:6.1f}/{100 * b:<5.1f}" for a, b in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--on", type=Path, action="append", default=[], help="a labelled paired set to measure on")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--leaves", type=int, default=24)
    parser.add_argument("--rate", type=float, default=0.15)
    options = parser.parse_args()
    data = load(options.folder)
    if options.leave_out:
        leave_out(data, options.rounds, options.leaves, options.rate)
    if options.out or options.on:
        arrays = fit(data, options.rounds, options.leaves, options.rate)
        for path in options.on:
            on_set(data, path, LineModel(arrays))
        if options.out:
            np.savez_compressed(options.out, **arrays)
            print(options.out, options.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
