"""The LaTeX of one formula, or None where a picture is the better answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.formula.cluster import Unreadable
from docparse.layout.formula.parse import read
from docparse.layout.text.words import Word

SURE = 0.5  # LaTeX less sure than this is not shown
NO_RULINGS = np.zeros((0, 4), np.float32)


@dataclass(frozen=True)
class Latex:
    """LaTeX without dollar signs and how sure it is, 0..1."""

    text: str
    confidence: float


def latex_of(words: Sequence[Word], rulings: np.ndarray = NO_RULINGS) -> Latex | None:
    """Return words of one formula (any order) and the page's strokes (float32 [n, 4]) as LaTeX; None when unsure.

    Only for words with exact boxes and sizes (a text layer): a word read by OCR makes the formula unreadable.
    """
    if not words or any(word.confidence < 1 for word in words):
        return None
    try:
        text, confidence = read(words, rulings)
    except (Unreadable, RecursionError):
        return None
    if confidence < SURE or not text or not is_balanced(text):
        return None
    return Latex(text, confidence)


def is_balanced(text: str) -> bool:
    """Braces, `\\left`/`\\right` and environments come in pairs."""
    depth = 0
    for token in re.findall(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token, 0)
        if depth < 0:
            return False
    pairs = len(re.findall(r"\\left(?![a-zA-Z])", text)) == len(re.findall(r"\\right(?![a-zA-Z])", text))
    return depth == 0 and pairs and text.count(r"\begin{") == text.count(r"\end{")
