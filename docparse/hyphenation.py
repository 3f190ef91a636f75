"""Seams: what stands between two words that the end of a line, a column or a page has parted."""

from __future__ import annotations

import re

# A hyphen after a word without another one divides it; after "state-of-the" or a digit it belongs there.
HYPHENATED = re.compile(r"(?:^|[^\w\-\u2010])[^\W\d_]+[-\u2010]$")
HYPHENS = "-\u2010\u2011\u00ad"
HARD_HYPHEN = re.compile(r"\w[-\u2010\u2011]$")
CJK_RANGES = ((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x32FFF))  # first and last code
CJK = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK_RANGES) + "]")
CLOSED_DASH = re.compile(r"[^\s\u2013\u2014][\u2013\u2014]$")


def seam(before: str, after: str) -> tuple[str, bool]:
    """Return the space ("" or " ") between `before` and `after`, and whether the last character of `before` goes.

    "exam-" + "ple" is "example", but "COVID-" + "19" and "state-of-" + "the-art" keep their hyphen, as "Gross–" +
    "Pitaevskii" its dash; Chinese and Japanese lines follow each other without a space.
    """
    if CLOSED_DASH.search(before) and after[:1].isalnum():
        return "", False
    if before[-1:] not in HYPHENS:
        return ("" if is_cjk(before[-1:]) and is_cjk(after[:1]) else " "), False
    if before.endswith("\u00ad") or (HYPHENATED.search(before) and after[:1].islower()):
        return "", True
    hard = HARD_HYPHEN.search(before) is not None and after[:1].isalnum()
    return ("" if hard else " "), False


def is_cjk(char: str) -> bool:
    """True for Chinese, Japanese, their punctuation and full-width forms: written without spaces, unlike Korean."""
    return CJK.match(char) is not None
