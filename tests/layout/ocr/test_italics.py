"""Words in italics on page images: what leans, and short words beside it."""

import cv2
import numpy as np
import pytest
from typeset import lines, words_in

from docparse.layout.ocr.italics import italicised, leaning
from docparse.layout.ocr.tokens import Token

PITCH = 24  # pixels of a letter


def drawn(texts, leans, stretch=1.0):
    """How dark a line is, words of which lean by so much of their height, and its words with where they stand."""
    parts, tokens, x = [], [], 0
    for text, lean in zip(texts, leans, strict=True):
        part = np.zeros((48, PITCH * len(text) + 24), np.uint8)
        cv2.putText(part, text, (12, 34), cv2.FONT_HERSHEY_DUPLEX, 1.0, 255, 1, cv2.LINE_AA)
        sheared = np.array([[1.0, -lean, lean * 24], [0.0, 1.0, 0.0]])
        parts.append(cv2.warpAffine(part, sheared, part.shape[::-1]))
        inked = np.flatnonzero(parts[-1].any(axis=0))
        tokens.append(Token(text, 1.0, (x + inked[0]) * stretch, (x + inked[-1] + 1) * stretch))
        x += part.shape[1]
    line = np.hstack(parts)
    return cv2.resize(line, (round(line.shape[1] * stretch), 48)), tokens


@pytest.mark.parametrize(
    "texts, leans, expected",
    [
        (["Hitting", "times"], [0.2, 0.2], [True, True]),
        (["Hitting", "times"], [0.0, 0.0], [False, False]),
        (["Hitting", "times"], [0.0, 0.15], [False, True]),
        (["End", "it"], [0.2, 0.2], [True, True]),
        (["End", "it"], [0.0, 0.0], [False, False]),
        (["the", "Annals", "of", "Ice", "volume"], [0.0, 0.2, 0.2, 0.2, 0.0], [False, True, True, True, False]),
        (["Theorem", "8", "holds"], [0.2, 0.0, 0.2], [True, True, True]),
        (["Backwards"], [-0.2], [False]),
    ],
)
@pytest.mark.parametrize("stretch", [1.0, 0.75])
def test_words_whose_strokes_lean_to_the_right_are_in_italics(texts, leans, expected, stretch):
    line, tokens = drawn(texts, leans, stretch)
    assert leaning(line, tokens, stretch) == expected


def test_chinese_between_leaning_words_stands_upright():
    line, tokens = drawn(["limit", "I", "value"], [0.2, 0.0, 0.2])
    assert leaning(line, tokens, 1.0) == [True, True, True]
    tokens[1] = Token("工", 1.0, tokens[1].left, tokens[1].right)
    assert leaning(line, tokens, 1.0) == [True, False, True]


@pytest.mark.parametrize("share, told", [(1, True), (3, False)])
def test_where_most_of_a_page_leans_nothing_is_in_italics(share, told):
    words = words_in(*lines(["line"] * 4))
    lean = [i < share for i in range(4)]
    assert [word.italic for word in italicised(words, lean)] == [told and so for so in lean]
