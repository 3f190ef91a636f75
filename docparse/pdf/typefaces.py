"""The type of text objects: its fonts, whether it is bold because it is printed twice, and its colour."""

from __future__ import annotations

import re

import numpy as np

from docparse.pdf.content import Font
from docparse.pdf.graphics import Painted
from docparse.pdf.native import fill, native
from docparse.pdf.objects import IDENTITY, multiply
from docparse.pdf.textlayer import FAKE_BOLD, INVISIBLE, RawText
from docparse.pdf.untold import FIRST_CHINESE

NEAR = 0.12  # font sizes between a text object and its repetition
LOOK_BACK = 5  # text objects; pdfium looks as far back for repetitions
# names of Chinese faces: black ones, without serifs, and those that books are set in
BLACK = re.compile(r"hei(?!sei)|FZHT|黑|(?:sans|gothic).*(?:SC|TC|CN|CJK)|(?:CJK|Han).*sans", re.IGNORECASE)
SERIF = re.compile(
    r"song|sun(?!ken)|ming|serif.*(?:SC|TC|CN|CJK)|(?:CJK|Han).*serif|FZ(?:SS|BS|FS|KT)|宋|明", re.IGNORECASE
)
AMID = 2.0  # times as many letters with serifs as black ones, at least
COLOURED = 50  # of 255 by which the channels of a colour differ, and one from another
LIGHT, DARK = 200, 128  # of 255: white letters and faint ones, and those that are printed on white


def fonts_of(raw: RawText, angle: np.ndarray, bold: np.ndarray) -> tuple[tuple[Font, ...], np.ndarray]:
    """The distinct styles of the page and, int32 [m], which of them each text object has."""
    a, b, c, d = raw.matrix[:, :4].T
    skew = (a * c + b * d) / np.where(a * d - b * c == 0, 1, a * d - b * c)  # tangent of the slant
    italic = (skew > 0.1) & (skew < 1)
    bold = bold | (raw.mode == FAKE_BOLD)
    size = np.round(raw.size * 100).astype(np.int64)
    key = raw.style.astype(np.int64)
    for part, values in ((size, 1 << 24), (angle, 4), (italic, 2), (bold, 2), (raw.mode == INVISIBLE, 2)):
        key = key * values + np.clip(part.astype(np.int64), 0, values - 1)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    fonts: dict[Font, int] = {}  # different font objects may come to the same
    numbers = [fonts.setdefault(_font(raw, run, angle, bold, italic), len(fonts)) for run in first.tolist()]
    return tuple(fonts), np.array(numbers, np.int32)[inverse]


def _font(raw: RawText, run: int, angle: np.ndarray, bold: np.ndarray, italic: np.ndarray) -> Font:
    style = raw.styles[raw.style[run]]
    return Font(
        name=style.name,
        size=round(float(raw.size[run]), 2),
        weight=max(style.weight, 700) if bold[run] else style.weight,
        italic=style.italic or bool(italic[run]),
        mono=style.mono,
        math=style.math,
        invisible=bool(raw.mode[run] == INVISIBLE),
        angle=int(angle[run]) * 90,
    )


def tinted(raw: RawText) -> np.ndarray:
    """bool [m]: text objects in a colour, not a shade of grey, that is not the usual one, and those that are light,
    where it is dark: they stand on a bar or a panel."""
    colors = raw.color[:, :3]
    weight = np.bincount(raw.run[raw.inked], minlength=len(colors))
    values, which = np.unique(colors, axis=0, return_inverse=True)
    usual = values[np.bincount(which.ravel(), weight).argmax()]
    light = (colors.min(axis=1) >= LIGHT) & (usual.max() < DARK)
    return light | ((np.ptp(colors, axis=1) >= COLOURED) & (np.abs(colors - usual).max(axis=1) >= COLOURED))


def black_runs(raw: RawText) -> np.ndarray:
    """Return bool [m]: text objects in a black face (黑体) amid Chinese that is set in faces with serifs: it is their
    bold."""
    black = raw.of_objects(lambda style: BLACK.search(style.name) is not None)
    text = raw.of_objects(lambda style: SERIF.search(style.name) is not None)
    letters = np.bincount(raw.run[raw.inked & (raw.code >= FIRST_CHINESE)], minlength=len(raw.handle))
    amid = letters[text].sum() > AMID * letters[black].sum()
    return black & (letters > 0) & amid


def bold_runs(raw: RawText, painted: Painted) -> np.ndarray:
    """Return bool [m]: text objects that a left-out object, painted soon after, repeats a hair's breadth away, which is
    fake bold, and those in a black face. pdfium's text page keeps such text only once."""
    bold = black_runs(raw)
    if not painted.left_out or not painted.order:
        return bold
    handles, outers, before = zip(*painted.left_out, strict=True)
    matrices = np.zeros((len(handles), 6), np.float32)
    fill(native().PageObj_GetMatrix, matrices, handles)
    matrix = matrices.astype(np.float64)
    for index, outer in enumerate(outers):
        if outer != IDENTITY:
            matrix[index] = multiply(tuple(matrix[index]), outer)
    painted_runs = np.searchsorted(raw.handle, np.array(list(painted.order), np.uint64))
    for step in range(1, LOOK_BACK + 1):
        place = np.array(before) - step
        original = painted_runs[np.maximum(place, 0)]
        gap = np.abs(raw.matrix[original, 4:6] - matrix[:, 4:6]).max(axis=1)
        same = np.abs(raw.matrix[original, :4] - matrix[:, :4]).max(axis=1) < 1e-3
        bold[original[same & (place >= 0) & (gap < NEAR * raw.size[original])]] = True
    return bold
