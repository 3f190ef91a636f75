"""Seams: what stands between two words that the end of a line, a column or a page has parted."""

from __future__ import annotations

import re

# A hyphen after a word without another one divides it; after "state-of-the" or a digit it belongs there.
HYPHENATED = re.compile(r"(?:^|[^\w\-\u2010])[^\W\d_]+[-\u2010]$")
OPENING = ("(", "[")
HYPHENS = "-\u2010\u2011\u00ad"
HARD_HYPHEN = re.compile(r"\w[-\u2010\u2011]$")
CJK_RANGES = ((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x32FFF))  # first and last code
HANGUL = ((0xAC00, 0xD7A3),)
SOUTH_EAST = (0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF)  # Thai and Lao, Burmese, Khmer: words without spaces
CJK = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in CJK_RANGES) + "]")
HAN, KANA = "\u4e00-\u9fff", "\u3040-\u30ff"  # letters without their punctuation, for the brackets of an expression
EAST = f"{KANA}\u3400-\u9fff\uac00-\ud7af"  # the same of Chinese, Japanese and Korean
ADDRESS = re.compile(r"(?:https?|ftp):(?://\S*)?(?<=[/.:?&=_#%-])$")  # that is broken where addresses may be
SCHEME = re.compile(r"\w+://")  # of another address
PATH = re.compile(r"//|\w\S*(?:[/?&=_#%]|\.\w\w)")  # how it goes on, as the next sentence does not
CITED = re.compile("][\u2013\u2014]\\[")  # from one reference to another: "[15]\u2013[22]"
CLOSED_DASH = re.compile(r"[^\s\u2013\u2014][\u2013\u2014]$")


def seam(before: str, after: str, *, typed: bool = False) -> tuple[str, bool]:
    """Return the space ("" or " ") between `before` and `after`, and whether the last character of `before` goes.
    `typed` says that both are in typewriter type within other text, where an address goes on whatever follows.

    "exam-" + "ple" is "example", but "COVID-" + "19" and "state-of-" + "the-art" keep their hyphen, as "Gross–" +
    "Pitaevskii" its dash; an address goes on without a space, and so do Chinese, Japanese and Thai, and what stands
    behind an opening bracket.
    """
    if before[-1:] in OPENING:
        return "", False
    goes_on = typed or (before[-1:] not in HYPHENS and PATH.match(after))
    if ADDRESS.search(before) and goes_on and not SCHEME.match(after):
        return "", False
    if CLOSED_DASH.search(before) and (after[:1].isalnum() or CITED.fullmatch(before[-2:] + after[:1])):
        return "", False
    if before[-1:] not in HYPHENS:
        return ("" if all(is_cjk(char) or is_south_east(char) for char in (before[-1:], after[:1])) else " "), False
    if before.endswith("\u00ad") or (HYPHENATED.search(before) and after[:1].islower()):
        return "", True
    hard = HARD_HYPHEN.search(before) is not None and after[:1].isalnum()
    return ("" if hard else " "), False


def is_cjk(char: str) -> bool:
    """True for Chinese, Japanese, their punctuation and full-width forms: written without spaces, unlike Korean."""
    return CJK.match(char) is not None


def is_korean(char: str) -> bool:
    """True for Hangul, whose words may be parted between any two syllables at the end of a line."""
    return _is_in(char, HANGUL)


def is_south_east(char: str) -> bool:
    """True for Thai, Lao, Burmese and Khmer: spaces part sentences, not words."""
    return _is_in(char, SOUTH_EAST)


def _is_in(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char or " ") <= last for first, last in ranges)
