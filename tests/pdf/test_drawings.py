"""Drawings: plots and diagrams among the paths of a page, and boxes, rules and bullets that are none."""

import pytest

from docparse.pdf import open_document

PAGE = "#set page(width: 300pt, height: 300pt, margin: 30pt)\n"
CURVE = "#place(curve(stroke: 1pt, curve.cubic(none, (70pt, 80pt), (140pt, 0pt))))"
PLOT = f"#box(width: 150pt, height: 90pt, stroke: 1pt)[{CURVE}]"


def boxes(typst_pdf, source: str) -> list[list[float]]:
    with open_document(typst_pdf(PAGE + source, "drawn"), name="drawn") as document:
        return document.page(1).drawings.tolist()


def test_a_curve_in_its_frame_is_one_drawing(typst_pdf):
    (box,) = boxes(typst_pdf, f"A plot follows.\n\n{PLOT}")
    assert box[2] - box[0] == pytest.approx(150, abs=4) and box[3] - box[1] == pytest.approx(90, abs=4)


def test_two_plots_far_apart_are_two_drawings(typst_pdf):
    assert len(boxes(typst_pdf, f"{PLOT}\n\n#v(30pt)\n\n{PLOT}")) == 2


@pytest.mark.parametrize(
    "source",
    [
        "#table(columns: 2, [a], [b], [c], [d])",
        "#rect(radius: 8pt, width: 120pt, fill: luma(220))[A card with round corners]",
        "#line(length: 100%)",
        "Only words.",
    ],
    ids=["table", "card", "rule", "words"],
)
def test_boxes_and_rules_are_no_drawings(typst_pdf, source):
    assert not boxes(typst_pdf, source)
