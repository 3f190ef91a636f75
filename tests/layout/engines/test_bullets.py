"""Bullets on page images: shapes before lines, also those that OCR took for letters; specks and letters are none."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.bullets import with_bullets
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box

SCALE = 2.0
LEFT, TOPS = 100.0, (100.0, 116.0, 132.0)
Draw = Callable[[np.ndarray, tuple[int, int]], object]

DISC: Draw = lambda pixels, at: cv2.circle(pixels, at, 4, (0, 0, 0), -1)  # noqa: E731
RING: Draw = lambda pixels, at: cv2.circle(pixels, at, 4, (0, 0, 0), 1)  # noqa: E731
SQUARE: Draw = lambda pixels, at: cv2.rectangle(pixels, (at[0] - 4, at[1] - 4), (at[0] + 4, at[1] + 4), (0, 0, 0), -1)  # noqa: E731


def page(shape: Draw, places: list[tuple[float, float]]) -> PageImage:
    pixels = np.full((600, 900, 3), 255, np.uint8)
    for x, y in places:
        shape(pixels, (round(x * SCALE), round(y * SCALE)))
    return PageImage(pixels, SCALE)


def word(text: str, x: float, baseline: float, index: int) -> Word:
    box = Box(x, baseline - 7.5, x + 5.0 * len(text), baseline + 2.5)
    return Word(text=text, box=box, baseline=baseline, size=10.0, index=index)


LINES = [word(f"Item{i}", LEFT + 15, top, 10 * i) for i, top in enumerate(TOPS)]
PLACES = [(LEFT, top - 3.2) for top in TOPS]


@pytest.mark.parametrize(("shape", "text"), [(DISC, "•"), (SQUARE, "•"), (RING, "◦")])
def test_shapes_before_lines_are_bullets(shape: Draw, text: str) -> None:
    found = with_bullets(LINES, page(shape, PLACES))
    assert [word.text for word in sorted(found, key=lambda word: (word.baseline, word.box.x0))] == [
        each for line in LINES for each in (text, line.text)
    ]


def test_a_bullet_that_was_read_as_a_letter_is_one_bullet_and_a_letter_of_the_text_stays() -> None:
    misread = [word("0", LEFT - 2.5, top, 10 * i - 1) for i, top in enumerate(TOPS)]
    found = with_bullets([*misread, *LINES], page(RING, PLACES))
    assert sorted(each.text for each in found) == ["Item0", "Item1", "Item2", "◦", "◦", "◦"]
    close = [word("o", LEFT + 9, top, 10 * i - 1) for i, top in enumerate(TOPS)]  # "o Item": a word of the sentence
    at = [(LEFT + 11.5, top - 3.2) for top in TOPS]
    assert with_bullets([*close, *LINES], page(RING, at)) == [*close, *LINES]


def test_the_box_of_a_word_begins_behind_the_bullet_that_was_taken_into_it() -> None:
    texts = ["Item0", "•Item1", "Item2"]
    wide = [word(text, LEFT - 3, top, 10 * i) for i, (text, top) in enumerate(zip(texts, TOPS, strict=True))]
    image = page(DISC, PLACES)
    for top in TOPS:
        cv2.putText(image.pixels, "It", (round((LEFT + 9) * SCALE), round(top * SCALE)), 0, 0.6, (0, 0, 0), 2)
    found = sorted(with_bullets(wide, image), key=lambda word: (word.baseline, word.box.x0))
    assert [word.text for word in found] == ["•", "Item0", "•", "Item1", "•", "Item2"]
    assert all(word.box.x0 > LEFT + 6 for word in found[1::2])


def test_specks_alone_and_shapes_within_a_line_are_no_bullets() -> None:
    assert with_bullets(LINES, page(DISC, PLACES[:1])) == LINES
    before = [word("Words", LEFT - 40, top, 10 * i - 1) for i, top in enumerate(TOPS)]
    assert with_bullets([*before, *LINES], page(DISC, PLACES)) == [*before, *LINES]
    assert with_bullets([], page(DISC, PLACES)) == []
