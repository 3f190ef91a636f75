"""The curves of a run as a picture: losses and error rates over wall time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LOSSES = ("text", "dense", "pointer")
TITLES = {"losses": LOSSES, "character error rate": ("cer_block", "cer_page")}


def plot(log: Path, out: Path) -> None:
    """Draw the lines of `log` (see `train.Log`) to the image file `out`; what was measured once is no curve."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    entries = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    curves = {title: _curves(entries, names) for title, names in TITLES.items()}
    drawn = {title: found for title, found in curves.items() if found} or {"losses": {}}
    figure, row = pyplot.subplots(1, len(drawn), figsize=(5.5 * len(drawn), 4), squeeze=False)
    for axes, (title, found) in zip(row[0], drawn.items(), strict=True):
        for name, points in found.items():
            axes.plot(*zip(*points, strict=True), label=name, marker="" if name in LOSSES else ".")
        axes.set(title=title, xlabel="minutes", yscale="log")
        if found:
            axes.legend()
    figure.tight_layout()
    figure.savefig(out, dpi=110)
    pyplot.close(figure)


def _curves(entries: list[dict[str, Any]], names: tuple[str, ...]) -> dict[str, list[tuple[float, float]]]:
    points = {name: [(entry["minutes"], entry[name]) for entry in entries if name in entry] for name in names}
    return {name: found for name, found in points.items() if len(found) > 1}
