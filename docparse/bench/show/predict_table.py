"""Predictions on the terminal, and beside them how wrong the same model is where something was published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docparse.bench.prediction.hardware import SOFTWARE
from docparse.bench.prediction.predict import Prediction
from docparse.bench.prediction.published import Check, checks

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def show_predictions(
    predictions: Sequence[Prediction], screen: Console, *, drafts: str = "", published: bool = False
) -> None:
    """A table for each method, whose acceptance was measured with such `drafts`; `published`: then the rows of papers
    that the cost model is checked with."""
    for method in dict.fromkeys(each.method for each in predictions):
        name = f"{method} by {drafts} drafts" if drafts else method
        screen.print(prediction_table(name, [each for each in predictions if each.method == method]))
    checked = checks()
    if published:
        screen.print(check_table(checked))
    errors = [error for check in checked[1:] for error in check.errors if error is not None]
    screen.print(
        f"Predicted by a cost model, not measured; it is off by {min(errors):+.0%} to {max(errors):+.0%} on what was "
        "published: docs/benchmarks/predict.md",
        soft_wrap=True,
    )


def prediction_table(name: str, predictions: Sequence[Prediction]) -> Table:
    """Rows are models and ways to launch operators, columns devices."""
    from rich.table import Table

    devices = list(dict.fromkeys(each.device for each in predictions))
    found = {(each.model, each.software, each.device): each for each in predictions}
    table = Table(title=f"{name}, predicted: SR_decode / SR_e2e", title_justify="left")
    for head in ("model", "AAL", "launch", "page s, plain", *devices):
        table.add_column(head, justify="left" if head in ("model", "launch") else "right")
    for model in dict.fromkeys(each.model for each in predictions):
        for software in SOFTWARE:
            row = [found[model, software, device] for device in devices]
            seconds = " ".join(f"{each.prefill + each.plain_decode:.1f}" for each in row)
            ratios = [f"{each.sr_decode:.2f} / {each.sr_e2e:.2f}" for each in row]
            table.add_row(model, f"{row[0].aal:.2f}", software, seconds, *ratios)
    return table


def check_table(checked: Sequence[Check]) -> Table:
    """Every published row, predicted, and the error."""
    from rich.table import Table

    table = Table(title="The cost model against the HSD paper (A100, eager)", title_justify="left")
    for name in ("model", "published", "AAL", "SR_decode", "predicted", "error", "SR_e2e", "predicted", "error"):
        table.add_column(name, justify="left" if name in ("model", "published") and not table.rows else "right")
    for check in checked:
        row, said = check.published, check.prediction
        table.add_row(
            row.model,
            row.what,
            f"{row.work.aal:.2f}",
            *_cells(row.sr_decode, said.sr_decode, check.errors[0]),
            *_cells(row.sr_e2e, said.sr_e2e, check.errors[1]),
        )
    return table


def _cells(published: float | None, predicted: float, error: float | None) -> tuple[str, str, str]:
    if published is None or error is None:
        return "", f"{predicted:.2f}", ""
    return f"{published:.2f}", f"{predicted:.2f}", f"{error:+.0%}"
