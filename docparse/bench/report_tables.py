"""A column says once how a number is written; a table is lines of cells, and each writer prints the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

Interval = tuple[float, float]  # the 95 % confidence interval of a number
FEW_PAGES = 5  # pages: the bootstrap of fewer gives intervals that are far too narrow, and they are marked
MARK = "?"


class ReportCell(NamedTuple):
    """A number as it is written, its interval `[2.31 2.74]`, and what it is sorted by (None: there is nothing)."""

    text: str = ""
    interval: str = ""
    number: float | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.interval}".rstrip()


@dataclass(frozen=True)
class ReportColumn:
    """A number of a line: `value` finds it, `form` writes it, times `scale`; `meaning` says what its name does not.

    What is `needed` is shown however narrow the terminal is. A `bar` is drawn behind it in HTML. `group` says which
    tables have it, `needs` is the number of a summary without which it says nothing.
    """

    name: str
    value: Callable[[Any], Any] = str
    form: str = "{:.2f}"
    meaning: str = ""
    interval: Callable[[Any], Interval | None] = lambda _: None
    scale: float = 1
    group: str = ""
    needs: str = ""
    needed: bool = False
    bar: bool = False

    def of(self, key: str) -> ReportColumn:
        return replace(
            self,
            value=lambda summary: None if self.needs and not summary[self.needs] else summary[key],
            interval=lambda summary: summary.get(f"{key}_interval"),
        )

    def cell(self, line: Any) -> ReportCell:
        """Return what a line has of it: of `3 of 4` the share is its number; None and what is unknown are empty."""
        value = None if line is None else self.value(line)
        if value is None:
            return ReportCell()
        if isinstance(value, dict):
            return ReportCell(", ".join(f"{name} {share:.0%}" for name, share in value.items()), "", 1.0)
        if isinstance(value, tuple):
            return ReportCell("{}/{}".format(*value), "", value[0] / max(1, value[1]))
        if isinstance(value, str):
            return ReportCell(value)
        number = self.scale * value
        text = "0" if value == 0 and "+" in self.form else self.form.format(number)
        return ReportCell(text, self._interval(line), number)

    def _interval(self, line: Any) -> str:
        """Marked where it is of few pages; there is none of plain decoding over itself."""
        ends = self.interval(line)
        if ends is None or ends == (1.0, 1.0):
            return ""
        low, high = (self.form.format(self.scale * end) for end in ends)
        return f"[{low} {high}]{MARK if line.pages < FEW_PAGES else ''}"


def filled(columns: Iterable[ReportColumn], lines: Sequence[Any]) -> list[ReportColumn]:
    return [each for each in columns if any(each.cell(line).text for line in lines)]


class ReportLine(NamedTuple):
    """A line of a table. `bad`: what is called lossless, and is not."""

    name: str
    cells: Sequence[ReportCell]
    bad: bool = False
    badge: str = ""


class ReportTable(NamedTuple):
    """Columns and lines; `head` stands over the lines' names, and `note` is what has to be known to read them."""

    title: str
    columns: Sequence[ReportColumn]
    lines: Sequence[ReportLine]
    head: str = "method"
    note: str = ""
    by_category: bool = False
