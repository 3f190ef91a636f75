"""Throughput in the HTML report: its table, and pages a minute over batch size with a page's latency beside it."""

from __future__ import annotations

from docparse.bench.report import Report
from docparse.bench.rows import AR, Throughput
from docparse.bench.show.report_html.chapter import short
from docparse.bench.show.report_html.columns import Cell
from docparse.bench.show.report_html.ink import MUTED, SMALL, as_svg, drawing, marker, series
from docparse.bench.show.report_html.plots import WIDE, Plot
from docparse.bench.show.report_html.tables import Line, Table
from docparse.bench.show.throughput import COLUMNS, title


def load_table(report: Report, load: Throughput) -> Table:
    """Return a line for each method at each batch size."""
    longest = max(each.pages_per_minute for each in load.points)
    lines = []
    for each in load.points:
        cells = [Cell(column.cell(each), "", column.value(each)) for column in COLUMNS]
        cells[1] = Cell(cells[1].text, "", each.pages_per_minute, each.pages_per_minute / longest)
        bad = each.method in report.lossless and each.different > 0
        lines.append(Line(each.method, _colours(load)[each.method], tuple(cells), bad))
    return Table(title(report, load), tuple((column.name, column.meaning) for column in COLUMNS), tuple(lines))


def load_plot(load: Throughput) -> Plot:
    """Return both over batch size, a line for each method."""
    name = "Pages a minute, and seconds of a page, over batch size"
    caption = (
        "Left is how many pages are read in a minute, right how long one of them takes from where it leaves the queue: "
        "the median, and dotted the 90th percentile."
    )
    sizes = sorted({each.batch for each in load.points})
    if len(sizes) < 2:
        return Plot(name, caption, absent="There are not two batch sizes to compare.")
    with drawing(WIDE, 3.4) as figure:
        left, right = figure.subplots(1, 2)
        for number, (method, colour) in enumerate(_colours(load).items()):
            points = sorted((each for each in load.points if each.method == method), key=lambda each: each.batch)
            places = [each.batch for each in points]
            line = {"color": colour, "marker": marker(number), "markersize": 5}
            left.plot(places, [each.pages_per_minute for each in points], label=short(method), **line)
            right.plot(places, [each.latency for each in points], **line)
            right.plot(places, [each.latency_p90 for each in points], **line, linestyle=":", alpha=0.6)
        for axes, what in ((left, "pages a minute"), (right, "seconds of a page")):
            axes.set_xscale("log", base=2)
            axes.set_xticks(sizes, [str(size) for size in sizes])
            axes.set_ylim(bottom=0)
            axes.set_xlabel("batch size")
            axes.set_ylabel(what)
        left.legend(fontsize=SMALL)
        return Plot(name, caption, as_svg(figure, f"throughput {load.model}", name), wide=True)


def _colours(load: Throughput) -> dict[str, str]:
    """Of every method, plain decoding in grey."""
    others = [method for method in dict.fromkeys(each.method for each in load.points) if method != AR]
    return {AR: MUTED} | {method: series(number) for number, method in enumerate(others)}
