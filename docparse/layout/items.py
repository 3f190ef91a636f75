"""List items: the marker a group of lines begins with, and whether it is one or an initial, a dash, an ornament."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from docparse.layout.groups import Group
from docparse.layout.lines import BULLETS, is_marker
from docparse.layout.wording import ROMAN, SIGNS
from docparse.types import Spans

ASIDES = "–—*"  # those of them that begin an attribution, a speech or an ornament
GLUED_BULLETS = frozenset(BULLETS) - frozenset(SIGNS)  # bullets that need no space behind them
LETTER = re.compile(r"([a-zA-Z])\.")


def list_marker(group: Group) -> str:
    """The item marker the group begins with, or ""; a bracketed number is a reference, not a list item."""
    words = group.lines[0].words
    text = words[0].text
    if text[0] in GLUED_BULLETS and len(group.text) > 1 and not is_marker(text):
        return text[0]
    if len(words) < 2 or not is_marker(text) or text.startswith("["):
        return ""
    ornament = not any(char.isalnum() for char in group.text[len(text) :])
    hyphen = text in "-–—" and words[1].glued
    return "" if ornament or hyphen else text


def without_marker(spans: Spans, marker: str) -> Spans:
    """The words of an item or footnote without its marker, which may be a raised one ("^{1}", ¹)."""
    if not marker or not spans:
        return spans
    first, rest = spans[0], spans[1:]
    if not first.math:
        head = msgspec.structs.replace(first, text=first.text.removeprefix(marker).lstrip())
        return (head, *rest) if head.text else rest
    if not rest or first.text.strip("^{}* ") != marker.strip("* "):
        return spans
    return (msgspec.structs.replace(rest[0], text=rest[0].text.lstrip()), *rest[1:])


def is_doubtful(marker: str) -> bool:
    """A letter with a point may be an initial ("J. Doe"), a dash may begin an aside: a list has several of them."""
    return marker in ASIDES or LETTER.fullmatch(marker) is not None


def accepted_markers(groups: Iterable[Group]) -> frozenset[str]:
    """The markers among these groups that begin list items: all plain ones, doubtful ones in company."""
    counts = Counter(marker for group in groups if (marker := list_marker(group)))
    return frozenset(m for m in counts if not is_doubtful(m) or _has_company(m, counts))


def _has_company(marker: str, counts: Counter[str]) -> bool:
    """The same sign once more; the letter or Roman numeral before or after it."""
    if marker in ASIDES:
        return counts[marker] > 1
    letter = marker[0]
    neighbours = {chr(ord(letter) - 1), chr(ord(letter) + 1)}
    if letter in ROMAN:
        at = ROMAN.index(letter)
        neighbours |= set(ROMAN[max(0, at - 1) : at + 2]) - {letter}
    return any(f"{other}." in counts for other in neighbours)
