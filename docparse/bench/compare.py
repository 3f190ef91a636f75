"""A report beside an older one: did a method become slower or less accurate, each time beside plain decoding?"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

from docparse.bench.options import BenchOptions
from docparse.bench.report import Report, older
from docparse.bench.report_tables import ReportCell, ReportColumn, ReportLine, ReportTable
from docparse.bench.rows import AR, OVERALL, PageRow
from docparse.bench.summaries import COLUMNS, summarise
from docparse.errors import UsageError
from docparse.settings import as_option

NUMBERS = ("sr_decode", "sr_e2e", "identical", "cer")
CHOICE = ("method", "reproduce", "leave_out", "runs")  # of rows: those that both reports have are compared


def comparable(path: Path, settings: Mapping[str, Any], methods: Collection[str]) -> Report:
    """Return the report at `path`. Raises `UsageError` where it is none, or measured with other settings or methods."""
    old = older(path, "--compare")
    if early := old.unfinished:
        raise UsageError(f"--compare {path}: that run ended early ({early.why}), on other pages: measure again")
    if settings.get("throughput") or old.throughput:
        raise UsageError(f"--compare {path}: throughput has no single pages to compare")
    for name, default in asdict(BenchOptions()).items():
        before, now = (found.get(name, default) for found in (old.settings, settings))
        if before != now and name not in CHOICE:
            option = as_option(name)
            raise UsageError(f"--compare {path}: it was measured with {option} {before}, this run with {now}")
    measured = [name for name in old.methods if name != AR]
    if not set(methods) & set(measured):
        raise UsageError(f"--compare {path}: it has none of these methods, it has {', '.join(measured)}")
    return old


def beside(old: Report, new: Report, threshold: float) -> ReportTable:
    """Return a line for each number that both have of a method, over the pages that it has read in both. The ratio says
    how many times as good it is now; below `threshold` the line is bad."""
    both = set(map(_key, old.rows)) & set(map(_key, new.rows))
    before, now = (
        {(each.model, each.method): each for each in summarise(rows) if each.category == OVERALL}
        for rows in ([row for row in report.rows if _key(row) in both] for report in (old, new))
    )
    lines = []
    for key, number in product(now, NUMBERS):
        under, over = before[key][number], now[key][number]
        if key[1] == AR or None in (under, over):
            continue
        if number == "cer":  # less is better
            under, over = over, under
        ratio = over / under if under else math.inf if over else 1.0
        cells = [COLUMNS[number].cell(found[key]) for found in (before, now)]
        cells = [ReportCell(key[1]), ReportCell(COLUMNS[number].name), *cells, ReportCell(f"{ratio:.3f}", number=ratio)]
        lines.append(ReportLine(key[0], cells, bad=ratio < threshold))
    columns = [ReportColumn(name, needed=True) for name in ("method", "number", "before", "now", "ratio")]
    return ReportTable("beside the older report; a ratio below 1 is worse", columns, lines, head="model")


def _key(row: PageRow) -> tuple[str, str, str, int]:
    return row.model, row.method, row.page, row.run
