"""Frames: boxes that are tinted or drawn around something, however they are drawn."""

from __future__ import annotations

import numpy as np

from docparse.layout.frames import frames_of
from docparse.types import Box

NONE = np.zeros((0, 4), np.float32)
CARD = (50, 50, 250, 150)
SIDES = [(50, 50, 250, 50), (50, 150, 250, 150), (50, 50, 50, 150), (250, 50, 250, 150)]


def array(*boxes: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(boxes, np.float32).reshape(-1, 4)


def test_a_panel_and_its_outline_are_one_frame() -> None:
    assert frames_of(array(CARD, CARD), array(*SIDES)) == [Box(*CARD)]


def test_four_strokes_that_meet_are_a_frame_and_three_are_none() -> None:
    assert frames_of(NONE, array(*SIDES)) == [Box(*CARD)]
    assert frames_of(NONE, array(*SIDES[:3])) == []


def test_bars_and_dots_are_no_frames() -> None:
    assert frames_of(array((50, 50, 400, 58), (10, 10, 14, 14)), NONE) == []
