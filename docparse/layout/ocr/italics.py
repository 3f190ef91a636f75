"""Which words of a page image are in italics: their strokes are upright only once the line is sheared back."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.ocr.tokens import Token
from docparse.layout.text.words import Word

# Measured on 120 pages drawn at 150 dpi: of the words of four letters or more that their text layers call italic 0.93
# lean by 0.1 to 0.3 of their height, of the others 0.003; nearly all of these lean by less than 0.01.
SHEARS = np.array([-0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4])
LEAST, MOST = 0.09, 0.31  # of its height that italic type leans by: a V or an A alone may seem to lean further
TELLS = 4  # letters of a word that tells
SELDOM = 0.5  # of a page's letters at most: handwriting and books in italics mark nothing by them


def leaning(darkness: np.ndarray, tokens: Sequence[Token], stretch: float) -> list[bool]:
    """Return of each word of a line whether it leans. Short words are set like the nearest ones that tell, on both
    sides of them, or on one where they lean themselves; those of a line without any like all of it. Chinese between
    variables stands upright.

    `darkness` is uint8 [48, width], how far the line is from its paper, drawn `stretch` times as wide as it is. Upright
    strokes make it rise and fall the most from column to column.
    """
    east = np.array([any(map(is_cjk, token.text)) for token in tokens], bool)
    letters = np.array([sum(map(str.isalpha, token.text)) for token in tokens]) * ~east
    if letters.sum() < TELLS:
        return [False] * len(tokens)
    height, width = darkness.shape
    changes = []
    for shear in SHEARS * stretch:
        back = np.array([[1.0, shear, -shear * height / 2], [0.0, 1.0, 0.0]])
        columns = cv2.warpAffine(darkness, back, (width, height), flags=cv2.INTER_LINEAR).sum(axis=0, dtype=float)
        changes.append(np.cumsum(np.diff(columns, prepend=0.0) ** 2))
    left = [min(width - 1, max(0, int(token.left) - 2)) for token in tokens]
    right = [min(width - 1, int(token.right) + 3) for token in tokens]
    sharpness = np.array(changes)[:, right] - np.array(changes)[:, left]
    if letters.max() < TELLS:
        whole = _leans(sharpness[:, letters > 0].sum(axis=1, keepdims=True))[0]
        return (bool(whole) & ~east).tolist()
    telling, own = np.flatnonzero(letters >= TELLS), _leans(sharpness)
    after = telling[np.minimum(np.searchsorted(telling, np.arange(len(tokens))), len(telling) - 1)]
    before = telling[np.maximum(np.searchsorted(telling, np.arange(len(tokens)), side="right") - 1, 0)]
    inside = own[before] & own[after] & ((before != after) | (letters < 2))
    return (np.where(own & (letters > 1), own[before] | own[after], inside) & ~east).tolist()


def _leans(sharpness: np.ndarray) -> np.ndarray:
    """bool [n]: whether words are the sharpest where italic ones are; `sharpness` is float [shears, n]."""
    lean = SHEARS[sharpness.argmax(axis=0)]
    return np.asarray((lean > LEAST) & (lean < MOST))


def italicised(words: Sequence[Word], lean: Sequence[bool]) -> list[Word]:
    """Return the words of a page, those that lean marked as italic where they are the fewer."""
    size = np.array([len(word.text) for word in words])
    if size[np.array(lean, bool)].sum() > SELDOM * size.sum():
        return list(words)
    return [msgspec.structs.replace(word, italic=True) if so else word for word, so in zip(words, lean, strict=True)]
