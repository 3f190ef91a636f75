"""The curves of a run as a picture: losses and error rates over wall time."""

from __future__ import annotations

import json
from pathlib import Path


def plot(log: Path, out: Path) -> None:
    """Draw the lines of `log` (see `train.Log`) to the image file `out`."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    entries = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4))
    for axes, prefixes in ((left, ("text", "dense", "pointer")), (right, ("cer_",))):
        names = sorted({name for entry in entries for name in entry if name.startswith(prefixes)})
        for name in names:
            if name.endswith("_accuracy"):
                continue
            points = [(entry["minutes"], entry[name]) for entry in entries if name in entry]
            axes.plot(*zip(*points, strict=True), label=name, marker="." if name.startswith("cer") else "")
        axes.set(xlabel="minutes", yscale="log")
        if names:
            axes.legend()
    left.set_title("losses")
    right.set_title("character error rate")
    figure.tight_layout()
    figure.savefig(out, dpi=110)
    pyplot.close(figure)
