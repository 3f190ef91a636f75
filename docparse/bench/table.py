"""A bench report on the terminal: for each method its speed, acceptance and agreement with plain decoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docparse.bench.rows import AR, Summary

if TYPE_CHECKING:
    from rich.table import Table


def as_table(summaries: Sequence[Summary], title: str, lossless: frozenset[str], mark: str = "") -> Table:
    """The summaries of one category, every method's name followed by `mark`.

    A method in `lossless` that did not write what the baseline wrote is red.
    """
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    truth = any(summary.cer is not None for summary in summaries)
    columns = ["prefill s", "decode s", "page s", "SR_decode", "SR_e2e", "AAL", "tokens/s", "identical", "distance"]
    table.add_column("method")
    for name in [*columns, *(["CER"] if truth else [])]:
        table.add_column(name, justify="right")
    for summary in summaries:
        broken = summary.method in lossless and summary.identical < 1
        table.add_row(summary.method + mark, *_cells(summary, truth), style="red" if broken else None)
    return table


def _cells(summary: Summary, truth: bool) -> list[str]:
    compared = summary.method != AR
    cells = [
        f"{summary.prefill:.3f}",
        f"{summary.decode:.3f}",
        f"{summary.e2e:.3f}",
        f"{summary.sr_decode:.2f}" if compared else "1",
        f"{summary.sr_e2e:.2f}" if compared else "1",
        f"{summary.aal:.2f}" if compared else "-",
        f"{summary.tokens_per_second:.1f}",
        f"{summary.identical:.0%}" if compared else "-",
        f"{summary.distance:.4f}" if compared else "-",
    ]
    if truth:
        cells.append("-" if summary.cer is None else f"{summary.cer:.4f}")
    return cells
