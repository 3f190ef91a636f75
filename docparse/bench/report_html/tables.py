"""The tables of a report: columns by theme, a cell for each number of a summary, with its interval beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docparse.bench.predict import Prediction
from docparse.bench.report_html.chapter import Chapter
from docparse.bench.rows import OVERALL, Interval, Row, Summary

NOTHING = "–"


@dataclass(frozen=True)
class Cell:
    """`text` and, small beside it, `note`; sorted by `value`; `bar` is the length of the bar behind it, 0 to 1."""

    text: str
    note: str = ""
    value: float | str = ""
    bar: float = 0.0
    bad: bool = False


@dataclass(frozen=True)
class Line:
    """A method and its cells; `bad` where it is called lossless and is not identical."""

    name: str
    colour: str
    cells: tuple[Cell, ...]
    bad: bool = False
    badge: str = ""


@dataclass(frozen=True)
class Table:
    title: str
    heads: tuple[tuple[str, str], ...]  # of every column its name, and what it means
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Column:
    """`cell` is None where a method has nothing to say; a column of which all are None is left out."""

    head: str
    meaning: str
    cell: Callable[[Summary], Cell | None]


def number(value: float, digits: int = 3) -> str:
    """So many significant digits, and thousands apart; whole numbers as they are."""
    if value == int(value) and abs(value) < 1e6:
        return f"{value:,.0f}"
    if value and not 1e-4 <= abs(value) < 1e15:
        return f"{value:.{digits - 1}e}"
    decimals = max(0, digits - 1 - _exponent(value))
    return f"{value:,.{min(decimals, 6)}f}"


def _exponent(value: float) -> int:
    return int(f"{value:e}".partition("e")[2]) if value else 0


def amount(value: float, unit: str) -> str:
    """With a decimal prefix: `1.2 GB`."""
    for prefix, size in (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if abs(value) >= size:
            return f"{number(value / size)} {prefix}{unit}"
    return f"{number(value)} {unit}"


def _percent(value: float | None, ends: Interval | None = None) -> Cell | None:
    if value is None:
        return None
    note = "" if ends is None else f"[{100 * ends[0]:.2f}, {100 * ends[1]:.2f}]"
    return Cell(f"{100 * value:.2f}", note, value)


def _seconds(middle: float, most: float) -> Cell:
    return Cell(number(middle), f"p90 {number(most)}" if most != middle else "", middle)


def _speedup(field: str) -> Callable[[Summary], Cell]:
    def cell(each: Summary) -> Cell:
        value, ends = getattr(each, field), getattr(each, f"{field}_interval")
        note = "" if ends is None else f"[{ends[0]:.2f}, {ends[1]:.2f}]"
        return Cell(f"{value:.2f}×", note, value, bar=value)

    return cell


def _identical(each: Summary) -> Cell:
    return Cell(f"{each.identical:.0%}" if each.identical in (0, 1) else f"{each.identical:.1%}", "", each.identical)


def _visual(each: Summary) -> Cell:
    kept, all_of_them = each.kept_visual_tokens, each.visual_tokens
    share = f"{kept / all_of_them:.0%} of {number(all_of_them, 4)}" if all_of_them else ""
    return Cell(number(kept, 4), share, kept)


def _sources(each: Summary) -> Cell | None:
    if not each.acceptance:
        return None
    return Cell(", ".join(f"{name} {share:.0%}" for name, share in each.acceptance.items()))


def _aal(each: Summary) -> Cell | None:
    return Cell(f"{each.aal:.2f}", "", each.aal) if each.acceptance else None


def _aal_with(each: Summary) -> Cell | None:
    return Cell(f"{each.aal_with_candidates:.2f}", "", each.aal_with_candidates) if each.acceptance else None


def _counts(each: Summary) -> Cell | None:
    if each.tests is None:
        return None
    passed, tests = each.tests
    return Cell(f"{passed} of {tests}", "", passed / max(1, tests))


def _lost(each: Summary) -> Cell | None:
    return None if each.lost_lines is None else Cell(str(each.lost_lines), "", each.lost_lines)


CER = Column("CER, %", "character error rate against ground truth", lambda each: _percent(each.cer, each.cer_interval))
IDENTICAL = Column("identical", "share of pages with exactly the tokens of plain decoding", _identical)
DISTANCE = Column(
    "distance, %", "normalised edit distance to the text of plain decoding", lambda each: _percent(each.distance)
)
SR_DECODE = Column("SR_decode", "decoding speedup, all that speculation costs included", _speedup("sr_decode"))
SR_E2E = Column("SR_e2e", "speedup of a page from picture to Markdown", _speedup("sr_e2e"))
AAL = Column("AAL", "average acceptance length: accepted draft tokens per step, over all steps", _aal)
AAL_WITH = Column("AAL with candidates", "the same over the steps that had a draft to verify", _aal_with)
VISUAL = Column("visual tokens", "visual tokens there when decoding begins, mean over pages and layers", _visual)
KV = Column("KV cache", "bytes of the cache, mean", lambda each: Cell(amount(each.kv_bytes, "B"), "", each.kv_bytes))
FLOPS = Column(
    "attention",
    "FLOPs of attention while decoding, mean",
    lambda each: Cell(amount(each.attention_flops, "FLOP"), "", each.attention_flops),
)

PIVOTED = (CER, IDENTICAL, SR_DECODE, SR_E2E, AAL)
MAIN = (CER, IDENTICAL, SR_DECODE, SR_E2E, AAL, VISUAL, KV, FLOPS)
THEMES = {
    "Accuracy": (
        CER,
        Column("edit, %", "normalised edit distance to ground truth", lambda each: _percent(each.edit)),
        Column("TEDS, %", "tree-edit-distance similarity of tables", lambda each: _percent(each.teds)),
        Column("order, %", "edit distance of the reading order", lambda each: _percent(each.order)),
        Column("tests", "olmOCR-bench tests passed", _counts),
        Column("lost lines", "pages of which a line is missing", _lost),
        IDENTICAL,
        DISTANCE,
    ),
    "Time of a page, seconds": (
        Column("prefill", "vision tower and prompt, median", lambda each: _seconds(each.prefill, each.prefill_p90)),
        Column("decode", "drafts, regions and decoding, median", lambda each: _seconds(each.decode, each.decode_p90)),
        Column("end to end", "from picture to Markdown, median", lambda each: _seconds(each.e2e, each.e2e_p90)),
        Column(
            "tokens/s", "while decoding", lambda each: Cell(number(each.tokens_per_second), "", each.tokens_per_second)
        ),
        Column("pages/s", "end to end", lambda each: Cell(number(each.pages_per_second), "", each.pages_per_second)),
    ),
    "Memory and work": (
        VISUAL,
        KV,
        Column(
            "peak memory",
            "bytes a page needs beyond what was in use before it, the most",
            lambda each: Cell(amount(each.peak_memory, "B"), "", each.peak_memory) if each.peak_memory else None,
        ),
        FLOPS,
    ),
    "Drafts": (AAL, AAL_WITH, Column("accepted of what was proposed", "by source of the draft", _sources)),
}


def table(title: str, columns: Sequence[Column], chapter: Chapter, chosen: Sequence[Summary]) -> Table | None:
    """`chosen` summaries, a line each; None where no column has anything to say."""
    made = [(column, [column.cell(each) for each in chosen]) for column in columns]
    there = [(column, cells) for column, cells in made if any(cell is not None for cell in cells)]
    if not there or not chosen:
        return None
    longest = {column.head: max((cell.bar for cell in cells if cell), default=0.0) for column, cells in there}
    lines = []
    for i, each in enumerate(chosen):
        cells = tuple(_scaled(made_cells[i], longest[column.head]) for column, made_cells in there)
        bad = chapter.broken(each)
        badge = "baseline" if each.method == chapter.baseline else "lossless" if each.method in chapter.lossless else ""
        lines.append(
            Line(each.method, chapter.colours.get(each.method, ""), cells, bad, "not lossless" if bad else badge)
        )
    return Table(title, tuple((column.head, column.meaning) for column, _ in there), tuple(lines))


def by_category(column: Column, chapter: Chapter) -> Table | None:
    """One number of every method, a column for each category, as papers print it; None where there is one category."""
    found = {(each.method, each.category): column.cell(each) for each in chapter.summary}
    names = [OVERALL, *chapter.categories]
    if len(names) == 1 or not any(found.values()):
        return None
    longest = max((cell.bar for cell in found.values() if cell), default=0.0)
    lines = []
    for each in chapter.overall:
        cells = tuple(_scaled(found.get((each.method, name)), longest) for name in names)
        lines.append(Line(each.method, chapter.colours.get(each.method, ""), cells, chapter.broken(each)))
    heads = [(OVERALL, "all pages")] + [(name, pages(chosen[0])) for name, chosen in chapter.categories.items()]
    return Table(f"{column.head}: {column.meaning}", tuple(heads), tuple(lines))


def pages(each: Summary) -> str:
    return f"{each.pages} page{'s' * (each.pages != 1)}"


def _scaled(cell: Cell | None, longest: float) -> Cell:
    if cell is None:
        return Cell(NOTHING)
    return Cell(cell.text, cell.note, cell.value, cell.bar / longest if longest else 0.0)


def prediction_table(predictions: Sequence[Prediction]) -> Table | None:
    """A line for each method, model and way to launch operators; both speedups on each device."""
    if not predictions:
        return None
    devices = list(dict.fromkeys(each.device for each in predictions))
    found: dict[tuple[str, str, str], dict[str, Prediction]] = {}
    for each in predictions:
        found.setdefault((each.method, each.model, each.software), {})[each.device] = each
    heads = [("model", "at its published size"), ("launch", "operators one by one, or captured in graphs")]
    heads += [("AAL", "in the model's own tokens"), *((name, "SR_decode, and below it SR_e2e") for name in devices)]
    lines = []
    for (method, model, software), by_device in found.items():
        cells = [Cell(model, "", model), Cell(software, "", software)]
        cells.append(Cell(f"{next(iter(by_device.values())).aal:.2f}"))
        cells += [_predicted(by_device.get(name)) for name in devices]
        lines.append(Line(method, "", tuple(cells)))
    return Table("Predicted for other machines", tuple(heads), tuple(lines))


def _predicted(each: Prediction | None) -> Cell:
    return Cell(NOTHING) if each is None else Cell(f"{each.sr_decode:.2f}×", f"{each.sr_e2e:.2f}×", each.sr_decode)


def row_cells(row: Row) -> list[Cell]:
    """A page read once, for the long table of everything."""
    cer = _percent(row.cer) or Cell(NOTHING)
    return [
        Cell(row.page, "", row.page),
        Cell(row.category, "", row.category),
        Cell(row.method, "", row.method),
        Cell(str(row.run), "", row.run),
        Cell(number(row.prefill), "", row.prefill),
        Cell(number(row.decoding), "", row.decoding),
        Cell(number(row.total), "", row.total),
        Cell(str(row.tokens), "", row.tokens),
        Cell(str(row.steps), "", row.steps),
        Cell(str(row.accepted), "", row.accepted),
        Cell("yes" if row.identical else "no", "", int(row.identical)),
        cer,
    ]


ROW_HEADS = (
    *("page", "category", "method", "run", "prefill s", "decode s", "end to end s"),
    *("tokens", "steps", "accepted", "identical", "CER, %"),
)
