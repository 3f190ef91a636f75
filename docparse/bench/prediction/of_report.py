"""The predictions of a report: what its methods accepted, carried over to published sizes."""

from __future__ import annotations

import msgspec

from docparse.bench.prediction.predict import devices_of, predict, workloads
from docparse.bench.report import Report


def with_predictions(report: Report, devices: str) -> Report:
    """For these devices, as `--predict` names them; methods are told apart by their model where there are several."""
    works = {}
    for model in report.models:
        rows = [row for row in report.rows if row.model == model.name]
        characters = {"characters": 1.0} if model.token_per_character else {}
        for method, work in workloads(rows, **characters).items():
            works[f"{model.name} {method}" if len(report.models) > 1 else method] = work
    return msgspec.structs.replace(report, predictions=predict(works, devices_of(devices)))
