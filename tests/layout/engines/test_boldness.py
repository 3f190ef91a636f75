"""Bold words of page images: by the weight of their strokes, of each word and of a line as a whole."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from typeset import lines, numbered, words_in

from docparse.layout.ocr.boldness import embolden, stroke_weights
from docparse.layout.ocr.tokens import ink_of

PROSE = ["several words of common type that fill a line"] * 6
HEAVY = dict.fromkeys(("Newton's", "second", "principle"), 1.24)


@pytest.mark.parametrize(
    "text, relative, bold",
    [
        ("1. Newton's second principle", HEAVY, ["Newton's", "second", "principle"]),
        ("1. Newton's second principle", HEAVY | {"second": 1.0}, []),
        ("second", HEAVY, []),
    ],
    ids=["all words but the number", "not all words", "a word alone"],
)
def test_a_line_of_words_that_are_heavy_all_of_them_is_bold_and_its_light_number_is_not(text, relative, bold):
    words = numbered(words_in(*lines([*PROSE, text, *PROSE], 50)))
    weights = [0.1 * relative.get(word.text, 1.0) for word in words]  # a tenth of the size is usual
    assert [word.text for word in embolden(words, weights) if word.bold] == bold


def test_the_colour_of_type_does_not_change_its_weight():
    weights = []
    for color in ((0, 0, 0), (176, 48, 32), (32, 64, 160)):
        line = np.full((48, 400, 3), 255, np.uint8)
        cv2.putText(line, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, color, 3, cv2.LINE_AA)
        weights.append(stroke_weights(line, ink_of(line), [SimpleNamespace(left=8.0, right=180.0)], 1.0)[0])
    assert weights[1:] == pytest.approx(weights[:1] * 2, rel=0.08)
