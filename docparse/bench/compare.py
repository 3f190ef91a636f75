"""A report beside an older one: did a method become slower or less accurate against the same baseline?"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from docparse.bench.columns import Column
from docparse.bench.report import SCHEMA, Report
from docparse.bench.rows import AR, OVERALL, PageRow
from docparse.bench.show.tables import Line, Table
from docparse.bench.summaries import Summary, summarise
from docparse.errors import UsageError

SAME = (  # settings that must agree
    *("model", "random_weights", "data", "pages", "seed"),
    *("drafts", "draft_noise", "box_jitter", "baseline", "max_tokens"),
    *("device", "dtype"),
)
METRICS = ("sr_decode", "sr_e2e", "identical", "cer")
LESS_IS_BETTER = ("cer",)


@dataclass(frozen=True)
class Change:
    """One number of one method, before and now. `ratio` is below 1 where it became worse."""

    model: str
    method: str
    metric: str
    before: float
    now: float

    @property
    def ratio(self) -> float:
        over, under = (self.before, self.now) if self.metric in LESS_IS_BETTER else (self.now, self.before)
        if under:
            return over / under
        return 1.0 if not over else float("inf")


def older(path: Path, option: str = "--compare") -> Report:
    """Return the report in a file, named with this option; its rows are summed up as today. Raises `UsageError` for one
    that is not there, is no report, or has another schema."""
    try:
        data = path.read_bytes()
        schema = msgspec.json.decode(data, type=dict[str, Any]).get("schema")
    except OSError as error:
        raise UsageError(f"{option} {path}: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise UsageError(f"{option} {path}: not a JSON report of docparse bench") from None
    if schema != SCHEMA:
        raise UsageError(f"{option} {path}: its schema is {schema}, this docparse writes {SCHEMA}: measure again")
    try:
        found = msgspec.json.decode(data, type=Report)
        return msgspec.structs.replace(found, summary=tuple(summarise(found.rows, found.baseline)))
    except msgspec.ValidationError as error:
        raise UsageError(f"{option} {path}: not a whole report of {SCHEMA}: {error}") from None


def check_comparable(path: Path, report: Report, settings: dict[str, Any], methods: dict[str, str]) -> None:
    """Raise `UsageError` where the report at `path` measured something else than these settings and methods."""
    if early := report.unfinished:
        raise UsageError(f"--compare {path}: that run ended early ({early.why}), on other pages: measure again")
    if report.throughput:
        raise UsageError(f"--compare {path}: it has throughput only, no single pages to compare with")
    for name in SAME:
        before, now = report.settings.get(name), settings[name]
        if before != now:
            option = name.replace("_", "-")
            raise UsageError(f"--compare {path}: it was measured with --{option} {before}, this run with {now}")
    if not set(methods.items()) & set(report.methods.items()) - {(AR, report.methods[AR])}:
        measured = ", ".join(name for name in report.methods if name != AR)
        raise UsageError(f"--compare {path}: it has none of these methods, it has {measured}")


def changes(old: Report, new: Report) -> list[Change]:
    """Yield the change of every method that both have, over the pages that it has read in both."""
    keys = set(map(_key, old.rows)) & set(map(_key, new.rows))
    before, now = ({(each.model, each.method): each for each in _overall(report, keys)} for report in (old, new))
    common = [key for key in now if key in before and key[1] != AR]
    return [
        Change(*key, metric, *values)
        for key in common
        for metric in METRICS
        if None not in (values := (getattr(before[key], metric), getattr(now[key], metric)))
    ]


def _key(row: PageRow) -> tuple[str, str, str, int]:
    return row.model, row.method, row.page, row.run


def _overall(report: Report, keys: Set[tuple[str, str, str, int]]) -> list[Summary]:
    rows = [row for row in report.rows if _key(row) in keys]
    return [summary for summary in summarise(rows, report.baseline) if summary.category == OVERALL]


def as_table(found: list[Change], threshold: float) -> Table:
    """Before, now and their ratio; what is below `threshold` is bad."""
    columns = [Column(name, attrgetter(name), "{}", needed=True) for name in ("method", "metric")]
    columns += [Column(name, attrgetter(name), "{:.3f}", needed=True) for name in ("before", "now", "ratio")]
    lines = [Line(change.model, change, change.ratio < threshold) for change in found]
    return Table("beside the older report; a ratio below 1 is worse", columns, {"": lines}, head="model")
