"""Drawings: plots and diagrams among the paths of a page, and boxes, rules and bullets that are none."""

import pytest

PAGE = "#set page(width: 300pt, height: 300pt, margin: 30pt)\n"
CURVE = "#place(curve(stroke: 1pt, curve.cubic(none, (70pt, 80pt), (140pt, 0pt))))"
FLAT = (
    "#box(width: 150pt, height: 90pt, stroke: 1pt)[#place(curve(stroke: 1pt, curve.move((10pt, 60pt)),"
    " curve.line((50pt, 54pt)), curve.line((90pt, 58pt)), curve.line((140pt, 52pt))))]"
)
NOISE = "..range({}).map(i => curve.line((5pt + i * {}pt, 50pt + calc.sin(i * {} * 0.1) * 20pt)))"
SERIES = "#box(width: 150pt, height: 90pt, stroke: 1pt)[#place(curve({}, curve.move((5pt, 50pt)), " + NOISE + "))]"
PLOT = f"#box(width: 150pt, height: 90pt, stroke: 1pt)[{CURVE}]"
PAGES = {
    "a curve in its frame": (f"A plot follows.\n\n{PLOT}", [(150, 90)]),
    "the flat line of a chart": (FLAT, [(150, 90)]),
    "a series of thousands of points": (SERIES.format("stroke: 1pt", 2100, 0.06, 0.06), [(150, 90)]),
    "a line drawn as an outline": (SERIES.format("fill: black", 200, 0.6, 0.6), [(150, 90)]),
    "two plots far apart": (f"{PLOT}\n\n#v(30pt)\n\n{PLOT}", [(150, 90)] * 2),
    "a table": ("#table(columns: 2, [a], [b], [c], [d])", []),
    "a card": ("#rect(radius: 8pt, width: 120pt, fill: luma(220))[A card with round corners]", []),
    "a rule": ("#line(length: 100%)", []),
    "words": ("Only words.", []),
}


@pytest.mark.parametrize("source, sizes", PAGES.values(), ids=PAGES)
def test_plots_are_drawings_and_boxes_and_rules_are_none(typst_pdf, read, source, sizes):
    boxes = read(typst_pdf(PAGE + source, "drawn")).drawings.tolist()
    assert [(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes] == [pytest.approx(size, abs=4) for size in sizes]
