"""Raised figures on page images call notes; those of the text, dates and decimals stay where they are."""

import pytest
from typeset import markdown

from docparse.layout.text.inline import spans_of

PAGE = (
    '#set page(width: 420pt, height: 120pt, margin: 30pt)\n#set super(typographic: false)\n#set text(font: "{font}")\n'
)


@pytest.mark.parametrize("font", ["Libertinus Serif", "New Computer Modern"])
@pytest.mark.parametrize(
    "source, marks",
    [
        ("It grew with the population.#super[11] Others stayed as they were for 12 years.", ["^{11}"]),
        (r"Readers of Firefox,#super[\[4\]] and of others#super[\[12\]\[13\]] saw it.", ["^{[4]}", "^{[12][13]}"]),
        ("#super[12] Deaton mentions that the sectors are all alike in that.", ["^{12}"]),
        ("Score of the team here #h(12pt) #box(baseline: -3pt, text(6pt)[12]) #h(12pt) at the end of it.", []),
        ("In May 2011, 49.6 of them were read in [4] and in (3), and in HTML5 too.", []),
    ],
)
def test_raised_figures_call_notes(draw, ocr, font, source, marks):
    words = ocr.read(draw(PAGE.replace("{font}", font) + source)).words
    assert [word.latex for word in words if word.latex] == marks
    assert all(word.text == word.latex[2:-1] for word in words if word.latex)


def test_a_raised_figure_is_written_as_one(draw, ocr):
    source = "It grew with the population.#super[11] Others stayed as they were for 12 years."
    words = ocr.read(draw(PAGE.replace("{font}", "Libertinus Serif") + source)).words
    assert markdown(spans_of([words])) == "It grew with the population.$^{11}$ Others stayed as they were for 12 years."
