"""A column of a table, defined once and written the same way on the terminal, in Markdown and in HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Interval = tuple[float, float]  # the 95 % confidence interval of a number
FEW_PAGES = 5  # pages: the bootstrap of fewer gives intervals that are far too narrow, and they are marked
MARK = "?"
MARKED = f"{MARK}: an interval of fewer than {FEW_PAGES} pages, too narrow to be believed."


@dataclass(frozen=True)
class Column:
    """A number of a line: how it is written, times `scale`, its 95 % interval, and what it means where its name does
    not say it.

    `value` finds it in what the column is about, and `at` that in a line, None where the line has nothing of it. What
    is `needed` is shown however narrow the terminal is, without its interval where it is `brief` and that does not fit.
    A `bar` is drawn behind it in HTML. `group` says which tables have it, `needs` is the number of a summary without
    which it says nothing.
    """

    name: str
    value: Callable[[Any], Any]
    form: str = "{:.2f}"
    meaning: str = ""
    interval: Callable[[Any], Interval | None] = lambda _: None
    scale: float = 1.0
    group: str = ""
    needs: str = ""
    needed: bool = False
    brief: bool = False
    bar: bool = False
    at: Callable[[Any], Any] = lambda line: line

    def of(self, key: str) -> Column:
        """Return the column of this number of summaries."""
        needs = self.needs or None
        return replace(
            self,
            value=lambda summary: summary[key] if needs is None or summary[needs] else None,
            interval=lambda summary: summary.get(f"{key}_interval"),
        )

    def number(self, line: Any) -> Any:
        """Return what it is sorted by, None where there is nothing: of `3 of 4` the share, of shares by name 1."""
        value = self._value(line)
        if isinstance(value, dict):
            return 1.0
        if isinstance(value, tuple):
            return value[0] / max(1, value[1])
        return value if value is None or self.scale == 1.0 else self.scale * value

    def text(self, line: Any) -> str:
        """Return it as it is written; a difference that is none is 0."""
        value = self._value(line)
        if value is None:
            return ""
        if isinstance(value, dict):
            return ", ".join(f"{name} {share:.0%}" for name, share in value.items())
        if isinstance(value, tuple):
            return "{}/{}".format(*value)
        return "0" if value == 0 and "+" in self.form else self.form.format(self.number(line))

    def note(self, line: Any) -> str:
        """Return the interval: `[2.31 2.74]`, marked where it is of few pages; none of the baseline over itself."""
        there = self.at(line)
        ends = None if there is None else self.interval(there)
        if ends is None or ends == (1.0, 1.0):
            return ""
        low, high = (self.form.format(self.scale * end) for end in ends)
        return f"[{low} {high}]{MARK if there.pages < FEW_PAGES else ''}"

    def cell(self, line: Any, brief: bool = False) -> str:
        """Return `2.51 [2.31 2.74]`, without the interval where it is left out first."""
        text = self.text(line)
        return text if brief and self.brief else " ".join(filter(None, (text, text and self.note(line))))

    def _value(self, line: Any) -> Any:
        there = self.at(line)
        return None if there is None else self.value(there)


def filled(columns: Iterable[Column], lines: Sequence[Any]) -> list[Column]:
    """Return those with anything to say."""
    return [each for each in columns if any(each.text(line) for line in lines)]


def meanings(columns: Iterable[Column]) -> str:
    """Return what the columns are, a sentence each."""
    return " ".join(f"{each.name}: {each.meaning}." for each in columns if each.meaning)
