"""Raised figures of a scan, which call notes and sources: they end above the baseline of their line."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from docparse.layout.ocr.spaces import white_between
from docparse.layout.ocr.tokens import LineType, Token
from docparse.layout.text.wording import is_rtl

# em from the baseline to the foot of what is raised at least, and its height at most: raised figures have 0.3 and 0.45
# there, others 0 and 0.69; with brackets around them they have 0.1 and 0.7, others -0.2 and 0.9.
FIGURES, BRACKETED = (0.15, 0.62), (0.04, 0.8)
LOWEST = 0.25  # em: the height of what is raised at least
REACH = 0.15  # em from the middles of characters to those of their ink
SIZE = 0.65  # of the type around it
NEAR = 0.3  # em before it at most, where OCR saw a space
_FIGURES = r"[\d⁰¹²³⁴-⁹]{1,3}(?:[,–-][\d⁰¹²³⁴-⁹]{1,3})*"
# Behind a word, a stop or a bracket, or at the head of a note: powers of letters and figures are those of formulas.
_BEHIND = r"(?<=[^\W\d_]{2})|(?<=[^\W\d_][.,;:!?)\]”\"’'»])|(?<=[.,;:!?)][)\]”\"’'»])|^"
MARK = re.compile(rf"(?:{_BEHIND})(?:\[{_FIGURES}\]|{_FIGURES}|[†‡])+(?![\d/%\"”’']|[.,]\d)")


def with_raised(tokens: Sequence[Token], ink: np.ndarray, kind: LineType) -> list[tuple[Token, LineType]]:
    """Return the words of a line, each with its type: `kind`, but for raised figures, which are cut off the words that
    they stand at. Those apart from all words, as in boxes of forms, and lines without words, call nothing. `ink` is
    bool [48, width]."""
    text = "".join(token.text for token in tokens)
    if is_rtl(text) or not any(map(str.isalpha, text)):
        return [(token, kind) for token in tokens]
    found: list[tuple[Token, LineType]] = []
    for token in tokens:
        parts = list(_parts(token, ink, kind))
        if found and parts[0][0].raised:
            is_near = token.left - found[-1][0].right < NEAR * kind.size
            parts = [(replace(parts[0][0], glued=True), parts[0][1]), *parts[1:]] if is_near else [(token, kind)]
        found += parts
    return found


def _parts(token: Token, ink: np.ndarray, kind: LineType) -> Iterator[tuple[Token, LineType]]:
    """Yield the pieces of a word, those that are raised with their own type."""
    start, left = 0, token.left
    for match in MARK.finditer(token.text):
        first, last = match.span()
        x0, x1 = _seam(token, ink, first, 1), _seam(token, ink, last, 0)
        foot = _foot(match[0], token.centers[first:last], ink, kind)
        if foot is None:
            continue
        if first > start:
            yield _piece(token, start, first, left, _seam(token, ink, first, 0)), kind
        mark = replace(_piece(token, first, last, x0, x1), text=unicodedata.normalize("NFKC", match[0]), raised=True)
        yield mark, LineType(SIZE * kind.size, foot - kind.slope * x0, kind.slope)
        start, left = last, _seam(token, ink, last, 1)
    if start < len(token.text):
        yield _piece(token, start, len(token.text), left, token.right), kind


def _piece(token: Token, start: int, end: int, left: float, right: float) -> Token:
    if end - start == len(token.text):
        return token
    text, centers = token.text[start:end], token.centers[start:end]
    return replace(token, text=text, centers=centers, left=left, right=right, glued=token.glued or start > 0)


def _seam(token: Token, ink: np.ndarray, at: int, side: int) -> float:
    """Return where the white before the character `at` of a word begins, or ends with `side` 1."""
    if not 0 < at < len(token.text):
        return token.left if at == 0 else token.right
    return white_between(np.asarray(ink.any(axis=0)), token.centers[at - 1], token.centers[at])[side]


def _foot(text: str, centers: Sequence[float], ink: np.ndarray, kind: LineType) -> float | None:
    """Return where the ink of figures with these middles ends downwards, if it is that of small ones over the baseline,
    else None."""
    up, highest = (share * kind.size for share in (BRACKETED if "[" in text else FIGURES))
    reach, size = REACH * kind.size, math.ceil(kind.size)
    first = max(0, int(centers[0]) - size)
    _, _, stats, middles = cv2.connectedComponentsWithStats(
        ink[:, first : int(centers[-1]) + size].astype(np.uint8), connectivity=8
    )
    x = middles[1:, 0] + first
    own = stats[1:][(x > centers[0] - reach) & (x < centers[-1] + reach)]
    if not len(own):
        return None
    top, foot = float(own[:, 1].min()), float((own[:, 1] + own[:, 3]).max())
    raised = kind.baseline + kind.slope * centers[0] - foot > up
    return foot if raised and LOWEST * kind.size < foot - top < highest else None
