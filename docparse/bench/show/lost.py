"""What a method loses to plain decoding, page against page: how well a page can be read at all cancels out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from docparse.bench.rows import AR, OVERALL, Interval, Row, Summary
from docparse.bench.summaries import interval


class Lost(NamedTuple):
    """Character error rate beyond plain decoding's on the same pages (below 0: fewer errors), and its 95 % interval."""

    value: float
    interval: Interval | None


def lost(rows: Sequence[Row], each: Summary) -> Lost | None:
    """Of the pages that `each` is about and that have a truth; None where there is none."""
    mine = [row for row in rows if row.model == each.model and each.category in (OVERALL, row.category)]
    plain = {(row.page, row.run): row.cer for row in mine if row.method == AR and row.cer is not None}
    terms = [
        (row.page, row.cer - plain[row.page, row.run], 1.0)
        for row in mine
        if row.method == each.method and row.cer is not None and (row.page, row.run) in plain
    ]
    return Lost(sum(more for _, more, _ in terms) / len(terms), interval(terms)) if terms else None
