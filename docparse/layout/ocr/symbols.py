"""Which mathematical symbol a picture shows: a small convolutional network on the shape of its ink.

The weights and what is known of every symbol come with docparse (`data/symbols.onnx`, made by `training/symbols.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from docparse.layout.ocr.onnx import open_session, shipped_model

SIDE = 32  # pixels of the network's input, in both directions
DARK = 0.45  # of full ink: pixels that belong to the symbol
BATCH = 512  # pictures read at once: a photograph taken for formulas has tens of thousands, and no memory for all
LIKELY = 6  # so many symbols are named for a picture

Chances = tuple[tuple[str, float], ...]
"""Symbols with their probabilities, the likeliest first."""


class Form(NamedTuple):
    """The printed form of a symbol: how far its ink reaches above and below the baseline, and its width, in em; and by
    how much fonts differ, as standard deviations of the logarithms of its height and width."""

    above: float
    below: float
    width: float
    height_spread: float
    width_spread: float

    @property
    def height(self) -> float:
        return self.above + self.below


class SymbolReader:
    """Tells symbols apart. Shapes that print alike at different sizes are one class.

    `forms` holds the form of each class, `pieces` of how many pieces of ink it is printed.
    """

    def __init__(self, threads: int = 1) -> None:
        self.session = open_session(shipped_model("docparse", "data", "symbols.onnx"), threads, keep_memory=True)
        known = json.loads(self.session.get_modelmeta().custom_metadata_map["symbols"])
        self.symbols: str = known["symbols"]
        self.forms = {char: Form(*form) for char, form in known["forms"].items()}
        self.pieces: dict[str, list[int]] = known["pieces"]

    def read(self, pictures: Sequence[np.ndarray]) -> list[Chances]:
        """Return what each picture may show; float32 [height, width], ink is 1 and paper 0."""
        found: list[Chances] = []
        for start in range(0, len(pictures), BATCH):
            squares, shapes = zip(*map(normalised, pictures[start : start + BATCH]), strict=True)
            (scores,) = self.session.run(None, {"ink": np.stack(squares)[:, None], "shape": np.stack(shapes)})
            likely = np.argsort(-scores, axis=1)[:, :LIKELY]
            found += [
                tuple((self.symbols[i], float(row[i])) for i in best)
                for row, best in zip(scores, likely.tolist(), strict=True)
            ]
        return found


def normalised(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ink stretched to a square, float32 [SIDE, SIDE], and the logarithm of width over height of its box
    with its absolute value, float32 [2]: what stretching hides."""
    dark = picture > DARK
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    if not len(rows):
        return np.zeros((SIDE, SIDE), np.float32), np.zeros(2, np.float32)
    part = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = part.shape
    sampling = cv2.INTER_AREA if min(height, width) > SIDE else cv2.INTER_LINEAR
    square = cv2.resize(part.astype(np.float32), (SIDE, SIDE), interpolation=sampling)
    aspect = np.log(width / height)
    return np.clip(square, 0, 1), np.array([aspect, abs(aspect)], np.float32)
