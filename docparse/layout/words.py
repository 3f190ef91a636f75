"""Words: the smallest thing the layout code moves around, the same whether a text layer or OCR read them."""

from __future__ import annotations

import unicodedata

import msgspec
import numpy as np

from docparse.pdf.content import Characters
from docparse.types import Box

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
# Spacing accents that TeX fonts print as a glyph of their own over a letter, and their combining forms.
ACCENTS = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
SPACES = np.array([9, 10, 11, 12, 13, 32, 160, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x3000, 0xFEFF], np.uint32)

WORD_GAP = 0.17  # em: a wider gap inside a line is a space even where the PDF stores none (narrow fonts print 0.2)


class Word(msgspec.Struct, frozen=True, kw_only=True):
    """A run of characters without a space and in one style.

    `glued` means that no space separates it from the word before it (a superscript, a change of font inside a
    word). `baseline` is the y of the baseline, `size` the font size in points (for OCR: estimated from the line's
    height). `index` is the position in the PDF's own order, which is the logical order for right-to-left text.
    `angle` is the clockwise rotation of the text on the page: 0, 90, 180 or 270.
    """

    text: str
    box: Box
    baseline: float
    size: float
    glued: bool = False
    bold: bool = False
    italic: bool = False
    math: bool = False
    mono: bool = False
    angle: int = 0
    index: int = 0
    confidence: float = 1.0


def words_of(characters: Characters) -> list[Word]:
    """Cut a text layer into words at spaces, gaps, line breaks and changes of style; O(n), vectorised."""
    n = len(characters)
    if n == 0:
        return []
    codes = np.frombuffer(characters.text.encode("utf-32-le", "surrogatepass"), np.uint32)
    ink = np.flatnonzero(~(np.isin(codes, SPACES) | characters.generated))
    if len(ink) == 0:
        return []
    starts, glued = _breaks(characters, ink)
    ends = np.append(starts[1:], len(ink))
    boxes = characters.box[ink]
    low = np.minimum.reduceat(boxes[:, :2], starts, axis=0)
    high = np.maximum.reduceat(boxes[:, 2:], starts, axis=0)
    corners = np.hstack([low, high]).round(2).tolist()
    first = ink[starts]
    baselines = characters.baseline[first].round(2).tolist()
    fonts = characters.font[first].tolist()
    text = np.array(list(characters.text), dtype=object)[ink]
    words = []
    for k, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        font = characters.fonts[fonts[k]]
        words.append(
            Word(
                text=_repair("".join(text[start:end]), boxes[start:end]),
                box=Box(*corners[k]),
                baseline=baselines[k],
                size=font.size,
                glued=bool(glued[k]),
                bold=font.weight >= 600,
                italic=font.italic,
                math=font.math,
                mono=font.mono,
                angle=font.angle,
                index=int(first[k]),
            )
        )
    return words


def _breaks(characters: Characters, ink: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where words start among the inked characters, and which of them are glued to the word before."""
    box, baseline, font = characters.box[ink], characters.baseline[ink], characters.font[ink]
    size = np.array([f.size for f in characters.fonts], np.float32)[font]
    angle = np.array([f.angle for f in characters.fonts], np.int32)[font]
    spaced = np.diff(ink) > 1  # something without ink stands between the two characters
    em = np.maximum(size[1:], size[:-1])
    upright = angle[1:] % 180 == 0
    near, far = np.where(upright, 0, 1), np.where(upright, 2, 3)
    row = np.arange(len(ink) - 1)
    # distance between neighbours along the line, whichever way the text runs
    gap = np.maximum(box[row + 1, near] - box[row, far], box[row, near] - box[row + 1, far])
    shift = np.abs(np.diff(baseline))
    jump = (shift > 0.7 * em) | (gap > 1.5 * em) | (angle[1:] != angle[:-1])
    back = (box[row + 1, near] < box[row, near] - 0.5 * em) & (shift > 0.3 * em)
    separate = spaced | (gap > WORD_GAP * em) | jump | back
    restyled = (np.diff(font) != 0) | (shift > 0.08 * em)
    starts = np.flatnonzero(np.concatenate([[True], separate | restyled]))
    return starts, np.concatenate([[False], ~separate])[starts]


def _repair(text: str, boxes: np.ndarray) -> str:
    """Ligatures spelled out; an accent printed over its letter becomes one accented letter."""
    if text.isascii() and "`" not in text:
        return text
    if any(char in ACCENTS for char in text):
        text = _compose(text, boxes)
    for ligature, letters in LIGATURES.items():
        text = text.replace(ligature, letters)
    return unicodedata.normalize("NFC", text)


def _compose(text: str, boxes: np.ndarray) -> str:
    """Join accents with the letter whose box they overlap: TeX prints the accent first, others after."""
    out: list[str] = []
    skip = False
    for i, char in enumerate(text):
        if skip:
            skip = False
            continue
        mark = ACCENTS.get(char)
        if mark and i + 1 < len(text) and text[i + 1].isalpha() and _over(boxes[i], boxes[i + 1]):
            base = {"ı": "i", "ȷ": "j"}.get(text[i + 1], text[i + 1])
            out.append(base + mark)
            skip = True
        elif mark and out and out[-1][-1:].isalpha() and _over(boxes[i], boxes[i - 1]):
            out[-1] += mark
        else:
            out.append(char)
    return "".join(out)


def _over(accent: np.ndarray, letter: np.ndarray) -> bool:
    width = min(accent[2], letter[2]) - max(accent[0], letter[0])
    return width > 0.4 * (accent[2] - accent[0])
