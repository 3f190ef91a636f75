"""Distances between what was read and what is there: characters, reading order, tables."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Hashable, Sequence

from rapidfuzz.distance import Levenshtein

_ATTRIBUTES = re.compile(r' (?:style|height|width|align|class|border)="[^"]*"')
_DELIMITERS = re.compile(r"^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$", re.MULTILINE)
_LITERAL = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<entity>&(?:amp|lt|gt|quot);)|\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL
)
_INLINE_TAGS = re.compile(
    r"</?(?:sup|sub|span|div|p|b|i|em|strong|tbody|thead|tfoot)(?: [^>]*)?>|<colgroup>.*?</colgroup>"
)


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Levenshtein distance over the longer length, 0 (the same) to 1; two empty sequences are the same."""
    return Levenshtein.normalized_distance(first, second)


def character_error_rate(text: str, truth: str) -> float:
    """Levenshtein distance over the length of the truth, both in the form of `normal_markdown`; may exceed 1."""
    text, truth = normal_markdown(text), normal_markdown(truth)
    return Levenshtein.distance(text, truth) / max(1, len(truth))


def normal_markdown(text: str) -> str:
    """Markdown in the form in which its characters are compared: what looks the same to a reader is the same.

    Composed characters (NFC); backslashes before punctuation and entities of `& < > "` resolved, except in formulas;
    any run of white space one blank; rules below the heads of tables three dashes a column. All other markup stays.
    """
    text = _DELIMITERS.sub(
        lambda row: re.sub(r"[ \t]*:?-+:?[ \t]*", " --- ", row[0]), unicodedata.normalize("NFC", text)
    )
    return " ".join(_LITERAL.sub(_resolved, text).split())


def _resolved(match: re.Match[str]) -> str:
    return match["escaped"] or (html.unescape(match["entity"]) if match["entity"] else match[0])


def window_distance(needle: str, hay: str) -> float:
    """Return the least Levenshtein distance of `needle` to any part of `hay` of the same length, over that length. 1.0
    where the needle is empty or longer than the hay."""
    width = len(needle)
    if not 0 < width <= len(hay):
        return 1.0
    best = width
    for start in range(len(hay) - width + 1):
        best = min(best, Levenshtein.distance(hay[start : start + width], needle, score_cutoff=best))
        if best == 0:
            break
    return best / width


def teds(predicted: str, truth: str) -> float:
    """Tree-edit-distance similarity of two HTML tables, 0 to 1 (Zhong et al., 2020), by `table-recognition-metric`,
    after OmniDocBench's normalisation: header cells are plain, inline tags, styles and line breaks go."""
    from table_recognition_metric import TEDS

    return float(TEDS()(_normal_table(predicted), _normal_table(truth))) if predicted else 0.0


def _normal_table(text: str) -> str:
    text = re.sub(r"<(/?)th\b", r"<\1td", text)
    text = _INLINE_TAGS.sub("", text.replace("\n", ""))
    text = unicodedata.normalize("NFKC", html.unescape(text))
    inner = re.search(r"<table\b[^>]*>(.*)</table>", text, re.DOTALL | re.IGNORECASE)
    body = re.sub(r"\s+", " ", _ATTRIBUTES.sub("", inner.group(1) if inner else ""))
    return f"<html><body><table>{body}</table></body></html>"
