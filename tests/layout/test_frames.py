"""Frames: boxes that are tinted or drawn around something, however they are drawn."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from docparse.layout.frames import cards_of, frames_of, panels_from_image, parted_by, written_cards
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Box

CARD = (50, 50, 250, 150)


def array(*boxes: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(boxes, np.float32).reshape(-1, 4)


def test_a_panel_and_its_outline_are_one_frame() -> None:
    assert frames_of(array(CARD, CARD)) == [Box(*CARD)]


def test_bars_and_dots_are_no_frames() -> None:
    assert frames_of(array((50, 50, 400, 58), (10, 10, 14, 14))) == []


@pytest.mark.parametrize(("fill", "edge"), [((255, 255, 255), (90, 90, 120)), ((215, 230, 245), (215, 230, 245))])
def test_outlined_and_tinted_boxes_of_a_scan_are_panels(fill: tuple[int, ...], edge: tuple[int, ...]) -> None:
    pixels = np.full((1200, 900, 3), 255, np.uint8)
    pixels[200:500, 100:800] = edge
    pixels[203:497, 103:797] = fill
    pixels[700:1000:8, 100:700] = 0  # lines of text are none
    (frame,) = frames_of(panels_from_image(PageImage(pixels, 2.0)))
    np.testing.assert_allclose((frame.x0, frame.y0, frame.x1, frame.y1), (50, 100, 400, 250), atol=3)


def word(x: float, y: float) -> Word:
    return Word(text="word", box=Box(x, y, x + 30, y + 10), baseline=y + 8, size=10.0)


def test_cards_stand_side_by_side_and_columns_of_a_tinted_table_are_none() -> None:
    left, right = Box(0, 0, 100, 80), Box(110, 0, 210, 80)
    assert cards_of([left, right], [word(10, 10), word(120, 10)]) == [left, right]
    assert cards_of([left, Box(150, 0, 250, 80)], [word(110, 10)]) == []  # a column between them
    assert cards_of([left, Box(100, 0, 200, 80)], []) == []  # cells touch
    assert cards_of([Box(0, 0, 100, 20), Box(110, 0, 210, 20)], []) == []  # a row of a table


def test_a_card_is_written_where_it_holds_running_text_and_a_panel_of_labels_is_not() -> None:
    card, chart = Box(0, 0, 100, 80), Box(110, 0, 210, 80)
    prose = [word(5 + 32 * (i % 2), 10 + 12 * (i // 2)) for i in range(8)]
    labels = [msgspec.structs.replace(word(120 + 20 * i, 60), text=str(10 * i)) for i in range(4)]
    assert written_cards([card, chart], [*prose, *labels]) == [card]


def test_every_word_is_in_one_part_the_smallest_card_that_holds_it() -> None:
    inner, outer = Box(10, 10, 60, 60), Box(0, 0, 100, 100)
    words = [word(15, 15), word(15, 80), word(200, 15)]
    assert parted_by([outer, inner], words) == [[words[0]], [words[1]], [words[2]]]
