"""Bold words of page images: by the weight of their strokes, of each word and of a line as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.boldness import embolden, stroke_weights
from docparse.layout.ocr.tokens import ink_of
from docparse.layout.text.words import Word
from docparse.types import Box

USUAL = 0.1  # of the size: the weight of regular type


def lines(*texts: str) -> list[Word]:
    words = []
    for row, text in enumerate(texts):
        x = 50.0
        for part in text.split():
            box = Box(x, 15.0 * row, x + 5 * len(part), 15.0 * row + 10)
            words.append(Word(text=part, box=box, baseline=15.0 * row + 8, size=10, index=len(words)))
            x = box.x1 + 3
    return words


PROSE = ["several words of common type that fill a line"] * 6


def bold(words: Sequence[Word], relative: dict[str, float]) -> list[str]:
    """The words that are bold where those in `relative` are so many times as heavy as the others."""
    weights = [USUAL * relative.get(word.text, 1.0) for word in words]
    return [word.text for word in embolden(list(words), weights) if word.bold]


def test_a_line_of_words_that_are_heavy_all_of_them_is_bold_and_its_light_number_is_not() -> None:
    words = lines(*PROSE, "1. Newton's second principle", *PROSE)
    heavy = dict.fromkeys(("Newton's", "second", "principle"), 1.24)
    assert bold(words, heavy) == ["Newton's", "second", "principle"]
    assert bold(words, heavy | {"second": 1.0}) == []
    assert bold(lines(*PROSE, "second", *PROSE), heavy) == []


@pytest.mark.parametrize("color", [(0, 0, 0), (176, 48, 32), (32, 64, 160)])
def test_the_colour_of_type_does_not_change_its_weight(color: tuple[int, int, int]) -> None:
    line = np.full((48, 400, 3), 255, np.uint8)
    cv2.putText(line, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, color, 3, cv2.LINE_AA)
    black = np.full((48, 400, 3), 255, np.uint8)
    cv2.putText(black, "Behaviour", (10, 34), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 3, cv2.LINE_AA)
    found = [weight_of(each) for each in (line, black)]
    assert found[0] == pytest.approx(found[1], rel=0.08)


def weight_of(line: np.ndarray) -> float:
    class Token:
        left, right = 8.0, 180.0

    return float(stroke_weights(line, ink_of(line), [Token()], 1.0)[0])  # type: ignore[list-item]
